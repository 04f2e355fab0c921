"""Reasons why coefficients are undefined, in words about systems."""

from __future__ import annotations

import re

__all__ = ["of_systems"]


def of_systems(reason: str) -> str:
    """Return why a coefficient is undefined, in terms of reference, estimate and systems.

    Examples
    --------
    >>> of_systems("all items are tied in x or in y")
    'all systems are tied in the reference or in the estimate'
    """
    for pattern, words in ((r"\bx\b", "the reference"), (r"\by\b", "the estimate"), (r"\bitem", "system")):
        reason = re.sub(pattern, words, reason)
    return reason
