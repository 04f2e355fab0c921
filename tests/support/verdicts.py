"""An oracle of verdicts: each number of a sentence is compared with the record that the sentence is about.

Each kind of sentence has its own pattern, and a function that returns from the records what the parts of the
pattern must be. Tables are counted here with loops, not by the code of the package.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from concordant.results.result import Result
from concordant.results.words import few, listed, number, pvalue, with_interval

__all__ = ["changed", "wrong"]

Parts = dict[str, Any]
Expected = Callable[["About", Parts], Parts]
KINDS: dict[str, list[tuple[re.Pattern[str], Expected]]] = {}


class About:
    """The result that a verdict is about, and what its last sentences were about."""

    def __init__(self, result: Result[Any]) -> None:
        self.result = result
        self.row: Any = None  # the record of the last first sentence
        self.rows: list[Any] = []  # those that it was the best of

    def main(self, rows: Sequence[Any]) -> list[Any]:
        """Return the records of the first coefficient."""
        c = rows[0].coefficient
        return [row for row in rows if row.coefficient == c and getattr(row, "top", c.top) == c.top]


def kind(function: str, pattern: str) -> Callable[[Expected], Expected]:
    """Declare a kind of sentence of the verdicts of some functions; ``<x>`` is a part of any text."""

    def declare(expected: Expected) -> Expected:
        text = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>.+?)", pattern)
        for name in function.split():
            KINDS.setdefault(name, []).append((re.compile(text), expected))
        return expected

    return declare


def wrong(result: Result[Any], verdict: Sequence[str] | None = None) -> list[str]:
    """Return what is wrong with a verdict: parts that are not as the records say, and unknown sentences."""
    about, found = About(result), []
    for sentence in result.verdict if verdict is None else verdict:
        fits = [
            (match, expected)
            for pattern, expected in KINDS.get(result.function, ())
            if (match := pattern.fullmatch(sentence.removesuffix(".")))
        ]
        if len(fits) != 1:
            found.append(f"{len(fits)} kinds of sentences: {sentence}")
            continue
        match, expected = fits[0]
        parts = match.groupdict()
        try:
            should = expected(about, parts)
        except LookupError as error:
            found.append(f"no record of {error} for: {sentence}")
            continue
        found += [
            f"{name} is {parts[name]!r}, not {value!r}: {sentence}"
            for name, value in should.items()
            if parts[name] != value
        ]
    return found


NUMBER = re.compile(r"(?<![\w.@])\d+(?:\.\d+)?(?:e-\d+)?(?![\w]|\.\d)")


def changed(verdict: Sequence[str]) -> Iterator[list[str]]:
    """Yield verdicts in each of which one number is another: the next one, or the one before."""
    for k, sentence in enumerate(verdict):
        for token in NUMBER.finditer(sentence):
            decimals = len(token.group().partition(".")[2])
            for step in (1, -1):
                value = float(token.group()) + step * 10.0**-decimals
                if value >= 0:
                    text = f"{sentence[: token.start()]}{value:.{decimals}f}{sentence[token.end() :]}"
                    yield [*verdict[:k], text, *verdict[k + 1 :]]


def one(rows: Sequence[Any], **fields: Any) -> Any:
    """Return the one record with these values."""
    found = [row for row in rows if all(getattr(row, name) == value for name, value in fields.items())]
    if len(found) != 1:
        raise LookupError(fields)
    return found[0]


def by(measures: tuple[str, str], name: str = "the estimate") -> str | None:
    """Return how measures are named in a sentence; None if they are not."""
    if measures[0] == measures[1]:
        return None if measures[0] == "score" else f" by {measures[0]}"
    return f" by {measures[0]} of the reference and {measures[1]} of {name}"


def said(name: str) -> str:
    """Return how an estimate is named in a sentence."""
    return "the estimate" if name == "estimate" else name


# --- judge and correlate ------------------------------------------------------------------------------------

BOTH = "judge correlate"
SIZE = r"(?P<top>the best )?(?P<n>\d+) systems?(?: of the reference)?(?P<by> by .+?)?"


def best_of_measure(about: About, parts: Parts) -> Any:
    """Return the record with the highest value by a measure, which must be of the estimate that is named."""
    by_measure: dict[str, list[Any]] = {}
    for row in about.main(about.result.agreement):
        by_measure.setdefault(row.measure.measure, []).append(row)
    for rows in by_measure.values():
        defined = [row for row in rows if not math.isnan(row.value)]
        best = max(defined, key=lambda row: row.value, default=None)
        if best is None:
            continue
        name = said(best.estimate)
        if name.lower() == parts["name"].lower() and by(best.measure, name) == parts["by"]:
            about.row, about.rows = best, defined
            return best
    raise LookupError(parts["name"], parts["by"])


def numbers_of(row: Any, alpha: float) -> str:
    """Return value, interval, p-value and remark as the first sentence has them."""
    found = with_interval(row.value, row.interval)
    if row.pvalue is not None:
        found += f", {pvalue(row.pvalue)} for systems in random order"
        found += "; too few systems for a test" if 2 / math.factorial(row.n) > alpha else ""
    if not row.coefficient.centred and row.coefficient.bounds[0] < 0:
        found += f" ({row.coefficient} is not centred: its mean for unrelated rankings need not be 0)"
    return found


def level(about: About) -> float:
    """Return the level of the tests."""
    return about.result.options["alpha"]


def head(about: About, row: Any) -> Parts:
    """Return the parts of a first sentence that are numbers."""
    top = None if row.top is None else "the best "
    value = numbers_of(row, level(about))
    return {"n": str(row.n), "top": top, "c": str(row.coefficient), "value": value}


def direction(about: About, row: Any) -> int:
    """Return 1 or -1 if interval and test show that a value is above or below 0."""
    if row.pvalue > level(about):
        return 0
    low, high = (row.value, row.value) if row.interval is None or row.topics is None else row.interval
    return (low > 0) - (high < 0)


@kind(
    BOTH,
    rf"<name> (?P<claim>agrees|disagrees|is not shown to agree) with the reference on the "
    rf"(?P<what>order|scores) of {SIZE}: <c> <value>",
)
def _(about: About, parts: Parts) -> Parts:
    row = best_of_measure(about, parts)
    shown = direction(about, row)
    what = "scores" if row.coefficient.gaps == "both" else "order"
    claim = {1: "agrees", 0: "is not shown to agree", -1: "disagrees"}[shown]
    if shown < 0 and what == "order":
        claim = "is not shown to agree"
    return {**head(about, row), "what": what, "claim": claim}


@kind(BOTH, rf"<name> tends to reverse the reference's order of the {SIZE}: <c> <value>")
def _(about: About, parts: Parts) -> Parts:
    row = best_of_measure(about, parts)
    if direction(about, row) >= 0:
        raise LookupError("an interval below 0")
    return head(about, row)


@kind(
    BOTH,
    r"<name> ranks the (?P<n>\d+) systems in exactly the "
    r"(?P<which>same order as|opposite order to) the reference(?P<by> by .+?)?: <c> <value>",
)
def _(about: About, parts: Parts) -> Parts:
    row = best_of_measure(about, parts)
    found = order(about)
    same = found["same"] + found["twice"] == found["pairs"]
    numbers = {name: part for name, part in head(about, row).items() if name != "top"}
    return {**numbers, "which": "same order as" if same else "opposite order to"}


@kind(BOTH, rf"On (?:the (?P<what>order|scores) of )?{SIZE}, <c> between <name> and the reference is <value>")
def _(about: About, parts: Parts) -> Parts:
    return head(about, best_of_measure(about, parts))


@kind(BOTH, "(?P<names>(?!If ).+?) (?:has|have) the same value")
def _(about: About, _parts: Parts) -> Parts:
    same = [row for row in about.rows if row is not about.row and abs(row.value - about.row.value) <= 1e-12]
    return {"names": few([said(row.estimate) for row in same], "estimates")}


def differences(about: About) -> list[Any]:
    """Return the comparisons of the best estimate by the measure with others that have another value."""
    rows = [d for d in about.result.comparison if d.measure == about.row.measure.measure]
    rows = [d for d in rows if d.coefficient == about.row.coefficient and abs(d.difference) > 1e-12]
    return [d for d in rows if about.row.estimate in (d.estimate, d.other)]


def better(about: About, d: Any) -> bool:
    """Return whether the table shows that the best is better than another."""
    return d.pvalue_adjusted is not None and d.pvalue_adjusted < level(about)


def gap(d: Any, adjusted: str = "") -> str:
    """Return a difference, its interval and p-value."""
    return f"{with_interval(d.difference, d.interval)}, {adjusted}{pvalue(d.pvalue_adjusted)}"


@kind(
    "judge",
    r"It is (?P<claim>better than|not told apart from) (?P<name>(?!both others|all \d+ others)[^;]+?)"
    r"(?: by|: the difference is) <value>",
)
def _(about: About, _parts: Parts) -> Parts:
    (d,) = differences(about)
    claim = "better than" if better(about, d) else "not told apart from"
    return {"claim": claim, "name": said(d.other), "value": gap(d)}


@kind(
    "judge", r"It is better than (?P<others>both others|all \d+ others); than the closest, <name>, by <value>"
)
def _(about: About, parts: Parts) -> Parts:
    rivals = differences(about)
    closest = min(rivals, key=lambda d: d.difference)
    others = "both others" if len(rivals) == 2 else f"all {len(rivals)} others"
    value = gap(closest, "adjusted ")
    return {
        "others": others if all(better(about, d) for d in rivals) else "",
        "name": said(closest.other),
        "value": value,
    }


@kind(
    "judge",
    r"It is not told apart from (?P<names>[^;:]+?)(?:, but better than (?P<worse>[^;]+?))?; the "
    r"difference from <name> is <value>",
)
def _(about: About, parts: Parts) -> Parts:
    rivals = differences(about)
    worse = [d for d in rivals if better(about, d)]
    others = sorted((d for d in rivals if d not in worse), key=lambda d: d.difference)
    return {
        "names": few([said(d.other) for d in others], "estimates"),
        "worse": few([said(d.other) for d in worse], "estimates") if worse else None,
        "name": said(others[0].other),
        "value": gap(others[0], "adjusted "),
    }


def smaller(about: About) -> list[Any]:
    """Return the records of smaller values that were not compared with the best."""
    compared = {
        name
        for d in getattr(about.result, "comparison", None) or ()
        if (d.measure, d.coefficient) == (about.row.measure.measure, about.row.coefficient)
        for name in (d.estimate, d.other)
        if about.row.estimate in (d.estimate, d.other)
    }
    return [r for r in about.rows if about.row.value - r.value > 1e-12 and r.estimate not in compared]


@kind(BOTH, r"The value of <name> \((?P<value>[^)]+)\) is smaller(?:; the difference was not tested)?")
def _(about: About, _parts: Parts) -> Parts:
    (row,) = smaller(about)
    return {"name": said(row.estimate), "value": number(row.value)}


@kind(BOTH, r"The values of <names> are smaller(?:; the differences were not tested)?")
def _(about: About, _parts: Parts) -> Parts:
    return {"names": few([said(row.estimate) for row in smaller(about)], "estimates")}


@kind(BOTH, r"The smallest value is that of <name>: <value>")
def _(about: About, _parts: Parts) -> Parts:
    row = min(about.rows, key=lambda r: r.value)
    return {"name": said(row.estimate), "value": with_interval(row.value, row.interval)}


@kind(
    "judge",
    r"(?:Only (?P<only>.+?)|(?P<many>\d+)) may be the best(?:: (?P<names>.+?))?",
)
def _(about: About, _parts: Parts) -> Parts:
    rows = [b for b in about.result.best if b.coefficient == about.row.coefficient]
    own = [b for b in rows if b.measure.measure == about.row.measure.measure]
    may = [said(b.estimate) for b in own if b.may_be_best]
    alone = len(may) == 1
    return {
        "only": may[0] if alone else None,
        "many": None if alone else str(len(may)),
        "names": listed(may) if 1 < len(may) <= 5 else None,
    }


def order(about: About) -> dict[str, Any]:
    """Count the pairs of the best estimate, from the scores of systems and the table of pairs."""
    row, alpha = about.row, about.result.options["alpha"]
    own = [s for s in about.result.systems if (s.estimate, s.measure) == (row.estimate, row.measure)]
    kinds = {"same": 0, "opposite": 0, "twice": 0, "once": 0}
    for a, b in itertools.combinations(own, 2):
        x, y = (
            (i > j) - (i < j)
            for i, j in ((a.reference_rank, b.reference_rank), (a.estimate_rank, b.estimate_rank))
        )
        kinds["same" if x == y != 0 else "opposite" if x == -y != 0 else "twice" if x == y else "once"] += 1
    pairs = [p for p in about.result.pairs if (p.estimate, p.measure) == (row.estimate, row.measure)]
    tested = alpha is not None and pairs[0].reference_pvalue is not None
    significant = [
        p
        for p in pairs
        if tested and p.estimate_difference < 0 < p.reference_difference and p.reference_pvalue < alpha
    ]
    return {**kinds, "pairs": len(own) * (len(own) - 1) // 2, "tested": tested, "significant": significant}


PAIRS = (
    r"(?P<opposite>None|\d+) of (?P<pairs>\d+) pairs of systems (?:is|are) in the opposite order"
    r"(?: under <name>)?(?:; (?P<tested>it differs|it does not differ|none of these differs|"
    r"(?P<significant>\d+) of these differs?) significantly by the reference(?: \((?P<named>[^)]+)\))?)?"
    r"(?:; (?P<tied>\d+) (?:is|are) tied on one side or both)?"
)


@kind(BOTH, PAIRS)
def _(about: About, parts: Parts) -> Parts:
    found = order(about)
    several = len([r for r in about.main(about.result.agreement) if r.measure[0] == about.row.measure[0]]) > 1
    tied, n = found["once"] + found["twice"], len(found["significant"])
    tested = f"{n} of these differ{'s' if n == 1 else ''}" if n else "none of these differs"
    if found["opposite"] == 1:
        tested = "it differs" if n else "it does not differ"
    told = found["tested"] and found["opposite"] > 0
    names = "; ".join(f"{p.better} and {p.worse}" for p in found["significant"])
    return {
        "opposite": str(found["opposite"] or "None"),
        "pairs": str(found["pairs"]),
        "name": said(about.row.estimate) if several else None,
        "tested": tested if told else None,
        "significant": str(n) if told and n and found["opposite"] > 1 else None,
        "named": names if 0 < n <= 3 else None,
        "tied": str(tied) if tied else None,
    }


@kind(
    BOTH,
    r"The two systems are (?:tied on one side or both|in the opposite order)(?: under .+?)?"
    r"(?:; they (?:differ|do not differ) significantly by the reference)?",
)
def _(_about: About, _parts: Parts) -> Parts:
    return {}


DECIDED = {
    "shown": "It is shown to be ",
    "shown not to be": "It is shown to be less ",
    "not decided": "Whether it is ",
}


@kind(
    BOTH,
    r"(?:It is shown to be (?P<claim>at least|less than) (?P<floor>\S+)|Whether <c> is at least "
    r"(?P<undecided>\S+) is not decided); the largest floor that is passed is (?P<passed>\S+)",
)
def _(about: About, _parts: Parts) -> Parts:
    row, floor = about.row, f"{about.result.options['at_least']:g}"
    claim = {"shown": "at least", "shown not to be": "less than"}.get(row.at_least)
    return {
        "claim": claim,
        "floor": floor if claim else None,
        "c": None if claim else str(row.coefficient),
        "undecided": None if claim else floor,
        "passed": number(row.floor),
    }


def of_reference(about: About) -> Any:
    """Return how well the topics of the estimate order the systems."""
    return next(r for r in about.result.reliability if r.measure == about.row.measure.measure)


@kind(
    "judge",
    r"(?P<claim>It is shown to be |It is shown to be less |Whether it is )(?:as )?close to the reference "
    r"(?:as|than) (?P<n>\d+) other topics would be \((?P<value>\S+) expected\)(?: is not decided)?",
)
def _(about: About, _parts: Parts) -> Parts:
    row = about.row
    assert of_reference(about).pvalue <= 0.05
    n = str(of_reference(about).topics)
    return {"claim": DECIDED[row.as_close], "n": n, "value": number(row.other_topics)}


@kind("judge", r"These topics do not show an order of these systems \(F (?P<f>\S+), (?P<p>p . \S+)\)")
def _(about: About, _parts: Parts) -> Parts:
    found = of_reference(about)
    assert found.pvalue > 0.05
    return {"f": number(found.f), "p": pvalue(found.pvalue)}


def judged(about: About) -> Any:
    """Return the record of the estimate in the table of judges."""
    return one(about.result.judges, estimate=about.row.estimate, measure=about.row.measure)


@kind(
    "judge", r"Its winner, <name>, (?:is the (?P<best>best)|has rank (?P<rank>\S+)) by the reference(?: too)?"
)
def _(about: About, _parts: Parts) -> Parts:
    own = [
        s for s in about.result.systems if (s.estimate, s.measure) == (about.row.estimate, about.row.measure)
    ]
    winners = sorted(s.system for s in own if s.estimate_rank == 1)
    ranks = [s.reference_rank for s in own if s.estimate_rank == 1]
    rank = sum(ranks) / len(ranks)
    name = judged(about).winner
    assert all(winner in name for winner in winners[:1])
    assert len(winners) > 1 or name == winners[0]
    return {"name": name, "best": "best" if rank == 1 else None, "rank": None if rank == 1 else f"{rank:g}"}


@kind(
    "judge",
    r"On (?P<failing>none|\d+) of the (?P<n>\d+) topics does it fail; up to (?P<share>\S+)% of topics like "
    r"these may still be failures, and if it reversed the order on so many, <c> would be (?P<value>\S+) on "
    r"average, for which the interval does not allow",
)
def _(about: About, _parts: Parts) -> Parts:
    own = judged(about)
    return {
        "failing": str(own.failing or "none"),
        "n": str(own.topics),
        "share": f"{100 * own.failing_share:.1f}",
        "c": str(about.row.coefficient),
        "value": number(own.if_failing),
    }


@kind(
    "judge",
    r"It (?P<verb>favours|puts down) <group> \((?P<n>\d+) systems?\) by <value>, (?P<ranks>\S+) ranks, "
    r"beside systems of the same reference score",
)
def _(about: About, parts: Parts) -> Parts:
    about_it = {"estimate": about.row.estimate, "measure": about.row.measure, "group": parts["group"]}
    own = one(about.result.groups, **about_it)
    assert own.pvalue <= 0.05
    ends = own.interval if own.effect > 0 else (-own.interval[1], -own.interval[0])
    return {
        "verb": "favours" if own.effect > 0 else "puts down",
        "n": str(own.systems),
        "value": f"{number(abs(own.effect))} [{number(ends[0])}, {number(ends[1])}]",
        "ranks": number(abs(own.ranks), 1),
    }


@kind(BOTH, r"<c> is undefined for (?P<names>(?!\d+ of ).+?)(?P<by> by [^:]+?)?(?:: (?P<why>.+))?")
def _(about: About, parts: Parts) -> Parts:
    rows = [
        r for r in about.main(about.result.agreement) if math.isnan(r.value) and by(r.measure) == parts["by"]
    ]
    if not rows:
        raise LookupError("an undefined value")
    names = few([said(r.estimate) for r in rows], "estimates")
    return {"c": str(rows[0].coefficient), "names": names, "why": rows[0].undefined}


@kind(
    BOTH,
    r"Over (?P<measures>\d+) measures, <c> with the reference on the order of (?P<n>\d+) systems is from "
    r"<low> \((?P<at_low>[^)]+)\) to <high> \((?P<at_high>[^)]+)\)",
)
def _(about: About, _parts: Parts) -> Parts:
    rows = [r for r in about.main(about.result.agreement) if not math.isnan(r.value)]
    low, high = min(rows, key=lambda r: r.value), max(rows, key=lambda r: r.value)
    at = [f"{said(r.estimate)} by {r.measure}" for r in (low, high)]
    return {
        "measures": str(len({r.measure[0] for r in about.main(about.result.agreement)})),
        "c": str(low.coefficient),
        "n": str(low.n),
        "low": with_interval(low.value, low.interval),
        "high": with_interval(high.value, high.interval),
        "at_low": at[0],
        "at_high": at[1],
    }


@kind(BOTH, r"<names> (?:has|each have) the largest value by (?P<wins>\d+) of (?P<measures>\d+) measures?")
def _(about: About, _parts: Parts) -> Parts:
    rows = [r for r in about.main(about.result.agreement) if not math.isnan(r.value)]
    wins: dict[str, int] = {}
    for measure in {r.measure[0] for r in rows}:
        own = [r for r in rows if r.measure[0] == measure]
        for name in {r.estimate for r in own if r.value >= max(o.value for o in own) - 1e-12}:
            wins[name] = wins.get(name, 0) + 1
    most = max(wins.values())
    names = [said(n) for n in dict.fromkeys(r.estimate for r in rows) if wins.get(n) == most]
    return {
        "names": few(names, "estimates"),
        "wins": str(most),
        "measures": str(len({r.measure[0] for r in rows})),
    }


@kind(BOTH, r"<c> is undefined for (?P<undefined>\d+) of (?P<n>\d+) rankings")
def _(about: About, _parts: Parts) -> Parts:
    rows = about.main(about.result.agreement)
    return {"undefined": str(sum(math.isnan(r.value) for r in rows)), "n": str(len(rows))}


# --- by_topic, sweep ----------------------------------------------------------------------------------------


@kind("by_topic", r"<c> of the mean scores(?P<by> by .+?)? is (?P<value>(?!undefined).+)")
@kind("by_topic", r"<c> of the mean scores is undefined(?P<by> by [^:]+)?(?:: (?P<why>.+))?")
def _(about: About, parts: Parts) -> Parts:
    about.row = row = next(r for r in about.main(about.result.summary) if by(r.measure) == parts["by"])
    if math.isnan(row.of_means):
        return {"c": str(row.coefficient), "why": row.reason if row.topics == 1 else None}
    return {"c": str(row.coefficient), "value": with_interval(row.of_means, row.interval)}


@kind(
    "by_topic",
    r"Per topic, its mean over (?P<n>\d+) topics? is <mean>, ranging from <low> \(topic <at_low>\) to "
    r"<high> \(topic <at_high>\)",
)
def _(about: About, _parts: Parts) -> Parts:
    row, of_topic = about.row, about.result.topics
    values = {
        t.topic: t.value for t in of_topic if (t.measure, t.coefficient) == (row.measure, row.coefficient)
    }
    values = {topic: value for topic, value in values.items() if not math.isnan(value)}
    low, high = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    return {
        "n": str(len(values)),
        "mean": with_interval(math.fsum(values.values()) / len(values), row.interval_of_mean),
        "low": number(values[low]),
        "at_low": low,
        "high": number(values[high]),
        "at_high": high,
    }


@kind(
    "by_topic",
    r"It is (?P<value>(?!undefined).+?) on (?:the one topic|all (?P<n>\d+) topics)(?: where it has a value)?",
)
def _(about: About, _parts: Parts) -> Parts:
    n = about.row.topics - about.row.undefined
    return {"value": number(about.row.mean), "n": str(n) if n > 1 else None}


@kind(
    "by_topic", r"It is undefined for (?:every topic|(?P<undefined>\d+) of (?P<n>\d+) topics?): (?P<why>.+)"
)
def _(about: About, _parts: Parts) -> Parts:
    row = about.row
    every = row.undefined == row.topics
    return {
        "undefined": None if every else str(row.undefined),
        "n": None if every else str(row.topics),
        "why": row.reason,
    }


MORE = r"The tables have (?P<more>\d+) more measures?"


@kind("by_topic", MORE)
@kind("sweep", MORE)
def _(about: About, _parts: Parts) -> Parts:
    rows = about.result.summary if about.result.function == "by_topic" else about.result.curves
    return {"more": str(len({r.measure for r in rows}) - 3)}


@kind(
    "sweep",
    r"<c> is (?P<value>\S+) at threshold (?P<at>\S+), (?:is (?P<here>largest|smallest) there and )?"
    r"(?:largest at (?P<at_high>\S+) \((?P<high>[^)]+)\))?(?: and )?"
    r"(?:smallest at (?P<at_low>\S+) \((?P<low>[^)]+)\))?",
)
def _(about: About, parts: Parts) -> Parts:
    rows = curve(about, parts["c"])
    low, high = min(rows, key=lambda r: r.value), max(rows, key=lambda r: r.value)
    found: Parts = {"value": number(rows[0].value), "at": f"{rows[0].threshold:.3g}", "here": None}
    for name, word, row in (("low", "smallest", low), ("high", "largest", high)):
        found |= {name: number(row.value), f"at_{name}": f"{row.threshold:.3g}"}
        if row is rows[0]:
            found |= {"here": word, name: None, f"at_{name}": None}
    return found


def curve(about: About, text: str) -> list[Any]:
    """Return the points that are defined of the curve of a coefficient and measure."""
    rows = about.main(about.result.curves)
    about.rows = [r for r in rows if f"{r.coefficient}{by(r.measure) or ''}" == text]
    if not about.rows:
        raise LookupError(text)
    return [r for r in about.rows if not math.isnan(r.value)]


@kind("sweep", r"<c> is (?P<value>\S+) at every threshold where it has a value")
def _(about: About, parts: Parts) -> Parts:
    rows = curve(about, parts["c"])
    assert max(r.value for r in rows) - min(r.value for r in rows) <= 1e-12
    return {"value": number(rows[0].value)}


@kind(
    "sweep",
    r"It is undefined (?:(?:at|from) threshold (?P<at>\S+?)(?P<on> on)?|at (?P<n>\d+) thresholds, first at "
    r"(?P<first>\S+))",
)
def _(about: About, _parts: Parts) -> Parts:
    nan = [math.isnan(r.value) for r in about.rows]
    start = nan.index(False)
    gone = [r for r, missing in list(zip(about.rows, nan, strict=True))[start:] if missing]
    first = f"{gone[0].threshold:.3g}"
    to_the_end = all(nan[about.rows.index(gone[0]) :])
    if to_the_end or len(gone) == 1:
        return {"at": first, "on": " on" if to_the_end else None, "n": None, "first": None}
    return {"at": None, "on": None, "n": str(len(gone)), "first": first}


@kind("sweep", r"The curve turns (?:once|(?P<n>\d+) times)")
def _(about: About, _parts: Parts) -> Parts:
    first = about.rows[0]
    turns = [
        t for t in about.result.turns if (t.measure, t.coefficient) == (first.measure, first.coefficient)
    ]
    return {"n": str(len(turns)) if len(turns) > 1 else None}


# --- explain, matrix, plan ----------------------------------------------------------------------------------


@kind("explain", r"(?P<what>[^,]+?) is (?P<value>[^ ,]+), over (?P<n>\d+) (?P<of>items?|systems?)")
def _(about: About, parts: Parts) -> Parts:
    for row in about.result.explained:
        of = f" of {row.estimate}" if row.estimate else ""
        if f"{row.coefficient}{of}{by(row.measure or ('score', 'score')) or ''}" == parts["what"]:
            about.row = row
            return {"value": number(row.value), "n": str(row.n)}
    raise LookupError(parts["what"])


def explained(about: About, table: str) -> list[Any]:
    """Return the records of a table about the present value."""
    row = about.row
    return [
        r
        for r in getattr(about.result, table)
        if (r.estimate, r.measure, r.coefficient) == (row.estimate, row.measure, row.coefficient)
    ]


@kind(
    "explain",
    r"Of (?P<n>\d+) pairs that lower it, <both> lower it most: by (?P<cost>[^ ,]+)"
    r"(?:, as much as (?P<others>\d+) other pairs?)?",
)
@kind("explain", r"Only one pair lowers it: <both>, by (?P<cost>[^ ,]+)(?P<n>(?!))?(?P<others>(?!))?")
def _(about: About, _parts: Parts) -> Parts:
    first = max(explained(about, "pairs"), key=lambda p: p.cost)
    n, others = about.row.costly_pairs, about.row.most_costly - 1
    return {
        "n": str(n) if n > 1 else None,
        "both": f"{first.better} and {first.worse}",
        "cost": number(first.cost),
        "others": str(others) if others else None,
    }


@kind("explain", r"Each of the (?P<n>\d+) pairs that lower it costs (?P<cost>\S+), so none is listed")
@kind("explain", r"The (?P<n>\d+) most costly pairs cost the same, (?P<cost>\S+) each, so none is listed")
def _(about: About, _parts: Parts) -> Parts:
    cost = about.row.highest_cost
    return {"n": str(about.row.most_costly), "cost": f"{cost:.4f}" if cost >= 0.001 else f"{cost:.2g}"}


@kind("explain", r"Without <who> it is higher by (?P<gain>\S+)")
def _(about: About, _parts: Parts) -> Parts:
    rows = explained(about, "removals")
    same = [r for r in rows[1:] if r.gain >= rows[0].gain - 1e-12]
    who = str(rows[0].item)
    if same:
        another = str(same[0].item) if len(same) == 1 else f"one of {len(same)} others"
        who += f" or {another}" if len(same) + 1 < about.result.options["most"] else " or another item"
    return {"who": who, "gain": number(rows[0].gain)}


@kind("explain", r"Depth (?P<depth>\d+)(?: and beyond)? costs most, (?P<cost>\S+)")
def _(about: About, _parts: Parts) -> Parts:
    worst = max(explained(about, "depths"), key=lambda d: d.cost)
    return {"depth": str(worst.depth), "cost": number(worst.cost)}


@kind("explain", r"Of the items, <item> costs most, (?P<cost>\S+) \((?P<ranks>[^)]+)\)")
def _(about: About, _parts: Parts) -> Parts:
    first = max(explained(about, "items"), key=lambda i: i.cost)
    ranks = [("x", first.x_rank), ("y", first.y_rank)]
    told = ", ".join(f"not in {s}" if rank is None else f"rank {rank:g} in {s}" for s, rank in ranks)
    return {"item": str(first.item), "cost": number(first.cost), "ranks": told}


@kind(
    "matrix",
    r"Of (?P<n>\d+) rankings, <most> agree most \((?P<c>\S+) (?P<high>\S+)\), <least> least \((?P<low>\S+)\)",
)
def _(about: About, _parts: Parts) -> Parts:
    cells = [c for c in about.result if c.reference != c.estimate]
    found: Parts = {"n": str(len({c.reference for c in cells})), "c": str(about.result.coefficient)}
    for name, who, end in (("high", "most", max), ("low", "least", min)):
        value = end(c.value for c in cells)
        same = {frozenset((c.reference, c.estimate)) for c in cells if abs(c.value - value) <= 1e-12}
        first = next(c for c in cells if abs(c.value - value) <= 1e-12)
        both = f"{first.reference} and {first.estimate}"
        if not about.result.coefficient.symmetric and sum(abs(c.value - value) <= 1e-12 for c in cells) == 1:
            both = f"{first.reference} (reference) and {first.estimate}"
        found |= {name: number(value), who: both if len(same) == 1 else f"{len(same)} pairs"}
    return found


# --- runs and labels ----------------------------------------------------------------------------------------


@kind("compare_runs", r"<run> and <other>, on average over (?P<n>\d+) topics?: (?P<means>.+)")
def _(about: About, parts: Parts) -> Parts:
    rows = [r for r in about.result.pairs if (r.run, r.other) == (parts["run"], parts["other"])]
    return {
        "n": str(rows[0].topics),
        "means": ", ".join(f"{r.measure} {with_interval(r.mean, r.interval)}" for r in rows),
    }


def values_of_topics(about: About) -> dict[tuple[str, str, str], float]:
    """Return the first measure of each pair of runs and topic."""
    result = about.result
    return {(t.run, t.other, t.topic): t.value for t in result.topics if t.measure == result.measure}


@kind(
    "compare_runs",
    r"By <c> they agree least on topic <at_low> \((?P<low>\S+)\) and most on topic <at_high> "
    r"\((?P<high>\S+)\)",
)
def _(about: About, _parts: Parts) -> Parts:
    values = {topic: value for (_, _, topic), value in values_of_topics(about).items()}
    ends = [min(values, key=values.__getitem__), max(values, key=values.__getitem__)]
    low, high = ends[::-1] if "distance" in about.result.measure else ends
    return {
        "c": about.result.measure,
        "at_low": low,
        "low": number(values[low]),
        "at_high": high,
        "high": number(values[high]),
    }


@kind(
    "compare_runs",
    r"Of (?P<pairs>\d+) pairs of (?P<n>\d+) runs, <most> agree most \(mean <c> over topics "
    r"(?P<high>[^)]+)\), <least> least \((?P<low>[^)]+)\)",
)
def _(about: About, _parts: Parts) -> Parts:
    rows = [r for r in about.result.pairs if r.measure == about.result.measure]
    found = {
        "pairs": str(len(rows)),
        "n": str(len({x for r in rows for x in (r.run, r.other)})),
        "c": about.result.measure,
    }
    ends = (max, min) if "distance" not in about.result.measure else (min, max)
    for (who, name), end in zip((("most", "high"), ("least", "low")), ends, strict=True):
        row = end(rows, key=lambda r: r.mean)
        same = sum(abs(r.mean - row.mean) <= 1e-12 for r in rows)
        found[who] = f"{row.run} and {row.other}" if same == 1 else f"{same} pairs"
        found[name] = with_interval(row.mean, row.interval if same == 1 else None)
    return found


@kind("compare_runs", r"<run> and <other> differ most on topic <topic> \((?P<value>\S+)\)")
def _(about: About, _parts: Parts) -> Parts:
    values = values_of_topics(about)
    end = max if "distance" in about.result.measure else min
    run, other, topic = worst = end(values, key=values.__getitem__)
    return {"run": run, "other": other, "topic": topic, "value": number(values[worst])}


def shares(result: Any, estimate: str) -> tuple[int, float, float, float, float]:
    """Return documents, and share and kappa of relevance and of grades, from the confusion."""
    cells = {(c.grade, c.estimate_grade): c.documents for c in result.confusion if c.estimate == estimate}
    found = []
    for grade in (lambda g: g > 0, lambda g: g):
        merged: dict[tuple[Any, Any], int] = {}
        for (a, b), many in cells.items():
            merged[grade(a), grade(b)] = merged.get((grade(a), grade(b)), 0) + many
        n = sum(merged.values())
        same = sum(many for (a, b), many in merged.items() if a == b) / n
        grades = {a for a, _ in merged}
        chance = (
            sum(
                sum(m for (a, _), m in merged.items() if a == g)
                * sum(m for (_, b), m in merged.items() if b == g)
                for g in grades
            )
            / n**2
        )
        found += [same, (same - chance) / (1 - chance) if chance < 1 else math.nan]
    return (sum(cells.values()), *found)  # type: ignore[return-value]


@kind(
    "label_agreement",
    r"<name> and the reference both judged (?P<n>\d+) documents?: they agree on relevance for "
    r"(?P<same>\S+) of them \(Cohen's kappa (?P<kappa>\S+)\), on the grade for (?P<grade>\S+) "
    r"\(kappa (?P<kappa_grade>\S+)\)",
)
def _(about: About, parts: Parts) -> Parts:
    n, *numbers = shares(about.result, parts["name"])
    told = ["undefined" if math.isnan(value) else number(value) for value in numbers]
    return {"n": str(n), **dict(zip(("same", "kappa", "grade", "kappa_grade"), told, strict=True))}


@kind(
    "label_agreement",
    r"Of (?P<n>\d+) judges, <best> agrees? most with the reference on what is relevant \(Cohen's "
    r"kappa (?P<high>\S+)\), <worst> least \((?P<low>\S+)\)",
)
def _(about: About, _parts: Parts) -> Parts:
    kappas = {row.estimate: shares(about.result, row.estimate)[2] for row in about.result.labels}
    low, high = min(kappas, key=kappas.__getitem__), max(kappas, key=kappas.__getitem__)
    best = [name for name, kappa in kappas.items() if kappas[high] - kappa <= 1e-12]
    return {
        "n": str(len(kappas)),
        "best": few(best, "judges"),
        "high": number(kappas[high]),
        "worst": low,
        "low": number(kappas[low]),
    }


# --- plan ---------------------------------------------------------------------------------------------------


@kind(
    "plan",
    r"(?:By (?P<measure>.+?), a|A) ranking over (?P<n>\d+) topics? like these"
    r"(?P<all>, as many as there are,)? is expected to correlate <value> \((?P<c>\S+)\) with the true one",
)
def _(about: About, parts: Parts) -> Parts:
    about.row = needed = one(about.main(about.result.needed), measure=parts["measure"] or "score")
    own = [
        p for p in about.result.curve if (p.measure, p.coefficient) == (needed.measure, needed.coefficient)
    ]
    point = next((p for p in own if p.topics == needed.available), own[0])
    return {
        "n": str(point.topics),
        "all": ", as many as there are," if point.topics == needed.available else None,
        "value": with_interval(point.expected, point.interval),
        "c": str(needed.coefficient),
    }


@kind(
    "plan",
    r"For (?P<target>\S+), about (?P<n>\d+) topics? are expected to be needed(?: \(at least (?P<least>\d+), "
    r"(?:at most (?P<most>\d+)|no end is known)\))?(?:, which extrapolates from (?P<from>\d+))?",
)
def _(about: About, _parts: Parts) -> Parts:
    row = about.row
    found = {"target": f"{row.target:g}", "n": str(row.topics)}
    found |= {"least": row.at_least and str(row.at_least), "most": row.at_most and str(row.at_most)}
    return {**found, "from": str(row.available) if row.topics > row.available else None}


@kind("plan", r"No number of topics can be given for (?P<target>\S+); the notes say why")
def _(about: About, _parts: Parts) -> Parts:
    assert about.row.topics is None
    return {"target": f"{about.row.target:g}"}


@kind(
    "plan",
    r"(?P<n>\d+) topics? are enough to find the difference of (?P<value>\S+) \((?P<c>\S+)\) between <a> "
    r"and <b> with probability (?P<power>\S+) at level (?P<alpha>\S+) \((?P<level>\S+) confidence "
    r"interval from (?P<low>\d+) to (?P<high>\S+)\)",
)
def _(about: About, parts: Parts) -> Parts:
    row = one(about.main(about.result.to_tell), estimate=parts["a"], other=parts["b"])
    options = {name: f"{about.result.options[name]:g}" for name in ("power", "alpha")}
    ends = {"low": str(row.low), "high": str(row.high or "unlimited")}
    confidence = f"{about.result.options['confidence_level']:g}"
    c = str(row.coefficient)
    return {
        "n": str(row.topics),
        "value": number(row.difference),
        "c": c,
        "level": confidence,
        **options,
        **ends,
    }


@kind(
    "plan",
    r"To know (?P<c>\S+) of <name> within (?P<within>\S+) \(now (?P<half>\S+)\), (?:about (?P<n>\d+) topics "
    r"are needed, (?P<least>\d+) to (?P<most>\d+)|more than (?P<times>16) times as many topics are needed)",
)
def _(about: About, parts: Parts) -> Parts:
    row = one(about.main(about.result.to_know), estimate=parts["name"])
    sizes = dict(zip(("n", "least", "most"), (row.topics, row.at_least, row.at_most), strict=True))
    return {
        "c": str(row.coefficient),
        "within": f"{row.within:g}",
        "half": number(row.half),
        **{name: size and str(size) for name, size in sizes.items()},
        "times": "16" if row.topics is None else None,
    }


# --- experiments --------------------------------------------------------------------------------------------


def predictions(about: About) -> list[Any]:
    """Return the predictions of the first coefficient with the most topics, the lowest mean first."""
    rows = about.main(about.result.predictions)
    topics = max(r.topics for r in rows)
    return sorted((r for r in rows if r.topics == topics and r.mean is not None), key=lambda r: r.mean)


def predicted(row: Any) -> Parts:
    """Return who predicts whom, and how well."""
    sd = "" if row.sd is None else f" (standard deviation {number(row.sd)})"
    target = "itself" if row.estimate == row.reference else row.reference
    return {"estimate": row.estimate, "target": target, "value": f"{number(row.mean)}{sd}"}


@kind(
    "predict",
    r"<estimate> predicts <target>(?P<best> best)? across random halves of (?P<n>\d+) topics,? with a mean "
    r"(?P<c>\S+) of <value>",
)
def _(about: About, _parts: Parts) -> Parts:
    rows = predictions(about)
    about.rows = rows
    best = " best" if len(rows) > 1 else None
    return {**predicted(rows[-1]), "best": best, "n": str(rows[0].topics), "c": str(rows[0].coefficient)}


@kind(
    "predict",
    r"<estimate> predicts <target> better than <again> itself: by (?P<by>\S+) on average, in (?P<won>\S+) of "
    r"the splits",
)
def _(about: About, parts: Parts) -> Parts:
    rows = [r for r in predictions(about) if r.reference == parts["target"] and r.difference is not None]
    best = max(rows, key=lambda r: r.difference)
    assert best.difference > 0
    assert best.won > 0.5
    found = {"estimate": best.estimate, "again": best.reference}
    return {**found, "by": number(best.difference), "won": number(best.won)}


@kind("predict", r"No other measure predicts <names> better than itself")
def _(about: About, _parts: Parts) -> Parts:
    rows = [r for r in about.main(about.result.predictions) if r.difference is not None]
    best: dict[str, Any] = {}
    for row in rows:
        if row.reference not in best or row.difference > best[row.reference].difference:
            best[row.reference] = row
    return {"names": " or ".join(name for name, r in best.items() if r.difference <= 0 or r.won <= 0.5)}


@kind("predict", r"<estimate> predicts <target> worst, with <value>")
def _(about: About, _parts: Parts) -> Parts:
    return predicted(predictions(about)[0])


@kind(
    "swap",
    r"Mean values after swaps of (?P<n>\d+) pairs? that (?:do|does) not differ significantly and of "
    r"(?P<also>\d+) pairs? that (?:do|does): <values>",
)
def _(about: About, _parts: Parts) -> Parts:
    n, rows = str(about.result.options["n_swaps"]), about.result.swaps
    told = []
    for c in dict.fromkeys(r.coefficient for r in rows):
        both = [one(rows, coefficient=c, pairs=kind).mean for kind in ("not significant", "significant")]
        told.append(f"{c} {' and '.join(map(number, both))}")
    return {"n": n, "also": n, "values": ", ".join(told)}


@kind(
    "gaps",
    r"<c> of samples in the same order has a median from (?P<low>\S+) \((?P<at_low>[^)]+)\) to (?P<high>\S+) "
    r"\((?P<at_high>[^)]+)\)",
)
def _(about: About, _parts: Parts) -> Parts:
    rows = sorted(about.main(about.result.quartiles), key=lambda r: r.median)
    at = [f"{r.reference} against {r.estimate}" for r in rows]
    low, high = number(rows[0].median), number(rows[-1].median)
    return {"c": str(rows[0].coefficient), "low": low, "high": high, "at_low": at[0], "at_high": at[-1]}


@kind("gaps", r"The smallest value of all is <value>")
def _(about: About, _parts: Parts) -> Parts:
    return {"value": number(min(r.minimum for r in about.main(about.result.quartiles)))}


@kind("pool", r"<c> of inferred AP with AP from all judgements is <parts> of the judgements")
def _(about: About, _parts: Parts) -> Parts:
    rows = about.main(about.result.shares)
    shares = sorted({r.percent for r in rows}, reverse=True)
    told = []
    for percent in dict.fromkeys((shares[0], shares[len(shares) // 2], shares[-1])):
        values = sorted(r.of_means for r in rows if r.percent == percent)
        low, high = number(values[0]), number(values[-1])
        told.append(f"{low if low == high else f'{low} to {high}'} from {percent:g} %")
    return {"c": str(rows[0].coefficient), "parts": listed(told)}


@kind(
    "pool", r"Most ties are on topic <topic>: (?P<tied>\d+) systems in AP, (?P<inferred>\d+) in inferred AP"
)
def _(about: About, _parts: Parts) -> Parts:
    row = max(about.result.topics, key=lambda r: (r.tied, r.inferred_tied))
    return {"topic": row.topic, "tied": str(row.tied), "inferred": str(row.inferred_tied)}


@kind("pool", r"<system> is weakest on topic <topic>: AP (?P<ap>\S+), expected (?P<expected>\S+)")
def _(about: About, _parts: Parts) -> Parts:
    row = min(about.result.scatter, key=lambda r: r.ap - r.expected_ap)
    numbers = {"ap": number(row.ap), "expected": number(row.expected_ap)}
    return {"system": row.system, "topic": row.topic, **numbers}


def rates_of(about: About, things: str) -> list[Any]:
    """Return the rates of measures, or of coefficients, with the most topics."""
    what = "measure" if things == "systems" else "coefficient"
    rows = [row for row in about.result.rates if row.what == what]
    return [row for row in rows if row.topics == max(r.topics for r in rows)]


def rate(row: Any) -> Parts:
    """Return who compares, with which rates."""
    return {"name": row.name, "value": f"{number(row.error, 3)}, with {number(row.ties, 3)} tied"}


@kind("stability", r"On (?P<n>\d+) topics, <name> compares <things> with an error rate of <value>")
def _(about: About, parts: Parts) -> Parts:
    about.rows = rates_of(about, parts["things"])
    return {**rate(min(about.rows, key=lambda r: (r.error, r.ties))), "n": str(about.rows[0].topics)}


@kind("stability", r"<name> has the most errors: <value>")
def _(about: About, _parts: Parts) -> Parts:
    return rate(max(about.rows, key=lambda r: (r.error, r.ties)))


@kind(
    "stability",
    r"<name> tells most of them apart: (?P<power>\S+) of the pairs at (?P<alpha>\S+), (?P<holm>\S+) after "
    r"Holm's correction",
)
def _(about: About, _parts: Parts) -> Parts:
    best = max(about.rows, key=lambda r: (r.power, r.power_holm))
    found = {"name": best.name, "power": number(best.power), "holm": number(best.power_holm)}
    return {**found, "alpha": f"{about.result.options['alpha']:g}"}


@kind(
    "grades",
    r"Over (?P<n>\d+) pairs of lists, <extension> differs least from its base without grades, <base>: "
    r"(?P<value>\S+) on average",
)
def _(about: About, _parts: Parts) -> Parts:
    return extension(min(about.result.extensions, key=lambda r: r.mean_difference))


@kind("grades", r"Over (?P<n>\d+) pairs, <extension> differs most, from <base>: (?P<value>\S+)")
def _(about: About, _parts: Parts) -> Parts:
    return extension(max(about.result.extensions, key=lambda r: r.mean_difference))


def extension(row: Any) -> Parts:
    """Return which extension differs from what, and how much."""
    names = {"extension": str(row.extension), "base": str(row.base)}
    return {**names, "n": str(row.pairs), "value": number(row.mean_difference)}


@kind(
    "reuse",
    r"Scores with and without the judgements that only (?:the system itself|a system's own group) brought: "
    r"<values>",
)
def _(about: About, _parts: Parts) -> Parts:
    rows = about.result.correlations
    return {"values": ", ".join(f"{r.coefficient} {number(r.value)}" for r in rows)}


@kind("reuse", r"<system> loses most: (?P<before>\S+) becomes (?P<after>\S+)")
def _(about: About, _parts: Parts) -> Parts:
    worst = min(about.result.systems, key=lambda r: r.score_without - r.score)
    return {"system": worst.system, "before": number(worst.score), "after": number(worst.score_without)}
