"""The sentences about how well estimates rank the systems.

The meaning of the words in the verdicts of `judge` and `correlate`:

- "agrees with the reference": the interval is above 0. "ranks in rather the opposite order": it is below 0,
  and more pairs are in the opposite order than in the same order. "is not shown to agree": otherwise. If
  there are no topics, the test of unrelated rankings decides instead of the interval. Without interval and
  test, none of these words is used; nor for a coefficient that is not declared to be centred at 0.
- "is better than": the p-value, adjusted for the number of others, is below 1 - confidence level, the
  interval of the difference is above 0, and the other is not among those that may be the best. Otherwise "is
  not shown to be better".
- "significantly": by the reference, in the paired t-tests that were made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from concordant.coefficients.declaration import Coefficient
from concordant.questions.systems import PairCounts
from concordant.results.words import count, few, listed, number, pvalue, sentences, with_interval

if TYPE_CHECKING:
    from concordant.questions.agreement import Agreement, AgreementResult
    from concordant.questions.judge import Contender, Difference, ExpectedCorrelation
    from concordant.study.pairing import Measures

MOST_MEASURES = 3  # measures or estimates with their own sentences
SAME_VALUE = 1e-12


class Answer(NamedTuple):
    """What the verdict of `judge` or `correlate` is about."""

    result: AgreementResult
    judged: bool = False  # estimates were compared with each other, where that is possible
    best: Sequence[Contender] = ()
    comparison: Sequence[Difference] | None = None
    reliability: Sequence[ExpectedCorrelation] = ()


def verdict_of_estimates(answer: Answer) -> tuple[str, ...]:
    """Return the verdict of `judge` or `correlate`, about the first coefficient."""
    result = answer.result
    if not result.agreement:
        return ()
    c = next(row.coefficient for row in result.agreement)
    rows = [row for row in result.agreement if row.coefficient == c and row.top == c.top]
    by: dict[str, list[Agreement]] = {}
    for row in rows:
        by.setdefault(row.measure.measure, []).append(row)
    if len(by) > MOST_MEASURES:
        return sentences(_summary(c, by))
    return sentences(
        part for measure, own in by.items() for part in _of_measure(answer, c, measure, own, len(by) == 1)
    )


def more_in_tables(n: int, what: str) -> str | None:
    """Return how many more measures or values the tables have, in words."""
    return f"The tables have {count(n - MOST_MEASURES, f'more {what}')}" if n > MOST_MEASURES else None


def by_measure(measures: Measures, name: str = "estimate") -> str:
    """Return the words "by" and the measure; empty if the measure has no name."""
    reference, estimate = measures
    if reference == estimate:
        return "" if reference == "score" else f" by {reference}"
    return f" by {reference} of the reference and {estimate} of {called(name)}"


# --- one measure -----------------------------------------------------------------------------------------


def _of_measure(
    answer: Answer, c: Coefficient, measure: str, rows: Sequence[Agreement], alone: bool
) -> Iterator[str | None]:
    defined = [row for row in rows if not math.isnan(row.value)]
    undefined = [row for row in rows if math.isnan(row.value)]
    if defined:
        best = max(defined, key=lambda row: row.value)
        tied = [row for row in defined if best.value - row.value <= SAME_VALUE]
        yield _agrees(answer, best)
        if len(defined) > 1:
            yield from against_others(answer, c, measure, best, tied, defined)
        yield _opposite(answer, best, len(rows) > 1)
        yield _reliability(answer, best) if alone else None
    if undefined:
        names = few([who(row) for row in undefined], "estimates")
        where = "" if measure == "score" else f" by {measure}"
        why = undefined[0].undefined
        yield f"{c} is undefined for {names}{where}" + (f": {why}" if why else "")


def _agrees(answer: Answer, row: Agreement) -> str:
    """Say how well one estimate agrees; the words depend on the interval, not on the value."""
    name, c = called(row.estimate), row.coefficient
    what = f"{c} {with_interval(row.value, row.interval)}"
    if row.pvalue is not None:
        over = " over systems" if row.interval is not None else ""
        what += f"{over}, {pvalue(row.pvalue)} in a test of unrelated rankings"
    if not c.centred and c.bounds[0] < 0:
        what += f" ({c} is not centred: its mean for unrelated rankings is not 0)"
    n = count(row.n, "system")
    if row.top is not None:
        n = f"the best {n} of the reference"
    said = _exactly(answer, row, n) or _shown(answer, row, n)
    return _upper(f"{name} {said}: {what}", name)


def _exactly(answer: Answer, row: Agreement, n: str) -> str | None:
    """Say that the order is the same or the opposite one, if this holds for every pair."""
    own = _order(answer, row)
    if _same_ranks(answer, row):
        which = "same order as"
    elif own is not None and own.opposite == own.pairs:
        which = "opposite order to"
    else:
        return None
    return f"ranks {_the(n)} in exactly the {which} the reference{by_measure(row.measure, row.estimate)}"


def _shown(answer: Answer, row: Agreement, n: str) -> str:
    """Say whether an agreement is shown, in words that fit the coefficient."""
    c, where = row.coefficient, by_measure(row.measure, row.estimate)
    about = f"on the {'scores' if c.gaps == 'both' else 'order'} of {n}{where}"
    direction = _direction(row, 1 - answer.result.options.get("confidence_level", 0.95))
    if not c.centred:
        return f"against the reference, {n}{where}"
    if direction is None:
        return f"against the reference {about}"
    if direction > 0:
        return f"agrees with the reference {about}"
    if direction < 0 and c.gaps == "both":
        return f"disagrees with the reference {about}"
    if direction < 0 and _mostly_opposite(answer, row):
        return f"tends to reverse the reference's order of {_the(n)}{where}"
    return f"is not shown to agree with the reference {about}"


def _mostly_opposite(answer: Answer, row: Agreement) -> bool:
    """Say whether more pairs are in the opposite order than in the same order.

    Ties alone can make a coefficient negative. If pairs were not counted, the answer is yes unless the
    coefficient counts ties as disagreement.
    """
    own = _order(answer, row)
    return row.coefficient.ties != "equality" if own is None else own.opposite > own.same


def _order(answer: Answer, row: Agreement) -> PairCounts | None:
    """Return the counts of pairs of all systems; None for a value among the best systems."""
    if row.top is not None or not answer.result.pairs:
        return None
    return PairCounts.of(answer.result.pairs, row.estimate, row.measure, answer.result.options.get("alpha"))


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


def _the(n: str) -> str:
    return n if n.startswith("the ") else f"the {n}"


def _upper(sentence: str, name: str) -> str:
    """Return a sentence that begins with a capital letter, unless it begins with a name."""
    return sentence[0].upper() + sentence[1:] if name == "the estimate" else sentence


def _same_ranks(answer: Answer, row: Agreement) -> bool:
    """Say whether every system has the same rank on both sides."""
    own = [
        each
        for each in answer.result.systems or ()
        if (each.estimate, each.measure) == (row.estimate, row.measure)
    ]
    return row.top is None and bool(own) and all(each.gain == 0 for each in own)


def _opposite(answer: Answer, row: Agreement, several: bool) -> str | None:
    """Say how many pairs are in the opposite order, and what is known about them."""
    own = _order(answer, row)
    if own is None:
        return None
    where = f" under {who(row)}" if several else ""
    ties = f"; {own.tied} {'is' if own.tied == 1 else 'are'} tied on one side or both" if own.tied else ""
    tested = own.opposite_significant
    if own.pairs == 1:  # the first sentence already says whether they are in the same order
        if own.tied:
            return f"The two systems are tied on one side or both{where}"
        if not own.opposite or tested is None:
            return None
        differ = "differ" if tested else "do not differ"
        return (
            f"The two systems are in the opposite order{where}; they {differ} significantly by the reference"
        )
    if own.opposite == 0:
        return f"None of {own.pairs} pairs of systems is in the opposite order{where}{ties}"
    is_are = "is" if own.opposite == 1 else "are"
    said = f"{own.opposite} of {own.pairs} pairs of systems {is_are} in the opposite order{where}"
    if tested is None:
        return f"{said}{ties}"
    names = "; ".join(f"{pair.better} and {pair.worse}" for pair in tested)
    names = f" ({names})" if 0 < len(tested) <= MOST_MEASURES else ""
    if own.opposite == 1:
        differs = "it differs" if tested else "it does not differ"
    elif not tested:
        differs = "none of these differs"
    else:
        differs = f"{len(tested)} of these {'differs' if len(tested) == 1 else 'differ'}"
    return f"{said}; {differs} significantly by the reference{names}{ties}"


def _reliability(answer: Answer, row: Agreement) -> str | None:
    """Say whether the expected correlation of the reference with the true ranking is in the interval."""
    c = row.coefficient
    if c.gap_sensitive or c.top is not None or c.threshold != (0.0, 0.0):
        return None
    for each in answer.reliability or ():
        if each.measure == row.measure.measure and each.coefficient.weights == c.weights:
            return (
                f"For comparison, the reference's own ranking from {count(each.topics, 'topic')} has an "
                f"expected correlation of {number(each.expected)} ({each.coefficient}) with the true ranking"
                f"{_beside(row, each.expected)}"
            )
    return None


def _beside(row: Agreement, value: float) -> str:
    if row.interval is None:
        return ""
    place = "above" if value > row.interval.high else "below" if value < row.interval.low else "inside"
    return f"; this lies {place} the interval of {called(row.estimate)}"


# --- many measures ---------------------------------------------------------------------------------------


def _summary(c: Coefficient, by: dict[str, list[Agreement]]) -> Iterator[str]:
    """Summarise many measures in few sentences."""
    rows = [row for own in by.values() for row in own if not math.isnan(row.value)]
    n_undefined = sum(map(len, by.values())) - len(rows)
    if rows:
        low, high = (end(rows, key=lambda row: row.value) for end in (min, max))
        several = len({row.estimate for row in rows}) > 1

        def place(row: Agreement) -> str:
            name = called(row.estimate) if several else ""
            return f"{name}{by_measure(row.measure, row.estimate)}".strip()

        yield (
            f"Over {len(by)} measures, {c} with the reference on the order of {count(rows[0].n, 'system')} "
            f"is from {with_interval(low.value, low.interval)} ({place(low)}) to "
            f"{with_interval(high.value, high.interval)} ({place(high)})"
        )
        if several:
            yield _most_often_best(by)
    if n_undefined:
        yield f"{c} is undefined for {n_undefined} of {sum(map(len, by.values()))} rankings"


def _most_often_best(by: dict[str, list[Agreement]]) -> str:
    wins: dict[str, int] = {}
    n = 0
    for own in by.values():
        defined = [row for row in own if not math.isnan(row.value)]
        n += bool(defined)
        largest = max((row.value for row in defined), default=math.nan)
        for name in dict.fromkeys(row.estimate for row in defined if row.value >= largest - SAME_VALUE):
            wins[name] = wins.get(name, 0) + 1
    most = max(wins.values())
    names = [called(name) for name, times in wins.items() if times == most]
    has = "has" if len(names) == 1 else "each have"
    return f"{few(names, 'estimates')} {has} the largest value by {most} of {count(n, 'measure')}"


def called(name: str) -> str:
    """Return the name of an estimate; a single estimate has none."""
    return "the estimate" if name == "estimate" else name


def who(row: Agreement | Contender) -> str:
    """Return the name of an estimate among others, with its measure if that is not the reference's."""
    reference, own = row.measure
    return called(row.estimate) + ("" if own == reference else f" by {own}")


