"""Rank correlation: how well two rankings agree.

There is one function for each published coefficient. All are called in the same way: ``tau_b(x, y)``, where x
holds the scores of the reference and y those of the estimate; larger is better.

=============================  ===============================================================================
``REGISTRY``                   all coefficients and what is declared about them
`compare`, `explain`           several coefficients at once; which pairs of items cost most
`grouped`, `matrix`            many rankings at once
`counts`                       the counts from which coefficients are computed
`tie_range`                    the smallest and largest value over all ways of breaking ties
`coefficient`, `coefficient`           coefficients by their text form; your own ones
`choose`, `axioms`             which coefficient fits; which axioms a coefficient satisfies
`Scores`, `evaluate`           scores of systems on topics, from tables, or from runs and judgements
`Study`                        a reference and its estimates, aligned once
`correlate`, `judge`           rankings of systems by estimates against the reference
`bootstrap`, `difference` ...  confidence intervals and tests
`expected`, `topics_needed`    how reliable a ranking by topics is; how many topics it needs
``experiments``                the experiments of the papers
`plot`, `report`               a figure of a result; the result as a page
=============================  ===============================================================================

The public names are listed in ``__init__.pyi``, for type checkers and for Python (Scientific Python SPEC 1).
A name is loaded when it is first used, so that the command line can print its help without NumPy.
"""

import importlib as _importlib
import itertools as _itertools

__version__ = "0.2.0"

_STUB = __loader__.get_data(__file__ + "i").decode()  # type: ignore[union-attr]
_MODULES: dict[str, str] = {}  # public name -> module that has it
_words = _STUB.replace(",", " ").split()  # from module import (name as name, ...
for _word, _name in _itertools.pairwise(_words):
    if _word == "from":
        _module = _name
    elif _word == "as":
        _MODULES[_name] = _module
_FAMILIES = "concordant.coefficients.families"  # all its names are public, whichever coefficients there are


def _names() -> list[str]:
    families = vars(_importlib.import_module(_FAMILIES))
    return sorted({*_MODULES, *(name for name in families if not name.startswith("_"))})


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _names()
    module = _MODULES.get(name, _FAMILIES)
    if name.startswith("_") or (module == _FAMILIES and name not in _names()):
        raise AttributeError(f"module 'concordant' has no attribute {name!r}")
    whole = module == "concordant"  # a module is public itself
    found = _importlib.import_module(f"concordant.{name}" if whole else module)
    globals()[name] = found if whole else getattr(found, name)
    return globals()[name]


def __dir__() -> list[str]:
    return [*_names(), "__version__"]
