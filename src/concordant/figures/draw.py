"""The figures of every kind of result: as Vega-Lite, as Altair charts, and as files."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any
from zlib import crc32

from concordant.errors import (
    ArgumentError,
    ArgumentTypeError,
    ConcordantError,
    missing_library,
    option,
    public,
)
from concordant.figures.converted_tables import Tables
from concordant.figures.kit import CONFIG, PER_CM, Figure, Spec, fitted, stretched, without_signs
from concordant.results.result import Result
from concordant.results.words import count

# For each class of results the functions that draw it, the main figure first, as module.name of the figure.
# The module is imported when it draws. A function takes the tables of a result; it is None if they lack data.
_TWO = ("judge_values.judges", "two_rankings.ranks", "two_rankings.significance")
FIGURES = {
    "CorrelateResult": (*_TWO, "judge_values.groups"),
    "JudgeResult": (*_TWO, "topic_values.topics", "judge_values.groups"),
    "BoardResult": ("leaderboard.board",),
    "ByTopicResult": ("topic_values.topics",),
    "Matrix": ("heat_maps.matrix",),
    "SweepResult": ("curves.thresholds",),
    "RunsResult": ("heat_maps.matrix",),
    "PlanResult": ("curves.plan",),
    "PredictResult": ("experiment_figures.measures",),
    "PoolResult": ("experiment_figures.shares", "experiment_figures.scatter"),
    "SwapResult": ("experiment_figures.weights",),
    "GradesResult": ("experiment_figures.values",),
    "ReuseResult": ("experiment_figures.systems",),
    "StabilityResult": ("experiment_figures.rates",),
}
_NEEDS = {
    "judges": "several estimates or measures",
    "groups": "groups of systems",
    "significance": "tests of pairs of systems over topics",
    "topics": "values of at least two topics",
}
_LIBRARIES = "altair and vl-convert-python"
# Vega keeps groups in plain objects, by name, and fails where a name is that of a property of every object: a
# character that nobody sees makes it another name. The page does the same.
_TRAP = re.compile(
    "__proto__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf"
    "|__(?:define|lookup)[GS]etter__"
)
_UNSEEN = "\u2060"
_POINTS = 72 / 2.54  # of a centimetre
_TRIES, _LEAST_FACTOR = 5, 0.25  # to reach a width, and how far data are squeezed for it


def figure_names(kind: type) -> tuple[str, ...]:
    """Return the names of the figures of a kind of result, the main one first; of `Result` those of all."""
    places = itertools.chain(*FIGURES.values()) if kind is Result else _places(kind)
    return tuple(dict.fromkeys(place.partition(".")[2] for place in places))


def _places(kind: type) -> tuple[str, ...]:
    return next((FIGURES[each.__name__] for each in kind.__mro__ if each.__name__ in FIGURES), ())


def _functions(kind: type) -> list[Callable[[Tables], Figure | None]]:
    parts = (place.split(".") for place in _places(kind))
    return [getattr(import_module(f"concordant.figures.{module}"), name) for module, name in parts]


def figures_of(tables: Tables) -> Iterator[tuple[str, Figure]]:
    """Yield all figures for which a result has the data, with their names."""
    if getattr(tables.result, "agreement", ()) is None:
        return  # labels without systems
    for function in _functions(type(tables.result)):
        figure = function(tables)
        if figure is not None:
            yield function.__name__, figure


def check_figure(kind: type, name: str | None) -> None:
    """Refuse a figure that a kind of result does not have."""
    if name is not None and name not in figure_names(kind):
        known = ", ".join(figure_names(kind))
        raise ArgumentError(f"{option('figure')}: there is no figure {name!r}; there are {known}")


def figure_of(tables: Tables, name: str | None = None, **choices: str | None) -> Figure:
    """Return a figure that shows what was chosen; by default the first for which there is the data."""
    check_figure(type(tables.result), name)
    if tables.highlight is not None:
        name = name or "ranks"
        if name != "ranks" or name not in figure_names(type(tables.result)):
            raise ArgumentError(f"{option('highlight')} has no effect on this figure; leave it out")
    wanted = (each(tables) for each in _functions(type(tables.result)) if name in (None, each.__name__))
    figure = next((each for each in wanted if each is not None), None)
    if figure is None:
        what = f"the figure {name!r}" if name is not None else "any figure"
        needs = f"; it needs {_NEEDS[name]}" if name in _NEEDS else ""
        raise ArgumentError(f"this result does not hold what {what} shows{needs}")
    chosen = {choice: value for choice, value in choices.items() if value is not None}
    for choice, value in chosen.items():
        if choice not in figure.params:
            raise ArgumentError(f"{option(choice)} has no effect on this figure; leave it out")
        there = tables.choices[choice]
        if value not in there:
            listed = ", ".join(there) or "none"
            raise ArgumentError(f"{option(choice)}: there is no {choice} {value!r}; there are {listed}")
    return replace(figure, params={**figure.params, **chosen})


def spec_of(
    result: Result[Any],
    figure: str | None = None,
    width: float | None = None,
    *,
    title: bool = True,
    tables: Tables | None = None,
    **choices: Any,
) -> Spec:
    """Return the Vega-Lite specification of a figure with its data, for so many centimetres."""
    if not _functions(type(result)):
        raise ArgumentTypeError(f"takes a result that has figures, got {type(result).__name__}")
    room = None if width is None else width * PER_CM
    tables = tables or Tables(result, choices.pop("highlight", None), room)
    try:
        found = figure_of(tables, figure, **choices)
        found = found if room is None else fitted(found, room)
        spec = {"config": CONFIG, "description": found.text(_method(result)), **bare_spec(found)}
        spec |= {"title": found.heading()} if title else {}
        spec["datasets"] |= {name: tables.rows(name) for name in named_data(found.spec) if name in tables}
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, ConcordantError) or "version" not in result.provenance:
            raise
        # It was loaded from a file that someone changed.
        raise ArgumentError("this result lacks what the figure shows; make it again") from error
    safe: Spec = _safe(spec)
    return safe


def _method(result: Result[Any]) -> str:
    """Return how the intervals were computed."""
    how, seed = result.options, "" if result.seed is None else f"seed {result.seed}"
    level, n = how.get("confidence_level"), how.get("n_resamples")
    over = f"method {how['method']}, {count(n, 'resample')}" if n and how.get("method") else ""
    intervals = "" if level is None else f"{100 * level:.10g}% confidence intervals"
    return ", ".join(filter(None, (intervals, over if intervals else "", seed)))


def bare_spec(figure: Figure) -> Spec:
    """Return the specification of a figure without its title and without the tables of the result."""
    params = [{"name": name, "value": value} for name, value in figure.params.items()]
    return {**figure.spec, **({"params": params} if params else {}), "datasets": dict(figure.data)}


def named_data(spec: Any) -> set[str]:
    """Return the names of all data in a specification."""
    if isinstance(spec, Mapping):
        own = {spec["name"]} if set(spec) == {"name"} else set()
        return own.union(*map(named_data, spec.values()))
    return set().union(*map(named_data, spec)) if isinstance(spec, list) else set()


def _safe(part: Any) -> Any:
    """Return a specification whose texts can be drawn, whatever names they hold."""
    if isinstance(part, str):
        return _TRAP.sub(rf"\g<0>{_UNSEEN}", without_signs(part))
    if isinstance(part, list | tuple):
        return [_safe(each) for each in part]
    return {name: _safe(each) for name, each in part.items()} if isinstance(part, Mapping) else part


@public
def plot(
    result: Result[Any],
    figure: str | None = None,
    *,
    estimate: str | None = None,
    measure: str | None = None,
    coefficient: str | None = None,
    highlight: str | None = None,
    title: bool = True,
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
    highlight : str, optional
        A pattern such as ``"neural*"``: the figure ``ranks`` colours and names the systems that match it,
        and not those that moved most.
    title : bool, default True
        Whether the figure has a title and the lines below it. The text is always in ``chart.description``,
        for the caption of a paper: what is shown, how many systems and topics, the method and the seed.

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
    >>> chart = cd.plot(cd.judge(human, {"llm": llm}, resampling=None))
    >>> sorted(chart.to_dict())[0]
    '$schema'
    """
    choices: dict[str, Any] = {"estimate": estimate, "measure": measure, "coefficient": coefficient}
    choices["highlight"] = highlight
    spec = spec_of(result, figure, None, title=title, **choices)
    try:
        import altair as alt
        import vl_convert  # noqa: F401
    except ImportError:
        raise missing_library("a figure", _LIBRARIES, "plot") from None
    names = ("Layer", "Facet", "Concat", "VConcat", "HConcat")
    kinds = {name.lower(): getattr(alt, f"{name}Chart") for name in names} | {"mark": alt.Chart}
    data = spec.pop("datasets")
    chart = next(kind for key, kind in kinds.items() if key in spec).from_dict(spec, validate=False)
    chart.datasets = data
    return chart