def _other(each: Difference) -> str:
    return called(each.other) + ("" if each.other_measure is None else f" by {each.other_measure}")


def against_others(
    answer: Answer,
    c: Coefficient,
    measure: str,
    best: Agreement,
    tied: Sequence[Agreement],
    rows: Sequence[Agreement],
) -> Iterator[str | None]:
    """Say how the best estimate compares with the others, and which may be the best."""
    worst = min(rows, key=lambda row: row.value)
    others = [row for row in rows if row is not best]
    if len(tied) > 1:
        also = [who(row) for row in tied if row is not best]
        yield f"{few(also, 'estimates')} {'has' if len(also) == 1 else 'have'} the same value"
    compared = [each for each in answer.comparison or () if (each.measure, each.coefficient) == (measure, c)]
    rivals = [each for each in compared if abs(each.difference) > SAME_VALUE]
    if rivals:
        yield _differences(answer, rivals)
        yield _tests_differ(answer, c, rivals)
    left = [row for row in others if who(row) not in {_other(each) for each in compared}]
    left = [row for row in left if row not in tied]
    if left:
        names = few([who(row) for row in left], "estimates")
        one = len(left) == 1
        said = f"value of {names} ({number(left[0].value)}) is" if one else f"values of {names} are"
        why = f"; the difference{' was' if one else 's were'} not tested" if _not_tested(answer, best) else ""
        yield f"The {said} smaller{why}"
    if len(rows) > 2 and worst.value < best.value - SAME_VALUE:
        yield f"The smallest value is that of {who(worst)}: {with_interval(worst.value, worst.interval)}"
    yield _may_be_best(answer, c, len(rows))


