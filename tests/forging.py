"""Forges saved engines: another content under a right hash."""

from types import SimpleNamespace

import numpy as np

from c4mcts import Engine, SearchParams
from c4mcts.search import serialization as saving
from c4mcts.search.tree import JUDGED_NODE, NODE

FREE = SearchParams(proofs=False, probes=False, rollout="random")  # nothing but counts, with shared children


def rewritten(engine, change):
    """An engine as it is saved, after a change of its facts, nodes and table."""
    saved = saving.unpack(engine._packed())
    kind = NODE if engine.params.selection != "puct" else JUDGED_NODE
    parts = SimpleNamespace(
        facts=dict(saved.facts),
        nodes=np.frombuffer(saved.nodes, dtype=kind).copy(),
        table=np.frombuffer(saved.table, dtype="<u8").copy(),
    )
    change(parts)
    return saving.pack(saving.Saved(parts.facts, parts.nodes.tobytes(), parts.table.tobytes()))


def forged(params, board, change, backend, simulations=1):
    """An engine loaded from what became of a saved one."""
    engine = Engine(params, seed=1)
    engine.search(board, simulations=simulations)
    return Engine._unpacked(rewritten(engine, change), backend)


def scores(lower, upper):
    """Give these to all entries of the solver's table."""

    def change(parts):
        fields = np.uint64((upper + 64) << 7 | (lower + 64))
        filled = parts.table > 0
        assert filled.any()
        parts.table[filled] = parts.table[filled] & ~np.uint64((1 << 14) - 1) | fields

    return change
