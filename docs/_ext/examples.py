"""Examples that the build runs: commands or Python, with what they print and the figure that they draw.

`{example}` is a directive that may stand anywhere, also in tabs and cards, where cells of a page may not. It
runs in a folder with the files of the demonstration: runs, three files of judgements, and tables of scores.
What was run is kept in docs/_build, until the package changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from gallery_pages import EXAMPLES
from running import CommandError, shell
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import concordant as cd

_DOCS = Path(__file__).parent.parent
_KEPT = _DOCS / "_build" / "examples"
PICTURES = "_generated/pictures"
_JUDGES = ("human", "noisy", "partial")
# The colours of figures on a dark page; contrast with the background is that of the light ones or better.
_DARK = {
    "white": "#14181e", "#fff": "#14181e", "black": "#e6edf3", "#000": "#e6edf3", "#404040": "#ced6dd",
    "#767676": "#9ca4af", "#c8c8c8": "#555d68", "#efefef": "#2a3038", "#ddd": "#39414b", "#888": "#9ca4af",
    "#08427a": "#5aa9e6", "#0072b2": "#56b4e9", "#d55e00": "#f08a3c", "#a84300": "#f08a3c",
    "#b04a00": "#f08a3c",
}  # fmt: skip


def dark(svg: str) -> str:
    """Return a figure in the colours of a dark page."""

    def colour(found: re.Match[str]) -> str:
        return f'{found[1]}="{_DARK.get(found[2].lower(), found[2])}"'

    return re.sub(r'\b(fill|stroke)="([^"]+)"', colour, svg)


def state() -> str:
    """Return what stands for the package as it is: an example runs again when it changes."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(Path(cd.__file__).parent.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def prepare(app: Sphinx) -> None:
    """Make the files of the demonstration, and forget what an earlier state of the package printed."""
    now = state()
    app.config.examples_state = now
    folder = _KEPT / now
    for old in _KEPT.glob("*"):
        if old != folder:
            shutil.rmtree(old)
    if (folder / "data").exists():
        return
    (_DOCS / PICTURES).mkdir(parents=True, exist_ok=True)
    _KEPT.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=_KEPT)) / "data"
    cd.experiments.simulate.collection(rng=1).write(made)
    for name in _JUDGES:
        scores = cd.evaluate(made / f"{name}.qrels", made / "runs" / "*", ["nDCG@10", "AP", "P@10", "RR"])
        cd.write_scores(scores["nDCG@10"], made / f"{name}.csv", format="wide")
        if name == "human":
            for measure, file in (("AP", "ap"), ("P@10", "p10"), ("RR", "rr")):
                cd.write_scores(scores[measure], made / f"{file}.csv", format="wide")
    made.parent.rename(folder)


def ran(code: str, language: str, files: list[str], folder: Path) -> tuple[str, dict[str, str]]:
    """Run an example in a folder of its own; return what it printed, and the files that are asked for."""
    with tempfile.TemporaryDirectory() as place:
        for each in (folder / "data").iterdir():
            Path(place, each.name).symlink_to(each)
        if language == "python":
            Path(place, "example.py").write_text(code, encoding="utf-8")
            code = "python example.py"
        before = Path.cwd()
        os.chdir(place)
        try:
            printed = shell(code)
        finally:
            os.chdir(before)
        kept = {name: Path(place, name).read_text(encoding="utf-8") for name in files}
    said = "".join(f"{line}\n" for line in printed.splitlines() if not line.startswith("concordant: wrote"))
    return said, kept


def kept(code: str, language: str, files: list[str], folder: Path) -> tuple[str, dict[str, str]]:
    """Return the same, from the last time if it ran."""
    key = hashlib.sha256(json.dumps([code, language, files]).encode()).hexdigest()[:16]
    path = folder / f"{key}.json"
    if path.exists():
        return tuple(json.loads(path.read_text(encoding="utf-8")))  # type: ignore[return-value]
    found = ran(code, language, files, folder)
    partly = path.with_suffix(f".{os.getpid()}")
    partly.write_text(json.dumps(found), encoding="utf-8")
    partly.replace(path)
    return found