def _not_tested(answer: Answer, best: Agreement) -> bool:
    """Say whether differences were not tested."""
    if not answer.judged or "confidence_level" not in answer.result.options or best.pvalue is not None:
        return True
    return answer.comparison is not None


def _differences(answer: Answer, rivals: Sequence[Difference]) -> str:
    """Say whether the best estimate is better than the others, with the numbers of the closest."""
    may = _may(answer)
    better = [each for each in rivals if _shown_better(answer, each) and _rival(each) not in may]
    others = [each for each in rivals if each not in better]
    if len(rivals) == 1:
        (only,) = rivals
        numbers = f"{with_interval(only.difference, only.interval)}, {pvalue(only.pvalue_adjusted)}"
        if better:
            return f"It is better than {_other(only)} by {numbers}"
        return f"It is not shown to be better than {_other(only)}: the difference is {numbers}"
    closest = min(others or better, key=lambda each: each.difference)
    numbers = (
        f"{with_interval(closest.difference, closest.interval)}, adjusted {pvalue(closest.pvalue_adjusted)}"
    )
    if not others:
        every = "both others" if len(rivals) == 2 else f"all {len(rivals)} others"
        return f"It is better than {every}; than the closest, {_other(closest)}, by {numbers}"
    names = few([_other(each) for each in sorted(others, key=lambda each: each.difference)], "estimates")
    also = f", but better than {few([_other(each) for each in better], 'estimates')}" if better else ""
    about = f"the difference from {_other(closest)} is {numbers}"
    return f"It is not shown to be better than {names}{also}; {about}"


