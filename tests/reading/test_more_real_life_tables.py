"""More tables as people have them: sums among others, row numbers, ranks, arrows, measures in rows."""

from __future__ import annotations

import io
from typing import Any

import pytest
from support.tables import gives, gives_what_it_must

import concordant as cd

TABLES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    # what sums up the others
    **{
        f"a row {word}": (
            f"topic,bm25,rm3\nq1,0.5,0.1\nq2,0.1,0.2\n{word},0.3,0.15\n",
            {},
            gives(topics=["q1", "q2"], sums=[word]),
        )
        for word in ("all", "ALL", "mean", "Mean", "Average", "avg", "overall", "Total", "macro average")
    },
    "a column of means beside systems": (
        "topic,bm25,rm3,mean\nq1,0.5,0.1,0.3\nq2,0.1,0.2,0.15\n",
        {},
        gives(systems=["bm25", "rm3"], sums=["mean"]),
    ),
    "a row of means in a leaderboard": (
        "model,MMLU,ARC\na,0.5,0.1\nb,0.1,0.2\nAverage,0.3,0.15\n",
        {},
        gives(systems=["a", "b"], sums=["Average"]),
    ),
    "a column of means in a leaderboard": (
        "model,MMLU,ARC,Average\na,0.5,0.1,0.3\nb,0.1,0.2,0.15\n",
        {},
        gives(measures=["MMLU", "ARC", "Average"], sums=[]),
    ),
    "a column of means beside topics": (
        "model,401,402,Mean\na,0.5,0.1,0.3\nb,0.1,0.2,0.15\n",
        {},
        gives(topics=["401", "402"], sums=["Mean"]),
    ),
    "means in long rows": (
        "topic,system,value\n1,a,0.1\n1,b,0.2\nAVG,a,0.1\nAVG,b,0.2\n",
        {},
        gives(topics=["1"], sums=["AVG"]),
    ),
    "nothing but means": (
        "topic,bm25,rm3\nMean,0.5,0.1\n",
        {},
        gives(topics=["all"], systems=["bm25", "rm3"], sums=[]),
    ),
    # what numbers the rows, and what is not a score
    **{
        f"a column {word or 'without a name'} before the topics": (
            f"{word},topic,bm25,rm3\n0,q1,0.5,0.1\n1,q2,0.1,0.2\n",
            {},
            gives(systems=["bm25", "rm3"], topics=["q1", "q2"], left_out=[word]),
        )
        for word in ("", "Unnamed: 0", "index", "id", "level_0", "idx", "no", "nr", "#", "row")
    },
    **{
        f"a column {word} among systems": (
            f"topic,{word},bm25,rm3\nq1,12,0.5,0.1\nq2,7,0.1,0.2\n",
            {},
            gives(systems=["bm25", "rm3"], left_out=[word]),
        )
        for word in ("num_rel", "n_rel", "n_relevant", "difficulty", "year", "rank", "Votes")
    },
    "systems of one letter": (
        "topic,a,n,p\nq1,0.5,0.1,0.2\nq2,0.1,0.2,0.3\n",
        {},
        gives(systems=list("anp")),
    ),
    "an index before names": (
        "Unnamed: 0,model,acc\n0,a,0.5\n1,b,0.1\n",
        {},
        gives(systems=["a", "b"], measures=["acc"], left_out=["Unnamed: 0"]),
    ),
    "spread and counts": (
        (
            "model,Acc,Acc std,F1,F1_stderr,95% CI,CI lower,Release year,Context,Δ,Δ vs base,p-value\n"
            "a,0.5,0.1,0.4,0.1,3,2,2023,128,0.1,0.2,0.01\nb,0.6,0.1,0.3,0.1,3,2,2024,8,0.1,0.2,0.5\n"
        ),
        {},
        gives(measures=["Acc", "F1"]),
    ),
    "PyTerrier with a baseline": (
        "name,map,map +,map -,map p-value\nbm25,0.2,,,\nrm3,0.25,30,20,0.01\n",
        {},
        gives(measures=["map"], left_out=["map +", "map -", "map p-value"]),
    ),
    # which end is the good one
    "ranks by two judges": (
        "model,rank_human,rank_llm\na,1,2\nb,2,1\n",
        {},
        gives(measures=["rank_human", "rank_llm"], lower=["rank_human", "rank_llm"], values=[-1, -2, -2, -1]),
    ),
    "mean ranks": (
        "System,mean rank,avg_rank,Rang\na,1.5,1.2,1\nb,1.2,1.5,2\n",
        {},
        gives(measures=["mean rank", "avg_rank"], lower=["mean rank", "avg_rank"], left_out=["Rang"]),
    ),
    "ranks that are scores": (
        "name,recip_rank,Rank-1,Mean Reciprocal Rank\na,0.5,0.1,0.3\nb,0.1,0.2,0.3\n",
        {},
        gives(measures=["recip_rank", "Rank-1", "Mean Reciprocal Rank"], lower=[]),
    ),
    "arrows": (
        "model,WER ↓,BLEU ↑,TER (↓)\na,0.5,30,0.25\nb,0.1,20,0.5\n",
        {},
        gives(measures=["WER", "BLEU", "TER"], lower=["WER", "TER"], score=("TER", "all", "b", -0.5)),
    ),
    "an arrow and the option": (
        "model,WER ↓\na,0.5\nb,0.25\n",
        {"lower_is_better": ["WER"]},
        gives(values=[-0.5, -0.25]),
    ),
    "an arrow at a price": (
        "Model,Elo ↑,Price ↓,Cost\na,1200,3,1\nb,1100,1,2\n",
        {},
        gives(measures=["Elo", "Price"], lower=["Price"], left_out=["Cost"]),
    ),
    "ranks by topic": (
        "topic,system,rank\n1,a,1\n1,b,2\n2,a,2\n2,b,1\n",
        {},
        gives(topics=["1", "2"], systems=["a", "b"], values=[-1, -2, -2, -1], left_out=[]),
    ),
    "a rank and the option": (
        "model,rank\na,1\nb,2\n",
        {"lower_is_better": ["all"]},
        gives(values=[-1, -2], lower=["rank"]),
    ),
    # columns of numbers with the name of a system
    "two judges": ("model,human,llm\na,0.5,0.1\nb,0.1,0.2\n", {}, gives(measures=["human", "llm"])),
    "a method and a judge": (
        "method,judge\nx,0.5\ny,0.25\n",
        {},
        gives(systems=["x", "y"], measures=["judge"]),
    ),
    "a system called llm": ("topic,bm25,llm\nq1,0.5,0.1\nq2,0.1,0.2\n", {}, gives(systems=["bm25", "llm"])),
    "runs by number": (
        "run,topic,value\n1,q1,0.5\n2,q1,0.25\n",
        {},
        gives(systems=["1", "2"], topics=["q1"]),
    ),
    "models by number": ("model,acc\n1,0.5\n2,0.25\n", {}, gives(systems=["1", "2"], measures=["acc"])),
    # measures in rows
    "metrics in rows": (
        "Metric,gpt-4,claude\nMMLU,0.5,0.1\nGSM8K,0.1,0.2\n",
        {},
        gives(systems=["gpt-4", "claude"], measures=["MMLU", "GSM8K"], score=("GSM8K", "all", "claude", 0.2)),
    ),
    "benchmarks in rows": (
        "Benchmark;gpt;phi\nMMLU;0,5;0,1\nAverage;0,1;0,2\n",
        {},
        gives(systems=["gpt", "phi"], measures=["MMLU", "Average"], topics=["all"]),
    ),
    "measures and topics in rows": (
        "measure,topic,bm25,rm3\nAP,1,0.5,0.1\nAP,2,0.1,0.2\nRR,1,1,0.5\nRR,2,0.5,0.25\n",
        {},
        gives(
            systems=["bm25", "rm3"], measures=["AP", "RR"], topics=["1", "2"], score=("RR", "2", "rm3", 0.25)
        ),
    ),
    "ir_measures without -q": (
        "AP\t0.25\nnDCG@10\t0.5\n",
        {},
        gives(systems=["the open file"], measures=["AP", "nDCG@10"], topics=["all"]),
    ),
    "one score a benchmark": (
        "model,benchmark,score\na,MMLU,0.5\na,ARC,0.25\nb,MMLU,0.1\nb,ARC,0.2\n",
        {},
        gives(systems=["a", "b"], measures=["MMLU", "ARC"], topics=["all"]),
    ),
    # what is missing
    "WMT systems, the first missing": (
        "bm25\tNone\nrm3\t0.25\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["all"], missing=1),
    ),
    "WMT segments, the first missing": (
        "bm25\tNone\nbm25\t0.5\nrm3\t0.25\nrm3\t0.5\n",
        {},
        gives(systems=["bm25", "rm3"], topics=["0", "1"], missing=1),
    ),
    # numbers
    "thousands with points": (
        "System;Punkte;Acc\ngpt;1.312;0,5\nphi;999;0,25\n",
        {},
        gives(values=[1312, 999, 0.5, 0.25]),
    ),
    "thousands and a decimal comma": (
        "System;Punkte\ngpt;1.312,5\nphi;999\n",
        {},
        gives(values=[1312.5, 999]),
    ),
    "thousands by hand": ("System;P\na;1.312\nb;999\n", {"decimal": ","}, gives(values=[1312, 999])),
    "several groups": ("System;P\na;1.312.000\nb;999\n", {}, gives(values=[1312000, 999])),
    "a minus sign": ("model,gain\na,\u22120.5\nb,0.25\n", {}, gives(values=[-0.5, 0.25])),
    # what stands above and between
    "a comment": (
        "# made today\nmodel,acc\na,0.5\nb,0.25\n",
        {},
        gives(systems=["a", "b"], measures=["acc"]),
    ),
    "a title": (
        "Results of 2024\nmodel,acc\na,0.5\nb,0.25\n",
        {},
        gives(systems=["a", "b"], measures=["acc"]),
    ),
    "an empty column": (
        "model,acc,notes\na,0.5,\nb,0.25,\n",
        {},
        gives(measures=["acc"], left_out=["notes"]),
    ),
    # JSON
    "one object": ('{"bm25": 0.5, "rm3": 0.25}', {}, gives(systems=["bm25", "rm3"], topics=["all"])),
    "one object over lines": ('{\n  "bm25": 0.5,\n  "rm3": 0.25\n}\n', {}, gives(systems=["bm25", "rm3"])),
}


