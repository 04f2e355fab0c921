"""A coefficient of all pairs of rankings of the same systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from concordant.checks import n_workers
from concordant.coefficients.declaration import Coefficient, CoefficientLike
from concordant.coefficients.text_form import chosen
from concordant.errors import ArgumentError
from concordant.questions.matrix import Cell, all_pairs
from concordant.questions.other_verdicts import verdict_of_matrix
from concordant.results.note import Note, topics_of_pairs, unique
from concordant.results.result import Result, records
from concordant.scores.scores import Scores
from concordant.study.pairing import Measured, Pairing
from concordant.study.study import Study
from concordant.typing import OnMissing
from concordant.work.pieces import in_pieces


@dataclass(frozen=True)
class TopicsInCommon:
    """How many topics two rankings have in common.

    Attributes
    ----------
    reference : str
        The name of one ranking.
    estimate : str
        The name of the other ranking.
    topics : int
        The number of topics that both have.
    """

    reference: str
    estimate: str
    topics: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class MatrixResult(Result[Cell]):
    """A coefficient of all pairs of rankings of the same systems.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    matrix : tuple of Cell
        The coefficient of all pairs, row against column.
    topics : tuple of TopicsInCommon or None
        Topics in common. It needs rankings over different topics.
    """

    function: ClassVar[str] = "matrix"

    coefficient: Coefficient
    matrix: tuple[Cell, ...] = records(
        Cell, "{coefficient} of all pairs, row against column", spread=("estimate", "value")
    )
    topics: tuple[TopicsInCommon, ...] | None = records(
        TopicsInCommon,
        "Topics in common",
        spread=("estimate", "topics"),
        needs="rankings over different topics",
    )

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: which two agree most, and which least."""
        return verdict_of_matrix(self)


def matrix_of_scores(
    sides: Mapping[str, Scores],
    coefficient: CoefficientLike = "tau_ap_b",
    *,
    on_missing: OnMissing | None = None,
    workers: int = 1,
) -> MatrixResult:
    """Correlate all pairs of rankings by means; each measure of each side is a ranking."""
    (c,) = chosen(coefficient)
    threads = n_workers(workers)
    study = Study.of_sides(sides, on_missing)
    rankings: dict[str, Measured] = {}
    for name, by_measure in zip(sides, study.measured.values(), strict=True):
        for measure, side in by_measure.items():
            both = f"{name} {measure}" if len(sides) > 1 else measure
            rankings[name if len(by_measure) == 1 else both] = side
    if len(rankings) < 2:
        raise ArgumentError("there is only one ranking; give several files, or one with several measures")
    same = len({side.topics for side in rankings.values()}) == 1
    found = _together(c, rankings, study, threads) if same else _pair_by_pair(c, rankings)
    notes = [note for note in study.notes if note.kind != "topics_differ"]
    in_common = [each.topics for each in found.topics or () if each.reference != each.estimate]
    notes += [] if same else [topics_of_pairs(in_common)]
    if found.undefined:
        about = {"pairs": found.undefined, "total": found.total, "reason": found.reason}
        notes.append(Note("undefined_in_matrix", values={"coefficient": str(c), **about}))
    return MatrixResult(coefficient=c, matrix=found.cells, topics=found.topics, notes=unique(notes))


@dataclass(frozen=True)
class _Found:
    """The cells of a matrix, the number of undefined values, and the reason."""

    cells: tuple[Cell, ...]
    undefined: int
    total: int
    reason: str
    topics: tuple[TopicsInCommon, ...] | None = None


def _together(c: Coefficient, rankings: Mapping[str, Measured], study: Study, threads: int) -> _Found:
    """Compute all pairs of rankings over the same topics at once."""
    names, systems = list(rankings), list(study.systems)
    rows = np.array([[side.mean[system] for system in systems] for side in rankings.values()])
    outcome, values = all_pairs(c, names, rows, systems, "raise", threads)
    outcome.refuse()
    cells = tuple(
        Cell(row, column, float(values[i, j]))
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    )
    return _Found(cells, outcome.undefined, len(outcome.values), outcome.reason_of_systems)


def _pair_by_pair(c: Coefficient, rankings: Mapping[str, Measured]) -> _Found:
    """Compute each pair on the topics that both have, or on their own topics if they have none in common."""
    sides = list(rankings.values())
    lines = in_pieces(_line, (c, sides), range(len(sides)), question=lambda: _known_by(c, sides))
    cells, topics, reasons = [], [], []
    for row, line in zip(rankings, lines, strict=True):
        cells += [Cell(row, *each) for each in zip(rankings, line["values"].tolist(), strict=True)]
        topics += [TopicsInCommon(row, *each) for each in zip(rankings, line["topics"], strict=True)]
        reasons += line["reasons"]
    return _Found(tuple(cells), len(reasons), len(cells), reasons[0] if reasons else "", tuple(topics))


def _known_by(c: Coefficient, sides: Sequence[Measured]) -> Any:
    """Return what the values depend on; what the sides have computed so far is none of it."""
    return c, [(side.measure, side.topics, side.scores.systems, side.values) for side in sides]


def _line(shared: tuple[Coefficient, Sequence[Measured]], row: int, threads: int) -> dict[str, Any]:
    """Do a piece: one reference against all."""
    del threads
    c, sides = shared
    values, topics, reasons = [], [], []
    for estimate in sides:
        pairing = Pairing("", sides[row], estimate)
        common = pairing.common_topics()
        (outcome,) = (pairing.on(common) if common else pairing).of_means([c])
        values.append(float(outcome.values[0]))
        topics.append(len(common))
        reasons += [outcome.reason_of_systems] if outcome.undefined else []
    return {"values": np.array(values), "topics": topics, "reasons": reasons}
