"""Coefficients as a function of the threshold up to which a difference counts as a tie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from concordant.checks import several
from concordant.coefficients.declaration import (
    REGISTRY,
    Coefficient,
    CoefficientsLike,
    chosen,
    other_names_told,
)
from concordant.errors import ArgumentError, option, public
from concordant.questions.correlate import Agreement, one_estimate
from concordant.questions.systems import systems_compared
from concordant.questions.verdict import SAME_VALUE, by_measure, first_told
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import parts
from concordant.results.words import number, sentences
from concordant.scores.means import Means
from concordant.study.pairing import Measures, Pairing
from concordant.study.study import Study


@dataclass(frozen=True)
class AtThreshold:
    """A coefficient at one threshold.

    Attributes
    ----------
    measure : Measures
        The measures of the reference and of the estimate.
    estimate_threshold : float or None
        The threshold of the estimate; None if it is that of the reference.
    threshold : float
        The threshold up to which a difference of scores is a tie.
    coefficient : Coefficient
        The coefficient.
    value : float
        The value of the coefficient; nan if it is undefined.
    """

    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    estimate_threshold: float | None
    threshold: float
    coefficient: Coefficient
    value: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SweepResult(Result[AtThreshold]):
    """The result of `sweep`; prints as text.

    Attributes
    ----------
    curves : tuple of AtThreshold
        Coefficients against the threshold.
    tops : tuple of Agreement
        Coefficients among the best systems of the reference.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.sweep(human, gpt, ["tau_b"], thresholds=[0, 1])
    >>> [(each.threshold, round(each.value, 4)) for each in result.curves]
    [(0.0, 1.0), (1.0, 0.7071)]
    """

    function: ClassVar[str] = "sweep"

    curves: tuple[AtThreshold, ...] = records(
        AtThreshold, "Coefficients against the threshold", spread=("coefficient", "value"), few=11
    )
    tops: tuple[Agreement, ...] = records(
        Agreement, "Coefficients among the best systems of the reference", spread=("coefficient", "value")
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the first coefficient."""
        by: dict[tuple[Measures, float | None], list[AtThreshold]] = {}
        for row in self.curves or ():
            if row.coefficient == self.curves[0].coefficient:
                by.setdefault((row.measure, row.estimate_threshold), []).append(row)
        what = "measure" if len({measure for measure, _ in by}) == len(by) else "curve"
        return sentences(first_told(list(by.values()), self._curve, what))

    def _curve(self, rows: Sequence[AtThreshold]) -> Iterator[str]:
        c, where = rows[0].coefficient, by_measure(rows[0].measure) + _with(rows[0].estimate_threshold)
        defined = [row for row in rows if not math.isnan(row.value)]
        if not defined:
            yield f"{c}{where} is undefined at every threshold"
            return
        first = defined[0]
        low, high = (end(defined, key=lambda row: row.value) for end in (min, max))
        if high.value - low.value <= SAME_VALUE:
            yield f"{c}{where} is {number(first.value)} at every threshold where it has a value"
        else:
            ends = [("largest", high), ("smallest", low)]
            also = [f"is {name} there" for name, row in ends if row is first]
            others = [(name, row) for name, row in ends if row is not first]
            also += [f"{name} at {row.threshold:.3g} ({number(row.value)})" for name, row in others]
            at = f"at threshold {first.threshold:.3g}"
            yield f"{c}{where} is {number(first.value)} {at}, {' and '.join(also)}"


