"""OpenSpiel: our players as its bots, its bots as our players, and its states as boards."""

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._named import installed_by
from .._validation import brief, function, must_be, positive, positive_seconds, word
from ..board.arguments import AnyBoard, a_board, unfinished
from ..board.board import Board
from ..board.notation import EMPTY_FIRST_SECOND, agreed
from ..errors import IllegalMoveError, NotationError
from ..play.player import AnyPlayer, Player
from ..play.player_specs import player_of
from ..play.seats import ask
from ..rules import Rules, rules_or_default
from ..search.typed_values import limits_named
from ..seeds import sequence
from . import pgx

with installed_by("openspiel"):
    import pyspiel

MCTS_MEGABYTES = 1000  # of a tree
UNLIMITED_SIMULATIONS = 2**31 - 1  # the largest number that it takes


def board_of(state: Any, rules: Rules | None = None) -> Board:
    """The board of a state of OpenSpiel's connect_four, with its moves unless it was set up with discs on it.

    rules: must agree with the state's, if given. The text of a state, which is read here, has the top row first;
    its tensors have the bottom row first. NotationError.
    """
    try:
        game = state.get_game()
        name, sizes = game.get_type().short_name, game.get_parameters()
        lines, moves = str(state).split(), state.history()
    except AttributeError:
        raise NotationError(must_be("state", "a state of OpenSpiel's connect_four", state)) from None
    if name != "connect_four":
        raise NotationError(f"state must be of OpenSpiel's connect_four, not of {brief(name)}")
    own_rules = Rules(sizes["columns"], sizes["rows"], sizes["x_in_row"])
    agreed(own_rules, rules, "state")
    board = Board.from_array([[EMPTY_FIRST_SECOND.find(cell) for cell in line] for line in lines], own_rules)
    return Board.from_moves(moves, own_rules) if len(moves) == board.ply else board


def boards_of(tensors: Any, rules: Rules | None = None, *, egocentric: bool) -> list[Board]:
    """The boards of observation tensors, each of the player to move, flat or of the shape (3, height, width).

    egocentric: false for the default planes from OpenSpiel 1.6.11 on, which are the first player's discs, the second's
    and the empty cells; true for those with egocentric_obs_tensor=true and before 1.6.11: the opponent's, own, empty.
    Row 0 is the bottom row. rules: 7 x 6 by default. NotationError for any other array, and for impossible positions.
    """
    sizes = rules_or_default(rules)
    shape = (3, sizes.height, sizes.width)
    boards = []
    for tensor in map(np.asarray, tensors):
        if tensor.size != math.prod(shape) or not np.isin(tensor, (0, 1)).all():
            raise NotationError(must_be("the tensor", f"an array of 0 and 1 of the shape {shape}", tensor))
        first, second, empty = tensor.reshape(shape)[:, ::-1].astype(np.int8)
        if (first + second + empty != 1).any():
            raise NotationError("the tensor must have 1 in one of its three planes for each cell")
        if egocentric:
            boards.append(pgx.board_of(np.stack([second, first], axis=-1), rules))
        else:
            boards.append(Board.from_array(first + 2 * second, rules))
    return boards


def state_of(board: AnyBoard) -> Any:
    """A state of OpenSpiel's connect_four with the same position, and the same moves if all are known.

    NotationError for rules without diagonals, which OpenSpiel's rules always have.
    """
    board = a_board(board)
    rules = board.rules
    if not rules.diagonals:
        raise NotationError(f"OpenSpiel's connect_four has diagonals, the rules are {rules}")
    sizes = {"columns": rules.width, "rows": rules.height, "x_in_row": rules.connect}
    game = pyspiel.load_game("connect_four", sizes)
    if len(board.moves) != board.ply:
        return game.new_initial_state(_set_up(board))
    state = game.new_initial_state()
    for column in board.moves:
        state.apply_action(column)
    return state


def _set_up(board: Board) -> str:
    """A position as OpenSpiel's JSON, which has the bottom row first."""
    outcome = board.outcome()
    winner = "" if outcome is None else "draw" if outcome.winner is None else "xo"[outcome.winner]
    about = {
        "board": [[EMPTY_FIRST_SECOND[cell] for cell in row] for row in reversed(board.to_array().tolist())],
        "current_player": "xo"[board.turn] if outcome is None else "Terminal",
        "is_terminal": outcome is not None,
        "winner": winner,
    }
    return json.dumps(about)


