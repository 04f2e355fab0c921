"""Scores of systems on topics, exact means, and studies: a reference and its estimates, aligned once."""

from concordant.scores.align import common_topics
from concordant.scores.columns import COLUMNS, find_columns, is_column, is_numbered
from concordant.scores.exact_means import exact_sums, snap
from concordant.scores.from_data import ScoresLike, ranking_of, scores_of
from concordant.scores.grid import Column, Grid
from concordant.scores.layout import Headers, Layout, SystemsIn, layouts_of
from concordant.scores.means import Means
from concordant.scores.names import matched
from concordant.scores.numbers import (
    NUMBER,
    PLAIN,
    WORDS_FOR_MISSING,
    Decimal,
    decimal_mark,
    numbers_of,
    shown,
)
from concordant.scores.pairing import Measured, Measures, Pairing
from concordant.scores.reading import (
    ALL,
    Reading,
    coded,
    decided,
    in_one_direction,
    joined,
    lower_first,
    read_as,
    reading_of,
    scores_of_codes,
    without_averages,
)
from concordant.scores.scores import Scores
from concordant.scores.study import Study, study_of
from concordant.scores.teams import groups_by_name

__all__ = [
    "ALL",
    "COLUMNS",
    "NUMBER",
    "PLAIN",
    "WORDS_FOR_MISSING",
    "Column",
    "Decimal",
    "Grid",
    "Headers",
    "Layout",
    "Means",
    "Measured",
    "Measures",
    "Pairing",
    "Reading",
    "Scores",
    "ScoresLike",
    "Study",
    "SystemsIn",
    "coded",
    "common_topics",
    "decided",
    "decimal_mark",
    "exact_sums",
    "find_columns",
    "groups_by_name",
    "in_one_direction",
    "is_column",
    "is_numbered",
    "joined",
    "layouts_of",
    "lower_first",
    "matched",
    "numbers_of",
    "ranking_of",
    "read_as",
    "reading_of",
    "scores_of",
    "scores_of_codes",
    "shown",
    "snap",
    "study_of",
    "without_averages",
]
