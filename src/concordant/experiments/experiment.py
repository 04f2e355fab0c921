"""What experiments share: a result that can be saved, and parts of verdicts; and any saved result, loaded."""

from __future__ import annotations

import functools
import json
import math
import operator
import platform
import types
import typing
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any, TypeVar

import numpy as np

from concordant import results
from concordant._version import __version__
from concordant.checks import distinct_keys
from concordant.coefficients.declaration import Coefficient, read_coefficient
from concordant.errors import ArgumentError, InputError, fail, option, public
from concordant.questions.correlate import CorrelateResult, together
from concordant.questions.matrix import Matrix, names_and_values
from concordant.questions.systems import pairs_in_columns
from concordant.reading.files import name_of, names_of, read_text, write_whole
from concordant.results.markup import json_text
from concordant.results.note import Note
from concordant.results.result import FORMAT, FORMAT_VERSION, Result, values_kind
from concordant.results.words import count
from concordant.scores.scores import Scores
from concordant.study.names import check_colour
from concordant.typing import Booleans, Floats, Integers
from concordant.work import versions

Record = TypeVar("Record")


def needs_topics(scores: Scores) -> int:
    """Return the number of topics; raise an error if the scores are means without topics."""
    n = len(scores.topics)
    if n < 2:
        got = "one score for each system" if n else "no topic"
        advice = "give a table with a row for each system and topic"
        raise ArgumentError(f"needs scores on at least two topics, got {got}; {advice}")
    return n


def value_or_none(value: float) -> float | None:
    """Return the value of a coefficient; None if it is undefined."""
    return None if math.isnan(value) else float(value)


def ends(rows: Sequence[Record], name: str) -> tuple[Record, Record]:
    """Return the records with the smallest and the largest value of a field, which all of them have."""
    value = operator.attrgetter(name)
    return min(rows, key=value), max(rows, key=value)


def defined(values: Floats) -> Floats:
    """Return the values that are not NaN."""
    return values[~np.isnan(values)]


def mean(values: Floats) -> float | None:
    """Return the mean of the values; None if there are none."""
    return math.fsum(values) / len(values) if len(values) else None


def quantiles(values: Floats, *shares: float) -> list[Any]:
    """Return quantiles of the values; each is None if there are no values."""
    return np.quantile(values, shares).tolist() if len(values) else [None] * len(shares)


def missing_as_zero(n: int) -> list[Note]:
    """Return the note that missing scores were set to 0; none if there are none."""
    text = f"{count(n, 'missing score')} {'was' if n == 1 else 'were'} set to 0"
    return [Note("missing_as_zero", text=text, values={"scores": n}, lost=True)] if n else []


