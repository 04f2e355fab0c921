"""Every command that takes data, on files with names of your choice."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

import concordant as cd

__all__ = ["COMMANDS", "write_collection"]

_SIDES = "human.csv {judge}.csv"
_RUNS = "--runs runs --qrels human.qrels --workers 1"
COMMANDS = {
    "correlate": f"{_SIDES} --n-resamples 99",
    "judge": f"{_RUNS} --judge {{judge}}.qrels -m AP --n-resamples 99",
    "by-topic": f"{_SIDES} --n-resamples 99",
    "explain": _SIDES,
    "board": "human.csv --n-resamples 20",
    "matrix": _SIDES,
    "sweep": f"{_SIDES} --thresholds 0,0.1",
    "runs": "runs --n-worst 3",
    "labels": "rated.csv --reference human --n-resamples 20",
    "metrics": "wmt --n-resamples 19 --workers 1",
    "grouped": "logs --by {column} -x x -y y -c tau_b",
    "coefficients list": "",
    "coefficients axioms": "tau_b",
    "coefficients identify": f"{_SIDES} --value 0.5",
    "coefficients choose": f"{_SIDES} --ties ignored",
    "plan": "human.csv",
    "evaluate": f"{_RUNS} -m AP",
    "show": "saved.json",
    "demo": "{judge} --workers 1",
    "experiment predict": "human.csv --n-splits 9",
    "experiment swap": "human.csv --n-draws 9",
    "experiment gaps": "--n-pairs 9 --n-systems 5",
    "experiment pool": f"{_RUNS} --percents 50,100 --n-replicates 2",
    "experiment grades": _RUNS,
    "experiment reuse": f"{_RUNS} -m AP",
    "experiment stability": "human.csv --n-draws 9 --n-resamples 9",
}
"""The words after the name of each command, on the files of `write_collection`."""


def write_collection(
    folder: Path,
    names: tuple[str, ...] = ("a", "b", "c", "d", "e"),
    judge: str = "noisy",
    column: str = "query",
) -> dict[str, list[str]]:
    """Write tables, runs, judgements and logs; return the words of each command.

    The names are those of systems, topics, groups and run files, as far as the formats allow them.
    """
    rng = np.random.default_rng(0)
    values = rng.normal(np.arange(len(names)), 0.5, (1, 6, len(names)))
    few = names[-20:]
    topics = few[2:8] + tuple("123456"[len(few[2:8]) :])
    for stem in ("human", judge):
        scores = cd.Scores(values, systems=names, topics=topics, measures=[column])
        cd.write_scores(scores, folder / f"{stem}.csv")
        values = values + rng.normal(0, 1, values.shape)
    saved = cd.correlate(folder / "human.csv", folder / f"{judge}.csv", resampling=None)
    (folder / "saved.json").write_text(saved.to_json(), encoding="utf-8")
    words = ["".join(name.split()) for name in few]
    (folder / "runs").mkdir()
    for i, word in enumerate(words):
        ranked = {t: {f"d{d}": float(s) for d, s in enumerate(rng.random(8))} for t in words[1:5]}
        lines = [f"{t} Q0 {d} 0 {s} {word}" for t, docs in ranked.items() for d, s in docs.items()]
        file = few[i] if "/" not in few[i] and len(os.fsencode(few[i])) < 200 else str(i)
        (folder / "runs" / f"{file}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for stem in ("human", judge):
        lines = [f"{t} 0 d{d} {rng.integers(0, 3)}" for t in words[1:5] for d in range(8)]
        (folder / f"{stem}.qrels").write_text("\n".join(lines) + "\n", encoding="utf-8")
    cells = [(rng.integers(0, 3, 6), rng.random(6)) for _ in few]
    for k, path in enumerate(("human-scores/en-de.mqm.seg.score", "metric-scores/en-de/keen-refA.seg.score")):
        (folder / "wmt" / path).parent.mkdir(parents=True)
        lines = [f"{word}\t{score}" for word, own in zip(words, cells, strict=True) for score in own[k]]
        (folder / "wmt" / path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    grades = rng.integers(0, 3, (len(words), 2))
    rows = [f"{word},{one},{other}" for word, (one, other) in zip(words, grades, strict=True)]
    (folder / "rated.csv").write_text("\n".join(["item,human,gpt", *rows]) + "\n", encoding="utf-8")
    (folder / "logs").mkdir()
    groups = [(column, "x", "y"), *((name, *rng.random(2)) for name in names for _ in range(3))]
    from pyarrow import parquet, table

    columns = dict(zip(groups[0], map(list, zip(*groups[1:], strict=True)), strict=True))
    parquet.write_table(table(columns), folder / "logs" / "1.parquet")
    return {
        name: [*name.split(), *(word.format(judge=judge, column=column) for word in typed.split())]
        for name, typed in COMMANDS.items()
    }
