"""Tables whose rows and columns are not yet understood, the ways to read them, and the choice between two."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, partial
from pathlib import PurePath
from typing import Any, Literal, NoReturn

import numpy as np

from concordant.errors import ArgumentError, fail, option
from concordant.reading.cells import SPREAD, Column, spread_of
from concordant.reading.files import limit
from concordant.reading.header_words import (
    bare_name,
    counts_down,
    error_of,
    is_beside_scores,
    is_numbered,
    is_word,
    kind_of_column,
    noun_of,
    plain_name,
)
from concordant.results.note import Note
from concordant.results.words import count, noun, nouns, some
from concordant.scores.scores import ALL, Scores, Source, coded, derived, scores_of_codes
from concordant.typing import Floats, Integers

SystemsIn = Literal["rows", "columns"]
OnDuplicate = Literal["error", "first", "best", "mean"]
Headers = Literal["measures", "topics"]
PlusMinus = Literal["se", "ci"]
BESIDE = ("cluster", "repeat")  # columns that are neither labels nor values of scores
_QUANTILE = 1.959963984540054  # of the normal distribution, for an interval of 0.95


@dataclass(frozen=True, eq=False)
class Grid:
    """The columns of a table that is not yet understood, and where they come from."""

    where: str
    stem: str  # the name of the measure if the table does not name it
    columns: tuple[Column, ...]
    n_rows: int
    line: Callable[[int], int] | None = None  # the line of a row, if the table is a file
    remarks: tuple[str, ...] = ()
    title: str = ""  # what the file is, if it is not a table
    file_is_system: bool = False  # the file does not name the system, so that the name of the file is used
    one_object: bool = False  # one object of numbers: there are no topics
    wanted: Collection[str] = ()  # columns that the user calls measures, whatever their names say
    turned: Grid | None = None  # the same table with systems in columns, if it may be either

    @cached_property
    def names(self) -> list[str]:
        """The header."""
        return [column.name for column in self.columns]

    @cached_property
    def kinds(self) -> list[str]:
        """What the columns hold by their names; see `kind_of_column`."""
        return [kind_of_column(name) for name in self.names]

    def parted(self, given: Mapping[str, str]) -> tuple[Grid, dict[str, Any]]:
        """Return the table without the columns of clusters and repeats, and these."""
        beside = {kind: self.columns[self.names.index(given[kind])] for kind in BESIDE if kind in given}
        kept = tuple(column for column in self.columns if column not in beside.values())
        return (replace(self, columns=kept) if beside else self), beside

    def refuse(self, what: str, row: int | None = None, header: bool = False) -> NoReturn:
        """Raise the error about a row, the header or the whole table."""
        if self.line is None:
            raise ArgumentError(what)
        fail(self.where, 1 if header else None if row is None else self.line(row), what)

    def labels(self, place: int, kind: str) -> list[str]:
        """Return the names in a column, none of which may be empty."""
        labels = self.columns[place].labels
        if "" in labels:
            self.refuse(f"the {kind} is empty", labels.index(""))
        return labels

    def numbers(self, place: int) -> Floats:
        """Return a column of scores."""
        column = self.columns[place]
        if column.problem:
            row = f"row {column.bad}: " if self.line is None else ""
            self.refuse(f"column {column.name!r}: {row}{column.problem}", column.bad)
        if column.numbers is None:
            self.refuse(f"column {column.name!r} holds text, not scores")
        return column.numbers


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a table; columns are given by their places."""

    grid: Grid
    systems_in: Literal["rows", "columns", "long"]
    values: tuple[int, ...]
    system: int | None = None  # the column that names the systems
    topic: int | None = None
    measure: int | None = None
    headers: Headers = "measures"  # what the columns are if systems are in rows
    segments: bool = False  # the rows of a system are its topics, in order
    summaries: tuple[str, ...] = ()  # columns that sum up the others, and are left out
    on_duplicate: OnDuplicate = "error"  # what to do about a system, or its score, that appears twice
    said_lower: Collection[str] = ()  # measures of which the user says that the smallest is the best
    plus_minus: PlusMinus | None = None  # what a number after plus-minus is
    cluster: Column | None = None  # what the topics of the rows belong to
    repeat: Column | None = None  # the runs or seeds of the rows, over which scores are averaged

    @cached_property
    def systems(self) -> Sequence[str]:
        """The names of the systems, each once."""
        if self.systems_in == "columns":
            return [self.grid.names[place] for place in self.values]
        if self.system is None:
            return [self.grid.stem]
        names = self.grid.columns[self.system].different_labels
        return [name for name in names if not (self.systems_in == "rows" and is_word(name, "summary"))]

    @property
    def _heads(self) -> list[str]:
        """The names of the columns of scores; those of measures without arrows, if they stay different."""
        names = [self.grid.names[place] for place in self.values]
        bare = list(map(bare_name, names))
        return names if self.systems_in == "columns" or len(set(bare)) < len(bare) else bare

    @property
    def _across(self) -> str:
        """What the columns of scores are."""
        if self.systems_in == "columns":
            return "system"
        if self.systems_in == "rows":
            return self.headers.removesuffix("s")
        if self.measure is not None or self.segments:
            return ""
        one = len(self.values) == 1 and is_word(self.grid.names[self.values[0]], "value")
        return "" if one and not self.grid.file_is_system else "measure"

    def scores(self) -> Scores:
        """Read the table in this way."""
        grid, n = self.grid, len(self.values)
        refused = self.on_duplicate == "error" and self.repeat is None
        columns = [grid.numbers(place) for place in self.values]
        codes: list[Integers] = []
        labels: list[Sequence[str]] = []
        for kind, place in (("measure", self.measure), ("topic", self.topic), ("system", self.system)):
            if kind == self._across:
                codes.append(np.tile(np.arange(n), grid.n_rows))
                labels.append(self._heads)
                continue
            of_rows, names = self._labels(kind) if place is None else self._codes(kind, place)
            codes.append(of_rows if n == 1 else of_rows.repeat(n))
            labels.append(names)
        values = columns[0] if n == 1 else np.stack(columns, axis=1).ravel()
        notes: list[Note] = []
        clusters = self._clusters(codes[1], labels[1])
        if self.repeat is not None:
            codes, values, notes = self._over_repeats(codes, labels, values)
        elif not refused:
            lower = labels[0] if ALL in self.said_lower else (*self._lower(labels[0]), *self.said_lower)
            codes, values, notes = joined_duplicates(codes, labels, values, self.on_duplicate, lower)
        scores = table_of_codes(codes, labels, values, self._refuse_row)
        scores = without_averages(scores, grid.where, "system" if self.systems_in == "rows" else "topic")
        scores = self._without_metadata(scores).noted(*notes)
        errors, about_errors = self._errors()
        scores = derived(scores, errors=errors, clusters=clusters)
        scores = lower_first(scores, self._lower(scores.measures))
        bare = dict.fromkeys(map(bare_name, scores.measures))
        scores = scores.with_measures([*bare]) if len(bare) == len(scores.measures) else scores
        if self.summaries:
            kind = "topic" if self.systems_in == "rows" else "system"
            scores = scores.noted(_averages_left_out(grid.where, self.summaries, kind))
        remarks = {*grid.remarks}.union(*(grid.columns[place].remarks for place in self.values)) - {SPREAD}
        remarks |= about_errors
        named = scores.measures != (grid.stem,)
        unused = sorted({*range(len(grid.names))} - {*self.values, self.system, self.topic, self.measure})
        left_out = tuple(grid.names[i] for i in unused if grid.names[i] not in self.summaries)
        two = (grid.columns[i] for i in unused if grid.columns[i].two and grid.kinds[i] == "")
        remarks |= {f"{column.name} was left out: {column.problem}" for column in two}
        places = {"system": self.system, "topic": self.topic}
        called = ((kind, noun_of(grid.names[k], kind)) for kind, k in places.items() if k is not None)
        own_nouns = tuple((kind, word) for kind, word in called if word is not None)
        source = Source(
            grid.where, grid.title or self.systems_in, named, left_out, tuple(sorted(remarks)), own_nouns
        )
        return derived(scores, source=source)

    def _clusters(self, topics: Integers, names: Sequence[str]) -> dict[str, str]:
        """Return the cluster of each topic, if a column tells it."""
        if self.cluster is None:
            return {}
        if self._across == "topic" or tuple(names) == (ALL,):
            self.grid.refuse(f"{self.cluster.name!r} is for clusters of topics, and no column names topics")
        found: dict[str, str] = {}
        rows = zip(topics[:: len(self.values)].tolist(), self.cluster.labels, strict=True)
        for row, (topic, cluster) in enumerate(rows):
            if found.setdefault(names[topic], cluster) != cluster:
                two = f"{found[names[topic]]!r} and {cluster!r}"
                self.grid.refuse(f"topic {names[topic]!r} is in two clusters, {two}; keep one", row)
        return found

    def _over_repeats(
        self, codes: Sequence[Integers], labels: Sequence[Sequence[str]], values: Floats
    ) -> tuple[list[Integers], Floats, list[Note]]:
        """Average the scores of a system on a topic over the values of a column, with a note."""
        assert self.repeat is not None
        own, names = coded(self.repeat.labels)
        every = np.ravel_multi_index(
            (*codes, own.repeat(len(self.values))), (*map(len, labels), max(len(names), 1))
        )
        first = np.unique(every, return_index=True)[1]
        if len(first) < len(every):
            row = int(np.setdiff1d(np.arange(len(every)), first)[0])
            _, topic, system = (each[int(code[row])] for each, code in zip(labels, codes, strict=True))
            same = f"{self.repeat.name} {names[int(own[row // len(self.values)])]!r}"
            what = f"system {system!r} has two scores for topic {topic!r} with {same}; keep one"
            self.grid.refuse(what, row // len(self.values))
        times = np.unique(every // max(len(names), 1), return_counts=True)[1]
        codes, values, _ = joined_duplicates(codes, labels, values, "mean", ())
        least, most = int(times.min()), int(times.max())
        each = str(most) if least == most else f"{least} to {most}"
        text = f"each score is the mean over {each} values of {self.repeat.name}, which are no topics"
        about = {"least": least, "most": most, "column": self.repeat.name}
        return list(codes), values, [Note("repeats", text=text, values=about, lost=True)]

    def _labels(self, kind: str) -> tuple[Integers, list[str]]:
        """Return the label of each row if no column holds them."""
        n_rows = self.grid.n_rows
        if kind == "topic" and self.segments:
            system, systems = self._codes("system", self.system or 0)
            each, topics = n_rows // len(systems), np.empty(n_rows, dtype=np.int64)
            topics[np.argsort(system, kind="stable")] = np.tile(np.arange(each), len(systems))
            return topics, list(map(str, range(each)))
        numbered = self.systems_in == "columns" and self.measure is None and not self.grid.one_object
        if kind == "topic" and numbered:
            return np.arange(n_rows), list(map(str, range(n_rows)))
        return np.broadcast_to(np.int64(0), n_rows), [ALL if kind == "topic" else self.grid.stem]

    def _codes(self, kind: str, place: int) -> tuple[Integers, Sequence[str]]:
        known = self.grid.columns[place].codes
        return known if known is not None and "" not in known[1] else coded(self.grid.labels(place, kind))

    def _without_metadata(self, scores: Scores) -> Scores:
        """Leave out rows of systems in columns that are no scores, such as "params"; refuse other scales.

        Rows or columns whose names are not known to be topics are benchmarks, which would be averaged.
        """
        kind = "topic" if self.measure is None else "measure"
        named = None if self.topic is None else self.grid.kinds[self.topic]
        in_rows = self.systems_in == "columns" and (kind == "measure" or named not in (None, "topic"))
        if not in_rows and (self.systems_in != "rows" or self.headers != "topics"):
            return scores
        labels = scores.topics if kind == "topic" else scores.measures
        other = [each for each in labels if kind_of_column(each) == "other" or is_beside_scores(each, ())]
        if in_rows and other and len(other) < len(labels):
            text = (
                f"left out {count(len(other), 'row')} that {'hold' if len(other) > 1 else 'holds'} no scores"
            )
            note = Note(
                "rows_left_out", text=f"{text}: {some(other)}", values={"rows": tuple(other)}, lost=True
            )
            kept = {f"{kind}s": [each for each in labels if each not in set(other)]}
            scores = scores.select(**kept).noted(note)
        if kind == "topic" and not is_numbered(scores.topics) and len(scores.topics) > 1:
            self._refuse_unlike(scores)
        return scores

    def _errors(self) -> tuple[dict[tuple[str, str], tuple[float, float]], set[str]]:
        """Return the standard errors below and above each score that the table brings, and remarks on them.

        They stand behind the scores, or in columns of their own; only tables without topics have them.
        """
        found: dict[tuple[str, str], tuple[float, float]] = {}
        remarks, kept_of = set[str](), dict[str, list[str]]()
        if self.systems_in != "rows" or self.headers == "topics" or self.topic is not None:
            return found, remarks
        systems = self._codes("system", self.system)[1] if self.system is not None else self.systems
        if len(systems) < self.grid.n_rows:
            return found, remarks
        beside: dict[tuple[str, str], Column] = {}
        for place in sorted({*range(len(self.grid.columns))} - {*self.values}):
            column = self.grid.columns[place]
            beside.setdefault(error_of(column.name), column)
        for place, head in zip(self.values, self._heads, strict=True):
            column = self.grid.columns[place]
            scores, base = self.grid.numbers(place), error_of(column.name)[0]
            of = {kind: own for (name, kind), own in beside.items() if kind and name == base}
            if len(self.values) == 1:
                of = {kind: own for (name, kind), own in beside.items() if kind and not name} | of
            parts, what = _error_parts(of, scores)
            if parts is None and (SPREAD in column.remarks or "interval" in of):
                cells = of.get("interval", column).texts()
                read = [spread_of(cell, score) for cell, score in zip(cells, scores.tolist(), strict=True)]
                below, above, is_interval = map(np.array, zip(*read, strict=True))
                sure = "interval" in of or is_interval[~np.isnan(below)].all()
                if not sure and self.plus_minus is None:
                    how = f"{option('plus_minus', 'se')} or {option('plus_minus', 'ci')}"
                    remarks.add(f"what a number after plus-minus is must be said to be used, with {how}")
                    continue
                scale = 1.0 if not sure and self.plus_minus == "se" else _QUANTILE
                parts = below / scale, above / scale
                what = "intervals of 0.95" if scale > 1 else "standard errors"
            if parts is not None and not np.isnan(np.maximum(*parts)).all():
                kept_of.setdefault(what, []).append(head)
                kept = zip(systems, *(part.tolist() for part in parts), strict=True)
                found |= {(head, system): (low, high) for system, low, high in kept if low >= 0 <= high}
        remarks |= {f"the {what} of {some(heads)} are kept" for what, heads in kept_of.items()}
        return found, remarks

    def _refuse_unlike(self, scores: Scores) -> None:
        """Refuse to average benchmarks of which one has another scale or direction, or the same for all."""
        with np.errstate(invalid="ignore"):
            sizes = np.nanmax(np.abs(np.where(np.isnan(scores.values), 0, scores.values)), axis=(0, 2))
        same, middle = len(scores.systems) > 2, float(np.median(sizes))
        for place, (name, size) in enumerate(zip(scores.topics, sizes.tolist(), strict=True)):
            usual = middle if len(sizes) > 2 else float(sizes[1 - place])
            own = scores.values[:, place]
            if (usual <= 1 and size > 1.5) or (usual > 5 and (0 < size <= 1 or size > 20 * usual)):
                what = f"{name!r} has scores up to {size:g}, most others have up to {usual:g}"
            elif counts_down(name):
                what = f"the smallest {name!r} is the best"
            elif same and size and bool((own == own.flat[0]).all()):
                what = f"{name!r} is {own.flat[0]:g} everywhere"
            else:
                continue
            axis = "the columns" if self.systems_in == "rows" else "the rows"
            label = "" if self.topic is None else self.grid.names[self.topic]
            how = (
                f"with {option('columns')} measure={label}" if label else "by naming their column 'benchmark'"
            )
            how = f"with {option('headers', 'measures')}" if self.systems_in == "rows" else how
            leave = f"{axis} would be averaged: take it out of the table"
            self.grid.refuse(f"{what}, and {leave}, or compare {axis} one by one {how}")

    def _lower(self, measures: Sequence[str]) -> Collection[str]:
        """Return the measures of which the smallest value is the best, by the names of columns and rows."""
        if self.systems_in == "columns" or self.headers == "topics":
            return [measure for measure in measures if self.measure is not None and counts_down(measure)]
        down = [counts_down(self.grid.names[place]) for place in self.values]
        if self._across != "measure":  # one column of values
            return [measure for measure in measures if any(down) or counts_down(measure)]
        return [head for head, counts in zip(self._heads, down, strict=True) if counts]

    def _refuse_row(self, row: int, what: str) -> NoReturn:
        """Refuse a score that a system has twice, and name the column that tells its rows apart."""
        places = (place for place in (self.measure, self.topic, self.system) if place is not None)
        rows = list(zip(*(self.grid.columns[place].labels for place in places), strict=True))
        apart = self._what_tells_apart(rows) if rows and not self.segments else ""
        first = row // len(self.values)
        if rows and self.grid.line is not None:
            what += f", first in line {self.grid.line(rows.index(rows[first]))}"
        keep = f"; keep one with {option('on_duplicate', 'first')}, 'best' or 'mean'"
        self.grid.refuse(what + (apart or keep), first)

    def _what_tells_apart(self, rows: Sequence[object]) -> str:
        """Name a column that was left out and that tells equal rows apart, if there is one."""
        used = (*self.values, self.measure, self.topic, self.system)
        for place, column in enumerate(self.grid.columns):
            name = column.name
            if place in used or name in self.summaries:
                continue
            about = self.grid.kinds[place] in ("rank", "other") or (
                is_beside_scores(name, ()) and not plain_name(name).endswith("id")
            )
            numbers_rows = column.is_whole and len(column.different_labels) == len(rows)
            if (about or numbers_rows) and not is_word(name, "repeat"):
                continue
            if len(set(zip(rows, column.labels, strict=True))) == len(rows):
                kinds = f"measure={name} or topic={name}"
                kinds = f"system={name}" if is_word(name, "system") else kinds
                return f"; {name!r} tells the rows apart: say what it holds with {option('columns')}, {kinds}"
        return ""


def _error_parts(of: Mapping[str, Column], scores: Floats) -> tuple[tuple[Floats, Floats] | None, str]:
    """Return the standard errors from columns of numbers, and what these columns are."""
    numbers = {kind: column.numbers for kind, column in of.items() if column.numbers is not None}
    if "se" in numbers:
        return (numbers["se"], numbers["se"]), "standard errors"
    if {"low", "high"} <= numbers.keys():
        below, above = scores - numbers["low"], numbers["high"] - scores
        return (below / _QUANTILE, above / _QUANTILE), "intervals of 0.95"
    return None, ""


def joined_duplicates(
    codes: Sequence[Integers],
    labels: Sequence[Sequence[str]],
    values: Floats,
    how: OnDuplicate,
    lower: Collection[str],
) -> tuple[list[Integers], Floats, list[Note]]:
    """Keep one value of each measure, topic and system: the first, the best, or the mean; with a note."""
    shape = [len(own) for own in labels]
    flat = np.ravel_multi_index(tuple(codes), shape)
    different, first, which = np.unique(flat, return_index=True, return_inverse=True)
    if len(different) == len(flat):
        return list(codes), values, []
    known = ~np.isnan(values)
    sign = np.array([-1.0 if measure in lower else 1.0 for measure in labels[0]])[codes[0]]
    found = np.full(len(different), math.nan)
    if how == "mean":
        sums, times = (np.bincount(which[known], weights=own) for own in (values[known], None))
        short = len(different) - len(times)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.pad(sums / times, (0, short), constant_values=math.nan)
    else:
        # The last one written stays: the first of a system, or its best.
        order = np.argsort(values * sign, kind="stable") if how == "best" else np.arange(len(flat))[::-1]
        order = order[known[order]]
        found[which[order]] = values[order]
    kept = np.sort(first)
    doubled = np.bincount(which)[which] > 1
    twice = tuple(dict.fromkeys(labels[2][s] for s in codes[2][doubled].tolist()))
    taken = {
        "first": "the first score was kept",
        "best": "the best score was kept",
        "mean": "the mean was taken",
    }
    text = f"{count(len(twice), 'system')} with duplicate scores, {taken[how]}: {some(twice)}"
    note = Note("duplicates", text=text, values={"systems": twice, "how": how}, lost=True)
    return [own[kept] for own in codes], found[which[kept]], [note]


def table_of_codes(
    codes: Sequence[Integers],
    labels: Sequence[Sequence[str]],
    values: Floats,
    refuse: Callable[[int, str], NoReturn],
) -> Scores:
    """Build scores as `scores_of_codes` does; refuse a table that would be nearly empty."""
    check_full(labels, len(values), partial(refuse, 0))
    return scores_of_codes(codes, labels, values, refuse)


def check_full(labels: Sequence[Sequence[str]], n_scores: int, refuse: Callable[[str], NoReturn]) -> None:
    """Refuse a table that would be large and nearly empty."""
    most = limit("CONCORDANT_MAX_CELLS", 1_000_000 + 20 * n_scores)
    cells = math.prod(map(len, labels))
    if cells > max(most, n_scores):
        kinds = ("measures", "topics", "systems")
        of = " x ".join(f"{len(own)} {kind}" for own, kind in zip(labels, kinds, strict=True))
        empty = f"{n_scores} scores for {of} leave the table nearly empty"
        refuse(f"{empty}; are the columns the right ones? If so, set CONCORDANT_MAX_CELLS to {cells}")


def without_averages(scores: Scores, where: str, kind: str = "topic") -> Scores:
    """Leave out topics, or systems, that sum up the others, such as "all" or "Average", if there are others.

    If there is no other topic, or a system has no other, the scores are means. Topics that sum up the others
    are compared with their means.
    """
    labels: tuple[str, ...] = scores.topics if kind == "topic" else scores.systems
    names = tuple(label for label in labels if is_word(label, "summary"))
    if kind == "topic" and names == labels and len(names) == 1:
        return scores.with_topics([ALL])
    if not names or len(names) == len(labels):
        return scores
    kept = [label for label in labels if label not in names]
    if kind == "system":
        return scores.select(systems=kept).noted(_averages_left_out(where, names, kind))
    left, averages = scores.select(topics=kept), scores.select(topics=names[:1])
    known, told = (np.any(~np.isnan(each.values), axis=1) for each in (left, averages))  # measures x systems
    alone = [scores.systems[k] for k in np.flatnonzero(np.any(told, axis=0) & ~np.any(known, axis=0))]
    if alone:
        have = f"{some(alone)} {'has' if len(alone) == 1 else 'have'} only a row of topic {names[0]!r}"
        text = f"{have}, so that all systems are compared by these rows, without topics"
        note = Note("means_only", subject=where, text=text, values={"systems": tuple(alone)}, lost=True)
        return averages.with_topics([ALL]).noted(note)
    left = left.noted(_averages_left_out(where, names, kind))
    only = [scores.measures[k] for k in np.flatnonzero(~np.any(known, axis=1))]
    if only:
        text = f"left out measures that only have rows of topic {names[0]!r}: {some(only)}"
        note = Note(
            "measures_without_topics", subject=where, text=text, values={"measures": tuple(only)}, lost=True
        )
        left = left.select(measures=[m for m in scores.measures if m not in only]).noted(note)
    return left.noted(*_differing(left, averages.select(measures=left.measures), names[0], where))


def _differing(scores: Scores, averages: Scores, name: str, where: str) -> list[Note]:
    """Return a note if averages differ from the means of the scores by more than their rounding."""
    found: list[tuple[str, str, float, float]] = []
    for measure, values, told in zip(scores.measures, scores.values, averages.values[:, 0], strict=True):
        if measure.startswith(("gm_", "GMAP")):  # geometric means
            continue
        known = ~np.isnan(values)
        totals, n = np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0)
        # An average may be over all topics, as in trec_eval -c, and a sum, as of numbers of documents.
        ways = [totals / np.maximum(n, 1), totals / len(values), totals]
        away = np.min([np.abs(way - told) for way in ways], axis=0)
        if not (away > 1e-9 * (1 + np.abs(told))).any():
            continue
        digits = [d for d in (_decimals(told), _decimals(values)) if d > 2] or [_decimals(told)]
        within = 1.01 * 10.0 ** -min(digits)  # half a unit from rounding the average, half from the scores
        for k in np.flatnonzero(away > within + 1e-9 * np.abs(told)):
            found.append((measure, scores.systems[k], float(told[k]), float(ways[0][k])))
    if not found:
        return []
    measure, system, told, mean = found[0]
    such = f"such as {measure} of {system}, {told:.6g}, where the mean of the topics is {mean:.6g}"
    differ = f"{count(len(found), 'score')} of topic {name!r} {'differs' if len(found) == 1 else 'differ'}"
    text = f"{differ} from the means of the topics, {such}; these means are used. Are lines missing?"
    return [Note("averages_differ", subject=where, text=text, values={"scores": len(found)}, lost=True)]


def _decimals(values: Floats) -> int:
    """Return the number of decimals with which numbers were printed, by the first thousand."""
    some_of = values[~np.isnan(values)][:1000].tolist()
    exponents = (Decimal(repr(value)).as_tuple().exponent for value in some_of)
    return max((-each for each in exponents if isinstance(each, int)), default=0)


def _averages_left_out(where: str, names: Sequence[str], kind: str) -> Note:
    shown = some([repr(name) for name in names])
    text = f"rows of topic {shown} are averages, not scores, and were left out"
    if kind == "system":
        sum_up, were = ("sums", "was") if len(names) == 1 else ("sum", "were")
        text = f"{shown} {sum_up} up the other systems and {were} left out"
    return Note("averages_left_out", subject=where, text=text, values={"names": tuple(names), "of": kind})


def decided(tables: Sequence[Sequence[Scores | Reading]]) -> list[Scores]:
    """Choose the way to read each table: the only one, or the one with systems in common with the others."""
    chosen = [ways[0] if len(ways) == 1 else None for ways in tables]
    sure = [way for way in chosen if way is not None]
    unsure = [k for k, way in enumerate(chosen) if way is None]
    if not sure and len(unsure) > 1:
        one, other = (tables[k] for k in unsure[:2])
        fitting = [(a, b) for a in one for b in other if _in_common(a, b) > 1]
        if len(fitting) == 1:
            chosen[unsure[0]], chosen[unsure[1]] = sure = list(fitting[0])
    found = [way or _like_others(ways, sure) for ways, way in zip(tables, chosen, strict=True)]
    return [way.scores() if isinstance(way, Reading) else way for way in found]


def _in_common(one: Scores | Reading, other: Scores | Reading) -> int:
    return len(set(one.systems) & set(other.systems))


def _like_others(ways: Sequence[Scores | Reading], sure: Sequence[Scores | Reading]) -> Scores | Reading:
    same = [way for way in ways if any(set(way.systems) == set(other.systems) for other in sure)]
    fitting = [way for way in ways if any(_in_common(way, other) > 1 for other in sure)]
    for found in (same, fitting):
        if len(found) == 1:
            return found[0]
    readings = [way for way in ways if isinstance(way, Reading)]
    places = zip(("rows", "columns"), (way.systems for way in readings), strict=True)
    shown = " or ".join(f"in {place} ({len(own)}: {some(own, 3)})" for place, own in places)
    how = f"{option('systems', 'rows')} or {option('systems', 'columns')}"
    return readings[0].grid.refuse(f"the systems may be {shown}; say where they are with {how}")


_TITLES = {"long": "long format", "files": "each file is a system"}


def reading_note(scores: Scores) -> Note:
    """Return the note on how a table was read."""
    with nouns(dict(scores.source.nouns)):
        return _reading_note(scores)


def _reading_note(scores: Scores) -> Note:
    source = scores.source
    topics = 0 if scores.topics == (ALL,) else len(scores.topics)
    missing = int(np.isnan(scores.values).sum())
    lower = tuple(measure for measure in scores.measures if measure in scores.lower_is_better)
    parts = [count(len(scores.systems), "system")]
    parts += [count(topics, "topic")] if topics else []
    if len(scores.measures) > 1 or (source.named and not topics):
        parts.append(f"{count(len(scores.measures), 'measure')} ({some(scores.measures)})")
    as_read = _TITLES.get(source.read_as, source.read_as)
    as_read = f"{noun('systems')} in {as_read}" if as_read in ("rows", "columns") else as_read
    text = f"{as_read}: {', '.join(parts)}"
    text += f"; the smallest {some(lower)} is the best" if lower else ""
    text += f"; {count(missing, 'score')} missing" if missing else ""
    names = [name or "a column without a name" for name in source.left_out]
    text += f"; left out: {some(names, 8)}" if names else ""
    text += f"; {'; '.join(source.remarks)}" if source.remarks else ""
    values = {"systems_in": source.read_as, "systems": len(scores.systems), "topics": topics}
    values |= {"measures": scores.measures, "left_out": source.left_out, "missing": missing, "lower": lower}
    values |= {"remarks": source.remarks, "named": source.named}
    unusual = bool(missing or lower or source.left_out or source.remarks)
    return Note("read_as", subject=PurePath(source.name).name, text=text, values=values, lost=unusual)


def lower_first(scores: Scores, measures: Collection[str]) -> Scores:
    """Change the sign of measures of which the smallest score is the best, unless it is already changed."""
    new = set(measures) - scores.lower_is_better
    if not new:
        return scores
    sign = np.array([-1.0 if measure in new else 1.0 for measure in scores.measures])
    values = scores.values * sign[:, None, None] + 0.0
    values.flags.writeable = False
    errors = {key: error[::-1] if key[0] in new else error for key, error in scores.errors.items()}
    return derived(scores, values=values, lower_is_better=scores.lower_is_better | new, errors=errors)


def directed(scores: Scores, lower_is_better: Collection[str]) -> Scores:
    """Change the sign of some measures, with a note."""
    more = tuple(m for m in scores.measures if m in lower_is_better and m not in scores.lower_is_better)
    if not more:
        return scores
    text = f"the smallest {some(more)} is the best; its sign was changed"
    return lower_first(scores, more).noted(
        Note("lower_is_better", text=text, values={"measures": more}, lost=True)
    )


def in_one_direction(sides: Mapping[str, Scores]) -> dict[str, Scores]:
    """If the smallest score of a measure is the best on one side, treat it so on all sides, with a note.

    A measure without a name, or called "score", may be another on each side.
    """
    named = [side for side in sides.values() if side.source.named]
    lower = {measure for side in named for measure in side.lower_is_better if not is_word(measure, "value")}
    return {name: directed(side, lower) for name, side in sides.items()}
