"""A made-up test collection, for demonstrations and tests: topics, documents, judgements, systems, judges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.io._files import write_whole
from concordant.io.trec import Qrels

__all__ = ["Collection", "collection"]

FAMILIES = ("lexical", "dense", "neural", "hybrid")
SHARES = (0.80, 0.12, 0.06, 0.02)  # of documents with grade 0, 1, 2, 3


@dataclass(frozen=True, repr=False)
class Collection:
    """Runs, judgements, and imperfect judges of the same pool.

    Attributes
    ----------
    qrels : dict
        The truth, ``{topic: {document: grade}}``, grades 0 to 3, for the documents in the pool.
    runs : dict
        ``{system: {topic: {document: score}}}``.
    judges : dict
        By name, judgements like `qrels`: "noisy" errs at random, "partial" favours the neural systems.
    seed : int or None
    """

    qrels: Qrels
    runs: dict[str, dict[str, dict[str, float]]]
    judges: dict[str, Qrels]
    seed: Any = None

    def __repr__(self) -> str:
        return f"<Collection: {len(self.qrels)} topics, {len(self.runs)} systems, judges {', '.join(self.judges)}>"

    def write(self, folder: str | Path) -> list[Path]:
        """Write TREC files to a folder: runs/NAME.run, human.qrels, and NAME.qrels for each judge."""
        folder = Path(folder)
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        written = []
        for name, topics in self.runs.items():
            lines = []
            for topic, documents in topics.items():
                ranked = sorted(documents.items(), key=lambda item: (item[1], item[0]), reverse=True)
                lines += [
                    f"{topic} Q0 {d} {rank} {score:.6f} {name}" for rank, (d, score) in enumerate(ranked, 1)
                ]
            written.append(folder / "runs" / f"{name}.run")
            write_whole(written[-1], "\n".join(lines) + "\n")
        for name, qrels in {"human": self.qrels, **self.judges}.items():
            lines = [
                f"{topic} 0 {d} {grade}"
                for topic, documents in qrels.items()
                for d, grade in documents.items()
            ]
            written.append(folder / f"{name}.qrels")
            write_whole(written[-1], "\n".join(lines) + "\n")
        return written


def collection(
    n_topics: int = 50,
    n_systems: int = 24,
    n_documents: int = 400,
    *,
    depth: int = 100,
    pool_depth: int = 20,
    rng: Any = None,
) -> Collection:
    """Simulate a test collection.

    Every document has a hidden relevance for every topic; a grade is its band. A system scores a document by its
    relevance, as clearly as the system is good, plus an error that its family shares, plus one of its own. Documents
    among the first `pool_depth` of any system are judged. A noisy judge adds an error of its own to the hidden relevance;
    a partial one errs as the neural systems do, and so prefers what they prefer.

    Parameters
    ----------
    n_topics, n_systems, n_documents : int
        `n_documents` is for each topic.
    depth, pool_depth : int
        Length of the runs, and how much of each is judged.
    rng : int, Generator or None
        A seed gives the same collection each time.

    Returns
    -------
    Collection

    Examples
    --------
    >>> import concordant as cd
    >>> cd.simulate.collection(n_topics=5, rng=1)
    <Collection: 5 topics, 24 systems, judges noisy, partial>
    """
    for name, number, least in (
        ("n_topics", n_topics, 1),
        ("n_systems", n_systems, 1),
        ("n_documents", n_documents, 1),
        ("depth", depth, 1),
        ("pool_depth", pool_depth, 1),
    ):
        if not isinstance(number, int | np.integer) or isinstance(number, bool) or number < least:
            raise ValueError(f"collection: {name} must be a whole number from {least} up, got {number!r}")
    seed = rng if isinstance(rng, int) else None
    rng = np.random.default_rng(rng)
    quality = rng.permuted(np.linspace(0.35, 1.3, n_systems))
    families = [FAMILIES[s % len(FAMILIES)] for s in range(n_systems)]
    width = len(str(n_systems))
    systems = [f"{family}-{s + 1:0{width}d}" for s, family in enumerate(families)]
    runs: dict[str, dict[str, dict[str, float]]] = {system: {} for system in systems}
    human: Qrels = {}
    judges: dict[str, Qrels] = {"noisy": {}, "partial": {}}
    cuts = np.cumsum(SHARES)[:-1]
    for topic in map(str, range(401, 401 + n_topics)):
        relevance = rng.normal(size=n_documents)
        errors = dict(zip(FAMILIES, rng.normal(size=(len(FAMILIES), n_documents)), strict=True))
        difficulty = rng.uniform(0.7, 1.3)
        names = [f"D{topic}-{d + 1:05d}" for d in range(n_documents)]
        pool: set[int] = set()
        for system, family, good in zip(systems, families, quality, strict=True):
            own = rng.normal(size=n_documents)
            scores = good / difficulty * relevance + 0.6 * errors[family] + 0.8 * own
            best = np.argsort(-scores, kind="stable")[:depth]
            runs[system][topic] = {names[d]: round(float(scores[d]), 6) for d in best}
            pool.update(best[:pool_depth].tolist())
        judged = sorted(pool)
        for qrels, seen in (
            (human, relevance),
            (judges["noisy"], relevance + 0.7 * rng.normal(size=n_documents)),
            (judges["partial"], relevance + 0.5 * errors["neural"]),
        ):
            grades = _grades(seen, cuts)
            qrels[topic] = {names[d]: int(grades[d]) for d in judged}
    return Collection(human, runs, judges, seed)


def _grades(seen: NDArray[np.float64], cuts: Iterable[float]) -> NDArray[np.int64]:
    """Give every document the grade of its band among all."""
    standing = np.argsort(np.argsort(seen, kind="stable"), kind="stable") / len(seen)
    return np.searchsorted(np.asarray(list(cuts)), standing, side="right").astype(np.int64)
