"""Tables in JSON, in the shapes in which people and programs write them, as grids of columns."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from concordant.checks import distinct_keys, is_real
from concordant.errors import ArgumentError, fail, option, shown
from concordant.reading.cells import Column, Decimal, check_cell_lengths, column_of, columns_of
from concordant.reading.files import FileLike, check_cells, name_of, stem_of
from concordant.reading.header_words import DOWN, UP, counts_down, is_numbered, is_word, kind_of_column
from concordant.reading.measure_names import is_measure_name
from concordant.reading.readings import Grid
from concordant.results.words import some


class _File(NamedTuple):
    """What a shape may need beside the content."""

    name: str
    stem: str
    size: int
    folder: str  # the name of the folder in which the file is
    sheet: str | None


_Table: TypeAlias = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""The names of columns, and their cells."""


def objects_of(name: str, text: str, format: str, holding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a list, or of lines, with their line."""
    if format == "json":
        found = _parsed(name, 1, text)
        for row in found if isinstance(found, list) else [found]:
            if not isinstance(row, dict):
                such = 'such as {"system": ...}'
                fail(name, None, f"expected a list of objects, {such}, found {shown(str(row))} in it")
            yield 1, row
        return
    for line, content in enumerate([text] if _is_one_object(text) else text.split("\n"), 1):
        if content.strip():
            row = _parsed(name, line, content)
            if not isinstance(row, dict):
                expected = f"expected an object with {holding}"
                fail(name, line, f"{expected}, found {shown(content.strip())}")
            yield line, row


def _is_one_object(text: str) -> bool:
    """Return whether one object is written over several lines: its first line is no object."""
    first = text.lstrip().partition("\n")[0].strip()
    if first == "{":
        return True
    for part in (first, text):
        with suppress(ValueError, RecursionError):
            json.loads(part)
            return part is text
    return False


_DECODER = json.JSONDecoder(
    object_pairs_hook=distinct_keys
)  # making one for each line takes half of the time


def _parsed(name: str, line: int, content: str) -> Any:
    try:
        return _DECODER.decode(content)
    except json.JSONDecodeError as error:
        what = error.msg
    except ArgumentError as error:
        fail(name, line, error.text)
    except RecursionError:
        what = "nested too deeply"
    except ValueError:  # Python reads no more than 4300 digits
        what = "a number has too many digits"
    return fail(name, line, f"broken JSON: {what}: {shown(content.strip())}")


def grid_of_json(
    source: FileLike, text: str, size: int, format: str, decimal: Decimal | None, sheet: str | None
) -> Grid:
    """Make a grid of a table in any of the shapes; it has the other way round if there are two."""
    name = name_of(source)
    file = _File(name, stem_of(source), size, Path(name).absolute().parent.name, sheet)
    lines: list[int] = []
    if format == "json":
        data = _parsed(name, 1, text)
    else:
        found = list(objects_of(name, text, format, "topic, system and value"))
        data, lines = [row for _, row in found], [line for line, _ in found]
        data = data[0] if len(data) == 1 else data
    shape = next(each for each in _SHAPES if each.fits(data))
    try:
        tables = list(shape.tables(data, file))
    except (KeyError, TypeError, AttributeError) as error:
        fail(name, None, f"looks like {shape.title}, and a part is missing or of another kind: {error}")
    for heads, cells in tables:
        check_cells(name, len(heads) * max(map(len, cells), default=0), size)
    own = lines if shape.tables is _records else []
    first, *others = (_grid(file, table, own, decimal, isinstance(data, dict)) for table in tables)
    if not others:
        return first
    turned = replace(others[0], remarks=(*others[0].remarks, "the inner keys are systems"))
    return replace(first, remarks=(*first.remarks, "the outer keys are systems"), turned=turned)


def _grid(file: _File, table: _Table, lines: list[int], decimal: Decimal | None, alone: bool) -> Grid:
    """Make a grid. If there is a column for topics and none for systems, the file is the system."""
    heads, cells = table
    n_rows = max(map(len, cells), default=0)
    if not n_rows:
        fail(file.name, None, "holds no objects")
    for head, own in zip(heads, cells, strict=True):
        _check_texts(file.name, head, own, lines)
    nested = [head for head, own in zip(heads, cells, strict=True) if {*map(type, own)} <= _NESTED]
    plain = [(head, own) for head, own in zip(heads, cells, strict=True) if head not in nested]
    columns = columns_of(
        [head for head, _ in plain],
        [[_CLOSED.get(type(cell), cell) for cell in own] for _, own in plain],
        decimal,
    )
    numbers = all(column.numbers is not None for column in columns)
    is_system = any(is_word(head, "topic") for head in heads) and not any(
        is_word(head, "system") for head in heads
    )
    if is_system:
        columns = (Column("system", lambda: [file.stem] * n_rows), *columns)
    one = numbers and not is_system and n_rows == 1 and alone
    line = (lines or [1] * n_rows).__getitem__
    about = about_nested(nested)
    return Grid(file.name, file.stem, columns, n_rows, line, about, file_is_system=is_system, one_object=one)


def about_nested(names: Sequence[str]) -> tuple[str, ...]:
    """Return the remark on columns whose cells are lists or objects."""
    return (f"nested columns were left out: {some(names, 8)}",) if names else ()


_CLOSED: dict[type, str] = {dict: "{...}", list: "[...]"}  # cells that are no cells
_NESTED = {dict, list, type(None)}


def _check_texts(name: str, head: str, cells: Sequence[Any], lines: list[int]) -> None:
    """Refuse cells that are too long, broken, or more than a cell where one is needed."""
    texts = dict.fromkeys(cell for cell in cells if isinstance(cell, str))
    check_cell_lengths(name, texts)
    needed = any(is_word(head, kind) for kind in ("topic", "system", "value"))
    closed = next((cell for cell in cells if type(cell) in _CLOSED), None) if needed else None
    broken = next((text for text in texts if not text.isascii() and _SURROGATE.search(text)), None)
    for cell, what in (
        (closed, f"{head!r} must be a text or a number, found {shown(json.dumps(closed))}"),
        (broken, f"holds a broken character: {shown(ascii(broken))}"),
    ):
        if cell is not None:
            fail(name, lines[cells.index(cell)] if lines else 1, what)


_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character


# Each shape of a file gives one table, or two if it may be turned.


def _of_objects(rows: Sequence[Mapping[str, Any]], file: _File) -> _Table:
    """Keys are columns; so are those of an object of scores, as "scores.AP" if there is another AP."""
    keys = dict.fromkeys(key for row in rows for key in row)
    check_cells(file.name, len(rows) * len(keys), file.size)
    columns: dict[tuple[str, ...], list[Any]] = {(key,): [row.get(key) for row in rows] for key in keys}
    for key in keys:
        cells = columns[key,]
        if {*map(type, cells)} - {type(None)} == {dict}:
            inner = dict.fromkeys(name for cell in cells for name in cell or ())
            check_cells(file.name, len(rows) * len(inner), file.size)
            found = {name: [(cell or {}).get(name) for cell in cells] for name in inner}
            if all(column_of("", own, ".").numbers is not None for own in found.values()):
                del columns[key,]
                columns.update(((key, name), own) for name, own in found.items())
    short = Counter(path[-1] for path in columns)
    return [path[-1] if short[path[-1]] == 1 else ".".join(path) for path in columns], [*columns.values()]


def _records(data: Any, file: _File) -> Iterator[_Table]:
    rows = data if isinstance(data, list) else [data]
    for row in rows:
        if not isinstance(row, dict):
            such = 'such as {"system": ...}'
            fail(file.name, None, f"expected a list of objects, {such}, found {shown(str(row))} in it")
    yield _of_objects(rows, file)


def _of_rows(file: _File, heads: Sequence[Any], rows: Sequence[Any]) -> _Table:
    """Make a table of lists."""
    names = [head if isinstance(head, str) else json.dumps(head) for head in heads]
    for row in rows:
        if not isinstance(row, list) or len(row) != len(names):
            fail(file.name, None, f"expected rows of {len(names)} cells, found {shown(json.dumps(row))}")
    return names, list(zip(*rows, strict=True)) or [[]] * len(names)


def _split(data: Any, file: _File) -> Iterator[_Table]:
    heads, cells = _of_rows(file, data["columns"], data["data"])
    index = data.get("index")
    if isinstance(index, list) and len(index) == len(data["data"]) and index != [*range(len(index))]:
        heads, cells = ["", *heads], [index, *cells]
    yield heads, cells


def _titled(data: Any, file: _File) -> Iterator[_Table]:
    """Read the tables of HELM: a header, and rows of values or of objects with a value."""
    tables = data if isinstance(data, list) else [data]
    found = {str(each.get("title") or each.get("name") or k): each for k, each in enumerate(tables)}
    one = chosen_sheet(file.name, found, file.sheet, "table")
    rows = [[_value(cell) for cell in row] if isinstance(row, list) else row for row in found[one]["rows"]]
    yield _of_rows(file, list(map(_head, found[one]["header"])), rows)


def _head(cell: Any) -> Any:
    """Return the name of a column of HELM, with an arrow where it says what the name does not."""
    name, lower = _value(cell), cell.get("lower_is_better") if isinstance(cell, dict) else None
    if not isinstance(name, str) or not isinstance(lower, bool) or lower == counts_down(name):
        return name
    return f"{name} {DOWN if lower else UP}"


def _value(cell: Any) -> Any:
    return cell.get("value") if isinstance(cell, dict) else cell


def chosen_sheet(name: str, sheets: Collection[str], sheet: str | None, what: str = "sheet") -> str:
    """Return the sheet that is named, or the only one."""
    if sheet is not None and sheet not in sheets:
        fail(name, None, f"has no {what} {sheet!r}; it has {', '.join(sheets)}")
    if sheet is None and len(sheets) > 1:
        which = f"say which with {option('sheet', next(iter(sheets)))}"
        fail(name, None, f"has several {what}s: {', '.join(sheets)}; {which}")
    return sheet if sheet is not None else next(iter(sheets), "")


def _lists(data: Any, _file: _File) -> Iterator[_Table]:
    yield list(data), list(data.values())


def _objects(data: Mapping[str, Mapping[str, Any]], file: _File) -> Iterator[_Table]:
    """Read an object of objects: the outer keys are rows and the inner ones columns, or the other way round.

    Words such as "model", and text among numbers, tell columns. Otherwise one of the two names systems: not
    numbers, names of measures, or a single key. If both may, both are returned.
    """
    if any(isinstance(cell, dict) for row in data.values() for cell in row.values()):
        heads, cells = _of_objects([*data.values()], file)
        own = "" if any(is_word(head, "system") for head in heads) else "system"
        yield [own, *heads], [list(data), *cells]
        return
    outer, inner = list(data), list(dict.fromkeys(key for row in data.values() for key in row))
    check_cells(file.name, len(outer) * len(inner), file.size)
    by_inner = [[row.get(key) for row in data.values()] for key in inner]
    by_outer = [[row.get(key) for key in inner] for row in data.values()]
    ways = [(outer, inner, by_inner), (inner, outer, by_outer)]
    known = [way for way in ways if any(map(kind_of_column, way[1])) or any(map(_is_text, way[2]))]
    if len(known) == 1:
        rows, heads, cells = known[0]
        numbered = rows == [str(k) for k in range(len(rows))]
        yield (heads, cells) if numbered else (["", *heads], [rows, *cells])
        return
    for tells in (_is_one, is_numbered, _are_measures):
        if tells(outer) != tells(inner):
            ways = ways[tells(outer) :][:1]
            break
    for rows, heads, cells in ways:
        yield ["system", *heads], [rows, *cells]


def _is_one(names: Sequence[str]) -> bool:
    return len(names) == 1


def _are_measures(names: Sequence[str]) -> bool:
    return all(map(is_measure_name, names))


def _is_text(cells: Sequence[Any]) -> bool:
    return column_of("", cells, ".").is_text


_ABOUT_TASKS = ("alias", "name", "sample_len", "sample_count")


def _harness(data: Any, file: _File) -> Iterator[_Table]:
    """Read the results of lm-evaluation-harness: a measure for each metric of each task."""
    about = [own for own in (data, data.get("config_general"), data.get("config")) if isinstance(own, dict)]
    found = re.search(r"\bpretrained=([^,]+)", str(about[-1].get("model_args")))
    names = [*(own.get("model_name") for own in about), found and found[1], file.stem]
    row = {"system": next(name for name in names if isinstance(name, str) and name)}
    for task, metrics in data["results"].items():
        row |= {f"{task}/{_metric(key)}": own for key, own in metrics.items() if key not in _ABOUT_TASKS}
    yield list(row), [[cell] for cell in row.values()]


def _metric(key: str) -> str:
    """Return the name of a metric: "acc,none" is acc, and "acc_stderr,none" is acc stderr."""
    metric, _, of = key.removesuffix(",none").partition(",")
    bare = metric.removesuffix("_stderr")
    return (f"{bare},{of}" if of else bare) + (" stderr" if bare != metric else "")


def _of_scores(rows: Sequence[tuple[Any, ...]]) -> _Table:
    """Make a table of rows of system, topic, measure and value."""
    return ["system", "topic", "measure", "value"], list(zip(*rows, strict=True)) or [[]] * 4


_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT.*)?")


def _samples(data: Any, file: _File) -> Iterator[_Table]:
    """Read the samples of lm-evaluation-harness: a topic for each document. The folder names the system."""
    found = _SAMPLES.fullmatch(file.stem)
    system, task = (file.folder, f"{found['task']}/") if found else (file.stem, "")
    rows = []
    for own in data:
        topic, of, told = f"{task}{own['doc_id']}", own.get("filter", "none"), own.get("metrics")
        keys = told if isinstance(told, list) else [k for k, v in own.items() if k != "doc_id" and is_real(v)]
        rows += [(system, topic, f"{task}{_metric(f'{key},{of}')}", own.get(key)) for key in keys]
    yield _of_scores(rows)


_GRADES = {"C": 1, "P": 0.5, "I": 0, "N": 0}  # correct, partial, incorrect, no answer


def _inspect(data: Any, file: _File) -> Iterator[_Table]:
    """Read a log of Inspect: the scores of samples; its means, if there are none or several epochs."""
    system, samples, results = data["eval"]["model"], data.get("samples") or [], data.get("results") or {}
    if data.get("status", "success") != "success":
        fail(file.name, None, f"the evaluation has the status {shown(str(data['status']))}; run it again")
    if len({str(own["id"]) for own in samples}) == len(samples) > 0:
        rows = [
            (system, own["id"], scorer, _GRADES.get(str(value := _value(score)), value))
            for own in samples
            for scorer, score in (own.get("scores") or {}).items()
        ]
        yield _of_scores(rows)
        return
    row = {"system": system}
    for own in results.get("scores") or []:
        row |= {f"{own['name']}/{metric}": _value(found) for metric, found in own["metrics"].items()}
    yield list(row), [[cell] for cell in row.values()]


def _resolved(data: Any, file: _File) -> Iterator[_Table]:
    """Read a report of SWE-bench, or those on each instance, which are topics; the file names the system."""
    done = {each: own.get("resolved") for each, own in data.items() if isinstance(own, dict)}
    if "resolved_ids" in data:
        lists = (own for key, own in data.items() if key.endswith("_ids") and isinstance(own, list))
        resolved = {str(each) for each in data["resolved_ids"]}
        done = {each: each in resolved for each in sorted({str(each) for own in lists for each in own})}
    yield ["system", "topic", "resolved"], [[file.stem] * len(done), [*done], [*done.values()]]


def _promptfoo(data: Any, _file: _File) -> Iterator[_Table]:
    """Read the results of promptfoo: a topic for each test, a system for each provider, or also prompt."""
    results = _tests(data)
    prompts = len({own.get("promptIdx") for own in results}) > len({_provider(own) for own in results})
    rows = []
    for own in results:
        system = f"{_provider(own)} prompt {own['promptIdx']}" if prompts else _provider(own)
        scores = {"score": own["score"], **(own.get("namedScores") or {})}
        rows += [(system, own["testIdx"], name, score) for name, score in scores.items()]
    yield _of_scores(rows)


def _tests(data: Any) -> Any:
    own = data.get("results") if isinstance(data, dict) else None
    return own.get("results") if isinstance(own, dict) else own


def _provider(result: Any) -> str:
    own = result["provider"]
    return str(own if isinstance(own, str) else own.get("label") or own["id"])


def _deepeval(data: Any, file: _File) -> Iterator[_Table]:
    """Read a test run of DeepEval: a topic for each case. The file names the system."""
    rows = [
        (file.stem, case["name"], metric["name"], metric.get("score"))
        for case in data["testCases"]
        for metric in case.get("metricsData") or ()
    ]
    yield _of_scores(rows)


def _listed(data: Any) -> list[str]:
    """Return the keys of lists of objects, if the other values of an object are no scores."""
    if not isinstance(data, dict):
        return []
    others = [key for key, own in data.items() if is_real(own) and kind_of_column(key) != "other"]
    return [] if others else [key for key, own in data.items() if _each(own, list, dict)]


def _one_list(data: Any, file: _File) -> Iterator[_Table]:
    yield from _records(data[chosen_sheet(file.name, _listed(data), file.sheet, "list")], file)


def _has(data: Any, /, **kinds: type) -> bool:
    """Return whether this is an object with these keys, of these kinds."""
    return isinstance(data, dict) and all(isinstance(data.get(key), kind) for key, kind in kinds.items())


def _each(data: Any, outer: type, inner: type, /, **kinds: type) -> bool:
    """Return whether this is a list or an object of such things, with these keys if they are objects."""
    cells: Any = data.values() if isinstance(data, dict) else data
    return (
        isinstance(data, outer)
        and bool(data)
        and all(isinstance(cell, inner) and (not kinds or _has(cell, **kinds)) for cell in cells)
    )


class _Shape(NamedTuple):
    """What a file may hold: its name, how it is recognised, and the tables that it gives."""

    title: str
    fits: Callable[[Any], bool]
    tables: Callable[[Any, _File], Iterator[_Table]]


_OF_HARNESS = {"config", "configs", "config_general", "versions", "model_name"}
_SHAPES = (  # the first that fits
    _Shape("a table of pandas", lambda d: _has(d, columns=list, data=list), _split),
    _Shape(
        "a table of pandas", lambda d: _has(d, schema=dict, data=list), lambda d, f: _records(d["data"], f)
    ),
    _Shape("a table of HELM", lambda d: _has(d, header=list, rows=list), _titled),
    _Shape("tables of HELM", lambda d: _each(d, list, dict, header=list, rows=list), _titled),
    _Shape(
        "results of lm-evaluation-harness",
        lambda d: _has(d) and not _OF_HARNESS.isdisjoint(d) and _each(d.get("results"), dict, dict),
        _harness,
    ),
    _Shape(
        "samples of lm-evaluation-harness",
        lambda d: _each(d, list, dict, doc_id=int, filtered_resps=list),
        _samples,
    ),
    _Shape(
        "a log of Inspect", lambda d: _has(d, eval=dict) and _has(d["eval"], model=str, task=str), _inspect
    ),
    _Shape("a report of SWE-bench", lambda d: _has(d, resolved_ids=list), _resolved),
    _Shape("reports of SWE-bench", lambda d: _each(d, dict, dict, resolved=bool), _resolved),
    _Shape("results of promptfoo", lambda d: _each(_tests(d), list, dict, testIdx=int), _promptfoo),
    _Shape(
        "a test run of DeepEval",
        lambda d: (
            _has(d)
            and _each(d.get("testCases"), list, dict)
            and any("metricsData" in c for c in d["testCases"])
        ),
        _deepeval,
    ),
    _Shape("a list in an object", lambda d: bool(_listed(d)), _one_list),
    _Shape("an object of objects", lambda d: _each(d, dict, dict), _objects),
    _Shape("columns", lambda d: _each(d, dict, list) and len({*map(len, d.values())}) == 1, _lists),
    _Shape("objects", lambda _: True, _records),
)
