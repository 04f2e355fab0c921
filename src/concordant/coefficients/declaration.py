"""What is declared about a coefficient, once, the registry, and the text form: ``"tau_b(0.05)@10"``."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from concordant.checks import check_nan_policy, n_workers
from concordant.coefficients.costs import DepthCosts, PairCosts
from concordant.coefficients.engine import Outcome, Statistic, shaped
from concordant.errors import ArgumentError, ArgumentTypeError, calling, option, option_names, public
from concordant.rankings.pairs import Pairs, read_pairs
from concordant.rankings.ties import Overlapping, Tie, number, read_ties, thresholds
from concordant.typing import NanPolicy, Value

if TYPE_CHECKING:
    from concordant.results.note import Note

Ties: TypeAlias = Literal["error", "undecided", "ignored", "equality", "values"]
"""What a tie means: an error; an order that is not known, so that the pair is neither concordant nor
discordant; a pair that is left out on the side that ties it; a statement that the items are equal; nothing
special, so that equal values enter the formula as they are."""

Inputs: TypeAlias = Literal["scores", "graded_lists", "graded_items", "lists"]
"""What is compared: scores of the same items on both sides; two lists of grades in rank order; scores on both
sides and the grades of the items; two lists that need not hold the same items."""

Gaps: TypeAlias = Literal["none", "reference", "both"]
Weights: TypeAlias = Literal["equal", "ap", "hyperbolic", "scores", "geometric"]


@dataclass(frozen=True, repr=False)
class Coefficient:
    r"""A coefficient with everything declared about it, and the options bound to it.

    `coefficient` returns it; call it with two rankings.

    Attributes
    ----------
    name : str
        The name in the registry.
    function : callable
        The function that computes it.
    symbol : str
        The symbol in LaTeX.
    cite : str
        The key of its publication in references.bib.
    question : str
        The question that it answers.
    formula : str
        The formula, as Markdown with LaTeX between dollars.
    bounds : tuple of float
        The smallest and the largest value that it can have.
    distance : bool
        Whether it is 0 for a ranking with itself, and larger for rankings that are less alike.
    symmetric : bool
        Whether f(x, y) = f(y, x).
    centred : bool
        Whether it is 0 on average for unrelated rankings without ties.
    top_weighted : bool
        Whether an exchange at the top costs more than one at the bottom.
    gaps : {"none", "reference", "both"}
        The side or sides whose scores matter beyond their order.
    weights : {"equal", "ap", "hyperbolic", "scores", "geometric"}
        How pairs are weighted.
    ties : {"error", "undecided", "ignored", "equality", "values"} or None
        What a tie means; None if it is not declared.
    inputs : {"scores", "graded_lists", "graded_items", "lists"}
        What it compares.
    check : callable or None
        Raises an error for wrong values of the options.
    statistic : callable or None
        The formula in the fields of the core; None if only the function can compute it.
    costs : callable or None
        What each pair of items costs; None if it is not known to be a sum over pairs.
    of_lists : callable or None
        Computes the values of many pairs of lists.
    depth_costs : callable or None
        What each depth and each item of two lists costs.
    options : tuple of (str, object)
        The options that are bound to it.
    top : int or None
        If given, only the first k items of the reference are compared.
    asked : str
        The other name under which it was asked for, such as "kendall"; empty if it was its own.

    Examples
    --------
    >>> import concordant as cd
    >>> c = cd.coefficient("tau_ap_b(0.05)@10")
    >>> c.name, c.threshold, c.top
    ('tau_ap_b', (0.05, 0.05), 10)
    >>> c.thresholds, c.gap_sensitive, c.registered, c.overlapping
    (True, False, True, False)
    >>> print(c.latex())
    \tau_{ap,b}^{0.05}@10
    >>> c([0.5, 0.4, 0.1], [0.7, 0.2, 0.3])
    0.5
    """

    name: str
    function: Callable[..., Any]
    symbol: str = ""
    cite: str = ""
    question: str = ""
    formula: str = ""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    distance: bool = False
    symmetric: bool = False
    centred: bool = False
    top_weighted: bool = False
    gaps: Gaps = "none"
    weights: Weights = "equal"
    ties: Ties | None = None
    inputs: Inputs = "scores"
    check: Callable[..., None] | None = None
    statistic: Callable[..., Statistic] | None = None
    costs: Callable[..., Sequence[PairCosts]] | None = None
    of_lists: Callable[..., Outcome] | None = None
    depth_costs: Callable[..., DepthCosts] | None = None
    options: tuple[tuple[str, Any], ...] = ()
    top: int | None = None
    asked: str = field(default="", compare=False)

    @property
    def gap_sensitive(self) -> bool:
        """Whether it depends on scores beyond their order."""
        return self.gaps != "none"

    @property
    def thresholds(self) -> bool:
        """Whether differences up to a threshold can count as ties."""
        return "threshold" in parameters(self.function)

    @property
    def threshold(self) -> tuple[Any, Any]:
        """The thresholds for x and for y: numbers, or percentages."""
        if not self.thresholds:
            return 0.0, 0.0
        bound = dict(self.options)
        return read_ties(bound["threshold"] if "threshold" in bound else default(self.function, "threshold"))

    @property
    def overlapping(self) -> bool:
        """Whether systems are tied if their confidence intervals overlap."""
        return any(isinstance(tie, Overlapping) for tie in self.threshold)

    @property
    def registered(self) -> bool:
        """Whether this is the coefficient that the registry has under its name."""
        known = REGISTRY.get(self.name)
        return known is not None and known.function is self.function

    def refuse_labels(self, pairs: Pairs) -> None:
        """Raise an error if lists of grades in rank order have labels.

        Alignment by label would destroy the order of the lists.

        Parameters
        ----------
        pairs : Pairs
            The rankings as read.

        Examples
        --------
        >>> import concordant as cd
        >>> from concordant.rankings.pairs import read_pairs
        >>> pairs = read_pairs({"a": 2, "b": 1}, {"b": 3, "a": 4})
        >>> cd.coefficient("tau_b").refuse_labels(pairs)  # it compares scores, which may have labels
        """
        if self.inputs == "graded_lists" and pairs.labels is not None:
            compared = f"{self.name} compares two lists of grades in rank order"
            raise ArgumentTypeError(f"{compared}; give lists, without labels")

    def check_options(self) -> None:
        """Raise an error if an option has a value that it cannot have.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.coefficient("tau_ap_b(tied=neutral)").check_options()
        """
        if self.check is not None:
            self.check(**self.options_without_threshold())
        self.bound_statistic()

    def bound_statistic(self) -> Statistic | None:
        """Return the formula with the options bound, without the thresholds.

        Returns
        -------
        Statistic or None
            None if the coefficient has no formula in the fields of the core.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.coefficient("tau_b(0.05)").bound_statistic().fields
        ('concordant', 'discordant', 'untied_x', 'untied_y')
        """
        return None if self.statistic is None else self.statistic(**self.options_without_threshold())

    def options_without_threshold(self) -> dict[str, Any]:
        """Return the options that are bound to it, without the thresholds.

        Returns
        -------
        dict
            Names and values.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.coefficient("tau_ap_b(0.05, tied=neutral)").options_without_threshold()
        {'tied': 'neutral'}
        """
        return {key: value for key, value in self.options if key != "threshold"}

    def __call__(
        self,
        x: Any,
        y: Any,
        *grades: Any,
        axis: int = -1,
        nan_policy: NanPolicy = "propagate",
        workers: int = 1,
    ) -> Value:
        """Compute the coefficient; see the function of the same name."""
        common: dict[str, Any] = {"axis": axis, "nan_policy": nan_policy, "workers": workers}
        with calling(self.name):
            if len(grades) != (self.inputs == "graded_items"):
                wanted = "x, y and grades" if self.inputs == "graded_items" else "two rankings"
                raise ArgumentTypeError(f"takes {wanted}, got {2 + len(grades)} arguments")
        if self.of_lists is not None:
            if (axis, nan_policy) != (-1, "propagate"):
                raise ArgumentError(f"{self.name}: lists have no axis, and no NaN; leave these options out")
            found: Value = self.function(x, y, **dict(self.options), workers=workers)
            return found
        if self.top is None and (self.statistic is not None or self.inputs != "scores"):
            if not is_ours(self.function):  # a function of the user need not take these options
                common = {name: given for name, given in common.items() if given != COMMON[name]}
            value: Value = self.function(x, y, *grades, **dict(self.options), **common)
            return value
        from concordant.coefficients.evaluation import evaluate

        with calling(self.name):
            check_nan_policy(nan_policy)
            threads = n_workers(workers)
            pairs = read_pairs(x, y, axis)
            outcome = evaluate([self], pairs, nan_policy, threads)[0]
        outcome.report(str(self))
        return shaped(outcome.values, pairs.shape)

    def __str__(self) -> str:
        """Return the text that `coefficient` reads back."""
        arguments = []
        for key, value in self.options:
            if key == "threshold":
                w_x, w_y = self.threshold
                widths = [_width(w_x)] if w_x == w_y else [_width(w_x), _width(w_y)]
                # A bare number is a threshold. For lists it could also be p, so that the name is written.
                arguments += [f"threshold={w}" for w in widths] if self.inputs == "lists" else widths
            elif value is True and self.inputs != "lists":
                arguments.append(key)
            else:
                arguments.append(f"{key}={number(value) if isinstance(value, float) else value}")
        bound = f"({', '.join(arguments)})" if arguments else ""
        return f"{self.name}{bound}" + (f"@{self.top}" if self.top else "")

    def __repr__(self) -> str:
        return f"<coefficient {self}>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle by name, or by function if the registry does not have the coefficient."""
        if self.registered:
            return coefficient, (str(self),)
        return _rebuilt, (self.function, self.options, self.top)

    def latex(self) -> str:
        """Return the symbol, with the thresholds and the cut at the top, in LaTeX.

        Returns
        -------
        str
            LaTeX for math mode.
        """
        from concordant.results.markup import latex_escape  # slow to import

        w_x, w_y = self.threshold
        power = latex_escape(_width(w_x) if w_x == w_y else f"{_width(w_x)},{_width(w_y)}")
        plain = w_x == w_y == 0
        symbol = self.symbol if plain else f"{self.symbol}^{{{power}}}".replace("{inf", r"{\infty")
        others = ", ".join(f"{key}={value}" for key, value in self.options_without_threshold().items())
        suffix = rf"\ (\mathrm{{{latex_escape(others)}}})" if others else ""
        return symbol + (f"@{self.top}" if self.top else "") + suffix


