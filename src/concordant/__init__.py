"""Rank correlation: how well two rankings agree.

One function per published coefficient, all alike: ``tau_b(x, y)``, x the reference, y the estimate, larger is better.

=====================  =====================================================================
`tau` ... `tau_e`      Kendall's tau and its treatments of ties
`tau_ap` ...           AP correlation, which weights the head, and its treatments of ties
`tau_h`, `tau_gap`     hyperbolic weights; gaps between scores
`pearson_rank` ...     Pearson Rank, Pearson's r, Spearman's rho
`tau_sc` ... `tau_dw`  relevance profiles and graded items
`compare`              several coefficients at once
`grouped`, `matrix`    many rankings at once
`counts`, `profile`    what coefficients are made of
`get`, `coefficient`   coefficients as text; your own
`choose`, `axioms`     which coefficient fits; what a coefficient can be relied on for
=====================  =====================================================================
"""

try:
    from concordant import _core as _core
except ImportError as error:  # pragma: no cover - needs a broken installation
    raise ImportError(
        f"concordant's compiled core cannot be loaded ({error}); install the package, or build it with 'pip install .'"
    ) from None

from concordant import coefficients
from concordant._engine import TiesError, UndefinedWarning
from concordant._registry import REGISTRY, Coefficient, coefficient, get
from concordant._unbiased import unbiased_a
from concordant.axioms import Axioms, axioms
from concordant.choosing import Choice, choose
from concordant.coefficients import *
from concordant.comparison import Comparison, compare
from concordant.counting import Counts, Profile, counts, profile
from concordant.many import grouped, matrix

__version__ = "0.1.0"

__all__ = [
    "REGISTRY",
    "Axioms",
    "Choice",
    "Coefficient",
    "Comparison",
    "Counts",
    "Profile",
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
__all__ += coefficients.__all__

# In messages and reports these go by the name under which users know them.
for _public in (Axioms, Choice, Coefficient, Comparison, Counts, Profile, TiesError, UndefinedWarning):
    _public.__module__ = __name__
