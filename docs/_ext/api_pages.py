"""The reference of every public name: a page for each, and a table for each group."""

from __future__ import annotations

import dataclasses
import inspect
from operator import attrgetter
from typing import Any

import concordant as cd

# The folder of the package in which a name lives decides its group; of a question, the file.
GROUPS = {
    "Coefficients": ("coefficients",),
    "Comparing": (
        "rankings",
        *(f"questions.{name}" for name in ("choose", "compare", "explain", "grouped", "matrix")),
    ),
    "Scores and files": ("scores", "study", "reading"),
    "Judging": ("questions",),
    "Statistics": ("statistics", "questions.plan"),
    "Experiments": ("experiments",),
    "Presenting": ("figures", "results", "experiments.experiment"),
    "Results": (),
    "Errors": ("errors",),
}
LEADS = {
    "Coefficients": "Each coefficient has [its own page](../coefficients/index.md). "
    "These functions find, declare and tune them.",
    "Comparing": "Functions of two or more rankings.",
    "Scores and files": "Scores of systems on topics, and how they are read, computed and written.",
    "Judging": "Rankings of systems by estimates against the reference.",
    "Statistics": "Confidence intervals, tests, reliability, and the number of topics.",
    "Experiments": "The experiments of the papers, as functions. "
    "[Their pages](../../experiments/index.md) say how to read them.",
    "Presenting": "What all results share, figures and pages.",
    "Results": "What functions return. All are in `cd.results`; "
    "[records](records-group.md) are the rows of their tables.",
    "Records": "The rows of the tables of results. All are in `cd.results`.",
    "Errors": "Errors that concordant raises on purpose, and its warning.",
}
MODULES = ("experiments", "experiments.simulate", "results")


def public() -> dict[str, Any]:
    """Return everything public by its path below the package, such as tau_b and experiments.predict."""
    found = {name: getattr(cd, name) for name in cd.__all__ if name not in MODULES}
    for module in MODULES:
        of = attrgetter(module)(cd)
        found |= {f"{module}.{name}": getattr(of, name) for name in of.__all__}
    twice = [path for path in found if path.rpartition(".")[2] in found and "." in path]
    left_out = (*twice, "experiments.simulate")
    return {path: item for path, item in found.items() if path not in left_out}


def group_of(path: str, item: Any) -> str:
    """Return the group of a public name."""
    if path == "REGISTRY":
        return "Coefficients"
    if path.partition(".")[0] in MODULES:
        return path.partition(".")[0].capitalize()
    if isinstance(item, type) and issubclass(item, BaseException):
        return "Errors"
    parts = item.__module__.split(".")[1:]
    for own in (".".join(parts), parts[0]):
        for group, places in GROUPS.items():
            if own in places:
                return group
    raise LookupError(path)


def is_record(path: str, item: Any) -> bool:
    """Return whether a class is a row of a table."""
    is_class = path.startswith("results.") and isinstance(item, type)
    return is_class and not issubclass(item, cd.Result)


def summary(item: Any) -> str:
    """Return the first sentence of a docstring, as Markdown."""
    if isinstance(item, dict):
        return "All coefficients by name, with what is declared about them."
    if isinstance(item, tuple):
        return "The shares of the judgements that are kept by default, in percent."
    first = (inspect.getdoc(item) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
    return first.replace("``", "`").replace("|", r"\|")


def signature(app: Any, what: str, name: str, item: Any, options: Any, signature: Any, returns: Any) -> Any:  # noqa: ARG001
    """Leave the parentheses of classes out that users get as results and do not make themselves."""
    if what in ("class", "exception") and "Parameters\n---" not in (inspect.getdoc(item) or ""):
        return "", ""
    return None


def page(path: str, item: Any) -> str:
    """Return the page of one name."""
    full = f"concordant.{path}"
    lines = [f"# {path}", ""]
    if isinstance(item, dict | tuple):
        lines += ["```{eval-rst}", f".. py:data:: {full}", "", f"   {summary(item)}", "```"]
        return "\n".join(lines) + "\n"
    if isinstance(item, type) and issubclass(item, BaseException):
        lines += ["```{eval-rst}", f".. autoexception:: {full}()", "```"]
    elif isinstance(item, type):
        lines += ["```{eval-rst}", f".. autoclass:: {full}", "   :members:"]
        left_out = [each.name for each in dataclasses.fields(item)] if dataclasses.is_dataclass(item) else []
        if issubclass(item, cd.Result) and item is not cd.Result:
            left_out += ["function", "main", "emphasis", "emphasised"]
            shared = (
                "It prints as text. Its other methods are those of [`Result`](Result.md), such as `to_frame`."
            )
        else:
            shared = ""
            lines += ["   :inherited-members: tuple, dict, Mapping"]
        lines += [f"   :exclude-members: {', '.join(left_out)}"] if left_out else []
        lines += ["```", "", shared, ""]
    else:
        lines += ["```{eval-rst}", f".. autofunction:: {full}", "```"]
    return "\n".join(lines) + "\n"


def slug(group: str) -> str:
    """Return the name of the file of a group."""
    return group.lower().replace(" ", "-") + "-group.md"


def rows(names: dict[str, Any]) -> list[str]:
    """Return a table of names with links."""
    lines = [f"| [`{path}`]({path}.md) | {summary(item)} |" for path, item in names.items()]
    return ["| name | what it is |", "|---|---|", *lines, ""] if lines else []


def group_page(group: str, members: dict[str, Any], below: tuple[str, ...] = ()) -> str:
    """Return the page of a group: functions, then classes; `below` are pages below it."""
    functions = {path: item for path, item in members.items() if not isinstance(item, type)}
    classes = {path: item for path, item in members.items() if isinstance(item, type)}
    lines = [f"# {group}", "", LEADS[group], ""]
    if functions and classes:
        lines += ["## Functions", "", *rows(functions), "## Classes", "", *rows(classes)]
    else:
        lines += rows(members)
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", *functions, *classes, *below, "```"]) + "\n"


def card(group: str, members: dict[str, Any]) -> list[str]:
    """Return a card of the index: what a group is, and its first names, functions before classes."""
    first = sorted(members, key=lambda path: (isinstance(members[path], type), path))
    names = [f"[`{path}`]({path}.md)" for path in first[:8]] + (["..."] if len(first) > 8 else [])
    return [
        f":::{{grid-item-card}} [{group}]({slug(group)})",
        LEADS[group],
        "",
        ", ".join(names),
        ":::",
        "",
    ]


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    named = {path: item for path, item in public().items() if path not in cd.REGISTRY}
    made = {f"{path}.md": page(path, item) for path, item in named.items()}
    cards: list[str] = []
    for group in GROUPS:
        members = {path: item for path, item in sorted(named.items()) if group_of(path, item) == group}
        records = {path: item for path, item in members.items() if is_record(path, item)}
        if records:  # most classes are records of tables: a page of their own, so that they fold
            made[slug("Records")] = group_page("Records", records)
        rest = {path: item for path, item in members.items() if path not in records}
        below = (slug("Records").removesuffix(".md"),) if records else ()
        made[slug(group)] = group_page(group, rest, below)
        cards += card(group, rest)
    lines = [
        "# Functions and classes",
        "",
        "Everything public in `import concordant as cd`. Names that are not here may change without notice.",
        "",
        "::::{grid} 1 1 2 2",
        ":gutter: 3",
        ":class-container: cards",
        "",
        *cards,
        "::::",
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *(slug(group).removesuffix(".md") for group in GROUPS),
        "```",
    ]
    made["index.md"] = "\n".join(lines) + "\n"
    return made
