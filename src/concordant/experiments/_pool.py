"""How far the judgements can be thinned out before the ranking of systems changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from concordant._inputs import Progress, seeded, whole_number
from concordant._questions import Some, chosen
from concordant.evaluation import evaluate_under
from concordant.experiments._result import Result, files_of
from concordant.io._files import Source
from concordant.io.trec import Qrels, read_qrels
from concordant.judging import by_topic
from concordant.report import Table

__all__ = ["pool"]

PERCENTS = (1, 2, 3, 4, *range(5, 101, 5))


def pool(
    qrels: Source | Mapping[str, Mapping[str, int]],
    runs: Source | Iterable[Source],
    coefficients: Some = ("tau_a", "tau_e", "tau_ap_a", "tau_ap_e"),
    *,
    percents: Iterable[float] = PERCENTS,
    n_replicates: int = 1,
    names: str = "tag",
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Keep a random share of the judgements of each topic, and compare inferred AP from these with AP from all.

    Parameters
    ----------
    qrels : path or mapping
        The full judgements.
    runs : path, pattern, or several
    coefficients : list of str or Coefficient
    percents : iterable of float
        Shares to keep, in per cent, of what is judged (-1 is not). At least one relevant document is kept for each topic that has one; the others are
        marked as not judged (-1).
    n_replicates : int, default 1
        Samples for each share.
    names : {"tag", "file"}
    rng : int, Generator or None
    workers : int, default 1
        Processes. No bit of the result depends on it.
    progress : callable, optional

    Returns
    -------
    Result
        With the tables "pool" (for each share and sample: correlation of means; mean, minimum and maximum over topics; how
        many are undefined; root mean square error of the means) and "topics" (AP and inferred AP of every system and topic
        for the first sample of 5, 10 and 30 per cent, or else of the three smallest shares, for the scatter).

    References
    ----------
    .. [1] Yilmaz and Aslam, "Estimating average precision with incomplete and imperfect judgments", CIKM 2006.
    .. [2] Radja, thesis, TU Delft 2018, section 7.2.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.experiments.pool("human.qrels", "runs/*", rng=1)  # doctest: +SKIP
    """
    who = "pool"
    asked = chosen(who, coefficients)
    whole_number(who, "n_replicates", n_replicates)
    shares = sorted({float(p) for p in percents}, reverse=True)
    if not shares or not all(0 < p <= 100 for p in shares):
        raise ValueError(f"{who}: percents must be above 0 and up to 100, got {shares}")
    generator, seed = seeded(rng)
    files = files_of(who, runs)
    full = {t: dict(d) for t, d in qrels.items()} if isinstance(qrels, Mapping) else read_qrels(qrels)
    # To inferred AP every negative grade is a document not judged; to AP it is one that is not relevant. Only -1 is meant so.
    n_spam = sum(rel < -1 for documents in full.values() for rel in documents.values())
    full = {t: {d: 0 if rel < -1 else rel for d, rel in documents.items()} for t, documents in full.items()}
    judged = {topic: sum(rel >= 0 for rel in documents.values()) for topic, documents in full.items()}
    samples: dict[str, Qrels] = {}
    drawn: dict[str, tuple[float, int]] = {}
    for p in shares:
        for replicate in range(1, 1 + (n_replicates if p < 100 else 1)):
            key = str(len(drawn))
            drawn[key] = int(p) if p.is_integer() else p, replicate
            samples[key] = thinned(full, p, generator)
    scattered = [p for p in shares if p in (5, 10, 30)] or shares[-3:]
    truth = evaluate_under({"all": full}, files, ["AP"], names, workers=workers)["all"]
    found = evaluate_under(samples, files, ["infAP"], names, workers=workers, progress=progress)
    rows: list[tuple[Any, ...]] = []
    points: list[tuple[Any, ...]] = []
    means = truth.mean()
    for key, scores in found.items():
        percent, replicate = drawn[key]
        summary = by_topic(truth, scores, asked)["topics"].to_dicts()
        estimates = scores.mean()
        error = math.sqrt(math.fsum((means[s] - estimates[s]) ** 2 for s in means) / len(means))
        for c, row in zip(asked, summary, strict=True):
            kept = [row[name] for name in ("of means", "mean", "minimum", "maximum", "undefined")]
            rows.append((percent, replicate, c, *kept, error))
        if replicate == 1 and percent in scattered:
            points += [
                (percent, topic, system, truth.values[0, t, s], scores.values[0, t, s])
                for t, topic in enumerate(truth.topics)
                for s, system in enumerate(truth.systems)
            ]
    columns = (
        "percent",
        "sample",
        "coefficient",
        "of means",
        "mean of topics",
        "minimum",
        "maximum",
        "undefined",
        "rms error",
    )
    title = f"Inferred AP from a share of {sum(judged.values())} judgements against AP from all, {len(means)} systems"
    return Result(
        "",
        (
            Table("pool", title, columns, tuple(rows)),
            Table(
                "topics", "AP and inferred AP", ("percent", "topic", "system", "AP", "infAP"), tuple(points)
            ),
        ),
        (*truth.notes, *([f"{n_spam} grades below -1 count as judged and not relevant"] if n_spam else [])),
        {
            "percents": shares,
            "n_replicates": n_replicates,
            "systems": len(means),
            "topics": len(truth.topics),
        },
        experiment=who,
        seed=seed,
    )


def thinned(qrels: Qrels, percent: float, rng: np.random.Generator) -> Qrels:
    """Keep a share of the judgements of each topic; the others become -1, in the pool and not judged."""
    sample: Qrels = {}
    for topic, documents in qrels.items():
        judged = [d for d, rel in documents.items() if rel >= 0]
        order = [judged[i] for i in rng.permutation(len(judged))]
        n_kept = max(1, round(len(judged) * percent / 100)) if judged else 0
        kept = order[:n_kept]
        relevant = [d for d in order if documents[d] > 0]
        if relevant and not any(documents[d] > 0 for d in kept):
            kept[-1] = relevant[0]
        chosen_documents = set(kept)
        sample[topic] = {d: rel if d in chosen_documents else -1 for d, rel in documents.items()}
    return sample
