"""Who plays against the user, and who gives hints. Ctrl-C during a search means: move now."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..._backend import BackendName
from ...board.board import Board
from ...play.levels import Level, LevelPlayer
from ...search.engine import Engine
from ...search.results import SearchResult
from ..arguments import limits_text
from ..signals import Terminated, stopping

HINT: dict[str, Any] = {"simulations": 100_000, "seconds": 1.0}  # the same at every level
VALUE: dict[str, Any] = {"simulations": 20_000, "seconds": 0.3}  # of a position, for --show-value
HURRIED: dict[str, Any] = {"simulations": 1_000, "seconds": 0.2}  # of the move for a player who is told to move now


class Thinking:
    """What the user sees, and does, while the computer thinks."""

    def __init__(self, draw: Callable[[], object] = lambda: None) -> None:
        """draw: called about ten times a second."""
        self.draw = draw
        self.is_hurried = False  # whether the user has pressed Ctrl-C


class Choice(NamedTuple):
    """A column to play, and the search behind it if there is one."""

    column: int
    result: SearchResult | None = None


class Opponent(Protocol):
    """Plays against the user."""

    name: str
    about: str  # the strength, in words

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Prepare for a new game."""

    def choose(self, board: Board, clock: tuple[float, float] | None, thinking: Thinking) -> Choice:
        """The move to play. clock: as for Engine.search."""


class SearchOpponent:
    """A search with the parameters and limits of the command line."""

    name = "the engine"

    def __init__(self, engine: Engine, limits: dict[str, Any]) -> None:
        """limits: as for Engine.search; none if there is a clock."""
        self._engine = engine
        self._limits = limits
        words = limits_text(limits)
        self.about = f"{words} per move" if words else "the time of its clock"

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Does nothing: the engine goes on with its own random numbers."""

    def choose(self, board: Board, clock: tuple[float, float] | None, thinking: Thinking) -> Choice:
        result = searched(self._engine, board, thinking, clock=clock, **self._limits)
        return Choice(result.column, result)


class LevelOpponent:
    """A player of one of the levels, who answers within a moment."""

    def __init__(self, level: Level, backend: BackendName) -> None:
        self.name = level.name
        self.about = f"level {level.number}"
        self._backend = backend
        self._player = LevelPlayer(level.number, backend=backend)

    def begin(self, seed: np.random.SeedSequence) -> None:
        self._player.begin(seed)

    def choose(self, board: Board, clock: tuple[float, float] | None, thinking: Thinking) -> Choice:
        """As in Opponent. A move that takes long can be hurried by Ctrl-C: a short search makes it then."""
        thinking.draw()
        try:
            return Choice(self._player.choose(board))
        except KeyboardInterrupt as interrupt:
            if isinstance(interrupt, Terminated):
                raise
            thinking.is_hurried = True
            return Choice(Engine(backend=self._backend).search(board, **HURRIED).column)


class Adviser:
    """Gives hints and values, with an engine of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def hint(self, board: Board, thinking: Thinking) -> SearchResult:
        """What a strong player would do."""
        return searched(self._engine, board, thinking, **HINT)

    def value(self, board: Board, thinking: Thinking) -> SearchResult:
        """What a position is worth, by a short search."""
        return searched(self._engine, board, thinking, **VALUE)


def searched(engine: Engine, board: Board, thinking: Thinking, **limits: Any) -> SearchResult:
    """Search until a limit is reached or Ctrl-C ends the search; a second Ctrl-C and SIGTERM are raised."""
    with stopping(engine.stop) as interruption:

        def report(_: SearchResult) -> None:
            if interruption.cause is not None:  # perhaps before the search began, which stop() can't end
                engine.stop()
            thinking.draw()

        result = engine.search(board, on_progress=report, **limits)
    if isinstance(interruption.cause, Terminated):
        interruption.raise_it()
    thinking.is_hurried = interruption.cause is not None
    return result
