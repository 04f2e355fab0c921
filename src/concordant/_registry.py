"""The registry: every coefficient declared once, found by name, parsed from text, printed back."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from concordant import _tables
from concordant._engine import (
    FEW_ITEMS,
    Outcome,
    Statistic,
    Task,
    UndefinedWarning,
    check_options,
    run,
    screen,
    shaped,
)
from concordant._inputs import NanPolicy, Pairs, one_of, read_pairs, thresholds

Ties = Literal["refused", "unresolved", "removed", "judged", "natural", "free"]
Inputs = Literal["scores", "profiles", "graded"]  # two scorings; two lists of grades; two scorings and grades

_COMMON = {"axis", "nan_policy", "workers"}  # parameters that are not options of a coefficient


@dataclass(frozen=True, repr=False)
class Coefficient:
    """A coefficient with everything declared about it, and the options bound to it.

    Call it with two rankings: ``get("tau_ap_b(0.05)@10")(x, y)``; the options are bound to it.
    """

    name: str
    function: Callable[..., Any]
    symbol: str  # LaTeX
    cite: str  # key in references.bib
    question: str  # what it answers
    bounds: tuple[float, float]
    symmetric: bool  # f(x, y) = f(y, x)
    head_weighted: bool  # an exchange at the head costs more than one at the tail
    gap_sensitive: bool  # depends on the scores beyond their order
    ties: Ties
    statistic: Callable[..., Statistic] | None = None  # None: only the function knows how
    inputs: Inputs = "scores"
    options: tuple[tuple[str, Any], ...] = ()
    top: int | None = None  # only the first k items of the reference

    @property
    def thresholds(self) -> bool:
        """Whether differences up to a threshold can count as ties."""
        return "threshold" in parameters(self.function)

    @property
    def threshold(self) -> tuple[float, float]:
        """The thresholds bound to it, for x and y."""
        if not self.thresholds:
            return 0.0, 0.0
        bound = dict(self.options)
        return thresholds(
            self.name, bound["threshold"] if "threshold" in bound else _default(self.function, "threshold")
        )

    def refuse_labels(self, who: str, pairs: Pairs) -> None:
        """Raise if lists of grades in rank order came with labels: aligned by them, they would lose their order."""
        if self.inputs == "profiles" and pairs.labels is not None:
            raise TypeError(
                f"{who}: {self.name} compares two lists of grades in rank order; give lists, without labels"
            )

    def bound_statistic(self) -> Statistic | None:
        """Return the formula with the options bound, without the thresholds."""
        if self.statistic is None:
            return None
        return self.statistic(**{key: value for key, value in self.options if key != "threshold"})

    def __call__(
        self,
        x: Any,
        y: Any,
        *grades: Any,
        axis: int = -1,
        nan_policy: NanPolicy = "propagate",
        workers: int = 1,
    ) -> Any:
        """Compute it; see the function of the same name."""
        if self.inputs != "scores":
            if nan_policy != "propagate" or workers != 1:
                raise TypeError(f"{self.name}: takes no nan_policy and no workers")
            if (self.inputs == "graded") != (len(grades) == 1):
                wanted = "x, y and grades" if self.inputs == "graded" else "two lists of grades"
                raise TypeError(f"{self.name}: takes {wanted}, got {2 + len(grades)} arguments")
            along = {} if axis == -1 else {"axis": axis}
            return self.function(x, y, *grades, **dict(self.options), **along)
        if grades:
            raise TypeError(f"{self.name}: takes two rankings, got {2 + len(grades)} arguments")
        if self.statistic is not None and self.top is None:
            return self.function(
                x, y, **dict(self.options), axis=axis, nan_policy=nan_policy, workers=workers
            )
        threads = check_options(self.name, nan_policy, workers)
        pairs = read_pairs(self.name, x, y, axis)
        outcome = evaluate(self.name, [self], pairs, nan_policy, threads)[0]
        outcome.report(str(self))
        return shaped(outcome.values, pairs.shape)

    def __str__(self) -> str:
        """Return the text that `get` reads back."""
        arguments = []
        for key, value in self.options:
            if key == "threshold":
                w_x, w_y = self.threshold
                arguments += [_number(w_x)] if w_x == w_y else [_number(w_x), _number(w_y)]
            else:
                arguments.append(f"{key}={_number(value) if isinstance(value, float) else value}")
        bound = f"({', '.join(arguments)})" if arguments else ""
        return f"{self.name}{bound}" + (f"@{self.top}" if self.top else "")

    def __repr__(self) -> str:
        return f"<coefficient {self}>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to another process by name, or by function if it has none in the registry."""
        known = REGISTRY.get(self.name)
        return get, (str(self) if known is not None and known.function is self.function else self.function,)

    def latex(self) -> str:
        """Return the symbol, with threshold and cut, in LaTeX."""
        w_x, w_y = self.threshold
        others = ", ".join(
            _tables.latex_escape(f"{key}={value}") for key, value in self.options if key != "threshold"
        )
        suffix = rf"\ (\mathrm{{{others}}})" if others else ""
        power = (
            ""
            if w_x == w_y == 0
            else f"^{{{_number(w_x)}}}"
            if w_x == w_y
            else f"^{{{_number(w_x)},{_number(w_y)}}}"
        )
        return (
            f"{self.symbol}{power}".replace("{inf", r"{\infty")
            + (f"@{self.top}" if self.top else "")
            + suffix
        )


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


