"""RootMoves: what is certain of the moves of a position, which one is played, and their weights in the policy."""

import itertools
import math
import random

import pytest

from c4mcts import Board, Engine, MoveStats, Rules, UctParams, build_book, solve
from c4mcts._backend import load
from c4mcts._layout import DRAWN, LOST, NOT_LOST, NOT_WON, UNKNOWN, WON
from c4mcts.search.root_moves import NOTHING, Proven, RootMoves, best_first

SMALL = Rules(5, 4, 4)
BEST_FIRST = [
    [Proven("win", 1, "exact")],
    [Proven("win", 3, "at most")],
    [NOTHING, Proven("draw", 42, "exact")],
    [Proven("loss", 4, "at most")],
    [Proven("loss", 2, "exact")],
]


@pytest.fixture
def moves_of(backend):
    return lambda text="": RootMoves(load(backend), Board.from_pons(text))


def found(column, visits, value=None, weight=None):
    return MoveStats(column, visits, value, None, *NOTHING, (column,), None, weight)


def test_a_position_gives_bounds_without_a_search(moves_of):
    winning = moves_of("112233")
    assert winning.bounds()[3] == (18, 18)
    assert winning.proof() == winning.proof_of(winning.rows()[3]) == ("win", 1, "exact")
    assert winning.proof_of(winning.rows()[0]) == NOTHING
    assert moves_of("1122336").proof() == NOTHING


def unfinished_board(chance, ply, rules=SMALL):
    """A random position with this number of discs."""
    while True:
        board = Board(rules)
        while not board.is_over() and board.ply < ply:
            board.push(chance.choice(board.legal_columns))
        if not board.is_over():
            return board


def test_bounds_of_a_position_hold_and_are_tight(backend):
    """No column scores beyond them, and one that does not win at once may still reach the upper one."""
    chance = random.Random(2)
    reached = {"lower": 0, "upper": 0}
    for _ in range(150):
        board = unfinished_board(chance, chance.randrange(8, 20))
        columns, wins = solve(board).columns, board.winning_columns()
        for column, (lower, upper) in RootMoves(load(backend), board).bounds().items():
            assert lower <= columns[column] <= upper
            assert lower < upper or column in wins or board.ply == 19, "a win, or the last disc"
            assert lower == upper or column not in wins
            if column not in wins and lower < upper:
                reached["lower"] += columns[column] == lower
                reached["upper"] += columns[column] == upper
    assert min(reached.values()) > 0


@pytest.mark.parametrize("checks", [True, False])
def test_a_book_narrows_the_bounds(checks):
    """To exact scores before its last ply; from above at that ply, where only the position is in it; later no more."""
    book, chance, backend = build_book(SMALL, 6), random.Random(3), load("pure")
    for ply in (0, 3, book.last_ply - 1, book.last_ply, book.last_ply + 1):
        for _ in range(8):
            board = unfinished_board(chance, ply)
            solution = solve(board)
            bounds = RootMoves(backend, board, checks=checks, book=book).bounds()
            plain = RootMoves(backend, board, checks=checks).bounds()
            for column, (lower, upper) in bounds.items():
                assert lower <= solution.columns[column] <= upper
                assert ply >= book.last_ply or lower == upper or solution.columns[column] == plain[column][1]
            if ply <= book.last_ply:
                assert max(upper for _, upper in bounds.values()) == solution.score
            else:
                assert bounds == plain


@pytest.mark.parametrize(("text", "column"), [("112233", 3), ("1122336", 3)])
def test_an_immediate_win_or_answer_is_played_whatever_a_search_says(moves_of, text, column):
    moves = moves_of(text)
    for other in range(7):
        moves.set_statistics(found(other, 0 if other == column else 100, None if other == column else 1.0))
    assert moves.choose(UctParams().settings(), 0) == column


def test_bounds_are_narrowed(moves_of):
    moves = moves_of()
    moves.narrow(3, (0, 5))
    moves.narrow(3, (-2, 1))
    assert moves.bounds()[3] == (0, 1)
    assert moves.bounds()[2] == moves_of().bounds()[2]
    assert moves.contradicts(3, (2, 4))
    assert not moves.contradicts(3, (1, 4))
    moves.narrow(3, (2, 4))
    assert moves.bounds()[3] == (2, 4)


def test_proofs_from_elsewhere_narrow_a_column(moves_of):
    for proven in (
        Proven("win", 7, "at most"),
        Proven("win", 7, "exact"),
        Proven("draw", 42, "exact"),
        Proven("loss", 8, "at most"),
        Proven("loss", 8, "exact"),
    ):
        moves = moves_of()
        moves.narrow_by_proof(2, proven)
        assert moves.proof_of(moves.rows()[2]) == proven
    moves = moves_of()
    moves.narrow_by_proof(2, NOTHING)
    assert moves.bounds() == moves_of().bounds()


