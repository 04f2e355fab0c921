"""The sentences about how well estimates rank the systems.

The meaning of the words in the verdicts of `judge` and `correlate`:

- "agrees with the reference": the interval over topics is above 0, and the p-value of systems in random order
  is at most 1 - confidence level: neither other topics nor luck with these systems explain it. "tends to
  reverse the reference's order": both below 0, and more pairs are in the opposite order than in the same
  order. "is not shown to agree": otherwise. If there are no topics, the p-value decides alone. Without
  interval and test, none of these words is used; nor for a coefficient that is not declared to be centred at
  0.
- "shown to be as close to the reference as 50 other topics would be": the lower end of the difference between
  the coefficient and that expected of other topics is above 0. "shown to be less close": the upper end is
  below 0. Otherwise, and if the topics do not show an order of the systems, "is not decided".
- "shown to be at least 0.9": the lower end of a one-sided interval is 0.9 or more. "shown to be less than
  0.9": the upper end is below it. Otherwise "is not decided".
- "is better than": the p-value, adjusted for all ordered pairs of estimates of this measure, is below 1 -
  confidence level. Otherwise "is not told apart from".
- "significantly": by the reference, in the paired t-tests that were made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from concordant.coefficients.declaration import Coefficient
from concordant.questions.systems import by_order, significant_swaps
from concordant.results.words import count, few, listed, number, pvalue, sentences, with_interval

if TYPE_CHECKING:
    from concordant.questions.correlate import Agreement, CorrelateResult
    from concordant.questions.judge import Contender, Difference, Judged, JudgeResult
    from concordant.statistics.confidence import ConfidenceInterval
    from concordant.study.pairing import Measures

MOST_MEASURES = 3  # measures or estimates with their own sentences
SAME_VALUE = 1e-12
_ALPHA = 0.05
_Row = TypeVar("_Row")
_Order: TypeAlias = dict[str, int]  # how many pairs of systems are ordered in a way


def verdict_of_estimates(result: CorrelateResult, judged: JudgeResult | None = None) -> tuple[str, ...]:
    """Return the verdict of `correlate` or `judge`, about the first coefficient.

    `judged` is the result of `judge`, which compares estimates with each other where that is possible.
    """
    if not result.agreement:
        return ()
    c = result.agreement[0].coefficient
    by: dict[str, list[Agreement]] = {}
    for row in result.agreement:
        if row.coefficient == c and row.top == c.top:
            by.setdefault(row.measure.measure, []).append(row)
    if len(by) > MOST_MEASURES:
        return sentences(_summary(c, by))
    return sentences(part for own in by.values() for part in _of_measure(result, judged, own, len(by) == 1))


def first_told(rows: Sequence[_Row], tell: Callable[[_Row], Iterable[str]], what: str) -> list[str]:
    """Return what there is to tell about the first rows, and how many more measures or values there are."""
    more = len(rows) - MOST_MEASURES
    told = [part for row in rows[:MOST_MEASURES] for part in tell(row)]
    return [*told, f"The tables have {count(more, f'more {what}')}"] if more > 0 else told


def by_measure(measures: Measures, name: str = "estimate") -> str:
    """Return the words "by" and the measure; empty if the measure has no name."""
    reference, estimate = measures
    if reference == estimate:
        return "" if reference == "score" else f" by {reference}"
    return f" by {reference} of the reference and {estimate} of {_called(name)}"


def _called(name: str) -> str:
    """Return the name of an estimate; a single estimate has none."""
    return "the estimate" if name == "estimate" else name


def _who(row: Agreement | Contender) -> str:
    """Return the name of an estimate among others, with its measure if that is not the reference's."""
    reference, own = row.measure
    return _called(row.estimate) + ("" if own == reference else f" by {own}")


# --- one measure -----------------------------------------------------------------------------------------


def _of_measure(
    result: CorrelateResult, judged: JudgeResult | None, rows: Sequence[Agreement], alone: bool
) -> Iterator[str | None]:
    c, alpha = rows[0].coefficient, 1 - (result.options.get("confidence_level") or 0.95)
    defined = [row for row in rows if not math.isnan(row.value)]
    undefined = [row for row in rows if math.isnan(row.value)]
    if defined:
        best = max(defined, key=lambda row: row.value)
        key = best.estimate, best.measure
        own = [each for each in result.systems or () if (each.estimate, each.measure) == key]
        order = by_order(own) if len(own) > 1 and best.top is None else None
        yield _agrees(best, order, alpha)
        if len(defined) > 1:
            yield from _against_others(judged, alpha, best, defined)
        where = f" under {_who(best)}" if len(rows) > 1 else ""
        tested = significant_swaps(result.pairs, key, result.options.get("alpha"))
        yield None if order is None else _opposite(order, tested, where)
        yield from _decisions(result, best)
        if judged is not None and alone:
            yield from _beside(judged, best)
    if undefined:
        names = few([_who(row) for row in undefined], "estimates")
        measure = undefined[0].measure.measure
        where = "" if measure == "score" else f" by {measure}"
        why = undefined[0].undefined
        yield f"{c} is undefined for {names}{where}" + (f": {why}" if why else "")


