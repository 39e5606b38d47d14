"""Jobs for tests of executors; processes import this module."""

from polling import until


def wait_for_the_end(check):
    """A job that ends only when its check says so."""
    until(check)


def fail(check):
    """A job that fails at once."""
    raise OSError("no luck")


def leave(path, check):
    """A job that leaves a file."""
    with open(path, "x"):
        return path
