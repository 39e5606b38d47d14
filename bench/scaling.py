"""How the speed grows with threads, and what engine.analysis costs, relative to engine.search with one thread.

Ratios are taken within each repeat. "by CPU time": the CPU time of one thread, divided by the time of all threads
together over their number. Threads of a search hardly wait, so this is the speed-up on a
machine with as many idle processors. "by the clock" is the observed speed-up, and suffers from other programs.

one tree     Engine(threads=n), as many simulations in all as with one thread
n trees      search_ensemble, as many simulations in each tree as with one thread
watched      engine.analysis with a result every 0.1 seconds
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from measure import Report, count, interval, parser, spread

from c4mcts import Board, Engine, SearchParams, search_ensemble
from c4mcts._platform import processors

SEARCHES = (("strong", 200_000), ("uct", 100_000), ("uct", 2_000_000))


class Job(NamedTuple):
    """What is measured: a function, the number of its threads, and how many times the simulations of one thread."""

    run: Callable[[], object]
    threads: int = 1
    amount: int = 1


class Times(NamedTuple):
    """Seconds of one run."""

    cpu: float
    clock: float


def timed(run: Callable[[], object]) -> Times:
    """CPU time of all threads together, and time by the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    run()
    return Times(time.process_time() - cpu, time.perf_counter() - clock)


def jobs(preset: str, simulations: int, numbers: list[int]) -> dict[str, Job]:
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
        notes=["simulations/s: by the clock, median (min - max)"],
    )
    for preset, simulations in SEARCHES:
        measure(report, preset, simulations // 10 if args.quick else simulations, args.threads, args.repeats)
    report.finish(args)


def measure(report: Report, preset: str, simulations: int, numbers: list[int], repeats: int) -> None:
    """Add the rows of one search."""
    measured = jobs(preset, simulations, numbers)
    times: dict[str, list[Times]] = {name: [] for name in measured}
    for _ in range(repeats):
        for name, job in measured.items():
            times[name].append(timed(job.run))
    base = times.pop("one thread")
    speeds = spread(simulations / each.clock for each in base)
    report.add(preset=preset, simulations=simulations, what="one thread", speed=speeds)
    for name, found in times.items():
        job, pairs = measured[name], list(zip(base, found, strict=True))
        report.add(
            preset=preset,
            simulations=simulations,
            what=name,
            speed=spread(job.amount * simulations / each.clock for each in found),
            cpu=interval(job.amount * job.threads * one.cpu / each.cpu for one, each in pairs),
            clock=interval(job.amount * one.clock / each.clock for one, each in pairs),
        )


if __name__ == "__main__":
    main()
