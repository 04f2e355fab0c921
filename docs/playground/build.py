"""Make the playground: one HTML file with the core as WebAssembly, and formulas and sentences as JavaScript.

The formulas of the coefficients, the ends of intervals and the sentences are translated from the functions of
the package, so that there is no second version of them. `make playground` writes
build/playground/concordant-playground.html.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import inspect
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

import concordant
from concordant.coefficients import engine, hyperbolic
from concordant.coefficients.declaration import REGISTRY
from concordant.figures import page, two_rankings
from concordant.questions import verdict
from concordant.reading import cells, header_words
from concordant.results import words
from concordant.statistics import confidence, distributions, jackknife, resampling

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "build" / "playground"
# What is translated, and the constants that it names. What it calls besides is in compute.js.
FUNCTIONS: list[Callable[..., Any]] = [
    engine.n_pairs,
    hyperbolic._by_x,
    hyperbolic._by_y,
    distributions.t_quantile,
    distributions._t_within,
    confidence.expansion,
    confidence.expanded,
    confidence.half_width,
    confidence.standard,
    confidence._end,
    confidence.interval_of,
    jackknife._on_fishers_scale,
    words.number,
    words.value_and_interval,
    words.with_interval,
    words.pvalue,
    words._plural,
    words.count,
    words.some,
    verdict.called,
    verdict.who,
    verdict._named,
    verdict._capital,
    verdict._value,
    verdict._exactly,
    verdict._doubt,
    verdict._closeness,
    verdict._keeps,
    verdict._winner,
]
CONSTANTS = {
    "BELOW": confidence.BELOW,
    "ABOVE": confidence.ABOVE,
    "LEAST": distributions.LEAST,
    "_ROUNDING": words._ROUNDING,
    "_LONGEST": words._LONGEST,
    "SAME": engine.SAME,
    "SYSTEMS": engine.SYSTEMS,
    "FEW_ITEMS": engine.FEW_ITEMS,
    "LEAST_MOVE": two_rankings._LEAST_MOVE,
    "NAMED": two_rankings._NAMED,
    "MOST_LINES": two_rankings._MOST_LINES,
    "MOST_EXCHANGES": resampling._MOST,
    "N_RESAMPLES": resampling.Resampling().n_resamples,
    "LEVEL": resampling.Resampling().confidence_level,
    "TOP": inspect.signature(concordant.correlate).parameters["top"].default,
    "MUCH": verdict._MUCH,
    "NOUNS": header_words._NOUNS,
    "MISSING": cells.MISSING,
    "WORDS": {
        kind: header_words._KNOWN[kind]
        for kind in (
            *("system", "topic", "value", "label", "rank", "summary"),
            *("lower", "lower at the start", "ranked score"),
        )
    },
    "PATTERNS": {
        "number": cells.NUMBER.pattern,
        "comma": cells._COMMA.pattern,
        "either": cells._EITHER.pattern,
        "numbered": header_words._NUMBERED.pattern,
        "cutoff": header_words._RANK_CUTOFF.pattern,
        "unit": header_words._UNIT.pattern,
        "arrow": header_words._ARROW.pattern,
    },
    "LEAD": inspect.signature(concordant.by_topic).parameters["coefficients"].default[0],
}
METHODS = {
    "append": "$append",
    "is_integer": "$whole",
    "join": "$join",
    "sort": "$sort",
    "endswith": "$ends",
    "startswith": "$starts",
    "values": "Object.values",
}
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.Pow: "**"}
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
RESERVED = {"in": "in_", "with": "with_", "new": "new_", "function": "function_", "default": "default_"}


class _ToJavaScript(ast.NodeVisitor):
    """Translate the part of Python in which formulas and sentences are written; the rest is an error."""

    def generic_visit(self, node: ast.AST) -> str:
        raise NotImplementedError(f"{type(node).__name__}, line {getattr(node, 'lineno', '?')}")

    def __call__(self, *nodes: ast.AST) -> list[str]:
        return [self.visit(node) for node in nodes]

    def block(self, body: list[ast.stmt]) -> str:
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]  # the docstring
        return "{ " + " ".join(self(*body)) + " }"

    def parameters(self, given: ast.arguments) -> str:
        names = [each.arg for each in given.args]
        defaults = [None] * (len(names) - len(given.defaults)) + self(*given.defaults)
        return ", ".join(
            name if value is None else f"{name} = {value}"
            for name, value in zip(names, defaults, strict=True)
        )

    # --- statements ---

    def visit_FunctionDef(self, node: ast.FunctionDef) -> str:
        parameters = {each.arg for each in node.args.args}
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        inner = {
            n.id for c in ast.walk(node) if isinstance(c, ast.comprehension) for n in ast.walk(c.target)
            if isinstance(n, ast.Name)
        }  # fmt: skip
        own = sorted(stored - inner - parameters)
        star = "*" if any(isinstance(each, ast.Yield) for each in ast.walk(node)) else ""
        body = self.block(node.body)
        names = f"let {', '.join(own)};" if own else ""
        return f"function{star} {node.name}({self.parameters(node.args)}) {{ {names} {body[1:]}"

    def visit_Return(self, node: ast.Return) -> str:
        return f"return {self.visit(node.value)};" if node.value else "return;"

    def visit_Expr(self, node: ast.Expr) -> str:
        return f"{self.visit(node.value)};"

    def visit_Yield(self, node: ast.Yield) -> str:
        assert node.value is not None
        return f"yield {self.visit(node.value)}"

    def visit_Assign(self, node: ast.Assign) -> str:
        (target,), value = node.targets, self.visit(node.value)
        if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Starred):
            first, last = self(target.elts[0].value, target.elts[1])
            return f"{first} = [...{value}]; {last} = {first}.pop();"
        return f"{self.visit(target)} = {value};"

    def visit_AugAssign(self, node: ast.AugAssign) -> str:
        return f"{self.visit(node.target)} {OPERATORS[type(node.op)]}= {self.visit(node.value)};"

    def visit_If(self, node: ast.If) -> str:
        otherwise = f" else {self.block(node.orelse)}" if node.orelse else ""
        return f"if ($true({self.visit(node.test)})) {self.block(node.body)}{otherwise}"

    def visit_For(self, node: ast.For) -> str:
        return f"for ({self.visit(node.target)} of {self.visit(node.iter)}) {self.block(node.body)}"

    # --- expressions ---

    def visit_Name(self, node: ast.Name) -> str:
        return RESERVED.get(node.id, node.id)

    def visit_Constant(self, node: ast.Constant) -> str:
        return json.dumps(node.value)

    def visit_Attribute(self, node: ast.Attribute) -> str:
        return f"{self.visit(node.value)}.{node.attr}"

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> str:
        return f"[{', '.join(self(*node.elts))}]"

    visit_List = visit_Tuple

    def visit_Starred(self, node: ast.Starred) -> str:
        return f"...{self.visit(node.value)}"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        value = self.visit(node.operand)
        return f"!$true({value})" if isinstance(node.op, ast.Not) else f"(-{value})"

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self(node.left, node.right)
        if isinstance(node.op, ast.FloorDiv):
            return f"Math.floor({left} / {right})"
        return f"({left} {OPERATORS[type(node.op)]} {right})"

    def visit_BoolOp(self, node: ast.BoolOp) -> str:
        *others, found = self(*node.values)
        test = "$t : " if isinstance(node.op, ast.Or) else ""
        for each in reversed(others):  # the operand that decides is the value, as in Python
            found = f"(($t) => $true($t) ? {test}{found}{'' if test else ' : $t'})({each})"
        return found

    def visit_Compare(self, node: ast.Compare) -> str:
        left, parts = self.visit(node.left), []
        for operator, right in zip(node.ops, self(*node.comparators), strict=True):
            if type(operator) in COMPARISONS:
                parts.append(f"{left} {COMPARISONS[type(operator)]} {right}")
            elif isinstance(operator, ast.In):
                parts.append(f"$in({left}, {right})")
            else:
                same = f"$same({left}, {right})"
                parts.append(same if isinstance(operator, ast.Eq | ast.Is) else f"!{same}")
            left = right
        return f"({' && '.join(parts)})"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        test, body, otherwise = self(node.test, node.body, node.orelse)
        return f"($true({test}) ? {body} : {otherwise})"

    def visit_Lambda(self, node: ast.Lambda) -> str:
        return f"(({self.parameters(node.args)}) => {self.visit(node.body)})"

    def visit_Subscript(self, node: ast.Subscript) -> str:
        if isinstance(node.slice, ast.Slice):
            ends = [
                "undefined" if end is None else self.visit(end)
                for end in (node.slice.lower, node.slice.upper)
            ]
            return f"{self.visit(node.value)}.slice({', '.join(ends)})"
        return f"{self.visit(node.value)}[{self.visit(node.slice)}]"

    def visit_JoinedStr(self, node: ast.JoinedStr) -> str:
        return "(" + " + ".join(['""', *self(*node.values)]) + ")"

    def visit_FormattedValue(self, node: ast.FormattedValue) -> str:
        how = self.visit(node.format_spec) if node.format_spec else '""'
        return f"$format({self.visit(node.value)}, {how})"

    def visit_Call(self, node: ast.Call) -> str:
        given = self(*node.args)
        if node.keywords:
            given.append(
                "{" + ", ".join(f"{each.arg}: {self.visit(each.value)}" for each in node.keywords) + "}"
            )
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            return f"{METHODS[node.func.attr]}({', '.join([self.visit(node.func.value), *given])})"
        return f"{self.visit(node.func)}({', '.join(given)})"

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp, element: str) -> str:
        (each,) = node.generators
        name = self.visit(each.target)
        tests = "".join(f".filter(({name}) => $true({self.visit(test)}))" for test in each.ifs)
        return f"[...{self.visit(each.iter)}]{tests}.map(({name}) => {element})"

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> str:
        return self.comprehension(node, self.visit(node.elt))

    visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> str:
        key, value = self(node.key, node.value)
        return f"new $Dict({self.comprehension(node, f'[{key}, {value}]')})"


def translated(function: Callable[..., Any]) -> str:
    """Return a function, or a lambda in a statement, as JavaScript."""
    function = inspect.unwrap(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    names = list(inspect.signature(function).parameters)
    for node in ast.walk(tree):
        own = isinstance(node, ast.FunctionDef) and node.name == function.__name__
        if own or (isinstance(node, ast.Lambda) and [each.arg for each in node.args.args] == names):
            return _ToJavaScript().visit(node)
    raise LookupError(function)


TIES = {
    "error": "an error; there must be none",
    "undecided": "an order that is not known; the pair counts as neither",
    "ignored": "ignored, on the side that has it",
    "equality": "a statement that the items are equal",
    "values": "two equal values, nothing special",
}


def coefficients() -> tuple[list[dict[str, Any]], str, list[str]]:
    """Return what is declared about the coefficients offered, their formulas, and the names of the others."""
    offered, formulas, others = [], [], []
    for c in REGISTRY.values():
        statistic = c.bound_statistic() if c.inputs == "scores" else None
        if statistic is None or statistic.prepare is not None or statistic.both:
            others.append(c.name)
            continue
        formulas.append(f"{json.dumps(c.name)}: {translated(statistic.formula)}")
        offered.append(
            {
                "name": c.name,
                "title": (inspect.getdoc(c.function) or "").partition("\n")[0],
                "question": c.question,
                "bounds": c.bounds,
                "fields": statistic.fields,
                "ties": TIES[c.ties or ""],
                "centred": c.centred,
                "gaps": c.gaps,
                "undefined": statistic.undefined,
                "instead": statistic.untied_alternatives,
            }
        )
    return offered, "{" + ",\n".join(formulas) + "}", others


def compiled() -> bytes:
    """Return the core as WebAssembly."""
    target = OUT / "core.wasm"
    options = ["-target", "wasm32-wasi", "-std=c++20", "-O2", "-mexec-model=reactor", "-s"]
    command = [sys.executable, "-m", "ziglang", "c++", *options, str(HERE / "core.cpp"), "-o", str(target)]
    subprocess.run(command, check=True)
    return target.read_bytes()


def example() -> list[str]:
    """Return two tables of 12 systems and 25 topics: the estimate has noise, and favours one system."""
    rng = np.random.default_rng(6)
    systems = ["bm25", "rm3", "doc2query", "dpr", "ance", "tct-colbert", "splade", "colbert"]
    systems += ["monobert", "monot5", "duot5", "llm-rerank"]
    reference = rng.normal(np.linspace(0.28, 0.55, 12), 0.12, (25, 12))
    estimate = reference + rng.normal(0.04, 0.15, (25, 12)) + 0.14 * (np.arange(12) == 4)
    tables = []
    for side in (reference, estimate):
        rows = np.clip(side, 0, 1).tolist()
        lines = [",".join([f"q{k}", *(f"{score:.3f}" for score in row)]) for k, row in enumerate(rows, 1)]
        tables.append("\n".join([",".join(["topic", *systems]), *lines]))
    return tables


def policy_hash(text: str) -> str:
    """Return a script or style as a policy of the page names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def main() -> None:
    """Write the page."""
    OUT.mkdir(parents=True, exist_ok=True)
    offered, formulas, others = coefficients()
    data = {
        "coefficients": offered,
        "others": others,
        "example": example(),
        "version": concordant.__version__,
        "wasm": base64.b64encode(compiled()).decode(),
    }
    compute = (HERE / "compute.js").read_text(encoding="utf-8")
    own = [f"const {name} = {json.dumps(value)};" for name, value in CONSTANTS.items()]
    own += [*map(translated, FUNCTIONS), f"const FORMULAS = {formulas};"]
    compute = compute.replace("/* TRANSLATED */", "\n".join(own))
    script = f"const DATA = {json.dumps(data)};\n{compute}"
    style = Path(page.__file__).with_name("templates").joinpath("page.css").read_text(encoding="utf-8")
    style += (HERE / "playground.css").read_text(encoding="utf-8")
    view = (HERE / "view.js").read_text(encoding="utf-8")
    assert not re.search("</(script|style)", script + style + view)
    policy = [
        "default-src 'none'",
        f"script-src {policy_hash(script)} {policy_hash(view)} 'wasm-unsafe-eval'",
        f"style-src {policy_hash(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    html = Template((HERE / "playground.html").read_text(encoding="utf-8")).substitute(
        policy="; ".join(policy), style=style, compute=script, view=view, version=concordant.__version__
    )
    target = OUT / "concordant-playground.html"
    target.write_text(html, encoding="utf-8")
    print(f"the playground is {target.relative_to(Path.cwd())}, {len(html) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
