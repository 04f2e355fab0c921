"""The sentences about how well estimates rank the systems. docs/reference/verdicts.md has the rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from concordant.questions.systems import by_order
from concordant.results.words import count, few, noun, number, pvalue, sentences, with_interval
from concordant.statistics.topic_luck import ORDER_LEVEL

if TYPE_CHECKING:
    from concordant.questions.correlate import Agreement, CorrelateResult, Judged
    from concordant.questions.judge import Difference, JudgeResult
    from concordant.study.pairing import Measures

MOST_MEASURES = 3  # measures or estimates with their own sentences
_MOST_SENTENCES = 6  # measures with one sentence each
_MUCH = 0.1  # a larger share that is left out stands in the verdict
SAME_VALUE = 1e-12
_Row = TypeVar("_Row")
Key: TypeAlias = "tuple[str, Measures]"  # an estimate and its measures


def verdict_of_estimates(
    result: CorrelateResult, judged: JudgeResult | None = None, standing: Iterable[str | None] | None = None
) -> tuple[str, ...]:
    """Return the verdict of `correlate` or `judge`, about the first coefficient.

    `judged` is the result of `judge`, which compares estimates with each other where that is possible.
    `standing` is what there is to say about the reference among many others.
    """
    by = of_measures(result)
    if not by:
        return ()
    told: Iterable[str | None]
    if standing is not None:
        told = standing
    elif len(by) == 1:
        told = _of_measure(result, judged, next(iter(by.values())))
    else:
        told = first_told(
            list(by.values()), lambda own: _in_one(result, judged, own), "measure", _MOST_SENTENCES
        )
    return sentences([*told, *_decisions(result, by), *_left_out(result)])


def of_measures(result: CorrelateResult) -> dict[str, list[Agreement]]:
    """Return the rows of the first coefficient, by the measure of the reference."""
    by: dict[str, list[Agreement]] = {}
    for row in result.agreement or ():
        if row.coefficient == result.agreement[0].coefficient:
            by.setdefault(row.measure.measure, []).append(row)
    return by


def best_of(result: CorrelateResult, rows: Sequence[Agreement]) -> Agreement | None:
    """Return the row with the best value, among the estimates that have most topics."""
    topics = {(each.estimate, each.measure): each.topics for each in result.judges or ()}
    defined = [row for row in rows if not math.isnan(row.value)]
    most = max((topics.get((row.estimate, row.measure), 0) for row in defined), default=0)
    full = [row for row in defined if topics.get((row.estimate, row.measure), 0) == most]
    return min(full, key=lambda row: (-row.value, who(row)), default=None)


def worse_than_best(result: CorrelateResult, judged: JudgeResult | None) -> set[Key]:
    """Return the estimates that are worse than the best by their measure: the adjusted p-value is small."""
    found: set[Key] = set()
    for rows in of_measures(result).values():
        best = best_of(result, rows)
        if best is not None:
            rivals = _rivals(judged, best)
            names = {name for name, each in rivals.items() if _is_worse(each, best, result)}
            found |= {(row.estimate, row.measure) for row in rows if who(row) in names}
    return found


def _rivals(judged: JudgeResult | None, best: Agreement) -> dict[str, Difference]:
    """Return the comparisons of one estimate with the others of its measure, by their names."""
    found: dict[str, Difference] = {}
    for each in (judged.comparison if judged else None) or ():
        same = (each.measure, each.coefficient) == (best.measure.measure, best.coefficient)
        if same and who(best) in _both(each):
            found[next(name for name in reversed(_both(each)) if name != who(best))] = each
    return found


def _both(each: Difference) -> tuple[str, str]:
    return _named(each.estimate, each.estimate_measure), _named(each.other, each.other_measure)


def _is_worse(each: Difference, best: Agreement, result: CorrelateResult) -> bool:
    small = each.pvalue_adjusted is not None and each.pvalue_adjusted < result.options["alpha"]
    return small and _both(each)[0] == who(best) and each.difference > SAME_VALUE


def first_told(
    rows: Sequence[_Row], tell: Callable[[_Row], Iterable[str | None]], what: str, most: int = MOST_MEASURES
) -> list[str | None]:
    """Return what there is to tell about the first rows, and how many more measures or values there are."""
    more, told = len(rows) - most, [part for row in rows[:most] for part in tell(row)]
    are = "is" if more == 1 else "are"
    return [*told, f"There {are} {count(more, f'more {what}')}"] if more > 0 else told


def by_measure(measures: Measures, name: str = "estimate") -> str:
    """Return the words "by" and the measure; empty if the measure has no name."""
    reference, estimate = measures
    if reference == estimate:
        return "" if reference == "score" else f" by {reference}"
    return f" by {reference} of the reference and {estimate} of {called(name)}"


def called(name: str) -> str:
    """Return the name of an estimate; a single estimate has none."""
    return "the estimate" if name == "estimate" else name


def who(row: Agreement | Judged) -> str:
    """Return the name of an estimate among others, with its measure if that is not the reference's."""
    return _named(row.estimate, None if len(set(row.measure)) == 1 else row.measure.estimate_measure)


