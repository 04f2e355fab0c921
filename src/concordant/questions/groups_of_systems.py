"""Coefficients without the systems of one group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from concordant.coefficients.declaration import Coefficient
from concordant.coefficients.evaluation import without_groups
from concordant.errors import ArgumentError, option
from concordant.questions.agreement import Agreements
from concordant.results.table import parts
from concordant.study.names import groups_by_name
from concordant.study.pairing import Measures
from concordant.study.study import Study


@dataclass(frozen=True)
class WithoutGroup:
    """A coefficient without the systems of one group.

    Attributes
    ----------
    estimate : str
        The name of the estimate, such as a judge.
    measure : Measures
        The measures of the reference and of the estimate.
    coefficient : Coefficient
        The coefficient.
    group : str
        The name of the group that is left out.
    systems : int
        The number of systems of the group.
    value : float
        The coefficient without the group; nan if it is undefined.
    change : float
        The coefficient without the group minus that of all systems.
    """

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    coefficient: Coefficient
    group: str
    systems: int
    value: float
    change: float


def without_each_group(
    study: Study, found: Agreements, coefficients: Sequence[Coefficient], pattern: str, threads: int
) -> tuple[WithoutGroup, ...]:
    """Compute the coefficients without each group of systems in turn."""
    group_of = groups_by_name(study.systems, pattern)
    names, codes = np.unique(group_of, return_inverse=True)
    if len(names) < 2:
        raise ArgumentError(
            f"{option('group_by')} {pattern!r} puts all systems into one group, {group_of[0]!r}; "
            "none is left without it"
        )
    sizes = np.bincount(codes)
    listed = []
    for pairing, observed in zip(study.pairings, found.observed, strict=True):
        place = dict(zip(study.systems, codes.tolist(), strict=True))
        own = np.array([place[system] for system in pairing.reference.mean])
        x, y = (np.array(list(side.mean.values())) for side in (pairing.reference, pairing.estimate))
        for c in coefficients:
            value = float(observed[None, c].values[0])
            for name, size, without in zip(
                names.tolist(), sizes.tolist(), without_groups(c, x, y, own, len(names), threads), strict=True
            ):
                listed.append(
                    WithoutGroup(
                        pairing.name, pairing.measures, c, name, size, float(without), float(without) - value
                    )
                )
    return tuple(listed)
