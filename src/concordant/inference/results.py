"""The results of intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from concordant.coefficients import Coefficient
from concordant.inference.confidence import ConfidenceInterval
from concordant.tables import Note, plain, target, to_frame
from concordant.typing import Floats

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BootstrapResult", "DifferenceResult", "JackknifeResult", "PermutationTestResult", "Scalars"]


def _seed_text(seed: int | None) -> str:
    return "" if seed is None else f", seed {seed}"


def _notes_text(notes: Sequence[Note]) -> str:
    return f"; {'; '.join(map(str, notes))}" if notes else ""


def _undefined_text(undefined: int) -> str:
    return f", {undefined} of them undefined" if undefined else ""


class Scalars:
    """What all results share: the numbers as a dictionary."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields but the distributions as plain values."""
        found: dict[str, Any] = {}
        for each in fields(self):  # type: ignore[arg-type]
            value = getattr(self, each.name)
            if isinstance(value, ConfidenceInterval):
                found |= {"low": plain(value.low), "high": plain(value.high)}
            elif each.name == "notes":
                found["notes"] = [plain(note.to_dict()) for note in value]
            elif not each.name.endswith("_distribution"):
                found[each.name] = plain(value)
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame of one row."""
        row = {name: value for name, value in self.to_dict().items() if name != "notes"}
        return to_frame([row], list(row))


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapResult(Scalars):
    """A coefficient with its interval over topics."""

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    bootstrap_distribution: Floats
    coefficient: Coefficient
    confidence_level: float
    method: str
    n: int  # topics
    n_resamples: int
    n_undefined: int  # resamples in which the coefficient has no value
    seed: int | None
    notes: tuple[Note, ...] = ()  # what became of missing scores and topics, and the like

    def __repr__(self) -> str:
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.10g} confidence interval "
            f"{self.confidence_interval} for {target(self.method)} ({self.method}, {self.n_resamples} "
            f"resamples of {self.n} topics{_undefined_text(self.n_undefined)}{_seed_text(self.seed)})"
            f"{_notes_text(self.notes)}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class JackknifeResult(Scalars):
    """A coefficient with its interval over items."""

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    coefficient: Coefficient
    confidence_level: float
    n: int  # items
    n_groups: int  # left out one after the other; as many as items unless there are very many of these
    n_undefined: int  # groups without which the coefficient has no value

    def __repr__(self) -> str:
        left_out = f"{self.n} items" + (f" in {self.n_groups} groups" if self.n_groups < self.n else "")
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.10g} confidence interval "
            f"{self.confidence_interval} (jackknife of {left_out}{_undefined_text(self.n_undefined)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTestResult(Scalars):
    """A coefficient with the p-value of the null hypothesis that the rankings are unrelated."""

    statistic: float
    pvalue: float
    null_distribution: Floats
    coefficient: Coefficient
    alternative: str
    n: int  # items
    n_resamples: int
    n_undefined: int  # orders in which the coefficient has no value
    exact: bool  # all orders were tried, or the exact null distribution was taken
    seed: int | None
    method: str = "permutation"  # or "exact", "normal": by which null distribution

    def __repr__(self) -> str:
        orders = f"all {self.n_resamples} orders" if self.exact else f"{self.n_resamples} random orders"
        if self.method != "permutation":
            orders = f"{self.method} null distribution"
        return (
            f"{self.coefficient} = {self.statistic:.4f}, p = {self.pvalue:.4g} ({self.alternative}, "
            f"{orders} of {self.n} items{_undefined_text(self.n_undefined)}"
            f"{'' if self.exact else _seed_text(self.seed)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceResult(Scalars):
    """How much better one estimate agrees with the reference than another."""

    statistic: float  # the agreement of a less that of b
    pvalue: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    statistic_a: float
    statistic_b: float
    bootstrap_distribution: Floats
    null_distribution: Floats | None  # of exchanges, where the method is that
    coefficient: Coefficient
    alternative: str
    confidence_level: float
    method: str
    n: int  # topics
    n_resamples: int
    n_undefined: int
    exact: bool  # all ways to exchange were tried
    seed: int | None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"{self.coefficient}: {self.statistic_a:.4f} - {self.statistic_b:.4f} = {self.statistic:+.4f}, "
            f"{self.confidence_level:.10g} confidence interval {self.confidence_interval}, "
            f"p = {self.pvalue:.4g} ({self.alternative}, {self.method}, "
            f"{self.n_resamples} resamples of {self.n} topics{_undefined_text(self.n_undefined)}"
            f"{_seed_text(self.seed)}){_notes_text(self.notes)}"
        )
