"""Simulated data for demonstrations and tests.

`collection` makes a test collection with judges, `graded_items` makes systems that rank graded items,
`metric_scores` makes metrics of machine translation with planted effects, `board_scores` a leaderboard of two
tiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.checks import generator, whole_number
from concordant.errors import ArgumentError, public
from concordant.reading.files import write_whole
from concordant.reading.trec_runs import qrels_text, run_text
from concordant.scores.scores import Scores
from concordant.typing import Floats, RngLike

__all__ = [
    "Collection",
    "GradedItems",
    "average_ndcg",
    "board_scores",
    "collection",
    "graded_items",
    "metric_scores",
]

FAMILIES = ("lexical", "dense", "neural", "hybrid")
SHARES = (0.80, 0.12, 0.06, 0.02)  # the shares of documents with grade 0, 1, 2, 3


@dataclass(frozen=True, repr=False)
class Collection:
    """A simulated collection: runs, judgements, and imperfect judges of the same pool.

    Attributes
    ----------
    qrels : dict
        The reference judgements, ``{topic: {document: grade}}``, grades 0 to 3, for the documents in the
        pool.
    runs : dict
        The runs, ``{system: {topic: {document: score}}}``.
    judges : dict
        The judgements of two judges by name: "noisy" errs at random, "partial" favours the neural systems.
    families : dict
        The family of each system: lexical, dense, neural or hybrid.
    seed : int or None
        The seed; None if it is not known.

    Examples
    --------
    >>> import concordant as cd
    >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
    >>> len(small.qrels), len(small.runs), sorted(small.judges), small.seed
    (3, 3, ['noisy', 'partial'], 1)
    """

    qrels: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]
    judges: dict[str, dict[str, dict[str, int]]]
    families: dict[str, str]
    seed: int | None = None

    def __repr__(self) -> str:
        sizes = f"{len(self.qrels)} topics, {len(self.runs)} systems"
        return f"<Collection: {sizes}, judges {', '.join(self.judges)}>"

    def write(self, folder: str | Path) -> list[Path]:
        """Write TREC files to a folder.

        Parameters
        ----------
        folder : path
            The folder, for runs/NAME.run, human.qrels, and NAME.qrels for each judge.

        Returns
        -------
        list of pathlib.Path
            The files.

        Examples
        --------
        >>> import tempfile
        >>> import concordant as cd
        >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     len(small.write(folder))
        6
        """
        written = {Path(folder, path): text for path, text in self.files().items()}
        Path(folder, "runs").mkdir(parents=True, exist_ok=True)
        for path, text in written.items():
            write_whole(path, text)
        return [*written]

    def files(self) -> dict[Path, str]:
        """Return the TREC files that `write` writes.

        Returns
        -------
        dict of pathlib.Path to str
            The text of each file by its path in a folder.

        Examples
        --------
        >>> import concordant as cd
        >>> small = cd.experiments.simulate.collection(3, 3, 50, pool_depth=10, rng=1)
        >>> [path.name for path in small.files()][-3:]
        ['human.qrels', 'noisy.qrels', 'partial.qrels']
        """
        judged = {"human": self.qrels, **self.judges}
        runs = {Path("runs", f"{name}.run"): run_text(name, run) for name, run in self.runs.items()}
        return runs | {Path(f"{name}.qrels"): qrels_text(own) for name, own in judged.items()}


@public
def collection(
    n_topics: int = 50,
    n_systems: int = 24,
    n_documents: int = 400,
    *,
    depth: int = 100,
    pool_depth: int = 20,
    rng: RngLike = None,
) -> Collection:
    """Simulate a test collection.

    Every document has a hidden relevance for every topic; the grade is a band of this relevance. The score of
    a document by a system is its relevance, times the quality of the system, plus an error that the family of
    the system shares, plus an error of the system itself. The first `pool_depth` documents of every system
    are judged. The noisy judge adds its own error to the hidden relevance. The partial judge shares the error
    of the neural systems, and so prefers the same documents.

    Parameters
    ----------
    n_topics, n_systems, n_documents : int
        The numbers of topics, of systems, and of documents for each topic.
    depth, pool_depth : int
        The length of the runs, and the number of first documents of each that are judged.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers. A seed gives the same collection each time.

    Returns
    -------
    Collection
        The runs, the judgements and the judges.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.experiments.simulate.collection(n_topics=5, rng=1)
    <Collection: 5 topics, 24 systems, judges noisy, partial>
    """
    sizes = {"n_topics": n_topics, "n_systems": n_systems, "n_documents": n_documents}
    for name, number in {**sizes, "depth": depth, "pool_depth": pool_depth}.items():
        whole_number(name, number)
    source, seed = generator(rng)
    quality = source.permuted(np.linspace(0.35, 1.3, n_systems))
    families = [FAMILIES[s % len(FAMILIES)] for s in range(n_systems)]
    width = len(str(n_systems))
    systems = [f"{family}-{s + 1:0{width}d}" for s, family in enumerate(families)]
    runs: dict[str, dict[str, dict[str, float]]] = {system: {} for system in systems}
    judges: dict[str, dict[str, dict[str, int]]] = {"human": {}, "noisy": {}, "partial": {}}
    cuts = np.cumsum(SHARES)[:-1]
    for topic in map(str, range(401, 401 + n_topics)):
        relevance = source.normal(size=n_documents)
        errors = dict(zip(FAMILIES, source.normal(size=(len(FAMILIES), n_documents)), strict=True))
        difficulty = source.uniform(0.7, 1.3)
        names = [f"D{topic}-{d + 1:05d}" for d in range(n_documents)]
        pool: set[int] = set()
        for system, family, good in zip(systems, families, quality, strict=True):
            own = source.normal(size=n_documents)
            scores = good / difficulty * relevance + 0.6 * errors[family] + 0.8 * own
            best = np.argsort(-scores, kind="stable")[:depth]
            runs[system][topic] = {names[d]: round(float(scores[d]), 6) for d in best}
            pool.update(best[:pool_depth].tolist())
        judged = sorted(pool)
        noisy = relevance + 0.7 * source.normal(size=n_documents)
        partial = relevance + 0.5 * errors["neural"]
        for qrels, seen in zip(judges.values(), (relevance, noisy, partial), strict=True):
            standing = np.argsort(np.argsort(seen, kind="stable"), kind="stable") / n_documents
            grades = np.searchsorted(cuts, standing, side="right")  # bands among all documents
            qrels[topic] = {names[d]: int(grades[d]) for d in judged}
    families_of = dict(zip(systems, families, strict=True))
    return Collection(judges.pop("human"), runs, judges, families_of, seed)


@dataclass(frozen=True, repr=False)
class GradedItems:
    """Scores of the same graded documents by several systems.

    Attributes
    ----------
    scores : numpy.ndarray of shape (systems, documents)
        The scores.
    grades : numpy.ndarray of shape (documents,)
        The grades of the documents.
    targets, reached : numpy.ndarray of shape (systems,)
        The average nDCG that each system was evolved to, and the one that it reached.
    seed : int or None
        The seed; None if it is not known.

    Examples
    --------
    >>> import concordant as cd
    >>> items = cd.experiments.simulate.graded_items(n_systems=2, n_documents=10, n_generations=2, rng=1)
    >>> items.scores.shape, items.grades.shape
    ((2, 10), (10,))
    """

    scores: Floats
    grades: NDArray[np.int64]
    targets: Floats
    reached: Floats
    seed: int | None = None

    def __repr__(self) -> str:
        return f"<GradedItems: {self.scores.shape[0]} systems, {self.scores.shape[1]} documents>"


def average_ndcg(grades: NDArray[np.int64]) -> Floats:
    """Return the mean of nDCG@k over all k, for rows of grades in rank order.

    Parameters
    ----------
    grades : numpy.ndarray
        Grades in rank order, best first; each row is a list.

    Returns
    -------
    numpy.ndarray
        The mean for each row. The ideal list has the same grades, sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.experiments import simulate
    >>> simulate.average_ndcg(np.array([[2, 1, 0], [0, 1, 2]])).round(4).tolist()
    [1.0, 0.2866]
    """
    discount = 1 / np.log2(np.arange(2, grades.shape[-1] + 2))
    gained = np.cumsum(grades * discount, axis=-1)
    ideal = np.cumsum(-np.sort(-grades, axis=-1) * discount, axis=-1)
    mean: Floats = np.mean(np.divide(gained, ideal, out=np.ones_like(gained), where=ideal > 0), axis=-1)
    return mean


@public
def graded_items(
    n_systems: int = 20,
    n_documents: int = 50,
    *,
    shares: Iterable[float] = (0.48, 0.12, 0.21, 0.19),
    targets: Iterable[float] | None = None,
    n_generations: int = 40,
    rng: RngLike = None,
) -> GradedItems:
    """Evolve rankings of graded documents to given average nDCG, with NSGA-II.

    A system is an array of scores of the documents. An offspring adds or multiplies the scores of two
    parents. A mutation swaps two scores or adds a random value to one. The fitness is the distance of the
    average nDCG to the target. With one objective, the fronts of NSGA-II are the ranks by it.

    Parameters
    ----------
    n_systems, n_documents : int
        The numbers of systems and of documents.
    shares : iterable of float
        The shares of the documents with grade 0, 1, ...
    targets : iterable of float, optional
        The target for each system; by default spread over 0.1 to 0.9. A target that no ranking has is
        approached as closely as possible.
    n_generations : int, default 40
        The number of generations.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers. A seed gives the same rankings each time.

    Returns
    -------
    GradedItems
        The scores, the grades, the targets and the average nDCG that was reached.

    References
    ----------
    .. [1] Vezzuto, "Extending rank correlation coefficients for relevance profiles", TU Delft, experimental
       setup.
    .. [2] Deb, Pratap, Agarwal and Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II",
       2002.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.experiments.simulate.graded_items(2, n_documents=10, n_generations=2, rng=1)
    <GradedItems: 2 systems, 10 documents>
    """
    whole_number("n_systems", n_systems)
    whole_number("n_documents", n_documents, 2)
    whole_number("n_generations", n_generations)
    parts = np.asarray(list(shares), dtype=np.float64)
    if len(parts) < 2 or (parts < 0).any() or not np.isclose(parts.sum(), 1):
        raise ArgumentError(f"shares must be numbers from 0 up that sum to 1, got {parts.tolist()}")
    given = np.linspace(0.1, 0.9, n_systems) if targets is None else list(targets)
    wanted = np.asarray(given, dtype=np.float64)
    if len(wanted) != n_systems or not ((wanted > 0) & (wanted <= 1)).all():
        raise ArgumentError(f"targets must be {n_systems} numbers above 0 and up to 1, got {wanted.tolist()}")
    source, seed = generator(rng)
    middles = (np.arange(n_documents) + 0.5) / n_documents
    grades = np.searchsorted(np.cumsum(parts)[:-1], middles, side="right")
    if not grades.any():
        raise ArgumentError("no document has a grade above 0; give larger shares, or more documents")
    each = zip(wanted, source.integers(0, 2**31, n_systems).tolist(), strict=True)
    scores = np.stack([_evolved(grades, target, n_generations, own) for target, own in each])
    reached = average_ndcg(grades[np.argsort(-scores, axis=1, kind="stable")])
    return GradedItems(scores, grades.astype(np.int64), wanted, reached, seed)


_POPULATION = 40
_CROSSED = 0.9  # the share of pairs of parents whose scores are combined; others are copied


def _evolved(grades: NDArray[np.int64], target: float, n_generations: int, seed: int) -> Floats:
    """Return scores of the documents whose ranking has an average nDCG near the target."""
    rng = np.random.default_rng(seed)
    n, rows = len(grades), np.arange(_POPULATION)

    def distances(scores: Floats) -> Floats:
        return np.abs(average_ndcg(grades[np.argsort(-scores, axis=1, kind="stable")]) - target)

    scores = rng.random((_POPULATION, n))
    misses = distances(scores)
    for _ in range(n_generations - 1):
        # Everybody is in two tournaments; the better of two becomes a parent.
        rivals = np.concatenate([rng.permutation(_POPULATION), rng.permutation(_POPULATION)]).reshape(-1, 2)
        parents = np.where(misses[rivals[:, 0]] <= misses[rivals[:, 1]], *rivals.T)
        one, other = scores[parents].reshape(2, -1, n)
        added = rng.random((2, *one.shape)) < 0.5
        combined = np.where(added, (one + other) / 2, one * other)
        crossed = rng.random((len(one), 1)) < _CROSSED
        young = np.where(crossed, combined, [one, other]).reshape(_POPULATION, n)
        i, j = rng.integers(0, n, (2, _POPULATION))
        swap = rng.random(_POPULATION) < 0.5
        moved = np.where(swap, young[rows, j], young[rows, i] + rng.normal(0, 0.3, _POPULATION))
        young[rows, j] = np.where(swap, young[rows, i], young[rows, j])
        young[rows, i] = moved
        scores = np.concatenate([scores, np.clip(young, 0.0, 1.0)])
        misses = np.concatenate([misses, distances(scores[_POPULATION:])])
        best = np.argsort(misses, kind="stable")[:_POPULATION]
        scores, misses = scores[best], misses[best]
    found: Floats = scores[np.argmin(misses)]
    return found


@public
def metric_scores(
    n_systems: int = 9, n_segments: int = 300, *, rng: RngLike = None
) -> dict[str, tuple[dict[str, list[float | None]], dict[str, dict[str, list[float]]]]]:
    """Simulate two language pairs: translations, their errors as people count them, and six metrics.

    People do not see one segment in six. The metrics "keen" and "twin" are equally good. "coarse" is "keen",
    rounded, and so has ties. "lexical" is weak. "partial" is "keen" with a bonus for system1, system4 and
    system7: it orders segments well and systems badly. "noise" knows nothing.

    Parameters
    ----------
    n_systems, n_segments : int
        The numbers of systems and of segments; there is also a reference translation, refA.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers. A seed gives the same scores each time.

    Returns
    -------
    dict
        What `metrics` takes: ``{language pair: (human, {metric: scores})}``, scores by system.

    Examples
    --------
    >>> import concordant as cd
    >>> made = cd.experiments.simulate.metric_scores(3, 5, rng=1)
    >>> human, metrics = made["en-de"]
    >>> sorted(made), sorted(human), len(metrics)
    (['en-de', 'ja-zh'], ['refA', 'system1', 'system2', 'system3'], 6)
    """
    whole_number("n_systems", n_systems, 2)
    whole_number("n_segments", n_segments, 2)
    source, _ = generator(rng)
    names = [*(f"system{k + 1}" for k in range(n_systems)), "refA"]
    made = {}
    for pair in ("en-de", "ja-zh"):
        quality = np.append(source.permutation(np.linspace(-0.7, 0.7, n_systems)), 1.0)[:, None]
        shape = (n_systems + 1, n_segments)
        good = quality + source.normal(size=n_segments) + source.normal(size=shape)
        seen = good + 0.6 * source.normal(size=shape)
        human = -np.clip(np.rint(-0.3 - seen), 0, 25) + 0.0
        human[:, source.random(n_segments) < 1 / 6] = np.nan
        keen, twin, weak, noise = source.normal(size=(4, *shape))
        keen = good + 0.8 * keen
        favoured = np.array([name in ("system1", "system4", "system7") for name in names])[:, None]
        metrics = {
            "keen": keen,
            "twin": good + 0.8 * twin,
            "coarse": 2 * np.rint(keen / 2),
            "lexical": good + 3.0 * weak,
            "partial": keen + favoured,
            "noise": noise,
        }

        def by_system(table: Floats) -> dict[str, list[float]]:
            return dict(zip(names, table.round(6).tolist(), strict=True))

        people = {name: [None if v != v else v for v in own] for name, own in by_system(human).items()}  # noqa: PLR0124
        made[pair] = people, {name: by_system(table) for name, table in metrics.items()}
    return made


_STRONG, _WEAK = "amber basalt cedar delta ember", "fjord grove heron iris juniper"


@public
def board_scores(n_items: int = 300, *, rng: RngLike = None) -> Scores:
    """Simulate ten models on questions that are right or wrong: five are strong and five are weak.

    The probability of a right answer is logistic in the ability of the model minus the difficulty of the
    question. The abilities are 1 to 1.2 in the first tier, and -0.2 to 0 in the second.

    Parameters
    ----------
    n_items : int
        The number of questions.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.

    Returns
    -------
    Scores
        The scores, 0 or 1.

    Examples
    --------
    >>> import concordant as cd
    >>> cd.experiments.simulate.board_scores(20, rng=1)
    <Scores: 1 measure, 20 topics, 10 systems>
    """
    whole_number("n_items", n_items, 1)
    source, _ = generator(rng)
    ability = np.append(np.linspace(1.2, 1.0, 5), np.linspace(0.0, -0.2, 5))
    chance = 1 / (1 + np.exp(source.normal(size=(n_items, 1)) - ability))
    values = (source.random(chance.shape) < chance).astype(np.float64)
    topics = [f"q{k + 1:03d}" for k in range(n_items)]
    return Scores(values, topics=topics, systems=[*_STRONG.split(), *_WEAK.split()])


def benchmark_scores(n_benchmarks: int = 9, *, rng: RngLike = None) -> dict[str, dict[str, float]]:
    """Simulate benchmarks of 24 models, each of some of them, and one that rewards something else.

    Each benchmark has the ability of a model and an error, of 20 of the models. The benchmark "new" has all
    models, and adds a bonus to four weak ones whose names end in "-chat".

    Parameters
    ----------
    n_benchmarks : int
        The number of benchmarks that measure the ability alone.
    rng : int, Generator, BitGenerator, SeedSequence, RandomState or None
        The seed or the generator of random numbers.

    Returns
    -------
    dict of str to dict of str to float
        The scores of the models, from 0 to 100, by benchmark.

    Examples
    --------
    >>> import concordant as cd
    >>> made = cd.experiments.simulate.benchmark_scores(2, rng=1)
    >>> {name: len(scores) for name, scores in made.items()}
    {'bench-1': 20, 'bench-2': 20, 'new': 24}
    """
    whole_number("n_benchmarks", n_benchmarks, 1)
    source, _ = generator(rng)
    chatty = np.isin(np.arange(24), (17, 19, 21, 23))
    models = [f"model-{k + 1:02d}{'-chat' if chatty[k] else ''}" for k in range(24)]
    ability = np.linspace(70, 30, 24)
    found = {}
    for k in range(n_benchmarks):
        scores, there = ability + 4 * source.normal(size=24), np.sort(source.permutation(24)[:20])
        found[f"bench-{k + 1}"] = {models[i]: round(float(scores[i]), 1) for i in there}
    scores = ability + 4 * source.normal(size=24) + 40 * chatty
    found["new"] = {model: round(float(score), 1) for model, score in zip(models, scores, strict=True)}
    return found


def metric_files(
    made: dict[str, tuple[dict[str, list[float | None]], dict[str, dict[str, list[float]]]]],
    folder: str | Path,
) -> dict[Path, str]:
    """Return the files of a folder of mt-metrics-eval with these scores, and their contents."""
    found: dict[Path, Mapping[str, Sequence[float | None]]] = {}
    for pair, (human, metrics) in made.items():
        found[Path(folder, "human-scores", f"{pair}.mqm.seg.score")] = human
        for name, scores in metrics.items():
            suffix = "src" if name in ("partial", "noise") else "refA"
            found[Path(folder, "metric-scores", pair, f"{name}-{suffix}.seg.score")] = scores
    lines = {
        path: [f"{system}\t{score}\n" for system, own in scores.items() for score in own]
        for path, scores in found.items()
    }
    return {path: "".join(own) for path, own in lines.items()}
