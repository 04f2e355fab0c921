"""The experiments of the papers behind the coefficients, on anyone's data."""

from concordant.experiments._gaps import gaps
from concordant.experiments._pool import pool
from concordant.experiments._predict import predict
from concordant.experiments._profiles import profiles
from concordant.experiments._result import Result
from concordant.experiments._reuse import reuse
from concordant.experiments._swap import swap

__all__ = ["Result", "gaps", "pool", "predict", "profiles", "reuse", "swap"]
