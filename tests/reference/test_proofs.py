"""Proofs in all nodes of search trees, compared with exact scores."""

import random
from functools import cache

import pytest
from data import records
from random_boards import random_board

from c4mcts import Board, Engine, Rules, SearchParams, solve
from c4mcts._layout import DISTANCE_BITS, DISTANCE_MASK, DRAW, LOSS, LOST, LOWERS, UPPERS, WIN, WON
from c4mcts._pure.pool import Node
from c4mcts._pure.proofs import update_bounds
from c4mcts.solver.verdict import plies_of

VALUES = {"win": 1, "draw": 0, "loss": -1}
STRONG = SearchParams.preset("strong")
KINDS = {
    "proofs": SearchParams.preset("uct", proofs=True),
    "shared": SearchParams.preset("uct", proofs=True, transpositions=True, rollout="decisive", tie_break="random"),
    "strong": STRONG,
}


@cache
def exact(fen):
    """Score of a position for the player who moved last, and plies to the end."""
    board = Board.from_fen(fen)
    outcome = board.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1, 0
    score = solve(board, columns=False).score
    return -score, plies_of(score, board.rules.cells - board.ply)


def check_claims(tree, board, node=0):
    """Check all proofs below a node; return their number."""
    claims = 0
    first = int(tree["children"][node])
    for child in range(first, first + int(tree["size"][node])):
        after = board.copy()
        after.push(int(tree["column"][child]))
        proof = int(tree["proof"][child])
        if proof:
            claims += 1
            score, plies = exact(after.to_fen())
            outcome = WIN if score > 0 else DRAW if score == 0 else LOSS
            lower, upper = LOWERS[proof >> DISTANCE_BITS], UPPERS[proof >> DISTANCE_BITS]
            assert lower <= outcome <= upper, after
            if lower == upper != DRAW:
                assert plies <= proof & DISTANCE_MASK, after
                assert (plies - proof) % 2 == 0
            else:
                assert proof & DISTANCE_MASK == 0, "only wins and losses have a distance"
        if tree["size"][child]:
            claims += check_claims(tree, after, child)
    return claims


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("rules", "empty"),
    [
        (Rules(), 16),
        (Rules(7, 6, 4, diagonals=False), 14),
        (Rules(5, 4, 3), 16),
        (Rules(6, 5, 4), 18),
        (Rules(5, 5, 4), 20),
        (Rules(8, 7, 5), 12),
        (Rules(4, 4, 9), 8),
        (Rules(9, 7, 4), 7),
        (Rules(11, 6, 4), 7),
    ],
    ids=str,
)
def test_no_claim_is_wrong(kind, rules, empty):
    chance = random.Random(empty)
    claims = 0
    for _ in range(4):
        board = random_board(rules, rules.cells - empty, chance)
        engine = Engine(KINDS[kind], seed=chance.randrange(100))
        engine.search(board, simulations=150)
        claims += check_claims(engine.tree(), board)
    assert claims > 5


def test_the_winner_takes_the_soonest_win_and_the_loser_the_latest_loss():
    """Several moves can be proven before the position they start from is, by other threads."""
    for moves, position in [((WON + 6, WON + 2, WON + 4), LOST + 3), ((LOST + 3, LOST + 7, LOST + 5), WON + 8)]:
        nodes = [Node(column) for column in range(4)]
        nodes[0].children, nodes[0].size = 1, 3
        for node, proof in enumerate(moves, 1):
            nodes[node].proof = proof
        assert update_bounds(nodes, 0)
        assert nodes[0].proof == position


def test_a_probe_asks_only_for_more_than_a_sure_draw():
    result = Engine(STRONG, seed=1).search(Board.from_pons("32", Rules(4, 4)), simulations=300)
    assert result.proof == "draw"
    assert [(move.lower, move.upper) for move in result.moves].count((-6, 0)) == 1  # a draw or a loss
    assert [(move.lower, move.upper) for move in result.moves].count((0, 0)) == 3


def test_what_is_left_of_the_limits_goes_into_the_exact_score():
    """Wins are as fast, losses as slow as possible."""
    chance = random.Random(8)
    wins = losses = 0
    while min(wins, losses) < 3:
        board = random_board(Rules(), 22, chance)
        result = Engine(seed=1).search(board, simulations=10_000)
        solution = solve(board)
        assert VALUES[result.proof] == (solution.score > 0) - (solution.score < 0)
        assert result.distance == solution.distance
        assert result.column in solution.best
        wins += result.proof == "win"
        losses += result.proof == "loss"


@pytest.mark.native  # the pure search takes too long
def test_traps_are_seen_through():
    """Positions in which a single move keeps the value."""
    for row in records("traps")[::4]:
        board = Board.from_pons(row["moves"])
        result = Engine(seed=1).search(board, simulations=100_000)
        assert result.column == int(row["only_move"]) - 1, row
        assert result.proof in (row["value"], None), row
