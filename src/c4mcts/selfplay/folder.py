"""Folders of self-play: .npy files in shards, and an index that says which of them count.

`index.json` has the sources (the arguments of each call that made games), and for each shard its number of rows and the
SHA-256 of each of its files, `<shard>-<array>.npy`; its last entry is the SHA-256 of all others. A new folder begins
with an index of nothing. Every file is written by rename, the index last: whenever a process is killed, the index is
the old or the new one, and its files are whole. Files that the index does not name are leftovers, which the next writer
removes. A folder may come from a stranger: nothing is read or written through a link.
"""

import hashlib
import io
import json
import math
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from .. import _files
from .._validation import positive
from ..board.board import Board
from ..errors import SaveError
from ..executors.store import Facts
from ..rules import Rules
from .rows import Rows, layout

KIND = "selfplay"  # the kind of work, as the index and the checkpoint name it
INDEX = "index.json"
FORMAT = 2
MAX_INDEX = 1 << 26  # bytes
MAX_ROWS = 1 << 40  # of a shard
SHARD = re.compile("[0-9]{6,12}")
UNFINISHED = re.compile(r"c4mcts-[0-9a-f]+\.part")  # a file that _files.write did not finish
ARRAY = re.compile(r"[0-9]{6,12}-[a-z_]+\.npy")

Parts = tuple[tuple[Facts, ...], tuple[Rows, ...]]  # sources and shards of a SelfPlay


def checkpoint_of(folder: Path) -> Path:
    """The file that keeps the finished games until all are finished."""
    return folder.with_name(folder.name + ".checkpoint")


def games_in(folder: Path) -> int:
    """Number of games in a folder; 0 if it is not there, or empty. SaveError if it is something else; OSError."""
    if not os.path.lexists(folder):
        return 0
    entries = list(os.scandir(folder)) if folder.is_dir() else []
    for entry in entries:
        if _is_own(entry.name) and not entry.is_file(follow_symlinks=False):
            raise _damaged(folder, f"{entry.name} is not a regular file")
    names = [entry.name for entry in entries]
    if INDEX in names or not folder.is_dir():
        return sum(source["games"] for source in _index(folder)["sources"])
    for name in names:
        if not UNFINISHED.fullmatch(name):
            raise SaveError(f"{folder} is neither an empty folder nor one with games of self-play: it has {name!r}")
    return 0


def read(folder: Path, mmap: bool) -> Parts:
    """The content of a folder. SaveError, OSError."""
    index = _index(folder)
    if not index["shards"]:
        raise _damaged(folder, "it has none yet")
    try:
        return _shards(folder, index, mmap)
    except MemoryError:
        raise SaveError(f"{folder} needs more memory than there is; see load(mmap=True)") from None
    except FileNotFoundError as error:
        raise _damaged(folder, f"{Path(error.filename).name} is missing") from None
    except (ValueError, OverflowError) as error:
        raise _damaged(folder, str(error)) from None


def read_parquet(path: Path) -> Parts:
    """The content of a file of `SelfPlay.to_parquet`. ImportError without pyarrow, SaveError, OSError."""
    try:
        arrays, sources = _files.parquet_parts(str(path))
        rules = _rules_of(sources, path.name)
        rows = {}
        for name, (kind, shape) in layout(rules).items():
            if name not in arrays:
                raise ValueError(f"it has no column {name!r}")
            found = arrays[name]
            if found.dtype != kind or found.shape[1:] != shape:
                raise ValueError(f"{name} has the type {found.dtype} and the shape {found.shape[1:]}")
            rows[name] = found
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise SaveError(f"{path} holds no games of self-play, or is damaged: {error}") from None
    return tuple(sources), (rows,)


def write(folder: Path, sources: Sequence[Facts], shards: Sequence[Rows]) -> None:
    """Write a folder with these shards alone. SaveError if it holds anything but games, OSError."""
    _write(folder, sources, [], shards, _next_number(_begun(folder)))


