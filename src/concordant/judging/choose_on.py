"""What the coefficients that one may choose from give on two files of one's own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from concordant.comparison import Alternative, Choice, alternatives
from concordant.errors import TiesError
from concordant.judging.correlate import correlate
from concordant.judging.runs import compare_runs
from concordant.scores import Scores
from concordant.tables import Note, unique
from concordant.typing import Progress

__all__ = ["choose_on_runs", "choose_on_scores"]


def choose_on_scores(
    choice: Choice, reference: Scores, estimate: Scores, *, progress: Progress | None = None
) -> Choice:
    """Add to a choice the values of the coefficient and its alternatives on the means of two tables."""
    found: list[Alternative] = []
    notes: list[Note] = [*reference.notes, *estimate.notes]
    asked = alternatives(choice)
    sides = _by_measure(reference, estimate)
    for done, (c, answer) in enumerate(asked):
        for measure, (x, y) in sides.items():
            try:
                result = correlate(x, y, c, confidence_level=None, n_reasons=0)
            except TiesError as error:  # of one measure; others may have no ties
                notes.append(Note("ties_not_allowed", f"{c} of {measure}", {"reason": error.text}))
                found.append(Alternative(c, measure, math.nan, answer))
            else:
                notes += [note for note in result.notes if note.kind == "undefined"]
                found += [Alternative(c, str(each.measure), each.value, answer) for each in result]
        if progress is not None:
            progress(done + 1, len(asked))
    return replace(choice, alternatives=tuple(found), notes=unique(notes))


def _by_measure(x: Scores, y: Scores) -> dict[str, tuple[Scores, Scores]]:
    """Return both sides by each measure that they share; as they are if they share none."""
    shared = [measure for measure in x.measures if measure in y.measures]
    return {each: (x[each], y[each]) for each in shared} or {x.measures[0]: (x, y)}


def choose_on_runs(choice: Choice, runs: Sequence[Any], *, progress: Progress | None = None) -> Choice:
    """Add to a choice the means over topics of the coefficient and its alternatives on two runs."""
    found: list[Alternative] = []
    notes: list[Note] = []
    asked = alternatives(choice)
    for done, (c, answer) in enumerate(asked):
        result = compare_runs(runs, c, confidence_level=None, n_worst=0)
        mean = result.pairs[0].mean
        found.append(Alternative(c, "mean over topics", math.nan if mean is None else mean, answer))
        notes += result.notes
        if progress is not None:
            progress(done + 1, len(asked))
    return replace(choice, alternatives=tuple(found), notes=unique(notes))
