"""Confidence intervals, tests, and which systems differ significantly."""

from concordant.inference.adjust import adjust_pvalues
from concordant.inference.bootstrap import bootstrap
from concordant.inference.difference import difference, difference_of
from concordant.inference.jackknife import jackknife_interval
from concordant.inference.joint import JointIntervals, Steps, groups_of, joint_intervals
from concordant.inference.options import METHODS, Correction, Method, Resampling
from concordant.inference.paired_tests import paired_t_tests
from concordant.inference.permutation import permutation_test
from concordant.inference.resample import (
    ConfidenceInterval,
    TopicSample,
    interval_of_mean,
    intervals_of_means,
)
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

__all__ = [
    "METHODS",
    "BootstrapResult",
    "ConfidenceInterval",
    "Correction",
    "DifferenceResult",
    "JackknifeResult",
    "JointIntervals",
    "Method",
    "PermutationTestResult",
    "Resampling",
    "SignificantPairs",
    "Steps",
    "TopicSample",
    "adjust_pvalues",
    "bootstrap",
    "difference",
    "difference_of",
    "groups_of",
    "interval_of_mean",
    "intervals_of_means",
    "jackknife_interval",
    "joint_intervals",
    "paired_t_tests",
    "permutation_test",
    "relation_of",
    "significant_pairs",
    "significant_pairs_of",
    "tied_by_significance",
]
