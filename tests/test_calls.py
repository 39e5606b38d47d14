"""How many Python functions of the package a call needs: the overhead beside the native code.

A bound is a quarter above the count of today, which does not depend on the machine.
"""

import sys
import threading

import pytest

import c4mcts
from c4mcts import Board, Engine, play_match, solve
from c4mcts.play import RandomPlayer
from c4mcts.protocol import Session

pytestmark = pytest.mark.native

ENGINE = Engine(seed=1)


def search():
    ENGINE.search(Board(), simulations=10)


def message():
    """A query, from its text to its reply."""
    session = Session(lambda reply: None)
    session.receive('{"id": "1", "moves": "44", "limits": {"simulations": 10}}')
    session.finish()


def match():
    play_match(RandomPlayer(), RandomPlayer(), games=2, seed=1)


def calls(function):
    """The names of the package's functions that it calls, in each thread, after a first call."""
    function()
    names, folder = [], c4mcts.__path__[0]

    def count(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(folder):
            names.append(frame.f_code.co_qualname)

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return names


@pytest.mark.parametrize(
    ("function", "most"),
    [
        pytest.param(search, 160, id="search"),
        pytest.param(lambda: solve("4453"), 120, id="solve by the book"),
        pytest.param(lambda: solve("4444443333335"), 290, id="solve beyond the book"),
        pytest.param(message, 170, id="message"),
        pytest.param(match, 2600, id="match"),
    ],
)
def test_calls_stay_few(function, most):
    names = calls(function)
    assert 0 < len(names) <= most, names
