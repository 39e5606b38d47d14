"""Kaggle ConnectX: the search as an agent, any agent as a player, and its observations as boards.

An agent is a function agent(observation, configuration) -> column. None of this needs kaggle-environments.
"""

import gc
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from .. import _files
from .._backend import BackendName
from .._validation import not_negative, refused, shown, whole_number
from ..board.board import Board
from ..board.positions import AnyBoard, a_board, unfinished
from ..errors import IllegalMoveError, NotationError
from ..rules import Rules, rules_or_default
from ..search.engine import Engine
from ..search.evaluators import Evaluator
from ..search.network import serves
from ..search.params import NetworkParams, SearchParams
from ..seeds import Seed, sequence
from .kaggle_submission.turn import Turn, field_of, is_critical, network_in

MAX_BYTES = 1 << 30  # of the tree in a submission

Agent = Callable[..., Any]


def board_of(observation: Any, rules: Rules | None = None) -> Board:
    """The board of an observation, a mapping or an object with `board` and `mark`; rules: 7 x 6 by default.

    board: flat, top row first, of 0, 1, 2. mark: the player to move, 1 or 2. NotationError; TypeError for a mark that
    is not an integer.
    """
    rules = rules_or_default(rules)
    cells, mark = (field_of("observation", observation, name) for name in ("board", "mark"))
    try:
        rows = np.reshape(cells if len(cells) == rules.cells else (), (rules.height, rules.width))
    except (TypeError, ValueError):
        wanted = f"{rules.cells} cells ({rules.width} x {rules.height})"
        raise NotationError(f"{refused('board', wanted, cells)}: check the rules") from None
    mark = whole_number("mark", mark)
    if mark not in (1, 2):
        raise NotationError(refused("mark", "1 or 2", mark))
    board = Board.from_array(rows, rules)
    if board.turn != mark - 1:
        raise NotationError(f"mark is {mark}, but after {board.ply} discs it is the turn of player {board.turn + 1}")
    return board


def observation_of(board: AnyBoard) -> dict[str, Any]:
    """The observation of the player to move: {"board": [...], "mark": 1 or 2}."""
    board = a_board(board)
    return {"board": board.to_array().ravel().tolist(), "mark": board.turn + 1}


class KaggleAgent:
    """A search as a Kaggle agent, which keeps its tree from turn to turn.

    It thinks for `actTimeout` minus a tenth of a second; if the move is then in doubt, also for an eighth of
    `remainingOverageTime`, at most four times `actTimeout`. It plays any configuration; on boards of more than 64
    columns or rows, the open column nearest to the middle. params, seed, backend: as for Engine. evaluator: for
    positions on 7 x 6, four in a row. Boards that neither it nor the network of NetworkParams is for are searched with
    the preset "strong".
    """

    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        seed: Seed = None,
        backend: BackendName = "auto",
        evaluator: Evaluator | None = None,
    ) -> None:
        self._engine = Engine(params, seed=seed, backend=backend, evaluator=evaluator)
        self._other = Engine(seed=seed, backend=backend)
        self._has_network = isinstance(params, NetworkParams)
        self._has_evaluator = evaluator is not None

    def __call__(self, observation: Any, configuration: Any, started: float | None = None) -> int:
        """The column to play. started: monotonic() at the beginning of the turn, by default now.

        Raises TypeError, ValueError or NotationError for arguments that Kaggle never passes, GameOverError for a
        finished game.
        """
        turn = Turn.read(observation, configuration, monotonic() if started is None else started)
        rules = turn.rules()
        if rules is None:
            return turn.open_column()
        board = board_of({"board": turn.board, "mark": turn.mark}, rules)
        engine = self._engine if self._is_for(rules) else self._other
        result = engine.search(board, seconds=turn.seconds, columns=False)
        if turn.extra and result.proof is None and is_critical([move.visits for move in result.moves]):
            result = engine.search(board, seconds=turn.extra, columns=False)
        return result.column

    def _is_for(self, rules: Rules) -> bool:
        """Whether the search of this agent is for boards with these rules."""
        if self._has_network:
            return serves(rules)
        return not self._has_evaluator or rules == Rules()

    def __repr__(self) -> str:
        return f"<c4mcts.adapters.kaggle.KaggleAgent {self._engine.backend}>"


def agent_of(options: dict[str, Any], folder: str) -> KaggleAgent:
    """The agent of a submission, from the options of its export. ImportError without the native core.

    folder: has the package and the network.
    """
    params = SearchParams.from_dict(options["params"]).changed(max_bytes=MAX_BYTES)
    evaluator = network_in(folder, options["network"]) if options["network"] else None
    return KaggleAgent(params, backend="native", evaluator=evaluator)


