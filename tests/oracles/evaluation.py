"""What an evaluator says of a naive game."""

import numpy as np
from evaluators import fingerprint
from oracles.board import Game


def as_game(rules, moves):
    game = Game(rules.width, rules.height, rules.connect, rules.diagonals)
    for column in moves:
        game.drop(column)
    return game


def policy(game, evaluator=fingerprint):
    """What an evaluator says of a naive game, seen by the player to move."""
    planes = np.array(game.rows(), dtype=np.float32)
    own = 1 + game.turn()
    state = np.where(planes == 0, 0, np.where(planes == own, 1, -1))[None, :, :, None].astype(np.float32)
    legal = np.zeros((1, game.width), dtype=bool)
    legal[0, game.legal_columns()] = True
    priors, values = evaluator(state, legal)
    shares = np.where(legal[0], priors[0], 0.0)
    total = 0.0
    for share in shares:
        total += share
    return [float(share / total) for share in shares], float(values[0])