@functools.cache
def parameters(function: Callable[..., Any]) -> frozenset[str]:
    """Return the options a function takes, besides the rankings and the common keywords."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some compiled functions do not tell
        return frozenset()
    return frozenset(name for name, p in names.items() if p.kind is p.KEYWORD_ONLY and name not in _COMMON)


REGISTRY: dict[str, Coefficient] = {}

Function = TypeVar("Function", bound=Callable[..., Any])


def coefficient(
    *,
    symbol: str = "",
    cite: str = "",
    question: str = "",
    bounds: tuple[float, float] = (-1.0, 1.0),
    symmetric: bool = False,
    head_weighted: bool = False,
    gap_sensitive: bool = False,
    ties: Ties = "free",
    statistic: Callable[..., Statistic] | None = None,
    inputs: Inputs = "scores",
) -> Callable[[Function], Function]:
    """Register a function as a coefficient; it is returned untouched.

    The function takes two one-dimensional float64 arrays, reference and estimate, and returns a number. Its
    keyword-only parameters become options in the text form: ``"mine(0.1)"`` passes ``threshold=0.1`` if it has one,
    ``"mine(p=0.5)"`` passes ``p=0.5``. After that it works by name wherever a coefficient is asked for.

    Parameters
    ----------
    symbol : str
        In LaTeX; the name by default.
    cite : str
        Key of its publication.
    question : str
        The question it answers, in one line.
    bounds : pair of float
        Smallest and largest value it can have.
    symmetric, head_weighted, gap_sensitive : bool
        Claims: equal with the rankings exchanged; an exchange at the head costs more than one at the tail; depends on
        scores beyond their order.
    ties : {"refused", "unresolved", "removed", "judged", "natural", "free"}
        What a tie means: an error; an order not resolved; a pair left out; a statement of equality; nothing special,
        equal scores enter the formula as they are; the function's own affair.
    statistic : callable, optional
        For the coefficients of this package: the formula in terms of the core's sums.
    inputs : {"scores", "profiles", "graded"}
        What it compares: two scorings of the same items; two lists of grades in rank order; two scorings, with the
        items' grades as a third argument.

    Examples
    --------
    >>> import concordant as cd
    >>> @cd.coefficient(question="is the best item the same?", symmetric=True, bounds=(0, 1))
    ... def same_winner(x, y):
    ...     return float(x.argmax() == y.argmax())
    >>> cd.get("same_winner")([3, 2, 1], [3, 1, 2])
    1.0
    >>> del cd.REGISTRY["same_winner"]
    """
    one_of("coefficient", "ties", ties, get_args(Ties))
    one_of("coefficient", "inputs", inputs, get_args(Inputs))
    if len(bounds) != 2 or not bounds[0] < bounds[1]:
        raise ValueError(f"coefficient: bounds must be the smallest and the largest value, got {bounds!r}")

    def register(function: Function) -> Function:
        name = function.__name__
        known = REGISTRY.get(name)
        if known is not None and known.function.__module__.startswith("concordant."):
            raise ValueError(f"coefficient: the name {name!r} is taken by concordant.{name}; choose another")
        if not re.fullmatch(_NAME, name):
            raise ValueError(f"coefficient: {name!r} is not a name; use a function with a plain name")
        REGISTRY[name] = Coefficient(
            name, function, symbol or rf"\mathrm{{{_tables.latex_escape(name)}}}", cite, question, bounds,
            symmetric, head_weighted, gap_sensitive, ties, statistic, inputs,
        )  # fmt: skip
        return function

    return register


# --- text form --------------------------------------------------------------------------------------------------

_MOST_COPIED = 1 << 22  # items
_NAME = r"[^\W\d]\w*"
_FORM = re.compile(rf"\s*({_NAME})\s*(?:\(([^()]*)\))?\s*(?:@\s*(\d+))?\s*")


def get(what: str | Coefficient | Callable[..., Any]) -> Coefficient:
    """Find a coefficient by its text form.

    Parameters
    ----------
    what : str, Coefficient or callable
        ``"tau_ap_b"``; ``"tau_ap_b(0.05)"`` with a threshold for both rankings; ``"tau_b(0.05, 0.01)"`` with one for
        x and one for y; ``"tau_ap_b(0.05, tied=neutral)"`` with another option; ``"tau_b@10"`` among the first ten
        items of the reference, more if others are exactly tied with the tenth. A function of two arrays is taken as
        it is.

    Returns
    -------
    Coefficient
        It can be called as ``c(x, y)``; ``str(c)`` is the canonical text form.

    Notes
    -----
    The cut keeps ties at the k-th place of x whole: all items with exactly the score of the k-th are in. A threshold
    has no say in it, so that coefficients with different thresholds see the same items.

    Examples
    --------
    >>> import concordant as cd
    >>> c = cd.get("tau_b( 0.050 )@3")
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
        return Coefficient(
            name,
            what,
            rf"\mathrm{{{_tables.latex_escape(name)}}}",
            "",
            "",
            (-math.inf, math.inf),
            False,
            False,
            False,
            "free",
        )
    raise TypeError(f"get: a coefficient is a name, such as 'tau_ap_b(0.05)', or a function, got {what!r}")


