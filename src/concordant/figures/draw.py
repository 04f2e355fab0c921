"""The figures of every kind of result, as charts and as files."""

from __future__ import annotations

import importlib
import re
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library, option, public
from concordant.experiments.gaps import GapsResult
from concordant.experiments.grades import GradesResult
from concordant.experiments.pool import PoolResult
from concordant.experiments.predict import PredictResult
from concordant.experiments.reuse import ReuseResult
from concordant.experiments.swap import SwapResult
from concordant.figures.choices import choices_of
from concordant.figures.style import styled
from concordant.questions.by_topic import ByTopicResult
from concordant.questions.compare_runs import RunsResult
from concordant.questions.correlate import CorrelateResult
from concordant.questions.explain import Explanation
from concordant.questions.judge import JudgeResult
from concordant.questions.matrix import Matrix
from concordant.questions.plan import PlanResult
from concordant.questions.sweep import SweepResult
from concordant.results.result import Result

# For each kind of result: a file in `charts`, and the names of its figures, which are functions of that file.
# The first figure is drawn by default. A function takes the result and returns an Altair chart, or None if
# the result lacks the data.
FIGURES: dict[type, tuple[str, tuple[str, ...]]] = {
    CorrelateResult: (
        "rankings_of_systems",
        ("ranks", "scores", "intervals", "agreement", "heatmap", "significance"),
    ),
    JudgeResult: (
        "judges",
        ("agreement", "best", "heatmap", "scores", "ranks", "intervals", "significance", "topics"),
    ),
    ByTopicResult: ("topic_values", ("topics",)),
    Matrix: ("heat_maps", ("matrix",)),
    SweepResult: ("curves", ("thresholds", "tops")),
    Explanation: ("explanations", ("costs",)),
    RunsResult: ("run_pairs", ("pairs", "matrix", "topics")),
    PlanResult: ("curves", ("plan",)),
    PredictResult: ("predict", ("measures", "curves")),
    PoolResult: ("pool", ("shares", "scatter")),
    SwapResult: ("swap", ("swaps", "significance", "draws", "weights")),
    GapsResult: ("gaps", ("quartiles", "medians")),
    GradesResult: ("grades", ("differences", "values")),
    ReuseResult: ("reuse", ("systems",)),
}


def figure_names(kind: type) -> tuple[str, ...]:
    """Return the names of the figures of a kind of result, the main one first."""
    return FIGURES[kind][1] if kind in FIGURES else ()


@public
def plot(
    result: Result[Any] | Matrix,
    figure: str | None = None,
    *,
    estimate: str | None = None,
    measure: str | None = None,
    coefficient: str | None = None,
) -> Any:
    """Draw a figure of a result.

    Parameters
    ----------
    result : Result
        The result of a function such as `judge`, `correlate`, `matrix`, `explain` or one of
        ``cd.experiments``.
    figure : str, optional
        The name of the figure; by default the main one. The error for a wrong name lists the names.
    estimate, measure, coefficient : str, optional
        What the figure shows, if it shows one at a time. By default it is the best estimate by the first
        measure and coefficient.

    Returns
    -------
    altair.Chart
        The chart, which may combine several. A notebook shows it; ``chart.save("figure.pdf")`` writes it as
        png, svg, pdf or html.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"a": 0.2, "b": 0.5, "c": 0.3}, "q2": {"a": 0.4, "b": 0.3, "c": 0.2}}
    >>> llm = {"q1": {"a": 0.3, "b": 0.6, "c": 0.4}, "q2": {"a": 0.5, "b": 0.2, "c": 0.1}}
    >>> chart = cd.plot(cd.judge(human, {"llm": llm}, n_resamples=99))
    >>> sorted(chart.to_dict())[0]
    '$schema'
    """
    chart = _chosen(result, figure, estimate=estimate, measure=measure, coefficient=coefficient)
    chart.datasets = datasets_of(result, chart)
    return chart


def chart_of(result: Result[Any] | Matrix, figure: str | None = None) -> Any:
    """Return a figure as an Altair chart that refers to the tables of the result by name."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise missing_library("a figure", "altair and vl-convert-python", "plot") from None
    module, names = FIGURES[type(result)]
    if figure is not None and figure not in names:
        raise ArgumentError(
            f"{option('figure')}: there is no figure {figure!r}; there are {', '.join(names)}"
        )
    charts = importlib.import_module(f"concordant.figures.{module}")
    for name in [figure] if figure is not None else names:
        chart = getattr(charts, name)(result)
        if chart is not None:
            return styled(chart)
    what = f"the figure {figure!r}" if figure is not None else "any figure"
    raise ArgumentError(f"this result does not hold what {what} shows")


def datasets_of(result: Result[Any] | Matrix, chart: Any) -> dict[str, Any]:
    """Return the tables that a chart refers to, and its own data."""
    return _rows(result, chart.to_dict(validate=False))


def _rows(result: Result[Any] | Matrix, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rows of all data in a specification."""
    tables = {table.name: table for table in result.tables}
    return {
        **{name: tables[name].to_dicts() for name in _named(spec) if name in tables},
        **(spec.get("datasets") or {}),
    }


def _named(spec: Any) -> set[str]:
    """Return the names of all data in a specification."""
    if isinstance(spec, dict):
        own = {spec["name"]} if set(spec) == {"name"} else set()
        return own.union(*(_named(each) for each in spec.values()))
    return set().union(*(_named(each) for each in spec)) if isinstance(spec, list) else set()


