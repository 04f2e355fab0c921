"""Questions about systems: each asks a study and returns its result."""

from concordant.judging.agreement import Agreement, Reason
from concordant.judging.by_topic import ByTopicResult, OfTopic, TopicSummary, by_topic, over_topics
from concordant.judging.correlate import CorrelateResult, correlate
from concordant.judging.judge import JudgedByTopic, JudgeResult, Significance, judge
from concordant.judging.judges import Difference
from concordant.judging.labels import Confusion, LabelAgreement, LabelAgreementResult, label_agreement
from concordant.judging.moves import Moved, Reversed
from concordant.judging.of_studies import ExplainResult, MatrixResult, explain_scores, matrix_of_scores
from concordant.judging.sweep import AtThreshold, SweepResult, Turn, sweep

__all__ = [
    "Agreement",
    "AtThreshold",
    "ByTopicResult",
    "Confusion",
    "CorrelateResult",
    "Difference",
    "ExplainResult",
    "JudgeResult",
    "JudgedByTopic",
    "LabelAgreement",
    "LabelAgreementResult",
    "MatrixResult",
    "Moved",
    "OfTopic",
    "Reason",
    "Reversed",
    "Significance",
    "SweepResult",
    "TopicSummary",
    "Turn",
    "by_topic",
    "correlate",
    "explain_scores",
    "judge",
    "label_agreement",
    "matrix_of_scores",
    "over_topics",
    "sweep",
]
