"""Errors and speed of searches with the network of the package, by simulations and by the size of batches.

An error is a move that gives up a win or a draw, in the positions of c4mcts.selfplay.exact_positions.
"""

import time
from itertools import product

import numpy as np
from measure import Report, count, parser, share

from c4mcts import Board, Engine, GumbelParams, PuctParams, Rules
from c4mcts.search.network import PolicyValueNetwork
from c4mcts.selfplay import exact_positions
from c4mcts.selfplay.rows import planes_of_words

KINDS = {"PUCT": PuctParams(), "Gumbel": GumbelParams(gumbel_scale=0)}
SIZES: dict[str, int | None] = {"1": 1, "default": None, "16": 16, "64": 64}
BUDGETS = [16, 32, 64, 128, 256, 1024, 4096]
WORK = 512_000  # simulations of a row, at most: with large budgets there are fewer positions


def main() -> None:
    options = parser(__doc__, repeats=1)
    options.add_argument("--work", type=count, default=WORK, help=f"simulations of a row, at most (default {WORK:,})")
    options.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), help="of searches")
    options.add_argument("--simulations", nargs="+", type=count, default=BUDGETS, metavar="N", help="of each search")
    args = options.parse_args()
    report = Report(
        "Searches with the package's network, 7x6: errors (95 % interval), speed",
        {
            "kind": "search",
            "simulations": "simulations",
            "batch": "batch_size",
            "errors": "errors in %",
            "speed": "simulations/s",
        },
    )
    network = PolicyValueNetwork.load()
    for kind, simulations in product(args.kinds, args.simulations):
        tests = exact_positions().chosen(min(2000, args.work // simulations))
        planes, turns = planes_of_words(tests.own, tests.mask, Rules()), tests.plies % 2
        boards = [Board.from_array(p[t] + 2 * p[1 - t]) for p, t in zip(planes, turns, strict=True)]
        for name, size in SIZES.items():
            engine = Engine(KINDS[kind].changed(batch_size=size), seed=1, evaluator=network)
            columns, done, start = [], 0, time.process_time()
            for board in boards:
                engine.reset()
                found = engine.search(board, simulations=simulations)
                columns.append(found.column)
                done += found.simulations
            seconds = time.process_time() - start
            errors = share(tests.evaluation(np.array(columns)).errors.sum(), len(columns))
            report.add(kind=kind, simulations=simulations, batch=name, errors=errors, speed=done / seconds)
    report.finish(args)


if __name__ == "__main__":
    main()
