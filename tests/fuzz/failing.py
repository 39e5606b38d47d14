"""Files and trees after a failure: the n-th allocation, write, wait for the disk or rename fails, n = 1, 2, ...

    python -m tests.fuzz.failing

Each number is tried in a fork, until none fails. The files then hold what they held before the operation, or what they
hold after it; and the operation works when it is tried again. Linux with the GNU C library, and a C compiler.
"""

import ctypes
import os
import pickle
import platform
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from trees import require_whole

from c4mcts import Board, Engine, GumbelParams, Rules, SearchParams, build_book, selfplay, solve
from c4mcts.executors import store
from c4mcts.solver.book import Book
from c4mcts.solver.checkpoint import opened

KINDS = "allocation", "write", "sync", "rename"
MODES = "once", "always", "end"  # only that call, all calls from it on, or the process ends there
ALLOCATION, ONCE = 0, 0
PASSED, FAILED, ENDED = 0, 10, 77  # exit codes: no call failed; one did, and all is well; failing.c has ended the fork
TESTS = Path(__file__).parents[1]
IS_POSSIBLE = platform.libc_ver()[0] == "glibc" and shutil.which("cc") is not None

UCT = SearchParams.preset("uct")
SMALL = Board(Rules(5, 4))
ENGINES = [Engine(UCT, seed=seed) for seed in (1, 2)]
GROWING = [Engine(UCT, seed=1), Engine(seed=1), Engine(SearchParams.preset("network"), seed=1)]
GROWING += [Engine(GumbelParams(), seed=1, evaluator=lambda planes, legal: (legal * 1.0, legal[:, 0] * 0.0))]
BOOKS = [build_book(Rules(4, 3, 3), plies) for plies in (1, 2)]
SOLVED = Board.from_pons("445566")


Step = Callable[[Path], Any]  # of a folder


class Operation(NamedTuple):
    """before: makes the files of a folder. run: the operation. state: what the files hold. final: after all is done."""

    before: Step
    run: Step
    state: Step
    final: Step


def operation(before: Step, run: Step, state: Step) -> Operation:
    """One that can be tried again."""
    return Operation(before, run, state, lambda folder: (run(folder), state(folder))[1])


def update(results: dict[int, Any]) -> Step:
    def call(folder: Path) -> dict[int, Any]:
        with store.Store(folder / "store", "test", {}, 1) as opened_store:
            if results:
                opened_store.update(results)
            return dict(opened_store.results)

    return call


def generate(games: int) -> Step:
    return lambda folder: selfplay.generate(games, UCT, start=SMALL, simulations=5, seed=1, out=folder / "games")


def games(folder: Path) -> Any:
    data = selfplay.load(folder / "games")
    return len(data.sources), [array.tobytes() for array in data.arrays.values()]


def solving(nodes: int) -> Step:
    return lambda folder: solve(SOLVED, book=False, max_nodes=nodes, checkpoint=folder / "solve").score


def grow(folder: Path) -> None:
    """Searches for which the memory of each tree is enlarged a few times."""
    for engine in GROWING:
        engine.search(Board(), simulations=1_500)


def looked_through(folder: Path) -> Any:
    for engine in GROWING:
        require_whole(engine)
        engine.search(Board(), simulations=20)


def windows(folder: Path) -> Any:
    with opened(folder / "solve", SOLVED) as checkpoint:
        return checkpoint._done, checkpoint._nodes, checkpoint._bounds, checkpoint.table.tobytes()


OPERATIONS = {
    "engine": operation(
        lambda folder: ENGINES[0].save(folder / "engine"),
        lambda folder: ENGINES[1].save(folder / "engine"),
        lambda folder: Engine.load(folder / "engine").tree().tobytes(),
    ),
    "book": operation(
        lambda folder: BOOKS[0].save(folder / "book"),
        lambda folder: BOOKS[1].save(folder / "book"),
        lambda folder: pickle.dumps(Book.load(folder / "book")),
    ),
    "store": operation(update({0: "a", 1: b"b" * 9000}), update({1: b"c" * 20_000, 2: [1]}), update({})),
    "games": operation(generate(2), generate(4), games),
    "search": operation(lambda folder: None, grow, looked_through),
    "solve": Operation(solving(2000), solving(4000), windows, solving(10**9)),
}


