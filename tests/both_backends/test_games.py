"""The search of any game: on a board it must grow the same tree as an Engine, node by node."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES, boards, plain_params
from variants import variant

from c4mcts import Board, Engine, Rules, SearchParams, solve
from c4mcts._backend import load, load_games
from c4mcts.games import GameSearch, TicTacToe

PURE, GAMES = load("pure"), load_games()


def known_params():
    """What a search of any game knows, in all combinations."""
    return plain_params(False, False).map(
        lambda params: replace(
            params,
            transpositions=False,
            rollout="random",
            opponent="minimax",
            discount=1.0,
            choice="secure" if params.choice == "ucb_short_win" else params.choice,
        )
    )


def tree_of(search):
    """All nodes, as bytes, like an engine's."""
    pool = search._searcher.pool
    return PURE.pool.rows(pool, 0, pool.used)


def assert_same(search, engine):
    assert tree_of(search) == engine.tree().tobytes()
    assert search._searcher.state() == engine._tree.searcher.state()


@settings(max_examples=200, deadline=None)
@given(boards(), known_params(), st.integers(0, 2**32), st.integers(1, 400))
def test_a_board_as_a_game_grows_the_same_tree(board, params, seed, simulations):
    simulations = max(1, min(simulations, 20_000 // (board.rules.cells - board.ply + 20)))
    engine = Engine(params, seed=seed, backend="pure")
    search = GameSearch(board, params, seed=seed)
    results = engine.search(board, simulations=simulations), search.search(simulations=simulations)
    assert_same(search, engine)
    assert results[1].simulations == simulations
    assert [(move.column, move.visits) for move in results[0].moves] == [
        (move.move, move.visits) for move in results[1].moves
    ]


@settings(max_examples=40, deadline=None)
@given(boards(), known_params(), st.integers(0, 2**32), st.data())
def test_trees_that_move_along_stay_the_same(board, params, seed, data):
    engine = Engine(params, seed=seed, backend="pure")
    search = GameSearch(board, params, seed=seed)
    for _ in range(4):
        if board.is_over():
            break
        nodes = max(1, min(150, 10_000 // (board.rules.cells + 20)))
        engine.search(board, nodes=nodes)
        search.search(nodes=nodes)
        assert_same(search, engine)
        column = data.draw(st.sampled_from(board.legal_columns))
        board.push(column)
        search.advance(column)
        if data.draw(st.booleans()):  # else it finds the position by itself
            engine.advance(column)
            assert_same(search, engine)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_both_backends_agree_with_it(backend, rules):
    params = SearchParams.preset("uct", tie_break="random")
    engine = Engine(params, seed=5, backend=backend)
    search = GameSearch(Board(rules), params, seed=5)
    simulations = max(10, 30_000 // (rules.cells + 30))
    engine.search(Board(rules), simulations=simulations)
    search.search(simulations=simulations)
    assert_same(search, engine)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([Rules(4, 4, 3), Rules(5, 4, 4), Rules(3, 5, 3, diagonals=False), Rules(3, 3, 4)]),
    st.lists(st.integers(0, 4), max_size=14),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_what_it_proves_of_a_board_is_true(rules, columns, seed, roll_root):
    board = Board(rules)
    for column in columns:
        if board.is_legal(column) and column not in board.winning_columns() and board.ply + 1 < rules.cells:
            board.push(column)
    params = variant(SearchParams.preset("uct", proofs=True), roll_root=roll_root)
    result = GameSearch(board, params, seed=seed).search(simulations=400)
    solution = solve(board)
    for known, score in [(move, solution.columns[move.move]) for move in result.moves] + [(result, solution.score)]:
        if known.proof is not None:
            assert known.proof == ("win" if score > 0 else "loss" if score < 0 else "draw")
        assert (known.distance is None) == (known.proof in (None, "draw"))
    if result.distance is not None:
        assert result.distance >= solution.distance


@given(st.lists(st.integers(0, 30), unique=True), st.lists(st.integers(0, 30), unique=True))
def test_a_list_of_moves_brought_up_to_date(before, legal):
    moves = before.copy()
    GAMES.refresh(moves, legal)
    assert sorted(moves) == sorted(legal)
    kept = [move for move in before if move in legal]
    for move in kept:
        assert moves.index(move) <= before.index(move)
        if before.index(move) < len(kept):
            assert moves.index(move) == before.index(move), "a move that is still legal keeps its place"
    assert moves[len(kept) :] == [move for move in legal if move not in before], "new ones follow in their order"


@pytest.mark.parametrize(
    ("before", "legal", "after"),
    [
        ("abcde", "abcde", "abcde"),
        ("abcde", "edcba", "abcde"),
        ("abcde", "acde", "aecd"),
        ("abcde", "abcd", "abcd"),
        ("abcde", "bd", "db"),
        ("abc", "xyz", "xyz"),
        ("abcd", "bzx", "bzx"),
        ("abcd", "xcdb", "dbcx"),
        ("", "ba", "ba"),
    ],
)
def test_lists_of_moves(before, legal, after):
    moves = list(before)
    GAMES.refresh(moves, list(legal))
    assert "".join(moves) == after


class Growing:
    """As many moves as the ply and one more, for four plies; the last one says who has won."""

    def __init__(self, moves=()):
        self.moves = list(moves)

    @property
    def turn(self):
        return len(self.moves) % 2

    def copy(self):
        return type(self)(self.moves)

    @property
    def legal_moves(self):
        return [f"{len(self.moves)}{i}" for i in range(len(self.moves) + 1)]

    def push(self, move):
        self.moves.append(move)

    def is_over(self):
        return len(self.moves) == 4

    def result(self, player):
        return 0


class Announced(Growing):
    max_moves = 4


@pytest.mark.parametrize("kind", [Growing, Announced])
def test_rollouts_are_fair(kind):
    """Chi-square over the 24 games: 49.7 is the 0.1 % point of 23 degrees of freedom."""
    generator = PURE.numbers.Generator(1, 2)
    root = GAMES.Root(kind(), getattr(kind, "max_moves", None))
    counts = {}
    for _ in range(2400):
        line = []
        GAMES.rollout(root, root.game.copy(), generator, line, 0)
        counts[tuple(line)] = counts.get(tuple(line), 0) + 1
    assert len(counts) == 24
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 49.7


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_random_bits_are_used_as_on_a_board(rules):
    root = GAMES.Root(Board(rules), rules.width)
    assert root.choices_per_draw == PURE.bitboard.geometry_of(rules).choices_per_draw
    assert GAMES.Root(TicTacToe(), None).choices_per_draw == 1


def test_ends_of_games_are_marked_for_the_player_who_moved():
    from c4mcts._layout import DRAWN, LOST, WON

    class Misere(TicTacToe):
        def result(self, player):
            return -super().result(player)

    def proof_of(game, move):
        search = GameSearch(game, SearchParams.preset("uct", first_play=math.inf), seed=1)
        search.search(simulations=50)
        return next(node.proof for node in search._searcher.pool.nodes[1:] if node.column == move)

    assert proof_of(TicTacToe([0, 3, 1, 4]), 2) == WON
    assert proof_of(Misere([0, 3, 1, 4]), 2) == LOST
    assert proof_of(TicTacToe([0, 1, 2, 4, 3, 5, 7, 6]), 8) == DRAWN
