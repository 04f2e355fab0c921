"""Register a function as a coefficient, with everything that is declared about it."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, get_args, overload

from concordant.checks import one_of
from concordant.coefficients.costs import DepthCosts, PairCosts
from concordant.coefficients.declaration import (
    NAME,
    REGISTRY,
    Coefficient,
    Gaps,
    Inputs,
    Ties,
    Weights,
    default_symbol,
    is_ours,
)
from concordant.coefficients.engine import FEW_ITEMS, NEVER, SAME_GRADE, Outcome, Statistic, said
from concordant.errors import ArgumentError, calling

Function = TypeVar("Function", bound=Callable[..., Any])


def register(
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
) -> Callable[[Function], Function]:
    """Register a function as a coefficient; the function itself does not change.

    The function takes two one-dimensional float64 arrays, reference and estimate, and returns a number. Its
    keyword-only parameters become options in the text form: ``"mine(0.1)"`` passes ``threshold=0.1`` if it
    has one, ``"mine(p=0.5)"`` passes ``p=0.5``. After that its name can be used wherever a coefficient is
    expected.

    Parameters
    ----------
    symbol : str
        The symbol in LaTeX; by default the name.
    cite : str
        The key of its publication.
    question : str
        The question that it answers, in one line.
    formula : str
        The formula, as Markdown with LaTeX between dollars, and what its symbols mean.
    bounds : pair of float
        The smallest and the largest value that it can have.
    distance : bool
        Claim: it is 0 for a ranking with itself, and larger for rankings that are less alike.
    symmetric : bool
        Claim: exchanging the two rankings does not change the value.
    centred : bool
        Claim: without ties, it is 0 on average over all orders of one of the rankings.
    top_weighted : bool
        Claim: an exchange at the top of the ranking costs more than one at the bottom.
    gaps : {"none", "reference", "both"}
        Claim: the side or sides whose scores matter beyond the order that they give.
    weights : {"equal", "ap", "hyperbolic", "scores", "geometric"}
        How pairs of items are weighted: equally; by 1 / (items above the lower one); by 1/rank_i + 1/rank_j;
        by scores. "geometric" is for depths of lists, weighted by p^depth.
    ties : {"error", "undecided", "ignored", "equality", "values"}, optional
        What a tie means: an error; an order that is not known; a pair that is left out; a statement that the
        items are equal; nothing special, so that equal values enter the formula as they are.
    inputs : {"scores", "graded_lists", "graded_items", "lists"}
        What it compares: scores of the same items on both sides; two lists of grades in rank order; scores on
        both sides, with the grades of the items as a third argument; two lists that need not hold the same
        items.
    check : callable, optional
        A function that raises an error for wrong values of the options, so that `coefficient` refuses them.
    statistic : callable, optional
        A function that returns the formula in the fields of the core. Without it, the coefficient itself is
        called for each pair of rankings.
    costs : callable, optional
        A function of both rankings and the options that returns by how much each pair of items lowers the
        coefficient, as a list of `PairCosts`; `explain` uses it.
    of_lists : callable, optional
        For coefficients of lists: a function of the pairs of lists, the number of threads and the options
        that returns the values.
    depth_costs : callable, optional
        For coefficients of lists: a function that returns by how much each depth and each item lowers the
        value; `explain` uses it.

    Returns
    -------
    callable
        A decorator, which registers a function and returns it.

    Examples
    --------
    >>> import concordant as cd
    >>> @cd.register(question="is the best item the same?", symmetric=True, bounds=(0, 1))
    ... def same_winner(x, y):
    ...     return float(x.argmax() == y.argmax())
    >>> cd.coefficient("same_winner")([3, 2, 1], [3, 1, 2])
    1.0
    >>> del cd.REGISTRY["same_winner"]
    """
    declared = dict(locals())  # every parameter is a field of `Coefficient`
    with calling("register"):
        if ties is not None:
            one_of("ties", ties, get_args(Ties))
        one_of("inputs", inputs, get_args(Inputs))
        one_of("gaps", gaps, get_args(Gaps))
        one_of("weights", weights, get_args(Weights))
        if len(bounds) != 2 or not bounds[0] < bounds[1]:
            raise ArgumentError(f"bounds must be the smallest and the largest value, got {bounds!r}")

    def add(function: Function) -> Function:
        name = function.__name__
        with calling("register"):
            known = REGISTRY.get(name)
            # A module whose import Ctrl-C ended is imported again, and declares the same once more.
            again = known is not None and known.function.__module__ == function.__module__
            if known is not None and is_ours(known.function) and not again:
                raise ArgumentError(f"the name {name!r} is taken by concordant.{name}; choose another")
            if not re.fullmatch(NAME, name):
                raise ArgumentError(f"{name!r} is not a name; use a function with a plain name")
        declared["symbol"] = symbol or default_symbol(name)
        if is_ours(function):  # the docstring of a user's function stays as it is
            document(function, statistic() if statistic is not None else None, bounds)
        REGISTRY[name] = Coefficient(name, function, **declared)
        return function

    return add


if TYPE_CHECKING:
    import numpy as np

    from concordant.typing import OneRanking, RankingLike, Value

    Options = ParamSpec("Options")

    class OfScores(Protocol[Options]):
        """A coefficient for type checkers.

        It returns a number for two rankings, and a number or an array for input that may be a batch.
        """

        @overload
        def __call__(
            self, x: OneRanking, y: OneRanking, *arguments: Options.args, **options: Options.kwargs
        ) -> np.float64: ...
        @overload
        def __call__(
            self, x: RankingLike, y: RankingLike, *arguments: Options.args, **options: Options.kwargs
        ) -> Value: ...

    def declare(
        **declared: Any,
    ) -> Callable[[Callable[Concatenate[Any, Any, Options], Value]], OfScores[Options]]:
        """Do the same as `register`, with types for coefficients that take batches."""

else:
    declare = register


@functools.cache
def _descriptions(of_lists: bool) -> dict[str, str]:
    """Return the description of each parameter of coefficients, as this docstring has it.

    x, y : array_like, mapping or Series
        The reference scores and the estimated scores of the same items; larger is better. Labelled input is
        aligned by label.
    x_grades, y_grades : array_like
        The grades of two lists in rank order, best first: whole numbers from 0 up.
    grades : array_like or mapping
        The grade of each item: a whole number from 0 up.
    threshold : float, str, TieRelation or a pair of these, default 0
        Items are tied if their scores differ by no more than the threshold; a pair gives one threshold for x
        and one for y. Rounding errors are allowed for: 0.4 and 0.3 are tied at 0.1. A text such as ``"5%"``
        is a percentage of the smaller of the two scores, ``"5% of larger"`` of the larger one; a ranking with
        scores of both signs is then refused. A `TieRelation` says which items are tied, see
        `tied_by_significance`.
    p : float, default 0.9
        The persistence, between 0 and 1: the smaller it is, the more the top counts.
    ties : {"a", "b", "w"}
        The treatment of ties; see the notes.
    penalty : float, default 0.5
        The cost of a pair that is tied in one list only, from 0 to 1.
    normalize : bool, default False
        Whether to divide by the distance of two disjoint lists of the same lengths without ties. Then 1 minus
        the value is a similarity.
    symmetric : bool, default False
        Whether to return the mean of both directions, f(x, y) and f(y, x).
    tied : {"discordant", "neutral"}
        The score of a pair that is ordered in the ranking that is walked down and tied in the other ranking:
        -1 for ``"discordant"``, 0 for ``"neutral"``.
    walks : {"both", "x", "y"}
        The ranking that is walked down; ``"both"`` is the mean of the two directions.
    form : {"sign", "two_term"}
        The formula; see the notes.
    dependent : {"y", "x", "both"}
        The ranking whose ties cost something; ties of the other are left out. ``"both"``: ties of either cost
        half.
    rank : {"both", "x", "y"}
        The ranking whose ranks give the weights; ``"both"`` is the mean of the two values.
    scale : {"minmax", "none"}
        How the scores of x become weights: scaled to [0, 1], or as given.
    max_grade : int, optional
        The largest grade of the scale, for the default of `a`. By default it is the largest grade in the two
        lists, which leaves a small bias if the lists do not use the whole scale.
    a : float, optional
        The score of a pair that is tied in one list only. By default it is the value for which the
        expectation is 0 for independent lists of equally likely grades; see `unbiased_a`.
    axis : int, default -1
        The axis of the items; the other axes are broadcast.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        The number of threads for batches; -1 means all cores. The values do not depend on it.

    The same for coefficients of lists that need not hold the same items:

    x, y : list, str, mapping, Series or array of int
        Two lists, best first, which need not hold the same items. A list holds names, and tied names stand
        together in an inner list, tuple or set; or it is a text such as ``"red (blue green) yellow"``, scores
        by name (larger is better), or integers. For several lists on a side, pass ``Lists([...])``.
    threshold : float or pair of float, default 0
        For lists that are given as scores: an item is tied with the best item of its group if their scores
        differ by no more than the threshold. A pair gives one threshold for x and one for y.
    """
    text = inspect.cleandoc(_descriptions.__doc__ or "")
    found = re.findall(r"^(\w+)(.* : .+(?:\n {4}.+)+)", text, re.MULTILINE)
    # The last description of a name is that of lists, the first that of all others.
    return {name: f"\n{name}{rest}" for name, rest in (found if of_lists else found[::-1])}


_LATER = ("See Also", "Notes", "References", "Examples")


def document(function: Callable[..., Any], statistic: Statistic | None, bounds: tuple[float, float]) -> None:
    """Insert the sections Parameters and Returns into the docstring of a coefficient."""
    text = (function.__doc__ or "").replace("\n    ", "\n").rstrip()
    code = function.__code__  # to call inspect.signature for all coefficients takes a millisecond
    given = getattr(function, "__signature__", None)
    names = list(given.parameters) if given else code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    lists = "p" in names or "normalize" in names
    texts = _descriptions(lists)
    described = "".join(texts[name] for name in names if name in texts)
    if lists:
        whys = ["both lists are empty" if "p" in names else "it is normalized and nothing can differ"]
    else:
        own = SAME_GRADE if "grades" in names else NEVER if statistic is None else statistic.undefined
        whys = [own, f"there are {FEW_ITEMS}"]
    nan = "nan if " + ", or if ".join(said([why]) for why in whys if why)
    low, high = bounds
    within = f"The value, in [{low:g}, {high:g}]" if high < float("inf") else f"The value, {low:g} or more"
    within += " for a in [-1, 1]" if "a" in names else ""
    returns = f"\nnumpy.float64 or numpy.ndarray\n    {within}; {nan}."
    sections = f"Parameters\n----------{described}\n\nReturns\n-------{returns}\n\n"
    places = [text.find(f"\n{title}\n---") + 1 for title in _LATER]
    at = min((place for place in places if place > 0), default=len(text))
    function.__doc__ = text[:at] + sections + text[at:]
