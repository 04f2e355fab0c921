"""Systems that change their rank, and pairs of systems that change their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from concordant.scores import Means, Measures, Pairing
from concordant.tables import Note, parts

__all__ = ["Moved", "Reversed", "moved", "reversed_pairs"]


@dataclass(frozen=True)
class Moved:
    """A system that gains or loses ranks under an estimate.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    system : str
        The name of the system.
    reference_rank : int
        The rank by the reference; 1 is the best, and tied systems share the best of their ranks.
    estimate_rank : int
        The rank by the estimate; 1 is the best, and tied systems share the best of their ranks.
    gain : int
        The number of ranks that the system gains under the estimate.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    system: str
    reference_rank: int
    estimate_rank: int
    gain: int


@dataclass(frozen=True)
class Reversed:
    """A pair of systems in the opposite order.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    better_by_reference : str
        The system that the reference ranks higher.
    better_by_estimate : str
        The system that the estimate ranks higher.
    reference_difference : float
        The difference of the two scores by the reference.
    estimate_difference : float
        The difference of the two scores by the estimate.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    better_by_reference: str
    better_by_estimate: str
    reference_difference: float
    estimate_difference: float


def _ranks(means: Means) -> dict[str, int]:
    """Return the ranks, 1 for the best; tied systems share the best of their ranks."""
    values = sorted(means.values(), reverse=True)
    first = {value: rank for rank, value in reversed(list(enumerate(values, 1)))}
    return {system: first[value] for system, value in means.items()}


def moved(pairings: Iterable[Pairing], most: int) -> tuple[Moved, ...]:
    """Return the systems that gain and lose most ranks."""
    found: list[Moved] = []
    for pairing in pairings:
        x, y = _ranks(pairing.reference.mean), _ranks(pairing.estimate.mean)
        rows = [Moved(pairing.name, pairing.measures, s, x[s], y[s], x[s] - y[s]) for s in x]
        gains = sorted((m for m in rows if m.gain > 0), key=lambda m: (-m.gain, m.reference_rank, m.system))
        losses = sorted((m for m in rows if m.gain < 0), key=lambda m: (m.gain, m.reference_rank, m.system))
        found += gains[:most] + losses[:most]
    return tuple(found)


def reversed_pairs(pairings: Iterable[Pairing], most: int) -> tuple[tuple[Reversed, ...], list[Note]]:
    """Return the pairs in the opposite order, the largest reference difference first, and their number."""
    found: list[Reversed] = []
    notes: list[Note] = []
    for pairing in pairings:
        systems = list(pairing.reference.mean)
        x, y = (
            np.array([means[s] for s in systems]) for means in (pairing.reference.mean, pairing.estimate.mean)
        )
        difference_x, difference_y = x[:, None] - x[None, :], y[:, None] - y[None, :]
        better, worse = np.nonzero((difference_x > 0) & (difference_y < 0))
        order = np.lexsort((worse, better, difference_y[better, worse], -difference_x[better, worse]))[:most]
        for i, j in zip(better[order].tolist(), worse[order].tolist(), strict=True):
            gaps = float(difference_x[i, j]), float(difference_y[i, j])
            found.append(Reversed(pairing.name, pairing.measures, systems[i], systems[j], *gaps))
        n = len(systems)
        about = {"pairs": len(better), "total": n * (n - 1) // 2, "measure": str(pairing.measures)}
        notes.append(Note("pairs_reversed", pairing.name, about))
    return tuple(found), notes
