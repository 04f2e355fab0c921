"""The public names about scores of systems, and files; apart from the others, because files need more modules."""

from concordant import experiments, simulate
from concordant.alignment import Alignment, align
from concordant.evaluation import evaluate
from concordant.experiments._swap import pair_weights
from concordant.explaining import Explanation, PairCost, Removal, explain
from concordant.inference import (
    BootstrapResult,
    ConfidenceInterval,
    DifferenceResult,
    JackknifeResult,
    PermutationTestResult,
    adjust_pvalues,
    bootstrap,
    difference,
    jackknife_interval,
    permutation_test,
)
from concordant.io._files import InputError
from concordant.io.tables import read_scores, write_scores
from concordant.io.trec import Run, read_qrels, read_run
from concordant.judging import by_topic, correlate, judge, sweep
from concordant.labels import label_agreement
from concordant.plotting import plot
from concordant.report import Report, Table
from concordant.scores import Means, Scores
from concordant.significance import SignificantPairs, significant_pairs, tied_by_significance

__all__ = [
    "Alignment",
    "BootstrapResult",
    "ConfidenceInterval",
    "DifferenceResult",
    "Explanation",
    "InputError",
    "JackknifeResult",
    "Means",
    "PairCost",
    "PermutationTestResult",
    "Removal",
    "Report",
    "Run",
    "Scores",
    "SignificantPairs",
    "Table",
    "adjust_pvalues",
    "align",
    "bootstrap",
    "by_topic",
    "correlate",
    "difference",
    "evaluate",
    "experiments",
    "explain",
    "jackknife_interval",
    "judge",
    "label_agreement",
    "pair_weights",
    "permutation_test",
    "plot",
    "read_qrels",
    "read_run",
    "read_scores",
    "significant_pairs",
    "simulate",
    "sweep",
    "tied_by_significance",
    "write_scores",
]

for _public in (
    Alignment, BootstrapResult, ConfidenceInterval, DifferenceResult, Explanation, InputError, JackknifeResult, Means, PairCost,
    PermutationTestResult, Removal, Report, Run, Scores, SignificantPairs, Table,
):  # fmt: skip
    _public.__module__ = "concordant"
