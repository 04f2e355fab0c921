"""Measures for ir_measures and PyTerrier: how much a run agrees with another run.

>>> import ir_measures, concordant.measures
>>> bm25 = {"q1": {"d1": 2.0, "d2": 1.0, "d3": 0.5}}
>>> dense = {"q1": {"d1": 0.9, "d3": 0.8, "d9": 0.1}}
>>> qrels = {"q1": {"d1": 1}}
>>> measure = concordant.measures.RBO(bm25, p=0.8)
>>> [round(found.value, 4) for found in ir_measures.iter_calc([measure], qrels, dense)]
[0.7067]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from concordant.checks import one_of, proportion
from concordant.coefficients.declaration import coefficient as read_coefficient
from concordant.errors import ArgumentError, missing_library, public
from concordant.rankings.lists import Lists
from concordant.reading.trec_runs import RunLike, each_run

__all__ = ["RBO"]


@public
def RBO(other_run: RunLike, *, p: float = 0.9, ties: Literal["a", "b", "w"] = "a", name: str = "") -> Any:
    """Return rank-biased overlap with another run as a measure of ir_measures.

    Parameters
    ----------
    other_run : path, Run, mapping or DataFrame
        The run to compare with, as `evaluate` takes it.
    p : float, default 0.9
        The persistence, between 0 and 1.
    ties : {"a", "b", "w"}
        The treatment of ties, as in `rbo`. Documents with equal scores are tied.
    name : str, optional
        The name of the measure in results; by default it contains the options and the name of the other run.

    Returns
    -------
    ir_measures.Measure
        The measure, for ``ir_measures.calc_aggregate`` and ``pt.Experiment``. A topic that the other run
        lacks has the value 0. Judgements are not used, but ir_measures takes the topics from them.

    Examples
    --------
    >>> from concordant.measures import RBO
    >>> RBO({"q1": {"d1": 2.0}}, p=0.95, name="overlap")
    overlap
    """
    try:
        import ir_measures
    except ImportError:
        raise missing_library("a measure of ir_measures", "ir_measures", "trec") from None
    proportion("p", p)
    one_of("ties", ties, ("a", "b", "w"))
    runs = list(each_run(other_run))
    if len(runs) != 1:
        raise ArgumentError(f"takes one run to compare with, got {len(runs)}")
    overlap = read_coefficient(f"rbo(p={float(p)!r}, ties={ties})")
    topics = runs[0].topics

    def values(_qrels: Any, run: Any) -> Iterator[tuple[str, float]]:
        found = {
            str(topic): dict(zip(rows["doc_id"].tolist(), rows["score"].tolist(), strict=True))
            for topic, rows in run.groupby("query_id")
        }
        others = Lists(tuple(topics.get(topic, {}) for topic in found))
        overlaps = np.atleast_1d(overlap(others, Lists(tuple(found.values()))))
        yield from zip(found, overlaps.tolist(), strict=True)

    label = name or f"RBO(p={p:g},ties={ties},to={runs[0].name})"
    return ir_measures.define(values, name=label, support_cutoff=False)
