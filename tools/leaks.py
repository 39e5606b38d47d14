"""Memory stays flat: 10,000 searches, 1,000 engines saved and loaded, 1,000 sessions of the page (Linux).

    python tools/leaks.py               # all three, a minute of processor time
    python tools/leaks.py engines

Each looks at the resident memory of a process after a fifth of its work, when pools and caches are filled, and at the
end. The exit code is 1 if it has grown by more than ALLOWED. `sessions` needs the extra `web`.
"""

import argparse
import asyncio
import json
import os
import pickle
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
from web import Findings, served, status
from websockets.asyncio.client import connect

from c4mcts import Board, Engine, SearchParams, solve

ALLOWED = 8_000_000  # bytes: 1,000 that each search, or 10,000 that each engine or session forgets, are found
BOARDS = [Board.from_pons(text) for text in ("", "4453", "44444", "2252576253462244111563365343671351441")]
PRESETS = ("strong", "uct", "perfect", "notebook-uct")
QUERIES = (
    {"position": "4453", "maxVisits": 300, "seed": 1},
    {"position": "444", "action": "describe"},
    {"position": "2252576253462244", "action": "solve", "maxNodes": 1000},
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("all", *WORK), default="all", help="default: all")
    what = parser.parse_args().what
    grown = {name: work() for name, work in WORK.items() if what in ("all", name)}
    for name, size in grown.items():
        print(f"{name}: memory grew by {size / 1e6:.1f} MB of at most {ALLOWED / 1e6:.1f}")
    return int(max(grown.values()) > ALLOWED)


def memory(process: int | None = None) -> int:
    """The resident memory of a process in bytes, by default of this one."""
    return 1024 * status(process or os.getpid(), "VmRSS")


def searches(count: int = 10_000) -> int:
    """Bytes by which memory grew over the last four fifths of so many searches, each by a new engine."""
    before = 0
    for number in range(count):
        if number == count // 5:
            before = memory()
        engine = Engine(SearchParams.preset(PRESETS[number % len(PRESETS)]), seed=number)
        board = BOARDS[number // len(PRESETS) % len(BOARDS)]
        result = engine.search(board, simulations=100)
        engine.advance(result.column)
        solve(BOARDS[-1], max_nodes=100)
    return memory() - before


def engines(count: int = 1000) -> int:
    """The same for engines that are saved, loaded, pickled and searched again."""
    before = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "engine.npz"
        for number in range(count):
            if number == count // 5:
                before = memory()
            engine = Engine(SearchParams.preset(PRESETS[number % len(PRESETS)]), seed=number)
            engine.search(BOARDS[number % 3], simulations=1000)
            engine.save(path)
            loaded = pickle.loads(pickle.dumps(Engine.load(path)))
            loaded.search(BOARDS[number % 3], simulations=100)
    return memory() - before


def sessions(count: int = 1000) -> int:
    """The same for a server of the page, with one client after the other."""
    os.environ["MALLOC_ARENA_MAX"] = "1"  # of the server; with one for each thread it grows by chance
    found = Findings()
    grown = asyncio.run(visited(count, found))
    assert not found.errors, found.errors
    return grown


async def visited(count: int, found: Findings) -> int:
    """Bytes by which the memory of a server grew."""
    before = 0
    async with served(4, found) as (url, process):
        for number in range(count):
            if number == count // 5:
                before = memory(process)
            async with connect(url, proxy=None, compression=None) as socket:
                for query in QUERIES:
                    await socket.send(json.dumps({"id": "a", **query}))
                    reply = json.loads(await socket.recv())
                    assert "error" not in reply, reply
        return memory(process) - before


WORK = {"searches": searches, "engines": engines, "sessions": sessions}

if __name__ == "__main__":
    sys.exit(main())
