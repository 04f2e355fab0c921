"""Charts of two rankings: those that the results of correlate and judge share."""

from concordant.present.charts.pairs import significance
from concordant.present.charts.ranks import intervals, ranks
from concordant.present.charts.scatter import scores
from concordant.present.charts.values import agreement, heatmap

__all__ = ["agreement", "heatmap", "intervals", "ranks", "scores", "significance"]
