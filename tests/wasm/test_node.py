"""The package in WebAssembly: tests of other folders, and a session, run by Pyodide in Node."""

import shutil
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from page import is_ci

pytestmark = pytest.mark.native

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = HERE / "node_modules" / ".packages"  # where .ci/run puts the wheels of requirements.txt
INSIDE = ("numpy-", "openblas-")  # what is needed of the wheel that bundles NumPy
PATIENCE = 300  # seconds

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


def missing():
    """What is not installed, and how to get it; empty if nothing is missing."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import wasm
    finally:
        sys.path.remove(str(ROOT / "tools"))
    found = [f"Debian packages {wasm.missing()}"] if wasm.missing() else []
    if shutil.which("node") is None:
        found.append("Node")
    if not (HERE / "node_modules" / "pyodide").is_dir() or not PACKAGES.is_dir():
        found.append("packages of tests/wasm (.ci/run says how to get them)")
    return ", ".join(found)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """A folder with the wheels that Pyodide loads, c4mcts among them. Without the tools for it the tests are skipped,
    but on CI they fail."""
    lacking = missing()
    if lacking:
        (pytest.fail if is_ci() else pytest.skip)(f"needs {lacking}")
    folder = tmp_path_factory.mktemp("wheels")
    with one_at_a_time():
        run(sys.executable, ROOT / "tools" / "wasm.py", folder)
    for path in PACKAGES.glob("*.whl"):
        if path.name.startswith("provisa"):
            unpack(path, folder)
        else:
            shutil.copy(path, folder)
    return folder


@contextmanager
def one_at_a_time():
    """Hold a lock: several processes may run the tests, and all build in one folder, where only the first has work."""
    import fcntl  # not on Windows

    (ROOT / "build").mkdir(exist_ok=True)
    with open(ROOT / "build" / "wasm.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def unpack(bundle, folder):
    """Copy NumPy out of the wheel that bundles it."""
    with zipfile.ZipFile(bundle) as archive:
        for name in archive.namelist():
            short = name.rpartition("/")[2]
            if "/pyodide/" in name and short.startswith(INSIDE):
                (folder / short).write_bytes(archive.read(name))


def run(*command):
    """Run a command; its output is the message if it fails."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
    return done.stdout


def test_other_tests(wheels):
    """In one process, since Pyodide takes seconds to start."""
    run("node", HERE / "pytest.mjs", wheels, ROOT, *TESTS, "-k", " and ".join(f"not {word}" for word in LEFT_OUT))


def test_a_session(wheels):
    run("node", HERE / "session.mjs", wheels)
