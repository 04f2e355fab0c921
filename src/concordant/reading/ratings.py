"""Labels of items by several raters: from tables, from judgements, and from memory."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, option, shown
from concordant.rankings.labels import label_text
from concordant.reading.battles import battles_of, labels_of_battles
from concordant.reading.cells import MISSING, Column, columns_of
from concordant.reading.files import FileLike, is_file_like
from concordant.reading.from_memory import grid_or_scores
from concordant.reading.header_words import check_columns, is_word, places_of
from concordant.reading.qrels import Qrels, notes_of_labels, qrels_of
from concordant.reading.read_scores import ReadOptions, grid_of_file
from concordant.reading.readings import Grid
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import Scores, coded
from concordant.typing import Floats, FrameLike, Integers

Grade: TypeAlias = int | float | str
RatingsLike: TypeAlias = FileLike | FrameLike | Mapping[str, Any]
"""A path, an open file or a DataFrame; or ``{rater: labels}``, each a list, a mapping, or judgements."""

KINDS = ("item", "topic", "system", "rater", "label")
_MOST_LABELS = 200
_FEW = 2**20  # numbers that are counted instead of sorted
_ABSENT = -(10**7)  # in place of a grade of judgements; these are from minus a million to a million
_NOT_MADE = frozenset((*MISSING, "error", "invalid", "n\\a"))
# Two words whose order is known, the lower first.
_PAIRS = (
    *(("no", "yes"), ("n", "y"), ("fail", "pass"), ("failed", "passed"), ("incorrect", "correct")),
    *(("wrong", "right"), ("false", "true"), ("irrelevant", "relevant"), ("not relevant", "relevant")),
    *(("bad", "good"), ("worse", "better"), ("loss", "win"), ("unsafe", "safe")),
)


@dataclass(frozen=True, eq=False)
class Ratings:
    """The labels of items by raters, as numbers of grades; -1 is a missing label."""

    raters: tuple[str, ...]
    grades: tuple[Grade, ...]  # the lowest first
    values: Floats  # of the grades
    ordered: bool
    codes: Integers  # items x raters
    named: Callable[[int], str]  # an item
    topics: tuple[Integers, Sequence[str]] | None = None  # of the items, and their names
    systems: tuple[Integers, Sequence[str]] | None = None
    repeats: tuple[Integers, Integers, Integers] | None = None  # further labels: item, rater, grade
    failed: Mapping[str, int] | None = None  # by rater: labels that are missing or failed
    notes: tuple[Note, ...] = ()

    def of(self, rater: str) -> Integers:
        """Return the labels of a rater."""
        found: Integers = self.codes[:, self.raters.index(rater)]
        return found


def read_ratings(
    data: RatingsLike,
    *,
    levels: Sequence[Any] | None = None,
    raters: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    format: Any = None,
    sheet: str | None = None,
) -> Ratings:
    """Read the labels of several raters."""
    if isinstance(data, Mapping):
        unused = [name for name, each in (("columns", columns), ("format", format), ("sheet", sheet)) if each]
        if unused:
            raise ArgumentError(f"{option(unused[0])} is for tables, got labels by rater")
        if not data:
            raise ArgumentError("there are no labels; give {rater: labels}")
        if all(map(_is_judgements, data.values())):
            if levels is not None:
                raise ArgumentError(f"{option('levels')} is for words; the grades of judgements are numbers")
            found = ratings_of_qrels({str(name): qrels_of(each) for name, each in data.items()})
            refuse_unknown(raters, found.raters)
            own = [found.raters.index(name) for name in raters or found.raters]
            return replace(found, raters=tuple(raters) or found.raters, codes=found.codes[:, own])
        grid = _grid_of_mapping(data)
    elif is_file_like(data):
        how = ReadOptions(format=format, sheet=sheet, systems="columns")
        table = grid_of_file(data, how)
        if not isinstance(table, Grid):
            raise ArgumentError(f"{data}: this is no table of labels; give a header, such as item,human,gpt")
        grid = table
    else:
        found_grid = grid_or_scores(data)
        if isinstance(found_grid, Scores):
            wanted = "a path, a DataFrame or {rater: labels}"
            raise ArgumentTypeError(f"labels must be {wanted}, got {type(data).__name__}")
        grid = found_grid
    battles = battles_of(grid)
    return _of_grid(labels_of_battles(battles) if battles else grid, levels, raters, columns or {})


def _is_judgements(each: Any) -> bool:
    """Return whether these are judgements: a file, Qrels, or {topic: {document: grade}}."""
    if isinstance(each, Mapping):
        return bool(each) and all(isinstance(own, Mapping) for own in each.values())
    return is_file_like(each)


def refuse_unknown(names: Iterable[str], raters: Sequence[str]) -> None:
    """Refuse a rater that there is not."""
    for name in names:
        if name not in raters:
            raise ArgumentError(f"there is no rater {name!r}; there are {', '.join(raters)}")


# --- judgements ---


def ratings_of_qrels(sides: Mapping[str, Qrels]) -> Ratings:
    """Return the grades of documents by several assessors; the documents of a topic belong together."""
    topics = list(dict.fromkeys(itertools.chain(*sides.values())))
    of_topics, names, parts = list[Integers](), list[str](), list[Any]()
    for place, topic in enumerate(topics):
        own = [side.get(topic, {}) for side in sides.values()]
        documents = list(dict.fromkeys(itertools.chain(*own)))
        absent = itertools.repeat(_ABSENT)
        parts.append([np.fromiter(map(e.get, documents, absent), np.int64, len(documents)) for e in own])
        of_topics.append(np.full(len(documents), place))
        names += documents
    table = np.concatenate([np.empty((len(sides), 0), np.int64), *map(np.array, parts)], axis=1).T
    grades, codes = np.unique(table, return_inverse=True)
    missing = int(len(grades) > 0 and grades[0] == _ABSENT)
    codes, grades = codes.reshape(table.shape) - missing, grades[missing:]
    every = sides.items()
    where = np.concatenate([np.empty(0, np.int64), *of_topics])
    return Ratings(
        raters=tuple(sides),
        grades=tuple(grades.tolist()),
        values=grades.astype(np.float64),
        ordered=True,
        codes=codes,
        named=lambda item: f"{topics[where[item]]} {names[item]}",
        topics=(where, topics),
        failed={name: sum(each.failed.values()) for name, each in every},
        notes=tuple(n.about(name) for name, e in every for n in notes_of_labels(e, "are not compared")),
    )


# --- tables ---


def _grid_of_mapping(data: Mapping[str, Any]) -> Grid:
    """Return {rater: {item: label}} or {rater: [label, ...]} as a table with a column for each rater."""
    names = [str(name) for name in data]
    own = [
        each if isinstance(each, Mapping) else each.tolist() if hasattr(each, "tolist") else list(each)
        for each in data.values()
    ]
    if all(isinstance(each, Mapping) for each in own):
        items = list(dict.fromkeys(itertools.chain(*own)))
        cells = [[each.get(item) for item in items] for each in own]  # type: ignore[union-attr]
        names, cells = ["item", *names], [items, *cells]
    elif any(isinstance(each, Mapping) for each in own) or len(set(map(len, own))) > 1:
        sizes = ", ".join(f"{name} {len(each)}" for name, each in zip(names, own, strict=True))
        raise ArgumentError(f"every rater needs a label for each item, None if it is missing; got {sizes}")
    else:
        cells = own  # type: ignore[assignment]
    return Grid("the labels", "label", columns_of(names, cells, "."), len(cells[0]))


def _places(grid: Grid, given: Mapping[str, str], raters: Sequence[str]) -> dict[str, int]:
    """Return the columns of items, topics, systems, raters and labels, as far as they are there."""
    check_columns(grid.names, given, KINDS)
    found = {kind: grid.names.index(name) for kind, name in given.items()}
    taken = {*given.values(), *(name for name in raters if name in grid.names)}

    def first(kind: str, of_text: bool) -> int | None:
        places = (c for c in places_of(grid.names, kind) if grid.names[c] not in taken)
        return next((c for c in places if not of_text or grid.columns[c].numbers is None), None)

    rater, label = found.get("rater", first("rater", True)), found.get("label", first("rating", False))
    if rater is not None and label is not None and rater != label:
        found |= {"rater": rater, "label": label}
        taken |= {grid.names[rater], grid.names[label]}
    elif "rater" in found or "label" in found:
        lacks = "label" if "rater" in found else "rater"
        name = option("columns", f"{lacks}=NAME")
        raise ArgumentError(f"there is no column for the {lacks}; name it: {name}")
    taken |= {name for name in grid.names if is_word(name, "rater") and not is_word(name, "item")}
    for kind in ("topic", "system", "item"):
        place = found.get(kind, first(kind, kind == "system"))
        if place is not None:
            found[kind] = place
            taken.add(grid.names[place])
    return found


class _Numbers(Sequence[str]):
    """The names of numbers, each of which is made when it is asked for."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: Any) -> Any:
        value = float(self.values[place])
        return "" if np.isnan(value) else label_text(value)


