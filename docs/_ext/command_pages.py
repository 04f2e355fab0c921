"""A page for each command, from the same objects that make its --help."""

from __future__ import annotations

import inspect
import re

import click
from gallery_pages import EXAMPLES, example

from concordant.cli.command import broken, by_heading
from concordant.cli.program import Group, all_commands, program

LEAD = (
    "`pip install 'concordant[cli]'` installs the program. `concordant --help` lists the commands; "
    "`concordant COMMAND --help` shows what these pages show."
)


def marked(text: str) -> str:
    """Return text as Markdown: options as code, characters with a meaning escaped."""
    words = re.sub(r"\s+", " ", text).strip().split(" ")
    return " ".join(_word(word) for word in words)


def _word(word: str) -> str:
    found = re.fullmatch(r"(\(?)(--[a-z][a-z-]*)(\W*)", word)
    if found:
        return f"{found[1]}`{found[2]}`{found[3]}"
    return re.sub(r"([\\`*_\[\]<>^|$~])", r"\\\1", word)


def paragraphs(help_text: str) -> list[str]:
    """Return the help text as Markdown: paragraphs, and examples as code."""
    lines: list[str] = []
    for block in inspect.cleandoc(help_text).split("\n\n"):
        if not block.startswith("\b"):
            lines += [marked(block), ""]
            continue
        title, *rest = block.removeprefix("\b\n").split("\n")
        if title.startswith("Example"):
            commands = [broken(line.strip()) for line in rest]
            lines += [f"## {title.rstrip(':')}", "", "```", *commands, "```", ""]
        else:
            lines += ["```", title, *rest, "```", ""]
    return lines


def row(names: str, text: str) -> str:
    """Return the row of an option; values to choose from stand in its meaning, which has more room."""
    found = re.fullmatch(r"(.+) \[([^\]]*\|[^\]]*)\]", names)
    if found is None:
        return f"| `{names}` | {marked(text)} |"
    values = ", ".join(f"`{value}`" for value in found[2].split("|"))
    return f"| `{found[1]}` | {marked(text)} One of {values}. |"


def options(command: click.Command, context: click.Context) -> list[str]:
    """Return a table of options for each heading of the help."""
    lines = ["## Options", ""]
    for title, several in by_heading(command, context).items():
        rows = [row(*record) for each in several if (record := each.get_help_record(context))]
        lines += [f"### {title}", "", "| option | meaning |", "|---|---|", *rows, ""]
    return lines


def page(name: str, command: click.Command) -> str:
    """Return the page of a command, such as "experiment swap"."""
    above, _, last = f"concordant {name}".rpartition(" ")
    with click.Context(command, info_name=last, parent=click.Context(program, info_name=above)) as context:
        usage = command.get_usage(context).removeprefix("Usage: ")
        lines = [f"# concordant {name}", "", "```", re.sub(r"\s+", " ", usage), "```", ""]
        lines += paragraphs(command.help or "")
        if name in EXAMPLES:
            lines += ["## Output", "", *example(EXAMPLES[name][0])]
        lines += options(command, context)
    return "\n".join(lines)


def file_of(name: str) -> str:
    """Return the name of the page of a command, without its ending."""
    return name.replace(" ", "-")


def table(group: Group, before: str = "") -> list[str]:
    """Return a table for each heading of the help, with the commands of groups."""
    lines: list[str] = []
    context = click.Context(group)
    for heading, commands in group.sections.items():
        rows: list[str] = []
        for name in commands:
            command = group.get_command(context, name)
            if isinstance(command, Group):
                rows += table(command, f"{name} ")
            elif command is not None:
                text = marked(command.get_short_help_str(300))
                rows.append(f"| [{before}{name}]({file_of(before + name)}.md) | {text} |")
        head = [f"## {heading}", "", "| command | what it does |", "|---|---|"]
        lines += rows if before else [*head, *rows, ""]
    return lines


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    commands = all_commands()
    made = {f"{file_of(name)}.md": page(name, command) for name, command in commands.items()}
    hidden = ["```{toctree}", ":hidden:", "", *map(file_of, commands), "```"]
    made["index.md"] = "\n".join(["# Commands", "", LEAD, "", *table(program), *hidden]) + "\n"
    return made
