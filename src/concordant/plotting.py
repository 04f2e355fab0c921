"""Figures of the results of experiments, as the papers show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.experiments._result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]


def plot(result: Result, ax: Axes | None = None) -> Any:
    """Draw the result of an experiment.

    Parameters
    ----------
    result : Result
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
    if not isinstance(result, Result):
        raise TypeError(f"plot: takes the result of an experiment, got {type(result).__name__}")
    if result.experiment not in DRAWERS:
        raise ValueError(
            f"plot: there is no figure for {result.experiment!r}; there are {', '.join(DRAWERS)}"
        )
    return DRAWERS[result.experiment](result, ax)


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("figures need matplotlib: pip install 'concordant[plot]'") from None
    return plt


def _panels(ax: Any, count: int, columns: int = 3, size: float = 3.2) -> list[Any]:
    """Return Axes to draw on: the one given, or those of a new figure."""
    if ax is not None:
        if count > 1:
            raise ValueError(
                f"plot: this result has {count} panels; leave out ax, and take the Axes that are returned"
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


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _predict(result: Result, ax: Any) -> Any:
    rows = result["predict"].to_dicts()
    coefficients = list(dict.fromkeys(row["coefficient"] for row in rows))
    sizes = sorted({row["topics"] for row in rows})
    measures = list(dict.fromkeys(row["truth"] for row in rows))
    axes = _panels(ax, len(coefficients))
    for panel, coefficient in zip(axes, coefficients, strict=True):
        own = [row for row in rows if row["coefficient"] == coefficient]
        if len(sizes) > 1:  # curves, as in figures 7.2 to 7.6 of the thesis
            for truth in measures:
                for estimate in measures:
                    curve = [row for row in own if (row["truth"], row["estimate"]) == (truth, estimate)]
                    label = truth if truth == estimate else f"{truth} - {estimate}"
                    panel.errorbar(
                        [row["topics"] for row in curve], [_number(row["mean"]) for row in curve],
                        yerr=[_number(row["sd"]) for row in curve], marker="o", capsize=2, label=label,
                    )  # fmt: skip
            panel.set(xlabel="topics", ylabel=coefficient)
            panel.legend(fontsize="small")
        else:  # a table, as tables 7.2 to 7.5
            values = np.array(
                [
                    [
                        _number(next(r["mean"] for r in own if (r["truth"], r["estimate"]) == (t, e)))
                        for e in measures
                    ]
                    for t in measures
                ]
            )
            panel.imshow(values, vmin=-1, vmax=1, cmap="RdBu")
            for i in range(len(measures)):
                for j in range(len(measures)):
                    panel.text(
                        j,
                        i,
                        "-" if np.isnan(values[i, j]) else f"{values[i, j]:.2f}",
                        ha="center",
                        va="center",
                    )
            panel.set_xticks(range(len(measures)), measures, rotation=45, ha="right")
            panel.set_yticks(range(len(measures)), measures)
            panel.set(xlabel="estimate", ylabel="truth", title=coefficient)
    return _one_or_all(axes)


def _gaps(result: Result, ax: Any) -> Any:
    rows = result["gaps"].to_dicts()
    points = result["median"].to_dicts()
    axes = _panels(ax, len(rows))
    for panel, row in zip(axes, rows, strict=True):
        key = (row["reference"], row["estimate"], row["coefficient"])
        own = [p for p in points if (p["reference"], p["estimate"], p["coefficient"]) == key]
        panel.scatter([p["reference score"] for p in own], [p["estimate score"] for p in own], s=12)
        names = ("minimum", "first quartile", "median", "third quartile", "maximum")
        text = "  ".join("-" if row[name] is None else f"{row[name]:.2f}" for name in names)
        panel.set(xlabel=f"reference: {row['reference']}", ylabel=f"estimate: {row['estimate']}")
        panel.set_title(f"{row['coefficient']}\n{text}", fontsize="small")
    return _one_or_all(axes)


def _swap(result: Result, ax: Any) -> Any:
    pairs = result["pairs"].to_dicts()
    draws = result["draws"].to_dicts()
    weights = result["weights"].to_dicts()
    n = max(row["other rank"] for row in pairs)
    kinds = list(dict.fromkeys(row["pairs"] for row in draws))
    coefficients = list(dict.fromkeys(row["coefficient"] for row in weights))
    axes = _panels(ax, 1 + len(kinds) + len(coefficients))

    def square(rows: list[dict[str, Any]], value: str) -> np.ndarray[Any, Any]:
        table = np.full((n, n), np.nan)
        for row in rows:
            i, j = row["rank"] - 1, row["other rank"] - 1
            table[i, j] = table[j, i] = row[value]
        return table

    alpha = result.config["alpha"]
    significant = np.where(np.isnan(p := square(pairs, "p")), np.nan, p < alpha)
    axes[0].imshow(significant, cmap="gray_r", vmin=0, vmax=1, extent=(0.5, n + 0.5, n + 0.5, 0.5))
    axes[0].set(title=f"significant, p < {alpha:g}", xlabel="rank", ylabel="rank")
    for panel, kind in zip(axes[1:], kinds, strict=False):
        own = [row for row in draws if row["pairs"] == kind]
        panel.scatter([row["rank"] for row in own], [row["rank after"] for row in own], s=12)
        panel.set(title=f"{result.config['n_swaps']} {kind} swaps", xlabel="rank", ylabel="rank after")
    for panel, coefficient in zip(axes[1 + len(kinds) :], coefficients, strict=True):
        own = [row for row in weights if row["coefficient"] == coefficient]
        panel.imshow(
            square(own, "weight"), cmap="gray_r", vmin=0, vmax=1, extent=(0.5, n + 0.5, n + 0.5, 0.5)
        )
        panel.set(title=f"pair weights, {coefficient}", xlabel="rank", ylabel="rank")
    return _one_or_all(axes)


def _pool(result: Result, ax: Any) -> Any:
    rows = result["pool"].to_dicts()
    points = result["topics"].to_dicts()
    coefficients = list(dict.fromkeys(row["coefficient"] for row in rows))
    shown = sorted({p["percent"] for p in points}, reverse=True)
    axes = _panels(ax, len(coefficients) + len(shown))
    names: dict[str, Callable[..., Any]] = {
        "of means": np.mean,
        "mean of topics": np.mean,
        "minimum": np.min,
        "maximum": np.max,
    }
    for panel, coefficient in zip(axes, coefficients, strict=False):
        own = [row for row in rows if row["coefficient"] == coefficient]
        percents = sorted({row["percent"] for row in own})
        for name, summary in names.items():
            of_share = {
                p: [r[name] for r in own if r["percent"] == p and r[name] is not None] for p in percents
            }
            curve = [summary(values) if values else float("nan") for values in of_share.values()]
            panel.plot(percents, curve, marker="o", markersize=3, label=name)
        panel.set(xlabel="per cent of the judgements", ylabel=coefficient)
        panel.legend(fontsize="small")
    for panel, percent in zip(axes[len(coefficients) :], shown, strict=True):
        own = [p for p in points if p["percent"] == percent]
        topics = list(dict.fromkeys(p["topic"] for p in own))
        colour = [topics.index(p["topic"]) for p in own]  # one for each topic
        panel.scatter([p["AP"] for p in own], [p["infAP"] for p in own], s=4, c=colour, cmap="turbo")
        panel.axline((0, 0), slope=1, color="grey", linewidth=0.8)
        panel.set(xlabel="AP", ylabel=f"inferred AP, {percent:g} %", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    return _one_or_all(axes)


def _reuse(result: Result, ax: Any) -> Any:
    (panel,) = _panels(ax, 1, size=4.0)
    rows = result["systems"].to_dicts()
    panel.scatter([row["with"] for row in rows], [row["without"] for row in rows], s=14)
    panel.axline((0, 0), slope=1, color="grey", linewidth=0.8)
    values = ", ".join(
        f"{row['coefficient']} {_number(row['value']):.3f}" for row in result["reuse"].to_dicts()
    )
    measure = result.config["measure"]
    panel.set(xlabel=f"{measure} with its own judgements", ylabel=f"{measure} without")
    panel.set_title(values, fontsize="small")
    return panel


def _profiles(result: Result, ax: Any) -> Any:
    pairs = result["pairs"].to_dicts()
    wanted = [(row["base"], row["extension"]) for row in result["profiles"].to_dicts()]
    axes = _panels(ax, len(wanted))
    for panel, (base, extension) in zip(axes, wanted, strict=True):
        both = [(p[base], p[extension]) for p in pairs if p[base] is not None and p[extension] is not None]
        panel.scatter([a for a, _ in both], [b for _, b in both], s=2, alpha=0.4)
        panel.axline((0, 0), slope=1, color="grey", linewidth=0.8)
        panel.set(xlabel=base, ylabel=extension, xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
    return _one_or_all(axes)


DRAWERS: dict[str, Callable[[Result, Any], Any]] = {
    "predict": _predict,
    "pool": _pool,
    "swap": _swap,
    "gaps": _gaps,
    "profiles": _profiles,
    "reuse": _reuse,
}
