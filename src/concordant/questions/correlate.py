"""Correlate rankings of systems by mean scores under estimates with the ranking under the reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from concordant.checks import proportion
from concordant.coefficients.declaration import CoefficientsLike
from concordant.coefficients.text_form import chosen
from concordant.errors import public
from concordant.questions.agreement import AgreementResult, agreements
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import unique
from concordant.statistics.resampling import Resampling, started
from concordant.study.study import Study, study_of
from concordant.typing import Progress


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class CorrelateResult(AgreementResult):
    """The result of `correlate`; prints as text.

    Its tables are those of every `AgreementResult`: ``agreement``, ``systems`` and ``pairs``.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.correlate(human, {"gpt": gpt}, ["tau_b"])
    >>> result.agreement[0].estimate, round(result.agreement[0].value, 4), len(result.pairs)
    ('gpt', 1.0, 3)
    """

    function: ClassVar[str] = "correlate"


@public
def correlate(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    alpha: float | None = 0.05,
    resampling: Resampling | None = Resampling(),
    progress: Progress | None = None,
) -> CorrelateResult:
    """Correlate rankings of systems by mean score: each estimate with the reference.

    Parameters
    ----------
    reference : Study, or what `Study` takes
        The scores that the estimates are compared with. A `Study` has its estimates already.
    estimates : mapping of str to scores, or the scores of one estimate
        The estimates by name. Measures of the same name are paired; if a side has only one measure, it is
        compared with each of the other side.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them, such as ``["tau_ap_b", "tau_b(0.05)@10"]``. A verdict
        is about the first.
    alpha : float or None, default 0.05
        The level of the tests of whether two systems differ significantly. None means no tests.
    resampling : Resampling or None
        How the intervals are computed. None means no intervals.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    CorrelateResult
        A record for each estimate, measure and coefficient; the systems with their ranks on both sides; and
        every pair of systems.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"bm25": 0.21, "dense": 0.35, "rm3": 0.28}
    >>> result = cd.correlate(human, {"gpt": {"bm25": 0.4, "dense": 0.7, "rm3": 0.3}}, "tau_b")
    >>> round(result.agreement[0].value, 4)
    0.3333
    """
    asked = chosen(coefficients)
    how = None if resampling is None else started(resampling)
    if alpha is not None:
        proportion("alpha", alpha)
    study = study_of(reference, estimates)
    found = agreements(study, asked, how, progress=progress)
    return CorrelateResult(
        **found.tables(alpha),
        notes=unique((*study.notes, *found.notes)),
        options={"coefficients": [str(c) for c in asked], "alpha": alpha}
        | ({} if how is None else how.options),
    )
