"""Plain UCT by c4mcts and by other packages, compared: same position, same number of simulations, one core.

Each repeat runs all searches in turn. Nothing is installed: missing packages are named. The Python packages play on a
fast bitboard state in plain Python.
"""

import importlib.metadata
from functools import partial

from measure import Job, LoadedBackend, Report, count, interleave, interval, parser, spread
from peers import PEERS
from simulations import PARAMS, in_used_pool

from c4mcts import Board, Engine

OURS = "c4mcts native"


def our_search(board: Board, simulations: int, backend: LoadedBackend) -> None:
    """A search with a new engine; the other packages start with a new tree too."""
    Engine(PARAMS, seed=1, backend=backend).search(board, simulations=simulations)


def available(board: Board, simulations: int) -> tuple[dict[str, Job], dict[str, str], list[str]]:
    """Searches by name, the versions of the packages, and a note for each missing package."""
    jobs: dict[str, Job] = {
        OURS: partial(our_search, board, simulations, "native"),
        f"{OURS}, used pool": in_used_pool(board, simulations, "native"),
        "c4mcts pure": partial(our_search, board, simulations, "pure"),
    }
    versions, missing = {}, []
    for name, (make, package) in PEERS.items():
        try:
            jobs[name] = make(board.moves, simulations)
            versions[name] = importlib.metadata.version(package)
        except ImportError as error:
            missing.append(f"{name} is missing ({error}): pip install {package}")
    return jobs, versions, missing


def main() -> None:
    arguments = parser(__doc__, repeats=5)
    arguments.add_argument("--simulations", type=count, default=2000, help="of each search (default 2000)")
    arguments.add_argument("--position", default="", help="moves as digits from 1, such as 4453 (default: none)")
    arguments.add_argument("--only", nargs="+", default=[], help="only packages whose name contains one of these")
    options = arguments.parse_args()
    jobs, versions, missing = available(Board.from_pons(options.position), options.simulations)
    if options.only:
        jobs = {name: job for name, job in jobs.items() if OURS in name or any(part in name for part in options.only)}

    times = interleave(jobs, options.repeats)
    report = Report(
        f"{options.simulations:,} simulations, {options.position or 'empty board'}: simulations per second of CPU time",
        {
            "name": "search",
            "version": "version",
            "rate": "simulations/s",
            "slower": "time / c4mcts native",
        },
        notes=["time / c4mcts native: within each repeat, median (interval of 95 %)", *missing],
    )
    for name in jobs:
        report.add(
            name=name,
            version=versions.get(name),
            rate=spread(options.simulations / seconds for seconds in times[name]),
            slower=None if name == OURS else interval(a / b for a, b in zip(times[name], times[OURS], strict=True)),
        )
    report.finish(options)


if __name__ == "__main__":
    main()
