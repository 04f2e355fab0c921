"""Which coefficient, variant and aggregation gives a printed number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar, TypeAlias

import numpy as np

from concordant.coefficients.declaration import REGISTRY, Coefficient, coefficient, parameters
from concordant.coefficients.evaluation import evaluate
from concordant.errors import ArgumentError, option, public
from concordant.questions.verdict import SAME_VALUE
from concordant.rankings.pairs import read_pairs
from concordant.reading.from_memory import ScoresLike
from concordant.results.result import Result, records
from concordant.results.table import DETAIL, parts
from concordant.results.words import few, sentences
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study, study_of
from concordant.typing import Floats

# Options that change the formula. A coefficient is tried with each that it has.
_SIDES = tuple(f"{name}={side}" for name in ("walks", "rank", "dependent") for side in ("x", "y", "both"))
_VARIANTS = ("symmetric", "tied=neutral", "form=two_term", "scale=none", *_SIDES)
_MOST_NAMED = 3


@dataclass(frozen=True)
class Candidate:
    """A coefficient in one variant, and how close its value is to the printed number.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient, with its options.
    aggregation : {"means", "mean over topics", "all scores"}
        What it is of: the mean scores of the systems; the scores of each topic, and the values are averaged;
        or the scores of all topics together.
    sides : {"x, y", "y, x"}
        Which side is the reference.
    ties : {"as they are", "by order"}
        Whether ties are kept, or broken by the order of the systems in the data.
    measure : Measures
        The measures of both sides.
    value : float
        The value.
    difference : float
        The value minus the printed number.
    matches : bool
        Whether the value, rounded to the digits of the printed number, is that number.
    """

    coefficient: Coefficient
    aggregation: str
    sides: str
    ties: str
    measure: Measures = field(metadata={**parts("measure", "estimate_measure"), **DETAIL})
    value: float
    difference: float
    matches: bool


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class IdentifyResult(Result[Candidate]):
    """The result of `identify`; prints as text.

    Attributes
    ----------
    candidates : tuple of Candidate
        All that was tried, the nearest value first.
    printed : str
        The number that was looked for.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.identify([9, 7, 4, 2], [8, 8, 1, 3], "0.548").verdict
    ('0.548 is tau_b.',)
    """

    function: ClassVar[str] = "identify"

    candidates: tuple[Candidate, ...] = records(Candidate, "What was tried, the nearest value first", few=10)
    printed: str = ""

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: what gives the printed number; otherwise what is nearest."""
        found = [each for each in self.candidates or () if each.matches]
        if found:
            names = list(dict.fromkeys(map(_named, found)))
            is_are = "is" if len(names) == 1 else f"may be any of {len(names)}:"
            return sentences([f"{self.printed} {is_are} {few(names, 'candidates', _MOST_NAMED)}"])
        if not self.candidates:
            return sentences([f"No coefficient has a value, so that {self.printed} is none of them"])
        nearest = self.candidates[0]
        none = f"Nothing that was tried gives {self.printed}"
        return sentences([f"{none}; the nearest is {_named(nearest)}, {nearest.value:.6g}"])


def _named(each: Candidate) -> str:
    said = {"means": "", "mean over topics": ", mean over topics", "all scores": " of all scores"}
    exchanged = " with the sides exchanged" if each.sides == "y, x" else ""
    broken = ", ties broken by the order of the systems" if each.ties == "by order" else ""
    return f"{each.coefficient}{said[each.aggregation]}{exchanged}{broken}"


