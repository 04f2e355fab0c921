"""One leaderboard: which of its ranks are real."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from concordant.checks import one_of
from concordant.coefficients.declaration import chosen
from concordant.errors import ArgumentError, option, public
from concordant.questions.judge import ExpectedCorrelation, expected_correlations
from concordant.questions.plan import Needed, needed_in_words, tasks_of, topics_needed, topics_to_find
from concordant.reading.files import FileLike
from concordant.reading.from_memory import ScoresLike
from concordant.reading.text_tables import read_pairs
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, Absent, Columns, Grid, Valued, parts
from concordant.results.words import (
    count,
    few,
    listed,
    noun,
    nouns,
    number,
    pvalue,
    sentences,
    some,
    with_interval,
)
from concordant.scores.means import exact_sums, snap
from concordant.scores.scores import ALL, Scores, coded
from concordant.statistics.confidence import ConfidenceInterval
from concordant.statistics.distributions import normal, t_quantile
from concordant.statistics.ranks import (
    LEAST_ITEMS,
    adjusted_for_pairs,
    intervals_of_means,
    letters_of,
    may_be_first,
    pvalues_above,
    rank_sets,
    rows_of_clusters,
    shared_ranks,
    tiers,
)
from concordant.statistics.resampling import Resampler, Resampling, of_rows, started
from concordant.statistics.several_rankings import (
    MOST_KEMENY,
    Aggregation,
    aggregate as aggregated,
    contributions,
)
from concordant.statistics.topic_luck import ORDER_LEVEL, TopicLuck
from concordant.study.pairing import too_many_pairs
from concordant.study.study import Study
from concordant.typing import Floats, Integers, Progress

ByItem = Literal["mean", "win_rate", "mean_rank", "mean_z"]
"""What is averaged over the items: the scores, or how each item ranks the systems."""

_ROWS, _FIRST = 12, 10  # rows of the answer in short: all of a board, or the first ones of a larger one
_FEW_ITEMS, _SOME_ITEMS = 10, 20
_AGREEMENT = "tau_b"  # by which rankings are compared
_TARGET, _POWER = 0.9, 0.8
_AT_ONCE = 1 << 22  # counts of items in resamples


@dataclass(frozen=True)
class BoardSystem:
    """A system with its mean, and the ranks that it may have.

    Attributes
    ----------
    measure : str
        The measure.
    rank : int
        The rank by the mean; systems with equal means share the smaller rank.
    system : str
        The system.
    mean : float
        The mean over the items; of a measure like RMSE the smallest is the best.
    interval : ConfidenceInterval or None
        Its confidence interval, of this system alone.
    ranks : ConfidenceInterval or None
        The rank set: the first and the last rank that it may have. The sets of all systems hold at once. None
        for fewer than six items.
    groups : str or None
        Letters: two systems that share one are not told apart. None if there are more than 26 groups.
    tier : int or None
        Its tier, 1 for the best: every system of a tier is surely above every system of the next.
    may_be_first : bool or None
        Whether it may be the best.
    apart_from_next : bool or None
        Whether it is surely above the next system of the table; None for the last.
    leads : float or None
        The share of resamples of half of the items in which it has the best mean. It estimates how often it
        would lead again on as many new items, and was up to 0.12 too high in tests.
    items : int
        The number of items.
    clusters : int or None
        The number of clusters of items; None if there are none.
    """

    measure: str
    rank: int
    system: str
    mean: float
    interval: ConfidenceInterval | None = field(metadata=parts("low", "high", of="mean"))
    ranks: ConfidenceInterval | None = field(metadata=parts("rank_first", "rank_last", of="rank"))
    groups: str | None
    tier: int | None
    may_be_first: bool | None
    apart_from_next: bool | None = field(metadata=DETAIL)
    leads: float | None = field(metadata=DETAIL)
    items: int = field(metadata=DETAIL)
    clusters: int | None = field(metadata=DETAIL)


@dataclass(frozen=True)
class BoardPair:
    """Two systems, and whether they are told apart.

    Attributes
    ----------
    measure : str
        The measure.
    above : str
        The system with the better mean.
    below : str
        The other system.
    difference : float
        How much better the mean is.
    pvalue : float
        The one-sided p-value of a paired t-test with moderated variance.
    pvalue_adjusted : float
        The same with Holm's correction for all ordered pairs.
    """

    measure: str
    above: str
    below: str
    difference: float
    pvalue: float
    pvalue_adjusted: float


@dataclass(frozen=True)
class BoardAggregate:
    """A system by one way to make one ranking of all items.

    Attributes
    ----------
    measure : str
        The measure.
    aggregate : str
        The way: mean, win_rate, borda, mean_rank, mean_z or kemeny (the mean place in all best orders).
    system : str
        The system.
    value : float or None
        Its value; None if no item has it.
    rank : int or None
        Its rank; equal values share the smaller rank.
    """

    measure: str
    aggregate: str
    system: str
    value: float | None
    rank: int | None


@dataclass(frozen=True)
class BoardChoice:
    """The ranking by another aggregate, or without an item or a cluster of items, beside that of the board.

    Attributes
    ----------
    measure : str
        The measure.
    choice : {"by", "without"}
        Whether another aggregate was used, or an item left out.
    name : str
        The aggregate; or the item, task or cluster.
    agreement : float or None
        Kendall's tau_b of that ranking with the one of the board; None if it is undefined.
    winner : str
        Its first system; several that are tied are joined by commas.
    same_winner : bool
        Whether the first system of the board is among them.
    with_others : float or None
        Kendall's tau_b of the ranking by the item alone with that by all others; None of an aggregate.
    """

    measure: str
    choice: Literal["by", "without"]
    name: str
    agreement: float | None
    winner: str
    same_winner: bool
    with_others: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class BoardResult(Result[BoardSystem]):
    """The result of `board`; prints as text.

    Attributes
    ----------
    systems : tuple of BoardSystem
        The systems, the best first.
    pairs : tuple of BoardPair or None
        All pairs of systems. It needs six items.
    reliability : tuple of ExpectedCorrelation
        How well the items order the systems, and the agreement expected of other items.
    needed : tuple of Needed
        The numbers of items that would tell the first two apart, and make the ranking reliable.
    aggregates : tuple of BoardAggregate
        Other ways to make one ranking of all items.
    choices : tuple of BoardChoice
        How much the ranking depends on the aggregate, and on each item, task or cluster.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.board([[3, 2, 1], [4, 2, 1], [3, 1, 1], [4, 3, 1], [3, 2, 0], [4, 2, 2]])
    >>> [(each.system, each.rank, each.ranks) for each in result.systems][0]
    ('0', 1, ConfidenceInterval(low=1.0, high=1.0))
    >>> print(result.question)
    Which ranks are real?   3 systems, 6 topics
    """

    function: ClassVar[str] = "board"

    systems: tuple[BoardSystem, ...] = records(BoardSystem, "Systems by mean, with the ranks they may have")
    pairs: Sequence[BoardPair] | None = records(BoardPair, "Pairs of systems", needs="six items or more")
    reliability: tuple[ExpectedCorrelation, ...] = records(
        ExpectedCorrelation, "How well the items order the systems"
    )
    needed: tuple[Needed, ...] = records(Needed, "Items that would be needed")
    aggregates: tuple[BoardAggregate, ...] = records(BoardAggregate, "Aggregates")
    choices: tuple[BoardChoice, ...] = records(BoardChoice, "By other aggregates, and without each item")

    def _nouns(self) -> AbstractContextManager[None]:
        return nouns(self.options.get("nouns"))

    @property
    def _boards(self) -> dict[str, list[BoardSystem]]:
        found: dict[str, list[BoardSystem]] = {}
        for each in self.systems or ():
            found.setdefault(each.measure, []).append(each)
        return found

    @property
    def question(self) -> str:
        """The question, and what it is about."""
        if not self.systems:
            return ""
        with self._nouns():
            most = max(self.systems, key=lambda each: each.items)
            about = [count(max(map(len, self._boards.values())), "system"), count(most.items, "topic")]
            about += [f"{most.clusters} clusters"] if most.clusters else []
            about += [each for each in (", ".join(self._boards),) if each != "score"]
            return f"Which ranks are real?   {', '.join(about)}"

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: who may be first, which ranks are separable, and how reliable the order is."""
        with self._nouns():
            boards = self._boards
            found = (_said(self, measure, own, len(boards) > 1) for measure, own in boards.items())
            return sentences(itertools.chain(*found))

    def answer(self) -> Grid:
        """Return the first systems of each measure, with their rank sets.

        Returns
        -------
        Grid
            Header and rows.
        """
        largest = max(map(len, self._boards.values()), default=0)
        return self._grid(_ROWS if largest <= _ROWS else _FIRST)

    def answer_in_print(self) -> Grid:
        """Return all systems, for LaTeX and Markdown.

        Returns
        -------
        Grid
            Header and rows.
        """
        return self._grid(len(self.systems or ()))

    def _grid(self, most: int) -> Grid:
        boards = self._boards
        if not boards:
            return super().answer()
        rows, sections = list[list[Any]](), dict[int, str]()
        for measure, own in boards.items():
            if len(boards) > 1:
                sections[len(rows)] = measure
            tiered = (own[-1].tier or 1) > 1
            for place, each in enumerate(own[:most]):
                if tiered and each.tier != (own[place - 1].tier if place else None):
                    before = f"{measure}: " if len(boards) > 1 else ""
                    sections[len(rows)] = f"{before}tier {each.tier}"
                ranks = (
                    "-" if each.ranks is None else "-".join(f"{end:g}" for end in dict.fromkeys(each.ranks))
                )
                first = {True: "yes", False: "", None: "-"}[each.may_be_first]
                cells = [each.rank, ranks, each.system, Valued(each.mean, each.interval)]
                rows.append([*cells, Absent("-") if each.groups is None else each.groups, first])
        by = f"{_by(self)} [{100 * self.options['confidence_level']:g} %]"
        with self._nouns():
            header = ["rank", "rank set", noun("system"), by, "group", "may be first"]
        if all(each.groups is None for each in self.systems):
            header, rows = [*header[:4], *header[5:]], [[*row[:4], *row[5:]] for row in rows]
        if all(each.may_be_first is None for each in self.systems):
            header, rows = header[:-1], [row[:-1] for row in rows]
        whole = all(len(own) <= most for own in boards.values())
        total = 0 if whole else len(self.systems)
        return Grid({}, header, rows, len(header), "systems" if whole else "", total, sections, drawn=3)

    @property
    def beside(self) -> tuple[str, ...]:
        """Lines below the table: what the ranking depends on."""
        with self._nouns():
            return tuple(itertools.chain(*(_beside(self, measure) for measure in self._boards)))

    @property
    def caption(self) -> str:
        """The caption of the table in LaTeX and Markdown."""
        if not self.systems:
            return ""
        with self._nouns():
            n, every = max(each.items for each in self.systems), noun("systems")
            level = f"{100 * self.options['confidence_level']:g} %"
            return (
                f"{every.capitalize()} by {_by(self)} over {count(n, 'topic')}, with the {level} confidence "
                f"interval of each. Rank set: the ranks that are possible, for all {every} at once (paired "
                "t-tests with moderated variances, Holm's correction for all ordered pairs). "
                f"{every.capitalize()} with a letter in common are not told apart."
            )


