"""The public names; see the package."""

try:
    from concordant import _core  # noqa: F401
except ImportError as error:  # pragma: no cover - needs a broken installation
    raise ImportError(
        f"concordant's compiled core cannot be loaded ({error}); install the package, or build it with 'pip install .'"
    ) from None

from concordant import coefficients, simulate
from concordant._axioms import Axioms, axioms
from concordant._engine import TiesError, UndefinedWarning
from concordant._registry import REGISTRY, Coefficient, coefficient, get
from concordant._unbiased import unbiased_a
from concordant.alignment import Alignment, align
from concordant.choosing import Choice, choose
from concordant.coefficients import *
from concordant.comparison import Comparison, compare
from concordant.counting import Counts, Profile, counts, profile
from concordant.evaluation import evaluate
from concordant.io._files import InputError
from concordant.io.tables import read_scores, write_scores
from concordant.io.trec import Run, read_qrels, read_run
from concordant.judging import by_topic, correlate, judge, label_agreement, sweep
from concordant.many import grouped, matrix
from concordant.report import Report, Table
from concordant.scores import Means, Scores

__all__ = [
    "REGISTRY",
    "Alignment",
    "Axioms",
    "Choice",
    "Coefficient",
    "Comparison",
    "Counts",
    "InputError",
    "Means",
    "Profile",
    "Report",
    "Run",
    "Scores",
    "Table",
    "TiesError",
    "UndefinedWarning",
    "align",
    "axioms",
    "by_topic",
    "choose",
    "coefficient",
    "compare",
    "correlate",
    "counts",
    "evaluate",
    "get",
    "grouped",
    "judge",
    "label_agreement",
    "matrix",
    "profile",
    "read_qrels",
    "read_run",
    "read_scores",
    "simulate",
    "sweep",
    "unbiased_a",
    "write_scores",
]
__all__ += coefficients.__all__

# In messages and reports these go by the name under which users know them.
for _public in (
    Alignment, Axioms, Choice, Coefficient, Comparison, Counts, InputError, Means, Profile, Report, Run, Scores, Table,
    TiesError, UndefinedWarning,
):  # fmt: skip
    _public.__module__ = "concordant"