def _agrees(row: Agreement, order: _Order | None, alpha: float) -> str:
    """Return how well one estimate agrees; the words depend on the interval or test, not on the value."""
    c, value = row.coefficient, with_interval(row.value, row.interval)
    if row.pvalue is not None:
        few = "; too few systems for a test" if _too_few(row, alpha) else ""
        value += f", {pvalue(row.pvalue)} for systems in random order{few}"
    if not c.centred and c.bounds[0] < 0:
        value += f" ({c} is not centred: its mean for unrelated rankings need not be 0)"
    n, where = count(row.n, "system"), by_measure(row.measure, row.estimate)
    the = f"the {n}" if row.top is None else f"the best {n} of the reference"
    about = n if row.top is None else the
    if c.centred:
        about = f"the {'scores' if c.gaps == 'both' else 'order'} of {about}"
    shown, opposite = _direction(row, alpha), c.ties != "equality"
    if order is not None:
        opposite = order["opposite"] > order["same"]
    if order is not None and not order["opposite"] and not order["tied once"]:
        claim = f"ranks {the} in exactly the same order as the reference"
    elif order is not None and not any(own for key, own in order.items() if key != "opposite"):
        claim = f"ranks {the} in exactly the opposite order to the reference"
    elif shown is None:
        return f"On {about}{where}, {c} between {_called(row.estimate)} and the reference is {value}"
    elif shown > 0:
        claim = f"agrees with the reference on {about}"
    elif shown < 0 and c.gaps == "both":
        claim = f"disagrees with the reference on {about}"
    elif shown < 0 and opposite:
        claim = f"tends to reverse the reference's order of {the}"  # ties alone can make a value negative
    else:
        claim = f"is not shown to agree with the reference on {about}"
    name = "The estimate" if row.estimate == "estimate" else row.estimate
    return f"{name} {claim}{where}: {c} {value}"


def _direction(row: Agreement, alpha: float) -> int | None:
    """Return 1 or -1 if the value is shown to be above or below 0, by interval and test; 0 if not.

    None if there is no test, or if unrelated rankings need not have 0 on average.
    """
    if not row.coefficient.centred or row.pvalue is None:
        return None
    sign = 0 if _too_few(row, alpha) else int(math.copysign(row.pvalue <= alpha, row.value))
    if row.interval is None or row.topics is None:  # an interval over systems
        return sign
    low, high = row.interval
    return sign if (low > 0 and sign > 0) or (high < 0 and sign < 0) else 0


def _too_few(row: Agreement, alpha: float) -> bool:
    """Return whether the smallest p-value, of one order of all systems on either side, is above alpha."""
    return 2 / math.factorial(min(row.n, 20)) > alpha


def _opposite(order: _Order, tested: list[tuple[str, str]] | None, where: str) -> str | None:
    """Return how many pairs are in the opposite order, and which of them differ significantly."""
    opposite, pairs = order["opposite"], sum(order.values())
    tied = pairs - order["same"] - opposite
    ties = f"; {tied} {'is' if tied == 1 else 'are'} tied on one side or both" if tied else ""
    if pairs == 1:  # the first sentence already says whether they are in the same order
        if tied:
            return f"The two systems are tied on one side or both{where}"
        if not opposite or tested is None:
            return None
        they = f"; they {'differ' if tested else 'do not differ'} significantly by the reference"
        return f"The two systems are in the opposite order{where}{they}"
    if opposite == 0:
        return f"None of {pairs} pairs of systems is in the opposite order{where}{ties}"
    is_are = "is" if opposite == 1 else "are"
    said = f"{opposite} of {pairs} pairs of systems {is_are} in the opposite order{where}"
    if tested is None:
        return f"{said}{ties}"
    names = "; ".join(f"{better} and {worse}" for better, worse in tested)
    names = f" ({names})" if 0 < len(tested) <= MOST_MEASURES else ""
    some = f"{len(tested)} of these {'differs' if len(tested) == 1 else 'differ'}"
    differs = some if tested else "none of these differs"
    if opposite == 1:
        differs = "it differs" if tested else "it does not differ"
    return f"{said}; {differs} significantly by the reference{names}{ties}"


