"""Tables as people have them: leaderboards, workbooks, outputs of other programs, and what each must give."""

from __future__ import annotations

import io
from typing import Any

import pytest
from support.tables import gives, gives_what_it_must

import concordant as cd

ARENA = """Rank* (UB),Model,Arena Score,95% CI,Votes,Organization,License,Knowledge Cutoff
1,gpt-4o,1287,+4/-4,32181,OpenAI,Proprietary,2023/10
2,claude-3,1258,+3/-5,21344,Anthropic,Proprietary,2023/8
3,llama-3,1206,+2/-2,52013,Meta,Llama 3,2023/12
"""


# For each: the text, how it is read, and what it must give. A score is (measure, topic, system, value).
TABLES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "leaderboard": (
        "model,MMLU,GSM8K,Average\ngpt,0.8,0.9,0.85\nllama,0.6,0.4,0.5\n",
        {},
        gives(
            systems=["gpt", "llama"],
            measures=["MMLU", "GSM8K", "Average"],
            topics=["all"],
            score=("GSM8K", "all", "llama", 0.4),
        ),
    ),
    "model in capitals": (
        "Model,A,B\nx,1,2\ny,3,4\n",
        {},
        gives(systems=["x", "y"], measures=["A", "B"], topics=["all"]),
    ),
    "system": (
        "System;BLEU;COMET\nsysA;30.1;0.81\nsysB;28.4;0.79\n",
        {},
        gives(systems=["sysA", "sysB"], measures=["BLEU", "COMET"]),
    ),
    "run": (
        "run\tAP\tP@10\nbm25\t0.2\t0.3\nrm3\t0.3\t0.4\n",
        {},
        gives(systems=["bm25", "rm3"], measures=["AP", "P@10"]),
    ),
    "method": (
        "Method,Accuracy\nours,91.2\nbaseline,88.7\n",
        {},
        gives(systems=["ours", "baseline"], measures=["Accuracy"]),
    ),
    "algorithm": (
        "algorithm,dice,hd95\nunet,0.9,3.4\nnnunet,0.95,2.1\n",
        {},
        gives(systems=["unet", "nnunet"], measures=["dice", "hd95"]),
    ),
    "team": (
        "Team,Task 1,Task 2\nA,0.1,0.2\nB,0.3,0.1\n",
        {},
        gives(systems=["A", "B"], measures=["Task 1", "Task 2"]),
    ),
    "participant": ("participant,score\np1,3\np2,5\n", {}, gives(systems=["p1", "p2"], topics=["all"])),
    "submission": ("submission,F1\nx,0.4\ny,0.5\n", {}, gives(systems=["x", "y"], measures=["F1"])),
    "engine": (
        "engine,nDCG\nlucene,0.4\nterrier,0.5\n",
        {},
        gives(systems=["lucene", "terrier"], measures=["nDCG"]),
    ),
    "German": (
        "Modell;Genauigkeit\na;0,81\nb;0,79\n",
        {},
        gives(systems=["a", "b"], score=("Genauigkeit", "all", "b", 0.79)),
    ),
    "French": (
        "Modèle,Exactitude\na,0.81\nb,0.79\n",
        {},
        gives(systems=["a", "b"], measures=["Exactitude"]),
    ),
    "Spanish": ("modelo,exactitud\na,0.81\nb,0.79\n", {}, gives(systems=["a", "b"], measures=["exactitud"])),
    "arena": (
        ARENA,
        {},
        gives(
            systems=["gpt-4o", "claude-3", "llama-3"],
            measures=["Arena Score"],
            score=("Arena Score", "all", "llama-3", 1206.0),
        ),
    ),
    "arena by hand": (
        ARENA,
        {"columns": {"system": "Model", "value": "Votes"}},
        gives(measures=["Votes"], score=("Votes", "all", "llama-3", 52013.0)),
    ),
    "ranks only": (
        "model,rank\na,1\nb,3\nc,2\n",
        {},
        gives(systems=["a", "b", "c"], score=("rank", "all", "b", -3.0)),
    ),
    "rank beside scores": (
        "rank,model,score\n1,a,0.9\n2,b,0.8\n",
        {},
        gives(systems=["a", "b"], score=("score", "all", "a", 0.9)),
    ),
    "lower is better": (
        "model,RMSE\na,1.5\nb,1.2\n",
        {"lower_is_better": ["RMSE"]},
        gives(score=("RMSE", "all", "b", -1.2)),
    ),
    "systems by topics": (
        "model,401,402,403\na,0.1,0.2,0.3\nb,0.3,0.2,0.1\n",
        {},
        gives(systems=["a", "b"], topics=["401", "402", "403"]),
    ),
    "systems by queries": (
        "system,q1,q2\na,0.1,0.2\nb,0.3,0.2\n",
        {},
        gives(systems=["a", "b"], topics=["q1", "q2"]),
    ),
    "systems by named topics": (
        "system,cats,dogs\na,0.1,0.2\nb,0.3,0.2\n",
        {"headers": "topics"},
        gives(systems=["a", "b"], topics=["cats", "dogs"]),
    ),
    "topics by systems": (
        "topic,bm25,rm3\n401,0.1,0.2\n402,0.3,0.4\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["401", "402"]),
    ),
    "queries": (
        "query,bm25,rm3\ncats,0.1,0.2\ndogs,0.3,0.4\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["cats", "dogs"]),
    ),
    "qid": (
        "qid\tbm25\trm3\n1\t0.1\t0.2\n2\t0.3\t0.4\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["1", "2"]),
    ),
    "cases": (
        "case,unet,vnet\nc01,0.9,0.8\nc02,0.7,0.6\n",
        {},
        gives(systems=["unet", "vnet"], topics=["c01", "c02"]),
    ),
    "segments": (
        "segment,sysA,sysB\n1,0.5,0.6\n2,0.4,0.3\n",
        {},
        gives(systems=["sysA", "sysB"], topics=["1", "2"]),
    ),
    "no labels": ("run1,run2\n0.1,0.2\n0.3,0.4\n", {}, gives(systems=["run1", "run2"], topics=["0", "1"])),
    "R row names": (
        "bm25,rm3\n401,0.1,0.2\n402,0.3,0.4\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["401", "402"]),
    ),
    "index of topics": (
        ",bm25,rm3\n401,0.1,0.2\n402,0.3,0.4\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["401", "402"]),
    ),
    "index by hand": (
        ",MMLU,ARC\ngpt,0.1,0.2\nllama,0.3,0.4\n",
        {"systems": "rows"},
        gives(systems=["gpt", "llama"], measures=["MMLU", "ARC"]),
    ),
    "index by hand, columns": (
        ",bm25,rm3\ncats,0.1,0.2\ndogs,0.3,0.4\n",
        {"systems": "columns"},
        gives(systems=["bm25", "rm3"], topics=["cats", "dogs"]),
    ),
    "name and score": (
        "bm25\t0.31\nrm3\t0.29\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["all"], values=[0.31, 0.29]),
    ),
    "name and score, spaces": (
        "bm25 0.31\nrm3 0.29\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["all"], values=[0.31, 0.29]),
    ),
    "name and score, commas": (
        "bm25,0.31\nrm3,0.29\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["all"], values=[0.31, 0.29]),
    ),
    "long": ("topic,system,value\n1,a,0.1\n1,b,0.2\n", {}, gives(systems=["a", "b"], topics=["1"])),
    "long with measures": (
        "measure,topic,system,value\nAP,1,a,0.1\nRR,1,a,0.2\n",
        {},
        gives(systems=["a"], measures=["AP", "RR"]),
    ),
    "long, other names": (
        "metric;query_id;run_id;score\nAP;1;a;0,1\nAP;1;b;0,2\n",
        {},
        gives(systems=["a", "b"], score=("AP", "1", "b", 0.2)),
    ),
    "long with more columns": (
        "seed,topic,system,value\n7,1,a,0.1\n7,1,b,0.2\n",
        {},
        gives(systems=["a", "b"], left_out=["seed"]),
    ),
    "challenge": (
        "task,alg_name,case,value\nT1,unet,c1,0.9\nT1,vnet,c1,0.8\n",
        {},
        gives(systems=["unet", "vnet"], measures=["T1"], topics=["c1"]),
    ),
    "PyTerrier, each query": (
        "name,qid,measure,value\nbm25,1,map,0.2\nbm25,2,map,0.3\nrm3,1,map,0.1\nrm3,2,map,0.4\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["1", "2"], measures=["map"]),
    ),
    "PyTerrier, means": (
        "name,map,ndcg_cut_10\nbm25,0.2,0.3\nrm3,0.25,0.35\n",
        {},
        gives(systems=["bm25", "rm3"], measures=["map", "ndcg_cut_10"]),
    ),
    "a column for each measure": (
        "system,topic,AP,RR\na,1,0.1,0.2\na,2,0.3,0.4\nb,1,0.5,0.6\nb,2,0.7,0.8\n",
        {},
        gives(systems=["a", "b"], measures=["AP", "RR"], topics=["1", "2"], score=("RR", "2", "b", 0.8)),
    ),
    "trec_eval": (
        "runid\tall\tbm25\nmap\t1\t0.2\nmap\t2\t0.4\nmap\tall\t0.3\n",
        {},
        gives(systems=["bm25"], topics=["1", "2"]),
    ),
    "trec_eval without -q": (
        "runid all bm25\nnum_q all 50\nmap all 0.2\nP_10 all 0.3\n",
        {},
        gives(systems=["bm25"], measures=["map", "P_10"], topics=["all"]),
    ),
    "ir_measures": ("1\tAP\t0.2\n2\tAP\t0.4\nall\tAP\t0.3\n", {}, gives(topics=["1", "2"], measures=["AP"])),
    "ir_measures, means": (
        "all\tAP\t0.2\nall\tnDCG@10\t0.3\n",
        {},
        gives(topics=["all"], measures=["AP", "nDCG@10"]),
    ),
    "tot": (
        "runA nDCG@10 t1 0.5\nrunA nDCG@10 t2 0.4\nrunB nDCG@10 t1 0.3\nrunB nDCG@10 t2 0.2\n",
        {},
        gives(systems=["runA", "runB"], measures=["nDCG@10"], topics=["t1", "t2"]),
    ),
    "four columns of ir_measures": (
        "runA 401 AP 0.5\nrunA 402 AP 0.4\nrunB 401 AP 0.3\n",
        {},
        gives(systems=["runA", "runB"], measures=["AP"], topics=["401", "402"]),
    ),
    "ranking": (
        "401 Q0 runA 1 0.5 nDCG@10\n401 Q0 runB 2 0.3 nDCG@10\n",
        {},
        gives(systems=["runA", "runB"], measures=["nDCG@10"], topics=["401"]),
    ),
    "AutoJudge jsonl": (
        (
            '{"run_id": "a", "topic_id": 1, "measure": "M", "value": 0.5}\n'
            '{"run_id": "b", "topic_id": 1, "measure": "M", "value": 0.4}\n'
        ),
        {},
        gives(systems=["a", "b"], measures=["M"], topics=["1"]),
    ),
    "nuggets jsonl": (
        (
            '{"qid": "1", "run_id": "a", "strict_vital": 0.5, "all": 0.25}\n'
            '{"qid": "2", "run_id": "a", "strict_vital": 0.1, "all": 0.2}\n'
        ),
        {},
        gives(systems=["a"], measures=["strict_vital", "all"], topics=["1", "2"]),
    ),
    "nuggets jsonl, one run a file": (
        '{"qid": "1", "vital": 0.5, "okay": 0.25}\n{"qid": "2", "vital": 0.1, "okay": 0.2}\n',
        {},
        gives(measures=["vital", "okay"], topics=["1", "2"]),
    ),
    "JSON list": (
        '[{"model": "a", "score": 1.5}, {"model": "b", "score": 2}]',
        {},
        gives(systems=["a", "b"], values=[1.5, 2.0]),
    ),
    "WMT segments": (
        "sysA\t0.5\nsysA\t0.6\nsysB\t0.4\nsysB\tNone\n",
        {},
        gives(systems=["sysA", "sysB"], topics=["0", "1"], missing=1),
    ),
    "WMT systems": ("sysA\t0.5\nsysB\t0.4\n", {}, gives(systems=["sysA", "sysB"], topics=["all"])),
    "percent": ("model,acc\na,88.7%\nb,87.1 %\n", {}, gives(values=[88.7, 87.1])),
    "decimal comma": ("model;acc;f1\na;88,7;0,5\nb;87,1;0,25\n", {}, gives(score=("f1", "all", "b", 0.25))),
    "decimal comma, tabs": ("model\tacc\na\t88,7\nb\t87,1\n", {}, gives(values=[88.7, 87.1])),
    "decimal comma by hand": (
        'model,elo\na,"1,234"\nb,"1,187"\n',
        {"decimal": ","},
        gives(values=[1.234, 1.187]),
    ),
    "thousands": ('model,elo\na,"1,234.5"\nb,"1,187"\n', {}, gives(values=[1234.5, 1187.0])),
    "thousands by hand": (
        'model,elo\na,"1,234"\nb,"1,187"\n',
        {"decimal": "."},
        gives(values=[1234.0, 1187.0]),
    ),
    "missing": ("model,a,b\nx,NA,1\ny,2,-\nz,,N/A\n", {}, gives(systems=["x", "y", "z"], missing=4)),
    "truth": ("model,passed\na,True\nb,False\n", {}, gives(values=[1.0, 0.0])),
    "spread": ("model,acc\na,0.81 ± 0.02\nb,0.79 +/- 0.01\n", {}, gives(values=[0.81, 0.79])),
    "interval in a cell": (
        "model,elo\na,1312 (+5/-4)\nb,1300 [1290 - 1310]\n",
        {},
        gives(values=[1312.0, 1300.0]),
    ),
    "bold and marks": ("model,acc\na,**0.81**\nb,0.79*\n", {}, gives(values=[0.81, 0.79])),
    "order, one a line": (
        "bm25\ndense\nrm3\n",
        {},
        gives(systems=["bm25", "dense", "rm3"], values=[3.0, 2.0, 1.0]),
    ),
    "order with ties": (
        "bm25 (dense splade) rm3\n",
        {},
        gives(systems=["bm25", "dense", "splade", "rm3"], values=[3.0, 2.0, 2.0, 1.0]),
    ),
    "order, ties in lines": (
        "bm25\n(dense splade)\nrm3\n",
        {},
        gives(systems=["bm25", "dense", "splade", "rm3"], values=[3.0, 2.0, 2.0, 1.0]),
    ),
    "text column": (
        "topic,description,bm25,rm3\n1,about cats,0.1,0.2\n2,about dogs,0.3,0.4\n",
        {},
        gives(systems=["bm25", "rm3"], left_out=["description"]),
    ),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_real_life(kind):
    """Each gives its systems, measures, topics and scores, and a note tells how it was read."""
    gives_what_it_must(*TABLES[kind])


