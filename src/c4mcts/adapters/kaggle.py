"""Kaggle ConnectX: the search as an agent, any agent as a player, and its observations as boards.

An agent is a function agent(observation, configuration) -> column. None of this needs kaggle-environments.
"""

import gc
import os
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from .. import _files
from .._layout import MAX_SIDE
from .._validation import brief, counted, must_be, not_negative, word
from ..board.arguments import AnyBoard, a_board
from ..board.board import Board
from ..errors import IllegalMoveError, NotationError
from ..play.player_files import module_of, run_file
from ..rules import MAX_CONNECT, Rules
from ..search.engine import Engine
from ..search.evaluation import Evaluator
from ..search.network import serves
from ..search.params import NetworkParams, SearchParams
from ..seeds import Seed, sequence
from .kaggle_submission.main import simple_agent

MAX_BYTES = 1 << 30  # of the tree in a submission
NETWORK = "c4mcts_network"  # the folder of a network in a submission, next to the package

MARGIN = 0.1  # seconds of actTimeout that stay unused: the search ends up to 20 ms late, and machines are busy
RESERVE = 2.0  # seconds of remainingOverageTime that are never spent
SHARE = 8  # a critical position gets one part in this many of the rest,
TIMES = 4  # but at most this multiple of actTimeout
LEAST = 0.005  # seconds for a move, however little time there is

CONFIGURATION: dict[str, Any] = {"episodeSteps": 1000, "runTimeout": 1200}  # of kaggle-environments

Agent = Callable[..., Any]


def board_of(observation: Any, rules: Rules | None = None) -> Board:
    """The board of an observation, a mapping with `board`, of either player; rules: 7 x 6 by default.

    board: flat, top row first, of 0, 1, 2. NotationError. (Of the states in a replay or in env.state only the first has
    a board, which both players share.)
    """
    rules = Board(rules).rules
    cells = _item("observation", observation, "board")
    try:
        rows = np.reshape(cells, (rules.height, rules.width))
    except (TypeError, ValueError):
        requirement = f"{counted(rules.cells, 'cell')} ({rules.width} x {rules.height})"
        raise NotationError(f"{must_be('board', requirement, cells)}: check the rules") from None
    return Board.from_array(rows, rules)


def _item(name: str, mapping: Any, key: str) -> Any:
    """What an observation or a configuration has by this key. NotationError."""
    try:
        return mapping[key]
    except (KeyError, TypeError):
        like = "state[0]" if name == "observation" else "env.configuration"
        raise NotationError(must_be(name, f"a mapping with {key}, as in {like}", mapping)) from None


def observation_of(board: AnyBoard) -> dict[str, Any]:
    """The observation of the player to move: {"board": [...], "mark": 1 or 2}."""
    board = a_board(board)
    return {"board": board.to_array().ravel().tolist(), "mark": board.turn + 1}


class KaggleAgent:
    """A search as a Kaggle agent, which keeps its tree from turn to turn.

    It thinks for `actTimeout` minus a tenth of a second, or minus more once a turn has ended late by Kaggle's clock; if
    the move is then in doubt, also for an eighth of `remainingOverageTime`, at most four times `actTimeout`. It plays
    any configuration; on boards of more than 64 columns or rows it only wins, stops threats and plays near the middle.
    params, seed: as for Engine. evaluator: for positions on 7 x 6, four in a row, or a PolicyValueNetwork.
    Boards that neither it nor the network of NetworkParams is for are searched with the preset "strong".
    """

    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        seed: Seed = None,
        evaluator: Evaluator | None = None,
    ) -> None:
        self._engine = Engine(params, seed=seed, evaluator=evaluator)
        self._other = Engine(seed=seed)
        self._evaluator: Any = evaluator
        self._margin = MARGIN
        # of the last turn of each mark: discs, remainingOverageTime, and how much of it the agent has taken
        self._turns = dict[int, tuple[int, float, float]]()

    def __call__(self, observation: Any, configuration: Any, started: float | None = None) -> int:
        """The column to play. started: monotonic() at the beginning of the turn, by default now.

        Raises GameOverError for a finished game, NotationError for an impossible position or what Kaggle doesn't pass.
        """
        started = monotonic() if started is None else started
        columns, rows, inarow = (_item("configuration", configuration, name) for name in ("columns", "rows", "inarow"))
        mark = _item("observation", observation, "mark")
        if max(columns, rows) > MAX_SIDE or inarow < 2:
            return simple_agent(observation, configuration)
        board = board_of(observation, Rules(columns, rows, min(inarow, MAX_CONNECT)))
        usual, bank = configuration.get("actTimeout", 2), observation.get("remainingOverageTime", 0)
        discs, before, spent = self._turns.get(mark, (board.ply, bank, 0.0))
        if discs < board.ply:  # in the same game: what more Kaggle's clock has taken
            self._margin = max(self._margin, MARGIN + before - spent - bank)
        seconds, extra = thinking_time(usual, bank, monotonic() - started, self._margin)
        is_for = self._evaluator is None or board.rules == Rules()
        if isinstance(self._engine.params, NetworkParams):
            is_for = serves(board.rules, self._evaluator)
        engine = self._engine if is_for else self._other
        result = engine.search(board, seconds=seconds, columns=False)
        if extra and result.proof is None and is_critical([move.visits for move in result.moves]):
            result = engine.search(board, seconds=extra, columns=False)
        else:
            extra = 0.0
        self._turns[mark] = board.ply, bank, extra
        return result.column


