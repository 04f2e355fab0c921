"""The values of the coefficients that `choose` offers, on two files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from concordant.comparison import Alternative, Choice, alternatives
from concordant.errors import TiesError
from concordant.judging.runs import compare_runs
from concordant.judging.wording import of_systems
from concordant.scores import Scores, Study
from concordant.tables import Note, unique
from concordant.typing import Progress

__all__ = ["choose_on_runs", "choose_on_scores"]


def choose_on_scores(
    choice: Choice, reference: Scores, estimate: Scores, *, progress: Progress | None = None
) -> Choice:
    """Add to a choice the values of the coefficient and its alternatives on the means of two tables."""
    found: list[Alternative] = []
    study = Study(reference, {"estimate": estimate})
    notes: list[Note] = list(study.all_notes)
    asked = alternatives(choice)
    for done, (c, answer) in enumerate(asked):
        for pairing in study.pairings:
            measure, value = str(pairing.measures), math.nan
            try:
                (outcome,) = pairing.of_means([c])
            except TiesError as error:  # of one measure; others may have no ties
                notes.append(Note("ties_not_allowed", f"{c} of {measure}", {"reason": error.text}))
            else:
                value = float(outcome.values[0])
                if outcome.undefined:
                    about = {"coefficient": str(c), "reason": of_systems(outcome.reason)}
                    notes.append(Note("undefined", pairing.subject, about))
            found.append(Alternative(c, measure, value, answer))
        if progress is not None:
            progress(done + 1, len(asked))
    return replace(choice, alternatives=tuple(found), notes=unique(notes))


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