def _width(tie: Tie) -> str:
    return number(tie) if isinstance(tie, float) else str(tie)


def _rebuilt(
    function: Callable[..., Any], options: tuple[tuple[str, Any], ...], top: int | None
) -> Coefficient:
    return replace(coefficient(function), options=options, top=top)


CoefficientLike: TypeAlias = str | Coefficient | Callable[..., Any]
CoefficientsLike: TypeAlias = CoefficientLike | Iterable[CoefficientLike]

REGISTRY: dict[str, Coefficient] = {}
"""All coefficients by name, in the order of every table."""


# Parameters that are not options of a coefficient, with their defaults.
COMMON = {"axis": -1, "nan_policy": "propagate", "workers": 1}
NAME = r"[^\W\d]\w*"


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
    """Return whether a function belongs to this package."""
    return getattr(function, "__module__", "").startswith("concordant.")


def default_symbol(name: str) -> str:
    """Return a name in LaTeX."""
    from concordant.results.markup import latex_escape  # slow to import

    return rf"\mathrm{{{latex_escape(name)}}}"


FORMS = (
    "a name, name(0.05) with a threshold, name(0.05, 0.1) with one for each side, name(5%) with a "
    "percentage, name(option=value), name(symmetric) or name@10 for the top 10"
)
_FORM = rf"\s*({NAME}(?:['-]\w+)*)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\d+))?\s*"


