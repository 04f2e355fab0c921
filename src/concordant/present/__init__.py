"""Figures of results: drawn from numbers, computing nothing."""

from concordant.present.plots import figure_bytes, plot

__all__ = ["figure_bytes", "plot"]