def _by(result: BoardResult) -> str:
    return str(result.options["aggregate"]).replace("_", " ")


def _said(result: BoardResult, measure: str, own: Sequence[BoardSystem], several: bool) -> Iterator[str]:
    """Yield the sentences about one measure."""
    level, n, k = result.options["confidence_level"], own[0].items, len(own)
    by, such = f"{measure}: " if several else "", noun("topics")
    first = [each.system for each in own if each.may_be_first]
    leading = [each.system for each in own if each.rank == 1]
    have = "have" if len(leading) > 1 else "has"
    leads = f"{by}{few(leading, noun('systems'))} {have} the best {_by(result)}"
    if own[0].may_be_first is None:
        yield leads
    elif len(first) == 1:
        yield f"{by}{first[0]} is the best for {such} like these ({100 * level:g} % confidence)"
    else:
        named = listed(first) if len(first) <= 4 else f"{len(first)} of {count(k, 'system')}"
        yield f"{leads}, but {named} may be first: they are not told apart by {count(n, 'topic')}"
    if own[0].ranks is not None and k > 1:
        yield f"{by}{_neighbours(own)}{_tiers(own)}"
    if several:
        return
    for each in result.reliability or ():
        if each.measure == measure and each.coefficient.name == _AGREEMENT and each.other_topics is not None:
            if each.pvalue > ORDER_LEVEL:
                these = f"these {such} do not show an order of these {noun('systems')}"
                yield f"{these[0].upper()}{these[1:]} (F {number(each.f)}, {pvalue(each.pvalue)})"
            else:
                other = with_interval(each.other_topics, each.other_interval)
                sample = (
                    f"{n} other {such}" if own[0].clusters is None else f"{own[0].clusters} other clusters"
                )
                yield f"A ranking by {sample} would agree with this one with {_AGREEMENT} {other}"
    for need in result.needed or ():
        if need.measure == measure and (need.at_least or 0) > need.available:
            yield needed_in_words(need, "topic" if own[0].clusters is None else "cluster")


