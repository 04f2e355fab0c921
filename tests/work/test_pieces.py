"""Pieces of work: in order, on any executor, with errors and lost processes."""

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from support.work import Counting, killed, refused, scaled, slow

import concordant as cd
from concordant.errors import calling
from concordant.work import Draws, in_pieces

DATA = np.arange(1000.0)
ALONE = [float(DATA.sum() * piece) for piece in range(20)]


@pytest.fixture(scope="module")
def pool():
    """Two processes that are there before the work is."""
    with ProcessPoolExecutor(2) as pool:
        for future in [pool.submit(pow, 2, 2) for _ in range(4)]:
            future.result()
        yield pool


def test_results_are_in_the_order_of_the_pieces(pool):
    """Here, in threads and in processes alike, and progress counts what a piece counts."""
    for executor in (None, ThreadPoolExecutor(3), pool):
        told = []
        found = in_pieces(
            scaled,
            DATA,
            iter(range(20)),
            executor=executor,
            threads=7,
            sizes=[2] * 20,
            progress=lambda *now: told.append(now),  # noqa: B023 - called at once
        )
        assert [each["value"] for each in found] == ALONE
        assert [len(each["row"]) for each in found] == list(range(20))
        assert {each["threads"] for each in found} == {7 if executor is None else 1}
        assert told == [(2 * done, 40) for done in range(1, 21)]


def test_results_can_be_taken_as_they_arrive(pool):
    """Each once, with its number; then none is returned."""
    for executor in (None, pool):
        taken = {}
        assert in_pieces(scaled, DATA, range(20), executor=executor, take=taken.__setitem__) == []
        assert [taken[number]["value"] for number in range(20)] == ALONE


def test_data_are_sent_about_once_to_each_worker(pool):
    """With the first pieces; each worker keeps them."""
    counting = Counting(pool)
    data = np.random.default_rng(0).random(100_000)
    found = in_pieces(slow, data, range(60), executor=counting)
    assert [each["value"] for each in found] == [data[0] + piece for piece in range(60)]
    assert len({each["process"] for each in found} - {os.getpid()}) == 2
    assert data.nbytes < counting.sent < 3.2 * data.nbytes


def test_the_first_error_ends_the_work(pool):
    """It has the class and the sentence that it has alone, though another one arrives earlier."""
    for executor in (None, ThreadPoolExecutor(8), pool):
        with pytest.raises(cd.ArgumentError, match="piece 3 is wrong"):
            in_pieces(refused, None, range(100), executor=executor)


def test_an_error_of_a_worker_names_the_function_that_was_called(pool):
    """The worker does not know which function of the user this is."""
    for executor in (None, ThreadPoolExecutor(2), pool):
        with calling("predict"), pytest.raises(cd.ArgumentError, match=r"^predict: piece 3") as caught:
            in_pieces(refused, None, range(7), executor=executor)
        assert (caught.value.caller, caught.value.text) == ("predict", "piece 3 is wrong; give another")


def test_a_worker_that_lacks_the_data_gets_them():
    """A new process for each piece has none."""
    with ProcessPoolExecutor(2, max_tasks_per_child=1, mp_context=get_context("spawn")) as forgetful:
        assert [each["value"] for each in in_pieces(scaled, DATA, range(6), executor=forgetful)] == ALONE[:6]


def test_a_lost_process_is_an_error():
    """A broken pool takes no more work."""
    with ProcessPoolExecutor(2) as broken, pytest.raises(cd.ArgumentError, match="ended by the system"):
        in_pieces(killed, None, range(8), executor=broken)


def test_what_cannot_travel_or_work_is_refused(pool):
    """With a sentence that says what to do."""
    x = np.random.default_rng(0).random((4, 5))
    with pytest.raises(cd.ArgumentError, match=r"cannot be sent to other processes.*top of a file"):
        cd.bootstrap(x, x, lambda x, y: 0.0, resampling=cd.Resampling(n_resamples=9, rng=0, executor=pool))
    with pytest.raises(TypeError, match=r"executor must have a method submit, .* got int"):
        cd.bootstrap(x, x, "tau_b", resampling=cd.Resampling(n_resamples=9, rng=0, executor=3))
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(cd.ArgumentError, match="executor takes no work"):
        cd.bootstrap(x, x, "tau_b", resampling=cd.Resampling(n_resamples=9, rng=0, executor=closed))


def _numbers(rng, rows):
    return rng.integers(0, 50, (rows, 50))


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_draws_are_the_same_elsewhere_and_in_pieces_of_every_size(kind):
    """The state before a draw makes it again, and many small draws are one large one."""
    import pickle

    whole = _numbers(np.random.Generator(kind(5)), 60)
    for size in (1, 7, 60):
        rng = np.random.Generator(kind(5))
        draws = [Draws(rng, _numbers, min(size, 60 - start)) for start in range(0, 60, size)]
        sent = [pickle.loads(pickle.dumps(each)) for each in draws]
        assert all(each.drawn is None for each in sent)
        for own in (draws, sent):
            assert np.array_equal(np.concatenate([each.get() for each in own]), whole)
