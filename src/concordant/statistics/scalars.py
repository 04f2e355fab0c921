"""The results of intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from concordant.coefficients.declaration import Coefficient
from concordant.results.note import Note
from concordant.results.note_sentences import target
from concordant.results.table import plain, to_frame
from concordant.statistics.confidence import ConfidenceInterval
from concordant.typing import Floats

if TYPE_CHECKING:
    import pandas as pd


def _seed_text(seed: int | None) -> str:
    return "" if seed is None else f", seed {seed}"


def _notes_text(notes: Sequence[Note]) -> str:
    return f"; {'; '.join(map(str, notes))}" if notes else ""


def _undefined_text(undefined: int) -> str:
    return f", {undefined} of them undefined" if undefined else ""


class Scalars:
    """The numbers of a result, as a dictionary or a data frame."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields except the distributions as plain values.

        Returns
        -------
        dict
            Names and values; the interval becomes low and high.
        """
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
        """Return a pandas DataFrame of one row.

        Returns
        -------
        pandas.DataFrame
            The columns are the keys of `to_dict`, without notes.
        """
        row = {name: value for name, value in self.to_dict().items() if name != "notes"}
        return to_frame([row], list(row))


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapResult(Scalars):
    """A coefficient with its confidence interval over topics.

    Attributes
    ----------
    statistic : float
        The coefficient.
    confidence_interval : ConfidenceInterval
        The confidence interval.
    standard_error : float
        The standard error.
    bootstrap_distribution : Floats
        The coefficient in each resample.
    coefficient : Coefficient
        The coefficient that was computed.
    confidence_level : float
        The confidence level of the interval.
    method : str
        The method of the interval.
    n : int
        The number of topics.
    n_resamples : int
        The number of resamples.
    n_undefined : int
        The number of resamples in which the coefficient is undefined.
    seed : int or None
        The seed of the random numbers; None if it is not known.
    notes : tuple of Note
        Remarks, for instance on missing scores and topics.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3]]
    >>> llm = [[0.2, 0.6, 0.1], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> result = cd.bootstrap(human, llm, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=1))
    >>> result.n, result.method, result.seed, len(result.bootstrap_distribution)
    (3, 'standard', 1, 99)
    >>> result.to_dict()["statistic"] == result.statistic, result.to_frame().shape[0]
    (True, 1)
    """

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    bootstrap_distribution: Floats
    coefficient: Coefficient
    confidence_level: float
    method: str
    n: int
    n_resamples: int
    n_undefined: int
    seed: int | None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.10g} confidence interval "
            f"{self.confidence_interval} for {target(self.method)} ({self.method}, {self.n_resamples} "
            f"resamples of {self.n} topics{_undefined_text(self.n_undefined)}{_seed_text(self.seed)})"
            f"{_notes_text(self.notes)}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class JackknifeResult(Scalars):
    """A coefficient with its confidence interval over items.

    Attributes
    ----------
    statistic : float
        The coefficient.
    confidence_interval : ConfidenceInterval
        The confidence interval.
    standard_error : float
        The standard error.
    coefficient : Coefficient
        The coefficient that was computed.
    confidence_level : float
        The confidence level of the interval.
    n : int
        The number of items.
    n_groups : int
        The number of groups of items that were left out in turn; every item is a group unless there are very
        many.
    n_undefined : int
        The number of groups without which the coefficient is undefined.

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.jackknife_interval([5, 4, 3, 2, 1], [5, 3, 4, 1, 2], "tau_b")
    >>> result.n, result.n_groups, round(result.statistic, 4)
    (5, 5, 0.6)
    """

    statistic: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    coefficient: Coefficient
    confidence_level: float
    n: int
    n_groups: int
    n_undefined: int

    def __repr__(self) -> str:
        left_out = f"{self.n} items" + (f" in {self.n_groups} groups" if self.n_groups < self.n else "")
        return (
            f"{self.coefficient} = {self.statistic:.4f}, {self.confidence_level:.10g} confidence interval "
            f"{self.confidence_interval} (jackknife of {left_out}{_undefined_text(self.n_undefined)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTestResult(Scalars):
    """A coefficient with the p-value of the null hypothesis that the rankings are unrelated.

    Attributes
    ----------
    statistic : float
        The coefficient.
    pvalue : float
        The p-value.
    null_distribution : Floats
        The coefficient in each order; empty if no orders were tried.
    coefficient : Coefficient
        The coefficient that was computed.
    alternative : str
        The alternative hypothesis.
    n : int
        The number of items.
    n_resamples : int
        The number of orders.
    n_undefined : int
        The number of orders in which the coefficient is undefined.
    exact : bool
        Whether all orders were tried, or the exact null distribution was used.
    seed : int or None
        The seed of the random numbers; None if it is not known.
    method : str
        The null distribution: "permutation", "exact" or "normal".

    Examples
    --------
    >>> import concordant as cd
    >>> result = cd.permutation_test([4, 3, 2, 1], [4, 3, 1, 2], "tau_b")
    >>> result.exact, result.n_resamples, round(result.pvalue, 4)
    (True, 24, 0.3333)
    """

    statistic: float
    pvalue: float
    null_distribution: Floats
    coefficient: Coefficient
    alternative: str
    n: int
    n_resamples: int
    n_undefined: int
    exact: bool
    seed: int | None
    method: str = "permutation"

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
    """How much better one estimate agrees with the reference than another.

    Attributes
    ----------
    statistic : float
        The coefficient of estimate a minus that of estimate b.
    pvalue : float
        The p-value of the null hypothesis that there is no difference.
    confidence_interval : ConfidenceInterval
        The confidence interval of the difference.
    standard_error : float
        The standard error of the difference.
    statistic_a : float
        The coefficient of estimate a.
    statistic_b : float
        The coefficient of estimate b.
    bootstrap_distribution : Floats
        The difference in each resample of the topics.
    null_distribution : Floats or None
        The difference in each exchange; None if the method is not "exchange".
    coefficient : Coefficient
        The coefficient that was computed.
    alternative : str
        The alternative hypothesis.
    confidence_level : float
        The confidence level of the interval.
    method : str
        The method of the test and of the interval.
    n : int
        The number of topics.
    n_resamples : int
        The number of resamples.
    n_undefined : int
        The number of resamples in which the difference is undefined.
    exact : bool
        Whether all exchanges were tried.
    seed : int or None
        The seed of the random numbers; None if it is not known.
    notes : tuple of Note
        Remarks, for instance on missing scores and topics.

    Examples
    --------
    >>> import concordant as cd
    >>> human = [[0.3, 0.5, 0.1], [0.4, 0.6, 0.2], [0.2, 0.1, 0.3]]
    >>> gpt = [[0.2, 0.6, 0.1], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> llama = [[0.2, 0.1, 0.6], [0.5, 0.4, 0.3], [0.3, 0.2, 0.1]]
    >>> result = cd.difference(human, gpt, llama, "tau_b", resampling=cd.Resampling(n_resamples=99, rng=1))
    >>> result.statistic == result.statistic_a - result.statistic_b, result.exact
    (True, True)
    """

    statistic: float
    pvalue: float
    confidence_interval: ConfidenceInterval
    standard_error: float
    statistic_a: float
    statistic_b: float
    bootstrap_distribution: Floats
    null_distribution: Floats | None
    coefficient: Coefficient
    alternative: str
    confidence_level: float
    method: str
    n: int
    n_resamples: int
    n_undefined: int
    exact: bool
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
