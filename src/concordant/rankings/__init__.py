"""Rankings: whatever users pass becomes aligned pairs of float64 arrays."""

from concordant.rankings.compiled import core
from concordant.rankings.convert import as_floats, is_frame, is_real, read, read_two
from concordant.rankings.labels import is_missing, label_text, labels_of, order_by_label, place
from concordant.rankings.options import (
    NAN_POLICIES,
    check_nan_policy,
    generator,
    n_workers,
    one_of,
    proportion,
    several,
    whole_number,
)
from concordant.rankings.orders import ranking
from concordant.rankings.pairs import (
    Pairs,
    Rows,
    broadcast_rows,
    items_last,
    read_one_pair,
    read_pairs,
    refuse_nan,
    screen,
)
from concordant.rankings.ties import Threshold, Tie, TieRelation, read_ties, thresholds

__all__ = [
    "NAN_POLICIES",
    "Pairs",
    "Rows",
    "Threshold",
    "Tie",
    "TieRelation",
    "as_floats",
    "broadcast_rows",
    "check_nan_policy",
    "core",
    "generator",
    "is_frame",
    "is_missing",
    "is_real",
    "items_last",
    "label_text",
    "labels_of",
    "n_workers",
    "one_of",
    "order_by_label",
    "place",
    "proportion",
    "ranking",
    "read",
    "read_one_pair",
    "read_pairs",
    "read_ties",
    "read_two",
    "refuse_nan",
    "screen",
    "several",
    "thresholds",
    "whole_number",
]