def _chosen(result: Result[Any] | Matrix, figure: str | None, **choices: str | None) -> Any:
    """Return a figure with the parameters of what it shows."""
    if type(result) not in FIGURES:
        raise ArgumentTypeError(f"takes a result that has figures, got {type(result).__name__}")
    chart = chart_of(result, figure)
    import altair as alt

    params = chart.params if chart.params is not alt.Undefined else []
    known = {str(each.name): each for each in params}
    for name, value in choices.items():
        if value is None:
            continue
        if name not in known:
            raise ArgumentError(f"{option(name)} has no effect on this figure; leave it out")
        if isinstance(result, Result):
            there = choices_of(result)[name]
            if value not in there:
                listed = ", ".join(there) or "none"
                raise ArgumentError(f"{option(name)}: there is no {name} {value!r}; there are {listed}")
        known[name].value = value
    return chart


def spec_of(result: Result[Any] | Matrix, figure: str | None = None, **choices: str | None) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure with its data."""
    spec: dict[str, Any] = _chosen(result, figure, **choices).to_dict()
    spec["datasets"] = _rows(result, spec)  # added here, because Altair takes seconds to validate many rows
    return spec


def figure_bytes(
    result: Result[Any] | Matrix, kind: str, figure: str | None = None, **choices: str | None
) -> bytes:
    """Draw to a file format (pdf, png, svg or html); the same result gives the same bytes."""
    if kind == "html":
        from concordant.figures.page import page_of_figure

        return page_of_figure(result, plot(result, figure, **choices)).encode()
    spec = spec_of(result, figure, **choices)
    import vl_convert as vlc

    version = spec["$schema"].rpartition("/v")[2].split(".")
    how: dict[str, Any] = {"vl_version": ".".join(version[:2])}
    try:
        if kind == "svg":
            return same_svg(vlc.vegalite_to_svg(spec, **how)).encode()
        if kind == "png":
            return smaller_png(bytes(vlc.vegalite_to_png(spec, scale=1, ppi=144, **how)))
        if kind == "pdf":
            return same_pdf(bytes(vlc.vegalite_to_pdf(spec, **how)))
    except ValueError as error:
        raise _not_drawn(kind, str(error)) from error
    raise ArgumentError(f"a figure is png, svg, pdf or html, not {kind!r}")


def _not_drawn(kind: str, said: str) -> ArgumentError:
    """Return the error for a figure that vl-convert cannot draw, in one line."""
    if kind == "pdf" and "font" in said:
        return ArgumentError(
            "the names hold characters that a PDF cannot hold, such as some emoji; draw svg or png instead"
        )
    return ArgumentError(f"the figure cannot be drawn as {kind}: {' '.join(said.split())}")


_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")


def same_svg(svg: str) -> str:
    """Give gradients and clips numbers from 0; Vega counts them over all charts of the process."""
    numbers: dict[tuple[str, str], int] = {}

    def again(found: re.Match[str]) -> str:
        before, kind, number = found.groups()
        return f"{before}{kind}{numbers.setdefault((kind, number), len(numbers))}"

    def in_tag(tag: re.Match[str]) -> str:
        return re.sub(r'(id="|url\(#)(gradient_|clip)(\d+)(?=["\)])', again, tag[0])

    return re.sub(r"<[^<>]*>", in_tag, svg)


def smaller_png(png: bytes) -> bytes:
    """Compress the pixels again; vl-convert is fast, but its files are three times as large."""
    start, chunks, pixels = 8, [], b""
    while start < len(png):
        (size,) = struct.unpack_from(">I", png, start)
        kind, content = png[start + 4 : start + 8], png[start + 8 : start + 8 + size]
        if kind == b"IDAT":
            pixels += content
        else:
            chunks.append((kind, content))
        start += 12 + size
    chunks.insert(-1, (b"IDAT", zlib.compress(zlib.decompress(pixels), 9)))  # before the end
    return png[:8] + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def same_pdf(pdf: bytes) -> bytes:
    """Sort and number the objects from the root; vl-convert writes fonts in a random order."""
    table = int(pdf[pdf.rindex(b"startxref") :].split()[1])
    header, trailer = pdf[: pdf.index(b"\n") + 1], pdf[pdf.rindex(b"trailer") :]
    entries = pdf[table:].split(b"trailer")[0].splitlines()[3:]  # after xref, its size, and the free entry
    starts = sorted((int(entry.split()[0]), number) for number, entry in enumerate(entries, 1))
    ends = [start for start, _ in starts[1:]] + [table]
    objects = {}
    for (start, number), end in zip(starts, ends, strict=True):
        head, stream, content = pdf[start:end].partition(b"\nstream\n")
        head = head.split(b" obj", 1)[1]
        objects[number] = (_sorted_entries(head), stream + content)
    order: dict[int, int] = {}  # old to new numbers
    left = _references(trailer)[::-1]
    while left:
        number = left.pop()
        if number not in order:
            order[number] = len(order) + 1
            left += _references(objects[number][0])[::-1]

    def renumbered(part: bytes) -> bytes:
        return _REFERENCE.sub(lambda found: b"%d 0 R" % order[int(found[1])], part)

    written, places = header, []
    for old, new in order.items():
        places.append(len(written))
        head, content = objects[old]
        written += b"%d 0 obj" % new + renumbered(head) + content
    lines = b"".join(b"%010d 00000 n\r\n" % place for place in places)
    last: bytes = re.sub(rb"/Size \d+", b"/Size %d" % (len(order) + 1), renumbered(trailer))
    last = re.sub(rb"startxref\s+\d+", b"startxref\n%d" % len(written), last)
    return written + b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(order) + 1) + lines + last


def _references(part: bytes) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(part)]


def _sorted_entries(head: bytes) -> bytes:
    """Sort the entries of dictionaries whose values are other objects."""
    return re.sub(
        rb"(?:\n *\/[\w.-]+ \d+ 0 R){2,}",
        lambda found: b"".join(sorted(re.findall(rb"\n[^\n]*", found[0]))),
        head,
    )
