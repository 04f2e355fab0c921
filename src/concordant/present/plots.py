"""Figures of the results of experiments, as the papers show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library, public
from concordant.experiments import (
    ExperimentResult,
    GapsResult,
    GradesResult,
    PoolResult,
    PredictResult,
    ReuseResult,
    SwapResult,
)
from concordant.typing import Floats

__all__ = ["figure_bytes", "plot"]


@public
def plot(result: ExperimentResult[Any], ax: Any = None) -> Any:
    """Draw the result of an experiment.

    Parameters
    ----------
    result : ExperimentResult
        What a function of ``cd.experiments`` returned.
    ax : matplotlib Axes, optional
        Where to draw, if the result has one panel. By default a new figure, with as many Axes as are needed.

    Returns
    -------
    Axes, or an array of them
        Nothing is shown; use ``ax.figure.savefig(...)``.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.plot(cd.experiments.gaps(rng=1)).figure.savefig("gaps.pdf")  # doctest: +SKIP
    """
    if not isinstance(result, ExperimentResult):
        raise ArgumentTypeError(f"takes the result of an experiment, got {type(result).__name__}")
    return _FIGURES[type(result)](result, ax)


def figure_bytes(result: ExperimentResult[Any], kind: str) -> bytes:
    """Draw to a file format (pdf, png or svg); the same result gives the same bytes."""
    import io

    import matplotlib as mpl

    mpl.use("Agg")
    axes = np.atleast_1d(np.asarray(plot(result), dtype=object))
    content = io.BytesIO()
    metadata = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind, {})
    with mpl.rc_context({"svg.hashsalt": "concordant"}):
        axes.ravel()[0].figure.savefig(content, format=kind, dpi=100, metadata=metadata)
    return content.getvalue()


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_library("a figure", "matplotlib", "plot") from None
    return plt


def _panels(ax: Any, count: int, columns: int = 3, size: float = 3.2) -> list[Any]:
    """Return Axes to draw on: the one given, or those of a new figure."""
    if ax is not None:
        if count > 1:
            raise ArgumentError(
                f"this result has {count} panels; leave out ax, and take the Axes that are returned"
            )
        return [ax]
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = _pyplot().subplots(
        rows, columns, figsize=(size * columns, size * rows), squeeze=False, layout="constrained"
    )
    for extra in axes.ravel()[count:]:
        figure.delaxes(extra)
    return list(axes.ravel()[:count])


def _one_or_all(axes: list[Any]) -> Any:
    return axes[0] if len(set(map(id, axes))) == 1 else np.array(axes, dtype=object)


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _different(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def _predict(result: PredictResult, ax: Any) -> Any:
    cells = result.predictions
    coefficients = _different(cell.coefficient for cell in cells)
    measures = _different(cell.reference for cell in cells)
    axes = _panels(ax, len(coefficients))
    for panel, coefficient in zip(axes, coefficients, strict=True):
        own = [cell for cell in cells if cell.coefficient == coefficient]
        if len({cell.topics for cell in own}) > 1:  # curves, as in figures 7.2 to 7.6 of Radja (2018)
            for reference in measures:
                for estimate in measures:
                    curve = [c for c in own if (c.reference, c.estimate) == (reference, estimate)]
                    panel.errorbar(
                        [cell.topics for cell in curve],
                        [_number(cell.mean) for cell in curve],
                        yerr=[_number(cell.sd) for cell in curve],
                        marker="o",
                        capsize=2,
                        label=reference if reference == estimate else f"{reference} - {estimate}",
                    )
            panel.set(xlabel="topics", ylabel=str(coefficient))
            panel.legend(fontsize="small")
        else:  # a table, as tables 7.2 to 7.5
            means = {(cell.reference, cell.estimate): _number(cell.mean) for cell in own}
            values = np.array([[means[r, e] for e in measures] for r in measures])
            panel.imshow(values, vmin=-1, vmax=1, cmap="RdBu")
            for (i, j), value in np.ndenumerate(values):
                panel.text(j, i, "-" if np.isnan(value) else f"{value:.2f}", ha="center", va="center")
            panel.set_xticks(range(len(measures)), measures, rotation=45, ha="right")
            panel.set_yticks(range(len(measures)), measures)
            panel.set(xlabel="estimate", ylabel="reference", title=str(coefficient))
    return _one_or_all(axes)


def _gaps(result: GapsResult, ax: Any) -> Any:
    axes = _panels(ax, len(result.quartiles))
    for panel, row in zip(axes, result.quartiles, strict=True):
        key = (row.reference, row.estimate, row.coefficient)
        own = [p for p in result.medians if (p.reference, p.estimate, p.coefficient) == key]
        panel.scatter([p.reference_score for p in own], [p.estimate_score for p in own], s=12)
        five = (row.minimum, row.first_quartile, row.median, row.third_quartile, row.maximum)
        text = "  ".join("-" if value is None else f"{value:.2f}" for value in five)
        panel.set(xlabel=f"reference: {row.reference}", ylabel=f"estimate: {row.estimate}")
        panel.set_title(f"{row.coefficient}\n{text}", fontsize="small")
    return _one_or_all(axes)


def _square(n: int, cells: Iterable[tuple[int, int, float | None]]) -> Floats:
    """Return a symmetric table by rank."""
    table = np.full((n, n), np.nan)
    for rank, other_rank, value in cells:
        table[rank - 1, other_rank - 1] = table[other_rank - 1, rank - 1] = _number(value)
    return table


def _swap(result: SwapResult, ax: Any) -> Any:
    n = max(pair.other_rank for pair in result.pairs)
    kinds = _different(draw.pairs for draw in result.draws)
    coefficients = _different(weight.coefficient for weight in result.weights)
    axes = _panels(ax, 1 + len(kinds) + len(coefficients))
    alpha = result.options["alpha"]
    p = _square(n, ((pair.rank, pair.other_rank, pair.pvalue) for pair in result.pairs))
    extent = (0.5, n + 0.5, n + 0.5, 0.5)
    axes[0].imshow(np.where(np.isnan(p), np.nan, p < alpha), cmap="gray_r", vmin=0, vmax=1, extent=extent)
    axes[0].set(title=f"significant, p < {alpha:g}", xlabel="rank", ylabel="rank")
    for panel, kind in zip(axes[1:], kinds, strict=False):
        own = [draw for draw in result.draws if draw.pairs == kind]
        panel.scatter([draw.rank for draw in own], [draw.rank_after for draw in own], s=12)
        panel.set(title=f"{result.options['n_swaps']} {kind} swaps", xlabel="rank", ylabel="rank after")
    for panel, coefficient in zip(axes[1 + len(kinds) :], coefficients, strict=True):
        weights = ((w.rank, w.other_rank, w.weight) for w in result.weights if w.coefficient == coefficient)
        panel.imshow(_square(n, weights), cmap="gray_r", vmin=0, vmax=1, extent=extent)
        panel.set(title=f"pair weights, {coefficient}", xlabel="rank", ylabel="rank")
    return _one_or_all(axes)


def _pool(result: PoolResult, ax: Any) -> Any:
    coefficients = _different(share.coefficient for share in result.shares)
    shown = sorted({point.percent for point in result.scatter}, reverse=True)
    axes = _panels(ax, len(coefficients) + len(shown))
    curves: dict[str, tuple[Callable[[Any], float | None], Callable[..., Any]]] = {
        "of means": (lambda share: share.of_means, np.mean),
        "mean of topics": (lambda share: share.mean_of_topics, np.mean),
        "minimum": (lambda share: share.minimum, np.min),
        "maximum": (lambda share: share.maximum, np.max),
    }
    for panel, coefficient in zip(axes, coefficients, strict=False):
        own = [share for share in result.shares if share.coefficient == coefficient]
        percents = sorted({share.percent for share in own})
        for name, (value_of, summary) in curves.items():
            values = [[value_of(share) for share in own if share.percent == p] for p in percents]
            defined = [[value for value in of_share if value is not None] for of_share in values]
            curve = [summary(of_share) if of_share else float("nan") for of_share in defined]
            panel.plot(percents, curve, marker="o", markersize=3, label=name)
        panel.set(xlabel="per cent of the judgements", ylabel=str(coefficient))
        panel.legend(fontsize="small")
    for panel, percent in zip(axes[len(coefficients) :], shown, strict=True):
        points = [point for point in result.scatter if point.percent == percent]
        topics = _different(point.topic for point in points)
        colour = [topics.index(point.topic) for point in points]  # one for each topic
        panel.scatter([p.ap for p in points], [p.inferred_ap for p in points], s=4, c=colour, cmap="turbo")
        panel.axline((0, 0), slope=1, color="grey", linewidth=0.8)
        panel.set(xlabel="AP", ylabel=f"inferred AP, {percent:g} %", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    return _one_or_all(axes)


def _reuse(result: ReuseResult, ax: Any) -> Any:
    (panel,) = _panels(ax, 1, size=4.0)
    panel.scatter([s.score for s in result.systems], [s.score_without for s in result.systems], s=14)
    panel.axline((0, 0), slope=1, color="grey", linewidth=0.8)
    values = ", ".join(f"{each.coefficient} {_number(each.value):.3f}" for each in result.correlations)
    measure = result.options["measure"]
    panel.set(xlabel=f"{measure} with its own judgements", ylabel=f"{measure} without")
    panel.set_title(values, fontsize="small")
    return panel


def _grades(result: GradesResult, ax: Any) -> Any:
    axes = _panels(ax, len(result.extensions))
    values: dict[Any, dict[Any, float | None]] = {}
    for pair in result.pairs:
        values.setdefault(pair.coefficient, {})[pair.run, pair.other_run, pair.topic] = pair.value
    for panel, each in zip(axes, result.extensions, strict=True):
        base, extension = values[each.base], values[each.extension]
        both = [(base[k], extension[k]) for k in base if base[k] is not None and extension[k] is not None]
        panel.scatter([a for a, _ in both], [b for _, b in both], s=2, alpha=0.4)
        panel.axline((0, 0), slope=1, color="grey", linewidth=0.8)
        limits = (-1.05, 1.05)
        panel.set(xlabel=str(each.base), ylabel=str(each.extension), xlim=limits, ylim=limits)
    return _one_or_all(axes)


_FIGURES: dict[type, Callable[[Any, Any], Any]] = {
    PredictResult: _predict,
    PoolResult: _pool,
    SwapResult: _swap,
    GapsResult: _gaps,
    GradesResult: _grades,
    ReuseResult: _reuse,
}