def attempt(library: Any, each: Operation, folder: Path, states: list[Any], kind: int, number: int, mode: int) -> int:
    """The exit code of a fork."""
    error = ""
    expected = (Exception,) if kind == ALLOCATION else (OSError, ValueError)  # CPython hides some MemoryErrors
    library.fail(kind, number, mode)
    try:
        each.run(folder)
    except expected as raised:
        os.getppid()  # ends the failures: see failing.c
        error = repr(raised)  # the exception itself would keep what its frames hold, such as open files
    os.getppid()
    has_failed = library.failed()
    code = inspect(each, folder, states if error else states[1:], error)
    if mode == ONCE and kind != ALLOCATION:
        assert not list(folder.rglob("*.part")), f"a part is left after {error}"
    return code if has_failed else PASSED


def inspect(each: Operation, folder: Path, states: list[Any], what: str) -> int:
    *allowed, final = states
    assert each.state(folder) in allowed, f"a third state after {what}"
    assert each.final(folder) == final, f"another result after {what}"
    return FAILED


def forked(function: Callable[..., int], *arguments: Any) -> int:
    """The exit code of a fork that calls a function."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        code = function(*arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def failures(each: Operation, scratch: Path, most: int) -> Iterator[tuple[str, str, int, int]]:
    """Kind, mode, number and exit code of each failure that is not as it should be."""
    library = ctypes.CDLL(None)
    library.fail.argtypes = ctypes.c_int, ctypes.c_long, ctypes.c_int
    old, new = scratch / "old", scratch / "new"
    old.mkdir()
    each.before(old)
    shutil.copytree(old, new)
    states = [each.state(old)]
    each.run(new)
    states += [each.state(new), each.final(new)]
    for kind, mode in ((kind, mode) for kind in range(len(KINDS)) for mode in range(len(MODES))):
        failed = 0
        for number in range(1, most + 1):
            folder = scratch / "tried"
            shutil.copytree(old, folder)
            code = forked(attempt, library, each, folder, states, kind, number, mode)
            if code == ENDED:
                code = forked(inspect, each, folder, states, "the end")
            shutil.rmtree(folder)
            if code == PASSED:
                break
            failed += 1
            if code != FAILED:
                yield KINDS[kind], MODES[mode], number, code
        print(f"{KINDS[kind]} {MODES[mode]} {failed}", flush=True)


def attack(name: str, most: int) -> str:
    """Try the first numbers with an operation, `most` of each kind; the report. AssertionError if one does harm."""
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/failing.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_suffix(".c")], check=True)
        command = [sys.executable, "-X", "faulthandler", "-m", "fuzz.failing", name, str(most)]
        done = subprocess.run(
            command, cwd=TESTS, env={**os.environ, "LD_PRELOAD": library}, capture_output=True, text=True
        )
    assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
    return done.stdout


def main(name: str, most: str) -> int:
    """The process in which calls fail; returns its exit code."""
    store.SYNC_SECONDS = 0.0  # every write waits for the disk
    for seed, engine in enumerate(ENGINES):
        engine.search(SMALL, simulations=50 + seed)
    for engine in GROWING:  # loads modules, for which the interpreter itself needs memory
        engine.search(Board(), simulations=2)
    with tempfile.TemporaryDirectory() as folder:
        found = list(failures(OPERATIONS[name], Path(folder), int(most)))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(main(*sys.argv[1:]))
    for each in OPERATIONS:
        print(f"{each}\n{attack(each, 1 << 40)}", flush=True)
