"""Forges files: changed content with correct checksums."""

import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np

from c4mcts import Engine, UctParams
from c4mcts._layout import MAX_VALUE_SUM
from c4mcts.search import serialization as saving

NODE = UctParams.node_type

FREE = UctParams(proofs=False, probes=False, rollout="random")  # its trees hold counts alone, without proofs


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
    """An archive with these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return buffer.getvalue()


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
    facts, nodes, table = saving.read(io.BytesIO(data))
    parts = SimpleNamespace(facts=facts, nodes=nodes.copy(), table=table.copy())
    change(parts)
    return saving.pack(parts.facts, parts.nodes, parts.table)


def packed(saved):
    """The bytes of the file of an engine, a book or a network."""
    with TemporaryDirectory() as folder:
        saved.save(path := Path(folder) / "file")
        return path.read_bytes()


def unpacked(data, backend="auto", evaluator=None):
    """The engine of a saved one."""
    with TemporaryDirectory() as folder:
        (path := Path(folder) / "engine").write_bytes(data)
        return Engine.load(path, backend=backend, evaluator=evaluator)


def generator_of(engine):
    """The state of an engine's random numbers."""
    return saving.read(io.BytesIO(packed(engine)))[0]["state"]


def forged(params, board, change, backend, simulations=1):
    """An engine loaded from a saved one after `change`."""
    engine = Engine(params, seed=1)
    engine.search(board, simulations=simulations)
    return unpacked(repacked(packed(engine), change), backend)


def scores(lower, upper):
    """A change that sets the bounds of all entries in the table of the solver."""

    def change(parts):
        fields = np.uint64((upper + 64) << 7 | (lower + 64))
        filled = parts.table > 0
        assert filled.any()
        parts.table[filled] = parts.table[filled] & ~np.uint64((1 << 14) - 1) | fields

    return change


PROOFS = [kind << 13 | distance for kind in range(8) for distance in (0, 1, 2, 3, 4, 5, 20)]


def some_node(chance, nodes):
    """An index; often of one near the root."""
    return min(chance.randrange(len(nodes)), chance.choice([7, len(nodes)]))


def falsify(chance, parts):
    """Make a few random changes of a saved engine, some of them to plausible values; see `repacked`."""
    nodes, facts = parts.nodes, parts.facts
    for _ in range(chance.randint(1, 4)):
        i, j = some_node(chance, nodes), some_node(chance, nodes)
        match chance.randrange(8):
            case 0:  # a field
                field = chance.choice(NODE.names)
                largest = int(np.iinfo(NODE[field]).max)
                value = chance.choice(
                    [0, 1, 7, j, largest, largest // 2, int(nodes[field][i]) + 1, int(nodes[field][j])]
                )
                nodes[field][i] = min(value, largest)
            case 1:  # the children of another node
                nodes["children"][i], nodes["size"][i] = nodes["children"][j], nodes["size"][j]
            case 2:  # no children
                nodes["children"][i] = nodes["size"][i] = 0
            case 3:
                nodes[i], nodes[j] = nodes[j].copy(), nodes[i].copy()
            case 4:
                nodes["proof"][i] = chance.choice(PROOFS)
            case 5:  # near the largest number of visits, or some visits more
                nodes["visits"][i] += chance.choice([1, 100])
                nodes["visits"][j] = chance.choice([1, 63, 1000, MAX_VALUE_SUM // 2 - chance.randrange(99)])
                nodes["value_sum"][j] = min(int(nodes["value_sum"][j]), int(nodes["visits"][j]))
            case 6:
                lower = chance.randint(-12, 12)
                facts["bounds"] = [[chance.randrange(4), [lower, lower + chance.choice([0, 1, 9])]]]
                facts["wins"] = [chance.choice([0, 3, 8191]) for _ in facts["wins"]]
            case 7 if len(parts.table):
                for place in np.flatnonzero(parts.table)[:: chance.randint(1, 9)]:
                    parts.table[place] ^= np.uint64(1 << chance.randrange(24))


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
