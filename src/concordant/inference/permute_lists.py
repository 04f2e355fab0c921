"""A permutation test of two lists that need not hold the same items."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np

from concordant.coefficients import Coefficient, evaluate_lists
from concordant.errors import ArgumentError, option
from concordant.inference.exchange import pvalue_of
from concordant.inference.orders import MOST_ORDERS, Orders, log_orders, orders_in_pieces
from concordant.inference.resample import MOST_AT_ONCE
from concordant.inference.results import PermutationTestResult
from concordant.rankings import ListPairs, read_lists
from concordant.typing import Alternative, Integers, Progress
from concordant.work import in_pieces, piece_size

__all__ = ["permutation_test_of_lists"]


def permutation_test_of_lists(
    x: Any,
    y: Any,
    c: Coefficient,
    method: str,
    alternative: Alternative,
    n_resamples: int,
    source: np.random.Generator,
    seed: int | None,
    threads: int,
    executor: Executor | None,
    progress: Progress | None,
) -> PermutationTestResult:
    """Test whether y orders its own items at random."""
    pairs = read_lists(x, y, c.threshold)
    if pairs.shape:
        raise ArgumentError(f"takes two lists, got batches of shape {pairs.shape}")
    outcome = evaluate_lists([c], pairs, threads)[0]
    outcome.report(str(c))
    n_x = int(pairs.offsets[1])
    own, ends = (
        pairs.codes[n_x:],
        pairs.ends
        if len(pairs.ends)
        else np.concatenate([np.arange(1, n_x + 1), np.arange(1, len(pairs.codes) - n_x + 1)]),
    )
    groups = -ends[n_x:].astype(np.float64)  # as scores: larger is better
    if method == "normal":
        raise ArgumentError(
            f"the null distribution of {c} is not known in closed form; use {option('method', 'permutation')}"
        )
    most = max(n_resamples, MOST_ORDERS) if method == "exact" else n_resamples
    exact = log_orders(groups) < math.log(most) + 1e-9
    if method == "exact" and not exact:
        raise ArgumentError(f"there are more than {most:,} orders; use {option('method', 'permutation')}")
    total = round(math.exp(log_orders(groups))) if exact else n_resamples
    step = piece_size(total, max(1, MOST_AT_ONCE // max(len(own), 1)), executor)
    parts = in_pieces(
        _of_orders,
        _Lists(c, pairs.codes[:n_x], own, ends, pairs.n_codes),
        orders_in_pieces(groups if exact else own, total, step, None if exact else source),
        executor=executor,
        threads=threads,
        sizes=[min(step, total - start) for start in range(0, total, step)],
        progress=progress,
    )
    null = np.concatenate([part["null"] for part in parts])
    statistic = float(outcome.values[0])
    return PermutationTestResult(
        statistic=statistic,
        pvalue=pvalue_of(statistic, null, alternative, exact),
        null_distribution=null,
        coefficient=c,
        alternative=alternative,
        n=len(own),
        n_resamples=total,
        n_undefined=int(np.isnan(null).sum()),
        exact=exact,
        seed=None if exact else seed,
    )


class _Lists(NamedTuple):
    c: Coefficient
    reference: Integers
    own: Integers
    ends: Integers  # of both
    n_codes: int


def _of_orders(lists: _Lists, piece: Orders, threads: int) -> dict[str, Any]:
    """Return the coefficient of the reference and each order of the other list."""
    own, n_x, orders = lists.own, len(lists.reference), piece.rows()
    count = len(orders)
    codes = orders if piece.of_all is None else own[np.argsort(-orders, axis=1, kind="stable")]
    drawn = ListPairs(
        codes=np.concatenate([lists.reference, codes.ravel()]),
        ends=np.concatenate([lists.ends[:n_x], np.tile(lists.ends[n_x:], count)]),
        offsets=np.concatenate([[0], n_x + len(own) * np.arange(count + 1)]),
        n_codes=lists.n_codes,
        first=np.zeros(count, dtype=np.int64),
        second=np.arange(1, count + 1),
        shape=(count,),
    )
    return {"null": evaluate_lists([lists.c], drawn, threads)[0].values}
