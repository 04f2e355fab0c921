"""Figures and pages of results. Nothing is computed here."""
