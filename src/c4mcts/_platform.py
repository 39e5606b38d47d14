"""Threads, which WebAssembly lacks, and processors of this process."""

import math
import os
import sys
from contextlib import suppress

IS_WASM = sys.platform == "emscripten"
HAS_THREADS = not IS_WASM  # read when it is needed, so that tests can change it
OWN_CGROUP = "/proc/self/cgroup"  # both exist on Linux only
CGROUPS = "/sys/fs/cgroup"


def require_threads(what: str) -> None:
    """RuntimeError if the platform has no threads. what: needs them."""
    if not HAS_THREADS:
        raise RuntimeError(f"{what} needs threads, and this platform has none")


def processors() -> int:
    """How many processors this process may use, at least 1: in a container or a job, often not all."""
    if sys.version_info >= (3, 13):
        count = os.process_cpu_count() or 1
    elif hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    # 1.5 processors let one thread run without a pause, and limits in seconds should mean that
    return max(1, math.floor(min(count, _quota())))


def _quota() -> float:
    """Processors that the cgroups (version 2) of this process allow, the lowest limit of its own and all above it."""
    lowest = math.inf
    with suppress(OSError, StopIteration), open(OWN_CGROUP, encoding="utf-8") as lines:
        own = next(line for line in lines if line.startswith("0::"))[3:].strip("/\n").split("/")
        for depth in range(len(own) + 1):
            with suppress(OSError, ValueError), open(os.path.join(CGROUPS, *own[:depth], "cpu.max")) as limit:
                quota, period = map(int, limit.read().split())  # microseconds; "max" without a limit
                lowest = min(lowest, quota / period)
    return lowest
