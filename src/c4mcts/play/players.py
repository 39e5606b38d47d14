"""The players of the package that search, solve, or draw their moves.

RandomPlayer and GameSearchPlayer play any Game (see games), EnginePlayer and PerfectPlayer Connect-4.
"""

import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import numpy as np

from .._backend import BackendName
from .._hints import check_keywords
from .._validation import callback, flag, word
from ..board.arguments import unfinished
from ..board.board import Board
from ..games import Game, GameResult, GameSearch, Move, Rollout, Selection, TicTacToe, unfinished_copy_of
from ..search.clock import Clock
from ..search.engine import Engine, check_pondering
from ..search.evaluation import Evaluator
from ..search.limits import LimitOptions, Limits, check_budget
from ..search.params import PRESETS, SearchParams
from ..search.results import SearchResult
from ..search.typed_values import SIMULATIONS, search_named
from ..seeds import sequence
from ..solver.book import Book, book_for, book_option
from ..solver.solver import Solver

LONG = 42  # empty cells: with more, the solver can take hours
SHORTEST = 1e-3  # seconds: what a search is given when the clock has run out


class RandomPlayer:
    """Plays every legal move of any Game with equal probability."""

    def __init__(self) -> None:
        self._generator = np.random.default_rng()

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Restart the random numbers from the seed."""
        self._generator = np.random.default_rng(sequence(seed))

    def choose(self, game: Game[Move]) -> Move:
        """A random legal move."""
        moves: list[Move] = list(unfinished_copy_of("game", game).legal_moves)
        return moves[int(self._generator.integers(len(moves)))]

    def __repr__(self) -> str:
        return "RandomPlayer()"


class GameSearchPlayer:
    """Searches each move of any Game with one GameSearch, which keeps its tree during a game.

    params: as for GameSearch, or a text such as "uct@1000", with 1000 simulations per move if it names no limit.
    selection, rollout: as for GameSearch. simulations, seconds: for each move, as for GameSearch.search. `last` is the
    GameResult of the last move, None before it. Unless it is told the moves of a game (see Player), each move gets a
    new tree.
    """

    def __init__(
        self,
        params: SearchParams | str | None = None,
        *,
        selection: Selection | None = None,
        rollout: Rollout | None = None,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> None:
        options = {"simulations": simulations, "seconds": seconds}
        limits: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        if isinstance(params, str):
            params, limits = search_named(params, limits)
        Limits(**limits)
        self._new_search = partial(GameSearch, params=params, selection=selection, rollout=rollout)
        self._new_search(TicTacToe())  # so that wrong arguments are refused now, as they are for any game
        self._limits = limits
        self._seed: np.random.SeedSequence | None = None
        self._search: GameSearch[Any] | None = None
        self._is_told = False  # of the moves since the last search
        self.last: GameResult[Any] | None = None

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Start with a new search."""
        self._seed, self._search, self._is_told, self.last = seed, None, False, None

    def choose(self, game: Game[Any]) -> Any:
        """Search the game; return the best move."""
        if self._search is None or not self._is_told:
            self._search = self._new_search(game, seed=self._seed)
        self._is_told = False
        self.last = self._search.search(**self._limits)
        return self.last.move

    def played(self, move: Any) -> None:
        """Move the root of the tree along."""
        if self._search is not None:
            self._search.advance(move)
            self._is_told = True

    def __repr__(self) -> str:
        return f"GameSearchPlayer({', '.join(f'{name}={value!r}' for name, value in self._limits.items())})"


