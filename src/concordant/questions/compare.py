"""Several coefficients of the same two rankings, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.checks import NAN_POLICIES, check_nan_policy, n_workers
from concordant.coefficients.declaration import REGISTRY, Coefficient, CoefficientsLike
from concordant.coefficients.engine import shaped
from concordant.coefficients.evaluation import Bundle, evaluate, evaluate_lists
from concordant.coefficients.text_form import coefficient as read_coefficient
from concordant.errors import ArgumentError, ArgumentTypeError, ConcordantError, calling
from concordant.rankings.lists import read_lists
from concordant.rankings.pairs import read_pairs, screen
from concordant.results.note import Note
from concordant.results.table import Table
from concordant.typing import NanPolicy, RankingLike, Value

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Compared:
    """One coefficient of a comparison.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    value : Value
        The value; an array for batches.
    note : Note or None
        Why there is no value; None if there is one.
    """

    coefficient: Coefficient
    value: Value
    note: Note | None

    @property
    def question(self) -> str:
        """The question that the coefficient answers."""
        return self.coefficient.question


@dataclass(frozen=True)
class _WithNote:
    coefficient: Coefficient
    value: Any
    note: Note | None


@dataclass(frozen=True)
class _WithQuestion:
    coefficient: Coefficient
    value: Any
    question_or_note: str


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Mapping[str, Value]):
    """The values of several coefficients by their text forms; prints as a table.

    Attributes
    ----------
    coefficients : tuple of Coefficient
        The coefficients.
    values_in_order : tuple of Value
        A value for each coefficient.
    notes : tuple[Note or None, ...]
        For each coefficient, why there is no value; None if there is one.
    n : int
        The number of items that were used.

    Examples
    --------
    >>> import concordant as cd
    >>> comparison = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_ap_b"])
    >>> comparison["tau_b"].round(4), comparison.n
    (0.3333, 3)
    >>> {name: float(value.round(4)) for name, value in comparison.to_dict().items()}
    {'tau_b': 0.3333, 'tau_ap_b': 0.5}
    >>> comparison.records[0].question
    'how much do two rankings agree, ties ignored?'
    """

    coefficients: tuple[Coefficient, ...]
    values_in_order: tuple[Value, ...]
    notes: tuple[Note | None, ...]
    n: int

    @property
    def records(self) -> tuple[Compared, ...]:
        """The coefficients with their values and notes."""
        return tuple(map(Compared, self.coefficients, self.values_in_order, self.notes))

    def __getitem__(self, name: str) -> Value:
        values = dict(zip(self, self.values_in_order, strict=True))
        if name in values:
            return values[name]
        try:
            return values[str(read_coefficient(name))]
        except ConcordantError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter([str(c) for c in self.coefficients])

    def __len__(self) -> int:
        return len(self.coefficients)

    def __repr__(self) -> str:
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def table(self, questions: bool = True) -> Table:
        """Return a table of the values.

        Parameters
        ----------
        questions : bool, default True
            Whether to show the question that each coefficient answers. If False, only the reason for a value
            that is missing is shown.

        Returns
        -------
        Table
            One row per coefficient.

        Examples
        --------
        >>> import concordant as cd
        >>> comparison = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_ap_b"])
        >>> comparison.table(questions=False).columns
        ('coefficient', 'value', 'note')
        """
        lines: list[Any] = []
        for each in self.records:
            value = each.value if np.ndim(each.value) == 0 else f"{np.size(each.value)} values"
            if questions:
                lines.append(_WithQuestion(each.coefficient, value, str(each.note or each.question)))
            else:
                lines.append(_WithNote(each.coefficient, value, each.note))
        kind = _WithQuestion if questions else _WithNote
        return Table("compare", "Coefficients", kind, tuple(lines))

    def to_dict(self) -> dict[str, Value]:
        """Return the values by text form of the coefficient.

        Returns
        -------
        dict of str to float
            The text forms and the values.
        """
        return dict(self)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame, one row per coefficient.

        Returns
        -------
        pandas.DataFrame
            The columns are coefficient, value and note.

        Examples
        --------
        >>> import concordant as cd
        >>> comparison = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_ap_b"])
        >>> comparison.to_frame()["value"].round(4).tolist()
        [0.3333, 0.5]
        """
        return self.table(questions=False).to_frame()

    def to_markdown(self) -> str:
        """Return a Markdown table.

        Returns
        -------
        str
            Coefficient, value, and the question that it answers.

        Examples
        --------
        >>> import concordant as cd
        >>> comparison = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_ap_b"])
        >>> print(comparison.to_markdown().splitlines()[0])
        | coefficient | value | question or note |
        """
        return self.table().to_markdown()

    def to_latex(self) -> str:
        """Return a LaTeX table for the booktabs package.

        Returns
        -------
        str
            Coefficient, value, and the reason for a value that is missing.

        Examples
        --------
        >>> import concordant as cd
        >>> comparison = cd.compare([3, 2, 1], [3, 1, 2], ["tau_b", "tau_ap_b"])
        >>> "tabular" in comparison.to_latex()
        True
        """
        return self.table(questions=False).to_latex()


