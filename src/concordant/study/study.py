"""A study: a reference and its estimates, aligned once, with paired measures."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast, get_args

import numpy as np

from concordant.checks import is_real, one_of
from concordant.errors import ArgumentError, ArgumentTypeError, option, public
from concordant.reading.files import are_files, is_file_like, names_of
from concordant.reading.from_memory import ScoresLike
from concordant.reading.header_words import is_word
from concordant.reading.read_scores import IN_ORDER, ReadOptions, read_tables
from concordant.reading.readings import in_one_direction
from concordant.results.note import Note
from concordant.results.words import count, noun, nouns, some
from concordant.scores.means import Means
from concordant.scores.scores import ALL, Scores, derived
from concordant.study.align import aligned, common_topics, differing_topics, selected
from concordant.study.names import Patterns, about_judges, filtered, matched, measures_alike, with_measures
from concordant.study.pairing import Measured, Pairing, known_scores, paired
from concordant.typing import Match, OnMissing, Topics

REFERENCE = "reference"
WITH_THE_REST = "against the rest"  # after the name of an estimate that is a part of the reference
_NO_NAME = "score"  # the measure of scores that have no name


class _Sides(dict[str, Scores]):
    """Sides without a reference."""


class Study:
    """A reference and its estimates, aligned: the same systems in the same order, and paired measures.

    Parameters
    ----------
    reference : Scores, or what `read_scores` takes
        The scores of the reference.
    estimates : mapping of name to Scores, or to what `read_scores` takes
        The scores of the estimates. A single estimate may be given without a name: a file has its own name,
        anything else is called "estimate". A list of files is several estimates. With None, reference and
        estimates are columns of one table, named by `reference_measures` and `estimate_measures`.
    measures : list of str, or "all", optional
        The measures to compare, by their names in the data, in trec_eval or in ir_measures. A side with one
        measure need not have all of them. By default the measures that both sides have are compared, or the
        only one of a side with each of the other side. With "all", each measure of the reference is compared
        with each measure of each estimate. ``"gpt:score"`` is a measure of the side "gpt" alone.
    reference_measures, estimate_measures : list of str, optional
        The measures of the reference, and those of the estimates, if they have other names: each of the first
        is compared with each of the second. Without one of the two, all measures of that side are.
    on_missing : {"error", "drop", "zero"}, optional
        What to do about systems and topics that are on one side only. "error" refuses them; "drop" compares
        each estimate on the systems that it shares with the reference, and on the topics that all sides
        share; "zero" sets them to 0. By default, a system that is on one side only is an error; topics may
        differ, see `topics`; and a missing score of a system for a topic is set to 0, as in ``trec_eval -c``,
        if 0 is the score of a failure: for a measure of retrieval, scores from 0 to 1, or scores of which
        some are 0; otherwise it is an error. A system without any score by a measure is left out there.
    topics : {"common", "own"}, optional
        With "common", each estimate is compared with the reference on the topics that both have. With "own",
        each mean is over the topics of its own side. By default it is "common"; but if one side is a part of
        the other, with the same scores on its topics, the part is compared with the whole, and with the rest
        of the topics. If the sides have no topic in common, "own" is used.
    match : {"exact", "loose"}, default "exact"
        With "loose", names of systems are the same if their normal forms are: without case, spaces, hyphens,
        underscores, points, brackets and Unicode form, where a separator between two digits stays; and
        without the organisation before a slash, if not both have one.
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
    dropped_topics : tuple of str
        The topics that were dropped, or left out by name.
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
    >>> study.systems, study.dropped_systems, list(study.sides), len(study.pairings), len(study.notes)
    (('bm25', 'dense'), ('rm3',), ['reference', 'llm'], 1, 3)
    >>> study.reference_name, study.reference.systems, list(study.estimates), study.tie_notes
    ('reference', ('bm25', 'dense'), ['llm'], ())
    >>> [pairing.name for pairing in cd.Study({**human, "q3": human["q1"]}, {"two": human}).with_the_rest]
    ['two against the rest']
    >>> study.measured["llm"]["score"].mean["dense"]
    0.65
    """

    @public("Study")
    def __init__(
        self,
        reference: ScoresLike,
        estimates: Mapping[str, ScoresLike] | ScoresLike | None = None,
        *,
        measures: Iterable[str] | None = None,
        reference_measures: Iterable[str] | None = None,
        estimate_measures: Iterable[str] | None = None,
        on_missing: OnMissing | None = None,
        topics: Topics | None = None,
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
        both, own, others = map(_listed, (measures, reference_measures, estimate_measures))
        asked = ReadOptions(measures=(*both, *own, *others))
        if isinstance(reference, _Sides):
            sides = dict(reference)
        elif estimates is None:
            sides, own, others = _columns_as_sides(reference, own, others, asked), [], []
        else:
            given = {REFERENCE: reference, **_by_name(reference, estimates)}
            sides = read_tables(given, dict.fromkeys(given, asked))
            _refuse_topics_for_names(estimates, sides[REFERENCE].topics)
        if on_missing is not None:
            one_of("on_missing", on_missing, get_args(OnMissing))
        if topics is not None:
            one_of("topics", topics, get_args(Topics))
        one_of("match", match, get_args(Match))
        of_sides = {
            name: [m.removeprefix(f"{name}:") for m in both if m.startswith(f"{name}:")] for name in sides
        }
        both = [m for m in both if not any(m.startswith(f"{name}:") for name in sides)]
        self._each_with_each = bool(own or others or any(of_sides.values())) or both == [ALL]
        if both and (own or others):
            raise ArgumentError(
                f"give {option('measures')}, which both sides have, or {option('reference_measures')} and "
                f"{option('estimate_measures')}, not all of them"
            )
        if both and both != [ALL]:
            sides = with_measures(sides, both)
        for place, (name, side) in enumerate(sides.items()):
            if wanted := (others if place else own) or of_sides[name]:
                sides = {**sides, **with_measures({name: side}, wanted)}
        chosen: list[Note] = []
        sides = matched(sides if self._each_with_each else measures_alike(sides), match, rename)
        sides, no_systems = filtered(sides, "system", chosen, include=include, exclude=exclude)
        of_topics = {"include_topics": include_topics, "exclude_topics": exclude_topics}
        sides, no_topics = filtered(sides, "topic", chosen, **of_topics)
        sides = _one_measure(in_one_direction(sides))
        self.topics_of_pairs: Topics = topics or "common"
        every = [dict(side.source.nouns) for side in sides.values()]
        kinds = {kind for own in every for kind in own}
        self.nouns = {k: every[0][k] for k in sorted(kinds) if len({own.get(k) for own in every}) == 1}
        if self.nouns:
            self.options["nouns"] = self.nouns
        with nouns(self.nouns):
            notes = [*(note.about(name) for name, side in sides.items() for note in side.notes), *chosen]
            self._systems = (*no_systems, *dict.fromkeys(s for side in sides.values() for s in side.systems))
            self.sides, dropped = aligned(
                sides, on_missing, self.topics_of_pairs, notes, isinstance(reference, _Sides)
            )
            self.parts = _parts(self.sides) if topics is None else {}
            notes += [_part_note(name, *part) for name, part in self.parts.items()]
            notes += filter(None, (_looks_like_ranks(name, side) for name, side in self.sides.items()))
        self.dropped_topics, self.topics_left_out = (*no_topics, *dropped), no_topics
        self.alignment_notes = tuple(notes)
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
        return cls(_Sides(read_tables(sides)), **options)

    @functools.cached_property
    def measured(self) -> dict[str, dict[str, Measured]]:
        """For each side its scores by each measure, of the systems that have some."""
        return {name: {m: known_scores(side, m) for m in side.measures} for name, side in self.sides.items()}

    @functools.cached_property
    def _shared(self) -> dict[tuple[str, tuple[str, ...], tuple[str, ...]], Measured]:
        return {}

    @property
    def dropped_systems(self) -> tuple[str, ...]:
        """The systems that were left out by name, or that no estimate is compared on."""
        used = {system for pairing in self.pairings for system in pairing.reference.systems}
        return tuple(system for system in self._systems if system not in used)

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
        measure, or the measures of each side were chosen, each is compared with each of the other side. An
        estimate with fewer than two systems in common with the reference is left out, if there are others.
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
        if len(self._systems) > 1 and all(len(pairing.reference.systems) < 2 for pairing in found):
            few = f"no two systems have a score on both sides, of {len(self._systems)}: {some(self._systems)}"
            raise ArgumentError(f"{few}; choose measures with fewer gaps, or name the systems alike")
        least = min(2, len(self._systems))
        return tuple(pairing for pairing in found if len(pairing.reference.systems) >= least)

    @property
    def with_the_rest(self) -> tuple[Pairing, ...]:
        """Each estimate that is a part of the reference, or contains it, on the other topics of the whole."""
        own = [pairing for pairing in self.pairings if pairing.name in self.parts]
        return tuple(self._with_the_rest(pairing.name, *pairing.measures) for pairing in own)

    def _pair(self, name: str, measure: str, estimate_measure: str) -> Pairing:
        reference = self.measured[self.reference_name][measure]
        over = "own" if name in self.parts else self.topics_of_pairs
        pairing = paired(name, reference, self.measured[name][estimate_measure], over)
        own = pairing.reference
        # Estimates with the same systems and topics share the means of the reference.
        return Pairing(
            name, self._shared.setdefault((measure, own.topics, own.systems), own), pairing.estimate
        )

    def _with_the_rest(self, name: str, measure: str, estimate_measure: str) -> Pairing:
        """Return a part of the topics against those that are not in it."""
        pairing = self._pair(name, measure, estimate_measure)
        sides = [pairing.reference, pairing.estimate]
        larger = 0 if len(sides[0].topics) > len(sides[1].topics) else 1
        rest = [topic for topic in sides[larger].topics if topic not in set(sides[1 - larger].topics)]
        sides[larger] = sides[larger].on(rest)
        return Pairing(f"{name} {WITH_THE_REST}", *sides)

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
        sides = {name: side for name, side in self.sides.items() if name not in self.parts}
        with nouns(self.nouns):
            own = [*differing_topics(sides, self.topics_of_pairs), *self.tie_notes, *self._measure_notes]
        return (*self.alignment_notes, *own)

    @functools.cached_property
    def tie_notes(self) -> tuple[Note, ...]:
        """The remarks on systems whose means are equal."""
        every = ((name, side.mean) for name, own in self.measured.items() for side in own.values())
        with nouns(self.nouns):
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
            reference, own = self.measured[self.reference_name], self.measured[name]
            shared = {(m, n): set(reference[m].systems).intersection(own[n].systems) for m, n in pairs}
            if apart := [
                pair for pair, systems in shared.items() if len(systems) < min(2, len(self._systems))
            ]:
                by = some([" / ".join(dict.fromkeys(pair)) for pair in apart])
                text = f"left out: fewer than two {noun('systems')} have a score on both sides by {by}"
                about = {"measures": tuple(apart)}
                found.append(Note("nothing_in_common", subject=name, text=text, values=about, lost=True))
        return found

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that all sides have."""
        shared = set.intersection(*(set(side.systems) for side in self.sides.values()))
        return tuple(system for system in self.reference.systems if system in shared)

    def in_common(self) -> Study:
        """Return the study of the systems and topics that all sides have.

        Returns
        -------
        Study
            The study, with a note about the topics that were left out.

        Examples
        --------
        >>> import concordant as cd
        >>> human = {"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4, "dense": 0.3}}
        >>> llm = {"q1": {"bm25": 0.4, "dense": 0.6}}
        >>> cd.Study(human, {"llm": llm}).in_common().reference.topics
        ('q1',)
        """
        sides = self.sides
        kept = common_topics(list(sides.values()))
        if not kept:
            raise ArgumentError("the sides have no topic in common; are the topics named the same?")
        every = dict.fromkeys(topic for side in sides.values() for topic in side.topics)
        left_out = tuple(topic for topic in every if topic not in set(kept))
        systems = self.systems
        if not left_out and all(side.systems == systems for side in sides.values()):
            return self
        text = f"left out topics that are missing on at least one side: {some(left_out)}"
        note = Note("topics_not_in_common", text=text, values={"topics": left_out}, lost=True)
        found = Study.__new__(Study)
        found._each_with_each, found.options = self._each_with_each, self.options
        found.topics_of_pairs, found._systems = self.topics_of_pairs, self._systems
        found.sides = selected(selected(sides, "topic", kept), "system", systems)
        found.dropped_topics = (*self.dropped_topics, *left_out)
        found.alignment_notes = (*self.alignment_notes, note) if left_out else self.alignment_notes
        found.topics_left_out, found.parts, found.nouns = self.topics_left_out, {}, self.nouns
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