class Example(SphinxDirective):
    """Commands, or Python with the argument `python`, and below them what they print and draw.

    `figure` is a file of the figure, an SVG, and `alt` its text. `hide` leaves out code or output, or folds
    the output. `first` puts the figure first.
    """

    has_content = True
    optional_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "figure": directives.unchanged,
        "alt": directives.unchanged,
        "width": directives.unchanged,
        "hide": lambda text: directives.choice(text, ("code", "output", "fold", "both")),
        "first": directives.flag,
        "until": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Run the example and return its parts."""
        code, language = "\n".join(self.content), (self.arguments or ["sh"])[0]
        figure, hide = self.options.get("figure"), self.options.get("hide")
        folder = _KEPT / self.config.examples_state
        self.env.note_dependency(str(folder / "data" / "human.qrels"))  # gone when the package has changed
        try:
            said, drawn = kept(code, language, [figure] if figure else [], folder)
        except (CommandError, OSError) as error:
            raise self.error(str(error)) from error
        if "until" in self.options:
            said = said.partition(self.options["until"])[0].rstrip() + "\n"
        shown: list[nodes.Node] = []
        if hide not in ("code", "both"):
            shown.append(nodes.literal_block(code, code, language=language))
        if said.strip() and hide not in ("output", "both"):
            block = nodes.literal_block(said, said, language="none", classes=["output"])
            shown.append(block if hide != "fold" else self.folded(block))
        if figure:
            images = self.images(drawn[figure])
            shown = [*images, *shown] if "first" in self.options else [*shown, *images]
        return shown

    def images(self, svg: str) -> list[nodes.Node]:
        """Return the figure in light and in dark colours, of which a page shows one."""
        found: list[nodes.Node] = []
        for theme, content in (("light", svg), ("dark", dark(svg))):
            name = f"{hashlib.sha256(content.encode()).hexdigest()[:12]}-{theme}.svg"
            path = _DOCS / PICTURES / name
            if not path.exists():
                partly = path.with_suffix(f".{os.getpid()}")
                partly.write_text(content, encoding="utf-8")
                partly.replace(path)
            wide = re.search(r'width="([\d.]+)"', svg)
            width = self.options.get("width", f"{1.2 * float(wide[1]):.0f}px" if wide else "100%")
            how = {"alt": self.options["alt"], "width": width, "classes": [f"only-{theme}", "figure-drawn"]}
            found.append(nodes.image(uri=f"/{PICTURES}/{name}", **how))
        return found

    def folded(self, block: nodes.Node) -> nodes.Node:
        """Return the output in an element that opens."""
        inside = nodes.container("", nodes.raw("", "<details><summary>Output</summary>", format="html"))
        return nodes.container("", *inside.children, block, nodes.raw("", "</details>", format="html"))


class Thumbnail(Example):
    """A figure of the gallery, small: `{thumbnail} judge topics` is the figure topics of `judge`."""

    has_content = False
    required_arguments = 1
    optional_arguments = 0
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the figure without the command."""
        command, _, figure = self.arguments.pop().rpartition(" ")
        found = next(each for each in EXAMPLES[command] if each.figure == figure)
        self.content = StringList(found.commands.splitlines())
        self.options |= {"figure": found.file, "alt": found.alt, "hide": "both", "width": "100%"}
        return super().run()


class Speed(SphinxDirective):
    """Bars of how many times faster, for those rows of docs/speed.md whose numbers are given."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a table whose cells have bars."""
        self.env.note_dependency(str(_DOCS / "speed.md"))
        lines = (_DOCS / "speed.md").read_text(encoding="utf-8").splitlines()
        table = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")
        ]
        rows = [table[int(number)] for number in self.arguments[0].split()]
        most = max(float(times) for _, _, times in rows)
        html = ['<table class="speed"><thead><tr><th>work</th><th>times faster than</th></tr></thead><tbody>']
        for what, against, times in rows:
            share = 100 * float(times) / most
            bar = f'<span class="bar" style="width: {share:.0f}%" aria-hidden="true"></span>'
            html += [f"<tr><td>{_code(what)}</td><td>{bar}<b>{times}</b> {_code(against)}</td></tr>"]
        return [nodes.raw("", "".join([*html, "</tbody></table>"]), format="html")]


def _code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def setup(app: Sphinx) -> dict[str, Any]:
    """Give the directives to Sphinx."""
    app.add_config_value("examples_state", "", "")
    app.connect("builder-inited", prepare)
    app.add_directive("example", Example)
    app.add_directive("speed", Speed)
    app.add_directive("thumbnail", Thumbnail)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
