"""The lists of runs in little memory: numbers in place of the names of documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from concordant.io import Run, trec_ranking
from concordant.rankings import ListPairs, ends_of_scores
from concordant.typing import Integers

__all__ = ["ListsOfTopic", "lists_of_runs"]


class ListsOfTopic:
    """The lists of the runs that have a topic."""

    def __init__(self) -> None:
        self.runs: list[int] = []
        self.numbers: defaultdict[str, int] = defaultdict()  # of documents
        self.numbers.default_factory = self.numbers.__len__
        self.codes: list[NDArray[np.int32]] = []
        self.ends: list[NDArray[np.int32] | None] = []

    def add(self, run: int, documents: dict[str, float], order: str, threshold: float) -> None:
        """Add the list of one run."""
        n = len(documents)
        ranked = trec_ranking(documents) if order == "trec_eval" else documents
        codes = np.fromiter(map(self.numbers.__getitem__, ranked), dtype=np.int32, count=n)
        ends: Integers | None = None
        if order == "scores":
            scores = np.fromiter(documents.values(), dtype=np.float64, count=n)
            places, ends = ends_of_scores(scores, threshold)
            codes = codes[places]
        self.runs.append(run)
        self.codes.append(codes)
        self.ends.append(None if ends is None else ends.astype(np.int32))

    def pairs(self) -> ListPairs:
        """Return all pairs of lists."""
        sizes = list(map(len, self.codes))
        tied = any(ends is not None for ends in self.ends)
        filled = [
            np.arange(1, n + 1) if ends is None else ends for n, ends in zip(sizes, self.ends, strict=True)
        ]
        first, second = np.triu_indices(len(sizes), 1)
        return ListPairs(
            codes=np.concatenate(self.codes, dtype=np.int64),
            ends=np.concatenate(filled, dtype=np.int64) if tied else np.empty(0, dtype=np.int64),
            offsets=np.concatenate([[0], np.cumsum(sizes)]),
            n_codes=len(self.numbers),
            first=first,
            second=second,
            shape=(len(first),),
        )


def lists_of_runs(
    runs: Iterable[Run], order: str, threshold: float
) -> tuple[list[str], dict[str, ListsOfTopic]]:
    """Return the names of the runs, and the lists of each topic; one run after the other is in memory."""
    names: list[str] = []
    topics: defaultdict[str, ListsOfTopic] = defaultdict(ListsOfTopic)
    for number, run in enumerate(runs):
        names.append(run.name)
        for topic, documents in run.topics.items():
            topics[topic].add(number, documents, order, threshold)
    return names, dict(topics)
