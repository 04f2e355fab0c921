"""What experiments share: a result that can be saved and loaded again, and parts of verdicts."""

from __future__ import annotations

import functools
import json
import math
import operator
import platform
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any, Self, TypeVar

import numpy as np

from concordant._version import __version__
from concordant.checks import distinct_keys
from concordant.coefficients.declaration import Coefficient, read_coefficient
from concordant.errors import ArgumentError, InputError, fail
from concordant.reading.files import read_text, write_whole
from concordant.results.markup import json_text
from concordant.results.note import Note
from concordant.results.result import FORMAT_VERSION, Result
from concordant.results.words import count
from concordant.scores.scores import Scores
from concordant.typing import Floats

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
    return {"concordant": __version__, "numpy": np.__version__, "python": platform.python_version()}


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
    >>> type(result).from_dict(result.to_dict()) == result
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

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Build a result from the output of `to_dict`.

        Parameters
        ----------
        content : mapping
            The output of `to_dict`.

        Returns
        -------
        ExperimentResult
            The result.
        """
        tables = {
            each.name: tuple(_records(each.metadata["kind"], content["tables"][each.name]))
            for each in fields(cls)
            if "kind" in each.metadata and each.name in content["tables"]
        }
        return cls(
            **tables,
            notes=tuple(Note(**each) for each in content["notes"]),
            options={**content["options"], "seed": content["seed"]},
            provenance={name: content[name] for name in ("command", "inputs") if content[name]},
            versions=content["values"]["versions"],
        )


def _records(kind: type, rows: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    """Build records; coefficients are read from their text form, each once. Other types are an error."""
    hints = typing.get_type_hints(kind)
    kinds = {each.name: typing.get_args(hints[each.name]) or (hints[each.name],) for each in fields(kind)}
    allowed = {name: (*own, int) if float in own else own for name, own in kinds.items()}
    read = functools.cache(read_coefficient)
    for row in rows:
        cells = {name: read(row[name]) if Coefficient in kinds[name] else row[name] for name in kinds}
        for name, cell in cells.items():
            if not isinstance(cell, allowed[name]) or isinstance(cell, bool):
                raise TypeError(name)
            if isinstance(cell, float) and not math.isfinite(cell):
                raise ValueError(name)
        yield kind(**cells)


def load(path: str | PathLike[str]) -> ExperimentResult[Any]:
    """Read a result that was written by its method ``save``.

    Parameters
    ----------
    path : path
        The file, plain or packed with gzip.

    Returns
    -------
    ExperimentResult
        The result, of the same class as the saved one.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> result = cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=5, n_pairs=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(folder + "/gaps.json.gz")
    ...     cd.experiments.load(folder + "/gaps.json.gz") == result
    True
    """
    kinds = {kind.function: kind for kind in ExperimentResult.__subclasses__()}
    try:
        content = json.loads(read_text(path), object_pairs_hook=distinct_keys)
        if content["format_version"] != FORMAT_VERSION:
            saved = f"was saved in format {content['format_version']}, and this is format {FORMAT_VERSION}"
            advice = "use the version of concordant that saved it, or repeat the experiment"
            fail(str(path), None, f"{saved}; {advice}")
        found = kinds[content["function"]].from_dict(content)
        hash(found), found.to_text(), found.to_dict()  # an error here, not later, if something is missing
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        twice = f": {error.text}" if isinstance(error, ArgumentError) else ""
        fail(str(path), None, f"is not the saved result of an experiment{twice}")
    return found
