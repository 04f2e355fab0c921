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
    """Return the shortest text that reads back as the same number."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


@functools.cache
def parameters(function: Callable[..., Any]) -> frozenset[str]:
    """Return the options that a function takes, besides the rankings and the common keywords."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some compiled functions have no signature
        return frozenset()
    return frozenset(name for name, p in names.items() if p.kind is p.KEYWORD_ONLY and name not in COMMON)


@functools.cache
def default(function: Callable[..., Any], name: str) -> Any:
    """Return the default of an option."""
    return inspect.signature(function).parameters[name].default


def is_ours(function: Callable[..., Any]) -> bool:
    """Say whether a function belongs to this package."""
    return getattr(function, "__module__", "").startswith("concordant.")


def default_symbol(name: str) -> str:
    """Return a name in LaTeX."""
    from concordant.tables import latex_escape  # slow to import

    return rf"\mathrm{{{latex_escape(name)}}}"