def figure_bytes(
    result: Result[Any],
    kind: str,
    figure: str | None = None,
    width: float | None = None,
    *,
    title: bool = True,
    **choices: Any,
) -> bytes:
    """Draw to a file format: pdf, png, svg or html; a picture can have a width in centimetres."""
    if kind == "html":
        from concordant.figures.page import page_of_figure

        return page_of_figure(result, figure, **choices).encode()
    spec = spec_of(result, figure, width, title=title, **choices)
    vlc, version = converter("a figure")
    try:
        spec, svg, size = _of_width(spec, width)
        across, down = float(size[1]), float(size[2])
        # Without a width, a pixel is a point.
        scale = 1.0 if width is None else width * _POINTS / across
        if kind == "png":  # of two pixels for each, so that edges stay sharp
            return bytes(vlc.vegalite_to_png(spec, scale=scale, ppi=144 / scale, vl_version=version))
        if kind == "pdf":
            sized = f'width="{across * scale:.6g}" height="{down * scale:.6g}"'
            return bytes(vlc.svg_to_pdf(svg.replace(size[0], sized, 1)))
        if kind == "svg":
            sized = (
                size[0] if width is None else f'width="{width:g}cm" height="{down * scale / _POINTS:.6g}cm"'
            )
            return svg.replace(size[0], sized, 1).encode()
    except ValueError as error:
        said = " ".join(str(error).split())
        if kind == "pdf" and "font" in said:
            names = "the names hold characters that a PDF cannot hold, such as some emoji"
            raise ArgumentError(f"{names}; draw svg or png instead") from error
        raise ArgumentError(f"the figure cannot be drawn as {kind}: {said}") from error
    raise ArgumentError(f"a figure is png, svg, pdf or html, not {kind!r}")


