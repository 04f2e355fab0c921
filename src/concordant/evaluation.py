"""From runs and judgements to scores, through ir_measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant._inputs import Floats, Progress, n_workers, one_of
from concordant.io._files import InputError, Source, expand, fail, name_of, shown, stem_of
from concordant.io.trec import Qrels, in_trec_order, read_qrels, read_run
from concordant.scores import Scores, some

__all__ = ["evaluate"]

_DEEPEST = 1_000_000
ON_MISSING = ("zero", "drop", "error", "keep")


def evaluate(
    qrels: Source | Mapping[str, Mapping[str, int]],
    runs: Source | Iterable[Source],
    measures: str | Iterable[str],
    *,
    names: str = "tag",
    on_missing: str = "zero",
    workers: int = 1,
    progress: Progress | None = None,
) -> Scores:
    """Evaluate runs by judgements.

    Parameters
    ----------
    qrels : path, open file or mapping
        TREC judgements, or ``{topic: {document: relevance}}``.
    runs : path, pattern, or several
        TREC runs, plain or gzip, one in each file, such as ``"runs/*.gz"``.
    measures : str or iterable of str
        By their names in ir_measures, such as ``["AP", "nDCG@10", "RBP(p=0.95)"]``.
    names : {"tag", "file"}
        Name systems by the tag in their run, or by the name of the file.
    on_missing : {"zero", "drop", "error", "keep"}
        What a topic scores that a run did not answer: 0, as ``trec_eval -c`` has it; drop the topic for all; an error;
        or keep it missing.
    workers : int, default 1
        Processes; -1 for all cores. The scores do not depend on it.
    progress : callable, optional
        Called as ``progress(runs done, runs)``.

    Returns
    -------
    Scores
        Measures x topics x systems. Documents count in the order of trec_eval: by score, then by name, both descending;
        ranks in the file are ignored. Its ``notes`` say what was missing.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.evaluate("human.qrels", "runs/*", ["AP", "nDCG@10"])  # doctest: +SKIP
    <Scores: 2 measures, 50 topics, 24 systems>
    """
    return evaluate_under({"qrels": qrels}, runs, measures, names, on_missing, workers, progress)["qrels"]


def evaluate_under(
    judgements: Mapping[str, Source | Mapping[str, Mapping[str, int]]],
    runs: Source | Iterable[Source],
    measures: str | Iterable[str],
    names: str = "tag",
    on_missing: str = "zero",
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """Evaluate runs by several sets of judgements, reading each run once."""
    who = "evaluate"
    one_of(who, "names", names, ("tag", "file"))
    one_of(who, "on_missing", on_missing, ON_MISSING)
    processes = n_workers(who, workers)
    wanted = (
        [measures]
        if isinstance(measures, str)
        else list(measures)
        if isinstance(measures, Iterable)
        else [measures]
    )
    wanted = list(dict.fromkeys(wanted))
    if not all(isinstance(measure, str) for measure in wanted):
        raise TypeError(f"{who}: measures must be names of ir_measures, such as 'nDCG@10', got {measures!r}")
    parsed = parse_measures(wanted)
    all_qrels = {key: _qrels(source) for key, source in judgements.items()}
    files = expand("runs", runs)
    work = _Work([dict(qrels) for qrels in all_qrels.values()], wanted)
    results: list[_Result | None] = [None] * len(files)
    if progress is not None:
        progress(0, len(files))
    if processes > 1 and len(files) > 1 and all(isinstance(file, str) and file != "-" for file in files):
        from concurrent.futures import ProcessPoolExecutor, as_completed

        with ProcessPoolExecutor(min(processes, len(files)), initializer=_start, initargs=(work,)) as pool:
            waiting = {pool.submit(_evaluate_here, file): i for i, file in enumerate(files)}
            try:
                for done, future in enumerate(as_completed(waiting), 1):
                    results[waiting[future]] = future.result()
                    if progress is not None:
                        progress(done, len(files))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    else:
        evaluator = _Evaluator(work)
        for i, file in enumerate(files):
            results[i] = evaluator(file)
            if progress is not None:
                progress(i + 1, len(files))
    found = [result for result in results if result is not None]
    systems = _names(files, found, names)
    scores = {}
    for number, (key, qrels) in enumerate(all_qrels.items()):
        values = np.stack([result.values[number] for result in found], axis=2)
        own = Scores(
            values,
            measures=[str(m) for m in parsed],
            topics=qrels,
            systems=systems,
            notes=_notes(qrels, systems, [result.unjudged[number] for result in found]),
        )
        scores[key] = _settle(own, on_missing)
    return scores


class _Work(NamedTuple):
    qrels: list[Qrels]
    measures: list[str]


class _Result(NamedTuple):
    tag: str
    values: list[Floats]  # for each set of judgements, measures x topics
    unjudged: list[int]  # topics of the run that have no judgements


class _Evaluator:
    """Evaluates run files; made once in each process, because it prepares the judgements."""

    def __init__(self, work: _Work) -> None:
        ir_measures = _ir_measures()
        self.measures = parse_measures(work.measures)
        self.row = {measure: i for i, measure in enumerate(self.measures)}
        # Topics go by number, because some providers take only numbers, and others change names.
        self.topics = [{topic: i for i, topic in enumerate(qrels)} for qrels in work.qrels]
        self.evaluators = [
            ir_measures.evaluator(self.measures, {str(i + 1): qrels[topic] for i, topic in enumerate(qrels)})
            for qrels in work.qrels
        ]

    def __call__(self, file: Source) -> _Result:
        run = read_run(file)
        in_order = {topic: in_trec_order(documents) for topic, documents in run.topics.items()}
        values, unjudged = [], []
        for evaluator, place in zip(self.evaluators, self.topics, strict=True):
            judged = {str(place[topic] + 1): docs for topic, docs in in_order.items() if topic in place}
            if not judged:
                theirs, ours = next(iter(in_order), ""), next(iter(place))
                fail(
                    name_of(file),
                    None,
                    f"none of its topics has judgements: it has {shown(theirs)}, they have {shown(ours)}; are topics named the same?",
                )
            unjudged.append(len(in_order) - len(judged))
            found = np.full((len(self.measures), len(place)), np.nan)
            try:
                metrics = list(evaluator.iter_calc(judged))
            except Exception as error:  # noqa: BLE001 - whatever a provider raises
                measures = ", ".join(map(str, self.measures))
                what = f"{type(error).__name__}: {error}"
                fail(
                    name_of(file), None, f"ir_measures cannot compute {measures} for this run ({what[:300]})"
                )
            for metric in metrics:
                if metric.query_id in judged:
                    found[self.row[metric.measure], int(metric.query_id) - 1] = metric.value
            values.append(found)
        return _Result(run.name, values, unjudged)


_evaluator: _Evaluator | None = None


def _start(work: _Work) -> None:
    global _evaluator  # noqa: PLW0603 - one for each process
    _evaluator = _Evaluator(work)


def _evaluate_here(file: Source) -> _Result:
    if _evaluator is None:
        raise RuntimeError("the process was not started for this work")
    return _evaluator(file)


def _ir_measures() -> Any:
    try:
        import ir_measures
    except ImportError:
        raise ImportError("evaluating runs needs ir_measures: pip install 'concordant[trec]'") from None
    return ir_measures


def parse_measures(names: Sequence[str]) -> list[Any]:
    """Return the measures of ir_measures, each one that it can compute here."""
    ir_measures = _ir_measures()
    if not names:
        raise ValueError("evaluate: no measures were given; name at least one, such as AP")
    parsed = []
    for name in names:
        try:
            measure = ir_measures.parse_measure(name)
        except NameError:
            near = [
                known
                for known in sorted(ir_measures.measures.registry)
                if known.lower() == name.partition("@")[0].lower()
            ]
            hint = f"did you mean {near[0]}?" if near else "see the names in the documentation of ir_measures"
            raise ValueError(f"evaluate: there is no measure {name!r}; {hint}") from None
        except (ValueError, SyntaxError, AssertionError, KeyError, AttributeError, TypeError):
            raise ValueError(
                f"evaluate: cannot read the measure {name!r}; write it as in AP, P@10, nDCG@10 or RBP(p=0.95)"
            ) from None
        cutoff, level = measure.params.get("cutoff", 1), measure.params.get("rel", 1)
        if not 1 <= cutoff <= _DEEPEST or level < 1:
            raise ValueError(
                f"evaluate: {name!r}: the cutoff must be from 1 to {_DEEPEST}, and rel 1 or more"
            )
        parsed.append(_supported(ir_measures, name, measure))
    return list(dict.fromkeys(parsed))


def _supported(ir_measures: Any, name: str, measure: Any) -> Any:
    # RBP without a relevance level is computed by no provider that is installed as a rule; with one, it is the binary
    # measure of its paper.
    variants = [measure]
    if measure.NAME == "RBP" and "rel" not in measure.params:
        variants.append(measure(rel=1))
    for variant in variants:
        try:
            ir_measures.evaluator([variant], {"1": {"d": 1}})
        except KeyError as error:
            raise ValueError(f"evaluate: the measure {name!r} has no parameter {error}") from None
        except (ValueError, RuntimeError, AssertionError):
            continue
        return variant
    raise ValueError(
        f"evaluate: {name!r} cannot be computed by what is installed; see the providers in the documentation of "
        "ir_measures"
    )


def _qrels(source: Source | Mapping[str, Mapping[str, int]]) -> Qrels:
    if not isinstance(source, Mapping):
        return read_qrels(source)
    if not source:
        raise ValueError("evaluate: there are no judgements")
    for topic, documents in source.items():
        for document, rel in documents.items():
            if isinstance(rel, bool) or not isinstance(rel, int | np.integer):
                raise TypeError(
                    f"evaluate: relevance must be a whole number, got {rel!r} for document {document!r} of topic {topic!r}"
                )
    return {
        str(topic): {str(d): int(rel) for d, rel in documents.items()} for topic, documents in source.items()
    }


def _names(files: Sequence[Source], found: Sequence[_Result], names: str) -> list[str]:
    labels = [
        result.tag if names == "tag" else stem_of(file) for result, file in zip(found, files, strict=True)
    ]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        same = [name_of(file) for file, label in zip(files, labels, strict=True) if label == twice[0]]
        step = (
            "names='file' (--names file) names systems by their files"
            if names == "tag"
            else "rename one of them"
        )
        raise InputError(f"{same[1]}: the run is named {shown(twice[0])}, as is that in {same[0]}; {step}")
    return labels


def _notes(qrels: Qrels, systems: Sequence[str], unjudged: Sequence[int]) -> list[str]:
    notes = []
    barren = [topic for topic, documents in qrels.items() if not any(rel > 0 for rel in documents.values())]
    if barren:
        notes.append(
            f"no relevant documents are known for topic {some(barren)}; most measures are 0 there for all"
        )
    beyond = [system for system, count in zip(systems, unjudged, strict=True) if count > 0]
    if beyond:
        notes.append(f"topics without judgements were left out of {len(beyond)} runs: {some(beyond)}")
    return notes


def _settle(scores: Scores, on_missing: str) -> Scores:
    """Deal with topics that a run did not answer."""
    absent: NDArray[np.bool_] = np.isnan(scores.values).min(axis=0)  # topics x systems
    if not absent.any() or on_missing == "keep":
        return scores
    t, s = (int(i) for i in np.argwhere(absent)[0])
    runs = [scores.systems[i] for i in np.flatnonzero(absent.any(axis=0))]
    if on_missing == "error":
        raise InputError(
            f"run {scores.systems[s]!r} has no answer for topic {scores.topics[t]!r}; count it as 0 with "
            "on_missing='zero' (--on-missing zero), or leave out the topic with 'drop'"
        )
    if on_missing == "drop":
        dropped = [scores.topics[i] for i in np.flatnonzero(absent.any(axis=1))]
        if len(dropped) == len(scores.topics):
            raise InputError(f"no topic is answered by all runs; {some(runs)} lack some")
        return scores.complete().noted(
            f"dropped {len(dropped)} topics that not all runs answered: {some(dropped)}"
        )
    return scores.fill().noted(
        f"{int(absent.sum())} unanswered topics count as 0, of {len(runs)} runs: {some(runs)}"
    )
