"""The package as a wheel for WebAssembly, and what it runs on, for the tests that need them: Pyodide and its NumPy."""

import shutil
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests" / "wasm"
PYODIDE = HERE / "node_modules" / "pyodide"
PACKAGES = HERE / "node_modules" / ".packages"  # where .ci/wasm puts the wheels of requirements.txt
NUMPY = "numpy-"  # in the wheel that bundles it
PATIENCE = 1800  # seconds


def wheels_in(folder):
    """Fill a folder with the wheels that Pyodide loads, c4mcts among them."""
    assert not (lacking := missing()), f"needs {lacking}"
    with one_at_a_time():
        run(sys.executable, ROOT / "tools" / "wasm.py", folder)
    for path in PACKAGES.glob("*.whl"):
        if path.name.startswith("provisa"):
            unpack(path, folder)
        else:
            shutil.copy(path, folder)
    return folder


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
    if not PYODIDE.is_dir() or not PACKAGES.is_dir():
        found.append("packages of tests/wasm (.ci/wasm gets them)")
    return ", ".join(found)


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
            if "/pyodide/" in name and short.startswith(NUMPY):
                (folder / short).write_bytes(archive.read(name))


def run(*command):
    """Run a command; its output is the message if it fails."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
    return done.stdout
