"""Engine files: metadata, nodes and the table of the solver in one archive, which may be damaged or forged."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from .. import _archives, _layout
from .._validation import between
from ..board.board import Board
from ..errors import SaveError
from ..rules import fits_solver
from .params import SearchParams

KIND = "c4mcts engine"  # what the file says it is
FORMAT = 3
WRONG = "this is not a saved c4mcts engine, or it is damaged"


# The state, ready for JSON, the parameters among them; rows of the tree, and the solver's entries, empty without them.
Saved = tuple[dict[str, Any], npt.NDArray[np.void], npt.NDArray[np.uint64]]


def pack(state: dict[str, Any], nodes: npt.NDArray[np.void], table: npt.NDArray[np.uint64]) -> bytes:
    """An archive, in which the nodes are what Engine.tree gives."""
    return _archives.pack({"kind": KIND, "format": FORMAT, **state}, {"nodes": nodes, "table": table})


def read(file: BinaryIO | str) -> Saved:
    """Read an engine's state from a file or its path. It takes no more memory than such an engine.

    SaveError, OSError.
    """
    with _archives.unpacked(file, WRONG) as archive:
        state = archive.about(kind=KIND, format=FORMAT)
        with damage_refused():
            params = SearchParams.from_dict(state["params"])
            has_table = "board" in state and params.probes and fits_solver(Board.from_fen(state["board"]).rules)
        nodes = archive.array("nodes", params.node_type, (range(params.settings.max_nodes + 1),))
        words = 1 << _layout.PROBE_TABLE_BITS - 3 if has_table else 0
        return state, nodes, archive.array("table", np.uint64, (range(words + 1),))


@contextmanager
def damage_refused() -> Iterator[None]:
    """Raise SaveError for what the contents of a damaged or forged file raise in the block."""
    try:
        yield
    except MemoryError:
        raise SaveError("the saved engine needs more memory than there is") from None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        missing = "there is no " if isinstance(error, KeyError) else ""
        raise SaveError(f"the saved engine is damaged: {missing}{error}") from None


State = tuple[int, int]  # of a generator: two 64-bit integers, not both zero


def fault_of_counts(rows: npt.NDArray[np.void], win: int) -> str:
    """Why nodes can't be calculated with: sums would overflow, or there is no number. Empty if they can.

    win: reward units of a win.
    """
    if (rows["visits"] > _layout.MAX_VALUE_SUM // win).any():
        return "a node has more visits than a tree can count"
    units = 1 if "value" in (rows.dtype.names or ()) else win  # with a mean, value_sum counts evaluations
    if (rows["value_sum"] > rows["visits"].astype(np.uint64) * units).any():
        return "a node has more rewards than visits"
    for name, lowest in ("value", -1), ("prior", 0):
        if name in (rows.dtype.names or ()) and not ((rows[name] >= lowest) & (rows[name] <= 1)).all():
            return f"a {name} lies outside its bounds"
    return ""


def checked_state(state: Any) -> State:
    """The state of a generator. TypeError or ValueError for anything else: one of zeros would give zeros for ever."""
    a, b = (between("the state of the generator", word, 0, _layout.UNLIMITED) for word in state)
    if not (a or b):
        raise ValueError(f"the state of the generator is {state!r}")
    return a, b