class PlayerBot(pyspiel.Bot):
    """A player as an OpenSpiel bot for the game connect_four, of any size and for either side.

    seed: every game, which begins with `restart` or `restart_at`, gets the next child of its SeedSequence. Steps raise
    NotationError for states of other games, GameOverError for finished games, and any exception of the player.
    """

    def __init__(self, player: AnyPlayer | Callable[[], Player], *, seed: int | None = None) -> None:
        pyspiel.Bot.__init__(self)
        self._player = player_of("player", player, is_copied=True)
        self._seeds = sequence(seed)
        self.restart()

    def restart(self) -> None:
        """Prepare the player for a new game."""
        (child,) = self._seeds.spawn(1)
        ask(self._player, "begin", child)

    def restart_at(self, state: Any) -> None:
        """Prepare the player for a new game, which begins at any position."""
        self.restart()

    def step(self, state: Any) -> int:
        """The column to play."""
        return int(self._player.choose(unfinished(board_of(state), "state")))


class BotPlayer:
    """An OpenSpiel bot as a player.

    bot: a bot that plays both sides, or a function bot(player_id, seed) that makes one for each game; player_id: 0 or
    1, the side that it plays; seed: an int. An existing bot gets no seed, so its games can't be repeated.

    The bot is informed of all moves: `restart` and `inform_action` at the beginning of a game (`restart_at` for a board
    that was set up with discs on it), then `inform_action` for each move that it did not choose.
    """

    def __init__(self, bot: Any) -> None:
        self._source = bot if callable(getattr(bot, "step", None)) else function("bot", bot)
        self._seed = 0
        self._bot: Any = None  # None until the first move of a game
        self._state: Any = None  # the last state known to the bot

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Start with a new bot, or restart the given one."""
        self._seed = int(sequence(seed).generate_state(1)[0]) >> 1  # OpenSpiel's seeds have 31 bits
        self._bot = self._state = None

    def choose(self, board: Board) -> int:
        """The bot's move. IllegalMoveError if it can't be played; GameOverError."""
        state = state_of(board := unfinished(board))
        if self._bot is None:
            make: Callable[[int, int], Any] = self._source
            self._bot = self._source if hasattr(self._source, "step") else make(board.turn, self._seed)
            self._state = state.get_game().new_initial_state()
            self._bot.restart()
        self._tell(board, state)
        action = self._bot.step(state)
        if action not in board.legal_columns:
            raise IllegalMoveError(f"{self!r} chose {brief(action)}, not one of {board.legal_columns}")
        self._state = state.child(int(action))
        return int(action)

    def _tell(self, board: Board, state: Any) -> None:
        """Inform the bot of the moves from the last state it knows to this one."""
        history = self._state.history()
        if len(board.moves) != board.ply or list(board.moves[: len(history)]) != history:
            self._bot.restart_at(state)
            return
        for column in board.moves[len(history) :]:
            self._bot.inform_action(self._state, self._state.current_player(), column)
            self._state.apply_action(column)

    def __getstate__(self) -> dict[str, Any]:
        """The state without the bot of a game in progress: most can't be pickled."""
        return {**self.__dict__, "_bot": None, "_state": None}

    def __repr__(self) -> str:
        return f"BotPlayer({self._source!r})"


def named_bot(name: str, rules: Rules) -> BotPlayer:
    """A bot of OpenSpiel: "mcts", plain UCT with one rollout per simulation, or a registered name.

    The budget of "mcts" for each move, by default 1000 simulations, is in the name, as "mcts@500" or "mcts@0.1s".
    Raises ValueError for other names and for budgets of other bots, NotationError for rules without diagonals.
    """
    name, at, budget = name.partition("@")
    game = state_of(Board(rules)).get_game()
    word("bot", name, ("mcts", *sorted(pyspiel.bots_that_can_play_game(game, 0))))
    if name != "mcts":
        if at:
            raise ValueError(f"the bot {name} takes no budget")
        return BotPlayer(lambda player_id, seed: pyspiel.load_bot(name, game, player_id))
    limits = limits_named(budget) if at else {"simulations": 1000}
    limit = positive("simulations", limits.get("simulations", UNLIMITED_SIMULATIONS))
    clock = positive_seconds("seconds", limits["seconds"]) if "seconds" in limits else -1.0

    def make(player_id: int, seed: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(
            game, evaluator, 2.0, limit, MCTS_MEGABYTES, True, seed, False, max_wall_clock_time=clock
        )

    return BotPlayer(make)
