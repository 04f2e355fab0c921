"""A study: a reference and its estimates, aligned once, with paired measures."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import cast, get_args

from concordant.checks import is_real, one_of
from concordant.errors import ArgumentError, ArgumentTypeError, public
from concordant.reading.from_memory import ScoresLike, readings_of
from concordant.reading.header_words import is_column
from concordant.reading.readings import decided, in_one_direction
from concordant.results.note import Note
from concordant.results.words import some
from concordant.scores.scores import Scores
from concordant.study.align import aligned, common_topics
from concordant.study.names import matched
from concordant.study.pairing import Measured, Pairing
from concordant.typing import Match, OnMissing, Topics

REFERENCE = "reference"
_NO_NAME = "score"  # the measure of scores that have no name


class Study:
    """A reference and its estimates, aligned: the same systems in the same order, and paired measures.

    Parameters
    ----------
    reference : Scores, or what `Scores.from_data` takes
        The scores of the reference.
    estimates : mapping of name to Scores, or to what `Scores.from_data` takes
        The scores of the estimates. A single estimate may be given without a name; it is called "estimate".
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only. "error" refuses them; "drop" keeps what
        all sides have in common; "zero" counts them as 0. By default, a system that is on one side only is an
        error; topics may differ, see `topics`; and a missing score of a system counts as 0, as in
        ``trec_eval -c``, unless the smallest score is the best. In tables without topics, a system without a
        score is left out.
    topics : {"common", "own"}, default "common"
        With "common", each estimate is compared with the reference on the topics that both have. With "own",
        each mean is over the topics of its own side, for instance to compare a ranking by half of the topics
        with one by all. If the sides have no topic in common, "own" is used.
    match : {"exact", "loose"}, default "exact"
        With "loose", names of systems are the same if they differ only in case, spaces, hyphens, underscores
        or Unicode form.
    rename : mapping, optional
        Other names for systems: ``{old: new}``.

    Attributes
    ----------
    reference : Scores
        The scores of the reference.
    estimates : dict of str to Scores
        The scores of the estimates by name.
    dropped_systems, dropped_topics : tuple of str
        The systems and topics that were dropped.
    notes : tuple of Note
        Remarks on what was dropped, filled or tied.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}, "q2": {"bm25": 0.4, "dense": 0.3, "rm3": 0.3}}
    >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}, "q2": {"bm25": 0.5, "dense": 0.7}}
    >>> cd.Study(human, {"llm": llm}, on_missing="drop")
    2 systems on 2 topics, 1 estimate
    - reference: a mapping {topic: {system: score}}: 3 systems, 2 topics
    - llm: a mapping {topic: {system: score}}: 2 systems, 2 topics
    - dropped 1 system that not all sides have: rm3
    >>> study = cd.Study(human, {"llm": llm}, on_missing="drop")
    >>> study.systems, list(study.sides), len(study.pairings), len(study.all_notes)
    (('bm25', 'dense'), ['reference', 'llm'], 1, 3)
    """

    notes: tuple[Note, ...]
    topics: Topics

    @public("Study")
    def __init__(
        self,
        reference: ScoresLike,
        estimates: Mapping[str, ScoresLike] | ScoresLike,
        *,
        on_missing: OnMissing | None = None,
        topics: Topics = "common",
        match: Match = "exact",
        rename: Mapping[str, str] | None = None,
    ) -> None:
        if on_missing is not None:
            one_of("on_missing", on_missing, get_args(OnMissing))
        one_of("topics", topics, get_args(Topics))
        one_of("match", match, get_args(Match))
        self.topics = topics
        sides = {REFERENCE: reference, **_by_name(estimates)}
        chosen = decided([readings_of(each) for each in sides.values()])
        found = {name: reading.scores() for name, reading in zip(sides, chosen, strict=True)}
        _refuse_topics_for_names(estimates, found[REFERENCE].topics)
        self._align(_one_measure(matched(in_one_direction(found), match, rename)), on_missing)

    @classmethod
    def of_sides(cls, sides: Mapping[str, Scores], on_missing: OnMissing | None = None) -> Study:
        """Align several sides without a reference; the first takes its place.

        Parameters
        ----------
        sides : mapping of str to Scores
            The scores of each side by name.
        on_missing : {"error", "drop", "zero"}, optional
            As in `Study`.

        Returns
        -------
        Study
            The aligned study.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}}
        >>> sides = {"human": cd.Scores.from_data(human), "llm": cd.Scores.from_data(llm)}
        >>> cd.Study.of_sides(sides).systems
        ('bm25', 'dense')
        """
        found = cls.__new__(cls)
        found.topics = "common"
        first, *others = sides
        found._align({REFERENCE: sides[first], **{name: sides[name] for name in others}}, on_missing)
        found.notes = tuple(note.called(REFERENCE, first) for note in found.notes)
        return found

    def _align(self, sides: dict[str, Scores], on_missing: OnMissing | None) -> None:
        found = aligned(sides, on_missing, self.topics)
        self._hold(found.sides, found.dropped_systems, found.dropped_topics, found.notes)
        self.notes = (*self.notes, *self._ties())

    def _hold(
        self,
        sides: dict[str, Scores],
        systems: tuple[str, ...],
        topics: tuple[str, ...],
        notes: Sequence[Note],
    ) -> None:
        sides = dict(sides)
        self.reference = sides.pop(REFERENCE)
        self.estimates = sides
        self.dropped_systems, self.dropped_topics = systems, topics
        measured = {
            name: {measure: Measured(scores, measure) for measure in scores.measures}
            for name, scores in {REFERENCE: self.reference, **sides}.items()
        }
        self.measured = measured
        self._on_topics: dict[tuple[str, tuple[str, ...]], Measured] = {}
        self.notes = tuple(notes)

    @functools.cached_property
    def _paired(self) -> tuple[tuple[Pairing, ...], tuple[Note, ...]]:
        pairings, notes = [], []
        for name, scores in self.estimates.items():
            pairs, left_out = _paired_measures(name, self.reference.measures, scores.measures)
            notes += (
                [Note("measures_left_out", subject=name, values={"measures": left_out})] if left_out else []
            )
            pairings += [self._pair(name, m, n) for m, n in pairs]
        return tuple(pairings), tuple(notes)

    def _pair(self, name: str, measure: str, estimate_measure: str) -> Pairing:
        pairing = Pairing(name, self.measured[REFERENCE][measure], self.measured[name][estimate_measure])
        common = tuple(pairing.common_topics()) if self.topics == "common" else ()
        if not common:
            return pairing
        # Estimates with the same topics share the means of the reference.
        shared = self._on_topics.setdefault((measure, common), pairing.reference.on(common))
        return Pairing(name, shared, pairing.estimate.on(common))

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Each estimate by each measure.

        A measure is compared with the measure of the same name on the other side. If a side has only one
        measure, that measure is compared with each of the other side.
        """
        return self._paired[0]

    def pairing(self, name: str, measure: str | tuple[str, str] | None = None) -> Pairing:
        """Return one estimate by one measure.

        Parameters
        ----------
        name : str
            The name of the estimate.
        measure : str or pair of str, optional
            The measure; or that of the reference and that of the estimate. It need not be given if there is
            only one.

        Returns
        -------
        Pairing
            The estimate against the reference.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}}
        >>> cd.Study(human, {"llm": llm}).pairing("llm").topics
        ('q1',)
        """
        several = measure is not None and not isinstance(measure, str)
        if several and (not isinstance(measure, tuple | list) or len(measure) != 2):
            raise ArgumentError(
                f"measure must be a name, or a pair of names for reference and estimate, got {measure!r}"
            )
        first, second = (measure, measure) if measure is None or isinstance(measure, str) else measure
        own, other = self.reference.one_measure(first)[0], self.estimates[name].one_measure(second)[0]
        return self._pair(name, own, other)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes, with those about measures that were left out."""
        return (*self.notes, *self._paired[1])

    def _ties(self) -> list[Note]:
        found = []
        for name, by_measure in self.measured.items():
            for measure, side in by_measure.items():
                means = side.mean
                if means.n_tied:
                    values = {
                        "tied": means.n_tied,
                        "systems": len(means),
                        "measure": measure,
                        "by_rounding": means.n_tied_by_rounding,
                    }
                    found.append(Note("ties_in_means", subject=name, values=values))
        return found

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that all sides have."""
        return self.reference.systems

    @property
    def sides(self) -> dict[str, Scores]:
        """The reference and the estimates by name."""
        return {REFERENCE: self.reference, **self.estimates}

    def on_common_topics(self) -> Study:
        """Return the study on the topics that all sides have.

        Returns
        -------
        Study
            The study on these topics, with a note about the topics that were left out.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}}
        >>> cd.Study(human, {"llm": llm}).on_common_topics().reference.topics
        ('q1',)
        """
        sides = self.sides
        kept = common_topics(list(sides.values()))
        if not kept:
            raise ArgumentError("the sides have no topic in common; are the topics named the same?")
        every = dict.fromkeys(topic for side in sides.values() for topic in side.topics)
        left_out = tuple(topic for topic in every if topic not in set(kept))
        if not left_out:
            return self
        notes = [note for note in self.notes if note.kind not in ("topics_differ", "ties_in_means")]
        notes.append(Note("topics_not_in_common", values={"topics": left_out}))
        found = Study.__new__(Study)
        found.topics = self.topics
        found._hold(
            {name: side.select(topics=kept) for name, side in sides.items()},
            self.dropped_systems,
            (*self.dropped_topics, *left_out),
            notes,
        )
        found.notes = (*found.notes, *found._ties())
        return found

    def __repr__(self) -> str:
        n = len(self.estimates)
        kept = (
            f"{len(self.systems)} systems on {len(self.reference.topics)} topics, "
            f"{n} estimate{'s' if n > 1 else ''}"
        )
        return "\n".join([kept, *(f"- {note}" for note in self.notes)])


