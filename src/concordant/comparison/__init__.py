"""Questions about rankings: compare, matrix, grouped, counts, explain, axioms, choose, tie_range."""

from concordant.comparison.axioms import Axioms, Verdict, axioms
from concordant.comparison.choose import (
    Alternative,
    Choice,
    Question,
    alternatives,
    choose,
    questions,
    questions_left,
)
from concordant.comparison.compare import Compared, Comparison, compare
from concordant.comparison.counts import Counts, ItemCounts, counts, item_counts
from concordant.comparison.explain import explain, explain_pair
from concordant.comparison.explain_lists import DepthCost, ListExplanation, RankedItemCost
from concordant.comparison.explain_result import (
    Explanation,
    ItemCost,
    PairCost,
    Removal,
    as_others_do,
    without,
)
from concordant.comparison.grouped import grouped
from concordant.comparison.listing import Declared, Listing, listing
from concordant.comparison.matrix import Cell, Matrix, all_pairs, matrix
from concordant.comparison.tie_range import TieRange, tie_range, tie_range_notes

__all__ = [
    "Alternative",
    "Axioms",
    "Cell",
    "Choice",
    "Compared",
    "Comparison",
    "Counts",
    "Declared",
    "DepthCost",
    "Explanation",
    "ItemCost",
    "ItemCounts",
    "ListExplanation",
    "Listing",
    "Matrix",
    "PairCost",
    "Question",
    "RankedItemCost",
    "Removal",
    "TieRange",
    "Verdict",
    "all_pairs",
    "alternatives",
    "as_others_do",
    "axioms",
    "choose",
    "compare",
    "counts",
    "explain",
    "explain_pair",
    "grouped",
    "item_counts",
    "listing",
    "matrix",
    "questions",
    "questions_left",
    "tie_range",
    "tie_range_notes",
    "without",
]
