"""Makes the file that is submitted to Kaggle: an archive with main.py and this package, or one Python file."""

import base64
import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

from ... import __version__, _files
from ..._validation import flag
from ...search.params import SearchParams, search_params

PACKAGE = Path(__file__).parents[2]
# folders and modules that no agent needs
LEFT_OUT = {"cli", "evaluators.py", "games", "protocol", "selfplay", "study", "view.py", "web"}
SOURCES = {".pyx", ".pxd", ".h", ".c", ".pyc"}  # files that no agent needs
CORE = "c4mcts/_native/search.abi3.so"  # one module of the native core; the others were built together with it
ELF, X86_64 = b"\x7fELF\2", b"\x3e\0"  # the first bytes of a 64-bit file, and bytes 18 and 19, its machine
MUSL = b"libc.musl"  # in files for a C library other than Kaggle's
LINE = 120  # characters of the payload


def export(path: _files.StrPath, params: SearchParams | None = None, *, single_file: bool = False) -> int:
    """Write a submission, and return its size in bytes.

    path: of a .tar.gz archive with main.py, the package with its compiled core, and its data; with single_file=True, of
    one Python file with the same content. params: of a search without an evaluator; by default the preset "perfect".

    Raises RuntimeError if the installed core is not for Linux x86-64, on which Kaggle runs; ValueError for another path
    or other parameters; TypeError; OSError.
    """
    where = _files.path_of("path", path)
    single_file = flag("single_file", single_file)
    wanted = ".py" if single_file else ".tar.gz"
    if not where.endswith(wanted):
        raise ValueError(f"path must end in {wanted}, not {where!r}")
    chosen, files = options(params), package_files()
    check_core(files)
    data = main_text(chosen, payload(files)) if single_file else archive({"main.py": main_text(chosen), **files})
    _files.write(where, data)
    return len(data)


def options(params: SearchParams | None = None) -> str:
    """The options of the agent as JSON: the parameters of its search, and for the fallback those of its core."""
    if params is None:
        params = SearchParams.preset("perfect")
    if search_params(params).needs_evaluator:
        raise ValueError("params: the search needs an evaluator, which a submission does not have")
    chosen = {"params": params.to_dict(), "settings": params.settings()._asdict()}
    return json.dumps({"version": __version__, **chosen}, indent=1)


def package_files() -> dict[str, bytes]:
    """The files of the installed package that an agent needs, including data."""
    found = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.is_file() and inside.parts[0] not in LEFT_OUT and path.suffix not in SOURCES:
            found[(Path("c4mcts") / inside).as_posix()] = path.read_bytes()
    return found


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