_Coded: TypeAlias = tuple[Integers, Sequence[str]]  # cells as numbers of texts, and the texts


def _coded(column: Column) -> _Coded:
    """Return the cells of a column as numbers of texts."""
    if column.codes is not None:
        return column.codes[0], [text.strip() for text in column.codes[1]]
    if column.numbers is None:
        return coded(column.labels)
    values, codes = distinct(column.numbers)
    return codes, _Numbers(values)


def _keys(grid: Grid, place: Mapping[str, int]) -> dict[str, _Coded]:
    """Return the topics, the items and the systems of the rows, as far as there are such columns."""
    found = dict[str, _Coded]()
    for kind in ("topic", "item", "system"):
        if kind in place:
            codes, texts = found[kind] = _coded(grid.columns[place[kind]])
            ends = (texts[0], texts[-1]) if isinstance(texts, _Numbers) else texts  # NaN is the last
            if "" in ends:
                grid.refuse(f"the {kind} is empty", int(np.argmax(codes == [*texts].index(""))))
    return found


def distinct(values: Any) -> tuple[Any, Integers]:
    """Return the different values in their order, and the place of each; small whole numbers are counted."""
    if len(values) and values.min() >= 0 and values.max() < _FEW:
        whole = values.astype(np.int64)
        if (whole == values).all():
            there = np.flatnonzero(np.bincount(whole))
            place = np.zeros(int(there[-1]) + 1, dtype=np.int64)
            place[there] = np.arange(len(there))
            return there, place[whole]
    found, codes = np.unique(values, return_inverse=True)
    return found, codes


