"""The five axioms of correlation of graded rankings, as a check of any coefficient."""

from __future__ import annotations

import contextlib
import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from typing import Any, ClassVar, Literal

import numpy as np

from concordant.checks import generator, one_of
from concordant.coefficients.declaration import Coefficient, CoefficientLike, Inputs, read_coefficient
from concordant.errors import ArgumentError, ArgumentTypeError, TiesError, UndefinedWarning, public
from concordant.results.result import Result, records
from concordant.results.words import listed, sentences
from concordant.typing import RngLike

Status = Literal["holds", "holds without ties", "fails", "does not apply"]
Call = Callable[..., float]
Case = tuple[str, float, float]  # how to print it, the value, the value asked for

STATEMENTS = {
    1: "the same order of the items gives 1",
    2: "the opposite order of the items gives -1",
    3: "the same order of the grades gives 1",
    4: "the opposite order of grades that are all different gives -1",
    5: "for independent rankings the expected value is 0",
}
_TOLERANCE = 1e-9
_PLURAL = {"holds": "hold", "fails": "fail", "does": "do"}


@dataclass(frozen=True)
class AxiomCheck:
    """What was found about one axiom.

    Attributes
    ----------
    axiom : int
        The number of the axiom, 1 to 5.
    statement : str
        The axiom in words.
    status : Status
        "holds", "fails", "holds without ties" or "does not apply".
    cases : int
        The number of cases that were tried.
    counterexample : str or None
        The smallest counterexample that was found; None if there is none.
    reason : str or None
        Why the axiom does not apply; None if it does.
    """

    axiom: int
    statement: str
    status: Status
    cases: int
    counterexample: str | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AxiomsResult(Result[AxiomCheck]):
    """The checks of all five axioms; prints as a table.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient that was checked.
    checks : tuple of AxiomCheck
        One check for each axiom.

    Examples
    --------
    >>> import concordant as cd
    >>> checked = cd.experiments.axioms("tau_b")
    >>> checked.verdict
    ('tau_b: axioms 1, 2 and 5 hold, axioms 3 and 4 do not apply, in the cases tried.',)
    >>> checked.checks[0].status, checked.checks[0].counterexample
    ('holds', None)
    """

    function: ClassVar[str] = "axioms"

    coefficient: Coefficient
    checks: tuple[AxiomCheck, ...] = records(AxiomCheck, "Axioms of {coefficient}")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: which axioms hold in the cases that were tried, and which fail."""
        by_status: dict[str, list[int]] = {}
        for each in self.checks or ():
            by_status.setdefault(each.status, []).append(each.axiom)
        parts = []
        for status, numbers in by_status.items():
            several = " ".join(_PLURAL.get(word, word) for word in status.split())
            noun, verb = ("axiom", status) if len(numbers) == 1 else ("axioms", several)
            parts.append(f"{noun} {listed(numbers)} {verb}")
        return sentences([f"{self.coefficient}: {', '.join(parts)}, in the cases tried"] if parts else [])


@public
def axioms(coefficient: CoefficientLike, *, inputs: Inputs | None = None, rng: RngLike = 0) -> AxiomsResult:
    """Check the five axioms of [1] on all small cases and on random larger ones.

    Parameters
    ----------
    coefficient : str, Coefficient or callable
        A coefficient as `coefficient` reads it; or a function of two arrays of scores `(x, y)`, of two
        lists of grades `(x_grades, y_grades)`, or of two arrays of scores and the grades of the items `(x, y,
        grades)`.
    inputs : {"scores", "graded_lists", "graded_items"}, optional
        What the coefficient compares. By default the registry or the names of its parameters tell.
    rng : int or Generator, default 0
        The seed or the generator of the random cases.

    Returns
    -------
    AxiomsResult
        For each axiom: it holds, it fails with the smallest counterexample found, it holds for rankings
        without ties only, or it does not apply. "Holds" means that no counterexample was found in the cases
        tried. Cases in which the coefficient is undefined are left out.

    Notes
    -----
    The axioms of [1]:

    1. equivalent rankings give 1;
    2. reversed rankings give -1;
    3. relevance values in the same order give 1;
    4. relevance values in the reverse order, all of them different, give -1;
    5. independent rankings give 0 in expectation.

    No coefficient can satisfy both axiom 2 and axiom 3.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft.

    Examples
    --------
    >>> import concordant as cd
    >>> [(check.axiom, check.status) for check in cd.experiments.axioms("tau_b")]
    [(1, 'holds'), (2, 'holds'), (3, 'does not apply'), (4, 'does not apply'), (5, 'holds')]
    """
    chosen = read_coefficient(coefficient)
    kind = inputs if inputs is not None else chosen.inputs if chosen.registered else _guess(chosen.function)
    if kind == "lists":
        lists = f"{chosen.name} compares lists that need not hold the same items"
        raise ArgumentError(f"{lists}; the axioms are about rankings of the same items")
    one_of("inputs", kind, list(_CHECKS))
    source, seed = generator(rng)

    def call(*arguments: Sequence[float], **options: Any) -> float:
        arrays = [np.array(argument, dtype=np.float64) for argument in arguments]
        if kind == "scores" and chosen.inputs == "scores":
            return float(chosen(*arrays))
        value = chosen.function(*arrays, **{**options, **dict(chosen.options)})
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ArgumentTypeError(f"{chosen.name} must return a number, got {value!r}") from None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        found = tuple(_CHECKS[kind](call, chosen, source))
    return AxiomsResult(coefficient=chosen, checks=found, options={"inputs": kind, "seed": seed})


def _guess(function: Callable[..., Any]) -> Inputs:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return "scores"
    if "grades" in names:
        return "graded_items"
    return "graded_lists" if names[:1] == ["x_grades"] else "scores"


# --- trying cases ----------------------------------------------------------------------------------------


def _tried(cases: Iterable[Case]) -> tuple[int, str]:
    """Try cases until one contradicts the axiom; return how many were tried, and that case."""
    tried = 0
    for text, value, wanted in cases:
        if not math.isnan(value):
            tried += 1
            if abs(value - wanted) > _TOLERANCE:
                return tried, f"{text} {value:.6g}, not {wanted:g}"
    return tried, ""


def _check(axiom: int, cases: Iterable[Case], with_ties: Iterable[Case] = ()) -> AxiomCheck:
    """Judge by the cases without ties, then by the cases with ties, which the coefficient may refuse."""
    n_ties, ties_against = 0, ""
    with contextlib.suppress(TiesError):
        n_ties, ties_against = _tried(with_ties)
    tried, against = _tried(cases)
    if tried + n_ties == 0:
        return _no(axiom, "undefined in all cases tried")
    status: Status = "fails" if against else "holds without ties" if ties_against else "holds"
    return AxiomCheck(axiom, STATEMENTS[axiom], status, tried + n_ties, against or ties_against or None)


def _no(axiom: int, why: str) -> AxiomCheck:
    return AxiomCheck(axiom, STATEMENTS[axiom], "does not apply", 0, None, why)


def _text(**lists: Sequence[float]) -> str:
    return ", ".join(f"{name} = [{', '.join(f'{v:g}' for v in values)}]" for name, values in lists.items())


def _mean(values: Iterable[float]) -> float:
    listed_values = list(values)
    return math.fsum(listed_values) / len(listed_values)


# --- two scorings ----------------------------------------------------------------------------------------


def _descending(gaps: Sequence[float]) -> list[float]:
    return np.concatenate([np.cumsum(gaps[::-1])[::-1], [0]]).tolist() if len(gaps) else [0.0]


def _gap_lists(n: int, tied: bool, rng: np.random.Generator) -> list[tuple[float, ...]]:
    """Return the gaps between n scores: all combinations for small n, random ones for larger."""
    if n <= 4:
        every = product((0, 1, 5) if tied else (1, 2, 5), repeat=n - 1)
        return [gaps for gaps in every if not tied or 0 in gaps]
    lists = []
    for _ in range(12):
        gaps = rng.integers(1, 9, n - 1).astype(float)
        if tied:
            gaps[rng.permutation(n - 1)[: rng.integers(1, n)]] = 0
        lists.append(tuple(gaps.tolist()))
    return lists


def _same_order(call: Call, sign: int, tied: bool, rng: np.random.Generator) -> Iterator[Case]:
    """Two scorings with the same (or the opposite) order, ties in the same places, other gaps."""
    for n in range(2, 11):
        lists = _gap_lists(n, tied, rng)
        for a, b in product(lists, repeat=2) if n <= 4 else pairwise(lists):
            if [g == 0 for g in a] == [g == 0 for g in b]:
                x, y = _descending(a), [sign * v for v in _descending(b)]
                yield f"{_text(x=x, y=y)}:", call(x, y), sign


def _all_orders(call: Call, tied: bool, rng: np.random.Generator) -> Iterator[Case]:
    """Yield the means over all orders of y."""
    for n in range(2, 6):
        lists = _gap_lists(n, tied, rng)
        for a, b in product(lists, lists[:3]) if n <= 4 else list(pairwise(lists))[:4]:
            x, y = _descending(a), _descending(b)
            mean = _mean(call(x, order) for order in permutations(y))
            yield f"{_text(x=x, y=y)}: mean over all orders of y", mean, 0


def _of_scores(call: Call, _: Coefficient, rng: np.random.Generator) -> Iterator[AxiomCheck]:
    for axiom, sign in ((1, 1), (2, -1)):
        yield _check(axiom, *(_same_order(call, sign, tied, rng) for tied in (False, True)))
    yield _no(3, "no grades")
    yield _no(4, "no grades")
    yield _check(5, *(_all_orders(call, tied, rng) for tied in (False, True)))


# --- two lists of grades ---------------------------------------------------------------------------------


def _of_lists(call: Call, c: Coefficient, rng: np.random.Generator) -> Iterator[AxiomCheck]:
    yield _no(1, "the items are not known")
    yield _no(2, "the items are not known")
    scale = dict(c.options).get("max_grade")
    top = 12 if scale is None else scale

    def same() -> Iterator[Case]:
        small = [grades for n in range(2, 5) for grades in product(range(min(3, top + 1)), repeat=n)]
        larger = [rng.integers(0, min(5, top + 1), n).tolist() for n in range(5, 13) for _ in range(12)]
        for grades in (*small, *larger):
            yield f"{_text(x_grades=grades, y_grades=grades)}:", call(grades, grades), 1

    def backwards() -> Iterator[Case]:
        small = [grades for n in range(2, min(6, top + 2)) for grades in permutations(range(n))]
        larger = [rng.permutation(n).tolist() for n in range(6, min(13, top + 2)) for _ in range(12)]
        for grades in (*small, *larger):
            back = grades[::-1]
            yield f"{_text(x_grades=grades, y_grades=back)}:", call(grades, back), -1

    def all_lists() -> Iterator[Case]:
        bound = "max_grade" in inspect.signature(c.function).parameters
        for n, m in ((2, 2), (2, 3), (3, 2), (3, 3), (4, 2), (5, 2)):
            if scale is None or scale == m - 1:
                options = {"max_grade": m - 1} if bound else {}
                both = product(product(range(m), repeat=n), repeat=2)
                mean = _mean(call(x, y, **options) for x, y in both)
                yield f"{n} positions, {m} equally likely grades: mean", mean, 0

    yield from map(_check, (3, 4, 5), (same(), backwards(), all_lists()))


# --- two scorings and grades -----------------------------------------------------------------------------


def _of_items(call: Call, _: Coefficient, rng: np.random.Generator) -> Iterator[AxiomCheck]:
    small = [grades for n in range(2, 5) for grades in product(range(3), repeat=n)]
    larger = [tuple(rng.integers(0, 4, n).tolist()) for n in range(5, 11) for _ in range(12)]

    def case(y: Sequence[float], grades: Sequence[float], wanted: float) -> Case:
        x = range(len(grades), 0, -1)
        return f"{_text(x=x, y=y, grades=grades)}:", call(x, y, grades), wanted

    def ordered(sign: int) -> Iterator[Case]:
        for grades in (*small, *larger):
            yield case([sign * v for v in range(len(grades), 0, -1)], grades, sign)

    def same_grades() -> Iterator[Case]:
        for grades in small:
            n = len(grades)
            for order in permutations(range(n)):  # the item at each place of y
                if all(grades[order[k]] == grades[k] for k in range(n)):
                    yield case([n - order.index(i) for i in range(n)], grades, 1)

    def opposite_grades() -> Iterator[Case]:
        for grades in (grades for n in range(2, 6) for grades in permutations(range(n))):
            yield case(range(1, len(grades) + 1), grades, -1)

    def all_orders() -> Iterator[Case]:
        for grades in small:
            x = range(len(grades), 0, -1)
            mean = _mean(call(x, y, grades) for y in permutations(x))
            yield f"{_text(x=x, grades=grades)}: mean over all orders of y", mean, 0

    cases = ordered(1), ordered(-1), same_grades(), opposite_grades(), all_orders()
    yield from map(_check, STATEMENTS, cases)


_CHECKS: dict[str, Callable[..., Iterator[AxiomCheck]]] = {
    "scores": _of_scores,
    "graded_lists": _of_lists,
    "graded_items": _of_items,
}
