"""Questions about rankings of systems: correlate, judge, by_topic, sweep, compare_runs, label_agreement."""

from concordant.judging.agreement import Agreement, Reason
from concordant.judging.best_estimate import Difference
from concordant.judging.by_topic import ByTopicResult, OfTopic, TopicSummary, by_topic, over_topics
from concordant.judging.choose_on import choose_on_runs, choose_on_scores
from concordant.judging.correlate import CorrelateResult, correlate
from concordant.judging.explain_scores import ExplainResult, explain_scores
from concordant.judging.judge import judge
from concordant.judging.judge_result import JudgedByTopic, JudgedTopic, JudgeResult, Significance
from concordant.judging.labels import Confusion, LabelAgreement, LabelAgreementResult, label_agreement
from concordant.judging.matrix_of_scores import MatrixResult, matrix_of_scores
from concordant.judging.moves import Moved, Reversed
from concordant.judging.runs import compare_runs
from concordant.judging.runs_result import RunAgreement, RunsResult, RunTopic
from concordant.judging.sweep import AtThreshold, AtTop, SweepResult, Turn, sweep
from concordant.judging.systems import PairMap, PairOrder, RankedSystem

__all__ = [
    "Agreement",
    "AtThreshold",
    "AtTop",
    "ByTopicResult",
    "Confusion",
    "CorrelateResult",
    "Difference",
    "ExplainResult",
    "JudgeResult",
    "JudgedByTopic",
    "JudgedTopic",
    "LabelAgreement",
    "LabelAgreementResult",
    "MatrixResult",
    "Moved",
    "OfTopic",
    "PairMap",
    "PairOrder",
    "RankedSystem",
    "Reason",
    "Reversed",
    "RunAgreement",
    "RunTopic",
    "RunsResult",
    "Significance",
    "SweepResult",
    "TopicSummary",
    "Turn",
    "by_topic",
    "choose_on_runs",
    "choose_on_scores",
    "compare_runs",
    "correlate",
    "explain_scores",
    "judge",
    "label_agreement",
    "matrix_of_scores",
    "over_topics",
    "sweep",
]
