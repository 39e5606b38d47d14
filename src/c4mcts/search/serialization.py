"""Engine files: metadata, nodes and the table of the solver in one archive, which may be damaged or forged."""

import io
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from .. import _files, _layout
from ..board.board import Board
from ..errors import SaveError
from ..rules import Rules, fits_solver
from .params import NetworkParams, SearchParams
from .root_moves import Bounds, RootMoves

KIND = "c4mcts engine"  # what the file says it is
FORMAT = 3
WRONG = "this is not a saved c4mcts engine, or it is damaged"
WORD = np.dtype(np.uint64)  # of the table
NODE = np.dtype(_layout.NODE_FIELDS)
EVALUATED_NODE = np.dtype(_layout.NODE_FIELDS + _layout.ESTIMATE_FIELDS)
NETWORK_NODE = np.dtype([*_layout.NODE_FIELDS, _layout.ESTIMATE_FIELDS[1]])  # its mean is in value_sum


@dataclass(frozen=True, slots=True)
class Saved:
    """The state of an engine, as saved."""

    facts: dict[str, Any]  # ready for JSON; the parameters among them
    nodes: npt.NDArray[np.void]  # rows of the tree; empty for no tree
    table: npt.NDArray[np.uint64]  # the solver's entries; empty for no solver


def pack(saved: Saved) -> bytes:
    """An archive, in which the nodes are what Engine.tree gives."""
    about = {"kind": KIND, "format": FORMAT, **saved.facts}
    return _files.pack(about, {"nodes": saved.nodes, "table": saved.table})


def unpack(data: bytes) -> Saved:
    """From bytes; SaveError if they are not what `pack` makes."""
    return read(io.BytesIO(data))


def read(file: BinaryIO) -> Saved:
    """From a file; SaveError if it is not what `pack` makes, OSError. It takes no more memory than such an engine."""
    with _files.unpacked(file, WRONG) as archive:
        facts = archive.about()
        if facts.pop("kind", None) != KIND:
            raise SaveError(WRONG)
        form = facts.pop("format", None)
        if form != FORMAT:
            raise SaveError(
                f"the engine was saved by another release of c4mcts, in format {form!r}; this one reads {FORMAT}"
            )
        params, rules = params_of(facts), _rules_of(facts)
        dtype, rows = row_type(params), range(params.settings().max_nodes + 1)
        if archive.rows("nodes") * dtype.itemsize > _files.LARGE:
            _check_blocks(archive, dtype, rows, _layout.MAX_SIDE if rules is None else rules.width)
        nodes = archive.array("nodes", dtype, (rows,))
        return Saved(facts, nodes, archive.array("table", WORD, (range(_table_words(params, rules) + 1),)))


def params_of(facts: dict[str, Any]) -> SearchParams:
    """The parameters; SaveError if there can't be such ones."""
    try:
        return SearchParams.from_dict(facts["params"])
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(error) from None


def damaged(error: Exception) -> SaveError:
    """The error to raise for one that was found in an archive."""
    return SaveError(f"the saved engine is damaged: {'there is no ' if isinstance(error, KeyError) else ''}{error}")


def _check_blocks(archive: _files.Archive, dtype: np.dtype[np.void], rows: range, width: int) -> None:
    """SaveError unless the nodes can lie in blocks with ascending columns, each at its place and the child of a node.

    This takes a byte for each node, before the memory for all of them is taken. A file of zeros is a thousandth of
    them; one that passes is not much smaller than that of an honest tree.
    """
    count = archive.rows("nodes")
    sizes = np.zeros(min(count, rows.stop), np.uint8)  # of blocks, by index of the first child
    begun, column = 0, np.zeros(1, np.uint8)  # blocks that must have begun, as the column descends; the last column
    for piece in archive.pieces("nodes", dtype, rows):
        columns = np.concatenate([column, piece["column"]])
        begun += int(np.count_nonzero(columns[1:] <= columns[:-1]))
        column = columns[-1:]
        parents = piece[piece["size"] > 0]
        if (parents["children"] >= count).any() or (parents["size"] > width).any():
            raise damaged(ValueError("a node has children outside the tree"))
        sizes[parents["children"]] = parents["size"]
    if sizes.sum(dtype=np.int64) != count - 1 or begun > np.count_nonzero(sizes):
        raise damaged(ValueError("a node is not the child of any node"))


