"""What is declared about a coefficient, once, and the registry of all declarations."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    overload,
)

import numpy as np

from concordant.coefficients.compute import Outcome, Statistic, shaped
from concordant.coefficients.costs import PairCosts
from concordant.coefficients.documents import document
from concordant.coefficients.overlap import DepthCosts
from concordant.coefficients.signatures import (
    COMMON,
    NAME,
    default,
    default_symbol,
    is_ours,
    number,
    parameters,
)
from concordant.errors import ArgumentError, ArgumentTypeError, calling
from concordant.rankings import (
    FOR_OTHER_ITEMS,
    Pairs,
    check_nan_policy,
    n_workers,
    one_of,
    read_pairs,
    thresholds,
)
from concordant.typing import NanPolicy, OneRanking, RankingLike, Value

__all__ = [
    "REGISTRY",
    "Coefficient",
    "CoefficientLike",
    "CoefficientsLike",
    "Inputs",
    "Ties",
    "coefficient",
    "declare",
    "usual",
]

Ties: TypeAlias = Literal["error", "undecided", "ignored", "equality", "values"]
"""What a tie means: an error; an order that is not known, so that the pair counts as neither; a pair that is
left out on the side that ties it; a statement that the items are equal; nothing special, equal values
enter the formula as they are."""

Inputs: TypeAlias = Literal["scores", "graded_lists", "graded_items", "lists"]
"""What is compared: two scorings of the same items; two lists of grades in rank order; two scorings, and the
items' grades; two lists that need not hold the same items."""

Gaps: TypeAlias = Literal["none", "reference", "both"]
Weights: TypeAlias = Literal["equal", "ap", "hyperbolic", "scores", "geometric"]


