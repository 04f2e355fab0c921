"""Files as people have them: what each holds, known by hand, or the sentence with which it is refused.

The numbers are invented; the shapes are those of leaderboards, of evaluation programs and of spreadsheets.
"""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.program import run

import concordant as cd

_ = None  # a missing score


class File(NamedTuple):
    """What a file, or a folder of them, must give; a score stands as in the file, whichever end is good."""

    files: dict[str, Any]  # text, bytes, or an object that is written as JSON
    systems: str  # cut by spaces, or by "|" if a name has a space
    scores: dict[str, Any]  # for each measure the scores of the systems, or these by topic
    lower: str = ""  # measures of which the smallest is the best, cut by "|"
    left_out: str | None = None  # columns that must have been left out, cut by "|"
    how: dict[str, Any] = {}  # noqa: RUF012


def one(name: str, content: Any, systems: str, scores: dict[str, Any], **more: Any) -> File:
    return File({name: content}, systems, scores, **more)


def parted(text: str, mark: str = " ") -> list[str]:
    return text.split("|" if "|" in text else mark) if text else []


def written(folder: Path, files: dict[str, Any]) -> Path:
    """Write the files; return the only one, or the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder / next(iter(files)) if len(files) == 1 else folder


def packed(write: str, frame: pd.DataFrame, **how: Any) -> bytes:
    """Return what pandas writes."""
    out = io.BytesIO()
    getattr(frame, write)(out, **how)
    return out.getvalue()


def book(**sheets: list[list[Any]]) -> bytes:
    out = io.BytesIO()
    with pd.ExcelWriter(out, engine="openpyxl") as writer:
        for name, rows in sheets.items():
            pd.DataFrame(rows).to_excel(writer, sheet_name=name, header=False, index=False)
    return out.getvalue()


BOARD = pd.DataFrame(
    {"model": ["apex", "birch", "cedar"], "MMLU": [71.5, 64.25, 80.0], "GSM8K": [55.0, 60.5, np.nan]}
)
OF_BOARD: dict[str, Any] = {
    "systems": "apex birch cedar",
    "scores": {"MMLU": [71.5, 64.25, 80], "GSM8K": [55, 60.5, _]},
}
BOOLS = pd.DataFrame({"model": ["apex", "birch"], "passed": [True, False], "latency": [0.5, 0.2]})
OF_BOOLS: dict[str, Any] = {"systems": "apex birch", "scores": {"passed": [1, 0]}, "left_out": "latency"}
TITLED = [{"header": [{"value": "Model"}, {"value": "EM"}], "rows": [[{"value": "apex"}, {"value": 0.5}]]}]
SAMPLES = [
    {"doc_id": k, "doc": {}, "filtered_resps": ["x"], "filter": "none", "metrics": ["acc"], "acc": acc}
    for k, acc in enumerate((1.0, 0.0, 1.0))
]
TREC = (
    "runid\tall\t{}\nmap\t1\t{}\nmap\t2\t{}\nP_10\t1\t0.5\nP_10\t2\t0.3\nnum_q\tall\t2\n"
    "map\tall\t{}\nP_10\tall\t0.4\n"
)

FILES: dict[str, File] = {
    # leaderboards
    "Open LLM Leaderboard": one(
        "open_llm.csv",
        (
            "eval_name,Precision,Type,T,Weight type,Architecture,Model,Average ⬆️,Hub License,Hub "
            "❤️,#Params (B),"
            "Available on the hub,MoE,Flagged,CO₂ cost (kg),IFEval,BBH,MATH Lvl 5\n"
            'apex_bf16,bfloat16,chat,💬,Original,Llama,"<a '
            'href=""https://hub/o/apex"">o/apex</a>",31.5,mit,120,8.03,'
            "True,False,False,1.25,50.5,30,14\n"
            'birch_f16,float16,base,🟢,Original,Qwen,"<a '
            'href=""https://hub/o/birch"">o/birch</a>",22,apache,7,'
            "0.5,True,False,False,0.3,30,24,12\n"
        ),
        "o/apex o/birch",
        {"Average": [31.5, 22], "IFEval": [50.5, 30], "BBH": [30, 24], "MATH Lvl 5": [14, 12]},
        left_out="Hub ❤️|#Params (B)|Available on the hub|MoE|Flagged|CO₂ cost (kg)",
    ),
    "MTEB": one(
        "mteb.csv",
        "Rank,Model,Model Size (Million Parameters),Memory Usage (GB, fp32),Embedding Dimensions,Max Tokens,"
        "Average (56 datasets),Retrieval Average (15 datasets),STS Average (10 datasets)\n".replace(
            "Memory Usage (GB, fp32)", '"Memory Usage (GB, fp32)"'
        )
        + "1,[e-large](https://hub/e-large),335,1.25,1024,512,64.68,54.5,84.6\n"
        "2,[m-base](https://hub/m-base),109,0.41,768,512,63.5,55.1,82.4\n"
        "3,glove,,,300,,42,21.6,\n",
        "e-large m-base glove",
        {
            "Average (56 datasets)": [64.68, 63.5, 42],
            "Retrieval Average (15 datasets)": [54.5, 55.1, 21.6],
            "STS Average (10 datasets)": [84.6, 82.4, _],
        },
        left_out=(
            "Rank|Model Size (Million Parameters)|Memory Usage (GB, fp32)|Embedding Dimensions|Max Tokens"
        ),
    ),
    "MTEB of today": one(
        "mteb2.csv",
        (
            "Rank (Borda),Model,Zero-shot,Memory Usage (MB),Number of Parameters (B),Embedding "
            "Dimensions,Max Tokens,"
            "Mean (Task),Mean (TaskType),Retrieval\n"
            "1,e-large,99%,1278,0.335,1024,512,60.5,52,58\n"
            "2,m-base,NA,418,0.109,768,514,58.25,51,55.5\n"
        ),
        "e-large m-base",
        {
            "Rank (Borda)": [1, 2],
            "Zero-shot": [99, _],
            "Mean (Task)": [60.5, 58.25],
            "Mean (TaskType)": [52, 51],
            "Retrieval": [58, 55.5],
        },
        lower="Rank (Borda)",
        left_out="Memory Usage (MB)|Number of Parameters (B)|Embedding Dimensions|Max Tokens",
    ),
    "Chatbot Arena": one(
        "arena.csv",
        "Rank (UB),Rank (StyleCtrl),Model,Arena Score,95% CI,Votes,Organization,License,Knowledge Cutoff\n"
        '1,1,apex-4o,1365,+5/-4,"35,161",Apex,Proprietary,2023/10\n'
        '2,3,birch-3,1290,+3/-3,"120,480",Birch,MIT,2023/8\n',
        "apex-4o birch-3",
        {"Arena Score": [1365, 1290]},
        left_out="Rank (UB)|Rank (StyleCtrl)|95% CI|Votes|Organization|License|Knowledge Cutoff",
    ),
    "a dump of the arena": one(
        "elo.csv",
        "model,rating,variance,rating_q975,rating_q025,num_battles,final_ranking\n"
        "apex,1250.5,7.5,1256,1245,9000,1\nbirch,1102,4.25,1106,1098,12000,2\n",
        "apex birch",
        {"rating": [1250.5, 1102]},
        left_out="variance|rating_q975|rating_q025|num_battles|final_ranking",
    ),
    "HELM, one table": one(
        "helm.json",
        {
            "title": "",
            "header": [{"value": "Model"}, {"value": "Mean win rate"}, {"value": "MMLU - EM"}],
            "rows": [
                [{"value": "apex"}, {"value": 0.75}, {"value": 0.61}],
                [{"value": "birch"}, {"value": 0.25}, {}],
            ],
        },
        "apex birch",
        {"Mean win rate": [0.75, 0.25], "MMLU - EM": [0.61, _]},
    ),
    "HELM, a group of tables": one(
        "helm.json",
        [{"title": "Accuracy", **TITLED[0]}, {"title": "Efficiency", **TITLED[0]}],
        "apex",
        {"EM": [0.5]},
        how={"sheet": "Accuracy"},
    ),
    "HELM, calibration and toxicity": one(
        "helm.json",
        {
            "header": ["Model", "EM", "ECE (10-bin)", "Toxic fraction", "Denoised inference time (s)"],
            "rows": [["apex", 0.5, 0.1, 0.02, 1.5], ["birch", 0.4, 0.2, 0.01, 0.5]],
        },
        "apex birch",
        {"EM": [0.5, 0.4], "ECE (10-bin)": [0.1, 0.2], "Toxic fraction": [0.02, 0.01]},
        lower="ECE (10-bin)|Toxic fraction",
        left_out="Denoised inference time (s)",
    ),
    "LiveCodeBench": one(
        "lcb.csv",
        "Rank,Model,Pass@1,Easy-Pass@1,Medium-Pass@1,Hard-Pass@1,Estimated Cost\n"
        "1,apex (high),77.1,99.1,89.2,52.5,12.5\n2,birch,65.5,95,70.25,30,1.5\n",
        "apex (high)|birch",
        {
            "Pass@1": [77.1, 65.5],
            "Easy-Pass@1": [99.1, 95],
            "Medium-Pass@1": [89.2, 70.25],
            "Hard-Pass@1": [52.5, 30],
        },
        left_out="Rank|Estimated Cost",
    ),
    "BigCodeBench": one(
        "results.json",
        {
            "apex-70B": {"name": "apex-70B", "link": "https://a", "pass@1": {"complete": 50.5}, "size": 70},
            "birch-8B": {"name": "birch-8B", "link": "https://b", "pass@1": {"complete": 36}, "size": 8},
        },
        "apex-70B birch-8B",
        {"complete": [50.5, 36]},
    ),
    "EuroEval": one(
        "german.csv",
        "rank,model,generative_type,parameters,vocabulary_size,context,commercial,speed,merge,scandeval-nlu,"
        "germeval\n1.12,apex,base,7000,32,8192,True,2000,False,60.25,71\n"
        "1.5,birch,base,800,50,512,False,9000,False,58.5,72\n",
        "apex birch",
        {"scandeval-nlu": [60.25, 58.5], "germeval": [71, 72]},
        left_out="rank|parameters|vocabulary_size|context|speed|commercial|merge",
    ),
    "EuroEval, with intervals": one(
        "german.csv",
        (
            "model,scala-de,squad-de\napex,60.25 ± 1.1 / 70.5 ± 0.9,71.00 ± 0.80\nbirch,58 ± 2 / 69 "
            "± 1,72.00 ± 1.00\n"
        ),
        "apex birch",
        {"squad-de": [71, 72]},
        left_out="scala-de",
    ),
    "AlpacaEval": one(
        "alpaca_eval_gpt4_leaderboard.csv",
        ",win_rate,standard_error,n_wins,n_wins_base,n_draws,n_total,discrete_win_rate,mode,avg_length,"
        "length_controlled_winrate,lc_standard_error\n"
        "apex,50.5,1.4,410,390,5,805,51.24,verified,1854,52.25,0.8\n"
        "birch,22.1,1.2,170,630,5,805,21.43,minimal,1200,28.5,0.6\n",
        "apex birch",
        {
            "win_rate": [50.5, 22.1],
            "discrete_win_rate": [51.24, 21.43],
            "length_controlled_winrate": [52.25, 28.5],
        },
        left_out="standard_error|n_wins|n_wins_base|n_draws|n_total|mode|avg_length|lc_standard_error",
        how={"systems": "rows"},
    ),
    "SWE-bench, a board": one(
        "swe.json",
        [
            {"name": "agent-a", "folder": "2024_a", "resolved": 43.2, "date": "2024-10-22", "oss": True},
            {"name": "agent-b", "folder": "2024_b", "resolved": 26.2, "date": "2024-06-02", "oss": False},
        ],
        "agent-a agent-b",
        {"resolved": [43.2, 26.2]},
        how={"columns": {"value": "resolved"}},
    ),
    "SWE-bench, reports": File(
        {
            "apex.json": {
                "total_instances": 3,
                "resolved_ids": ["d-1"],
                "unresolved_ids": ["d-2"],
                "error_ids": [],
            },
            "birch.json": {"total_instances": 3, "resolved_ids": ["d-1", "d-2"], "unresolved_ids": []},
        },
        "apex birch",
        {"resolved": {"d-1": [1, 1], "d-2": [0, 1]}},
    ),
    "SWE-bench, a report of instances": one(
        "apex.json",
        {
            "d-1": {"patch_is_None": False, "resolved": True},
            "d-2": {"patch_is_None": True, "resolved": False},
        },
        "apex",
        {"resolved": {"d-1": [1], "d-2": [0]}},
    ),
    "a board of speech": one(
        "asr.csv",
        (
            "model,Average WER ⬇️,RTFx ⬆️,License,LS Clean,Voxpopuli\nparrot,6.05,3386,open,1.4,5.5\n"
            "owl,7.44,145,open,2.0,7.0\n"
        ),
        "parrot owl",
        {"Average WER": [6.05, 7.44], "RTFx": [3386, 145], "LS Clean": [1.4, 2], "Voxpopuli": [5.5, 7]},
        lower="Average WER",
    ),
    "a board of hallucinations": one(
        "hal.md",
        (
            "# Board\n\n|Model|Hallucination Rate|Factual Consistency Rate|Answer Rate|Average "
            "Summary Length (Words)|\n"
            "|----|----:|----:|----:|----:|\n|apex|1.3 %|98.7 %|99.9 %|65.9|\n|birch|4.5 %|95.5 "
            "%|100.0 %|83|\n"
        ),
        "apex birch",
        {
            "Hallucination Rate": [1.3, 4.5],
            "Factual Consistency Rate": [98.7, 95.5],
            "Answer Rate": [99.9, 100],
        },
        lower="Hallucination Rate",
        left_out="Average Summary Length (Words)",
    ),
    "a board of pictures": one(
        "t2i.csv",
        "Method,FID ↓,IS ↑,CLIP Score,NFE,Params\nddpm,3.17,9.46,0.31,1000,36M\nedm,1.97,9.84,0.3,35,56M\n",
        "ddpm edm",
        {"FID": [3.17, 1.97], "IS": [9.46, 9.84], "CLIP Score": [0.31, 0.3], "NFE": [1000, 35]},
        lower="FID",
        left_out="Params",
    ),
    "emoji in names": one(
        "board.csv",
        "Model,MMLU\n🟢 apex,70.5\n💬 birch 🏆,60\n",
        "🟢 apex|💬 birch 🏆",
        {"MMLU": [70.5, 60]},
    ),
    "links of HTML": one(
        "board.csv",
        'model,acc\n"<a target=""_blank"" href=""https://h/a"">org/a</a>",0.5\n<a href=x>org/b</a>,0.25\n',
        "org/a org/b",
        {"acc": [0.5, 0.25]},
    ),
    "links of Markdown": one(
        "board.md",
        "| Model | Acc ↑ |\n|:--|--:|\n| [a](https://h/a) | **0.5** |\n| [b](https://h/b) 📑 | 0.25 |\n",
        "a|b 📑",
        {"Acc": [0.5, 0.25]},
    ),
    "the team beside the model": one(
        "board.csv",
        "Name,Model,Accuracy\nTeam X,apex,0.5\nTeam Y,birch,0.25\n",
        "apex birch",
        {"Accuracy": [0.5, 0.25]},
        left_out="Name",
    ),
    "two scores in a cell": one(
        "board.csv",
        "model,url,MNLI-m/mm,QQP\napex,https://a,94.2/92.3,90.1\nbirch,https://b,90.0/89.9,91.5\n",
        "apex birch",
        {"QQP": [90.1, 91.5]},
        left_out="url|MNLI-m/mm",
    ),
    "a totals row": one(
        "board.csv",
        "model,acc\na,0.5\nb,0.25\nTotal,0.375\n",
        "a b",
        {"acc": [0.5, 0.25]},
    ),
    "an Average column": one(
        "board.csv",
        "model,Average,ARC\na,0.5,0.6\nb,0.25,0.2\n",
        "a b",
        {"Average": [0.5, 0.25], "ARC": [0.6, 0.2]},
    ),
    "duplicates, the first": one(
        "board.csv",
        "model,acc\na,0.5\nb,0.25\na,0.75\n",
        "a b",
        {"acc": [0.5, 0.25]},
        how={"on_duplicate": "first"},
    ),
    "duplicates, the best": one(
        "board.csv",
        "model,acc,loss\na,0.5,2\nb,0.25,3\na,0.75,4\n",
        "a b",
        {"acc": [0.75, 0.25], "loss": [2, 3]},
        lower="loss",
        how={"on_duplicate": "best"},
    ),
    "duplicates, the mean": one(
        "board.csv",
        "model,acc\na,0.5\nb,0.25\na,0.75\na,\n",
        "a b",
        {"acc": [0.625, 0.25]},
        how={"on_duplicate": "mean"},
    ),
    "seeds, their mean": one(
        "seeds.csv",
        "model,seed,acc\na,1,0.5\na,2,0.75\nb,1,0.25\nb,2,0.25\n",
        "a b",
        {"acc": [0.625, 0.25]},
        how={"on_duplicate": "mean"},
    ),
    "units in headers": one(
        "board.csv",
        "model,Accuracy [%],latency (ms),VRAM (GB),F1 (macro)\na,50.5,120,16,0.5\nb,25,80,8,0.25\n",
        "a b",
        {"Accuracy [%]": [50.5, 25], "F1 (macro)": [0.5, 0.25]},
        left_out="latency (ms)|VRAM (GB)",
    ),
    "likes and downloads": one(
        "hub.csv",
        (
            "model,likes,downloads,downloads last month,Trending score,MMLU\na,5,1000,100,3,50.5\n"
            "b,500,20,2,7,40\n"
        ),
        "a b",
        {"Trending score": [3, 7], "MMLU": [50.5, 40]},
        left_out="likes|downloads|downloads last month",
    ),
    "energy": one(
        "energy.csv",
        "model,accuracy,energy (Wh),CO2 (g),emissions_kg,gpu_hours\na,0.5,12,3,0.1,5\nb,0.25,6,1,0.05,2\n",
        "a b",
        {"accuracy": [0.5, 0.25]},
        left_out="energy (Wh)|CO2 (g)|emissions_kg|gpu_hours",
    ),
    "prices": one(
        "prices.csv",
        "Model,Quality Index,Input price ($/1M tokens),Output price,Cost per run,Tokens/s,TTFT (s)\n"
        "a,70,2.5,10,0.12,80,0.4\nb,60,0.15,0.6,0.02,150,0.3\n",
        "a b",
        {"Quality Index": [70, 60]},
        left_out="Input price ($/1M tokens)|Output price|Cost per run|Tokens/s|TTFT (s)",
    ),
    "training steps": one(
        "wandb.csv",
        "run,step,epoch,runtime,val/accuracy,val/loss\na,1000,3,3600,0.5,1.25\nb,2000,6,7200,0.75,0.5\n",
        "a b",
        {"val/accuracy": [0.5, 0.75], "val/loss": [1.25, 0.5]},
        lower="val/loss",
        left_out="step|epoch|runtime",
    ),
    "flags beside percentages": one(
        "flags.csv",
        "model,chat,merged,moe,open,MMLU\na,True,False,False,True,50.5\nb,False,False,False,True,60\n",
        "a b",
        {"MMLU": [50.5, 60]},
        left_out="chat|merged|moe|open",
    ),
    # where the smallest is the best
    **{
        f"smallest best: {head}": one(
            "t.csv",
            f"model,acc,{head}\na,0.5,2.5\nb,0.25,1.25\n",
            "a b",
            {"acc": [0.5, 0.25], head: [2.5, 1.25]},
            lower=head,
        )
        for head in (
            "loss",
            "eval_loss",
            "Perplexity",
            "wikitext ppl",
            "WER",
            "CER",
            "ECE",
            "Brier score",
            "RMSE",
            "toxicity",
            "error rate",
            "Word Error Rate",
            "MAE",
            "test error",
            "nll",
            "bits_per_byte",
            "Average WER",
            "ppl_wikitext",
            "WER (clean)",
            "toxic fraction",
            "hallucination_rate",
            "val mse",
            "Avg. FID",
        )
    },
    **{
        f"largest best: {head}": one(
            "t.csv", f"model,{head},F1\na,0.5,1\nb,0.25,2\n", "a b", {head: [0.5, 0.25], "F1": [1, 2]}
        )
        for head in (
            "neg_log_loss",
            "neg_mean_squared_error",
            "1-WER",
            "WER reduction",
            "error detection accuracy",
            "toxicity accuracy",
            "Mean Reciprocal Rank",
        )
    },
    "latency, the only column": one(
        "t.csv",
        "model,latency_ms\na,12\nb,8\n",
        "a b",
        {"latency_ms": [12, 8]},
        lower="latency_ms",
        how={"columns": {"value": "latency_ms"}},
    ),
    "ranks, the only column": one(
        "t.csv", "model,final_ranking\na,1\nb,2\n", "a b", {"final_ranking": [1, 2]}, lower="final_ranking"
    ),
    "smallest best, as the user says": one(
        "t.csv",
        "model,place of finish\na,1\nb,2\n",
        "a b",
        {"place of finish": [1, 2]},
        lower="place of finish",
        how={"lower_is_better": ["place of finish"]},
    ),
    "errors and their rate are no standard errors": one(
        "t.csv",
        "model,acc,errors\na,0.5,12\nb,0.25,30\n",
        "a b",
        {"acc": [0.5, 0.25], "errors": [12, 30]},
        lower="errors",
    ),
    # evaluations
    "lm-evaluation-harness, a result": one(
        "results_2024-05-01T10-00-00.json",
        {
            "results": {
                "arc_easy": {
                    "alias": "arc_easy",
                    "acc,none": 0.5,
                    "acc_stderr,none": 0.01,
                    "acc_norm,none": 0.45,
                },
                "wikitext": {
                    "alias": "wikitext",
                    "word_perplexity,none": 12.5,
                    "word_perplexity_stderr,none": "N/A",
                },
            },
            "config": {"model": "hf", "model_args": "pretrained=org/apex,dtype=bfloat16"},
            "versions": {"arc_easy": 1.0},
        },
        "org/apex",
        {"arc_easy/acc": [0.5], "arc_easy/acc_norm": [0.45], "wikitext/word_perplexity": [12.5]},
        lower="wikitext/word_perplexity",
    ),
    "lm-evaluation-harness, a folder": File(
        {
            f"out/{org}__{model}/results_2024-05-0{day}T10-00-00.json": {
                "results": {
                    "gsm8k": {"exact_match,strict-match": v, "exact_match_stderr,strict-match": 0.01}
                },
                "model_name": f"{org}/{model}",
                "configs": {},
            }
            for org, model, day, v in (("o", "apex", 1, 0.5), ("p", "birch", 2, 0.25))
        },
        "o/apex p/birch",
        {"gsm8k/exact_match,strict-match": [0.5, 0.25]},
    ),
    "lm-evaluation-harness, samples": File(
        {
            f"{model}/samples_boolq_2024-05-01T10-00-00.{k}.jsonl": "".join(
                json.dumps(each | {"acc": each["acc"] * k}) + "\n" for each in SAMPLES
            )
            for k, model in ((1, "apex"), (0, "birch"))
        },
        "apex birch",
        {"boolq/acc": {"boolq/0": [1, 0], "boolq/1": [0, 0], "boolq/2": [1, 0]}},
    ),
    "Inspect": one(
        "log.json",
        {
            "version": 2,
            "status": "success",
            "eval": {"model": "openai/apex", "task": "gsm8k"},
            "samples": [
                {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}},
                {"id": 2, "epoch": 1, "scores": {"match": {"value": "I"}}},
                {"id": 3, "epoch": 1, "scores": {"match": {"value": 0.5}}},
            ],
        },
        "openai/apex",
        {"match": {"1": [1], "2": [0], "3": [0.5]}},
    ),
    "Inspect, means": one(
        "log.json",
        {
            "status": "success",
            "eval": {"model": "m", "task": "t"},
            "results": {
                "scores": [
                    {"name": "match", "metrics": {"accuracy": {"value": 0.75}, "stderr": {"value": 0.1}}}
                ]
            },
        },
        "m",
        {"match/accuracy": [0.75]},
    ),
    "records of an evaluation": one(
        "samples.jsonl",
        "".join(
            json.dumps({"model": m, "question_id": q, "correct": c, "latency_s": s}) + "\n"
            for m, q, c, s in (
                ("a", 1, True, 0.5),
                ("a", 2, False, 0.25),
                ("b", 1, True, 0.1),
                ("b", 2, True, 0.3),
            )
        ),
        "a b",
        {"correct": {"1": [1, 1], "2": [0, 1]}},
        left_out="latency_s",
    ),
    "one answer a line, the file is the system": one(
        "apex.jsonl",
        (
            '{"question_id": "q1", "correct": true, "latency": 1.5}\n{"question_id": "q2", '
            '"correct": false, "latency": 2.5}\n'
        ),
        "apex",
        {"correct": {"q1": [1], "q2": [0]}},
        left_out="latency",
    ),
    # retrieval
    "trec_eval -q": one(
        "bm25.eval",
        TREC.format("bm25", "0.2000", "0.4000", "0.3000"),
        "bm25",
        {"map": {"1": [0.2], "2": [0.4]}, "P_10": {"1": [0.5], "2": [0.3]}},
    ),
    "trec_eval, a folder": File(
        {f"{r}.eval": TREC.format(r, a, b, m) for r, a, b, m in (("x", 0.2, 0.4, 0.3), ("y", 0.1, 0.3, 0.2))},
        "x y",
        {"map": {"1": [0.2, 0.1], "2": [0.4, 0.3]}, "P_10": {"1": [0.5, 0.5], "2": [0.3, 0.3]}},
    ),
    "trec_eval, means": one(
        "bm25.txt",
        (
            "runid                 \tall\tbm25\nmap                   \tall\t0.2500\nnum_q           "
            "      \tall\t50\n"
        ),
        "bm25",
        {"map": [0.25]},
    ),
    "ir_measures -q": one(
        "bm25.txt",
        "1\tAP\t0.5\n2\tAP\t0.25\n1\tnDCG@10\t0.4\n2\tnDCG@10\t0.2\nall\tAP\t0.3750\nall\tnDCG@10\t0.3\n",
        "bm25",
        {"AP": {"1": [0.5], "2": [0.25]}, "nDCG@10": {"1": [0.4], "2": [0.2]}},
    ),
    "ir_measures": one("bm25.txt", "AP\t0.5\nnDCG@10\t0.25\n", "bm25", {"AP": [0.5], "nDCG@10": [0.25]}),
    "tot": one(
        "tot.txt",
        "bm25 AP 1 0.5\nbm25 AP 2 0.25\nrm3 AP 1 0.4\nrm3 AP 2 0.2\n",
        "bm25 rm3",
        {"AP": {"1": [0.5, 0.4], "2": [0.25, 0.2]}},
    ),
    "PyTerrier": one(
        "pt.csv",
        "name,map,recip_rank,mrt\nbm25,0.2,0.5,12\nrm3,0.25,0.4,30\n",
        "bm25 rm3",
        {"map": [0.2, 0.25], "recip_rank": [0.5, 0.4]},
        left_out="mrt",
    ),
    "PyTerrier, by topic": one(
        "pt.csv",
        "name,qid,measure,value\nbm25,1,map,0.5\nbm25,2,map,0.25\nrm3,1,map,0.4\nrm3,2,map,0.2\n",
        "bm25 rm3",
        {"map": {"1": [0.5, 0.4], "2": [0.25, 0.2]}},
    ),
    "ranx": one(
        "ranx.json",
        {"bm25": {"scores": {"map": 0.5, "mrr": 0.25}}, "rm3": {"scores": {"map": 0.4, "mrr": 0.5}}},
        "bm25 rm3",
        {"map": [0.5, 0.4], "mrr": [0.25, 0.5]},
    ),
    # translation
    "WMT, systems": one(
        "en-de.sys.score",
        "ONLINE-A\t-0.5\nONLINE-B\t0.25\nrefA\tNone\n",
        "ONLINE-A ONLINE-B refA",
        {"value": [-0.5, 0.25, _]},
    ),
    "WMT, segments": one(
        "en-de.seg.score",
        "A\t-1\nA\t-5\nB\t0\nB\tNone\n",
        "A B",
        {"en-de.seg.score": {"0": [-1, 0], "1": [-5, _]}},
    ),
    "MQM": one(
        "mqm.csv",
        "system,seg_id,score\nA,1,-5\nA,2,0\nB,1,-1\nB,2,-25\n",
        "A B",
        {"mqm": {"1": [-5, -1], "2": [0, -25]}},
    ),
    "a paper on translation": one(
        "t.tsv",
        "System\tBLEU ↑\tTER ↓\tCOMET\tMQM ↓\nA\t30.1\t0.5\t0.81\t3.5\nB\t28\t0.6\t0.83\t2.5\n",
        "A B",
        {"BLEU": [30.1, 28], "TER": [0.5, 0.6], "COMET": [0.81, 0.83], "MQM": [3.5, 2.5]},
        lower="TER|MQM",
    ),
    "human judgements": one(
        "human.csv",
        "system,z-score,raw,n\nA,0.25,70.5,800\nB,-0.125,65,790\n",
        "A B",
        {"z-score": [0.25, -0.125], "raw": [70.5, 65]},
        left_out="n",
    ),
    # spreadsheets and texts
    "semicolons and decimal commas": one(
        "t.csv",
        "Modell;Genauigkeit;F1\nA;88,7;0,5\nB;87,1;0,25\n",
        "A B",
        {"Genauigkeit": [88.7, 87.1], "F1": [0.5, 0.25]},
    ),
    "thousands and decimal commas": one(
        "t.csv", "Modell;Punkte\nA;1.234,5\nB;987,25\n", "A B", {"Punkte": [1234.5, 987.25]}
    ),
    "thousands in quotes": one(
        "t.csv",
        'model,Elo,acc\na,"1,234",0.5\nb,"1,187",0.25\n',
        "a b",
        {"Elo": [1234, 1187], "acc": [0.5, 0.25]},
    ),
    "tabs": one("t.tsv", "model\tacc\na\t0.5\nb\t0.25\n", "a b", {"acc": [0.5, 0.25]}),
    "a byte order mark": one(
        "t.csv", "\ufeffmodel,acc\r\na,0.5\r\nb,0.25\r\n".encode(), "a b", {"acc": [0.5, 0.25]}
    ),
    "Excel says how it is cut": one(
        "t.csv", "sep=;\nModell;acc\na;0,5\nb;0,25\n", "a b", {"acc": [0.5, 0.25]}
    ),
    "percent signs": one("t.csv", "model,acc\na,88.7%\nb,87.1 %\n", "a b", {"acc": [88.7, 87.1]}),
    "footnote marks": one(
        "t.csv",
        "model,acc,F1\na,0.81*,0.5†\nb,**0.79**,0.25\n",
        "a b",
        {"acc": [0.81, 0.79], "F1": [0.5, 0.25]},
    ),
    "words for what is missing": one(
        "t.csv",
        "model,A,B\na,N/A,1.5\nb,2.5,-\nc,—,n/a\nd,1,2\n",
        "a b c d",
        {"A": [_, 2.5, _, 1], "B": [1.5, _, _, 2]},
    ),
    "empty cells": one("t.csv", "model,A,B\na,,1.5\nb,2.5,\n", "a b", {"A": [_, 2.5], "B": [1.5, _]}),
    "spreads": one("t.csv", "model,acc\na,0.81 ± 0.02\nb,0.79 ± 0.03\n", "a b", {"acc": [0.81, 0.79]}),
    "an index": one("t.csv", ",model,acc\n0,a,0.5\n1,b,0.25\n", "a b", {"acc": [0.5, 0.25]}, left_out=""),
    "an index that was filtered": one(
        "t.csv", ",model,acc\n7,a,0.5\n3,b,0.25\n", "a b", {"acc": [0.5, 0.25]}
    ),
    "scientific notation": one(
        "t.csv", "model,likelihood\na,1e-3\nb,2.5E-4\n", "a b", {"likelihood": [0.001, 0.00025]}
    ),
    "French words": one("t.csv", "modèle;précision\na;0,5\nb;0,25\n", "a b", {"précision": [0.5, 0.25]}),
    # wide and long
    "annotators": one(
        "t.csv",
        "model,annotator_1,annotator_2\na,4,5\nb,2,1\nc,3,3\n",
        "a b c",
        {"annotator_1": [4, 2, 3], "annotator_2": [5, 1, 3]},
    ),
    "topics in rows": one(
        "t.csv",
        "qid,bm25,rm3\n401,0.5,0.4\n402,0.25,0.2\n",
        "bm25 rm3",
        {"t": {"401": [0.5, 0.4], "402": [0.25, 0.2]}},
    ),
    "topics in columns": one(
        "t.csv",
        "run,401,402,mean\nbm25,0.5,0.25,0.375\nrm3,0.4,0.2,0.3\n",
        "bm25 rm3",
        {"t": {"401": [0.5, 0.4], "402": [0.25, 0.2]}},
    ),
    "long": one(
        "t.csv",
        "model,task,score\na,MMLU,0.5\na,ARC,0.25\nb,MMLU,0.4\nb,ARC,0.2\n",
        "a b",
        {"MMLU": [0.5, 0.4], "ARC": [0.25, 0.2]},
    ),
    "long with a metric to minimise": one(
        "t.csv",
        "model,metric,value\na,acc,0.5\na,loss,1.5\nb,acc,0.25\nb,loss,0.75\n",
        "a b",
        {"acc": [0.5, 0.25], "loss": [1.5, 0.75]},
        lower="loss",
    ),
    "benchmarks in rows": one(
        "t.csv",
        "Benchmark,apex,birch\nMMLU,71.5,64\nGSM8K,55,60\n",
        "apex birch",
        {"MMLU": [71.5, 64], "GSM8K": [55, 60]},
    ),
    "benchmarks in rows, with parameters": one(
        "t.csv",
        "Benchmark,apex,birch\nMMLU,71.5,64\nGSM8K,55,60\nppl,8.5,9\n",
        "apex birch",
        {"MMLU": [71.5, 64], "GSM8K": [55, 60], "ppl": [8.5, 9]},
        lower="ppl",
    ),
    # pandas
    **{
        f"pandas to_json, {orient}": one("b.json", BOARD.to_json(orient=orient), **OF_BOARD)
        for orient in ("records", "columns", "index", "split", "table")
    },
    "pandas to_json, lines": one("b.jsonl", BOARD.to_json(orient="records", lines=True), **OF_BOARD),
    "pandas to_json, models as index": one(
        "b.json", BOARD.set_index("model").to_json(orient="index"), **OF_BOARD, how={"systems": "rows"}
    ),
    "pandas to_json, models as index, split": one(
        "b.json", BOARD.set_index("model").to_json(orient="split"), **OF_BOARD, how={"systems": "rows"}
    ),
    "pandas to_csv": one("b.csv", BOARD.to_csv(), **OF_BOARD),
    "pandas to_markdown": one(
        "b.md",
        (
            "|    | model   |   MMLU |   GSM8K |\n|---:|:--------|-------:|--------:|\n|  0 | apex   "
            " |  71.5  |    55   |\n|  1 | birch   |  64.25 |    60.5 |\n|  2 | cedar   |  80    |   "
            "nan   |\n"
        ),
        **OF_BOARD,
    ),
    "parquet": one("b.parquet", packed("to_parquet", BOARD), **OF_BOARD),
    "parquet, models as index": one("b.parquet", packed("to_parquet", BOARD.set_index("model")), **OF_BOARD),
    "feather": one("b.feather", packed("to_feather", BOARD), **OF_BOARD),
    "feather, not packed": one(
        "b.feather", packed("to_feather", BOARD, compression="uncompressed"), **OF_BOARD
    ),
    "a workbook": one("b.xlsx", packed("to_excel", BOARD, index=False), **OF_BOARD),
    "a workbook with an index": one("b.xlsx", packed("to_excel", BOARD), **OF_BOARD),
    "a workbook with a sheet of words": one(
        "b.xlsx",
        book(About=[["Made by hand"], ["ask us"]], Data=[["Model", "acc"], ["a", 0.5], ["b", 0.25]]),
        "a b",
        {"acc": [0.5, 0.25]},
    ),
    "a workbook with a title": one(
        "b.xlsx",
        book(Data=[["Results", None], ["Model", "acc"], ["a", 0.5], ["b", 0.25]]),
        "a b",
        {"acc": [0.5, 0.25]},
    ),
    "a workbook with text for numbers": one(
        "b.xlsx",
        book(Data=[["Modell", "Wert", "F1"], ["a", "0,5", "88,7 %"], ["b", "0,25", "70,1 %"]]),
        "a b",
        {"Wert": [0.5, 0.25], "F1": [88.7, 70.1]},
    ),
    "truth in JSON": one("b.json", BOOLS.to_json(orient="records"), **OF_BOOLS),
    "truth in JSON lines": one("b.jsonl", BOOLS.to_json(orient="records", lines=True), **OF_BOOLS),
    "truth in parquet": one("b.parquet", packed("to_parquet", BOOLS), **OF_BOOLS),
    "truth in feather": one("b.feather", packed("to_feather", BOOLS), **OF_BOOLS),
    "truth in a workbook": one("b.xlsx", packed("to_excel", BOOLS, index=False), **OF_BOOLS),
    "truth in CSV": one("b.csv", BOOLS.to_csv(index=False), **OF_BOOLS),
    # JSON as people have it
    "models, then tasks": one(
        "r.json",
        {"apex": {"mmlu": 0.5, "acc": 0.25}, "birch": {"mmlu": 0.4, "acc": 0.2}},
        "apex birch",
        {"mmlu": [0.5, 0.4], "acc": [0.25, 0.2]},
        how={"systems": "rows"},
    ),
    "tasks, then models": one(
        "r.json",
        {"AP": {"apex": 0.5, "birch": 0.25}, "nDCG": {"apex": 0.4, "birch": 0.2}},
        "apex birch",
        {"AP": [0.5, 0.25], "nDCG": [0.4, 0.2]},
    ),
    "numbers as text": one(
        "r.json",
        [{"model": "a", "acc": "88.7%", "elo": "1,234.5"}, {"model": "b", "acc": "80 %", "elo": "1,100.25"}],
        "a b",
        {"acc": [88.7, 80], "elo": [1234.5, 1100.25]},
    ),
    "columns of lists": one("r.json", {"model": ["a", "b"], "acc": [0.5, 0.25]}, "a b", {"acc": [0.5, 0.25]}),
    "one level of nesting": one(
        "r.json",
        [{"model": "a", "scores": {"acc": 0.5, "f1": 0.4}}, {"model": "b", "scores": {"acc": 0.25}}],
        "a b",
        {"acc": [0.5, 0.25], "f1": [0.4, _]},
    ),
    "systems and a number": one("r.json", {"a": 0.5, "b": 0.25}, "a b", {"r": [0.5, 0.25]}),
    # order
    "names in order": one("o.txt", "apex\nbirch\ncedar\n", "apex birch cedar", {"o": [3, 2, 1]}),
    "names in order with ties": one(
        "o.txt", "apex\n(birch cedar)\nelm\n", "apex birch cedar elm", {"o": [3, 2, 2, 1]}
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_gives_what_it_holds(kind, tmp_path):
    """Systems, measures and scores are those of the file, and the note names what was left out."""
    case = FILES[kind]
    found = cd.read_scores(written(tmp_path, case.files), **case.how)
    assert list(found.systems) == parted(case.systems)
    assert list(found.measures) == list(case.scores)
    assert found.lower_is_better == set(case.lower.split("|") if case.lower else ())
    for measure, own in case.scores.items():
        sign = -1 if measure in found.lower_is_better else 1
        by_topic = own if isinstance(own, dict) else {"all": own}
        rows = [[math.nan if cell is None else sign * cell for cell in row] for row in by_topic.values()]
        assert list(found.topics) == list(by_topic)
        np.testing.assert_array_equal(found.select(measures=[measure]).values[0], rows)
    told = " ".join(map(str, found.notes))
    for name in (case.left_out or "").split("|"):
        assert name in found.source.left_out or not name
        assert name in told or len(found.source.left_out) > 8
    for name in found.measures if len(found.measures) <= 3 and found.topics == ("all",) else ():
        assert name in told or not found.source.named


def test_there_are_enough_files():
    assert len(FILES) >= 120


NAMES = ["llama-2-7b", "llama-3.1-8b", "meta-llama/Meta-Llama-3-70B-Instruct", "gpt-4-0613"]
OTHERS = ["Llama 27B", "Llama-3-1-8B", "Llama 3 70B Instruct", "GPT-4 (0613)"]
GAPS = "model,Elo,MMLU,WER\na,1200,0.5,0.3\nb,1100,0.4,\nc,1000,,0.1\nd,900,0.6,0.2\ne,,0.3,0.5\n"
SIX = "model,{}\n" + "".join(f"{name},{{}}\n" for name in "abcdef")
TOPICS = ["topic,a,b,c\n", "1,0.9,0.5,0.1\n2,0.8,0.5,0.2\n", "3,0.1,0.5,0.9\n4,0.0,0.2,0.9\n"]
MQM = "system,seg_id,score\nA,1,-5\nA,2,0\nB,1,-1\nB,2,-25\nC,1,-2\n"
METRIC = "system,seg_id,score\nA,1,0.5\nA,2,0.9\nB,1,0.8\nB,2,0.1\nC,1,0.7\nC,2,0.6\n"
SCALE = "model,human,gpt,likes\na,4.5,3.5,10\nb,3.5,4,500\nc,2.5,1,20\nd,1.5,2,3\n"

# For each: the files, the command, tau_b and n of each row of the answer (counted by hand), and what is told.
ANSWERS: dict[str, tuple[dict[str, str], str, dict[str, tuple[float, int]], list[str]]] = {
    # Only segment 1 is left: -5, -1, -2 and 0.5, 0.8, 0.7 have the same order.
    "2, a missing score of MQM is not 0": (
        {"mqm.csv": MQM, "metric.csv": METRIC},
        "correlate mqm.csv metric.csv --on-missing drop",
        {"metric": (1, 3)},
        ["dropped 1 topic that not all systems answered: 2"],
    ),
    # a and b: 1200 > 1100 and 0.5 > 0.4; d has the least Elo and the most MMLU: 1 pair of 3 agrees.
    "2, a missing Elo is not 0": (
        {"gaps.csv": GAPS},
        "correlate gaps.csv -x Elo -y MMLU",
        {"MMLU": (-1 / 3, 3)},
        ["left out 1 model without MMLU: c"],
    ),
    "3, likes are no benchmark": (
        {"scale.csv": SCALE},
        "correlate scale.csv -x human -y gpt",
        {"gpt": (2 / 6, 4)},  # a and b, c and d in the other order
        ["4 models, 2 measures (human, gpt); left out: likes"],
    ),
    # Of a, d, e both have scores, in the same order: 0.6 > 0.5 > 0.3 and 0.2 < 0.3 < 0.5.
    "4 and 8, missing cells and a direction": (
        {"gaps.csv": GAPS},
        "correlate gaps.csv -x MMLU -y WER",
        {"WER": (1, 3)},
        ["the smallest WER is the best"],
    ),
    # e1 shares a, b, c: 1 pair of 3 agrees; e2 shares b, c, d, all in the other order; all share b and c.
    "5, each estimate on what it shares": (
        {
            "r.csv": "model,s\na,4.5\nb,3\nc,2\nd,1\n",
            "e1.csv": "model,s\na,4\nb,3\nc,5\n",
            "e2.csv": "model,s\nb,1.5\nc,2\nd,3.5\nz,1\n",
        },
        "correlate r.csv e1.csv e2.csv --on-missing drop",
        {"e1": (-1 / 3, 3), "e2": (-1, 3)},
        ["each two rankings are compared on the systems that both have: 3 of 5 with reference; all have 2"],
    ),
    # Means of the whole: c 0.525, a 0.45, b 0.425; of the half: a 0.85, b 0.5, c 0.15; of the rest: c, b, a.
    "6, half of the items": (
        {"full.csv": "".join(TOPICS), "half.csv": "".join(TOPICS[:2])},
        "correlate full.csv half.csv",
        {"half": (-1 / 3, 3), "half against the rest": (-1, 3)},
        ["one side is a part of the other, 2 of 4 topics with the same scores"],
    ),
    "8, nearly the opposite order": (
        {"one.csv": SIX.format("x", *"123456"), "two.csv": SIX.format("y", 9, 8, 7.5, 4, 3, 2)},
        "correlate one.csv two.csv",
        {"two": (-1, 6)},
        ["is the smallest x or y the best on one side?"],
    ),
    # Scores 1 to 4 and 1, 2, 3, 5; "llama-2-7b" and "Llama 27B" stay apart.
    "9, names that are written in another way": (
        {
            "a.csv": "model,s\n" + "".join(f"{name},{k + 0.5}\n" for k, name in enumerate(NAMES)),
            "b.csv": "model,s\n" + "".join(f"{name},{k + 1.5}\n" for k, name in enumerate(OTHERS)),
        },
        "correlate a.csv b.csv --match loose --on-missing drop --unmatched names.csv",
        {"b": (1, 3)},
        ["dropped 2 models that are missing on at least one side: llama-2-7b, Llama 27B"],
    ),
    "11, ranks as scores are noticed": (
        {"r.csv": SIX.format("place in list", *"123456"), "s.csv": SIX.format("s", *"654321")},
        "correlate r.csv s.csv",
        {"s": (-1, 6)},
        ["place in list is 1 to 6, as ranks are", "--lower-is-better"],
    ),
    "11, and turned round": (
        {"r.csv": SIX.format("place in list", *"123456"), "s.csv": SIX.format("s", *"654321")},
        "correlate r.csv s.csv --lower-is-better place_in_list",
        {"s": (1, 6)},
        ["the smallest place in list is the best"],
    ),
    "the measure of one side": (
        {"scale.csv": SCALE, "other.csv": "model,gpt,claude\na,4,1\nb,3,2.5\nc,2,3\nd,1,4\n"},
        "correlate scale.csv other.csv -m reference:human -m other:claude",
        {"other": (-1, 4)},
        ["4 models"],
    ),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_answers_are_those_counted_by_hand(kind, tmp_path):
    """The value and the number of systems of each row, and the note that tells what was done."""
    files, command, expected, told = ANSWERS[kind]
    written(tmp_path, files)
    words = [word.replace("_in_", " in ").replace("place_", "place ") for word in command.split()]
    done = run(*words, "-c", "tau_b", "--no-interval", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    rows = {row["estimate"]: row for row in answer["tables"]["agreement"]}
    assert {name: row["n"] for name, row in rows.items()} == {name: n for name, (_v, n) in expected.items()}
    for name, (value, _n) in expected.items():
        assert rows[name]["value"] == pytest.approx(value, abs=1e-12)
    notes = " | ".join(f"{note['subject']}: {note['text']}" for note in answer["notes"])
    for text in told:
        assert text in notes + " ".join(answer["verdict"])
    if "--unmatched" in command:
        assert (tmp_path / "names.csv").read_text() == "Llama 27B,llama-2-7b\n"


def test_a_matrix_uses_what_each_pair_has(tmp_path):
    """Each cell has its own number of models; a reference of plain Python gives the same values."""
    (tmp_path / "gaps.csv").write_text(GAPS)
    tables = json.loads(run("matrix", "gaps.csv", "-c", "tau_b", "--format", "json", cwd=tmp_path).stdout)[
        "tables"
    ]
    frame = pd.read_csv(tmp_path / "gaps.csv").assign(WER=lambda own: -own["WER"])
    for cell, n in zip(tables["matrix"], tables["systems"], strict=True):
        both = frame[[cell["reference"], cell["estimate"]]].dropna()
        x, y = both.iloc[:, 0], both.iloc[:, -1]
        assert cell["value"] == pytest.approx(stats.kendalltau(x, y).statistic)
        assert n["value"] == len(both)


def test_a_matrix_of_files_keeps_what_only_one_file_has(tmp_path):
    """x and y of one.csv order a, b, c, d alike but for c and d, 5 of 6 pairs; two.csv has a and b."""
    (tmp_path / "one.csv").write_text("model,x,y\na,4.5,4\nb,3,3\nc,2,1\nd,1,2\n")
    (tmp_path / "two.csv").write_text("model,z\na,1\nb,2\ne,3\n")
    done = run("matrix", "one.csv", "two.csv", "--on-missing", "drop", "-c", "tau_b", cwd=tmp_path)
    assert done.stdout.splitlines()[4:9] == [
        "reference  one x        one y        two",
        "---------  -----------  -----------  -----------",
        "one x       1.00 █ (4)   0.67 ▓ (4)  -1.00   (2)",
        "one y       0.67 ▓ (4)   1.00 █ (4)  -1.00   (2)",
        "two        -1.00   (2)  -1.00   (2)   1.00 █ (3)",
    ]
    assert "one x and one y agree most (tau_b 0.67, n = 4), 2 pairs least (-1.00)" in done.stdout


def test_an_estimate_without_a_common_model_is_left_out(tmp_path):
    """x shares a, b, c with the reference, 2 of 3 pairs in the same order; y shares none, z one."""
    files = {"r": "a,1\nb,2\nc,3.5\n", "x": "a,1\nb,3\nc,2.5\n", "y": "d,1\ne,2\n", "z": "a,1\nd,2\n"}
    for name, rows in files.items():
        (tmp_path / f"{name}.csv").write_text(f"model,s\n{rows}")
    how = ("--on-missing", "drop", "-c", "tau_b", "--format", "json")
    answer = json.loads(run("correlate", *(f"{name}.csv" for name in files), *how, cwd=tmp_path).stdout)
    rows = {row["estimate"]: (row["value"], row["n"]) for row in answer["tables"]["agreement"]}
    assert rows == {"x": (pytest.approx(1 / 3), 3)}
    told = [f"{note['subject']}: {note['text']}" for note in answer["notes"]]
    for name in "yz":
        assert f"{name}: left out: fewer than two models have a score on both sides by s" in told
    estimates = {name: tmp_path / f"{name}.csv" for name in "xyz"}
    study = cd.Study(tmp_path / "r.csv", estimates, on_missing="drop")
    assert [(each.name, len(each.reference.systems)) for each in study.pairings] == [("x", 3)]


def test_zero_is_not_proposed_where_it_is_the_best_score(tmp_path):
    written(tmp_path, {"mqm.csv": MQM, "metric.csv": METRIC})
    done = run("correlate", "mqm.csv", "metric.csv", "--on-missing", "error", cwd=tmp_path)
    assert done.stderr.endswith("for topic '2'; leave out the topic with --on-missing drop\n")


# For each: the files, the command, and the sentence, of which only the end may be left off.
REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a missing score of MQM": (
        {"mqm.csv": MQM, "metric.csv": METRIC},
        "correlate mqm.csv metric.csv --on-missing zero",
        (
            "reference has no score of system 'C' for topic '2'; the lowest score is -25, so that 0 "
            "is not the score of a "
            "failure; leave it out with --on-missing drop"
        ),
    ),
    "no names in common": (
        {"a.csv": "model,s\na,1\nb,2\n", "b.csv": "model,s\nx,1\ny,2\n"},
        "correlate a.csv b.csv",
        (
            "no system is in common: reference has a, b; b has x, y; pair the names in a file for "
            "--rename; --unmatched "
            "proposes one"
        ),
    ),
    "a column given twice": (
        {"a.csv": "model,s\na,1\nb,2\n", "b.csv": "model,p,q\na,1,2\nb,2,3\n"},
        "correlate a.csv b.csv --columns b.csv:value=p --columns b.csv:value=q",
        "--columns: value=p and value=q for the same table; give one of them",
    ),
    "rows told apart by a column, which is not the rank": (
        {"a.csv": "Rank,Model,Dataset,Score\n1,a,x,0.5\n2,a,y,0.4\n3,b,x,0.3\n4,b,y,0.2\n"},
        "matrix a.csv",
        (
            "a.csv:3: system 'a' has two scores by Score, first in line 2; 'Dataset' tells the rows apart: "
            "say what it holds with "
            "--columns, measure=Dataset or topic=Dataset"
        ),
    ),
    "benchmarks of two directions": (
        {"a.csv": "Dataset,a,b\nMMLU,0.5,0.6\nWER,0.1,0.2\n"},
        "matrix a.csv --systems columns",
        (
            "a.csv: the smallest 'WER' is the best, and the rows would be averaged: take it out of "
            "the table, or compare "
            "the rows one by one with --columns measure=Dataset"
        ),
    ),
    "benchmarks of two scales": (
        {"a.csv": "model,MMLU,ARC,heads\na,50.5,60,4096\nb,40,30,1024\n", "b.csv": "model,s\na,1\nb,2\n"},
        "correlate a.csv b.csv --headers topics",
        (
            "a.csv: 'heads' has scores up to 4096, most others have up to 60, and the columns "
            "would be averaged: take it "
            "out of the table, or compare the columns one by one with --headers measures"
        ),
    ),
    "a word among numbers": (
        {"a.csv": "model,acc\na,0.5\nb,good\n"},
        "matrix a.csv",
        "a.csv:3: column 'acc': 'good' is not a number",
    ),
    "UTF-16": (
        {"a.csv": "model,acc\na,0.5\n".encode("utf-16")},
        "matrix a.csv",
        "a.csv:1: the text is UTF-16; save it as UTF-8",
    ),
    "Latin-1": (
        {"a.csv": "model,acc\nä,0.5\n".encode("latin-1")},
        "matrix a.csv",
        "a.csv:2: byte 0xe4 is not UTF-8; convert the file, for example with iconv",
    ),
    "no file": ({"b.csv": ""}, "matrix a.csv", "a.csv: "),
    "an empty file": ({"a.csv": ""}, "matrix a.csv", "a.csv: is empty"),
    "a header and no rows": ({"a.csv": "model,acc\n"}, "matrix a.csv", "a.csv: "),
    "a row that is too short": ({"a.csv": "model,acc,f1\na,0.5,0.4\nb,0.5\n"}, "matrix a.csv", "a.csv:3: "),
    "a row that is too long": ({"a.csv": "model,acc\na,0.5\nb,0.5,7\n"}, "matrix a.csv", "a.csv:3: "),
    "an open quote": ({"a.csv": 'model,acc\na,0.5\n"b,0.25\n'}, "matrix a.csv", "a.csv:3: "),
    "a zero byte": (
        {"a.csv": b"model,acc\na,0.5\x00\n"},
        "matrix a.csv",
        "a.csv:2: holds a zero byte; this is not a text file",
    ),
    "broken JSON": ({"a.json": '[{"model": "a", "acc": 0.5},'}, "matrix a.json", "a.json:1: broken JSON: "),
    "a broken line": (
        {"a.jsonl": '{"model": "a", "acc": 0.5}\n{"model": "b", "acc": }\n'},
        "matrix a.jsonl",
        "a.jsonl:2: broken JSON: ",
    ),
    "rows without names": (
        {"a.json": [["a", 0.5], ["b", 0.25]]},
        "matrix a.json",
        "a.json: expected a list of objects",
    ),
    "half a parquet file": (
        {"a.parquet": packed("to_parquet", BOARD)[:300]},
        "matrix a.parquet",
        "a.parquet: is not a parquet file that can be read",
    ),
    "half a feather file": (
        {"a.feather": packed("to_feather", BOARD)[:200]},
        "matrix a.feather",
        "a.feather: is not an Arrow file that can be read",
    ),
    "half a workbook": (
        {"a.xlsx": packed("to_excel", BOARD)[:900]},
        "matrix a.xlsx",
        "a.xlsx: is a workbook that cannot be read",
    ),
    "two sheets of numbers": (
        {"a.xlsx": book(A=[["model", "x"], ["a", 1]], B=[["model", "x"], ["a", 2]])},
        "matrix a.xlsx",
        "a.xlsx: has several sheets: A, B; say which with --sheet A",
    ),
    "a run": (
        {"a.run": "1 Q0 d1 1 9.5 bm25\n1 Q0 d2 2 8.5 bm25\n"},
        "matrix a.run",
        "a.run:1: this is a run, not a table of scores",
    ),
    "judgements": (
        {"a.qrels": "1 0 d1 1\n1 0 d2 0\n"},
        "matrix a.qrels",
        "a.qrels:1: this looks like judgements (qrels), not a table of scores",
    ),
    "means that do not fit": (
        {"a.txt": TREC.format("x", 0.2, 0.4, 0.9)},
        "matrix a.txt",
        "a.txt:7: map of topic 'all' is 0.9, the mean of the 2 topics is 0.3000; lines are missing",
    ),
    "columns cut by spaces": (
        {"a.txt": "model   acc   f1\na       0.5   0.4\nb       0.25  0.3\n"},
        "matrix a.txt",
        "a.txt:1: cannot tell the format of ",
    ),
    "an evaluation that failed": (
        {"a.json": {"status": "error", "eval": {"model": "m", "task": "t"}}},
        "matrix a.json",
        "a.json: the evaluation has the status 'error'; run it again",
    ),
    "a harness without results": (
        {"a.json": {"results": {"arc": {"acc,none": "x"}}, "config": {}}},
        "matrix a.json",
        "a.json: no column holds scores; ",
    ),
    "commas that may be either": (
        {"a.csv": 'model,Elo\na,"1,234"\nb,"1,100"\n'},
        "matrix a.csv",
        "a.csv:2: column 'Elo': '1,234' has a comma; is it a decimal comma",
    ),
    "two columns of one name": (
        {"a.csv": "model,acc,acc\na,1,2\n"},
        "matrix a.csv",
        "a.csv:1: column 'acc' is in the header twice",
    ),
    "an infinite score": (
        {"a.csv": "model,acc\na,1\nb,-inf\n"},
        "matrix a.csv",
        "a.csv:3: column 'acc': '-inf' is not finite",
    ),
    "a model twice": (
        {"a.csv": "model,acc\na,1\na,2\n"},
        "matrix a.csv",
        (
            "a.csv:3: system 'a' has two scores by acc, first in line 2; keep one with --on-duplicate first, "
            "'best' or 'mean'"
        ),
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_cannot_be_read_gets_one_sentence(kind, tmp_path):
    """It names the file, the line if there is one, and the next step."""
    files, command, sentence = REFUSED[kind]
    written(tmp_path, files)
    done = run(*command.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.partition(": ")[2].startswith(sentence)


@pytest.mark.parametrize("kind", [kind for kind in FILES if not kind.startswith("smallest best:")])
def test_scores_that_are_written_come_back(kind, tmp_path):
    """In every format: the same measures, topics, systems and scores, and the same ends are good."""
    case = FILES[kind]
    scores = cd.read_scores(written(tmp_path / "in", case.files), **case.how)
    scored = scores.select(
        systems=[s for k, s in enumerate(scores.systems) if not np.isnan(scores.values[:, :, k]).all()]
    )
    for ending in ("csv", "csv.gz", "tsv", "jsonl", "parquet", "xlsx"):
        cd.write_scores(scores, tmp_path / f"out.{ending}")
        found = cd.read_scores(tmp_path / f"out.{ending}")
        assert set(found.systems) == set(scored.systems)
        back = found.select(systems=scored.systems, topics=scored.topics, measures=scored.measures)
        np.testing.assert_allclose(back.values, scored.values, rtol=1e-15 if ending == "xlsx" else 0)
        assert back.lower_is_better == scored.lower_is_better
