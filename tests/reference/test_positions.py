"""Numbers of positions, compared with enumerations by other programs."""

from collections import Counter

import pytest
from data import read, read_by_rules

from c4mcts._backend import load

MOST_POSITIONS = 25_000
BITBOARD = load("pure").bitboard
BY_PLY = read_by_rules("perft_enumeration")
COUNTS = {row["rules"]: row["positions"] for row in read("position_counts")}


def levels(rules):
    """By ply: {(own, mask): number of move sequences} of all positions, and of those with a winning line."""
    geometry = BITBOARD.geometry_of(rules)
    here, there = BITBOARD.Position(), BITBOARD.Position()
    positions, won = Counter({(0, 0): 1}), Counter()
    while positions:
        yield positions, won
        after, lines = Counter(), Counter()
        for (own, mask), sequences in positions.items():
            if (own, mask) in won:
                continue
            BITBOARD.load(here, geometry, own, mask)
            for column in range(rules.width):
                if BITBOARD.is_open(here, geometry, column):
                    cell = BITBOARD.free_cell(here, geometry, column)
                    BITBOARD.copy(there, here, geometry)
                    BITBOARD.drop(there, geometry, cell)
                    after[there.own, there.mask] += sequences
                    if BITBOARD.completes(here, geometry, cell):
                        lines[there.own, there.mask] += sequences
        positions, won = after, lines


def mirrored(discs, rules):
    """A bitboard with left and right exchanged."""
    stride = rules.height + 1
    column = (1 << stride) - 1
    return sum((discs >> i * stride & column) << (rules.width - 1 - i) * stride for i in range(rules.width))


def summary(rules, ply, positions, won):
    """The row of perft_enumeration.csv for one ply."""
    drawn = positions.keys() - won.keys() if ply == rules.cells else ()
    symmetric = sum((mirrored(own, rules), mirrored(mask, rules)) == (own, mask) for own, mask in positions)
    return {
        "rules": rules,
        "ply": ply,
        "sequences": positions.total(),
        "distinct_positions": len(positions),
        "distinct_up_to_mirror": (len(positions) + symmetric) // 2,
        "sequences_won": won.total(),
        "positions_won": len(won),
        "sequences_drawn": sum(positions[position] for position in drawn),
        "positions_drawn_full": len(drawn),
    }


@pytest.mark.parametrize("rules", BY_PLY, ids=str)
def test_positions_by_ply(rules):
    expected = {row["ply"]: row for row in BY_PLY[rules]}
    visited = 0
    for ply, (positions, won) in enumerate(levels(rules)):
        visited += len(positions)
        if visited > MOST_POSITIONS:
            break
        if ply in expected:
            assert summary(rules, ply, positions, won) == expected[ply]


@pytest.mark.parametrize("rules", [rules for rules in COUNTS if COUNTS[rules] <= MOST_POSITIONS], ids=str)
def test_positions_of_whole_games(rules):
    assert sum(len(positions) for positions, _ in levels(rules)) == COUNTS[rules]
