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
from concordant._inputs import Floats, Progress, one_of, seeded, whole_number
from concordant.experiments._result import Result
from concordant.io._files import Source, expand, name_of, stem_of
from concordant.io.trec import read_qrels, read_run
from concordant.report import Table
from concordant.simulate import Profiles

__all__ = ["profiles"]

BASES = {"tau": "tau", "ap": "tau_ap", "h": "tau_h"}
WAYS = ("sc", "ac", "dw")


def profiles(
    qrels: Source | Mapping[str, Mapping[str, int]] | None = None,
    runs: Source | Iterable[Source] = (),
    *,
    simulated: Profiles | None = None,
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
    simulated : Profiles, optional
        From `concordant.simulate.profiles`, instead of judgements and runs.
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
    whole_number(who, "depth", depth, 2)
    whole_number(who, "least", least, 2)
    generator, seed = seeded(rng)
    if (simulated is None) == (qrels is None):
        raise ValueError(f"{who}: give judgements and runs, or simulated profiles")
    if simulated is None:
        by_size, top_grade, counts, notes = _from_files(who, qrels, runs, names, depth, least, generator)
    else:
        by_size, top_grade, counts, notes = _from_simulation(who, simulated, generator)
    rows: list[tuple[Any, ...]] = []
    total = sum(map(len, by_size.values()))
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
    return Result(
        "",
        (
            _summary(columns, rows),
            Table("pairs", "All pairs of runs and topics", columns, tuple(rows)),
        ),
        tuple(notes),
        {"depth": depth, "least": least, "names": names, **counts, "max_grade": top_grade},
        experiment=who,
        seed=seed,
    )


Case = tuple[
    str, str, str, list[int], list[int], list[int]
]  # run, other run, topic, ranks, other ranks, grades
Cases = tuple[dict[int, list[Case]], int, dict[str, int], list[str]]  # by size; top grade; counts; notes


def _from_files(
    who: str, qrels: Any, runs: Any, names: str, depth: int, least: int, rng: np.random.Generator
) -> Cases:
    grades = {t: dict(d) for t, d in qrels.items()} if isinstance(qrels, Mapping) else read_qrels(qrels)
    top_grade = max((rel for documents in grades.values() for rel in documents.values()), default=0)
    if top_grade < 1:
        raise ValueError(f"{who}: no document is relevant; the judgements have no positive grade")
    lists, n_tied = _lists(expand("runs", runs), names, grades, depth, rng)
    if len(lists) < 2:
        raise ValueError(f"{who}: there is one run only; pairs are compared")
    by_size: dict[int, list[Case]] = defaultdict(list)
    n_short = n_unanswered = 0
    for (first, own), (second, other) in combinations(lists.items(), 2):
        for topic in grades:
            if topic not in own or topic not in other:
                n_unanswered += 1
                continue
            place, place_other = own[topic], other[topic]
            common = [d for d in place if d in place_other]
            if len(common) < least:
                n_short += 1
                continue
            of_documents = [max(grades[topic].get(d, 0), 0) for d in common]
            ranks = [place[d] for d in common], [place_other[d] for d in common]
            by_size[len(common)].append((first, second, topic, *ranks, of_documents))
    if not by_size:
        raise ValueError(f"{who}: no two runs have {least} documents in common for any topic")
    notes = [f"{n_short} lists with fewer than {least} documents in common were left out"] if n_short else []
    if n_tied:
        notes.append(
            f"{n_tied} documents shared their score with another in their run; a shuffle broke these ties"
        )
    return by_size, top_grade, {"runs": len(lists), "topics": len(grades)}, notes


def _from_simulation(who: str, simulated: Profiles, rng: np.random.Generator) -> Cases:
    if len(simulated.scores) < 2:
        raise ValueError(f"{who}: there is one system only; pairs are compared")
    ranks = {}
    n_tied = 0
    for s, scores in enumerate(simulated.scores):
        counts = np.unique(scores, return_counts=True)[1]
        n_tied += int(counts[counts > 1].sum())
        order = np.lexsort((rng.random(len(scores)), -scores))
        ranks[f"system {s + 1}"] = (np.argsort(order) + 1).tolist()
    grades = simulated.grades.tolist()
    cases = [(a, b, "simulated", ranks[a], ranks[b], grades) for a, b in combinations(ranks, 2)]
    off = float(np.abs(simulated.reached - simulated.targets).max())
    notes = [
        f"average nDCG from {simulated.reached.min():.2f} to {simulated.reached.max():.2f}, at most {off:.2f} off target"
    ]
    if n_tied:
        notes.append(
            f"{n_tied} documents shared their score with another in their system; a shuffle broke these ties"
        )
    return {len(grades): cases}, max(grades), {"runs": len(ranks), "topics": 1}, notes


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
            _, which, counts = np.unique(scores, return_inverse=True, return_counts=True)
            n_tied += int((counts[which.ravel()][order] > 1).sum())  # ties with what is cut off, too
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
