"""The sections that the docstrings of coefficients share: Parameters and Returns.

They are made from the signature and the declaration.
"""

from __future__ import annotations

from types import FunctionType

from concordant.coefficients.compute import FEW_ITEMS, Statistic

__all__ = ["document"]

_SCORES = """
x, y : array_like, mapping or Series
    Reference and estimated scores of the same items, larger is better. Labelled input is aligned by label."""
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
    Differences up to the threshold count as ties; a pair gives one for x and one for y. It is inclusive,
    with a slack for rounding: 0.4 and 0.3 are tied at 0.1. A `TieRelation` says which items are tied, see
    `tied_by_significance`.""",
    "symmetric": """
symmetric : bool, default False
    Return the mean of both directions, f(x, y) and f(y, x).""",
    "tied": """
tied : {"discordant", "neutral"}
    The score of a pair that is ordered in the ranking walked and tied in the other: -1 or 0.""",
    "max_grade": """
max_grade : int, optional
    The largest grade of the scale, for the default of `a`. By default it is the largest grade in the two
    lists, which leaves a small bias if the lists do not use the whole scale.""",
    "a": """
a : float, optional
    The score of a pair that is tied in one list only. By default the value that gives expectation 0 for
    independent lists of equally likely grades, see `unbiased_a`.""",
    "axis": """
axis : int, default -1
    The axis that holds the items; the others broadcast.""",
    "nan_policy": """
nan_policy : {"propagate", "raise", "omit"}
    What to do with NaN: return nan, raise an error that says where, or leave the item out.""",
    "workers": """
workers : int, default 1
    Threads for batches; -1 for all cores. The values do not depend on it.""",
}
_LATER = ("See Also", "Notes", "References", "Examples")


def document(function: FunctionType, statistic: Statistic | None) -> None:
    """Insert the sections Parameters and Returns into the docstring of a coefficient."""
    # Not by `inspect`: this runs for every coefficient when the package is imported.
    text = (function.__doc__ or "").replace("\n    ", "\n").rstrip()
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    described = "".join(_PARAMETERS[name] for name in names if name in _PARAMETERS)
    reason = (
        "all items have the same grade"
        if "grades" in names
        else ""
        if statistic is None
        else statistic.undefined
    )
    nan = f"nan if {reason}, or if there are {FEW_ITEMS}" if reason else f"nan if there are {FEW_ITEMS}"
    bounds = "Value in [-1, 1]" + (" for a in [-1, 1]" if "a" in names else "")
    returns = f"\nnumpy.float64 or numpy.ndarray\n    {bounds}; {nan}."
    sections = f"Parameters\n----------{described}\n\nReturns\n-------{returns}\n\n"
    places = [text.find(f"\n{title}\n---") + 1 for title in _LATER]
    at = min((place for place in places if place > 0), default=len(text))
    function.__doc__ = text[:at] + sections + text[at:]