def append(folder: Path, source: Facts, shard: Rows, first_game: int) -> None:
    """Add a shard, with the games from `first_game` on, to a folder of this source, or begin one. As `write`."""
    known = _begun(folder)
    if games_in(folder) != first_game:
        raise SaveError(f"{folder} has been changed by another program: it had {first_game} games")
    _write(folder, [source], known, [shard], _next_number(known))


def _begun(folder: Path) -> list[Facts]:
    """The shards in the index of a folder; a new folder gets an index."""
    games_in(folder)  # SaveError for a folder of something else
    folder.mkdir(exist_ok=True)
    if not (folder / INDEX).exists():
        _write_index(folder, [], [])
    shards: list[Facts] = _index(folder)["shards"]
    return shards


def _next_number(shards: Sequence[Facts]) -> int:
    return 1 + max((int(shard["name"]) for shard in shards), default=-1)


def _write(folder: Path, sources: Sequence[Facts], kept: list[Facts], shards: Sequence[Rows], number: int) -> None:
    """Write shards with numbers from `number`, and the index of these and of the kept ones."""
    new: list[Facts] = []
    try:
        for name, shard in ((f"{number + i:06d}", shard) for i, shard in enumerate(shards)):
            new.append({"name": name, "rows": len(shard["ply"]), "files": {}})
            for array, values in shard.items():
                data = _npy(values)
                new[-1]["files"][array] = hashlib.sha256(data).hexdigest()
                _put(folder, _file_name(name, array), data)
        _write_index(folder, sources, kept + new)
    except BaseException:
        with suppress(OSError, SaveError):
            _sweep(folder)
        raise
    _sweep(folder)


def _write_index(folder: Path, sources: Sequence[Facts], shards: Sequence[Facts]) -> None:
    index = {"experiment": KIND, "format": FORMAT, "sources": list(sources), "shards": list(shards)}
    _put(folder, INDEX, json.dumps({**index, "sha256": _hash(index)}, indent=1).encode())


def _put(folder: Path, name: str, data: bytes) -> None:
    """Write a file of a folder. SaveError if a link or a device is in its place, OSError."""
    try:
        _files.write(str(folder / name), data, follow_links=False)
    except ValueError as error:
        raise _damaged(folder, str(error)) from None


def _sweep(folder: Path) -> None:
    """Remove what the index does not name. Files that other programs have open stay, on Windows."""
    named = {_file_name(shard["name"], array) for shard in _index(folder)["shards"] for array in shard["files"]}
    for name in os.listdir(folder):
        if _is_own(name) and name != INDEX and name not in named:
            with suppress(OSError):
                os.remove(folder / name)


def _is_own(name: str) -> bool:
    """Whether a folder may have such a file; all others were put there by somebody else."""
    return name == INDEX or bool(UNFINISHED.fullmatch(name) or ARRAY.fullmatch(name))


def _file_name(shard: str, array: str) -> str:
    return f"{shard}-{array}.npy"


