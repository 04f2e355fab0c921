"""All coefficients and what they declare, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from concordant.coefficients.declaration import REGISTRY, Coefficient
from concordant.results.result import Result, records
from concordant.results.words import count, sentences


@dataclass(frozen=True)
class Declared:
    """What a coefficient declares.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    question : str
        The question that it answers.
    symmetric : bool
        Whether exchanging the two sides does not change the value.
    top_weighted : bool
        Whether the top of the ranking counts more.
    gaps : str
        The side or sides whose differences between scores count: none, reference or both.
    ties : str or None
        What a tie means: error, undecided, ignored, equality or values; None if it is not declared.
    threshold : bool
        Whether differences up to a threshold can be ties.
    inputs : str
        What it compares: scores, lists, graded_items or graded_lists.
    """

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
    """All registered coefficients.

    Attributes
    ----------
    coefficients : tuple of Declared
        The coefficients and what they declare.
    """

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
