"""How numbers and names are written for people, in sentences and in narrow tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from concordant.errors import visible

_ROUNDING = 1e-12  # smaller differences are rounding errors


def number(value: float | None, decimals: int = 2) -> str:
    """Return a number with two decimals, or with more, so that only 1, 0 and -1 themselves are shown as such.

    These are the limits of many coefficients: "1.00" means that two rankings are equal. A number close to one
    of them has three or four decimals. If even four would round to it, a sign says on which side it is, and a
    number close to 0 has an exponent. An undefined value is a dash. Whole numbers are counts and have no
    decimals.

    Examples
    --------
    >>> [number(value) for value in (0.8912, 0.998, 0.99999, 1.0, 0.00031, 0.00002, 24, None)]
    ['0.89', '0.998', '>0.9999', '1.00', '0.0003', '2e-05', '24', '-']
    """
    if value is None or math.isnan(value):
        return "-"
    if isinstance(value, int):
        return str(value)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    value = float(value) + 0.0  # a Python float, and never -0
    if abs(value) >= 1e9:
        return f"{value:.2g}"
    near = float(round(value))
    if abs(value - near) <= _ROUNDING:
        return f"{near + 0.0:.{decimals}f}"
    if abs(near) > 1:
        return f"{value:.{decimals}f}"
    for more in range(decimals, 5):
        text = f"{value:.{more}f}"
        if float(text) != near:
            return text
    if near == 0:
        return f"{value:.2g}"
    inner = f"{near + math.copysign(0.0001, value - near):.4f}"
    return f"{'>' if value > float(inner) else '<'}{inner}"


def with_interval(value: float | None, interval: Sequence[float] | None) -> str:
    """Return a number with its interval: ``0.60 [0.53, 0.66]``; the number alone if there is none.

    Examples
    --------
    >>> with_interval(0.6, (0.53, 0.66)), with_interval(3, (1.0, 5.0)), with_interval(0.6, None)
    ('0.60 [0.53, 0.66]', '3 [1, 5]', '0.60')
    """
    return " ".join(filter(None, value_and_interval(value, interval)))


def value_and_interval(value: float | None, interval: Sequence[float] | None) -> tuple[str, str]:
    """Return a number and its interval, which is empty if there is none.

    Examples
    --------
    >>> value_and_interval(0.6, (0.53, 0.66)), value_and_interval(3, None)
    (('0.60', '[0.53, 0.66]'), ('3', ''))
    """
    if interval is None or all(map(math.isnan, interval)):
        return number(value), ""
    rank = isinstance(value, int)  # whose interval ends at ranks
    ends = (f"{end:g}" if rank and float(end).is_integer() else number(end) for end in interval)
    return number(value), f"[{', '.join(ends)}]"


def pvalue(p: float | None, equals: str = "=") -> str:
    """Return a p-value: ``p = 0.0004``, and ``p < 0.0001`` if it is smaller; four decimals below 0.1.

    Examples
    --------
    >>> pvalue(0.0004), pvalue(0.00002), pvalue(0.31), pvalue(0.999999), pvalue(None)
    ('p = 0.0004', 'p < 0.0001', 'p = 0.31', 'p > 0.9999', 'p is not known')
    """
    if p is None or math.isnan(p):
        return "p is not known"
    if p < 0.0001:
        return "p < 0.0001"
    text = f"{p:.4f}" if p < 0.1 else number(float(p))
    return f"p > {text[1:]}" if text.startswith(">") else f"p {equals} {text}"


_NOUNS: ContextVar[Mapping[str, str] | None] = ContextVar("nouns", default=None)


@contextmanager
def nouns(own: Mapping[str, str] | None) -> Iterator[None]:
    """Within this block, call systems and topics as the data does: models, questions."""
    before = _NOUNS.set(own)
    try:
        yield
    finally:
        _NOUNS.reset(before)


def noun(what: str) -> str:
    """Return the word for systems or topics, singular or plural.

    Examples
    --------
    >>> with nouns({"system": "model", "topic": "query"}):
    ...     noun("system"), noun("systems"), noun("topics"), count(2, "common topic")
    ('model', 'models', 'queries', '2 common queries')
    """
    *before, last = what.split(" ")
    single = last.removesuffix("s")
    own = (_NOUNS.get() or {}).get(single, single)
    return " ".join([*before, own if single == last else _plural(own)])


def _plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("ry") else f"{word}s"


def count(number: int, what: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> count(1, "system"), count(2, "system")
    ('1 system', '2 systems')
    """
    return f"{number} {noun(what if number == 1 else what + 's')}"


def some(labels: Sequence[object], most: int = 4) -> str:
    """Return the first few labels for a message.

    Examples
    --------
    >>> some("abc"), some("abcdef")
    ('a, b, c', 'a, b, c, d, ... (6 in all)')
    """
    shown = (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..." for text in map(str, labels[:most]))
    return ", ".join(shown) + (f", ... ({len(labels)} in all)" if len(labels) > most else "")


_LONGEST = 120  # characters of a name in a message


def listed(names: Sequence[object]) -> str:
    """Return names as in a sentence: ``a, b and c``.

    Examples
    --------
    >>> listed("abc"), listed("ab"), listed("a")
    ('a, b and c', 'a and b', 'a')
    """
    *first, last = map(str, names) if names else ("",)
    return f"{', '.join(first)} and {last}" if first else last


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


def most_and_least(pairs: Mapping[str, tuple[float, str]], of: str, measure: str, distance: bool) -> str:
    """Return which pairs agree most and which least, or how many do, given their values and these in words.

    Examples
    --------
    >>> pairs = {"a and b": (0.8, "0.80 [0.7, 0.9]"), "a and c": (0.1, "0.10"), "b and c": (0.1, "0.10")}
    >>> most_and_least(pairs, "3 rankings", "tau", distance=False)
    'Of 3 rankings, a and b agree most (tau 0.80 [0.7, 0.9]), 2 pairs least (0.10)'
    """
    said = []
    for end in (min, max) if distance else (max, min):
        value = end(own for own, _ in pairs.values())
        same = [name for name, (own, _) in pairs.items() if abs(own - value) <= _ROUNDING]
        said.append((same[0], pairs[same[0]][1]) if len(same) == 1 else (f"{len(same)} pairs", number(value)))
    (most, high), (least, low) = said
    return f"Of {of}, {most} agree most ({measure} {high}), {least} least ({low})"
