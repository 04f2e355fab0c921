"""Scores of runs by judgements, through ir_measures."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Literal, NoReturn, TypeAlias, get_args

import numpy as np

from concordant.checks import n_workers, one_of
from concordant.errors import InputError, fail, option, public, shown
from concordant.rankings.compiled import core
from concordant.reading.measure_names import MeasuresLike, ir_measures, measures_of
from concordant.reading.own_measures import ABSENT, best_value, is_own, own_value, unanswered
from concordant.reading.qrels import Qrels, QrelsLike, failed_labels, notes_of_labels, qrels_of
from concordant.reading.trec_runs import Names, RunsLike, RunSource, in_trec_order, named, sources_of
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import Scores, Source, derived, set_to_zero
from concordant.typing import Booleans, Executor, Floats, Integers, Progress
from concordant.work import executor_here, in_pieces, own_processes

OnUnanswered: TypeAlias = Literal["zero", "drop", "error", "keep"]
Unjudged: TypeAlias = Literal["not-relevant", "left-out", "error"]

_DEPTH = 10  # of a measure without a cutoff
_MOST_UNJUDGED = 0.1  # a larger share is told
_COUNTED = {"not-relevant": "count as not relevant", "left-out": "are left out of the runs", "error": ""}

Judged: TypeAlias = tuple[Mapping[str, Mapping[str, int]], Sequence[Any]]
"""Judgements, and the measures to compute by them."""


@public
def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike,
    *,
    names: Names = "tag",
    on_missing: OnUnanswered = "zero",
    unjudged: Unjudged = "not-relevant",
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Evaluate runs by judgements.

    Parameters
    ----------
    qrels : path, open file, mapping, DataFrame, or iterable of ir_measures.Qrel
        The judgements: a TREC file, a CSV or TSV with a header, or JSON, as `read_qrels` reads them;
        ``{topic: {document: relevance}}``; or a pandas or polars DataFrame with columns query_id, doc_id and
        relevance. The columns may also be called qid or topic, docno or document, and label, rel or grade.
    runs : path, pattern, run, list of runs, or mapping of name to run
        A run is one of:

        - a TREC file, plain or packed with gzip: a path or an open file;
        - a `Run`, as `read_run` returns it;
        - a mapping ``{topic: {document: score}}``;
        - a pandas or polars DataFrame with columns query_id, doc_id and score, or qid, docno and score;
        - an iterable of ``ir_measures.ScoredDoc``.

        A pattern such as ``"runs/*.gz"`` stands for several files. Mappings, DataFrames and iterables
        have no name: pass several of them as ``{name: run}``. One alone is called "run".
    measures : str, measure of ir_measures, or list of these
        The measures, such as ``["AP", "nDCG@10", "RBP(p=0.95)"]``, or objects of ir_measures, such as
        ``[AP, nDCG@10]``. The names of trec_eval, such as ``"map"`` and ``"ndcg_cut_10"``, are also read.
    names : {"tag", "file"}
        Whether to name systems by the tag in the run file, or by the name of the file. In ``{name: run}`` the
        names are given.
    on_missing : {"zero", "drop", "error", "keep"}
        What to do about a topic that a run does not answer: "zero" sets it to 0, as ``trec_eval -c`` does
        (NumRel is the number of relevant documents there too); "drop" leaves out the topic for all runs;
        "error" raises an error; "keep" leaves the score missing.
    unjudged : {"not-relevant", "left-out", "error"}
        What a document without a judgement is, also one whose label failed: "not-relevant", as in trec_eval;
        "left-out" removes it from the run before the measure is computed (a condensed list); "error" raises
        an error if a label failed, or if one of the documents that the measure looks at has no judgement.
    workers : int, default 1
        The number of processes; -1 means all cores. The scores do not depend on it.
    executor : concurrent.futures.Executor, optional
        The executor that evaluates the runs: any executor of PEP 3148, such as a pool of processes, or
        ``client.get_executor()`` of Dask. Its workers read the files themselves. The scores do not depend on
        it.
    progress : callable, optional
        A function that is called as ``progress(runs done, runs)``.

    Returns
    -------
    Scores
        The scores. Documents are in the order of trec_eval: by score, then by name, both descending. The
        ranks in a file are ignored. ``notes`` say what was missing. ``unjudged`` has for each measure the
        share of documents without a judgement among the top k of all runs and judged topics: k is the cutoff
        of the measure, 10 if it has none.

    Examples
    --------
    >>> import concordant as cd
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d3": 2}}
    >>> bm25 = {"q1": {"d1": 7.1, "d2": 6.4}, "q2": {"d1": 9.0, "d3": 8.2}}
    >>> dense = {"q1": {"d2": 0.8, "d1": 0.7}, "q2": {"d3": 0.9, "d1": 0.2}}
    >>> scores = cd.evaluate(qrels, {"bm25": bm25, "dense": dense}, ["AP", "P@1"])
    >>> scores
    <Scores: 2 measures, 2 topics, 2 systems>
    >>> scores["P@1"].values.tolist()
    [[[1.0, 0.0], [0.0, 1.0]]]

    From files:

    >>> cd.evaluate("human.qrels", "runs/*.gz", ["AP", "nDCG@10"], workers=-1)  # doctest: +SKIP
    <Scores: 2 measures, 50 topics, 24 systems>
    """
    how: dict[str, Any] = {"names": names, "on_missing": on_missing, "unjudged": unjudged, "workers": workers}
    _check(**how)
    asked = measures_of(measures)  # wrong ones are refused before a file is read
    judged = {"": (qrels_of(qrels), asked)}
    return evaluate_under(judged, runs, executor=executor, progress=progress, **how)[""]


