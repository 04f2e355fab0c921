"""The public names about rankings; see the package."""

try:
    from concordant import _core  # noqa: F401
except ImportError as error:  # pragma: no cover - needs a broken installation
    raise ImportError(
        f"concordant's compiled core cannot be loaded ({error}); install the package, or build it with 'pip install .'"
    ) from None

import concordant.coefficients
from concordant._axioms import Axioms, axioms
from concordant._engine import TiesError, UndefinedWarning
from concordant._registry import REGISTRY, Coefficient, coefficient, get
from concordant._relation import TieRelation
from concordant._unbiased import unbiased_a
from concordant.choosing import Choice, choose
from concordant.coefficients import *
from concordant.comparison import Comparison, compare
from concordant.counting import Counts, Profile, counts, profile
from concordant.many import grouped, matrix

__all__ = [
    "REGISTRY",
    "Axioms",
    "Choice",
    "Coefficient",
    "Comparison",
    "Counts",
    "Profile",
    "TieRelation",
    "TiesError",
    "UndefinedWarning",
    "axioms",
    "choose",
    "coefficient",
    "compare",
    "counts",
    "get",
    "grouped",
    "matrix",
    "profile",
    "unbiased_a",
]
__all__ += concordant.coefficients.__all__

# In messages and reports these go by the name under which users know them.
for _public in (
    Axioms,
    Choice,
    Coefficient,
    Comparison,
    Counts,
    Profile,
    TieRelation,
    TiesError,
    UndefinedWarning,
):
    _public.__module__ = "concordant"
