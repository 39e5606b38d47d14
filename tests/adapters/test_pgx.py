"""Arrays for pgx, compared with what it makes itself."""

import numpy as np
from foreign import foreign

from c4mcts import Board
from c4mcts.adapters import pgx as adapter

jax = foreign("jax")
pgx = foreign("pgx")


def test_observations_are_those_of_pgx():
    env = pgx.make("connect_four")
    init, step = jax.jit(env.init), jax.jit(env.step)
    generator, board, state = np.random.default_rng(1), Board(), init(jax.random.PRNGKey(1))
    while True:
        assert np.array_equal(adapter.observations([board])[0], state.observation)
        assert adapter.boards_of([state.observation]) == [board]
        assert bool(state.terminated) == board.is_over()
        if board.is_over():
            break
        assert np.array_equal(~adapter.invalid_actions([board])[0], state.legal_action_mask)
        column = int(generator.choice(board.legal_columns))
        board.push(column)
        state = step(state, column)
