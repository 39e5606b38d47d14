"""Engines as bytes and files: a header of JSON, the nodes, the solver's table, and a hash over all of it."""

import hashlib
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import SaveError

MAGIC = b"c4mcts engine\n"
FORMAT = 1
HASH = hashlib.sha256
LEVEL = 1  # of the compression: trees shrink to a third, higher levels gain little


@dataclass(frozen=True, slots=True)
class Saved:
    """What there is of an engine to save."""

    facts: dict[str, Any]  # ready for JSON
    nodes: bytes  # little-endian rows of the tree; empty for no tree
    table: bytes  # the solver's entries; empty for no solver


def pack(saved: Saved) -> bytes:
    """To bytes, the same on every platform."""
    parts = [zlib.compress(part, LEVEL) for part in (saved.nodes, saved.table)]
    header = {"format": FORMAT, "sizes": [len(part) for part in parts], **saved.facts}
    body = b"".join([MAGIC, json.dumps(header).encode(), b"\n", *parts])
    return body + HASH(body).digest()


def unpack(data: bytes) -> Saved:
    """From bytes; SaveError if they are not what `pack` makes."""
    if not data.startswith(MAGIC):
        raise SaveError("this is not a saved c4mcts engine")
    end = data.find(b"\n", len(MAGIC))
    try:
        facts = json.loads(data[len(MAGIC) : end])
        form = facts.pop("format")
        if form != FORMAT:
            raise SaveError(
                f"the engine was saved by another release of c4mcts, in format {form}; this one reads {FORMAT}"
            )
        nodes_size, table_size = facts.pop("sizes")
        body, digest = data[: -HASH().digest_size], data[-HASH().digest_size :]
        if HASH(body).digest() != digest or len(body) != end + 1 + nodes_size + table_size:
            raise SaveError("the saved engine is truncated or damaged")
        nodes, table = body[end + 1 : end + 1 + nodes_size], body[end + 1 + nodes_size :]
        return Saved(facts, zlib.decompress(nodes), zlib.decompress(table))
    except SaveError:
        raise
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, zlib.error):
        raise SaveError("the saved engine is damaged: it can't be read") from None


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """All of it or nothing: whatever happens meanwhile, the path holds the old file or the new one."""
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.urandom(6).hex()}.part")
    try:
        with open(part, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
