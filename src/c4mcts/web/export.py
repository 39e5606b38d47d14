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
from .runtime import MODULES, RELEASES, Runtime, find_runtime

HERE = Path(__file__).parent
WORKER = "service-worker.js"
# folders and modules that a session does not need
OURS_LEFT_OUT = re.compile(
    r"c4mcts/(adapters|cli|selfplay|study|widget|web/(site|static|api|app|export|guard|runtime|server)\b"
    r"|(evaluators|signature|view)\.py|.*\.(pyi|pxd|typed)$)"
)
NUMPY_LEFT_OUT = re.compile(
    r".*/(tests|include)/|numpy/(distutils|doc|f2py|fft|ma|polynomial|testing)/|.*\.(pyi|h|a|typed)$"
)
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
    files = page_files(where, find_runtime(abi_of(where), places))
    for name, data in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _files.write(os.fspath(path), data)
    return {name: len(data) for name, data in files.items()}


def abi_of(wheel: Path) -> str:
    """The ABI of Pyodide for which a wheel of this version is. ValueError."""
    found = MODULES.fullmatch(wheel.name)
    if found is None or found["name"] != "c4mcts" or found["abi"] not in RELEASES:
        known = " or ".join(f"…_{abi}_wasm32.whl" for abi in RELEASES)
        raise ValueError(f"wheel must be one of c4mcts for Pyodide, c4mcts-{__version__}-{known}, not {wheel.name}")
    if found["version"] != __version__:
        raise ValueError(f"wheel must be of version {__version__}, as this page is, not of {found['version']}")
    return found["abi"]


def page_files(wheel: Path, runtime: Runtime) -> dict[str, bytes]:
    """All files of the page by their paths, that of the service worker last: it names the others with their hashes."""
    static = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in (HERE / "static").rglob("*.*")}
    index = static.pop("static/index.html").decode()
    del static["static/notebook.css"], static["static/js/notebook.js"]
    engine = {
        **runtime.files,
        "engine.js": site("engine.js"),
        "numpy.bundle": bundle(io.BytesIO(runtime.numpy), NUMPY_LEFT_OUT, runtime.python),
        "c4mcts.bundle": bundle(io.BytesIO(wheel.read_bytes()), OURS_LEFT_OUT, runtime.python),
    }
    loaded = sum(len(data) for name, data in engine.items() if not name.endswith("js"))
    files = {
        "index.html": with_engine(index, loaded).encode(),
        **static,
        "manifest.webmanifest": site("manifest.webmanifest"),
        **{f"engine/{name}": data for name, data in engine.items()},
    }
    hashes = {name: "sha256-" + b64encode(hashlib.sha256(data).digest()).decode() for name, data in files.items()}
    names = f"const FILES = {json.dumps(hashes, indent=1)}; // with their hashes\n\n"
    return {**files, WORKER: names.encode() + site(WORKER)}


def site(name: str) -> bytes:
    """A file that only an exported page has."""
    return (HERE / "site" / name).read_bytes()


def with_engine(index: str, size: int) -> str:
    """The HTML of the page with what an exported one has in its head. size: bytes of which the page shows progress."""
    head = f"""
  <meta http-equiv="Content-Security-Policy" content="{policy_text(POLICY_HERE)}">
  <meta name="engine" content="engine/engine.js" data-size="{size}">
  <link rel="manifest" href="manifest.webmanifest">"""
    charset = '<meta charset="utf-8">'
    if index.count(charset) != 1:
        raise RuntimeError(f"index.html must have {charset} once")
    return index.replace(charset, charset + head)


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


def compiled(source: bytes, name: str) -> bytes:
    """A module as bytecode, which takes the place of its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)  # NumPy needs its docstrings
    unchecked = (1).to_bytes(4, "little") + importlib.util.source_hash(source)  # there is no source to compare with
    return importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(code)
