"""Forges files: changed content with a correct hash."""

import io
import json
import zipfile
import zlib
from types import SimpleNamespace

import numpy as np

from c4mcts import Engine, SearchParams, _files
from c4mcts.search import serialization as saving

FREE = SearchParams(proofs=False, probes=False, rollout="random")  # its trees hold counts alone, without proofs


def sealed(data):
    """The archive with its hash corrected."""
    body = data[: -_files.HASH_SIZE]
    return body + _files.HASH(body).hexdigest().encode()


def npy(array, version=(1, 0)):
    """An array as the bytes of an .npy file."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), version)
    return buffer.getvalue()


def members(data):
    """The members of an archive: content by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(contents, method=zipfile.ZIP_DEFLATED):
    """An archive with these members and a correct hash."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.comment = bytes(_files.HASH_SIZE)
        for name, content in contents.items():
            archive.writestr(name, content)
    return sealed(buffer.getvalue())


def with_members(data, **changes):
    """The archive with some members replaced by arrays or bytes."""
    contents = {f"{name}.npy": change if isinstance(change, bytes) else npy(change) for name, change in changes.items()}
    return zipped({**members(data), **contents})


def with_about(data, change):
    """The archive with its JSON changed by a function."""
    with np.load(io.BytesIO(data)) as arrays:
        return with_members(data, about=np.array(json.dumps(change(json.loads(str(arrays["about"]))))))


def repacked(data, change):
    """A saved engine whose facts, nodes and table were changed by change(parts)."""
    saved = saving.unpack(data)
    parts = SimpleNamespace(facts=dict(saved.facts), nodes=saved.nodes.copy(), table=saved.table.copy())
    change(parts)
    return saving.pack(saving.Saved(parts.facts, parts.nodes, parts.table))


def forged(params, board, change, backend, simulations=1):
    """An engine loaded from a saved one after `change`."""
    engine = Engine(params, seed=1)
    engine.search(board, simulations=simulations)
    return Engine._unpacked(repacked(engine._packed(), change), backend)


def scores(lower, upper):
    """A change that sets the bounds of all entries in the table of the solver."""

    def change(parts):
        fields = np.uint64((upper + 64) << 7 | (lower + 64))
        filled = parts.table > 0
        assert filled.any()
        parts.table[filled] = parts.table[filled] & ~np.uint64((1 << 14) - 1) | fields

    return change


def with_checksums(texts):
    """A checkpoint of these lines, without their brackets and checksums; all of them start from that of the first."""
    first = b'[%s,"%08x"]\n' % (texts[0], zlib.crc32(texts[0]))
    start = zlib.crc32(first)
    return first + b"".join(b'[%s,"%08x"]\n' % (text, zlib.crc32(text, start)) for text in texts[1:])


def results_of(data):
    """The results of a checkpoint, by number of the job."""
    return dict(json.loads(line)[:2] for line in data.splitlines()[1:])


def with_results(data, results):
    """The checkpoint with other results."""
    texts = [json.dumps(each, separators=(",", ":"))[1:-1].encode() for each in results.items()]
    return with_checksums([data.splitlines()[0].rpartition(b",")[0][1:], *texts])


def mutated_json(value, chance):
    """A JSON value with one part of it replaced."""
    parts = [0, -1, 1.5, True, None, "", "x", [], {}, [[]], 2**64, 10**400, float("nan"), float("inf"), value]
    if chance.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return chance.choice(parts)
    copy = value.copy()
    key = chance.choice(list(copy) if isinstance(copy, dict) else range(len(copy)))
    copy[key] = mutated_json(copy[key], chance)
    return copy


def mutated_bytes(data, chance):
    """Some bytes changed, and perhaps the end cut off."""
    mutant = bytearray(data[: chance.choice([None, None, chance.randrange(len(data))])])
    for _ in range(chance.randint(0, 4) if mutant else 0):
        mutant[chance.randrange(len(mutant))] = chance.randrange(256)
    return bytes(mutant)
