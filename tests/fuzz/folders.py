"""Damaged and forged folders of self-play. A case is the file of games in one."""

import contextlib
import io
import shutil
import tempfile
import zipfile
import zlib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from datasets import ARRAYS, SMALL, UCT
from forging import members, npy, with_members, zipped

from c4mcts import CheckpointError, SaveError, selfplay
from c4mcts.selfplay import folder

from .files import forged_archive, one_line
from .target import Target

NUMBERS = [0, 1, -1, 0.5, 1.5, 127, 128, 2**31 - 1, 2**40, 1e30, np.nan, np.inf]


def generate(out: Path, games: int) -> selfplay.SelfPlay:
    return selfplay.generate(games, UCT, start=SMALL, simulations=5, seed=7, out=out)


@cache
def games() -> bytes:
    """The file of a folder of four games."""
    with tempfile.TemporaryDirectory() as there:
        generate(Path(there, "games"), 4)
        return Path(there, "games", folder.GAMES).read_bytes()


def make(chance: Random) -> bytes:
    data = games()
    if chance.random() < 0.2:
        name = chance.choice(ARRAYS)
        data = with_members(data, **{name: changed(members(data)[f"{name}.npy"], chance)})
    else:
        data = forged_archive(data, chance)
    if chance.random() < 0.7:
        with contextlib.suppress(zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError):
            return zipped(members(data), zipfile.ZIP_STORED)  # so that they can be mapped into memory
    return data


def changed(data: bytes, chance: Random) -> bytes:
    """An array with another number."""
    array = np.lib.format.read_array(io.BytesIO(data))
    with np.errstate(all="ignore"):
        array.flat[chance.randrange(array.size)] = np.array(chance.choice(NUMBERS)).astype(array.dtype)
    return npy(array)


def check(data: bytes) -> None:
    """Refused, and left alone; or games that are whole, and can be continued."""
    out = Path("forged")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    (out / folder.GAMES).write_bytes(data)
    for mmap in (False, True):
        try:
            use(selfplay.load(out, mmap), mmap)
        except SaveError as error:
            one_line(error)
    assert (out / folder.GAMES).read_bytes() == data
    try:
        assert len(generate(out, 5)) > 0
    except (SaveError, CheckpointError) as error:
        one_line(error)
        assert (out / folder.GAMES).read_bytes() == data


def use(data: Any, mmap: bool) -> None:
    assert repr(data)
    if not mmap:
        assert len(data.planes) == len(data.training(rows=slice(None), mirror=False)[0]) == len(data)
        again = Path("again")
        shutil.rmtree(again, ignore_errors=True)
        data.save(again)
        assert np.array_equal(selfplay.load(again).policy, data.policy, equal_nan=True)


TARGETS = {"selfplay-folder": Target(make, check, 30)}
