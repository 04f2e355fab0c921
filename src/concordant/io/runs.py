"""Runs in the forms in which users pass them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, fail, option
from concordant.io.files import Source, expand, is_source, name_of, shown, stem_of
from concordant.io.rows import are_tuples, by_topic, rows_of
from concordant.io.trec import Run, read_run, trec_ranking
from concordant.rankings import is_frame, is_real, one_of
from concordant.typing import FrameLike, Progress

__all__ = [
    "NAMES",
    "Names",
    "RankedRun",
    "RunLike",
    "RunSource",
    "RunsLike",
    "each_run",
    "named",
    "read_runs",
    "sources_of",
]

Names: TypeAlias = Literal["tag", "file"]
NAMES: tuple[str, ...] = get_args(Names)


@dataclass(frozen=True)
class RankedRun:
    """A run without its scores, the small form for runs that stay in memory.

    Attributes
    ----------
    name : str
        The name of the system.
    topics : dict
        For each topic the documents in the order of trec_eval, best first.
    """

    name: str
    topics: dict[str, tuple[str, ...]]


RunLike: TypeAlias = Source | Run | RankedRun | Mapping[Any, Mapping[Any, Any]] | FrameLike | Iterable[Any]
"""A path or open file, a `Run`, ``{topic: {document: score}}``, a DataFrame with columns query_id, doc_id
and score, or an iterable of ``ir_measures.ScoredDoc``."""

RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[Any, RunLike]
"""A path or pattern, one run, a list of runs, or a mapping ``{name: run}``."""

_ACCEPTED = (
    "a path, an open file, a Run, a mapping {topic: {document: score}}, a DataFrame with columns query_id, "
    "doc_id and score, or a list of ir_measures.ScoredDoc"
)


class RunSource(NamedTuple):
    """One run that a user passed: checked if it is in memory, not yet read if it is a file."""

    given: Source | Run | RankedRun
    name: str  # empty if the file gives the name

    @property
    def in_memory(self) -> bool:
        """Whether the run is in memory."""
        return isinstance(self.given, Run | RankedRun)

    @property
    def where(self) -> str:
        """The name of the run in messages."""
        if isinstance(self.given, Run | RankedRun):
            return f"run {shown(self.name)}"
        return name_of(self.given)

    def read(self) -> Run | RankedRun:
        """Return the run."""
        return self.given if isinstance(self.given, Run | RankedRun) else read_run(self.given)

    def label(self, tag: str, names: Names) -> str:
        """Return the name of the system."""
        if self.name or isinstance(self.given, Run | RankedRun):
            return self.name
        return tag if names == "tag" else stem_of(self.given)


def sources_of(runs: RunsLike) -> list[RunSource]:
    """Return the runs that were passed; those in memory are checked, files are read later."""
    if isinstance(runs, Mapping) and not _is_one_run(runs):
        return [_with_name(str(name), run) for name, run in runs.items()]
    given = _several(runs)
    found: dict[object, RunSource] = {}
    for run in given:
        if is_source(run):
            found.update((path, RunSource(path, "")) for path in expand(run))
        else:
            name = run.name if isinstance(run, Run | RankedRun) else "" if len(given) > 1 else "run"
            found[len(found), "in memory"] = RunSource(_in_memory(name, run), name)
    return list(found.values())


def _is_one_run(runs: Mapping[Any, Any]) -> bool:
    """Say whether this is ``{topic: {document: score}}``, not ``{name: run}``."""
    if not runs:
        raise ArgumentError("there are no runs; give at least one")
    if not all(isinstance(part, Mapping) for part in runs.values()):
        return False
    return not any(isinstance(number, Mapping) for part in runs.values() for number in part.values())


def _several(runs: Any) -> list[Any]:
    if is_source(runs) or isinstance(runs, Run | RankedRun | Mapping) or is_frame(runs):
        return [runs]
    if not isinstance(runs, Iterable) or isinstance(runs, bytes):
        raise ArgumentTypeError(
            f"{option('runs')} must be a path or pattern, a run, a list of runs, or a mapping {{name: run}}, "
            f"got {type(runs).__name__}; a run is {_ACCEPTED}"
        )
    listed = list(runs)
    if not listed:
        raise ArgumentError("there are no runs; give at least one")
    return [listed] if are_tuples(listed[:1], "score") else listed


def _with_name(name: str, run: Any) -> RunSource:
    if not is_source(run):
        return RunSource(_in_memory(name, run), name)
    files = expand(run)
    if len(files) > 1:
        raise ArgumentError(f"{name_of(run)} stands for {len(files)} runs; give run {shown(name)} one file")
    return RunSource(files[0], name)


def _in_memory(name: str, run: Any) -> Run | RankedRun:
    """Check a run that is not a file."""
    if isinstance(run, RankedRun):
        return replace(run, name=name)
    what = f"run {shown(name)}" if name else "a run"
    rows = rows_of(what, run.topics if isinstance(run, Run) else run, "score", _ACCEPTED)
    topics = by_topic(what, rows, _score, "score must be a finite number")
    if not name:
        raise ArgumentError("a run in a list has no name; pass a mapping {name: run}")
    if not topics:
        raise ArgumentError(f"{what} has no documents")
    return Run(name, topics)


def _score(value: Any) -> float | None:
    if type(value) is float:
        return value if math.isfinite(value) else None
    if isinstance(value, bool | np.bool_) or not is_real(value):
        return None
    return float(value) if math.isfinite(value) else None


def named(sources: Sequence[RunSource], tags: Sequence[str], names: Names) -> list[str]:
    """Return the names of the systems, which must be different."""
    labels = [source.label(tag, names) for source, tag in zip(sources, tags, strict=True)]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        first, second = [s for s, label in zip(sources, labels, strict=True) if label == twice[0]][:2]
        if first.in_memory or second.in_memory:
            raise ArgumentError(f"two runs are named {shown(twice[0])}; rename one of them")
        by_file = f"{option('names', 'file')} names systems by their files"
        step = by_file if names == "tag" else "rename one of them"
        fail(second.where, None, f"the run is named {shown(twice[0])}, as is that in {first.where}; {step}")
    return labels


def each_run(runs: RunsLike, names: Names = "tag") -> Iterator[Run]:
    """Yield the runs with their scores, one after another, each under the name of its system."""
    one_of("names", names, NAMES)
    seen: list[RunSource] = []
    tags: list[str] = []
    for source in sources_of(runs):
        run = source.read()
        if isinstance(run, RankedRun):  # only the order is known
            topics = {
                t: {d: float(-place) for place, d in enumerate(ranked)} for t, ranked in run.topics.items()
            }
            run = Run(run.name, topics)
        seen.append(source)
        tags.append(run.name)
        yield Run(named(seen, tags, names)[-1], run.topics)


def read_runs(runs: RunsLike, names: Names = "tag", progress: Progress | None = None) -> list[RankedRun]:
    """Read each run once, and keep the order of its documents, for runs that are used more than once."""
    one_of("names", names, NAMES)
    sources = sources_of(runs)
    found = []
    for done, source in enumerate(sources):
        if progress is not None:
            progress(done, len(sources))
        run = source.read()
        if isinstance(run, Run):
            topics = {topic: trec_ranking(documents) for topic, documents in run.topics.items()}
            run = RankedRun(run.name, topics)
        found.append(run)
    if progress is not None:
        progress(len(sources), len(sources))
    labels = named(sources, [run.name for run in found], names)
    return [replace(run, name=label) for run, label in zip(found, labels, strict=True)]