class Struct(dict[str, Any]):
    """A dict whose items are also attributes, as Kaggle passes to agents."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class KagglePlayer:
    """A Kaggle agent as a player.

    agent: a function, or the path of a Python file (for a submission, the main.py of the unpacked archive). A file is
    run again for every game, and its agent is the last callable that it defines, as on Kaggle. act_timeout: seconds per
    move. overage: seconds per game in addition.

    While the agent runs, `random` and `numpy.random` start from the game's seed; afterwards they are restored.

    `choose` raises TimeoutError if the agent has used up its time, IllegalMoveError if it answers anything but an int
    (which Kaggle refuses, too), ValueError for rules without diagonals, and any exception of the agent.
    """

    def __init__(self, agent: Agent | _files.StrPath, *, act_timeout: float = 2.0, overage: float = 60.0) -> None:
        self._given = agent if callable(agent) else _files.path_of("agent", agent)
        self._act_timeout = not_negative("act_timeout", act_timeout)
        self._overage = self._remaining = not_negative("overage", overage)
        self._agent: Agent | None = None  # None until the first move of a game
        self._random: tuple[Any, Any] = _random_states(np.random.SeedSequence())

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Prepare for a new game: the overage time starts afresh."""
        if self._agent is not None and isinstance(self._given, str):
            self._agent = None
            gc.collect()  # the names that a file defines refer to each other, and may hold a tree of many megabytes
        self._agent = None
        self._remaining = self._overage
        self._random = _random_states(sequence(seed))

    def choose(self, board: Board) -> int:
        """The agent's move."""
        board = unfinished(board)
        if not board.rules.diagonals:
            raise ValueError(f"ConnectX has diagonals, the rules of the board are {board.rules}")
        observation = Struct(observation_of(board), step=board.ply, remainingOverageTime=self._remaining)
        arguments = observation, self._configuration(board)
        with self._own_random_numbers():
            start = perf_counter()
            if self._agent is None:
                self._agent = self._given if callable(self._given) else last_callable(self._given)
            column = _call(self._agent, arguments)
            seconds = perf_counter() - start
        self._remaining -= max(0.0, seconds - self._act_timeout)
        if self._remaining < 0:
            raise TimeoutError(f"{self!r} took {seconds:.2f} s, and no overage time is left")
        if type(column) is not int:
            raise IllegalMoveError(f"{self!r} must answer an int, not {shown(column)} ({type(column).__name__})")
        return column

    def __getstate__(self) -> dict[str, Any]:
        """Without the agent of a game in progress: one from a file can't be pickled."""
        return {**self.__dict__, "_agent": None}

    def _configuration(self, board: Board) -> Struct:
        rules, timeout = board.rules, self._act_timeout
        sizes = {"columns": rules.width, "rows": rules.height, "inarow": rules.connect}
        return Struct(sizes, actTimeout=timeout, timeout=timeout, agentTimeout=self._overage, episodeSteps=1000)

    @contextmanager
    def _own_random_numbers(self) -> Iterator[None]:
        """Install this game's states of the global generators, and restore the old ones afterwards."""
        before = _current_random_states()
        _set_random_states(self._random)
        try:
            yield
        finally:
            self._random = _current_random_states()
            _set_random_states(before)

    def __repr__(self) -> str:
        name = self._given if isinstance(self._given, str) else getattr(self._given, "__name__", self._given)
        return f"KagglePlayer({name!r})"


def named_player(path: str, rules: Rules) -> Callable[[], KagglePlayer]:
    """A function that makes the player of a file, which is run once to check that it is an agent. ValueError."""
    try:
        last_callable(path)
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
    return partial(KagglePlayer, os.path.abspath(path))


def last_callable(path: _files.StrPath) -> Agent:
    """The agent in a file: the last callable that it defines, as for Kaggle.

    The file is run with its folder at the end of the import path. Raises any exception of the file, OSError, and
    ValueError if it is not a Python file or defines nothing callable.
    """
    path = _files.path_of("agent", path)
    try:
        code = compile(Path(path).read_bytes(), path, "exec")
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        raise ValueError(f"agent must be a Python file, but in {path}: {error}") from None
    names: dict[str, Any] = {}
    sys.path.append(str(Path(path).resolve().parent))
    try:
        exec(code, names)
    finally:
        sys.path.pop()
    found = [value for value in names.values() if callable(value)]
    if not found:
        raise ValueError(f"{path} must define an agent: it contains nothing callable")
    agent: Agent = found[-1]
    return agent


def _call(agent: Agent, arguments: tuple[Struct, Struct]) -> Any:
    """Call an agent with as many arguments as it takes: Kaggle's own take two, others one."""
    code = getattr(agent, "__code__", None)
    return agent(*arguments[: code.co_argcount] if code is not None else arguments)


def _random_states(seed: np.random.SeedSequence) -> tuple[Any, Any]:
    """States of `random` and of `numpy.random`."""
    words = seed.generate_state(4)
    return random.Random(words.tobytes()).getstate(), np.random.RandomState(words).get_state()


def _current_random_states() -> tuple[Any, Any]:
    return random.getstate(), np.random.get_state()  # noqa: NPY002 (agents use these)


def _set_random_states(states: tuple[Any, Any]) -> None:
    random.setstate(states[0])
    np.random.set_state(states[1])  # noqa: NPY002
