"""Several coefficients of the same two rankings, side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from concordant import _tables
from concordant._engine import check_options, screen
from concordant._inputs import NanPolicy, read_pairs
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

    rows: tuple[Row, ...]
    n: int  # items used

    def __getitem__(self, name: str) -> float:
        values = self.to_dict()
        if name not in values:
            name = str(get(name))
        return values[name]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

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
    check_options(who, nan_policy, 1)
    if isinstance(coefficients, str | Coefficient) or callable(coefficients):
        coefficients = [coefficients]
    every = [c for c in REGISTRY.values() if c.inputs == "scores"]
    chosen = list(dict.fromkeys(get(what) for what in (every if coefficients is None else coefficients)))
    pairs = read_pairs(who, x, y)
    if pairs.shape:
        raise ValueError(
            f"{who}: takes two rankings, got batches of shape {pairs.shape}; call a coefficient for these"
        )
    outcomes = evaluate(who, chosen, pairs, nan_policy, 1)
    rows = []
    for c, outcome in zip(chosen, outcomes, strict=True):
        if outcome.refusal and coefficients is not None:
            outcome.report(who)
        value = float(outcome.values[0])
        note = ""
        if outcome.refusal:
            note = outcome.refusal.partition(": ")[2]
        elif outcome.undefined:
            note = f"undefined: {outcome.reason}"
        elif math.isnan(value):
            note = "NaN in the input"
        rows.append(Row(c, value, note))
    if len({str(c) for c in chosen}) < len(set(chosen)):
        raise ValueError(f"{who}: two of the functions have the same name; give them different names")
    used, _ = screen(who, pairs, nan_policy)
    return Comparison(tuple(rows), len(used.x))