def _of_grid(
    grid: Grid, levels: Sequence[Any] | None, raters: Sequence[str], given: Mapping[str, str]
) -> Ratings:
    """Read a table: wide, a column for each rater, or long, with columns for the rater and the label."""
    place = _places(grid, given, raters)
    notes = list[Note]()
    if "rater" in place:
        of_rater, names = _coded(grid.columns[place["rater"]])
        if "" in names:
            grid.refuse("the rater is empty", int(np.argmax(of_rater == names.index(""))))
        refuse_unknown(raters, names)
        if raters:  # other raters have no place
            of_rater = np.array([raters.index(name) if name in raters else -1 for name in names])[of_rater]
            names = raters
        labels, rows = [_coded(grid.columns[place["label"]])], np.arange(grid.n_rows)
    else:
        wide = _rater_columns(grid, place, raters, notes)
        names, labels = [grid.names[c] for c in wide], [*wide.values()]
        rows = np.tile(np.arange(grid.n_rows), len(wide))
        of_rater = np.repeat(np.arange(len(wide)), grid.n_rows)
    scale = _scale((text for _, texts in labels for text in texts), levels, grid, labels)
    notes += scale.notes
    given_codes = np.concatenate([scale.places(texts)[codes] for codes, texts in labels])
    failed = {name: int((given_codes[of_rater == k] < 0).sum()) for k, name in enumerate(names)}
    keys = _keys(grid, place)
    items, first = _items(keys, grid.n_rows)
    known = (given_codes >= 0) & (of_rater >= 0)
    where, whose, what = items[rows][known], of_rater[known], given_codes[known]
    table = np.full(len(first) * len(names), -1)
    flat = where * len(names) + whose
    table[flat[::-1]] = what[::-1]  # the first label counts
    again = _repeated(flat)
    repeats = (where[again], whose[again], what[again]) if len(again) else None
    if repeats is not None:
        several = some([names[k] for k in np.unique(repeats[1]).tolist()])
        text = f"{several} labelled items again ({count(len(again), 'label')}); the first label counts"
        notes.append(Note("repeated_labels", text=text, values={"labels": len(again)}, table="consistency"))
    counted = Counter({name: n for name, n in failed.items() if n})
    if counted:
        text = f"{counted.total()} of {count(len(given_codes), 'label')} are missing or failed"
        notes.append(Note("failed_labels", text=text, values={"failed": dict(counted)}, lost=True))
    topics, systems = (
        (codes[first], texts) for codes, texts in (keys.get(k, (items, [])) for k in ("topic", "system"))
    )
    if "system" in keys and "topic" not in keys and "item" in keys:  # the systems answer the same items
        topics = keys["item"][0][first], keys["item"][1]
    return Ratings(
        raters=tuple(names),
        grades=scale.grades,
        values=scale.values,
        ordered=scale.ordered,
        codes=table.reshape(len(first), len(names)),
        named=lambda item: (
            " ".join(texts[codes[first[item]]] for codes, texts in keys.values()) or f"row {first[item]}"
        ),
        topics=topics if topics[1] and len(topics[1]) < len(first) else None,
        systems=systems if systems[1] else None,
        repeats=repeats,
        failed=failed,
        notes=tuple(notes),
    )


