"""The package in WebAssembly: tests of other folders, and a session, run by Pyodide in Node."""

import pytest
from wasm_wheel import HERE, ROOT, run, wheels_in

pytestmark = pytest.mark.native

TESTS = (
    "tests/golden/test_signature.py",
    "tests/parity/test_twins.py::test_searches_are_equal",
    "tests/test_platform.py",
    "tests/search/test_random_games.py",
    "tests/search/test_serialization.py",
    "tests/play/test_review.py",
)
# slow there, or about threads, processes and commands
LEFT_OUT = ("pure", "killed", "whoever", "environment", "threads_play", "numbers_of_threads", "command")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    return wheels_in(tmp_path_factory.mktemp("wheels"))


def test_other_tests(wheels):
    """In one process, since Pyodide takes seconds to start."""
    run("node", HERE / "pytest.mjs", wheels, ROOT, *TESTS, "-k", " and ".join(f"not {word}" for word in LEFT_OUT))


def test_a_session(wheels):
    run("node", HERE / "session.mjs", wheels)
