"""The coefficients, one family per file; the order of this list is the order of every table."""

# ruff: noqa: I001
from concordant.coefficients import kendall, ap
from concordant.coefficients.kendall import *
from concordant.coefficients.ap import *

__all__: list[str] = []
__all__ += kendall.__all__
__all__ += ap.__all__
