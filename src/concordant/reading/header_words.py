"""The names of columns, and what they tell about the content of the columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from concordant.errors import ArgumentError, option
from concordant.rankings.order_text import SYSTEM_WORDS
from concordant.scores.scores import COLUMNS

KINDS = (*COLUMNS, "cluster", "repeat")  # what a user may say that a column holds
# What a column may hold, and the words for it: in lower case and without punctuation, the usual word first.
# Some are German, French, Spanish, Portuguese and Italian.
_QUERY = "queryid qid topic topicid topicno requestid query"
_WORDS = {
    # the columns of tables of scores
    "measure": """measure metric measures metrics task benchmark benchmarks metricname taskname benchmarkname
        evalname mass mesure metrique metrik medida""",
    "topic": f"""{_QUERY} topics topicnumber queries querynumber qno case caseid segment segmentid segid
        question questionid instance instanceid example exampleid thema anfrage requete consulta sujet""",
    "system": f"""{" ".join(SYSTEM_WORDS)} systemid systemname runid runname runtag tag modelname modelid
        methodname algorithmname alg algname teamname submissionid submissionname approach ranker retriever
        judge llm modell verfahren methode modele systeme modelo sistema metodo algoritmo""",
    "value": "score value values scores metricvalue wert valeur valor valore punktzahl",
    # the columns of judgements and runs; BEIR calls the grade "score"
    "query": _QUERY,
    "document": "docid docno document documentid doc did corpusid passageid pid",
    "relevance": "relevance rel label grade judgment judgement qrel rating prediction",
    # the columns of labels by several raters; without "rater" the other columns are raters
    "rater": """rater raterid annotator annotatorid assessor assessorid coder worker workerid labeler
        labeller evaluator grader reviewer judge llm judgemodel""",
    "rating": "label rating grade relevance rel judgment judgement annotation verdict category value score",
    "item": """item itemid id idx index key example exampleid instance instanceid sample sampleid segment
        segmentid response responseid docid docno document documentid passageid pid doc text textid""",
    # names that only say that a column holds labels, or the numbers of the rows
    "label": """id index indexlevel0 key label item entry row column1 idx no nr rownumber rowid itemid
        promptid sampleid docid taskid""",
    # columns of leaderboards that are not scores
    "rank": """rank ranking ranks position place pos rang platz posicion posizione finalrank finalranking
        overallrank overallranking globalrank""",
    "other": """votes nvotes battles nbattles games n count counts size params parameters nparams paramsb
        parametersb year date released release ci 95ci 95 interval std stddev stdev sd stderr se sem error
        lower upper low high ciwidth variance var license organization organisation org knowledgecutoff url
        link price cost seed fold rankub rankstylectrl context contextlength contextwindow numq numret numrel
        nrel numrelret number nrelevant numrelevant nret difficulty pvalue delta jahr
        likes hublikes downloads stars memory vram ram memoryusage dim dims dimension dimensions
        embeddingsize embeddingdim embeddingdimension embeddingdimensions tokens maxtokens ntokens
        sequencelength maxsequencelength co2 co2cost emissions energy throughput latency ttft runtime walltime
        duration seconds time step steps globalstep epoch epochs layers moe flagged merged available
        nwins nlosses nties ntotal nitems nsamples samples ncorrect nshot nshots shots
        doc timestamp created createdat updated updatedat lastupdated version architecture weighttype
        numparams activeparams totalparams modelsize filesize batchsize gpus numgpus hub speed mrt hours
        outputlength responselength flops elapsed cutoff learningrate lr direction higherisbetter
        lowerisbetter""",
    # a name that ends with one of these words is not a score either: "Acc std", "Release year", "map p-value"
    "beside": """std stddev stdev sd stderr sem ci pvalue year date votes variance likes downloads params
        parameters size tokens dimensions dimension memory usage cost price co2 emissions latency throughput
        runtime seconds shots timestamp q025 q975 p025 p975 ciupper cilower time hours length battles
        standarderror speed energy vram gpus flops elapsed cutoff id count
        counts""",
    # nor one that begins with one of these: "n_total", "num samples", "latency p50 (ms)"
    "counted": "n num number nr std stderr var",
    "before": """latency throughput memory params parameters likes co2 downloads emissions energy cost price
        tokens seconds is has available""",
    # but after the latter ones, these make it a score: "is_correct", "Memory QA", "Price accuracy"
    "score": "acc accuracy f1 em qa score auc correct match resolved solved passed",
    # measures of which the smallest value is the best
    "lower": """loss losses perplexity ppl bpb bitsperbyte latency ttft time runtime walltime duration seconds
        ece error errors errorrate toxicity cost price co2 emissions energy memory rmse mse mae mape wer cer
        ter brier brierscore nll negativeloglikelihood hallucination hallucinationrate regret fid fad
        expectedcalibrationerror rmsce toxicityprobability toxicfraction bias harmfulness distance divergence
        crossentropy bpc bitspercharacter eer der ade fde fpr fnr falsepositiverate falsenegativerate missrate
        failurerate failed failures lpips niqe fvd kid mase crps mcd""",
    # one of those as the last word of a name says the same ("validation loss"), or one of these as the first
    "lower at the start": "perplexity ppl wer cer ece rmse mse mae nll fid bpb brier",
    # what tells repetitions of an experiment apart
    "repeat": "seed fold step steps globalstep epoch epochs version",
    # rows and columns that sum up the others
    "summary": """all mean means average avg overall total macroaverage microaverage macroavg microavg
        weightedaverage weightedavg meanscore averagescore avgscore grandmean overallmean overallaverage
        mittelwert mittel durchschnitt gesamt moyenne promedio insgesamt""",
    # with these words, "rank" belongs to the name of a score: reciprocal rank, rank-biased precision
    "ranked score": "recip reciprocal biased correlation corr spearman kendall tau rho precision",
    # a column under one of these words may hold numbers as names of systems; other words may name a system
    "numbered system": "system systemid run runid runtag model modelid team submission submissionid",
}
# How the name of a column ends that holds the error of another: "acc_stderr", "rating_q025", "95% CI".
_ERRORS = {
    "se": "stderr stderror standarderror se sem",
    "low": "q025 p025 lower low lb cilower cilow lowerci lowerbound 95cilower 95cilow",
    "high": "q975 p975 upper high ub ciupper cihigh upperci upperbound 95ciupper 95cihigh",
    "interval": "ci 95ci ci95 confidenceinterval 95confidenceinterval",
}
_ERROR_WORDS = {word: kind for kind, words in _ERRORS.items() for word in words.split()}
# What systems and topics may be called in an answer.
_NOUNS = {
    "system": ("model", "run", "method", "algorithm", "engine", "team", "submission", "ranker", "retriever"),
    "topic": ("question", "query", "segment", "item", "example", "instance", "case"),
}
_KNOWN = {kind: tuple(words.split()) for kind, words in _WORDS.items()}
_OF_KIND = {kind: frozenset(words) for kind, words in _KNOWN.items()}
_KIND = {word: kind for kind in ("other", "label", "rank", *reversed(COLUMNS)) for word in _KNOWN[kind]}
_WITHOUT_NAME = re.compile(r"((unnamed|level)\d{1,3})?", re.ASCII)  # as pandas names columns without a name
_RANK_CUTOFF = re.compile(r"rank ?[-@] ?\d{1,4}( accuracy)?", re.IGNORECASE | re.ASCII)  # Rank-1 accuracy
_NUMBERED = re.compile(
    r"(q|t|topic|query|qid|case|seg|segment|question)?[ _.-]?\d+", re.IGNORECASE | re.ASCII
)
_UNIT = re.compile(
    r"(?:\s*(?:[(\[][^()\[\]]{1,30}[)\]]|%)|[ _](?:ms|s|secs?|kg|gb|mb|usd|kwh))\s*$", re.IGNORECASE
)
DOWN, UP = "\u2193", "\u2191"
_DOWN, _UP = f"{DOWN}\u2b07\u25bc", f"{UP}\u2b06\u25b2"
_ARROW = re.compile(rf"\s*[(\[]?\s*[{_DOWN}{_UP}]\ufe0f?\s*[)\]]?\s*")


def plain_name(name: str) -> str:
    """Return a name in lower case, without punctuation and accents."""
    text = name.lower()
    if text.isascii() and text.isalnum():
        return text
    text = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if c.isalnum())


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case: "rank_human" and "rankHuman" have two."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    parted = re.sub(r"(?i)\b(p|standard)[ _-](value|error)\b", r"\1\2", parted.replace("_", " "))
    return [plain_name(word) for word in re.split(r"\W+", parted) if word]


def bare_name(name: str) -> str:
    """Return a name without the arrow that shows whether large or small scores are good."""
    return _ARROW.sub(" ", name).strip() or name if not name.isascii() else name


def counts_down(name: str) -> bool:
    """Return whether the name shows that the smallest score is the best: an arrow down, or the word rank."""
    if not name.isascii():
        if any(arrow in name for arrow in _UP):
            return False
        if any(arrow in name for arrow in _DOWN):
            return True
    listed = _words(_without_unit(name))
    if "better" in name and (said := re.search("(lower|higher)(is)?better", plain_name(name))):
        return said[1] == "lower"
    while len(listed) > 1 and listed[-1] in ("mean", "avg", "average", "median"):
        listed.pop()
    words = set(listed)
    if listed[:1] == ["neg"] or (listed[:1] == ["1"] and len(listed) == 2):  # neg_log_loss, 1-WER
        return False
    if is_word(name, "rank") or is_word(_without_unit(name), "lower"):
        return True
    if any(
        "".join(listed[-k:]) in _OF_KIND["lower"] for k in (1, 2, 3)
    ):  # "validation loss", "bits_per_byte"
        return True
    if {*listed[:1]} & _OF_KIND["lower at the start"] and not words & {"accuracy", "reduction", "gain"}:
        return True
    ranked = words & {"rank", "ranks", "rang", "ranking"} and not words & _OF_KIND["ranked score"]
    return bool(ranked) and not _RANK_CUTOFF.fullmatch(name.strip())


def _without_unit(name: str) -> str:
    """Return a name without a unit in brackets or a percent sign at its end: "latency (ms)" is "latency"."""
    return _UNIT.sub("", bare_name(name)) or name


def is_word(name: str, kind: str) -> bool:
    """Return whether a name is one of the words of a kind, such as "topic", "document" or "summary"."""
    return plain_name(name) in _OF_KIND[kind]


def places_of(names: Sequence[str], kind: str) -> list[int]:
    """Return the places of the columns that may hold something, that with the most usual name first."""
    plain = [plain_name(name) for name in names]
    return [place for word in _KNOWN[kind] for place, name in enumerate(plain) if name == word]


def kind_of_column(name: str) -> str:
    """Return what a column of scores holds by its name: measure, topic, system, value, rank, other or label.

    "other" is not a score; "label" is a name that tells nothing; "" may be anything.
    """
    plain = plain_name(name)
    if plain and name.lstrip().startswith("#"):  # a number of something: "#queries"
        return "other"
    if plain in _KIND:
        return _KIND[plain]
    if _WITHOUT_NAME.fullmatch(plain):
        return "label"
    return "other" if _KIND.get(plain_name(_without_unit(name))) == "other" else ""


def ends_as_score(name: str) -> bool:
    """Return whether the last word of a name is one for a score, as of "Memory QA" and "is_correct"."""
    return not _OF_KIND["score"].isdisjoint(_words(name)[-1:])


def is_beside_scores(name: str, others: Collection[str]) -> bool:
    """Return whether a column is about the scores of another: "Acc std", "map +" beside "map"."""
    own = _without_unit(name)
    words, first = _words(own), re.split(r"[\W_]+", own.lower().lstrip(" #"))[0]
    ends = {*words[-1:], *_words(own.split(",")[0])[-1:]}  # "acc_stderr,none"
    about = first in _OF_KIND["counted"] or (first in _OF_KIND["before"] and not ends_as_score(own))
    if ends & _OF_KIND["beside"] or about or "ci" in words:
        return bare_name(name) == name  # only scores have an arrow
    base, kind = error_of(own)
    if kind and base and base in {error_of(other)[0] for other in others if other != name}:
        return True
    return name.strip()[:1] in ("\u0394", "\u2206") or (name[-2:] in (" +", " -") and name[:-2] in others)


def error_of(name: str) -> tuple[str, str]:
    """Return of which score a column holds the error, and what it is: se, low, high, interval, or ""."""
    words = _words(name.partition(",")[0])
    for k in (3, 2, 1):
        if kind := _ERROR_WORDS.get("".join(words[-k:])):
            return "".join(words[:-k]), kind
    return "".join(words), ""


def is_numbered(labels: Sequence[str]) -> bool:
    """Return whether all labels are numbers, or numbers after a word for topics, such as 401 or q12."""
    return len(labels) > 0 and all(_NUMBERED.fullmatch(label.strip()) for label in labels)


def check_columns(names: Sequence[str], given: Mapping[str, str], kinds: Sequence[str] = KINDS) -> None:
    """Refuse unknown kinds, and columns that the table does not have."""
    unknown = [kind for kind in given if kind not in kinds]
    if unknown:
        raise ArgumentError(f"{option('columns')}: there is no {unknown[0]!r}; give {', '.join(kinds)}")
    absent = [name for name in given.values() if name not in names]
    if absent:
        raise ArgumentError(
            f"{option('columns')}: there is no column {absent[0]!r}; there are {', '.join(names)}"
        )


def noun_of(name: str, kind: str) -> str | None:
    """Return what a column calls its systems or topics, such as "model"; None if it says nothing new."""
    plain = plain_name(name)
    return next((word for word in _NOUNS[kind] if plain.startswith(word)), None)


def find_columns(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the columns whose kind is given or known by their name, the first of each kind."""
    check_columns(names, given)
    first: dict[str, str] = {}
    for name in names:
        if name not in given.values():
            first.setdefault(kind_of_column(name), name)
    found = first | dict(given)
    return {kind: found[kind] for kind in KINDS if kind in found}
