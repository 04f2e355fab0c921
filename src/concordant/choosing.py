"""Advice: which coefficient fits the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from concordant._inputs import one_of
from concordant._registry import Coefficient, get

__all__ = ["Choice", "choose"]

# Radja 2018, figure 3.1 and table 3.1 (where, what, when), extended by head, gaps and grades.
TREE = """\
Which coefficient? Answer from the top; what is left open and matters, choose(...) asks for.

grades   Are the grades of the documents known, and is it these that should agree?
         "items"     two rankings of the same documents, which have grades
                       head=False  tau_dw            head=True  tau_ap_dw (or tau_h_dw)
         "profiles"  two lists of grades, it does not matter which documents they are
                       head=False  tau_ac            head=True  tau_ap_ac (or tau_h_ac)
                     (tau_sc, tau_ap_sc, tau_h_sc: directions only, not levels)
         False       go on
gaps     Do differences between scores matter beyond the order they make?
         "both"      those of both sides    head=False  pearson_r   head=True  pearson_rank
         "reference" those of the truth     tau_gap (head=True)
         False       go on
what     What does a tie mean?
         "none"          there are no ties
                           head=False  tau (or spearman_rho)   head=True  tau_ap
         "indiscernible" the order is not known; then
           where  What are the two rankings?
                  "truth"      x is the truth, y an estimate of it: accuracy
                           head=False  tau_a         head=True  tau_ap_a
                  "observers"  neither is the truth: agreement
                           head=False  tau_b         head=True  tau_ap_b (or tau_h)
         "equal"         the items are equally good, whoever says so
                           head=False  tau_e         head=True  tau_ap_e
when     When are two items tied?
         "same"      when their scores are the same
         "threshold" when they differ by no more than a threshold: add threshold=w

