"""Read TREC runs as trec_eval does, and write TREC files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from concordant.checks import is_real, one_of
from concordant.errors import ArgumentError, ArgumentTypeError, fail, option, public, shown
from concordant.rankings.compiled import core
from concordant.rankings.frames import is_frame
from concordant.reading.cells import NUMBER
from concordant.reading.files import FileLike, expand, is_file_like, name_of, read_text, stem_of
from concordant.reading.qrels import accepted, are_tuples, label_of, rows_of
from concordant.typing import Floats, FrameLike


class Run(NamedTuple):
    """The answers of one system: for each topic the score of each document.

    Attributes
    ----------
    name : str
        The name of the system.
    topics : dict
        The scores, ``{topic: {document: score}}``.

    Examples
    --------
    >>> import io
    >>> import concordant as cd
    >>> run = cd.read_run(io.StringIO("q1 Q0 d1 1 2.5 bm25"))
    >>> run.name, run.topics
    ('bm25', {'q1': {'d1': 2.5}})
    """

    name: str
    topics: dict[str, dict[str, float]]


@public
def read_run(source: FileLike) -> Run:
    r"""Read a run: lines of topic, Q0, document, rank, score, tag.

    The rank column is ignored. As in trec_eval, documents are ordered by score, and documents with equal
    scores by name, both descending. The name of the run is the tag in the sixth column; it must be the same
    in all lines. Text after it is ignored, unless the sixth column is a number: then a name contains a blank,
    and the line is refused. Blank lines and lines that begin with ``#`` are skipped.

    Parameters
    ----------
    source : path or open file
        The file, plain or packed with gzip; "-" is standard input.

    Returns
    -------
    Run
        ``name`` and ``topics``, a dict ``{topic: {document: score}}``.

    Raises
    ------
    InputError
        The message names the file, the line and the next step.

    Examples
    --------
    >>> import concordant as cd, io
    >>> cd.read_run(io.StringIO("401 Q0 d1 1 0.9 bm25\n401 Q0 d2 2 0.4 bm25\n"))
    Run(name='bm25', topics={'401': {'d1': 0.9, 'd2': 0.4}})
    """
    return _run_of(source, read_text(source))


def _run_of(source: FileLike, text: str) -> Run:
    if (parsed := core.parse_run(text)) is not None:
        return Run(*parsed)
    name = name_of(source)  # a line is unusual, or wrong
    topics: dict[str, dict[str, float]] = {}
    first_tag = ""
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) < 6:
            advice = (
                "this looks like judgements (qrels)" if number == 1 and len(parts) == 4 else "fix this line"
            )
            fail(name, number, f"expected 6 columns, found {len(parts)}: {shown(line.strip())}; {advice}")
        topic, _, document, _, score, tag = parts[:6]  # trec_eval ignores text after the tag
        if len(parts) > 6 and NUMBER.fullmatch(tag):
            shifted = f"found {len(parts)} columns, and a number, {shown(tag)}, in place of the tag"
            fail(name, number, f"{shifted}; is there a blank in a name?")
        if not NUMBER.fullmatch(score) or not math.isfinite(float(score)):
            fail(name, number, f"score must be a finite number, found {shown(score)}")
        documents = topics.setdefault(topic, {})
        if document in documents:
            twice = f"document {shown(document)} appears twice for topic {shown(topic)}"
            fail(name, number, f"{twice}; keep the better line")
        documents[document] = float(score)
        first_tag = first_tag or tag
        if tag != first_tag:
            two = f"run tag {shown(tag)} after {shown(first_tag)}"
            fail(name, number, f"{two}; a run has one tag, and a file one run")
    if not topics:
        fail(name, None, "has no answers, only comments")
    return Run(first_tag, topics)


def _single(documents: Mapping[str, float]) -> Floats:
    """Return the scores in single precision, as in trec_eval; scores that become equal are ties."""
    with np.errstate(over="ignore"):
        scores = np.fromiter(documents.values(), dtype=np.float64, count=len(documents))
        return scores.astype(np.float32).astype(np.float64)


def in_trec_order(documents: dict[str, float]) -> dict[str, float]:
    """Return scores without ties that rank documents as trec_eval does: by score, then name, descending.

    The documents are in this order.
    """
    single = _single(documents)
    if (single[1:] < single[:-1]).all():
        return documents
    ranking = trec_ranking(documents)
    if len(np.unique(single)) == len(single):
        return {document: documents[document] for document in ranking}
    return {document: float(len(ranking) - place) for place, document in enumerate(ranking)}


def trec_ranking(documents: Mapping[str, float]) -> tuple[str, ...]:
    """Return the documents in the order of trec_eval: by score, then by name, both descending."""
    single, names = _single(documents), list(documents)
    order = np.argsort(-single, kind="stable")
    if (np.diff(single[order]) == 0).any():
        pairs = sorted(zip(single.tolist(), names, strict=True), reverse=True)
        return tuple(name for _, name in pairs)
    return tuple(names[i] for i in order.tolist())


def run_text(name: str, topics: Mapping[str, Mapping[str, float]]) -> str:
    """Return a run, ``{topic: {document: score}}``, as lines of topic, Q0, document, rank, score, name."""
    lines = []
    for topic, documents in topics.items():
        ranked = sorted(documents.items(), key=lambda item: (item[1], item[0]), reverse=True)
        lines += [f"{topic} Q0 {d} {rank} {score:.6f} {name}" for rank, (d, score) in enumerate(ranked, 1)]
    return "\n".join(lines) + "\n"


def qrels_text(qrels: Mapping[str, Mapping[str, int]]) -> str:
    """Return judgements, ``{topic: {document: relevance}}``, as lines of topic, 0, document, relevance."""
    lines: list[str] = []
    for topic, documents in qrels.items():
        lines += [f"{topic} 0 {document} {relevance}" for document, relevance in documents.items()]
    return "\n".join(lines) + "\n"


Names: TypeAlias = Literal["tag", "file"]


RunLike: TypeAlias = FileLike | Run | Mapping[Any, Mapping[Any, Any]] | FrameLike | Iterable[Any]
"""A path or open file, a `Run`, ``{topic: {document: score}}``, a DataFrame with columns query_id, doc_id
and score, or an iterable of ``ir_measures.ScoredDoc``."""

RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[Any, RunLike]
"""A path or pattern, one run, a list of runs, or a mapping ``{name: run}``."""


class RunSource(NamedTuple):
    """One run that a user passed: checked if it is in memory, not yet read if it is a file."""

    given: FileLike | Run
    name: str  # empty if the file gives the name
    place: str = ""  # the whole path, for another process, which may be in another folder

    @property
    def in_memory(self) -> bool:
        """Whether the run is in memory."""
        return isinstance(self.given, Run)

    @property
    def where(self) -> str:
        """The name of the run in messages."""
        return f"run {shown(self.name)}" if isinstance(self.given, Run) else name_of(self.given)

    def read(self) -> Run:
        """Return the run."""
        if isinstance(self.given, Run):
            return self.given
        return _run_of(self.given, read_text(self.place or self.given, name_of(self.given)))


def sources_of(runs: RunsLike) -> list[RunSource]:
    """Return the runs that were passed; those in memory are checked, files are read later."""
    by_name = isinstance(runs, Mapping) and not _is_one_run(runs)
    given: list[tuple[Any, Any]] = [*runs.items()] if by_name else [("", run) for run in _several(runs)]  # type: ignore[union-attr]
    if not given:
        raise ArgumentError("there are no runs; give at least one")
    found: dict[object, RunSource] = {}
    for place, (label, run) in enumerate(given):
        name = str(label)
        if is_file_like(run):
            files = expand(run)
            if name and len(files) > 1:
                one = f"give run {shown(name)} one file"
                raise ArgumentError(f"{name_of(run)} stands for {len(files)} runs; {one}")
            found.update(((name, path), RunSource(path, name)) for path in files)
        else:
            name = name or (run.name if isinstance(run, Run) else "run" if len(given) == 1 else "")
            found[place] = RunSource(_in_memory(name, run), name)
    return list(found.values())


def _is_one_run(runs: Mapping[Any, Any]) -> bool:
    """Return whether this is ``{topic: {document: score}}``, not ``{name: run}``."""
    if not runs or not all(isinstance(part, Mapping) for part in runs.values()):
        return False
    return not any(isinstance(number, Mapping) for part in runs.values() for number in part.values())


def _several(runs: Any) -> list[Any]:
    if is_file_like(runs) or isinstance(runs, Run | Mapping) or is_frame(runs):
        return [runs]
    if not isinstance(runs, Iterable) or isinstance(runs, bytes):
        must = "must be a path or pattern, a run, a list of runs, or a mapping {name: run}"
        got = f"got {type(runs).__name__}; a run is {accepted('score')}"
        raise ArgumentTypeError(f"{option('runs')} {must}, {got}")
    listed = list(runs)
    return [listed] if listed and are_tuples(listed[:1], "score") else listed


def _in_memory(name: str, run: Any) -> Run:
    """Check a run that is not a file."""
    what = f"run {shown(name)}" if name else "a run"
    topics: dict[str, dict[str, float]] = {}
    for topic, document, score in rows_of(what, run.topics if isinstance(run, Run) else run, "score"):
        topic_name, document_name = label_of(what, "topic", topic), label_of(what, "document", document)
        is_number = type(score) is float or (is_real(score) and not isinstance(score, bool | np.bool_))
        documents, place = (
            topics.setdefault(topic_name, {}),
            f"document {document_name!r} of topic {topic_name!r}",
        )
        if not is_number or not math.isfinite(score):
            raise ArgumentError(f"{what}: score must be a finite number, got {score!r} for {place}")
        if document_name in documents:
            raise ArgumentError(f"{what}: there are two scores for {place}; keep one")
        documents[document_name] = float(score)
    if not name:
        raise ArgumentError("a run in a list has no name; pass a mapping {name: run}")
    if not topics:
        raise ArgumentError(f"{what} has no documents")
    return Run(name, topics)


def named(sources: Sequence[RunSource], tags: Sequence[str], names: Names) -> list[str]:
    """Return the names of the systems, which must be different."""
    labels = [
        source.name or (tag if names == "tag" else stem_of(source.given))  # type: ignore[arg-type]
        for source, tag in zip(sources, tags, strict=True)
    ]
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
    one_of("names", names, get_args(Names))
    seen: list[RunSource] = []
    tags: list[str] = []
    for source in sources_of(runs):
        run = source.read()
        seen.append(source)
        tags.append(run.name)
        yield Run(named(seen, tags, names)[-1], run.topics)