@pytest.mark.parametrize("kind", TABLES)
def test_more_tables_of_real_life(kind):
    """Each gives its systems, measures, topics and scores, and a note tells what was left out."""
    gives_what_it_must(*TABLES[kind])


REFUSED = {
    "an index and a text": (
        "Unnamed: 0,who,MMLU,ARC\n0,gpt,0.5,0.1\n1,phi,0.1,0.2\n",
        "the systems may be in rows .2: gpt, phi. or in columns .2: MMLU, ARC.",
    ),
    "segments that are not there": (
        "a\t1\na\t2\na\t3\nb\t1\nb\t2\nb\t3\nc\t1\nc\t2\n",
        "system 'a' appears 3 times, and 'c' 2 times; .* write None for segments without a score",
    ),
    "no number at all": (
        "model,grade,License\na,1st,MIT\nb,2nd,GPL\n",
        "no column holds scores; there are model, grade, License; column 'grade': '1st' is not a number",
    ),
    "rows told apart by a column": (
        "model,dataset,score\na,x,0.5\na,y,0.25\nb,x,0.5\nb,y,0.25\n",
        "system 'a' has two scores by score, .*'dataset' tells the rows apart: .* columns, measure=dataset",
    ),
    "a point among decimal commas": (
        "model;a;b\nx;0.5;0,5\ny;0,25;0,5\n",
        ":2: column 'a': '0.5' has a point, and other cells have a decimal comma",
    ),
    "numbers, but no scores": (
        "model,Votes,License\na,12,MIT\nb,3,GPL\n",
        "no column holds scores; .* say which does with columns, such as value=Votes",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_more_tables_that_cannot_be_read(kind):
    """Get one sentence with both readings, or with the next step."""
    text, message = REFUSED[kind]
    with pytest.raises(cd.InputError, match=message):
        cd.read_scores(io.StringIO(text))


FOLDERS: dict[str, tuple[dict[str, str], dict[str, Any], tuple[list[str], list[str], list[str]]]] = {
    "jsonl, one run a file": (
        {
            f"{run}.jsonl": f'{{"qid": "1", "score": {v}}}\n{{"qid": "2", "score": 0.5}}\n'
            for run, v in (("a", 1), ("b", 2))
        },
        {},
        (["score"], ["1", "2"], ["a", "b"]),
    ),
    "jsonl, another key": (
        {f"{run}.jsonl": f'{{"qid": "1", "strict_vital_score": {v}}}\n' for run, v in (("a", 1), ("b", 2))},
        {},
        (["strict_vital_score"], ["1"], ["a", "b"]),
    ),
    "CSV, one run a file": (
        {f"{run}.csv": f"qid,score\n1,{v}\n2,0.5\n" for run, v in (("a", 1), ("b", 2))},
        {},
        (["score"], ["1", "2"], ["a", "b"]),
    ),
    "CSV, several measures": (
        {f"{run}.csv": f"qid,AP,nDCG@10\n1,{v},0.5\n2,0.5,0.25\n" for run, v in (("a", 1), ("b", 2))},
        {},
        (["AP", "nDCG@10"], ["1", "2"], ["a", "b"]),
    ),
    "CSV, a file for each measure": (
        {f"{name}.csv": f"qid,bm25,rm3\n1,{v},0.5\n2,0.5,0.25\n" for name, v in (("AP", 1), ("nDCG@10", 2))},
        {},
        (["AP", "nDCG@10"], ["1", "2"], ["bm25", "rm3"]),
    ),
    "CSV, a column for each run": (
        {f"{name}.csv": f"qid,{name}\n1,0.5\n2,0.25\n" for name in ("bm25", "rm3")},
        {},
        (["score"], ["1", "2"], ["bm25", "rm3"]),
    ),
    "objects, files are systems": (
        {f"{run}.json": f'{{"acc": {v}, "f1": 0.5}}' for run, v in (("a", 1), ("b", 2))},
        {"headers": "measures"},
        (["acc", "f1"], ["all"], ["a", "b"]),
    ),
    "objects, keys are systems": (
        {f"{run}.json": f'{{"bm25": {v}, "rm3": 0.5}}' for run, v in (("a", 1), ("b", 2))},
        {"systems": "columns"},
        (["a", "b"], ["all"], ["bm25", "rm3"]),
    ),
    "ir_measures without -q": (
        {f"{run}.txt": f"AP\t{v}\nnDCG@10\t0.5\n" for run, v in (("a", 1), ("b", 2))},
        {},
        (["AP", "nDCG@10"], ["all"], ["a", "b"]),
    ),
}


@pytest.mark.parametrize("kind", FOLDERS)
def test_folders_of_real_life(kind, tmp_path):
    """A file without a column for systems holds one system."""
    files, how, expected = FOLDERS[kind]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = cd.read_scores(tmp_path, **how)
    assert (list(found.measures), list(found.topics), list(found.systems)) == expected
    assert found.missing() == []


def test_a_folder_that_can_be_read_in_two_ways_is_refused(tmp_path):
    """With both readings, and the option for each."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text('{"acc": 0.5, "f1": 0.25}')
    message = (
        r"b.json: the columns acc, f1 are those of .*a.json too: they may be systems, and the files measures "
        r".systems='columns'., or measures, and each file a system .headers='measures'.; say which"
    )
    with pytest.raises(cd.InputError, match=message):
        cd.read_scores(tmp_path)