def test_there_are_sixty():
    assert len(TABLES) >= 60


REFUSED = {
    "two readings": (
        ",MMLU,ARC\ngpt,0.1,0.2\nllama,0.3,0.4\n",
        (
            "the systems may be in rows .2: gpt, llama."
            " or in columns .2: MMLU, ARC.; say where they are with systems='rows' or systems='columns'"
        ),
    ),
    "commas that may be either": (
        'model,elo\na,"1,234"\nb,"1,187"\n',
        ":2: column 'elo': '1,234' has a comma; is it a decimal comma",
    ),
    "percent and not": ("model,acc\na,88.7%\nb,0.9\n", ":3: column 'acc': '0.9' has no percent sign"),
    "a word among numbers": ("model,acc\na,0.8\nb,high\n", ":3: column 'acc': 'high' is not a number"),
    "infinite": ("model,acc\na,0.8\nb,inf\n", ":3: column 'acc': 'inf' is not finite"),
    "no scores": ("model,License\na,MIT\nb,GPL\n", "no column holds scores; there are model, License"),
    "only votes": (
        "model,Votes\na,1\nb,2\n",
        "no column holds scores; .* say which does with columns, such as value=Votes",
    ),
    "a system twice": (
        "model,acc\na,0.8\na,0.7\nb,0.1\n",
        ":3: system 'a' has two scores by acc, first in line 2",
    ),
    "a nameless system": ("model,acc\na,0.8\n,0.7\n", ":3: the system is empty"),
    "a header twice": ("model,acc,acc\na,0.8,0.7\n", ":1: column 'acc' is in the header twice"),
    "no header": ("bm25,0.3,0.4\nrm3,0.2,0.1\n", ":1: the first line holds scores; write a line above it"),
    "segments of different number": (
        "a\t1\na\t2\nb\t1\n",
        "system 'a' appears 2 times, and 'b' 1 time; .* write None",
    ),
    "a name twice in an order": ("bm25\nrm3\nbm25\n", "duplicate item 'bm25'"),
    "parentheses": ("bm25 (rm3 dense\n", "cannot tell|not closed"),
    "tot or not": (
        "a b c 0.5\na d c 0.4\nb b e 0.1\n",
        "are these lines of run, measure, topic, value or run, topic, measure, value",
    ),
    "a mean beside topics": ("topic,a,b\n", "has a header and no rows"),
    "JSON of numbers": ("[1, 2, 3]", "expected a list of objects"),
    "an absent column": ("model,acc\na,0.8\n", "there is no column 'Name'"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_tables_that_cannot_be_read_get_one_sentence(kind):
    """It names the file, the line where there is one, and the next step."""
    text, message = REFUSED[kind]
    how: dict[str, Any] = {"columns": {"system": "Name"}} if kind == "an absent column" else {}
    with pytest.raises(cd.InputError, match=message) as caught:
        cd.read_scores(io.StringIO(text), **how)
    assert str(caught.value).startswith("the open file")
    assert "\n" not in str(caught.value)