def _decisions(result: CorrelateResult, row: Agreement) -> Iterator[str]:
    """Yield whether an estimate is at least a floor, and as close as other topics."""
    floor = result.options.get("at_least")
    if row.at_least is not None and floor is not None:
        passed = f"the largest floor that is passed is {number(row.floor)}"
        if row.floor is None:
            passed = "no floor is known"
        if row.at_least == "not decided":
            yield f"Whether {row.coefficient} is at least {floor:g} is not decided; {passed}"
        else:
            claim = "at least" if row.at_least == "shown" else "less than"
            yield f"It is shown to be {claim} {floor:g}; {passed}"


def _beside(judged: JudgeResult, row: Agreement) -> Iterator[str]:
    """Yield how an estimate compares with other topics, its winner, failing topics and favoured groups."""
    key = row.estimate, row.measure
    shared = [each.topics for each in judged.judges or () if (each.estimate, each.measure) == key]
    own = [each for each in judged.reliability or () if each.measure == row.measure.measure]
    own.sort(key=lambda each: each.topics not in shared)  # the reference on the topics of this estimate
    topics = f"{own[0].topics} other topics" if own else ""
    if own and own[0].pvalue > _ALPHA:
        numbers = f"F {number(own[0].f)}, {pvalue(own[0].pvalue)}"
        yield f"These topics do not show an order of these systems ({numbers})"
    elif row.as_close is not None and row.other_topics is not None and own:
        expected = f"({number(row.other_topics)} expected)"
        if row.as_close == "not decided":
            yield f"Whether it is as close to the reference as {topics} would be {expected} is not decided"
        elif row.as_close == "shown":
            yield f"It is shown to be as close to the reference as {topics} would be {expected}"
        else:
            yield f"It is shown to be less close to the reference than {topics} would be {expected}"
    for each in judged.judges or ():
        if (each.estimate, each.measure) == key:
            yield from _of_judge(each, row)
    for group in judged.groups or ():
        if (group.estimate, group.measure) == key and group.pvalue is not None and group.pvalue <= _ALPHA:
            effect, ranks = group.effect or 0.0, abs(group.ranks or 0.0)
            favours = "favours" if effect > 0 else "puts down"
            size = with_interval(abs(effect), _positive(group.interval, effect))
            beside = f"{number(ranks, 1)} ranks, beside systems of the same reference score"
            yield f"It {favours} {group.group} ({count(group.systems, 'system')}) by {size}, {beside}"


def _positive(interval: ConfidenceInterval | None, effect: float) -> ConfidenceInterval | None:
    """Return the interval of the size of an effect."""
    return interval if interval is None or effect > 0 else type(interval)(-interval.high, -interval.low)


def _of_judge(each: Judged, row: Agreement) -> Iterator[str]:
    """Yield the winner of an estimate, and what its failing topics mean."""
    if each.winner_rank == 1:
        yield f"Its winner, {each.winner}, is the best by the reference too"
    else:
        yield f"Its winner, {each.winner}, has rank {each.winner_rank:g} by the reference"
    if each.failing is None or each.failing_share is None or each.if_failing is None:
        return
    fails = f"On {'none' if each.failing == 0 else each.failing} of the {each.topics} topics does it fail"
    share = f"up to {each.failing_share:.1%} of topics like these may still be failures"
    cost = f"if it reversed the order on so many, {row.coefficient} would be {number(each.if_failing)}"
    yield f"{fails}; {share}, and {cost} on average, which the interval does not include"


# --- several estimates -----------------------------------------------------------------------------------


