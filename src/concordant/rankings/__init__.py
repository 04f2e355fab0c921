"""Rankings: every kind of input becomes aligned pairs of float64 arrays."""

from concordant.rankings.compiled import core
from concordant.rankings.convert import as_floats, is_real, read, read_two
from concordant.rankings.coordinates import is_data_array, refuse_other_coordinates
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.grouped_lists import lists_of_groups
from concordant.rankings.groups import Groups, number_groups
from concordant.rankings.labels import (
    FOR_OTHER_ITEMS,
    in_one_order,
    is_missing,
    label_text,
    labels_of,
    order_by_label,
    place,
)
from concordant.rankings.lists import (
    ListPairs,
    Lists,
    ends_of_scores,
    match_names,
    pairs_of_lists,
    read_lists,
)
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
from concordant.rankings.orders import groups_of_order, order_of, ranking, scores_of_groups
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
    "FOR_OTHER_ITEMS",
    "NAN_POLICIES",
    "AnyFrame",
    "Groups",
    "ListPairs",
    "Lists",
    "Pairs",
    "Rows",
    "Threshold",
    "Tie",
    "TieRelation",
    "as_floats",
    "broadcast_rows",
    "check_nan_policy",
    "core",
    "ends_of_scores",
    "generator",
    "groups_of_order",
    "in_one_order",
    "is_data_array",
    "is_frame",
    "is_missing",
    "is_real",
    "items_last",
    "label_text",
    "labels_of",
    "lists_of_groups",
    "match_names",
    "n_workers",
    "number_groups",
    "one_of",
    "order_by_label",
    "order_of",
    "pairs_of_lists",
    "place",
    "proportion",
    "ranking",
    "read",
    "read_lists",
    "read_one_pair",
    "read_pairs",
    "read_ties",
    "read_two",
    "refuse_nan",
    "refuse_other_coordinates",
    "scores_of_groups",
    "screen",
    "several",
    "thresholds",
    "whole_number",
]
