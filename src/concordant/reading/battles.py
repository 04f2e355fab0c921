"""Battles: two systems answer a prompt, and a judge prefers one of the answers.

The strengths of the Bradley-Terry model become scores of systems on prompts, so that every question about
scores can be asked of battles. Let theta be the strengths that maximise the likelihood, g_p its gradient at
theta from the battles of prompt p alone, and H its negative Hessian. The score of a system on prompt p is its
component of theta + P inverse(H) g_p, for P prompts. The mean over the prompts is theta, since the g_p add up
to zero, and the mean over resampled prompts is the strength after one Newton step for them: the infinitesimal
jackknife (Jaeckel 1972). A tie counts as half a win of each side.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.errors import shown
from concordant.reading.cells import Column, columns_of
from concordant.reading.header_words import is_word, plain_name
from concordant.reading.readings import Grid, check_full
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.scores import Scores, Source, coded
from concordant.typing import Floats, Integers

_SIDES = ("model", "system", "player", "assistant")  # model_a and model_b
_WINNER = ("winner", "outcome", "preference", "preferred")
_PROMPT = ("topic", "query", "item")  # kinds of columns, and further words for prompts
_PROMPT_WORDS = ("prompt", "promptid", "prompthash", "conversationid")
_FIRST = {"a", "left", "first", "modela", "systema", "playera", "assistanta"}
_SECOND = {"b", "right", "second", "modelb", "systemb", "playerb", "assistantb"}
_TIE = {"tie", "draw", "both", "equal", "neither", "bothbad", "tiebothbad", "tieinconsistent"}
_FAILED = {"", "error", "invalid", "none", "nan", "null", "na"}
_MOST_JUDGES = 20  # more are people, who are not compared one by one
_ELO = 400 / math.log(10)
_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Battles:
    """Who won which battle: 1 for the first side, 0 for the second, 1/2 for a tie, nan if it failed."""

    grid: Grid
    systems: Sequence[str]
    sides: Integers  # 2 x battles
    results: Floats
    prompts: Sequence[str]
    prompt: Integers  # of each battle
    judges: Sequence[str]  # one without a name if there is no column, or if there are too many
    judge: Integers
    notes: tuple[Note, ...]


def battles_of(grid: Grid) -> Battles | None:
    """Return the battles of a table; None if it has no columns such as model_a, model_b and winner."""
    plain = [plain_name(name) for name in grid.names]
    pair = next((side for side in _SIDES if {f"{side}a", f"{side}b"} <= {*plain}), None)
    winner = next((plain.index(word) for word in _WINNER if word in plain), None)
    if pair is None or winner is None:
        return None
    columns = [plain.index(f"{pair}{side}") for side in "ab"]
    names = [grid.labels(place, "system") for place in columns]
    for row in itertools.compress(range(grid.n_rows), map(str.__eq__, *names)):
        grid.refuse(f"{shown(names[0][row])} is on both sides", row)
    codes, systems = coded(itertools.chain(*names))
    sides = codes.reshape(2, -1)
    results = _results(grid, grid.columns[winner], names)
    prompt, prompts = _prompts(grid, plain)
    notes = list[Note]()
    judge, judges = np.zeros(grid.n_rows, dtype=np.int64), [""]
    place = next(
        (k for k, name in enumerate(grid.names) if is_word(name, "rater") and k not in columns), None
    )
    if place is not None:
        judge, judges = coded(grid.labels(place, "judge"))
        if len(judges) > _MOST_JUDGES:
            text = (
                f"the battles of {len(judges)} judges are taken together; up to {_MOST_JUDGES} are compared"
            )
            notes.append(Note("judges_together", text=text, values={"judges": len(judges)}))
            judge, judges = np.zeros_like(judge), [""]
    failed = int(np.isnan(results).sum())
    if failed:
        text = f"{failed} of {count(grid.n_rows, 'battle')} have no winner, and are left out"
        notes.append(Note("failed_battles", text=text, values={"failed": failed}, lost=True))
    return Battles(grid, systems, sides, results, prompts, prompt, judges, judge, tuple(notes))


def _results(grid: Grid, column: Column, names: Sequence[Sequence[str]]) -> Floats:
    """Return who won: the words for sides and ties, or the names of the systems."""
    found = np.full(grid.n_rows, math.nan)
    for row, (text, first, second) in enumerate(zip(column.labels, *names, strict=True)):
        word = plain_name(text)
        if text in (first, second):
            found[row] = text == first
        elif word in _FIRST or word in _SECOND:
            found[row] = word in _FIRST
        elif word in _TIE:
            found[row] = 0.5
        elif word not in _FAILED:
            wanted = f"model_a, model_b, tie, {shown(first)} or {shown(second)}"
            grid.refuse(f"column {column.name!r}: the winner {shown(text)} is not known; use {wanted}", row)
    return found


def _prompts(grid: Grid, plain: Sequence[str]) -> tuple[Integers, Sequence[str]]:
    """Return the prompt of each battle; without such a column, each battle has its own."""
    kinds = (place for kind in _PROMPT for place, name in enumerate(grid.names) if is_word(name, kind))
    words = (plain.index(word) for word in _PROMPT_WORDS if word in plain)
    place = next(itertools.chain(words, kinds), None)
    if place is None:
        return np.arange(grid.n_rows), [str(row + 1) for row in range(grid.n_rows)]
    return coded(grid.labels(place, "prompt"))


def scores_of_battles(battles: Battles) -> Scores:
    """Return the strengths of the systems by each judge; 400 points are odds of 10 to 1."""
    grid, n, n_prompts = battles.grid, len(battles.systems), len(battles.prompts)
    rows = battles.prompts if n_prompts > n else battles.systems
    check_full([battles.judges, rows, battles.systems], 50 * grid.n_rows, grid.refuse)
    values = np.empty((len(battles.judges), n_prompts, n))
    notes = list(battles.notes)
    for k, judge in enumerate(battles.judges):
        own = (battles.judge == k) & ~np.isnan(battles.results)
        (a, b), won, prompt = battles.sides[:, own], battles.results[own], battles.prompt[own]
        wins = np.zeros((n, n))
        np.add.at(wins, (a, b), won)
        np.add.at(wins, (b, a), 1 - won)
        _refuse_endless(battles, wins, judge)
        strengths, inverse = _strengths(wins)
        surprise = won - 1 / (1 + np.exp(strengths[b] - strengths[a]))
        gradients = np.zeros((n_prompts, n))
        np.add.at(gradients, (prompt, a), surprise)
        np.add.at(gradients, (prompt, b), -surprise)
        values[k] = 1000 + _ELO * (strengths + n_prompts * (gradients @ inverse))
        notes.append(_position(judge, won, surprise, prompt))
    measures = [judge or "strength" for judge in battles.judges]
    about = f"{count(grid.n_rows, 'battle')} of two systems each, as strengths of the Bradley-Terry model"
    source = Source(grid.where, about, any(battles.judges), nouns=(("system", "model"), ("topic", "prompt")))
    return Scores(
        values, measures=measures, topics=battles.prompts, systems=battles.systems, source=source, notes=notes
    )


def _refuse_endless(battles: Battles, wins: Floats, judge: str) -> None:
    """Refuse systems that always win against all others: their strengths would have no end (Ford 1957)."""
    reached = wins > 0
    np.fill_diagonal(reached, True)
    for _ in range(max(1, len(reached).bit_length())):
        reached = (reached.astype(np.float64) @ reached) > 0
    both = reached[0] & reached[:, 0]
    if not both.all():
        fewer = ~both if 2 * both.sum() >= len(both) else both
        group = some([battles.systems[k] for k in np.flatnonzero(fewer).tolist()])
        what = f"{group} and the other systems: one side won every battle between them"
        of = f", {judge}" if judge else ""
        say = "such strengths have no end; leave these systems out, or add battles"
        battles.grid.refuse(f"{what}, or there is none{of}; {say}")


def _strengths(wins: Floats) -> tuple[Floats, Floats]:
    """Return the log odds with mean 0, and the inverse of the information, by Newton's method."""
    battles, n = wins + wins.T, len(wins)
    strengths: Floats = np.zeros(n)
    for _ in range(200):
        chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        information = -battles * chance * (1 - chance)
        np.fill_diagonal(information, -information.sum(axis=1))
        inverse = np.asarray(np.linalg.inv(information + 1 / n) - 1 / n, dtype=np.float64)  # of mean 0
        step = inverse @ (wins - battles * chance).sum(axis=1)
        size = float(np.abs(step).max())
        strengths = strengths + step / max(1.0, size)  # no step is longer than 1
        if size < 1e-13:
            break
    return strengths, inverse


