"""A study: a reference and its estimates, aligned once, with paired measures."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast, get_args

from concordant.checks import is_real, one_of
from concordant.errors import ArgumentError, ArgumentTypeError, option, public
from concordant.reading.files import are_files, is_file_like, names_of
from concordant.reading.from_memory import ScoresLike
from concordant.reading.header_words import is_word
from concordant.reading.read_scores import read_tables
from concordant.reading.readings import in_one_direction
from concordant.results.note import Note
from concordant.results.words import count, some
from concordant.scores.means import Means
from concordant.scores.scores import ALL, Scores
from concordant.study.align import aligned, common_topics, differing_topics, selected
from concordant.study.names import Patterns, about_judges, filtered, matched, measures_alike, with_measures
from concordant.study.pairing import Measured, Pairing
from concordant.typing import Match, OnMissing, Topics

REFERENCE = "reference"
_NO_NAME = "score"  # the measure of scores that have no name


class Study:
    """A reference and its estimates, aligned: the same systems in the same order, and paired measures.

    Parameters
    ----------
    reference : Scores, or what `read_scores` takes
        The scores of the reference.
    estimates : mapping of name to Scores, or to what `read_scores` takes
        The scores of the estimates. A single estimate may be given without a name: a file has its own name,
        anything else is called "estimate". A list of files is several estimates.
    measures : list of str, or "all", optional
        The measures to compare, by their names in the data, in trec_eval or in ir_measures. A side with one
        measure need not have all of them. By default the measures that both sides have are compared, or the
        only one of a side with each of the other side. With "all", each measure of the reference is compared
        with each measure of each estimate.
    reference_measures, estimate_measures : list of str, optional
        The measures of the reference, and those of the estimates, if they have other names: each of the first
        is compared with each of the second. Without one of the two, all measures of that side are.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only. "error" refuses them; "drop" keeps what
        all sides have in common; "zero" sets them to 0. By default, a system that is on one side only is an
        error; topics may differ, see `topics`; and a missing score of a system is set to 0, as in
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
    include, exclude : str or list of str, optional
        The systems to keep, and those to leave out, after renaming: names, or patterns such as ``"bm25*"``. A
        pattern that matches nothing is an error.
    include_topics, exclude_topics : str or list of str, optional
        The topics to keep, and those to leave out.
    judges : list of dict, optional
        What to tell of estimates: ``[{"name": ..., "category": ..., "colour": ...}]``. The result holds it
        among its options, for figures. A colour is ``#rrggbb`` or a name of CSS.
    dataset : str, optional
        The name of the data, such as that of a test collection. It is one of the options of the results of
        `judge` and `correlate`, and in each line of their `to_jsonl`, so that the lines of several data sets
        can be put together.

    Attributes
    ----------
    reference : Scores
        The scores of the reference.
    estimates : dict of str to Scores
        The scores of the estimates by name.
    dropped_systems, dropped_topics : tuple of str
        The systems and topics that were dropped, or left out by name.
    topics_left_out : tuple of str
        Those of the dropped topics that were left out by name.
    options : dict of str to Any
        The name of the data, and what was told of the estimates, if they were given.
    alignment_notes : tuple of Note
        Remarks on how the sides were read, and on what was renamed, dropped or set to 0.

    Examples
    --------
    >>> import concordant as cd
    >>> human = {"q1": {"bm25": 0.2, "dense": 0.5, "rm3": 0.3}, "q2": {"bm25": 0.4, "dense": 0.3, "rm3": 0.3}}
    >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}, "q2": {"bm25": 0.5, "dense": 0.7}}
    >>> cd.Study(human, {"llm": llm}, on_missing="drop")
    2 systems on 2 topics, 1 estimate
    - reference: a mapping {topic: {system: score}}: 3 systems, 2 topics
    - llm: a mapping {topic: {system: score}}: 2 systems, 2 topics
    - dropped 1 system that is missing on at least one side: rm3
    >>> study = cd.Study(human, {"llm": llm}, on_missing="drop")
    >>> study.systems, list(study.sides), len(study.pairings), len(study.notes)
    (('bm25', 'dense'), ['reference', 'llm'], 1, 3)
    >>> study.reference_name, study.reference.systems, list(study.estimates), study.tie_notes
    ('reference', ('bm25', 'dense'), ['llm'], ())
    >>> study.measured["llm"]["score"].mean["dense"]
    0.65
    """

    @public("Study")
    def __init__(
        self,
        reference: ScoresLike,
        estimates: Mapping[str, ScoresLike] | ScoresLike,
        *,
        measures: Iterable[str] | None = None,
        reference_measures: Iterable[str] | None = None,
        estimate_measures: Iterable[str] | None = None,
        on_missing: OnMissing | None = None,
        topics: Topics = "common",
        match: Match = "exact",
        rename: Mapping[str, str] | None = None,
        include: Patterns = None,
        exclude: Patterns = None,
        include_topics: Patterns = None,
        exclude_topics: Patterns = None,
        judges: Iterable[Mapping[str, Any]] = (),
        dataset: str | None = None,
    ) -> None:
        self.options: dict[str, Any] = {} if dataset is None else {"dataset": dataset}
        found = read_tables({REFERENCE: reference, **_by_name(reference, estimates)})
        _refuse_topics_for_names(estimates, found[REFERENCE].topics)
        self._align(
            found,
            measures,
            reference_measures,
            estimate_measures,
            on_missing=on_missing,
            topics=topics,
            match=match,
            rename=rename,
            include=include,
            exclude=exclude,
            include_topics=include_topics,
            exclude_topics=exclude_topics,
        )
        if about := about_judges(judges, list(self.estimates)):
            self.options["judges"] = about

    @classmethod
    @public("Study")
    def of_sides(cls, sides: Mapping[str, ScoresLike], **options: Any) -> Study:
        """Align several sides without a reference; the first takes its place under its own name.

        Parameters
        ----------
        sides : mapping of str to Scores, or to what `read_scores` takes
            The scores of each side by name.
        **options
            The options of `Study`, such as measures, on_missing, rename and exclude.

        Returns
        -------
        Study
            The aligned study.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}}
        >>> list(cd.Study.of_sides({"human": human, "llm": llm}).sides)
        ['human', 'llm']
        """
        found = cls.__new__(cls)
        found.options = {}
        found._align(read_tables(sides), **options)
        return found

    def _align(
        self,
        sides: dict[str, Scores],
        measures: Iterable[str] | None = None,
        reference_measures: Iterable[str] | None = None,
        estimate_measures: Iterable[str] | None = None,
        *,
        on_missing: OnMissing | None = None,
        topics: Topics = "common",
        match: Match = "exact",
        rename: Mapping[str, str] | None = None,
        include: Patterns = None,
        exclude: Patterns = None,
        include_topics: Patterns = None,
        exclude_topics: Patterns = None,
    ) -> None:
        if on_missing is not None:
            one_of("on_missing", on_missing, get_args(OnMissing))
        one_of("topics", topics, get_args(Topics))
        one_of("match", match, get_args(Match))
        both, own, others = map(_listed, (measures, reference_measures, estimate_measures))
        self._each_with_each = bool(own or others) or both == [ALL]
        if both and (own or others):
            raise ArgumentError(
                f"give {option('measures')}, which both sides have, or {option('reference_measures')} and "
                f"{option('estimate_measures')}, not all of them"
            )
        if both and both != [ALL]:
            sides = with_measures(sides, both)
        for place, (name, side) in enumerate(sides.items()):
            if wanted := others if place else own:
                sides = {**sides, **with_measures({name: side}, wanted)}
        alike = sides if self._each_with_each else measures_alike(sides)
        chosen: list[Note] = []
        sides = matched(alike, match, rename)
        sides, no_systems = filtered(sides, "system", chosen, include=include, exclude=exclude)
        of_topics = {"include_topics": include_topics, "exclude_topics": exclude_topics}
        sides, no_topics = filtered(sides, "topic", chosen, **of_topics)
        sides = _one_measure(in_one_direction(sides))
        self.topics_of_pairs: Topics = topics
        notes = [*(note.about(name) for name, side in sides.items() for note in side.notes), *chosen]
        self.sides, dropped_systems, dropped_topics = aligned(sides, on_missing, topics, notes)
        self.dropped_systems = (*no_systems, *dropped_systems)
        self.dropped_topics = (*no_topics, *dropped_topics)
        self.alignment_notes, self.topics_left_out = tuple(notes), no_topics

    @functools.cached_property
    def measured(self) -> dict[str, dict[str, Measured]]:
        """For each side its scores by each measure."""
        return {name: {m: Measured(side, m) for m in side.measures} for name, side in self.sides.items()}

    @functools.cached_property
    def _on_topics(self) -> dict[tuple[str, tuple[str, ...]], Measured]:
        return {}

    @property
    def reference_name(self) -> str:
        """The name of the reference; "reference", unless the study was made of sides."""
        return next(iter(self.sides))

    @property
    def reference(self) -> Scores:
        """The scores of the reference."""
        return self.sides[self.reference_name]

    @property
    def estimates(self) -> dict[str, Scores]:
        """The scores of the estimates by name."""
        return {name: side for name, side in self.sides.items() if name != self.reference_name}

    @functools.cached_property
    def _paired_measures(self) -> dict[str, list[tuple[str, str]]]:
        """For each estimate the measures to compare: those in common, or each with each of the other side."""
        own = self.reference.measures
        found = {}
        for name, side in self.estimates.items():
            each = self._each_with_each
            common = [(measure, measure) for measure in own if measure in side.measures and not each]
            one = each or len(own) == 1 or len(side.measures) == 1
            found[name] = common or ([(m, n) for m in own for n in side.measures] if one else [])
        return found

    @functools.cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """Each estimate by each measure.

        A measure is compared with the measure of the same name on the other side. If a side has only one
        measure, or the measures of each side were chosen, each is compared with each of the other side.
        """
        found: list[Pairing] = []
        for name, pairs in self._paired_measures.items():
            if not pairs:
                own, others = self.reference.measures, self.sides[name].measures
                each = f"the reference has {some(own)}, {name} has {some(others)}"
                one = f"{option('reference_measures', own[0])} {option('estimate_measures', others[0])}"
                every = f"compare all with all by {option('measures', ALL)}"
                raise ArgumentError(f"no measure in common: {each}; choose some, such as {one}, or {every}")
            found += [self._pair(name, *measures) for measures in pairs]
        return tuple(found)

    def _pair(self, name: str, measure: str, estimate_measure: str) -> Pairing:
        reference = self.measured[self.reference_name][measure]
        pairing = Pairing(name, reference, self.measured[name][estimate_measure])
        common = tuple(pairing.common_topics()) if self.topics_of_pairs == "common" else ()
        if not common:
            return pairing
        # Estimates with the same topics share the means of the reference.
        shared = self._on_topics.setdefault((measure, common), reference.on(common))
        return Pairing(name, shared, pairing.estimate.on(common))

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
        both = (measure, measure) if measure is None or isinstance(measure, str) else measure
        if not isinstance(both, tuple | list) or len(both) != 2:
            pair = "a pair of names for reference and estimate"
            raise ArgumentError(f"measure must be a name, or {pair}, got {measure!r}")
        own, other = self.reference.one_measure(both[0])[0], self.sides[name].one_measure(both[1])[0]
        return self._pair(name, own, other)

    @property
    def notes(self) -> tuple[Note, ...]:
        """All remarks: on the alignment, on topics that differ, on tied means, on measures left out."""
        differing = differing_topics(self.sides, self.topics_of_pairs)
        return (*self.alignment_notes, *differing, *self.tie_notes, *self._measure_notes)

    @functools.cached_property
    def tie_notes(self) -> tuple[Note, ...]:
        """The remarks on systems whose means are equal."""
        every = ((name, side.mean) for name, own in self.measured.items() for side in own.values())
        return tuple(_ties(name, means) for name, means in every if means.n_tied)

    @property
    def _measure_notes(self) -> list[Note]:
        found = []
        for name, pairs in self._paired_measures.items():
            used = {measure for pair in pairs for measure in pair}
            every = dict.fromkeys((*self.reference.measures, *self.sides[name].measures))
            left_out = tuple(measure for measure in every if measure not in used)
            if pairs and left_out:
                text = f"measures on one side only were left out: {some(left_out)}"
                values = {"measures": left_out}
                found.append(Note("measures_left_out", subject=name, text=text, values=values, lost=True))
        return found

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that all sides have."""
        return self.reference.systems

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
        text = f"left out topics that are missing on at least one side: {some(left_out)}"
        note = Note("topics_not_in_common", text=text, values={"topics": left_out}, lost=True)
        found = Study.__new__(Study)
        found._each_with_each, found.options = self._each_with_each, self.options
        found.topics_of_pairs, found.sides = self.topics_of_pairs, selected(sides, "topic", kept)
        found.dropped_systems, found.dropped_topics = self.dropped_systems, (*self.dropped_topics, *left_out)
        found.alignment_notes = (*self.alignment_notes, note)
        found.topics_left_out = self.topics_left_out
        return found

    def __repr__(self) -> str:
        kept = f"{len(self.systems)} systems on {len(self.reference.topics)} topics"
        first = f"{kept}, {count(len(self.estimates), 'estimate')}"
        return "\n".join([first, *(f"- {note}" for note in self.notes)])


