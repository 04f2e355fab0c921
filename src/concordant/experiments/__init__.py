"""The experiments of the papers behind the coefficients, for your own data."""

from concordant.experiments import simulate
from concordant.experiments.axioms import axioms
from concordant.experiments.demo import demo
from concordant.experiments.experiment import load as load
from concordant.experiments.gaps import gaps
from concordant.experiments.grades import grades
from concordant.experiments.pool import pool
from concordant.experiments.predict import predict
from concordant.experiments.reuse import reuse
from concordant.experiments.stability import stability
from concordant.experiments.swap import swap

__all__ = ["axioms", "demo", "gaps", "grades", "pool", "predict", "reuse"]
__all__ += ["simulate", "stability", "swap"]
