"""A demonstration: `judge` on a simulated test collection with two imperfect judges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from concordant.coefficients.declaration import CoefficientsLike
from concordant.errors import fail, option
from concordant.experiments.simulate import collection
from concordant.questions.judge import JudgeResult, judge
from concordant.reading.evaluate import Judged, evaluate_under
from concordant.reading.measure_names import measures_of
from concordant.reading.qrels import read_qrels
from concordant.results.note import Note
from concordant.statistics.resampling import Resampling
from concordant.typing import Progress

MEASURE = "nDCG@10"


class Written(NamedTuple):
    """The files of a simulated collection, and the family of each system."""

    judgements: dict[str, str]
    runs: list[str]
    families: dict[str, str]


def write_collection(folder: str, seed: int, overwrite: bool) -> Written:
    """Simulate a collection and write its TREC files.

    Parameters
    ----------
    folder : path
        The folder to write to, which is made if it is missing.
    seed : int
        The seed of the simulation.
    overwrite : bool
        Whether to replace the files of an earlier demonstration.

    Returns
    -------
    Written
        The files of the judgements by name, those of the runs, and the family of each system.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = cd.experiments.write_collection(folder + "/demo", 1, False)
    >>> len(written.runs), sorted(written.judgements)
    (24, ['human', 'noisy', 'partial'])
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        fail(folder, None, "is a file; give the name of a folder")
    if target.exists() and any(target.iterdir()) and not overwrite:
        fail(
            folder, None, f"is not empty; give another folder, or {option('overwrite')} to replace its files"
        )
    made = collection(rng=seed)
    written = made.write(target)
    judgements = {name: str(target / f"{name}.qrels") for name in ("human", *made.judges)}
    runs = [str(path) for path in written if path.suffix == ".run"]
    return Written(judgements, runs, made.families)


def demo(
    written: Written,
    coefficients: CoefficientsLike = ("tau_ap_b", "tau_b"),
    *,
    workers: int = 1,
    evaluating: Progress | None = None,
    progress: Progress | None = None,
) -> JudgeResult:
    """Judge the judges of a simulated collection, with a note on what to see.

    Parameters
    ----------
    written : Written
        The collection, as `write_collection` returns it.
    coefficients : list of str or Coefficient, optional
        The coefficients, as `coefficient` reads them. A verdict is about the first.
    workers : int, default 1
        The number of threads and processes; -1 means all cores.
    evaluating : callable, optional
        A function that is called as ``evaluating(done, total)`` while runs are evaluated.
    progress : callable, optional
        A function that is called as ``progress(done, total)`` while intervals are computed.

    Returns
    -------
    JudgeResult
        The result of `judge`, with a note that explains it.

    Examples
    --------
    >>> import tempfile
    >>> import concordant as cd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = cd.experiments.write_collection(folder + "/demo", 1, False)
    ...     result = cd.experiments.demo(written, ["tau_b"])
    >>> sorted({each.estimate for each in result.agreement})
    ['noisy', 'partial']
    """
    qrels = {name: read_qrels(path) for name, path in written.judgements.items()}
    measures = measures_of(MEASURE)
    judged = {name: Judged(own, measures) for name, own in qrels.items()}
    scores = evaluate_under(judged, written.runs, workers=workers, progress=evaluating)
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
    return replace(result, notes=(*result.notes, _what_to_see(result, written.families)))


def _what_to_see(result: JudgeResult, families: dict[str, str]) -> Note:
    """Explain the demonstration with its own numbers."""
    first = result.agreement[0].coefficient
    whole = [each for each in result.agreement if each.top is None and each.coefficient == first]
    partial = [each for each in result.systems if each.estimate == "partial" and each.gain > 0]
    gaining = [each.system for each in sorted(partial, key=lambda each: -each.gain)[:5]]
    return Note(
        "demo",
        subject="what to see",
        values={
            "kappas": {each.estimate: each.kappa_of_grades for each in result.labels or ()},
            "coefficient": str(first),
            "values": {each.estimate: each.value for each in whole},
            "gaining": len(gaining),
            "neural": sum(families[system] == "neural" for system in gaining),
        },
    )
