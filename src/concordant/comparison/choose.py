"""Which coefficient fits: questions that are answered from what the coefficients declare."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from concordant.coefficients import REGISTRY, Coefficient
from concordant.errors import ArgumentError, option, public
from concordant.rankings import one_of
from concordant.tables import Result, records

__all__ = ["Choice", "choose", "questions"]


@dataclass(frozen=True)
class _Question:
    """A question, its answers in words, and which coefficients fit an answer."""

    name: str
    text: str
    answers: dict[Any, str]
    fits: Callable[[Coefficient, Any], bool]


# After Radja 2018, figure 3.1 and table 3.1, extended by gaps and grades. Each question is asked only if its
# answer makes a difference among the coefficients that are left.
_QUESTIONS = (
    _Question(
        "same_items",
        "Do both sides hold the same items?",
        {True: "yes, two rankings of the same items", False: "no, two lists, such as two search results"},
        lambda c, answer: (c.inputs != "lists") is answer,
    ),
    _Question(
        "grades",
        "Are the grades of the documents known, and is it these that should agree?",
        {
            "items": "two rankings of the same documents, which have grades",
            "lists": "two lists of grades, it does not matter which documents they belong to",
            False: "no",
        },
        lambda c, answer: c.inputs in (("scores", "lists") if answer is False else (f"graded_{answer}",)),
    ),
    _Question(
        "gaps",
        "Do differences between scores (or levels of grades) matter beyond the order that they make?",
        {"both": "those of both sides", "reference": "those of the reference", False: "no"},
        lambda c, answer: c.gaps == ("none" if answer is False else answer),
    ),
    _Question(
        "ties",
        "What does a tie mean?",
        {
            "error": "there are none; one would be an error",
            "undecided": "the order is not known; the estimate should resolve what the reference orders",
            "ignored": "the order is not known; neither side must repeat the ties of the other",
            "equality": "the items are equally good",
            "values": "nothing special; equal scores enter the formula as they are",
        },
        lambda c, answer: c.ties == answer,
    ),
    _Question(
        "top_weighted",
        "Should the top of the ranking count more?",
        {True: "yes", False: "no"},
        lambda c, answer: c.top_weighted is answer,
    ),
    _Question(
        "threshold",
        "Are items tied if their scores differ by no more than a threshold?",
        {True: "yes, up to a threshold w", False: "no, only if their scores are the same"},
        lambda c, answer: c.thresholds or not answer,
    ),
)


def questions() -> str:
    """Return all questions with their answers, and the coefficients that each answer leaves."""
    lines = [
        "Which coefficient? Answer the questions in order. If an answer is still needed, it is asked for."
    ]
    left = [c for c in REGISTRY.values() if c.ties is not None]
    for question in _QUESTIONS:
        lines += ["", question.text]
        typed = {answer: option(question.name, answer) for answer in question.answers}
        width = max(map(len, typed.values()))
        for answer, meaning in question.answers.items():
            lines.append(f"  {typed[answer]:<{width}}  {meaning}")
            fitting = ", ".join(c.name for c in left if question.fits(c, answer))
            lines.append(f"  {'':<{width}}    {fitting}")
        if question.name in ("same_items", "grades", "gaps"):
            left = [c for c in left if question.fits(c, question.name == "same_items")]
    return "\n".join(lines)


@dataclass(frozen=True)
class Candidate:
    """A coefficient that fits the answers."""

    coefficient: Coefficient
    question: str


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Choice(Result[Candidate]):
    """The coefficients that fit, the best first, and how to call it; or the question that is still open."""

    function: ClassVar[str] = "choose"

    candidates: tuple[Candidate, ...] = records(Candidate, "Coefficients that fit")
    open: str = ""  # the question to answer next, if there is no coefficient yet: a parameter of `choose`
    call: str = ""

    @property
    def coefficient(self) -> Coefficient | None:
        """The coefficient that fits; None while a question is open."""
        return None if self.open else self.candidates[0].coefficient

    def __repr__(self) -> str:
        if self.coefficient is None:
            question = next(each for each in _QUESTIONS if each.name == self.open)
            typed = [option(question.name, answer) for answer in question.answers]
            answers = f"{', '.join(typed[:-1])} or {typed[-1]}"
            return f"{len(self.candidates)} coefficients fit.\nStill open: {question.text} {answers}"
        others = [str(each.coefficient) for each in self.candidates[1:]]
        lines = [f"{self.coefficient.name}: {self.coefficient.question}", self.call]
        return "\n".join([*lines, f"also: {', '.join(others)}"] if others else lines)


@public
def choose(
    *,
    same_items: bool | None = None,
    grades: Literal["items", "lists", False] | None = None,
    gaps: Literal["both", "reference", False] | None = None,
    ties: Literal["error", "undecided", "ignored", "equality", "values"] | None = None,
    top_weighted: bool | None = None,
    threshold: bool | None = None,
    symmetric: bool | None = None,
) -> Choice | None:
    """Choose a coefficient by what you want to know; without answers, print all questions.

    Parameters
    ----------
    same_items : bool
        Do both sides rank the same items? By default they do.
    grades : {"items", "lists", False}
        Are relevance grades known: of the items ranked, or as two lists of grades? By default they are not.
    gaps : {"both", "reference", False}
        Do differences between scores matter beyond the order: of both rankings, of the reference, or not?
    ties : {"error", "undecided", "ignored", "equality", "values"}
        What a tie means: an error, there are none; the order is not known, and the estimate should resolve
        it; the order is not known, and neither side must repeat the other's ties; the items are equally good;
        nothing special.
    top_weighted : bool
        Should the top of the ranking count more?
    threshold : bool
        Are items tied if their scores differ by no more than a threshold?
    symmetric : bool
        Is neither side the reference? Then the mean of both directions is taken where a coefficient has a
        direction.

    Returns
    -------
    Choice or None
        The coefficient, its alternatives and the call to make; if the answers do not settle it, the next
        question. None without answers, after printing all questions.

    References
    ----------
    .. [1] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, figure 3.1 and table 3.1.

    Examples
    --------
    >>> import concordant as cd
    >>> choice = cd.choose(ties="ignored", top_weighted=True, threshold=True)
    >>> choice.call, choice.coefficient.question
    ('cd.tau_ap_b(x, y, threshold=w)', 'how much do two rankings agree, above all at the top, ties ignored?')
    >>> cd.choose(ties="equality")
    2 coefficients fit.
    Still open: Should the top of the ranking count more? top_weighted=True or top_weighted=False
    """
    answers: dict[str, Any] = {
        "same_items": same_items,
        "grades": grades,
        "gaps": gaps,
        "ties": ties,
        "top_weighted": top_weighted,
        "threshold": threshold,
    }
    if symmetric is not None:
        one_of("symmetric", symmetric, (True, False))
    if symmetric is None and all(answer is None for answer in answers.values()):
        print(questions())  # noqa: T201 - asked for
        return None
    left = [c for c in REGISTRY.values() if c.ties is not None]
    if symmetric:
        left = [c for c in left if c.symmetric or "symmetric" in inspect.signature(c.function).parameters]
    open_question: _Question | None = None
    for question in _QUESTIONS:
        answer = answers[question.name]
        if answer is not None:
            one_of(question.name, answer, tuple(question.answers))
        elif question.name == "same_items":
            answer = True  # unless said otherwise
        elif question.name == "grades" or (question.name == "gaps" and grades is None):
            answer = False  # unless said otherwise
        if answer is not None:
            fitting = [c for c in left if question.fits(c, answer)]
            if not fitting:
                said = ", ".join(
                    option(name, value)
                    for name, value in {**answers, "symmetric": symmetric}.items()
                    if value is not None
                )
                raise ArgumentError(f"no coefficient fits {said}; change one of the answers")
            left = fitting
        elif open_question is None and question.name != "threshold":
            kinds = [[c for c in left if question.fits(c, each)] for each in question.answers]
            if sum(map(bool, kinds)) > 1:
                open_question = question
    candidates = tuple(Candidate(c, c.question) for c in left)
    given = {
        name: answer for name, answer in {**answers, "symmetric": symmetric}.items() if answer is not None
    }
    if open_question is not None:
        return Choice(candidates=candidates, open=open_question.name, options=given)
    return Choice(candidates=candidates, call=_call(left[0], bool(threshold), bool(symmetric)), options=given)


def _call(c: Coefficient, threshold: bool, symmetric: bool) -> str:
    names = inspect.signature(c.function).parameters
    arguments = [name for name, p in names.items() if p.kind is not p.KEYWORD_ONLY]
    arguments += ["threshold=w"] if threshold else []
    arguments += ["symmetric=True"] if symmetric and "symmetric" in names else []
    arguments += ["max_grade=m"] if "max_grade" in names else []
    return f"cd.{c.name}({', '.join(arguments)})"
