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
`Scores`, `evaluate`   scores of systems on topics, from tables or from runs and judgements
`align`, `judge`       the same systems and topics on both sides; judges against the truth
=====================  =====================================================================
"""

import importlib as _importlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from concordant._api import *
    from concordant._api_scores import *

__version__ = "0.1.0"

_MODULES = ("concordant._api", "concordant._api_scores")


def __getattr__(name: str) -> _typing.Any:
    """Load the public names when one is used, so that the command line can print its help without NumPy."""
    if name == "__all__":
        return [public for module in _MODULES for public in _importlib.import_module(module).__all__]
    if not name.startswith("_"):
        for module in _MODULES:
            api = _importlib.import_module(module)
            if name in getattr(api, "__all__", ()):  # none while it is being loaded
                globals().update({public: getattr(api, public) for public in api.__all__})
                return globals()[name]
    raise AttributeError(f"module 'concordant' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
