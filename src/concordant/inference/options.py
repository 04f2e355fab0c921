"""The options of intervals over topics, checked."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np

from concordant.rankings import generator, n_workers, one_of, proportion, whole_number
from concordant.tables import Note
from concordant.typing import Alternative, RngLike

__all__ = [
    "ALTERNATIVES",
    "METHODS",
    "METHODS_OF_DIFFERENCES",
    "Correction",
    "DifferenceMethod",
    "Method",
    "Resampling",
    "check_alternative",
]

Method: TypeAlias = Literal["standard", "percentile", "basic", "BCa", "simex"]
DifferenceMethod: TypeAlias = Literal["exchange", "standard", "percentile", "basic", "BCa"]
Correction: TypeAlias = Literal["holm", "bh"]

METHODS: tuple[str, ...] = get_args(Method)
METHODS_OF_DIFFERENCES: tuple[str, ...] = get_args(DifferenceMethod)
ALTERNATIVES: tuple[str, ...] = get_args(Alternative)


def check_alternative(alternative: object) -> None:
    """Raise an error unless the alternative is known."""
    one_of("alternative", alternative, ALTERNATIVES)


@dataclass(frozen=True)
class Resampling:
    """How intervals are computed.

    The same seed gives the same draws in every function, so that results can be compared.
    """

    n_resamples: int
    confidence_level: float
    method: Method | DifferenceMethod
    seed: int | None
    threads: int
    rng: np.random.Generator
    executor: Executor | None = None

    @classmethod
    def checked(
        cls,
        n_resamples: int,
        confidence_level: float,
        method: str,
        rng: RngLike,
        workers: int,
        methods: tuple[str, ...] = METHODS,
        executor: Executor | None = None,
    ) -> Resampling:
        """Check the options."""
        known = {name.lower(): name for name in methods}
        if isinstance(method, str):
            method = known.get(method.lower(), method)
        one_of("method", method, methods)
        number = whole_number("n_resamples", n_resamples, 2)
        level = proportion("confidence_level", confidence_level)
        source, seed = generator(rng)
        return cls(number, level, cast("Method", method), seed, n_workers(workers), source, executor)

    @property
    def for_differences(self) -> Resampling:
        """The options for `difference`, which has its own default method."""
        textbook = self.method in ("percentile", "basic", "BCa")
        return self if textbook else replace(self, method="exchange")

    @property
    def options(self) -> dict[str, Any]:
        """The options by name, for a result."""
        return {
            "confidence_level": self.confidence_level,
            "method": self.method,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
        }

    def notes(self, fewest_topics: int, shared: bool) -> list[Note]:
        """Return warnings about unreliable intervals."""
        found = []
        if fewest_topics < 20 and self.method not in ("standard", "exchange"):
            found.append(Note("few_topics", values={"topics": fewest_topics, "method": self.method}))
        if not shared:
            found.append(Note("topics_not_shared"))
        if self.n_resamples < 500:
            found.append(Note("few_resamples", values={"resamples": self.n_resamples}))
        return found
