"""Disks that are full."""

import os
from contextlib import contextmanager

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files, no such limits, and no fork")
FULL = r"too large|No space"  # what it says


@contextmanager
def full_disk(size):
    """No file gets longer than that."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
