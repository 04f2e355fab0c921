"""What the signature and the name of a function say about a coefficient."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["COMMON", "NAME", "default", "default_symbol", "is_ours", "number", "parameters"]

# Parameters that are not options of a coefficient, with their defaults.
COMMON = {"axis": -1, "nan_policy": "propagate", "workers": 1}
NAME = r"[^\W\d]\w*"


def number(value: float) -> str:
    """Return a number in its shortest form that reads back as the same."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


@functools.cache
def parameters(function: Callable[..., Any]) -> frozenset[str]:
    """Return the options that a function takes, besides the rankings and the common keywords."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some compiled functions do not tell
        return frozenset()
    return frozenset(name for name, p in names.items() if p.kind is p.KEYWORD_ONLY and name not in COMMON)


@functools.cache
def default(function: Callable[..., Any], name: str) -> Any:
    """Return the default of an option."""
    return inspect.signature(function).parameters[name].default


def is_ours(function: Callable[..., Any]) -> bool:
    """Say whether a function is of this package."""
    return getattr(function, "__module__", "").startswith("concordant.")


def default_symbol(name: str) -> str:
    """Return a name in LaTeX."""
    from concordant.tables import latex_escape  # not when the package is imported

    return rf"\mathrm{{{latex_escape(name)}}}"
