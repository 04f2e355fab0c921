"""Coefficients: declarations, formulas, and how they are computed.

Every file of the folder is imported through this one, so that the registry always has all coefficients.
"""

import concordant.coefficients.families  # noqa: F401 - registers all coefficients
