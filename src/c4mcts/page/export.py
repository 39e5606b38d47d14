"""Export: the page as a folder of static files, in which the engine runs in the browser.

Pyodide and NumPy are found on this machine, and known by their hashes.
"""

import functools
import hashlib
import importlib.util
import io
import itertools
import json
import marshal
import os
import re
import sys
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from .. import __version__, _archives, _files
from ..board.board import Board
from ..http.policy import POLICY, policy_text
from ..solver.solver import Solver
from . import STATIC
from .bundle import FIRST, START, bundle

SITE = STATIC.parent / "site"  # of files that only an exported page has
WORKER = "service-worker.js"
LANGUAGES = ("en", "de", "fr", "es")
FIRST_PLIES = 4  # positions with so many discs have scores that are there before the engine is
# folders and modules that a session does not need
OURS_LEFT_OUT = re.compile(
    r"c4mcts/(_pyinstaller|adapters|cli|http|selfplay|study|page/(site|static|widget|export)\b"
    r"|(__main__|evaluators|signature|view|play/(archives|class_page|grades|grading|player_check|player_process))"
    r"\.(html|py)|.*\.(pyi|pxd|typed)$)|[^/]+\.(dist-info|data)/"
)
NUMPY_LEFT_OUT = re.compile(
    r".*/(_examples|_pyinstaller|include|tests)/|numpy/(distutils|doc|f2py|fft|ma|polynomial|testing)/|"
    r"numpy/_configtool\.py|.*\.(pyi|h|a|typed)$|[^/]+\.(dist-info|data)/"
)
LIBRARY_LEFT_OUT = re.compile(  # of Python's standard library; a test looks for imports of these
    r"encodings/(?!(__init__|aliases|ascii|cp437|latin_1|utf_\w+)\.py$)|"
    r"(email|http|multiprocessing|pydoc_data|tomllib|unittest|wsgiref|xml|xmlrpc|zoneinfo)/|"
    r"(asyncio/(proactor_events|windows_\w+)|concurrent/futures/process|html/parser|"
    r"importlib/(_bootstrap\w*|metadata/.*)|logging/(config|handlers)|pyodide/console|"
    r"urllib/(error|request|response|robotparser))\.py$|"
    r"(_py_abc|_pydatetime|_pyio|_sysconfigdata[\w-]*|aifc|argparse|bdb|cgi|cgitb|cmd|compileall|configparser|doctest|"
    r"fileinput|ftplib|getopt|gettext|imaplib|mailbox|mimetypes|modulefinder|nntplib|optparse|pdb|pickletools|plistlib|"
    r"poplib|profile|pstats|pyclbr|pydoc|runpy|smtplib|socketserver|stringprep|sunau|sysconfig|tabnanny|tarfile|"
    r"telnetlib|timeit|trace|tracemalloc|uuid|wave|zipimport)\.py$"
)
LAZY = """from importlib import import_module as _load

from .bit_generator import BitGenerator, SeedSequence


def __getattr__(name):
    return getattr(_load("numpy.random._generator"), name)
"""
STAND_INS = {  # for modules of which a session needs a part, or nothing, at its start
    "c4mcts/play/__init__.py": "",  # the public names
    "numpy/_core/_add_newdocs.py": "",  # docstrings
    "numpy/_core/_add_newdocs_scalars.py": "",
    "numpy/random/__init__.py": LAZY,  # a search needs a SeedSequence, and no distributions
}
PYODIDE = re.compile(r"_?pyodide/")  # its start needs their docstrings
CHARSET = '<meta charset="utf-8">'
POLICY_HERE = {
    **POLICY,
    "script-src": "'self' 'wasm-unsafe-eval'",
    "worker-src": "'self' blob:",  # a worker that starts as a blob has the policy of the page
    "manifest-src": "'self'",
}
WHEEL = re.compile(r"(?P<name>\w+)-(?P<version>[^-]+)-.*_(?P<abi>\d+_\d+)_wasm32\.whl")  # the name of a wheel


class Release(NamedTuple):
    """A version of Pyodide, and the SHA-256 of its files. Its lock file has the hashes of the packages made for it."""

    version: str
    files: dict[str, str]


