"""Judgements (qrels) from files and from memory; rows of topic, document and number in memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, fail, public, shown
from concordant.rankings.frames import AnyFrame, is_frame
from concordant.rankings.labels import is_missing, label_text
from concordant.reading.files import FileLike, is_file_like, name_of, read_text
from concordant.reading.header_words import places_of, plain_name
from concordant.reading.json_tables import objects_of
from concordant.reading.text_tables import Line, rows_of_text
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.typing import FrameLike

QrelsLike: TypeAlias = FileLike | Mapping[Any, Mapping[Any, Any]] | FrameLike | Iterable[Any]
"""A path or open file, `Qrels`, ``{topic: {document: relevance}}``, a DataFrame with columns query_id, doc_id
and relevance, or an iterable of ``ir_measures.Qrel``."""

_MOST_RELEVANT = 10**6  # trec_eval holds a table of all grades
_INTEGER = re.compile(r"([+-]?0{0,99}\d{1,7})(?:\.0{0,99})?", re.ASCII)
_KINDS = {"topic": "query", "document": "document", "relevance": "relevance"}  # as header_words.py calls them
_MAY_BE_TEXT = ("query", "document", "doc", "prediction")  # taken for an id or a grade only if alone
_FAILED = frozenset(("", "-", "?", "n/a", "na", "nan", "none", "null", "error", "failed", "invalid"))

_Line: TypeAlias = tuple[int | None, str, str, Any]
"""The number of a line, a topic, a document, and its label."""

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
    failed : dict of str to int
        How many labels are missing or failed, by what stands in their place, such as "N/A". Their documents
        have no judgement.
    repeated : int
        How many lines repeat a judgement.

    Examples
    --------
    >>> import concordant as cd
    >>> qrels = cd.Qrels({"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}})
    >>> qrels
    <Qrels: 2 topics, 3 judgements>
    >>> qrels["q1"]["d1"], qrels.name
    (1, '')
    >>> cd.Qrels({"q1": {"d1": 1, "d2": "N/A"}}).failed
    {'N/A': 1}
    """

    name: str
    failed: dict[str, int]
    repeated: int
    _topics: dict[str, dict[str, int]]

    @public("Qrels")
    def __init__(self, data: QrelsLike) -> None:
        found = qrels_of(data)
        vars(self).update(vars(found))

    def __getitem__(self, topic: str) -> Mapping[str, int]:
        return self._topics[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self._topics)

    def __len__(self) -> int:
        return len(self._topics)

    def __repr__(self) -> str:
        judgements = count(sum(map(len, self._topics.values())), "judgement")
        return f"<Qrels: {count(len(self), 'topic')}, {judgements}>"


def _checked(
    topics: dict[str, dict[str, int]], failed: Counter[str], name: str = "", again: int = 0
) -> Qrels:
    """Return judgements that were checked already."""
    found = object.__new__(Qrels)
    found.name, found.failed, found.repeated, found._topics = name, dict(failed), again, topics
    return found


def _is_failed(label: Any) -> bool:
    """Return whether a label is missing, or a word that stands for a label that could not be made."""
    return label.strip().lower() in _FAILED if isinstance(label, str) else is_missing(label)


def failed_labels(qrels: Qrels) -> str:
    """Return how many labels of how many are missing or failed, and what stands in their place."""
    n, others = sum(qrels.failed.values()), qrels.repeated + sum(map(len, qrels.values()))
    words = some([repr(text) for text, _ in Counter(qrels.failed).most_common()])
    return f"{count(n, 'label')} of {n + others} {'is' if n == 1 else 'are'} missing or failed ({words})"


def notes_of_labels(qrels: Qrels, counted: str) -> Iterator[Note]:
    """Yield what is unusual about the labels; `counted` says what those that failed count as."""
    if qrels.failed:
        values = {"failed": qrels.failed, "judgements": sum(map(len, qrels.values()))}
        yield Note(
            "failed_labels",
            text=f"{failed_labels(qrels)}; such documents {counted}",
            values=values,
            lost=True,
        )
    if qrels.repeated:
        text = f"{count(qrels.repeated, 'line')} repeated a judgement, with the same grade"
        yield Note("repeated_judgements", text=text, values={"lines": qrels.repeated}, lost=True)