For example: choose(where="truth", what="indiscernible", when="threshold", head=True)"""


@dataclass(frozen=True, repr=False)
class Choice:
    """The coefficient that fits, why, and how to call it; or the question that is left."""

    coefficient: Coefficient | None
    reason: str
    call: str
    question: str = ""  # what to answer next, if there is no coefficient yet

    def __repr__(self) -> str:
        if self.coefficient is None:
            return f"{self.reason}\nStill open: {self.question}"
        return f"{self.coefficient.name}: {self.reason}\n{self.call}"


def choose(
    *,
    where: Literal["truth", "observers"] | None = None,
    what: Literal["none", "indiscernible", "equal"] | None = None,
    when: Literal["same", "threshold"] | None = None,
    head: bool | None = None,
    gaps: Literal["both", "reference", False] | None = None,
    grades: Literal["items", "profiles", False] | None = None,
) -> Choice | None:
    """Choose a coefficient by what you want to know; without answers, print the tree of questions.

    Parameters
    ----------
    where : {"truth", "observers"}
        Is x the truth that y estimates, or are both by observers?
    what : {"none", "indiscernible", "equal"}
        What a tie means: there are none; the order is not known; the items are equally good.
    when : {"same", "threshold"}
        Are items tied if their scores are the same, or if they differ by no more than a threshold?
    head : bool
        Should the head of the ranking count more?
    gaps : {"both", "reference", False}
        Do differences between scores matter beyond the order: of both rankings, of the reference, or not?
    grades : {"items", "profiles", False}
        Are relevance grades known: of the items ranked, or as two lists of grades? By default they are not.

    Returns
    -------
    Choice or None
        The coefficient, the reason and the call to make; if the answers do not settle it, the next question. None
        without answers, after printing the tree.

    References
    ----------
    .. [1] Radja, "Dealing with ties in rank correlation", TU Delft, 2018, figure 3.1 and table 3.1.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.choose(where="truth", what="indiscernible", when="threshold", head=True)
    tau_ap_a: x is the truth and y an estimate; a tie is an order not known; the head counts more
    cd.tau_ap_a(x, y, threshold=w)
    >>> cd.choose(what="equal")
    A tie says that the items are equal.
    Still open: head: should the head of the ranking count more? True or False
    """
    answers: dict[str, Any] = {
        "where": where, "what": what, "when": when, "head": head, "gaps": gaps, "grades": grades,
    }  # fmt: skip
    if all(answer is None for answer in answers.values()):
        print(TREE)  # noqa: T201 - asked for
        return None
    allowed: dict[str, tuple[Any, ...]] = {
        "where": ("truth", "observers"),
        "what": ("none", "indiscernible", "equal"),
        "when": ("same", "threshold"),
        "head": (True, False),
        "gaps": ("both", "reference", False),
        "grades": ("items", "profiles", False),
    }
    for name, answer in answers.items():
        if answer is not None and answer not in allowed[name]:
            one_of("choose", name, answer, allowed[name])
    if grades and gaps:
        raise ValueError(
            "choose: no coefficient counts both gaps between scores and grades; answer one of the two"
        )
    if when == "threshold" and (grades or gaps or what == "none"):
        raise ValueError('choose: a threshold makes ties, so it needs what="indiscernible" or what="equal"')
    if grades:
        return _of_grades(grades, head)
    if gaps:
        return _of_gaps(gaps, head, where)
    return _of_ties(where, what, when, head)


_HEAD = "head: should the head of the ranking count more? True or False"
_HEAD_REASON = {True: "the head counts more", False: "all places count the same"}


def _found(name: str, *reasons: str, call: str = "") -> Choice:
    return Choice(get(name), "; ".join(reasons), call or f"cd.{name}(x, y)")


def _of_grades(grades: str, head: bool | None) -> Choice:
    if grades == "items":
        known = "a pair of documents counts by the distance of their grades"
        if head is None:
            return Choice(None, known.capitalize() + ".", "", _HEAD)
        name = "tau_ap_dw" if head else "tau_dw"
        return _found(name, known, _HEAD_REASON[head], call=f"cd.{name}(x, y, grades)")
    known = "the grades at the places of two lists are compared, whichever documents they belong to"
    if head is None:
        return Choice(None, known.capitalize() + ".", "", _HEAD)
    name = "tau_ap_ac" if head else "tau_ac"
    return _found(name, known, _HEAD_REASON[head], call=f"cd.{name}(x_grades, y_grades, max_grade=m)")


def _of_gaps(gaps: str, head: bool | None, where: str | None) -> Choice:
    arguments = "x, y, symmetric=True" if where == "observers" else "x, y"
    if gaps == "reference":
        if head is False:
            return Choice(
                None,
                "Gaps of the reference alone are counted by tau_gap only, which weights the head.",
                "",
                'head=True for tau_gap, or gaps="both" for pearson_r',
            )
        reason = "an exchange costs by the gap it has in x"
        return _found("tau_gap", reason, _HEAD_REASON[True], call=f"cd.tau_gap({arguments})")
    known = "the gaps of y are compared with those of x"
    if head is None:
        return Choice(None, known.capitalize() + ".", "", _HEAD)
    call = f"cd.pearson_rank({arguments})" if head else "cd.pearson_r(x, y)"
    return _found("pearson_rank" if head else "pearson_r", known, _HEAD_REASON[head], call=call)


def _of_ties(where: str | None, what: str | None, when: str | None, head: bool | None) -> Choice:
    if what is None:
        return Choice(
            None,
            "Without grades and gaps, it is the meaning of a tie that decides.",
            "",
            'what: what does a tie mean? "none" (there are no ties), "indiscernible" or "equal"',
        )
    said = {
        "none": "there are no ties",
        "indiscernible": "a tie is an order not known",
        "equal": "a tie says that the items are equal",
    }[what]
    reasons = [said]
    letter = {"none": "", "equal": "_e"}.get(what)
    if what == "indiscernible":
        if where is None:
            return Choice(
                None,
                said.capitalize() + ".",
                "",
                'where: is x the "truth" that y estimates, or are both by "observers"?',
            )
        letter = "_a" if where == "truth" else "_b"
        between = "x is the truth and y an estimate" if where == "truth" else "both rankings are by observers"
        reasons.insert(0, between)
    if head is None:
        return Choice(None, said.capitalize() + ".", "", _HEAD)
    reasons.append(_HEAD_REASON[head])
    name = f"tau{'_ap' if head else ''}{letter}"
    if what == "none":
        # AP correlation walks down one ranking; between observers, down each in turn.
        symmetric = ", symmetric=True" if head and where == "observers" else ""
        return _found(name, *reasons, call=f"cd.{name}(x, y{symmetric})")
    threshold = ", threshold=w" if when == "threshold" else ""
    return _found(name, *reasons, call=f"cd.{name}(x, y{threshold})")
