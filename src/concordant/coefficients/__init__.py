"""The coefficients, one family per file; the order of this list is the order of every table."""

# ruff: noqa: I001
from concordant.coefficients import kendall, ap, hyperbolic, gap, pearson, profiles
from concordant.coefficients.kendall import *
from concordant.coefficients.ap import *
from concordant.coefficients.hyperbolic import *
from concordant.coefficients.gap import *
from concordant.coefficients.pearson import *
from concordant.coefficients.profiles import *

__all__: list[str] = []
__all__ += kendall.__all__
__all__ += ap.__all__
__all__ += hyperbolic.__all__
__all__ += gap.__all__
__all__ += pearson.__all__
__all__ += profiles.__all__
