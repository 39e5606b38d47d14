"""A Gymnasium environment: an agent learns against any player."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._named import installed_by
from .._validation import between
from ..board.board import Board
from ..errors import GameOverError
from ..play.player import AnyPlayer, Player, play_choice
from ..play.player_specs import player_of
from ..play.players import RandomPlayer
from ..play.seats import ask
from ..rules import Rules
from .pgx import legal_mask, observation_of
from .rendering import RENDER_MODES, Pixels, render_mode_of, rendered

with installed_by("gymnasium"):
    import gymnasium

Info = dict[str, Any]
Planes = npt.NDArray[np.int8]


class ConnectFourEnv(gymnasium.Env[Planes, np.int64]):
    """One player's side of a game; the other side is an opponent, which moves inside `reset` and `step`.

    Importing this module registers it, so that gymnasium.make("c4mcts/ConnectFour-v0") also makes one.

    opponent: any player, by default one that moves at random, or a function without arguments that makes one. The
    environment has its own copy, which is prepared for each game with a seed drawn from the seed of `reset`. rules: by
    default 7 x 6. seat: 0 to move first in every game, 1 to move second, None (the default) to draw it for each game.

    Observation: int8 of shape (2, height, width), the agent's discs before the opponent's, row 0 on top: the planes
    that evaluators get (see Engine). Action: a column. Reward: 1 for a win, -1 for a loss, otherwise 0.
    info["action_mask"]: int8 of shape (width,), 1 for the columns that can be played.

    A full column ends the game as a loss, with info["illegal_move"] true; an action outside of the action space raises
    TypeError or ValueError, and one after the end GameOverError. If the opponent raises, or its move can't be played
    (IllegalMoveError), a step changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 1}

    def __init__(
        self,
        opponent: AnyPlayer | Callable[[], Player] | None = None,
        *,
        rules: Rules | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode_of(render_mode)
        self._opponent = player_of("opponent", RandomPlayer if opponent is None else opponent, rules, is_copied=True)
        self._seat = None if seat is None else between("seat", seat, 0, 1)
        self._agent = 0
        self._rules = Board(rules).rules
        self._board: Board | None = None  # None before the first game
        self._forfeited = False  # whether the agent has played an illegal move
        shape = (2, self._rules.height, self._rules.width)
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, np.int8)
        self.action_space = gymnasium.spaces.Discrete(self._rules.width)

    @property
    def board(self) -> Board | None:
        """A copy of the position; None before the first game."""
        return None if self._board is None else self._board.copy()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, Info]:
        """Start a game; the opponent has made its move if it is first. options: ignored."""
        super().reset(seed=seed)
        self._agent = int(self.np_random.integers(2)) if self._seat is None else self._seat
        words = self.np_random.integers(0, 2**63, size=2).tolist()
        ask(self._opponent, "begin", np.random.SeedSequence(words))
        board, self._board = Board(self._rules), None  # no game if the opponent fails
        self._forfeited = False
        if self._agent == 1:
            self._answer(board)
        self._board = board
        return self._observation(board), self._info(board)

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, Info]:
        """Play a column, and the opponent's answer."""
        board = self._board
        if board is None or self._forfeited or board.is_over():
            raise GameOverError("step: there is no game in progress, call reset first")
        column = between("action", action, 0, self._rules.width - 1)
        if not board.is_legal(column):
            self._forfeited = True
            return self._observation(board), -1.0, True, False, {**self._info(board), "illegal_move": True}
        board = board.copy()  # the position stays if the opponent fails
        board.push(column)
        self._answer(board)
        self._board = board
        return self._observation(board), float(board.result(self._agent)), board.is_over(), False, self._info(board)

    def render(self) -> str | Pixels | None:
        """The board: as text with render_mode="ansi", as an image with "rgb_array"."""
        return None if self._board is None else rendered(self._board, self.render_mode)

    def _answer(self, board: Board) -> None:
        if not board.is_over():
            play_choice(board, self._opponent)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The columns that can be played, of shape (width,): the method that sb3-contrib calls; all before a game."""
        return np.ones(self._rules.width, bool) if self._board is None else legal_mask(self._board)

    def _observation(self, board: Board) -> Planes:
        return observation_of(board, self._agent).transpose(2, 0, 1).astype(np.int8, order="C")

    def _info(self, board: Board) -> Info:
        return {"action_mask": legal_mask(board).astype(np.int8)}


gymnasium.register("c4mcts/ConnectFour-v0", "c4mcts.adapters.gymnasium:ConnectFourEnv")
