"""Makes the file that is submitted to Kaggle: an archive with main.py and this package, or one Python file."""

import base64
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ... import __version__, _files, _weights
from ..._archives import tar_gz
from ...board.board import Board
from ...search.engine import Engine
from ...search.network import PolicyValueNetwork
from ...search.params import SearchParams
from ..kaggle import NETWORK, network_in

PACKAGE = Path(__file__).parents[2]
# folders and modules that no agent needs
LEFT_OUT = {"cli", "games", "http", "page", "protocol", "selfplay", "study", "view.py"}
# of a network without a search: its agent, and the modules that this imports
POLICY = f"{__package__}.policy".partition(".")[2]
POLICY_FILES = [
    *(f"{name}.py" for name in ("_archives", "_backend", "_hints", "_platform", "_validation", "_weights")),
    *(f"_pure/{name}.py" for name in ("__init__", "bitboard", "cells", "features", "network", "threats")),
    *("_layout/*.py", "adapters/__init__.py", "adapters/kaggle_submission/*.py", "errors.py", "rules.py"),
]
SOURCES = {".pyx", ".pxd", ".h", ".c", ".pyc"}  # files that no agent needs
CORE = "c4mcts/_native/search.abi3"  # a module of the native core, before its ending; the others were built with it
OLDEST_PYTHON = rb"oldest CPython 0x03(..)0000"  # in that module
KAGGLE_MINOR = 11  # 3.11 is the oldest CPython of kaggle-environments 1.33
ELF, X86_64 = b"\x7fELF\2", b"\x3e\0"  # the first bytes of a 64-bit file, and bytes 18 and 19, its machine
MUSL = b"libc.musl"  # in files for a C library other than Kaggle's


def export(
    path: _files.StrPath, params: SearchParams, *, single_file: bool = False, network: Sequence[_files.StrPath] = ()
) -> int:
    """Write a submission, and return its size in bytes.

    path: of a .tar.gz archive with main.py, the package with its compiled core, and its data; with single_file=True, of
    one Python file with the same content. params: of the search. network: if the search needs an evaluator, files that
    go into the submission. The first one is a Python module that defines `evaluator(planes, legal)` (see Engine) for
    7 x 6, with NumPy; the others are files that it reads from its own folder. Boards of other sizes are searched
    without it.

    Raises RuntimeError if the installed core is not for Linux x86-64, on which Kaggle runs; ValueError for another path
    or other files of a network; OSError. Warns if the core was compiled for a CPython that Kaggle may not have yet.
    """
    where = _files.path_of("path", path, ".py" if single_file else ".tar.gz")
    files = {**package_files(), **network_files(network)}
    check_core(files)
    options = {
        "package": "c4mcts",
        "module": "adapters.kaggle",
        "version": __version__,
        "params": params.to_dict(),
        "network": Path(network[0]).name if network else None,
    }
    data = main_text(options, tar_gz(files)) if single_file else tar_gz({"main.py": main_text(options), **files})
    _files.write(where, data)
    return len(data)


def export_policy(path: _files.StrPath, network: _files.StrPath = _weights.NETWORK) -> int:
    """Write a network that plays its most probable column, without a search; returns the size of the file in bytes.

    path: of the Python file. network: of a PolicyValueNetwork, by default the one of the package. The file has all that
    it needs but NumPy, for any platform.

    Raises ValueError for another path, SaveError for another network, OSError.
    """
    where = _files.path_of("path", path, ".py")
    # packages with different networks have different names, so that one process can play both
    package = f"c4mcts_policy_{PolicyValueNetwork.load(network).fingerprint[:16]}"
    sources = [file.relative_to(PACKAGE) for pattern in POLICY_FILES for file in sorted(PACKAGE.glob(pattern))]
    files = {f"{package}/{file.as_posix()}": (PACKAGE / file).read_bytes() for file in sources}
    files[f"{package}/__init__.py"] = f"__version__ = {__version__!r}\n".encode()
    files[f"{package}/{Path(_weights.NETWORK).relative_to(PACKAGE).as_posix()}"] = Path(network).read_bytes()
    data = main_text({"package": package, "module": POLICY, "version": __version__, "network": None}, tar_gz(files))
    _files.write(where, data)
    return len(data)


def package_files() -> dict[str, bytes]:
    """The files of the installed package that an agent needs, including data."""
    files = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.is_file() and inside.parts[0] not in LEFT_OUT and path.suffix not in SOURCES:
            files[(Path("c4mcts") / inside).as_posix()] = path.read_bytes()
    return files


def network_files(network: Sequence[_files.StrPath]) -> dict[str, bytes]:
    """The files of a network by their names in a submission. ValueError, OSError."""
    paths = [Path(path) for path in network]
    if paths and paths[0].suffix != ".py":
        raise ValueError(f"network must begin with a Python module, not {str(paths[0])!r}")
    files = {f"{NETWORK}/{path.name}": path.read_bytes() for path in paths}
    if len(files) < len(paths):
        raise ValueError("network must have files of different names")
    return files


def try_network(network: Sequence[_files.StrPath], params: SearchParams) -> None:
    """Search with the network, which has only its own files. Raises as `network_files`, and what the network raises."""
    files = network_files(network)
    with TemporaryDirectory() as folder:
        (Path(folder) / NETWORK).mkdir()
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        Engine(params, evaluator=network_in(folder, Path(network[0]).name)).search(Board(), simulations=10)


def check_core(files: dict[str, bytes]) -> None:
    """RuntimeError unless the files contain the native core for Linux x86-64; a warning if Kaggle's CPython may be too
    old for it.
    """
    core = next((data for name, data in files.items() if name.startswith((f"{CORE}.", f"{CORE}-"))), b"")
    if not core.startswith(ELF) or core[18:20] != X86_64 or MUSL in core:
        raise RuntimeError(
            f"Kaggle runs Linux x86-64 with glibc, for which the c4mcts in {PACKAGE} has no native core: "
            "export on such a machine, for example in a notebook on Kaggle after pip install c4mcts"
        )
    found = re.search(OLDEST_PYTHON, core)
    minor = int(found[1], 16) if found else KAGGLE_MINOR
    if minor > KAGGLE_MINOR:
        warnings.warn(
            f"the native core of this c4mcts was compiled for CPython 3.{minor} and later: if Kaggle runs an older "
            "one, the agent searches in Python, a hundred times slower. Install c4mcts with CPython "
            f"3.{KAGGLE_MINOR} and export there, or in a notebook on Kaggle",
            RuntimeWarning,
            stacklevel=3,
        )


def main_text(options: Mapping[str, object], payload: bytes = b"") -> bytes:
    """The text of main.py for a submission with these options. payload: the archive that is in its text, if any."""
    text = (Path(__file__).parent / "main.py").read_text(encoding="utf-8")
    for name, value in (("OPTIONS", json.dumps(options, indent=1)), ("PAYLOAD", base64.encodebytes(payload).decode())):
        text = text.replace(f'{name} = ""', f'{name} = """\\\n{value}"""', 1)
    return text.encode()