def evaluate_under(
    judgements: Mapping[str, Judged],
    runs: RunsLike,
    *,
    names: Names = "tag",
    on_missing: OnUnanswered = "zero",
    unjudged: Unjudged = "not-relevant",
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """Evaluate runs by several sets of judgements; each run is read and ordered once.

    The judgements are `Qrels`, or made from them; the measures are those of `measures_of`.
    """
    processes = _check(names, on_missing, workers, unjudged)
    for judged, _ in judgements.values():
        if unjudged == "error" and isinstance(judged, Qrels) and judged.failed:
            fail(judged.name or "judgements", None, f"{failed_labels(judged)}; {_ways_out()}")
    sources, every = sources_of(runs), list(judgements.values())
    if progress is not None:
        progress(0, len(sources))
    elsewhere = executor_here(executor)
    processes = min(processes, len(sources))
    own_pool = elsewhere is None and processes > 1 and _can_travel(every, sources)
    with own_processes(processes) if own_pool else nullcontext(elsewhere) as pool:
        found = in_pieces(
            _Evaluator.scores_of,
            _Evaluator(every, unjudged),
            [source if pool is None else _for_elsewhere(source) for source in sources],
            executor=pool,
            progress=progress,
        )
    systems = named(sources, [result["tag"] for result in found], names)
    scores = {}
    for number, (key, (qrels, measures)) in enumerate(judgements.items()):
        values = np.stack([result[f"values {number}"] for result in found], axis=2)
        absent, top = np.sum([result[f"top {number}"] for result in found], axis=0).tolist()
        shares = {str(m): a / max(n, 1) for m, a, n in zip(measures, absent, top, strict=True)}
        notes = _notes(qrels, systems, [result["unjudged"][number] for result in found], shares, unjudged)
        source = Source(getattr(qrels, "name", ""))
        labels: dict[str, Any] = {"measures": measures, "topics": qrels, "systems": systems}
        own = Scores(values, **labels, notes=notes, source=source, unjudged=shares)
        scores[key] = _settled(own, on_missing, qrels, measures)
    return scores


def _check(names: object, on_missing: object, workers: int, unjudged: object) -> int:
    one_of("names", names, get_args(Names))
    one_of("on_missing", on_missing, get_args(OnUnanswered))
    one_of("unjudged", unjudged, get_args(Unjudged))
    return n_workers(workers)


class _Evaluator:
    """Evaluates runs. Each thread of each process prepares the judgements once, when it has its first run."""

    def __init__(self, judgements: Sequence[Judged], unjudged: Unjudged) -> None:
        self.judgements, self.unjudged = list(judgements), unjudged
        self.depths = [[int(m.params.get("cutoff", _DEPTH)) for m in measures] for _, measures in judgements]
        # Topics are numbered, because some providers take only numbers, and others change names.
        self.topics = [{topic: str(i) for i, topic in enumerate(qrels, 1)} for qrels, _ in judgements]
        # The documents of each topic that any judgements have are numbered, so that each is looked up once.
        self.numbers: dict[str, dict[str, int]] = {}
        for qrels, _ in judgements:
            for topic, grades in qrels.items():
                known = self.numbers.setdefault(topic, {})
                for document in grades:
                    known.setdefault(document, len(known))
        self.of_topics: dict[tuple[int, str], tuple[Integers, list[float]]] = {}
        self.of_thread = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        """Do not pickle what a thread has prepared."""
        return _Evaluator, (self.judgements, self.unjudged)

    @property
    def providers(self) -> list[Any]:
        """For each set of judgements, what computes the measures of ir_measures."""
        if not hasattr(self.of_thread, "providers"):
            library = ir_measures()
            self.of_thread.providers = []
            for (qrels, measures), topics in zip(self.judgements, self.topics, strict=True):
                theirs = [measure for measure in measures if not is_own(measure)]
                numbered = {topics[topic]: dict(grades) for topic, grades in qrels.items()}
                self.of_thread.providers.append(library.evaluator(theirs, numbered) if theirs else None)
        found: list[Any] = self.of_thread.providers
        return found

    def scores_of(self, source: RunSource, _threads: int) -> dict[str, Any]:
        """Return the tag of a run, and for each set of judgements the values and what has no judgement.

        That is a number of topics, and for each measure the number of documents among the top, and of these.
        """
        run = source.read()
        in_order = {topic: in_trec_order(documents) for topic, documents in run.topics.items()}
        places = {topic: self._places(topic, docs) for topic, docs in in_order.items()}
        found: dict[str, Any] = {"tag": run.name, "unjudged": []}
        for number, topics in enumerate(self.topics):
            judged = {topic: docs for topic, docs in in_order.items() if topic in topics}
            if not judged:
                self._refuse(number, source.where, list(in_order))
            found["unjudged"].append(len(in_order) - len(judged))
            qrels = self.judgements[number][0]
            grades = {topic: self._of_topic(number, topic)[0][places[topic]] for topic in judged}
            parts = [[each[:k] == ABSENT for each in grades.values()] for k in self.depths[number]]
            found[f"top {number}"] = np.array(
                [[sum(map(f, own)) for own in parts] for f in (np.count_nonzero, len)]
            )
            if self.unjudged == "error" and found[f"top {number}"][0].any():
                topic = next(t for t in judged if (grades[t][: max(self.depths[number])] == ABSENT).any())
                document = next(d for d in judged[topic] if d not in qrels[topic])
                none = f"document {shown(document)} of topic {shown(topic)} has no judgement"
                fail(source.where, None, f"{none}{self._within(number)}; {_ways_out()}")
            if self.unjudged == "left-out":
                judged = {t: {d: own[d] for d in own if d in qrels[t]} for t, own in judged.items()}
                grades = {topic: own[own != ABSENT] for topic, own in grades.items()}
            found[f"values {number}"] = self._values(number, source, judged, grades)
        return found

    def _places(self, topic: str, documents: dict[str, float]) -> Integers:
        """Return the numbers of documents, the best first; -1 for those that no judgements have."""
        found = np.full(len(documents), -1)
        core.numbers_of(documents, self.numbers.get(topic, {}), found)
        return found

    def _of_topic(self, number: int, topic: str) -> tuple[Integers, list[float]]:
        """Return the grades of a topic by number of the document, and what they allow for each own measure.

        The last grade is that of documents without a number.
        """
        if (number, topic) not in self.of_topics:
            qrels, measures = self.judgements[number]
            own = qrels[topic]
            grades = np.array([*(own.get(document, ABSENT) for document in self.numbers[topic]), ABSENT])
            every = grades[grades != ABSENT]
            best = [best_value(every, measure) for measure in measures if is_own(measure)]
            self.of_topics[number, topic] = grades, best
        return self.of_topics[number, topic]

    def _refuse(self, number: int, run: str, answered: Sequence[str]) -> NoReturn:
        """Refuse a run and judgements without a topic in common.

        The error is about the run if no set of judgements has its topics; otherwise about these judgements.
        """
        theirs, ours = shown(next(iter(answered), "")), shown(next(iter(self.topics[number]), ""))
        same = "are topics named the same?"
        within = self._within(number)
        if any(topic in topics for topics in self.topics for topic in answered):
            two = f"it has {ours}, the run has {theirs}; {same}"
            fail(within.removeprefix(" in ") or "judgements", None, f"none of its topics is in {run}: {two}")
        two = f"it has {theirs}, they have {ours}; {same}"
        fail(run, None, f"none of its topics has judgements{within}: {two}")

    def _within(self, number: int) -> str:
        qrels, _ = self.judgements[number]
        return f" in {qrels.name}" if isinstance(qrels, Qrels) and qrels.name else ""

    def _values(
        self,
        number: int,
        source: RunSource,
        run: Mapping[str, dict[str, float]],
        grades: Mapping[str, Integers],
    ) -> Floats:
        """Compute measures x topics; NaN for topics that the run does not answer."""
        (qrels, measures), topics = self.judgements[number], self.topics[number]
        row = {measure: i for i, measure in enumerate(measures)}
        found = np.full((len(measures), len(topics)), np.nan)
        provider = self.providers[number]
        answered = {topics[topic]: documents for topic, documents in run.items() if documents}
        for topic in run.keys() - {t for t, documents in run.items() if documents}:  # without a judgement
            found[:, int(topics[topic]) - 1] = [unanswered(qrels[topic], measure) for measure in measures]
        try:
            metrics = list(provider.iter_calc(answered)) if provider is not None else []
        except Exception as error:  # noqa: BLE001 - whatever a provider raises
            what = f"{type(error).__name__}: {error}"[:300]
            failed = f"ir_measures cannot compute {', '.join(map(str, measures))} for this run ({what})"
            fail(source.where, None, failed)
        for metric in metrics:
            if metric.query_id in answered:
                found[row[metric.measure], int(metric.query_id) - 1] = metric.value
        own = list(filter(is_own, measures))
        for topic in run if own else ():
            best = self._of_topic(number, topic)[1]
            values = [
                own_value(grades[topic], most, measure) for measure, most in zip(own, best, strict=True)
            ]
            found[[row[measure] for measure in own], int(topics[topic]) - 1] = values
        return found


def _can_travel(judgements: Sequence[Judged], sources: Sequence[RunSource]) -> bool:
    """Return whether all this can be sent to other processes: no open files, no measures of a session."""
    if not all(s.in_memory or (isinstance(s.given, str) and s.given != "-") for s in sources):
        return False
    import pickle

    try:
        pickle.dumps([measures for _, measures in judgements])
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _for_elsewhere(source: RunSource) -> RunSource:
    """Return a run in a form that another process can read."""
    if isinstance(source.given, str) and source.given != "-":
        return source._replace(place=os.path.abspath(source.given))  # noqa: PTH100 - links stay
    return source if source.in_memory else source._replace(given=source.read())


def _ways_out() -> str:
    ways = (option("unjudged", each) for each in ("not-relevant", "left-out"))
    return f"count such documents as not relevant with {next(ways)}, or leave them out with {next(ways)}"


def _notes(
    qrels: Mapping[str, Mapping[str, int]],
    systems: Sequence[str],
    unjudged: Sequence[int],
    shares: Mapping[str, float],
    means: Unjudged,
) -> list[Note]:
    judged = sum(map(len, qrels.values()))
    about = {"judgements": judged, "topics": len(qrels), "runs": len(systems)}
    by = f"{count(judged, 'judgement')} of {count(len(qrels), 'topic')}"
    notes = [Note("evaluated", text=f"{count(len(systems), 'run')} evaluated by {by}", values=about)]
    barren = tuple(topic for topic, grades in qrels.items() if not any(rel > 0 for rel in grades.values()))
    if barren:
        known = f"no relevant documents are known for topic {some(barren)}"
        text = f"{known}; most measures are 0 there for all systems"
        notes.append(Note("topics_without_relevant", text=text, values={"topics": barren}, lost=True))
    beyond = tuple(system for system, n in zip(systems, unjudged, strict=True) if n > 0)
    if beyond:
        text = f"topics without judgements were left out of {count(len(beyond), 'run')}: {some(beyond)}"
        notes.append(Note("topics_without_judgements", text=text, values={"runs": beyond}, lost=True))
    if isinstance(qrels, Qrels):
        notes += notes_of_labels(qrels, _COUNTED[means])
    negative = [grade for grades in qrels.values() for grade in grades.values() if grade < 0]
    if negative:
        n, below = len(negative), tuple(sorted(set(negative)))
        text = f"grades below 0 count as not relevant ({count(n, 'judgement')}: {some(below)})"
        notes.append(Note("negative_grades", text=text, values={"judgements": n, "grades": below}, lost=True))
    many = {measure: share for measure, share in shares.items() if share > _MOST_UNJUDGED}
    if many and means != "error":
        each = ", ".join(f"{share:.0%} ({measure})" for measure, share in many.items())
        text = f"of the top documents of the runs, {each} have no judgement; they {_COUNTED[means]}"
        notes.append(Note("unjudged_documents", text=text, values={"shares": many}, lost=True))
    return notes


def _settled(
    scores: Scores, on_missing: OnUnanswered, qrels: Mapping[str, Mapping[str, int]], measures: Sequence[Any]
) -> Scores:
    """Handle topics that a run does not answer."""
    absent: Booleans = np.asarray(np.isnan(scores.values).all(axis=0))  # topics x systems
    if not absent.any() or on_missing == "keep":
        return scores
    t, s = np.argwhere(absent)[0].tolist()
    runs = tuple(scores.systems[i] for i in np.flatnonzero(absent.any(axis=0)))
    if on_missing == "error":
        zero, drop = option("on_missing", "zero"), option("on_missing", "drop")
        raise InputError(
            f"run {scores.systems[s]!r} has no answer for topic {scores.topics[t]!r}; "
            f"set it to 0 with {zero}, or leave out the topic with {drop}"
        )
    if on_missing == "drop":
        dropped = tuple(scores.topics[i] for i in np.flatnonzero(absent.any(axis=1)))
        if len(dropped) == len(scores.topics):
            raise InputError(f"no topic is answered by all runs; {some(runs)} lack some")
        text = f"dropped {count(len(dropped), 'topic')} that not all runs answered: {some(dropped)}"
        return scores.complete().noted(
            Note("unanswered_dropped", text=text, values={"topics": dropped}, lost=True)
        )
    n = int(absent.sum())
    text = set_to_zero(n, "unanswered topic", "run", runs)
    counted = [[unanswered(qrels[topic], measure) for topic in scores.topics] for measure in measures]
    filled = np.where(np.isnan(scores.values), np.array(counted)[:, :, None], scores.values)
    note = Note("unanswered_as_zero", text=text, values={"topics": n, "runs": runs}, lost=True)
    filled.flags.writeable = False
    return derived(scores, values=filled).noted(note)
