"""How late a search returns: milliseconds after its time limit, after stop() and after Ctrl-C.

Wall-clock time around the whole call. Look at the maximum, not the median.
"""

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from measure import LoadedBackend, Report, parser, spread

from c4mcts import Board, Engine, Rules, SearchParams

BOARDS = {"7x6": Rules(), "64x64": Rules(64, 64, 5)}
LIMITS = (0.01, 0.1, 0.5)
LONG = 60.0  # seconds of a search that is ended early
START = 0.2  # seconds after which it is ended
LATER_POSITION = "12312312345674567456"


def beyond(engine: Engine, board: Board, seconds: float) -> float:
    """Milliseconds that a search takes longer than its limit."""
    start = time.monotonic()
    engine.search(board, seconds=seconds)
    return 1000 * (time.monotonic() - start - seconds)


def until_return(engine: Engine, board: Board, end: Callable[[Engine], object]) -> float:
    """Milliseconds from the call of `end` in another thread until the search has returned or raised."""
    ended = []

    def other() -> None:
        time.sleep(START)
        ended.append(time.monotonic())
        end(engine)

    thread = threading.Thread(target=other)
    thread.start()
    with suppress(KeyboardInterrupt):
        engine.search(board, seconds=LONG)
    returned = time.monotonic()
    thread.join()
    return 1000 * (returned - ended[0])


def interrupt(engine: Engine) -> None:
    """Send this process the signal of Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def beyond_in_game(engine: Engine, board: Board, simulations: int) -> float:
    """Milliseconds beyond a limit, if the position is many plies later than the previous one, whose tree is kept."""
    engine.search(board, simulations=simulations)
    return beyond(engine, Board.from_pons(LATER_POSITION), LIMITS[0])


def main() -> None:
    options = parser(__doc__, repeats=10).parse_args()
    report = Report(
        "Latency in milliseconds, median (min - max)",
        {"backend": "backend", "board": "board", "event": "event", "milliseconds": "milliseconds"},
    )

    def add(
        backend: LoadedBackend, board: str, event: str, measure: Callable[[Engine, Board], float], repeats: int
    ) -> None:
        params = SearchParams.preset("uct")
        rules = BOARDS[board]
        values = [measure(Engine(params, seed=1, backend=backend), Board(rules)) for _ in range(repeats)]
        report.add(backend=backend, board=board, event=event, milliseconds=spread(values))

    backends: tuple[LoadedBackend, ...] = ("native", "pure")
    for backend in backends:
        for board in BOARDS:
            for seconds in LIMITS:
                add(backend, board, f"beyond seconds={seconds}", partial(beyond, seconds=seconds), options.repeats)
            add(backend, board, "from stop()", partial(until_return, end=Engine.stop), options.repeats)
            add(backend, board, "from Ctrl-C", partial(until_return, end=interrupt), options.repeats)
    for simulations in (100_000, 2_000_000):
        event = f"beyond seconds={LIMITS[0]}, {len(LATER_POSITION)} plies after a search of {simulations:,}"
        add("native", "7x6", event, partial(beyond_in_game, simulations=simulations), min(5, options.repeats))
    report.finish(options)


if __name__ == "__main__":
    main()
