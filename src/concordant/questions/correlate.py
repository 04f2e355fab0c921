"""Correlate rankings of systems by mean scores under estimates with the ranking under the reference."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import ClassVar

from concordant.checks import proportion, whole_number
from concordant.coefficients.declaration import CoefficientsLike
from concordant.coefficients.text_form import chosen
from concordant.errors import public
from concordant.questions.agreement import Agreement, Reason, agreements, highest, reasons, resampling
from concordant.questions.systems import PairMap, PairOrder, RankedSystem, Relations, ranked_systems
from concordant.questions.verdict import verdict_of_estimates
from concordant.reading.from_memory import ScoresLike
from concordant.results.note import unique
from concordant.results.result import Result, records
from concordant.statistics.resampling import Method
from concordant.study.study import Study, study_of
from concordant.typing import OnMissing, Progress, RngLike, Topics


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class CorrelateResult(Result[Agreement]):
    """The result of `correlate`; prints as text.

    Attributes
    ----------
    agreement : tuple of Agreement
        Rankings of systems by mean score.
    reasons : tuple of Reason or None
        Pairs of systems that cost most. It needs a number of reasons.
    order : tuple of PairOrder
        Pairs of systems in the same and in the opposite order.
    systems : tuple of RankedSystem
        Systems by mean score, on both sides.
    pair_map : tuple of PairMap
        Each system against those below it.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 2, "dense": 5, "rm3": 3}, "q2": {"bm25": 4, "dense": 3, "rm3": 2}}
    >>> gpt = {"q1": {"bm25": 4, "dense": 6, "rm3": 1}, "q2": {"bm25": 5, "dense": 4, "rm3": 3}}
    >>> result = cd.correlate(human, {"gpt": gpt}, ["tau_b"], n_resamples=99)
    >>> result.agreement[0].estimate, round(result.agreement[0].value, 4), result.order[0].opposite
    ('gpt', 1.0, 0)
    """

    function: ClassVar[str] = "correlate"

    agreement: tuple[Agreement, ...] = records(Agreement, "Rankings of systems by mean score")
    reasons: tuple[Reason, ...] | None = records(
        Reason, "Pairs of systems that cost most", needs="a number of reasons"
    )
    order: tuple[PairOrder, ...] = records(
        PairOrder, "Pairs of systems in the same and in the opposite order"
    )
    systems: tuple[RankedSystem, ...] = records(RankedSystem, "Systems by mean score, on both sides")
    pair_map: tuple[PairMap, ...] = records(PairMap, "Each system against those below it")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words, about the main coefficient.

        This is the first coefficient that was named; by default it is the one that is top-weighted.
        An estimate "agrees" if its interval is above 0. It "is better" if the adjusted p-value and the
        interval of the difference show it; see docs/reference/verdicts.md.
        """
        return verdict_of_estimates(self)

    @property
    def emphasis(self) -> str:
        """The meaning of bold values."""
        return "the highest value by its measure and coefficient"

    def emphasised(self, table: str) -> set[int]:
        """Return the records with the highest values, which are bold.

        Parameters
        ----------
        table : str
            The name of the table.

        Returns
        -------
        set of int
            The numbers of the records.
        """
        return highest(self.agreement) if table == "agreement" else set()


@public
def correlate(
    reference: ScoresLike | Study,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    n_reasons: int = 3,
    alpha: float | None = None,
    on_missing: OnMissing | None = None,
    topics: Topics = "common",
    confidence_level: float | None = 0.95,
    n_resamples: int = 4999,
    method: Method = "standard",
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> CorrelateResult:
    """Correlate the ranking of systems by mean scores under the reference with that under each estimate.

    Parameters
    ----------
    reference : Scores, or what `Scores.from_data` takes, or Study
        The scores of the reference. A `Study` already has its estimates.
    estimates : mapping of name to Scores, or to what `Scores.from_data` takes
        The scores of the estimates. A measure is compared with the measure of the same name; if a side has
        only one measure, it is compared with each of the other side.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them, such as ``["tau_ap_b", "tau_b(0.05)@10"]``.
        A verdict is about the first.
    n_reasons : int, default 3
        How many of the most costly pairs of systems to list for each coefficient; see `explain`.
    alpha : float, optional
        The level at which pairs of systems are tested for significant differences (paired t-tests, Holm's
        correction); see `significant_pairs`. By default there are no tests.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only; see `Study`.
    topics : {"common", "own"}, default "common"
        Whether to compare on the topics that both sides have, or to take each mean over the topics of its own
        side.
    confidence_level : float or None, default 0.95
        The confidence level of the intervals over topics; see `bootstrap`. None means no intervals.
    n_resamples, method : int, and str
        How the intervals are computed; see `bootstrap`.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed or the generator of random numbers. None means a new seed, which is stored in the result.
    workers : int, default 1
        The number of threads; -1 means all cores. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    CorrelateResult
        ``agreement``, a record for each estimate, measure and coefficient; ``reasons``; ``order``,
        ``systems`` and ``pair_map``.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}, "q2": {"bm25": 0.4, "dense": 0.3, "rm3": 0.3}}
    >>> half = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}}
    >>> result = cd.correlate(human, {"half": half}, "tau_b", topics="own")
    >>> result.agreement[0].value
    0.8164965809277261
    """
    asked = chosen(coefficients)
    whole_number("n_reasons", n_reasons, 0)
    how = resampling(confidence_level, n_resamples, method, rng, workers, executor)
    if alpha is not None:
        proportion("alpha", alpha)
    study = study_of(reference, estimates, on_missing, topics)
    found = agreements(study, asked, how, progress=progress, ranks=True)
    described = ranked_systems(study.pairings, how, Relations(alpha), found.joint)
    why = tuple(reasons(study, found, asked, n_reasons)) if n_reasons else None  # adds notes
    return CorrelateResult(
        agreement=found.records,
        reasons=why,
        order=described.order,
        systems=described.systems,
        pair_map=described.pair_map,
        notes=unique((*study.all_notes, *found.notes, *described.notes)),
        options={"coefficients": [str(c) for c in asked]}
        | ({} if alpha is None else {"alpha": alpha})
        | ({} if how is None else how.options),
    )
