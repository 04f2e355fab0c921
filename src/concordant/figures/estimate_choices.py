"""What the figures of estimates share: which estimate, measure and coefficient they show."""

from __future__ import annotations

from typing import Any

from concordant.figures.converted_tables import Tables
from concordant.figures.kit import Figure, Rows, Spec, distinct, shortened

# Which estimate and measure are shown, as an expression.
PAIRING = f"{shortened('estimate', 28)} + ' against the reference, ' + {shortened('measure', 20)}"
PAIR = ("estimate", "measure", "estimate_measure")  # the columns that name an estimate and its measures


def of_all_systems(tables: Tables) -> Rows:
    """Return the rows of agreement of all systems, without those of the best systems only."""
    rows, records = tables.rows("agreement"), tables.records("agreement")
    both = zip(rows, records, strict=True)
    return [row for row, record in both if row["top"] is None or record.coefficient.top is not None]


def main_coefficient(tables: Tables) -> str:
    """Return the coefficient that the verdict is about."""
    return str(of_all_systems(tables)[0]["coefficient"])


def parameters(tables: Tables, *names: str) -> dict[str, Any]:
    """Return what is shown at first: the best estimate, the first measure, the main coefficient."""
    rows = of_all_systems(tables)
    first = {name: rows[0][name] for name in ("measure", "coefficient")}
    own = [row for row in rows if all(row[name] == value for name, value in first.items())]
    best = max(own, key=lambda row: -2.0 if row["value"] is None else row["value"])
    found = {**first, "estimate": best["estimate"], "measure": tables.choices["measure"][0]}
    return {name: found.get(name) for name in names}


def measure_is(tables: Tables, wanted: str = "measure") -> str:
    """Return the expression that is true for the rows of a measure, which is an expression too."""
    return f"{measure_text(tables)} === {wanted}"


def measure_text(tables: Tables) -> str:
    """Return the expression of the name by which the measures of a row are chosen."""
    if not tables.several_measures:
        return "datum.measure"
    both = "datum.measure + ' / ' + datum.estimate_measure"
    return f"(datum.measure === datum.estimate_measure ? datum.measure : {both})"


def pairing_is(tables: Tables) -> str:
    """Return the expression that is true for the rows of the chosen estimate and measure."""
    return f"datum.estimate === estimate && {measure_is(tables)}"


def most_systems(tables: Tables) -> int:
    """Return how many systems there are."""
    return len(distinct(tables.rows("systems"), "system"))


def size_text(tables: Tables) -> str:
    """Return how many systems there are, and topics, if the number is the same for all."""
    topics = distinct(tables.rows("topics"), "topics")
    parts = [f"{n} topics" if n > 1 else "one topic" for n in topics if len(topics) == 1]
    return ", ".join([f"{most_systems(tables)} systems", *parts])


def figure(tables: Tables, title: str, spec: Spec, *caption: str, shows: str = "", **more: Any) -> Figure:
    """Return a figure of estimates that shows one at a time of what `shows` lists."""
    caption = (size_text(tables), *caption)
    return Figure(title, spec, caption, params=parameters(tables, *shows.split()), **{"width": 345, **more})
