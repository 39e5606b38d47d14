"""Fixtures: every test with the argument `backend` runs on both backends."""

import contextlib
import os
import signal
import subprocess

import pytest
from page import browser  # noqa: F401

from c4mcts._backend import load

os.environ.setdefault("PYTEST_TIMEOUT", "120")  # seconds, of each test, for pytest-timeout

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background job of a shell; processes would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--pure-only", action="store_true", help="test an installation without the native backend")


def pytest_generate_tests(metafunc):
    if "backend" in metafunc.fixturenames:
        names = ["pure"] if metafunc.config.getoption("--pure-only") else ["native", "pure"]
        metafunc.parametrize("backend", names)


def pytest_collection_modifyitems(config, items):
    """Skip the comparison of the backends if there is only one; otherwise fail early if the native one is missing."""
    if config.getoption("--pure-only"):
        items[:] = [item for item in items if "parity" not in item.path.parts and not item.get_closest_marker("native")]
    else:
        load("native")


@pytest.fixture
def anyio_backend():
    """The event loop of tests that are coroutines, which are marked anyio."""
    return "asyncio"


@pytest.fixture
def modules(backend):
    """The modules of one backend, as attributes."""
    return load(backend)


@pytest.fixture
def started():
    """A function that starts a process; when the test ends, also by a failure, its processes and their children do.

    The processes are leaders of groups of their own, with their output as text in a pipe.
    """
    processes = []

    def start(*command, **options):
        options = {"stdout": subprocess.PIPE, "text": True, "start_new_session": True, **options}
        processes.append(subprocess.Popen([*map(str, command)], **options))
        return processes[-1]

    yield start
    for process in processes:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # of what was not read
                    stream.close()
        process.wait()
