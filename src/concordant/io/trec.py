"""Read TREC runs as trec_eval does, and write TREC files."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from concordant.errors import fail, public
from concordant.io.files import NUMBER, Source, name_of, read_text, shown, stem_of, write_whole
from concordant.typing import Floats

__all__ = [
    "Run",
    "descending",
    "in_trec_order",
    "read_run",
    "trec_ranking",
    "write_qrels",
    "write_run",
]

_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE | re.ASCII)


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
def read_run(source: Source) -> Run:
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
    name = name_of(source)
    topics: dict[str, dict[str, float]] = {}
    first_tag = last = ""
    documents: dict[str, float] = {}
    text = read_text(source)
    for number, line in enumerate(text.split("\n"), 1):
        if line == "" or line.isspace():
            continue
        try:
            topic, _, document, _, score, tag = line.split()
            value = float(score)
            if "_" in score:  # Python reads 1_000 as a number
                raise ValueError
        except ValueError:
            if line.lstrip().startswith("#"):
                continue
            topic, document, value, tag = _longer_line(name, number, line)
        if topic[0] == "#":
            continue
        if topic != last:
            documents = topics.setdefault(topic, {})
            last = topic
        if document in documents:
            twice = f"document {shown(document)} is there twice for topic {shown(topic)}"
            fail(name, number, f"{twice}; keep the better line")
        documents[document] = value
        if tag != first_tag:
            if first_tag:
                two = f"run tag {shown(tag)} after {shown(first_tag)}"
                fail(name, number, f"{two}; a run has one tag, and a file one run")
            first_tag = tag
    if not all(map(math.isfinite, (score for each in topics.values() for score in each.values()))):
        for number, line in enumerate(text.split("\n"), 1):
            parts = line.split(None, 5)
            if parts and parts[0][0] != "#" and not math.isfinite(float(parts[4])):
                fail(name, number, f"score must be finite, found {shown(parts[4])}")
    if not topics:
        fail(name, None, "has no answers, only comments")
    return Run(first_tag or stem_of(source), topics)


def _longer_line(name: str, number: int, line: str) -> tuple[str, str, float, str]:
    """Return topic, document, score and tag of a line with text after the tag; refuse any other line.

    trec_eval ignores text after the tag. A number in place of the tag shows that a name contains a blank, so
    that the columns after it are shifted by one.
    """
    parts = line.split()
    if len(parts) < 6:
        _refuse_columns(name, number, line)
    topic, _, document, _, score, tag = parts[:6]
    if len(parts) > 6 and NUMBER.fullmatch(tag):
        shifted = f"found {len(parts)} columns, and a number, {shown(tag)}, in place of the tag"
        fail(name, number, f"{shifted}; is there a blank in a name?")
    if not NUMBER.fullmatch(score) and not _NOT_FINITE.fullmatch(score):
        fail(name, number, f"score must be a number, found {shown(score)}")
    return topic, document, float(score), tag


def _refuse_columns(name: str, number: int, line: str) -> NoReturn:
    """Refuse a line; at the first line, say what kind of file this may be."""
    found = len(line.split())
    advice = "this looks like judgements (qrels)" if number == 1 and found == 4 else "mend the line"
    fail(name, number, f"expected 6 columns, found {found}: {shown(line.strip())}; {advice}")


def _single(documents: Mapping[str, float]) -> Floats:
    """Return the scores in single precision, as in trec_eval; scores that become equal are ties."""
    with np.errstate(over="ignore"):
        scores = np.fromiter(documents.values(), dtype=np.float64, count=len(documents))
        return scores.astype(np.float32).astype(np.float64)


def in_trec_order(documents: dict[str, float]) -> dict[str, float]:
    """Return scores without ties that rank documents as trec_eval does: by score, then name, descending."""
    single = _single(documents)
    if len(np.unique(single)) == len(single):
        return documents
    return descending(trec_ranking(documents))


def descending(ranking: Sequence[str]) -> dict[str, float]:
    """Return scores that rank documents in the order given: n, n - 1, ..., 1."""
    return {document: float(len(ranking) - place) for place, document in enumerate(ranking)}


def trec_ranking(documents: Mapping[str, float]) -> tuple[str, ...]:
    """Return the documents in the order of trec_eval: by score, then by name, both descending."""
    single, names = _single(documents), list(documents)
    order = np.argsort(-single, kind="stable")
    if (np.diff(single[order]) == 0).any():
        pairs = sorted(zip(single.tolist(), names, strict=True), reverse=True)
        return tuple(name for _, name in pairs)
    return tuple(names[i] for i in order.tolist())


def write_run(path: str | os.PathLike[str], name: str, topics: Mapping[str, Mapping[str, float]]) -> None:
    """Write a run, ``{topic: {document: score}}``, as lines of topic, Q0, document, rank, score, name."""
    lines = []
    for topic, documents in topics.items():
        ranked = sorted(documents.items(), key=lambda item: (item[1], item[0]), reverse=True)
        lines += [f"{topic} Q0 {d} {rank} {score:.6f} {name}" for rank, (d, score) in enumerate(ranked, 1)]
    write_whole(path, "\n".join(lines) + "\n")


def write_qrels(path: str | os.PathLike[str], qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Write judgements, ``{topic: {document: relevance}}``, as lines of topic, 0, document, relevance."""
    lines = [
        f"{topic} 0 {document} {relevance}"
        for topic, documents in qrels.items()
        for document, relevance in documents.items()
    ]
    write_whole(path, "\n".join(lines) + "\n")
