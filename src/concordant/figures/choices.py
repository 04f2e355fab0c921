"""The estimates, measures and coefficients of a result, of which a figure shows one at a time."""

from __future__ import annotations

import math
from typing import Any

from concordant.coefficients.declaration import Coefficient
from concordant.results.result import Result

CHOICES = ("estimate", "measure", "coefficient")


def choices_of(result: Any) -> dict[str, tuple[str, ...]]:
    """Return the estimates, measures and coefficients in the tables of a result, without repetitions.

    If an estimate has several measures for one of the reference, a measure has both names: "AP / RR".
    """
    found: dict[str, dict[str, None]] = {name: {} for name in CHOICES}
    both = several_measures(result)
    for table in result.tables:
        columns = [name for name in CHOICES if name in table.columns]
        if both and "measure" in columns and "estimate_measure" not in table.columns:
            columns.remove("measure")
        for row in table.to_dicts() if columns else ():
            for name in columns:
                value = _both(row) if both and name == "measure" else row[name]
                if value is not None:
                    found[name].setdefault(str(value))
    return {name: tuple(values) for name, values in found.items()}


def several_measures(result: Any) -> bool:
    """Return whether an estimate has several measures for one measure of the reference."""
    own: dict[tuple[str, str], str] = {}
    for table in result.tables:
        if {"estimate", "estimate_measure"} <= set(table.columns):
            for row in table.to_dicts():
                key = row["estimate"], row["measure"]
                if own.setdefault(key, row["estimate_measure"]) != row["estimate_measure"]:
                    return True
            return False
    return False


def measure_filter(result: Result[Any]) -> str:
    """Return the Vega expression that is true for the rows of the chosen measure."""
    if not several_measures(result):
        return "datum.measure === measure"
    both = "datum.measure + ' / ' + datum.estimate_measure"
    return f"(datum.measure === datum.estimate_measure ? datum.measure : {both}) === measure"


def of_all_systems(result: Any) -> list[Any]:
    """Return the records of agreement of all systems, without those of the best systems only."""
    return [row for row in result.agreement if row.top is None or row.coefficient.top is not None]


def main_coefficient(result: Any) -> Coefficient:
    """Return the coefficient that the verdict is about."""
    return next(row.coefficient for row in of_all_systems(result))


def best_estimate(result: Any) -> str:
    """Return the estimate with the highest value by the first measure and the main coefficient."""
    rows = of_all_systems(result)
    first = rows[0].measure[0], main_coefficient(result)
    defined = [
        row for row in rows if (row.measure[0], row.coefficient) == first and not math.isnan(row.value)
    ]
    return str(max(defined, key=lambda row: row.value).estimate if defined else rows[0].estimate)


def measure_of(result: Any, measures: Any) -> str:
    """Return the name by which the two measures of a record are chosen."""
    return str(measures) if several_measures(result) else str(measures[0])


def _both(row: dict[str, Any]) -> str:
    measure, own = row["measure"], row["estimate_measure"]
    return str(measure) if measure == own else f"{measure} / {own}"
