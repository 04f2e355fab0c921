"""Read rows of topic, document and number from objects in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from concordant.errors import ArgumentError, ArgumentTypeError, shown
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import is_missing, label_text
from concordant.reading.header_words import places_of

Number = TypeVar("Number", int, float)
Row: TypeAlias = tuple[Any, Any, Any]

# The columns of a DataFrame, and what header_words.py calls them.
_COLUMNS = {"query_id": "query", "doc_id": "document", "relevance": "relevance", "score": "value"}


def are_tuples(data: Sequence[Any], value: str) -> bool:
    """Return whether these have the fields of the tuples of ir_measures: query_id, doc_id, and the value."""
    return all(all(hasattr(row, field) for field in ("query_id", "doc_id", value)) for row in data)


def rows_of(what: str, data: Any, value: str, accepted: str) -> Iterable[Row]:
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
    raise ArgumentTypeError(f"{what} must be {accepted}, got {got}")


def _of_mapping(what: str, data: Mapping[Any, Any], value: str) -> Iterator[Row]:
    for topic, documents in data.items():
        if not isinstance(documents, Mapping):
            raise ArgumentTypeError(
                f"{what} must be {{topic: {{document: {value}}}}}, "
                f"got {type(documents).__name__} for topic {topic!r}"
            )
        for document, number in documents.items():
            yield topic, document, number


def _of_frame(what: str, frame: AnyFrame, value: str) -> Iterator[Row]:
    names = [str(name) for name in frame.names]
    columns = [
        place for kind in ("query_id", "doc_id", value) for place in places_of(names, _COLUMNS[kind])[:1]
    ]
    if len(columns) < 3:
        needed = f"the DataFrame needs columns query_id, doc_id and {value}"
        raise ArgumentError(f"{what}: {needed}, has {shown(', '.join(names))}")
    part = frame.only(columns)
    return zip(*(part.objects(k) for k in range(3)), strict=True)


def by_topic(
    what: str, rows: Iterable[Row], number: Callable[[Any], Number | None], must: str
) -> dict[str, dict[str, Number]]:
    """Return ``{topic: {document: number}}``; `number` reads a value, and returns None if it is wrong."""
    found: dict[str, dict[str, Number]] = {}
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
