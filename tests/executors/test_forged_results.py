"""Checkpoints with other results: believed, or an ordinary error; never much memory."""

import random
import tracemalloc
from contextlib import contextmanager
from functools import partial

import pytest
from counting import jobs_done
from experiments import CALLS
from forging import mutated_json
from stores import put_results, results_in

from c4mcts import selfplay, study


@pytest.fixture
def path(tmp_path):
    return tmp_path / "checkpoint"


@contextmanager
def little_memory(most):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", CALLS)
def test_what_was_kept_is_taken(name, path):
    CALLS[name](checkpoint=path)
    result, jobs = jobs_done(partial(CALLS[name], checkpoint=path))
    assert jobs == 0
    assert str(result)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_no_other_result_takes_much_memory(name, path):
    CALLS[name](checkpoint=path)
    whole, chance, believed = results_in(path), random.Random(1), 0
    forged = [(number, big) for number in (0, 1) for big in (2**31, 2**40, [2**40, 1, 1], [[2**40]])]
    with little_memory(1 << 25):
        for number, result in forged + [(None, None)] * 30:
            number = chance.choice(list(whole)) if number is None else number
            result = mutated_json(whole[number], chance) if result is None else result
            put_results(path, {**whole, number: result})
            try:
                believed += bool(str(CALLS[name](checkpoint=path)))
            except (ArithmeticError, LookupError, TypeError, ValueError):
                continue
    assert believed > 0


def test_a_reason_is_shown_without_what_a_terminal_obeys(path):
    call = CALLS["tournament"]
    call(checkpoint=path)
    forfeit = {"moves": [0, 1, 2], "winner": 0, "end": "forfeit", "reason": "a\x1b[2Jb", "seconds": [0.1, 0.2]}
    put_results(path, {**results_in(path), 0: forfeit})
    assert "a\\x1b[2Jb" in str(call(checkpoint=path))


def test_results_of_other_jobs_are_left_alone(path):
    """Of a tournament with more games, for example; they take no memory beyond that of the file."""
    call = CALLS["action_frequency"]
    call(checkpoint=path)
    put_results(path, {**results_in(path), 2**60: "x"})
    with little_memory(1 << 22):
        result, jobs = jobs_done(partial(call, checkpoint=path))
    assert (len(result.columns), jobs) == (3, 0)


def test_all_experiments_are_here():
    experiments = {name for name in study.__all__ if name.islower() and hasattr(getattr(study, name), "__code__")}
    wanted = {name for name in experiments if "options" in getattr(study, name).__code__.co_varnames}
    assert wanted
    assert wanted <= CALLS.keys()
    assert callable(selfplay.generate), "see tests/selfplay/test_interrupted.py"
