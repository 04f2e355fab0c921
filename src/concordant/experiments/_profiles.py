"""How much the grades of the documents change what a coefficient says of two runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import concordant.coefficients as _coefficients
from concordant._inputs import Floats, one_of
from concordant.experiments._result import Progress, Result, positive, seeded
from concordant.io._files import Source, expand, name_of, stem_of
from concordant.io.trec import read_qrels, read_run
from concordant.report import Table

__all__ = ["profiles"]

BASES = {"tau": "tau", "ap": "tau_ap", "h": "tau_h"}
WAYS = ("sc", "ac", "dw")


def profiles(
    qrels: Source | Mapping[str, Mapping[str, int]],
    runs: Source | Iterable[Source],
    *,
    depth: int = 50,
    least: int = 2,
    names: str = "tag",
    rng: Any = None,
    progress: Progress | None = None,
) -> Result:
    """Compare, for all pairs of runs and topics, the coefficients of rankings with their extensions by grades.

    Parameters
    ----------
    qrels : path or mapping
        Graded judgements; what is not judged, or has a negative grade, counts as 0.
    runs : path, pattern, or several
    depth : int, default 50
        The first documents of each run; those that both have are compared.
    least : int, default 2
        Pairs of lists with fewer documents in common are left out, and counted.
    names : {"tag", "file"}
    rng : int, Generator or None
        For the shuffle that breaks ties of scores within a run.
    progress : callable, optional

    Returns
    -------
    Result
        With the tables "profiles" (mean and quartiles of the absolute difference between each extension and its base) and
        "pairs" (all values, for the scatter).

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, figure 1.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.experiments.profiles("human.qrels", "runs/*", rng=1)  # doctest: +SKIP
    """
    who = "profiles"
    one_of(who, "names", names, ("tag", "file"))
    positive(who, "depth", depth, 2)
    positive(who, "least", least, 2)
    generator, seed = seeded(rng)
    grades = {t: dict(d) for t, d in qrels.items()} if isinstance(qrels, Mapping) else read_qrels(qrels)
    top_grade = max((rel for documents in grades.values() for rel in documents.values()), default=0)
    if top_grade < 1:
        raise ValueError(f"{who}: no document is relevant; the judgements have no positive grade")
    lists, n_tied = _lists(expand("runs", runs), names, grades, depth, generator)
    if len(lists) < 2:
        raise ValueError(f"{who}: there is one run only; pairs are compared")
    by_size: dict[int, list[tuple[str, str, str, list[int], list[int], list[int]]]] = defaultdict(list)
    n_short = 0
    for (first, own), (second, other) in combinations(lists.items(), 2):
        for topic in grades:
            place, place_other = own.get(topic, {}), other.get(topic, {})
            common = [d for d in place if d in place_other]
            if len(common) < least:
                n_short += 1
                continue
            of_documents = [max(grades[topic].get(d, 0), 0) for d in common]
            ranks = [place[d] for d in common], [place_other[d] for d in common]
            by_size[len(common)].append((first, second, topic, *ranks, of_documents))
    rows: list[tuple[Any, ...]] = []
    total = sum(map(len, by_size.values()))
    if total == 0:
        raise ValueError(f"{who}: no two runs have {least} documents in common for any topic")
    for size in sorted(by_size):
        cases = by_size[size]
        x, y = (-np.array([case[k] for case in cases], dtype=np.float64) for k in (3, 4))
        found = _values(x, y, np.array([case[5] for case in cases]), top_grade)
        for i, case in enumerate(cases):
            rows.append((*case[:3], size, *(float(values[i]) for values in found.values())))
        if progress is not None:
            progress(len(rows), total)
    columns = ("run", "other run", "topic", "documents", *_names())
    rows = [
        tuple(None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row) for row in rows
    ]
    notes = [f"{n_short} lists with fewer than {least} documents in common were left out"] if n_short else []
    if n_tied:
        notes.append(
            f"{n_tied} documents shared their score with another in their run; a shuffle broke these ties"
        )
    return Result(
        "",
        (
            _summary(columns, rows),
            Table("pairs", "All pairs of runs and topics", columns, tuple(rows)),
        ),
        tuple(notes),
        {"depth": depth, "runs": len(lists), "topics": len(grades), "max_grade": top_grade},
        experiment=who,
        seed=seed,
    )


def _names() -> list[str]:
    return [*BASES.values(), *(f"{base}_{way}" for way in WAYS for base in BASES.values())]


def _lists(
    files: list[Source], names: str, grades: Mapping[str, Any], depth: int, rng: np.random.Generator
) -> tuple[dict[str, dict[str, dict[str, int]]], int]:
    """Return for each run and topic the rank of each document, and how many documents shared their score."""
    lists: dict[str, dict[str, dict[str, int]]] = {}
    n_tied = 0
    for file in files:
        run = read_run(file)
        name = run.name if names == "tag" else stem_of(file)
        if name in lists:
            raise ValueError(
                f"{name_of(file)}: another run is named {name!r}; names='file' names runs by their files"
            )
        lists[name] = {}
        for topic in grades:
            if topic not in run.topics:
                continue
            documents = run.topics[topic]
            scores = np.fromiter(documents.values(), dtype=np.float64, count=len(documents))
            order = np.lexsort((rng.random(len(scores)), -scores))[:depth]
            kept = scores[order]
            counts = np.unique(kept, return_counts=True)[1]
            n_tied += int(counts[counts > 1].sum())
            labels = list(documents)
            lists[name][topic] = {labels[i]: rank for rank, i in enumerate(order.tolist(), 1)}
    return lists, n_tied


def _values(x: Floats, y: Floats, grades: NDArray[np.int64], top: int) -> dict[str, Floats]:
    """Return every coefficient of rows of rankings without ties."""
    import warnings

    from concordant._engine import UndefinedWarning

    grades_x, grades_y = (np.take_along_axis(grades, np.argsort(-side, axis=1), axis=1) for side in (x, y))
    found: dict[str, Floats] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # nan in the table says it
        for base in BASES.values():
            found[base] = np.asarray(getattr(_coefficients, base)(x, y))
        for way in WAYS:
            for base in BASES.values():
                function = getattr(_coefficients, f"{base}_{way}")
                if way == "dw":
                    found[f"{base}_{way}"] = np.asarray(function(x, y, grades))
                else:
                    found[f"{base}_{way}"] = np.asarray(function(grades_x, grades_y, max_grade=top))
    return found


def _summary(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    summary: list[tuple[Any, ...]] = []
    for base in BASES.values():
        for way in WAYS:
            i, j = columns.index(base), columns.index(f"{base}_{way}")
            both = [(row[i], row[j]) for row in rows if row[i] is not None and row[j] is not None]
            differences = np.abs([a - b for a, b in both])
            if len(both) == 0:
                summary.append((base, f"{base}_{way}", 0, len(rows), *[None] * 5))
                continue
            quartiles = np.quantile(differences, [0.25, 0.5, 0.75, 1]).tolist()
            mean = math.fsum(differences) / len(both)
            summary.append((base, f"{base}_{way}", len(both), len(rows) - len(both), mean, *quartiles))
    header = (
        "base",
        "extension",
        "pairs",
        "undefined",
        "mean difference",
        "first quartile",
        "median",
        "third quartile",
        "maximum",
    )
    return Table(
        "profiles", "Absolute difference between an extension by grades and its base", header, tuple(summary)
    )