LOCK = "pyodide-lock.json"
LIBRARY = "python_stdlib.zip"
RELEASES = {  # by the ABI that wheels name; the versions that the tests and the published wheels are for
    "2024_0": Release(
        "0.27.7",
        {
            "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
            "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
            "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
            LIBRARY: "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
            LOCK: "9c45b916001a750f4102fc287494f3eab215909c7535c626a20db80fd6333e2c",
        },
    ),
    "2026_0": Release(
        "314.0.7",
        {
            "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
            "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
            "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
            LIBRARY: "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
            LOCK: "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
        },
    ),
}


def export_page(folder: _files.StrPath, *, wheel: _files.StrPath, pyodide: Sequence[_files.StrPath]) -> dict[str, int]:
    """Write the page to a folder, which any server of files can serve; returns the sizes of the files in bytes.

    folder: new, empty, or with an earlier export, which is replaced. wheel: of this version, for Pyodide. pyodide:
    folders and archives that have the files of Pyodide and NumPy; each is known by its hash.

    Raises ValueError for another folder or wheel, or if a file is missing; TypeError; OSError.
    """
    target = Path(_files.path_of("folder", folder))
    where = Path(_files.path_of("wheel", wheel))
    places = [Path(_files.path_of("pyodide", place)) for place in pyodide]
    if target.exists() and not (target / WORKER).exists() and any(target.iterdir()):
        raise ValueError(f"folder must be empty or have an earlier export, but {target} has other files")
    files = _page_files(where, *find_runtime(_abi_of(where), places))
    for name, data in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _files.write(os.fspath(path), data)
    return {name: len(data) for name, data in files.items()}


def _abi_of(wheel: Path) -> str:
    """The ABI of Pyodide for which a wheel of this version is. ValueError."""
    match = WHEEL.fullmatch(wheel.name)
    if match is None or match["name"] != "c4mcts" or match["abi"] not in RELEASES:
        names = " or ".join(f"…_{abi}_wasm32.whl" for abi in RELEASES)
        raise ValueError(f"wheel must be one of c4mcts for Pyodide, c4mcts-{__version__}-{names}, not {wheel.name}")
    if match["version"] != __version__:
        raise ValueError(f"wheel must be of version {__version__}, as this page is, not of {match['version']}")
    return match["abi"]


def _page_files(wheel: Path, pyodide: dict[str, bytes], python: tuple[int, ...], numpy: bytes) -> dict[str, bytes]:
    """All files of the page by their paths, the service worker last: it names the others with their hashes."""
    paths = ["style.css", "icon.svg", *(f"js/{name}" for name in FIRST), *(f"texts/{name}.json" for name in LANGUAGES)]
    static = {f"static/{path}": (STATIC / path).read_bytes() for path in paths}
    static["static/js/page.js"] = bundle(START, FIRST).encode()
    static["static/scores.json"] = first_scores()
    engine = {
        **pyodide,
        LIBRARY: library(pyodide[LIBRARY], python),
        "engine.js": site("engine.js"),
        "snapshot.js": site("snapshot.js"),
        "numpy.bundle": _archives.tar_gz(dict(modules(io.BytesIO(numpy), NUMPY_LEFT_OUT, python))),
        "c4mcts.bundle": _archives.tar_gz(dict(modules(io.BytesIO(wheel.read_bytes()), OURS_LEFT_OUT, python))),
    }
    listed = "\n".join(f"{name} {_hash_of(data)}" for name, data in sorted(engine.items()))
    version = _hash_of(listed.encode())  # another one if a file of the engine changes
    engine["engine.js"] = f"const VERSION = {json.dumps(version)};\n\n".encode() + engine["engine.js"]
    loaded = sum(len(data) for name, data in engine.items() if not name.endswith("js"))
    files = {
        "index.html": _with_engine((STATIC / "index.html").read_text("utf-8"), loaded).encode(),
        **static,
        "manifest.webmanifest": site("manifest.webmanifest"),
        **{f"engine/{name}": data for name, data in engine.items()},
    }
    hashes = {name: _hash_of(data) for name, data in files.items()}
    names = f"const FILES = {json.dumps(hashes, indent=1)}; // with their hashes\n\n"
    return {**files, WORKER: names.encode() + site(WORKER)}