def _position(judge: str, won: Floats, surprise: Floats, prompt: Integers) -> Note:
    """Return a note on the position bias: how much oftener the first answer wins than by the strengths."""
    from statistics import NormalDist

    by_prompt = np.bincount(prompt, weights=surprise)
    margin = NormalDist().inv_cdf((1 + _LEVEL) / 2) * math.sqrt(float(by_prompt @ by_prompt)) / len(won)
    share, bias = float(won.mean()), float(surprise.mean())
    low, high = bias - margin, bias + margin
    text = f"the first answer wins {share:.2f} of {count(len(won), 'battle')}, "
    text += f"{bias:+.3f} [{low:+.3f}, {high:+.3f}] beside what the strengths predict"
    values = {"share": share, "bias": bias, "low": low, "high": high, "battles": len(won)}
    return Note("position_bias", subject=judge, text=text, values=values, lost=low > 0 or high < 0)


def labels_of_battles(battles: Battles) -> Grid:
    """Return battles as labels: -1 if the first system by name wins, 1 if the second, 0 for a tie."""
    order = np.argsort(np.argsort(np.array(battles.systems, dtype=object)))
    first, second = order[battles.sides]
    signs = np.where(first < second, 1 - 2 * battles.results, 2 * battles.results - 1)
    names = np.sort(np.array(battles.systems, dtype=object))
    low, high = names[np.minimum(first, second)], names[np.maximum(first, second)]
    items = [
        f"{battles.prompts[p]}: {x} or {y}"
        for p, x, y in zip(battles.prompt.tolist(), low, high, strict=True)
    ]
    labels = [None if math.isnan(sign) else int(sign) for sign in signs.tolist()]
    judges = [battles.judges[k] or "judge" for k in battles.judge.tolist()]
    columns = columns_of(["item", "rater", "label"], [items, judges, labels], ".")
    return Grid(battles.grid.where, "label", columns, battles.grid.n_rows, battles.grid.line)
