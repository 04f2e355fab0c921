"""The sentences about how well estimates rank the systems.

The meaning of the words in the verdicts of `judge` and `correlate`:

- "agrees with the reference": the interval is above 0. "tends to reverse the reference's order": it is below
  0, and more pairs are in the opposite order than in the same order. "is not shown to agree": otherwise. If
  there are no topics, the test of unrelated rankings decides instead of the interval. Without interval and
  test, none of these words is used; nor for a coefficient that is not declared to be centred at 0.
- "is better than": the p-value, adjusted for the number of others, is below 1 - confidence level, the
  interval of the difference is above 0, and the other is not among those that may be the best. Otherwise "is
  not told apart from".
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
    from concordant.questions.judge import Contender, Difference, JudgeResult
    from concordant.study.pairing import Measures

MOST_MEASURES = 3  # measures or estimates with their own sentences
SAME_VALUE = 1e-12
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


def _other(each: Difference) -> str:
    return _called(each.other) + ("" if each.other_measure is None else f" by {each.other_measure}")


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
        yield _reliability(judged, best) if alone and judged is not None else None
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
        over = " over systems" if row.interval is not None else ""
        value += f"{over}, {pvalue(row.pvalue)} in a test of unrelated rankings"
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
    """Return 1 or -1 if the value is shown to be above or below 0, 0 if not.

    None if there is no interval and no test, or if unrelated rankings need not have 0 on average.
    """
    if not row.coefficient.centred or (row.interval is None and row.pvalue is None):
        return None
    if row.pvalue is not None:
        return int(math.copysign(row.pvalue < alpha, row.value))
    low, high = row.interval or (0.0, 0.0)
    return 1 if low > 0 else -1 if high < 0 else 0


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


def _reliability(judged: JudgeResult, row: Agreement) -> str | None:
    """Return where the expected correlation of the reference with the true ranking is."""
    c, key = row.coefficient, (row.measure.measure, row.coefficient.weights)
    own = [each for each in judged.reliability or () if (each.measure, each.coefficient.weights) == key]
    if not own or c.gap_sensitive or c.top is not None or c.threshold != (0.0, 0.0):
        return None
    topics, expected, beside = count(own[0].topics, "topic"), own[0].expected, ""
    if row.interval is not None:
        low, high = row.interval
        place = "above" if expected > high else "below" if expected < low else "inside"
        beside = f"; this lies {place} the interval of {_called(row.estimate)}"
    correlation = f"an expected correlation of {number(expected)} ({own[0].coefficient})"
    ranking = f"the reference's own ranking from {topics}"
    return f"For comparison, {ranking} has {correlation} with the true ranking{beside}"


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
    compared = [each for each in comparison or () if (each.measure, each.coefficient) == (measure, c)]
    rivals = [each for each in compared if abs(each.difference) > SAME_VALUE]
    # If several measures are tested together, the best one is the best of all measures.
    joint = () if judged is None else judged.best or ()
    contenders = [each for each in joint if each.coefficient == c]
    together = {each.measure.measure for each in contenders} == {measure}
    may = [_who(each) for each in contenders if each.measure.measure == measure and each.may_be_best]
    if rivals:
        below = [each for each in rivals if each.pvalue_adjusted is not None and each.pvalue_adjusted < alpha]
        shown = [each for each in below if each.interval is None or each.interval[0] > 0]
        yield _differences(rivals, [each for each in shown if _other(each) not in may])
        tested = {_who(each) for each in contenders} if together else set()
        differ = [_other(each) for each in rivals if (each in shown) == (_other(each) in may)]
        yield _tests_differ([name for name in differ if name in tested])
    left = [row for row in lower if _who(row) not in {_other(each) for each in compared}]
    if left:
        names, one = few([_who(row) for row in left], "estimates"), len(left) == 1
        said = f"value of {names} ({number(left[0].value)}) is" if one else f"values of {names} are"
        no_test = judged is None or judged.options.get("confidence_level") is None or best.pvalue is not None
        untested = f"; the difference{' was' if one else 's were'} not tested"
        yield f"The {said} smaller{untested if no_test or comparison is not None else ''}"
    if len(rows) > 2 and lower:
        yield f"The smallest value is that of {_who(worst)}: {with_interval(worst.value, worst.interval)}"
    if len(rows) > 2 and together and len(contenders) == len(rows):
        names = f": {listed(may)}" if len(may) <= 5 else ""
        which = f"only {may[0]} may be the best" if len(may) == 1 else f"{len(may)} may be the best{names}"
        yield f"If all {len(rows)} are tested together, {which}"


def _differences(rivals: Sequence[Difference], better: Sequence[Difference]) -> str:
    """Return whether the best estimate is better than the others, with the numbers of the closest."""
    others = [each for each in rivals if each not in better]
    closest = min(others or better, key=lambda each: each.difference)
    adjusted = f"{'adjusted ' if len(rivals) > 1 else ''}{pvalue(closest.pvalue_adjusted)}"
    name, numbers = _other(closest), f"{with_interval(closest.difference, closest.interval)}, {adjusted}"
    if len(rivals) == 1 and better:
        return f"It is better than {name} by {numbers}"
    if len(rivals) == 1:
        return f"It is not told apart from {name}: the difference is {numbers}"
    if not others:
        every = "both others" if len(rivals) == 2 else f"all {len(rivals)} others"
        return f"It is better than {every}; than the closest, {name}, by {numbers}"
    names = few([_other(each) for each in sorted(others, key=lambda each: each.difference)], "estimates")
    also = f", but better than {few([_other(each) for each in better], 'estimates')}" if better else ""
    return f"It is not told apart from {names}{also}; the difference from {name} is {numbers}"


def _tests_differ(names: Sequence[str]) -> str | None:
    """Return for which estimates the joint test and the test of two differ."""
    if not names:
        return None
    which = f"{f'{len(names)} estimates, ' if len(names) > 3 else ''}{few(names, 'estimates')}"
    are = "it is" if len(names) == 1 else "they are"
    return f"The tables best and comparison differ on {which}, so {are} not counted as worse"


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
