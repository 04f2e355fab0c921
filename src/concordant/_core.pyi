"""The compiled kernels: contiguous arrays in, counts and sums out, no policy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

COUNTS: int
SIGN_X: int
SIGN_Y: int
NET_X: int
NET_Y: int
STEPPED: int
EQUAL: int
GAP: int
RANK: int
HYPERBOLIC: int
MOMENTS: int
MIDRANKS: int
COUNT_FIELDS: tuple[str, ...]
REAL_FIELDS: tuple[str, ...]

class Plan:
    def __init__(self, need: int, untied: bool, fields: list[int], /) -> None: ...

def pair(x: Any, y: Any, threshold_x: float, threshold_y: float, plan: Plan, /) -> tuple[Any, ...] | None: ...
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
    counts: NDArray[np.int64],
    reals: NDArray[np.float64],
    /,
) -> None: ...
def profiles(
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
) -> None: ...
def grade_profiles(
    x: NDArray[np.uint32],
    y: NDArray[np.uint32],
    values: NDArray[np.float64],
    a: NDArray[np.float64],
    augmented: bool,
    out: NDArray[np.float64],
    /,
) -> None: ...
def graded_pairs(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    grades: NDArray[np.uint32],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
    /,
) -> bool: ...
def windows(
    values: NDArray[np.float64],
    threshold: float,
    order: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    /,
) -> None: ...
def sums_before(
    place: NDArray[np.int64],
    weights: NDArray[np.int64],
    ends: NDArray[np.int64],
    before: NDArray[np.int64],
    out: NDArray[np.int64],
    /,
) -> None: ...
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
def gap_sums_within(
    scores: NDArray[np.float64],
    weights: NDArray[np.float64],
    head: NDArray[np.bool_],
    out: NDArray[np.float64],
    /,
) -> None: ...
def slot_sums(
    mass: NDArray[np.float64],
    step: NDArray[np.float64],
    slots: NDArray[np.int64],
    ones: NDArray[np.float64],
    numbers: NDArray[np.float64],
    /,
) -> None: ...
def round_digits(
    values: NDArray[np.float64], out: NDArray[np.float64], doubtful: NDArray[np.bool_], /
) -> bool: ...