def _versions() -> dict[str, str]:
    return versions() | {"python": platform.python_version()}


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ExperimentResult(Result[Record]):
    """The result of an experiment: records, options, seed and versions. ``cd.plot(result)`` draws it.

    Attributes
    ----------
    versions : Mapping[str, str]
        The versions of concordant, NumPy and Python.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=5, n_pairs=3)
    >>> result.seed, sorted(result.versions), result.version() == cd.__version__
    (0, ['concordant', 'numpy', 'python'], True)
    >>> cd.results.load(result.to_dict()) == result
    True
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(folder + "/gaps.json.gz")
    """

    versions: Mapping[str, str] = field(default_factory=_versions)

    def __eq__(self, other: object) -> bool:
        """Compare all records, notes, options, seed and versions, but not the provenance."""
        if not isinstance(other, ExperimentResult):
            return NotImplemented
        own, others = (replace(each, provenance={}).to_dict() for each in (self, other))
        return type(self) is type(other) and own == others

    def __hash__(self) -> int:
        """Return a hash that agrees with equality; options may be lists."""
        return hash((self.function, self.seed))

    def version(self) -> str:
        """Return the version of concordant that made the result; a loaded result may be older.

        Returns
        -------
        str
            The version.
        """
        return self.versions["concordant"]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result to a file that `load` reads.

        Parameters
        ----------
        path : path
            The file, which appears complete or not at all. It is packed with gzip if its name ends in .gz.
        """
        write_whole(path, json_text(self.to_dict()))


def _kinds(kind: type[Any] = Result) -> Iterator[Any]:
    """Yield the classes of all results of this package; a file chooses among these, and nothing else."""
    for each in kind.__subclasses__():
        if each.function and each.__module__.startswith("concordant."):
            yield each
        yield from _kinds(each)


def _columns(kind: type[Any]) -> tuple[str, ...]:
    return tuple(name for each in fields(kind) for name in each.metadata.get("parts", (each.name,)))


def _restored(content: Mapping[str, Any]) -> Result[Any]:
    """Build a result from the output of `to_dict`."""
    for name in dir(results):  # loads the modules of all classes
        getattr(results, name)
    # Of two classes of one function, the names of the single values tell which it is.
    known = {(kind.function, _columns(values_kind(kind))): kind for kind in _kinds()}
    kind = known[content["function"], tuple(content["values"])]
    if not content["tables"].keys() <= {*kind.table_names()}:
        raise LookupError("there are other tables")
    tables: dict[str, Any] = {
        each.name: tuple(_records(each.metadata["kind"], each.metadata["kind"], content["tables"][each.name]))
        for each in fields(kind)
        if "kind" in each.metadata and each.name in content["tables"]
    }
    (values,) = _records(values_kind(kind), kind, [content["values"]])
    hidden = {each.name: np.empty(0) for each in fields(kind) if each.name.endswith("_distribution")}
    if tables.get("pairs") and issubclass(kind, CorrelateResult):
        tables["pairs"] = pairs_in_columns(tables["pairs"])
    if issubclass(kind, Matrix):
        hidden |= names_and_values(tables.get("matrix", ()))
    for each in content["options"].get("judges", ()):
        check_colour(each["name"], each["colour"])
    found: Result[Any] = kind(
        **(tables | vars(values) | hidden),
        notes=tuple(Note(**each) for each in content["notes"]),
        options={**content["options"], "seed": _checked(content["seed"], int, types.NoneType)},
        provenance={name: content[name] for name in ("command", "inputs", "version") if content[name]},
    )
    found.to_text(), found.to_dict()  # an error here, not later, if something is missing
    return found


def _records(kind: type[Any], described: type[Any], rows: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    """Build records from their columns; `described` is the class that has the types of the fields."""
    hints, columns = typing.get_type_hints(described), _columns(kind)
    readers = [(each.metadata.get("parts"), each.name, _reader(hints[each.name])) for each in fields(kind)]
    for row in rows:
        if tuple(row) != columns:
            raise LookupError("the columns are others")
        cells = ([row[part] for part in parts] if parts else row[name] for parts, name, _ in readers)
        yield kind(*(read(cell) for (*_, read), cell in zip(readers, cells, strict=True)))


_ARRAYS = {Floats: np.float64, Integers: np.int64, Booleans: np.bool_}


def _reader(hint: Any) -> Callable[[Any], Any]:
    """Return the function that makes a value of this type of what JSON has for it; others are an error."""
    origin, within = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        readers = [_reader(each) for each in within if each is not types.NoneType]
        missing = (None, [None, None]) if len(readers) < len(within) else ()
        # Of a number and an array, the array is the last.
        return lambda cell: None if cell in missing else readers[-isinstance(cell, list)](cell)
    if hasattr(hint, "_fields"):  # an interval, or the measures of both sides
        inside = [_reader(each) for each in typing.get_type_hints(hint).values()]
        return lambda cells: hint(*(read(cell) for read, cell in zip(inside, cells, strict=True)))
    if hint is Coefficient:
        return functools.cache(read_coefficient)
    if hint in _ARRAYS:
        return lambda cell: np.array(_checked(cell, list), dtype=_ARRAYS[hint])
    if origin is Mapping:
        return lambda cell: {name: _checked(each, within[1]) for name, each in _checked(cell, dict).items()}
    if hint is Hashable:  # the label of an item
        return lambda cell: tuple(cell) if isinstance(cell, list) else _checked(cell, str, int, float, bool)
    if origin is typing.Literal:
        return lambda cell: within[within.index(cell)]
    if hint in (float, np.float64):
        return lambda cell: math.nan if cell is None else _checked(cell, float, int)
    return lambda cell: _checked(cell, hint)


def _checked(cell: Any, *kinds: type) -> Any:
    if type(cell) not in kinds or (type(cell) in (int, float) and not abs(cell) < 1e300):
        raise TypeError("a value of another type")
    return cell


@public
def load(*sources: str | PathLike[str] | Mapping[str, Any]) -> Result[Any]:
    """Read a saved result: what `Result.to_json` returned, ``-o answer.json`` wrote, or ``save``.

    Parameters
    ----------
    *sources : path or mapping
        The file, plain or packed with gzip; or the output of `Result.to_dict`. Several results of `judge`, or
        of `correlate`, become one: their measures begin with the name of the data set (``dataset=``), or
        else of the file.

    Returns
    -------
    Result
        The result, of the same class as the saved one. What a file does not hold, such as the values in all
        resamples, is empty.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> result = cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=5, n_pairs=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(folder + "/gaps.json.gz")
    ...     cd.results.load(folder + "/gaps.json.gz") == result
    True
    >>> compared = cd.compare([3, 2, 1], [3, 1, 2])
    >>> cd.results.load(compared.to_dict()).to_json() == compared.to_json()
    True
    """
    if len(sources) == 1:
        return _loaded(sources[0])
    names = names_of([each for each in sources if not isinstance(each, Mapping)])
    results: dict[str, Any] = {}
    for place, source in enumerate(sources):
        found = _loaded(source)
        if not isinstance(found, CorrelateResult):
            raise ArgumentError(
                f"several results of judge or correlate can be put together, not {found.function}"
            )
        own = f"result {place + 1}" if isinstance(source, Mapping) else names.pop(0)
        own = found.options.get("dataset", own)
        if own in results:
            raise ArgumentError(
                f"two results are called {own!r}; name their data sets with {option('dataset')}"
            )
        results[own] = found
    if not results:
        raise ArgumentError("there is no result to load; give one or more files")
    return together(results)


def _loaded(source: str | PathLike[str] | Mapping[str, Any]) -> Result[Any]:
    """Read one saved result."""
    name = "the result" if isinstance(source, Mapping) else name_of(source)
    content: Any = source
    try:
        if not isinstance(source, Mapping):
            content = json.loads(read_text(source), object_pairs_hook=distinct_keys)
        if content["format"] != FORMAT:
            raise LookupError("has another format")
        if content["format_version"] != FORMAT_VERSION:
            saved = f"was saved in format {content['format_version']}, and this is format {FORMAT_VERSION}"
            fail(name, None, f"{saved}; use the version of concordant that saved it, or make it again")
        return _restored(content)
    except Exception as error:  # whatever a file that somebody changed leads to
        if isinstance(error, InputError | MemoryError):
            raise
        why = f": {error.text}" if isinstance(error, ArgumentError) else ""
        version = content.get("version") if isinstance(content, Mapping) else None
        other = f"; version {version} of concordant made it" if version not in (None, __version__) else ""
        fail(name, None, f"is not a saved result{why}{other}")
