"""Tables of typed records, rendered as text, Markdown, LaTeX, CSV, JSON or HTML.

This package does not depend on any coefficient.
"""

from concordant.tables.notes import Note, count, some, target, unique
from concordant.tables.provenance import Input, Provenance
from concordant.tables.render import csv_text, json_text, latex_escape, markdown_escape
from concordant.tables.result import FORMAT, FORMAT_VERSION, Result, records
from concordant.tables.table import Table, parts, plain, to_frame
from concordant.tables.workbook import workbook_of_rows

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "Input",
    "Note",
    "Provenance",
    "Result",
    "Table",
    "count",
    "csv_text",
    "json_text",
    "latex_escape",
    "markdown_escape",
    "parts",
    "plain",
    "records",
    "some",
    "target",
    "to_frame",
    "unique",
    "workbook_of_rows",
]