def _against_others(
    judged: JudgeResult | None, alpha: float, best: Agreement, rows: Sequence[Agreement]
) -> Iterator[str | None]:
    """Yield how the best estimate compares with the others, and which may be the best."""
    c, measure = best.coefficient, best.measure.measure
    comparison = None if judged is None else judged.comparison
    worst = min(rows, key=lambda row: row.value)
    lower = [row for row in rows if best.value - row.value > SAME_VALUE]
    also = [_who(row) for row in rows if row not in lower and row is not best]
    if also:
        yield f"{few(also, 'estimates')} {'has' if len(also) == 1 else 'have'} the same value"
    who = best.estimate, best.measure.estimate_measure
    compared = [
        each
        for each in comparison or ()
        if (each.measure, each.coefficient) == (measure, c)
        and who
        in ((each.estimate, each.estimate_measure or measure), (each.other, each.other_measure or measure))
    ]
    rivals = [each for each in compared if abs(each.difference) > SAME_VALUE]
    if rivals:
        below = [each for each in rivals if each.pvalue_adjusted is not None and each.pvalue_adjusted < alpha]
        better = [each for each in below if (each.estimate, each.estimate_measure or measure) == who]
        yield _differences(rivals, better, who, measure)
    left = [row for row in lower if _who(row) not in {_rival(each, who, measure) for each in compared}]
    if left:
        names, one = few([_who(row) for row in left], "estimates"), len(left) == 1
        said = f"value of {names} ({number(left[0].value)}) is" if one else f"values of {names} are"
        no_test = judged is None or judged.options.get("confidence_level") is None or best.topics is None
        untested = f"; the difference{' was' if one else 's were'} not tested"
        yield f"The {said} smaller{untested if no_test or comparison is not None else ''}"
    if len(rows) > 2 and lower:
        yield f"The smallest value is that of {_who(worst)}: {with_interval(worst.value, worst.interval)}"
    contenders = [
        each
        for each in (() if judged is None else judged.best or ())
        if (each.coefficient, each.measure.measure) == (c, measure)
    ]
    if len(rows) > 2 and len(contenders) == len(rows):
        may = [_who(each) for each in contenders if each.may_be_best]
        names = f": {listed(may)}" if len(may) <= 5 else ""
        yield f"Only {may[0]} may be the best" if len(may) == 1 else f"{len(may)} may be the best{names}"


def _rival(each: Difference, who: tuple[str, str], measure: str) -> str:
    """Return the name of the other estimate of a pair."""
    first = (each.estimate, each.estimate_measure or measure) == who
    name, own = (each.other, each.other_measure) if first else (each.estimate, each.estimate_measure)
    return _called(name) + ("" if own is None else f" by {own}")


def _differences(
    rivals: Sequence[Difference], better: Sequence[Difference], who: tuple[str, str], measure: str
) -> str:
    """Return whether the best estimate is better than the others, with the numbers of the closest."""
    others = [each for each in rivals if each not in better]
    closest = min(others or better, key=lambda each: each.difference)
    adjusted = f"{'adjusted ' if len(rivals) > 1 else ''}{pvalue(closest.pvalue_adjusted)}"
    name = _rival(closest, who, measure)
    numbers = f"{with_interval(closest.difference, closest.interval)}, {adjusted}"
    if len(rivals) == 1 and better:
        return f"It is better than {name} by {numbers}"
    if len(rivals) == 1:
        return f"It is not told apart from {name}: the difference is {numbers}"
    if not others:
        every = "both others" if len(rivals) == 2 else f"all {len(rivals)} others"
        return f"It is better than {every}; than the closest, {name}, by {numbers}"
    by_size = sorted(others, key=lambda each: each.difference)
    names = few([_rival(each, who, measure) for each in by_size], "estimates")
    also = few([_rival(each, who, measure) for each in better], "estimates") if better else ""
    also = f", but better than {also}" if also else ""
    return f"It is not told apart from {names}{also}; the difference from {name} is {numbers}"


# --- many measures ---------------------------------------------------------------------------------------


def _summary(c: Coefficient, by: dict[str, list[Agreement]]) -> Iterator[str]:
    """Yield a summary of many measures."""
    rows = [row for own in by.values() for row in own if not math.isnan(row.value)]
    n = sum(map(len, by.values()))
    if rows:
        low, high = (
            f"{with_interval(row.value, row.interval)} ({_called(row.estimate)} by {row.measure})"
            for row in (end(rows, key=lambda row: row.value) for end in (min, max))
        )
        about = f"{c} with the reference on the order of {count(rows[0].n, 'system')}"
        yield f"Over {len(by)} measures, {about} is from {low} to {high}"
        if len({row.estimate for row in rows}) > 1:
            yield _most_often_best(by)
    if n > len(rows):
        yield f"{c} is undefined for {n - len(rows)} of {n} rankings"


def _most_often_best(by: dict[str, list[Agreement]]) -> str:
    wins: dict[str, int] = {}
    n = 0
    for own in by.values():
        largest = max((row.value for row in own if not math.isnan(row.value)), default=math.nan)
        n += not math.isnan(largest)
        for name in dict.fromkeys(row.estimate for row in own if row.value >= largest - SAME_VALUE):
            wins[name] = wins.get(name, 0) + 1
    most = max(wins.values())
    names = [_called(name) for name, times in wins.items() if times == most]
    has = "has" if len(names) == 1 else "each have"
    return f"{few(names, 'estimates')} {has} the largest value by {most} of {count(n, 'measure')}"
