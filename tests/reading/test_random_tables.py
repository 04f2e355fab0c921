"""Random leaderboards whose truth is known: a table is read as it is, or refused; never read wrongly.

The words are those of real boards, written down here on their own: the readers have another list.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.program import run

import concordant as cd

BENCHMARKS = """MMLU|GSM8K|HellaSwag|ARC-c|TruthfulQA|Winogrande|BBH|IFEval|HumanEval pass@1|MBPP|MT-Bench
GPQA|MATH Lvl 5|MuSR|BLEU|COMET|chrF|F1 (macro)|EM|Accuracy|nDCG@10|Recall@100|MRR|STS|Clustering|win_rate
DROP|SQuAD-v2|LAMBADA|C-Eval|CMMLU|BoolQ|PIQA|OpenBookQA|SimpleQA|AIME 2024|tau-bench retail|HLE|ROUGE-L|mAP
IoU|Robustness|Fairness|Helpfulness|AUROC|Pass^3|MMLU-Pro|LiveBench coding|Elo|Quality""".replace(
    "\n", "|"
).split("|")
LOWER = """perplexity|WikiText ppl|val loss|WER|CER (clean)|ECE|toxicity|error rate|RMSE|MAE|Brier score|FID ↓
Hallucination rate|train/loss|bits per byte|TER ↓|Word Error Rate|test error|NLL|LPIPS|val_loss_mean|FPR
wiki/bits_per_byte|KL divergence|cross entropy|Zap (lower is better)|minADE|miss rate|WER avg""".replace(
    "\n", "|"
).split("|")
# For each column that is no score, how its values look.
METADATA: dict[str, str] = {
    "likes": "count", "Hub ❤️": "count", "Downloads": "count", "#Params (B)": "size", "Params": "size",
    "Parameters (M)": "large", "params_b": "size", "Model size": "size", "Embedding dim": "large",
    "Max Tokens": "large", "Context length": "large", "Memory (GB)": "size", "VRAM": "size",
    "Peak memory [MB]": "large", "Cost ($)": "size", "Price per 1M tokens": "size", "CO2 (kg)": "size",
    "co2_eq_emissions": "size", "throughput": "large", "Tokens/s": "size", "Throughput (tok/s)": "large",
    "latency (ms)": "large", "latency_p50": "size", "std": "size", "acc_stderr": "small", "MMLU std": "size",
    "standard_error": "small", "n_wins": "count", "n_total": "same", "num_samples": "same", "n_shot": "same",
    "step": "large", "global_step": "large", "epoch": "count", "doc_id": "index", "MoE": "flag",
    "Merged": "flag", "Flagged": "flag", "is_open": "flag", "available_on_hub": "flag", "year": "year",
    "Release date": "date", "License": "text", "Organization": "text", "url": "url", "Votes": "large",
    "Runtime (s)": "size", "inference time": "size", "GPU hours": "size", "seed": "same", "#votes": "large",
    "avg_length": "large", "Upload date": "date", "Precision type": "text", "Architecture": "text",
    "submitted_by": "text", "95% CI": "interval",
    "train FLOPs": "large", "learning_rate": "small", "updated_at": "year", "TeamId": "large", "lr": "small",
    "SubmissionCount": "count", "#queries": "large", "open_source": "flag", "std_acc": "small",
    "elapsed": "size", "Rank": "rank", "Overall rank": "rank", "commit": "text",
}  # fmt: skip
# Words that a reader need not know: they may be measures of their own, but are never averaged.
STRANGE = {"Borda votes cast": "count", "attn heads": "count", "zz_top": "large", "vocab": "large",
           "hidden units": "large", "gated": "01", "multilingual": "01", "k": "same"}  # fmt: skip
WORDS = ("Model", "model", "model_name", "System", "Method", "Run", "Submission")
FORMATS = ("csv", "tsv", "comma", "json", "jsonl", "columns.json", "parquet", "feather", "md", "xlsx")
MISSING = ("", "N/A", "-", "nan", "—")


class Table(NamedTuple):
    """A random table, and what is true of it."""

    path: Path
    layout: str
    systems: list[str]
    scores: dict[str, list[float | None]]
    lower: set[str]
    metadata: dict[str, str]
    how: dict[str, Any]


def bare(name: str) -> str:
    return name.replace(" ↓", "")


def values_of(kind: str, n: int, rng: random.Random) -> list[Any]:
    """Return the cells of a column that is no score."""
    one = {
        "count": lambda k: rng.randrange(5000), "size": lambda k: round(rng.uniform(0.1, 90), 2),
        "large": lambda k: rng.randrange(200, 40000), "small": lambda k: round(rng.uniform(0.001, 0.02), 4),
        "index": lambda k: k, "flag": lambda k: rng.random() < 0.5,
        "year": lambda k: rng.randrange(2018, 2026),
        "date": lambda k: f"2024-0{rng.randrange(1, 10)}-1{rng.randrange(10)}", "rank": lambda k: k + 1,
        "text": lambda k: rng.choice(["MIT", "Apache 2.0", "other"]), "url": lambda k: f"https://hub/m{k}",
        "interval": lambda k: f"+{rng.randrange(1, 9)}/-{rng.randrange(1, 9)}",
        "01": lambda k: rng.randrange(2),
    }  # fmt: skip
    return [500] * n if kind == "same" else [one[kind](k) for k in range(n)]


def random_table(seed: int, folder: Path) -> Table:
    """Make a table and write it."""
    rng = random.Random(seed)
    n = rng.randrange(4, 12)
    systems = rng.sample(
        [f"{a}-{b}" for a in ("apex", "birch", "cedar", "elm", "fir") for b in ("7b", "13B", "v2", "xl")], n
    )
    top = rng.choice([1, 100])
    names = rng.sample(BENCHMARKS, rng.randrange(2, 6)) + rng.sample(LOWER, rng.choice([0, 0, 1, 2]))
    digits = 4 if top == 1 else 2
    gaps = rng.choice([0, 0, 0.15])
    scores: dict[str, list[float | None]] = {}
    for name in names:
        own = [round(rng.uniform(0.1, 0.95) * top, digits) for _ in systems]
        scores[name] = [None if rng.random() < gaps else value for value in own]
        if sum(value is not None for value in scores[name]) < 2:
            scores[name] = list(own)
    layout = rng.choice(["rows", "rows", "rows", "long", "measures", "columns", "topics"])
    several = layout in ("rows", "topics")
    planted = rng.sample(list(METADATA), rng.randrange(0, 8 if several else 3))
    metadata = {
        name: METADATA[name] for name in planted if several or METADATA[name] in ("count", "size", "large")
    }
    strange = rng.sample(list(STRANGE), 1) if rng.random() < 0.2 and layout != "long" else []
    # Beside scores up to 1, columns of 0 and 1 may be scores.
    metadata |= {name: STRANGE[name] for name in strange if top == 100 or STRANGE[name] != "01"}
    cells: dict[str, list[Any]] = {name: values_of(kind, n, rng) for name, kind in metadata.items()}
    form = rng.choice(FORMATS)
    how: dict[str, Any] = {}
    shuffled = [*scores, *cells]
    rng.shuffle(shuffled)
    both = {**scores, **cells}
    if several:
        head = rng.choice(WORDS)
        place = rng.choice([0, 0, rng.randrange(len(shuffled) + 1)])
        rows = [[*shuffled[:place], head, *shuffled[place:]]]
        rows += [
            [*(both[c][k] for c in shuffled[:place]), s, *(both[c][k] for c in shuffled[place:])]
            for k, s in enumerate(systems)
        ]
        if layout == "topics":
            how = {"headers": "topics"}
    elif layout == "long":
        rows = [["model", rng.choice(["task", "benchmark", "metric"]), rng.choice(["score", "value"])]]
        lines = [[s, name, own[k]] for name, own in scores.items() for k, s in enumerate(systems)]
        rng.shuffle(lines)
        rows += lines
        metadata = {}
    else:
        label = "Benchmark" if layout == "measures" else rng.choice(["", "Dataset"])
        how = {} if layout == "measures" else {"systems": "columns"}
        rows = [[label, *systems], *([name, *both[name]] for name in shuffled)]
    path = folder / f"t{seed}.{'csv' if form == 'comma' else form.rpartition('.')[2]}"
    write(path, rows, form, rng.choice(MISSING))
    lower = {bare(name) for name in scores if name in LOWER}
    return Table(path, layout, systems, {bare(k): v for k, v in scores.items()}, lower, metadata, how)


def write(path: Path, rows: list[list[Any]], form: str, missing: str) -> None:
    """Write rows, the first of which is the header, in a format."""
    head, *body = rows
    if form in ("csv", "tsv", "comma", "md"):
        comma = form == "comma"

        def text(cell: Any) -> str:
            if cell is None:
                return missing
            return str(cell).replace(".", ",") if comma and isinstance(cell, float) else str(cell)

        cells = [[text(cell) for cell in row] for row in rows]
        if form == "md":
            lines = ["| " + " | ".join(row) + " |" for row in cells]
            path.write_text("\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n")
            return
        out = io.StringIO()
        csv.writer(out, delimiter={"csv": ",", "tsv": "\t", "comma": ";"}[form]).writerows(cells)
        path.write_text(out.getvalue())
        return
    objects = [dict(zip(head, row, strict=True)) for row in body]
    if form == "json":
        path.write_text(json.dumps(objects))
    elif form == "jsonl":
        path.write_text("".join(json.dumps(each) + "\n" for each in objects))
    elif form == "columns.json":
        path.write_text(json.dumps({name: [row[name] for row in objects] for name in head}))
    else:
        frame = pd.DataFrame(body, columns=head)
        {"parquet": frame.to_parquet, "feather": frame.to_feather, "xlsx": frame.to_excel}[form](
            path, **({"index": False} if form == "xlsx" else {})
        )


def faults(table: Table, found: cd.Scores) -> list[str]:
    """Return what is wrong about scores, as they were read."""
    told = " ".join(map(str, found.notes))
    wrong = []
    if sorted(found.systems) != sorted(table.systems):
        wrong.append(f"systems {found.systems}")
        return wrong
    averaged = found.topics != ("all",)
    names = list(found.topics if averaged else found.measures)
    for name in table.metadata:
        if name in names and averaged:
            wrong.append(f"{name} is averaged")
        elif name in names and name not in STRANGE:
            wrong.append(f"{name} is a measure")
    for name, own in table.scores.items():
        if name not in names:
            if name not in told:
                wrong.append(f"{name} vanished")
            continue
        part = found.select(topics=[name]) if averaged else found.select(measures=[name])
        down = name in table.lower
        if averaged and down:
            wrong.append(f"{name} is averaged, and its smallest is the best")
        if not averaged and (name in found.lower_is_better) != down:
            wrong.append(f"{name} has the wrong direction")
        sign = -1.0 if name in found.lower_is_better else 1.0
        true = [np.nan if (v := own[table.systems.index(s)]) is None else sign * v for s in found.systems]
        if not np.array_equal(part.values.ravel(), true, equal_nan=True):
            wrong.append(f"{name} has other scores")
    return wrong


def tau_b(table: Table, x: str, y: str) -> float:
    """Return Kendall's tau-b on the systems that have both scores, the best first."""
    both = [
        (a, b)
        for a, b in zip(table.scores[x], table.scores[y], strict=True)
        if a is not None and b is not None
    ]
    sign = (-1) ** ((x in table.lower) + (y in table.lower))
    return sign * float(stats.kendalltau(*zip(*both, strict=True)).statistic) if len(both) > 2 else np.nan


