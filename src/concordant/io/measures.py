"""Measures of ir_measures, by name or as objects."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, TypeAlias

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library, option
from concordant.io.measure_names import ir_measures_name, near_names
from concordant.io.own_measures import is_own, supported_own

__all__ = ["MeasuresLike", "ir_measures", "measures_of"]

MeasuresLike: TypeAlias = Any
"""The name of a measure, such as ``"nDCG@10"`` or trec_eval's ``"ndcg_cut_10"``, a measure of ir_measures, or
a list of these."""

_DEEPEST = 1_000_000

# The errors of ir_measures for a name that it cannot read.
_UNREADABLE = (ValueError, SyntaxError, AssertionError, KeyError, AttributeError, TypeError)


def ir_measures() -> Any:
    """Return the library, which is optional."""
    try:
        import ir_measures as library
    except ImportError:
        raise missing_library("evaluating runs", "ir_measures", "trec") from None
    return library


def measures_of(measures: MeasuresLike) -> list[Any]:
    """Return the measures of ir_measures, without repetitions; each can be computed here."""
    library = ir_measures()
    alone = isinstance(measures, str | library.Measure) or not isinstance(measures, Iterable)
    given = [measures] if alone else list(measures)
    if not given:
        raise ArgumentError("no measures were given; name at least one, such as AP")
    found = []
    for each in given:
        if not isinstance(each, str | library.Measure):
            raise ArgumentTypeError(
                f"{option('measures')} must be names of ir_measures, such as 'nDCG@10', or its measures, "
                f"got {each!r}"
            )
        measure = _parsed(library, each) if isinstance(each, str) else each
        found.append(_supported(library, str(each), measure))
    return list(dict.fromkeys(found))


def _parsed(library: Any, name: str) -> Any:
    try:
        return library.parse_measure(ir_measures_name(name) or name)
    except NameError:
        near = _near(library, name)
        hint = f"did you mean {near}?" if near else "see the names in the documentation of ir_measures"
        raise ArgumentError(f"there is no measure {name!r}; {hint}") from None
    except _UNREADABLE:
        raise ArgumentError(
            f"cannot read the measure {name!r}; write it as in AP, P@10, nDCG@10 or RBP(p=0.95)"
        ) from None


def _near(library: Any, name: str) -> str | None:
    """Return the name of a similar measure that can be computed."""
    known = {each: str(measure) for each, measure in library.measures.registry.items()}
    for near in near_names(name, known):
        with contextlib.suppress(ArgumentError, NameError, *_UNREADABLE):
            _supported(library, near, library.parse_measure(near))
            return near
    return None


def _supported(library: Any, name: str, measure: Any) -> Any:
    """Return the measure in the form that a provider computes."""
    cutoff, level = measure.params.get("cutoff", 1), measure.params.get("rel", 1)
    if not 1 <= cutoff <= _DEEPEST or level < 1:
        raise ArgumentError(f"{name!r}: the cutoff must be from 1 to {_DEEPEST}, and rel 1 or more")
    if is_own(measure):
        return supported_own(name, measure)
    try:
        library.evaluator([measure], {"1": {"d": 1}})
    except KeyError as error:
        raise ArgumentError(f"the measure {name!r} has no parameter {error}") from None
    except (ValueError, RuntimeError, AssertionError):
        if "cutoff" in measure.SUPPORTED_PARAMS and "cutoff" not in measure.params:
            with_cutoff = _supported(library, name, measure @ 10)
            raise ArgumentError(f"{name!r} needs a cutoff, as in {with_cutoff}") from None
        raise ArgumentError(
            f"{name!r} cannot be computed by what is installed; see the providers in the documentation of "
            "ir_measures"
        ) from None
    return measure
