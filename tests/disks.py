"""Simulates full disks."""

import os
from contextlib import contextmanager

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files, no such limits, and no fork")
FULL = r"too large|No space"  # what the system reports


@contextmanager
def full_disk(size):
    """Until the block ends, no file can become longer than `size` bytes."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
