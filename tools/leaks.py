"""Memory stays flat: 10,000 searches, 1,000 engines saved and loaded, 1,000 whose evaluator raises, 1,000 sessions of
the page, and 1,000 solves of each of three boards by every long-running solver (Linux).

    python tools/leaks.py               # all, three minutes of processor time
    python tools/leaks.py engines

Each looks at the resident memory of a process from a fifth of its work on, when pools and caches are filled. The exit
code is 1 if it has grown by more than ALLOWED. Needs the extras `web` and `notebook`.
"""

import argparse
import asyncio
import gc
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
from web import Findings, served, status
from websockets.asyncio.client import connect
from websockets.sync.client import connect as connect_and_wait

from c4mcts import Board, Engine, PuctParams, Rules, SearchParams, Solver, solve
from c4mcts.protocol import Session
from c4mcts.view import AnalysisBoard

ALLOWED = 6_000_000  # bytes: finds leaks of 1,000 per search, or of 10,000 per engine or session
# of the C library: large tables are given back when they are freed, whatever was freed before, and threads share one
# arena; otherwise memory grows by chance
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_ARENA_MAX": "1"}
BOARDS = [Board.from_pons(text) for text in ("", "4453", "44444", "2252576253462244111563365343671351441")]
PRESETS = ("strong", "uct", "perfect", "notebook-uct")
QUERIES = (
    {"position": "4453", "maxVisits": 300, "seed": 1},
    {"position": "444", "action": "describe"},
    {"position": "2252576253462244", "action": "solve", "maxNodes": 1000},
)
SOLVE = {"id": "a", "action": "solve", "maxNodes": 200, "reportDuringSearchEvery": 0.1}
SOLVED = {  # a table of 64 KB, one of 256 MB, and the pure backend
    "2252576253462244": Rules(),
    "": Rules(8, 7),
    "4": Rules(9, 8),
}

Answer = Callable[[str, Rules], object]  # solves the position of a string


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("all", *WORK), default="all", help="default: all")
    what = parser.parse_args().what
    if not os.environ.keys() >= MALLOC.keys():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **MALLOC})
    grown = {name: work() for name, work in WORK.items() if what in ("all", name)}
    for name, size in grown.items():
        print(f"{name}: memory grew by {size / 1e6:.1f} MB of at most {ALLOWED / 1e6:.1f}")
    return int(max(grown.values()) > ALLOWED)


def memory(process: int | None = None) -> int:
    """The resident memory of a process in bytes, by default of this one, without files, which the system drops."""
    return 1024 * status(process or os.getpid(), "RssAnon")


def growth(sizes: list[int]) -> int:
    """By how much memory grew from the second fifth of a work to the last.

    The least of each counts: in between, tables and trees come and go.
    """
    fifth = len(sizes) // 5
    return min(sizes[-fifth:]) - min(sizes[fifth : 2 * fifth])


