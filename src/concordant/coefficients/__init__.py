"""The coefficients, one family per file; the order of this list is the order of every table."""

# ruff: noqa: I001
from concordant.coefficients.kendall import *  # noqa: F403
from concordant.coefficients.ap import *  # noqa: F403
