"""Charts of judges against the reference."""

from concordant.present.charts.rankings import agreement, heatmap, intervals, ranks, scores, significance

__all__ = ["agreement", "heatmap", "intervals", "ranks", "scores", "significance"]
