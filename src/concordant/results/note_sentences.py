"""The sentences of remarks about results, one function for each kind of `Note`."""

from __future__ import annotations

from collections.abc import Callable

from concordant.results.words import count, some


def target(method: str) -> str:
    """Return for how many topics the interval of a coefficient is."""
    return "unlimited topics, exploratory" if method == "simex" else "the same number of topics"


def _intervals(confidence_level: float, method: str, n_resamples: int, topics: int, seed: int) -> str:
    return (
        f"{confidence_level:.10g} confidence intervals for the coefficient expected with {target(method)} "
        f"({method}, {n_resamples} resamples of {topics} topics, seed {seed})"
    )


def _pairs_cost_the_same(pairs: int, cost: float, all: bool) -> str:
    shown = f"{cost:.4f}" if cost >= 0.001 else f"{cost:.2g}"
    if all:
        return f"each of the {pairs} pairs that cost anything costs {shown}; no pair costs more than another"
    return f"the {pairs} most costly pairs cost the same, {shown} each; none of them is listed"


SENTENCES: dict[str, Callable[..., str]] = {
    # values and intervals
    "undefined": lambda coefficient, reason: f"{coefficient} is undefined: {reason}",
    "ties_not_allowed": lambda reason: reason,
    "nan_in_input": lambda: "NaN in the input",
    "undefined_in_matrix": lambda coefficient, pairs, total, reason: (
        f"{coefficient} is undefined for {pairs} of {total} pairs of rankings: {reason}"
    ),
    "undefined_topics": lambda coefficient, topics, reason: (
        f"{coefficient} is undefined for {count(topics, 'topic')}: {reason}"
    ),
    "undefined_from_threshold": lambda coefficient, threshold, reason: (
        f"{coefficient} is undefined from threshold {threshold:g} on: {reason}"
    ),
    "tie_range": lambda coefficient, value, low, high: (
        f"{coefficient} is {value:.3f}, between {low:.3f} and {high:.3f} depending on how ties are broken"
    ),
    "intervals": _intervals,
    "same_on_all_topics": lambda coefficient: (
        f"{coefficient} is the same on all topics, so that its mean has no interval"
    ),
    "intervals_of_means_of_topics": lambda: "the interval of the mean over topics is by Student's t",
    "reliability": lambda topics, expected: (
        f"a ranking by {count(topics, 'such topic')} is expected to correlate "
        + " and ".join(f"{value:.2f} ({name})" for name, value in expected.items())
        + " with the true one; an estimate from other topics is not expected to agree better with the "
        "reference, one from the same topics may"
    ),
    "few_topics_expected": lambda topics: (
        f"with only {count(topics, 'topic')} the expected correlation may be too high; use 20 or more"
    ),
    "few_topics": lambda topics, method: (
        f"with only {count(topics, 'topic')} intervals by {method} are too narrow; use the method standard"
    ),
    "few_resamples": lambda resamples: (
        f"with only {count(resamples, 'resample')} the ends of the intervals are uncertain; use 500 or more"
    ),
    "topics_not_shared": lambda: "the sides share no topic, so their topics were resampled independently",
    "over_systems": lambda confidence_level, systems: (
        f"there are no scores of several topics, so the {confidence_level:.10g} confidence intervals are "
        f"over the {systems} systems (jackknife), and p is that of unrelated rankings (permutation test)"
    ),
    "resamples_undefined": lambda coefficient, undefined, resamples: (
        f"{coefficient} is undefined in {undefined} of {resamples} resamples of topics"
    ),
    "no_interval": lambda coefficient="": (
        f"{coefficient + ' has' if coefficient else 'there is'} no interval, because fewer than two "
        "resamples have a value"
    ),
    "no_jackknife_interval": lambda topics, systems: (
        "there is no interval, because "
        + (
            f"{count(topics, 'topic')} are too few; use three or more"
            if topics < 3
            else f"{systems} systems are too few; use four or more"
            if systems < 4
            else "the value is the same without any one of the topics"
        )
    ),
    "same_means": lambda pairs: (
        f"{count(len(pairs), 'pair')} of systems with the same mean may be in either order, with any number "
        "of topics: " + some([f"{one} and {other}" for one, other in pairs])
    ),
    "target_out_of_reach": lambda coefficient, limit, pairs: (
        f"{coefficient} is expected to be {limit:.4f} at most, because systems have the same mean: "
        + some([f"{one} and {other}" for one, other in pairs])
        + "; keep one of each"
    ),
    "target_far": lambda topics: f"more than {topics:,} topics would be needed",
    "beyond_the_pilot": lambda topics, needed: (
        f"{needed} topics are an extrapolation from {topics}: judges that differ only by noise come closer "
        "with more topics, and then even more topics are needed"
    ),
    "no_difference": lambda coefficient: (
        f"no number of topics is enough, because {coefficient} does not differ between the two judges"
    ),
    "no_bca_interval": lambda coefficient="": (
        f"{coefficient + ' has' if coefficient else 'there is'} no interval by BCa, because all resamples "
        "are on one side of the statistic; use another method"
    ),
    # judging
    "no_such_top": lambda top, systems: f"top {top} was left out: there are only {systems} systems",
    "not_compared_undefined": lambda coefficient, estimates: (
        f"not compared with the others, because {coefficient} is undefined: {some(estimates)}"
    ),
    "not_compared_topics": lambda best, other: (
        f"{best} and {other} are not compared: they share fewer than two topics"
    ),
    "compared_on_fewer_topics": lambda best, other, topics: (
        f"{best} and {other} are compared on the {topics} topics that both and the reference have"
    ),
    "one_topic_no_test": lambda: "there is only one topic, so differences between systems were not tested",
    "needs_scipy": lambda: (
        "tests of which systems differ significantly need SciPy: pip install 'concordant[stats]'"
    ),
    "two_tests": lambda method: (
        "p in the table best tests that this one is the best, by one joint resample of topics for all; p in "
        f"the table comparison tests that two do not differ, by a test of these two ({method}), adjusted"
    ),
    "pairs_reversed": lambda pairs, total, measure: (
        f"{pairs} of {total} pairs of systems are in the opposite order by {measure}"
    ),
    # explanations
    "undefined_value": lambda reason: f"undefined: {reason}",
    "not_a_sum": lambda coefficient: (
        f"{coefficient} is not known to be a sum over pairs of items: only removals of items are listed"
    ),
    "shares_inexact": lambda: (
        "the shares are approximate, because the scores differ by too many orders of magnitude"
    ),
    "pairs_cost_the_same": _pairs_cost_the_same,
    "reasons_alike": lambda coefficient: (
        f"if more pairs of systems than are listed cost most for {coefficient}, none is listed as a reason"
    ),
    "pairs_among": lambda items: f"only pairs among the {items} items with the largest shares were searched",
    "too_many_to_remove": lambda items: f"there are {items} items, too many to leave out each in turn",
    "removed_among": lambda items: f"only the {items} items with the largest shares were left out in turn",
    "items_listed": lambda listed, items: f"only the {listed} of {items} systems that cost most are listed",
}
