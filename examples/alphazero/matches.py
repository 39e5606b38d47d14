"""Matches of a network: against players that c4mcts knows by name, and against another network.

All games of a match are played at the same time, so that the searches of a network share batches. They come in pairs
from balanced openings, one for each side. A draw counts half.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from c4mcts import Board
from c4mcts.evaluators import FixedBatches
from c4mcts.play import contestant, openings
from c4mcts.search.evaluation import Evaluator
from c4mcts.selfplay import Searches, search_many
from c4mcts.study import wilson

from .configuration import Configuration

OPENING_PLIES = 4
ROWS = 128  # of a batch, at most

# moves for some of the games: their numbers and boards in, columns out
Choose = Callable[[list[int], list[Board]], list[int]]


def match(evaluator: Evaluator, opponent: str, configuration: Configuration) -> dict[str, Any]:
    """A row of the table "matches". opponent: a text that c4mcts knows."""
    games, simulations = configuration.match_games, configuration.match_simulations
    players = [contestant(opponent).make() for _ in range(games)]
    for player, child in zip(players, np.random.SeedSequence(configuration.seed).spawn(games), strict=True):
        player.begin(child)

    def choose(numbers: list[int], boards: list[Board]) -> list[int]:
        return [players[number].choose(board.copy()) for number, board in zip(numbers, boards, strict=True)]

    network = chooser(evaluator, configuration, simulations, games // 2)
    return {"opponent": opponent, "simulations": simulations, **result(list(points(network, choose, games)))}


def duel(evaluator: Evaluator, other: Evaluator, configuration: Configuration) -> dict[str, Any]:
    """What a network scores against another one in the games of `gate_games`, with as many simulations as self-play."""
    games = configuration.gate_games
    both = [chooser(one, configuration, configuration.simulations, games // 2) for one in (evaluator, other)]
    return result(list(points(*both, games)))


def chooser(evaluator: Evaluator, configuration: Configuration, simulations: int, concurrent: int) -> Choose:
    """The moves of a network's searches. concurrent: games at the same time, at most."""

    def choose(numbers: list[int], boards: list[Board]) -> list[int]:
        positions = tuple(np.array([getattr(board, name) for board in boards], np.uint64) for name in ("own", "mask"))
        return searches(evaluator, positions, configuration, simulations, concurrent).column.tolist()

    return choose


def searches(
    evaluator: Evaluator, positions: Any, configuration: Configuration, simulations: int, concurrent: int
) -> Searches:
    """Searches without noise. positions: own and mask, (n,) each."""
    params, batches = configuration.params(root_noise=None), FixedBatches(evaluator, min(concurrent, ROWS))
    return search_many(positions, batches, params, simulations=simulations, concurrent=concurrent)


def points(ours: Choose, theirs: Choose, count: int) -> Iterator[float]:
    """Play games, and yield what `ours` gets in each. It moves first in every second game."""
    starts = openings(OPENING_PLIES)
    games = [Board.from_moves(starts[number // 2 % len(starts)]) for number in range(count)]
    while waiting := [number for number in range(count) if not games[number].is_over()]:
        for side, choose in enumerate((ours, theirs)):
            turn = [number for number in waiting if (games[number].turn == number % 2) == (side == 0)]
            if turn:
                for number, column in zip(turn, choose(turn, [games[i] for i in turn]), strict=True):
                    games[number].push(column)
            waiting = [number for number in waiting if number not in turn]
    for number, board in enumerate(games):
        outcome = board.outcome()
        assert outcome is not None
        yield 0.5 if outcome.winner is None else float(outcome.winner == number % 2)


def result(found: list[float]) -> dict[str, Any]:
    """Games by their end, and the share of the points with its 95 % interval."""
    share = sum(found) / len(found)
    numbers = {"won": found.count(1.0), "drawn": found.count(0.5), "lost": found.count(0.0)}
    return numbers | interval(share, *wilson(sum(found), len(found)).tolist())


def interval(share: float, low: float, high: float) -> dict[str, float]:
    """A share with its interval, rounded as in the tables."""
    return {"share": round(share, 5), "low": round(low, 5), "high": round(high, 5)}
