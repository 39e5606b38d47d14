"""Numbers of move sequences, compared with enumerations by other programs."""

import pytest
from data import read

from c4mcts import Board, perft

MOST_SEQUENCES = {"native": 12_000_000, "pure": 30_000}


def sequences_by_rules():
    """{rules: {depth: sequences}} from both tables."""
    expected = {}
    for row in read("perft_enumeration") + read("perft_depth_first"):
        expected.setdefault(row["rules"], {})[row["ply"]] = row["sequences"]
    return expected


SEQUENCES = sequences_by_rules()


@pytest.mark.parametrize("rules", SEQUENCES, ids=str)
def test_perft(backend, rules):
    within = {depth: count for depth, count in SEQUENCES[rules].items() if count <= MOST_SEQUENCES[backend]}
    assert within
    assert {depth: perft(Board(rules), depth, backend=backend) for depth in within} == within


@pytest.mark.parametrize("rules", [rules for rules in SEQUENCES if rules.cells in SEQUENCES[rules]], ids=str)
def test_perft_beyond_a_full_board(backend, rules):
    assert perft(Board(rules), rules.cells + 1, backend=backend) == 0
