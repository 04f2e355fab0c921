"""Figures and pages: drawn from results, computing nothing."""

from concordant.present.figures import figure_bytes, figure_names, plot

__all__ = ["figure_bytes", "figure_names", "plot"]
