"""The names of columns, and what they say about what the columns hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from concordant.errors import ArgumentError, option

__all__ = ["COLUMNS", "check_columns", "find_columns", "is_column", "is_numbered", "kind_of_column"]

# The columns of a long table, and the other names under which they are known, in lower case and without
# punctuation; some also in German, French, Spanish, Portuguese and Italian.
COLUMNS = {
    "measure": ("measure", "metric", "measures", "metrics", "task", "mass", "mesure", "metrique", "medida"),
    "topic": (
        *(
            "topic",
            "topics",
            "topicid",
            "topicnumber",
            "topicno",
            "query",
            "queries",
            "queryid",
            "querynumber",
        ),
        *("qid", "qno", "case", "caseid", "segment", "segmentid", "segid", "question", "questionid"),
        *(
            "instance",
            "instanceid",
            "example",
            "exampleid",
            "thema",
            "anfrage",
            "requete",
            "consulta",
            "sujet",
        ),
    ),
    "system": (
        *("system", "systems", "systemid", "systemname", "run", "runid", "runname", "runtag", "tag"),
        *("model", "models", "modelname", "modelid", "method", "methods", "methodname", "algorithm"),
        *(
            "algorithms",
            "algorithmname",
            "alg",
            "algname",
            "engine",
            "name",
            "participant",
            "team",
            "teamname",
        ),
        *("submission", "submissionid", "submissionname", "approach", "ranker", "retriever", "judge", "llm"),
        *("modell", "verfahren", "methode", "modele", "systeme", "modelo", "sistema", "metodo", "algoritmo"),
    ),
    "value": ("value", "values", "score", "scores", "wert", "valeur", "valor", "valore", "punktzahl"),
}

# Names that say no more than "a label stands here".
_UNSPECIFIC = (
    "",
    "id",
    "index",
    "indexlevel0",
    "unnamed0",
    "key",
    "label",
    "item",
    "entry",
    "row",
    "column1",
)

# Columns of leaderboards that are not scores.
_RANKS = ("rank", "ranking", "position", "place", "pos", "rang", "platz", "posicion", "posizione")
_NOT_SCORES = (
    *(
        "votes",
        "nvotes",
        "battles",
        "nbattles",
        "games",
        "n",
        "count",
        "counts",
        "size",
        "params",
        "parameters",
    ),
    *(
        "nparams",
        "paramsb",
        "parametersb",
        "year",
        "date",
        "released",
        "release",
        "ci",
        "95ci",
        "95",
        "interval",
    ),
    *("std", "stddev", "sd", "stderr", "se", "error", "lower", "upper", "low", "high", "ciwidth", "variance"),
    *("license", "organization", "organisation", "org", "knowledgecutoff", "url", "link", "price", "cost"),
    *(
        "seed",
        "fold",
        "no",
        "nr",
        "number",
        "rankub",
        "rankstylectrl",
        "contextlength",
        "numq",
        "numret",
        "numrel",
    ),
)

_KIND = {word: kind for kind, words in COLUMNS.items() for word in words}
_NUMBERED = re.compile(
    r"(q|t|topic|query|qid|case|seg|segment|question)?[ _.-]?\d+", re.IGNORECASE | re.ASCII
)


def _plain(name: str) -> str:
    """Return a name in lower case, without punctuation and accents."""
    text = name.lower()
    text = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if c.isalnum())


def is_column(name: str, kind: str) -> bool:
    """Say whether a column of this name is known to hold measures, topics, systems or values."""
    return _KIND.get(_plain(name)) == kind


def kind_of_column(name: str) -> str:
    """Return what a column holds by its name: measure, topic, system, value, rank, other, or label.

    "other" is not a score; "label" says that the name tells nothing; "" that it may be anything.
    """
    plain = _plain(name)
    if plain in _KIND:
        return _KIND[plain]
    if plain in _RANKS:
        return "rank"
    if plain in _NOT_SCORES:
        return "other"
    return "label" if plain in _UNSPECIFIC else ""


def is_numbered(labels: Sequence[str]) -> bool:
    """Say whether all labels are numbers, or numbers after a word for topics, such as 401 or q12."""
    return len(labels) > 0 and all(_NUMBERED.fullmatch(label.strip()) for label in labels)


def check_columns(names: Sequence[str], given: Mapping[str, str]) -> None:
    """Refuse kinds that there are not, and columns that the table does not have."""
    unknown = [kind for kind in given if kind not in COLUMNS]
    if unknown:
        raise ArgumentError(f"{option('columns')}: there is no {unknown[0]!r}; give {', '.join(COLUMNS)}")
    absent = [name for name in given.values() if name not in names]
    if absent:
        raise ArgumentError(
            f"{option('columns')}: there is no column {absent[0]!r}; there are {', '.join(names)}"
        )


def find_columns(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the columns whose kind is given or known by their name, the first of each kind."""
    check_columns(names, given)
    first: dict[str, str] = {}
    taken = set(given.values())
    for name in names:
        kind = _KIND.get(_plain(name))
        if kind is not None and name not in taken:
            first.setdefault(kind, name)
    found = first | dict(given)
    return {kind: found[kind] for kind in COLUMNS if kind in found}
