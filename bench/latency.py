"""How exactly a search ends: milliseconds beyond seconds=, and from stop() or Ctrl-C until the call is back.

Wall clock, from outside: everything between the call and its return is included. What counts is the worst.
"""

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from measure import EngineName, Report, parser, spread

from c4mcts import Board, Engine, Rules, SearchParams

BOARDS = {"7x6": Rules(), "64x64": Rules(64, 64, 5)}
LIMITS = (0.01, 0.1, 0.5)
LONG = 60.0  # seconds that a search would take if nothing ended it
START = 0.2  # seconds after which it is ended
LATER = "12312312345674567456"


def beyond(engine: Engine, board: Board, seconds: float) -> float:
    """Milliseconds beyond a limit."""
    start = time.monotonic()
    engine.search(board, seconds=seconds)
    return 1000 * (time.monotonic() - start - seconds)


def until_back(engine: Engine, board: Board, end: Callable[[Engine], object]) -> float:
    """Milliseconds from the end, made by another thread, until the search has returned or raised."""
    ended = []

    def other() -> None:
        time.sleep(START)
        ended.append(time.monotonic())
        end(engine)

    thread = threading.Thread(target=other)
    thread.start()
    with suppress(KeyboardInterrupt):
        engine.search(board, seconds=LONG)
    back = time.monotonic()
    thread.join()
    return 1000 * (back - ended[0])


def interrupt(engine: Engine) -> None:
    """Ctrl-C, as it arrives from the operating system."""
    signal.raise_signal(signal.SIGINT)


def beyond_in_game(engine: Engine, board: Board, simulations: int) -> float:
    """Milliseconds beyond a limit when a position is set up that lies many plies after the last one searched."""
    engine.search(board, simulations=simulations)
    return beyond(engine, Board.from_pons(LATER), LIMITS[0])


def main() -> None:
    options = parser(__doc__, repeats=10).parse_args()
    report = Report(
        "Latency in milliseconds, median (min - max)",
        {"engine": "engine", "board": "board", "event": "event", "milliseconds": "milliseconds"},
    )

    def add(
        engine: EngineName, board: str, event: str, measure: Callable[[Engine, Board], float], repeats: int
    ) -> None:
        params = SearchParams.preset("uct")
        rules = BOARDS[board]
        values = [measure(Engine(params, seed=1, backend=engine), Board(rules)) for _ in range(repeats)]
        report.add(engine=engine, board=board, event=event, milliseconds=spread(values))

    engines: tuple[EngineName, ...] = ("native", "pure")
    for engine in engines:
        for board in BOARDS:
            for seconds in LIMITS:
                add(engine, board, f"beyond seconds={seconds}", partial(beyond, seconds=seconds), options.repeats)
            add(engine, board, "from stop()", partial(until_back, end=Engine.stop), options.repeats)
            add(engine, board, "from Ctrl-C", partial(until_back, end=interrupt), options.repeats)
    for simulations in (100_000, 2_000_000):
        event = f"beyond seconds={LIMITS[0]}, {len(LATER)} plies after a search of {simulations:,}"
        add("native", "7x6", event, partial(beyond_in_game, simulations=simulations), min(5, options.repeats))
    report.finish(options)


if __name__ == "__main__":
    main()
