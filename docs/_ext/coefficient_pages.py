"""A page for each coefficient, from its declaration, and a table of all."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import concordant as cd
from concordant.figures.page import papers

ROOT = Path(__file__).parent.parent.parent
PUBLISHED = json.loads((ROOT / "tests" / "golden" / "published.json").read_text(encoding="utf-8"))

# What people call them who do not know our names.
ALSO = {
    "tau_b": "Kendall, Kendall's tau, Kendall tau, kendalltau, tau-b",
    "tau_a": "tau-a",
    "tau_c": "tau-c, Stuart's tau-c",
    "gamma": "Goodman and Kruskal, Goodman and Kruskal's gamma",
    "somers_d": "Somers, Somers' D, somersd",
    "tau_ap": "AP correlation, tau AP, tauAP, average precision correlation",
    "tau_h": "weighted tau, weightedtau, hyperbolic",
    "spearman_rho": "Spearman, Spearman's rho, spearmanr",
    "pearson_r": "Pearson, Pearson's r, pearsonr, linear correlation",
    "rbo": "rank-biased overlap, RBO",
    "kendall_distance": "Kendall distance, Kendall tau distance",
    "footrule": "Spearman's footrule",
}
INPUTS = {
    "scores": "Two scorings of the same items",
    "graded_lists": "Two lists of grades in rank order",
    "graded_items": "Two scorings of the same items, and the grades of the items",
    "lists": "Two lists that need not hold the same items",
}
TIES = {
    "error": "An error: the coefficient is not defined for ties.",
    "undecided": "An order that is not known. The pair counts as neither concordant nor discordant.",
    "ignored": "A pair that is left out, on the side that ties it.",
    "equality": "A statement that the items are equal.",
    "values": "Nothing special: equal values enter the formula as they are.",
    None: "Not declared.",
}
WEIGHTS = {
    "equal": "All pairs have the same weight.",
    "ap": "A pair has the weight 1 / (number of items above its lower item).",
    "hyperbolic": "A pair has the weight 1/rank + 1/rank, of its two items.",
    "scores": "An item has the weight of its score in the reference.",
    "geometric": "Depth d has the weight (1 - p) p^(d - 1).",
}
GAPS = {
    "none": "No. Only the order of the scores matters.",
    "reference": "Those of the reference x do. Of the estimate y only the order matters.",
    "both": "Those of x and of y do.",
}
TIME = {
    "scores": "O(n log n) for n items.",
    "graded_lists": "At most O(n²) for n positions, and less if there are few grades.",
    "graded_items": "O(K n log n) for n items with K different grades.",
    "lists": "O(n log n) for n items.",
}


def used_by(name: str) -> list[str]:
    """Return the functions that have a coefficient among their defaults."""
    found = []
    for module in (cd, cd.experiments):
        for each in module.__all__:
            item = getattr(module, each)
            parameters = inspect.signature(item).parameters if inspect.isfunction(item) else {}
            for parameter in ("coefficient", "coefficients"):
                default = parameters[parameter].default if parameter in parameters else ()
                names = (default,) if isinstance(default, str) else default
                if isinstance(names, tuple) and any(text.partition("(")[0] == name for text in names):
                    found.append(each)
    return sorted(set(found))


def yes(claim: bool, meaning: str, otherwise: str) -> str:
    """Return a claim in words."""
    return f"Yes: {meaning}" if claim else f"No: {otherwise}"


def facts(c: cd.results.Coefficient) -> list[tuple[str, str]]:
    """Return what is declared about a coefficient, in words."""
    low, high = c.bounds
    scale = f"From {low:g} to {high:g}." if high < float("inf") else f"From {low:g} up."
    scale += (
        " It is a distance: 0 for a ranking with itself, and larger for less alike rankings."
        if c.distance
        else ""
    )
    rows = [("compares", INPUTS[c.inputs] + "."), ("values", scale), ("a tie is", TIES[c.ties])]
    if c.thresholds:
        percent = "" if c.inputs == "lists" else ', or `threshold="5%"` of the smaller score'
        rows.append(
            ("threshold", f"Differences up to a threshold can count as ties: `threshold=0.05`{percent}.")
        )
    rows += [
        ("symmetric", yes(c.symmetric, "x and y can be exchanged.", "x is the reference, y the estimate.")),
        (
            "top-weighted",
            yes(c.top_weighted, "the top of the ranking counts more.", "all places count alike."),
        ),
        ("weights", WEIGHTS[c.weights]),
        ("do gaps between scores count?", GAPS[c.gaps]),
    ]
    if c.inputs != "lists":
        centred = yes(
            c.centred,
            "0 is the mean for unrelated rankings without ties.",
            "unrelated rankings do not have 0 on average in every case; see [properties](../properties.md).",
        )
        rows.append(("centred at 0", centred))
    if functions := used_by(c.name):
        rows.append(("used by default in", ", ".join(map(link, functions))))
    if c.costs is not None or c.depth_costs is not None:
        what = "pairs" if c.costs is not None else "depths and items"
        rows.append(("explained", f"{link('explain')} shows which {what} lower the value, and by how much."))
    rows += [
        ("time", f"{TIME[c.inputs]} See [speed](../../speed.md)."),
        ("on the command line", f"`-c {c.name}`"),
    ]
    return rows


def link(name: str) -> str:
    """Return a link to the page of a function."""
    path = name if hasattr(cd, name) else f"experiments.{name}"
    return f"[`{name}`](../api/{path}.md)"


def published(name: str) -> list[str]:
    """Return the published examples, as code that runs."""
    cases = [case for case in PUBLISHED if case["coefficient"] == name]
    if not cases:
        return []
    lines = [
        "## Published values",
        "",
        "The tests check each of these.",
        "",
        "```python",
        ">>> import concordant as cd",
    ]
    for case in cases:
        source = papers().get(case["source"], case["source"]).partition(". ")[0]
        lines += [f">>> # {source}, {case['where']}", *(f">>> # {n}" for n in [case.get("note")] if n)]
        lines += [f">>> {call(case)}", str(shown(case))]
    return [*lines, "```", ""]


def call(case: dict[str, Any]) -> str:
    """Return the call of an example."""
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in case.get("options", {}).items()}
    arguments = [repr(case["x"]), repr(case["y"]), *(f"{k}={v!r}" for k, v in options.items())]
    return f"round(cd.{case['coefficient']}({', '.join(arguments)}), {digits(case)})"


def digits(case: dict[str, Any]) -> int:
    """Return to how many digits an example is known."""
    return {5e-8: 7, 5e-4: 3}.get(case["tolerance"], 4)


def shown(case: dict[str, Any]) -> float:
    """Return the value as Python prints it."""
    return float(round(case["value"], digits(case)))


def bibtex(key: str) -> str:
    """Return the entry of references.bib."""
    text = (ROOT / "src" / "concordant" / "references.bib").read_text(encoding="utf-8")
    found = re.search(rf"^@\w+\{{{key},.*?^\}}", text, re.DOTALL | re.MULTILINE)
    return found[0] if found else ""


def citation(c: cd.results.Coefficient) -> list[str]:
    """Return the section about the paper."""
    if c.cite not in papers():
        return []
    lines = [
        "## Citation",
        "",
        papers()[c.cite],
        "",
        ":::{dropdown} BibTeX",
        "```bibtex",
        bibtex(c.cite),
        "```",
        ":::",
    ]
    return [*lines, "", "[Citing](../../citing.md) says how to cite concordant itself.", ""]


def related(c: cd.results.Coefficient) -> list[str]:
    """Return the others of the same family."""
    family = [
        other
        for other in cd.REGISTRY.values()
        if other.function.__module__ == c.function.__module__ and other != c
    ]
    if not family:
        family = [
            o
            for o in cd.REGISTRY.values()
            if o != c and (o.inputs, o.top_weighted) == (c.inputs, c.top_weighted)
        ]
    rows = [f"- [{other.name}]({other.name}.md): {other.question}" for other in family]
    return [
        "## Related coefficients",
        "",
        *rows,
        "",
        "[Which coefficient should I report?](../../which.md) helps to choose.",
        "",
    ]


def page(c: cd.results.Coefficient) -> str:
    """Return the page of a coefficient."""
    also = ", ".join([c.name, *filter(None, [ALSO.get(c.name)])])
    lines = [f"# {c.name}", "", f"<!-- found by: {also} -->", ""]
    lines += [f"**{c.question[0].upper()}{c.question[1:]}**", ""]
    lines += ["## Formula", "", inspect.cleandoc(c.formula), ""] if c.formula else []
    lines += ["## Properties", "", "| property | meaning |", "|---|---|"]
    lines += [f"| {name} | {text} |" for name, text in facts(c)]
    lines += ["", "## Function", "", "```{eval-rst}", f".. autofunction:: concordant.{c.name}", "```", ""]
    return "\n".join([*lines, *published(c.name), *citation(c), *related(c)])


def claims(c: cd.results.Coefficient) -> str:
    """Return the claims in few words."""
    words = {"top-weighted": c.top_weighted, "symmetric": c.symmetric, "threshold": c.thresholds}
    return ", ".join(word for word, claim in words.items() if claim)


def index() -> str:
    """Return the page with all coefficients."""
    lead = (
        "Every coefficient is a function of this name, and a name for `-c` on the command line. "
        "[Which coefficient should I report?](../../which.md) helps to choose; "
        "[properties](../properties.md) shows which axioms they satisfy."
    )
    lines = ["# Coefficients", "", lead, ""]
    for inputs, title in INPUTS.items():
        lines += [f"## {title}", "", "| coefficient | answers | a tie is | properties |", "|---|---|---|---|"]
        for c in cd.REGISTRY.values():
            if c.inputs == inputs:
                tie = "an error" if c.ties == "error" else c.ties
                lines.append(f"| [`{c.name}`]({c.name}.md) | {c.question} | {tie} | {claims(c)} |")
        lines.append("")
    lines += ["## What a tie is", ""]
    lines += [
        f"- **{tie}**: {text[0].lower()}{text[1:]}" for tie, text in TIES.items() if tie and tie != "error"
    ]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *cd.REGISTRY, "```", ""])


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    return {"index.md": index()} | {f"{c.name}.md": page(c) for c in cd.REGISTRY.values()}
