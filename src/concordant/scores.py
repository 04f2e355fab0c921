"""Scores of systems on topics by one measure or several: the one object that files become."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant._inputs import Floats, as_floats, is_frame, labels_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Means", "Scores"]

# The columns of a long table, and the other names under which they are known, in lower case and without punctuation.
COLUMNS = {
    "measure": ("measure", "metric"),
    "topic": (
        "topic", "topics", "query", "queries", "qid", "queryid", "topicid", "id", "querynumber", "topicnumber", "topicno", "qno",
        "index", "indexlevel0", "unnamed0",
    ),
    "system": ("system", "run", "runid", "systemid", "systemname", "model", "name", "tag"),
    "value": ("value", "score"),
}  # fmt: skip


def is_column(name: str, kind: str) -> bool:
    """Say whether a column of this name is known to hold measures, topics, systems or values."""
    return "".join(c for c in name.lower() if c.isalnum()) in COLUMNS[kind]


def snap(values: Floats) -> Floats:
    """Round to 12 significant digits, so that means that differ by rounding only are equal."""
    snapped, doubtful = np.empty(values.shape), np.empty(values.shape, dtype=np.bool_)
    if _core.round_digits(np.ascontiguousarray(values).ravel(), snapped.reshape(-1), doubtful.reshape(-1)):
        snapped[doubtful] = [float(f"{value:.12g}") for value in values[doubtful].tolist()]
    return snapped


def exact_sums(weights: NDArray[np.int64], values: Floats) -> Floats:
    """Return weights @ values, the rows of sums over topics, without rounding errors that depend on the order of anything.

    Each column is cut into two slices at fixed powers of two, so coarse that every product and sum of a slice is exact;
    what is left is below 2^-80 of its largest value for fewer than a thousand topics.
    """
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    width = 52 - int(weights.sum(axis=1).max(initial=1)).bit_length()
    scaled = np.ldexp(values, -exponent)  # at most 1
    high = np.ldexp(np.rint(np.ldexp(scaled, width)), -width)
    low = np.ldexp(np.rint(np.ldexp(scaled - high, 2 * width)), -2 * width)
    n = values.shape[1]
    both = weights.astype(np.float64) @ np.hstack([high, low])
    sums: Floats = both[:, :n] + both[:, n:]
    with np.errstate(over="ignore"):
        for part in (
            exponent // 2,
            exponent - exponent // 2,
        ):  # either power of two is a double, and products are fast
            sums *= np.ldexp(1.0, part)
    return sums


def n_tied(values: Iterable[float]) -> int:
    """Return how many share their value with another."""
    return sum(count for count in Counter(values).values() if count > 1)


def some(labels: Sequence[str], most: int = 4) -> str:
    """Return the first few labels for a message."""
    return ", ".join(labels[:most]) + (f", ... ({len(labels)} in all)" if len(labels) > most else "")


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
        How many of these were told apart by the rounding errors of their sums only, before the means were rounded to 12
        digits.
    """

    def __init__(self, systems: Sequence[str], sums: Floats, n_topics: int, measure: str) -> None:
        exact = sums / n_topics
        if not np.isfinite(exact).all():
            raise ValueError(f"Scores: the sum of the {measure} of a system is too large for a float")
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
        ties = f", {self.n_tied} tied" if self.n_tied else ""
        return f"<mean {self.measure} of {len(self)} systems over {self.n_topics} topics{ties}>"