def _by_name(estimates: Mapping[str, ScoresLike] | ScoresLike) -> dict[str, ScoresLike]:
    """Return the estimates by name; one alone is called "estimate"."""
    if not isinstance(estimates, Mapping):
        if isinstance(estimates, list | tuple) and any(
            isinstance(each, Scores | str | PathLike) for each in estimates
        ):
            raise ArgumentTypeError("give several estimates by name, such as {'gpt': scores}, not as a list")
        return {"estimate": estimates}
    if not estimates:
        raise ArgumentError("there are no estimates; give at least one")
    if all(is_real(each) for each in estimates.values()):  # a mean for each system
        return {"estimate": estimates}
    if REFERENCE in estimates:
        raise ArgumentError(f"an estimate cannot be called {REFERENCE!r}; choose another name")
    return {str(name): cast("ScoresLike", each) for name, each in estimates.items()}


def _one_measure(sides: dict[str, Scores]) -> dict[str, Scores]:
    """Call the measure "score" on all sides if it has no name on any.

    It has no name if it is called like the file, or by a word such as "value".
    """
    nameless = all(len(side.measures) == 1 and _has_no_name(side) for side in sides.values())
    if not nameless or len({side.measures for side in sides.values()}) == 1:
        return sides
    return {name: side.with_measures([_NO_NAME]) for name, side in sides.items()}


