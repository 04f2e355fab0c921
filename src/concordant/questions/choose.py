"""Which coefficient fits: questions that are answered from what the coefficients declare."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import wrap
from typing import Any, ClassVar, Literal

from concordant.checks import one_of
from concordant.coefficients.declaration import REGISTRY, Coefficient, parameters
from concordant.errors import ArgumentError, TiesError, option, public
from concordant.questions.compare_runs import compare_runs
from concordant.results.note import Note, unique
from concordant.results.result import Result, records
from concordant.results.table import Grid
from concordant.results.words import count, listed, sentences
from concordant.study.study import study_of


@dataclass(frozen=True)
class Question:
    """A question, its answers in words, and which coefficients fit an answer.

    `changes` says for which coefficients the answer changes the call. `usual` is the default answer; None if
    there is none.
    """

    name: str
    text: str
    answers: dict[Any, str]
    fits: Callable[[Coefficient, Any], bool]
    changes: Callable[[Coefficient], bool] = lambda _: False
    usual: Any = None

    def offered(self, left: Sequence[Coefficient]) -> list[Any]:
        """Return the answers that leave a coefficient; empty if the answer makes no difference."""
        kinds = {each: [c for c in left if self.fits(c, each)] for each in self.answers}
        fitting = [each for each, found in kinds.items() if found]
        differ = any(kinds[each] != kinds[fitting[0]] for each in fitting) or any(map(self.changes, left))
        return fitting if len(fitting) > 1 and differ else []


# After Radja 2018, figure 3.1 and table 3.1 (where: symmetric; what: ties; when: threshold), extended by gaps
# and grades. Each question is asked only if its
# answer makes a difference among the coefficients that are left.
_INDISCERNIBLE = ("undecided", "ignored")  # if one side is the truth, and between observers
QUESTIONS = (
    Question(
        "symmetric",
        "Are both rankings made by observers, or is one of them the truth?",
        {
            True: "both are made by observers: how much do they agree?",
            False: "one is the truth, or stands for it: how accurate is the other?",
        },
        lambda c, answer: not answer or c.symmetric or "symmetric" in parameters(c.function),
        changes=lambda c: "symmetric" in parameters(c.function),
        usual=False,
    ),
    Question(
        "same_items",
        "Do both sides hold the same items?",
        {True: "yes, two rankings of the same items", False: "no, two lists, such as two search results"},
        lambda c, answer: (c.inputs != "lists") is answer,
        usual=True,
    ),
    Question(
        "grades",
        "Are the grades of the documents known, and should the grades agree?",
        {
            "items": "two rankings of the same documents, which have grades",
            "lists": "two lists of grades; it does not matter which documents they belong to",
            False: "no",
        },
        lambda c, answer: c.inputs in (("scores", "lists") if answer is False else (f"graded_{answer}",)),
        usual=False,
    ),
    Question(
        "gaps",
        "Do differences between scores (or levels of grades) matter, besides the order?",
        {"both": "those of both sides", "reference": "those of the reference", False: "no"},
        lambda c, answer: c.gaps == ("none" if answer is False else answer),
        usual=False,
    ),
    Question(
        "ties",
        "What does a tie mean?",
        {
            "error": "there are none; one would be an error",
            "indiscernible": "the order is not known: undecided if one side is the truth, ignored otherwise",
            "undecided": "the order is not known; the estimate should resolve what the reference orders",
            "ignored": "the order is not known; a side need not repeat the ties of the other",
            "equality": "the items are equally good",
            "values": "nothing special; equal scores enter the formula as they are",
        },
        lambda c, answer: c.ties in _INDISCERNIBLE if answer == "indiscernible" else c.ties == answer,
    ),
    Question(
        "top_weighted",
        "Should the top of the ranking count more?",
        {True: "yes", False: "no"},
        lambda c, answer: c.top_weighted is answer,
    ),
    Question(
        "threshold",
        "Are items tied if their scores differ by no more than a threshold?",
        {True: "yes, up to a threshold w", False: "no, only if their scores are the same"},
        lambda c, answer: c.thresholds or not answer,
        changes=lambda c: c.thresholds,
        usual=False,
    ),
)
_MOST_NAMES = 8  # in a sentence
_EXAMPLE = 0.05  # a threshold, to show how one is written


def questions() -> str:
    """Return all questions with their answers, and the coefficients that each answer leaves."""
    lines = ["Which coefficient? Answer in order; choose asks for what is missing."]
    left = [c for c in REGISTRY.values() if c.ties is not None]
    for question in QUESTIONS:
        lines += ["", question.text]
        typed = {answer: option(question.name, answer) for answer in question.answers}
        width = max(map(len, typed.values()))
        for answer, meaning in question.answers.items():
            fitting = ", ".join(c.name for c in left if question.fits(c, answer))
            beside = [*wrap(meaning, 76 - width), *(f"  {line}" for line in wrap(fitting, 74 - width))]
            lines += [
                f"  {word:<{width}}  {line}"
                for word, line in zip_longest([typed[answer]], beside, fillvalue="")
            ]
        if question.name in ("same_items", "grades", "gaps"):
            left = [c for c in left if question.fits(c, question.name == "same_items")]
    return "\n".join(lines)


def questions_left(answers: Mapping[str, Any]) -> Iterator[tuple[Question, list[Any]]]:
    """Yield the questions that matter one by one, each with the answers that leave a coefficient.

    The answers are read again before each question, so that the caller may add answers between questions.
    """
    for question in QUESTIONS:
        offered = question.offered(_fitting(answers))
        if offered and question.name not in answers:
            yield question, offered


def _fitting(answers: Mapping[str, Any]) -> list[Coefficient]:
    left = [c for c in REGISTRY.values() if c.ties is not None]
    if answers.get("ties") == "indiscernible" and answers.get("symmetric") is not None:
        answers = {**answers, "ties": _INDISCERNIBLE[answers["symmetric"]]}
    for question in QUESTIONS:
        if answers.get(question.name) is not None:
            left = [c for c in left if question.fits(c, answers[question.name])]
    return left


@dataclass(frozen=True)
class Declared:
    """What a coefficient declares.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    question : str
        The question that it answers.
    symmetric : bool
        Whether exchanging the two sides does not change the value.
    top_weighted : bool
        Whether the top of the ranking counts more.
    gaps : str
        The side or sides whose differences between scores count: none, reference or both.
    ties : str or None
        What a tie means: error, undecided, ignored, equality or values; None if it is not declared.
    threshold : bool
        Whether differences up to a threshold can be ties.
    inputs : str
        What it compares: scores, lists, graded_items or graded_lists.
    """

    coefficient: Coefficient
    question: str
    symmetric: bool
    top_weighted: bool
    gaps: str
    ties: str | None
    threshold: bool
    inputs: str


@dataclass(frozen=True)
class Alternative:
    """The value of a coefficient on the data, and the answer that leads to it.

    Attributes
    ----------
    coefficient : Coefficient
        The coefficient.
    measure : str
        The measure that was compared.
    value : float
        The value of the coefficient.
    other_answer : str or None
        The one answer to change to get this coefficient; None if it fits the answers.
    """

    coefficient: Coefficient
    measure: str
    value: float
    other_answer: str | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Choice(Result[Declared]):
    """The coefficients that fit, the best first; or the question that is still open.

    Attributes
    ----------
    candidates : tuple of Declared
        The coefficients that fit, the best first.
    alternatives : tuple of Alternative or None
        The values of the coefficients on the data, if data were given.
    open : str
        The question to answer next, as a parameter of `choose`; empty if there is a coefficient.
    call : str
        The call to make.

    Examples
    --------
    >>> import concordant as cd
    >>> choice = cd.choose(ties="ignored", top_weighted=False, threshold=False, gaps=False)
    >>> choice.coefficient, choice.expression
    (<coefficient tau_b>, 'tau_b')
    >>> choice.verdict
    ('tau_b fits: how much do two rankings agree, ties ignored?', 'gamma and somers_d fit too.')
    """

    function: ClassVar[str] = "choose"
    main: ClassVar[tuple[str, ...]] = ("alternatives",)

    candidates: tuple[Declared, ...] = records(Declared, "Coefficients that fit")
    alternatives: tuple[Alternative, ...] | None = records(
        Alternative, "What the alternatives give", spread=("measure", "value"), needs="data"
    )
    open: str = ""
    call: str = ""

    @property
    def coefficient(self) -> Coefficient | None:
        """The coefficient that fits; None while a question is open."""
        return None if self.open or not self.candidates else self.candidates[0].coefficient

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: the coefficient that fits, or the question that is still open."""
        names = [each.coefficient.name for each in self.candidates or ()]
        if self.candidates is None:
            return ()
        if self.coefficient is None:
            named = f": {listed(names)}" if len(names) <= _MOST_NAMES else ""
            still = f"Still open: {_asked(self.open).text}"
            return sentences([f"{len(names)} coefficients fit{named}", still])
        others = f"{listed(names[1:])} {'fits' if len(names) == 2 else 'fit'} too" if names[1:] else None
        return sentences([f"{names[0]} fits: {self.coefficient.question}", others])

    @property
    def expression(self) -> str:
        """The text form of the coefficient with its options, for -c; empty while a question is open."""
        return "" if self.coefficient is None else str(_bound(self.coefficient, self.options))

    def __repr__(self) -> str:
        return f"{self.next_step()}\n\n{self.to_text()}".rstrip("\n")

    def next_step(self) -> str:
        """Return the call to make, or the answers to choose from.

        Returns
        -------
        str
            One line.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.choose(ties="equality").next_step()
        'answer top_weighted=True or top_weighted=False'
        """
        if self.call:
            return self.call
        *typed, last = (option(self.open, answer) for answer in _asked(self.open).answers)
        return f"answer {', '.join(typed)} or {last}"


