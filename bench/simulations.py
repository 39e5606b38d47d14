"""Simulations per second of plain UCT on the empty board, one core.

"new engine": the whole of Engine.search on a new engine, whose node pool grows during the search. "used pool": only the
simulations, in the memory of an earlier search, as in all searches of a game but the first.
"""

from functools import partial

from measure import Job, LoadedBackend, Report, count, interleave, parser, spread

from c4mcts import Board, Engine, Rules, SearchParams
from c4mcts._backend import load

PARAMS = SearchParams.preset("uct")
STANDARD = Rules()
LINES: list[tuple[LoadedBackend, Rules, int]] = [
    *(("native", STANDARD, 10**power) for power in (4, 5, 6, 7)),
    ("pure", STANDARD, 2000),
    ("pure", STANDARD, 10_000),
    *(("native", rules, 100_000) for rules in (Rules(9, 9), Rules(20, 14), Rules(7, 40))),
]
UNLIMITED = 2**64 - 1


def in_new_engine(rules: Rules, simulations: int, backend: LoadedBackend) -> None:
    """A search with a new engine."""
    Engine(PARAMS, seed=1, backend=backend).search(Board(rules), simulations=simulations)


def in_used_pool(board: Board, simulations: int, backend: LoadedBackend) -> Job:
    """A job that searches in the pool of an earlier search, which this function runs."""
    searcher = load(backend).search.Searcher(board.rules, PARAMS.settings, (1, 2), None)

    def job() -> None:
        searcher.set_root(board.own, board.mask)
        searcher.simulate(simulations, UNLIMITED, bool)

    job()
    return job


def main() -> None:
    arguments = parser(__doc__, repeats=5)
    arguments.add_argument("--max", type=count, default=10**7, help="skip longer searches (default: 10 million)")
    options = arguments.parse_args()
    report = Report(
        "Plain UCT, empty board: simulations per second of CPU time, median (min - max)",
        {
            "backend": "backend",
            "board": "board",
            "simulations": "simulations",
            "new": "new engine",
            "used": "used pool",
            "x_pure": "x pure",
        },
    )
    for backend, rules, simulations in LINES:
        if simulations > options.max:
            continue
        # row by row: the pools of all long searches together would not fit into memory
        jobs: dict[str, Job] = {
            "new": partial(in_new_engine, rules, simulations, backend),
            "used": in_used_pool(Board(rules), simulations, backend),
        }
        times = interleave(jobs, options.repeats)
        figures = {name: spread(simulations / seconds for seconds in times[name]) for name in jobs}
        report.add(backend=backend, board=str(rules), simulations=simulations, **figures)
    pure = max((row["used"]["median"] for row in report.rows if row["backend"] == "pure"), default=None)
    for row in report.rows:
        if pure and row["backend"] == "native" and row["board"] == str(STANDARD):
            row["x_pure"] = row["used"]["median"] / pure
    report.notes.append("x pure: medians of the used pool, compared with the faster pure row")
    report.finish(options)


if __name__ == "__main__":
    main()
