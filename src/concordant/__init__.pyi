from concordant import experiments as experiments
from concordant.coefficients.declaration import REGISTRY as REGISTRY, Coefficient as Coefficient
from concordant.coefficients.families import *
from concordant.coefficients.registration import register as register
from concordant.coefficients.text_form import coefficient as coefficient
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
from concordant.experiments import simulate as simulate
from concordant.experiments.axioms import Axioms as Axioms, Verdict as Verdict, axioms as axioms
from concordant.experiments.swap import pair_weights as pair_weights
from concordant.figures.draw import plot as plot
from concordant.figures.page import report as report
from concordant.questions.agreement import Agreement as Agreement, Reason as Reason
from concordant.questions.best_estimate import Difference as Difference
from concordant.questions.by_topic import (
    ByTopicResult as ByTopicResult,
    OfTopic as OfTopic,
    TopicSummary as TopicSummary,
    by_topic as by_topic,
)
from concordant.questions.choose import Choice as Choice, choose as choose
from concordant.questions.compare import Compared as Compared, Comparison as Comparison, compare as compare
from concordant.questions.compare_runs import (
    RunAgreement as RunAgreement,
    RunsResult as RunsResult,
    RunTopic as RunTopic,
    compare_runs as compare_runs,
)
from concordant.questions.correlate import CorrelateResult as CorrelateResult, correlate as correlate
from concordant.questions.counts import (
    Counts as Counts,
    ItemCounts as ItemCounts,
    counts as counts,
)
from concordant.questions.explain import (
    DepthCost as DepthCost,
    Explained as Explained,
    Explanation as Explanation,
    ItemCost as ItemCost,
    PairCost as PairCost,
    Removal as Removal,
    explain as explain,
)
from concordant.questions.grouped import grouped as grouped
from concordant.questions.judge import (
    JudgedByTopic as JudgedByTopic,
    JudgedTopic as JudgedTopic,
    JudgeResult as JudgeResult,
    Significance as Significance,
    judge as judge,
)
from concordant.questions.label_agreement import (
    Confusion as Confusion,
    LabelAgreement as LabelAgreement,
    LabelAgreementResult as LabelAgreementResult,
    label_agreement as label_agreement,
)
from concordant.questions.matrix import Matrix as Matrix, matrix as matrix
from concordant.questions.plan import (
    Needed as Needed,
    Planned as Planned,
    PlanResult as PlanResult,
    TopicsNeededResult as TopicsNeededResult,
    TopicsToTellResult as TopicsToTellResult,
    plan as plan,
    topics_needed as topics_needed,
    topics_to_tell as topics_to_tell,
)
from concordant.questions.sweep import (
    AtThreshold as AtThreshold,
    AtTop as AtTop,
    SweepResult as SweepResult,
    Turn as Turn,
    sweep as sweep,
)
from concordant.questions.systems import (
    Moved as Moved,
    PairMap as PairMap,
    PairOrder as PairOrder,
    RankedSystem as RankedSystem,
    Reversed as Reversed,
)
from concordant.questions.tie_range import TieRange as TieRange, tie_range as tie_range
from concordant.rankings.lists import Lists as Lists
from concordant.rankings.order_text import ranking as ranking
from concordant.rankings.ties import TieRelation as TieRelation
from concordant.reading.evaluate import evaluate as evaluate
from concordant.reading.qrels import read_qrels as read_qrels
from concordant.reading.read_scores import read_scores as read_scores
from concordant.reading.trec_runs import Run as Run, read_run as read_run
from concordant.reading.write_scores import write_scores as write_scores
from concordant.results.note import Note as Note
from concordant.results.result import Result as Result
from concordant.results.table import Table as Table
from concordant.scores.means import Means as Means
from concordant.scores.scores import Scores as Scores
from concordant.statistics.bootstrap import bootstrap as bootstrap
from concordant.statistics.confidence import ConfidenceInterval as ConfidenceInterval
from concordant.statistics.difference import difference as difference
from concordant.statistics.jackknife import jackknife_interval as jackknife_interval
from concordant.statistics.permutation import permutation_test as permutation_test
from concordant.statistics.reliability import ExpectedResult as ExpectedResult, expected as expected
from concordant.statistics.scalars import (
    BootstrapResult as BootstrapResult,
    DifferenceResult as DifferenceResult,
    JackknifeResult as JackknifeResult,
    PermutationTestResult as PermutationTestResult,
)
from concordant.statistics.significance import (
    SignificantPairs as SignificantPairs,
    adjust_pvalues as adjust_pvalues,
    significant_pairs as significant_pairs,
    tied_by_significance as tied_by_significance,
)
from concordant.study.pairing import Measures as Measures, Pairing as Pairing
from concordant.study.study import Study as Study

__version__: str
