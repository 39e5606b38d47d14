"""Numbers of move sequences, compared with enumerations by other programs."""

import pytest
from data import read

from c4mcts import Board, perft

MOST_SEQUENCES = {"native": 12_000_000, "pure": 30_000}


def sequences_by_rules():
    """{rules: {depth: sequences}} from both tables; 0 beyond a full board."""
    expected = {}
    for row in read("perft_enumeration") + read("perft_depth_first"):
        by_depth = expected.setdefault(row["rules"], {})
        by_depth[row["ply"]] = row["sequences"]
        if row["ply"] == row["rules"].cells:
            by_depth[row["ply"] + 1] = 0
    return expected


SEQUENCES = sequences_by_rules()


@pytest.mark.parametrize("rules", SEQUENCES, ids=str)
def test_perft(backend, rules):
    within = {depth: count for depth, count in SEQUENCES[rules].items() if count <= MOST_SEQUENCES[backend]}
    assert within
    assert {depth: perft(Board(rules), depth, backend=backend) for depth in within} == within
