"""Judgements (qrels) from files and from memory; rows of topic, document and number in memory."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, TypeVar

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, fail, public, shown
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import is_missing, label_text
from concordant.reading.files import FileLike, is_file_like, name_of, read_text
from concordant.reading.header_words import places_of, plain_name
from concordant.results.words import count
from concordant.typing import FrameLike

QrelsLike: TypeAlias = FileLike | Mapping[Any, Mapping[Any, Any]] | FrameLike | Iterable[Any]
"""A path or open file, `Qrels`, ``{topic: {document: relevance}}``, a DataFrame with columns query_id, doc_id
and relevance, or an iterable of ``ir_measures.Qrel``."""

_MOST_RELEVANT = 10**6  # trec_eval holds a table of all grades
_INTEGER = re.compile(r"([+-]?0{0,99}\d{1,7})(?:\.0{0,99})?", re.ASCII)
_KINDS = {"topic": "query", "document": "document", "relevance": "relevance"}  # as header_words.py calls them

_Line: TypeAlias = tuple[int, str, str, str]
_Number = TypeVar("_Number", int, float)
_Row: TypeAlias = tuple[Any, Any, Any]


class Qrels(Mapping[str, Mapping[str, int]]):
    """Judgements: for each topic the relevance of documents. They are checked once, here.

    Parameters
    ----------
    data : path, open file, mapping, DataFrame, or iterable of ir_measures.Qrel
        The judgements, as `evaluate` takes them.

    Attributes
    ----------
    name : str
        The file that they come from; empty if there is none.

    Examples
    --------
    >>> import concordant as cd
    >>> qrels = cd.Qrels({"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}})
    >>> qrels
    <Qrels: 2 topics, 3 judgements>
    >>> qrels["q1"]["d1"], qrels.name
    (1, '')
    """

    name: str
    _topics: dict[str, dict[str, int]]

    @public("Qrels")
    def __init__(self, data: QrelsLike) -> None:
        found = qrels_of(data)
        self.name, self._topics = found.name, found._topics

    def __getitem__(self, topic: str) -> Mapping[str, int]:
        return self._topics[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self._topics)

    def __len__(self) -> int:
        return len(self._topics)

    def __repr__(self) -> str:
        judgements = count(sum(map(len, self._topics.values())), "judgement")
        return f"<Qrels: {count(len(self), 'topic')}, {judgements}>"


def _checked(topics: dict[str, dict[str, int]], name: str = "") -> Qrels:
    """Return judgements that were checked already."""
    found = object.__new__(Qrels)
    found.name, found._topics = name, topics
    return found


@public
def read_qrels(source: FileLike) -> Qrels:
    r"""Read judgements: lines of topic, iteration, document, relevance; or a table with a header.

    A table has commas, semicolons or tabs between its columns, and names for topic (query_id, qid, ...),
    document (doc_id, docno, corpus-id, ...) and relevance (rel, label, grade, ...). Other columns are
    ignored. Blank lines and lines that begin with ``#`` are skipped. A grade is a whole number, such as ``1``
    or ``1.0``.

    Parameters
    ----------
    source : path or open file
        The file, plain or packed with gzip; "-" is standard input.

    Returns
    -------
    Qrels
        The judgements, a mapping ``{topic: {document: relevance}}``.

    Raises
    ------
    InputError
        The message names the file, the line and the next step.

    Examples
    --------
    >>> import concordant as cd, io
    >>> dict(cd.read_qrels(io.StringIO("401 0 d1 2\n401 0 d2 0\n")))
    {'401': {'d1': 2, 'd2': 0}}
    >>> cd.read_qrels(io.StringIO("query_id,doc_id,relevance\n401,d1,2\n"))
    <Qrels: 1 topic, 1 judgement>
    """
    name, every = name_of(source), enumerate(read_text(source).split("\n"), 1)
    lines = [(number, line) for number, line in every if line.lstrip()[:1] not in ("", "#")]
    if not lines:
        fail(name, None, "has no judgements, only comments")
    qrels: dict[str, dict[str, int]] = {}
    for number, topic, document, relevance in _table(name, lines) or _columns(name, lines):
        grade = _INTEGER.fullmatch(relevance)
        if grade is None or abs(int(grade[1])) > _MOST_RELEVANT:
            fail(name, number, f"relevance must be a whole number up to a million, found {shown(relevance)}")
        if topic == "all":
            fail(name, number, "topic 'all' stands for the average over topics; name it differently")
        documents = qrels.setdefault(topic, {})
        if document in documents:
            twice = f"document {shown(document)} is judged twice for topic {shown(topic)}"
            fail(name, number, f"{twice}; keep one judgement")
        documents[document] = int(grade[1])
    if not qrels:
        fail(name, None, "has a header and no judgements")
    return _checked(qrels, name)


def _columns(name: str, lines: list[tuple[int, str]]) -> Iterator[_Line]:
    """Yield the lines of a file as trec_eval reads it."""
    for number, line in lines:
        parts = line.split()
        if len(parts) != 4:
            _refuse_columns(name, number, line, number == lines[0][0])
        yield number, parts[0], parts[2], parts[3]


def _refuse_columns(name: str, number: int, line: str, is_first: bool) -> NoReturn:
    """Refuse a line; at the first line, say what kind of file this may be."""
    found, advice = len(line.split()), "fix this line"
    if is_first and found == 6:
        advice = "this looks like a run"
    elif is_first and all(places_of(line.split(), kind) for kind in ("query", "document")):
        advice = "a header needs columns for topic, document and relevance, with commas or tabs between"
    elif is_first and len(re.split("[,;]", line)) in (3, 4):
        advice = "a table needs a header, such as query_id,doc_id,relevance"
    fail(name, number, f"expected 4 columns, found {found}: {shown(line.strip())}; {advice}")


def _table(name: str, lines: list[tuple[int, str]]) -> Iterator[_Line] | None:
    """Return the rows of a table; None if the first line is not a header."""
    number, first = lines[0]
    for mark in "\t,;":
        header = [cell.strip().strip('"') for cell in first.split(mark)]
        places = {kind: sorted(places_of(header, word)) for kind, word in _KINDS.items()}
        if not places["relevance"] and "corpusid" in map(plain_name, header):  # BEIR
            places["relevance"] = [c for c, h in enumerate(header) if plain_name(h) == "score"]
        if all(places.values()):
            for kind, found in places.items():
                if len(found) > 1:
                    both = " and ".join(shown(header[c]) for c in found[:2])
                    fail(name, number, f"both {both} may be the {kind}; rename or remove one")
            return _rows(name, lines[1:], mark, [found[0] for found in places.values()], len(header))
    return None


def _rows(
    name: str, lines: list[tuple[int, str]], mark: str, places: Sequence[int], width: int
) -> Iterator[_Line]:
    for number, line in lines:
        try:
            quoted = '"' in line
            parts = next(csv.reader([line], delimiter=mark, strict=True)) if quoted else line.split(mark)
        except csv.Error as error:
            fail(name, number, f"broken CSV: {error}")
        if len(parts) != width:
            found = f"expected {width} columns, found {len(parts)}: {shown(line.strip())}"
            fail(name, number, f"{found}; fix this line")
        topic, document, relevance = (parts[place].strip() for place in places)
        if not topic or not document:
            fail(name, number, f"the {'document' if topic else 'topic'} is empty; fix this line")
        yield number, topic, document, relevance


def qrels_of(data: QrelsLike) -> Qrels:
    """Return judgements that were checked once; read them from a file or from memory if they are not."""
    if isinstance(data, Qrels):
        return data
    if is_file_like(data):
        return read_qrels(data)
    what = "judgements"
    rows = rows_of(what, data, "relevance")
    found = by_topic(what, rows, _grade, "relevance must be a whole number")
    if not found:
        raise ArgumentError("there are no judgements")
    if "all" in found:
        raise ArgumentError("judgements: topic 'all' stands for the average over topics; name it differently")
    largest = max(abs(grade) for grades in found.values() for grade in grades.values())
    if largest > _MOST_RELEVANT:
        raise ArgumentError(f"judgements: relevance must be at most a million, got {largest}")
    if isinstance(data, Mapping):  # a topic without documents is a topic too
        found = {topic: found.get(topic, {}) for topic in (label_of(what, "topic", each) for each in data)}
    return _checked(found)


def _grade(value: Any) -> int | None:
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, int | np.integer):
        return int(value)
    return int(value) if isinstance(value, float | np.floating) and float(value).is_integer() else None


def are_tuples(data: Sequence[Any], value: str) -> bool:
    """Return whether these have the fields of the tuples of ir_measures: query_id, doc_id, and the value."""
    return all(all(hasattr(row, field) for field in ("query_id", "doc_id", value)) for row in data)


def accepted(value: str) -> str:
    """Return what judgements may be, of which `value` is "relevance"; or a run, of which it is "score"."""
    run, of = ("a Run, ", "ScoredDoc") if value == "score" else ("", "Qrel")
    rows = f"a DataFrame with columns query_id, doc_id and {value}, or a list of ir_measures.{of}"
    return f"a path, an open file, {run}a mapping {{topic: {{document: {value}}}}}, {rows}"


def rows_of(what: str, data: Any, value: str) -> Iterable[_Row]:
    """Return the rows of a mapping, a DataFrame or tuples; `value` is "relevance" or "score"."""
    if isinstance(data, Mapping):
        return _of_mapping(what, data, value)
    if is_frame(data):
        return _of_frame(what, AnyFrame(data), value)
    got = type(data).__name__
    if isinstance(data, Iterable) and not isinstance(data, str | bytes):
        listed = list(data)
        if are_tuples(listed, value):
            return ((row.query_id, row.doc_id, getattr(row, value)) for row in listed)
        got = f"{got} of {type(listed[0]).__name__}"
    raise ArgumentTypeError(f"{what} must be {accepted(value)}, got {got}")


def _of_mapping(what: str, data: Mapping[Any, Any], value: str) -> Iterator[_Row]:
    for topic, documents in data.items():
        if not isinstance(documents, Mapping):
            got = f"got {type(documents).__name__} for topic {topic!r}"
            raise ArgumentTypeError(f"{what} must be {{topic: {{document: {value}}}}}, {got}")
        for document, number in documents.items():
            yield topic, document, number


def _of_frame(what: str, frame: AnyFrame, value: str) -> Iterator[_Row]:
    names = [str(name) for name in frame.names]
    kinds = ("query", "document", "value" if value == "score" else value)
    columns = [place for kind in kinds for place in places_of(names, kind)[:1]]
    if len(columns) < 3:
        needed = f"the DataFrame needs columns query_id, doc_id and {value}"
        raise ArgumentError(f"{what}: {needed}, has {shown(', '.join(names))}")
    part = frame.only(columns)
    return zip(*(part.objects(k) for k in range(3)), strict=True)


def by_topic(
    what: str, rows: Iterable[_Row], number: Callable[[Any], _Number | None], must: str
) -> dict[str, dict[str, _Number]]:
    """Return ``{topic: {document: number}}``; `number` reads a value, and returns None if it is wrong."""
    found: dict[str, dict[str, _Number]] = {}
    for topic, document, given in rows:
        topic_name, document_name = label_of(what, "topic", topic), label_of(what, "document", document)
        value = number(given)
        if value is None:
            place = f"document {shown(document_name)} of topic {shown(topic_name)}"
            raise ArgumentError(f"{what}: {must}, got {given!r} for {place}")
        documents = found.setdefault(topic_name, {})
        if document_name in documents:
            twice = f"document {shown(document_name)} appears twice for topic {shown(topic_name)}"
            raise ArgumentError(f"{what}: {twice}; keep one")
        documents[document_name] = value
    return found


def label_of(what: str, kind: str, label: Any) -> str:
    """Return the name of a topic or document as text."""
    if type(label) is str:
        return label
    if is_missing(label):
        raise ArgumentError(f"{what}: a {kind} has no name; drop its row")
    return label_text(label)
