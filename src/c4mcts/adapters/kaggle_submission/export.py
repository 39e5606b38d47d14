"""Makes the file that is submitted to Kaggle: an archive with main.py and this package, or one Python file."""

import base64
import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ... import __version__, _files
from ..._validation import flag
from ...board.board import Board
from ...search.engine import Engine
from ...search.params import SearchParams, UctParams, search_params
from .turn import NETWORK, network_in

PACKAGE = Path(__file__).parents[2]
# folders and modules that no agent needs
LEFT_OUT = {"cli", "games", "protocol", "selfplay", "study", "view.py", "web"}
SOURCES = {".pyx", ".pxd", ".h", ".c", ".pyc"}  # files that no agent needs
CORE = "c4mcts/_native/search.abi3.so"  # one module of the native core; the others were built together with it
ELF, X86_64 = b"\x7fELF\2", b"\x3e\0"  # the first bytes of a 64-bit file, and bytes 18 and 19, its machine
MUSL = b"libc.musl"  # in files for a C library other than Kaggle's
LINE = 120  # characters of the payload


def export(
    path: _files.StrPath,
    params: SearchParams | None = None,
    *,
    single_file: bool = False,
    network: Sequence[_files.StrPath] = (),
) -> int:
    """Write a submission, and return its size in bytes.

    path: of a .tar.gz archive with main.py, the package with its compiled core, and its data; with single_file=True, of
    one Python file with the same content. params: of the search; by default the preset "perfect", or with a network
    "alphazero" without noise. network: files that go into the submission. The first one is a Python module that defines
    the evaluator of the search on 7 x 6, `evaluator(planes, legal)` (see Engine), with NumPy; the others are files that
    it reads from its own folder. Boards of other sizes are searched without it.

    Raises RuntimeError if the installed core is not for Linux x86-64, on which Kaggle runs; ValueError for another path
    or other parameters; TypeError; OSError; and what the module of a network raises, which is tried here.
    """
    where = _files.path_of("path", path)
    single_file = flag("single_file", single_file)
    wanted = ".py" if single_file else ".tar.gz"
    if not where.endswith(wanted):
        raise ValueError(f"path must end in {wanted}, not {where!r}")
    chosen, files = options(params, network), {**package_files(), **network_files(network)}
    check_core(files)
    if network:
        try_network(network, params)
    data = main_text(chosen, payload(files)) if single_file else archive({"main.py": main_text(chosen), **files})
    _files.write(where, data)
    return len(data)


def options(params: SearchParams | None = None, network: Sequence[_files.StrPath] = ()) -> str:
    """The options of the agent as JSON: the parameters of its search, and for the fallback those of its core."""
    chosen = params_of(params, network)
    if search_params(chosen).needs_evaluator != bool(network):
        wanted = "does not take a network" if network else "needs an evaluator: give a network"
        raise ValueError(f"params: the search {wanted}")
    plain = chosen if isinstance(chosen, UctParams) else SearchParams.preset("perfect")  # the fallback has no NumPy
    about = {"params": chosen.to_dict(), "settings": plain.settings()._asdict()}
    module = Path(network[0]).name if network else None
    return json.dumps({"version": __version__, "network": module, **about}, indent=1)


def params_of(params: SearchParams | None, network: Sequence[_files.StrPath]) -> SearchParams:
    if params is not None:
        return params
    return SearchParams.preset("alphazero", root_noise=None) if network else SearchParams.preset("perfect")


def package_files() -> dict[str, bytes]:
    """The files of the installed package that an agent needs, including data."""
    found = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.is_file() and inside.parts[0] not in LEFT_OUT and path.suffix not in SOURCES:
            found[(Path("c4mcts") / inside).as_posix()] = path.read_bytes()
    return found


def network_files(network: Sequence[_files.StrPath]) -> dict[str, bytes]:
    """The files of a network by their names in a submission. ValueError, OSError."""
    paths = [Path(_files.path_of("network", path)) for path in network]
    if paths and paths[0].suffix != ".py":
        raise ValueError(f"network must begin with a Python module, not {str(paths[0])!r}")
    found = {f"{NETWORK}/{path.name}": path.read_bytes() for path in paths}
    if len(found) < len(paths):
        raise ValueError("network must have files of different names")
    return found


def try_network(network: Sequence[_files.StrPath], params: SearchParams | None) -> None:
    """Search with the network, which has only its own files."""
    with TemporaryDirectory() as folder:
        for name, data in network_files(network).items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        evaluator = network_in(folder, Path(network[0]).name)
        Engine(params_of(params, network), evaluator=evaluator).search(Board(), simulations=10)


def check_core(files: dict[str, bytes]) -> None:
    """RuntimeError unless the files contain the native core for Linux x86-64 and any CPython from 3.11 on."""
    core = files.get(CORE)
    if core is None:
        problem = "has no native core, or one for a single version of Python"
    elif not core.startswith(ELF) or core[18:20] != X86_64:
        problem = "has a native core for another platform"
    elif MUSL in core:
        problem = "has a native core for musl instead of glibc"
    else:
        return
    raise RuntimeError(
        f"Kaggle runs Linux x86-64, but the c4mcts in {PACKAGE} {problem}: "
        "export on such a machine, for example in a notebook on Kaggle after pip install c4mcts"
    )


def archive(files: dict[str, bytes]) -> bytes:
    """A .tar.gz archive of the files; the same bytes for the same files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, data in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            tar.addfile(about, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), mtime=0)


def payload(files: dict[str, bytes]) -> str:
    """A zip archive of the files in base 85, in lines; the same for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, data in files.items():
            packed.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, compresslevel=9)
    text = base64.b85encode(buffer.getvalue()).decode()
    return "\n".join(text[start : start + LINE] for start in range(0, len(text), LINE))


def main_text(options: str, payload: str = "") -> bytes:
    text = (Path(__file__).parent / "main.py").read_text(encoding="utf-8")
    for name, value in (("OPTIONS", options), ("PAYLOAD", payload)):
        before, empty, after = text.partition(f'{name} = ""')
        assert empty
        text = f'{before}{name} = """\\\n{value}"""{after}'
    return text.encode()
