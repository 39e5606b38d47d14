"""A Kaggle ConnectX agent, made by `c4mcts export-kaggle`; where c4mcts does not work, it plays simple moves."""

import atexit
import base64
import importlib
import io
import json
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable
from time import monotonic
from typing import Any

OPTIONS = ""  # JSON: the options of the agent
PAYLOAD = ""  # the package as a .tar.gz archive in base 64; empty if the folder c4mcts is next to this file

_file = os.path.abspath(sys._getframe().f_code.co_filename)  # Kaggle does not set __file__
_agent: Callable[..., int] | None = None  # made in the first turn


def simple_agent(observation: Any, configuration: Any, started: float = 0.0) -> int:
    """Win, stop a threat, leave no winning cell to the opponent; else play near the middle. started: not used."""
    board, mark = observation["board"], observation["mark"]
    columns, rows, inarow = (configuration[name] for name in ("columns", "rows", "inarow"))

    def discs(row: int, column: int, down: int, right: int, player: int) -> int:
        """How many discs of the player follow on a cell in one direction."""
        row, column, count = row + down, column + right, 0
        while 0 <= row < rows and 0 <= column < columns and board[row * columns + column] == player:
            row, column, count = row + down, column + right, count + 1
        return count

    def wins(column: int, player: int, above: int = 0) -> bool:
        """Whether a disc in the lowest empty cell of a column wins, or in the cell that is `above` cells higher."""
        row = list(board[column::columns]).count(0) - 1 - above
        lines = ((0, 1), (1, 0), (1, 1), (1, -1))
        length = max(discs(row, column, d, r, player) + 1 + discs(row, column, -d, -r, player) for d, r in lines)
        return row >= 0 and length >= inarow

    moves = sorted((c for c in range(columns) if board[c] == 0), key=lambda column: abs(2 * column + 1 - columns))
    winning = [column for column in moves if wins(column, mark)]
    threatened = [column for column in moves if wins(column, 3 - mark)]
    safe = [column for column in moves if not wins(column, 3 - mark, above=1)]
    return (winning or threatened or safe or moves)[0]


def _folder() -> str:
    """The folder that contains the folder c4mcts: the temporary one of a single file is removed at the end."""
    if PAYLOAD:
        folder = tempfile.mkdtemp(prefix="c4mcts-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(base64.b64decode(PAYLOAD))) as tar:
            tar.extractall(folder, filter="data")
        return folder
    for folder in (os.path.dirname(_file), "/kaggle_simulations/agent"):
        if os.path.isdir(os.path.join(folder, "c4mcts")):
            return folder
    raise FileNotFoundError(f"the folder c4mcts must be next to {_file}")


class OtherVersion(ImportError):
    """Another agent in this process has loaded another version of the package."""


def _load() -> Callable[..., int]:
    """The agent of the package. OtherVersion, and any error of the package."""
    options = json.loads(OPTIONS)
    package = options["package"]
    loaded = sys.modules.get(package)  # by another agent in this process
    if loaded is not None and loaded.__version__ != options["version"]:
        raise OtherVersion(
            f"this agent is for c4mcts {options['version']}, the process has loaded {loaded.__version__}"
        )
    # the files of a network are in the folder of its own submission
    folder = _folder() if loaded is None or options["network"] else os.path.dirname(loaded.__path__[0])
    sys.dont_write_bytecode = True  # nothing is written into the folder, now or later
    sys.path.insert(0, folder)
    try:
        made: Callable[..., int] = importlib.import_module(f"{package}.{options['module']}").agent_of(options, folder)
    finally:
        sys.path.remove(folder)
    return made


def agent(observation: Any, configuration: Any) -> int:
    """The column to play. The last function of this file, since Kaggle takes the last one."""
    global _agent
    started = monotonic()
    if _agent is None:
        try:
            _agent = _load()
            return _agent(observation, configuration, started)
        except OtherVersion:
            raise
        except Exception as error:
            print(f"c4mcts does not work here, so a simple agent plays in its place: {error!r}", file=sys.stderr)
            _agent = simple_agent
    return _agent(observation, configuration, started)
