"""Checks for tests: that an estimate ranks systems as the reference does."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from concordant.coefficients.declaration import CoefficientLike
from concordant.errors import public
from concordant.questions.correlate import CorrelateResult, correlate
from concordant.reading.from_memory import ScoresLike
from concordant.study.study import Study

__all__ = ["assert_agreement"]


def not_shown(result: CorrelateResult, floor: float) -> Iterator[tuple[str, bool]]:
    """Yield a sentence for each value that is not shown to be at least a floor, and whether that is decided.

    What could not be tested counts as decided.
    """
    for each in result.agreement:
        which = f"{each.coefficient} of {each.estimate}, {each.measure}"
        if math.isnan(each.value):
            yield f"{which} is undefined, which is not {floor:g} or more", True
        elif each.at_least is None:
            yield f"{which} has no interval over topics, so that {floor:g} was not tested", True
        elif each.at_least != "shown":
            passed = "no floor is known"
            if each.floor is not None:
                passed = f"the largest floor that is passed is {each.floor:.4f}"
            less = each.at_least == "shown not to be"
            claim = "is shown to be less than" if less else "is not shown to be, or not to be, at least"
            yield f"{which} {claim} {floor:g}; {passed}", less


@public
def assert_agreement(
    reference: ScoresLike | Study,
    estimate: Mapping[str, ScoresLike] | ScoresLike | None = None,
    at_least: float = 0.8,
    coefficient: CoefficientLike = "tau_b",
    *,
    strict: bool = True,
    **options: Any,
) -> CorrelateResult:
    """Assert that a coefficient is shown to be at least a floor, by the lower end of an interval over topics.

    It decides as ``concordant correlate --at-least FLOOR --strict`` does. The largest floor that is passed
    is the lower end of a one-sided interval, not the value.

    Parameters
    ----------
    reference : Study, or what `Study` takes
        The scores of the systems by the reference: a file, a data frame, or others.
    estimate : mapping of str to scores, or the scores of one estimate
        The scores of the systems by the estimate, or by several; all of them must pass.
    at_least : float, default 0.8
        The floor.
    coefficient : str, Coefficient or callable, default "tau_b"
        The coefficient, as `coefficient` reads it.
    strict : bool, default True
        Whether it is a failure if the topics do not decide; otherwise it is a warning.
    **options
        Other options of `correlate`, such as `resampling`.

    Returns
    -------
    CorrelateResult
        The result of `correlate`.

    Raises
    ------
    AssertionError
        If a value is shown to be less, is undefined, or cannot be tested without topics; and, if `strict`,
        if it is not decided. The message has a line for each, and the verdict.

    Examples
    --------
    >>> from concordant.testing import assert_agreement
    >>> human = [[0.9, 0.6, 0.5, 0.1], [0.8, 0.7, 0.4, 0.2], [0.9, 0.5, 0.4, 0.3]] * 4
    >>> assert_agreement(human, human, 0.5).agreement[0].at_least
    'shown'
    >>> try:
    ...     assert_agreement(human, [row[::-1] for row in human], 0.5)
    ... except AssertionError as error:
    ...     print(str(error).partition(";")[0])
    tau_b of estimate, score is shown to be less than 0.5
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    result = correlate(reference, estimate, [coefficient], at_least=at_least, **options)
    reasons = list(not_shown(result, at_least))
    told = [sentence for sentence, decided in reasons if decided or strict]
    if told:
        raise AssertionError("\n".join([*told, *result.verdict]))
    for sentence, _ in reasons:
        warnings.warn(sentence, stacklevel=3)
    return result
