"""How the speed grows with threads, and what engine.analysis costs, relative to engine.search with one thread.

Each repeat makes all searches in turn, and ratios are taken within it. "by CPU time": the CPU time of one thread,
divided by the time of all threads together over their number. Threads of a search hardly wait, so this is the speed-up
on a machine with as many idle processors. "by the clock" is the observed speed-up, and suffers from other programs.
OpenSpiel's bot in C++ takes part if it is installed; it has no tree that threads share.

one tree     Engine(threads=n), as many simulations in all as with one thread
n trees      search_ensemble, as many simulations in each tree as with one thread; n bots of OpenSpiel
watched      engine.analysis with a result every 0.1 seconds
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from measure import Report, count, interval, parser, spread
from peers import open_spiel_cpp

from c4mcts import Board, Engine, SearchParams, search_ensemble
from c4mcts._platform import processors

SEARCHES = (("strong", 200_000), ("uct", 100_000), ("uct", 2_000_000))
PEER, PEER_SIMULATIONS = "OpenSpiel C++", 50_000


class Job(NamedTuple):
    """What is measured: a function, the number of its threads, and how many times the simulations of one thread."""

    run: Callable[[], object]
    threads: int = 1
    amount: int = 1


class Times(NamedTuple):
    """Seconds of one run."""

    cpu: float
    clock: float


def timed(job: Job) -> Times:
    """CPU time of all threads together, and time by the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    job.run()
    return Times(time.process_time() - cpu, time.perf_counter() - clock)


def peer_jobs(simulations: int, numbers: list[int]) -> dict[str, Job]:
    """The same measurements of OpenSpiel's bot; none if it is not installed."""
    try:
        search = open_spiel_cpp([], simulations)
    except ImportError:
        return {}

    def trees(number: int) -> None:
        with ThreadPoolExecutor(number) as pool:
            list(pool.map(lambda _: search(), range(number)))

    return {"one thread": Job(search)} | {f"{n} trees": Job(lambda n=n: trees(n), n, n) for n in numbers}  # type: ignore[misc]


def our_jobs(preset: str, simulations: int, numbers: list[int]) -> dict[str, Job]:
    """The measurements by name; the others are compared with the first one."""
    params = SearchParams.preset(preset)

    def one_tree(threads: int) -> None:
        Engine(params, seed=1, threads=threads).search(Board(), simulations=simulations)

    def trees(number: int) -> None:
        search_ensemble(Board(), params=params, trees=number, seed=1, simulations=simulations)

    def watched() -> None:
        list(Engine(params, seed=1).analysis(Board(), simulations=simulations))

    found = {"one thread": Job(lambda: one_tree(1))}
    for n in numbers:
        found[f"one tree, {n} threads"] = Job(lambda n=n: one_tree(n), n)  # type: ignore[misc]
        found[f"{n} trees"] = Job(lambda n=n: trees(n), n, n)  # type: ignore[misc]
    return found | {"one thread, watched": Job(watched)}


def main() -> None:
    powers = [2**power for power in range(1, processors().bit_length())]
    options = parser(__doc__, repeats=9)
    options.add_argument("--threads", type=count, nargs="+", default=powers, help="default: 2, 4, ... processors")
    options.add_argument("--quick", action="store_true", help="shorter searches")
    args = options.parse_args()
    report = Report(
        "Speed by threads, relative to one thread: median (interval of 95 %)",
        {
            "preset": "preset",
            "simulations": "simulations",
            "what": "what",
            "speed": "simulations/s",
            "cpu": "speed-up by CPU time",
            "clock": "by the clock",
        },
        notes=["simulations/s: of CPU time per thread, median (min - max)"],
    )
    scale = 10 if args.quick else 1
    searches = {(preset, n // scale): our_jobs(preset, n // scale, args.threads) for preset, n in SEARCHES}
    searches[PEER, PEER_SIMULATIONS // scale] = peer_jobs(PEER_SIMULATIONS // scale, args.threads)
    rounds = [
        {key: {name: timed(job) for name, job in jobs.items()} for key, jobs in searches.items()}
        for _ in range(args.repeats)
    ]
    for key, jobs in searches.items():
        preset, simulations = key
        for name, job in jobs.items():
            pairs = [(times[key]["one thread"], times[key][name]) for times in rounds]
            report.add(
                preset=preset,
                simulations=simulations,
                what=name,
                speed=spread(job.amount * job.threads * simulations / each.cpu for _, each in pairs),
                cpu=interval(job.amount * job.threads * one.cpu / each.cpu for one, each in pairs),
                clock=interval(job.amount * one.clock / each.clock for one, each in pairs),
            )
    report.finish(args)


if __name__ == "__main__":
    main()
