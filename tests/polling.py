"""Waiting for what another thread, process or browser does; the only loop of the tests that looks at a clock."""

import time

PATIENCE = 60  # seconds, of a test that fails; busy machines take long


def until(condition, describe=None, seconds=PATIENCE):
    """The first true value of a condition. describe: returns what the error says if there is none in time."""
    end, pause = time.monotonic() + seconds, 0.001
    while not (value := condition()):
        assert time.monotonic() < end, describe and describe()
        time.sleep(pause)
        pause = min(1.5 * pause, 0.1)  # a look may cost milliseconds, too
    return value
