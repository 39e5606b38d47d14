"""A Kaggle ConnectX agent, made by `c4mcts export-kaggle`."""

import atexit
import base64
import importlib
import io
import json
import os
import shutil
import sys
import tempfile
import threading
import types
import zipfile
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

OPTIONS = ""  # JSON: the options of the agent
PAYLOAD = ""  # the folder c4mcts as a zip archive in base 85; empty if the folder is next to this file

_file = os.path.abspath(sys._getframe().f_code.co_filename)  # Kaggle does not set __file__
BEST_REPLIES = {1: 2, 5: 4}  # to the first disc on 7 x 6, where that is not the middle
_agent: Callable[..., int] | None = None
_loading: threading.Thread | None = None
_failure: BaseException | None = None  # of the loading


def _folder() -> str:
    """The folder that contains the folder c4mcts: the temporary one of a single file is removed at the end."""
    if not PAYLOAD:
        for folder in (os.path.dirname(_file), "/kaggle_simulations/agent"):
            if os.path.isdir(os.path.join(folder, "c4mcts")):
                return folder
        raise FileNotFoundError(f"the folder c4mcts must be next to {_file}")
    folder = tempfile.mkdtemp(prefix="c4mcts-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    zipfile.ZipFile(io.BytesIO(base64.b85decode(PAYLOAD.replace("\n", "")))).extractall(folder)
    return folder


def _new_agent() -> Callable[..., int]:
    """The agent of the native core, or, if the core or NumPy can't be loaded, of the standard library."""
    options = json.loads(OPTIONS)
    # by an earlier game in this process; another thread may still be importing it
    loaded: Any = importlib.import_module("c4mcts") if "c4mcts" in sys.modules else None
    if loaded is not None and loaded.__version__ != options["version"]:
        raise ImportError(f"this agent is for c4mcts {options['version']}, the process has loaded {loaded.__version__}")
    is_new = loaded is None or options["network"]  # whose files are in no other folder
    folder = _folder() if is_new else os.path.dirname(loaded.__path__[0])
    sys.dont_write_bytecode = True  # nothing is written into the folder, now or later
    sys.path.insert(0, folder)
    try:
        from c4mcts.adapters.kaggle import agent_of

        return agent_of(options, folder)
    except Exception as error:
        print(f"c4mcts: the native core can't be loaded, so the pure-Python one plays: {error!r}", file=sys.stderr)
        _avoid_numpy(folder, options["version"])
        from c4mcts.adapters.kaggle_submission.fallback import FallbackAgent

        return FallbackAgent(options["settings"])
    finally:
        sys.path.remove(folder)


def _avoid_numpy(folder: str, version: str) -> None:
    """Allow importing the modules of c4mcts without its __init__, which needs NumPy."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "c4mcts"]:
        del sys.modules[name]
    package: Any = types.ModuleType("c4mcts")
    package.__path__, package.__version__ = [os.path.join(folder, "c4mcts")], version
    sys.modules["c4mcts"] = package


def _load() -> None:
    global _agent, _failure
    try:
        _agent = _new_agent()
    except BaseException as error:
        _failure = error


def _field(source: Any, name: str, default: float | None = None) -> Any:
    """A field of a mapping or an object, as in turn.field_of."""
    if isinstance(source, Mapping):
        return source[name] if default is None else source.get(name, default)
    return getattr(source, name) if default is None else getattr(source, name, default)


def _quick_move(observation: Any, configuration: Any) -> int:
    """A move without the package: win, stop a threat, leave no cell to the opponent that wins; else near the middle."""
    columns, rows, inarow = (_field(configuration, name) for name in ("columns", "rows", "inarow"))
    board, mark = list(_field(observation, "board")), _field(observation, "mark")
    moves = sorted((c for c in range(columns) if board[c] == 0), key=lambda column: abs(2 * column + 1 - columns))
    if (columns, rows, inarow, len(board) - board.count(0)) == (7, 6, 4, 1):
        return BEST_REPLIES.get(next(place for place, disc in enumerate(board) if disc) % 7, 3)

    def free_row(column: int, discs: int = 0) -> int:
        return max((row for row in range(rows) if board[row * columns + column] == 0), default=-1) - discs

    def wins(column: int, row: int, player: int) -> bool:
        def run(down: int, right: int) -> int:
            y, x, length = row + down, column + right, 0
            while 0 <= y < rows and 0 <= x < columns and board[y * columns + x] == player:
                y, x, length = y + down, x + right, length + 1
            return length

        directions = ((0, 1), (1, 0), (1, 1), (1, -1))
        return row >= 0 and any(run(*step) + run(-step[0], -step[1]) + 1 >= inarow for step in directions)

    for player in (mark, 3 - mark):
        for column in moves:
            if wins(column, free_row(column), player):
                return column
    safe = [column for column in moves if not wins(column, free_row(column, 1), 3 - mark)]
    return (safe or moves)[0]


def agent(observation: Any, configuration: Any) -> int:
    """The column to play."""
    global _loading
    started = monotonic()
    if _agent is None:
        if _loading is None:
            _loading = threading.Thread(target=_load)
            _loading.start()
        allowed = _field(configuration, "actTimeout", 2) + _field(observation, "remainingOverageTime", 0)
        _loading.join(allowed / 2)
    if _failure is not None:
        raise _failure
    if _agent is None:
        return _quick_move(observation, configuration)
    return _agent(observation, configuration, started)
