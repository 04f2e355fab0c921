"""The compiled kernels: contiguous arrays in, counts and sums out, no policy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# One number that the core computes for a pair of rankings; src/cpp/fields.hpp says what each is.
class Field:
    @property
    def need(self) -> int: ...  # what must be computed for it, as bits to be joined by `|`
    @property
    def is_count(self) -> bool: ...  # int64; otherwise float64
    @property
    def sorts_x(self) -> bool: ...  # needs the order of x
    @property
    def sorts_y(self) -> bool: ...

FIELDS: dict[str, Field]  # in the order of their numbers, counts first

# What `pair` returns: needs as bits, whether ties make the answer None, and the numbers of the fields.
class Plan:
    def __init__(self, needs: int, untied: bool, field_numbers: list[int], /) -> None: ...

# The slack of a threshold for a largest score of 1, and the largest slack for a threshold of 1.
SLACK: float
LARGEST_SLACK: float

# The fields of a plan; None unless x and y are contiguous float64 arrays, 1-d, finite, equally long, of 2 or
# more items; None also if scores are too large for their threshold, or span too much for sums of gaps.
def pair(x: Any, y: Any, threshold_x: float, threshold_y: float, plan: Plan, /) -> tuple[Any, ...] | None: ...

# Many pairs of rows: counts[t, :, p] and reals[t, :, p] for thresholds t. `fields` numbers the real fields
# from 0. Counts that are not among the needs have no meaning; a need of 0 gives those of ties. Returns bits
# of what was unusual: 1 for values that are not finite, 2 for finite scores that are too large for their
# threshold or span too much for sums of gaps. Others may write to x and y meanwhile only if these are
# `shared`.
def pairs(
    x: NDArray[np.float64],
    offsets_x: NDArray[np.int64],
    y: NDArray[np.float64],
    offsets_y: NDArray[np.int64],
    pair_x: NDArray[np.int64],
    pair_y: NDArray[np.int64],
    thresholds_x: list[float],
    thresholds_y: list[float],
    needs: list[int],
    fields: list[int],
    workers: int,
    shared: bool,
    counts: NDArray[np.int64],
    reals: NDArray[np.float64],
    /,
) -> int: ...

# Copy an array.
def copy_floats(values: NDArray[np.float64], out: NDArray[np.float64], workers: int, /) -> None: ...

# Is no value infinite or NaN?
def all_finite(values: NDArray[np.float64], workers: int, /) -> bool: ...

# Counts of item i of pair p: out[:, starts[p] + i] = above_x, above_y, concordant, discordant, tied_x,
# tied_y, tied_both. Returns whether scores are too large for their threshold.
def item_counts(
    x: NDArray[np.float64],
    offsets_x: NDArray[np.int64],
    y: NDArray[np.float64],
    offsets_y: NDArray[np.int64],
    pair_x: NDArray[np.int64],
    pair_y: NDArray[np.int64],
    threshold_x: float,
    threshold_y: float,
    workers: int,
    starts: NDArray[np.int64],
    out: NDArray[np.int64],
    /,
) -> bool: ...

# Rows of two lists of grades: out[row] = sums of agreement with weights uniform, ap, hyperbolic; sum of the
# last weights.
def graded_lists(
    x: NDArray[np.uint32],
    y: NDArray[np.uint32],
    values: NDArray[np.float64],
    a: NDArray[np.float64],
    by_levels: bool,
    workers: int,
    out: NDArray[np.float64],
    /,
) -> None: ...

# Rows of two scorings of graded items: out[row] = sum and weight for uniform, ap, hyperbolic. False if any
# row has ties.
def graded_items(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    grades: NDArray[np.uint32],
    values: NDArray[np.float64],
    workers: int,
    out: NDArray[np.float64],
    /,
) -> bool: ...

# The items from best to worst, and for each position the positions tied with it, [first, last).
def windows(
    values: NDArray[np.float64],
    threshold: float,
    order: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    /,
) -> None: ...

# out[k] = sum of the weights of the first ends[k] items whose place is before before[k]; `ends` never falls.
def sums_before(
    place: NDArray[np.int64],
    weights: NDArray[np.int64],
    ends: NDArray[np.int64],
    before: NDArray[np.int64],
    out: NDArray[np.int64],
    /,
) -> None: ...

# out[k] = sum over the same items of weight * (score at their place - own[k]); scores by place, largest
# first.
def gap_sums_before(
    scores: NDArray[np.float64],
    place: NDArray[np.int64],
    weights: NDArray[np.float64],
    ends: NDArray[np.int64],
    before: NDArray[np.int64],
    own: NDArray[np.float64],
    out: NDArray[np.float64],
    /,
) -> None: ...

# out[k] = sum over the items before k in its group of weight * (their score - its own); head[k] begins a
# group.
def gap_sums_within(
    scores: NDArray[np.float64],
    weights: NDArray[np.float64],
    head: NDArray[np.bool_],
    out: NDArray[np.float64],
    /,
) -> None: ...

# Sums over s < slots of 1 / (mass + s step) and of s / (mass + s step), slots without mass left out.
def slot_sums(
    mass: NDArray[np.float64],
    step: NDArray[np.float64],
    slots: NDArray[np.int64],
    ones: NDArray[np.float64],
    numbers: NDArray[np.float64],
    /,
) -> None: ...

# Lay the values of x and y group after group; item k is of group codes[k], which stands at offsets[codes[k]].
def gather_groups(
    codes: NDArray[np.int64],
    offsets: NDArray[np.int64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    out_x: NDArray[np.float64],
    out_y: NDArray[np.float64],
    /,
) -> None: ...

# Give numbers to values in the order in which they are first seen; `first` is where. Returns how many.
def number_integers(
    values: NDArray[np.int64], codes: NDArray[np.int64], first: NDArray[np.int64], /
) -> int: ...

# The same for texts: text k is the bytes from offsets[k] up to offsets[k + 1].
def number_texts(
    offsets: NDArray[np.int64],
    bytes: NDArray[np.uint8],
    codes: NDArray[np.int64],
    first: NDArray[np.int64],
    /,
) -> int: ...

# Round to 12 significant digits; `doubtful` is set where the result is not certain; returns whether any is.
def round_digits(
    values: NDArray[np.float64], out: NDArray[np.float64], doubtful: NDArray[np.bool_], /
) -> bool: ...

# Sums over topics, rows x systems, become means, rounded to 12 significant digits. `totals` has the sums of
# `weights`, rows x topics; `rests`, systems x topics, what the scores have beyond those summed. `doubtful` is
# set where a mean is not rounded; returns whether any is.
def round_means(
    sums: NDArray[np.float64],
    weights: NDArray[np.float64],
    totals: NDArray[np.float64],
    rests: NDArray[np.float64],
    doubtful: NDArray[np.bool_],
    /,
) -> bool: ...

# For each pair of columns: the mean of their differences, and the sum of squares about it, in which
# deviations up to `least` count as 0.
def moments_of_pairs(
    scores: NDArray[np.float64],
    least: float,
    means: NDArray[np.float64],
    squares: NDArray[np.float64],
    /,
) -> None: ...

# Without each topic in turn, from these moments: for each system, how many others are above it, and for each
# row of `factors` the sum over these of the function of factor x t that `cubic` tabulates.
def without_each_topic(
    scores: NDArray[np.float64],
    means: NDArray[np.float64],
    squares: NDArray[np.float64],
    least: float,
    factors: NDArray[np.float64],
    cubic: NDArray[np.float64],
    above: NDArray[np.float64],
    sums: NDArray[np.float64],
    /,
) -> None: ...

# The tag and the documents of a run, {topic: {document: score}}; None if a line is unusual, or wrong.
def parse_run(text: str, /) -> tuple[str, dict[str, dict[str, float]]] | None: ...

# Write the number of each document; those without a number keep what is there.
def numbers_of(documents: dict[str, float], numbers: dict[str, int], found: NDArray[np.int64], /) -> None: ...

# Let `pair` read NumPy's array objects directly (the default, if their layout is known) or not; returns the
# setting before.
def use_array_head(wanted: bool, /) -> bool: ...

# Pairs of lists of items, laid end to end: list r holds codes[offsets[r]:offsets[r + 1]], all below n_codes.
# ends[k] is the rank of the last item of the group of item k; empty without ties. Pair p compares the lists
# first[p] and second[p]. `ties` is 0, 1 or 2 for a, b and w of Corsi and Urbano (2024).

# out[p] = the extrapolated rank-biased overlap, and with three columns its least and its largest value.
def rbo_pairs(
    codes: NDArray[np.int64],
    ends: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n_codes: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    ties: int,
    p: float,
    workers: int,
    out: NDArray[np.float64],
    /,
) -> None: ...

# The agreement of two lists at each depth down to the end of the longer one, as extrapolated.
def rbo_agreements(
    codes: NDArray[np.int64],
    ends: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n_codes: int,
    ties: int,
    out: NDArray[np.float64],
    /,
) -> None: ...

# out[p] = the share of common items among the first `depth`, averaged over all ways of breaking the ties.
def overlap_pairs(
    codes: NDArray[np.int64],
    ends: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n_codes: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    depth: int,
    workers: int,
    out: NDArray[np.float64],
    /,
) -> None: ...

# out[p] = the rank-biased alignment.
def rba_pairs(
    codes: NDArray[np.int64],
    ends: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n_codes: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    p: float,
    workers: int,
    out: NDArray[np.float64],
    /,
) -> None: ...

# out[p] = size_x, size_y, common, and over all items of either list discordant, tied_x, tied_y, tied_both
# pairs (0 without `of_pairs`), and twice the sum of the differences of mid-ranks.
def list_counts(
    codes: NDArray[np.int64],
    ends: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n_codes: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    of_pairs: bool,
    workers: int,
    out: NDArray[np.int64],
    /,
) -> None: ...

# The extrapolated overlap of two plain lists of names without ties; None where the general way must look.
def rbo_of_names(x: Any, y: Any, p: float, /) -> float | None: ...

# Give the same code to the same integer; returns how many codes there are, and the place of an item that its
# list has twice, or -1.
def number_items(
    values: NDArray[np.int64], offsets: NDArray[np.int64], codes: NDArray[np.int64], /
) -> tuple[int, int]: ...

# counts[row, p] = of the flips after the first, the observed one, those whose difference of the sums of two
# items is no smaller than the observed difference, and those with a larger one, within the tolerance.
def flip_counts(
    sums: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    tolerance: float,
    counts: NDArray[np.int64],
    /,
) -> None: ...
