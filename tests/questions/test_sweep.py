"""`sweep`: coefficients against the threshold, and where the curves turn."""

from __future__ import annotations

import math

import numpy as np
import pytest

import concordant as cd


def test_the_curves_are_those_of_single_calls(reference, sides):
    """A record for each measure, threshold and coefficient."""
    steps = [0, 0.01, 0.05, 0.2]
    result = cd.sweep(reference, sides["fair"], ["tau_b", "tau_e"], thresholds=steps)
    found = [(each.measure[0], each.threshold, str(each.coefficient)) for each in result]
    assert found == [(m, w, c) for m in ("AP", "P@10") for w in steps for c in ("tau_b", "tau_e")]
    for each in result:
        means = reference.mean(each.measure[0]), sides["fair"].mean(each.measure[1])
        assert each.value == each.coefficient.function(*means, threshold=each.threshold)


def test_a_curve_for_each_threshold_of_the_estimate(reference, sides):
    """The values are those of calls with a pair of thresholds; a second column of thresholds is shown."""
    x, y, steps, others = reference["AP"], sides["fair"]["AP"], [0, 0.02, 0.1], [0, 0.05]
    result = cd.sweep(x, y, ["tau_b", "tau_ap_e"], thresholds=steps, estimate_thresholds=others)
    found = [(each.estimate_threshold, each.threshold, str(each.coefficient)) for each in result]
    assert found == [(v, w, c) for v in others for w in steps for c in ("tau_b", "tau_ap_e")]
    for each in result:
        pair = (each.threshold, each.estimate_threshold)
        assert each.value == each.coefficient.function(x.mean(), y.mean(), threshold=pair)
    assert len({each.value for each in result if each.threshold == 0.02}) == 4  # which side matters
    assert "\nestimate threshold  threshold  tau_b  tau_ap_e\n" in result.to_text()
    assert "with a threshold of 0 for the estimate is" in result.to_text()


def test_51_steps_up_to_the_widest_range_by_default(reference, sides):
    """At the last all systems are tied."""
    x, y = reference["AP"], sides["fair"]["AP"]
    result = cd.sweep(x, y, "tau_e")
    widest = max(np.ptp(list(side.mean().values())) for side in (x, y))
    steps = [each.threshold for each in result]
    assert steps == [float(f"{w:.6g}") for w in np.linspace(0, widest, 51)]
    assert result.curves[-1].value == pytest.approx(1.0)


def test_where_a_curve_ends_is_noted():
    """Above the widest range tau_b has no value: the first threshold without one is told."""
    x, y = {"a": 0.5, "b": 0.4, "c": 0.1}, {"a": 0.4, "b": 0.5, "c": 0.2}
    result = cd.sweep(x, y, "tau_b", thresholds=[0.5, 0, 0.4, 0.1])
    assert [each.threshold for each in result] == [0, 0.1, 0.4, 0.5]
    assert [math.isnan(each.value) for each in result] == [False, False, True, True]
    (note,) = [note for note in result.notes if note.kind != "read_as"]
    assert (note.kind, note.values["threshold"]) == ("undefined_from_threshold", 0.4)
    why = "all systems are tied in the reference or in the estimate"
    assert str(note) == f"tau_b is undefined from threshold 0.4 on: {why}"


def test_one_threshold_need_not_be_a_list(reference, sides):
    """The options hold it as a list; without any, None."""
    sides = reference["AP"], sides["fair"]["AP"]
    one = cd.sweep(*sides, "tau_b", thresholds=0.1)
    assert one.to_dict() == cd.sweep(*sides, "tau_b", thresholds=[0.1]).to_dict()
    options = {"coefficients": ["tau_b"], "thresholds": [0.1], "estimate_thresholds": None}
    assert one.options == options
    assert cd.sweep(*sides, "tau_b").options == options | {"thresholds": None}
    with pytest.raises(cd.ArgumentTypeError, match=r"^sweep: thresholds must be a number or several, got "):
        cd.sweep(*sides, "tau_b", thresholds="0.1")


def test_frames_dictionaries_and_text(reference, sides):
    """For people each coefficient is a column; for programs each value is a row."""
    result = cd.sweep(reference["AP"], sides["fair"]["AP"], ["tau_b", "tau_e"], thresholds=[0, 0.1])
    columns = ["measure", "estimate_measure", "estimate_threshold", "threshold", "coefficient", "value"]
    assert list(result.to_frame().columns) == columns
    assert len(result.to_dict()["tables"]["curves"]) == 4
    assert result.to_text().split("\n\n")[2] == "measure AP"
    assert "\nthreshold  tau_b  tau_e\n" in result.to_text()
    assert list(result) == list(result.curves)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficients": "tau"}, "tau takes no threshold; these do: tau_a, tau_b, "),
        ({"coefficients": "tau_b(0.1)"}, r"tau_b\(0.1\) has a threshold already; name it without one"),
        ({"thresholds": [-1]}, "thresholds must be numbers from 0 up"),
        ({"thresholds": []}, "thresholds must be numbers from 0 up"),
        ({"thresholds": [math.inf]}, "thresholds must be numbers from 0 up"),
        ({"estimate_thresholds": [0, -0.1]}, r"estimate_thresholds must be numbers from 0 up, got \[-0.1, "),
    ],
)
def test_wrong_options_are_refused(reference, sides, options, message):
    """One sentence says what is wrong, after the name of the function."""
    with pytest.raises(cd.ArgumentError, match=f"^sweep: {message}"):
        cd.sweep(reference["AP"], sides["fair"]["AP"], **options)


def test_the_best_systems_alone(reference, sides):
    """`tops` holds each coefficient among the best k systems, for every k."""
    x, y = reference["AP"], sides["fair"]["AP"]
    result = cd.sweep(x, y, ["tau_b", "tau_e"], thresholds=[0])
    n = len(x.systems)
    assert [each.top for each in result.tops[::2]] == list(range(2, n + 1))
    means = x.mean(), y.mean()
    for each in result.tops:
        assert each.value == pytest.approx(
            cd.coefficient(f"{each.coefficient}@{each.top}")(*means), nan_ok=True
        )
    assert [each.n for each in result.tops if each.top == n] == [n, n]


def test_a_coefficient_with_a_cut_of_its_own_has_no_curve_over_tops(reference, sides):
    """A second cut would have no meaning."""
    assert cd.sweep(reference["AP"], sides["fair"]["AP"], "tau_b@5", thresholds=[0]).tops == ()


def test_many_systems_have_fifty_tops():
    """From 2 to all, evenly."""
    rng = np.random.default_rng(3)
    x, y = ({str(i): v for i, v in enumerate(rng.normal(size=400).tolist())} for _ in range(2))
    tops = [each.top for each in cd.sweep(x, y, "tau_b", thresholds=[0]).tops]
    assert (len(tops), tops[0], tops[-1]) == (50, 2, 400)
