"""Around a search: CPU milliseconds of a new engine, of a search of one simulation, and of a cold start.

"warm": in a tree of 1,000 simulations, to which such a search adds one. "after a move": the same on the position
after the best move, so the root moves down the tree first. A cold start is a search of 10,000 simulations in a new
process, compared with the same search by another new engine of that process, which gets the memory of the first.
"""

import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial

from measure import Report, cpu_seconds, parser, spread

from c4mcts import Board, Engine, SearchParams

PRESETS = ("uct", "strong")
TREE = 1_000  # simulations of the tree in which the short searches are made
LONG = 10_000  # simulations of the search from a cold start
COLD_START = f"""
import time
from c4mcts import Board, Engine, SearchParams
params = SearchParams.preset("{{preset}}")
Engine(params, seed=1).search(Board(), simulations=1)  # modules are loaded
for _ in range(4):
    start = time.process_time()
    Engine(params, seed=1).search(Board(), simulations={LONG})
    print(time.process_time() - start)
"""


def new_engine(params: SearchParams) -> float:
    """Seconds of `Engine()`."""
    return cpu_seconds(partial(Engine, params, seed=1), 0.1)


def one_simulation(params: SearchParams) -> float:
    """Seconds of a search of one simulation in a warm tree."""
    engine = Engine(params, seed=1)
    engine.search(Board(), simulations=TREE)
    return cpu_seconds(partial(engine.search, Board(), simulations=1), 0.1)


def after_a_move(params: SearchParams) -> float:
    """Seconds of a search of one simulation, each on the position after the best move; the mean of a game's opening."""
    total, moves = 0.0, 0
    for seed in range(10):
        engine, board = Engine(params, seed=seed), Board()
        for _ in range(8):
            board.push(engine.search(board, simulations=TREE).column)
            total += cpu_seconds(partial(engine.search, board.copy(), simulations=1))
            moves += 1
    return total / moves


def cold_start(preset: str) -> list[float]:
    """Seconds of the searches of a new process, the first from a cold start."""
    command = [sys.executable, "-c", COLD_START.format(preset=preset)]
    return [float(line) for line in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()]


def main() -> None:
    options = parser(__doc__, repeats=7).parse_args()
    report = Report(
        "CPU milliseconds around a search, median (min - max)",
        {"preset": "preset", "what": "what", "milliseconds": "milliseconds", "ratio": "cold / warm"},
    )
    jobs: dict[str, Callable[[SearchParams], float]] = {
        "Engine()": new_engine,
        "search, 1 simulation, warm": one_simulation,
        "search, 1 simulation, after a move": after_a_move,
    }
    for preset in PRESETS:
        params = SearchParams.preset(preset)
        for what, job in jobs.items():
            seconds = [job(params) for _ in range(options.repeats)]
            report.add(preset=preset, what=what, milliseconds=spread(1e3 * each for each in seconds))
        starts = [cold_start(preset) for _ in range(options.repeats)]
        ratio = statistics.median(cold / statistics.median(warm) for cold, *warm in starts)
        cold = spread(1e3 * first for first, *_ in starts)
        report.add(preset=preset, what=f"search, {LONG:,} simulations, cold start", milliseconds=cold, ratio=ratio)
    report.finish(options)


if __name__ == "__main__":
    main()
