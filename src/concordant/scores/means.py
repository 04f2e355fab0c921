"""The mean score of each system over the topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from concordant.errors import ArgumentError
from concordant.scores.exact_means import n_tied, snap
from concordant.typing import Floats

__all__ = ["Means"]


class Means(Mapping[str, float]):
    """The mean score of each system: a mapping, which every coefficient takes and aligns by name.

    Attributes
    ----------
    measure : str
        The measure.
    n_topics : int
        The number of topics averaged over.
    n_tied : int
        The number of systems that share their mean with another.
    n_tied_by_rounding : int
        How many of these differed only by the rounding errors of their sums, before the means were rounded to
        12 digits.

    Examples
    --------
    >>> import concordant as cd
    >>> means = cd.Scores([[0.2, 0.5], [0.4, 0.3]], systems=["bm25", "dense"]).mean()
    >>> means["dense"], means.n_topics, means.n_tied
    (0.4, 2, 0)
    """

    def __init__(self, systems: Sequence[str], sums: Floats, n_topics: int, measure: str) -> None:
        exact = sums / n_topics
        if not np.isfinite(exact).all():
            raise ArgumentError(f"the sum of the {measure} of a system is too large for a float")
        self._values: dict[str, float] = dict(zip(systems, snap(exact).tolist(), strict=True))
        self.measure = measure
        self.n_topics = n_topics
        self.n_tied = n_tied(self._values.values())
        self.n_tied_by_rounding = self.n_tied - n_tied(exact.tolist())

    def __getitem__(self, system: str) -> float:
        return self._values[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        from concordant.scores.notebook import means_text

        return means_text(self)

    def _repr_html_(self) -> str:
        from concordant.scores.notebook import means_html

        return means_html(self)
