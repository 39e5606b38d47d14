"""Random games per second from the empty board, one core, native and pure backend."""

import statistics
from functools import partial

from measure import Job, LoadedBackend, Report, interleave, parser, spread

from c4mcts import Board, Rules, rollouts

BOARDS = {
    "7x6": Rules(),
    "6x5 no diagonals": Rules(6, 5, 4, diagonals=False),
    "7x6 connect 5": Rules(7, 6, 5),
    "8x7": Rules(8, 7),
    "9x9": Rules(9, 9),
    "20x14": Rules(20, 14),
    "7x40": Rules(7, 40),
    "64x64": Rules(64, 64),
}
GAMES: dict[LoadedBackend, int] = {"native": 200_000, "pure": 500}


def main() -> None:
    options = parser(__doc__, repeats=7).parse_args()
    report = Report(
        "Random games from the empty board per second of CPU time, median (min - max)",
        {"board": "board", "plies": "plies per game", "native": "native", "pure": "pure", "x_pure": "x pure"},
    )
    for name, rules in BOARDS.items():
        board = Board(rules)
        jobs: dict[str, Job] = {
            backend: partial(rollouts, board, GAMES[backend], seed=1, backend=backend) for backend in GAMES
        }
        times = interleave(jobs, options.repeats)
        speeds = {backend: [GAMES[backend] / seconds for seconds in times[backend]] for backend in GAMES}
        report.add(
            board=name,
            plies=rollouts(board, 20_000, seed=2).mean_plies,
            native=spread(speeds["native"]),
            pure=spread(speeds["pure"]),
            x_pure=statistics.median(n / p for n, p in zip(speeds["native"], speeds["pure"], strict=True)),
        )
    report.notes.append("x pure: median of the ratios within each repeat")
    report.finish(options)


if __name__ == "__main__":
    main()
