"""Rank correlation: how well two rankings agree.

There is one function for each published coefficient. All are called in the same way: ``tau_b(x, y)``, where x
holds the scores of the reference and y those of the estimate; larger is better.

====================================  ========================================================================
`compare`, `explain`, `matrix`        several coefficients; which pairs cost most; all pairs of rankings
`grouped`, `counts`, `tie_range`      many rankings; the counts behind coefficients; all ways of breaking ties
`choose`, `identify`                  which coefficient fits; which gives a printed number
`coefficient`, `register`             coefficients by their text form; your own ones; ``REGISTRY`` has all
`Scores`, `read_scores`, `evaluate`   scores of systems on topics, from tables, or from runs and judgements
`Study`                               a reference and its estimates, aligned once
`correlate`, `judge`, `by_topic` ...  rankings of systems by estimates against the reference
`Resampling`                          how intervals are computed
`bootstrap`, `difference` ...         confidence intervals and tests
`labels`                              labels of items by several raters, and what they make of systems
`metrics`, `calibrate_ties` ...       metrics of machine translation against people
`plan`                                how reliable a ranking by topics is; how many topics it needs
`plot`, `report`                      a figure of a result; the result as a page
``results``                           the classes of results and their records
``experiments``                       the experiments of the papers
====================================  ========================================================================

The public names are listed in ``__init__.pyi``. A name is loaded when it is first used, so that the command
line can print its help without NumPy.
"""

from concordant._lazy import attach as _attach
from concordant._version import __version__ as __version__

_stub = __loader__.get_data(__file__ + "i").decode()  # type: ignore[union-attr]
_load, _names = _attach("concordant", _stub, "concordant.coefficients.families")


def __getattr__(name: str) -> object:
    found = _load(name)
    if name != "__all__":
        globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*_names(), "__version__"]