def _npy(values: npt.NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    little = np.asarray(values, values.dtype.newbyteorder("<"), order="C")
    np.lib.format.write_array(buffer, little, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _hash(index: Facts) -> str:
    return hashlib.sha256(json.dumps(index, sort_keys=True).encode()).hexdigest()


def _damaged(folder: Path, what: str) -> SaveError:
    return SaveError(f"{folder} holds no games of self-play, or is damaged: {what}")


# reading


def _index(folder: Path) -> Facts:
    """The index of a folder, checked as far as it can be without the shards. SaveError, OSError."""
    if not folder.is_dir():
        os.stat(folder)  # FileNotFoundError
        raise _damaged(folder, "it is not a folder")
    try:
        with _opened(folder / INDEX) as file:
            if os.fstat(file.fileno()).st_size > MAX_INDEX:
                raise ValueError(f"{INDEX} is too long")
            return _checked(json.loads(file.read()))
    except FileNotFoundError:
        raise _damaged(folder, f"there is no {INDEX}") from None
    except (KeyError, TypeError, AttributeError, RecursionError, UnicodeError, json.JSONDecodeError, OverflowError):
        raise _damaged(folder, f"{INDEX} is not an index") from None
    except ValueError as error:
        raise _damaged(folder, str(error)) from None


def _checked(index: Facts) -> Facts:
    """The index without its hash. ValueError, KeyError, TypeError."""
    expected = index.pop("sha256")
    if _hash(index) != expected:
        raise ValueError(f"{INDEX} has been changed")
    if index["experiment"] != KIND or index["format"] != FORMAT or bool(index["sources"]) != bool(index["shards"]):
        raise ValueError(f"{INDEX} is of another kind")
    arrays = layout(_rules_of(index["sources"], INDEX)).keys() if index["sources"] else ()
    for shard in index["shards"]:
        if not SHARD.fullmatch(shard["name"]) or shard["files"].keys() != arrays:
            raise ValueError(f"{INDEX} has a shard of other files")
        positive("rows", shard["rows"], MAX_ROWS)
    return index


def _rules_of(sources: Sequence[Facts], name: str) -> Rules:
    """The rules of all sources, each of which is checked. ValueError that names the file, KeyError, TypeError."""
    rules = {Board.from_fen(source["board"]).rules for source in sources}
    if len(rules) != 1:
        raise ValueError(f"{name} has games of different rules")
    for source in sources:
        if source["experiment"] != KIND or type(source["seed"]) is not int or source["seed"] < 0:
            raise ValueError(f"{name} has a source without a seed")
        positive("games", source["games"])
    return rules.pop()


def _shards(folder: Path, index: Facts, mmap: bool) -> Parts:
    """What the index names. ValueError for wrong content, OSError."""
    rules = Board.from_fen(index["sources"][0]["board"]).rules
    shards = []
    for shard in index["shards"]:
        rows = {}
        for array, (kind, shape) in layout(rules).items():
            with _opened(folder / _file_name(shard["name"], array)) as file:
                rows[array] = _array(file, kind, (shard["rows"], *shape), shard["files"][array], mmap)
        shards.append(rows)
    if not mmap:
        shards = [{name: np.concatenate([shard.pop(name) for shard in shards]) for name in layout(rules)}]
    return tuple(index["sources"]), tuple(shards)


def _array(file: BinaryIO, kind: np.dtype[Any], shape: tuple[int, ...], digest: str, mmap: bool) -> npt.NDArray[Any]:
    """The array of an .npy file of this type, shape and SHA-256. ValueError."""
    name = os.path.basename(file.name)
    try:
        found = _files.header(file)
    except OSError:
        raise
    except Exception:  # NumPy raises many types
        raise ValueError(f"{name} is not a .npy file") from None
    if found != (kind, shape):
        raise ValueError(f"{name} has the type {found[0]} and the shape {found[1]}, not {kind} and {shape}")
    start, size = file.tell(), kind.itemsize * math.prod(shape)
    if os.fstat(file.fileno()).st_size != start + size:
        raise ValueError(f"{name} has another size than its header says")
    if mmap:
        return np.memmap(file, kind, "r", start, shape)
    file.seek(0)
    hashed = hashlib.sha256(file.read(start))
    values = np.empty(shape, kind)
    done = file.readinto(values.reshape(-1).view(np.uint8).data)  # type: ignore[attr-defined]
    hashed.update(values.data)
    if done != size or hashed.hexdigest() != digest:
        raise ValueError(f"{name} has been changed")
    return values.astype(kind.newbyteorder("="), copy=False)


def _opened(path: Path) -> BinaryIO:
    """Open a regular file; links are refused, and devices, whose reading may never end. ValueError, OSError."""
    return open(path, "rb", opener=_files.regular)
