"""Sentences of a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from concordant.errors import visible
from concordant.tables.words import listed

__all__ = ["few", "sentences"]


def sentences(parts: Iterable[str | None]) -> tuple[str, ...]:
    """Return the parts that are not empty as sentences, with a full stop; control characters are escaped.

    Examples
    --------
    >>> sentences(["noisy agrees with the reference", None, "is it so?"])
    ('noisy agrees with the reference.', 'is it so?')
    """
    found = (visible(part) for part in parts if part)
    return tuple(part if part.endswith((".", "?", "!")) else f"{part}." for part in found)


def few(names: Sequence[object], what: str, most: int = 3) -> str:
    """Return up to `most` names as in a sentence; if there are more, the first ones and the number of others.

    Examples
    --------
    >>> few(["a", "b"], "judges"), few(["a", "b", "c", "d", "e"], "judges")
    ('a and b', 'a, b and 3 other judges')
    """
    if len(names) <= most:
        return listed(names)
    shown = list(names[: most - 1])
    return listed([*shown, f"{len(names) - len(shown)} other {what}"])
