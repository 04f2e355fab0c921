"""Groups of systems, such as those of a team, by a part of their names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from concordant.errors import ArgumentError, option

__all__ = ["groups_by_name"]


def groups_by_name(systems: Iterable[str], pattern: str | None) -> list[str]:
    """Return the group of each system: the part of its name that matches, or its name without a pattern."""
    if pattern is None:
        return list(systems)
    try:
        compiled = re.compile(pattern)
    except (re.error, TypeError) as error:
        raise ArgumentError(f"{option('group_by')} is not a regular expression: {error}") from None
    groups = []
    for system in systems:
        match = compiled.search(system)
        if match is None:
            raise ArgumentError(f"{option('group_by')} {pattern!r} does not match the system {system!r}")
        groups.append(match.group())
    return groups
