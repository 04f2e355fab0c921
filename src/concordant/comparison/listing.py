"""All coefficients and what they declare, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from concordant.coefficients import REGISTRY, Coefficient
from concordant.tables import Result, count, records, sentences

__all__ = ["Declared", "Listing", "listing"]


@dataclass(frozen=True)
class Declared:
    """What a coefficient declares."""

    coefficient: Coefficient
    question: str
    symmetric: bool
    top_weighted: bool
    gaps: str
    ties: str | None
    threshold: bool
    inputs: str


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Listing(Result[Declared]):
    """All coefficients."""

    function: ClassVar[str] = "list"

    coefficients: tuple[Declared, ...] = records(Declared, "Coefficients")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: how many coefficients there are."""
        return sentences([f"There are {count(len(self.coefficients), 'coefficient')}"])


def listing() -> Listing:
    """Return all coefficients that are registered."""
    return Listing(
        coefficients=tuple(
            Declared(c, c.question, c.symmetric, c.top_weighted, c.gaps, c.ties, c.thresholds, c.inputs)
            for c in REGISTRY.values()
        )
    )
