"""All coefficients, one family per file. The order of this list is the order of every table."""

# ruff: noqa: I001
from concordant.coefficients.kendall import *
from concordant.coefficients.ap import *
from concordant.coefficients.hyperbolic import *
from concordant.coefficients.gap import *
from concordant.coefficients.pearson import *
from concordant.coefficients.graded import *
from concordant.coefficients.item_lists import *