@public
def read_qrels(source: FileLike) -> Qrels:
    r"""Read judgements: lines of topic, iteration, document, relevance; a table with a header; or JSON.

    A table has commas, semicolons or tabs between its columns, and names for topic (query_id, qid, ...),
    document (doc_id, docno, corpus-id, ...) and relevance (rel, label, grade, ...). JSON lines and lists of
    objects have such keys; the objects may have a list ``candidates``, as those of UMBRELA. Other columns
    and keys are ignored. Blank lines and lines that begin with ``#`` are skipped. A grade is a whole number,
    such as ``1`` or ``1.0``. A label that is empty, or N/A, NaN, None, null, error, failed, invalid, ``-`` or
    ``?``, has failed: its document has no judgement, and it is counted.

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
    >>> cd.read_qrels(io.StringIO('{"qid": "401", "docid": "d1", "label": "N/A", "model": "x"}\n'
    ...                           '{"qid": "401", "docid": "d2", "label": "2", "model": "x"}\n')).failed
    {'N/A': 1}
    """
    return qrels_of(source)


def qrels_of(data: QrelsLike) -> Qrels:
    """Return judgements that were checked once; read them from a file or from memory if they are not."""
    if isinstance(data, Qrels):
        return data
    name, rows = (name_of(data), _of_file(data)) if is_file_like(data) else ("", _of_memory(data))
    topics: dict[str, dict[str, int]] = {}
    if isinstance(data, Mapping):  # a topic without documents is a topic too
        topics = {label_of("judgements", "topic", topic): {} for topic in data}

    def refuse(line: int | None, what: str) -> NoReturn:
        if name:
            fail(name, line, what)
        raise ArgumentError(f"judgements: {what}")

    failed, n = Counter[str](), 0
    for line, topic, document, label in rows:
        if not topic or not document:
            refuse(line, f"the {'document' if topic else 'topic'} is empty; fix this line")
        if topic == "all":
            refuse(line, "topic 'all' stands for the average over topics; name it differently")
        documents, grade = topics.setdefault(topic, {}), _grade(label)
        if grade is None and _is_failed(label):
            failed[str(label)] += 1
            continue
        if grade is None or abs(grade) > _MOST_RELEVANT:
            must = f"relevance must be a whole number up to a million, found {shown(str(label))}"
            refuse(line, f"{must} for document {shown(document)} of topic {shown(topic)}")
        if documents.setdefault(document, grade) != grade:
            twice = f"document {shown(document)} is judged twice for topic {shown(topic)}"
            refuse(line, f"{twice}, {documents[document]} and {grade}; keep one judgement")
        n += 1
    if not n:
        labels = some(list(map(repr, failed)))
        all_of = f"all labels are missing or failed ({labels}); label the documents again"
        refuse(None, all_of if failed else "has no judgements")
    return _checked(topics, failed, name, n - sum(map(len, topics.values())))


def _of_memory(data: Any) -> Iterator[_Line]:
    for topic, document, label in rows_of("judgements", data, "relevance"):
        names = (
            label_of("judgements", kind, own) for kind, own in (("topic", topic), ("document", document))
        )
        yield None, *names, label


def _of_file(source: FileLike) -> Iterator[_Line]:
    """Yield the labels of lines as trec_eval reads them, of a table with a header, or of JSON."""
    name, text = name_of(source), read_text(source)
    json = {"{": "jsonl", "[": "json"}.get(text.lstrip()[0])
    if json:
        return _of_json(name, text, json)
    lines = ["" if line.lstrip().startswith("#") else line for line in text.split("\n")]
    first = next((k for k, line in enumerate(lines) if line.strip()), None)
    if first is None:
        fail(name, None, "has no judgements, only comments")
    for mark in "\t,;":
        header = [cell.strip().strip('"') for cell in lines[first].split(mark)]
        # BEIR calls the grade "score"; so do runs.
        places = _places(name, first + 1, header, has_score="corpusid" in map(plain_name, header))
        if len(places) == len(_KINDS):
            _, *rows = rows_of_text(name, "\n".join(lines), mark)
            return _of_table(name, rows, mark, len(header), places.values())
    return _of_lines(name, lines, first)


