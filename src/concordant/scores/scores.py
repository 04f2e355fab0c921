"""Scores of systems on topics, by one measure or several: the one object that files become."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, public
from concordant.rankings import as_floats, is_data_array
from concordant.scores.columns import COLUMNS
from concordant.scores.exact_means import exact_sums, n_tied, snap
from concordant.tables import Note, to_frame
from concordant.typing import Floats

if TYPE_CHECKING:
    import pandas as pd

    from concordant.scores.layout import Headers, SystemsIn

__all__ = ["Means", "Scores"]


class Means(Mapping[str, float]):
    """The mean score of each system: a mapping, so that every coefficient takes it and aligns it by name.

    Attributes
    ----------
    measure : str
    n_topics : int
        Topics averaged over.
    n_tied : int
        Systems that share their mean with another.
    n_tied_by_rounding : int
        How many of these were told apart by the rounding errors of their sums only, before the means were
        rounded to 12 digits.
    """

    def __init__(self, systems: Sequence[str], sums: Floats, n_topics: int, measure: str) -> None:
        exact = sums / n_topics
        if not np.isfinite(exact).all():
            raise ArgumentError(f"the sum of the {measure} of a system is too large for a float")
        self._values: dict[str, float] = dict(zip(systems, snap(exact).tolist(), strict=True))
        self.measure = measure
        self.n_topics = n_topics
        self.n_tied = n_tied(self._values.values())
        self.n_tied_by_rounding = self.n_tied - n_tied(exact.tolist())

    def __getitem__(self, system: str) -> float:
        return self._values[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        from concordant.scores.notebook import means_text

        return means_text(self)

    def _repr_html_(self) -> str:
        from concordant.scores.notebook import means_html

        return means_html(self)


class Scores:
    """Scores by measure, topic and system, with labels.

    Parameters
    ----------
    values : array_like of shape (measures, topics, systems), (topics, systems) or (systems,)
        NaN where a system has no score for a topic.
    measures, topics, systems : sequence of str, optional
        The labels; numbers from 0 by default, as NumPy and pandas count.
    notes : iterable of Note, optional
        What a reader of the results should know of where the scores come from.
    lower : iterable of str, optional
        Measures of which the smallest score is the best. Their scores in `values` have the other sign, so
        that the largest is the best; a score of these that is missing never counts as 0.

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
        self.measures = _labels("measures", measures, array.shape[0], "score")
        self.topics = _labels("topics", topics, array.shape[1])
        self.systems = _labels("systems", systems, array.shape[2])
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
        """Build from what holds scores already.

        Parameters
        ----------
        data : Scores, DataFrame, mapping or array_like
            A data frame of pandas, polars, pyarrow, DuckDB or modin: long (columns measure, topic, system,
            value), with systems in rows (a column such as "model", the other columns are measures), or with
            systems in columns (rows are topics); an xarray.DataArray, whose dimensions are known by their
            names, or by their order as in an array; a mapping ``{measure: {topic: {system: score}}}``,
            ``{topic: {system: score}}`` or ``{system: score}``; or an array as for `Scores`.
        measure : str
            The name of the measure where the data has none.
        columns : mapping, optional
            Which columns of a DataFrame hold what, such as ``{"system": "Model", "value": "Score"}``.
        systems : {"rows", "columns"}, optional
            Where the systems are in a DataFrame; by default the names of its columns decide.
        headers : {"measures", "topics"}, optional
            What the columns of a DataFrame are if systems are in rows.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.Scores.from_data({"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4}}).missing()
        [('score', 'q2', 'dense')]
        """
        from concordant.scores.from_data import scores_of

        return scores_of(data, measure, columns, systems, headers)

    @classmethod
    @public("Scores")
    def from_rows(cls, rows: Iterable[tuple[str, str, str, float]]) -> Scores:
        """Build from rows of measure, topic, system, value.

        Labels keep the order in which they are first seen.
        """
        cells: dict[tuple[str, str, str], float] = {}
        for measure, topic, system, value in rows:
            key = measure, topic, system
            if key in cells:
                raise ArgumentError(
                    f"system {system!r} has two scores for topic {topic!r} by {measure}; keep one"
                )
            cells[key] = value
        places = [
            {label: i for i, label in enumerate(dict.fromkeys(part))} for part in zip(*cells, strict=True)
        ]
        if not places:
            places = [{}, {}, {}]
        values = np.full([len(part) for part in places], math.nan)
        for (measure, topic, system), value in cells.items():
            values[places[0][measure], places[1][topic], places[2][system]] = value
        return cls(values, measures=places[0], topics=places[1], systems=places[2])

    def __getitem__(self, measure: str) -> Scores:
        return self.select(measures=[measure])

    def __repr__(self) -> str:
        parts = [
            f"{len(labels)} {name[:-1] if len(labels) == 1 else name}"
            for name, labels in (
                ("measures", self.measures),
                ("topics", self.topics),
                ("systems", self.systems),
            )
        ]
        missing = int(np.isnan(self.values).sum())
        return f"<Scores: {', '.join(parts)}{f', {missing} scores missing' if missing else ''}>"

    def _repr_html_(self) -> str:
        from concordant.scores.notebook import scores_html

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
        """Return the scores of some measures, topics or systems, in the order given."""
        index = [
            _places(kind, own, wanted)
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
        return Scores(
            self.values[np.ix_(*index)],
            measures=labels[0],
            topics=labels[1],
            systems=labels[2],
            notes=self.notes,
            lower=self.lower,
        )

    @public("Scores")
    def one_measure(self, measure: str | None = None) -> tuple[str, Floats]:
        """Return the name and the topics x systems values of a measure; of the only one by default."""
        if measure is None:
            if len(self.measures) != 1:
                raise ArgumentError(
                    f"there are {len(self.measures)} measures ({', '.join(self.measures[:6])}); choose one"
                )
            measure = self.measures[0]
        return measure, self.values[_places("measure", self.measures, [measure])[0]]

    @public("Scores")
    def mean(self, measure: str | None = None) -> Means:
        """Return the mean of each system over the topics.

        Sums are exact; the means are rounded to 12 significant digits.

        Scores that are missing are an error; see `fill` and `complete`.
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
        """Return the measure, topic and system of every score that is missing."""
        return [
            (self.measures[m], self.topics[t], self.systems[s])
            for m, t, s in np.argwhere(np.isnan(self.values))
        ]

    @public("Scores")
    def fill(self, value: float = 0.0) -> Scores:
        """Return the scores with a value for those that are missing: 0, as ``trec_eval -c`` has it."""
        for measure, topic, system in self.missing() if self.lower else ():
            if measure in self.lower:
                raise ArgumentError(
                    f"{measure} of system {system!r} is missing for topic {topic!r}; the smallest {measure} "
                    f"is the best, so that {value:g} would be a good score; complete() leaves out the topic"
                )
        return self._with(np.where(np.isnan(self.values), value, self.values), self.notes)

    def noted(self, *notes: Note) -> Scores:
        """Return the scores with more notes."""
        return self._with(self.values, (*self.notes, *notes))

    def with_measures(self, measures: Iterable[str]) -> Scores:
        """Return the scores with other names for the measures."""
        names = list(measures)
        lower = [new for old, new in zip(self.measures, names, strict=False) if old in self.lower]
        return self._like(self.values, self.notes, names, lower)

    def with_topics(self, topics: Iterable[str]) -> Scores:
        """Return the scores with other names for the topics."""
        measures, systems, notes = self.measures, self.systems, self.notes
        return Scores(
            self.values, measures=measures, topics=topics, systems=systems, notes=notes, lower=self.lower
        )

    def complete(self) -> Scores:
        """Return the topics for which no score is missing."""
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
        """Yield measure, topic, system and score of all that are not missing."""
        for m, measure in enumerate(self.measures):
            for t, topic in enumerate(self.topics):
                for system, value in zip(self.systems, self.values[m, t].tolist(), strict=True):
                    if not math.isnan(value):
                        yield measure, topic, system, value

    def to_frame(self) -> pd.DataFrame:
        """Return a long pandas DataFrame with the columns measure, topic, system, value."""
        return to_frame([dict(zip(COLUMNS, row, strict=True)) for row in self.rows()], list(COLUMNS))


def _labels(
    kind: str, labels: Iterable[object] | None, size: int, only: str | None = None
) -> tuple[str, ...]:
    if labels is None:
        return (only,) if only is not None and size == 1 else tuple(map(str, range(size)))
    texts = tuple(str(label) for label in labels)
    if len(texts) != size:
        raise ArgumentError(f"there are {len(texts)} {kind} and {size} in values; give one label for each")
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise ArgumentError(f"{kind[:-1]} {twice[0]!r} is there twice; labels must be different")
    return texts


def _places(kind: str, own: Sequence[str], wanted: Iterable[str] | None) -> list[int]:
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
