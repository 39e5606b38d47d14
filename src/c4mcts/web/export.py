"""Export: the page as a folder of static files, in which the engine runs in the browser."""

import gzip
import hashlib
import importlib.util
import io
import json
import marshal
import os
import re
import sys
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from .. import __version__, _files
from . import POLICY, policy_text
from .runtime import LIBRARY, MODULES, RELEASES, Runtime, find_runtime

HERE = Path(__file__).parent
WORKER = "service-worker.js"
# folders and modules that a session does not need
OURS_LEFT_OUT = re.compile(
    r"c4mcts/(adapters|cli|selfplay|study|widget|web/(site|static|api|app|export|guard|runtime|server)\b"
    r"|(evaluators|signature|view|play/(player_process|grading))\.py|.*\.(pyi|pxd|typed)$)"
)
NUMPY_LEFT_OUT = re.compile(
    r".*/(_examples|_pyinstaller|include|tests)/|numpy/(distutils|doc|f2py|fft|ma|polynomial|testing)/|"
    r"numpy/_configtool\.py|.*\.(pyi|h|a|typed)$"
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
PYODIDE = re.compile(r"_?pyodide/")  # its start needs their docstrings
CHARSET = '<meta charset="utf-8">'
DIST_INFO = re.compile(r"[^/]+\.(dist-info|data)/")
POLICY_HERE = {
    **POLICY,
    "script-src": "'self' 'wasm-unsafe-eval'",
    "worker-src": "'self' blob:",  # a worker that starts as a blob has the policy of the page
    "manifest-src": "'self'",
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
    files = _page_files(where, find_runtime(_abi_of(where), places))
    for name, data in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _files.write(os.fspath(path), data)
    return {name: len(data) for name, data in files.items()}


def _abi_of(wheel: Path) -> str:
    """The ABI of Pyodide for which a wheel of this version is. ValueError."""
    found = MODULES.fullmatch(wheel.name)
    if found is None or found["name"] != "c4mcts" or found["abi"] not in RELEASES:
        known = " or ".join(f"…_{abi}_wasm32.whl" for abi in RELEASES)
        raise ValueError(f"wheel must be one of c4mcts for Pyodide, c4mcts-{__version__}-{known}, not {wheel.name}")
    if found["version"] != __version__:
        raise ValueError(f"wheel must be of version {__version__}, as this page is, not of {found['version']}")
    return found["abi"]


def _page_files(wheel: Path, runtime: Runtime) -> dict[str, bytes]:
    """All files of the page by their paths, that of the service worker last: it names the others with their hashes."""
    static = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in (HERE / "static").rglob("*.*")}
    index = static.pop("static/index.html").decode()
    del static["static/notebook.css"], static["static/js/notebook.js"]
    engine = {
        **runtime.files,
        LIBRARY: library(runtime.files[LIBRARY], runtime.python),
        "engine.js": site("engine.js"),
        "snapshot.js": site("snapshot.js"),
        "numpy.bundle": bundle(io.BytesIO(runtime.numpy), NUMPY_LEFT_OUT, runtime.python),
        "c4mcts.bundle": bundle(io.BytesIO(wheel.read_bytes()), OURS_LEFT_OUT, runtime.python),
    }
    listed = "\n".join(f"{name} {_hash_of(data)}" for name, data in sorted(engine.items()))
    version = _hash_of(listed.encode())  # another one if a file of the engine changes
    engine["engine.js"] = f"const VERSION = {json.dumps(version)};\n\n".encode() + engine["engine.js"]
    loaded = sum(len(data) for name, data in engine.items() if not name.endswith("js"))
    files = {
        "index.html": _with_engine(index, loaded).encode(),
        **static,
        "manifest.webmanifest": site("manifest.webmanifest"),
        **{f"engine/{name}": data for name, data in engine.items()},
    }
    hashes = {name: _hash_of(data) for name, data in files.items()}
    names = f"const FILES = {json.dumps(hashes, indent=1)}; // with their hashes\n\n"
    return {**files, WORKER: names.encode() + site(WORKER)}


def _hash_of(data: bytes) -> str:
    """The SHA-256 as browsers write it."""
    return "sha256-" + b64encode(hashlib.sha256(data).digest()).decode()


def site(name: str) -> bytes:
    """A file that only an exported page has."""
    return (HERE / "site" / name).read_bytes()


def _with_engine(index: str, size: int) -> str:
    """The HTML of the page with what an exported one has in its head. size: bytes of which the page shows progress."""
    head = f"""
  <meta http-equiv="Content-Security-Policy" content="{policy_text(POLICY_HERE)}">
  <meta name="engine" content="engine/engine.js" data-size="{size}">
  <link rel="manifest" href="manifest.webmanifest">"""
    return index.replace(CHARSET, CHARSET + head)


def bundle(wheel: io.BytesIO, left_out: re.Pattern[str], python: tuple[int, ...]) -> bytes:
    """The modules of a wheel as engine.js unpacks them: a tar, compressed with gzip; always the same bytes.

    If this Python has the bytecode of that version, the modules are compiled, which saves time at each start.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(wheel) as source, tarfile.open(mode="w", fileobj=buffer, format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(source.namelist()):
            if name.endswith("/") or left_out.match(name) or DIST_INFO.match(name):
                continue
            data = source.read(name)
            if name.endswith(".py") and python == sys.version_info[:2]:
                name, data = f"{name}c", compiled(data, name)
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), mtime=0)


def library(archive: bytes, python: tuple[int, ...]) -> bytes:
    """Python's standard library, a zip, with the modules that a session needs; always the same bytes.

    They are compiled as those of a bundle are, and without docstrings, which take a fifth of the file.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in sorted(source.namelist()):
            if name.endswith("/") or LIBRARY_LEFT_OUT.match(name):
                continue
            data = source.read(name)
            if name.endswith(".py") and python == sys.version_info[:2]:
                optimize = 0 if PYODIDE.match(name) else 2
                name, data = f"{name}c", compiled(data, name, optimize)
            target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def compiled(source: bytes, name: str, optimize: int = 0) -> bytes:
    """A module as bytecode, which takes the place of its source. optimize: as for Python's `compile`."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    unchecked = (1).to_bytes(4, "little") + importlib.util.source_hash(source)  # there is no source to compare with
    return importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(code)
