"""Rankings of systems by inferred AP from a random share of the judgements."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar

import numpy as np

from concordant.checks import generator, n_workers, several, whole_number
from concordant.coefficients.declaration import Coefficient, CoefficientsLike, chosen
from concordant.errors import ArgumentError, option, public
from concordant.experiments.experiment import ExperimentResult, defined, mean, quantiles, value_or_none
from concordant.reading.evaluate import evaluate_under
from concordant.reading.measure_names import measures_of
from concordant.reading.qrels import QrelsLike, qrels_of
from concordant.reading.trec_runs import Names, RunsLike
from concordant.results.note import Note
from concordant.results.result import records
from concordant.results.table import DETAIL
from concordant.results.words import listed, number, sentences
from concordant.scores.means import n_tied
from concordant.study.study import Study
from concordant.typing import Executor, Progress, RngLike

_Grades = dict[str, dict[str, int]]

PERCENTS: tuple[float, ...] = (1, 2, 3, 4, *range(5, 101, 5))


@dataclass(frozen=True)
class Share:
    """A coefficient of inferred AP from a share of the judgements against AP from all.

    Attributes
    ----------
    percent : float
        The share of the judgements that was kept, in percent.
    sample : int
        The number of the random sample.
    coefficient : Coefficient
        The coefficient.
    of_means : float or None
        The coefficient of the means over topics.
    mean_of_topics : float or None
        The mean over topics of the coefficient of each topic.
    minimum : float or None
        The smallest value of any topic; None if there is none.
    maximum : float or None
        The largest value of any topic; None if there is none.
    undefined : int
        The number of undefined values, which are left out.
    rms_error : float
        The root mean square error of the mean scores.
    """

    percent: float
    sample: int
    coefficient: Coefficient
    of_means: float | None
    mean_of_topics: float | None = field(metadata=DETAIL)
    minimum: float | None = field(metadata=DETAIL)
    maximum: float | None = field(metadata=DETAIL)
    undefined: int
    rms_error: float = field(metadata=DETAIL)


@dataclass(frozen=True)
class Thinned:
    """AP and inferred AP of one system for one topic.

    Attributes
    ----------
    percent : float
        The share of the judgements that was kept, in percent.
    topic : str
        The name of the topic.
    system : str
        The name of the system.
    ap : float
        Average precision from all judgements.
    inferred_ap : float
        Inferred average precision from a share of the judgements.
    expected_ap : float
        The mean AP of the system plus that of the topic minus that of all. Where AP is far below it, the
        system is weak on the topic.
    """

    percent: float
    topic: str
    system: str
    ap: float
    inferred_ap: float
    expected_ap: float


@dataclass(frozen=True)
class TopicShare:
    """The coefficient of one topic, and how many systems share their score with another there.

    Attributes
    ----------
    percent : float
        The share of the judgements that was kept, in percent.
    topic : str
        The name of the topic.
    coefficient : Coefficient
        The coefficient.
    value : float or None
        The coefficient of inferred AP with AP for this topic; None if it is undefined.
    tied : int
        The number of systems that have the same AP as another.
    inferred_tied : int
        The number of systems that have the same inferred AP as another.
    """

    percent: float
    topic: str
    coefficient: Coefficient
    value: float | None
    tied: int
    inferred_tied: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PoolResult(ExperimentResult[Share]):
    """The result of `pool`; prints as text.

    Attributes
    ----------
    shares : tuple of Share
        Inferred AP from a share of the judgements against AP from all.
    scatter : tuple of Thinned
        AP and inferred AP.
    topics : tuple of TopicShare
        Single topics.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> result = cd.experiments.pool(small.qrels, small.runs, ["tau_b"], percents=[50])
    >>> result.shares[0].percent, len(result.scatter)
    (50, 9)
    """

    function: ClassVar[str] = "pool"

    shares: tuple[Share, ...] = records(
        Share,
        "Inferred AP from a share of the judgements against AP from all",
        pivot=("coefficient", "of_means"),
    )
    scatter: tuple[Thinned, ...] = records(Thinned, "AP and inferred AP")
    topics: tuple[TopicShare, ...] = records(TopicShare, "Single topics", pivot=("coefficient", "value"))

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the coefficient from the largest, a middle and the smallest share."""
        if not self.shares:
            return ()
        c = self.shares[0].coefficient
        own = [row for row in self.shares if row.coefficient == c]
        shares = sorted({row.percent for row in own}, reverse=True)
        parts = []
        for percent in dict.fromkeys((shares[0], shares[len(shares) // 2], shares[-1])):
            values = [row.of_means for row in own if row.percent == percent and row.of_means is not None]
            shown = list(dict.fromkeys(number(end) for end in (min(values), max(values)))) if values else []
            parts.append(f"{' to '.join(shown) or 'undefined'} from {percent:g} %")
        said = f"{c} of inferred AP with AP from all judgements is {listed(parts)} of the judgements"
        return sentences([said])


@public
def pool(
    qrels: QrelsLike,
    runs: RunsLike,
    coefficients: CoefficientsLike = ("tau_ap_e", "tau_ap_a", "tau_e", "tau_a"),
    *,
    percents: float | Iterable[float] = PERCENTS,
    n_replicates: int = 1,
    names: Names = "tag",
    rng: RngLike = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> PoolResult:
    """Compare inferred AP from a random share of the judgements of each topic with AP from all.

    Parameters
    ----------
    qrels : path, mapping or DataFrame
        The full judgements, as `evaluate` takes them.
    runs : path, pattern, or several
        The runs, as `evaluate` takes them; each is read once.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    percents : float or iterable of float
        The shares of the judgements to keep, in per cent. Documents with the grade -1 are not judged. At
        least one relevant document is kept for each topic that has one; the others become not judged (-1).
    n_replicates : int, default 1
        The number of samples for each share.
    names : {"tag", "file"}
        Whether to name systems by the tag in their run, or by the name of the file.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None, default 0
        The seed or the generator of random numbers. None means a new seed, which is stored in the result.
    workers : int, default 1
        The number of processes. The result does not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that does the work: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. The result does not depend on it.
    progress : callable, optional
        A function that is called as ``progress(done, total)``.

    Returns
    -------
    PoolResult
        ``shares``, for each share and sample: the coefficient of means; mean, minimum and maximum over
        topics; how many are undefined; root mean square error of the means. ``scatter``, AP and inferred AP
        of every system and topic for the first sample of 5, 10 and 30 per cent, or else of the three smallest
        shares, and the AP that the means of system and topic let one expect; ``topics``, the coefficients and
        ties of single topics for these.

    References
    ----------
    .. [1] Yilmaz and Aslam, "Estimating average precision with incomplete and imperfect judgments", CIKM
       2006.
    .. [2] Radja, thesis, TU Delft 2018, section 7.2.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> result = cd.experiments.pool(small.qrels, small.runs, ["tau_b"], percents=[10, 50], rng=1)
    >>> [share.percent for share in result.shares]
    [50, 10]
    """
    asked = chosen(coefficients)
    whole_number("n_replicates", n_replicates)
    n_workers(workers)
    shares = sorted({float(p) for p in several("percents", percents)}, reverse=True)
    if not shares or not all(0 < p <= 100 for p in shares):
        raise ArgumentError(f"{option('percents')} must be above 0 and up to 100, got {shares}")
    source, seed = generator(rng)
    read = qrels_of(qrels)
    # Inferred AP takes every negative grade as not judged, AP as not relevant. Here only -1 means not judged.
    n_spam = sum(rel < -1 for documents in read.values() for rel in documents.values())
    full = {t: {d: 0 if rel < -1 else rel for d, rel in documents.items()} for t, documents in read.items()}
    judged = {"all": (full, measures_of("AP"))}
    inferred = measures_of("infAP")
    drawn: dict[str, tuple[float, int]] = {}
    for p in shares:
        for replicate in range(1, 1 + (n_replicates if p < 100 else 1)):
            key = str(len(drawn))
            drawn[key] = int(p) if p.is_integer() else p, replicate
            judged[key] = (thinned(full, p, source), inferred)
    how: dict[str, Any] = {"workers": workers, "executor": executor, "progress": progress}
    evaluated = evaluate_under(judged, runs, names=names, **how)
    scattered = [p for p in shares if p in (5, 10, 30)] or shares[-3:]
    found: list[Share] = []
    points: list[Thinned] = []
    single: list[TopicShare] = []
    study = Study(evaluated.pop("all"), evaluated).in_common()
    reference = study.reference
    ap = reference.values[0]
    expected = ap.mean(axis=0) + ap.mean(axis=1, keepdims=True) - ap.mean()
    for pairing in study.pairings:
        percent, replicate = drawn[pairing.name]
        scores, means = study.estimates[pairing.name], pairing.reference.mean
        estimates = pairing.estimate.mean
        error = math.sqrt(math.fsum((means[s] - estimates[s]) ** 2 for s in means) / len(means))
        of_means, of_topics = pairing.of_means(asked), pairing.of_topics(asked)
        for c, outcome, topics in zip(asked, of_means, of_topics, strict=True):
            there = defined(topics.values)
            low, high = quantiles(there, 0, 1)
            rest = mean(there), low, high, len(topics.values) - len(there), error
            found.append(Share(percent, replicate, c, value_or_none(outcome.values[0]), *rest))
        if replicate == 1 and percent in scattered:
            cells = product(reference.topics, reference.systems)
            values = (each.ravel().tolist() for each in (ap, scores.values[0], expected))
            points += [Thinned(percent, *cell, *own) for *own, cell in zip(*values, cells, strict=True)]
            tied = [[n_tied(row) for row in side.values[0].tolist()] for side in (reference, scores)]
            for (k, t), (c, own) in product(enumerate(reference.topics), zip(asked, of_topics, strict=True)):
                both = tied[0][k], tied[1][k]
                single.append(TopicShare(percent, t, c, value_or_none(own.values[k]), *both))
    text = f"{n_spam} grades below -1 count as judged and not relevant"
    spam = [Note("spam_grades", text=text, values={"grades": n_spam}, lost=True)] if n_spam else []
    n_judged = sum(rel >= 0 for documents in full.values() for rel in documents.values())
    return PoolResult(
        shares=tuple(found),
        scatter=tuple(points),
        topics=tuple(single),
        notes=(*reference.notes, *spam),
        options={"percents": shares, "n_replicates": n_replicates, "judgements": n_judged}
        | {"systems": len(reference.systems), "topics": len(reference.topics), "seed": seed},
    )


def thinned(qrels: _Grades, percent: float, rng: np.random.Generator) -> _Grades:
    """Keep a share of the judgements of each topic; the others become -1: in the pool, but not judged."""
    sample: _Grades = {}
    for topic, documents in qrels.items():
        judged = [d for d, rel in documents.items() if rel >= 0]
        order = [judged[i] for i in rng.permutation(len(judged))]
        kept = order[: max(1, round(len(judged) * percent / 100))]
        relevant = [d for d in order if documents[d] > 0]
        if relevant and not any(documents[d] > 0 for d in kept):
            kept[-1] = relevant[0]
        sample[topic] = dict.fromkeys(documents, -1) | {d: documents[d] for d in kept}
    return sample
