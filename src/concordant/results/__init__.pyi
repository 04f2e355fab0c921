from concordant.coefficients.declaration import Coefficient as Coefficient
from concordant.coefficients.item_lists import RboBounds as RboBounds
from concordant.experiments.experiment import load as load
from concordant.questions.benchmarks import (
    AgreementOfSome as AgreementOfSome,
    Standing as Standing,
    WithoutSystem as WithoutSystem,
)
from concordant.questions.board import (
    BoardAggregate as BoardAggregate,
    BoardChoice as BoardChoice,
    BoardPair as BoardPair,
    BoardResult as BoardResult,
    BoardSystem as BoardSystem,
)
from concordant.questions.by_topic import (
    ByTopicResult as ByTopicResult,
    OfTopic as OfTopic,
    TopicSummary as TopicSummary,
)
from concordant.questions.choose import Alternative as Alternative, Choice as Choice, Declared as Declared
from concordant.questions.compare import (
    Compared as Compared,
    Comparison as Comparison,
    Counts as Counts,
    ItemCounts as ItemCounts,
    TieRange as TieRange,
)
from concordant.questions.compare_runs import (
    RunAgreement as RunAgreement,
    RunCell as RunCell,
    RunsResult as RunsResult,
    RunTopic as RunTopic,
)
from concordant.questions.correlate import (
    Agreement as Agreement,
    CorrelateResult as CorrelateResult,
    Judged as Judged,
)
from concordant.questions.explain import (
    DepthCost as DepthCost,
    Explained as Explained,
    Explanation as Explanation,
    ItemCost as ItemCost,
    PairCost as PairCost,
    Removal as Removal,
)
from concordant.questions.identify import Candidate as Candidate, IdentifyResult as IdentifyResult
from concordant.questions.judge import (
    Contender as Contender,
    Difference as Difference,
    ExpectedCorrelation as ExpectedCorrelation,
    JudgeResult as JudgeResult,
    WithoutGroup as WithoutGroup,
)
from concordant.questions.label_raters import (
    AltTested as AltTested,
    Consistency as Consistency,
    ItemDisagreement as ItemDisagreement,
    LabelsResult as LabelsResult,
    OverallAgreement as OverallAgreement,
    ReplacedAnnotator as ReplacedAnnotator,
)
from concordant.questions.matrix import Cell as Cell, Matrix as Matrix
from concordant.questions.metrics import (
    MetricAverage as MetricAverage,
    MetricPair as MetricPair,
    MetricsResult as MetricsResult,
    MetricTask as MetricTask,
)
from concordant.questions.plan import (
    Needed as Needed,
    Planned as Planned,
    PlanResult as PlanResult,
    SmallerSet as SmallerSet,
)
from concordant.questions.raters import (
    Confusion as Confusion,
    LabelThreshold as LabelThreshold,
    RaterAgreement as RaterAgreement,
    TopicLabels as TopicLabels,
)
from concordant.questions.sweep import (
    AtThreshold as AtThreshold,
    SweepResult as SweepResult,
)
from concordant.questions.systems import PairOfSystems as PairOfSystems, RankedSystem as RankedSystem
from concordant.reading.trec_runs import Run as Run
from concordant.results.note import Note as Note
from concordant.results.result import Result as Result
from concordant.results.table import Table as Table
from concordant.scores.means import Means as Means
from concordant.statistics.confidence import ConfidenceInterval as ConfidenceInterval
from concordant.statistics.difference import DifferenceResult as DifferenceResult
from concordant.statistics.jackknife import JackknifeResult as JackknifeResult
from concordant.statistics.metric_accuracy import TieCalibration as TieCalibration
from concordant.statistics.permutation import PermutationTestResult as PermutationTestResult
from concordant.statistics.resampling import BootstrapResult as BootstrapResult
from concordant.study.pairing import Measures as Measures, Pairing as Pairing