@functools.cache
def first_scores() -> bytes:
    """JSON: the solver's scores of all columns in the first positions, by their moves: [], [0] to [6], [0, 0], ..."""
    solver = Solver()
    lines = (line for plies in range(FIRST_PLIES + 1) for line in itertools.product(range(7), repeat=plies))
    scores = [solver.solve(Board.from_moves(line), columns=True).columns for line in lines]
    return json.dumps(scores, separators=(",", ":")).encode()


def _hash_of(data: bytes) -> str:
    """The SHA-256 as browsers write it."""
    return "sha256-" + b64encode(hashlib.sha256(data).digest()).decode()


def site(name: str) -> bytes:
    return (SITE / name).read_bytes()


def _with_engine(index: str, size: int) -> str:
    """The HTML of the page with the elements of an exported one in its head. size: bytes, for the progress shown."""
    head = f"""
  <meta http-equiv="Content-Security-Policy" content="{policy_text(POLICY_HERE)}">
  <meta name="engine" content="engine/engine.js" data-size="{size}">
  <link rel="preload" as="fetch" crossorigin href="static/scores.json">
  <link rel="manifest" href="manifest.webmanifest">"""
    return index.replace(CHARSET, CHARSET + head)


def library(archive: bytes, python: tuple[int, ...]) -> bytes:
    """Python's standard library, a zip, with the modules that a session needs; always the same bytes.

    They have no docstrings, which take a fifth of the file.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, data in modules(io.BytesIO(archive), LIBRARY_LEFT_OUT, python, 2):
            target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def modules(
    archive: io.BytesIO, left_out: re.Pattern[str], python: tuple[int, ...], optimize: int = 0
) -> Iterator[tuple[str, bytes]]:
    """The files of a zip or a wheel with their names, in order.

    If this Python has the bytecode of that version, modules are compiled, which saves time at each start. optimize: as
    for Python's `compile`.
    """
    with zipfile.ZipFile(archive) as source:
        for name in sorted(source.namelist()):
            if name.endswith("/") or left_out.match(name):
                continue
            data = STAND_INS[name].encode() if name in STAND_INS else source.read(name)
            if name.endswith(".py") and python == sys.version_info[:2]:
                name, data = f"{name}c", compiled(data, name, 0 if PYODIDE.match(name) else optimize)
            yield name, data


def compiled(source: bytes, name: str, optimize: int) -> bytes:
    """A module as bytecode, which takes the place of its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    unchecked = (1).to_bytes(4, "little") + importlib.util.source_hash(source)  # there is no source to compare with
    return importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(code)


def find_runtime(abi: str, places: Sequence[Path]) -> tuple[dict[str, bytes], tuple[int, ...], bytes]:
    """The files of Pyodide for an ABI of wheels, by name, its version of Python, as (3, 12), and NumPy's wheel.

    places: folders and archives that have these files. ValueError, OSError.
    """
    release = RELEASES[abi]
    requirement = f"Pyodide {release.version}"
    files = {name: find(name, digest, places, requirement) for name, digest in release.files.items()}
    lock = json.loads(files[LOCK])
    numpy = lock["packages"]["numpy"]
    python = tuple(map(int, lock["info"]["python"].split(".")[:2]))
    return files, python, find(numpy["file_name"], numpy["sha256"], places, requirement)


def find(name: str, digest: str, places: Sequence[Path], requirement: str) -> bytes:
    """The file with a name and a hash. ValueError if no place has it."""
    others = []
    for place in places:
        for data in files_named(name, place):
            if hashlib.sha256(data).hexdigest() == digest:
                return data
            others.append(f"{place} has another {name}")
    tried = "; ".join(others) or f"not in {', '.join(map(str, places))}"
    raise ValueError(f"{requirement} needs {name} with the SHA-256 {digest}: {tried}")


def files_named(name: str, place: Path) -> Iterator[bytes]:
    """The files with a name: in a folder, or anywhere in an archive (tar, zip, wheel)."""
    if place.is_dir():
        if (place / name).is_file():
            yield (place / name).read_bytes()
    elif zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            yield from (archive.read(inside) for inside in archive.namelist() if PurePosixPath(inside).name == name)
    elif tarfile.is_tarfile(place):
        with tarfile.open(place) as tar:
            inside = (member for member in tar if member.isfile() and PurePosixPath(member.name).name == name)
            yield from (file.read() for file in map(tar.extractfile, inside) if file is not None)
    else:
        raise ValueError(f"{place} is neither a folder nor an archive")
