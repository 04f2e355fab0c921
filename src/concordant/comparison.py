"""Several coefficients of the same two rankings, side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from concordant import _tables
from concordant._engine import Bundle, check_options, screen
from concordant._inputs import NAN_POLICIES, NanPolicy, read_pairs
from concordant._registry import REGISTRY, Coefficient, evaluate, get

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "compare"]


class Row(NamedTuple):
    """One line of a comparison."""

    coefficient: Coefficient
    value: float
    note: str  # why there is no value


@dataclass(frozen=True, repr=False)
class Comparison:
    """The values of several coefficients; prints as a table."""

    coefficients: tuple[Coefficient, ...]
    values: tuple[float, ...]
    notes: tuple[str, ...]  # why there is no value
    n: int  # items used

    @property
    def rows(self) -> tuple[Row, ...]:
        """The coefficients, values and notes, line by line."""
        return tuple(map(Row._make, zip(self.coefficients, self.values, self.notes, strict=True)))

    def __getitem__(self, name: str) -> float:
        values = self.to_dict()
        if name not in values:
            name = str(get(name))
        return values[name]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.coefficients)

    def __repr__(self) -> str:
        return _tables.text(*self._cells(), right=[1])

    def to_dict(self) -> dict[str, float]:
        """Return the values by text form of the coefficient."""
        return {str(row.coefficient): row.value for row in self.rows}

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame, one row per coefficient."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install 'concordant[frame]'") from None
        return pd.DataFrame(
            [(str(row.coefficient), row.value, row.note) for row in self.rows],
            columns=["coefficient", "value", "note"],
        )

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return _tables.markdown(*self._cells(), right=[1])

    def to_latex(self) -> str:
        """Return a LaTeX table for the booktabs package."""
        rows = []
        for row, (_, value, _) in zip(self.rows, self._cells()[1], strict=True):
            cell = "--" if math.isnan(row.value) else f"${value}$" if row.value < 0 else value
            rows.append([f"${row.coefficient.latex()}$", cell, _tables.latex_escape(row.note)])
        if any(row.note for row in self.rows):
            return _tables.latex(["coefficient", "value", "note"], rows, right=[1])
        return _tables.latex(["coefficient", "value"], [row[:2] for row in rows], right=[1])

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [str(row.coefficient), f"{row.value:.4f}", row.note or row.coefficient.question]
            for row in self.rows
        ]
        return ["coefficient", "value", "question, or why there is no value"], rows


def compare(
    x: Any,
    y: Any,
    coefficients: str | Coefficient | Iterable[str | Coefficient | Callable[..., Any]] | None = None,
    *,
    nan_policy: NanPolicy = "propagate",
) -> Comparison:
    """Compare two rankings by several coefficients at once; sorting and counting are shared.

    Parameters
    ----------
    x, y : array_like, mapping or Series
        Reference and estimated scores of the same items, larger is better. Labelled input is aligned by label.
    coefficients : iterable of str, Coefficient or callable, optional
        Each as `get` reads it, such as ``["tau_b", "tau_ap_b(0.05)@10"]``. By default every registered coefficient of scores;
        those that refuse ties are then left without a value if there are ties, with a note, instead of an error.
    nan_policy : {"propagate", "raise", "omit"}
        What to do with NaN: give nan, raise an error that says where, or leave the item out.

    Returns
    -------
    Comparison
        Prints as a table; has ``to_dict()``, ``to_frame()``, ``to_latex()``, ``to_markdown()``.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.compare([4, 3, 2, 1], [4, 2, 2, 1], ["tau_a", "tau_e"]).to_dict()
    {'tau_a': 0.8333333333333334, 'tau_e': 0.6666666666666666}
    """
    who = "compare"
    if nan_policy not in NAN_POLICIES:
        check_options(who, nan_policy, 1)
    every = coefficients is None
    if coefficients is None:
        coefficients = [c.name for c in REGISTRY.values() if c.inputs == "scores"]
    elif type(coefficients) is not list and (
        isinstance(coefficients, str | Coefficient) or callable(coefficients)
    ):
        coefficients = [coefficients]
    try:
        asked = tuple(coefficients)
    except TypeError:
        raise TypeError(
            f"{who}: coefficients must be a list of names or functions, got {coefficients!r}"
        ) from None
    chosen, bundle = _bundled(who, asked)
    values = None if bundle is None else bundle.values(x, y)
    if values is not None:
        return Comparison(chosen, tuple(values), ("",) * len(values), len(x))
    pairs = read_pairs(who, x, y)
    if pairs.shape:
        raise ValueError(
            f"{who}: takes two rankings, got batches of shape {pairs.shape}; call a coefficient for these"
        )
    outcomes = evaluate(who, chosen, pairs, nan_policy, 1)
    notes = []
    for outcome in outcomes:
        if outcome.refusal and not every:
            outcome.report(who)
        if outcome.refusal:
            notes.append(outcome.refusal.partition(": ")[2])
        elif outcome.undefined:
            notes.append(f"undefined: {outcome.reason}")
        else:
            notes.append("NaN in the input" if math.isnan(outcome.values[0]) else "")
    used, _ = screen(who, pairs, nan_policy)
    return Comparison(chosen, tuple(float(o.values[0]) for o in outcomes), tuple(notes), len(used.x))


def _bundled(who: str, asked: tuple[Any, ...]) -> tuple[tuple[Coefficient, ...], Bundle | None]:
    """Find the coefficients; those of this package, asked for by name, also prepared for two plain arrays."""
    known = _BUNDLES.get(asked)
    if known is not None:
        return known
    chosen = tuple(dict.fromkeys(get(what) for what in asked))
    if len({str(c) for c in chosen}) < len(chosen):
        raise ValueError(f"{who}: two of the functions have the same name; give them different names")
    if not all(type(what) is str for what in asked) or any(
        c.top is not None or c.statistic is None for c in chosen
    ):
        return chosen, None
    bundle = Bundle([(c.bound_statistic(), c.threshold) for c in chosen])
    if not bundle.complete:
        return chosen, None
    _BUNDLES[asked] = chosen, bundle
    return chosen, bundle


_BUNDLES: dict[tuple[Any, ...], tuple[tuple[Coefficient, ...], Bundle]] = {}
