"""A remark about a result, for people. No code reads one: what code needs is a field of a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from concordant.errors import visible
from concordant.results.words import count, few


@dataclass(frozen=True)
class Note:
    """A remark about a result.

    Attributes
    ----------
    kind : str
        The kind of remark, a word for programs.
    text : str
        The sentence, without the subject and a full stop.
    values : mapping
        The numbers and names in the sentence.
    subject : str
        What it is about: an estimate, a file, a coefficient. It may be empty.
    lost : bool
        Whether something is unusual or was lost, so that the short answer shows the remark too.
    table : str
        The table that it explains, with which it is shown; empty for the whole result.

    Examples
    --------
    >>> import concordant as cd
    >>> note = cd.results.Note("dropped", text="dropped 1 system: rm3", values={"systems": ("rm3",)})
    >>> str(note), str(note.about("gpt"))
    ('dropped 1 system: rm3', 'gpt: dropped 1 system: rm3')
    >>> sorted(note.to_dict())
    ['kind', 'lost', 'subject', 'table', 'text', 'values']
    """

    kind: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    lost: bool = False
    table: str = ""

    def __str__(self) -> str:
        """Return the sentence."""
        return visible(f"{self.subject}: {self.text}" if self.subject else self.text)

    def __hash__(self) -> int:
        """Agree with equality; values may be lists."""
        return hash((self.kind, self.subject))

    def about(self, subject: str) -> Note:
        """Return the same remark about something larger.

        Parameters
        ----------
        subject : str
            The name to put before the subject.

        Returns
        -------
        Note
            The remark, with the new subject before its own.
        """
        return replace(self, subject=f"{subject}: {self.subject}" if self.subject else subject)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name.

        Returns
        -------
        dict
            The keys are kind, subject, values, text, lost and table.
        """
        names = {"kind": self.kind, "subject": self.subject, "values": dict(self.values), "text": self.text}
        return {**names, "lost": self.lost, "table": self.table}


def sizes_of_pairs(what: str, sizes: Iterable[int]) -> Note:
    """Return the note that each pair is compared on the systems, or topics, that both have."""
    found = list(sizes)
    least, most = min(found), max(found)
    many = count(most, what.removesuffix("s")) if least == most else f"from {least} to {most} {what}"
    text = f"the sides have different {what}; each pair is compared on the {what} that both have, {many}"
    if what == "topics" and least == 0:
        text += "; pairs without common topics use the mean over each side's own topics"
    if what == "systems" and least < most / 2:
        text += "; values of such different numbers of systems are hard to compare"
    return Note(f"{what}_of_pairs", text=text, values={"least": least, "most": most}, lost=True)


BY_STUDENTS_T = Note(
    "intervals_of_means_of_topics", text="the interval of the mean over topics is by Student's t"
)


def told_once(notes: Iterable[Note]) -> list[str]:
    """Return the sentences; what is true of several subjects is told once.

    Examples
    --------
    >>> told_once([Note("x", "1 topic is missing", subject=name) for name in ("gpt", "llama")])
    ['gpt and llama: 1 topic is missing']
    """
    subjects: dict[str, list[str]] = {}
    for note in notes:
        subjects.setdefault(note.text, []).append(note.subject)
    about = ((text, few(list(dict.fromkeys(filter(None, of))), "cases", 8)) for text, of in subjects.items())
    return [visible(f"{of}: {text}" if of else text) for text, of in about]


def unique(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes in their order, without repetitions."""
    return tuple(dict.fromkeys(notes))
