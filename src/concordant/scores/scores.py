"""Scores of systems on topics, by one measure or several. Every file is read into this object."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, public, visible
from concordant.rankings.convert import as_floats
from concordant.rankings.coordinates import is_data_array
from concordant.reading.header_words import COLUMNS
from concordant.results.note import Note
from concordant.results.table import Table, to_frame
from concordant.results.words import count
from concordant.scores.means import Means, exact_sums
from concordant.typing import Floats

if TYPE_CHECKING:
    import pandas as pd

    from concordant.reading.orientation import Headers, SystemsIn


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
    lower : iterable of str, optional
        Measures of which the smallest score is the best. In `values` their sign is changed, so that the
        largest is the best. A missing score of such a measure never counts as 0.

    Attributes
    ----------
    values : numpy.ndarray of shape (measures, topics, systems)
        The scores.
    measures, topics, systems : tuple of str
        The labels.
    notes : tuple of Note
        The remarks.
    lower : frozenset of str
        The measures of which the smallest score is the best.

    Examples
    --------
    >>> import concordant as cd
    >>> s = cd.Scores([[0.2, 0.5, 0.1], [0.4, 0.3, 0.2]], systems=["bm25", "dense", "random"])
    >>> s
    <Scores: 1 measure, 2 topics, 3 systems>
    >>> dict(s.mean())
    {'bm25': 0.3, 'dense': 0.4, 'random': 0.15}
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
    >>> len(gaps.noted(cd.Note("undefined_value", text="no pair is untied", subject="tau_b")).notes)
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
        lower: Iterable[str] = (),
    ) -> None:
        if is_data_array(values):
            raise ArgumentTypeError("values is a DataArray; Scores.from_data reads it with its coordinates")
        array = as_floats("values", values)
        if array.ndim > 3:
            raise ArgumentError(
                f"values must be measures x topics x systems, or less, got shape {array.shape}"
            )
        array = array.reshape((1,) * (3 - array.ndim) + array.shape).copy()
        if np.isinf(array).any():
            raise ArgumentError("values must be finite, or NaN for a score that is missing")
        array.flags.writeable = False
        self.values: Floats = array
        self.measures = labels_of("measures", measures, array.shape[0], "score")
        self.topics = labels_of("topics", topics, array.shape[1])
        self.systems = labels_of("systems", systems, array.shape[2])
        self.notes = tuple(notes)
        self.lower = frozenset(lower) & set(self.measures)

    @classmethod
    @public("Scores")
    def from_data(
        cls,
        data: Any,
        *,
        measure: str = "score",
        columns: Mapping[str, str] | None = None,
        systems: SystemsIn | None = None,
        headers: Headers | None = None,
    ) -> Scores:
        """Build scores from a data frame, a mapping or an array.

        Parameters
        ----------
        data : Scores, DataFrame, mapping or array_like
            A data frame of pandas, polars, pyarrow, DuckDB or modin: long (columns measure, topic, system,
            value), with systems in rows (a column such as "model", the other columns are measures), or with
            systems in columns (rows are topics); an xarray.DataArray, whose dimensions are found by their
            names, or by their order as in an array; a mapping ``{measure: {topic: {system: score}}}``,
            ``{topic: {system: score}}`` or ``{system: score}``; or an array as for `Scores`.
        measure : str
            The name of the measure if the data does not name it.
        columns : mapping, optional
            Which columns of a DataFrame hold what, such as ``{"system": "Model", "value": "Score"}``.
        systems : {"rows", "columns"}, optional
            Where the systems are in a DataFrame; by default the names of its columns decide.
        headers : {"measures", "topics"}, optional
            What the columns of a DataFrame are if systems are in rows.

        Returns
        -------
        Scores
            The scores, with a note that says how the data was read.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.Scores.from_data({"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4}}).missing()
        [('score', 'q2', 'dense')]
        """
        from concordant.reading.from_memory import scores_of

        return scores_of(data, measure, columns, systems, headers)

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
        values, (measures, topics, systems) = cube_of(rows)
        return cls(values, measures=measures, topics=topics, systems=systems)

    def __getitem__(self, measure: str) -> Scores:
        return self.select(measures=[measure])

    def __repr__(self) -> str:
        sizes = zip(("measure", "topic", "system"), self.values.shape, strict=True)
        missing = int(np.isnan(self.values).sum())
        gaps = f", {missing} scores missing" if missing else ""
        return f"<Scores: {', '.join(count(n, name) for name, n in sizes)}{gaps}>"

    def _repr_html_(self) -> str:
        from concordant.scores.scores import scores_html

        return scores_html(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scores)
            and (self.measures, self.topics, self.systems) == (other.measures, other.topics, other.systems)
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
        index = [
            places_of(kind, own, wanted)
            for kind, own, wanted in (
                ("measure", self.measures, measures),
                ("topic", self.topics, topics),
                ("system", self.systems, systems),
            )
        ]
        labels = [
            [own[i] for i in places]
            for own, places in zip((self.measures, self.topics, self.systems), index, strict=True)
        ]
        names = dict(zip(("measures", "topics", "systems"), labels, strict=True))
        return Scores(self.values[np.ix_(*index)], **names, notes=self.notes, lower=self.lower)

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
        if measure is None:
            if len(self.measures) != 1:
                raise ArgumentError(
                    f"there are {len(self.measures)} measures ({', '.join(self.measures[:6])}); choose one"
                )
            measure = self.measures[0]
        return measure, self.values[places_of("measure", self.measures, [measure])[0]]

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
                f"{name} of system {system!r} is missing for topic {topic!r}; use fill() to count what is "
                "missing as 0, or complete() to keep the topics that all systems answered"
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
        return [
            (self.measures[m], self.topics[t], self.systems[s])
            for m, t, s in np.argwhere(np.isnan(self.values))
        ]

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
        for measure, topic, system in self.missing() if self.lower else ():
            if measure in self.lower:
                raise ArgumentError(
                    f"{measure} of system {system!r} is missing for topic {topic!r}; the smallest {measure} "
                    f"is the best, so that {value:g} would be a good score; complete() leaves out the topic"
                )
        return self._with(np.where(np.isnan(self.values), value, self.values), self.notes)

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
        return self._with(self.values, (*self.notes, *notes))

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
        names = list(measures)
        lower = [new for old, new in zip(self.measures, names, strict=False) if old in self.lower]
        return self._like(self.values, self.notes, names, lower)

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
        names = {"measures": self.measures, "topics": topics, "systems": self.systems}
        return Scores(self.values, **names, notes=self.notes, lower=self.lower)

    def complete(self) -> Scores:
        """Return the scores of the topics for which no score is missing.

        Returns
        -------
        Scores
            The scores of these topics.
        """
        kept = np.flatnonzero(~np.isnan(self.values).any(axis=(0, 2)))
        return self.select(topics=[self.topics[t] for t in kept])

    def _with(self, values: Floats, notes: Iterable[Note]) -> Scores:
        return self._like(values, notes, self.measures, self.lower)

    def _like(
        self, values: Floats, notes: Iterable[Note], measures: Iterable[str], lower: Iterable[str]
    ) -> Scores:
        topics, systems = self.topics, self.systems
        return Scores(values, measures=measures, topics=topics, systems=systems, notes=notes, lower=lower)

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


def labels_of(
    kind: str, labels: Iterable[object] | None, size: int, only: str | None = None
) -> tuple[str, ...]:
    """Return the labels of an axis as text; by default numbers from 0."""
    if labels is None:
        return (only,) if only is not None and size == 1 else tuple(map(str, range(size)))
    texts = tuple(str(label) for label in labels)
    if len(texts) != size:
        raise ArgumentError(f"there are {len(texts)} {kind} and {size} in values; give one label for each")
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise ArgumentError(f"{kind[:-1]} {twice[0]!r} is there twice; labels must be different")
    return texts


def places_of(kind: str, own: Sequence[str], wanted: Iterable[str] | None) -> list[int]:
    """Return the places of the wanted labels on an axis; all of them by default."""
    if wanted is None:
        return list(range(len(own)))
    if isinstance(wanted, str):
        raise ArgumentTypeError(f"{kind}s must be a list of labels, got {wanted!r}")
    place = {label: i for i, label in enumerate(own)}
    chosen = [str(label) for label in wanted]
    unknown = [label for label in chosen if label not in place]
    if unknown:
        known = ", ".join(own[:8]) + (", ..." if len(own) > 8 else "")
        raise ArgumentError(f"there is no {kind} {unknown[0]!r}; there are {known}")
    return [place[label] for label in chosen]


def cube_of(rows: Iterable[tuple[str, str, str, float]]) -> tuple[Floats, list[list[str]]]:
    """Return the values of rows of measure, topic, system and value, and the labels of the three axes."""
    cells: dict[tuple[str, str, str], float] = {}
    for measure, topic, system, value in rows:
        key = measure, topic, system
        if key in cells:
            raise ArgumentError(
                f"system {system!r} has two scores for topic {topic!r} by {measure}; keep one"
            )
        cells[key] = value
    labels = [list(dict.fromkeys(part)) for part in zip(*cells, strict=True)] or [[], [], []]
    places = [{label: i for i, label in enumerate(part)} for part in labels]
    values = np.full([len(part) for part in places], math.nan)
    for (measure, topic, system), value in cells.items():
        values[places[0][measure], places[1][topic], places[2][system]] = value
    return values, labels


_MOST = 20  # systems that are shown


@dataclass(frozen=True)
class _SystemMean:
    system: str
    measure: str
    mean: float


def _best_first(means: Mapping[str, float]) -> list[str]:
    return sorted(means, key=lambda system: -means[system])  # equal means stay in their order


def _head(means: Means) -> str:
    ties = f", {means.n_tied} tied" if means.n_tied else ""
    over = f"{count(len(means), 'system')} over {count(means.n_topics, 'topic')}"
    return f"mean {means.measure} of {over}{ties}"


def _left_out(total: int) -> str:
    return f"... and {total - _MOST} more" if total > _MOST else ""


def means_text(means: Means) -> str:
    """Return the means with their names, the best first, and how many more there are."""
    lines = [f"{system}: {means[system]:.4f}" for system in _best_first(means)[:_MOST]]
    rest = [_left_out(len(means))] if len(means) > _MOST else []
    return "\n".join(map(visible, [_head(means), *lines, *rest]))


def _html(head: str, rows: list[_SystemMean], total: int) -> str:
    table = Table("means", "", _SystemMean, tuple(rows), ("measure", "mean"))
    more = f"<p>{_left_out(total)}</p>" if total > _MOST else ""
    return f"<p>{escape(visible(head))}</p>{table.to_html()}{more}"


def means_html(means: Means) -> str:
    """Return the means as an HTML table, the best first."""
    rows = [_SystemMean(system, means.measure, means[system]) for system in _best_first(means)[:_MOST]]
    return _html(_head(means), rows, len(means))


def scores_html(scores: Scores) -> str:
    """Return the mean of each system by each measure as an HTML table, the best by the first measure first.

    Missing scores are left out of these means.
    """
    known = ~np.isnan(scores.values)
    with np.errstate(invalid="ignore"):
        means = np.where(known, scores.values, 0).sum(axis=1) / known.sum(axis=1)
    if not means.size:
        return f"<p>{escape(repr(scores))}</p>"
    order = np.argsort(-means[0], kind="stable")[:_MOST].tolist()  # nan comes last
    rows = [
        _SystemMean(str(scores.systems[s]), measure, float(means[m, s]))
        for s in order
        for m, measure in enumerate(scores.measures)
    ]
    return _html(f"{repr(scores).strip('<>')}; means:", rows, len(scores.systems))