def tried(seeds: range, folder: Path) -> tuple[Counter[str], list[str]]:
    """Read random tables, and correlate two columns of some; return how they ended, and what was wrong."""
    ended: Counter[str] = Counter()
    wrong = []
    for seed in seeds:
        table = random_table(seed, folder)
        try:
            found = cd.read_scores(table.path, **table.how)
        except cd.InputError as error:
            wrong += [] if str(error).startswith(str(table.path)) else [f"{seed}: {error}"]
            ended["refused"] += 1
            ended[f"refused, {table.layout}"] += 1
            ended[str(error).partition(table.path.name)[2][:150]] += 1
            continue
        own = faults(table, found)
        wrong += [f"{seed} {table.path.name} {table.layout}: {each}" for each in own]
        ended["wrong" if own else "right"] += 1
        x, y, *_ = table.scores
        expected = tau_b(table, x, y)
        if (
            seed % 5 == 0
            and table.layout == "rows"
            and {x, y} <= {*found.measures}
            and not np.isnan(expected)
        ):
            done = run(
                "correlate", table.path, "-x", x, "-y", y, "-c", "tau_b", "--no-interval", "--format", "json"
            )
            if done.returncode:
                ended["not correlated"] += 1
                wrong += [f"{seed}: {done.stderr}"] * ("Traceback" in done.stderr)
                continue
            (row,) = json.loads(done.stdout)["tables"]["agreement"]
            ended["correlated"] += 1
            if abs(row["value"] - expected) > 1e-12:
                wrong.append(f"{seed} {table.path.name}: tau_b {row['value']}, and not {expected}")
    return ended, wrong


@pytest.mark.parametrize(
    "part", [pytest.param(0), *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 5))]
)
def test_random_tables_are_never_read_wrongly(part, tmp_path):
    """A table is right or refused, and few are refused."""
    ended, wrong = tried(range(200 * part, 200 * part + 200), tmp_path)
    assert wrong == []
    assert ended["refused"] <= 40, ended
    assert ended["correlated"] > 5
