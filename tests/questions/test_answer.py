"""The answer of `judge` and `correlate` for people: its table, the lines below, and its forms in print."""

from __future__ import annotations

import re

import numpy as np
import pytest

import concordant as cd
from concordant.cli.output import _MORE
from concordant.results.table import Grid, Head, Signed, shown
from concordant.results.words import number

FEW = cd.Resampling(n_resamples=99, rng=4)
SYSTEMS = [f"{'ab'[k % 2]}-{k}" for k in range(12)]


def scores(noise: float, seed: int = 0, measures: str = "A", n_topics: int = 30, more=0.0) -> cd.Scores:
    """Return scores of 12 systems whose order is clear, with some noise of their own."""
    shared = np.random.default_rng(0).normal(np.linspace(0.6, 0.3, 12), 0.15, (30, 12))[:n_topics]
    own = np.random.default_rng(seed).normal(0, noise or 1e-9, (len(measures), 30, 12))[:, :n_topics]
    topics = [f"q{k}" for k in range(n_topics)]
    return cd.Scores(shared + own + more, measures=list(measures), topics=topics, systems=SYSTEMS)


def five(measures: str = "A") -> dict[str, cd.Scores]:
    """Return a good judge, two bad ones, one that favours a group, and one with fewer topics."""
    group = np.array([0.3 if name.startswith("b") else 0.0 for name in SYSTEMS])
    return {
        "bad": scores(1.5, 2, measures),
        "good": scores(0.05, 1, measures),
        "half": scores(0.1, 3, measures, 12),
        "worse": scores(3, 4, measures),
        "biased": scores(0.05, 5, measures, more=group),
    }


@pytest.fixture(scope="module")
def result() -> cd.results.JudgeResult:
    """Return the answer about five judges."""
    how = cd.Resampling(n_resamples=500, rng=4)
    return cd.judge(scores(0), five(), group_by="^[ab]", resampling=how)


@pytest.fixture(scope="module")
def measures() -> cd.results.JudgeResult:
    """Return the answer about five judges by three measures."""
    return cd.judge(scores(0, 0, "ABC"), five("ABC"), "tau_b", resampling=FEW)


# --- the text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 120])
def test_five_judges_take_at_most_thirty_lines(result, width):
    """Question, verdict, table, lines below and notes, in this order; no line is longer than the width."""
    text = result.to_text(width=width, more=_MORE)
    assert len(text.splitlines()) <= 30
    assert max(map(len, text.splitlines())) <= width
    question, verdict, table, below, more = text.rstrip("\n").split("\n\n")
    assert question == "Can a judge replace the reference?   12 systems, 30 topics, A"
    assert verdict.replace("\n", " ") == " ".join(result.verdict)
    assert table.startswith("judge  ")
    assert below.replace("\n  ", " ").split("\n")[: len(result.beside)] == list(result.beside)
    assert more.startswith("More: ")


@pytest.mark.parametrize("question", [cd.judge, cd.correlate])
def test_no_row_is_ever_cut(question):
    """Of 100 judges."""
    judges = {f"judge{k:03d}": scores(0.05 + 0.02 * k, k + 1) for k in range(100)}
    result = question(scores(0), judges, "tau_b", resampling=None)
    lines = result.to_text().splitlines()
    assert {line.split()[0] for line in lines if re.match(r"judge\d+ +-?\d", line)} == set(judges)
    assert not any(" of 100 rows" in line for line in lines)
    values = [float(row[1].value) for row in result.answer().rows if row[0] in judges]
    assert values == sorted(values, reverse=True)


def test_sections_are_the_best_those_that_are_worse_and_those_with_fewer_topics(result):
    """The row of other topics is the last."""
    grid = result.answer()
    names = [row[0] for row in grid.rows]
    best = names[0]
    worse = {
        d.other
        for d in result.comparison
        if (d.estimate, str(d.coefficient)) == (best, "tau_ap_b") and d.pvalue_adjusted < 0.05
    }
    assert best == "good"
    assert {"bad", "worse"} <= worse < {"bad", "worse", "biased"} | {"half"}
    start = names.index(next(name for name in names if name in worse))
    assert dict(grid.sections) == {
        start: "worse than the best (adjusted p < 0.05)",
        4: "on 12 common topics",
    }
    assert set(names[start:4]) == worse - {"half"}
    assert names[4:] == ["half", "30 other topics"]
    assert (grid.foot, {r for r, _ in grid.best}) == (1, set(range(start)))
    lines = result.to_text().splitlines()
    assert lines.index("-- on 12 common topics --") + 1 == next(
        k for k, line in enumerate(lines) if line.startswith("half  ")
    )


