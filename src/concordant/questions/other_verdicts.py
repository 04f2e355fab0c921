"""The sentences about systems and runs, except those about how well estimates rank systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from concordant.questions.explain import as_others_do, without
from concordant.questions.verdict import by_measure
from concordant.results.words import count, number, sentences

if TYPE_CHECKING:
    from concordant.questions.explain_scores import Explained, ExplainResult
    from concordant.questions.matrix import Cell
    from concordant.questions.matrix_of_scores import MatrixResult


_MOST = 3  # measures, estimates or coefficients with their own sentences
_SAME = 1e-12


def _left(n: int, what: str) -> str | None:
    """Say how many more the tables have."""
    return f"The tables have {count(n - _MOST, f'more {what}')}" if n > _MOST else None


# --- topic by topic --------------------------------------------------------------------------------------


# --- thresholds ------------------------------------------------------------------------------------------


# --- explanations ----------------------------------------------------------------------------------------


def verdict_of_explanations(result: ExplainResult) -> tuple[str, ...]:
    """Return the verdict of `explain_scores`: for each value what lowers it most."""
    rows = result.explained or ()
    parts = [part for row in rows[:_MOST] for part in _explained(row, result)]
    return sentences([*parts, _left(len(rows), "value")])


def _explained(row: Explained, result: ExplainResult) -> Iterator[str]:
    c, key = row.coefficient, (row.measure, row.coefficient)
    said = f"{c}{by_measure(row.measure)} on the order of {count(row.systems, 'system')} is"
    notes = [note for note in result.notes if note.subject == f"{row.measure}: {c}"]
    if math.isnan(row.value):
        reason = next((f": {n.values['reason']}" for n in notes if n.kind == "undefined_value"), "")
        yield f"{said} undefined{reason}"
        return
    yield f"{said} {number(row.value)}"
    pairs = [p for p in result.pairs or () if (p.measure, p.coefficient) == key]
    alike = next((n for n in notes if n.kind == "pairs_cost_the_same"), None)
    if pairs:
        worst = pairs[0]
        yield (
            f"Of the {count(row.pairs_that_cost, 'pair')} that cost it something, {worst.better} and "
            f"{worst.worse} cost most: {number(worst.cost)}{as_others_do([p.cost for p in pairs])}"
            if row.pairs_that_cost > 1
            else f"One pair costs it something: {worst.better} and {worst.worse}, {number(worst.cost)}"
        )
    elif alike is not None:
        text = str(alike).removeprefix(f"{alike.subject}: ")
        yield text[0].upper() + text[1:]
    removals = [r for r in result.removals or () if (r.measure, r.coefficient) == key]
    if removals:
        yield without([r.system for r in removals], [r.gain for r in removals], result.options["most"])


# --- all pairs -------------------------------------------------------------------------------------------


def verdict_of_matrix(result: MatrixResult) -> tuple[str, ...]:
    """Return the verdict of `matrix_of_scores`: which two rankings agree most, and which least."""
    cells = [cell for cell in result.matrix or () if cell.reference != cell.estimate]
    names = list(dict.fromkeys(cell.reference for cell in cells))
    defined = [cell for cell in cells if not math.isnan(cell.value)]
    if not cells:
        return ()
    c = result.coefficient
    if not defined:
        return sentences([f"{c} is undefined for all pairs of {len(names)} rankings"])
    low, high = (end(defined, key=lambda cell: cell.value) for end in (min, max))
    if high.value - low.value <= _SAME:
        every = "the two rankings" if len(names) == 2 else f"all pairs of {len(names)} rankings"
        return sentences([f"{c} is {number(high.value)} for {every}"])
    most, least = (_of_pair(cell, defined, c.symmetric) for cell in (high, low))
    values = number(high.value), number(low.value)
    return sentences(
        [f"Of {len(names)} rankings, {most} agree most ({c} {values[0]}), {least} least ({values[1]})"]
    )


def _of_pair(cell: Cell, cells: Sequence[Cell], symmetric: bool) -> str:
    """Name a pair; if others have the same value, say how many pairs have it."""
    same = [each for each in cells if abs(each.value - cell.value) <= _SAME]
    pairs = {frozenset((each.reference, each.estimate)) for each in same}
    if len(pairs) > 1:
        return f"{len(pairs)} pairs"
    both = f"{cell.reference} and {cell.estimate}"
    return both if symmetric or len(same) > 1 else f"{cell.reference} (reference) and {cell.estimate}"


# --- runs ------------------------------------------------------------------------------------------------


# --- judgements ------------------------------------------------------------------------------------------