def _asked(name: str) -> Question:
    return next(each for each in QUESTIONS if each.name == name)


@public
def choose(
    reference: object = None,
    estimate: object = None,
    *,
    symmetric: bool | None = None,
    same_items: bool | None = None,
    grades: Literal["items", "lists", False] | None = None,
    gaps: Literal["both", "reference", False] | None = None,
    ties: Literal["error", "indiscernible", "undecided", "ignored", "equality", "values"] | None = None,
    top_weighted: bool | None = None,
    threshold: bool | None = None,
) -> Choice | None:
    """Choose a coefficient by what you want to know; without answers, print all questions.

    Parameters
    ----------
    reference, estimate : scores or runs, optional
        What to compare, to see whether the choice changes the number: scores as `Study` takes them; two runs
        as `compare_runs` takes them if the sides do not hold the same items. The reference alone may be a
        `Study`.
    symmetric : bool
        Are both rankings made by observers (True), or is one of them the truth (False)? Between observers, a
        coefficient that has a direction is the mean of both directions.
    same_items : bool, default True
        Do both sides rank the same items?
    grades : {"items", "lists", False}
        Are relevance grades known: grades of the ranked items, or two lists of grades? By default they are
        not known.
    gaps : {"both", "reference", False}
        Do differences between scores matter, besides the order: those of both rankings, those of the
        reference, or none?
    ties : {"error", "indiscernible", "undecided", "ignored", "equality", "values"}
        What does a tie mean? "error": there are none. "indiscernible": the order is not known, which is
        "undecided" if one side is the truth and "ignored" between observers. "undecided": the order is not
        known, and the estimate should resolve it. "ignored": the order is not known, and a side need not
        repeat the ties of the other. "equality": the items are equally good. "values": nothing special.
    top_weighted : bool
        Should the top of the ranking count more?
    threshold : bool
        Are items tied if their scores differ by no more than a threshold?

    Returns
    -------
    Choice or None
        The coefficient, its alternatives and the call to make; or the next question, if several coefficients
        are left. Without answers and data, all questions are printed, and None is returned.

    References
    ----------
    .. [1] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, figure 3.1 and table 3.1.

    Examples
    --------
    >>> import concordant as cd
    >>> choice = cd.choose(ties="ignored", top_weighted=True, threshold=True)
    >>> choice.call, choice.coefficient.question
    ('cd.tau_ap_b(x, y, threshold=w)', 'how much do two rankings agree, above all at the top, ties ignored?')
    >>> cd.choose(ties="equality").open  # the question to answer next
    'top_weighted'
    """
    answers: dict[str, Any] = {}
    given = (symmetric, same_items, grades, gaps, ties, top_weighted, threshold)
    for question, answer in zip(QUESTIONS, given, strict=True):
        if answer is not None:
            one_of(question.name, answer, tuple(question.answers))
            answers[question.name] = answer
    if not answers and reference is None:
        print(questions())  # noqa: T201 - asked for
        return None
    answers = answers or {"same_items": True}
    meant = {each.name: each.usual for each in QUESTIONS[1:4] if each.name not in answers} | answers
    if grades is not None and gaps is None:
        del meant["gaps"]  # lists of grades have levels, and the user must say whether levels matter
    left = _fitting(meant)
    if not left:
        said = ", ".join(option(name, value) for name, value in answers.items())
        raise ArgumentError(f"no coefficient fits {said}; change one of the answers")
    still = [each.name for each, _ in questions_left(meant) if each.name not in ("threshold", "symmetric")]
    still = ["symmetric"] if ties == "indiscernible" and symmetric is None else still
    choice = Choice(
        candidates=tuple(map(_declared, left)),
        open=still[0] if still else "",
        call="" if still else _call(left[0], bool(threshold), bool(symmetric)),
        options=answers,
    )
    return choice if reference is None else _on_data(choice, reference, estimate)