@public
def sweep(
    reference: ScoresLike | Study,
    estimate: ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_b", "tau_e"),
    *,
    thresholds: float | Iterable[float] | None = None,
    estimate_thresholds: float | Iterable[float] | None = None,
) -> SweepResult:
    """Compute coefficients for growing thresholds, up to which a difference of scores counts as a tie.

    Parameters
    ----------
    reference, estimate : what `Study` takes; or a `Study` of one estimate
        The scores of both sides.
    coefficients : list of str or Coefficient, optional
        Coefficients that take a threshold. A verdict is about the first.
    thresholds : float or iterable of float, optional
        The thresholds; by default 51 steps from 0 to the widest range of means.
    estimate_thresholds : float or iterable of float, optional
        The thresholds of the estimate, if they are not those of the reference: there is a curve for each of
        them, over the thresholds of the reference.

    Returns
    -------
    SweepResult
        ``curves``, a record for each threshold and coefficient; and ``tops``, the coefficients among the best
        k systems of the reference, for up to 50 values of k.

    Examples
    --------
    >>> import concordant as cd
    >>> x, y = {"a": 0.5, "b": 0.4, "c": 0.1}, {"a": 0.4, "b": 0.5, "c": 0.2}
    >>> curve = cd.sweep(x, y, "tau_b", thresholds=[0, 0.1, 0.4]).curves
    >>> [(point.threshold, round(point.value, 4)) for point in curve]
    [(0.0, 0.3333), (0.1, 1.0), (0.4, nan)]
    >>> curve = cd.sweep(x, y, "tau_b", thresholds=[0, 0.1], estimate_thresholds=0).curves
    >>> [(point.estimate_threshold, point.threshold, round(point.value, 4)) for point in curve]
    [(0.0, 0.0, 0.3333), (0.0, 0.1, 0.8165)]
    """
    asked = chosen(coefficients)
    given = None if thresholds is None else _read("thresholds", thresholds)
    others = None if estimate_thresholds is None else _read("estimate_thresholds", estimate_thresholds)
    for c in asked:
        if not c.thresholds:
            able = ", ".join(name for name, each in REGISTRY.items() if each.thresholds)
            raise ArgumentError(f"{c.name} takes no threshold; these do: {able}")
        if "threshold" in dict(c.options):
            raise ArgumentError(f"{c} has a threshold already; name it without one")
    study = one_estimate(reference, estimate)
    notes = [*study.notes, *other_names_told(asked)]
    curves: list[AtThreshold] = []
    tops: list[Agreement] = []
    for pairing in study.pairings:
        steps = given or _steps(pairing.reference.mean, pairing.estimate.mean)
        for other in others or (None,):
            ties = [w if other is None else (w, other) for w in steps]
            bound = [replace(c, options=(("threshold", tie), *c.options)) for tie in ties for c in asked]
            outcomes = pairing.of_means(bound)
            found = np.array([float(each.values[0]) for each in outcomes]).reshape(len(steps), len(asked))
            curves += [
                AtThreshold(pairing.measures, other, w, c, float(found[i, k]))
                for i, w in enumerate(steps)
                for k, c in enumerate(asked)
            ]
            for k, c in enumerate(asked):
                first = next((i for i in range(len(steps)) if math.isnan(found[i, k])), None)
                if first is not None:
                    reason = outcomes[first * len(asked) + k].reason_of_systems
                    text = f"{c}{_with(other)} is undefined from threshold {steps[first]:g} on: {reason}"
                    values = {"coefficient": str(c), "threshold": steps[first], "reason": reason}
                    values |= {} if other is None else {"estimate_threshold": other}
                    notes.append(Note("undefined_from_threshold", text=text, values=values, lost=True))
        tops += _tops(pairing, asked)
    options = {"coefficients": [str(c) for c in asked], "thresholds": given}
    options["estimate_thresholds"] = others
    return SweepResult(curves=tuple(curves), tops=tuple(tops), notes=unique(notes), options=options)


def _tops(pairing: Pairing, asked: Sequence[Coefficient]) -> list[Agreement]:
    """Compute coefficients among the best k systems, for k from 2 to all, in 50 steps at most."""
    sizes = np.unique(np.linspace(2, len(pairing.reference.mean), 50).round().astype(int)).tolist()
    cuts = [(k, c) for k in sizes for c in asked if c.top is None]
    outcomes = pairing.of_means([replace(c, top=k) for k, c in cuts])
    head, values = (pairing.name, pairing.measures), [float(outcome.values[0]) for outcome in outcomes]
    return [
        Agreement(*head, k, systems_compared(pairing, k), c, value, None)
        for (k, c), value in zip(cuts, values, strict=True)
    ]


def _read(name: str, thresholds: object) -> list[float]:
    steps = sorted({float(w) for w in several(name, thresholds)})
    if not steps or any(not math.isfinite(w) or w < 0 for w in steps):
        raise ArgumentError(f"{option(name)} must be numbers from 0 up, got {steps}")
    return steps


def _steps(x: Means, y: Means) -> list[float]:
    widest = max(max(means.values()) - min(means.values()) for means in (x, y))
    return [float(f"{w:.6g}") for w in np.linspace(0, widest, 51)] if widest > 0 else [0.0]


def _with(estimate_threshold: float | None) -> str:
    return (
        "" if estimate_threshold is None else f" with a threshold of {estimate_threshold:g} for the estimate"
    )
