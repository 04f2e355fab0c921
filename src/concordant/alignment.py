"""The same systems, and topics, on both sides, and a record of what that took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concordant._inputs import one_of
from concordant.scores import Scores, some

__all__ = ["Alignment", "align"]


_DIFFERENT_TOPICS = "the sides have different topics"


def common_topics(sides: Sequence[Scores]) -> list[str]:
    """Return the topics that all sides have, in the order of the first."""
    shared = set.intersection(*(set(side.topics) for side in sides))
    return [topic for topic in sides[0].topics if topic in shared]


@dataclass(frozen=True, repr=False)
class Alignment:
    """Scores of the same systems; prints what was kept, what was dropped, and why."""

    truth: Scores
    estimates: tuple[Scores, ...]
    dropped_systems: tuple[str, ...]
    dropped_topics: tuple[str, ...]
    notes: tuple[str, ...]

    def on_common_topics(self, who: str) -> Alignment:
        """Return the same on the topics that all sides have, and a note of those left out."""
        sides = (self.truth, *self.estimates)
        kept = common_topics(sides)
        if not kept:
            raise ValueError(f"{who}: the sides have no topic in common; are the topics named the same?")
        every = dict.fromkeys(topic for side in sides for topic in side.topics)
        left_out = [topic for topic in every if topic not in set(kept)]
        if not left_out:
            return self
        notes = [note for note in self.notes if not note.startswith(_DIFFERENT_TOPICS)]
        notes.append(f"left out topics that not all sides have: {some(left_out)}")
        truth, *estimates = (side.select(topics=kept) for side in sides)
        return replace(self, truth=truth, estimates=tuple(estimates), notes=tuple(notes))

    def __repr__(self) -> str:
        kept = f"{len(self.truth.systems)} systems on {len(self.truth.topics)} topics"
        return "\n".join([kept, *(f"- {note}" for note in self.notes)])


def align(truth: Any, *estimates: Any, on_missing: str | None = None, names: Sequence[str] = ()) -> Alignment:
    """Bring scores to the same systems in the same order.

    Parameters
    ----------
    truth, *estimates : Scores, or what `Scores.of` takes
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only. "error" refuses them; "drop" keeps what all have
        in common, on all sides; "zero" counts them as 0. By default systems on one side only are an error; topics may differ, as when
        the estimate is from half of the topics; and a topic that one system lacks counts as 0 for it, as
        ``trec_eval -c`` has it.
    names : sequence of str, optional
        What to call the sides in messages; "truth" and "estimate" by default.

    Returns
    -------
    Alignment
        ``truth``, ``estimates``, ``dropped_systems``, ``dropped_topics``, ``notes``.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}, "q2": {"bm25": 0.4, "dense": 0.3, "rm3": 0.3}}
    >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}, "q2": {"bm25": 0.5, "dense": 0.7}}
    >>> cd.align(human, llm, on_missing="drop")
    2 systems on 2 topics
    - dropped 1 system that not all have: rm3
    """
    who = "align"
    if on_missing is not None:
        one_of(who, "on_missing", on_missing, ("error", "drop", "zero"))
    sides = [Scores.of(side) for side in (truth, *estimates)]
    if names and len(names) != len(sides):
        raise ValueError(f"{who}: there are {len(sides)} sides and {len(names)} names; give one for each")
    called = list(names) or [
        "truth",
        *(["estimate"] if len(estimates) == 1 else [f"estimate {i + 1}" for i in range(len(estimates))]),
    ]
    notes = [f"{name}: {note}" for name, side in zip(called, sides, strict=True) for note in side.notes]
    sides, dropped_systems = _same_systems(who, sides, called, on_missing, notes)
    sides, dropped_topics = _same_topics(who, sides, called, on_missing, notes)
    sides, incomplete = _complete(who, sides, called, on_missing, notes)
    dropped_topics += incomplete
    for name, side in zip(called, sides, strict=True):
        for measure in side.measures:
            means = side.mean(measure)
            if means.n_tied:
                rounding = (
                    f", {means.n_tied_by_rounding} of them told apart by rounding errors only"
                    if means.n_tied_by_rounding
                    else ""
                )
                notes.append(
                    f"{name}: {means.n_tied} of {len(means)} systems share their mean {measure} with another{rounding}"
                )
    return Alignment(
        sides[0], tuple(sides[1:]), tuple(dropped_systems), tuple(dropped_topics), tuple(dict.fromkeys(notes))
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _same_systems(
    who: str, sides: list[Scores], called: Sequence[str], on_missing: str | None, notes: list[str]
) -> tuple[list[Scores], list[str]]:
    every = list(dict.fromkeys(system for side in sides for system in side.systems))
    lacking = [[s for s in every if s not in set(side.systems)] for side in sides]
    dropped: list[str] = []
    if any(lacking):
        name, gone = next((name, gone) for name, gone in zip(called, lacking, strict=True) if gone)
        if on_missing in (None, "error"):
            raise ValueError(
                f"{who}: {name} lacks {_count(len(gone), 'system')} that another side has: {some(gone)}; keep those in "
                "common with on_missing='drop' (--on-missing drop), or count them as 0 with 'zero'"
            )
        if on_missing == "drop":
            dropped = [s for s in every if any(s in gone for gone in map(set, lacking))]
            every = [s for s in every if s not in set(dropped)]
            if not every:
                raise ValueError(f"{who}: the sides have no system in common; are the names the same?")
            notes.append(f"dropped {_count(len(dropped), 'system')} that not all have: {some(dropped)}")
        else:
            notes += [
                f"{name}: {_count(len(gone), 'system')} count as 0: {some(gone)}"
                for name, gone in zip(called, lacking, strict=True)
                if gone
            ]
            sides = [_with_systems(side, gone) for side, gone in zip(sides, lacking, strict=True)]
    return [side.select(systems=every) for side in sides], dropped


def _with_systems(side: Scores, more: Sequence[str]) -> Scores:
    zeros = np.zeros((*side.values.shape[:2], len(more)))
    return Scores(
        np.concatenate([side.values, zeros], axis=2),
        measures=side.measures, topics=side.topics, systems=[*side.systems, *more], notes=side.notes,
    )  # fmt: skip


def _same_topics(
    who: str, sides: list[Scores], called: Sequence[str], on_missing: str | None, notes: list[str]
) -> tuple[list[Scores], list[str]]:
    every = list(dict.fromkeys(topic for side in sides for topic in side.topics))
    common = common_topics(sides)
    if len(common) == len(every):
        return [side.select(topics=every) for side in sides], []
    lacking = [[t for t in every if t not in set(side.topics)] for side in sides]
    name, gone = next((name, gone) for name, gone in zip(called, lacking, strict=True) if gone)
    if on_missing == "error":
        raise ValueError(
            f"{who}: {name} lacks {_count(len(gone), 'topic')} that another side has: {some(gone)}; keep those in common "
            "with on_missing='drop' (--on-missing drop)"
        )
    if on_missing == "drop":
        if not common:
            raise ValueError(f"{who}: the sides have no topic in common; are the topics named the same?")
        dropped = [topic for topic in every if topic not in set(common)]
        notes.append(f"dropped {_count(len(dropped), 'topic')} that not all have: {some(dropped)}")
        return [side.select(topics=common) for side in sides], dropped
    if on_missing == "zero":
        for name, gone in zip(called, lacking, strict=True):
            if gone:
                notes.append(f"{name}: {_count(len(gone), 'topic')} count as 0 for all: {some(gone)}")
        sides = [_with_topics(side, gone) for side, gone in zip(sides, lacking, strict=True)]
        return [side.select(topics=every) for side in sides], []
    sizes = ", ".join(f"{name} has {len(side.topics)}" for name, side in zip(called, sides, strict=True))
    notes.append(f"{_DIFFERENT_TOPICS} ({sizes}, {len(common)} in common); each mean is over its own")
    return sides, []


def _with_topics(side: Scores, more: Sequence[str]) -> Scores:
    zeros = np.zeros((side.values.shape[0], len(more), side.values.shape[2]))
    return Scores(
        np.concatenate([side.values, zeros], axis=1),
        measures=side.measures, topics=[*side.topics, *more], systems=side.systems, notes=side.notes,
    )  # fmt: skip


def _complete(
    who: str, sides: list[Scores], called: Sequence[str], on_missing: str | None, notes: list[str]
) -> tuple[list[Scores], list[str]]:
    """Deal with scores that one system lacks for a topic."""
    gone: list[str] = []
    for i, (side, name) in enumerate(zip(sides, called, strict=True)):
        missing = side.missing()
        if not missing:
            continue
        measure, topic, system = missing[0]
        if on_missing == "error":
            raise ValueError(
                f"{who}: {name} has no {measure} of system {system!r} for topic {topic!r}; count it as 0 with "
                "on_missing='zero' (--on-missing zero), or leave out the topic with 'drop'"
            )
        if on_missing == "drop":
            gone += [topic for _, topic, _ in missing]
            continue
        systems = list(dict.fromkeys(system for _, _, system in missing))
        notes.append(
            f"{name}: {_count(len(missing), 'missing score')} count as 0, of {_count(len(systems), 'system')}: {some(systems)}"
        )
        sides[i] = side.fill()
    gone = list(dict.fromkeys(gone))
    if gone:
        kept = [topic for topic in sides[0].topics if topic not in set(gone)]
        if not kept:
            raise ValueError(f"{who}: no topic has the scores of all systems")
        notes.append(f"dropped {_count(len(gone), 'topic')} that not all systems answered: {some(gone)}")
        sides = [side.select(topics=kept) for side in sides]
    return sides, gone
