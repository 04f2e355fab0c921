"""The options of intervals over topics, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np

from concordant.rankings import generator, n_workers, one_of, proportion, whole_number
from concordant.tables import Note
from concordant.typing import Alternative, RngLike

__all__ = ["ALTERNATIVES", "METHODS", "Correction", "Method", "Resampling", "check_alternative"]

Method: TypeAlias = Literal["simex", "percentile", "basic", "BCa"]
Correction: TypeAlias = Literal["holm", "bh"]

METHODS: tuple[str, ...] = get_args(Method)
ALTERNATIVES: tuple[str, ...] = get_args(Alternative)


def check_alternative(alternative: object) -> None:
    """Raise unless the alternative is known."""
    one_of("alternative", alternative, ALTERNATIVES)


@dataclass(frozen=True)
class Resampling:
    """How intervals are made.

    The same seed gives the same draws for every question, so that answers can be compared.
    """

    n_resamples: int
    confidence_level: float
    method: Method
    seed: int | None
    threads: int
    rng: np.random.Generator

    @classmethod
    def checked(
        cls, n_resamples: int, confidence_level: float, method: str, rng: RngLike, workers: int
    ) -> Resampling:
        """Check the options."""
        known = {name.lower(): name for name in METHODS}
        if isinstance(method, str):
            method = known.get(method.lower(), method)
        one_of("method", method, METHODS)
        number = whole_number("n_resamples", n_resamples, 2)
        level = proportion("confidence_level", confidence_level)
        source, seed = generator(rng)
        return cls(number, level, cast("Method", method), seed, n_workers(workers), source)

    @property
    def tails(self) -> list[float]:
        """The probabilities below both ends of the interval."""
        return [(1 - self.confidence_level) / 2, (1 + self.confidence_level) / 2]

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
        if fewest_topics < 20:
            found.append(Note("few_topics", values={"topics": fewest_topics}))
        if not shared:
            found.append(Note("topics_not_shared"))
        if self.n_resamples < 500:
            found.append(Note("few_resamples", values={"resamples": self.n_resamples}))
        return found
