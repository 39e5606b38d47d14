"""The package in WebAssembly: tests of other folders, and a session, run by Pyodide in Node."""

import gzip
import io
import modulefinder
import tarfile
import zipfile

import pytest
from wasm_wheel import HERE, PYODIDE, ROOT, run, wheels_in

from c4mcts._archives import tar_gz
from c4mcts.page import export

pytestmark = [pytest.mark.native, pytest.mark.timeout(1800)]  # it builds a wheel

TESTS = (
    "tests/golden/test_signature.py",
    "tests/parity/test_twins.py::test_searches_are_equal",
    "tests/test_platform.py",
    "tests/search/test_random_games.py",
    "tests/search/test_serialization.py",
    "tests/play/test_review.py",
)
# slow there, or about threads, processes and commands
LEFT_OUT = ("pure", "killed", "environment", "threads_play", "numbers_of_threads", "command")

SOURCES = (3, 10)  # a Python that does not run these tests, so that nothing is compiled
# who imports what the exported page has not, in functions and conditions that a session doesn't reach
UNREACHED = {
    **{name: {"argparse"} for name in ("ast", "dis", "gzip", "inspect", "py_compile", "tokenize", "zipfile")},
    "_sitebuiltins": {"pydoc"},  # help
    "abc": {"_py_abc"},  # without the module in C
    "base64": {"getopt"},
    "c4mcts._archives": {"tarfile"},  # exported pages
    "c4mcts.executors.cancellation": {"multiprocessing"},  # processes
    "c4mcts.play.identity": {"modulefinder"},  # files of players
    "difflib": {"doctest"},
    "encodings": {"encodings.mbcs"},  # on Windows
    "heapq": {"doctest"},
    "numpy.ctypeslib": {"sysconfig"},  # load_library
    "numpy.lib._datasource": {"urllib.error", "urllib.request"},  # files from the network
    "numpy.lib._utils_impl": {"pydoc"},  # info
    "pickle": {"argparse", "doctest"},
    "platform": {"plistlib"},  # on macOS
    "pyodide._package_loader": {"tarfile"},
    "shutil": {"tarfile"},
    "warnings": {"tracemalloc"},  # it does without
}
FROZEN = {"importlib._bootstrap", "importlib._bootstrap_external"}  # part of the interpreter


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    return wheels_in(tmp_path_factory.mktemp("wheels"))


def test_other_tests(wheels):
    """In one process, since Pyodide takes seconds to start."""
    run("node", HERE / "pytest.mjs", wheels, ROOT, *TESTS, "-k", " and ".join(f"not {word}" for word in LEFT_OUT))


def modules(names):
    """The modules in files."""
    return {name[:-3].replace("/", ".").removesuffix(".__init__") for name in names if name.endswith(".py")}


def library_of_pyodide():
    return (PYODIDE / "python_stdlib.zip").read_bytes()


def unpack(wheels, folder):
    """Write the modules of an exported page into a folder, as sources; returns those that a session may import."""
    zipfile.ZipFile(io.BytesIO(export.library(library_of_pyodide(), SOURCES))).extractall(folder)
    before = {path.relative_to(folder) for path in folder.rglob("*.py")}
    for name, left_out in (("numpy", export.NUMPY_LEFT_OUT), ("c4mcts", export.OURS_LEFT_OUT)):
        (wheel,) = wheels.glob(f"{name}-*.whl")
        packed = tar_gz(dict(export.modules(io.BytesIO(wheel.read_bytes()), left_out, SOURCES)))
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(packed))) as tar:
            tar.extractall(folder, filter="data")
    found = {path.relative_to(folder) for path in folder.rglob("*.py")}
    needed = (found - before) | {path for path in before if path.parts[0] in ("encodings", "pyodide", "_pyodide")}
    return modules(path.as_posix() for path in needed)


def test_nothing_imports_what_the_library_of_an_exported_page_lacks(wheels, tmp_path):
    finder = modulefinder.ModuleFinder(path=[str(tmp_path)])
    for name in sorted(unpack(wheels, tmp_path)):
        finder.import_hook(name)
    left_out = modules(zipfile.ZipFile(io.BytesIO(library_of_pyodide())).namelist()) - modules(
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.py")
    )
    found = {}
    for name in left_out.intersection(finder.badmodules) - FROZEN:
        for importer in finder.badmodules[name]:
            found.setdefault(importer, set()).add(name)
    assert len(left_out) > 200
    assert found == UNREACHED


def test_a_session_with_the_library_of_an_exported_page(wheels, tmp_path):
    """At the end all modules are imported that an exported page has."""
    path = tmp_path / "library.zip"
    path.write_bytes(export.library(library_of_pyodide(), (3, 12)))
    ours = sorted(name for name in unpack(wheels, tmp_path / "modules") if name.startswith("c4mcts"))
    run("node", HERE / "session.mjs", wheels, path, *ours)