def searches(count: int = 10_000) -> int:
    """Bytes by which memory grew over `count` searches, each by a new engine."""
    sizes = []
    for number in range(count):
        engine = Engine(SearchParams.preset(PRESETS[number % len(PRESETS)]), seed=number)
        board = BOARDS[number // len(PRESETS) % len(BOARDS)]
        result = engine.search(board, simulations=100)
        engine.advance(result.column)
        solve(BOARDS[-1], max_nodes=100)
        sizes.append(memory())
    return growth(sizes)


def engines(count: int = 1000) -> int:
    """The same for engines that are saved, loaded, pickled and searched again."""
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "engine.npz"
        for number in range(count):
            engine = Engine(SearchParams.preset(PRESETS[number % len(PRESETS)]), seed=number)
            engine.search(BOARDS[number % 3], simulations=1000)
            engine.save(path)
            loaded = pickle.loads(pickle.dumps(Engine.load(path)))
            loaded.search(BOARDS[number % 3], simulations=100)
            sizes.append(memory())
    return growth(sizes)


def failures(count: int = 1000) -> int:
    """The same for engines whose evaluator raises, without the garbage collector."""
    sizes = []
    gc.disable()
    for number in range(count):
        batches = iter(range(10))
        with suppress(StopIteration):
            engine = Engine(PuctParams(), seed=number, evaluator=partial(uniform, batches))
            engine.search(BOARDS[number % 3], simulations=1000)
        del engine
        sizes.append(memory())
    gc.enable()
    return growth(sizes)


def uniform(batches: Iterator[int], planes: object, legal: Any) -> tuple[Any, Any]:
    """An evaluator with equal priors and values, until there are no more batches."""
    next(batches)
    return legal / legal.sum(1, keepdims=True), legal[:, 0] * 0.0


def sessions(count: int = 1000) -> int:
    """The same for a server of the page, with one client after the other."""
    found = Findings()
    grown = asyncio.run(visited(count, found))
    assert not found.errors, found.errors
    return grown


async def visited(count: int, found: Findings) -> int:
    """Bytes by which the memory of a server grew."""
    sizes = []
    async with served(4, found) as (url, process):
        for _ in range(count):
            async with connect(url, proxy=None, compression=None) as socket:
                for query in QUERIES:
                    await socket.send(json.dumps({"id": "a", **query}))
                    reply = json.loads(await socket.recv())
                    assert "error" not in reply, reply
            sizes.append(memory(process))
    return growth(sizes)


def solves(service: Callable[..., Any], count: int = 1000) -> int:
    """The largest growth of memory over `count` solves of a board by a service.

    One board after the other: a solve by the pure backend makes Python collect anything the others may have left
    behind.
    """
    most = 0
    with service() as (answer, process):
        for moves, rules in SOLVED.items():
            sizes = []
            for _ in range(count):
                answer(moves, rules)
                sizes.append(memory(process))
            most = max(most, growth(sizes))
    return most


Service = Iterator[tuple[Answer, int]]  # and the process that solves


@contextmanager
def function() -> Service:
    """The function `solve`."""
    yield lambda moves, rules: solve(Board.from_pons(moves, rules), max_nodes=200, on_progress=bool), os.getpid()


@contextmanager
def solver() -> Service:
    """A Solver for each board. It keeps its table, so it gets positions that can be solved quickly."""
    solvers = {rules: (Solver(rules), late(rules)) for rules in SOLVED.values()}

    def answer(_: str, rules: Rules) -> object:
        one, board = solvers[rules]
        return one.solve(board, on_progress=bool)

    yield answer, os.getpid()


def late(rules: Rules) -> Board:
    """A random position with ten empty cells."""
    generator = random.Random(1)
    while True:
        board = Board(rules)
        while not board.is_over():
            if rules.cells - board.ply == 10:
                return board
            board.push(generator.choice(board.legal_columns))


@contextmanager
def session() -> Service:
    """A session of the protocol."""
    replies: SimpleQueue[Any] = SimpleQueue()
    session = Session(replies.put)
    yield asking(session.receive, replies.get), os.getpid()
    session.close()


@contextmanager
def widget() -> Service:
    """A widget with one view."""
    replies: SimpleQueue[Any] = SimpleQueue()
    board = AnalysisBoard()
    board.send = lambda content: replies.put(content["reply"])
    yield asking(lambda text: board._receive("view", text), replies.get), os.getpid()
    board.close()


@contextmanager
def serve() -> Service:
    """`c4mcts serve`."""
    command = [sys.executable, "-m", "c4mcts", "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = process.stdout
        yield asking(lambda text: process.stdin.write(f"{text}\n"), lambda: json.loads(lines.readline())), process.pid
        process.stdin.close()


@contextmanager
def page() -> Service:
    """The server of the page, with one client."""
    found = Findings()
    with asyncio.Runner() as runner:
        server = served(4, found)
        url, process = runner.run(server.__aenter__())
        with connect_and_wait(url, proxy=None, compression=None) as socket:
            yield asking(socket.send, lambda: json.loads(socket.recv())), process
        runner.run(server.__aexit__(None, None, None))
    assert not found.errors, found.errors


def asking(send: Callable[[str], object], receive: Callable[[], Any]) -> Answer:
    """A function that sends a message of the protocol, and waits for the last reply."""

    def answer(moves: str, rules: Rules) -> None:
        size = {"width": rules.width, "height": rules.height}
        send(json.dumps({**SOLVE, "moves": [int(digit) - 1 for digit in moves], "rules": size}))
        while (reply := receive()).get("isDuringSearch"):
            pass
        assert "error" not in reply, reply

    return answer


SERVICES = (function, solver, session, widget, serve, page)
WORK: dict[str, Callable[[], int]] = {
    "searches": searches,
    "engines": engines,
    "failures": failures,
    "sessions": sessions,
}
WORK |= {f"solve-{service.__name__}": partial(solves, service) for service in SERVICES}

if __name__ == "__main__":
    sys.exit(main())
