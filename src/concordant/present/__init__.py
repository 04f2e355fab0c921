"""Figures and pages of results. Nothing is computed here."""

from concordant.present.figures import figure_bytes, figure_names, plot
from concordant.present.page import page_of, report

__all__ = ["figure_bytes", "figure_names", "page_of", "plot", "report"]
