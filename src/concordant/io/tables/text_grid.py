"""Tables of text, CSV and TSV, as grids of columns."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial

from concordant.errors import fail
from concordant.io.files import NUMBER, Source, name_of, shown, stem_of
from concordant.io.measure_names import is_measure_name
from concordant.io.tables.cells import Line, rows_of_text
from concordant.scores import WORDS_FOR_MISSING, Column, Decimal, Grid, decimal_mark, is_column, numbers_of

__all__ = ["grid_of_cells", "grid_of_text", "texts"]


def grid_of_text(source: Source, text: str, mark: str, decimal: Decimal | None) -> Grid:
    """Read a CSV or TSV."""
    rows = list(rows_of_text(name_of(source), text, mark))
    if not rows:
        fail(name_of(source), None, "is empty")
    return grid_of_cells(source, rows, decimal)


def grid_of_cells(
    source: Source, rows: list[Line], decimal: Decimal | None, remarks: tuple[str, ...] = ()
) -> Grid:
    """Make a grid of rows of cells, the first of which is the header, if there is one."""
    name = name_of(source)
    rows, above = _without_titles(rows)
    remarks += above
    header, rows = _headed(name, rows)
    if not rows:
        fail(name, None, "has a header and no rows")
    header, rows = _even(header, rows)
    for line, row in rows:
        if len(row) != len(header):
            whole = shown(",".join(row))
            fail(name, line, f"expected {len(header)} columns, found {len(row)}: {whole}; mend the line")
    cells = list(zip(*(row for _, row in rows), strict=True))
    mark = decimal or decimal_mark(cells)
    columns, found = [], set(remarks)
    for head, column in zip(header, cells, strict=True):
        read = numbers_of(column, mark)
        found |= read.remarks
        columns.append(Column(head, partial(list, column), read.values, read.problem, read.bad or 0))
    lines = [line for line, _ in rows]
    return Grid(
        name,
        stem_of(source),
        tuple(columns),
        len(rows),
        lines.__getitem__,
        partial(fail, name),
        tuple(sorted(found)),
    )


def _without_titles(rows: list[Line]) -> tuple[list[Line], tuple[str, ...]]:
    """Leave out comments, and a title above the header: one cell above several cells without numbers."""
    kept = [row for row in rows if not (row[1][0].lstrip().startswith("#") and _filled(row) == 1)]
    remarks = ("lines that begin with # were left out",) if 0 < len(kept) < len(rows) else ()
    rows = kept or rows
    title = len(rows) > 2 and _filled(rows[0]) == 1 < _filled(rows[1])
    if title and not any(NUMBER.fullmatch(cell.strip()) for cell in rows[1][1]):
        return rows[1:], (*remarks, f"the title {shown(rows[0][1][0].strip())} was left out")
    return rows, remarks


def _filled(row: Line) -> int:
    return sum(1 for cell in row[1] if cell.strip())


def _headed(name: str, rows: list[Line]) -> tuple[list[str], list[Line]]:
    """Separate the header from the rows. Rows of a name and a number need no header."""
    first = [cell.strip() for cell in rows[0][1]]
    numbers = [NUMBER.fullmatch(cell) is not None for cell in first]
    missing = [cell.lower() in WORDS_FOR_MISSING for cell in first]
    known = is_column(first[0], "topic") or is_column(first[0], "system")
    if len(first) == 2 and not numbers[0] and (numbers[1] or (missing[1] and not known)):
        measures = all(is_measure_name(row[0].strip()) for _, row in rows)
        return ["measure" if measures else "system", "value"], rows
    if len(first) > 1 and all(numbers):
        fail(name, 1, "the first line holds numbers; it must name the columns")
    scores = any(numbers[1:]) and all(map(operator.or_, numbers[1:], missing[1:]))
    if len(first) > 2 and scores and len(rows) > 1 and not (known or first[0] == ""):
        fail(name, 1, "the first line holds scores; write a line above it that names the columns")
    return first, rows[1:]


def _even(header: list[str], rows: list[Line]) -> tuple[list[str], list[Line]]:
    """Add a header for row names, which R leaves out; drop the empty last cell if lines end with a mark."""
    known = is_column(header[0], "topic") or is_column(header[0], "system")
    longer = all(len(row) == len(header) + 1 for _, row in rows)
    if all(len(row) > 1 and row[-1].strip() == "" for _, row in rows) and (header[-1:] == [""] or longer):
        header = header[:-1] if header[-1] == "" else header
        return header, [(line, row[:-1]) for line, row in rows]
    return (["", *header] if longer and not known else header), rows


def texts(cells: Sequence[object]) -> list[str]:
    """Return cells of other formats as text; a missing value is empty."""
    return ["" if cell is None else str(cell) for cell in cells]
