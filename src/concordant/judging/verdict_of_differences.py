"""The sentences about which of several estimates is better. The rules are in `verdict_of_estimates`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from concordant.coefficients import Coefficient
from concordant.tables import few, listed, number, pvalue, with_interval

if TYPE_CHECKING:
    from concordant.judging.agreement import Agreement
    from concordant.judging.best_estimate import Contender, Difference
    from concordant.judging.correlate import CorrelateResult
    from concordant.judging.judge_result import JudgeResult

    Answer: TypeAlias = JudgeResult | CorrelateResult

__all__ = ["against_others", "called", "who"]

_SAME = 1e-12


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
    result: Answer,
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
    compared = [
        each
        for each in getattr(result, "comparison", None) or ()
        if (each.measure, each.coefficient) == (measure, c)
    ]
    rivals = [each for each in compared if abs(each.difference) > _SAME]
    if rivals:
        yield _differences(result, rivals)
        yield _tests_differ(result, c, rivals)
    left = [row for row in others if who(row) not in {_other(each) for each in compared}]
    left = [row for row in left if row not in tied]
    if left:
        names = few([who(row) for row in left], "estimates")
        one = len(left) == 1
        said = f"value of {names} ({number(left[0].value)}) is" if one else f"values of {names} are"
        why = f"; the difference{' was' if one else 's were'} not tested" if _not_tested(result, best) else ""
        yield f"The {said} smaller{why}"
    if len(rows) > 2 and worst.value < best.value - _SAME:
        yield f"The smallest value is that of {who(worst)}: {with_interval(worst.value, worst.interval)}"
    yield _may_be_best(result, c, len(rows))


def _not_tested(result: Answer, best: Agreement) -> bool:
    """Say whether differences were not tested."""
    if result.function != "judge" or "confidence_level" not in result.options or best.pvalue is not None:
        return True
    return getattr(result, "comparison", None) is not None


def _differences(result: Answer, rivals: Sequence[Difference]) -> str:
    """Say whether the best estimate is better than the others, with the numbers of the closest."""
    may = _may(result)
    better = [each for each in rivals if _shown_better(result, each) and _rival(each) not in may]
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


def _may(result: Answer) -> set[tuple[str, str, Coefficient]]:
    """Return what may be the best: estimates by a measure and a coefficient."""
    found: Sequence[Contender] = getattr(result, "best", None) or ()
    return {(who(each), each.measure.measure, each.coefficient) for each in found if each.may_be_best}


def _shown_better(result: Answer, each: Difference) -> bool:
    alpha = 1 - result.options.get("confidence_level", 0.95)
    below = each.pvalue_adjusted is not None and each.pvalue_adjusted < alpha
    return below and (each.interval is None or each.interval[0] > 0)


def _tests_differ(result: Answer, c: Coefficient, rivals: Sequence[Difference]) -> str | None:
    """Say for which estimates the joint test and the test of two differ.

    If several measures are tested together, the best one is the best of all measures, which is another
    question.
    """
    own = [each for each in getattr(result, "best", None) or () if each.coefficient == c]
    if len({each.measure.measure for each in own}) != 1:
        return None
    tested, may = {(who(each), each.measure.measure, each.coefficient) for each in own}, _may(result)
    differ = [
        each
        for each in rivals
        if _rival(each) in tested and _shown_better(result, each) == (_rival(each) in may)
    ]
    if not differ:
        return None
    many = f"{len(differ)} estimates, " if len(differ) > 3 else ""
    are = "it is" if len(differ) == 1 else "they are"
    names = few([_other(each) for each in differ], "estimates")
    return f"The tables best and comparison differ on {many}{names}, so {are} not counted as worse"


def _may_be_best(result: Answer, c: Coefficient, n: int) -> str | None:
    """Say how many may be the best, for one measure, if the comparison does not already say it."""
    found: Sequence[Contender] = getattr(result, "best", None) or ()
    own = [each for each in found if each.coefficient == c]
    if n < 3 or len({each.measure.measure for each in own}) != 1 or len(own) != n:
        return None
    may = [each for each in own if each.may_be_best]
    if len(may) == 1:
        return f"If all {n} are tested together, only {who(may[0])} may be the best"
    names = f": {listed([who(each) for each in may])}" if len(may) <= 5 else ""
    return f"If all {n} are tested together, {len(may)} may be the best{names}"