def test_intervals_are_drawn_if_there_is_room(result):
    """On one scale, beside their values; all of them or none."""
    bars = [re.findall("[├●┤─]+", line) for line in result.to_text(width=120).splitlines()]
    drawn = [line[0] for line in bars if line]
    assert len(drawn) == 6
    assert all(bar.count("●") == 1 for bar in drawn)
    assert not re.search("[├●┤]", result.to_text(width=80))
    assert [head for head in result.answer().header if "[95 %]" in str(head)] == ["tau_ap_b [95 %]"]


def test_only_what_was_lost_is_told_in_short_and_once(result):
    """Other notes are told with the details, and with their table."""
    lost = [note for note in result.notes if note.lost]
    other = [note for note in result.notes if not note.lost]
    assert [note.kind for note in lost] == ["topics_differ"]
    assert other
    short = result.to_text(width=None).splitlines()
    said = "! half: 12 topics, reference 30, 12 in common; both means are over these"
    assert [line for line in short if line.startswith("! ")] == [said]
    assert not any(line.startswith("- ") for line in short)
    details = result.to_text(details=True, width=None)
    assert all(note.text in details for note in result.notes)
    one = result.to_text(table="comparison", width=None)
    assert "pairs of estimates are compared on the topics that both" in one
    assert "pairs of estimates are compared" not in result.to_text(table="systems", width=None)
    assert [(n["lost"], n["table"]) for n in result.to_dict()["notes"]] == [
        (n.lost, n.table) for n in result.notes
    ]


def test_what_was_lost_is_told_once_for_all_it_is_about(measures):
    """Not for each judge and measure."""
    marked = [line for line in measures.to_text(width=None).splitlines() if line.startswith("! ")]
    assert len(marked) == 2
    assert marked[1].startswith("! bad, good, worse, biased and half: with only 99 resamples the ends")


def test_colours_mark_the_question_the_best_rows_and_what_was_lost(result):
    """Without them the text is the same."""
    plain, painted = result.to_text(), result.to_text(colour=True)
    assert re.sub(r"\033\[\d+m", "", painted) == plain
    assert "\033" not in plain
    lines = painted.splitlines()
    assert lines[0].startswith("\033[1m")
    green = [line for line in lines if line.startswith("\033[32m")]
    assert len(green) == len(result.answer().best)
    assert all(line.startswith("\033[33m") == ("! " in line[:8]) for line in lines if "! " in line)


# --- the lines below --------------------------------------------------------------------------------------


def test_lines_below_tell_groups_movements_and_failing_topics(result):
    """Of the judge that reverses most, and of the best."""
    own = next(g for g in result.groups if (g.estimate, g.group) == ("biased", "b"))
    most = max(result.judges, key=lambda each: each.reversed)
    moved = [s for s in result.systems if s.estimate == most.estimate]
    first = max(moved, key=lambda s: (abs(s.gain), -s.reference_rank))
    groups = [line for line in result.beside if line.startswith("Favoured: biased favours b (6 systems): ")]
    assert f"{own.effect:+.2f} [" in groups[0]
    start = f"Moved most by {most.estimate}: {first.system} {first.reference_rank} → {first.estimate_rank}, "
    assert [line for line in result.beside if line.startswith(start)]
    assert result.beside[-1].startswith("Failing topics of good: none of 30; up to 9.5% of topics like")


def test_more_than_three_favoured_groups_are_counted():
    """The table has all of them."""
    group = np.array([0.4 if name.startswith("b") else 0.0 for name in SYSTEMS])
    judges = {f"j{k}": scores(0.01, k, more=group) for k in range(5)}
    result = cd.judge(scores(0), judges, "tau_b", group_by="^[ab]", resampling=FEW)
    found = [g for g in result.groups if g.pvalue is not None and g.pvalue <= 0.05]
    assert len(found) == 5
    lines = [line for line in result.beside if line.startswith("Favoured")]
    assert len(lines) == 4
    assert lines[-1] == "Favoured: 2 more in the table groups"


