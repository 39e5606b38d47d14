"""Games of experiments: a search against an opponent, from a Board or from another Game."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._validation import string
from ..board.board import Board
from ..executors.background import Check
from ..games import match
from ..games.match import GameSearchPlayer, RandomGamePlayer
from ..play import arena
from ..play.player_specs import contestant, search_spec
from ..play.players import EnginePlayer
from ..search.params import SearchParams
from .starts import Start


class _Engine(EnginePlayer):
    """Checks before each move whether the job was cancelled."""

    def __init__(self, params: SearchParams, budget: int, check: Check) -> None:
        super().__init__(params, simulations=budget)
        self._check = check

    def choose(self, board: Board) -> int:
        self._check()
        return super().choose(board)


class _GameSearch(GameSearchPlayer):
    """Checks before each move whether the job was cancelled."""

    def __init__(self, params: SearchParams, budget: int, check: Check) -> None:
        super().__init__(params, simulations=budget)
        self._check = check

    def choose(self, game: Any) -> Any:
        self._check()
        return super().choose(game)


def searcher(start: Start, params: SearchParams, budget: int, check: Check) -> Any:
    """A player that makes so many simulations a move, and keeps its tree during a game."""
    return (_Engine if isinstance(start.position, Board) else _GameSearch)(params, budget, check)


class Rival(NamedTuple):
    """An opponent: a name, and a function that makes a new player for each game. Executors of processes pickle it."""

    name: str
    make: Callable[[], Any]


def rival_of(name: str, text: str, start: Start) -> Rival:
    """The player that a text names. TypeError or ValueError naming the argument."""
    try:
        if isinstance(start.position, Board):
            known = contestant(text, start.position.rules)
            return Rival(known.name, known.make)
        if string("player", text) == "random":
            return Rival(text, RandomGamePlayer)
        params, limits = search_spec(text)
        GameSearchPlayer(params, **limits)  # raises for parameters that need a Board
        return Rival(text, partial(GameSearchPlayer, params, **limits))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def play_one(start: Start, player: Any, opponent: Any, opens: bool, seed: np.random.SeedSequence) -> int:
    """Play one game: 1 if the player wins, 0 for a draw, -1 if it loses. opens: whether it moves first."""
    position = start.position
    side = position.turn if opens else 1 - position.turn
    players = (player, opponent) if side == 0 else (opponent, player)
    if not isinstance(position, Board):
        return match.play_game(position, *players, seed=seed).game.result(side)
    outcome = arena.play_game(*players, start=position, seed=int(seed.generate_state(1, np.uint64)[0])).outcome()
    assert outcome is not None
    return 0 if outcome.winner is None else 1 if outcome.winner == side else -1
