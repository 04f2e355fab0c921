"""Tables of typed records, rendered as text, Markdown, LaTeX, CSV, JSON or HTML.

This package does not depend on any coefficient.
"""

from concordant.tables.columns import Columns
from concordant.tables.note import Note, topics_of_pairs, unique
from concordant.tables.notes import count, some, target
from concordant.tables.provenance import Input, Provenance
from concordant.tables.render import csv_text, json_text, latex_escape, markdown_escape
from concordant.tables.result import FORMAT, FORMAT_VERSION, Result, records
from concordant.tables.sentences import few, sentences
from concordant.tables.table import Table, absent, parts, plain, to_frame
from concordant.tables.words import listed, number, pvalue, with_interval
from concordant.tables.workbook import workbook_of_rows

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "Columns",
    "Input",
    "Note",
    "Provenance",
    "Result",
    "Table",
    "absent",
    "count",
    "csv_text",
    "few",
    "json_text",
    "latex_escape",
    "listed",
    "markdown_escape",
    "number",
    "parts",
    "plain",
    "pvalue",
    "records",
    "sentences",
    "some",
    "target",
    "to_frame",
    "topics_of_pairs",
    "unique",
    "with_interval",
    "workbook_of_rows",
]
