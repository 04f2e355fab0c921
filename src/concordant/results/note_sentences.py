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


def _topics_of_pairs(least: int, most: int) -> str:
    many = count(most, "topic") if least == most else f"from {least} to {most} topics"
    alone = "; where there is none, each side is taken by its own" if least == 0 else ""
    return (
        f"the sides have different topics; each pair is compared on the topics that both have, {many}{alone}"
    )


def _pairs_cost_the_same(pairs: int, cost: float, all: bool) -> str:
    shown = f"{cost:.4f}" if cost >= 0.001 else f"{cost:.2g}"
    if all:
        return f"each of the {pairs} pairs that cost anything costs {shown}; no pair costs more than another"
    return f"the {pairs} most costly pairs cost the same, {shown} each; none of them is listed"


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
    "topics_of_pairs": _topics_of_pairs,
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
    "same_on_all_topics": lambda coefficient: (
        f"{coefficient} is the same on all topics, so that its mean has no interval"
    ),
    "intervals_of_means_of_topics": lambda: "the interval of the mean over topics is by Student's t",
    "over_systems": lambda confidence_level, systems: (
        f"there are no scores of several topics, so the {confidence_level:.10g} confidence intervals are "
        f"over the {systems} systems (jackknife), and p is that of unrelated rankings (permutation test)"
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
