"""How a prompt and a notebook show scores and means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from concordant.errors import visible
from concordant.tables import Table, count

if TYPE_CHECKING:
    from concordant.scores.means import Means
    from concordant.scores.scores import Scores

__all__ = ["means_html", "means_text", "scores_html"]

_MOST = 20  # systems that are shown


@dataclass(frozen=True)
class _SystemMean:
    system: str
    measure: str
    mean: float


def _best_first(means: Mapping[str, float]) -> list[str]:
    return sorted(means, key=lambda system: -means[system])  # equal means stay in their order


def _head(means: Means) -> str:
    ties = f", {means.n_tied} tied" if means.n_tied else ""
    over = f"{count(len(means), 'system')} over {count(means.n_topics, 'topic')}"
    return f"mean {means.measure} of {over}{ties}"


def _left_out(total: int) -> str:
    return f"... and {total - _MOST} more" if total > _MOST else ""


def means_text(means: Means) -> str:
    """Return the means with their names, the best first, and how many more there are."""
    lines = [f"{system}: {means[system]:.4f}" for system in _best_first(means)[:_MOST]]
    rest = [_left_out(len(means))] if len(means) > _MOST else []
    return "\n".join(map(visible, [_head(means), *lines, *rest]))


def _html(head: str, rows: list[_SystemMean], total: int) -> str:
    table = Table("means", "", _SystemMean, tuple(rows), ("measure", "mean"))
    more = f"<p>{_left_out(total)}</p>" if total > _MOST else ""
    return f"<p>{escape(visible(head))}</p>{table.to_html()}{more}"


def means_html(means: Means) -> str:
    """Return the means as an HTML table, the best first."""
    rows = [_SystemMean(system, means.measure, means[system]) for system in _best_first(means)[:_MOST]]
    return _html(_head(means), rows, len(means))


def scores_html(scores: Scores) -> str:
    """Return the mean of each system by each measure as an HTML table, the best by the first measure first.

    Missing scores are left out of these means.
    """
    known = ~np.isnan(scores.values)
    with np.errstate(invalid="ignore"):
        means = np.where(known, scores.values, 0).sum(axis=1) / known.sum(axis=1)
    if not means.size:
        return f"<p>{escape(repr(scores))}</p>"
    order = np.argsort(-means[0], kind="stable")[:_MOST].tolist()  # nan comes last
    rows = [
        _SystemMean(str(scores.systems[s]), measure, float(means[m, s]))
        for s in order
        for m, measure in enumerate(scores.measures)
    ]
    return _html(f"{repr(scores).strip('<>')}; means:", rows, len(scores.systems))
