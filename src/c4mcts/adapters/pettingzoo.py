"""PettingZoo: any player as a policy, and an environment like its connect_four_v3 for all rules."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .._named import installed_by
from .._validation import word
from ..board.board import Board
from ..errors import GameOverError
from ..play.player import AnyPlayer, Player
from ..play.player_specs import player_of
from ..play.seats import ask
from ..rules import Rules
from ..seeds import sequence
from .pgx import board_of, legal_mask, observation_of
from .rendering import RENDER_MODES, Pixels, render_mode_of, rendered

with installed_by("pettingzoo"):
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv

AGENTS = ("player_0", "player_1")


class Policy:
    """A player as a policy: called with the observation from `env.last()`, it returns a column.

    player: any player, of which the policy has its own copy, or a function without arguments that makes one.

    Serves connect_four_v3 of PettingZoo, which is 7 x 6, and ConnectFourAECEnv, whose `rules` must be given here too.
    An observation with no more discs than the last one begins a new game, for which the player gets the next child of
    the seed.
    """

    def __init__(
        self, player: AnyPlayer | Callable[[], Player], rules: Rules | None = None, *, seed: int | None = None
    ) -> None:
        self._player = player_of("player", player, rules, is_copied=True)
        self._rules = Board(rules).rules
        self._seeds = sequence(seed)
        self._ply: int | None = None  # of the last observation

    def __call__(self, observation: Any) -> int:
        """The column to play. NotationError for impossible observations, ValueError for another player's turn."""
        board = board_of(observation["observation"], self._rules)
        if not np.any(observation["action_mask"]):
            raise ValueError("action_mask is all zero: the game is over, or it is the other player's turn")
        if self._ply is None or board.ply <= self._ply:
            (child,) = self._seeds.spawn(1)
            ask(self._player, "begin", child)
        self._ply = board.ply
        column: int = self._player.choose(board)
        return column


class ConnectFourAECEnv(AECEnv):
    """The game as an AEC environment, for any rules. Spaces, rewards and names are as in connect_four_v3.

    Observation of an agent: a dict of "observation", int8 of shape (height, width, 2), its own discs first, row 0 on
    top, and "action_mask", int8 of shape (width,), all zero unless it is the agent's turn. Reward: 1 to the winner, -1
    to the loser. `step` raises TypeError or IllegalMoveError for a column that can't be played, and changes nothing;
    PettingZoo's TerminateIllegalWrapper makes it a loss instead. After both agents have stepped with None at the end,
    it raises GameOverError.
    """

    metadata = {  # noqa: RUF012
        "render_modes": [*RENDER_MODES],
        "name": "c4mcts_connect_four",
        "is_parallelizable": False,
        "render_fps": 2,  # discs a second, as in connect_four_v3
    }

    def __init__(self, rules: Rules | None = None, *, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode_of(render_mode)
        self._board = Board(rules)
        width, height = self._board.rules.width, self._board.rules.height
        self.possible_agents = list(AGENTS)
        shapes = {"observation": (height, width, 2), "action_mask": (width,)}
        self.observation_spaces = {
            agent: Dict({name: Box(0, 1, shape, np.int8) for name, shape in shapes.items()}) for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(width) for agent in AGENTS}
        self.reset()

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[word("agent", agent, AGENTS)]

    def action_space(self, agent: str) -> Any:
        """The columns."""
        return self.action_spaces[word("agent", agent, AGENTS)]

    @property
    def board(self) -> Board:
        """A copy of the position."""
        return self._board.copy()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. seed and options are ignored: nothing is random."""
        self._board = Board(self._board.rules)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        """The observation of an agent."""
        player = AGENTS.index(word("agent", agent, AGENTS))
        mask = legal_mask(self._board) & (agent == self.agent_selection)
        planes = observation_of(self._board, player)
        return {"observation": planes.astype(np.int8), "action_mask": mask.astype(np.int8)}

    def step(self, action: Any) -> None:
        """Play a column for the agent whose turn it is; None after the end of the game."""
        if not self.agents:
            raise GameOverError("step: there is no game in progress, call reset first")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._board.push(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self._board.is_over():
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {agent: float(self._board.result(player)) for player, agent in enumerate(AGENTS)}
        self.agent_selection = AGENTS[self._board.turn]
        self._accumulate_rewards()

    def render(self) -> str | Pixels | None:
        """The board: as text with render_mode="ansi", as an image with "rgb_array"."""
        return rendered(self._board, self.render_mode)

    def close(self) -> None:
        """Does nothing: there is no window. (PettingZoo's test wants it where there is `render`.)"""
