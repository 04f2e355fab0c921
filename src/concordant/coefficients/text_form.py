"""The text form of a coefficient: ``"tau_b(0.05)@10"`` is read by `coefficient` and printed by ``str``."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from concordant.coefficients.declaration import (
    NAME,
    REGISTRY,
    Coefficient,
    CoefficientLike,
    CoefficientsLike,
    default,
    default_symbol,
    number,
    parameters,
)
from concordant.errors import ArgumentError, ArgumentTypeError, option, option_names, public
from concordant.rankings.ties import thresholds

_FORM = re.compile(rf"\s*({NAME})\s*(?:\(([^()]*)\))?\s*(?:@\s*(\d+))?\s*")


@public
def coefficient(what: str | Coefficient | Callable[..., Any]) -> Coefficient:
    """Find a coefficient by its text form.

    Parameters
    ----------
    what : str, Coefficient or callable
        ``"tau_ap_b"``; ``"tau_ap_b(0.05)"`` with a threshold for both rankings; ``"tau_b(0.05, 0.01)"`` with
        one for x and one for y; ``"tau_ap_b(0.05, tied=neutral)"`` with another option; ``"tau_b@10"`` among
        the first ten items of the reference, and those exactly tied with the tenth. It may also be a function
        of two arrays.

    Returns
    -------
    Coefficient
        The coefficient ``c``: call it as ``c(x, y)``; ``str(c)`` is its canonical text form.

    Notes
    -----
    The cut at k includes all items whose score in x is exactly that of the k-th item. A threshold does not
    change the cut, so that coefficients with different thresholds compare the same items.

    Examples
    --------
    >>> import concordant as cd
    >>> c = cd.coefficient("tau_b( 0.050 )@3")
    >>> str(c)
    'tau_b(0.05)@3'
    >>> round(c([0.9, 0.8, 0.5, 0.1], [0.7, 0.8, 0.4, 0.6]), 4)
    0.3333
    """
    if isinstance(what, Coefficient):
        return what
    if isinstance(what, str):
        return _parse(what)
    if callable(what):
        name = getattr(what, "__name__", type(what).__name__)
        known = REGISTRY.get(name)
        if known is not None and known.function is what:
            return known
        return Coefficient(name, what, default_symbol(name))
    raise ArgumentTypeError(
        f"a coefficient is a name, as 'concordant coefficients' shows them, or a function, got {what!r}"
    )


def _in_text(parameter: str, value: object) -> str:
    """Name an option as it is written in the text form of a coefficient."""
    return parameter if value is None else f"{parameter}={value}"


def _parse(text: str) -> Coefficient:
    match = _FORM.fullmatch(text)
    if match is None:
        raise ArgumentError(
            f"cannot read {text!r} as a coefficient; write a name, 'name(threshold)', 'name(threshold)@k' or "
            "'name(option=value)'"
        )
    name, inside, top = match.groups()
    found = REGISTRY.get(name)
    if found is None:
        import difflib

        near = difflib.get_close_matches(name.lower(), REGISTRY, n=3, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(REGISTRY)}"
        raise ArgumentError(f"there is no coefficient {name!r}; {advice}")
    if top is not None and int(top) < 1:
        raise ArgumentError(f"{text!r} keeps no item; write @k with k >= 1")
    if top is not None and found.inputs != "scores":
        raise ArgumentError(f"{name} has no top k, as {text!r} asks; cut its lists instead")
    try:
        with option_names(_in_text):
            options = _options(text, found, inside or "")
            symmetric = found.symmetric or ("symmetric", True) in options
            bound = replace(
                found, options=options, symmetric=symmetric, top=None if top is None else int(top)
            )
            bound.check_options()
    except ArgumentError as error:
        raise ArgumentError(error.text if repr(text) in error.text else f"{text!r}: {error.text}") from None
    return bound


def _options(text: str, found: Coefficient, inside: str) -> tuple[tuple[str, Any], ...]:
    numbers: list[float] = []
    options: dict[str, Any] = {}
    allowed = parameters(found.function)
    parts = [part.strip() for part in inside.split(",") if part.strip()]
    _refuse_decimal_comma(parts)
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and found.inputs == "lists":
            named = ", ".join(f"{name}=..." for name in sorted(allowed))
            raise ArgumentError(f"{part!r} in {text!r} may be more than one option; name it: {named}")
        if not equals or key == "threshold":
            try:
                numbers.append(float(value if equals else part))
            except ValueError:
                raise ArgumentError(
                    f"{part!r} in {text!r} is neither a threshold nor an option key=value"
                ) from None
        elif key not in allowed:
            known = ", ".join(sorted(allowed - {"threshold"})) or "none"
            raise ArgumentError(f"{found.name} has no option {key!r}; its options are: {known}")
        elif key in options:
            raise ArgumentError(f"{text!r} gives the option {key!r} twice")
        else:
            options[key] = _value(value)
    if numbers:
        if "threshold" not in allowed:
            with_threshold = ", ".join(c.name for c in REGISTRY.values() if c.thresholds)
            raise ArgumentError(
                f"{found.name} takes no threshold, as {text!r} asks; these do: {with_threshold}"
            )
        if len(numbers) > 2:
            raise ArgumentError(
                f"{text!r} has {len(numbers)} thresholds; give one, or one for x and one for y"
            )
        w_x, w_y = thresholds(numbers[0] if len(numbers) == 1 else tuple(numbers))
        options["threshold"] = w_x if w_x == w_y else (w_x, w_y)
    # Thresholds come first, as they are written; then the options by name. Defaults are left out.
    said = [(key, value) for key, value in options.items() if value != default(found.function, key)]
    return tuple(sorted(said, key=lambda item: (item[0] != "threshold", item[0])))


def _refuse_decimal_comma(parts: Sequence[str]) -> None:
    """Refuse a decimal comma: 0,05 means 0.05, but would be read as 0 and 5."""
    for before, part in itertools.pairwise(["", *parts]):
        if re.fullmatch(r"0\d+", part, re.ASCII):
            whole = before.rpartition("=")[2].strip()
            if not re.fullmatch(r"\d+", whole, re.ASCII):
                raise ArgumentError(f"{part} has a leading zero; write {int(part)}, or 0.{part} with a point")
            raise ArgumentError(
                f"{whole},{part} has a decimal comma; write {whole}.{part} for one threshold, "
                f"or ({int(whole)}, {int(part)}) for a pair"
            )


def _value(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def of_scores(what: CoefficientLike) -> Coefficient:
    """Read a coefficient that compares scores."""
    c = coefficient(what)
    if c.inputs != "scores":
        raise ArgumentError(
            f"{c.name} compares {c.inputs.replace('_', ' ')}, not scores of systems; choose another"
        )
    return c


def each_coefficient(given: Any) -> list[Coefficient]:
    """Read one coefficient or several, each once."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    found = list(dict.fromkeys(map(coefficient, given if several else [given])))
    if len({str(c) for c in found}) < len(found):
        raise ArgumentError("two of the functions have the same name; give them different names")
    return found


def chosen(coefficients: CoefficientsLike) -> list[Coefficient]:
    """Read coefficients of scores, each once; a verdict is about the first."""
    found = list(map(of_scores, each_coefficient(coefficients)))
    if not found:
        raise ArgumentError(f"{option('coefficients')}: none was given; name at least one")
    return found


def latex_form(c: Coefficient) -> str:
    """Return the symbol of a coefficient, with threshold and cut, in LaTeX."""
    w_x, w_y = c.threshold
    power = number(w_x) if w_x == w_y else f"{number(w_x)},{number(w_y)}"
    symbol = c.symbol if w_x == w_y == 0 else f"{c.symbol}^{{{power}}}".replace("{inf", r"{\infty")
    from concordant.results.markup import latex_escape

    others = ", ".join(f"{key}={value}" for key, value in c.options_without_threshold().items())
    suffix = rf"\ (\mathrm{{{latex_escape(others)}}})" if others else ""
    return symbol + (f"@{c.top}" if c.top else "") + suffix