def _rules_of(facts: dict[str, Any]) -> Rules | None:
    """The rules of the tree; None if there is none. SaveError."""
    if "board" not in facts:
        return None
    try:
        return Board.from_fen(facts["board"]).rules
    except (TypeError, ValueError) as error:
        raise damaged(error) from None


def _table_words(params: SearchParams, rules: Rules | None) -> int:
    """Maximum number of words in the solver's table."""
    return 1 << _layout.PROBE_TABLE_BITS - 3 if params.probes and rules is not None and fits_solver(rules) else 0


def row_type(params: SearchParams) -> np.dtype[np.void]:
    """The dtype of nodes."""
    return NETWORK_NODE if isinstance(params, NetworkParams) else EVALUATED_NODE if params.needs_evaluator else NODE


State = tuple[int, int]  # of a generator: two 64-bit integers, not both zero


def facts_of_root(facts: dict[str, Any], moves: RootMoves, board: Board) -> tuple[int | None, list[int]]:
    """The facts of a snapshot about its board: the player the tree was grown for, and short_wins.

    moves: those of the root; their bounds are narrowed by those of the snapshot.

    Raises as EngineTree.restore does.
    """
    player, wins, pairs = facts["player"], facts["wins"], facts["bounds"]
    if player not in (None, 0, 1) or isinstance(player, bool | float):
        raise ValueError(f"the player it was grown for is {player!r}")
    columns = board.legal_columns
    if not all(
        type(column) is int and column in columns and [type(number) for number in pair] == [int, int]
        for column, pair in pairs
    ):
        raise ValueError(f"the bounds of the columns are {pairs!r}")
    if (
        not isinstance(wins, list)
        or len(wins) != board.rules.width
        or not all(type(plies) is int and 0 <= plies < 2**13 for plies in wins)
    ):
        raise ValueError(f"the plies to the soonest wins are {wins!r}")
    for column, (lower, upper) in pairs:
        narrow(moves, column, (lower, upper))
    return player, wins


def narrow(moves: RootMoves, column: int, read: Bounds) -> None:
    """RootMoves.narrow with bounds that were read from a file; ValueError if they contradict what is known."""
    try:
        is_contradiction = moves.contradicts(column, read)
    except OverflowError:
        raise ValueError(f"the bounds of column {column} are {read!r}") from None
    if is_contradiction:
        lower, upper = moves.bounds()[column]
        lower, upper = max(lower, read[0]), min(upper, read[1])
        raise ValueError(f"column {column} can't score at least {lower} and at most {upper}")
    moves.narrow(column, read)


def fault_of_estimates(rows: npt.NDArray[np.void]) -> str:
    """What is wrong with the evaluator's part of nodes; empty if it is sound."""
    if not ((rows["prior"] >= 0) & (rows["prior"] <= 1)).all():
        return "a value or a prior lies outside its bounds"
    if rows.dtype == NETWORK_NODE:
        return ""
    if not (np.abs(rows["value"]) <= 1).all():
        return "a value or a prior lies outside its bounds"
    return "a node has more evaluations than visits" if (rows["value_sum"] > rows["visits"]).any() else ""


def checked_state(state: Any) -> State:
    """The state of a generator. TypeError or ValueError for anything else."""
    a, b = state
    if type(a) is not int or type(b) is not int or not (0 <= a < 2**64 and 0 <= b < 2**64 and (a or b)):
        raise ValueError(f"the state of the generator is {state!r}")
    return a, b
