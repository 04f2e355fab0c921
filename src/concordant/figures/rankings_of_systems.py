"""Charts of two rankings: those that the results of correlate and judge share."""

from concordant.figures.pair_map import significance
from concordant.figures.rank_lines import intervals, ranks
from concordant.figures.scatter import scores
from concordant.figures.values import agreement, heatmap

__all__ = ["agreement", "heatmap", "intervals", "ranks", "scores", "significance"]