def _rival(each: Difference) -> tuple[str, str, Coefficient]:
    return _other(each), each.measure, each.coefficient


def _may(answer: Answer) -> set[tuple[str, str, Coefficient]]:
    """Return what may be the best: estimates by a measure and a coefficient."""
    found = answer.best
    return {(who(each), each.measure.measure, each.coefficient) for each in found if each.may_be_best}


def _shown_better(answer: Answer, each: Difference) -> bool:
    alpha = 1 - answer.result.options.get("confidence_level", 0.95)
    below = each.pvalue_adjusted is not None and each.pvalue_adjusted < alpha
    return below and (each.interval is None or each.interval[0] > 0)


def _tests_differ(answer: Answer, c: Coefficient, rivals: Sequence[Difference]) -> str | None:
    """Say for which estimates the joint test and the test of two differ.

    If several measures are tested together, the best one is the best of all measures, which is another
    question.
    """
    own = [each for each in answer.best if each.coefficient == c]
    if len({each.measure.measure for each in own}) != 1:
        return None
    tested, may = {(who(each), each.measure.measure, each.coefficient) for each in own}, _may(answer)
    differ = [
        each
        for each in rivals
        if _rival(each) in tested and _shown_better(answer, each) == (_rival(each) in may)
    ]
    if not differ:
        return None
    many = f"{len(differ)} estimates, " if len(differ) > 3 else ""
    are = "it is" if len(differ) == 1 else "they are"
    names = few([_other(each) for each in differ], "estimates")
    return f"The tables best and comparison differ on {many}{names}, so {are} not counted as worse"


def _may_be_best(answer: Answer, c: Coefficient, n: int) -> str | None:
    """Say how many may be the best, for one measure, if the comparison does not already say it."""
    found = answer.best
    own = [each for each in found if each.coefficient == c]
    if n < 3 or len({each.measure.measure for each in own}) != 1 or len(own) != n:
        return None
    may = [each for each in own if each.may_be_best]
    if len(may) == 1:
        return f"If all {n} are tested together, only {who(may[0])} may be the best"
    names = f": {listed([who(each) for each in may])}" if len(may) <= 5 else ""
    return f"If all {n} are tested together, {len(may)} may be the best{names}"