class Scores:
    """Scores by measure, topic and system, with labels.

    Parameters
    ----------
    values : array_like of shape (measures, topics, systems), (topics, systems) or (systems,)
        NaN where a system has no score for a topic.
    measures, topics, systems : sequence of str, optional
        The labels; numbers from 1 by default.
    notes : iterable of str, optional
        What a reader of the results should know of where the scores come from.

    Examples
    --------
    >>> import concordant as cd
    >>> s = cd.Scores([[0.2, 0.5, 0.1], [0.4, 0.3, 0.2]], systems=["bm25", "dense", "random"])
    >>> s
    <Scores: 1 measure, 2 topics, 3 systems>
    >>> dict(s.mean())
    {'bm25': 0.3, 'dense': 0.4, 'random': 0.15}
    >>> cd.tau_b(s.mean(), s.select(topics=["1"]).mean())
    1.0
    """

    def __init__(
        self,
        values: Any,
        *,
        measures: Iterable[object] | None = None,
        topics: Iterable[object] | None = None,
        systems: Iterable[object] | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        array = as_floats("Scores", "values", values)
        if array.ndim > 3:
            raise ValueError(
                f"Scores: values must be measures x topics x systems, or less, got shape {array.shape}"
            )
        array = array.reshape((1,) * (3 - array.ndim) + array.shape).copy()
        if np.isinf(array).any():
            raise ValueError("Scores: values must be finite, or NaN for a score that is missing")
        array.flags.writeable = False
        self.values: Floats = array
        self.measures = _labels("measures", measures, array.shape[0], "score")
        self.topics = _labels("topics", topics, array.shape[1])
        self.systems = _labels("systems", systems, array.shape[2])
        self.notes = tuple(notes)

    @classmethod
    def of(cls, data: Any, *, measure: str = "score", columns: Mapping[str, str] | None = None) -> Scores:
        """Build from what holds scores already.

        Parameters
        ----------
        data : Scores, DataFrame, mapping or array_like
            A pandas or polars DataFrame, long (columns measure, topic, system, value) or wide (systems as columns, the
            index or a column of topics as rows); a mapping ``{measure: {topic: {system: score}}}``,
            ``{topic: {system: score}}`` or ``{system: score}``; or an array as for `Scores`.
        measure : str
            The name of the measure where the data has none.
        columns : mapping, optional
            Which columns of a long table hold what, such as ``{"system": "model"}``.

        Examples
        --------
        >>> import concordant as cd
        >>> cd.Scores.of({"q1": {"bm25": 0.2, "dense": 0.5}, "q2": {"bm25": 0.4}}).missing()
        [('score', 'q2', 'dense')]
        """
        if isinstance(data, Scores):
            return data
        if is_frame(data):
            return _of_frame(data, measure, columns or {})
        labels = None if isinstance(data, Mapping) else labels_of(data)
        if labels is not None:  # a pandas Series
            data = dict(
                zip(map(label_text, labels), as_floats("Scores", "data", data.to_numpy()), strict=True)
            )
        if isinstance(data, Mapping):
            return _of_mapping(data, measure)
        return cls(data, measures=None if np.ndim(data) == 3 else [measure])

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str, str, str, float]]) -> Scores:
        """Build from rows of measure, topic, system, value; labels keep the order in which they are first seen."""
        cells: dict[tuple[str, str, str], float] = {}
        for measure, topic, system, value in rows:
            key = measure, topic, system
            if key in cells:
                raise ValueError(
                    f"Scores: system {system!r} has two scores for topic {topic!r} by {measure}; keep one"
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

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scores)
            and (self.measures, self.topics, self.systems) == (other.measures, other.topics, other.systems)
            and np.array_equal(self.values, other.values, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]

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
            measures=labels[0], topics=labels[1], systems=labels[2], notes=self.notes,
        )  # fmt: skip

    def one_measure(self, measure: str | None = None) -> tuple[str, Floats]:
        """Return the name and the topics x systems values of a measure; of the only one by default."""
        if measure is None:
            if len(self.measures) != 1:
                raise ValueError(
                    f"Scores: there are {len(self.measures)} measures ({', '.join(self.measures[:6])}); choose one"
                )
            measure = self.measures[0]
        return measure, self.values[_places("measure", self.measures, [measure])[0]]

    def mean(self, measure: str | None = None) -> Means:
        """Return the mean of each system over the topics, summed exactly and rounded to 12 significant digits.

        Scores that are missing are an error; see `fill` and `complete`.
        """
        name, values = self.one_measure(measure)
        if len(self.topics) == 0:
            raise ValueError("Scores: there are no topics to average over")
        if np.isnan(values).any():
            _, topic, system = self.select(measures=[name]).missing()[0]
            raise ValueError(
                f"Scores: {name} of system {system!r} is missing for topic {topic!r}; use fill() to count what is "
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

    def fill(self, value: float = 0.0) -> Scores:
        """Return the scores with a value for those that are missing: 0, as ``trec_eval -c`` has it."""
        return self._with(np.where(np.isnan(self.values), value, self.values), self.notes)

    def noted(self, *notes: str) -> Scores:
        """Return the scores with more notes."""
        return self._with(self.values, (*self.notes, *notes))

    def complete(self) -> Scores:
        """Return the topics for which no score is missing."""
        kept = np.flatnonzero(~np.isnan(self.values).any(axis=(0, 2)))
        return self.select(topics=[self.topics[t] for t in kept])

    def _with(self, values: NDArray[np.float64], notes: Iterable[str]) -> Scores:
        return Scores(values, measures=self.measures, topics=self.topics, systems=self.systems, notes=notes)

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Yield measure, topic, system and score of all that are not missing."""
        for m, measure in enumerate(self.measures):
            for t, topic in enumerate(self.topics):
                for system, value in zip(self.systems, self.values[m, t].tolist(), strict=True):
                    if not math.isnan(value):
                        yield measure, topic, system, value

    def to_frame(self) -> pd.DataFrame:
        """Return a long pandas DataFrame with the columns measure, topic, system, value."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install 'concordant[frame]'") from None
        return pd.DataFrame(list(self.rows()), columns=list(COLUMNS))