def names_of(result: CorrelateResult) -> dict[Key, str]:
    """Return the names of the estimates; among many others, a single measure goes without saying."""
    rows = [row for own in of_measures(result).values() for row in own]
    own_measures: dict[tuple[str, str], int] = {}
    for row in rows if result.standing else ():
        key = row.estimate, row.measure.measure
        own_measures[key] = own_measures.get(key, 0) + 1
    alone = {key for key, n in own_measures.items() if n == 1}
    found = ((row, (row.estimate, row.measure.measure) in alone) for row in rows)
    return {(row.estimate, row.measure): called(row.estimate) if one else who(row) for row, one in found}


def _named(name: str, measure: str | None) -> str:
    return called(name) + ("" if measure in (None, name) else f" by {measure}")


def _capital(text: str) -> str:
    return f"The estimate{text[12:]}" if text.startswith("the estimate") else text


# --- one measure -----------------------------------------------------------------------------------------


def _of_measure(
    result: CorrelateResult, judged: JudgeResult | None, rows: Sequence[Agreement]
) -> Iterator[str | None]:
    best = best_of(result, rows)
    about = {(each.estimate, each.measure): each for each in result.judges or ()}
    if best is not None:
        yield from _closeness(result, judged, best)
    if best is not None and about:  # one table alone may be shown
        yield _keeps(about[best.estimate, best.measure])
        if len(rows) > 1:
            yield from _others(result, judged, best, rows)
            yield _reverses(best, [about[row.estimate, row.measure] for row in rows])
            yield from _too_few_labels(
                [about[row.estimate, row.measure] for row in rows], worse_than_best(result, judged)
            )
    yield _undefined(rows)


def _closeness(result: CorrelateResult, judged: JudgeResult | None, row: Agreement) -> Iterator[str]:
    """Yield how close an estimate is to the reference, beside other topics where that is known."""
    value, name = _value(row), _capital(who(row))
    n = count(row.n, "system")
    the = f"the {n}" if row.top is None else f"the best {n} of the reference"
    doubt = _doubt(result, row)
    exact = _exactly(result, row)
    known = [
        each for each in (judged.reliability if judged else None) or () if each.measure == row.measure.measure
    ]
    topics = {(each.estimate, each.measure): each.topics for each in result.judges or ()}
    known.sort(key=lambda each: each.topics != topics.get((row.estimate, row.measure)))
    if known and known[0].pvalue > ORDER_LEVEL:
        numbers = f"F {number(known[0].f)}, {pvalue(known[0].pvalue)}"
        no_order = f"These {noun('topics')} do not show an order of these {noun('systems')} ({numbers})"
        yield f"{no_order}, so that no judge is compared with other {noun('topics')}"
    elif known and row.as_close is not None and row.other_topics is not None and not exact:
        others = f"{count(known[0].topics, 'other topic')} would be"
        also = _by_the_next(result, row)
        numbers = f"{value} (other {noun('topics')} {number(row.other_topics)}){also}{doubt}"
        yield f"{_claim(row, others)}: {numbers}"
        return
    if exact:
        order = f"{name} ranks {the} in exactly the {exact} the reference"
        yield f"{order}: {value}{_beside_other_topics(row) if known else ''}{doubt}"
    else:
        yield f"{name} and the reference have {value} on {the}{doubt}"


def _claim(row: Agreement, others: str) -> str | None:
    close = f"as close to the reference as {others}"
    claims: dict[str | None, str] = {
        "shown": f"{_capital(who(row))} is shown to be {close}",
        "shown not to be": f"{_capital(who(row))} is shown to be less close to the reference than {others}",
        "not decided": f"Whether {who(row)} is {close} is not decided",
    }
    return claims.get(row.as_close)


def _value(row: Agreement) -> str:
    return f"{row.coefficient} {with_interval(row.value, row.interval)}"


def _by_the_next(result: CorrelateResult, row: Agreement) -> str:
    """Return what the next coefficient says of the same estimate."""
    for each in result.agreement:
        same = (each.estimate, each.measure, each.top) == (row.estimate, row.measure, row.top)
        if same and each.coefficient != row.coefficient and each.as_close and each.other_topics is not None:
            claim = {"shown": "it is", "shown not to be": "it is not", "not decided": "this is not decided"}
            told = "too" if each.as_close == row.as_close else claim[each.as_close]
            return f"; by {_value(each)} {told} ({number(each.other_topics)})"
    return ""


