"""TREC runs and judgements (qrels), as trec_eval reads them."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from concordant.io._files import NUMBER, InputError, Source, fail, name_of, read_text, shown, stem_of

__all__ = ["Run", "read_qrels", "read_run"]

Qrels = dict[str, dict[str, int]]

_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)


class Run(NamedTuple):
    """One system's answers: for each topic the score of each document."""

    name: str
    topics: dict[str, dict[str, float]]


def read_qrels(source: Source) -> Qrels:
    """Read judgements: lines of topic, iteration, document, relevance.

    Parameters
    ----------
    source : path or open file
        Plain or gzip; "-" is standard input.

    Returns
    -------
    dict
        ``{topic: {document: relevance}}``.
    """
    name = name_of(source)
    qrels: Qrels = {}
    for number, line in enumerate(read_text(source).split("\n"), 1):
        parts = line.split()
        if len(parts) != 4:
            if not parts:
                continue
            hint = "; this looks like a run" if len(parts) == 6 else ""
            fail(name, number, f"expected 4 columns, found {len(parts)}: {shown(line.strip())}{hint}")
        topic, _, document, relevance = parts
        if not _INTEGER.fullmatch(relevance) or abs(int(relevance)) > 10**6:
            fail(name, number, f"relevance must be a whole number up to a million, found {shown(relevance)}")
        if topic == "all":
            fail(name, number, "topic 'all' stands for the average over topics; name it differently")
        documents = qrels.setdefault(topic, {})
        if document in documents:
            fail(
                name,
                number,
                f"document {shown(document)} is judged twice for topic {shown(topic)}; keep one judgement",
            )
        documents[document] = int(relevance)
    return qrels


def read_run(source: Source) -> Run:
    """Read a run: lines of topic, Q0, document, rank, score, tag.

    The rank column is ignored; documents count in the order of their scores, equal scores by document, both
    descending, as trec_eval has it. The name is the tag of the last column, which must be the same in all lines.

    Parameters
    ----------
    source : path or open file
        Plain or gzip; "-" is standard input.

    Returns
    -------
    Run
        ``name`` and ``topics``, a dict ``{topic: {document: score}}``.
    """
    name = name_of(source)
    topics: dict[str, dict[str, float]] = {}
    first_tag = tag = last = ""
    documents: dict[str, float] = {}
    number = 0
    text = read_text(source)
    try:
        for number, line in enumerate(text.split("\n"), 1):
            if line == "" or line.isspace():
                continue
            topic, _, document, _, score, tag = line.split()
            if topic != last:
                documents = topics.setdefault(topic, {})
                last = topic
            if document in documents:
                fail(
                    name,
                    number,
                    f"document {shown(document)} is there twice for topic {shown(topic)}; keep the better line",
                )
            documents[document] = float(score)
            if "_" in score:  # Python takes 1_000 for a number
                raise ValueError
            if tag != first_tag:
                if first_tag:
                    fail(
                        name,
                        number,
                        f"run tag {shown(tag)} after {shown(first_tag)}; a run has one tag, and a file one run",
                    )
                first_tag = tag
    except InputError:
        raise
    except ValueError:
        parts = line.split()
        if len(parts) == 6 and not NUMBER.fullmatch(parts[4]):
            fail(name, number, f"score must be a number, found {shown(parts[4])}")
        if len(parts) != 6:
            hint = "; this looks like judgements (qrels)" if len(parts) == 4 else ""
            fail(name, number, f"expected 6 columns, found {len(parts)}: {shown(line.strip())}{hint}")
        raise
    if not all(map(math.isfinite, (score for each in topics.values() for score in each.values()))):
        for number, line in enumerate(text.split("\n"), 1):
            if line.split() and not math.isfinite(float(line.split()[4])):
                fail(name, number, f"score must be finite, found {shown(line.split()[4])}")
    return Run(first_tag or stem_of(source), topics)


def in_trec_order(documents: dict[str, float]) -> dict[str, float]:
    """Return scores without ties that rank documents as trec_eval does: by score, then by name, both descending.

    trec_eval holds scores as single-precision floats, so scores that differ beyond those are ties.
    """
    with np.errstate(over="ignore"):
        single = np.fromiter(documents.values(), dtype=np.float64, count=len(documents)).astype(np.float32)
    if len(np.unique(single)) == len(single):
        return documents
    order = sorted(zip(single.tolist(), documents, strict=True), reverse=True)
    return {document: float(len(order) - place) for place, (_, document) in enumerate(order)}