def _neighbours(own: Sequence[BoardSystem]) -> str:
    """Return how many neighbours by the mean are told apart."""
    adjacent = sum(each.apart_from_next or False for each in own)
    told = {0: "None", len(own) - 1: "All"}.get(adjacent, str(adjacent))
    if len(own) == 2:
        return f"The two {noun('systems')} are {'told apart' if adjacent else 'not told apart'}"
    are = "is" if adjacent == 1 else "are"
    return f"{told} of the {len(own) - 1} pairs of neighbouring ranks {are} separable"


def _tiers(own: Sequence[BoardSystem]) -> str:
    """Return the ranks of each tier, if there are several."""
    sizes = [len(list(rows)) for _, rows in itertools.groupby(own, key=lambda each: each.tier)]
    if len(sizes) == 1:
        return ""
    ends = list(itertools.accumulate(sizes))
    names = [str(e) if n == 1 else f"{e - n + 1}-{e}" for n, e in zip(sizes, ends, strict=True)]
    return f"; there are {len(sizes)} tiers, ranks {listed(names)}" if len(sizes) <= 6 else ""


def _beside(result: BoardResult, measure: str) -> Iterator[str]:
    """Yield what the ranking by one measure depends on."""
    own = result._boards[measure]
    by = f" ({measure})" if len(result._boards) > 1 else ""
    best = own[0]
    if best.leads is not None and best.leads < 0.995:
        share = f"In about {100 * best.leads:.0f} % of such tables {best.system} would lead again{by}"
        yield f"{share}; up to 12 points too high in our tests"
    other = [each for each in result.choices or () if each.measure == measure]
    if sum(each.choice == "without" for each in other) > _SOME_ITEMS:  # one of many questions is no story
        other = [each for each in other if each.choice == "by"]
    named = [f"{each.winner} {each.choice} {each.name}" for each in other if not each.same_winner]
    if named:
        yield f"Another {noun('system')} would lead{by}: {some(named)}"


