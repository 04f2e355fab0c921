"""Options that many functions share: random numbers, workers, words, numbers."""

from __future__ import annotations

import os

import numpy as np
import pytest

import concordant as cd
from concordant.checks import NAN_POLICIES, generator, n_workers, one_of, proportion, whole_number

SEED = 20261116


def scores(seed):
    """Scores of eight systems on twelve topics."""
    return cd.Scores(np.random.default_rng(seed).random((1, 12, 8)), measures=["AP"])


def resampled(rng):
    """The null distribution of a small test."""
    x, y = (each.one_measure("AP")[1][0] for each in (scores(1), scores(2)))
    return cd.permutation_test(x, y, "tau_b", n_resamples=50, rng=rng).null_distribution.tolist()


# What SciPy's `rng` takes, made anew at each call; each gives the stream of the seed.
RNGS = {
    "int": lambda: SEED,
    "numpy integer": lambda: np.int64(SEED),
    "unsigned": lambda: np.uint32(SEED),
    "SeedSequence": lambda: np.random.SeedSequence(SEED),
    "BitGenerator": lambda: np.random.PCG64(SEED),
    "Generator": lambda: np.random.default_rng(SEED),
}


@pytest.mark.parametrize("kind", RNGS)
def test_a_seed_in_any_form_gives_the_stream_of_the_seed(kind):
    """The generator is that of numpy.random.default_rng, and so are the results."""
    made, _ = generator(RNGS[kind]())
    assert made.random(5).tolist() == np.random.default_rng(SEED).random(5).tolist()
    assert resampled(RNGS[kind]()) == resampled(SEED)


def test_a_random_state_gives_its_own_stream():
    """The legacy generator of NumPy is used, and goes on where it stood."""
    made, seed = generator(np.random.RandomState(SEED))
    expected = np.random.Generator(np.random.RandomState(SEED)._bit_generator)
    assert made.random(5).tolist() == expected.random(5).tolist()
    assert seed is None
    state = np.random.RandomState(SEED)
    first = resampled(state)
    assert first == resampled(np.random.RandomState(SEED))
    assert first != resampled(state)


def test_a_generator_goes_on_where_it_stands():
    """A generator that is passed twice gives other numbers the second time; a seed gives the same."""
    rng = np.random.default_rng(SEED)
    assert generator(rng)[0] is rng
    assert resampled(rng) != resampled(rng)
    assert resampled(SEED) == resampled(SEED)


def test_no_seed_is_a_new_one_that_can_be_used_again():
    """None draws a seed and says which."""
    seeds = {generator(None)[1] for _ in range(5)}
    assert len(seeds) == 5
    made, seed = generator(None)
    assert made.random() == np.random.default_rng(seed).random()


@pytest.mark.parametrize("kind", RNGS)
def test_the_seed_is_known_where_a_number_was_given(kind):
    """A number is kept as a plain int; other forms have no number to tell."""
    seed = generator(RNGS[kind]())[1]
    assert seed == (SEED if "int" in kind or kind == "unsigned" else None)
    assert type(seed) in (int, type(None))


@pytest.mark.parametrize("rng", ["1", 1.5, True, np.float64(2), [1, 2], object, np.random])
@pytest.mark.parametrize("function", [cd.Resampling, cd.experiments.axioms], ids=lambda f: f.__name__)
def test_other_things_are_no_random_numbers(function, rng):
    """The sentence begins with the function called, and says what is taken."""
    message = (
        f"{function.__name__}: rng must be a whole number, or a Generator, BitGenerator, SeedSequence or "
        "RandomState of NumPy, got "
    )
    arguments = ("tau_b",) if function is cd.experiments.axioms else ()
    with pytest.raises(cd.ArgumentTypeError) as caught:
        function(*arguments, rng=rng)
    assert str(caught.value) == message + repr(rng)


def test_a_negative_seed_is_refused():
    """As NumPy refuses it, but with a sentence."""
    with pytest.raises(cd.ArgumentError, match="permutation_test: rng must be 0 or more, got -1"):
        resampled(-1)


def test_workers():
    """Whole numbers from 1 up, and -1 for the cores that this process may use."""
    assert n_workers(1) == 1
    assert n_workers(np.int64(3)) == 3
    assert n_workers(-1) == (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    )
    assert n_workers(10**9) <= 10**4
    for wrong in (0, -2, 1.0, True, "2", None):
        with pytest.raises(cd.ArgumentError, match="workers must be 1 or more, or -1 for all cores, got "):
            n_workers(wrong)


def test_words():
    """A word is one of those allowed, of the same type; True is not 1, and case matters."""
    assert NAN_POLICIES == ("propagate", "raise", "omit")
    one_of("nan_policy", "omit", NAN_POLICIES)
    one_of("grades", False, ("items", False))
    for wrong in ("Omit", "", None, 0, ["omit"], np.array(["omit", "raise"])):
        with pytest.raises(cd.ArgumentError, match="nan_policy must be 'propagate', 'raise' or 'omit', got "):
            one_of("nan_policy", wrong, NAN_POLICIES)
    with pytest.raises(cd.ArgumentError, match="grades must be 'items' or False, got 0"):
        one_of("grades", 0, ("items", False))


def test_whole_numbers():
    """A number of things is an integer of Python or NumPy, not a bool, and not less than the least."""
    assert whole_number("n", 3) == 3
    assert type(whole_number("n", np.int8(3))) is int
    assert whole_number("n", 0, least=0) == 0
    for wrong in (0, -1, 1.0, True, "1", None):
        with pytest.raises(cd.ArgumentError, match="n must be a whole number from 1 up, got "):
            whole_number("n", wrong)


def test_proportions():
    """A proportion is a real number strictly between 0 and 1."""
    assert proportion("alpha", 0.05) == 0.05
    assert type(proportion("alpha", np.float32(0.5))) is float
    for wrong in (0, 1, 0.0, 1.0, -0.1, 5, True, "0.05", None, float("nan")):
        with pytest.raises(cd.ArgumentError, match="alpha must be a number between 0 and 1, got "):
            proportion("alpha", wrong)