def test_the_position_is_exact_if_its_best_column_is(backend):
    def losses(*bounds):
        moves = RootMoves(load(backend), Board())
        for column, bound in enumerate(bounds):
            moves.narrow_by_proof(column, Proven("loss", 4 + 2 * column, bound))
        return moves.proof()

    assert losses(*["exact"] * 7) == ("loss", 16, "exact")
    assert losses(*["at most"] * 6, "exact") == ("loss", 16, "exact")
    assert losses(*["exact"] * 6, "at most") == ("loss", 16, "at most")
    moves = RootMoves(load(backend), Board())
    moves.narrow_by_proof(2, Proven("win", 9, "exact"))
    assert moves.proof() == ("win", 9, "at most"), "another column may win sooner"


def test_the_best_move_is_shown_first(moves_of):
    """The chosen one, then by what is proven, exact distances before the others, then by visits."""
    moves = moves_of()
    for column, proven in {
        0: Proven("loss", 8, "at most"),
        1: Proven("loss", 8, "exact"),
        2: Proven("win", 9, "at most"),
        3: Proven("loss", 10, "exact"),
        4: Proven("win", 7, "exact"),
    }.items():
        moves.narrow_by_proof(column, proven)
    moves.set_statistics(found(6, 5, 0.5))
    assert [row.column for row in best_first(moves.rows())] == [4, 2, 6, 5, 3, 1, 0]
    assert [row.column for row in best_first(moves.rows(), 5)] == [5, 4, 2, 6, 3, 1, 0]


def test_moves_rank_by_what_is_proven(moves_of):
    for better, worse in itertools.combinations(BEST_FIRST, 2):
        for one, other in itertools.product(better, worse):
            moves = moves_of()
            moves.narrow_by_proof(2, one)
            moves.narrow_by_proof(4, other)
            rows = moves.rows()
            assert rows[2].rank > rows[4].rank


def test_nodes_are_ranked_by_proofs_then_by_visits():
    rank = load("pure").proofs.rank
    best_first = [(WON + 1, 0), (WON + 3, 9), (UNKNOWN, 9), (DRAWN, 8), (NOT_WON, 7), (NOT_LOST, 6), (LOST + 4, 0)]
    best_first.append((LOST + 2, 9))
    for order in (best_first, best_first[::-1]):
        assert sorted(order, key=lambda node: rank(*node), reverse=True) == best_first
    assert rank(WON + 3, 1) == rank(WON + 3, 2)


@pytest.mark.parametrize(
    ("temperature", "weights"),
    [
        (0, [0, 1, 0, 1]),
        (1e-300, [0, 1, 0, 1]),
        (0.5, [0.0625, 1, 0, 1]),
        (1, [0.25, 1, 0, 1]),
        (2, [0.5, 1, 0, 1]),
        (math.inf, [1, 1, 1, 1]),
    ],
)
def test_weights_are_powers_of_the_visits(moves_of, temperature, weights):
    moves = moves_of()
    for column in range(4, 7):
        moves.narrow_by_proof(column, Proven("loss", 4, "at most"))
    assert moves.weigh(False, 0, temperature) == [1, 1, 1, 1, 0, 0, 0]
    for column, visits in enumerate([1, 4, 0, 4, 9, 9, 9]):
        moves.set_statistics(found(column, visits, 0.5))
    assert moves.weigh(False, 1, temperature) == pytest.approx([*weights, 0, 0, 0])


def test_a_finished_game_has_no_moves(moves_of):
    moves = moves_of("1122334")
    assert moves.bounds() == {}
    with pytest.raises(ValueError, match="there are no moves: the game is over"):
        moves.choose(UctParams().settings(), 0)


def test_reading_a_tree_again_changes_nothing(backend):
    engine = Engine(seed=1, backend=backend)
    engine.search(Board.from_pons("45461667"), simulations=10)
    rows = engine._tree.reader().moves().rows()
    engine._tree.reader().result(0, simulations=0, nodes=0, seconds=0.0)
    assert engine._tree.reader().moves().rows() == rows


@pytest.mark.parametrize("moves", ["744475", "353174531455", "34455344713"], ids=str)
def test_a_lost_game_is_made_as_long_as_possible(moves):
    """The distance of a lost column is an upper bound: of equals the one known to last so long is played."""
    board = Board.from_pons(moves)
    solution = solve(board)
    result = Engine(seed=1).search(board, simulations=3_000_000)
    assert (result.proof, result.distance) == ("loss", solution.distance)
    assert result.column in solution.best
    assert len(solution.best) < len(board.legal_columns)
