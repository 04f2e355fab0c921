from concordant import experiments as experiments
from concordant.coefficients import (
    REGISTRY as REGISTRY,
    Coefficient as Coefficient,
    coefficient as coefficient,
    get as get,
    unbiased_a as unbiased_a,
)
from concordant.coefficients.families import *
from concordant.comparison import (
    Axioms as Axioms,
    Choice as Choice,
    Compared as Compared,
    Comparison as Comparison,
    Counts as Counts,
    DepthCost as DepthCost,
    Explanation as Explanation,
    ItemCost as ItemCost,
    ItemCounts as ItemCounts,
    ListExplanation as ListExplanation,
    Matrix as Matrix,
    PairCost as PairCost,
    RankedItemCost as RankedItemCost,
    Removal as Removal,
    Verdict as Verdict,
    axioms as axioms,
    choose as choose,
    compare as compare,
    counts as counts,
    explain as explain,
    grouped as grouped,
    item_counts as item_counts,
    matrix as matrix,
)
from concordant.errors import (
    ArgumentError as ArgumentError,
    ArgumentTypeError as ArgumentTypeError,
    ConcordantError as ConcordantError,
    InputError as InputError,
    MissingLibraryError as MissingLibraryError,
    TiesError as TiesError,
    UndefinedWarning as UndefinedWarning,
)
from concordant.experiments import pair_weights as pair_weights, simulate as simulate
from concordant.inference import (
    BootstrapResult as BootstrapResult,
    ConfidenceInterval as ConfidenceInterval,
    DifferenceResult as DifferenceResult,
    JackknifeResult as JackknifeResult,
    PermutationTestResult as PermutationTestResult,
    SignificantPairs as SignificantPairs,
    adjust_pvalues as adjust_pvalues,
    bootstrap as bootstrap,
    difference as difference,
    jackknife_interval as jackknife_interval,
    permutation_test as permutation_test,
    significant_pairs as significant_pairs,
    tied_by_significance as tied_by_significance,
)
from concordant.io import (
    Run as Run,
    evaluate as evaluate,
    read_qrels as read_qrels,
    read_run as read_run,
    read_scores as read_scores,
    write_scores as write_scores,
)
from concordant.judging import (
    Agreement as Agreement,
    AtThreshold as AtThreshold,
    ByTopicResult as ByTopicResult,
    Confusion as Confusion,
    CorrelateResult as CorrelateResult,
    Difference as Difference,
    JudgedByTopic as JudgedByTopic,
    JudgeResult as JudgeResult,
    LabelAgreement as LabelAgreement,
    LabelAgreementResult as LabelAgreementResult,
    Moved as Moved,
    OfTopic as OfTopic,
    Reason as Reason,
    Reversed as Reversed,
    RunAgreement as RunAgreement,
    RunsResult as RunsResult,
    RunTopic as RunTopic,
    Significance as Significance,
    SweepResult as SweepResult,
    TopicSummary as TopicSummary,
    Turn as Turn,
    by_topic as by_topic,
    compare_runs as compare_runs,
    correlate as correlate,
    judge as judge,
    label_agreement as label_agreement,
    sweep as sweep,
)
from concordant.present import plot as plot
from concordant.rankings import Lists as Lists, TieRelation as TieRelation, ranking as ranking
from concordant.scores import (
    Means as Means,
    Measures as Measures,
    Pairing as Pairing,
    Scores as Scores,
    Study as Study,
)
from concordant.tables import Note as Note, Result as Result, Table as Table

__version__: str
