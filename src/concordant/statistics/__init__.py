"""Confidence intervals, tests, and the reliability of rankings."""