class _Board(NamedTuple):
    """The scores of one board: items x systems. Larger is better, except in `whole`."""

    measure: str
    systems: list[str]
    is_lower: bool
    whole: Floats  # all items; nan where a score is missing
    values: Floats  # what is averaged, of the items that all systems have
    units: Sequence[str]  # the item or cluster of each of them
    rows: Floats  # the sample: a row for each item or cluster
    freedom: float | None  # None without clusters
    shown: float  # -1 if the mean is shown with the other sign
    level: float
    means: Floats
    order: Integers  # the systems, the best first


@public
def board(
    scores: ScoresLike | Study,
    *,
    clusters: Mapping[str, str] | FileLike | None = None,
    aggregate: ByItem = "mean",
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> BoardResult:
    """Say which ranks of a leaderboard are real.

    Parameters
    ----------
    scores : Study, or what `read_scores` takes
        The scores of systems on items: questions, topics, tasks or prompts. Columns of a table without items,
        such as those of benchmarks, are the items of one board.
    clusters : mapping of item to cluster, or file with lines ITEM,CLUSTER, optional
        What items belong to, such as the passage of a question. Clusters, not items, are then the sample. By
        default those that `read_scores` found.
    aggregate : {"mean", "win_rate", "mean_rank", "mean_z"}
        What is averaged over the items: the scores; the share of other systems that a system beats; its rank;
        or its standardised score. The last three do not depend on the scales of the items.
    resampling : Resampling or None
        The confidence level of everything, and the number of resamples in which a system may lead. None means
        the level 0.95 and no resamples.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    BoardResult
        The tables ``systems``, ``pairs``, ``reliability``, ``needed``, ``aggregates`` and ``choices``.

    Notes
    -----
    Let D be the differences of two systems over n items, v the variance of D and V the median of v over all
    pairs. The test of a pair is t = mean(D) / sqrt(v' / n) with v' = ((n - 1) v + 10 V) / (n + 9) and n - 1
    degrees of freedom, one-sided, with Holm's correction for all ordered pairs. A system is surely above
    another if the adjusted p-value is at most alpha = 1 - confidence level. The rank set of a system goes
    from 1 + the number of systems surely above it to k - the number surely below. It may be first unless a
    p-value against it is at most alpha / (k - 1). Two systems that are not told apart share a group; nothing
    shows that they are equal.

    A cluster of g items counts as one row m + (g / mean g) (its mean - m), where m is the mean of all items;
    Student's t has G' - 1 degrees of freedom, G' = (sum g)^2 / sum g^2.

    The number of items that tells the first two apart is ((z_{1 - alpha/2} + z_{0.8}) s / d)^2 for their
    difference d and its standard deviation s over items; the range comes from the confidence interval of d.

    References
    ----------
    .. [1] Mogstad, Romano, Shaikh and Wilhelm, "Inference for ranks with applications to mobility across
       neighbourhoods and academic achievement across countries", Review of Economic Studies 91, 2024.

    Examples
    --------
    >>> import concordant as cd
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal([0.7, 0.68, 0.4], 0.1, (30, 3))
    >>> result = cd.board(cd.Scores(scores, systems=["new", "strong", "weak"]))
    >>> [(each.system, tuple(each.ranks), each.tier) for each in result.systems]
    [('new', (1.0, 2.0), 1), ('strong', (1.0, 2.0), 1), ('weak', (3.0, 3.0), 2)]
    """
    one_of("aggregate", aggregate, get_args(ByItem))
    how = None if resampling is None else started(resampling)
    study = scores if isinstance(scores, Study) else Study.of_sides({"scores": scores})
    side = study.reference
    if isinstance(clusters, Mapping) or clusters is None:
        known = side.clusters if clusters is None else {str(k): str(v) for k, v in clusters.items()}
    else:
        known = read_pairs(clusters, "an item and its cluster")
    tasks = tasks_of(side, mixed=aggregate != "mean")
    own_nouns = {**study.nouns, **({} if tasks is side else {"topic": "task"})}
    found: dict[str, list[Any]] = {name: [] for name in BoardResult.table_names()}
    notes = [*study.notes]
    with nouns(own_nouns):
        for place, own in enumerate(_boards(tasks, known, aggregate, how, notes)):
            above = _ranked(own, how, found, notes)
            _expected(own, above, found)
            _by_others(own, found, notes)
            _without_each(own, found)
            if progress is not None:
                progress(place + 1, len(tasks.measures))
    pairs = found.pop("pairs")
    joined = [
        np.concatenate([own.array(name) for own in pairs]) for name in BoardPair.__match_args__ if pairs
    ]
    return BoardResult(
        **dict[str, Any]({name: tuple(own) for name, own in found.items()}),
        pairs=Columns(BoardPair, *joined) if pairs else None,
        notes=unique(notes),
        options={"aggregate": aggregate, "confidence_level": 0.95}
        | ({} if how is None else {k: v for k, v in how.options.items() if k != "method"})
        | study.options
        | ({"nouns": own_nouns} if own_nouns else {}),
    )


def _boards(
    side: Scores, clusters: Mapping[str, str], by: ByItem, how: Resampler | None, notes: list[Note]
) -> Iterator[_Board]:
    """Yield a board for each measure."""
    if side.topics == (ALL,):
        raise ArgumentError(
            "a board needs the scores of items, such as questions, topics or tasks; this table has one score "
            f"of each {noun('system')}"
        )
    for measure in side.measures:
        _, whole = side.one_measure(measure)
        there = np.flatnonzero(~np.isnan(whole).all(axis=0)).tolist()
        whole, systems = whole[:, there], [side.systems[k] for k in there]
        complete: Any = ~np.isnan(whole).any(axis=1)
        if not complete.any():
            raise ArgumentError(
                f"no {noun('topic')} has the scores of all {noun('systems')}; leave out {noun('systems')} "
                f"with gaps, with {option('exclude')}"
            )
        if gone := [item for item, kept in zip(side.topics, complete.tolist(), strict=True) if not kept]:
            text = f"left out {count(len(gone), 'topic')} that not all {noun('systems')} have: {some(gone)}"
            notes.append(Note("items_left_out", text=text, values={"items": tuple(gone)}, lost=True))
        if len(systems) < 2:
            raise ArgumentError(f"a board needs two {noun('systems')} or more, got {len(systems)}")
        values, items = contributions(whole[complete], by), np.array(side.topics)[complete]
        constant: Any = np.isnan(values).any(axis=1)
        if constant.any():  # mean_z only
            items, values = items[~constant], values[~constant]
            equal = f"with equal scores of all {noun('systems')}"
            text = f"{count(int(constant.sum()), 'topic')} {equal} left out"
            notes.append(Note("constant_items", text=text, lost=True))
        is_lower, sign = measure in side.lower_is_better, -1.0 if by == "mean_rank" else 1.0
        values, units, freedom = sign * values, items.tolist(), None
        rows = values
        if clusters:
            lacking = [item for item in units if item not in clusters]
            if lacking:
                raise ArgumentError(f"{noun('topic')} {lacking[0]!r} has no cluster; give one for each")
            units = [clusters[item] for item in units]
            rows, worth = rows_of_clusters(values, units)
            freedom = max(1.0, worth - 1)
            of_items = f"{len(rows)} clusters of {count(len(values), 'topic')}"
            text = f"the sample are {of_items}, worth {worth:.1f} clusters of equal size"
            about = {"clusters": len(rows), "worth": worth}
            notes.append(Note("clusters", text=text, values=about, lost=True))
        shown = -sign if is_lower and by == "mean" else sign
        level = 0.95 if how is None else how.confidence_level
        means = snap(exact_sums(np.ones((1, len(values)), dtype=np.int64), values)[0] / len(values))
        order: Integers = np.lexsort((np.array(systems), shared_ranks(means)))
        scores = (measure, systems, is_lower, whole, values)
        yield _Board(*scores, units, rows, freedom, shown, level, means, order)


def _ranked(own: _Board, how: Resampler | None, found: dict[str, list[Any]], notes: list[Note]) -> Any:
    """Add the systems and their pairs; return which are surely above which, None if that is refused."""
    rows, freedom, means, order = own.rows, own.freedom, own.means, own.order
    n, k = rows.shape
    alpha, sample = 1 - own.level, "clusters" if freedom is not None else noun("topics")
    too_many = too_many_pairs(k)
    above: Any = None
    nothing: list[Any] = [None] * k
    ranks, first, letters, tier, apart = nothing, nothing, nothing, nothing, nothing
    if n < LEAST_ITEMS or too_many:
        text = (
            f"{n} {sample} are too few for rank sets, which need six: if all of five agree, the sign test "
            "has p = 2/32"
        )
        notes.append(Note("no_rank_sets", text=too_many or text, values={"items": n}, lost=True))
    else:
        pvalues = pvalues_above(rows, freedom)
        adjusted = adjusted_for_pairs(pvalues)
        above = adjusted <= alpha
        ranks = [ConfidenceInterval(float(low), float(high)) for low, high in rank_sets(above).tolist()]
        first, letters = may_be_first(pvalues, alpha).tolist(), letters_of(above, means)
        places = dict(zip(order.tolist(), tiers(above, order.tolist()).tolist(), strict=True))
        tier = [places[s] for s in range(k)]
        following = dict(itertools.pairwise(order.tolist()))
        apart = [bool(above[s, following[s]]) if s in following else None for s in range(k)]
        i, j = (order[each] for each in np.triu_indices(k, 1))
        names = np.array(own.systems, dtype=object)
        columns = (np.full(len(i), own.measure, dtype=object), names[i], names[j], means[i] - means[j])
        found["pairs"].append(Columns(BoardPair, *columns, pvalues[i, j], adjusted[i, j]))
        if n < _FEW_ITEMS:
            text = f"with {n} {sample} only very large differences can be told"
            notes.append(Note("few_items", text=text, values={"items": n}, lost=True))
        elif n < _SOME_ITEMS:
            text = f"{n} {sample} are few: most differences are not told"
            notes.append(Note("few_items", text=text, values={"items": n}))
    intervals, level, shown = intervals_of_means(rows, own.level), own.level, own.shown
    wider = 1.0
    if freedom is not None and n > 1:
        wider = t_quantile((1 + level) / 2, freedom) / t_quantile((1 + level) / 2, n - 1)
    for s, (each, mean) in enumerate(zip(intervals, means.tolist(), strict=True)):
        if each is not None:
            ends = sorted(shown * (mean + wider * (end - mean)) for end in each)
            intervals[s] = ConfidenceInterval(*ends)
    leads = [None] * k if how is None or n < 2 else _leads(rows, how).tolist()
    by_mean = shared_ranks(means).tolist()
    clusters = None if freedom is None else n
    for s in order.tolist():
        found["systems"].append(
            BoardSystem(
                *(own.measure, by_mean[s], own.systems[s], float(shown * means[s]) + 0.0, intervals[s]),
                *(ranks[s], letters[s], tier[s], first[s], apart[s], leads[s], len(own.values), clusters),  # type: ignore[arg-type]
            )
        )
    return above


def _leads(rows: Floats, how: Resampler) -> Floats:
    """Return the share of resamples of half of the items in which each system has the best mean."""
    n, k = rows.shape
    rng, total = np.random.default_rng(how.seed), np.zeros(k)
    step = max(1, _AT_ONCE // n)
    for start in range(0, how.n_resamples, step):
        size = min(step, how.n_resamples - start)
        drawn = rng.integers(0, n, (size, max(n // 2, 1))) + n * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        sums = snap(exact_sums(counts, rows))
        best = sums == sums.max(axis=1, keepdims=True)
        total += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return total / how.n_resamples


def _expected(own: _Board, above: Any, found: dict[str, list[Any]]) -> None:
    """Add how reliable the ranking is, and how many items would be needed."""
    rows, level = own.rows, own.level
    n, k = rows.shape
    if n < 2 or too_many_pairs(k):
        return
    luck = TopicLuck(rows)
    found["reliability"] += expected_correlations([(own.measure, luck)], level)
    one, two = own.order[:2].tolist()
    differences = rows[:, one] - rows[:, two]
    size, error = float(differences.mean()), float(differences.std(ddof=1)) / math.sqrt(n)
    if error > 0 and (above is None or not above[one, two]):
        wanted = normal().inv_cdf((1 + level) / 2) + normal().inv_cdf(_POWER)
        half = t_quantile((1 + level) / 2, own.freedom or n - 1) * error
        sizes = (size, size + half, size - half)
        value, low, high = (topics_to_find(n, wanted * error, each) for each in sizes)
        about = (None, None, own.systems[one], own.systems[two], size, error)
        found["needed"].append(Needed(own.measure, "system pair", value, low, high, n, *about))
    needed = topics_needed(luck, own.measure, chosen(_AGREEMENT), _TARGET, level, [])
    found["needed"] += [need for need in needed if need.topics is not None]


def _by_others(own: _Board, found: dict[str, list[Any]], notes: list[Note]) -> None:
    """Add the values of all aggregates, and how far their rankings agree with that of the board."""
    incomplete, k = bool(np.isnan(own.whole).any()), len(own.systems)
    for way in get_args(Aggregation):
        if (incomplete and way in ("mean", "borda", "mean_rank")) or (way == "kemeny" and k > MOST_KEMENY):
            continue
        made = aggregated(own.whole, way)
        scores, there = made.scores, ~np.isnan(made.values)
        shown = -made.values if way == "mean" and own.is_lower else made.values
        ranks = shared_ranks(np.where(there, scores, -math.inf)).tolist()
        for s in range(k):
            value = (float(shown[s]), ranks[s]) if there[s] else (None, None)
            found["aggregates"].append(BoardAggregate(own.measure, way, own.systems[s], *value))
        if way == "kemeny" and made.n_orders != 1:
            orders = f"{made.n_orders} Kemeny orders have the same distance {made.distance:g}"
            text, about = f"{orders}; mean places are given", {"orders": made.n_orders}
            notes.append(Note("kemeny_orders", text=text, values=about, table="aggregates"))
        if way not in ("borda", "mean_rank"):  # their ranking is that by win_rate
            tau = _taus(own.means[None, there], scores[None, there])[0]
            found["choices"].append(_choice(own, "by", way, tau, np.where(there, scores, -math.inf), None))


def _choice(
    own: _Board,
    choice: Literal["by", "without"],
    name: str,
    agreement: float | None,
    scores: Floats,
    alone: float | None,
) -> BoardChoice:
    order = own.order
    first = [own.systems[s] for s in order[scores[order] == scores.max()].tolist()]
    leads = own.systems[order[0]] in first
    return BoardChoice(own.measure, choice, name, agreement, ", ".join(first), leads, alone)


def _taus(x: Floats, y: Floats) -> list[float | None]:
    values = of_rows(chosen(_AGREEMENT), x, y, 1)[0].tolist()
    return [None if math.isnan(value) else value for value in values]


def _without_each(own: _Board, found: dict[str, list[Any]]) -> None:
    """Add for each item or cluster the ranking without it, and its agreement with all others."""
    values, (codes, names) = own.values, coded(own.units)
    n, sizes = len(values), np.bincount(codes)[:, None]
    if len(names) < 2:
        return
    member = np.zeros((len(names), n), dtype=np.int64)
    member[codes, np.arange(n)] = 1
    sums = exact_sums(member, values)
    rest = snap((exact_sums(np.ones((1, n), dtype=np.int64), values) - sums) / (n - sizes))
    agree = _taus(np.broadcast_to(own.means, rest.shape).copy(), rest)
    for name, tau, scores, alone in zip(names, agree, rest, _taus(rest, snap(sums / sizes)), strict=True):
        found["choices"].append(_choice(own, "without", name, tau, scores, alone))
