"""Checks of options: words, whole numbers, proportions, workers, random numbers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, TypeGuard, get_args

import numpy as np

from concordant.errors import ArgumentError, ArgumentTypeError, option, shown
from concordant.typing import NanPolicy, RngLike

NAN_POLICIES: tuple[str, ...] = get_args(NanPolicy)


def is_real(value: object) -> bool:
    """Return whether a value is a real number. Decimal is one, but it is not imported here, which is slow."""
    return isinstance(value, Real | np.bool_) or type(value).__name__ == "Decimal"


def _is_whole(value: object) -> TypeGuard[int | np.integer[Any]]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def one_of(name: str, value: object, allowed: Sequence[Any]) -> None:
    """Raise an error unless `value` is one of the allowed words."""
    if not any(value is word or (type(value) is type(word) and value == word) for word in allowed):
        words = ", ".join(repr(word) for word in allowed[:-1]) + f" or {allowed[-1]!r}"
        raise ArgumentError(f"{option(name)} must be {words}, got {value!r}")


def distinct_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON, as `json.loads` takes it; raise an error if it has a key twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise ArgumentError(f"key {shown(twice)} appears twice in an object; keep one")
    return found


def check_nan_policy(nan_policy: object) -> None:
    """Raise an error unless the policy is known."""
    one_of("nan_policy", nan_policy, NAN_POLICIES)


def whole_number(name: str, value: object, least: int = 1) -> int:
    """Check a whole number that has a lower limit."""
    if not _is_whole(value) or value < least:
        raise ArgumentError(f"{option(name)} must be a whole number from {least} up, got {value!r}")
    return int(value)


def proportion(name: str, value: object) -> float:
    """Check a number strictly between 0 and 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < 1:
        raise ArgumentError(f"{option(name)} must be a number between 0 and 1, got {value!r}")
    return float(value)


def correlation(name: str, value: object) -> float:
    """Check a number from -1 to 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not -1 <= float(value) <= 1:
        raise ArgumentError(f"{option(name)} must be a number from -1 to 1, got {value!r}")
    return float(value)


def several(name: str, values: Any) -> list[Any]:
    """Read one value or several."""
    one = isinstance(values, str) or not isinstance(values, Iterable)
    found = list(dict.fromkeys([values] if one else values))
    if any(not is_real(value) for value in found):
        raise ArgumentTypeError(f"{option(name)} must be a number or several, got {values!r}")
    return found


def n_workers(workers: object) -> int:
    """Read the number of threads or processes; -1 is all cores that this process may use."""
    if not _is_whole(workers) or (workers < 1 and workers != -1):
        raise ArgumentError(f"{option('workers')} must be 1 or more, or -1 for all cores, got {workers!r}")
    if workers == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(workers), 1024)


def generator(rng: RngLike) -> tuple[np.random.Generator, int | None]:
    """Return a generator and its seed; the seed is None if something other than a seed was given."""
    if rng is None:
        rng = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    if _is_whole(rng):
        if rng < 0:
            raise ArgumentError(f"{option('rng')} must be 0 or more, got {rng}")
        return np.random.default_rng(int(rng)), int(rng)
    if isinstance(rng, np.random.RandomState):
        return np.random.Generator(rng._bit_generator), None
    if isinstance(rng, np.random.Generator | np.random.BitGenerator | np.random.SeedSequence):
        return np.random.default_rng(rng), None
    raise ArgumentTypeError(
        f"{option('rng')} must be a whole number, or a Generator, BitGenerator, SeedSequence or RandomState "
        f"of NumPy, got {rng!r}"
    )