def thinking_time(usual: float, bank: float, late: float, margin: float = MARGIN) -> tuple[float, float]:
    """Seconds to think in a turn, and more seconds for a critical position.

    usual: `actTimeout`. bank: `remainingOverageTime`. late: seconds of this turn that are over. margin: seconds of
    `usual` that stay unused, up to half of it.
    """
    seconds = max(usual - margin, usual / 2) - late
    share = max(bank - RESERVE, 0) / SHARE
    if seconds < LEAST:  # there is only the overage time
        return max(share, LEAST), 0.0
    return seconds, min(share, TIMES * usual)


def is_critical(visits: Sequence[int]) -> bool:
    """Whether more time may change the move of an unproven position, by the visits of its columns.

    It may if the second column has at least half as many as the first.
    """
    first, second = sorted([0, 0, *visits], reverse=True)[:2]
    return 2 * second >= first


def agent_of(options: dict[str, Any], folder: str) -> KaggleAgent:
    """The agent of a submission, from the options of its export. folder: has the package and the network."""
    params = SearchParams.from_dict(options["params"]).changed(max_bytes=MAX_BYTES)
    return KaggleAgent(params, evaluator=network_in(folder, options["network"]) if options["network"] else None)


def network_in(folder: str, name: str) -> Evaluator:
    """The evaluator that a module in the folder NETWORK of a submission defines. ValueError; what the module raises."""
    evaluator: Evaluator | None = getattr(module_of(os.path.join(folder, NETWORK, name)), "evaluator", None)
    if not callable(evaluator):
        raise ValueError(f"{name} must define a function evaluator(planes, legal)")
    return evaluator


