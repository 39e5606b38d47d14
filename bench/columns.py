"""CPU time until every column of a position has its exact score, by number of plies; --reviews: of reviews of games.

`solve(board)` with the book of the package and an empty table for each position, on 7x6 and one thread. The positions
come from random moves, from games between levels, and from the default search with 1,000 simulations against itself
after up to five random moves; all with fixed seeds. Look at the high quantiles: half of the positions are decided by a
few forced moves.
"""

import argparse
import random
import time
from collections.abc import Iterable, Iterator

import numpy as np
from measure import Report, count, parser

from c4mcts import Board, Engine, solve
from c4mcts.play import LevelPlayer, review

FIRST, LAST = 4, 33  # plies of the positions
GROUPS = ((4, 33), (4, 7), (8, 11), (12, 13), (14, 17), (18, 33))  # the first one is all
LEVELS = range(3, 10)  # of the players
SIMULATIONS = 1000
RANDOM_MOVES = 5  # at most, before the search plays


def random_positions(number: int) -> Iterator[Board]:
    """Positions after random moves, equally many for each number of plies."""
    chance = random.Random(1)
    for ply in range(FIRST, LAST + 1):
        found = 0
        while found < number:
            board = Board()
            while board.ply < ply and not board.is_over():
                board.push(chance.choice(board.legal_columns))
            if not board.is_over():
                found += 1
                yield board


def level_games(number: int) -> Iterator[Board]:
    """Games between levels chosen at random, to their ends."""
    chance = random.Random(2)
    for game in range(number):
        players = [LevelPlayer(chance.choice(LEVELS)) for _ in range(2)]
        for side, player in enumerate(players):
            player.begin(np.random.SeedSequence([game, side]))
        board = Board()
        while not board.is_over():
            board.push(players[board.turn].choose(board))
        yield board


def search_games(number: int) -> Iterator[Board]:
    """Games of the default search against itself."""
    chance = random.Random(3)
    for seed in range(number):
        engine, board = Engine(seed=seed), Board()
        for _ in range(chance.randint(0, RANDOM_MOVES)):
            board.push(chance.choice(board.legal_columns))
        while not board.is_over():
            board.push(int(engine.search(board, simulations=SIMULATIONS).column))
        yield board


def positions_of(games: Iterable[Board]) -> Iterator[Board]:
    """The unfinished positions of games, in the range of plies."""
    for game in games:
        board = game.copy()
        while board.moves:
            board.pop()
            if FIRST <= board.ply <= LAST:
                yield board.copy()


def quantile(values: list[float], share: float) -> float:
    """The value that this share of the sorted values does not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def add_rows(report: Report, kind: str, boards: Iterable[Board], repeats: int) -> None:
    """Solve the positions; a row for each group of plies. The least of the repeats counts for each position."""
    times: list[tuple[int, float]] = []
    for board in boards:
        least = np.inf
        for _ in range(repeats):
            start = time.process_time()
            solve(board)
            least = min(least, time.process_time() - start)
        times.append((board.ply, 1000 * least))
    for first, last in GROUPS:
        group = sorted(seconds for ply, seconds in times if first <= ply <= last)
        if group:
            report.add(
                positions=kind,
                plies=f"{first} to {last}",
                count=len(group),
                median=quantile(group, 0.5),
                ninety=quantile(group, 0.9),
                ninety_nine=quantile(group, 0.99),
                worst=group[-1],
            )


def time_columns(options: argparse.Namespace) -> None:
    """Positions by their origin and plies."""
    report = Report(
        "Exact scores of all columns, 7x6, with the book: milliseconds of CPU time",
        {
            "positions": "positions",
            "plies": "plies",
            "count": "number",
            "median": "median",
            "ninety": "90 %",
            "ninety_nine": "99 %",
            "worst": "most",
        },
    )
    add_rows(report, "random moves", random_positions(options.positions), options.repeats)
    add_rows(report, "levels", positions_of(level_games(options.games)), options.repeats)
    add_rows(report, f"strong@{SIMULATIONS}", positions_of(search_games(options.games)), options.repeats)
    report.finish(options)


def time_reviews(options: argparse.Namespace) -> None:
    """Reviews of whole games."""
    report = Report(
        "Reviews of games, 7x6, with the book: milliseconds of CPU time",
        {
            "games": "games",
            "count": "number",
            "plies": "plies, mean",
            "mean": "mean",
            "median": "median",
            "worst": "most",
            "rate": "games/minute",
        },
    )
    for kind, games in (
        ("levels", list(level_games(options.games))),
        (f"strong@{SIMULATIONS}", list(search_games(options.games))),
    ):
        times = []
        for game in games:
            least = np.inf
            for _ in range(options.repeats):
                start = time.process_time()
                review(game)
                least = min(least, time.process_time() - start)
            times.append(1000 * least)
        mean = sum(times) / len(times)
        report.add(
            games=kind,
            count=len(games),
            plies=sum(len(game.moves) for game in games) / len(games),
            mean=mean,
            median=quantile(sorted(times), 0.5),
            worst=max(times),
            rate=60_000 / mean,
        )
    report.finish(options)


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("--positions", type=count, default=40, help="random ones for each number of plies (40)")
    options_parser.add_argument("--games", type=count, default=40, help="of each kind (default 40)")
    options_parser.add_argument("--reviews", action="store_true", help="review the games instead")
    options = options_parser.parse_args()
    if options.reviews:
        time_reviews(options)
    else:
        time_columns(options)


if __name__ == "__main__":
    main()
