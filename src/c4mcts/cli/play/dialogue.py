"""The loop of a session of games: the opponents, and the user's requests."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..._backend import BackendName
from ...board.board import Board
from ...play.game_files import SavedGame, append_game, read_game
from ...play.levels import Level, LevelPlayer
from ...play.review import review
from ...play.review_result import NAMES, Review
from ...search.engine import Engine
from ...search.limits import Clock
from ...search.results import SearchResult, effort_text
from ...search.verdicts import verdict
from ..arguments import UsageError, limits_text, reason
from ..display import PLAYERS, Terminal
from ..positions import lines_of_file
from ..process import Terminated, stopping
from .game import Answer, UserGame, Worth, ending_text, worth_of

HINT: dict[str, Any] = {"simulations": 100_000, "seconds": 1.0}  # the same at every level
VALUE: dict[str, Any] = {"simulations": 20_000, "seconds": 0.3}  # of a position, for --show-value
HURRIED: dict[str, Any] = {"simulations": 1_000, "seconds": 0.2}  # of the move for a player who is told to move now
SHORTEST = 1e-3  # seconds that a search gets when its clock has run out


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
        """Does nothing: the engine keeps its own random numbers."""

    def choose(self, board: Board, clock: tuple[float, float] | None, thinking: Thinking) -> Choice:
        """The move to play. clock: as for Engine.search."""
        result = searched(self._engine, board, thinking, clock=clock, **self._limits)
        return Choice(result.column, result)


class LevelOpponent:
    """A player of one of the levels, who answers within a moment. `about`: its strength, in words."""

    def __init__(self, level: Level, backend: BackendName) -> None:
        self.name = level.name
        self.about = f"level {level.number}"
        self._backend = backend
        self._player = LevelPlayer(level.number, backend=backend)

    def begin(self, seed: np.random.SeedSequence) -> None:
        self._player.begin(seed)

    def choose(self, board: Board, clock: tuple[float, float] | None, thinking: Thinking) -> Choice:
        """The move to play. One that takes long can be hurried by Ctrl-C: a short search makes it then."""
        thinking.draw()
        try:
            return Choice(self._player.choose(board))
        except KeyboardInterrupt as interrupt:
            if isinstance(interrupt, Terminated):
                raise
            thinking.is_hurried = True
            return Choice(Engine(backend=self._backend).search(board, **HURRIED, columns=False).column)


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


Opponent = SearchOpponent | LevelOpponent


class Interface(Protocol):
    """How the user is asked and told. Lines and Screen say what each method does."""

    def show(self, game: UserGame) -> None: ...
    def tell(self, text: str, style: str = "") -> None: ...
    def ask(self, game: UserGame, worth: Worth | None) -> Answer | None: ...
    def thinking(self, game: UserGame, words: str) -> AbstractContextManager[Thinking]: ...
    def confirms(self, game: UserGame, question: str) -> bool: ...
    def file_name(self, game: UserGame, question: str) -> str: ...
    def help(self, game: UserGame) -> None: ...
    def review(self, review: Review) -> None: ...


@dataclass
class Dialogue:
    """Plays games until the user leaves."""

    interface: Interface
    terminal: Terminal
    opponent: Opponent
    adviser: Engine  # for hints and values
    game: UserGame  # the current one
    seed: int
    setting: Clock | None  # of the clocks
    shows_value: bool
    file: str | None  # where every game is added that the user leaves
    problem: str | None = None  # why a game could not be added to the file

    def __post_init__(self) -> None:
        self._seeds = np.random.SeedSequence(self.seed)
        self._worth: Worth | None = None
        self._is_left = False

    def run(self) -> None:
        """Play games until the user leaves. However they leave, the last game is added to the file."""
        self._begin(self.game)
        try:
            while not self._is_left:
                self._step()
        finally:
            self._keep()

    def _begin(self, game: UserGame) -> None:
        self.game = game
        self._worth = None
        self.opponent.begin(self._seeds.spawn(1)[0])
        discs, other = self.terminal.symbols.discs, self.opponent
        you, them = (f"{discs[player]} {NAMES[player]}" for player in (game.side, 1 - game.side))
        self.interface.tell(f"you are {you}; {other.name} ({other.about}) is {them}; seed {self.seed}", "dim")
        self.interface.show(game)
        if game.ending is not None:
            self._tell_ending()

    def _step(self) -> None:
        """One move of the computer, or one answer of the user."""
        game = self.game
        if game.ending is None and not game.is_users_turn:
            self._reply()
            return
        if game.ending is None:
            if self.shows_value and self._worth is None:
                with self.interface.thinking(game, "evaluating the position") as thinking:
                    self._worth = worth_of(searched(self.adviser, game.board, thinking, **VALUE), game.side)
            if game.clock is not None:
                game.clock.start(game.side)
        answer = self.interface.ask(game, self._worth if game.ending is None else None)
        if answer is None or answer.name == "quit":
            self._is_left = True
        elif game.ending is None and game.lose_on_time():
            self._tell_ending()
        elif answer.name:
            getattr(self, f"_{answer.name}")(answer.argument)

    def _reply(self) -> None:
        game, clock = self.game, None
        if game.clock is not None:
            game.clock.start(game.board.turn)
            clock = max(game.clock.left(game.board.turn), SHORTEST), game.clock.increment
        with self.interface.thinking(game, f"{self.opponent.name} is thinking") as thinking:
            column, result = self.opponent.choose(game.board.copy(), clock, thinking)
        if thinking.is_hurried:
            self.interface.tell("Ctrl-C again leaves")
        game.play(column)
        self._worth = None
        self.interface.show(game)
        if game.board.moves and game.board.turn == game.side:
            done = "" if result is None else f": {effort_text(result)}"
            self.interface.tell(f"{self.opponent.name} plays {column + 1}{done}")
        if game.ending is not None:
            self._tell_ending()
        elif result is not None and self.shows_value:
            self._worth = worth_of(result, game.side)

    def _tell_ending(self) -> None:
        if self.game.clock is not None:
            self.game.clock.pause()
        self.tell_closing(self.interface)

    def tell_closing(self, interface: Interface) -> None:
        """Say how the game ended, if it did, and what to keep of it."""
        ending = self.game.ending
        if ending is not None:
            style = "bold" if ending.winner is None else f"bold {PLAYERS[ending.winner]}"
            interface.tell(ending_text(self.game, self.opponent.name, self.terminal), style)
        for line in self.game.closing():
            interface.tell(line, "dim")

    # what the user may ask for: see actions.ACTIONS

    def _move(self, number: str) -> None:
        refusal = self.game.refusal(int(number))
        if refusal is not None:
            self.interface.tell(refusal)
            return
        self.game.play(int(number) - 1)
        self._worth = None
        self.interface.show(self.game)
        if self.game.ending is not None:
            self._tell_ending()

    def _hint(self, _: str) -> None:
        with self.interface.thinking(self.game, "looking for a hint") as thinking:
            result = searched(self.adviser, self.game.board, thinking, **HINT)
        self.interface.tell(f"hint: column {result.column + 1}, {verdict(result)} for you")

    def _undo(self, _: str) -> None:
        refusal = self.game.undo()
        if refusal is not None:
            self.interface.tell(refusal)
            return
        self._worth = None
        self.interface.show(self.game)

    def _resign(self, _: str) -> None:
        if self.interface.confirms(self.game, "resign?"):
            self.game.resign()
            self._tell_ending()

    def _review(self, _: str) -> None:
        if not self.game.has_moves:
            self.interface.tell("there are no moves to review")
            return
        try:
            with self.interface.thinking(self.game, "reviewing"):
                found = review(self.game.board)
        except KeyboardInterrupt as interrupt:
            if type(interrupt) is not KeyboardInterrupt:
                raise
            self.interface.tell("the review was stopped")
            return
        self.interface.review(found)

    def _rematch(self, _: str) -> None:
        self._keep()
        self._begin(UserGame(self.game.start, 1 - self.game.side, self.setting))

    def _save(self, name: str) -> None:
        if not self.game.has_moves:
            self.interface.tell("there are no moves to save")
            return
        name = name or self.interface.file_name(self.game, "append the game to the file: ")
        if name:
            problem = self._added(name)
            self.interface.tell(problem or f"saved to {name}")

    def _load(self, name: str) -> None:
        name = name or self.interface.file_name(self.game, "load the last game of the file: ")
        if not name:
            return
        try:
            saved = load(name)
        except (UsageError, ValueError) as error:
            self.interface.tell(f"{error}")
            return
        self._keep()
        self._begin(UserGame.from_file(saved, self.setting))

    def _help(self, _: str) -> None:
        self.interface.help(self.game)

    # files

    def _keep(self) -> None:
        """Add the game to the file of --save."""
        if self.file is not None and self.game.has_moves:
            self.problem = self._added(self.file) or self.problem

    def _added(self, name: str) -> str | None:
        """Add the game to a file; the reason if that fails."""
        try:
            append_game(os.path.expanduser(name), self.game.to_file(self.opponent.name, {"seed": self.seed}))
        except (OSError, ValueError) as error:  # ValueError: not a possible name
            return f"{name}: {reason(error)}"
        return None


def load(name: str) -> SavedGame:
    """The last game of a file. UsageError, which says where the mistake is."""
    last = None
    for line in lines_of_file(os.path.expanduser(name), ""):
        last = line
    if last is None:
        raise UsageError(f"{name}: there is no game in the file")
    try:
        if last.is_too_long:
            raise ValueError("it is too long")
        return read_game(last.text)
    except ValueError as error:
        raise UsageError(f"{name}: line {last.number}: {error}") from None
