from concordant import experiments as experiments, results as results
from concordant.coefficients.declaration import (
    REGISTRY as REGISTRY,
    coefficient as coefficient,
)
from concordant.coefficients.families import *
from concordant.coefficients.registration import register as register
from concordant.coefficients.unbiased import unbiased_a as unbiased_a
from concordant.errors import (
    ArgumentError as ArgumentError,
    ArgumentTypeError as ArgumentTypeError,
    ConcordantError as ConcordantError,
    InputError as InputError,
    MissingLibraryError as MissingLibraryError,
    TiesError as TiesError,
    UndefinedWarning as UndefinedWarning,
)
from concordant.figures.draw import plot as plot
from concordant.figures.page import report as report
from concordant.questions.board import board as board
from concordant.questions.by_topic import by_topic as by_topic
from concordant.questions.choose import choose as choose
from concordant.questions.compare import compare as compare, counts as counts, tie_range as tie_range
from concordant.questions.compare_runs import compare_runs as compare_runs
from concordant.questions.correlate import correlate as correlate
from concordant.questions.explain import explain as explain
from concordant.questions.grouped import grouped as grouped
from concordant.questions.identify import identify as identify
from concordant.questions.judge import judge as judge
from concordant.questions.label_raters import labels as labels
from concordant.questions.matrix import matrix as matrix
from concordant.questions.metrics import metrics as metrics
from concordant.questions.plan import plan as plan
from concordant.questions.sweep import sweep as sweep
from concordant.rankings.lists import Lists as Lists
from concordant.rankings.order_text import ranking as ranking
from concordant.rankings.ties import TieRelation as TieRelation
from concordant.reading.evaluate import evaluate as evaluate
from concordant.reading.qrels import Qrels as Qrels, read_qrels as read_qrels
from concordant.reading.read_scores import read_scores as read_scores
from concordant.reading.trec_runs import read_run as read_run
from concordant.reading.write_scores import write_scores as write_scores
from concordant.results.result import Result as Result
from concordant.scores.scores import Scores as Scores
from concordant.statistics.difference import difference as difference
from concordant.statistics.jackknife import jackknife_interval as jackknife_interval
from concordant.statistics.metric_accuracy import (
    calibrate_ties as calibrate_ties,
    pairwise_accuracy as pairwise_accuracy,
    soft_pairwise_accuracy as soft_pairwise_accuracy,
)
from concordant.statistics.permutation import permutation_test as permutation_test
from concordant.statistics.resampling import Resampling as Resampling, bootstrap as bootstrap
from concordant.statistics.significance import (
    adjust_pvalues as adjust_pvalues,
    tied_by_significance as tied_by_significance,
)
from concordant.study.study import Study as Study

__version__: str
