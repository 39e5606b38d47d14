"""Folders of self-play: one file of games, and the finished games of a call of `generate` that has not ended.

`games.npz` has the arrays of SelfPlay, not compressed, and the sources: the arguments of the calls that made the games.
It is always replaced as a whole, so that a process may be killed at any moment.
"""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import numpy.typing as npt

from .. import _archives, _files
from .._validation import positive
from ..board.board import Board
from ..errors import SaveError
from ..executors.store import Identity
from ..rules import Rules
from .rows import Rows, layout

KIND = "selfplay"  # the kind of work, as sources and stores name it
GAMES = "games.npz"
UNFINISHED = "unfinished.sqlite"  # the Store of a call of `generate`
MAX_SOURCES = 1 << 28  # bytes, four for each character: of many calls, or with many openings
MAX_ROWS = 1 << 40
PART = re.compile(r"c4mcts-[0-9a-f]+\.part")  # a file that a killed process has not finished

Parts = tuple[tuple[Identity, ...], Rows]  # sources and arrays of a SelfPlay


def sources_in(folder: Path) -> list[Identity]:
    """The sources of the games in a folder; empty if it has none, or is not there. SaveError, OSError."""
    if not os.path.lexists(folder / GAMES):
        return []
    with _opened(folder) as archive:
        return _sources(archive)


def read(folder: Path, mmap: bool = False) -> Parts:
    """The content of a folder. SaveError, OSError."""
    if GAMES not in os.listdir(folder):
        raise SaveError(f"the folder {folder} holds no games of self-play")
    with _opened(folder) as archive:
        sources = _sources(archive)
        return tuple(sources), _rows(sources, archive.mapped if mmap else archive.array)


def begin(folder: Path) -> None:
    """Make a folder unless it is there. SaveError if it holds anything but games, OSError."""
    if not sources_in(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in os.listdir(folder):
            if not (name.startswith(UNFINISHED) or PART.fullmatch(name)):
                raise SaveError(f"the folder {folder} holds something other than games of self-play: {name!r}")


def write(folder: Path, sources: Sequence[Identity], rows: Rows) -> None:
    """Replace the games of a folder, and remove what killed processes have left. OSError."""
    with _files.replacing(str(folder / GAMES)) as file:
        _archives.pack_into(file, {"sources": list(sources)}, rows)
    for path in folder.iterdir():
        if PART.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def _opened(folder: Path) -> AbstractContextManager[_archives.Archive]:
    path = folder / GAMES
    return _archives.unpacked(str(path), f"{path} holds no games of self-play, or is damaged")


def _sources(archive: _archives.Archive) -> list[Identity]:
    sources: list[Identity] = archive.about(MAX_SOURCES)["sources"]
    _rules_of(sources)
    return sources


def _rows(sources: Sequence[Identity], array: Callable[..., npt.NDArray[Any]]) -> Rows:
    """All arrays. array: finds one by its name, type and shape. ValueError."""
    shapes = layout(_rules_of(sources))
    rows = {name: array(name, kind, (range(1, MAX_ROWS), *shape)) for name, (kind, shape) in shapes.items()}
    if len({len(each) for each in rows.values()}) != 1:
        raise ValueError("its arrays have different lengths")
    return rows


def _rules_of(sources: Sequence[Identity]) -> Rules:
    """The rules of all sources, each of which is checked. ValueError, KeyError, TypeError, AttributeError."""
    for source in sources:
        positive("games", source["games"])
        if source["experiment"] != KIND or type(source["seed"]) is not int:
            raise ValueError("it has games of something else")
    rules = {Board.from_fen(source["board"]).rules for source in sources}
    if len(rules) != 1:
        raise ValueError("it has games of different rules")
    return rules.pop()