def _beside_other_topics(row: Agreement) -> str:
    """Return in short how close an estimate is beside other topics; empty if that is not known."""
    if row.as_close is None or row.other_topics is None:
        return ""
    claim = {
        "shown": f"shown to be as close as other {noun('topics')} would be",
        "shown not to be": f"shown to be less close than other {noun('topics')} would be",
        "not decided": f"not decided whether as close as other {noun('topics')} would be",
    }
    return f", {claim[row.as_close]} ({number(row.other_topics)})"


def _exactly(result: CorrelateResult, row: Agreement) -> str:
    """Return "same order as" or "opposite order to" if all systems are in that order."""
    own = [e for e in result.systems or () if (e.estimate, e.measure) == (row.estimate, row.measure)]
    if len(own) < 2 or row.top is not None:
        return ""
    order = by_order(own)
    if not order["opposite"] and not order["tied once"]:
        return "same order as"
    return "opposite order to" if sum(order.values()) == order["opposite"] else ""


def _doubt(result: CorrelateResult, row: Agreement) -> str:
    """Return whether luck with these systems explains the value; empty if it does not."""
    c, alpha = row.coefficient, result.options["alpha"]
    if not c.centred:
        return (
            f" ({c} is not centred: its mean for unrelated rankings need not be 0)" if c.bounds[0] < 0 else ""
        )
    if row.pvalue is None:
        return ""
    if 2 / math.factorial(min(row.n, 20)) > alpha:  # of one order of all systems on either side
        return f"; these are too few {noun('systems')} for a test"
    if row.pvalue > alpha:
        return f"; {noun('systems')} in random order can explain it ({pvalue(row.pvalue)})"
    if row.topics is not None and row.interval is not None and row.interval[0] <= 0 <= row.interval[1]:
        return f"; other {noun('topics')} may change its sign"
    own = (e for e in result.judges or () if (e.estimate, e.measure) == (row.estimate, row.measure))
    reverses = any(each.swapped * 4 > each.systems * (each.systems - 1) for each in own)
    if row.value < 0 and c.gaps != "both" and reverses:
        return "; it tends to reverse the reference's order"
    return ""


def _keeps(each: Judged) -> str:
    """Return what an estimate keeps of the reference: significant differences, the top, and the winner."""
    if each.significant:
        reverses = f"reverses {each.reversed or 'none'}"
        parts = [f"keeps {each.kept} of {count(each.significant, 'significant difference')}", reverses]
    else:
        pairs = each.systems * (each.systems - 1) // 2
        of = f"{count(pairs, 'pair')} of {noun('systems')}"
        parts = [f"has {each.swapped or 'none'} of {of} in the opposite order"]
    if each.common is not None and each.systems > each.top:
        parts.append(f"shares {each.common:g} of the best {each.top}")
    if each.winner_rank == 1:
        *first, last = [*parts, "has the same winner"]
        return f"It {', '.join(first)}, and {last}"
    return f"It {', '.join(parts)}; {_winner(each)}"


def _winner(each: Judged) -> str:
    return f"its winner, {each.winner}, has rank {each.winner_rank:g} by the reference"


def _others(
    result: CorrelateResult, judged: JudgeResult | None, best: Agreement, rows: Sequence[Agreement]
) -> Iterator[str]:
    """Yield how the other estimates compare with the best."""
    defined = [row for row in rows if row is not best and not math.isnan(row.value)]
    compared = _rivals(judged, best)
    tested = {who(row): compared[who(row)] for row in defined if who(row) in compared}
    worse = {name: each for name, each in tested.items() if _is_worse(each, best, result)}
    few_topics = _with_few_labels(result.judges)
    partial = {who(row) for row in defined if (row.estimate, row.measure) in few_topics}
    if len(defined) == len(tested) == 1 and (worse or not partial):
        ((name, only),) = tested.items()
        adjusted = f"{with_interval(only.difference, only.interval)}, {pvalue(only.pvalue_adjusted)}"
        if worse:
            yield f"It is better than {name} by {adjusted}"
        else:
            yield f"It is not told apart from {name} (difference {adjusted})"
        return
    alike = [name for name in tested if name not in worse and name not in partial]
    if alike:
        yield f"{few(alike, 'judges')} {'is' if len(alike) == 1 else 'are'} not told apart from it"
    if worse:
        largest = max(each.pvalue_adjusted or 0.0 for each in worse.values())
        are = "is" if len(worse) == 1 else "are"
        shown = few(list(worse), "judges")
        most = pvalue(largest, "at most" if len(worse) > 1 else "=")
        yield f"{shown} {are} worse (adjusted {most})"
    left = [row for row in defined if who(row) not in compared and who(row) not in partial]
    if left:
        shown = few([f"{who(row)} ({number(row.value)})" for row in left], "estimates")
        yield f"{shown} {'was' if len(left) == 1 else 'were'} not compared with it"


