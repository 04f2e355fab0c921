"""The files that commands read and write. Wrong files are refused before any work."""

from __future__ import annotations

import importlib.util
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any

import click

from concordant.errors import ArgumentError, ConcordantError, fail, missing_library

# The paths of files that a command reads, or patterns of such files; and of files that it writes.
READS, WRITES = click.Path(readable=False), click.Path(readable=False)
LISTS = "concordant.lists"  # in the context: the files of patterns that were read


def with_further_files(
    args: list[str], params: Sequence[click.Parameter]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Repeat an option before each further file that follows it; also return these files.

    A shell turns ``--runs runs/*`` into ``--runs runs/a runs/b``. See `_is_further` for the rule.
    """
    several = [each for each in params if isinstance(each, click.Option) and each.multiple]
    options = {name for each in several if each.type is READS for name in each.opts}
    spread: list[str] = []
    taken: list[tuple[str, str]] = []
    words = iter(args)
    name = first = ""
    for word in words:
        if word == "--":
            return [*spread, word, *words], taken
        if name in options and _is_further(first, word):
            spread += [name, word]
            taken.append((name, word))
            continue
        name, equals, first = word.partition("=")
        if name in options:
            spread += [name, first] if equals else [name, *itertools.islice(words, 1)]
            first = spread[-1]
        else:
            spread.append(word)
    return spread, taken


def _is_further(first: str, word: str) -> bool:
    """Return whether a word after the file of an option is one more file of that option.

    It is, if it is in the same folder. If no folder is written, it must also have the same ending. A name
    with "qrel" does not follow a name without it, so that judgements are not read as runs.
    """
    if word.startswith("-") or word == "":
        return False
    if os.path.dirname(word) != os.path.dirname(first):  # noqa: PTH120 - as written, "./" is a folder too
        return False
    if os.path.dirname(first) == "" and ending_of(word) != ending_of(first):  # noqa: PTH120
        return False
    if "qrel" in Path(word).name.lower() and "qrel" not in Path(first).name.lower():
        return False
    from concordant.reading.files import is_pattern

    return not is_pattern(first)  # a pattern that the shell did not expand already names all its files


def ending_of(path: str) -> str:
    """Return the ending of a file, such as ".csv", without that of gzip."""
    return Path(path.removesuffix(".gz")).suffix.lower()


def _paths(context: click.Context, kind: click.Path) -> Iterator[tuple[str, str]]:
    """Yield the paths that were given for parameters of a kind, each with the name of its option."""
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.type is kind and value is not None:
            name = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else ""
            for path in (value,) if isinstance(value, str) else value:
                yield path, name


def files_read(context: click.Context) -> Iterator[str]:
    """Yield the files that a command reads, also those of patterns and folders; "-" is a pipe."""
    for path, _ in _paths(context, READS):
        from concordant.reading.files import expand

        yield from map(str, expand(path))
    yield from context.meta.get(LISTS, ())


def check_paths(context: click.Context) -> None:
    """Refuse a file that cannot be written, one that is read, and one that is written twice."""
    from concordant.reading.files import refuse_input

    written: dict[Path, tuple[str, str]] = {}
    for path, name in _paths(context, WRITES):
        if path == "-":
            continue
        if path == "":
            raise ArgumentError(f"{name}: the name of the file is empty")
        target = Path(os.path.realpath(path))
        if target in written:
            both = " and ".join(dict.fromkeys((written[target][1], name)))
            raise ArgumentError(f"{both} name the same file, {path}, twice; give two names")
        written[target] = path, name
        _check_writable(path, target, name)
    with suppress(ConcordantError):  # reading will raise it
        list(files_read(context))  # notes the files as inputs
    refuse_input(1, "standard output")
    for target, (path, name) in written.items():
        refuse_input(str(target), path, name)


def _check_writable(path: str, target: Path, name: str) -> None:
    if target.is_dir():
        fail(path, None, f"is a folder; give {name} the name of a file")
    if target.exists() and not target.is_file():  # a pipe or a device
        return
    try:  # the system refuses a file that is protected, and a link of somebody else in a folder for all
        os.close(os.open(path, os.O_WRONLY))
    except FileNotFoundError:
        pass
    except OSError as error:
        fail(path, None, f"cannot be written: {error.strerror}; give {name} another name")
    folder = target.parent
    if not folder.is_dir():
        fail(path, None, f"the folder {folder} does not exist; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        fail(path, None, f"the folder {folder} cannot be written to; choose another")


_ENDINGS = {".htm": "html", ".md": "markdown", ".tex": "latex", ".txt": "table"}
_ENDINGS |= {f".{format}": format for format in ("csv", "html", "json", "jsonl", "prototext", "xlsx")}


def ending_in(*endings: str) -> Callable[[Any, Any, str | None], str | None]:
    """Return a callback that refuses a file to write with another ending than these, before any work."""

    def checked(_context: Any, _option: Any, path: str | None) -> str | None:
        if path not in (None, "-") and ending_of(str(path)) not in endings:
            known = ", ".join(filter(None, endings))
            fail(str(path), None, f"the result is written to {known}; give one of these endings")
        return path

    return checked


def outputs_of(how: Mapping[str, Any]) -> list[tuple[str | None, str]]:
    """Return where the result goes, and in which format; the path None is standard output.

    The format is that of --format, or that of the ending of the file. What cannot be written is refused.
    """
    paths = [None if path == "-" else path for path in how["output"]] or [None]
    if paths.count(None) > 1:
        raise ArgumentError("standard output (-o -) can be written only once")
    return [(path, _format_of(how["format"], path)) for path in paths]


def outputs_into(folder: str) -> list[tuple[str | None, str]]:
    """Make a folder, and return the files that an evaluator writes into it, and their formats."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    page = all(importlib.util.find_spec(each) is not None for each in ("altair", "vl_convert"))
    files = {"answer.json": "json", **({"answer.html": "html"} if page else {})}
    files |= {"evaluation.jsonl": "jsonl", "evaluation.prototext": "prototext"}  # TIRA reads the last
    return [(str(Path(folder, file)), format) for file, format in files.items()]


def page_ahead(how: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Prepare a page with figures, if one is asked for, while its result is computed."""
    formats = [format for _, format in how.get("outputs", ())]
    page = "plot" in how and how["table"] is None and "html" in formats
    if not page and not any(path.lower().endswith(".html") for path in how.get("plot", ())):
        return nullcontext()
    need("a page with figures", "plot", {"altair": "altair", "vl_convert": "vl-convert-python"})
    from concordant.figures.page import bundling_ahead

    return bundling_ahead()


def _format_of(asked: str | None, path: str | None) -> str:
    if path is None:
        if asked == "xlsx":
            raise ArgumentError("--format xlsx is not for a terminal or a pipe; name a file with -o")
        return asked or "table"
    ending = ending_of(path)
    known = _ENDINGS.get(ending)
    if ending and known not in ((asked, None) if asked else _ENDINGS.values()):
        wanted = f"the format is {asked}" if asked is not None else "that format is not written"
        fail(path, None, f"ends in {ending}, and {wanted}; endings are {', '.join(sorted(_ENDINGS))}")
    chosen = asked or known or "table"
    if chosen == "xlsx":
        if path.endswith(".gz"):
            fail(path, None, "a workbook is packed already; leave out .gz")
        need("a workbook", "sheets", {"xlsxwriter": "XlsxWriter"})
    return chosen


def drawable(context: Any, _option: Any, values: tuple[str, ...]) -> tuple[str, ...]:
    """Take FIGURE=FILE apart, and refuse a figure that cannot be drawn, before any work."""
    if not values:
        context.params["figures"] = {}
        return ()
    from concordant.figures.draw import figure_names

    known = figure_names(context.command.result_class)
    parts = [text.partition("=") for text in values]
    figures = [name if name in known and equals else None for name, equals, _ in parts]
    paths = tuple(part[2] if name else "".join(part) for name, part in zip(figures, parts, strict=True))
    for path in paths:
        if Path(path).suffix.lower() not in (".html", ".pdf", ".png", ".svg"):
            raise ArgumentError(f"--plot: the file must end in .png, .svg, .pdf or .html, got {path!r}")
        need("a figure", "plot", {"altair": "altair", "vl_convert": "vl-convert-python"})
    for name, equals, path in parts:
        if equals and name.isidentifier() and name not in known:
            there = f"there is no figure {name!r}; there are {', '.join(known)}"
            raise ArgumentError(f"--plot: {there}; for a file of this name, write ./{name}={path}")
    context.params["figures"] = dict(zip(paths, figures, strict=True))
    return paths


def need(what: str, extra: str, libraries: Mapping[str, str]) -> None:
    """Refuse what needs libraries that are not installed."""
    if any(importlib.util.find_spec(module) is None for module in libraries):
        raise missing_library(what, " and ".join(libraries.values()), extra)
