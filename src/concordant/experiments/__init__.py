"""The experiments of the papers behind the coefficients, for your own data."""

from concordant.experiments import simulate
from concordant.experiments.axioms import AxiomCheck, AxiomsResult, axioms
from concordant.experiments.demo import demo, write_collection
from concordant.experiments.experiment import ExperimentResult, load
from concordant.experiments.gaps import GapsResult, MedianCase, Quartiles, gaps
from concordant.experiments.grades import Extension, GradesResult, OfPair, grades
from concordant.experiments.pool import PERCENTS, PoolResult, Share, Thinned, pool
from concordant.experiments.predict import Prediction, PredictResult, predict
from concordant.experiments.reuse import Reused, ReuseResult, WithAndWithout, reuse
from concordant.experiments.swap import PairTest, RankAfter, SwapResult, Swaps, Weight, pair_weights, swap

__all__ = [
    "PERCENTS",
    "AxiomCheck",
    "AxiomsResult",
    "ExperimentResult",
    "Extension",
    "GapsResult",
    "GradesResult",
    "MedianCase",
    "OfPair",
    "PairTest",
    "PoolResult",
    "PredictResult",
    "Prediction",
    "Quartiles",
    "RankAfter",
    "ReuseResult",
    "Reused",
    "Share",
    "SwapResult",
    "Swaps",
    "Thinned",
    "Weight",
    "WithAndWithout",
    "axioms",
    "demo",
    "gaps",
    "grades",
    "load",
    "pair_weights",
    "pool",
    "predict",
    "reuse",
    "simulate",
    "swap",
    "write_collection",
]