def _has_no_name(side: Scores) -> bool:
    read = [note.values.get("named", True) for note in side.notes if note.kind == "read_as"]
    return is_column(side.measures[0], "value") or (bool(read) and not any(read))


def _refuse_topics_for_names(estimates: Mapping[str, ScoresLike] | ScoresLike, topics: Sequence[str]) -> None:
    """Refuse ``{topic: {system: score}}`` in place of estimates by name."""
    if not isinstance(estimates, Mapping):
        return
    flat = all(isinstance(each, Mapping) and all(map(is_real, each.values())) for each in estimates.values())
    if flat and set(map(str, estimates)) & set(topics):
        raise ArgumentTypeError(
            "the estimates have the topics of the reference for names; give them by name, such as "
            "{'gpt': {topic: {system: score}}}"
        )


def _paired_measures(
    name: str, reference: Sequence[str], estimate: Sequence[str]
) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """Return the measures to compare, and those left out.

    These are the measures in common. If there are none, and one side has only one measure, that measure is
    compared with each measure of the other side.
    """
    common = [measure for measure in reference if measure in estimate]
    if common:
        others = tuple(m for m in dict.fromkeys((*reference, *estimate)) if m not in common)
        return [(measure, measure) for measure in common], others
    if len(reference) == 1 or len(estimate) == 1:
        return [(m, n) for m in reference for n in estimate], ()
    raise ArgumentError(
        f"{name} and the reference have no measure in common: {some(estimate)} against {some(reference)}; "
        "choose one on each side"
    )


def study_of(
    reference: Study | ScoresLike,
    estimates: Mapping[str, ScoresLike] | ScoresLike | None,
    on_missing: OnMissing | None = None,
    topics: Topics = "common",
) -> Study:
    """Return the study that was given, or make one."""
    if isinstance(reference, Study):
        if estimates is not None or on_missing is not None or topics != "common":
            raise ArgumentTypeError("a Study has its estimates already; give it alone")
        return reference
    if estimates is None:
        raise ArgumentTypeError("there are no estimates; give at least one, by name")
    return Study(reference, estimates, on_missing=on_missing, topics=topics)
