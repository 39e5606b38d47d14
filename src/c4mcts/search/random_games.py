"""Random games from a position, and their outcomes."""

from dataclasses import dataclass
from typing import get_args

from .._backend import BackendName, load
from .._layout import ROLLOUTS
from .._validation import between, word
from ..board.board import Board
from ..board.validation import unfinished
from ..seeds import Seed, generator_state
from .params import Rollout

MAX_GAMES = 2**48  # more than anybody waits for; the plies of so many games still fit 64 bits


@dataclass(frozen=True, slots=True)
class RolloutStats:
    """Outcomes of random games: won by the first player, by the second, drawn; plies played in all of them."""

    first: int
    second: int
    draws: int
    plies: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.first + self.second + self.draws

    @property
    def mean_plies(self) -> float:
        """Mean length of a game, counted from the start position."""
        return self.plies / self.games


def rollouts(
    board: Board,
    games: int,
    *,
    seed: Seed = None,
    policy: Rollout = "random",
    backend: BackendName = "auto",
) -> RolloutStats:
    """Play random games from a position to the end; the policies are those of SearchParams.rollout.

    Raises GameOverError for a finished game, TypeError or ValueError naming the argument.
    """
    board = unfinished(board)
    games = between("games", games, 1, MAX_GAMES)
    policy = word("policy", policy, get_args(Rollout))
    state = generator_state(seed)
    play = load(backend).rollout.rollouts
    wins, losses, draws, plies, _ = play(board.rules, board.own, board.mask, state, games, ROLLOUTS[policy])
    first, second = (wins, losses) if board.turn == 0 else (losses, wins)
    return RolloutStats(first, second, draws, plies)
