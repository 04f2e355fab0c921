"""An oracle of verdicts: each number of a sentence is compared with the record that the sentence is about.

Each kind of sentence has its own pattern, and a function that returns from the records what the parts of the
pattern must be. Tables are counted here with loops, not by the code of the package.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reference.labels import alpha

from concordant.results.result import Result
from concordant.results.words import few, listed, number, pvalue, with_interval

__all__ = ["answer", "changed", "wrong"]

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


def level(about: About) -> float:
    """Return the level of the tests."""
    return about.result.options["alpha"]


def who(row: Any) -> str:
    """Return how an estimate is named: with its measure if that is not the measure of the reference."""
    reference, estimate = row.measure
    return said(row.estimate) if reference == estimate else f"{said(row.estimate)} by {estimate}"


def of_reference_measures(about: About) -> dict[str, list[Any]]:
    """Return the records of the first coefficient, by the measure of the reference."""
    found: dict[str, list[Any]] = {}
    for row in about.main(about.result.agreement):
        found.setdefault(row.measure.measure, []).append(row)
    return found


def judged(about: About, row: Any) -> Any:
    """Return the record of an estimate and its measures in the table of judges."""
    return one(about.result.judges, estimate=row.estimate, measure=row.measure)


def best(about: About, rows: Sequence[Any]) -> Any:
    """Return the record with the highest value of those with most topics; of equal ones the first name."""
    defined = [row for row in rows if not math.isnan(row.value)]
    if not defined:
        return None
    most = max(judged(about, row).topics for row in defined)
    full = [row for row in defined if judged(about, row).topics == most]
    return min(full, key=lambda row: (-row.value, who(row)))


def only_best(about: About, name: str | None = None) -> Any:
    """Return the best of the one measure, which must have this name."""
    (rows,) = of_reference_measures(about).values()
    about.rows, about.row = rows, best(about, rows)
    if name is not None and who(about.row).lower() != name.lower():
        raise LookupError(name)
    return about.row


def systems_of(about: About, row: Any) -> list[Any]:
    """Return the systems of an estimate and its measures."""
    return by_key(about.result, "systems")[row.estimate, row.measure]


@functools.cache
def by_key(result: Any, table: str) -> dict[Any, list[Any]]:
    """Return the records of a table, by estimate and measures."""
    found: dict[Any, list[Any]] = {}
    for each in getattr(result, table) or ():
        found.setdefault((each.estimate, each.measure), []).append(each)
    return found


def order(about: About, row: Any) -> dict[str, int]:
    """Count the pairs of systems of an estimate, from their ranks."""
    return dict(_order(about.result, (row.estimate, row.measure)))


@functools.cache
def _order(result: Any, key: Any) -> dict[str, int]:
    found = {"same": 0, "opposite": 0, "twice": 0, "once": 0}
    for a, b in itertools.combinations(by_key(result, "systems")[key], 2):
        x, y = (
            (i > j) - (i < j)
            for i, j in ((a.reference_rank, b.reference_rank), (a.estimate_rank, b.estimate_rank))
        )
        found["same" if x == y != 0 else "opposite" if x == -y != 0 else "twice" if x == y else "once"] += 1
    return found


def significant(about: About, row: Any) -> tuple[int, int, int] | None:
    """Count the pairs that differ significantly by the reference: all, kept, reversed; None without tests."""
    return _significant(about.result, (row.estimate, row.measure), level(about))


@functools.cache
def _significant(result: Any, key: Any, alpha: float) -> tuple[int, int, int] | None:
    own = by_key(result, "pairs").get(key, [])
    if not any(p.reference_pvalue is not None for p in own):
        return None
    found = [p for p in own if p.reference_pvalue is not None and p.reference_pvalue < alpha]
    kept, reversed_ = (sum(sign * p.estimate_difference > 0 for p in found) for sign in (1, -1))
    return len(found), kept, reversed_


def winner_rank(about: About, row: Any) -> float:
    """Return the rank by the reference of the winner, on average over winners."""
    ranks = [s.reference_rank for s in systems_of(about, row) if s.estimate_rank == 1]
    return sum(ranks) / len(ranks)


def shared_top(about: About, row: Any) -> float:
    """Return how many of the best k are shared; those tied at the cut are members in part."""
    own, k = systems_of(about, row), about.result.options["top"]
    members = []
    for ranks in ([s.reference_rank for s in own], [s.estimate_rank for s in own]):
        members.append([min(max((k - r + 1) / ranks.count(r), 0), 1) for r in ranks])
    return sum(map(min, *members))


def whole(value: float) -> str:
    """Return a count, or a number with decimals."""
    return str(round(value)) if abs(value - round(value)) < 1e-9 else number(value)


def doubt(about: About, row: Any) -> str:
    """Return the words after a value."""
    c, alpha = row.coefficient, level(about)
    if not c.centred:
        told = f" ({c} is not centred: its mean for unrelated rankings need not be 0)"
        return told if c.bounds[0] < 0 else ""
    if row.pvalue is None:
        return ""
    if 2 / math.factorial(row.n) > alpha:
        return "; these are too few systems for a test"
    if row.pvalue > alpha:
        return f"; systems in random order can explain it ({pvalue(row.pvalue)})"
    if row.topics is not None and row.interval is not None and row.interval[0] <= 0 <= row.interval[1]:
        return "; other topics may change its sign"
    found = order(about, row)
    reverses = found["opposite"] > sum(found.values()) / 2
    if row.value < 0 and reverses and c.gaps != "both":
        return "; it tends to reverse the reference's order"
    return ""


def valued(row: Any) -> str:
    """Return the coefficient, its value and interval."""
    return f"{row.coefficient} {with_interval(row.value, row.interval)}"


def of_reference(about: About, row: Any) -> Any:
    """Return how well as many topics as the estimate has order the systems."""
    own = [r for r in about.result.reliability if r.measure == row.measure.measure]
    return next(r for r in own if r.topics == judged(about, row).topics)


IN_SHORT = (
    r"(?:, (?P<claim>shown to be as|shown to be less|not decided whether as) close (?:as|than) other topics "
    r"would be \((?P<other>[^()]+)\))?"
)


def in_short(row: Any) -> Parts:
    """Return whether an estimate is as close as other topics would be, in short."""
    claims = {"shown": "shown to be as", "shown not to be": "shown to be less", None: None}
    other = None if row.as_close is None else number(row.other_topics)
    return {"claim": claims.get(row.as_close, "not decided whether as"), "other": other}


CLAIMS = {"shown": "as", "shown not to be": "less", "not decided": "?"}
CLOSE = (
    r"(?:<name> is shown to be (?P<claim>as|less) close|Whether <name2> is as close) to the reference "
    r"(?:as|than) (?P<n>\d+) other topics would be(?P<open> is not decided)?: (?P<c>\S+ .+?) \(other topics "
    r"(?P<other>\S+)\)(?:; by (?P<next>.+?) (?P<told>too|it is|it is not|this is not decided) "
    r"\((?P<next_other>[^()]+)\))?(?P<doubt>;.+| \(.+)?"
)


@kind("judge", CLOSE)
def _(about: About, parts: Parts) -> Parts:
    row = only_best(about, parts["name"] or parts["name2"])
    assert of_reference(about, row).pvalue <= 0.05
    open_ = row.as_close == "not decided"
    same = [r for r in about.result.agreement if (r.estimate, r.measure) == (row.estimate, row.measure)]
    same = [r for r in same if r.top == row.top and r.coefficient != row.coefficient and r.as_close]
    told = {"shown": "it is", "shown not to be": "it is not", "not decided": "this is not decided"}
    return {
        "claim": None if open_ else CLAIMS[row.as_close],
        "open": " is not decided" if open_ else None,
        "n": str(of_reference(about, row).topics),
        "c": valued(row),
        "other": number(row.other_topics),
        "next": valued(same[0]) if same else None,
        "told": ("too" if same[0].as_close == row.as_close else told[same[0].as_close]) if same else None,
        "next_other": number(same[0].other_topics) if same else None,
        "doubt": doubt(about, row) or None,
    }


@kind(
    "judge",
    r"These topics do not show an order of these systems \(F (?P<f>\S+), (?P<p>p . \S+)\), so that no judge "
    r"is compared with other topics",
)
def _(about: About, _parts: Parts) -> Parts:
    found = of_reference(about, only_best(about))
    assert found.pvalue > 0.05
    return {"f": number(found.f), "p": pvalue(found.pvalue)}


@kind(
    BOTH,
    r"<name> ranks the (?P<n>\d+) systems in exactly the (?P<which>same order as|opposite order to) the "
    rf"reference: (?P<c>\S+ [^\s,;]+(?: \[[^]]+\])?){IN_SHORT}(?P<doubt>;.+)?",
)
def _(about: About, parts: Parts) -> Parts:
    row = only_best(about, parts["name"])
    found = order(about, row)
    same = found["same"] + found["twice"] == sum(found.values())
    assert same or found["opposite"] == sum(found.values())
    which = "same order as" if same else "opposite order to"
    numbers = {"n": str(row.n), "c": valued(row), "doubt": doubt(about, row) or None}
    return {**numbers, **in_short(row), "which": which}


@kind(
    BOTH,
    r"<name> and the reference have <c> on the (?P<top>best )?(?P<n>\d+) systems?(?: of the reference)?"
    r"(?P<doubt>;.+| \(.+)?",
)
def _(about: About, parts: Parts) -> Parts:
    row = only_best(about, parts["name"])
    close = getattr(row, "as_close", None) is not None and of_reference(about, row).pvalue <= 0.05
    assert not close, "closeness is not told"
    top = None if row.top is None else "best "
    return {"n": str(row.n), "top": top, "c": valued(row), "doubt": doubt(about, row) or None}


@kind(
    BOTH,
    r"It (?:keeps (?P<kept>\d+) of (?P<all>\d+) significant differences?, reverses (?P<reversed>none|\d+)|"
    r"has (?P<opposite>none|\d+) of (?P<pairs>\d+) pairs? of systems in the opposite order)(?:, shares "
    r"(?P<shared>\S+) of the best (?P<top>\d+))?(?:(?P<same>, and has the same winner)|; its winner, "
    r"(?P<winner>.+), has rank (?P<rank>\S+) by the reference)",
)
def _(about: About, _parts: Parts) -> Parts:
    row, tests = about.row, significant(about, about.row)
    found, rank, k = order(about, row), winner_rank(about, row), about.result.options["top"]
    n, kept, reversed_ = tests if tests and tests[0] else (0, 0, 0)
    some_left = len(systems_of(about, row)) > k
    return {
        "kept": str(kept) if n else None,
        "all": str(n) if n else None,
        "reversed": str(reversed_ or "none") if n else None,
        "opposite": None if n else str(found["opposite"] or "none"),
        "pairs": None if n else str(sum(found.values())),
        "shared": f"{shared_top(about, row):g}" if some_left else None,
        "top": str(k) if some_left else None,
        "same": ", and has the same winner" if rank == 1 else None,
        "winner": None if rank == 1 else winner(about, row),
        "rank": None if rank == 1 else f"{rank:g}",
    }


def winner(about: About, row: Any) -> str:
    """Return the name of the winner; of several, the first of a few names is checked."""
    winners = [s.system for s in systems_of(about, row) if s.estimate_rank == 1]
    name = judged(about, row).winner
    assert name == winners[0] if len(winners) == 1 else all(each in winners for each in name.split(", ")[:2])
    return name


def rivals(about: About, row: Any) -> dict[str, Any]:
    """Return the comparisons of an estimate with others of its measure, by their names."""
    found = {}
    for d in getattr(about.result, "comparison", None) or ():
        if (d.measure, d.coefficient) == (row.measure.measure, row.coefficient):
            ends = [(d.estimate, d.estimate_measure), (d.other, d.other_measure)]
            names = [said(name) + (f" by {measure}" if measure else "") for name, measure in ends]
            if who(row) in names:
                names.remove(who(row))
                found[names[0]] = d
    return found


def is_worse(about: About, row: Any, d: Any) -> bool:
    """Return whether the table shows that another estimate is worse than this one."""
    ahead = said(d.estimate) + (f" by {d.estimate_measure}" if d.estimate_measure else "")
    small = d.pvalue_adjusted is not None and d.pvalue_adjusted < level(about)
    return small and d.difference > 1e-12 and ahead == who(row)


def partial(about: About, row: Any) -> bool:
    """Return whether an estimate has less than nine tenths of the topics of others."""
    return judged(about, row).topics < 0.9 * max(each.topics for each in about.result.judges)


def others(about: About) -> tuple[list[str], list[str], list[Any]]:
    """Return which others are not told apart from the best, which are worse, and which were not compared."""
    compared = rivals(about, about.row)
    rows = [row for row in about.rows if row is not about.row and not math.isnan(row.value)]
    worse = [who(r) for r in rows if who(r) in compared and is_worse(about, about.row, compared[who(r)])]
    full = [row for row in rows if not partial(about, row)]
    alike = [who(row) for row in full if who(row) in compared and who(row) not in worse]
    return alike, worse, [row for row in full if who(row) not in compared]


@kind(
    "judge",
    r"It is (?:better than (?P<worse>.+?) by (?P<by>[^,]+ \[[^]]+\], p .+)|not told apart from "
    r"(?P<alike>.+?) \(difference (?P<value>.+)\))",
)
def _(about: About, _parts: Parts) -> Parts:
    ((name, d),) = rivals(about, about.row).items()
    told = f"{with_interval(d.difference, d.interval)}, {pvalue(d.pvalue_adjusted)}"
    worse = is_worse(about, about.row, d)
    shown = (name, told, None, None) if worse else (None, None, name, told)
    return dict(zip(("worse", "by", "alike", "value"), shown, strict=True))


@kind("judge", r"<names> (?:is|are) not told apart from it")
def _(about: About, _parts: Parts) -> Parts:
    return {"names": few(others(about)[0], "judges")}


@kind("judge", r"<names> (?:is|are) worse \(adjusted (?P<p>p .+)\)")
def _(about: About, _parts: Parts) -> Parts:
    worse, compared = others(about)[1], rivals(about, about.row)
    largest = pvalue(max(compared[name].pvalue_adjusted for name in worse))
    p = largest if len(worse) == 1 else largest.replace("=", "at most")
    return {"names": few(worse, "judges"), "p": p}


@kind(
    BOTH,
    r"<names> (?P<verb>was|were) not compared with it",
)
def _(about: About, _parts: Parts) -> Parts:
    left = others(about)[2]
    names = few([f"{who(row)} ({number(row.value)})" for row in left], "estimates")
    return {"names": names, "verb": "was" if len(left) == 1 else "were"}


@kind(
    BOTH,
    r"(?P<name>(?!It ).+?) reverses (?P<n>\d+) significant differences?(?: and has the same winner|; "
    r"its winner, <winner>, has rank (?P<rank>\S+) by the reference)",
)
def _(about: About, _parts: Parts) -> Parts:
    counted = [(row, significant(about, row)) for row in about.rows if row is not about.row]
    row, (_, _, most) = max(((r, c) for r, c in counted if c), key=lambda each: each[1][2])
    rank = winner_rank(about, row)
    told = (None, None) if rank == 1 else (winner(about, row), f"{rank:g}")
    return {"name": who(row), "n": str(most), "winner": told[0], "rank": told[1]}


@kind(BOTH, r"<name> has (?P<n>\d+) of (?P<all>\d+) topics, too few labels to say")
def _(about: About, parts: Parts) -> Parts:
    row = next(row for row in about.rows if who(row) == parts["name"])
    assert partial(about, row)
    assert who(row) not in others(about)[1]
    most = max(each.topics for each in about.result.judges)
    return {"n": str(judged(about, row).topics), "all": str(most)}


@kind(
    BOTH,
    r"(?:Whether (?P<whether>.+?) is at least (?P<open>\S+) is not decided|<what> is shown to be "
    r"(?P<claim>at least|less than) (?P<floor>\S+)); the largest floor that is passed is (?P<passed>\S+)",
)
def _(about: About, parts: Parts) -> Parts:
    bests = [best(about, rows) for rows in of_reference_measures(about).values()]
    by_name = {}
    for row in bests:
        measure = f" by {row.measure.measure}" if len(bests) > 1 else ""
        by_name[f"{row.coefficient} of {who(row)}{measure}"] = row
    row, floor = by_name[parts["whether"] or parts["what"]], f"{about.result.options['at_least']:g}"
    claim = {"shown": "at least", "shown not to be": "less than", "not decided": None}[row.at_least]
    ends = {"claim": claim, "floor": floor if claim else None, "open": None if claim else floor}
    return {**ends, "passed": number(row.floor)}


@kind(BOTH, r"(?P<parts>\d+ of \d+ \w+(?: and \d+ of \d+ \w+)?) are left out")
def _(about: About, _parts: Parts) -> Parts:
    result, told = about.result, []
    for what in ("systems", "topics"):
        gone = getattr(result, f"{what}_left_out")
        every = gone + max(getattr(each, what) for each in result.judges)
        told += [f"{gone} of {every} {what}"] if gone > 0.1 * every else []
    return {"parts": " and ".join(told)}


@kind(BOTH, r"<c> is undefined for (?P<names>(?!\d+ of ).+?)(?P<by> by [^:]+?)?(?:: (?P<why>.+))?")
def _(about: About, parts: Parts) -> Parts:
    rows = [
        r for r in about.main(about.result.agreement) if math.isnan(r.value) and by(r.measure) == parts["by"]
    ]
    if not rows:
        raise LookupError("an undefined value")
    names = few([who(r) for r in rows], "estimates")
    return {"c": str(rows[0].coefficient), "names": names, "why": rows[0].undefined}


@kind(
    BOTH,
    r"By (?P<measure>[^,]+), <name> (?:(?P<several>is the closest:)|has) (?P<c>\S+ [^\s,;]+(?: \[[^]]+\])?)"
    rf"{IN_SHORT}(?P<doubt>; (?!not told|better).+?)?(?:; not told apart from (?P<alike>[^;]+))?"
    r"(?:; better than (?P<worse>[^;]+))?",
)
def _(about: About, parts: Parts) -> Parts:
    rows = of_reference_measures(about)[parts["measure"]]
    row = best(about, rows)
    compared = rivals(about, row)
    worse = [name for name, d in compared.items() if is_worse(about, row, d)]
    alike = [name for name in compared if name not in worse]
    return {
        "name": who(row),
        "several": "is the closest:" if len(rows) > 1 else None,
        "c": valued(row),
        **in_short(row),
        "doubt": doubt(about, row) or None,
        "alike": few(alike, "judges") if alike else None,
        "worse": few(worse, "judges") if worse else None,
    }


@kind(BOTH, r"There (?:is|are) (?P<more>\d+) more measures?")
def _(about: About, _parts: Parts) -> Parts:
    return {"more": str(len(of_reference_measures(about)) - 6)}


# --- the lines and the table below the verdict of judge and correlate ---------------------------------------


def favoured(about: About) -> list[Any]:
    """Return the groups that an estimate favours or puts down, the largest effect first."""
    found = [g for g in about.result.groups if g.pvalue is not None and g.pvalue <= level(about)]
    return sorted(found, key=lambda g: -abs(g.effect))


@kind(
    "judge",
    r"Favoured: <name> (?P<verb>favours|puts down) (?P<group>.+?) \((?P<n>\d+) systems?\)"
    r"(?: by (?P<measure>[^:]+))?: (?P<effect>\S+) (?P<ends>\[.+?\]), (?P<ranks>\S+) ranks"
    r"(?:; without it (?P<c>\S+) is (?P<value>\S+))?",
)
def _(about: About, parts: Parts) -> Parts:
    found = [g for g in favoured(about)[:3] if (said(g.estimate), g.group) == (parts["name"], parts["group"])]
    own = next(g for g in found if parts["measure"] in (None, g.measure.measure))
    c = about.result.agreement[0].coefficient
    return {
        "verb": "favours" if own.effect > 0 else "puts down",
        "n": str(own.systems),
        "effect": f"{own.effect:+.2f}",
        "ends": f"[{number(own.interval[0])}, {number(own.interval[1])}]",
        "ranks": f"{own.ranks:+.0f}",
        "c": str(c),
        "value": number(own.value),
    }


@kind("judge", r"Favoured: (?P<more>\d+) more in the table groups")
def _(about: About, _parts: Parts) -> Parts:
    return {"more": str(len(favoured(about)) - 3)}


def told_of(about: About) -> Any:
    """Return the estimate whose movements are told: the one that reverses most significant differences."""
    row = only_best(about)
    counted = [(row, (significant(about, row) or (0, 0, 0))[2]) for row in [row, *about.rows]]
    return max(counted, key=lambda each: each[1])[0]


@kind(
    BOTH,
    r"(?:Moved most(?: by (?P<name>.+?))?: (?P<moved>[^;]+)(?:; t|$)|T)?"
    r"(?:opics that disagree most(?: by (?P<name2>.+?))?: (?P<topics>.+))?",
)
def _(about: About, _parts: Parts) -> Parts:
    row = told_of(about)
    ranks = [(s.system, s.reference_rank, s.estimate_rank) for s in systems_of(about, row)]
    ranks = sorted((r for r in ranks if r[1] != r[2]), key=lambda r: (-abs(r[1] - r[2]), r[1]))
    name = who(row) if len(about.rows) > 1 else None
    topics = [
        (t.value, t.topic)
        for t in getattr(about.result, "each_topic", None) or ()
        if (t.estimate, t.measure, t.coefficient) == (row.estimate, row.measure, row.coefficient)
        if t.value is not None and t.value < 1
    ]
    worst = [topic for _, topic in sorted(topics, key=lambda each: each[0])[:2]]
    return {
        "name": name if ranks else None,
        "moved": ", ".join(f"{s} {a} → {b}" for s, a, b in ranks[:3]) if ranks else None,
        "name2": None if ranks else name,
        "topics": ", ".join(worst) if len(topics) > 3 else None,
    }


@kind(
    BOTH,
    r"Failing topics of <name>: (?P<failing>none|\d+) of (?P<n>\d+); up to (?P<share>\S+)% of topics like "
    r"these may still fail; reversed on so many, <c> would be (?P<value>\S+)",
)
def _(about: About, _parts: Parts) -> Parts:
    row = only_best(about)
    own = judged(about, row)
    return {
        "name": who(row),
        "failing": str(own.failing or "none"),
        "n": str(own.topics),
        "share": f"{100 * own.failing_share:.1f}",
        "c": str(row.coefficient),
        "value": number(own.if_failing),
    }


def answer(result: Any) -> Parts:
    """Return the table below the verdict as texts, made of the other tables of `judge` or `correlate`."""
    about = About(result)
    asked = dict.fromkeys(row.coefficient for row in result.agreement)
    of_judge, measures = result.function == "judge", of_reference_measures(about)
    tests = any((significant(about, row) or (0,))[0] for rows in measures.values() for row in rows)
    lines, sections, bold, daggers = [], {}, set(), set()
    for measure, rows in measures.items():
        first, compared = best(about, rows), {}
        if first is not None:
            compared = rivals(about, first)
        worse = {name for name, d in compared.items() if is_worse(about, first, d)}
        most = max(judged(about, row).topics for row in rows)
        before = f"{measure}: " if len(measures) > 1 else ""
        if before:
            sections[len(lines)] = measure
        keys = {}
        for row in rows:
            value = -math.inf if math.isnan(row.value) else row.value
            group = (most - judged(about, row).topics, who(row) in worse)
            keys[row.estimate, row.measure] = (*group, -value, who(row))
        last = (0, False)
        for row in sorted(rows, key=lambda row: keys[row.estimate, row.measure]):
            group = keys[row.estimate, row.measure][:2]
            if group[0] != last[0]:
                n = judged(about, row).topics
                sections[len(lines)] = f"{before}on {n} common topic{'s' if n != 1 else ''}"
            elif group != last:
                sections[len(lines)] = f"{before}worse than the best (adjusted p < {level(about):g})"
            last = group
            if who(row) in worse:
                daggers.add((len(lines), 1))
            elif of_judge and result.comparison and not group[0] and not math.isnan(row.value):
                bold.add((len(lines), 1))
            lines.append(line_of(about, row, asked, tests, of_judge))
        lines += other_topics(about, measure, asked, lines[0]) if of_judge else []
    used = [k for k in lines[0] if any(line.get(k) not in ("-", "", None) for line in lines)]
    used = list(dict.fromkeys([*list(lines[0])[:2], *used]))
    ends = any("[" in line[used[1]] for line in lines)
    head = f" [{100 * result.options['confidence_level']:g} %]" if ends else ""
    return {
        "header": [used[0], f"{used[1]}{head}", *used[2:]],
        "rows": [[line.get(k, "") for k in used] for line in lines],
        "sections": sections,
        "best": bold,
        "worse": daggers,
        "foot": int(len(measures) == 1 and "other topics" in lines[-1][used[0]]),
    }


def line_of(about: About, row: Any, asked: Any, tests: bool, of_judge: bool) -> Parts:
    """Return a row of the table, by the heads of the columns."""
    line = {"judge" if of_judge else "estimate": who(row)}
    for k, c in enumerate(asked):
        own = one(about.result.agreement, estimate=row.estimate, measure=row.measure, coefficient=c)
        line[str(c)] = with_interval(own.value, None if k else own.interval)
    own, k = systems_of(about, row), about.result.options["top"]
    if len(own) > k:
        line[f"top {k}"] = whole(shared_top(about, row))
    line["winner"] = whole(winner_rank(about, row))
    if not of_judge:
        scores = [[s.reference_score for s in own], [s.estimate_score for s in own]]
        winners = [s.reference_score for s in own if s.estimate_rank == 1]
        line["regret"] = number(max(scores[0]) - math.fsum(winners) / len(winners))
        defined = all(len(set(side)) > 1 for side in scores)
        line["pearson"] = number(statistics.correlation(*scores)) if defined else "-"
    if tests:
        n, kept, reversed_ = significant(about, row) or (None, None, None)
        return {**line, "kept": "-" if n is None else f"{kept}/{n}", "reversed": number(reversed_)}
    return {**line, "opposite": str(order(about, row)["opposite"])}


def other_topics(about: About, measure: str, asked: Any, like: Parts) -> list[Parts]:
    """Return the row of other topics, if anything is known of them."""
    known = [r for r in about.result.reliability if r.measure == measure]
    found: Parts = {}
    for k, c in enumerate(asked):
        own = [r for r in known if r.coefficient == c and r.topics == max(r.topics for r in known)]
        with_ends = k == 0 and "confidence_level" in about.result.options
        interval = own[0].other_interval if own and with_ends else None
        found[str(c)] = with_interval(own[0].other_topics, interval) if own else "-"
    if all(text == "-" for text in found.values()):
        return []
    return [{next(iter(like)): f"{max(r.topics for r in known)} other topics", **found}]


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


@kind("by_topic", r"It is undefined for (?P<undefined>\d+) of (?P<n>\d+) topics?: (?P<why>.+)")
def _(about: About, _parts: Parts) -> Parts:
    row = about.row
    return {"undefined": str(row.undefined), "n": str(row.topics), "why": row.reason}


MORE = r"There (?:is|are) (?P<more>\d+) more (?:measure|curve)s?"


@kind("by_topic", MORE)
@kind("sweep", MORE)
def _(about: About, _parts: Parts) -> Parts:
    rows = about.result.summary if about.result.function == "by_topic" else about.result.curves
    return {"more": str(len({(r.measure, getattr(r, "estimate_threshold", None)) for r in rows}) - 3)}


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
    about.rows = [r for r in rows if f"{r.coefficient}{by(r.measure) or ''}{_with(r)}" == text]
    if not about.rows:
        raise LookupError(text)
    return [r for r in about.rows if not math.isnan(r.value)]


def _with(row: Any) -> str:
    w = row.estimate_threshold
    return "" if w is None else f" with a threshold of {w:g} for the estimate"


@kind("sweep", r"<c> is (?P<value>\S+) at every threshold where it has a value")
def _(about: About, parts: Parts) -> Parts:
    rows = curve(about, parts["c"])
    assert max(r.value for r in rows) - min(r.value for r in rows) <= 1e-12
    return {"value": number(rows[0].value)}


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


@kind("matrix", r"Kendall's W of all (?P<m>\d+) rankings on (?P<n>\d+) systems is (?P<w>\S+) \(<p>\)")
def _(about: About, _parts: Parts) -> Parts:
    found, m = about.result, len({c.reference for c in about.result})
    return {
        "m": str(m),
        "n": str(found.kendall_n),
        "w": number(found.kendall_w),
        "p": pvalue(found.kendall_pvalue),
    }


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


def labelled(result: Any, reference: str, rater: str) -> tuple[float, float, int]:
    """Return ordinal alpha, the share of equal labels, and the number of items, from the confusion."""
    cells = [c for c in result.confusion if (c.reference, c.rater) == (reference, rater)]
    pairs = [(c.label, c.rater_label) for c in cells for _ in range(c.n)]
    return alpha(pairs, "ordinal"), sum(a == b for a, b in pairs) / len(pairs), len(pairs)


WORDS = {0.8: "almost perfectly", 0.6: "substantially", 0.4: "moderately", 0.2: "fairly", 0.0: "slightly"}


@kind(
    "labels",
    r"<reference> and <rater> agree (?P<word>[a-z ]+) on the labels: alpha (?P<alpha>[^,]+(?:, [^]]+\])?), "
    r"the same label for (?P<same>\S+) of (?P<n>\d+) items",
)
def _(about: About, parts: Parts) -> Parts:
    value, same, n = labelled(about.result, parts["reference"], parts["rater"])
    row = one(about.result.raters, reference=parts["reference"], rater=parts["rater"])
    word = next((word for least, word in WORDS.items() if value > least), "no better than by chance")
    told = with_interval(value, row.alpha_ordinal_interval)
    return {"word": word, "alpha": told, "same": number(same), "n": str(n)}


@kind("labels", r"There (?:is|are) (?P<more>\d+) more rater pairs?")
def _(about: About, _parts: Parts) -> Parts:
    return {"more": str(len(about.result.raters) - 3)}


@kind("labels", r"All (?P<m>\d+) raters together: alpha \(ordinal\) (?P<alpha>.+)")
def _(about: About, _parts: Parts) -> Parts:
    own = one(about.result.overall, coefficient="alpha (ordinal)")
    return {"m": str(own.raters), "alpha": with_interval(own.value, own.interval)}


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
    r"(?:An expected (?P<c>\S+) of (?P<target>\S+) with the true ranking|Knowing (?P<of>\S+) of <name> "
    r"within (?P<within>\S+) \(now (?P<half>\S+)\)|Telling <a> from <b> by (?P<by>\S+) \(difference "
    r"(?P<value>\S+)\)) needs (?:about (?P<n>\d+) topics?"
    r"(?: \((?P<least>\d+) (?:to (?P<most>\d+)|or more)\))?|at least (?P<only>\d+) topics|a number of "
    r"topics that cannot be given)",
)
def _(about: About, parts: Parts) -> Parts:
    rows = [
        row
        for row in about.result.needed
        if (row.goal == "ranking") == (parts["target"] is not None)
        if parts["name"] in (None, row.estimate)
        if (row.goal == "judge pair") == (parts["a"] is not None)
        if parts["a"] is None or (row.estimate, row.other) == (parts["a"], parts["b"])
    ]
    row = about.row if parts["target"] else about.main(rows)[0]
    c, size = str(row.coefficient), row.topics and str(row.topics)
    least, only = (None, row.at_least) if row.topics is None else (row.at_least, None)
    goals = {
        "ranking": {"c": c, "target": row.target and f"{row.target:g}"},
        "judge": {"of": c, "within": row.target and f"{row.target:g}", "half": number(row.now)},
        "judge pair": {"by": c, "value": number(row.now)},
    }
    return {
        **goals[row.goal],
        "n": size,
        "least": least and str(least),
        "most": None if least is None else row.at_most and str(row.at_most),
        "only": only and str(only),
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