@pytest.mark.parametrize(("n", "said"), [(11, False), (10, True)])
def test_much_that_is_left_out_stands_in_the_verdict(n, said):
    """More than a tenth of the systems."""
    study = cd.Study(scores(0), {"x": scores(0.1, 1).select(systems=SYSTEMS[:n])}, on_missing="drop")
    result = cd.judge(study, resampling=FEW)
    sentence = f"{12 - n} of 12 systems are left out."
    assert (sentence in result.verdict) == said
    assert result.systems_left_out == 12 - n
    assert any(line.startswith(f"! dropped {12 - n} system") for line in result.to_text().splitlines())


# --- print ------------------------------------------------------------------------------------------------


def rows_of(text: str) -> dict[str, list[str]]:
    """Return the cells of the rows of a Markdown or LaTeX table, by their first cell."""
    lines = [
        re.sub(r"^\| | \|$|\\\\$", "", line)
        for line in text.splitlines()
        if re.match(r"\| |\w[^%]* & ", line)
    ]
    cells = ([cell.strip() for cell in re.split(r" [|&] ", line)] for line in lines)
    return {first: rest for first, *rest in cells}


def test_several_measures_are_columns_in_print(measures):
    """Judges are rows: bold if not told apart from the best, a dagger if worse, other topics at the foot."""
    latex, markdown = rows_of(measures.to_latex()), rows_of(measures.to_markdown())
    assert latex["judge"] == markdown["judge"] == ["A", "B", "C"]
    assert list(markdown)[2:] == [*five(), "30 other topics"]
    value = {(r.estimate, r.measure.measure): r for r in measures.agreement}
    for column, measure in enumerate("ABC"):
        full = {n: value[n, measure].value for n in five() if n != "half"}
        best = max(full, key=full.__getitem__)
        worse = {
            d.other
            for d in measures.comparison
            if (d.measure, d.estimate) == (measure, best) and d.pvalue_adjusted < 0.05
        }
        for name in five():
            row = value[name, measure]
            ends = f"[{number(row.interval.low)}, {number(row.interval.high)}]"
            bold, dagger = name in full and name not in worse, name in worse
            text = f"**{row.value:.2f}**" if bold else f"{row.value:.2f}"
            assert markdown[name][column] == f"{text} {ends}{'†' * dagger}"
            text = rf"$\mathbf{{{row.value:.2f}}}$" if bold else f"${row.value:.2f}$"
            assert latex[name][column] == rf"{text} {{\scriptsize ${ends}$}}" + r"$^\dagger$" * dagger
    assert [r"\midrule" in line for line in measures.to_latex().splitlines()].count(True) == 2
    for said in measures.verdict:
        assert said.startswith("By ")
        assert said in measures.to_text(width=None)
    assert len(measures.verdict) == 3


def test_a_caption_tells_what_was_compared_and_how(result, measures):
    """Systems, topics, method and seed, and the signs."""
    said = (
        "tau_b with the reference: 12 systems, 30 topics; 0.95 confidence intervals (standard, 99 resamples "
        "of the topics, seed 4); bold: not told apart from the best; dagger: worse than the best (adjusted p "
        "< 0.05)."
    )
    assert measures.caption == said
    latex = measures.to_latex()
    assert rf"\caption{{{said.replace('_', chr(92) + '_').replace('<', '$<$')}}}" in latex
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 1
    assert said.replace("<", "&lt;") in measures.to_markdown()
    plain = cd.correlate(scores(0), scores(0.1, 1), "tau_b", resampling=None)
    assert plain.caption == "tau_b with the reference: 12 systems, 30 topics."
    assert rows_of(result.to_markdown())["judge"][0] == "tau_ap_b [95 %]"


def test_one_measure_has_its_sections_in_print(result):
    """And the foot is below a rule."""
    lines = result.to_latex().splitlines()
    place = next(k for k, line in enumerate(lines) if line.startswith("30 other topics & "))
    assert lines[place - 1] == r"\midrule"
    assert any(line.startswith(r"\multicolumn{7}{l}{\emph{worse than the best") for line in lines)
    assert "| *on 12 common topics* | " in result.to_markdown()


