"""Draw the questions of `cd.choose` as a tree, from the questions themselves: docs/figures/choose-*.svg.

Each question of the spine has one answer that leads to the next question. Its other answers are branches,
which end in coefficients. The wide picture is for screens and paper, the narrow one for telephones.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import concordant as cd
from concordant.questions.choose import Question, questions_left

ROOT = Path(__file__).parent.parent.parent
_TOP = "top_weighted"
# These change the call, not the coefficient.
_CALL = ("threshold", "symmetric")
# A question that is asked in a branch, before its answer.
_ASKED = {"gaps": "do the levels of grades count: ", "ties": "a tie means: "}


@dataclass(frozen=True)
class Row:
    """Answers that leave only the question of the top open, and the coefficients that it then leaves."""

    answers: tuple[str, ...]
    top: tuple[str, ...]
    alike: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """A question of the spine, and its branches; `onward` is the answer that leads to the next question."""

    question: str
    onward: str
    rows: list[Row] = field(default_factory=list)


def levels() -> list[Level]:
    """Return the questions of the spine, from the first to the last."""
    found: list[Level] = []
    given: dict[str, Any] = {}
    while True:
        question, offered = next(_open(given))
        if question.usual is None:
            return [*found, Level(question.text, "", list(_rows(given)))]
        onward = question.usual
        level = Level(question.text, question.answers[onward])
        for answer in offered:
            if answer != onward:
                level.rows.extend(_rows(given | {question.name: answer}, (question.answers[answer],)))
        found.append(level)
        given[question.name] = onward


def _open(given: dict[str, Any]) -> Iterator[tuple[Question, list[Any]]]:
    """Yield the questions that decide about the coefficient and are not answered, but that of the top."""
    for question, offered in questions_left(given):
        if question.name not in (*_CALL, _TOP):
            # "indiscernible" stands for two other answers, of which the first question of all chooses one.
            yield question, [answer for answer in offered if answer != "indiscernible"]


def _rows(given: dict[str, Any], words: tuple[str, ...] = ()) -> Iterator[Row]:
    """Yield what is left after the answers, one row for each way to answer the questions that are open."""
    following = next(_open(given), None)
    if following is None:
        yield Row(words, _left(given, True), _left(given, False))
        return
    question, offered = following
    for answer in offered:
        asked = _ASKED.get(question.name, "") if words else ""
        words_now = (*words, f"{asked}{question.answers[answer]}")
        yield from _rows(given | {question.name: answer}, words_now)


def _left(given: dict[str, Any], top: bool) -> tuple[str, ...]:
    """Return the names of the coefficients that fit."""
    try:
        choice = cd.choose(**given, top_weighted=top)
    except cd.ArgumentError:
        return ()
    assert choice is not None
    return tuple(each.coefficient.name for each in choice.candidates)


# ---- as a table


def table() -> str:
    """Return the same as a table in Markdown."""
    lines = ["| question | answer | the top counts more | all ranks count alike |", "|---|---|---|---|"]
    for number, level in enumerate(levels(), 1):
        question = f"{number}. {level.question}"
        for row in level.rows:
            cells = [", ".join(f"`{name}`" for name in names) or "-" for names in (row.top, row.alike)]
            lines.append(f"| {question} | {'; '.join(row.answers)} | {' | '.join(cells)} |")
            question = ""
        if level.onward:
            onward = f"question {number + 1}"
            lines.append(f"| {question} | {level.onward} | {onward} | {onward} |")
    return "\n".join(lines)


# ---- as a picture

_LINE = 19  # the height of a line of text
_LETTER, _BOLD = 7.4, 8.2  # the width of a letter, on average and at most
_LEFT, _COLUMN = 34, 160  # where answers begin; the width of a column of coefficients
_HEADS = ("the top counts more", "all ranks count alike")
_SANS = 'system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif'
_MONO = 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace'
# The site has the colours of its light and dark theme in variables; elsewhere those after the comma hold.
_STYLE = f"""
.choose text {{ font: 14px {_SANS}; fill: var(--pst-color-text-base, #222832); }}
.choose .question {{ font-weight: 600; }}
.choose .muted {{ font-size: 13px; fill: var(--pst-color-text-muted, #48566b); }}
.choose .name {{ font: 600 13.5px {_MONO}; }}
.choose a {{ fill: var(--pst-color-link, #0a7d91); text-decoration: underline; text-underline-offset: 4px; }}
.choose .box {{ fill: var(--pst-color-surface, #f3f4f5); stroke: var(--pst-color-border, #8a94a3); }}
.choose .spine {{ stroke: var(--pst-color-primary, #0a7d91); stroke-width: 2.5; fill: none; }}
.choose .rule {{ stroke: var(--pst-color-border, #c9cdd4); }}
"""


_NAME = re.compile("|".join(sorted(map(re.escape, cd.REGISTRY), key=len, reverse=True)))


def _link(name: re.Match[str]) -> str:
    """Return the name of a coefficient as a link from the page that shows the picture."""
    return f'<a href="reference/coefficients/{name[0]}.html">{name[0]}</a>'


class Picture:
    """Lines of SVG, from the top to the bottom."""

    def __init__(self, width: int) -> None:
        """Begin an empty picture."""
        self.width = width
        self.y = 4.0
        self.parts: list[str] = []

    def text(self, x: float, text: str, room: float, kind: str = "") -> float:
        """Write a text in as many lines as the room makes it; return their height."""
        lines = textwrap.wrap(text, int(room / (_BOLD if kind in ("question", "name") else _LETTER)))
        for number, line in enumerate(lines):
            y = self.y + 15 + number * _LINE
            shown = _NAME.sub(_link, escape(line)) if kind == "name" else escape(line)
            self.parts.append(f'<text x="{x:g}" y="{y:g}" class="{kind}">{shown}</text>')
        return len(lines) * _LINE

    def line(self, kind: str, path: str) -> None:
        """Draw a line."""
        self.parts.append(f'<path class="{kind}" d="{path}"/>')

    def box(self, text: str) -> None:
        """Write a question in a box."""
        place = len(self.parts)
        self.y += 8
        height = self.text(14, text, self.width - 28, "question") + 14
        size = f'width="{self.width - 2}" height="{height:g}"'
        self.parts.insert(place, f'<rect class="box" x="1" y="{self.y - 8:g}" {size} rx="6"/>')
        self.y += height - 8 + 6

    def row(self, row: Row) -> None:
        """Write the answers of a branch and the coefficients that are left, side by side if there is room."""
        self.line("spine", f"M14 {self.y + 10:g}h12")
        words = "; ".join(row.answers)
        if self.width > 3 * _COLUMN:
            right = self.width - 2 * _COLUMN
            heights = [self.text(_LEFT, words, right - _LEFT - 16)]
            for number, names in enumerate((row.top, row.alike)):
                heights.append(
                    self.text(right + number * _COLUMN, ", ".join(names) or "-", _COLUMN - 18, "name")
                )
            self.y += max(heights)
        else:
            self.y += self.text(_LEFT, words, self.width - _LEFT)
            for head, names in zip(_HEADS, (row.top, row.alike), strict=True):
                if names:
                    self.text(_LEFT + 10, f"{head}:", 200, "muted")
                    self.y += self.text(_LEFT + 154, ", ".join(names), self.width - _LEFT - 154, "name")
        self.y += 4
        self.line("rule", f"M{_LEFT} {self.y:g}H{self.width}")
        self.y += 5

    def heads(self) -> None:
        """Write what the columns of coefficients are, if there are columns."""
        if self.width > 3 * _COLUMN:
            for number, head in enumerate(_HEADS):
                self.text(self.width - (2 - number) * _COLUMN, head, _COLUMN, "muted")
            self.y += _LINE + 2


def picture(width: int) -> str:
    """Return the tree as SVG of a width."""
    out = Picture(width)
    every = levels()
    for number, level in enumerate(every, 1):
        out.box(f"{number}. {level.question}")
        below = out.y - 6
        out.heads()
        for row in level.rows:
            out.row(row)
        if level.onward:
            out.y += out.text(_LEFT, level.onward, width - _LEFT, "question") + 6
            out.line("spine", f"M14 {below:g}V{out.y - 3:g}m-5 -8l5 8l5 -8")
        else:
            out.line("spine", f"M14 {below:g}V{_last_tick(out.parts):g}")
    said = "Which coefficient? " + " ".join(_told(number, level) for number, level in enumerate(every, 1))
    size = f'viewBox="0 0 {width} {out.y + 4:g}" width="{width}"'
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" class="choose" {size} role="group"'
    return "\n".join(
        [f'{begin} aria-label="{escape(said)}">', f"<style>{_STYLE}</style>", *out.parts, "</svg>\n"]
    )


def _last_tick(parts: list[str]) -> float:
    """Return where the last branch leaves the spine."""
    return max(float(part.split("M14 ")[1].split("h")[0]) for part in parts if part.endswith('h12"/>'))


def _told(number: int, level: Level) -> str:
    """Return a question, its branches and where they end, in words."""
    rows = []
    for row in level.rows:
        ends = [
            f"{head}: {', '.join(names)}"
            for head, names in zip(_HEADS, (row.top, row.alike), strict=True)
            if names
        ]
        rows.append(f"{'; '.join(row.answers)}: {'; '.join(ends)}.")
    onward = [f"{level.onward}: question {number + 1}."] if level.onward else []
    return " ".join([f"Question {number}: {level.question}", *rows, *onward])


PICTURES = {"docs/figures/choose-wide.svg": 720, "docs/figures/choose-narrow.svg": 360}

if __name__ == "__main__":
    for name, width in PICTURES.items():
        (ROOT / name).write_text(picture(width), encoding="utf-8")
