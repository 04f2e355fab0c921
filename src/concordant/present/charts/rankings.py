"""Charts of two rankings: those that the results of correlate and judge share."""

from concordant.present.charts.ranks import intervals, ranks

__all__ = ["intervals", "ranks"]