def _reverses(best: Agreement, every: Sequence[Judged]) -> str | None:
    """Return which of the other estimates reverses most significant differences."""
    own = best.estimate, best.measure
    others = [each for each in every if (each.estimate, each.measure) != own and each.reversed]
    if not others:
        return None
    each = max(others, key=lambda each: each.reversed or 0)
    winner = " and has the same winner" if each.winner_rank == 1 else f"; {_winner(each)}"
    return f"{_capital(who(each))} reverses {count(each.reversed or 0, 'significant difference')}{winner}"


def _with_few_labels(every: Sequence[Judged]) -> dict[Key, str]:
    """Return what the estimates lack that have clearly fewer topics than others, or judged too little."""
    most, found = max((each.topics for each in every), default=0), dict[Key, str]()
    for each in every:
        few = 0 < each.topics < (1 - _MUCH) * most  # 0 if the sides share none
        lacks = [f"has {each.topics} of {most} {noun('topics')}"] if few else []
        if (each.unjudged or 0) > _MUCH:
            lacks.append(f"did not judge {each.unjudged:.0%} of the top documents")
        if lacks:
            found[each.estimate, each.measure] = " and ".join(lacks)
    return found


def _too_few_labels(every: Sequence[Judged], worse: set[Key]) -> Iterator[str]:
    """Yield which estimates have too few labels to be compared with the others, and are not worse."""
    lacking = _with_few_labels(every)
    for each in every:
        key = each.estimate, each.measure
        if key in lacking and key not in worse:
            yield f"{_capital(who(each))} {lacking[key]}, too few labels to say"


def _undefined(rows: Sequence[Agreement]) -> str | None:
    undefined = [row for row in rows if math.isnan(row.value)]
    if not undefined:
        return None
    names, why = few([who(row) for row in undefined], "estimates"), undefined[0].undefined
    where = by_measure(undefined[0].measure._replace(estimate_measure=undefined[0].measure.measure))
    return f"{undefined[0].coefficient} is undefined for {names}{where}" + (f": {why}" if why else "")


def _decisions(result: CorrelateResult, by: dict[str, list[Agreement]]) -> Iterator[str]:
    """Yield whether the best estimate by each measure is at least a floor."""
    floor = result.options.get("at_least")
    for rows in by.values():
        row = best_of(result, rows)
        if row is None or row.at_least is None or floor is None:
            continue
        passed = "no floor is known"
        if row.floor is not None:
            passed = f"the largest floor that is passed is {number(row.floor)}"
        what = f"{row.coefficient} of {who(row)}{by_measure(row.measure) if len(by) > 1 else ''}"
        if row.at_least == "not decided":
            yield f"Whether {what} is at least {floor:g} is not decided; {passed}"
        else:
            claim = "at least" if row.at_least == "shown" else "less than"
            yield f"{_capital(what)} is shown to be {claim} {floor:g}; {passed}"


def _left_out(result: CorrelateResult) -> Iterator[str]:
    """Yield that many systems or topics are left out, and that the rows compare different systems."""
    rows = result.judges or ()
    parts = []
    for n, what, there in (
        (result.systems_left_out, "system", max((each.systems for each in rows), default=0)),
        (result.topics_left_out, "topic", max((each.topics for each in rows), default=0)),
    ):
        if rows and n > _MUCH * (n + there):
            parts.append(f"{n} of {count(n + there, what)}")
    if parts:
        yield f"{' and '.join(parts)} are left out"
    least, most = (end((each.systems for each in rows), default=0) for end in (min, max))
    if least < (1 - _MUCH) * most:
        yield f"Each row compares the {noun('systems')} that both sides have, {least} to {most} (column n)"


# --- many measures ---------------------------------------------------------------------------------------


def _in_one(
    result: CorrelateResult, judged: JudgeResult | None, rows: Sequence[Agreement]
) -> Iterator[str | None]:
    """Yield one sentence about one of several measures."""
    best = best_of(result, rows)
    if best is None:
        yield _undefined(rows)
        return
    said = f"By {best.measure.measure}, {who(best)} {'is the closest' if len(rows) > 1 else 'has'}"
    said += f": {_value(best)}" if len(rows) > 1 else f" {_value(best)}"
    said += _beside_other_topics(best) + _doubt(result, best)
    compared = _rivals(judged, best)
    worse = [name for name, each in compared.items() if _is_worse(each, best, result)]
    alike = [name for name in compared if name not in worse]
    said += f"; not told apart from {few(alike, 'judges')}" if alike else ""
    yield said + (f"; better than {few(worse, 'judges')}" if worse else "")