def _listed(measures: Iterable[str] | None) -> list[str]:
    return [measures] if isinstance(measures, str) else list(measures or ())


def _by_name(
    reference: ScoresLike, estimates: Mapping[str, ScoresLike] | ScoresLike
) -> dict[str, ScoresLike]:
    """Return the estimates by name: files have their own names, one alone is called "estimate"."""
    if are_files(estimates):
        files: list[Any] = [estimates] if is_file_like(estimates) else list(cast("Iterable[Any]", estimates))
        own = [reference] if is_file_like(reference) else []
        names = names_of([*own, *files], REFERENCE)[len(own) :]
        if len(set(names)) < len(names):
            raise ArgumentError("two estimates have the same name; give them by name, such as {'gpt': file}")
        return dict(zip(names, files, strict=True))
    if not isinstance(estimates, Mapping):
        listed = estimates if isinstance(estimates, list | tuple) else ()
        if any(isinstance(each, Scores) or is_file_like(each) for each in listed):
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
    measures = {side.measures for side in sides.values()}
    named = {measure for side in sides.values() if side.source.named for measure in side.measures}
    one_each = all(len(own) == 1 for own in measures)
    if len(measures) == 1 or not one_each or not all(is_word(name, "value") for name in named):
        return sides
    return {name: side.with_measures([_NO_NAME]) for name, side in sides.items()}