@public
def coefficient(what: str | Coefficient | Callable[..., Any]) -> Coefficient:
    """Find a coefficient by its text form.

    Parameters
    ----------
    what : str, Coefficient or callable
        ``"tau_ap_b"``; ``"tau_ap_b(0.05)"`` with a threshold for both rankings; ``"tau_b(0.05, 0.01)"`` with
        one for x and one for y; ``"tau_ap_b(0.05, tied=neutral)"`` with another option; ``"tau_b@10"`` among
        the first ten items of the reference, and those exactly tied with the tenth. Other usual names are
        understood if they have one meaning, such as ``"kendall"`` for tau_b. It may also be a function of two
        arrays.

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
    known = "a name, as 'concordant coefficients' shows them, or a function"
    raise ArgumentTypeError(f"a coefficient is {known}, got {what!r}")


read_coefficient = coefficient
"""The same function, for functions that have a parameter of its name."""


def _in_text(parameter: str, value: object) -> str:
    """Name an option as it is written in the text form of a coefficient."""
    return parameter if value is None else f"{parameter}={value}"


def _parse(text: str) -> Coefficient:
    match = re.fullmatch(_FORM, text)
    if match is None:
        raise ArgumentError(f"cannot read {text!r} as a coefficient; write {FORMS}")
    name, inside, top = match.groups()
    found = REGISTRY.get(name) or _by_habit(name)
    if found is None:
        import difflib

        usual = [*REGISTRY, "kendall", "spearman", "pearson"]
        near = difflib.get_close_matches(name.lower(), usual, n=3, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(REGISTRY)}"
        raise ArgumentError(f"there is no coefficient {name!r}; {advice}")
    if top is not None and int(top) < 1:
        raise ArgumentError(f"{text!r} keeps no item; write @k with k >= 1")
    if top is not None and found.inputs != "scores":
        raise ArgumentError(f"{name} has no top k, as {text!r} asks; cut its lists instead")
    try:
        with option_names(_in_text):
            options = _options(found, inside or "")
            # An option that names one side makes a symmetric coefficient one-sided; "both" does the opposite.
            values = {str(value) for _, value in options}
            both_sides = ("symmetric", True) in options or "both" in values
            symmetric = both_sides or (found.symmetric and not values & {"x", "y"})
            cut = None if top is None else int(top)
            asked = text.strip() if found.asked else ""
            bound = replace(found, options=options, symmetric=symmetric, top=cut, asked=asked)
            bound.check_options()
    except ArgumentError as error:
        raise ArgumentError(f"{text!r}: {error.text}") from None
    return bound


# Names that other programs and papers have, without punctuation.
_HABITS = """kendall:tau_b kendalltau:tau_b kendallstau:tau_b kendalltaub:tau_b kendallstaub:tau_b ktau:tau_b
    spearman:spearman_rho spearmanr:spearman_rho spearmansrho:spearman_rho rho:spearman_rho pearson:pearson_r
    pearsonsr:pearson_r kendalltauc:tau_c goodmankruskalgamma:gamma
    apcorrelation:tau_ap apcorr:tau_ap weightedtau:tau_h rankbiasedoverlap:rbo"""


def _by_habit(name: str) -> Coefficient | None:
    """Return the coefficient that has exactly this other name, or its own in another spelling."""

    def letters(text: str) -> str:
        return "".join(c for c in text.lower() if c.isalnum())

    known = dict(pair.split(":") for pair in _HABITS.split()).get(letters(name))
    names = [known] if known is not None else [own for own in REGISTRY if letters(own) == letters(name)]
    return replace(REGISTRY[names[0]], asked=name) if len(names) == 1 else None


def other_names_told(coefficients: Iterable[Coefficient]) -> list[Note]:
    """Return a note for each coefficient that was asked for by another name."""
    from concordant.results.note import Note  # not needed for a first result

    told = [(c, {"name": c.asked, "coefficient": str(c)}) for c in coefficients if c.asked]
    return [Note("other_name", text=f"{c.asked} is called {c} here", values=values) for c, values in told]


def _options(found: Coefficient, inside: str) -> tuple[tuple[str, Any], ...]:
    widths: list[Any] = []
    options: dict[str, Any] = {}
    allowed = parameters(found.function)
    parts = [part.strip() for part in inside.split(",") if part.strip()]
    _refuse_decimal_comma(parts)
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and found.inputs == "lists":
            named = ", ".join(f"{name}=..." for name in sorted(allowed))
            raise ArgumentError(f"{part!r} may be more than one option; name it: {named}")
        if not equals and part in allowed and default(found.function, part) is False:
            key, equals, value = part, "=", "True"
        if not equals or key == "threshold":
            width: Any = value if equals else part
            with contextlib.suppress(ValueError):
                width = float(width)
            if isinstance(width, str) and "%" not in width and width != "overlap":
                raise ArgumentError(f"{part!r} is neither a threshold nor an option; write {FORMS}")
            widths.append(width)
        elif key not in allowed:
            known = ", ".join(sorted(allowed - {"threshold"})) or "none"
            raise ArgumentError(f"{found.name} has no option {key!r}; its options are: {known}")
        elif key in options:
            raise ArgumentError(f"the option {key!r} is given twice")
        else:
            options[key] = _value(value)
    if widths:
        if "threshold" not in allowed:
            able = ", ".join(c.name for c in REGISTRY.values() if c.thresholds)
            raise ArgumentError(f"{found.name} takes no threshold; these do: {able}")
        if (n := len(widths)) > 2:
            raise ArgumentError(f"there are {n} thresholds; give one, or one for x and one for y")
        read = read_ties if is_ours(found.function) and found.inputs != "lists" else thresholds
        w_x, w_y = read(widths[0] if len(widths) == 1 else tuple(widths))
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
            two = f"{whole}.{part} for one threshold, or ({int(whole)}, {int(part)}) for a pair"
            raise ArgumentError(f"{whole},{part} has a decimal comma; write {two}")


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
        compared = c.inputs.replace("_", " ")
        raise ArgumentError(f"{c.name} compares {compared}, not scores of systems; choose another")
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
