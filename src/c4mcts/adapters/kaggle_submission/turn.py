"""An agent's input in one turn: a board, and an amount of time. Needs only the standard library.

An agent may think for `actTimeout` seconds each turn; additional time comes out of `remainingOverageTime`, 60 seconds
for a whole game. When that is used up, the game is lost.
"""

import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ..._layout import MAX_SIDE
from ..._validation import members, not_negative, positive, real_number, refused, shown, whole_number
from ...errors import NotationError
from ...rules import MAX_CONNECT, Rules

MARGIN = 0.1  # seconds of actTimeout that stay unused: the search ends up to 20 ms late, and machines are busy
RESERVE = 2.0  # seconds of remainingOverageTime that are never spent
SHARE = 8  # a critical position gets one part in this many of the rest,
TIMES = 4  # but at most this multiple of actTimeout
LEAST = 0.005  # seconds for a move, no matter how little time there is
NETWORK = "c4mcts_network"  # the folder of a network in a submission, next to the package
LONGEST = 3600.0  # seconds for a move, no matter how much time there is


@dataclass(frozen=True)
class Turn:
    """One turn. board: cells row by row, the top row first: 0 empty, 1, 2. mark: the disc of the player to move."""

    columns: int
    rows: int
    inarow: int
    board: Sequence[int]
    mark: int
    seconds: float  # to think
    extra: float  # more seconds to think, for a critical position

    @classmethod
    def read(cls, observation: Any, configuration: Any, started: float) -> "Turn":
        """Read the arguments of an agent, which are mappings or have attributes. started: monotonic() at the call.

        Raises TypeError or ValueError that names the field.
        """
        columns, rows, inarow = (
            positive(name, field_of("configuration", configuration, name)) for name in ("columns", "rows", "inarow")
        )
        cells = columns * rows
        board = members("board", field_of("observation", observation, "board"), f"{cells} cells", cells)
        if len(board) != cells:
            raise ValueError(f"board must have {cells} cells ({columns} x {rows}), not {len(board)}")
        mark = whole_number("mark", field_of("observation", observation, "mark"))
        if mark not in (1, 2):
            raise ValueError(refused("mark", "1 or 2", mark))
        usual = not_negative("actTimeout", field_of("configuration", configuration, "actTimeout", 2))
        bank = real_number("remainingOverageTime", field_of("observation", observation, "remainingOverageTime", 0))
        seconds = max(usual - MARGIN, usual / 2) - (monotonic() - started)
        share = max(bank - RESERVE, 0) / SHARE
        extra = min(share, TIMES * usual)
        if seconds < LEAST:  # there is only the overage time
            seconds, extra = share, 0.0
        seconds = min(max(seconds, LEAST), LONGEST)
        return cls(columns, rows, inarow, board, mark, seconds, min(extra, LONGEST))

    def rules(self) -> Rules | None:
        """The rules; None for those that c4mcts does not support: more than 64 columns or rows, or one in a row."""
        if max(self.columns, self.rows) > MAX_SIDE or self.inarow < 2:
            return None
        return Rules(self.columns, self.rows, min(self.inarow, MAX_CONNECT))

    def open_column(self) -> int:
        """The open column that is nearest to the middle. ValueError if the board is full."""
        columns = [column for column in range(self.columns) if self.board[column] == 0]
        if not columns:
            raise ValueError("board must have an empty cell in its top row: there is no legal move")
        return min(columns, key=lambda column: abs(2 * column + 1 - self.columns))


def is_critical(visits: Sequence[int]) -> bool:
    """Whether more time may change the move of an unproven position, by the visits of its columns.

    It may if the second column has at least half as many as the first.
    """
    first, second = sorted([0, 0, *visits])[:-3:-1]
    return 2 * second >= first


def network_in(folder: str, name: str) -> Callable[..., Any]:
    """The evaluator that a module in the folder NETWORK of a submission defines. ValueError; what the module raises."""
    path = os.path.join(folder, NETWORK, name)
    spec = importlib.util.spec_from_file_location(f"{NETWORK}_{name.removesuffix('.py')}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    evaluator: Callable[..., Any] | None = getattr(module, "evaluator", None)
    if not callable(evaluator):
        raise ValueError(f"{name} must define a function evaluator(planes, legal)")
    return evaluator


def field_of(kind: str, source: Any, name: str, default: Any = None) -> Any:
    """A field of a mapping or an object. NotationError if it is missing and there is no default."""
    try:
        return source[name] if isinstance(source, Mapping) else getattr(source, name)
    except (KeyError, AttributeError):
        if default is None:
            raise NotationError(f"the {kind} has no {name!r}: {shown(source)}") from None
        return default
