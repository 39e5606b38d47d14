"""Damaged and forged folders of self-play. A case is an archive of the files in one."""

import hashlib
import io
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from datasets import ARRAYS, SMALL, UCT
from forging import members, mutated_bytes, mutated_json, npy, zipped

from c4mcts import CheckpointError, SaveError, selfplay
from c4mcts.selfplay import folder

from .files import one_line
from .target import Target

INDEX = folder.INDEX
Files = dict[str, bytes]
NUMBERS = [0, 1, -1, 0.5, 1.5, 127, 128, 2**31 - 1, 2**40, 1e30, np.nan, np.inf]


def generate(out: Path, games: int) -> selfplay.SelfPlay:
    return selfplay.generate(games, UCT, start=SMALL, simulations=5, seed=7, out=out)


@cache
def games() -> Files:
    """A folder of two shards."""
    with tempfile.TemporaryDirectory() as there:
        out = Path(there, "games")
        generate(out, 2)
        generate(out, 4)
        return {path.name: path.read_bytes() for path in out.iterdir()}


def with_hashes(files: Files) -> Files:
    """The same files with correct hashes, as far as the index can be read."""
    try:
        index = json.loads(files[INDEX])
        index.pop("sha256", None)
        for shard in index["shards"]:
            for array in shard["files"]:
                data = files.get(f"{shard['name']}-{array}.npy", b"")
                shard["files"][array] = hashlib.sha256(data).hexdigest()
        return {**files, INDEX: json.dumps({**index, "sha256": folder._hash(index)}).encode()}
    except (ValueError, LookupError, TypeError, AttributeError):
        return files


def make(chance: Random) -> bytes:
    files = games()
    array = f"00000{chance.randrange(2)}-{chance.choice(ARRAYS)}.npy"
    kind = chance.randrange(6)
    if kind == 0:
        content = mutated_json(json.loads(files[INDEX]), chance)
        return zipped(with_hashes({**files, INDEX: json.dumps(content).encode()}))
    if kind == 1:
        return zipped(with_hashes({**files, array: mutated_bytes(files[array], chance)}))
    if kind == 2:
        return zipped(with_hashes({**files, array: files[chance.choice(list(files))]}))
    if kind == 3:
        return zipped({name: data for name, data in files.items() if name != array})
    if kind == 4:
        return zipped({**files, INDEX: mutated_bytes(files[INDEX], chance)})
    return zipped(with_hashes({**files, array: changed(files[array], chance)}))


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
    for name, content in members(data).items():
        (out / Path(name).name).write_bytes(content)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    for mmap in (False, True):
        try:
            use(selfplay.load(out, mmap), mmap)
        except SaveError as error:
            one_line(error)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    try:
        assert len(generate(out, 5)) > 0
    except (SaveError, CheckpointError) as error:
        one_line(error)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def use(data: Any, mmap: bool) -> None:
    assert repr(data)
    if not mmap:
        assert len(data.planes) == len(data.training(rows=slice(None), mirror=False)[0]) == len(data)
        again = Path("again")
        shutil.rmtree(again, ignore_errors=True)
        data.save(again)
        assert np.array_equal(selfplay.load(again).policy, data.policy, equal_nan=True)


TARGETS = {"selfplay-folder": Target(make, check, 60)}
