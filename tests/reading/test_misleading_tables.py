"""Tables that are easily misread: what each must give, written by hand, or how the sentence of its refusal begins.

In what a table must give, a line is a measure, perhaps of a topic ("rating @ p1"), and the scores as in the file;
"↓" marks a measure whose smallest score is the best. What is left out must be left out, and nothing else.
"""

# ruff: noqa: E501 - what a table must give stands in one line

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import concordant as cd


def lines(*objects: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def two(header: str, first: str, second: str) -> str:
    """Return a table of the models a and b."""
    return f"model,{header}\na,{first}\nb,{second}\n"


# For each: its text, or its files; the scores; what is left out, cut by "|"; and how it is read.
TABLES: dict[str, tuple[Any, str, str, dict[str, Any]]] = {
    # columns that are no scores
    "computing": (
        two("MMLU,GPU memory,train FLOPs,vocab size,hidden size,n_layers,Date added", "50,80,1e21,32000,4096,32,x", "60,40,2e21,1,8,80,y"),
        "MMLU = a 50, b 60", "GPU memory|train FLOPs|vocab size|hidden size|n_layers|Date added", {},
    ),
    "prices": (
        two("quality index,input price,output price,tokens per second,latency p50", "70,0.5,1.5,100,0.3", "60,0.2,0.6,200,0.2"),
        "quality index = a 70, b 60", "input price|output price|tokens per second|latency p50", {},
    ),
    "costs of queries": (
        two("Accuracy,Cost per 1K queries,Avg. tokens,Avg time (s)", "70,0.5,1500,10", "60,0.2,600,20"),
        "Accuracy = a 70, b 60", "Cost per 1K queries|Avg. tokens|Avg time (s)", {},
    ),
    "training": (
        two("train_loss,eval_accuracy,learning_rate,batch_size,epoch", "0.5,0.8,0.0001,32,3", "0.4,0.82,0.0005,64,3"),
        "↓train_loss = a 0.5, b 0.4; eval_accuracy = a 0.8, b 0.82", "learning_rate|batch_size|epoch", {},
    ),
    "times of a record": (
        two("score,created_at,updated_at,upload_timestamp", "0.5,17,18,19", "0.4,27,28,29"),
        "score = a 0.5, b 0.4", "created_at|updated_at|upload_timestamp", {},
    ),
    "times of an answer": (
        two("Quality,elapsed,time_s,wall time (h),training time,duration_ms,seconds per query,avg_latency", "1.5,1,2,3,4,5,6,7", "2.5,1,2,3,4,5,6,7"),
        "Quality = a 1.5, b 2.5", "elapsed|time_s|wall time (h)|training time|duration_ms|seconds per query|avg_latency", {},
    ),
    "deviations first": (
        two("std_acc,mean_acc,var_f1,mean_f1", "0.1,0.5,0.2,0.4", "0.2,0.6,0.1,0.5"),
        "mean_acc = a 0.5, b 0.6; mean_f1 = a 0.4, b 0.5", "std_acc|var_f1", {},
    ),
    "a board of a competition": (
        "Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount\n1,111,a,2024-01-01,0.9,10\n2,222,b,2024-01-01,0.8,5\n",
        "Score = a 0.9, b 0.8", "Rank|TeamId|LastSubmissionDate|SubmissionCount", {},
    ),
    "runs of an experiment": (
        "Name,State,Created,Runtime,acc,loss,lr,seed\na,finished,2024-01-01,3600,0.5,1.5,0.001,1\nb,finished,2024-01-01,3500,0.6,1.2,0.001,2\n",
        "acc = a 0.5, b 0.6; ↓loss = a 1.5, b 1.2", "State|Created|Runtime|lr|seed", {},
    ),
    "metrics and parameters": (
        "run_id,start_time,metrics.acc,metrics.loss,params.lr,tags.user\na,2024,0.5,1.5,0.001,x\nb,2024,0.6,1.2,0.001,x\n",
        "metrics.acc = a 0.5, b 0.6; ↓metrics.loss = a 1.5, b 1.2", "start_time|params.lr|tags.user", {},
    ),
    "flags beside fractions": (
        two("acc,open_source,gated", "0.5,True,False", "0.4,False,True"), "acc = a 0.5, b 0.4", "open_source|gated", {},
    ),
    "a flag that is asked for": (
        two("acc,gated", "0.5,True", "0.4,False"), "gated = a 1, b 0", "acc", {"columns": {"value": "gated"}},
    ),
    "numbers of queries beside systems": (
        "Dataset,BM25,DPR,#queries\nNQ,0.3,0.5,3452\nMSM,0.2,0.3,6980\n",
        "t @ NQ = BM25 0.3, DPR 0.5; t @ MSM = BM25 0.2, DPR 0.3", "#queries", {"systems": "columns"},
    ),
    "which end is good, in a column": (
        "task,higher_is_better,a,b\nMMLU,1,50.5,60\nWER,0,0.1,0.2\n", "MMLU = a 50.5, b 60; ↓WER = a 0.1, b 0.2", "higher_is_better", {},
    ),
    "a model under a base model": (
        "Base Model,Model Name,Score\nllama,a,0.5\nllama,b,0.4\n", "Score = a 0.5, b 0.4", "Base Model", {},
    ),
    "sizes as text before the model": (
        "Params,Model,MMLU\n7B,a,50.5\n13B,b,60\n", "MMLU = a 50.5, b 60", "Params", {},
    ),
    # names of scores that look like those of something else
    "tasks about memory and prices": (
        two("LongMemEval,Memory QA,Context QA,cost-benefit QA,Latency under load score,Length control", "50.5,40,30,20,10,5", "51.5,41,31,21,11,6"),
        "LongMemEval = a 50.5, b 51.5; Memory QA = a 40, b 41; Context QA = a 30, b 31; cost-benefit QA = a 20, b 21; Latency under load score = a 10, b 11; Length control = a 5, b 6", "", {},
    ),
    "tasks about losses and errors": (
        two("loss aversion,error correction,error detection F1,time reasoning,date understanding,word count acc", "1.5,2,3,4,5,6", "2.5,3,4,5,6,7"),
        "loss aversion = a 1.5, b 2.5; error correction = a 2, b 3; error detection F1 = a 3, b 4; time reasoning = a 4, b 5; date understanding = a 5, b 6; word count acc = a 6, b 7", "", {},
    ),
    "wins": (two("wins,losses,win rate", "70,20,75", "60,30,65"), "wins = a 70, b 60; ↓losses = a 20, b 30; win rate = a 75, b 65", "", {}),
    # which end is good
    "distances": (
        two("edit distance,KL divergence,cross entropy,EER,DER,STOI", "1,0.5,0.2,3,10,0.9", "2,0.4,0.3,4,12,0.8"),
        "↓edit distance = a 1, b 2; ↓KL divergence = a 0.5, b 0.4; ↓cross entropy = a 0.2, b 0.3; ↓EER = a 3, b 4; ↓DER = a 10, b 12; STOI = a 0.9, b 0.8", "", {},
    ),
    "rates of errors": (
        two("TPR,FPR,FNR,False positive rate,miss rate,AUC", "0.9,0.1,0.2,0.3,0.4,0.9", "0.8,0.2,0.3,0.4,0.5,0.8"),
        "TPR = a 0.9, b 0.8; ↓FPR = a 0.1, b 0.2; ↓FNR = a 0.2, b 0.3; ↓False positive rate = a 0.3, b 0.4; ↓miss rate = a 0.4, b 0.5; AUC = a 0.9, b 0.8", "", {},
    ),
    "pictures": (
        two("PSNR,SSIM,LPIPS,NIQE,FVD,KID", "30,0.9,0.1,3,100,0.01", "28,0.8,0.2,4,200,0.02"),
        "PSNR = a 30, b 28; SSIM = a 0.9, b 0.8; ↓LPIPS = a 0.1, b 0.2; ↓NIQE = a 3, b 4; ↓FVD = a 100, b 200; ↓KID = a 0.01, b 0.02", "", {},
    ),
    "regression": (
        two("R2,RMSE (log),MAE_test,test_mse,MAPE %,MASE,CRPS", "0.9,1,2,3,4,5,6", "0.8,2,3,4,5,6,7"),
        "R2 = a 0.9, b 0.8; ↓RMSE (log) = a 1, b 2; ↓MAE_test = a 2, b 3; ↓test_mse = a 3, b 4; ↓MAPE % = a 4, b 5; ↓MASE = a 5, b 6; ↓CRPS = a 6, b 7", "", {},
    ),
    "trajectories": (two("minADE,minFDE,HOTA", "1.5,4,50", "2,3,40"), "↓minADE = a 1.5, b 2; ↓minFDE = a 4, b 3; HOTA = a 50, b 40", "", {}),
    "means of losses": (
        two("avg loss,loss (val),val_loss_mean,WER avg", "1.5,4,50,0.1", "2,3,40,0.2"),
        "↓avg loss = a 1.5, b 2; ↓loss (val) = a 4, b 3; ↓val_loss_mean = a 50, b 40; ↓WER avg = a 0.1, b 0.2", "", {},
    ),
    "said in brackets": (
        two("Zap (lower is better),loss (higher is better)", "1,2", "3,4"),
        "↓Zap (lower is better) = a 1, b 3; loss (higher is better) = a 2, b 4", "", {},
    ),
    "ranks of several tasks": (two("MMLU rank,GSM rank", "1,2", "2,1"), "↓MMLU rank = a 1, b 2; ↓GSM rank = a 2, b 1", "", {}),
    "HELM says which end is good": (
        {"h.json": {"header": [{"value": "Model"}, {"value": "Zap", "lower_is_better": True}, {"value": "EM", "lower_is_better": False}],
                    "rows": [[{"value": "a"}, {"value": 0.9}, {"value": 0.7}], [{"value": "b"}, {"value": 0.5}, {"value": None}]]}},
        "↓Zap = a 0.9, b 0.5; EM = a 0.7, b -", "", {},
    ),
    "bits of a task": (
        {"r.json": {"results": {"wiki": {"alias": "w", "bits_per_byte,none": 0.6, "bits_per_byte_stderr,none": "N/A"}}, "versions": {}, "model_name": "a"}},
        "↓wiki/bits_per_byte = a 0.6", "wiki/bits_per_byte stderr", {},
    ),
    # what tells the rows apart
    "a task and its metric": (
        "model,task,metric,value\na,x,acc,0.5\nb,x,acc,0.4\na,y,ppl,12\nb,y,ppl,13\n", "x/acc = a 0.5, b 0.4; ↓y/ppl = a 12, b 13", "", {},
    ),
    "a task, and the same metric everywhere": (
        "model,task,metric,value\na,x,acc,0.5\nb,x,acc,0.4\na,y,acc,0.2\nb,y,acc,0.3\n", "x = a 0.5, b 0.4; y = a 0.2, b 0.3", "", {},
    ),
    "a task, and the same metric, of which the smallest is the best": (
        "model,task,metric,value\na,x,ppl,5\nb,x,ppl,4\na,y,ppl,2\nb,y,ppl,3\n", "↓x/ppl = a 5, b 4; ↓y/ppl = a 2, b 3", "", {},
    ),
    "tasks and metrics in rows": (
        "task,metric,a,b\nx,acc,0.5,0.4\ny,ppl,12,13\n", "x/acc = a 0.5, b 0.4; ↓y/ppl = a 12, b 13", "", {},
    ),
    "names and values of metrics": (
        "model,metric_name,metric_value\na,acc,0.5\nb,acc,0.4\na,ppl,10\nb,ppl,12\n", "acc = a 0.5, b 0.4; ↓ppl = a 10, b 12", "", {},
    ),
    "numbers of the rows beside prompts": (
        "id,model,prompt_id,rating\n1,a,p1,4\n2,b,p1,3\n3,a,p2,5\n4,b,p2,2\n", "rating @ p1 = a 4, b 3; rating @ p2 = a 5, b 2", "id", {},
    ),
    "documents": ("doc_id,model,acc\n0,a,1\n1,a,0\n0,b,1\n1,b,1\n", "acc @ 0 = a 1, b 1; acc @ 1 = a 0, b 1", "", {}),
    "tasks with numbers": (
        "task_id,model,passed\nHumanEval/0,a,True\nHumanEval/1,a,False\nHumanEval/0,b,True\nHumanEval/1,b,True\n",
        "passed @ HumanEval/0 = a 1, b 1; passed @ HumanEval/1 = a 0, b 1", "", {},
    ),
    "annotators": (
        "item_id,system,ann1,ann2\n1,a,3,4\n1,b,2,2\n2,a,4,4\n2,b,1,3\n",
        "ann1 @ 1 = a 3, b 2; ann1 @ 2 = a 4, b 1; ann2 @ 1 = a 4, b 2; ann2 @ 2 = a 4, b 3", "", {},
    ),
    "is it correct?": (
        {"t.jsonl": lines(*({"model": m, "id": i, "is_correct": v, "latency": 0.1} for m, i, v in (("a", 1, True), ("a", 2, False), ("b", 1, True), ("b", 2, True))))},
        "is_correct @ 1 = a 1, b 1; is_correct @ 2 = a 0, b 1", "latency", {},
    ),
    "a file of answers for each system": (
        {"a.jsonl": lines({"id": 1, "correct": True}, {"id": 2, "correct": False}), "b.jsonl": lines({"id": 1, "correct": False}, {"id": 2, "correct": False})},
        "correct @ 1 = a 1, b 0; correct @ 2 = a 0, b 0", "", {},
    ),
    # cells
    "changes in brackets": ("model,acc\na,45.0 (+1.2)\nb,50.0 (-0.3)\n", "acc = a 45, b 50", "", {}),
    "counts in brackets": ("model,acc\na,45.0 (90/200)\nb,50.0 (100/200)\n", "acc = a 45, b 50", "", {}),
    "tags": ("model,acc\n<b>a</b>,<u>0.5</u>\nb,<b>0.4</b>\n", "acc = a 0.5, b 0.4", "", {}),
    "italics of Markdown": ({"t.md": "| Model | Acc |\n|--|--|\n| a | _0.5_ |\n| b | *0.4* |\n"}, "Acc = a 0.5, b 0.4", "", {}),
    "a minus sign": (two("logp", "−1.5", "−2.5"), "logp = a -1.5, b -2.5", "", {}),
    "a dash": ("model,acc,f1\na,0.5,—\nb,0.6,0.4\n", "acc = a 0.5, b 0.6; f1 = a -, b 0.4", "", {}),
    "percentages with three decimals": ("model,acc\na,12.345\nb,100\nc,99.125\n", "acc = a 12.345, b 100, c 99.125", "", {}),
    "points between thousands, as the user says": ("model;elo\na;1.234\nb;987\n", "elo = a 1234, b 987", "", {"decimal": ","}),
    "times with a colon": ("model,acc,time\na,0.5,1:30\nb,0.6,2:10\n", "acc = a 0.5, b 0.6", "time", {}),
    "sizes with units": (two("size,acc", "7 GB,50%", "8 GB,60%"), "acc = a 50, b 60", "size", {}),
    "medals": ("#,Model,Score\n🥇,a,0.5\n🥈,b,0.4\n", "Score = a 0.5, b 0.4", "#", {}),
    "tied ranks": ("Rank,Model,Score\n1,a,0.5\n2=,b,0.4\n", "Score = a 0.5, b 0.4", "Rank", {}),
    "yes and no": (two("acc,open", "0.5,yes", "0.4,no"), "acc = a 0.5, b 0.4", "open", {}),
    # JSON
    "a list in an object": ({"t.json": {"date": "2024", "version": 3, "results": [{"model": "a", "acc": 0.5}, {"model": "b", "acc": 0.6}]}}, "acc = a 0.5, b 0.6", "", {}),
    "one of two lists": (
        {"t.json": {"dev": [{"model": "a", "acc": 0.5}], "test": [{"model": "a", "acc": 0.7}]}}, "acc = a 0.7", "", {"sheet": "test"},
    ),
    "promptfoo": (
        {"p.json": {"evalId": "e", "results": {"version": 3, "results": [
            {"testIdx": t, "promptIdx": p, "provider": {"id": f"lab:{s}", "label": s}, "success": v > 0.5, "score": v, "namedScores": {"tone": v / 2}, "latencyMs": 9}
            for p, s, t, v in ((0, "a", 0, 1), (0, "a", 1, 0.2), (1, "b", 0, 0), (1, "b", 1, 1))]}}},
        "score @ 0 = a 1, b 0; score @ 1 = a 0.2, b 1; tone @ 0 = a 0.5, b 0; tone @ 1 = a 0.1, b 0.5", "", {},
    ),
    "promptfoo, two prompts": (
        {"p.json": {"results": {"results": [
            {"testIdx": t, "promptIdx": p, "provider": "a", "score": v} for p, t, v in ((0, 0, 1), (0, 1, 0.2), (1, 0, 0), (1, 1, 1))]}}},
        "score @ 0 = a prompt 0 1, a prompt 1 0; score @ 1 = a prompt 0 0.2, a prompt 1 1", "", {},
    ),
    "DeepEval": (
        {"a.json": {"testFile": "t.py", "testCases": [
            {"name": f"case {k}", "success": True, "metricsData": [{"name": "Bias", "score": b, "threshold": 0.5}, {"name": "Answer Relevancy", "score": r}]}
            for k, b, r in ((0, 0.1, 0.9), (1, 0.2, None))], "runDuration": 3.5}},
        "↓Bias @ case 0 = a 0.1; ↓Bias @ case 1 = a 0.2; Answer Relevancy @ case 0 = a 0.9; Answer Relevancy @ case 1 = a -", "", {},
    ),
    # the number of measures of a table
    "means among topics with numbers": ("system,401,402,mean\na,0.5,0.6,0.55\nb,0.4,0.3,0.35\n", "t @ 401 = a 0.5, b 0.4; t @ 402 = a 0.6, b 0.3", "", {}),
    "points and their sum": ("Team,Task A,Task B,Total\na,50,40,90\nb,40,30,70\n", "Task A = a 50, b 40; Task B = a 40, b 30; Total = a 90, b 70", "", {}),
    "a sum among systems": ("topic,a,b,Total\n1,0.5,0.4,0.9\n2,0.5,0.3,0.8\n", "t @ 1 = a 0.5, b 0.4; t @ 2 = a 0.5, b 0.3", "", {}),
    "steps that are the same for all": (
        "model,MMLU,ARC,shots\na,50.5,40,5\nb,40,30,5\nc,30,20,5\n",
        "t @ MMLU = a 50.5, b 40, c 30; t @ ARC = a 40, b 30, c 20", "shots", {"headers": "topics"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_a_misleading_table_gives_what_it_holds(kind, tmp_path):
    content, expected, left_out, how = TABLES[kind]
    found = cd.read_scores(written(tmp_path, content), **how)
    scores: dict[tuple[str, str, str], float] = {}
    lower = set()
    for line in expected.split("; "):
        name, own = line.split(" = ")
        measure, _, topic = name.removeprefix("↓").partition(" @ ")
        lower |= {measure} if name.startswith("↓") else set()
        for cell in own.split(", "):
            system, _, value = cell.rpartition(" ")
            scores[measure, topic or "all", system] = math.nan if value == "-" else float(value)
    assert {key[0] for key in scores} == set(found.measures)
    assert {key[1] for key in scores} == set(found.topics)
    assert {key[2] for key in scores} == set(found.systems)
    assert found.lower_is_better == lower
    assert set(found.source.left_out) == set(left_out.split("|") if left_out else ())
    for (measure, topic, system), value in scores.items():
        part = found.select(measures=[measure], topics=[topic], systems=[system]).values.item()
        assert part == pytest.approx(-value if measure in lower else value, nan_ok=True, abs=0)


def written(folder: Path, content: Any) -> Path:
    files = content if isinstance(content, dict) else {"t.csv": content}
    for name, own in files.items():
        (folder / name).write_text(own if isinstance(own, str) else json.dumps(own))
    return folder / next(iter(files)) if len(files) == 1 else folder


REFUSED: dict[str, tuple[Any, str]] = {
    "points that may group thousands": ("model;elo\na;1.234\nb;987\n", "t.csv:2: column 'elo': '1.234' has a point; is it a decimal point or does it group"),
    "a judge beside the model": ("model,judge,score\na,x,1\nb,x,2\na,y,3\nb,y,1\n", "t.csv:4: system 'a' has two scores by score, first in line 2; 'judge' tells the rows apart"),
    "a column of row numbers": ("id,model,rating\n1,a,4\n2,b,3\n3,a,5\n4,b,1\n", "t.csv:4: system 'a' has two scores by rating, first in line 2; keep one with"),
    "a data set beside metrics": (
        "dataset,model,metric,value\nx,a,acc,0.5\ny,a,acc,0.3\n", "t.csv:3: system 'a' has two scores by acc, first in line 2; 'dataset' tells",
    ),
    "an agent beside the model": ("Agent,Model,Resolved\ns,x,50.5\ns,y,40\nd,x,30\n", "t.csv:4: system 'x' has two scores by Resolved, first in line 2; 'Agent' tells the rows apart"),
    "two scores in each cell": (two("NLI m/mm", "94.2/92.3", "1/2"), "t.csv: no column holds scores; there are model, NLI m/mm; column 'NLI m/mm': '94.2/92.3' holds two scores"),
    "stars": (two("rating", "★★★", "★★"), "t.csv: no column holds scores; there are model, rating; column 'rating': '★★★' is not a number"),
    "grades": (two("grade", "A", "B"), "t.csv: no column holds scores"),
    "about": (two("acc", "~45", "50"), "t.csv:2: column 'acc': '~45' is not a number"),
    "less than": (two("acc", "<1", "50"), "t.csv:2: column 'acc': '<1' is not a number"),
    "to be done": (two("acc", "TBD", "50"), "t.csv:2: column 'acc': 'TBD' is not a number"),
    "negative in brackets": (two("acc", "(0.5)", "0.6"), "t.csv:2: column 'acc': '(0.5)' is not a number"),
    "percent here and there": (two("acc", "50%", "0.6"), "t.csv:3: column 'acc': '0.6' has no percent sign"),
    "a header again": ("model,acc\na,0.5\nmodel,acc\nb,0.6\n", "t.csv:3: column 'acc': 'acc' is not a number"),
    "two headers": ("model,MMLU,MMLU\n,acc,f1\na,1.5,2.5\n", "t.csv:1: column 'MMLU' is in the header twice"),
    "units below the header": ("model,acc,lat\n,%,ms\na,50,10\nb,60,20\n", "t.csv:2: column 'acc': '%' is not a number"),
    "a group of rows": ("model,acc\na,0.5\n,0.4\n", "t.csv:3: the system is empty"),
    "names with a blank at the end": ("model,acc\na,0.5\na ,0.6\n", "t.csv:3: system 'a' has two scores by acc, first in line 2"),
    "commas and points": ("model;x;y\na;0,5;0.5\nb;0,6;0.7\n", "t.csv:2: column 'y': '0.5' has a point, and other cells have a decimal comma"),
    "a flag among benchmarks that are averaged": (
        "Dataset,a,b\nMMLU,50.5,40\nARC,40,30\nopen,1,0\n", "t.csv: the systems may be in rows (3: MMLU, ARC, open) or in columns (2: a, b)",
    ),
    "several lists": ({"t.json": {"dev": [{"model": "a", "x": 1}], "test": [{"model": "a", "x": 2}]}}, "t.json: has several lists: dev, test; say which with"),
    "promptfoo without scores": ({"t.json": {"results": {"results": [{"testIdx": 0, "provider": "a"}]}}}, "t.json: looks like results of promptfoo, and a part is missing"),
    "DeepEval without names": ({"t.json": {"testCases": [{"metricsData": [{"score": 1}]}]}}, "t.json: looks like a test run of DeepEval, and a part is missing"),
    "pairs of models": ("model_a,model_b,winner\nx,y,model_a\ny,z,tie\n", "t.csv: x and the other systems: one side won every"),
    "a table without a mark": ("model  acc  f1\na      0.5  0.4\nb      0.6  0.3\n", "t.csv:1: cannot tell the format of 'model  acc  f1'"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_may_be_read_in_two_ways_is_refused(kind, tmp_path):
    content, sentence = REFUSED[kind]
    with pytest.raises(cd.InputError) as error:
        cd.read_scores(written(tmp_path, content))
    assert str(error.value).replace(f"{tmp_path}/", "").startswith(sentence)


def test_there_are_enough_tables():
    assert len(TABLES) + len(REFUSED) >= 80


def test_errors_that_a_table_does_not_have_are_not_kept(tmp_path):
    """A change in brackets, or a column of N/A, is no interval; 95% CI lower and upper are one."""
    for text in (TABLES["changes in brackets"][0], TABLES["counts in brackets"][0]):
        found = cd.read_scores(written(tmp_path, text))
        assert (found.errors, found.source.remarks) == ({}, ())
    found = cd.read_scores(written(tmp_path, two("s,95% CI lower,95% CI upper", "5,3,6", "4,3,5")))
    low, high = found.errors["s", "a"]
    assert (low, high) == (pytest.approx(2 / 1.959963984540054), pytest.approx(1 / 1.959963984540054))


def test_a_column_that_is_named_is_a_score(tmp_path):
    """MMLU orders a, b, c, d as the parameters do, but for a and b: 5 of 6 pairs, tau_b (5 - 1) / 6."""
    path = written(
        tmp_path, "model,MMLU,params,open\na,50,13,True\nb,60,7,False\nc,70,70,True\nd,40,3,False\n"
    )
    study = cd.Study(path, reference_measures="MMLU", estimate_measures=["params", "open"])
    first, second = cd.correlate(study, coefficients="tau_b", resampling=None)
    assert (first.estimate, first.value) == ("params", pytest.approx(4 / 6))
    # open: a and b in the other order, 3 pairs in the same, 2 tied.
    assert (second.estimate, second.value) == ("open", pytest.approx(2 / 24**0.5))
    assert cd.read_scores(path).measures == ("MMLU",)


def test_ranks_of_one_side_do_not_turn_the_scores_of_the_other():
    """A measure without a name may be another on each side: rank 1 and the largest score are the best."""
    ranks = cd.read_scores({"a": 1, "b": 2, "c": 3}, lower_is_better="all")
    (row,) = cd.correlate(ranks, {"x": {"a": 9, "b": 7, "c": 8}}, "tau_b", resampling=None)
    assert row.value == pytest.approx(1 / 3)
    frames = [pd.DataFrame({"model": list("abc"), "WER": own}) for own in ([0.1, 0.2, 0.3], [0.2, 0.1, 0.3])]
    (row,) = cd.correlate(frames[0], {"x": frames[1]}, "tau_b", resampling=None)
    assert row.value == pytest.approx(1 / 3)