def _columns_as_sides(
    table: ScoresLike, own: Sequence[str], others: Sequence[str], asked: ReadOptions
) -> dict[str, Scores]:
    """Return the columns of one table as sides: one is the reference, the others are estimates."""
    if len(own) != 1:
        both = f"{option('reference_measures', 'human')} {option('estimate_measures', 'gpt')}"
        raise ArgumentTypeError(f"there are no estimates; give at least one, by name, or columns: {both}")
    how = {"": replace(asked, headers="measures")}
    scores = table if isinstance(table, Scores) else read_tables({"": table}, how)[""]
    chosen = with_measures({"": scores}, [*own, *others])[""]
    found = {}
    for place, measure in enumerate(chosen.measures):
        one = chosen.select(measures=[measure])
        found[measure if place else REFERENCE] = derived(one, notes=() if place else one.notes)
    return found


def _parts(sides: Mapping[str, Scores]) -> dict[str, tuple[int, int]]:
    """Return the estimates of which one side is a part of the other: its topics, and those of the whole."""
    (_, own), *others = sides.items()
    found = {}
    for name, side in others:
        small, large = sorted((own, side), key=lambda each: len(each.topics))
        systems = [system for system in own.systems if system in set(side.systems)]
        inside = set(small.topics) < set(large.topics)
        if not inside or len(small.topics) < 2 or small.measures != large.measures or len(systems) < 2:
            continue
        one, other = (each.select(topics=small.topics, systems=systems).values for each in (small, large))
        if np.array_equal(one, other, equal_nan=True):
            found[name] = len(small.topics), len(large.topics)
    return found