class EnginePlayer:
    """Searches each move with one engine, which keeps its tree during a game.

    params: as for Engine, or a text such as "uct@1000" or "uct@0.1s", with 1000 simulations per move if it names no
    limit; by default the preset "strong". evaluator: as for Engine. limits: for each move, as for Engine.search
    (simulations=, seconds=, nodes=). clock: (remaining, increment), the seconds that the player has for a whole game,
    and gains with each move. It divides them itself, and `remaining` is what it has left; limits are then optional.
    ponder: whether to keep searching while the opponent thinks, which makes the moves irreproducible (see
    Engine.ponder). on_progress: called about ten times a second while a search lasts; an exception in it ends the move
    and is raised by `choose`. `results` holds the SearchResults of the moves of the game so far, in order, also after
    its end; `last` is the last one, None before it.
    """

    def __init__(
        self,
        params: SearchParams | str | None = None,
        *,
        backend: BackendName = "auto",
        evaluator: Evaluator | None = None,
        ponder: bool = False,
        clock: tuple[float, float] | None = None,
        on_progress: Callable[[], object] | None = None,
        **limits: Any,
    ) -> None:
        check_keywords(EnginePlayer, limits, LimitOptions)
        if isinstance(params, str):
            params, limits = search_named(params, limits, SIMULATIONS if clock is None else None)
        if clock is None or limits:
            Limits(**limits)
        self._clock = None if clock is None else Clock.of(clock)
        self.remaining = None if self._clock is None else self._clock.remaining  # seconds; None without a clock
        self._ponder = flag("ponder", ponder)
        self._on_progress = callback("on_progress", on_progress)
        self._limits = limits
        self._new_engine = partial(Engine, params, backend=backend, evaluator=evaluator)
        self._engine = self._new_engine()
        check_budget(self._engine.params, limits.get("simulations"))
        if self._ponder:
            check_pondering(self._engine.params)
        self.results: list[SearchResult] = []

    @property
    def last(self) -> SearchResult | None:
        """The result of the last move; None before it."""
        return self.results[-1] if self.results else None

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Start with a new engine and a new clock."""
        self.end()
        self.remaining = None if self._clock is None else self._clock.remaining
        self._engine = self._new_engine(seed=seed)
        self.results = []

    def choose(self, board: Board) -> int:
        """Search the board; return the best column."""
        start = time.monotonic()
        clock = None
        if self._clock is not None and self.remaining is not None:
            clock = max(self.remaining, SHORTEST), self._clock.increment
        latest = self._engine.search(
            board, clock=clock, **self._limits, columns=False, on_progress=lambda _: self._on_progress()
        )
        # of one game only, also if it was not begun
        self.results = [*(result for result in self.results if result.board.ply < board.ply), latest]
        if self._ponder:
            after = board.after(latest.column)
            if not after.is_over():
                self._engine.ponder(after)
        if self._clock is not None and self.remaining is not None:
            self.remaining += self._clock.increment - (time.monotonic() - start)
        return latest.column

    def end(self) -> None:
        """End the pondering; play_game and play_match call this after each game."""
        self._engine.stop()

    def __repr__(self) -> str:
        clock = {} if self._clock is None else {"clock": (self._clock.remaining, self._clock.increment)}
        preset = next((name for name, each in PRESETS.items() if each == self._engine.params), None)
        params = {} if preset == "strong" else {"params": preset or self._engine.params}
        options = params | clock | self._limits | ({"ponder": True} if self._ponder else {})
        return f"EnginePlayer({', '.join(f'{name}={value!r}' for name, value in options.items())})"


class PerfectPlayer:
    """Plays perfectly: the fastest win, or the slowest loss; equally good columns at random.

    book: as for solve. What it has solved helps with later positions, also in later games. The first plies of a large
    board without a book can take hours: a RuntimeWarning comes before the first move if there are more than 42 empty
    cells and no book for them; on 7 x 6 with the book of the package, the longest moves take a few hundredths of a
    second. on_progress: called about ten times a second while a move takes long; an exception in it ends the move and
    is raised by `choose`.
    """

    def __init__(
        self,
        *,
        book: bool | Book = True,
        on_progress: Callable[[], object] | None = None,
        backend: BackendName = "auto",
    ) -> None:
        self._book = book_option(book)
        self._on_progress = callback("on_progress", on_progress)
        self._backend = word("backend", backend, get_args(BackendName))
        self._generator = np.random.default_rng()
        self._solver: Solver | None = None  # for the rules of the last board

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Restart the random numbers from the seed."""
        self._generator = np.random.default_rng(sequence(seed))

    def choose(self, board: Board) -> int:
        """A random one of the columns with the best exact score."""
        board = unfinished(board)
        if self._solver is None or self._solver.rules != board.rules:
            self._solver = Solver(board.rules, book=self._book, backend=self._backend)
            empty = board.rules.cells - board.ply
            if empty > LONG and book_for(self._book, board.rules, board.ply) is None:
                text = f"a perfect move can take hours on {board.rules} with {empty} empty cells"
                warnings.warn(f"{text}; EnginePlayer has limits", RuntimeWarning, stacklevel=2)
        order = self._generator.permutation(board.legal_columns).tolist()
        column = self._solver.best_column(board, order, on_progress=lambda _: self._on_progress())
        assert column is not None  # reports don't end it
        return column

    def __repr__(self) -> str:
        return "PerfectPlayer()"
