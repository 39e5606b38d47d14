"""Timer: limits in milliseconds, and reports that leave time for the work."""

import pytest

from c4mcts import _timer
from c4mcts._layout import UNLIMITED
from c4mcts._timer import Timer


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test turns on by `clock[0] += seconds`."""
    now = [100.0]
    monkeypatch.setattr(_timer.time, "monotonic", lambda: now[0])
    return now


def test_a_limit_is_rounded_up_to_milliseconds(clock):
    timer = Timer(0.0101)
    assert timer.milliseconds() == 11
    clock[0] += 0.0095
    assert (timer.milliseconds(), timer.is_over()) == (1, False)
    clock[0] += 1
    assert (timer.milliseconds(), timer.remaining(), timer.is_over()) == (0, 0, True)
    assert (Timer(None).milliseconds(), Timer(None).is_over()) == (UNLIMITED, False)
    assert Timer(2.0**64).milliseconds() == UNLIMITED


def test_after_a_slow_report_the_next_one_is_due_an_interval_later(clock):
    timer, reports = Timer(None, interval=1.0), []

    def report():
        reports.append(timer.elapsed)
        clock[0] += 5  # five intervals

    for _ in range(12):
        clock[0] += 0.25
        timer.poll(report)
    assert reports == [1, 7, 13], "each one second of work after the end of the one before"


def test_polling_says_when_time_is_up(clock):
    timer = Timer(2.0, interval=10.0)
    assert not timer.poll(None)
    clock[0] += 2
    assert timer.poll(lambda: pytest.fail("it is not due"))
    assert Timer(None, interval=0.0).poll(lambda: 1), "the report has ended the work"
