"""Engine files: metadata, nodes and the solver's table in one archive."""

import io
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from .. import _files, _layout
from ..board.board import Board
from ..errors import SaveError
from ..rules import fits_word
from .params import SearchParams

KIND = "c4mcts engine"  # what the file says it is
FORMAT = 2
WRONG = "this is not a saved c4mcts engine, or it is damaged"
WORD = np.dtype("<u8")  # of the table


@dataclass(frozen=True, slots=True)
class Saved:
    """The state of an engine, as saved."""

    facts: dict[str, Any]  # ready for JSON; the parameters among them
    nodes: bytes  # little-endian rows of the tree; empty for no tree
    table: bytes  # the solver's entries; empty for no solver


def pack(saved: Saved) -> bytes:
    """An archive, in which the nodes are what Engine.tree gives."""
    nodes = np.frombuffer(saved.nodes, _row(params_of(saved.facts)))
    about = {"kind": KIND, "format": FORMAT, **saved.facts}
    return _files.pack(about, {"nodes": nodes, "table": np.frombuffer(saved.table, WORD)})


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
        params = params_of(facts)
        rows, words = range(params.settings().max_nodes + 1), range(_table_words(params, facts) + 1)
        nodes = archive.array("nodes", _row(params), (rows,)).tobytes()
        table = archive.array("table", WORD, (words,)).tobytes()
        return Saved(facts, nodes, table)


def params_of(facts: dict[str, Any]) -> SearchParams:
    """The parameters; SaveError if there can't be such ones."""
    try:
        return SearchParams.from_dict(facts["params"])
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(error) from None


def damaged(error: Exception) -> SaveError:
    """The error to raise for one that was found in an archive."""
    return SaveError(f"the saved engine is damaged: {'there is no ' if isinstance(error, KeyError) else ''}{error}")


def _table_words(params: SearchParams, facts: dict[str, Any]) -> int:
    """Maximum number of entries in the solver's table: two a bucket, see _pure/table.py."""
    if not params.probes or "board" not in facts:
        return 0
    try:
        rules = Board.from_fen(facts["board"]).rules
    except (TypeError, ValueError) as error:
        raise damaged(error) from None
    key_bits = rules.width * (rules.height + 1)
    return 2 << max(_layout.PROBE_TABLE_BITS - 4, key_bits - 40) if fits_word(rules) else 0


def _row(params: SearchParams) -> np.dtype[np.void]:
    """The little-endian dtype of the saved nodes."""
    fields = _layout.NODE_FIELDS + (_layout.ESTIMATE_FIELDS if params.needs_evaluator else [])
    return np.dtype(fields).newbyteorder("<")
