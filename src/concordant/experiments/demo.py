"""Demonstrations: `judge` on a simulated collection, `metrics` on translations, and leaderboards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from concordant.checks import one_of
from concordant.coefficients.declaration import CoefficientsLike
from concordant.errors import fail, option
from concordant.experiments.simulate import (
    benchmark_scores,
    board_scores,
    collection,
    files_of,
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
    if what == "metrics":
        return _of_metrics(target, rng, workers, progress)
    if what == "board":
        return _of_board(target, rng, progress)
    if what == "benchmarks":
        return _of_benchmarks(target, rng, progress)
    made = collection(rng=rng)
    _refuse_others(target, files_of(made, target))
    written = made.write(target)
    write_whole(target / _MARK, "".join(f"{_checksum(path)}\n" for path in written))
    qrels = {path.stem: read_qrels(path) for path in written if path.suffix == ".qrels"}
    judged = {name: (own, measures_of(MEASURE)) for name, own in qrels.items()}
    runs = [str(path) for path in written if path.suffix == ".run"]
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
    return replace(result, notes=(*result.notes, _what_to_see(result, made.families)))


def _of_metrics(folder: Path, rng: int, workers: int, progress: Progress | None) -> MetricsResult:
    """Write simulated scores of translations, and compare the metrics."""
    _write(metric_files(metric_scores(rng=rng), folder), folder)
    result = metrics(folder, workers=workers, progress=progress)
    of = {(each.language_pair, each.task, each.metric): each for each in result.tasks}
    pair = result.tasks[0].language_pair
    keen, coarse, partial = (
        {
            "without_ties": of[pair, "acc_eq", name].without_ties,
            "calibrated": of[pair, "acc_eq", name].value,
            "systems": of[pair, "soft pairwise accuracy", name].value,
        }
        for name in ("keen", "coarse", "partial")
    )
    text = (
        f"coarse is keen, rounded. In {pair}, acc_eq is {_both(coarse)} for coarse, and {_both(keen)} for "
        f"keen. partial is keen with a bonus for three systems: acc_eq is {_both(partial)}, but soft "
        f"pairwise accuracy {partial['systems']:.2f} instead of {keen['systems']:.2f}. "
        "keen and twin are equally good"
    )
    values = {"keen": keen, "coarse": coarse, "partial": partial}
    note = Note("demo", text=text, values=values, subject="what to see", lost=True)
    return replace(result, notes=(*result.notes, note))


def _of_board(folder: Path, rng: int, progress: Progress | None) -> BoardResult:
    """Write the simulated scores of models on questions, and say which ranks are real."""
    made = board_scores(rng=rng)
    lines = [f"{system},{topic},{value:g}\n" for _, topic, system, value in made.rows()]
    path = folder / "scores.csv"
    _write({path: "".join(["model,question,score\n", *lines])}, folder)
    result = board(path, progress=progress)
    strong, tiers = set(made.systems[:5]), [each.tier for each in result.systems]
    found = {each.system for each in result.systems if each.tier == 1} == strong and max(map(int, tiers)) == 2  # type: ignore[arg-type]
    text = (
        "the first five models are strong and the others weak, and within each five they hardly differ: "
        f"{'these are the two tiers' if found else 'these are not the tiers here'}"
    )
    note = Note("demo", text=text, values={"found": found}, subject="what to see", lost=True)
    return replace(result, notes=(*result.notes, note))


def _of_benchmarks(folder: Path, rng: int, progress: Progress | None) -> CorrelateResult:
    """Write the tables of simulated benchmarks, and compare the new one with the others."""
    files = {
        folder / ("" if name == "new" else "boards") / f"{name}.csv": "".join(
            ["model,score\n", *(f"{model},{score}\n" for model, score in scores.items())]
        )
        for name, scores in benchmark_scores(rng=rng).items()
    }
    _write(files, folder)
    *others, new = files
    result = correlate(Study(new, others, on_missing="drop"), progress=progress)
    causes, standing = result.causes or (), result.standing or ()
    chatty = sum(each.system.endswith("-chat") for each in causes[:4])
    less = [each.decision for each in standing] == ["less"]
    text = (
        "the new benchmark adds a bonus to four weak models whose names end in -chat. That it agrees less is "
        f"{'found' if less else 'not found'}, and of the four models that cost most, {chatty} are these"
    )
    note = Note("demo", text=text, values={"found": less, "models": chatty}, subject="what to see", lost=True)
    return replace(result, notes=(*result.notes, note))


def _write(files: Mapping[Path, str], folder: Path) -> None:
    """Write the files of a demonstration, and their checksums."""
    _refuse_others(folder, list(files))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    write_whole(folder / _MARK, "".join(f"{_checksum(path)}\n" for path in files))


def _both(values: Mapping[str, float | None]) -> str:
    return f"{values['without_ties']:.2f} ({values['calibrated']:.2f} with calibrated ties)"


def _refuse_others(folder: Path, paths: Sequence[Path]) -> None:
    """Refuse to replace a file that no demonstration wrote, and to follow a link out of the folder."""
    mark, advice = folder / _MARK, "give another folder"
    folders = {each: None for path in paths for each in path.parents if folder in each.parents}
    for path in (*folders, mark, *paths):
        if path.is_symlink():
            fail(str(path), None, f"is a link, which is not followed; {advice}")
    known = mark.read_bytes().split() if mark.is_file() else []
    for path in filter(Path.exists, paths):
        if _checksum(path).encode() not in known:
            fail(str(path), None, f"was not written by a demonstration, or was changed since; {advice}")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _what_to_see(result: JudgeResult, families: dict[str, str]) -> Note:
    """Explain the demonstration with its own numbers."""
    first = result.agreement[0].coefficient
    whole = [each for each in result.agreement if each.top is None and each.coefficient == first]
    values = {each.estimate: each.value for each in whole}
    kappas = {each.rater: each.kappa for each in result.raters or ()}
    gaining = [each for each in result.systems if each.estimate == "partial" and each.gain > 0]
    gaining = sorted(gaining, key=lambda each: -each.gain)[:5]
    neural = sum(families[each.system] == "neural" for each in gaining)
    text = (
        f"the judges label documents about equally well (kappa {_two(kappas)}), but do not rank the systems "
        f"equally well ({first} {_two(values)}): random errors average out over topics, those of the "
        f"partial judge do not. Of the {len(gaining)} systems that gain most under it, {neural} are "
        "neural, the family that it favours"
    )
    numbers = {"kappas": kappas, "coefficient": str(first), "values": values}
    about = {**numbers, "gaining": len(gaining), "neural": neural}
    return Note("demo", text=text, values=about, subject="what to see", lost=True)


def _two(values: dict[str, float]) -> str:
    return " and ".join(f"{value:.2f} for {name}" for name, value in values.items())