@dataclass(frozen=True, repr=False)
class Coefficient:
    """A coefficient with everything declared about it, and the options bound to it.

    Call it with two rankings: ``get("tau_ap_b(0.05)@10")(x, y)``.
    """

    name: str
    function: Callable[..., Any]
    symbol: str = ""  # LaTeX
    cite: str = ""  # key in references.bib
    question: str = ""  # what it answers
    formula: str = ""  # Markdown, with LaTeX between dollars
    bounds: tuple[float, float] = (-math.inf, math.inf)
    distance: bool = False  # 0 for a ranking with itself, larger is less alike
    symmetric: bool = False  # f(x, y) = f(y, x)
    centred: bool = False  # 0 on average for unrelated rankings without ties
    top_weighted: bool = False  # an exchange at the top costs more than one at the bottom
    gaps: Gaps = "none"  # whose scores matter beyond their order
    weights: Weights = "equal"  # how pairs are weighted
    ties: Ties | None = None  # None: not declared
    inputs: Inputs = "scores"
    check: Callable[..., None] | None = None  # raises an error for wrong values of its options
    statistic: Callable[..., Statistic] | None = None  # None: only the function knows how
    costs: Callable[..., Sequence[PairCosts]] | None = None  # None: not known to be a sum over pairs
    of_lists: Callable[..., Outcome] | None = None  # the values of pairs of lists
    depth_costs: Callable[..., DepthCosts] | None = None  # what depths and items of two lists cost
    used_by: frozenset[str] = frozenset()  # the functions that use it by default
    options: tuple[tuple[str, Any], ...] = ()
    top: int | None = None  # only the first k items of the reference

    @property
    def gap_sensitive(self) -> bool:
        """Whether it depends on scores beyond their order."""
        return self.gaps != "none"

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
        return thresholds(bound["threshold"] if "threshold" in bound else default(self.function, "threshold"))

    @property
    def registered(self) -> bool:
        """Whether this is the coefficient that the registry has under its name."""
        known = REGISTRY.get(self.name)
        return known is not None and known.function is self.function

    def refuse_labels(self, pairs: Pairs) -> None:
        """Raise an error if lists of grades in rank order have labels.

        Aligned by labels, the lists would lose their order.
        """
        if self.inputs == "graded_lists" and pairs.labels is not None:
            raise ArgumentTypeError(
                f"{self.name} compares two lists of grades in rank order; give lists, without labels"
            )

    def check_options(self) -> None:
        """Raise an error if an option has a value that it cannot have."""
        if self.check is not None:
            self.check(**self.options_without_threshold())
        self.bound_statistic()

    def bound_statistic(self) -> Statistic | None:
        """Return the formula with the options bound, without the thresholds."""
        return None if self.statistic is None else self.statistic(**self.options_without_threshold())

    def options_without_threshold(self) -> dict[str, Any]:
        """Return the options bound to it, but for the thresholds."""
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
        """Compute it; see the function of the same name."""
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
            if not is_ours(self.function):  # a user's own need not take them
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
        """Return the text that `get` reads back."""
        arguments = []
        for key, value in self.options:
            if key == "threshold":
                w_x, w_y = self.threshold
                widths = [number(w_x)] if w_x == w_y else [number(w_x), number(w_y)]
                # A bare number is a threshold, but of lists it might be their p.
                arguments += [f"threshold={w}" for w in widths] if self.inputs == "lists" else widths
            else:
                arguments.append(f"{key}={number(value) if isinstance(value, float) else value}")
        bound = f"({', '.join(arguments)})" if arguments else ""
        return f"{self.name}{bound}" + (f"@{self.top}" if self.top else "")

    def __repr__(self) -> str:
        return f"<coefficient {self}>"

    def _repr_html_(self) -> str:
        from concordant.coefficients.notebook import coefficient_html

        return coefficient_html(self)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to another process by name, or by function if it has none in the registry."""
        from concordant.coefficients.text_form import get

        if self.registered:
            return get, (str(self),)
        return _rebuilt, (self.function, self.options, self.top)

    def latex(self) -> str:
        """Return the symbol, with threshold and cut, in LaTeX."""
        from concordant.coefficients.text_form import latex_form

        return latex_form(self)


def _rebuilt(
    function: Callable[..., Any], options: tuple[tuple[str, Any], ...], top: int | None
) -> Coefficient:
    from concordant.coefficients.text_form import get

    return replace(get(function), options=options, top=top)


CoefficientLike: TypeAlias = str | Coefficient | Callable[..., Any]
CoefficientsLike: TypeAlias = CoefficientLike | Iterable[CoefficientLike]

REGISTRY: dict[str, Coefficient] = {}
"""All coefficients by name, in the order of every table."""

Function = TypeVar("Function", bound=Callable[..., Any])


def usual(question: str) -> list[Coefficient]:
    """Return the coefficients that a function uses unless told otherwise."""
    return [c for c in REGISTRY.values() if question in c.used_by]


def coefficient(
    *,
    symbol: str = "",
    cite: str = "",
    question: str = "",
    formula: str = "",
    bounds: tuple[float, float] = (-1.0, 1.0),
    distance: bool = False,
    symmetric: bool = False,
    centred: bool = False,
    top_weighted: bool = False,
    gaps: Gaps = "none",
    weights: Weights = "equal",
    ties: Ties | None = None,
    inputs: Inputs = "scores",
    check: Callable[..., None] | None = None,
    statistic: Callable[..., Statistic] | None = None,
    costs: Callable[..., Sequence[PairCosts]] | None = None,
    of_lists: Callable[..., Outcome] | None = None,
    depth_costs: Callable[..., DepthCosts] | None = None,
    used_by: Iterable[str] = (),
) -> Callable[[Function], Function]:
    """Register a function as a coefficient; it is returned as it is.

    The function takes two one-dimensional float64 arrays, reference and estimate, and returns a number. Its
    keyword-only parameters become options in the text form: ``"mine(0.1)"`` passes ``threshold=0.1`` if it
    has one, ``"mine(p=0.5)"`` passes ``p=0.5``. After that it works by name wherever a coefficient is asked
    for.

    Parameters
    ----------
    symbol : str
        In LaTeX; the name by default.
    cite : str
        Key of its publication.
    question : str
        The question that it answers, in one line.
    formula : str
        In LaTeX between dollars, and what the symbols mean.
    bounds : pair of float
        Smallest and largest value that it can have.
    distance : bool
        Claim: it is 0 for a ranking with itself, and larger for less alike ones.
    symmetric : bool
        Claim: the value is the same with the rankings exchanged.
    centred : bool
        Claim: without ties, it is 0 on average over all orders of one of the rankings.
    top_weighted : bool
        Claim: an exchange at the top of the ranking costs more than one at the bottom.
    gaps : {"none", "reference", "both"}
        Claim: whose scores matter beyond the order that they make.
    weights : {"equal", "ap", "hyperbolic", "scores", "geometric"}
        How pairs of items are weighted: all alike; by 1 / (items above the lower one); by 1 / rank of both;
        by scores. Or how depths are: by p^depth.
    ties : {"error", "undecided", "ignored", "equality", "values"}, optional
        What a tie means: an error; an order that is not known; a pair that is left out; a statement that the
        items are equal; nothing special, equal values enter the formula as they are.
    inputs : {"scores", "graded_lists", "graded_items", "lists"}
        What it compares: two scorings of the same items; two lists of grades in rank order; two scorings with
        grades of the items as a third argument; two lists that need not hold the same items.
    check : callable, optional
        Raises an error for wrong values of the options, so that `get` refuses them.
    statistic : callable, optional
        The formula in the core's fields. Without it the function is called for each pair of rankings.
    costs : callable, optional
        What pairs of items take off the coefficient, for `explain`: a function of both rankings and the
        options that returns a list of `PairCosts`.
    of_lists : callable, optional
        The values of many pairs of lists, for coefficients of lists: a function of the pairs, the number of
        threads and the options.
    depth_costs : callable, optional
        What each depth and each item of two lists takes off, for `explain`.
    used_by : iterable of str
        Functions that use this coefficient by default, such as ``"judge"``.

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
    with calling("coefficient"):
        if ties is not None:
            one_of("ties", ties, get_args(Ties))
        one_of("inputs", inputs, get_args(Inputs))
        one_of("gaps", gaps, get_args(Gaps))
        one_of("weights", weights, get_args(Weights))
        if len(bounds) != 2 or not bounds[0] < bounds[1]:
            raise ArgumentError(f"bounds must be the smallest and the largest value, got {bounds!r}")

    def register(function: Function) -> Function:
        name = function.__name__
        with calling("coefficient"):
            known = REGISTRY.get(name)
            if known is not None and is_ours(known.function):
                raise ArgumentError(f"the name {name!r} is taken by concordant.{name}; choose another")
            if not re.fullmatch(NAME, name):
                raise ArgumentError(f"{name!r} is not a name; use a function with a plain name")
        declared = Coefficient(
            name=name,
            function=function,
            symbol=symbol or default_symbol(name),
            cite=cite,
            question=question,
            formula=formula,
            bounds=bounds,
            distance=distance,
            symmetric=symmetric,
            centred=centred,
            top_weighted=top_weighted,
            gaps=gaps,
            weights=weights,
            ties=ties,
            inputs=inputs,
            check=check,
            statistic=statistic,
            costs=costs,
            of_lists=of_lists,
            depth_costs=depth_costs,
            used_by=frozenset(used_by),
        )
        if is_ours(function):  # a user's own is returned as it is
            document(cast("FunctionType", function), statistic() if statistic is not None else None, bounds)
            if inputs == "lists":
                FOR_OTHER_ITEMS.append(name)
        REGISTRY[name] = declared
        return function

    return register


if TYPE_CHECKING:
    from types import FunctionType

    Options = ParamSpec("Options")

    class OfScores(Protocol[Options]):
        """A coefficient for type checkers.

        It returns a number for two rankings, and a number or an array for what may be batches.
        """

        @overload
        def __call__(
            self, x: OneRanking, y: OneRanking, *arguments: Options.args, **options: Options.kwargs
        ) -> np.float64: ...
        @overload
        def __call__(
            self, x: RankingLike, y: RankingLike, *arguments: Options.args, **options: Options.kwargs
        ) -> Value: ...

    class _Declaring(Protocol):
        def __call__(
            self, function: Callable[Concatenate[Any, Any, Options], Value], /
        ) -> OfScores[Options]: ...


declare = cast("Callable[..., _Declaring]", coefficient)
"""The same as `coefficient`, with the types of those that take batches."""
