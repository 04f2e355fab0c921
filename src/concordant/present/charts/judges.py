"""Charts of judges against the reference."""

from concordant.present.charts.rankings import intervals, ranks

__all__ = ["intervals", "ranks"]
