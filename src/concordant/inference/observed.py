"""The observed value of a coefficient of two rankings."""

from __future__ import annotations

from concordant.coefficients import Coefficient, evaluate
from concordant.rankings import Pairs, read_one_pair
from concordant.scores import Scores, ranking_of
from concordant.typing import RankingLike

__all__ = ["observed"]


def observed(
    c: Coefficient, x: RankingLike | Scores, y: RankingLike | Scores, threads: int
) -> tuple[Pairs, float]:
    """Read two rankings and compute the coefficient, with a warning if it is undefined."""
    pairs = read_one_pair(ranking_of(x), ranking_of(y))
    c.refuse_labels(pairs)
    outcome = evaluate([c], pairs, "raise", threads)[0]
    outcome.report(str(c))
    return pairs, float(outcome.values[0])
