"""Random games from a position, and their outcomes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import get_args

from .._backend import BackendName, load, thread_count
from .._hints import with_hints
from .._layout import ROLLOUTS
from .._validation import between, word
from ..board.arguments import AnyBoard, unfinished
from ..executors.executor import as_done
from ..seeds import Seed, generator_state
from .params import Rollout

MAX_GAMES = 2**48  # more than anybody waits for; the plies of all games still fit into 64 bits
BLOCK = 2**17  # games that a thread plays between two polls: about 5 ms of the standard game


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


@with_hints
def rollouts(
    board: AnyBoard,
    games: int,
    *,
    seed: Seed = None,
    policy: Rollout = "random",
    threads: int = 1,
    backend: BackendName = "auto",
) -> RolloutStats:
    """Play random games from a position to the end; for the policies see UctParams.rollout.

    threads: how many threads play together (native backend only), at most one per processor at a time. A seed gives the
    same games with any number of threads, on both backends and all platforms.

    Raises GameOverError for a finished game.
    """
    board = unfinished(board)
    games = between("games", games, 1, MAX_GAMES)
    policy = word("policy", policy, get_args(Rollout))
    first_state = generator_state(seed)
    native_or_pure = load(backend)
    threads = thread_count(threads, native_or_pure)

    def play(index: int, poll: Callable[[], object]) -> list[int]:
        """The games of thread `index`, every block in turn: wins of the player to move, losses, draws, plies."""
        total, state = [0, 0, 0, 0], first_state
        for number, first in enumerate(range(0, games, BLOCK)):
            block_state, state = native_or_pure.numbers.stream(state, 2)
            if number % threads == index:
                of_block = (block_state, min(BLOCK, games - first), ROLLOUTS[policy], poll)
                part = native_or_pure.rollout.rollouts(board.rules, board.own, board.mask, *of_block)
                total = [so_far + more for so_far, more in zip(total, part, strict=True)]
        return total

    if threads == 1:
        parts = [play(0, bool)]  # nothing to poll: the backend looks at signals by itself
    else:
        parts = [part for _, part in as_done([partial(play, index) for index in range(threads)], None)]
    wins, losses, draws, plies = map(sum, zip(*parts, strict=True))
    first, second = (wins, losses) if board.turn == 0 else (losses, wins)
    return RolloutStats(first, second, draws, plies)
