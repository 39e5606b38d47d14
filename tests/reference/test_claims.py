"""What searches prove of positions whose scores are known: no proof, bound, distance or line may be wrong.

`.ci/claims` tries every search on all positions, and prints how many each has proven; a test tries one on each of 200.
"""

import os
from itertools import islice

import pytest
from data import records
from evaluators import spread

from c4mcts import Board, Engine, Rules, SearchParams, search_ensemble
from c4mcts.search.network import serves

pytestmark = pytest.mark.native  # tests/parity compares the pure backend
IS_FULL = "C4MCTS_CLAIMS" in os.environ
SIMULATIONS = (1, 3, 10, 30, 100, 300, 1000, *([3000, 10_000] if IS_FULL else []))
SEARCHES = {  # parameters, threads
    "strong": (SearchParams.preset("strong"), 1),
    "strong, 4 threads": (SearchParams.preset("strong"), 4),
    "perfect": (SearchParams.preset("perfect"), 1),
    "small": (SearchParams.preset("strong", max_nodes=300, rewards=(1, 0, 0), tie_break="random"), 1),
    "uct": (SearchParams.preset("uct", proofs=True), 1),
    "uct, 4 threads": (SearchParams.preset("uct", proofs=True, rollout="decisive", transpositions=True), 4),
    "uct, no checks": (SearchParams.preset("uct", proofs=True, checks=False, discount=0.9, rewards=(1, 1, 0)), 1),
    "network": (SearchParams.preset("network"), 1),
    "network, 4 threads": (SearchParams.preset("network", probes=False), 4),
    "alphazero": (SearchParams.preset("alphazero"), 1),
    "gumbel": (SearchParams.preset("gumbel"), 1),
    "puct-node": (SearchParams.preset("puct-node"), 1),
}


def positions():
    """The board and the scores by column of each position."""
    for row in records("solved_positions"):
        sizes = (int(row[name]) for name in ("width", "height", "connect"))
        board = Board.from_pons(row["moves"], Rules(*sizes, diagonals=row["diagonals"] == "1"))
        scores = row["scores"].split(" ")
        yield board, {column: int(score) for column, score in enumerate(scores) if score != "-"}


def sign(score):
    return (score > 0) - (score < 0)


def plies_of(board, score):
    """The plies to the end of a game with this score for the player to move."""
    if score == 0:
        return board.rules.cells - board.ply
    plies = board.rules.cells + 2 - 2 * abs(score) - board.ply
    return plies - (plies - (score > 0)) % 2  # the winner makes the last move


def require_truth(result, scores):
    """AssertionError if a result says something that contradicts the scores of the columns."""
    board = result.board
    best = max(scores[move.column] for move in result.moves)
    for claim, score in [(result, best), *((move, scores[move.column]) for move in result.moves)]:
        end = board.after(*claim.pv)
        if claim.proof is None:
            assert claim.distance is claim.bound is None
            continue
        assert {"win": 1, "draw": 0, "loss": -1}[claim.proof] == sign(score)
        assert claim.distance >= plies_of(board, score)
        assert claim.bound == "at most" or claim.distance == plies_of(board, score)
        assert len(claim.pv) <= claim.distance
        assert len(claim.pv) < claim.distance or (end.is_over() and end.result(board.turn) == sign(score))
    assert all(move.lower <= scores[move.column] <= move.upper for move in result.moves)
    if result.proof is not None:
        assert sign(scores[result.column]) == sign(best)
        assert result.bound == "at most" or scores[result.column] == best


def try_search(kind, board, scores):
    """Search a position in all ways; returns whether its outcome is proven by one tree."""
    params, threads = SEARCHES[kind]
    evaluator = spread if params.needs_evaluator else None

    def engine(seed):
        return Engine(params, seed=seed, threads=threads, evaluator=evaluator)

    one = engine(1)
    for simulations in SIMULATIONS:  # on one tree, cut in all phases
        result = one.search(board, simulations=simulations)
        require_truth(result, scores)
    is_proven = result.proof is not None
    some = [move.column for move in result.moves][board.ply % 2 :: 2]
    for simulations in SIMULATIONS[2::2]:
        require_truth(engine(2).search(board, simulations=simulations, root_moves=some), scores)
    game = engine(3)  # keeps its tree along the game
    for ply in (4, 2, 0):
        result = game.search(Board.from_moves(board.moves[: board.ply - ply], board.rules), simulations=SIMULATIONS[-2])
    require_truth(result, scores)
    game.advance(result.column)
    after = board.after(result.column)
    if not after.is_over():
        best = -scores[result.column]
        result = game.search(after, simulations=SIMULATIONS[-2])
        assert max(move.lower for move in result.moves) <= best <= max(move.upper for move in result.moves)
        assert result.bound != "exact" or result.distance == plies_of(after, best)
    if threads == 1 and not params.needs_evaluator:
        require_truth(search_ensemble(board, params, trees=2, simulations=SIMULATIONS[-3], seed=1), scores)
    return is_proven


@pytest.mark.parametrize("kind", SEARCHES)
def test_what_a_search_proves_is_true(kind, capsys):
    step, first = (1, 0) if IS_FULL else (len(SEARCHES), list(SEARCHES).index(kind))
    chosen = list(islice(positions(), first, None if IS_FULL else 200, step))
    chosen = [(board, scores) for board, scores in chosen if "network" not in kind or serves(board.rules)]
    proven = sum(try_search(kind, board, scores) for board, scores in chosen)
    assert proven > 0.1 * len(chosen)
    if IS_FULL:
        with capsys.disabled():
            print(f"\n{kind}: {proven} of {len(chosen)} proven with {SIMULATIONS[-1]} simulations")


def test_a_line_is_not_longer_than_the_proof_of_its_move():
    """The solver proves the column lost within 4 plies, and what the tree has below it is no such line."""
    engine = Engine(preset="network", seed=1)
    board = Board.from_fen("7/2o4/2x4/2xo1o1/2xooxx/x1oxxoo x 7x6x4")
    move = engine.search(board, simulations=1444).move(3)
    assert (move.proof, move.distance) == ("loss", 4)
    assert len(move.pv) < 4