def _parse(text: str) -> Coefficient:
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(
            f"get: cannot read {text!r}; write a coefficient as 'tau_b', 'tau_b(0.05)' or 'tau_b(0.05)@10'"
        )
    name, inside, top = match.groups()
    found = REGISTRY.get(name)
    if found is None:
        import difflib

        near = difflib.get_close_matches(name.lower(), REGISTRY, n=3, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(REGISTRY)}"
        raise ValueError(f"get: there is no coefficient {name!r}; {advice}")
    if top is not None and int(top) < 1:
        raise ValueError(f"get: {text!r} keeps no item; write @k with k >= 1")
    if top is not None and found.inputs != "scores":
        raise ValueError(f"get: {name} has no top k, as {text!r} asks; cut its lists instead")
    options = _options(text, found, inside or "")
    symmetric = found.symmetric or ("symmetric", True) in options
    bound = replace(found, options=options, symmetric=symmetric, top=None if top is None else int(top))
    bound.bound_statistic()  # refuses unknown values of options
    return bound


def _options(text: str, found: Coefficient, inside: str) -> tuple[tuple[str, Any], ...]:
    numbers: list[float] = []
    options: dict[str, Any] = {}
    allowed = parameters(found.function)
    for part in filter(None, (part.strip() for part in inside.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key == "threshold":
            try:
                numbers.append(float(value if equals else part))
            except ValueError:
                raise ValueError(
                    f"get: {part!r} in {text!r} is neither a threshold nor an option key=value"
                ) from None
        elif key not in allowed:
            known = ", ".join(sorted(allowed - {"threshold"})) or "none"
            raise ValueError(f"get: {found.name} has no option {key!r}; its options are: {known}")
        elif key in options:
            raise ValueError(f"get: {text!r} gives the option {key!r} twice")
        else:
            options[key] = _value(value)
    if numbers:
        if "threshold" not in allowed:
            with_threshold = ", ".join(c.name for c in REGISTRY.values() if c.thresholds)
            raise ValueError(
                f"get: {found.name} takes no threshold, as {text!r} asks; these do: {with_threshold}"
            )
        if len(numbers) > 2:
            raise ValueError(
                f"get: {text!r} has {len(numbers)} thresholds; give one, or one for x and one for y"
            )
        w_x, w_y = thresholds("get", numbers[0] if len(numbers) == 1 else tuple(numbers))
        options["threshold"] = w_x if w_x == w_y else (w_x, w_y)
    # Thresholds first, as they are written; then the options by name. What is default need not be said.
    said = [(key, value) for key, value in options.items() if value != _default(found.function, key)]
    return tuple(sorted(said, key=lambda item: (item[0] != "threshold", item[0])))


@functools.cache
def _default(function: Callable[..., Any], name: str) -> Any:
    return inspect.signature(function).parameters[name].default


def _value(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    return text


# --- evaluation -------------------------------------------------------------------------------------------------


def evaluate(
    who: str,
    coefficients: Sequence[Coefficient],
    pairs: Pairs,
    nan_policy: NanPolicy,
    threads: int,
    refuse: bool = True,
) -> list[Outcome]:
    """Compute several coefficients of the same pairs, sharing what can be shared.

    Ties given to a coefficient that has no place for them are refused, or make the pair undefined.
    """
    for c in coefficients:
        if c.inputs == "graded":
            raise ValueError(f"{who}: {c.name} needs the grades of the items; call {c.name}(x, y, grades)")
    copies = nan_policy == "omit" or any(c.top is not None for c in coefficients)
    n_items = int(pairs.sizes().sum())
    if not copies or n_items <= _MOST_COPIED or len(pairs) < 2:
        return _evaluate(who, coefficients, pairs, nan_policy, threads, refuse)
    # Leaving items out copies the items of every pair: some pairs at a time.
    step = max(1, len(pairs) * _MOST_COPIED // n_items)
    parts = [
        _evaluate(
            who, coefficients, pairs.part(start, min(start + step, len(pairs))), nan_policy, threads, refuse
        )
        for start in range(0, len(pairs), step)
    ]
    joined = []
    for outcomes in zip(*parts, strict=True):
        reasons = dict.fromkeys(outcome.reason for outcome in outcomes if outcome.undefined)
        refusal = next((outcome.refusal for outcome in outcomes if outcome.refusal), "")
        values = np.concatenate([outcome.values for outcome in outcomes])
        joined.append(Outcome(values, sum(o.undefined for o in outcomes), ", or ".join(reasons), refusal))
    return joined


def _evaluate(
    who: str,
    coefficients: Sequence[Coefficient],
    pairs: Pairs,
    nan_policy: NanPolicy,
    threads: int,
    refuse: bool,
) -> list[Outcome]:
    pairs, missing = screen(who, pairs, nan_policy)
    outcomes: dict[int, Outcome] = {}
    for top in dict.fromkeys(c.top for c in coefficients):
        part = pairs if top is None else pairs.first_items(top)
        places: list[int] = []
        tasks: list[Task] = []
        for i, c in enumerate(coefficients):
            if c.top != top:
                continue
            statistic = c.bound_statistic()
            if statistic is None:
                outcomes[i] = _one_by_one(c, part, missing)
            else:
                places.append(i)
                tasks.append((statistic, c.threshold))
        if tasks:
            outcomes.update(zip(places, run(part, missing, tasks, threads, refuse), strict=True))
    return [outcomes[i] for i in range(len(coefficients))]


def _one_by_one(c: Coefficient, pairs: Pairs, missing: Any) -> Outcome:
    values = np.full(len(pairs), math.nan)
    few = pairs.sizes() < 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)  # counted here
        for p in np.flatnonzero(~(missing | few)).tolist():
            rows = pairs.row_x(p), pairs.row_y(p)
            for row in rows:
                row.flags.writeable = False  # they are the caller's own data
            value = c.function(*rows, **dict(c.options))
            try:
                values[p] = float(value)
            except (TypeError, ValueError):
                raise TypeError(f"{c.name}: the function must return a number, got {value!r}") from None
    undefined = np.isnan(values) & ~missing
    reason = FEW_ITEMS if few[undefined].all() else "the function returned nan"
    return Outcome(values, int(undefined.sum()), reason)