@pytest.mark.parametrize("question", [cd.judge, cd.correlate])
def test_without_comparison_nothing_is_bold(question):
    """A single judge is not the best of several; without intervals nothing was compared."""
    for judges in ({"x": scores(0.1, 1)}, five()):
        result = question(scores(0), judges, "tau_b", resampling=None)
        assert result.answer().best == result.answer().worse == frozenset()
        assert r"\mathbf" not in result.to_latex()
        assert "bold" not in result.caption


def test_html_has_the_same_rows_with_pictures(result):
    """The main figure, and one for each interval; the notes that lose nothing are folded."""
    html = result._repr_html_()
    assert html.count("<svg") == 1 + 6
    assert all(f">{shown(row[0])}</td>" in html for row in result.answer().rows)
    assert "<summary>Notes</summary>" in html


# --- small cases ------------------------------------------------------------------------------------------

FLAT = cd.Scores(np.ones((1, 30, 12)), measures=["A"], topics=[f"q{k}" for k in range(30)], systems=SYSTEMS)
ODD = {
    "one system": lambda ask: cd.correlate({"a": 1.0}, {"x": {"a": 2.0}}),
    "two systems": lambda ask: ask(
        *(scores(n, 1).select(systems=SYSTEMS[:2]) for n in (0, 0.1)), resampling=FEW
    ),
    "all tied": lambda ask: ask(FLAT, FLAT, resampling=FEW),
    "a flat judge": lambda ask: ask(scores(0), {"x": FLAT, "y": scores(0.1, 1)}, resampling=FEW),
    "all undefined": lambda ask: ask(scores(0), {"x": FLAT, "y": FLAT}, resampling=FEW),
    "one topic": lambda ask: ask(*(scores(n, 1).select(topics=["q0"]) for n in (0, 0.1)), resampling=FEW),
    "means": lambda ask: ask(*(dict(scores(n, 1).mean()) for n in (0, 0.1)), resampling=FEW),
    "not centred": lambda ask: ask(scores(0), five(), "tau_gap", resampling=FEW),
    "no interval": lambda ask: ask(scores(0), five(), resampling=None),
    "the best five": lambda ask: ask(scores(0), five(), "tau_b@5", resampling=FEW),
    "names of one measure": lambda ask: ask(scores(0), {"x": scores(0.1, 1, "BC")}, resampling=FEW),
}


@pytest.mark.parametrize("question", [cd.judge, cd.correlate])
@pytest.mark.parametrize("case", ODD)
def test_odd_input_has_an_answer_in_every_form(case, question):
    """No form fails; each has as many rows as there are judges."""
    result = ODD[case](question)
    names = [row[0] for row in result.answer().rows if "other topics" not in row[0]]
    assert len(names) == len({(r.estimate, r.measure) for r in result.agreement})
    for width in (40, 80, None):
        assert result.question.split()[0] in result.to_text(width=width)
    for text in (result.to_markdown(), result.to_latex(), result._repr_html_(), result.to_text(details=True)):
        assert not re.search(r"\bnan\b|None", text)
    assert all(re.match(r"[\w\\].*[.]$", sentence) for sentence in result.verdict)


def test_more_than_half_a_million_pairs(monkeypatch):
    """Then nothing was tested, and pairs in the opposite order are counted."""
    monkeypatch.setenv("CONCORDANT_MAX_PAIRS", "20")
    result = cd.judge(scores(0), five(), "tau_b", resampling=FEW)
    assert [str(head) for head in result.answer().header[2:]] == ["top 10", "winner", "opposite"]
    assert any(note.kind == "pairs_left_out" and note.lost for note in result.notes)


def test_heads_are_symbols_and_shifts_have_signs_in_latex(result):
    """Text and Markdown have the names."""
    assert r"$\tau_{ap,b}\ [95\,\%]$" in result.to_latex()
    grid = Grid({}, [Head("a", r"\alpha"), "shift"], [["x", Signed(-0.071)], ["y", Signed(0.5)]], 2)
    assert r"$\alpha$ & shift \\" in grid.to_latex()
    assert [line.split()[1] for line in grid.to_text().splitlines()[2:]] == ["-0.07", "+0.50"]
    assert "$-0.07$" in grid.to_latex()
