"""Confidence intervals, tests, and which systems differ significantly."""

from concordant.inference.adjust import adjust_pvalues
from concordant.inference.bootstrap import bootstrap
from concordant.inference.confidence import ConfidenceInterval
from concordant.inference.difference import difference, difference_of, parts_of_work
from concordant.inference.expected import (
    ExpectedResult,
    expected,
    expected_kind,
    reliability_note,
    reliability_of,
)
from concordant.inference.jackknife import jackknife_interval
from concordant.inference.joint import JointIntervals, OneOfMany, Steps, groups_of, joint_intervals
from concordant.inference.means import intervals_of_means
from concordant.inference.options import METHODS, Correction, DifferenceMethod, Method, Resampling
from concordant.inference.paired_tests import paired_t_tests
from concordant.inference.permutation import permutation_test
from concordant.inference.planning import (
    Needed,
    Planned,
    PlanResult,
    TopicsNeededResult,
    plan,
    topics_needed,
)
from concordant.inference.rank_intervals import rank_intervals, shared_ranks
from concordant.inference.resample import TopicSample
from concordant.inference.results import (
    BootstrapResult,
    DifferenceResult,
    JackknifeResult,
    PermutationTestResult,
)
from concordant.inference.significance import (
    SignificantPairs,
    relation_of,
    significant_pairs,
    significant_pairs_of,
    tied_by_significance,
)
from concordant.inference.telling import TopicsToTellResult, topics_to_tell

__all__ = [
    "METHODS",
    "BootstrapResult",
    "ConfidenceInterval",
    "Correction",
    "DifferenceMethod",
    "DifferenceResult",
    "ExpectedResult",
    "JackknifeResult",
    "JointIntervals",
    "Method",
    "Needed",
    "OneOfMany",
    "PermutationTestResult",
    "PlanResult",
    "Planned",
    "Resampling",
    "SignificantPairs",
    "Steps",
    "TopicSample",
    "TopicsNeededResult",
    "TopicsToTellResult",
    "adjust_pvalues",
    "bootstrap",
    "difference",
    "difference_of",
    "expected",
    "expected_kind",
    "groups_of",
    "intervals_of_means",
    "jackknife_interval",
    "joint_intervals",
    "paired_t_tests",
    "parts_of_work",
    "permutation_test",
    "plan",
    "rank_intervals",
    "relation_of",
    "reliability_note",
    "reliability_of",
    "shared_ranks",
    "significant_pairs",
    "significant_pairs_of",
    "tied_by_significance",
    "topics_needed",
    "topics_to_tell",
]