def _of_table(
    name: str, rows: Iterable[Line], mark: str, width: int, places: Collection[int]
) -> Iterator[_Line]:
    for line, row in rows:
        if len(row) != width:
            found = f"expected {width} columns, found {len(row)}: {shown(mark.join(row).strip())}"
            fail(name, line, f"{found}; fix this line")
        topic, document, relevance = (row[place].strip() for place in places)
        yield line, topic, document, relevance


def _of_lines(name: str, lines: Sequence[str], first: int) -> Iterator[_Line]:
    for k, line in enumerate(lines):
        parts = line.split()
        if len(parts) == 3 and line.rstrip("\r")[-1] in " \t":  # an empty label
            parts.append("")
        if parts and len(parts) != 4:
            advice = "fix this line"
            if k == first:
                header = (
                    "a table needs a header, such as query_id,doc_id,relevance, with commas or tabs between"
                )
                advice = "this looks like a run" if len(parts) == 6 else header
            fail(name, k + 1, f"expected 4 columns, found {len(parts)}: {shown(line.strip())}; {advice}")
        if parts:
            yield k + 1, parts[0], parts[2], parts[3]


def _of_json(name: str, text: str, format: str) -> Iterator[_Line]:
    """Yield the labels of objects, or of one object {topic: {document: label}}.

    An object with a list of candidates stands for an object for each of them.
    """
    objects = list(objects_of(name, text, format, "topic, document and label"))
    if len(objects) == 1 and all(isinstance(own, dict) for own in objects[0][1].values()):
        for name_of_topic, own in objects[0][1].items():
            yield from ((1, name_of_topic, document, str(label).strip()) for document, label in own.items())
        return
    rows = list[tuple[int, dict[str, Any]]]()
    for line, row in objects:
        candidates = row.pop("candidates", None)
        several = candidates if isinstance(candidates, list) else [{}]
        rows += [(line, row | own if isinstance(own, dict) else row) for own in several]
    keys = list(dict.fromkeys(key for _, row in rows for key in row))
    places = _places(name, 1, keys, has_score=True)
    if len(places) < len(_KINDS):
        kind = next(kind for kind in _KINDS if kind not in places)
        such = "rename keys to query_id, doc_id and label"
        fail(name, None, f"there is no key for the {kind} among {some(keys, 12) or 'no keys'}; {such}")
    for line, row in rows:
        topic, document, label = (row.get(keys[place]) for place in places.values())
        yield line, _id_of(topic), _id_of(document), str(label).strip()


def _id_of(cell: Any) -> str:
    """Return the name of a topic or document; an object has it under a key for an id."""
    if isinstance(cell, dict):
        cell = next((own for key, own in cell.items() if plain_name(key) in ("id", "qid", "docid")), None)
    return label_text(cell).strip() if isinstance(cell, str | int | float) and not is_missing(cell) else ""


def _places(name: str, number: int, header: Sequence[str], has_score: bool) -> dict[str, int]:
    """Return the places of topic, document and relevance, as far as they are there.

    What may be a text counts only if there is no other, and so does a score, which may be the relevance.
    """
    found, plain = dict[str, int](), list(map(plain_name, header))
    for kind, word in _KINDS.items():
        places = sorted(places_of(header, word))
        places = [c for c in places if plain[c] not in _MAY_BE_TEXT] or places
        if not places and kind == "relevance" and has_score:
            places = [c for c, each in enumerate(plain) if each == "score"]
        if len(places) > 1:
            both = " and ".join(shown(header[c]) for c in places[:2])
            fail(name, number, f"both {both} may be the {kind}; rename or remove one")
        if places:
            found[kind] = places[0]
    return found


def _grade(label: Any) -> int | None:
    if isinstance(label, str):
        text = _INTEGER.fullmatch(label.strip())
        return None if text is None else int(text[1])
    if isinstance(label, int | np.integer):
        return None if isinstance(label, bool) else int(label)
    return int(label) if isinstance(label, float | np.floating) and float(label).is_integer() else None


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


def label_of(what: str, kind: str, label: Any) -> str:
    """Return the name of a topic or document as text."""
    if type(label) is str:
        return label
    if is_missing(label):
        raise ArgumentError(f"{what}: a {kind} has no name; drop its row")
    return label_text(label)
