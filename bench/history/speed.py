"""Cases that must not get slower or larger from release to release: few, each of at most a second, in CPU time."""

import time

from c4mcts import Board, Engine, Rules, SearchParams, rollouts, solve

AFTER_EIGHT = ("12345671", "44453521", "76543217", "11225346")  # columns from 1


class Searches:
    """A new engine for each search."""

    timer = time.process_time
    params = (["uct", "strong"], [10_000, 100_000])
    param_names = ("preset", "simulations")

    def time_search(self, preset: str, simulations: int) -> None:
        Engine(SearchParams.preset(preset), seed=1).search(Board(), simulations=simulations)

    def peakmem_search(self, preset: str, simulations: int) -> None:
        self.time_search(preset, simulations)


class LargeTree:
    """Where memory decides."""

    timer = time.process_time
    number = 1
    timeout = 120

    def time_million(self) -> None:
        Engine(SearchParams.preset("uct"), seed=1).search(Board(), simulations=1_000_000)


class OneSimulation:
    """Around a search: an engine, short searches."""

    timer = time.process_time

    def setup(self) -> None:
        self.engine = Engine(seed=1)
        self.engine.search(Board(), simulations=1_000)

    def time_search(self) -> None:
        self.engine.search(Board(), simulations=1)

    def time_engine(self) -> None:
        Engine(seed=1)


class RandomGames:
    """100,000 games."""

    timer = time.process_time
    params = ("7x6", "20x14")
    param_names = ("board",)

    def time_rollouts(self, board: str) -> None:
        width, height = map(int, board.split("x"))
        rollouts(Board(Rules(width, height)), 100_000, seed=1)


class Solver:
    """Exact scores of positions after eight discs, without a book."""

    timer = time.process_time

    def time_solve(self) -> None:
        for moves in AFTER_EIGHT:
            solve(Board.from_pons(moves), columns=False, book=False)


def timeraw_import() -> str:
    """Import and first use, in a fresh interpreter."""
    return "import c4mcts; c4mcts.Engine"
