"""Write the JSON schema of results, docs/schema/result.schema.json, from the classes of the results.

With --check, write nothing, and say whether it is as it should be.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import sys
import textwrap
import types
import typing
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

import concordant
from concordant.coefficients.declaration import Coefficient
from concordant.results.note import Note
from concordant.results.result import FORMAT, FORMAT_VERSION, Result, values_kind
from concordant.statistics.rater_agreement import VALUES
from concordant.typing import Floats

PATH = Path(__file__).parent.parent / "schema" / "result.schema.json"
WORDS = "^[a-z][a-z0-9_]*$"

# What the columns mean of a field with several values. Every other column is described under Attributes.
PARTS = {
    "measure": "The measure of the reference.",
    "estimate_measure": "The measure of the estimate, which is often the same.",
    "low": "The lower end of the confidence interval; null if there is none.",
    "high": "The upper end of the confidence interval; null if there is none.",
    "rank_first": "1 + the number of systems that are surely above it.",
    "rank_last": "The number of systems minus those surely below it.",
    "mean_low": "The lower end of the confidence interval of the mean.",
    "mean_high": "The upper end of the confidence interval of the mean.",
    "reference_low": "The lower end of the confidence interval of the mean score by the reference.",
    "reference_high": "The upper end of the confidence interval of the mean score by the reference.",
    "reference_rank_low": "1 + the number of systems that are surely above it, by the reference.",
    "reference_rank_high": "The number of systems minus those surely below it, by the reference.",
    "estimate_low": "The lower end of the confidence interval of the mean score by the estimate.",
    "estimate_high": "The upper end of the confidence interval of the mean score by the estimate.",
    "estimate_rank_low": "1 + the number of systems that are surely above it, by the estimate.",
    "estimate_rank_high": "The number of systems minus those surely below it, by the estimate.",
    "regret_low": "The lower end of the regrets in resamples.",
    "regret_high": "The upper end of the regrets in resamples.",
    "aggregate_low": "The lower end of the confidence interval of the agreement with the aggregate.",
    "aggregate_high": "The upper end of the confidence interval of the agreement with the aggregate.",
    "common_low": "The lower end of the numbers of common systems in resamples.",
    "common_high": "The upper end of the numbers of common systems in resamples.",
    "other_systems_low": "The lower end of the interval over topics and systems.",
    "other_systems_high": "The upper end of the interval over topics and systems.",
    "without_luck_low": "The lower end of the interval without the luck of the topics.",
    "without_luck_high": "The upper end of the interval without the luck of the topics.",
    "other_low": "The lower end of the interval of the correlation with other topics.",
    "other_high": "The upper end of the interval of the correlation with other topics.",
} | {
    f"{name}_{end}": f"The {which} end of its confidence interval; null if there is none."
    for name in (*VALUES, "precision", "recall", "alpha")
    for end, which in (("low", "lower"), ("high", "upper"))
}


def results() -> list[type[Result[Any]]]:
    """Return the classes of all results, by the names of their functions."""
    for module in pkgutil.walk_packages(concordant.__path__, "concordant."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return sorted(_below(Result), key=lambda kind: (kind.function, kind.__name__))


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        if each.function and each.__module__.startswith("concordant."):
            yield each
        yield from _below(each)


def of_type(hint: Any) -> dict[str, Any]:
    """Return the schema of a type. A number that is not defined is null."""
    plain = {str: "string", int: "integer", bool: "boolean", Coefficient: "string", types.NoneType: "null"}
    if hint is float or hint is np.float64:
        return {"type": ["number", "null"]}
    if hint in plain:
        return {"type": plain[hint]}
    if hint is Hashable:
        return {"type": ["string", "number", "boolean", "array", "null"]}
    origin, within = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"type": "string", "enum": list(within)}
    if origin in (types.UnionType, typing.Union):
        names = [name for each in within for name in _listed(of_type(each)["type"])]
        return {"type": list(dict.fromkeys(names))}
    if origin is tuple:
        return {"type": "array", "items": of_type(within[0])}
    if origin is typing.get_origin(Floats):  # np.ndarray, or the alias of NumPy 2.5
        return {"type": "array"}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": of_type(within[1])}
    raise TypeError(f"no schema for {hint}")


def _listed(types_of: str | list[str]) -> list[str]:
    return [types_of] if isinstance(types_of, str) else types_of


def _object(description: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


def summary(kind: type) -> str:
    """Return the first paragraph of the documentation of a class, in one line."""
    return " ".join((inspect.getdoc(kind) or "").partition("\n\n")[0].split())


def documented(kind: type) -> dict[str, str]:
    """Return what a class says of its fields: under Attributes, or beside them."""
    found: dict[str, str] = {}
    lines = textwrap.dedent(inspect.getsource(kind)).splitlines()
    for node in ast.parse("\n".join(lines)).body[0].body:  # type: ignore[attr-defined]
        comment = re.search(r"  # (?!noqa|type:)(.+)$", lines[node.lineno - 1])
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and comment:
            found[node.target.id] = f"{comment[1][0].upper()}{comment[1][1:].rstrip('.')}."
    for inherited in kind.__mro__[1:]:
        if inherited.__module__.startswith("concordant."):
            found = documented(inherited) | found
    attributes = (inspect.getdoc(kind) or "").partition("Attributes\n----------\n")[2].partition("\n\n")[0]
    for names, text in re.findall(r"^(\w[^\n]*?) : [^\n]*\n((?: +[^\n]*\n?)+)", attributes, re.MULTILINE):
        found |= {name: " ".join(text.split()) for name in names.split(", ")}
    return found


def _said(kind: type, name: str, own: Mapping[str, str]) -> str:
    """Return the description of a column; fail if there is none."""
    if name not in own:
        sys.exit(f"say under Attributes of {kind.__name__} what {name} means")
    if own[name] == "The coefficient.":
        return "The coefficient, as `concordant.coefficient` reads it."
    return re.sub(r"\b(None|nan)\b", "null", own[name])


def record(kind: type) -> dict[str, Any]:
    """Return the schema of a record: a row of a table."""
    return _object(summary(kind), columns_of(kind, kind))


def columns_of(kind: type, row: type) -> dict[str, Any]:
    """Return the schemas of the columns of a row, whose fields a class describes."""
    own, hints = documented(kind), typing.get_type_hints(kind)
    columns: dict[str, Any] = {}
    for each in fields(row):
        parts = each.metadata.get("parts")
        if parts is None:
            columns[each.name] = of_type(hints[each.name])
        else:
            choices = typing.get_args(hints[each.name]) or (hints[each.name],)
            inside = typing.get_type_hints(choices[0])
            optional = (types.NoneType,) if types.NoneType in choices else ()
            for part, hint in zip(parts, inside.values(), strict=True):
                columns[part] = of_type(typing.Union[(hint, *optional)])
                own[part] = PARTS[part]
    for name, column in columns.items():
        column["description"] = _said(kind, name, own)
    return columns


def variant(kind: type[Result[Any]]) -> dict[str, Any]:
    """Return what the JSON of one class of results holds beside what all have."""
    values = columns_of(kind, values_kind(kind))
    tables = {
        each.name: {
            "type": "array",
            "description": each.metadata["title"],
            "items": {"$ref": f"#/$defs/{each.metadata['kind'].__name__}"},
        }
        for each in fields(kind)
        if "kind" in each.metadata
    }
    return {
        "type": "object",
        "description": summary(kind),
        "properties": {
            "function": {"const": kind.function},
            "values": _object("Single values.", values),
            "tables": _object("Records by the name of their table.", tables, required=[]),
        },
    }


def schema() -> dict[str, Any]:
    """Return the schema of all results."""
    kinds = results()
    records = {
        each.metadata["kind"].__name__: each.metadata["kind"]
        for kind in kinds
        for each in fields(kind)
        if "kind" in each.metadata
    }
    by_function: dict[str, list[str]] = {}
    for kind in kinds:
        by_function.setdefault(kind.function, []).append(kind.__name__)
    own = {
        "format": {"const": FORMAT, "description": "What this file is."},
        "format_version": {
            "const": FORMAT_VERSION,
            "description": "The version of the format; it changes when a key changes its meaning or goes.",
        },
        "version": {"type": "string", "description": "The version of concordant that made the result."},
        "function": {"enum": list(by_function), "description": "The function that was asked."},
        "command": {
            "type": ["string", "null"],
            "description": "The command line, quoted for a shell. Null in Python.",
        },
        "inputs": {
            "type": "array",
            "description": "The files that were read.",
            "items": {"$ref": "#/$defs/Input"},
        },
        "options": {
            "type": "object",
            "description": "The options of the function, except the seed.",
            "propertyNames": {"pattern": WORDS},
        },
        "seed": {
            "type": ["integer", "null"],
            "description": "The seed of what was drawn at random; null if nothing was, or it is not known.",
        },
        "verdict": {"type": "array", "description": "The answer in words.", "items": {"type": "string"}},
        "values": {"type": "object", "description": "Single values; see the variants."},
        "tables": {"type": "object", "description": "Records by the name of their table; see the variants."},
        "notes": {
            "type": "array",
            "description": "Remarks about the result.",
            "items": {"$ref": "#/$defs/Note"},
        },
    }
    of_file = {
        "file": {"type": "string", "description": 'Its name as it was given; "-" is standard input.'},
        "bytes": {
            "type": ["integer", "null"],
            "description": "Its size; null for a pipe, which can be read only once.",
        },
        "sha256": {
            "type": ["string", "null"],
            "description": "The SHA-256 checksum of the file on the disk; null for a pipe.",
        },
    }
    of_note = documented(Note)
    note = {
        "kind": {"type": "string", "pattern": WORDS, "description": of_note["kind"]},
        "subject": {"type": "string", "description": of_note["subject"]},
        "values": {"type": "object", "description": of_note["values"]},
        "text": {"type": "string", "description": "The remark as a sentence, without its subject."},
        "lost": {"type": "boolean", "description": of_note["lost"]},
        "table": {"type": "string", "description": of_note["table"]},
    }
    references = {
        function: [{"$ref": f"#/$defs/{name}"} for name in names] for function, names in by_function.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A result of concordant",
        **_object("What `result.to_json()` and `concordant ... --format json` write.", own),
        "allOf": [
            {
                "if": {"properties": {"function": {"const": function}}},
                "then": each[0] if len(each) == 1 else {"anyOf": each},
            }
            for function, each in references.items()
        ],
        "$defs": {
            "Input": _object("A file that was read.", of_file),
            "Note": _object(summary(Note), note),
            **{kind.__name__: variant(kind) for kind in kinds},
            **{name: record(kind) for name, kind in sorted(records.items())},
        },
    }


def text() -> str:
    """Return the schema as it is written."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PATH.write_text(text(), encoding="utf-8")
    elif PATH.read_text(encoding="utf-8") != text():
        sys.exit(f"{PATH.name} is not what the classes say; run 'make readme'")
