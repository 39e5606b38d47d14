"""Simulations per second with an evaluator that returns constants, by batch size, native and pure backend."""

from typing import Any

import numpy as np
from measure import LoadedBackend, Report, interleave, parser, spread

from c4mcts import Board, Engine, SearchParams

SIMULATIONS: dict[LoadedBackend, dict[int, int]] = {
    "native": {1: 20_000, 8: 100_000, 64: 200_000, 1024: 200_000},
    "pure": {1: 2_000, 64: 4_000},
}


def constant(planes: Any, legal: Any) -> tuple[Any, Any]:
    """Equal priors for all moves, value 0 for all positions."""
    return np.ones(legal.shape), np.zeros(len(legal))


def main() -> None:
    options = parser(__doc__, repeats=7).parse_args()
    report = Report(
        "Simulations per second with an evaluator that returns constants, 7x6, median (min - max)",
        {"backend": "backend", "batch": "batch_size", "speed": "simulations/s"},
    )
    for backend, sizes in SIMULATIONS.items():
        for size, simulations in sizes.items():
            params = SearchParams.preset("puct-node", batch_size=size)

            def search(backend: LoadedBackend = backend, params: Any = params, simulations: int = simulations) -> None:
                Engine(params, seed=1, backend=backend, evaluator=constant).search(Board(), simulations=simulations)

            times = interleave({"search": search}, options.repeats)["search"]
            report.add(backend=backend, batch=size, speed=spread(simulations / seconds for seconds in times))
    report.finish(options)


if __name__ == "__main__":
    main()
