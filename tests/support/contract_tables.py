"""The tables `pairs` and `reliability` of judge and correlate, made from the tables of today.

It goes when judge and correlate make these tables themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import concordant as cd
from concordant.results.result import records
from concordant.results.table import parts
from concordant.study.pairing import Measures

GONE = ("order", "significance", "reversed", "reasons", "pair_map", "moved")


@dataclass(frozen=True)
class SystemPair:
    """Two systems, of which the first is better by the reference."""

    estimate: str
    measure: Measures = field(metadata=parts("measure", "estimate_measure"))
    better: str
    worse: str
    reference_difference: float
    estimate_difference: float
    reference_pvalue: float | None
    estimate_pvalue: float | None
    cost: float | None


@dataclass(frozen=True)
class Reliability:
    """The expected correlation of the reference with the true ranking."""

    measure: str
    coefficient: str
    topics: int
    expected: float | None


def _class(base):
    @dataclass(frozen=True, kw_only=True, repr=False, eq=False)
    class WithPairs(base):
        """A result with the new tables; its words are those of the result that it was made from."""

        pairs: tuple[SystemPair, ...] | None = records(SystemPair, "Pairs of systems")
        reliability: tuple[Reliability, ...] | None = records(Reliability, "Reliability of the reference")
        words: tuple[str, ...] = ()

        @property
        def verdict(self):
            return self.words

        @classmethod
        def value_names(cls):
            return ()

    return WithPairs


CLASSES = {kind: _class(kind) for kind in (cd.JudgeResult, cd.CorrelateResult)}


def with_pairs(result):
    """Return a result of judge or correlate with the new tables; any other as it is."""
    if type(result) not in CLASSES:
        return result
    own = {each.name: getattr(result, each.name) for each in fields(result) if each.name not in GONE}
    found = []
    systems = {}
    for row in result.systems:
        systems.setdefault((row.estimate, row.measure), []).append(row)
    alpha = result.options.get("alpha", 0.05)
    for line in result.pair_map:
        rows = systems[line.estimate, line.measure]
        place = next(i for i, row in enumerate(rows) if row.system == line.system)
        better = rows[place]
        for worse, letter in zip(rows[place + 1 :], line.letters, strict=True):
            x, y = (
                abs(getattr(better, f"{side}_score") - getattr(worse, f"{side}_score"))
                * (
                    (getattr(better, f"{side}_rank") < getattr(worse, f"{side}_rank"))
                    - (getattr(better, f"{side}_rank") > getattr(worse, f"{side}_rank"))
                )
                for side in ("reference", "estimate")
            )
            kind = letter.lower()
            p, q = (None if kind == "u" else alpha / 2 if kind in one else 1.0 for one in ("br", "be"))
            names = better.system, worse.system
            found.append(SystemPair(line.estimate, line.measure, *names, x, y, p, q, abs(x)))
    expected = [
        Reliability(note.subject.removeprefix("reference by "), name, 0, value)
        for note in result.notes
        if note.kind == "reliability"
        for name, value in note.values["expected"].items()
    ]
    more = {"pairs": tuple(found), "reliability": tuple(expected) or None, "words": tuple(result.verdict)}
    return CLASSES[type(result)](**own, **dict.fromkeys(set(GONE) & {f.name for f in fields(result)}), **more)