def _part_note(name: str, n: int, total: int) -> Note:
    text = (
        f"one side is a part of the other, {n} of {total} topics with the same scores; the part is compared"
    )
    text += " with the whole, which contains it, and with the rest of the topics"
    return Note("part_of_the_other", subject=name, text=text, values={"topics": n, "of": total}, lost=True)


def _looks_like_ranks(name: str, side: Scores) -> Note | None:
    """Return a note if the scores of a side are the whole numbers from 1 to n, each once."""
    n = len(side.systems)
    ranks = [
        measure
        for measure, values in zip(side.measures, side.values, strict=True)
        if measure not in side.lower_is_better
        and side.topics == (ALL,)
        and n > 3
        and np.array_equal(np.sort(values[0]), np.arange(1, n + 1))
        and side.source.read_as != IN_ORDER
    ]
    if not ranks:
        return None
    text = f"{some(ranks)} is 1 to {n}, as ranks are, and the largest was taken as the best"
    say = f"if 1 is the best, say {option('lower_is_better', ranks[0])}"
    return Note(
        "looks_like_ranks", subject=name, text=f"{text}; {say}", values={"measures": ranks}, lost=True
    )


def _ties(name: str, means: Means) -> Note:
    tied, rounded = means.n_tied, means.n_tied_by_rounding
    values = {"tied": tied, "systems": len(means), "measure": means.measure, "by_rounding": rounded}
    by_rounding = f", {rounded} of them after rounding to 12 digits" if rounded else ""
    text = (
        f"{tied} of {len(means)} {noun('systems')} share their mean {means.measure} with another{by_rounding}"
    )
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