def _rater_columns(
    grid: Grid, place: Mapping[str, int], raters: Sequence[str], notes: list[Note]
) -> dict[int, _Coded]:
    """Return the columns of raters, with their labels."""
    if raters:
        refuse_unknown(raters, grid.names)
        return {c: _coded(grid.columns[c]) for c in map(grid.names.index, raters)}
    others = [c for c in range(len(grid.names)) if c not in place.values()]
    # A name of a count or of an item, or texts that are hardly ever repeated, are not labels.
    named = [
        c for c in others if grid.kinds[c] not in ("other", "rank") and not is_word(grid.names[c], "item")
    ]
    every = {c: _coded(grid.columns[c]) for c in named}
    most = max(20, grid.n_rows // 10)
    found = {
        c: (codes, texts)
        for c, (codes, texts) in every.items()
        if len(texts) <= (_MOST_LABELS if grid.columns[c].numbers is not None else most)
    }
    left_out = [grid.names[c] for c in others if c not in found]
    if left_out:
        text = f"left out columns that hold no labels: {some(left_out)}"
        notes.append(Note("columns_left_out", text=text, values={"columns": left_out}, lost=True))
    if len(found) < 2:
        there = f"found {some([grid.names[c] for c in found]) or 'none'} among {some(grid.names, 12)}"
        say = f"name them with {option('raters')}, or the columns with {option('columns', 'rater=NAME')}"
        grid.refuse(f"labels need two raters or more; {there}; {say}", header=True)
    return found


def _items(keys: Mapping[str, _Coded], n_rows: int) -> tuple[Integers, Integers]:
    """Return the item of each row, and the first row of each item, in the order of the rows."""
    if not keys or any(len(texts) == n_rows for _, texts in keys.values()):
        return np.arange(n_rows), np.arange(n_rows)
    joined = np.zeros(n_rows, dtype=np.int64)
    for codes, texts in keys.values():
        joined = joined * len(texts) + codes
    _, first, items = np.unique(joined, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[items], first[order]


def _repeated(flat: Integers) -> Integers:
    """Return the places of values that occurred before."""
    if np.bincount(flat).max(initial=0) < 2:
        return np.empty(0, dtype=np.int64)
    again = np.ones(len(flat), dtype=np.bool_)
    again[np.unique(flat, return_index=True)[1]] = False
    return np.flatnonzero(again)


class _Scale(NamedTuple):
    """What texts mean as labels."""

    grades: tuple[Grade, ...]
    values: Floats
    ordered: bool
    codes: Mapping[str, int]
    notes: tuple[Note, ...] = ()

    def places(self, texts: Sequence[str]) -> Integers:
        """Return the grade of each text; -1 for a label that is missing or failed."""
        return np.array([self.codes.get(text, -1) for text in texts], dtype=np.int64)


def _scale(texts: Iterable[str], given: Sequence[Any] | None, grid: Grid, labels: Sequence[_Coded]) -> _Scale:
    """Find out whether labels are numbers, words in an order, or words; or take the levels that are given."""
    there = list(dict.fromkeys(text for text in texts if text.casefold() not in _NOT_MADE))
    levels, notes, ordered = [label_text(each).strip() for each in given or ()], list[Note](), True
    folded = [level.casefold() for level in levels]
    if given is not None and (len(set(folded)) < len(folded) or len(folded) < 2):
        raise ArgumentError(f"{option('levels')} must be two or more different labels, got {some(levels)}")
    if given is None:
        if not there or len(there) > _MOST_LABELS:
            many = f"there are more than {_MOST_LABELS} different labels; scores are compared by correlate"
            grid.refuse(many if there else "all labels are missing")
        words = {text.casefold() for text in there}
        numbers = {number for text in there if (number := _number(text)) is not None}
        if pair := next((pair for pair in _PAIRS if words <= {*pair}), None):
            levels = list(pair)
            if pair != ("false", "true"):
                notes.append(Note("order_of_labels", text=f"labels are in the order {pair[0]} < {pair[1]}"))
        elif numbers:
            levels = list(map(label_text, sorted(numbers)))
        else:
            levels, ordered = sorted(there), False
            text = f"the labels {some(levels)} have no order; give it with {option('levels')}"
            notes.append(Note("no_order", text=text, values={"labels": levels}, lost=True))
        folded = [level.casefold() for level in levels]
    values = list(map(_number, levels))
    numeric = None not in values
    if numeric and values != sorted(values):  # type: ignore[type-var]
        raise ArgumentError(f"{option('levels')}: numbers are in their own order, the lowest first")
    codes = dict[str, int]()
    for text in there:
        if text in levels or text.casefold() in folded:
            codes[text] = levels.index(text) if text in levels else folded.index(text.casefold())
        elif numeric and (number := _number(text)) in values:
            codes[text] = values.index(number)
        else:
            column, cells = next(each for each in labels if text in each[1])
            what = f"the label {shown(text)} is not one of the levels {', '.join(levels)}"
            grid.refuse(what, int(np.argmax(column == cells.index(text))))
    own = np.array(values if numeric else range(len(levels)), dtype=np.float64)
    grades = tuple(int(v) if v.is_integer() else v for v in own.tolist()) if numeric else tuple(levels)
    return _Scale(grades, own, ordered, codes, tuple(notes))


def _number(text: str) -> float | None:
    with suppress(ValueError):
        found = float({"true": "1", "false": "0"}.get(text.lower(), text))
        return found if np.isfinite(found) else None
    return None
