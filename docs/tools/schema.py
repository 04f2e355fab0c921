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

import concordant
from concordant.coefficients import Coefficient
from concordant.tables import FORMAT, FORMAT_VERSION, Input, Note, Provenance, Result

PATH = Path(__file__).parent.parent / "schema" / "result.schema.json"
WORDS = "^[a-z][a-z0-9_]*$"

# What the columns mean. Of a column that is not here, the comment beside its field says it.
COLUMNS = {
    "agree": "How many pairs of systems differ significantly on both sides, in the same order.",
    "agreement": "The share of items that both lists have up to this depth.",
    "ap": "Average precision from all judgements.",
    "axiom": "The number of the axiom.",
    "base": "The coefficient without grades.",
    "below_best": "How far it is below the best by this coefficient.",
    "best": "The name of the best estimate.",
    "best_measure": "The measure of the best estimate; null if it is that of the reference.",
    "better": "The system or item that the reference ranks higher.",
    "better_by_estimate": "The system that the estimate ranks higher.",
    "better_by_reference": "The system that the reference ranks higher.",
    "beyond": "What extrapolation beyond the end of the lists costs.",
    "call": "The call of the coefficient in Python; empty while a question is open.",
    "cases": "How many cases were tried.",
    "change": "The coefficient without the group less that of all systems.",
    "coefficient": "The coefficient, as `concordant.get` reads it.",
    "cost": "What it takes off the coefficient.",
    "counterexample": "The smallest case against it that was found; null if there is none.",
    "depth": "The depth of the lists.",
    "difference": "The first value less the second.",
    "LabelAgreement.documents": "How many documents both judged.",
    "documents": "How many documents.",
    "draws": "How many random draws.",
    "estimate": "The name of the estimate: a judge, a file, a measure.",
    "estimate_difference": "The difference of the two scores by the estimate.",
    "estimate_grade": "The grade by the estimate.",
    "estimate_high": "The upper end of the confidence interval of the mean score by the estimate.",
    "estimate_low": "The lower end of the confidence interval of the mean score by the estimate.",
    "estimate_measure": "The measure of the estimate, often the same.",
    "LabelAgreement.estimate_only": "How many documents only the estimate judged.",
    "Significance.estimate_only": "How many pairs of systems differ significantly by the estimate alone.",
    "estimate_rank": "The rank by the estimate: 1 is the best; systems that tie share the best.",
    "estimate_rank_high": "The upper end of the rank over resamples of topics, by the estimate.",
    "estimate_rank_low": "The lower end of the rank over resamples of topics, by the estimate.",
    "estimate_score": "The mean score by the estimate.",
    "expected": "The expected correlation with the true ranking.",
    "extension": "The coefficient with grades.",
    "first_quartile": "The first quartile.",
    "ExplainedRemoval.gain": "How much higher the coefficient is without the system.",
    "Moved.gain": "How many ranks the estimate puts the system higher.",
    "RankedSystem.gain": "How many ranks the estimate puts the system higher.",
    "Removal.gain": "How much higher the coefficient is without the item.",
    "gaps": "Whose differences between scores count: none, reference or both.",
    "grade": "The grade by the reference.",
    "WithoutGroup.group": "The name of the group that is left out.",
    "group": "The name of the group of systems.",
    "high": "The upper end of the confidence interval; null if there is none.",
    "inferred_ap": "Inferred average precision from a share of the judgements.",
    "inputs": "What it compares: scores, lists, graded_items or graded_lists.",
    "item": "The item.",
    "judgements_removed": "How many judgements were removed.",
    "kappa_of_grades": "Cohen's kappa of the grades.",
    "kappa_of_relevance": "Cohen's kappa of relevant or not.",
    "largest": "The largest value of any topic.",
    "least": "The smallest value of any topic.",
    "letters": "A letter for each later system, as described above.",
    "low": "The lower end of the confidence interval; null if there is none.",
    "Share.maximum": "The largest coefficient of any topic.",
    "maximum": "The largest value; null if there is none.",
    "may_be_best": "Whether it may be the best: no other is significantly better.",
    "mean": "The mean of the values; null if there is none.",
    "mean_difference": "The mean of the absolute differences.",
    "mean_high": "The upper end of the confidence interval of the mean.",
    "mean_low": "The lower end of the confidence interval of the mean.",
    "mean_of_topics": "The mean over topics of the coefficient of each topic.",
    "RunAgreement.measure": "The coefficient of the two lists.",
    "RunTopic.measure": "The coefficient of the two lists.",
    "RunsResult.measure": "The coefficient of the matrix, and of the topics that differ most.",
    "measure": "The measure of the reference.",
    "median": "The median.",
    "Share.minimum": "The smallest coefficient of any topic.",
    "minimum": "The smallest value; null if there is none.",
    "n": "How many systems or items were ranked.",
    "n_pairs": "How many pairs cost anything, of the pairs that were searched.",
    "neither": "How many pairs of systems do not differ significantly on either side.",
    "of_means": "The coefficient of the means over topics.",
    "open": "The question to answer next, a parameter of `choose`; empty if there is none.",
    "opposed": "How many pairs of systems differ significantly on both sides, in the opposite order.",
    "opposite": "How many pairs are in the opposite order.",
    "opposite_significant": "How many of the opposite pairs differ significantly by the reference.",
    "other": "The other one of the pair.",
    "other_answer": "The one answer that leads to it instead; null if it fits the answers.",
    "other_measure": "The measure of the other estimate; null if it is that of the reference.",
    "other_rank": "The rank of the other one, from 1.",
    "other_run": "The other run of the pair.",
    "RankAfter.pairs": "Which pairs were swapped.",
    "Swaps.pairs": "Which pairs were swapped: significant, or not significant.",
    "pairs": "How many pairs.",
    "pairs_that_cost": "How many pairs take anything off the coefficient.",
    "percent": "The share of the judgements that was kept, in percent.",
    "Agreement.pvalue": "The p-value of unrelated rankings, where there are no topics; else null.",
    "Contender.pvalue": "The p-value of the hypothesis that this one is the best.",
    "pvalue": "The p-value; null if there was no test.",
    "pvalue_adjusted": "The p-value, adjusted for the number of others; null if there was no test.",
    "question": "The question that the coefficient answers.",
    "rank": "The rank, from 1.",
    "rank_after": "The rank after the swaps, from 1.",
    "Verdict.reason": "Why the axiom does not apply; null if it does.",
    "reason": "Why some are undefined; null if none is.",
    "reference": "The name of the reference.",
    "reference_difference": "The difference of the two scores by the reference.",
    "reference_high": "The upper end of the confidence interval of the mean score by the reference.",
    "reference_low": "The lower end of the confidence interval of the mean score by the reference.",
    "LabelAgreement.reference_only": "How many documents only the reference judged.",
    "Significance.reference_only": "How many pairs of systems differ significantly by the reference alone.",
    "reference_rank": "The rank by the reference: 1 is the best; systems that tie share the best.",
    "reference_rank_high": "The upper end of the rank over resamples of topics, by the reference.",
    "reference_rank_low": "The lower end of the rank over resamples of topics, by the reference.",
    "reference_score": "The mean score by the reference.",
    "rms_error": "The root mean square error of the scores.",
    "run": "The name of the run.",
    "same": "How many pairs are in the same order on both sides.",
    "same_grade": "The share of documents with the same grade.",
    "same_relevance": "The share of documents that both call relevant, or both not relevant.",
    "sample": "The number of the random sample.",
    "score": "The score with all judgements.",
    "score_without": "The score without the judgements that only its group brought to the pool.",
    "sd": "The standard deviation; null if there are fewer than two values.",
    "share": "Its share of all that is lost.",
    "splits": "How many splits of the topics.",
    "statement": "The axiom in words.",
    "status": "Whether it holds.",
    "swaps": "The pairs that were swapped.",
    "symmetric": "Whether both sides can change places.",
    "system": "The name of the system.",
    "WithoutGroup.systems": "How many systems the group has.",
    "systems": "How many systems.",
    "target": "The expected correlation that is wanted.",
    "third_quartile": "The third quartile.",
    "Declared.threshold": "Whether differences up to a threshold can be ties.",
    "threshold": "The threshold up to which a difference of scores is a tie.",
    "tied": "How many pairs are tied on one side or both.",
    "ties": "What a tie means: error, undecided, ignored, equality or values; null if it is not declared.",
    "top": "Among so many best systems of the reference; null if among all.",
    "top_weighted": "Whether the top of the ranking counts more.",
    "topic": "The name of the topic.",
    "topic_of_largest": "The topic with the largest value.",
    "topic_of_least": "The topic with the smallest value.",
    "topic_of_maximum": "The topic with the largest value.",
    "topic_of_minimum": "The topic with the smallest value.",
    "Needed.topics": "How many topics are needed; null if no number that can be told is enough.",
    "topics": "How many topics.",
    "turn": "A minimum or a maximum.",
    "undefined": "How many values are undefined, and left out.",
    "value": "The value of the coefficient; null if it is undefined.",
    "versions": "The versions of concordant, NumPy and Python.",
    "weight": "The weight.",
    "without": "The system without which the coefficient is higher by the cost; null if a pair is named.",
    "worse": "The system or item that the reference ranks lower.",
    "x_rank": "The rank in the reference list, the middle of its ties; null if it is not there.",
    "y_rank": "The rank in the other list, the middle of its ties; null if it is not there.",
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
    if hint is float:
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
    known = COLUMNS.get(f"{kind.__name__}.{name}", COLUMNS.get(name, own.get(name)))
    if known is None:
        sys.exit(f"say in COLUMNS what {kind.__name__}.{name} means")
    return known.replace("None", "null")


def record(kind: type) -> dict[str, Any]:
    """Return the schema of a record: a row of a table."""
    own, hints = documented(kind), typing.get_type_hints(kind)
    columns: dict[str, Any] = {}
    for each in fields(kind):
        parts = each.metadata.get("parts")
        if parts is None:
            columns[each.name] = of_type(hints[each.name])
        else:
            choices = typing.get_args(hints[each.name]) or (hints[each.name],)
            inside = typing.get_type_hints(choices[0])
            optional = (types.NoneType,) if types.NoneType in choices else ()
            for part, hint in zip(parts, inside.values(), strict=True):
                columns[part] = of_type(typing.Union[(hint, *optional)])
                if each.name in own and part not in own:
                    own[part] = own[each.name]
    for name, column in columns.items():
        column["description"] = _said(kind, name, own)
    return _object(summary(kind), columns)


def variant(kind: type[Result[Any]]) -> dict[str, Any]:
    """Return what the JSON of one class of results holds beside what all have."""
    own, hints = documented(kind), typing.get_type_hints(kind)
    values = {name: of_type(hints[name]) for name in kind.value_names()}
    for name, value in values.items():
        value["description"] = _said(kind, name, own)
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
    provenance = documented(Provenance)
    own = {
        "format": {"const": FORMAT, "description": "What this file is."},
        "format_version": {
            "const": FORMAT_VERSION,
            "description": "The version of the format; it changes when a key changes its meaning or goes.",
        },
        "version": {"type": "string", "description": "The version of concordant that made the result."},
        "function": {"enum": list(by_function), "description": "The function that was asked."},
        "command": {"type": ["string", "null"], "description": f"{provenance['command']} Null in Python."},
        "inputs": {
            "type": "array",
            "description": provenance["inputs"],
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
    of_note = documented(Note)
    note = {
        "kind": {"type": "string", "pattern": WORDS, "description": of_note["kind"]},
        "subject": {"type": "string", "description": of_note["subject"]},
        "values": {"type": "object", "description": of_note["values"]},
        "text": {"type": "string", "description": "The remark as a sentence."},
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
            "Input": record(Input),
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
