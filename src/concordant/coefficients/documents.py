"""The sections that the docstrings of coefficients share: Parameters and Returns.

They are made from the signature and the declaration.
"""

from __future__ import annotations

from types import FunctionType

from concordant.coefficients.compute import FEW_ITEMS, Statistic

__all__ = ["document"]

_SCORES = """
x, y : array_like, mapping or Series
    The reference scores and the estimated scores of the same items; larger is better. Labelled input is
    aligned by label."""
_LISTS = """
x, y : list, str, mapping, Series or array of int
    Two lists, best first, which need not hold the same items. A list holds names, and tied names stand
    together in an inner list, tuple or set; or it is a text such as ``"red (blue green) yellow"``, scores by
    name (larger is better), or integers. For several lists on a side, pass ``Lists([...])``."""
_PARAMETERS = {
    "x": _SCORES,
    "x_grades": """
x_grades, y_grades : array_like
    The grades of two lists in rank order, best first: whole numbers from 0 up.""",
    "grades": """
grades : array_like or mapping
    The grade of each item: a whole number from 0 up.""",
    "threshold": """
threshold : float, TieRelation or a pair of these, default 0
    Items are tied if their scores differ by no more than the threshold; a pair gives one threshold for x and
    one for y. Rounding errors are allowed for: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says which items
    are tied, see `tied_by_significance`.""",
    "p": """
p : float, default 0.9
    The persistence, between 0 and 1: the smaller it is, the more the top counts.""",
    "ties": """
ties : {"a", "b", "w"}
    The treatment of ties; see the notes.""",
    "penalty": """
penalty : float, default 0.5
    The cost of a pair that is tied in one list only, from 0 to 1.""",
    "normalize": """
normalize : bool, default False
    Whether to divide by the distance of two disjoint lists of the same lengths without ties. Then 1 minus
    the value is a similarity.""",
    "symmetric": """
symmetric : bool, default False
    Whether to return the mean of both directions, f(x, y) and f(y, x).""",
    "tied": """
tied : {"discordant", "neutral"}
    The score of a pair that is ordered in the ranking that is walked down and tied in the other ranking: -1
    for ``"discordant"``, 0 for ``"neutral"``.""",
    "max_grade": """
max_grade : int, optional
    The largest grade of the scale, for the default of `a`. By default it is the largest grade in the two
    lists, which leaves a small bias if the lists do not use the whole scale.""",
    "a": """
a : float, optional
    The score of a pair that is tied in one list only. By default it is the value for which
    the expectation is 0 for independent lists of equally likely grades; see `unbiased_a`.""",
    "axis": """
axis : int, default -1
    The axis of the items; the other axes are broadcast.""",
    "nan_policy": """
nan_policy : {"propagate", "raise", "omit"}
    What to do with NaN: return nan, raise an error that says where, or leave the item out.""",
    "workers": """
workers : int, default 1
    The number of threads for batches; -1 means all cores. The values do not depend on it.""",
}
_THRESHOLD_OF_LISTS = """
threshold : float or pair of float, default 0
    For lists that are given as scores: an item is tied with the best item of its group if their scores
    differ by no more than the threshold. A pair gives one threshold for x and one for y."""
_LATER = ("See Also", "Notes", "References", "Examples")


def document(function: FunctionType, statistic: Statistic | None, bounds: tuple[float, float]) -> None:
    """Insert the sections Parameters and Returns into the docstring of a coefficient."""
    # `inspect` would be slow: this runs for every coefficient when the package is imported.
    text = (function.__doc__ or "").replace("\n    ", "\n").rstrip()
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    lists = "p" in names or "normalize" in names
    texts = {**_PARAMETERS, "x": _LISTS, "threshold": _THRESHOLD_OF_LISTS} if lists else _PARAMETERS
    described = "".join(texts[name] for name in names if name in texts)
    reason = (
        "all items have the same grade"
        if "grades" in names
        else ""
        if statistic is None
        else statistic.undefined
    )
    nan = f"nan if {reason}, or if there are {FEW_ITEMS}" if reason else f"nan if there are {FEW_ITEMS}"
    low, high = bounds
    within = f"The value, in [{low:g}, {high:g}]" if high < float("inf") else f"The value, {low:g} or more"
    within += " for a in [-1, 1]" if "a" in names else ""
    if lists:
        nan = (
            "nan if both lists are empty"
            if "p" in names
            else "nan if it is normalized and nothing can differ"
        )
    returns = f"\nnumpy.float64 or numpy.ndarray\n    {within}; {nan}."
    sections = f"Parameters\n----------{described}\n\nReturns\n-------{returns}\n\n"
    places = [text.find(f"\n{title}\n---") + 1 for title in _LATER]
    at = min((place for place in places if place > 0), default=len(text))
    function.__doc__ = text[:at] + sections + text[at:]
