"""Pages that run: commands in cells, figures as SVG, a folder for each page.

A page begins with a cell that runs ``%load_ext running``. After that, a cell whose first line is ``%%shell``
runs commands as a terminal of 80 columns does, and an error of a command is an error of the page. The built
page shows the commands without that first line, so that they can be copied. Figures are drawn as SVG, which
needs no network.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
from pathlib import Path
from typing import Any

MAGIC = "%%shell\n"
_COLUMNS = 80
_LARGER = 1.3
_PROGRESS = re.compile(r"^concordant: .* (\d+ of \d+|left)$|^concordant: drawing")


class CommandError(Exception):
    """A command of a page ended with an error."""


def shell(commands: str) -> str:
    """Run commands in this folder as a terminal does; return what they print, without progress."""
    scripts = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": str(_COLUMNS),
        "NO_COLOR": "1",
    }
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, _COLUMNS, 0, 0))
    printed: list[bytes] = []
    reader = threading.Thread(target=_read, args=(ours, printed))
    with subprocess.Popen(
        ["sh", "-e", "-c", commands],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        os.close(theirs)
        reader.start()
        told = process.stderr.read() if process.stderr else ""
        code = process.wait()
    reader.join()
    os.close(ours)
    if code:
        raise CommandError(f"{commands.strip()}\nended with {code}: {told.strip()}")
    kept = "".join(f"{line}\n" for line in told.splitlines() if not _PROGRESS.search(line))
    return b"".join(printed).decode().replace("\r\n", "\n") + kept


def _read(source: int, printed: list[bytes]) -> None:
    """Read a terminal until the last program that writes to it ends, which Linux says by an error."""
    try:
        while part := os.read(source, 65536):
            printed.append(part)
    except OSError:
        pass


def enter() -> None:
    """Go to an empty folder, which is removed at the end."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chdir(folder)


def load_ipython_extension(session: Any) -> None:
    """Prepare the session that runs a page."""
    import altair

    enter()
    altair.renderers.register("page", _drawn)
    altair.renderers.enable("page")
    session.register_magic_function(lambda _, cell: print(shell(cell), end=""), "cell", "shell")


def _drawn(spec: dict[str, Any], **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a figure as SVG, a little larger than in print; pages that are narrower make it smaller."""
    import vl_convert

    def larger(found: re.Match[str]) -> str:
        return f'{found[1]}="{float(found[2]) * _LARGER:g}"'

    version = ".".join(spec["$schema"].rpartition("/v")[2].split(".")[:2])
    begin, end, rest = vl_convert.vegalite_to_svg(spec, vl_version=version).partition(">")
    begin = re.sub(r'\b(width|height)="([\d.]+)"', larger, begin)
    return {"image/svg+xml": begin + end + rest, "text/plain": "a figure"}, {}


def setup(app: Any) -> dict[str, Any]:
    """Let Sphinx show commands without the line that makes a cell run them."""
    app.connect("doctree-read", _show_commands)
    app.add_css_file("running.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _show_commands(_: Any, tree: Any) -> None:
    from docutils import nodes

    for block in list(tree.findall(nodes.literal_block)):
        text = block.astext()
        if text.startswith(MAGIC):
            commands = text.removeprefix(MAGIC)
            shown = nodes.literal_block(commands, commands, language="sh")
            block.replace_self(shown)