@public
def identify(
    reference: ScoresLike | Study,
    estimate: Mapping[str, ScoresLike] | ScoresLike | None = None,
    value: str | float = "",
    *,
    thresholds: Iterable[float | str] = (),
) -> IdentifyResult:
    """Find which coefficient, in which variant, of what, gives a printed number.

    Parameters
    ----------
    reference : Study, or what `Study` takes
        The scores of the reference, or a ranking.
    estimate : mapping of str to scores, or the scores of one estimate
        The other side.
    value : str or float
        The number as it is printed, such as ``"0.736"``; of a text, zeros at the end are digits too.
    thresholds : list of float or str, optional
        Thresholds to try beside 0, such as 0.01 or ``"5%"``.

    Returns
    -------
    IdentifyResult
        ``candidates``, the nearest value first.

    Notes
    -----
    It tries all coefficients of scores and their variants, both directions of those that have one, the mean
    scores, the mean over topics and all scores together, ties as they are and broken by the order of the
    systems. Several can give the same number; more digits, or a second number, decide.

    Examples
    --------
    >>> import concordant as cd
    >>> found = cd.identify([9, 7, 4, 2], [8, 8, 1, 3], "0.55")
    >>> [str(each.coefficient) for each in found.candidates if each.matches]
    ['tau_b', 'somers_d(dependent=both)']
    """
    text = str(value).strip()
    try:
        printed = Decimal(text)
    except InvalidOperation:
        raise ArgumentError(f"{option('value')} must be a number, such as 0.736, got {text!r}") from None
    half = float(Decimal(1).scaleb(int(printed.as_tuple().exponent))) / 2 + SAME_VALUE
    study = study_of(reference, estimate)
    tried = list(_variants(list(thresholds)))
    found = [
        Candidate(c, *about, pairing.measures, v, v - float(printed), abs(v - float(printed)) <= half)
        for pairing in study.pairings
        for c, about, v in _values(pairing, tried)
    ]
    found.sort(key=lambda each: (not each.matches, abs(each.difference)))
    options: dict[str, Any] = {"value": text, "thresholds": [*map(str, thresholds)]}
    return IdentifyResult(candidates=tuple(found), printed=text, notes=study.notes, options=options)


def _variants(thresholds: list[float | str]) -> Iterator[Coefficient]:
    """Yield the coefficients of scores, in all their variants, with each threshold."""
    for name, c in REGISTRY.items():
        if c.inputs == "scores":
            known = parameters(c.function)
            forms = [each for each in _VARIANTS if each.partition("=")[0] in known]
            found = (coefficient(f"{name}({form})") for form in forms)
            yield from (c, *(each for each in found if each.options))  # not those that are the default
            for w in thresholds if c.thresholds else ():
                every = [f"{w}", *(f"{w}, {form}" for form in forms if form != "form=two_term")]
                yield from (coefficient(f"{name}({options})") for options in every)


_Found: TypeAlias = tuple[Coefficient, tuple[str, str, str], float]


def _values(pairing: Pairing, tried: list[Coefficient]) -> Iterator[_Found]:
    """Yield everything that is defined: coefficient, (aggregation, sides, ties), value."""
    common = pairing.on_common_topics
    sides = (pairing.reference.means, pairing.estimate.means)
    ways = {"means": tuple(side[None] for side in sides)}
    if common.has_topics and len(common.topics) > 1:
        x, y = common.reference.values, common.estimate.values
        ways |= {"mean over topics": (x, y), "all scores": (x.reshape(1, -1), y.reshape(1, -1))}
    for aggregation, (x, y) in ways.items():
        tied = any((np.diff(np.sort(side, axis=-1), axis=-1) == 0).any() for side in (x, y))
        for sides_are, (a, b) in (("x, y", (x, y)), ("y, x", (y, x))):
            asked = [c for c in tried if sides_are == "x, y" or not (c.symmetric or _names_a_side(c))]
            yield from _defined(asked, a, b, (aggregation, sides_are, "as they are"))
            untied = [c for c in asked if c.ties == "error"]
            if tied and untied:
                about = (aggregation, sides_are, "by order")
                yield from _defined(untied, _by_order(a), _by_order(b), about)


def _names_a_side(c: Coefficient) -> bool:
    return any(value in ("x", "y") for _, value in c.options)


def _defined(asked: list[Coefficient], x: Floats, y: Floats, about: tuple[str, str, str]) -> Iterator[_Found]:
    pairs = read_pairs(x, y)
    for c in asked:
        try:
            (outcome,) = evaluate([c], pairs, "propagate", 1, refuse=False)
        except ArgumentError:
            continue  # it refuses such scores, as those below 0 for weights
        known = outcome.values[~np.isnan(outcome.values)]
        if len(known):
            yield c, about, math.fsum(known.tolist()) / len(known)


def _by_order(scores: Floats) -> Floats:
    """Return ranks, the largest the best, where ties are broken by the order of the items."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    ranks = np.empty_like(scores)
    np.put_along_axis(ranks, order, np.arange(scores.shape[-1], 0.0, -1.0)[None].repeat(len(scores), 0), -1)
    return ranks
