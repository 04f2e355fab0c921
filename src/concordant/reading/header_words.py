"""The names of columns, and what they tell about the content of the columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from concordant.errors import ArgumentError, option

# The columns of a long table, and the other names under which they are known, in lower case and without
# punctuation; some also in German, French, Spanish, Portuguese and Italian.
COLUMNS = {
    "measure": (
        *("measure", "metric", "measures", "metrics", "task", "benchmark", "benchmarks"),
        *("mass", "mesure", "metrique", "metrik", "medida"),
    ),
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

# Names that only say that a column holds labels, or the numbers of the rows.
_UNSPECIFIC = (
    *("", "id", "index", "indexlevel0", "key", "label", "item", "entry", "row", "column1"),
    *("idx", "no", "nr", "rownumber", "rowid"),
)
_PLACED = re.compile(r"(unnamed|level)\d{1,3}", re.ASCII)  # as pandas names columns without a name

# Columns of leaderboards that are not scores.
_RANKS = ("rank", "ranking", "position", "place", "pos", "rang", "platz", "posicion", "posizione")
_NOT_SCORES = (
    *("votes", "nvotes", "battles", "nbattles", "games", "n", "count", "counts", "size", "params"),
    *("parameters", "nparams", "paramsb", "parametersb", "year", "date", "released", "release", "ci"),
    *("95ci", "95", "interval", "std", "stddev", "stdev", "sd", "stderr", "se", "sem", "error", "lower"),
    *("upper", "low", "high", "ciwidth", "variance", "var", "license", "organization", "organisation"),
    *("org", "knowledgecutoff", "url", "link", "price", "cost", "seed", "fold", "rankub"),
    *("rankstylectrl", "context", "contextlength", "contextwindow", "numq", "numret", "numrel", "nrel"),
    *("numrelret", "number", "nrelevant", "numrelevant", "nret", "difficulty", "pvalue", "delta", "jahr"),
)
# A name with one of these words at its end is not a score either: "Acc std", "Release year", "map p-value".
_NOT_SCORES_LAST = frozenset(
    ("std", "stddev", "stdev", "sd", "stderr", "sem", "ci", "pvalue", "year", "date", "votes", "variance")
)
# Names of rows and columns that sum up the others.
_SUMMARIES = (
    *("all", "mean", "means", "average", "avg", "overall", "total", "macroaverage", "microaverage"),
    *("macroavg", "microavg", "weightedaverage", "weightedavg", "meanscore"),
    *("averagescore", "avgscore", "grandmean", "overallmean", "overallaverage", "mittelwert", "mittel"),
    *("durchschnitt", "gesamt", "moyenne", "promedio", "insgesamt"),
)
# Together with these words, "rank" belongs to the name of a score: reciprocal rank, rank-biased precision.
_RANKED_SCORES = frozenset(
    ("recip", "reciprocal", "biased", "correlation", "corr", "spearman", "kendall", "tau", "rho", "precision")
)
_RANK_CUTOFF = re.compile(r"rank ?[-@] ?\d{1,4}( accuracy)?", re.IGNORECASE | re.ASCII)  # Rank-1 accuracy

_RANK_WORDS, _SUMMARY_WORDS = frozenset(_RANKS), frozenset(_SUMMARIES)
_NO_SCORE_WORDS, _LABEL_WORDS = frozenset(_NOT_SCORES), frozenset(_UNSPECIFIC)
_KIND = {word: kind for kind, words in COLUMNS.items() for word in words}
_NUMBERED = re.compile(
    r"(q|t|topic|query|qid|case|seg|segment|question)?[ _.-]?\d+", re.IGNORECASE | re.ASCII
)
# A column under one of these words may hold numbers as names of systems; other words may name a system.
_OF_NUMBERS = frozenset(
    ("system", "systemid", "run", "runid", "runtag", "model", "modelid", "team", "submission", "submissionid")
)
_DOWN, _UP = "\u2193\u2b07\u25bc", "\u2191\u2b06\u25b2"
_ARROW = re.compile(rf"\s*[(\[]?\s*[{_DOWN}{_UP}]\ufe0f?\s*[)\]]?\s*")


def _plain(name: str) -> str:
    """Return a name in lower case, without punctuation and accents."""
    text = name.lower()
    if text.isascii() and text.isalnum():
        return text
    text = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if c.isalnum())


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case: "rank_human" and "rankHuman" have two."""
    parted = (
        re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("p-value", "pvalue").replace("p value", "pvalue")
    )
    return [_plain(word) for word in re.split(r"[\W_]+", parted) if word]


def bare_name(name: str) -> str:
    """Return a name without the arrow that shows whether large or small scores are good."""
    return _ARROW.sub(" ", name).strip() or name if not name.isascii() else name


def counts_down(name: str) -> bool:
    """Say whether the name shows that the smallest score is the best: an arrow down, or the word rank."""
    if not name.isascii():
        if any(arrow in name for arrow in _UP):
            return False
        if any(arrow in name for arrow in _DOWN):
            return True
    words = _words(name)
    if _plain(name) in _RANK_WORDS:
        return True
    ranked = any(word in ("rank", "ranks", "rang") for word in words) and not _RANKED_SCORES & set(words)
    return ranked and not _RANK_CUTOFF.fullmatch(name.strip())


def is_summary(name: str) -> bool:
    """Say whether a row or column of this name sums up the others, such as "all" or "Average"."""
    return _plain(name) in _SUMMARY_WORDS


def is_column(name: str, kind: str) -> bool:
    """Say whether a column of this name is known to hold measures, topics, systems or values."""
    return _KIND.get(_plain(name)) == kind


def kind_of_column(name: str) -> str:
    """Return what a column holds by its name: measure, topic, system, value, rank, other or label.

    "other" is not a score; "label" is a name that tells nothing; "" may be anything.
    """
    plain = _plain(name)
    if plain in _KIND:
        return _KIND[plain]
    if plain in _RANK_WORDS:
        return "rank"
    if plain in _LABEL_WORDS or _PLACED.fullmatch(plain):
        return "label"
    return "other" if plain in _NO_SCORE_WORDS else ""


def is_beside_scores(name: str, others: Collection[str]) -> bool:
    """Say whether a column says something about the scores of another: "Acc std", "map +" beside "map"."""
    words = _words(name)
    if words and (words[-1] in _NOT_SCORES_LAST or "ci" in words):
        return True
    return name.strip()[:1] in ("\u0394", "\u2206") or (name[-2:] in (" +", " -") and name[:-2] in others)


def may_name_systems(name: str) -> bool:
    """Say whether a column of numbers under this word for systems may hold names: run ids, not "llm"."""
    return _plain(name) in _OF_NUMBERS


def is_numbered(labels: Sequence[str]) -> bool:
    """Say whether all labels are numbers, or numbers after a word for topics, such as 401 or q12."""
    return len(labels) > 0 and all(_NUMBERED.fullmatch(label.strip()) for label in labels)


def check_columns(names: Sequence[str], given: Mapping[str, str]) -> None:
    """Refuse unknown kinds, and columns that the table does not have."""
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
