"""Folders of mt-metrics-eval: scores of translations, segment by segment, by people and by metrics."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from concordant.errors import fail, option, shown
from concordant.reading.cells import NUMBER
from concordant.reading.files import read_text
from concordant.results.note import Note
from concordant.results.words import count, listed, some
from concordant.typing import Floats

_SEGMENTS = ".seg.score"
_REFERENCE = re.compile(r"ref[A-Z]?")


@dataclass(frozen=True)
class LanguagePair:
    """The scores of one language pair: systems x segments, nan where there is none."""

    name: str
    systems: tuple[str, ...]
    human: Floats
    metrics: dict[str, Floats]
    notes: tuple[Note, ...] = field(default=())


def _rows(path: Path) -> dict[str, list[float]]:
    """Read the scores of each system: lines of a name and a number or None, segment after segment."""
    found: dict[str, list[float]] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        system, _, text = line.strip().rpartition("\t" if "\t" in line.strip() else " ")
        score = np.nan if text == "None" else float(text) if NUMBER.fullmatch(text) else np.inf
        if not system.strip() or np.isinf(score):
            fail(str(path), number, f"expected a system, a tab, and a number or None, got {shown(line)}")
        found.setdefault(system.strip(), []).append(score)
    return found


def read_metric_scores(
    folder: str | os.PathLike[str],
    language_pairs: Collection[str] = (),
    human: str | None = None,
    reference: str | None = None,
    references: bool = False,
    exclude: Iterable[str] = (),
) -> list[LanguagePair]:
    """Read the language pairs of a folder of mt-metrics-eval, in the order of their names.

    ``human-scores/en-de.mqm.seg.score`` has the scores by people, ``metric-scores/en-de/NAME-refA.seg.score``
    those of a metric that uses the reference translation refA; ``NAME-src`` uses none.
    """
    root = Path(folder)
    files = sorted((root / "human-scores").glob(f"*{_SEGMENTS}*")) if root.is_dir() else []
    kinds: dict[str, dict[str, Path]] = {}
    for path in files:
        pair, _, kind = path.name.partition(_SEGMENTS)[0].partition(".")
        kinds.setdefault(pair, {})[kind] = path
    there = [pair for pair in kinds if (root / "metric-scores" / pair).is_dir()]
    if not there:
        has = "human-scores/PAIR.KIND.seg.score and metric-scores/PAIR/NAME.seg.score"
        fail(str(root), None, f"has no language pair; give a folder of mt-metrics-eval, with {has}")
    for each in language_pairs:
        if each not in there:
            fail(str(root), None, f"has no language pair {each!r}; there are {', '.join(there)}")
    found = []
    for pair in sorted(language_pairs or there):
        own = kinds[pair]
        if human is None and len(own) > 1:
            of = f"has human scores of {pair} of several kinds, {listed(sorted(own))}"
            fail(str(root), None, f"{of}; choose one with {option('human')}")
        if human is not None and human not in own:
            of = f"has no human scores {human!r} of {pair}; there are {listed(sorted(own))}"
            fail(str(root), None, f"{of}; choose one of them, or other language pairs")
        scores = next(iter(own.values())) if human is None else own[human]
        found.append(_language_pair(root, pair, scores, reference, references, list(exclude)))
    return found


def _language_pair(
    root: Path, pair: str, human: Path, reference: str | None, references: bool, exclude: list[str]
) -> LanguagePair:
    below = sorted((root / "references").glob(f"{pair}.*.txt"))
    known = {path.name.removeprefix(f"{pair}.").removesuffix(".txt") for path in below}
    people = _rows(human)
    named = {each for each in people if _REFERENCE.fullmatch(each)} if not known else set(known)
    files, only_systems = _metric_files(root / "metric-scores" / pair, known, reference)
    used = {name for suffix, _ in files.values() for name in re.split(r"[.,]", suffix)}
    n = max(map(len, people.values()))
    for system, own in people.items():
        if len(own) != n:
            fail(str(human), None, f"has {len(own)} scores of {system} and {n} of others; copy it again")
    left_out = {
        "reference translations": [s for s in people if s in named and (not references or s in used)],
        "excluded systems": [s for s in people if any(fnmatchcase(s, each) for each in exclude)],
        "systems without human scores": [s for s, own in people.items() if np.isnan(own).all()],
    }
    gone = {system for each in left_out.values() for system in each}
    notes = [
        Note(
            "systems_left_out", text=f"left out {what}: {listed(own)}", values={"systems": own}, subject=pair
        )
        for what, own in left_out.items()
        if own
    ]
    if only_systems:
        text = (
            f"left out {count(len(only_systems), 'metric')} without scores of segments: {some(only_systems)}"
        )
        notes.append(
            Note("metrics_left_out", text=text, values={"metrics": only_systems}, subject=pair, lost=True)
        )
    systems = tuple(sorted(each for each in people if each not in gone))
    if len(systems) < 2:
        fail(str(human), None, f"has {count(len(systems), 'system')} left; exclude fewer")
    metrics = {}
    for name, (_, path) in sorted(files.items()):
        rows, empty = _rows(path), [np.nan] * n
        for system in set(rows) & set(systems):
            if len(rows[system]) != n:
                of = f"has {len(rows[system])} scores of {system}, and the human scores have {n}"
                fail(str(path), None, f"{of}; give a score or None for each segment")
        metrics[name] = np.array([rows.get(system, empty) for system in systems])
    return LanguagePair(pair, systems, np.array([people[s] for s in systems]), metrics, tuple(notes))


def _metric_files(
    folder: Path, known: set[str], reference: str | None
) -> tuple[dict[str, tuple[str, Path]], list[str]]:
    """Return the reference and the file of each metric, and the metrics that have scores of systems only."""
    found: dict[str, tuple[str, Path]] = {}
    systems = {path.name.partition(".sys.score")[0] for path in folder.glob("*.sys.score*")}
    for path in sorted(folder.glob(f"*{_SEGMENTS}*")):
        stem = path.name.partition(_SEGMENTS)[0]
        systems.discard(stem)
        name, _, suffix = stem.rpartition("-")
        parts = re.split(r"[.,]", suffix)
        if not name or not all(each in {*known, "src"} or _REFERENCE.fullmatch(each) for each in parts):
            name, suffix = stem, "src"
        if reference is not None and suffix not in (reference, "src"):
            continue
        if name in found:
            two = f"has scores of {name} with {found[name][0]} and with {suffix}; choose one with"
            fail(str(folder), None, f"{two} {option('reference')}, and keep one file of each metric")
        found[name] = suffix, path
    if not found:
        of = "" if reference is None else f" that use {reference!r}"
        fail(str(folder), None, f"has no scores of segments by metrics{of}; check the folder")
    names = {each.rpartition("-")[0] or each for each in systems}
    return found, sorted(names - set(found))