def compare(
    x: RankingLike,
    y: RankingLike,
    coefficients: CoefficientsLike | None = None,
    *,
    axis: int = -1,
    nan_policy: NanPolicy = "propagate",
    workers: int = 1,
) -> Comparison:
    """Compare two rankings by several coefficients at once; sorting and counting are shared.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        The reference scores and the estimated scores of the same items; larger is better. Labelled input is
        aligned by label.
    coefficients : iterable of str, Coefficient or callable, optional
        Each as `coefficient` reads it, such as ``["tau_b", "tau_ap_b(0.05)@10"]``. By default every
        registered coefficient of scores. If there are ties, those that do not allow them then have a note
        instead of a value.
    axis : int, default -1
        The axis of the items; the other axes are broadcast, and the values are arrays.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: return nan, raise an error that says where, or leave the item out.
    workers : int, default 1
        The number of threads for batches; -1 means all cores. The values do not depend on it.

    Returns
    -------
    Comparison
        A mapping of text form to value, which prints as a table.

    Examples
    --------
    >>> import concordant as cd
    >>> dict(cd.compare([4, 3, 2, 1], [4, 2, 2, 1], ["tau_b", "tau_ap_b"]))
    {'tau_b': 0.9128709291752769, 'tau_ap_b': 0.8333333333333333}
    """
    # A list of names that was used before takes a short way, as in `apply` for one coefficient.
    if type(coefficients) is list and type(axis) is type(workers) is int and axis == -1 and workers == 1:
        try:
            known = _BUNDLES.get(tuple(coefficients)) if nan_policy in NAN_POLICIES else None
        except TypeError:  # not a coefficient
            known = None
        values = None if known is None else known[1].values(x, y)
        if known is not None and values is not None:
            return Comparison(known[0], tuple(values), (None,) * len(values), len(x))  # type: ignore[arg-type]
    with calling("compare"):
        return _compare(x, y, coefficients, axis, nan_policy, workers)


def _compare(
    x: RankingLike,
    y: RankingLike,
    coefficients: CoefficientsLike | None,
    axis: int,
    nan_policy: NanPolicy,
    workers: int,
) -> Comparison:
    check_nan_policy(nan_policy)
    every = coefficients is None
    if coefficients is None:
        coefficients = [c.name for c in REGISTRY.values() if c.inputs == "scores"]
    elif isinstance(coefficients, str | Coefficient) or callable(coefficients):
        coefficients = [coefficients]
    try:
        asked = tuple(coefficients)
    except TypeError:
        raise ArgumentTypeError(
            f"coefficients must be a list of names or functions, got {coefficients!r}"
        ) from None
    chosen = _chosen(asked)
    threads = n_workers(workers)
    if any(c.inputs == "lists" for c in chosen):
        return _compare_lists(x, y, chosen, threads)
    pairs = read_pairs(x, y, axis, threads)
    outcomes = evaluate(chosen, pairs, nan_policy, threads)
    notes = []
    for outcome in outcomes:
        if not every:
            outcome.refuse()
        note = None
        if outcome.refusal:
            note = Note("ties_not_allowed", values={"reason": outcome.refusal})
        elif outcome.undefined:
            note = Note("undefined_value", values={"reason": outcome.reason})
        elif np.isnan(outcome.values).any():
            note = Note("nan_in_input")
        notes.append(note)
    used, _ = screen(pairs, nan_policy, threads)
    n = pairs.n_items if pairs.shape else len(used.x.values)
    values_in_order = tuple(shaped(outcome.values, pairs.shape) for outcome in outcomes)
    return Comparison(chosen, values_in_order, tuple(notes), n)


def _compare_lists(x: Any, y: Any, chosen: tuple[Coefficient, ...], threads: int) -> Comparison:
    """Compare lists of items by coefficients of lists."""
    other = next((c for c in chosen if c.inputs != "lists"), None)
    if other is not None:
        raise ArgumentError(f"{other.name} does not compare lists of items; compare by it separately")
    by_threshold = {w: read_lists(x, y, w) for w in dict.fromkeys(c.threshold for c in chosen)}
    values, notes = [], []
    for c in chosen:
        pairs = by_threshold[c.threshold]
        outcome = evaluate_lists([c], pairs, threads)[0]
        values.append(shaped(outcome.values, pairs.shape))
        reason = {"reason": outcome.reason}
        notes.append(Note("undefined_value", values=reason) if outcome.undefined else None)
    return Comparison(chosen, tuple(values), tuple(notes), pairs.n_codes)


def _chosen(asked: tuple[Any, ...]) -> tuple[Coefficient, ...]:
    """Find the coefficients; those of this package that are given by name are prepared for plain arrays."""
    chosen = tuple(dict.fromkeys(read_coefficient(what) for what in asked))
    if len({str(c) for c in chosen}) < len(chosen):
        raise ArgumentError("two of the functions have the same name; give them different names")
    tasks = [(c.bound_statistic(), c.threshold) for c in chosen if c.top is None and c.registered]
    plain = [(statistic, each) for statistic, each in tasks if statistic is not None and not statistic.both]
    if len(plain) == len(chosen) and all(type(what) is str for what in asked):
        if len(_BUNDLES) >= _MOST_KEPT:
            _BUNDLES.clear()
        _BUNDLES[asked] = chosen, Bundle(plain)
    return chosen


_MOST_KEPT = 256
_BUNDLES: dict[tuple[Any, ...], tuple[tuple[Coefficient, ...], Bundle]] = {}
