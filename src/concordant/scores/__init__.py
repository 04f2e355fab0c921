"""Scores of systems on topics, exact means, and studies: a reference and its estimates, aligned once."""

from concordant.scores.align import common_topics
from concordant.scores.columns import COLUMNS, find_columns, is_column
from concordant.scores.exact_means import exact_sums, snap
from concordant.scores.from_data import ScoresLike, ranking_of, scores_of
from concordant.scores.scores import Means, Scores
from concordant.scores.study import Measured, Measures, Pairing, Study, study_of

__all__ = [
    "COLUMNS",
    "Means",
    "Measured",
    "Measures",
    "Pairing",
    "Scores",
    "ScoresLike",
    "Study",
    "common_topics",
    "exact_sums",
    "find_columns",
    "is_column",
    "ranking_of",
    "scores_of",
    "snap",
    "study_of",
]