def alternatives(choice: Choice) -> list[tuple[Coefficient, str | None]]:
    """Return the coefficients to compare, each with the answer that leads to it.

    The first is the advised coefficient. The others follow if one answer is changed. While a question is
    open, all coefficients that fit are returned.
    """
    if choice.coefficient is None:
        return [(each.coefficient, None) for each in choice.candidates]
    found: dict[str, tuple[Coefficient, str | None]] = {}
    for answers, said in ((choice.options, None), *_changed(choice.options)):
        fitting = _fitting(answers)
        if fitting and fitting[0].inputs == choice.coefficient.inputs:
            bound = _bound(fitting[0], answers)
            found.setdefault(str(bound), (bound, said))
    return list(found.values())


def _changed(answers: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the answers with one of them changed, and that changed answer."""
    meant = {**{each.name: each.usual for each in QUESTIONS if each.usual is not None}, **answers}
    for question in QUESTIONS:
        for answer in question.answers:
            if answer != meant.get(question.name):
                yield meant | {question.name: answer}, option(question.name, answer)


def _bound(c: Coefficient, answers: Mapping[str, Any]) -> Coefficient:
    """Return a coefficient with the options that the answers ask for; lists have one threshold for all."""
    options: dict[str, Any] = {}
    if answers.get("threshold") and c.inputs != "lists":
        options["threshold"] = _EXAMPLE
    if answers.get("symmetric") and "symmetric" in parameters(c.function):
        options["symmetric"] = True
    return replace(c, options=tuple(options.items()))


def _call(c: Coefficient, threshold: bool, symmetric: bool) -> str:
    names = inspect.signature(c.function).parameters
    arguments = [name for name, p in names.items() if p.kind is not p.KEYWORD_ONLY]
    arguments += ["threshold=w"] if threshold else []
    arguments += ["symmetric=True"] if symmetric and "symmetric" in names else []
    arguments += ["max_grade=m"] if "max_grade" in names else []
    return f"cd.{c.name}({', '.join(arguments)})"


def _on_data(choice: Choice, reference: Any, estimate: Any) -> Choice:
    """Add the values of the coefficient and its alternatives to a choice."""
    inputs, found, asked = choice.candidates[0].coefficient.inputs, [], alternatives(choice)
    if inputs.startswith("graded"):
        raise ArgumentError("coefficients of grades take more than two sides; leave the data out")
    study = None if inputs == "lists" else study_of(reference, estimate)
    notes = [] if study is None else list(study.notes)
    for c, answer in asked:
        if study is None:
            result = compare_runs([reference, estimate], c, confidence_level=None, n_worst=0)
            mean = result.pairs[0].mean
            found.append(Alternative(c, "mean over topics", math.nan if mean is None else mean, answer))
            notes += result.notes
        for pairing in study.pairings if study is not None else ():
            try:
                (outcome,) = pairing.of_means([c])
                value, reason = float(outcome.values[0]), outcome.reason_of_systems
            except TiesError as error:  # of one measure; others may have no ties
                value, reason = math.nan, error.text
            if reason:
                text = f"{c} is undefined: {reason}"
                notes.append(Note("undefined", text=text, subject=pairing.subject, lost=True))
            found.append(Alternative(c, str(pairing.measures), value, answer))
    return replace(choice, alternatives=tuple(found), notes=unique(notes))


_WRITE = "Write name, or name(0.05)@10 with threshold and top"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Listing(Result[Declared]):
    """All registered coefficients.

    Attributes
    ----------
    coefficients : tuple of Declared
        The coefficients and what they declare.
    """

    function: ClassVar[str] = "list"

    coefficients: tuple[Declared, ...] = records(Declared, "Coefficients")

    @property
    def verdict(self) -> tuple[str, ...]:
        """The answer in words: how many coefficients there are."""
        return sentences([f"There are {count(len(self.coefficients), 'coefficient')}", _WRITE])

    def answer(self) -> Grid:
        """Return a line for each coefficient, under what it compares; the table has their questions too."""
        grid, kinds = super().answer(), [each.inputs.replace("_", " ") for each in self.coefficients]
        shown = [k for k, head in enumerate(grid.header) if str(head) not in ("question", "inputs")]
        rows = [[row[k] for k in shown] for row in grid.rows]
        starts = {k: f"of {kind}" for k, kind in enumerate(kinds) if kind not in kinds[max(0, k - 1) : k]}
        return replace(grid, header=[grid.header[k] for k in shown], rows=rows, sections=starts)


def listing() -> Listing:
    """Return all coefficients that are registered."""
    return Listing(coefficients=tuple(map(_declared, REGISTRY.values())))


def _declared(c: Coefficient) -> Declared:
    return Declared(c, c.question, c.symmetric, c.top_weighted, c.gaps, c.ties, c.thresholds, c.inputs)
