"""Demonstrations: `judge` on a simulated collection, `metrics` on translations, and leaderboards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from concordant.checks import one_of
from concordant.coefficients.declaration import CoefficientsLike
from concordant.errors import fail, option
from concordant.experiments.simulate import (
    benchmark_scores,
    board_scores,
    collection,
    metric_files,
    metric_scores,
)
from concordant.questions.board import BoardResult, board
from concordant.questions.correlate import CorrelateResult, correlate
from concordant.questions.judge import JudgeResult, judge
from concordant.questions.metrics import MetricsResult, metrics
from concordant.reading.evaluate import evaluate_under
from concordant.reading.files import write_whole
from concordant.reading.measure_names import measures_of
from concordant.reading.qrels import read_qrels
from concordant.results.note import Note
from concordant.statistics.resampling import Resampling
from concordant.study.study import Study
from concordant.typing import Progress

MEASURE = "nDCG@10"
_MARK = ".concordant-demo"  # the file with the checksums of the files that were written


def demo(
    folder: str | Path,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    what: Literal["judges", "metrics", "board", "benchmarks"] = "judges",
    rng: int = 1,
    overwrite: bool = False,
    workers: int = 1,
    evaluating: Progress | None = None,
    progress: Progress | None = None,
) -> JudgeResult | MetricsResult | BoardResult | CorrelateResult:
    """Simulate a collection with two imperfect judges, write its TREC files, and judge the judges.

    Or simulate metrics of machine translation, write the files of mt-metrics-eval, and compare the metrics;
    or simulate ten models on questions, write their scores, and say which ranks are real; or simulate ten
    benchmarks, write a table of each, and say whether the one called "new" agrees with the others.

    Parameters
    ----------
    folder : path
        The folder to write to, which is made if it is missing: runs/NAME.run, human.qrels, noisy.qrels and
        partial.qrels.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    what : {"judges", "metrics", "board", "benchmarks"}
        What to demonstrate: judges of a test collection, metrics of machine translation, a leaderboard, or
        a benchmark among others.
    rng : int, default 1
        The seed of the simulation.
    overwrite : bool, default False
        Whether to replace the files of an earlier demonstration. Other files, and files that were changed
        since, are not replaced.
    workers : int, default 1
        The number of threads and processes; -1 means all cores.
    evaluating : callable, optional
        A function that is called as ``evaluating(done, total)`` while runs are evaluated.
    progress : callable, optional
        A function that is called as ``progress(done, total)`` while intervals are computed.

    Returns
    -------
    JudgeResult, MetricsResult, BoardResult or CorrelateResult
        The result of `judge`, `metrics`, `board` or `correlate`, with a note that explains it.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = cd.experiments.demo(folder + "/demo", ["tau_b"])
    >>> sorted({each.estimate for each in result.agreement})
    ['noisy', 'partial']
    """
    one_of("what", what, ("judges", "metrics", "board", "benchmarks"))
    target = Path(folder)
    if target.exists() and not target.is_dir():
        fail(str(folder), None, "is a file; give the name of a folder")
    if target.exists() and any(target.iterdir()) and not overwrite:
        advice = f"give another folder, or {option('overwrite')} to replace its files"
        fail(str(folder), None, f"is not empty; {advice}")
    if what == "judges":
        result, text, values = _judges(target, coefficients, rng, workers, evaluating, progress)
    elif what == "metrics":
        result, text, values = _metrics(target, rng, workers, progress)
    else:
        result, text, values = (_board if what == "board" else _benchmarks)(target, rng, progress)
    note = Note("demo", text=text, values=values, subject="what to see", lost=True)
    return replace(result, notes=(*result.notes, note))


# The result, what to see in it, and the numbers of that.
_Shown: TypeAlias = tuple[JudgeResult | MetricsResult | BoardResult | CorrelateResult, str, dict[str, Any]]


def _judges(
    folder: Path,
    coefficients: CoefficientsLike,
    rng: int,
    workers: int,
    evaluating: Progress | None,
    progress: Progress | None,
) -> _Shown:
    """Write a simulated collection, and judge its judges."""
    made = collection(rng=rng)
    _write(made.files(), folder)
    qrels = {name: read_qrels(folder / f"{name}.qrels") for name in ("human", *made.judges)}
    judged = {name: (own, measures_of(MEASURE)) for name, own in qrels.items()}
    runs = [str(folder / "runs" / f"{name}.run") for name in made.runs]
    scores = evaluate_under(judged, runs, workers=workers, progress=evaluating)
    human = qrels.pop("human")
    result = judge(
        scores.pop("human"),
        scores,
        coefficients,
        qrels=human,
        estimate_qrels=qrels,
        resampling=Resampling(workers=workers),
        progress=progress,
    )
    first = result.agreement[0].coefficient
    whole = [each for each in result.agreement if each.top is None and each.coefficient == first]
    values = {each.estimate: each.value for each in whole}
    kappas = {each.rater: each.kappa for each in result.raters or ()}
    gaining = [each for each in result.systems if each.estimate == "partial" and each.gain > 0]
    gaining = sorted(gaining, key=lambda each: -each.gain)[:5]
    neural = sum(made.families[each.system] == "neural" for each in gaining)
    said = [" and ".join(f"{v:.2f} for {name}" for name, v in own.items()) for own in (kappas, values)]
    text = (
        f"the judges label documents about equally well (kappa {said[0]}), but do not rank the systems "
        f"equally well ({first} {said[1]}): random errors average out over topics, those of the "
        f"partial judge do not. Of the {len(gaining)} systems that gain most under it, {neural} are "
        "neural, the family that it favours"
    )
    numbers = {"kappas": kappas, "coefficient": str(first), "values": values}
    return result, text, {**numbers, "gaining": len(gaining), "neural": neural}


def _metrics(folder: Path, rng: int, workers: int, progress: Progress | None) -> _Shown:
    """Write simulated scores of translations, and compare the metrics."""
    _write(metric_files(metric_scores(rng=rng), ""), folder)
    result = metrics(folder, workers=workers, progress=progress)
    of = {(each.language_pair, each.task, each.metric): each for each in result.tasks}
    pair, values, said = result.tasks[0].language_pair, {}, {}
    for name in ("keen", "coarse", "partial"):
        own, systems = of[pair, "acc_eq", name], of[pair, "soft pairwise accuracy", name].value
        values[name] = {"without_ties": own.without_ties, "calibrated": own.value, "systems": systems}
        said[name] = f"{own.without_ties:.2f} ({own.value:.2f} with calibrated ties)"
    text = (
        f"coarse is keen, rounded. In {pair}, acc_eq is {said['coarse']} for coarse, and {said['keen']} for "
        f"keen. partial is keen with a bonus for three systems: acc_eq is {said['partial']}, but soft "
        f"pairwise accuracy {values['partial']['systems']:.2f} instead of {values['keen']['systems']:.2f}. "
        "keen and twin are equally good"
    )
    return result, text, values


def _board(folder: Path, rng: int, progress: Progress | None) -> _Shown:
    """Write the simulated scores of models on questions, and say which ranks are real."""
    made = board_scores(rng=rng)
    lines = [f"{system},{topic},{value:g}\n" for _, topic, system, value in made.rows()]
    _write({Path("scores.csv"): "".join(["model,question,score\n", *lines])}, folder)
    result = board(folder / "scores.csv", progress=progress)
    first = {each.system for each in result.systems if each.tier == 1}
    found = first == set(made.systems[:5]) and {each.tier for each in result.systems} == {1, 2}
    text = (
        "the first five models are strong and the others weak, and within each five they hardly differ: "
        f"{'these are the two tiers' if found else 'these are not the tiers here'}"
    )
    return result, text, {"found": found}


def _benchmarks(folder: Path, rng: int, progress: Progress | None) -> _Shown:
    """Write the tables of simulated benchmarks, and compare the new one with the others."""
    made = benchmark_scores(rng=rng)
    paths = {name: Path("" if name == "new" else "boards", f"{name}.csv") for name in made}
    files = {
        paths[name]: "".join(["model,score\n", *(f"{model},{score}\n" for model, score in scores.items())])
        for name, scores in made.items()
    }
    _write(files, folder)
    *others, new = (folder / path for path in paths.values())
    result = correlate(Study(new, others, on_missing="drop"), progress=progress)
    chatty = sum(each.system.endswith("-chat") for each in (result.causes or ())[:4])
    less = [each.decision for each in result.standing or ()] == ["less"]
    text = (
        "the new benchmark adds a bonus to four weak models whose names end in -chat. That it agrees less is "
        f"{'found' if less else 'not found'}, and of the four models that cost most, {chatty} are these"
    )
    return result, text, {"found": less, "models": chatty}


def _write(files: Mapping[Path, str], folder: Path) -> None:
    """Write the files of a demonstration, and their checksums.

    A file that no demonstration wrote is not replaced, and a link out of the folder is not followed.
    """
    paths, mark, advice = [folder / path for path in files], folder / _MARK, "give another folder"
    folders = {each: None for path in paths for each in path.parents if folder in each.parents}
    for path in (*folders, mark, *paths):
        if path.is_symlink():
            fail(str(path), None, f"is a link, which is not followed; {advice}")
    known = mark.read_text().split() if mark.is_file() else []
    for path in filter(Path.exists, paths):
        if _checksum(path.read_bytes()) not in known:
            fail(str(path), None, f"was not written by a demonstration, or was changed since; {advice}")
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    write_whole(mark, "".join(f"{_checksum(text.encode())}\n" for text in files.values()))


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
