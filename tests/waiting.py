"""Jobs for tests of executors; processes import this module."""

import time

HANG = 60  # seconds


def wait_for_the_end(check):
    """A job that ends only when its check says so."""
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        check()
        time.sleep(0.01)


def fail(check):
    """A job that fails at once."""
    raise OSError("no luck")


def ask_once(check):
    """A job that asks once, and is done."""
    check()
    return 1


def leave(path, check):
    """A job that leaves a file."""
    with open(path, "x"):
        return path
