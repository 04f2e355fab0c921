"""The sentences of remarks about results, one function for each kind of `Note`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from concordant.results.words import count, some


def _as_zero(number: int, what: str) -> str:
    """Return how many things count as 0: ``1 topic counts as 0``."""
    return f"{count(number, what)} {'counts' if number == 1 else 'count'} as 0"


def _ties_in_means(tied: int, systems: int, measure: str, by_rounding: int) -> str:
    rounding = f", {by_rounding} of them after rounding to 12 digits" if by_rounding else ""
    return f"{tied} of {systems} systems share their mean {measure} with another{rounding}"


def _different_topics(sizes: Mapping[str, int], common: int, own: bool) -> str:
    each = ", ".join(f"{name} has {size or 'means only'}" for name, size in sizes.items())
    what = (
        "each mean is over its own topics"
        if own
        else f"both means are over the {count(common, 'topic')} in common"
    )
    return f"the sides have different topics ({each}, {common} in common); {what}"


def target(method: str) -> str:
    """Return for how many topics the interval of a coefficient is."""
    return "unlimited topics, exploratory" if method == "simex" else "the same number of topics"


def _intervals(confidence_level: float, method: str, n_resamples: int, topics: int, seed: int) -> str:
    return (
        f"{confidence_level:.10g} confidence intervals for the coefficient expected with {target(method)} "
        f"({method}, {n_resamples} resamples of {topics} topics, seed {seed})"
    )


def _read_as(
    systems_in: str,
    systems: int,
    topics: int,
    measures: Sequence[str],
    left_out: Sequence[str],
    missing: int,
    lower: Sequence[str],
    remarks: Sequence[str],
    named: bool = True,  # the measure; if not, it has the name of the file
) -> str:
    titles = {"rows": "systems in rows", "columns": "systems in columns", "long": "one score a row"}
    titles["files"] = "each file is a system"
    parts = [count(systems, "system")]
    parts += [count(topics, "topic")] if topics else []
    many = len(measures) > 1 or (named and not topics)
    parts += [f"{count(len(measures), 'measure')} ({some(measures)})"] if many else []
    sentence = f"{titles.get(systems_in, systems_in)}: {', '.join(parts)}"
    sentence += f"; the smallest {some(lower)} is the best" if lower else ""
    sentence += f"; {count(missing, 'score')} missing" if missing else ""
    names = [name or "a column without a name" for name in left_out]
    sentence += f"; left out: {some(names, 8)}" if left_out else ""
    return sentence + (f"; {'; '.join(remarks)}" if remarks else "")


def _averages_left_out(names: Sequence[str] = ("all",), of: str = "topic") -> str:
    shown = some([repr(name) for name in names])
    if of == "topic":
        return f"rows of topic {shown} are averages, not scores, and were left out"
    return f"{shown} {'sums' if len(names) == 1 else 'sum'} up the other systems and {_was(names)} left out"


def _was(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _systems_without_means(systems: Sequence[str], measures: Sequence[str], of: int) -> str:
    everywhere = ", by all measures" if of > 1 else ""
    return (
        f"left out {count(len(systems), 'system')} without {some(measures)}{everywhere}, on all sides: "
        f"{some(systems)}"
    )


SENTENCES: dict[str, Callable[..., str]] = {
    # how both sides were brought together
    "systems_dropped": lambda systems: (
        f"dropped {count(len(systems), 'system')} that not all sides have: {some(systems)}"
    ),
    "systems_as_zero": lambda systems: f"{_as_zero(len(systems), 'system')}: {some(systems)}",
    "topics_dropped": lambda topics: (
        f"dropped {count(len(topics), 'topic')} that not all sides have: {some(topics)}"
    ),
    "topics_as_zero": lambda topics: f"{_as_zero(len(topics), 'topic')} for all systems: {some(topics)}",
    "topics_not_in_common": lambda topics: f"left out topics that not all sides have: {some(topics)}",
    "topics_incomplete": lambda topics: (
        f"dropped {count(len(topics), 'topic')} that not all systems answered: {some(topics)}"
    ),
    "topics_without_scores": lambda topics: (
        f"left out {count(len(topics), 'topic')} without any score on this side: {some(topics)}"
    ),
    "systems_without_means": _systems_without_means,
    "topics_differ": _different_topics,
    "scores_as_zero": lambda scores, systems: (
        f"{_as_zero(scores, 'missing score')}, of {count(len(systems), 'system')}: {some(systems)}"
    ),
    "names_alike": lambda pairs: (
        "different names that differ only in case or punctuation: "
        + some([f"{one} and {other}" for one, other in pairs])
    ),
    "systems_renamed": lambda names: (
        f"renamed {count(len(names), 'system')}: " + some([f"{old} to {new}" for old, new in names.items()])
    ),
    "measures_renamed": lambda names: (
        "two names for one measure: " + some([f"{old} is {new}" for old, new in names.items()])
    ),
    "ties_in_means": _ties_in_means,
    "measures_left_out": lambda measures: f"measures on one side only were left out: {some(measures)}",
    # how files were read and runs evaluated
    "read_as": _read_as,
    "lower_is_better": lambda measures: f"the smallest {some(measures)} is the best; its sign was changed",
    "averages_left_out": _averages_left_out,
    "evaluated": lambda judgements, topics, runs: (
        f"{count(runs, 'run')} evaluated by {count(judgements, 'judgement')} of {count(topics, 'topic')}"
    ),
    "topics_without_relevant": lambda topics: (
        f"no relevant documents are known for topic {some(topics)}; most measures are 0 there for all systems"
    ),
    "topics_without_judgements": lambda runs: (
        f"topics without judgements were left out of {count(len(runs), 'run')}: {some(runs)}"
    ),
    "unanswered_as_zero": lambda topics, runs: (
        f"{_as_zero(topics, 'unanswered topic')}, of {count(len(runs), 'run')}: {some(runs)}"
    ),
    "unanswered_dropped": lambda topics: (
        f"dropped {count(len(topics), 'topic')} that not all runs answered: {some(topics)}"
    ),
    # values and intervals
    "undefined": lambda coefficient, reason: f"{coefficient} is undefined: {reason}",
    "undefined_topics": lambda coefficient, topics, reason: (
        f"{coefficient} is undefined for {count(topics, 'topic')}: {reason}"
    ),
    "undefined_from_threshold": lambda coefficient, threshold, reason: (
        f"{coefficient} is undefined from threshold {threshold:g} on: {reason}"
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
}