def _ties(name: str, means: Means) -> Note:
    tied, rounded = means.n_tied, means.n_tied_by_rounding
    values = {"tied": tied, "systems": len(means), "measure": means.measure, "by_rounding": rounded}
    by_rounding = f", {rounded} of them after rounding to 12 digits" if rounded else ""
    text = f"{tied} of {len(means)} systems share their mean {means.measure} with another{by_rounding}"
    return Note("ties_in_means", subject=name, text=text, values=values)


def _refuse_topics_for_names(estimates: Mapping[str, ScoresLike] | ScoresLike, topics: Sequence[str]) -> None:
    """Refuse ``{topic: {system: score}}`` in place of estimates by name."""
    if not isinstance(estimates, Mapping):
        return
    flat = all(isinstance(each, Mapping) and all(map(is_real, each.values())) for each in estimates.values())
    if flat and set(map(str, estimates)) & set(topics):
        such = "give them by name, such as {'gpt': {topic: {system: score}}}"
        raise ArgumentTypeError(f"the estimates have the topics of the reference for names; {such}")


def study_of(
    reference: Study | ScoresLike, estimates: Mapping[str, ScoresLike] | ScoresLike | None = None
) -> Study:
    """Return the study that was given, or make one."""
    if isinstance(reference, Study):
        if estimates is not None:
            raise ArgumentTypeError("a Study has its estimates already; give it alone")
        return reference
    if estimates is None:
        raise ArgumentTypeError("there are no estimates; give at least one, by name")
    return Study(reference, estimates)
