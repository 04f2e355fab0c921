"""Read scores: from tables, or from runs with judgements."""

from concordant.io.evaluate import Judged, evaluate, evaluate_under
from concordant.io.files import (
    Source,
    expand,
    is_pattern,
    name_of,
    read_bytes,
    read_text,
    shown,
    stem_of,
    write_whole,
)
from concordant.io.judgements import QrelsLike, qrels_of
from concordant.io.measure_names import ir_measures_name
from concordant.io.measures import MeasuresLike, measures_of
from concordant.io.qrels import Qrels, read_qrels
from concordant.io.renaming import read_names
from concordant.io.runs import NAMES, Names, RankedRun, RunLike, RunsLike, each_run, read_runs
from concordant.io.scan import Scan, scan
from concordant.io.tables.read import FORMATS, Format, ReadOptions, read_scores, read_tables
from concordant.io.tables.write import as_text, write_scores
from concordant.io.trec import (
    Run,
    in_trec_order,
    read_run,
    trec_ranking,
    write_qrels,
    write_run,
)

__all__ = [
    "FORMATS",
    "NAMES",
    "Format",
    "Judged",
    "MeasuresLike",
    "Names",
    "Qrels",
    "QrelsLike",
    "RankedRun",
    "ReadOptions",
    "Run",
    "RunLike",
    "RunsLike",
    "Scan",
    "Source",
    "as_text",
    "each_run",
    "evaluate",
    "evaluate_under",
    "expand",
    "in_trec_order",
    "ir_measures_name",
    "is_pattern",
    "measures_of",
    "name_of",
    "qrels_of",
    "read_bytes",
    "read_names",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_scores",
    "read_tables",
    "read_text",
    "scan",
    "shown",
    "stem_of",
    "trec_ranking",
    "write_qrels",
    "write_run",
    "write_scores",
    "write_whole",
]