def picture(result: Result[Any], tables: Tables | None = None) -> str:
    """Return the main figure as SVG within HTML; empty if there is none, or no library that draws it.

    With the tables of a page it has no title, because the page has it.
    """
    try:
        svg = _of_width(spec_of(result, title=tables is None, tables=tables), None)[1]
    except (ArithmeticError, ImportError, LookupError, TypeError, ValueError):  # it may lack tables
        return ""
    # Several pictures may be in one page, where a name of a part may occur once.
    own = f"{crc32(svg.encode()):08x}-"
    return re.sub(r'(?<=id=")(gradient_|clip)|(?<=url\(#)(gradient_|clip)', rf"{own}\g<0>", svg)


def _of_width(spec: Spec, width: float | None) -> tuple[Spec, str, re.Match[str]]:
    """Return a picture that is so many centimetres wide with text of the usual size.

    Its data are stretched, again and again, because names and numbers beside them keep their widths.
    """
    (vlc, version), factor, seen = converter("a figure"), 1.0, list[tuple[float, float]]()
    while True:
        own = stretched(spec, factor)
        svg = _same_svg(vlc.vegalite_to_svg(own, vl_version=version).replace(_UNSEEN, ""))
        size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
        assert size is not None
        across = float(size[1])
        more = 0 if width is None else width * PER_CM - across
        if abs(more) < 1 or len(seen) == _TRIES:
            return own, svg, size
        usual = across / factor  # pixels for each factor, if all were stretched
        slope = (across - seen[-1][1]) / (factor - seen[-1][0]) if seen else 0.7 * usual
        if abs(slope) < 1:  # nothing can be stretched: the rest is empty
            spec = spec | {"padding": {"left": 5, "top": 5, "bottom": 5, "right": 5 + more}}
        seen.append((factor, across))
        factor = max(_LEAST_FACTOR, factor + more / min(max(slope, 0.2 * usual), 1.2 * usual))
        if factor == seen[-1][0]:
            return own, svg, size


def converter(what: str) -> tuple[Any, str]:
    """Return the library that draws, and the newest version of Vega-Lite that it has."""
    try:
        import vl_convert as vlc
    except ImportError:
        raise missing_library(what, _LIBRARIES, "plot") from None
    return vlc, vlc.get_vegalite_versions()[-1]


def _same_svg(svg: str) -> str:
    """Give gradients and clips numbers from 0; Vega counts them over all charts of the process."""
    numbers: dict[str, int] = {}

    def again(found: re.Match[str]) -> str:
        return f"{found[1]}{numbers.setdefault(found[1] + found[2], len(numbers))}"

    def in_tag(tag: re.Match[str]) -> str:
        return re.sub(r'(?<=["#])(gradient_|clip)(\d+)(?=["\)])', again, tag[0])

    return re.sub(r"<[^<>]*>", in_tag, svg)
