"""The tables of a result for figures and pages, converted to plain values once, and what is shown of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from concordant.figures.kit import NARROW, Figure, Rows, Spec, distinct, short_names
from concordant.questions.verdict import called
from concordant.results.table import Columns, Table, plain
from concordant.results.words import count, with_interval

CHOICES = ("estimate", "measure", "coefficient")
PAIR = ("estimate", "measure", "estimate_measure")  # the columns that name an estimate and its measures


def _values(table: Table, name: str) -> list[Any]:
    """Return the values of one field."""
    records = table.records
    return records.column(name) if isinstance(records, Columns) else [getattr(each, name) for each in records]


def columns_of(table: Table) -> dict[str, list[Any]]:
    """Return the columns of a table as plain values."""
    found: dict[str, list[Any]] = {}
    for each in fields(table.kind):
        cells, names = _values(table, each.name), each.metadata.get("parts")
        for k, name in enumerate(names or (each.name,)):
            own = cells if names is None else [None if cell is None else cell[k] for cell in cells]
            found[name] = [cell if cell is None or isinstance(cell, str) else plain(cell) for cell in own]
    return found


class Tables:
    """A result whose tables are converted when they are needed, and kept."""

    def __init__(self, result: Any, highlight: str | None = None, room: float | None = None) -> None:
        self.result = result
        self.highlight = highlight  # a pattern of names of systems
        self.room = room  # pixels across of the picture; None for the usual size
        self.options: Mapping[str, Any] = getattr(result, "options", {})
        self._tables: dict[str, Table] = {table.name: table for table in result.tables}
        self._columns: dict[str, dict[str, list[Any]]] = {}
        self._rows: dict[str, Rows] = {}
        self.kept: dict[str, Any] = {}  # what several figures need

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __contains__(self, name: str) -> bool:
        return name in self._tables

    def records(self, name: str) -> Sequence[Any]:
        """Return the records of a table as they are; none if there is no such table."""
        return self._tables[name].records if name in self else ()

    def columns(self, name: str) -> dict[str, list[Any]]:
        """Return the columns of a table."""
        if name not in self._columns:
            self._columns[name] = columns_of(self._tables[name])
        return self._columns[name]

    def rows(self, name: str) -> Rows:
        """Return the rows of a table; none if there is no such table."""
        if name in self and name not in self._rows:
            columns = self.columns(name)
            cells = zip(*columns.values(), strict=True)
            self._rows[name] = [dict(zip(columns, row, strict=True)) for row in cells]
        return self._rows.get(name, [])

    @property
    def narrow(self) -> bool:
        """Whether the picture is for one column of a paper."""
        return self.room is not None and self.room < NARROW

    @cached_property
    def several_measures(self) -> bool:
        """Whether an estimate has several measures for one measure of the reference."""
        for table in self:
            if {"estimate", "estimate_measure"} <= set(table.columns):
                pairs = set(zip(_values(table, "estimate"), _values(table, "measure"), strict=True))
                # Two rankings that are explained have no measure.
                return len({(estimate, measure and measure[0]) for estimate, measure in pairs}) < len(pairs)
        return False

    def measure_name(self, measure: str, estimate_measure: str) -> str:
        """Return the name by which two measures are chosen: "AP / RR" if the first alone is not enough."""
        both = self.several_measures and measure != estimate_measure
        return f"{measure} / {estimate_measure}" if both else measure

    def narrowed(self, **chosen: str) -> Any:
        """Return the result of `judge` or `correlate` about one estimate, measure, or coefficient first."""

        def kept(rows: Sequence[Any] | None) -> tuple[Any, ...]:
            own = (row for row in rows or () if chosen.get("estimate") in (None, row.estimate))
            return tuple(
                row for row in own if chosen.get("measure") in (None, self.measure_name(*row.measure))
            )

        found = {name: kept(self.records(name)) for name in ("agreement", "judges", "groups") if name in self}
        rows = sorted(found["agreement"], key=lambda row: str(row.coefficient) != chosen.get("coefficient"))
        return replace(self.result, **found | {"agreement": tuple(rows)})

    @cached_property
    def choices(self) -> dict[str, list[str]]:
        """The estimates, measures and coefficients in all tables, of which a figure shows one at a time."""
        found: dict[str, dict[str, None]] = {name: {} for name in CHOICES}
        for table in self:
            pairs = {each.name: "parts" in each.metadata for each in fields(table.kind)}
            for name in (name for name in CHOICES if name in pairs):
                if name == "measure" and self.several_measures and not pairs[name]:
                    continue  # its measures alone do not choose
                for value in dict.fromkeys(_values(table, name)):
                    if value is not None:
                        found[name].setdefault(self.measure_name(*value) if pairs[name] else str(value))
        return {name: list(values) for name, values in found.items()}


def main_coefficient(tables: Tables) -> str:
    """Return the coefficient that the verdict is about."""
    return str(tables.rows("agreement")[0]["coefficient"])


def parameters(tables: Tables, *names: str) -> dict[str, Any]:
    """Return what is shown at first: the best estimate, the first measure, the main coefficient."""
    rows = tables.rows("agreement")
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
    """Return how many systems there are, and topics."""
    topics = max((row["topics"] for row in tables.rows("judges")), default=0)
    return ", ".join([count(most_systems(tables), "system"), *([count(topics, "topic")] if topics else [])])


def of_pairings(tables: Tables, tell: Callable[[str, tuple[str, ...]], str]) -> list[Any]:
    """Return what is said of each estimate and measure: a title, from its name and key, and the value."""
    main, found = main_coefficient(tables), []
    there = set(distinct(tables.rows("judges"), *PAIR))  # not of too few systems
    rows = [row for row in tables.rows("agreement") if row["coefficient"] == main]
    rows = [row for row in rows if tuple(map(row.get, PAIR)) in there]
    names = short_names(called(row["estimate"]) for row in rows)
    for row in rows:
        name, measure = names[called(row["estimate"])], tables.measure_name(*(row[key] for key in PAIR[1:]))
        interval = None if row["low"] is None else (row["low"], row["high"])
        by = "" if measure == "score" else f", {measure}"
        line = f"{name} against the reference{by}: {main} {with_interval(row['value'], interval)}"
        choice = {"estimate": row["estimate"], "measure": measure}
        title = tell(name, tuple(row[key] for key in PAIR))
        found.append((choice, title[0].upper() + title[1:] if name == "the estimate" else title, line))
    return found


def figure(tables: Tables, title: str, spec: Spec, *caption: str, shows: str = "", **more: Any) -> Figure:
    """Return a figure of estimates that shows one at a time of what `shows` lists."""
    about = "; ".join(filter(None, (size_text(tables), *caption)))
    return Figure(title, spec, (about,), params=parameters(tables, *shows.split()), **{"width": 370, **more})
