"""Levels: ten opponents from "Beginner" to "Perfect", each a model of a player of that strength.

Weak players are not strong ones with less time: they overlook things. A level says with which probability a player
sees, at each move, an own win, a threat of the opponent, and traps (moves after which the opponent can win, or make two
threats at once). The remaining moves are judged by a short search; the lower the level, the less sharply the player
tells better moves from worse ones. https://github.com/c4mcts/c4mcts/blob/main/docs/guide/levels.md has the ratings and
says how they were measured.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._backend import BackendName
from .._validation import between, callback, must_be
from ..board.arguments import unfinished
from ..board.board import Board
from ..search.engine import Engine
from ..search.params import SearchParams
from ..search.results import SearchResult
from ..seeds import sequence
from .openings import is_balanced_by_default
from .players import PerfectPlayer

JUDGEMENT = SearchParams.preset("strong")  # the search that judges moves
UNSOLVED = 20_000  # simulations of level 10 where exact scores would take too long


@dataclass(frozen=True, slots=True)
class Level:
    """The model of a player. Probabilities are for each move."""

    number: int  # 1 is the weakest
    name: str
    sees_win: float  # probability to see an own win with the next disc
    sees_threat: float  # probability to see that the opponent would win with the next disc
    sees_traps: float  # probability to see all moves after which the opponent can win, or make two threats at once
    simulations: int  # of the search that judges the moves; 0: the player knows the exact scores
    temperature: float  # of the choice: a move's chance is in proportion to its visits ** (1 / temperature)
    rating: int  # Elo on 7 x 6, where a player who takes wins, stops threats and is else random has 0


LEVELS = (
    Level(1, "Beginner", 0.9, 0.7, 0.0, 10, 10.0, -4),
    Level(2, "Casual", 0.98, 0.92, 0.35, 10, 0.6, 131),
    Level(3, "Improver", 1.0, 1.0, 0.75, 16, 0.3, 259),
    Level(4, "Club player", 1.0, 1.0, 1.0, 24, 0.23, 403),
    Level(5, "Strong club player", 1.0, 1.0, 1.0, 38, 0.19, 497),
    Level(6, "Expert", 1.0, 1.0, 1.0, 72, 0.15, 630),
    Level(7, "Candidate master", 1.0, 1.0, 1.0, 130, 0.13, 728),
    Level(8, "Master", 1.0, 1.0, 1.0, 270, 0.07, 902),
    Level(9, "Grandmaster", 1.0, 1.0, 1.0, 400, 0.05, 1039),
    Level(10, "Perfect", 1.0, 1.0, 1.0, 0, 0.0, 1465),
)


class LevelPlayer:
    """Plays at a level; games differ unless they have the same seed.

    level: a number from 1 to 10, or a name in LEVELS. The ratings hold for 7 x 6; on other boards the same model
    plays, at an unknown strength. Where exact scores would take too long, on boards of more than 25 cells without a
    book, "Perfect" is a search of 20,000 simulations. on_progress: called about ten times a second while a move takes
    long; an exception in it ends the move and is raised by `choose`.
    """

    def __init__(
        self,
        level: int | str,
        *,
        on_progress: Callable[[], object] | None = None,
        backend: BackendName = "auto",
    ) -> None:
        self.level = level_of(level)
        self._backend = backend
        self._on_progress = callback("on_progress", on_progress)
        self._perfect = PerfectPlayer(on_progress=on_progress, backend=backend)
        self.begin(np.random.SeedSequence())

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Restart the random numbers from the seed, and forget the last game."""
        perfect, engine, own = sequence(seed).spawn(3)
        self._perfect.begin(perfect)
        self._engine = Engine(JUDGEMENT, seed=engine, backend=self._backend)
        self._generator = np.random.default_rng(own)

    def choose(self, board: Board) -> int:
        """A column, by the part of the position that the level sees."""
        board = unfinished(board)
        if self.level.simulations == 0:
            if is_balanced_by_default(0, board.rules):  # exact scores are at hand
                return self._perfect.choose(board)
            return self._engine.search(board, simulations=UNSOLVED, on_progress=self._report, columns=False).column
        wins, threats, columns = board.winning_columns(), board.threatened_columns(), board.legal_columns
        if wins and self._generator.random() < self.level.sees_win:
            return int(self._generator.choice(wins))
        if threats and self._generator.random() < self.level.sees_threat:
            return self._judged(board, threats, [])
        if threats:
            return int(self._generator.choice(columns))
        hidden = [] if self._generator.random() < self.level.sees_traps else traps(board)
        return self._judged(board, columns, wins + hidden)

    def _report(self, _: SearchResult) -> None:
        self._on_progress()

    def _judged(self, board: Board, columns: list[int], hidden: list[int]) -> int:
        """One of the columns, by a short search. What is hidden from the player counts as the mean of the others."""
        if len(columns) == 1:
            return columns[0]
        simulations = max(self.level.simulations, board.rules.width)
        result = self._engine.search(board, simulations=simulations, on_progress=self._report, columns=False)
        chances = result.policy(self.level.temperature)[columns]
        unseen = np.isin(columns, hidden)
        chances[unseen] = 0.0 if unseen.all() else chances[~unseen].mean()
        if not chances.any():
            chances[:] = 1.0
        return int(self._generator.choice(columns, p=chances / chances.sum()))

    def __repr__(self) -> str:
        return f"LevelPlayer({self.level.number}, {self.level.name!r})"


def level_of(level: object) -> Level:
    """The level of that number or name. TypeError, ValueError."""
    if isinstance(level, str):
        for one in LEVELS:
            if one.name.lower() == level.lower():
                return one
        names = ", ".join(one.name for one in LEVELS)
        raise ValueError(must_be("level", f"1 to {len(LEVELS)} or one of {names}", level))
    return LEVELS[between("level", level, 1, len(LEVELS)) - 1]


def level_list() -> str:
    """The levels and their ratings on 7 x 6 in one line, for the help of commands."""
    return ", ".join(f"{one.number} {one.name} ({one.rating:+})" for one in LEVELS)


def traps(board: Board) -> list[int]:
    """The columns after which the opponent can win at once, or make two threats at once."""
    return [column for column in board.legal_columns if _is_trap(board, column)]


def _is_trap(board: Board, column: int) -> bool:
    after = board.after(column)
    if after.is_over() or after.winning_columns():
        return not after.is_over()
    replies = [after.after(reply) for reply in after.legal_columns]
    return any(len(each.threatened_columns()) > 1 and not each.winning_columns() for each in replies)
