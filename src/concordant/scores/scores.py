"""Scores of systems on topics, by one measure or several. Every file is read into this object."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, public
from concordant.rankings.convert import as_floats
from concordant.rankings.labels import is_data_array
from concordant.results.note import Note
from concordant.results.table import to_frame
from concordant.results.words import count, some
from concordant.scores.means import MOST_SHOWN, Means, exact_sums, html_of_means
from concordant.typing import Floats, Integers

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("measure", "topic", "system", "value")  # of a long table
AXES = ("measures", "topics", "systems")
ALL = "all"  # the topic of a mean over topics


@dataclass(frozen=True)
class Source:
    """Where scores come from, and how they were read.

    Attributes
    ----------
    name : str
        The file, or what else was read, as messages name it.
    read_as : str
        What was found: systems in "rows" or in "columns", a "long" table, several "files" of one system each,
        or a format in words. It is empty for scores that were not read from a table.
    named : bool
        Whether the data names the measures. If not, the measure is called by the file, or "score".
    left_out : tuple of str
        The columns that were left out.
    remarks : tuple of str
        How cells were read, if they are not plain numbers.
    nouns : tuple of tuple of str
        What the data calls systems and topics: ``(("system", "model"), ("topic", "question"))``.
    """

    name: str = ""
    read_as: str = ""
    named: bool = True
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    nouns: tuple[tuple[str, str], ...] = ()


class Scores:
    """Scores by measure, topic and system, with labels.

    Parameters
    ----------
    values : array_like of shape (measures, topics, systems), (topics, systems) or (systems,)
        The scores; NaN where a system has no score for a topic.
    measures, topics, systems : sequence of str, optional
        The labels; by default numbers from 0, as in NumPy and pandas.
    notes : iterable of Note, optional
        Remarks on where the scores come from, for the readers of results.
    lower_is_better : iterable of str, optional
        Measures of which the smallest score is the best. In `values` their sign is changed, so that the
        largest is the best. A missing score of such a measure is never set to 0.
    source : Source, optional
        How the scores were read; `read_scores` gives it.
    unjudged : mapping of str to float, optional
        For a measure of runs, the share of their top documents that have no judgement; `evaluate` gives it.
    errors : mapping of (str, str) to (float, float), optional
        For a measure and a system, the standard error of its score below and above it; `read_scores` finds
        them in tables without topics.
    clusters : mapping of str to str, optional
        What topics belong to, such as the passage of a question.

    Attributes
    ----------
    values : numpy.ndarray of shape (measures, topics, systems)
        The scores.
    measures, topics, systems : tuple of str
        The labels.
    notes : tuple of Note
        The remarks.
    lower_is_better : frozenset of str
        The measures of which the smallest score is the best.
    source : Source
        Where the scores come from: ``name``, ``read_as``, ``named``, ``left_out`` and ``remarks``.
    unjudged : dict of str to float
        For each measure the share of the top documents that have no judgement; empty if it is not known.
    errors : dict of (str, str) to (float, float)
        For each measure and system the standard error below and above the score; empty if they are not known.
    clusters : dict of str to str
        The cluster of each topic; empty if topics have none.

    Examples
    --------
    >>> import concordant as cd
    >>> s = cd.Scores([[0.2, 0.5, 0.1], [0.4, 0.3, 0.2]], systems=["bm25", "dense", "random"])
    >>> s
    <Scores: 1 measure, 2 topics, 3 systems>
    >>> dict(s.mean()), s.labels[1]
    ({'bm25': 0.3, 'dense': 0.4, 'random': 0.15}, ('0', '1'))
    >>> cd.tau_b(s.mean(), s.select(topics=["0"]).mean())
    1.0
    >>> s.with_measures(["ap"]).with_topics(["q1", "q2"]).one_measure()[0]
    'ap'

    Missing scores:

    >>> rows = [("ap", "q1", "bm25", 0.2), ("ap", "q1", "dense", 0.5), ("ap", "q2", "bm25", 0.4)]
    >>> gaps = cd.Scores.from_rows(rows)
    >>> gaps.missing(), gaps.complete().topics, dict(gaps.fill().mean())
    ([('ap', 'q2', 'dense')], ('q1',), {'bm25': 0.3, 'dense': 0.25})
    >>> next(gaps.rows()), gaps.to_frame().shape
    (('ap', 'q1', 'bm25', 0.2), (3, 4))
    >>> len(gaps.noted(cd.results.Note("checked", text="checked by hand")).notes)
    1
    """

    @public("Scores")
    def __init__(
        self,
        values: Any,
        *,
        measures: Iterable[object] | None = None,
        topics: Iterable[object] | None = None,
        systems: Iterable[object] | None = None,
        notes: Iterable[Note] = (),
        lower_is_better: Iterable[str] = (),
        source: Source | None = None,
        unjudged: Mapping[str, float] | None = None,
        errors: Mapping[tuple[str, str], tuple[float, float]] | None = None,
        clusters: Mapping[str, str] | None = None,
    ) -> None:
        if is_data_array(values):
            raise ArgumentTypeError("values is a DataArray; read_scores reads it with its coordinates")
        self.values: Floats = _frozen(values)
        n_measures, n_topics, n_systems = self.values.shape
        self.measures = axis_labels("measures", measures, n_measures, "score")
        self.topics = axis_labels("topics", topics, n_topics)
        self.systems = axis_labels("systems", systems, n_systems)
        self.notes = tuple(notes)
        self.lower_is_better = frozenset(lower_is_better) & set(self.measures)
        self.source = Source() if source is None else source
        self.unjudged = dict(unjudged or {})
        self.errors = dict(errors or {})
        self.clusters = dict(clusters or {})

    @classmethod
    @public("Scores")
    def from_rows(cls, rows: Iterable[tuple[str, str, str, float]]) -> Scores:
        """Build scores from rows of measure, topic, system and value.

        Parameters
        ----------
        rows : iterable of (str, str, str, float)
            Measure, topic, system and value of each score.

        Returns
        -------
        Scores
            The labels keep the order in which they first appear.
        """

        def refuse(_row: int, what: str) -> NoReturn:
            raise ArgumentError(what)

        return scores_of_codes(*coded_rows(rows), refuse)

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The labels of measures, topics and systems."""
        return self.measures, self.topics, self.systems

    def __getitem__(self, measure: str) -> Scores:
        return self.select(measures=[measure])

    def __repr__(self) -> str:
        sizes = zip(("measure", "topic", "system"), self.values.shape, strict=True)
        missing = int(np.isnan(self.values).sum())
        gaps = f", {missing} scores missing" if missing else ""
        return f"<Scores: {', '.join(count(n, name) for name, n in sizes)}{gaps}>"

    def _repr_html_(self) -> str:
        """Return the mean of each system by each measure, the best by the first measure first.

        Missing scores are left out of these means.
        """
        known = ~np.isnan(self.values)
        with np.errstate(invalid="ignore"):
            means = np.where(known, self.values, 0).sum(axis=1) / known.sum(axis=1)
        if not means.size:
            return f"<p>{escape(repr(self))}</p>"
        order = np.argsort(-means[0], kind="stable")[:MOST_SHOWN].tolist()  # nan comes last
        rows = [(self.systems[s], *means[:, s].tolist()) for s in order]
        head = f"{repr(self).strip('<>')}; means:"
        return html_of_means(head, self.measures, rows, len(self.systems))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scores)
            and self.labels == other.labels
            and np.array_equal(self.values, other.values, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]

    @public("Scores")
    def select(
        self,
        *,
        measures: Iterable[str] | None = None,
        topics: Iterable[str] | None = None,
        systems: Iterable[str] | None = None,
    ) -> Scores:
        """Return the scores of some measures, topics or systems, in the given order.

        Parameters
        ----------
        measures, topics, systems : iterable of str, optional
            The labels to keep; by default all.

        Returns
        -------
        Scores
            The selected scores.
        """
        wanted = zip(AXES, self.labels, (measures, topics, systems), strict=True)
        index = [_places(axis, own, each) for axis, own, each in wanted]
        labels = tuple(tuple(own[i] for i in at) for own, at in zip(self.labels, index, strict=True))
        if labels == self.labels:
            return self
        values, lower = _read_only(self.values[np.ix_(*index)]), self.lower_is_better & set(labels[0])
        return derived(self, values=values, lower_is_better=lower, **dict(zip(AXES, labels, strict=True)))

    @public("Scores")
    def one_measure(self, measure: str | None = None) -> tuple[str, Floats]:
        """Return the name of a measure and its values.

        Parameters
        ----------
        measure : str, optional
            The measure. It need not be given if there is only one.

        Returns
        -------
        name : str
            The name of the measure.
        values : numpy.ndarray of shape (topics, systems)
            Its scores.
        """
        if measure is None and len(self.measures) != 1:
            first = ", ".join(self.measures[:6])
            raise ArgumentError(f"there are {len(self.measures)} measures ({first}); choose one")
        measure = self.measures[0] if measure is None else measure
        return measure, self.values[_places("measures", self.measures, [measure])[0]]

    @public("Scores")
    def mean(self, measure: str | None = None) -> Means:
        """Return the mean of each system over the topics.

        A missing score is an error; see `fill` and `complete`.

        Parameters
        ----------
        measure : str, optional
            The measure. It need not be given if there is only one.

        Returns
        -------
        Means
            The mean of each system; sums are exact, and means are rounded to 12 significant digits.
        """
        name, values = self.one_measure(measure)
        if len(self.topics) == 0:
            raise ArgumentError("there are no topics to average over")
        if np.isnan(values).any():
            _, topic, system = self.select(measures=[name]).missing()[0]
            raise ArgumentError(
                f"{name} of system {system!r} is missing for topic {topic!r}; use fill() to set what is "
                "missing to 0, or complete() to keep the topics that all systems answered"
            )
        once = np.ones((1, len(self.topics)), dtype=np.int64)
        return Means(self.systems, exact_sums(once, values)[0], len(self.topics), name)

    def missing(self) -> list[tuple[str, str, str]]:
        """Return the measure, topic and system of every missing score.

        Returns
        -------
        list of (str, str, str)
            Measure, topic and system.
        """
        places = np.argwhere(np.isnan(self.values)).tolist()
        return [(self.measures[m], self.topics[t], self.systems[s]) for m, t, s in places]

    @public("Scores")
    def fill(self, value: float = 0.0) -> Scores:
        """Return the scores with a value in place of those that are missing.

        Parameters
        ----------
        value : float, default 0
            The value of a missing score. It is 0 by default, as in ``trec_eval -c``.

        Returns
        -------
        Scores
            The scores, of which none is missing.
        """
        for measure, topic, system in self.missing() if self.lower_is_better else ():
            if measure in self.lower_is_better:
                raise ArgumentError(
                    f"{measure} of system {system!r} is missing for topic {topic!r}; the smallest {measure} "
                    f"is the best, so that {value:g} would be a good score; complete() leaves out the topic"
                )
        return derived(self, values=_frozen(np.where(np.isnan(self.values), value, self.values)))

    def noted(self, *notes: Note) -> Scores:
        """Return the scores with more notes.

        Parameters
        ----------
        *notes : Note
            The notes to add.

        Returns
        -------
        Scores
            The same scores.
        """
        return derived(self, notes=(*self.notes, *notes))

    def with_measures(self, measures: Iterable[str]) -> Scores:
        """Return the scores with other names for the measures.

        Parameters
        ----------
        measures : iterable of str
            A new name for each measure.

        Returns
        -------
        Scores
            The same scores.
        """
        names = axis_labels("measures", measures, len(self.measures))
        pairs = list(zip(self.measures, names, strict=True))
        lower = frozenset(new for old, new in pairs if old in self.lower_is_better)
        shares = {new: self.unjudged[old] for old, new in pairs if old in self.unjudged}
        new_name, source = dict(pairs), replace(self.source, named=True)
        errors = {(new_name[m], system): error for (m, system), error in self.errors.items() if m in new_name}
        about = {"lower_is_better": lower, "unjudged": shares, "source": source, "errors": errors}
        return derived(self, measures=names, **about)

    def with_topics(self, topics: Iterable[str]) -> Scores:
        """Return the scores with other names for the topics.

        Parameters
        ----------
        topics : iterable of str
            A new name for each topic.

        Returns
        -------
        Scores
            The same scores.
        """
        return derived(self, topics=axis_labels("topics", topics, len(self.topics)))

    def complete(self) -> Scores:
        """Return the scores of the topics for which no score is missing.

        Returns
        -------
        Scores
            The scores of these topics.
        """
        kept = np.flatnonzero(~np.isnan(self.values).any(axis=(0, 2)))
        return self.select(topics=[self.topics[t] for t in kept])

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Yield measure, topic, system and value of every score that is not missing.

        Yields
        ------
        tuple of (str, str, str, float)
            A row of a long table.
        """
        for m, measure in enumerate(self.measures):
            for t, topic in enumerate(self.topics):
                for system, value in zip(self.systems, self.values[m, t].tolist(), strict=True):
                    if not math.isnan(value):
                        yield measure, topic, system, value

    def to_frame(self) -> pd.DataFrame:
        """Return a long pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The columns are measure, topic, system and value.
        """
        return to_frame([dict(zip(COLUMNS, row, strict=True)) for row in self.rows()], list(COLUMNS))


def derived(scores: Scores, **fields: Any) -> Scores:
    """Return scores with other fields, which are not checked again; all other fields are shared."""
    found = object.__new__(Scores)
    vars(found).update(vars(scores) | fields)
    return found


def _frozen(values: Any) -> Floats:
    """Check an array, and return a copy that cannot be written to."""
    array = as_floats("values", values)
    if array.ndim > 3:
        raise ArgumentError(f"values must be measures x topics x systems, or less, got shape {array.shape}")
    if np.isinf(array).any():
        raise ArgumentError("values must be finite, or NaN for a score that is missing")
    return _read_only(array.reshape((1,) * (3 - array.ndim) + array.shape))


def _read_only(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


def axis_labels(
    axis: str, labels: Iterable[object] | None, size: int, only: str | None = None
) -> tuple[str, ...]:
    """Return the labels of an axis as text; by default numbers from 0."""
    if labels is None:
        return (only,) if only is not None and size == 1 else tuple(map(str, range(size)))
    texts = tuple(str(label) for label in labels)
    if len(texts) != size:
        raise ArgumentError(f"there are {len(texts)} {axis} and {size} in values; give one label for each")
    if len(set(texts)) < size:
        twice = next(text for text, times in Counter(texts).items() if times > 1)
        raise ArgumentError(f"duplicate {axis[:-1]} {twice!r}; labels must be different")
    return texts


def _places(axis: str, own: Sequence[str], wanted: Iterable[str] | None) -> Sequence[int]:
    """Return the places of the wanted labels on an axis; all of them by default."""
    if wanted is None:
        return range(len(own))
    if isinstance(wanted, str):
        raise ArgumentTypeError(f"{axis} must be a list of labels, got {wanted!r}")
    place = {label: i for i, label in enumerate(own)}
    listed = list(wanted)
    chosen = axis_labels(axis, listed, len(listed))
    unknown = next((label for label in chosen if label not in place), None)
    if unknown is not None:
        known = ", ".join(own[:8]) + (", ..." if len(own) > 8 else "")
        raise ArgumentError(f"there is no {axis[:-1]} {unknown!r}; there are {known}")
    return [place[label] for label in chosen]


def set_to_zero(number: int, what: str, of: str, names: Sequence[str]) -> str:
    """Return how many things were set to 0, and of which systems or runs."""
    were = "was" if number == 1 else "were"
    return f"{count(number, what)} {were} set to 0 ({of if len(names) == 1 else of + 's'} {some(names)})"


def coded(labels: Iterable[str]) -> tuple[Integers, list[str]]:
    """Return the number of each label, and the labels in the order in which they first appear."""
    listed = list(labels)
    names = list(dict.fromkeys(listed))
    number = {name: k for k, name in enumerate(names)}
    return np.fromiter(map(number.__getitem__, listed), np.int64, len(listed)), names


def coded_rows(rows: Iterable[tuple[str, str, str, float]]) -> tuple[list[Integers], list[list[str]], Floats]:
    """Return the numbers of measure, topic and system of each row, their labels, and the values."""
    listed = list(rows)
    parts = [coded(row[k] for row in listed) for k in range(3)]  # type: ignore[misc]
    values = np.array([row[3] for row in listed], dtype=np.float64)
    return [codes for codes, _ in parts], [labels for _, labels in parts], values


def scores_of_codes(
    codes: Sequence[Integers],
    labels: Sequence[Sequence[str]],
    values: Floats,
    refuse: Callable[[int, str], NoReturn],
) -> Scores:
    """Build scores from the numbers of measure, topic and system of each value.

    `refuse(row, what)` raises the error about a row.
    """
    table = np.full([len(own) for own in labels], math.nan)
    flat = np.ravel_multi_index(tuple(codes), table.shape) if len(values) else np.empty(0, dtype=np.int64)
    known = np.zeros(table.size, dtype=np.bool_)
    known[flat] = True
    if np.count_nonzero(known) < len(flat):
        first = np.unique(flat, return_index=True)[1]
        row = int(np.setdiff1d(np.arange(len(flat)), first)[0])
        measure, topic, system = (own[int(code[row])] for own, code in zip(labels, codes, strict=True))
        of = "" if topic == ALL else f" for topic {topic!r}"
        refuse(row, f"system {system!r} has two scores{of} by {measure}")
    table.ravel()[flat] = values
    return Scores(table, measures=labels[0], topics=labels[1], systems=labels[2])