def label_text(label: object) -> str:
    """Return a label as text; 401.0 is how pandas shows 401 beside missing labels."""
    if (
        label is None
        or (isinstance(label, float) and math.isnan(label))
        or type(label).__name__ in ("NAType", "NaTType")
    ):
        raise ValueError("Scores: a topic, system or measure has no name; drop its row")
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _labels(
    kind: str, labels: Iterable[object] | None, size: int, only: str | None = None
) -> tuple[str, ...]:
    if labels is None:
        return (only,) if only is not None and size == 1 else tuple(str(i + 1) for i in range(size))
    texts = tuple(str(label) for label in labels)
    if len(texts) != size:
        raise ValueError(
            f"Scores: there are {len(texts)} {kind} and {size} in values; give one label for each"
        )
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise ValueError(f"Scores: {kind[:-1]} {twice[0]!r} is there twice; labels must be different")
    return texts


def _places(kind: str, own: Sequence[str], wanted: Iterable[str] | None) -> list[int]:
    if wanted is None:
        return list(range(len(own)))
    if isinstance(wanted, str):
        raise TypeError(f"Scores: {kind}s must be a list of labels, got {wanted!r}")
    place = {label: i for i, label in enumerate(own)}
    chosen = [str(label) for label in wanted]
    unknown = [label for label in chosen if label not in place]
    if unknown:
        known = ", ".join(own[:8]) + (", ..." if len(own) > 8 else "")
        raise ValueError(f"Scores: there is no {kind} {unknown[0]!r}; there are {known}")
    return [place[label] for label in chosen]


def find_columns(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str] | None:
    """Find the columns of a long table; None if it is not one. The measure may be absent, and of means the topic."""
    unknown = [kind for kind in given if kind not in COLUMNS]
    if unknown:
        raise ValueError(f"columns: there is no {unknown[0]!r}; give {', '.join(COLUMNS)}")
    absent = [name for name in given.values() if name not in names]
    if absent:
        raise ValueError(f"columns: there is no column {absent[0]!r}; there are {', '.join(names)}")
    found = dict(given)
    for kind in COLUMNS:
        matches = [name for name in names if is_column(name, kind) and name not in found.values()]
        if kind not in found and matches:
            found[kind] = matches[0]
    means = len(found) == len(names)  # nothing but systems and their values, by measure or not
    return found if {"system", "value"} <= set(found) and ("topic" in found or means) else None


def _of_frame(frame: Any, measure: str, columns: Mapping[str, str]) -> Scores:
    names = [str(name) for name in frame.columns]
    found = find_columns(names, columns)

    def column(place: int) -> list[Any]:
        series = frame.iloc[:, place] if hasattr(frame, "iloc") else frame[:, place]
        return list(series.tolist() if hasattr(series, "tolist") else series.to_list())

    if found is not None:
        parts = {kind: column(names.index(name)) for kind, name in found.items()}
        measures = parts.get("measure", [measure] * len(parts["value"]))
        values = as_floats("Scores", "value", parts["value"])
        if np.isnan(values).any():
            raise ValueError(
                f"Scores: value is missing in row {int(np.argmax(np.isnan(values)))}; leave out the row of a score that "
                "is missing"
            )
        topics = parts.get("topic", ["1"] * len(parts["value"]))
        keys = (map(label_text, measures), map(label_text, topics), map(label_text, parts["system"]))
        return Scores.of_rows(zip(*keys, values.tolist(), strict=True))
    topic = [i for i, name in enumerate(names) if is_column(name, "topic")][:1]
    systems = [i for i in range(len(names)) if i not in topic]
    if topic:
        topics = column(topic[0])
    else:
        topics = frame.index.tolist() if hasattr(frame, "index") else list(range(1, len(frame) + 1))
    table = as_floats("Scores", "values", [column(i) for i in systems]).reshape(len(systems), len(topics)).T
    return Scores(table, measures=[measure], topics=topics, systems=[names[i] for i in systems])


def _of_mapping(data: Mapping[Any, Any], measure: str) -> Scores:
    depth = _depth(data)
    if depth == 1:
        data, depth = {"1": data}, 2
    if depth == 2:
        data = {measure: data}
    elif depth != 3:
        raise ValueError(
            f"Scores: a mapping must be {{measure: {{topic: {{system: score}}}}}} or less, got {depth} levels"
        )
    rows = [
        (label_text(name), label_text(topic), label_text(system), value)
        for name, by_topic in data.items()
        for topic, by_system in by_topic.items()
        for system, value in by_system.items()
    ]
    values = as_floats("Scores", "values", [row[3] for row in rows]) if rows else np.empty(0)
    return Scores.of_rows((*row[:3], value) for row, value in zip(rows, values.tolist(), strict=True))


def _depth(data: Any) -> int:
    """Return how many mappings are within one another; all parts must have as many."""
    if not isinstance(data, Mapping):
        return 0
    depths = {_depth(part) for part in data.values() if not isinstance(part, Mapping) or part}
    if len(depths) > 1:
        raise ValueError("Scores: the mapping has scores at different levels; give {topic: {system: score}}")
    return 1 + (depths.pop() if depths else 1)


def ranking_of(value: Any) -> Any:
    """Return the means of Scores with one measure; anything else as it is."""
    return value.mean() if isinstance(value, Scores) else value
