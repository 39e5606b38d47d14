"""How good a network is: error rates on the test positions, and matches."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from c4mcts import Board
from c4mcts.play import contestant, openings
from c4mcts.search.evaluators import Evaluator
from c4mcts.selfplay import Searches, search_many
from c4mcts.solver.book import NO_SCORE
from c4mcts.study import wilson

from .configuration import Configuration
from .positions import Tests, load

Words = npt.NDArray[np.uint64]

ALL = "all"  # plies
PLIES = 6  # in each of the other rows of the table of errors
OPENING_PLIES = 4  # of a match


def evaluate(evaluator: Evaluator, configuration: Configuration) -> dict[str, list[dict[str, Any]]]:
    """The rows of the tables "errors" and "matches"."""
    found: dict[str, list[dict[str, Any]]] = {"errors": [], "matches": []}
    if configuration.positions:
        tests = load().chosen(configuration.positions)
        positions, size = (tests.own, tests.mask), configuration.concurrent
        priors = searches(evaluator, positions, configuration, 1, size).prior  # of the network: one simulation asks it
        found["errors"] += errors("policy", np.where(tests.legal, priors, -1).argmax(axis=1), tests)
        for simulations in configuration.searches:
            columns = searches(evaluator, positions, configuration, simulations, size).column
            found["errors"] += errors(f"search of {simulations}", columns, tests)
    if configuration.match_games:
        found["matches"] = [match(evaluator, opponent, configuration) for opponent in configuration.opponents]
    return found


def searches(
    evaluator: Evaluator,
    positions: tuple[Words, Words],
    configuration: Configuration,
    simulations: int,
    concurrent: int,
) -> Searches:
    """Searches without noise; positions: own and mask, (n,) each."""
    params = configuration.params(root_noise=None)
    return search_many(positions, evaluator, params, simulations=simulations, concurrent=concurrent)


# error rates


def errors(player: str, columns: npt.NDArray[Any], tests: Tests) -> list[dict[str, Any]]:
    """How often the moves lose value (a win, or a draw), in all positions and by ply, with Wilson's 95 % intervals.

    score_loss: by how much the exact score of the chosen move is less than the best one, on average. A point is one
    disc fewer in hand when winning, or one more when losing.
    """
    best = np.where(tests.legal, tests.scores, NO_SCORE).max(axis=1).astype(int)
    chosen = tests.scores[np.arange(len(columns)), columns].astype(int)
    wrong = np.sign(chosen) < np.sign(best)
    parts = {ALL: np.ones(len(wrong), bool)}
    for first in range(0, 42, PLIES):
        parts[f"{first}-{first + PLIES - 1}"] = (tests.plies >= first) & (tests.plies < first + PLIES)
    return [
        {
            "player": player,
            "plies": plies,
            "positions": int(here.sum()),
            "errors": int(wrong[here].sum()),
            **_interval(float(wrong[here].mean()), *wilson(wrong[here].sum(), here.sum()).tolist()),
            "score_loss": round(float((best - chosen)[here].mean()), 4),
        }
        for plies, here in parts.items()
        if here.any()
    ]


# matches


def match(evaluator: Evaluator, opponent: str, configuration: Configuration) -> dict[str, Any]:
    """Games against a player that c4mcts knows by this text, in pairs from balanced openings; a draw counts half.

    All games are played at the same time, so that the searches of the network share a batch.
    """
    starts = openings(OPENING_PLIES)
    games = [Board.from_moves(starts[number // 2 % len(starts)]) for number in range(configuration.match_games)]
    sides = [number % 2 for number in range(len(games))]  # which side the network has: 0 is the first player
    players = [contestant(opponent).make() for _ in games]
    for player, child in zip(players, np.random.SeedSequence(configuration.seed).spawn(len(games)), strict=True):
        player.begin(child)
    while waiting := [number for number, board in enumerate(games) if not board.is_over()]:
        turn = [number for number in waiting if games[number].turn == sides[number]]  # of the network
        for number in waiting:
            if games[number].turn != sides[number]:
                games[number].push(players[number].choose(games[number].copy()))
        if turn:
            own, mask = (np.array([getattr(games[i], name) for i in turn], np.uint64) for name in ("own", "mask"))
            size = len(games) // 2  # at most this many, since both sides of each opening are played
            found = searches(evaluator, (own, mask), configuration, configuration.match_simulations, size)
            for number, column in zip(turn, found.column.tolist(), strict=True):
                games[number].push(column)
    points = list(_points(games, sides))
    return {
        "opponent": opponent,
        "simulations": configuration.match_simulations,
        "won": points.count(1.0),
        "drawn": points.count(0.5),
        "lost": points.count(0.0),
        **_interval(sum(points) / len(points), *wilson(sum(points), len(points)).tolist()),
    }


def _points(games: list[Board], sides: list[int]) -> Iterator[float]:
    """1 for each game that the network has won, 0.5 for a draw."""
    for board, side in zip(games, sides, strict=True):
        outcome = board.outcome()
        assert outcome is not None
        yield 0.5 if outcome.winner is None else float(outcome.winner == side)


def _interval(share: float, low: float, high: float) -> dict[str, float]:
    return {"share": round(share, 5), "low": round(low, 5), "high": round(high, 5)}
