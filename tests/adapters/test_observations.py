"""Arrays of PettingZoo, pgx and mctx, as docs/guide/adapters.md draws them."""

import numpy as np
import pytest
from foreign import foreign
from random_boards import random_game
from refusals import refused

from c4mcts import Board, NotationError, Rules
from c4mcts.adapters import pgx
from c4mcts.adapters.pgx import board_of, legal_mask, observation_of

BOARD = Board.from_moves([0, 0, 3])  # x at the bottom of columns 0 and 3, o above the first; o is to move
O_IS_TO_MOVE = np.array(
    [
        [[0, 0, 0, 0, 0, 0, 0]] * 4 + [[1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]],  # o
        [[0, 0, 0, 0, 0, 0, 0]] * 4 + [[0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0]],  # x
    ]
).transpose(1, 2, 0)


def test_golden_observation():
    assert np.array_equal(observation_of(BOARD, 1), O_IS_TO_MOVE)
    assert np.array_equal(observation_of(BOARD, 0), O_IS_TO_MOVE[..., ::-1])
    assert observation_of(BOARD, 1).dtype == np.bool_
    assert board_of(O_IS_TO_MOVE) == BOARD


@pytest.mark.parametrize("rules", [Rules(), Rules(5, 4, 3), Rules(20, 14, 5)], ids=str)
def test_round_trip(rules):
    game = random_game(rules, np.random.default_rng(1))
    for ply in range(game.ply + 1):
        board = Board.from_moves(game.moves[:ply], rules)
        assert board_of(observation_of(board, board.turn), rules) == board
        assert legal_mask(board).nonzero()[0].tolist() == board.legal_columns


def test_batches():
    boards = [BOARD, Board(), Board.from_moves([6] * 6)]
    assert np.array_equal(pgx.observations(boards)[0], O_IS_TO_MOVE)
    assert pgx.boards_of(pgx.observations(boards)) == boards
    assert pgx.invalid_actions(boards).tolist() == [[False] * 7, [False] * 7, [False] * 6 + [True]]


SHAPE = r"observation must be an array of 0 and 1 of the shape \(6, 7, 2\)"
test_what_is_no_observation = refused(
    (lambda: board_of(None), NotationError, SHAPE),
    (lambda: board_of(np.zeros((2, 6, 7))), NotationError, SHAPE),
    (lambda: board_of(np.zeros((6, 7, 2)) + 0.5), NotationError, SHAPE),
    (lambda: board_of(np.ones((6, 7, 2))), NotationError, r"row 0 \(0 = top\), column 0 has discs of both"),
    (lambda: board_of(observation_of(BOARD, 0)), NotationError, "player who has just moved"),
    (lambda: pgx.observations([]), ValueError, "boards must be at least one, at most 1048576, and of the same rules"),
)


def test_observations_are_those_of_pgx():
    jax, env = foreign("jax"), foreign("pgx").make("connect_four")
    init, step = jax.jit(env.init), jax.jit(env.step)
    generator, board, state = np.random.default_rng(1), Board(), init(jax.random.PRNGKey(1))
    while True:
        assert np.array_equal(pgx.observations([board])[0], state.observation)
        assert pgx.boards_of([state.observation]) == [board]
        assert bool(state.terminated) == board.is_over()
        if board.is_over():
            break
        assert np.array_equal(~pgx.invalid_actions([board])[0], state.legal_action_mask)
        column = int(generator.choice(board.legal_columns))
        board.push(column)
        state = step(state, column)
