"""How the speed grows with threads, and what engine.analysis costs, relative to engine.search with one thread.

Simulations per second of wall-clock time; ratios are taken within each repeat.

one tree     Engine(threads=n), as many simulations in all as with one thread
n trees      search_ensemble, as many simulations in each tree as with one thread
watched      engine.analysis with a result every 0.1 seconds
"""

import os
import time
from collections.abc import Callable

from measure import Report, count, parser, spread

from c4mcts import Board, Engine, SearchParams, search_ensemble


def speed(simulations: int, job: Callable[[], object]) -> float:
    """Simulations per second of wall-clock time."""
    start = time.perf_counter()
    job()
    return simulations / (time.perf_counter() - start)


def jobs(preset: str, simulations: int, threads: int) -> dict[str, Callable[[], float]]:
    """The measurements by name; the others are compared with the first one."""
    params = SearchParams.preset(preset)

    def one_tree(threads: int) -> float:
        engine = Engine(params, seed=1, threads=threads)
        return speed(simulations, lambda: engine.search(Board(), simulations=simulations))

    def trees() -> float:
        search = {"params": params, "trees": threads, "seed": 1, "simulations": simulations}
        return speed(threads * simulations, lambda: search_ensemble(Board(), **search))

    def watched() -> float:
        engine = Engine(params, seed=1)
        return speed(simulations, lambda: list(engine.analysis(Board(), simulations=simulations)))

    return {
        "one thread": lambda: one_tree(1),
        f"one tree, {threads} threads": lambda: one_tree(threads),
        f"{threads} trees": trees,
        "one thread, watched": watched,
    }


def main() -> None:
    options = parser(__doc__, repeats=9)
    options.add_argument("--threads", type=count, default=os.cpu_count(), help="default: one for each processor")
    args = options.parse_args()
    report = Report(
        "Simulations per second, and relative to one thread, median (min - max)",
        {"preset": "preset", "simulations": "simulations", "what": "what", "speed": "simulations/s", "ratio": "ratio"},
    )
    for preset, simulations in (("strong", 200_000), ("uct", 100_000), ("uct", 2_000_000)):
        measured = jobs(preset, simulations, args.threads)
        speeds: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(args.repeats):
            for name, job in measured.items():
                speeds[name].append(job())
        base = speeds["one thread"]
        for name, values in speeds.items():
            report.add(
                preset=preset,
                simulations=simulations,
                what=name,
                speed=spread(values),
                ratio=spread(value / one for value, one in zip(values, base, strict=True)),
            )
    report.finish(args)


if __name__ == "__main__":
    main()