class Struct(dict[str, Any]):
    """A dict whose items are also attributes, as Kaggle passes to agents."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{name} (Kaggle passes an observation; choose(board) gets a Board)") from None


class KagglePlayer:
    """A Kaggle agent as a player.

    agent: a function, or the path of a Python file (for a submission, the main.py of the unpacked archive). A file is
    run again for every game. name: of the agent in the file; by default it is the last callable, as on Kaggle.
    act_timeout: seconds per move. overage: seconds per game in addition.

    An agent that answers None plays column 0, as on Kaggle. In a game with a limit of time (see play.Terms) that limit
    holds, and the agent is told a tenth of a second less.

    While the agent runs, `random` and `numpy.random` start from the game's seed; afterwards they are restored.

    `choose` raises TimeoutError if the agent has used up its time, IllegalMoveError if it answers anything but an int
    (which Kaggle refuses, too), ValueError for rules without diagonals, and any exception of the agent.
    """

    def __init__(
        self, agent: Agent | _files.StrPath, *, name: str = "", act_timeout: float = 2.0, overage: float = 60.0
    ) -> None:
        self._source = agent if callable(agent) else _files.path_of("agent", agent)
        self._name = name
        self._act_timeout = not_negative("act_timeout", act_timeout)
        self._overage = not_negative("overage", overage)
        self._margin = 0.0  # seconds of a move of which the agent is not told
        self.begin(np.random.SeedSequence())

    @classmethod
    def of_environments(cls, name: str) -> "KagglePlayer":
        """One of the agents that come with kaggle-environments, "negamax" or "random". ImportError, ValueError."""
        try:
            connectx = import_module("kaggle_environments.envs.connectx.connectx")
        except ModuleNotFoundError as error:
            text = "pip install --no-deps kaggle-environments, and pip install jsonschema requests"
            raise ModuleNotFoundError(f"{error.name} is not installed: {text}") from None
        return cls(connectx.agents[word("kaggle", name, tuple(connectx.agents))])

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Prepare for a new game: the overage time starts afresh."""
        self._agent: Agent | None = None  # until the first move of a game
        if isinstance(self._source, str):
            gc.collect()  # the names that a file defines refer to each other, and may hold a tree of many megabytes
        self._remaining = self._overage
        state = sequence(seed).generate_state(4)
        self._random: Any = random.Random(state.tobytes()).getstate(), np.random.RandomState(state).get_state()

    def time_limit(self, seconds: float, overage: float) -> None:
        """The limits that hold instead of the constructor's; see Player."""
        self._act_timeout, self._remaining, self._margin = seconds, overage, min(MARGIN, seconds / 2)

    def choose(self, board: Board) -> int:
        """The agent's move."""
        rules, timeout = board.rules, self._act_timeout - self._margin
        if not rules.diagonals:
            raise ValueError(f"ConnectX has diagonals, the rules of the board are {rules}")
        sizes = {"columns": rules.width, "rows": rules.height, "inarow": rules.connect}
        about = {
            "actTimeout": timeout,
            "timeout": timeout,
            "agentTimeout": self._remaining if self._margin else self._overage,
        } | CONFIGURATION
        if isinstance(self._source, str):
            about["__raw_path__"] = self._source
        observation = Struct(observation_of(board), step=board.ply, remainingOverageTime=self._remaining)
        before = exchanged(self._random)
        start = perf_counter()
        try:
            if self._agent is None:
                self._agent = self._source if callable(self._source) else _agent_in(self._source, self._name)
                if self._margin:  # of the limit that holds, the file has taken a part
                    about["actTimeout"] = about["timeout"] = max(timeout - (perf_counter() - start), 0.0)
            column = _call(self._agent, observation, Struct(sizes, **about))
        finally:
            seconds = perf_counter() - start
            self._random = exchanged(before)
        self._remaining -= max(0.0, seconds - self._act_timeout)
        if self._remaining < 0:
            raise TimeoutError(f"{self!r} took {seconds:.2f} s, and no overage time is left")
        column = 0 if column is None else column
        if type(column) is not int:
            raise IllegalMoveError(f"{self!r} must answer an int, not {brief(column)} ({type(column).__name__})")
        return column

    def __getstate__(self) -> dict[str, Any]:
        """The state without the agent of a game in progress: one from a file can't be pickled."""
        return {**self.__dict__, "_agent": None}

    def __repr__(self) -> str:
        name = self._source if isinstance(self._source, str) else getattr(self._source, "__name__", self._source)
        return f"KagglePlayer({name!r})"


def _agent_in(path: str, name: str) -> Agent:
    """The agent in a file: the last callable that it defines, as for Kaggle, or the one of this name.

    Raises any exception of the file, OSError, and ValueError if it is not a Python file or has no such agent.
    """
    names: dict[str, Any] = {}
    run_file(path, names)
    agents = [value for key, value in names.items() if callable(value) and name in ("", key)]
    if not agents:
        raise ValueError(f"{os.path.basename(path)} must define choose(board) or an agent as on Kaggle")
    agent: Agent = agents[-1]
    return agent


def _call(agent: Agent, *arguments: Struct) -> Any:
    """Call an agent with as many arguments as it takes: Kaggle's own take two, others one."""
    code = getattr(agent, "__code__", None)
    return agent(*arguments[: code.co_argcount] if code is not None else arguments)


def exchanged(states: Any) -> Any:
    """Set the states of the global generators of Python and NumPy; returns what they were."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002 (agents use these)
    random.setstate(states[0])
    np.random.set_state(states[1])  # noqa: NPY002
    return before
