"""Coefficients: each is declared once, in the file of its family.

The registry, the text form and the computation read the declaration.
"""

from concordant.coefficients import families
from concordant.coefficients.bundle import Bundle
from concordant.coefficients.compute import SAME, Outcome, Statistic, Untied, count_all, n_pairs, run, shaped
from concordant.coefficients.costs import BLOCK, PairCosts, near_one, side
from concordant.coefficients.declaration import (
    REGISTRY,
    Coefficient,
    CoefficientLike,
    CoefficientsLike,
    Inputs,
    Ties,
    usual,
)
from concordant.coefficients.evaluation import evaluate, evaluate_lists, without_groups
from concordant.coefficients.grades import grades_of
from concordant.coefficients.overlap import DepthCosts, overlap_at
from concordant.coefficients.registration import coefficient
from concordant.coefficients.signatures import parameters
from concordant.coefficients.text_form import chosen, get, main_of, of_scores
from concordant.coefficients.unbiased import unbiased_a

__all__ = [
    "BLOCK",
    "REGISTRY",
    "SAME",
    "Bundle",
    "Coefficient",
    "CoefficientLike",
    "CoefficientsLike",
    "DepthCosts",
    "Inputs",
    "Outcome",
    "PairCosts",
    "Statistic",
    "Ties",
    "Untied",
    "chosen",
    "coefficient",
    "count_all",
    "evaluate",
    "evaluate_lists",
    "families",
    "get",
    "grades_of",
    "main_of",
    "n_pairs",
    "near_one",
    "of_scores",
    "overlap_at",
    "parameters",
    "run",
    "shaped",
    "side",
    "unbiased_a",
    "usual",
    "without_groups",
]
