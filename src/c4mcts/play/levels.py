"""Levels: ten opponents from "Beginner" to "Perfect", each a model of a player of that strength.

A weak player is not a strong one with less time: they overlook things. A level says with which probability a player
sees an own win, a threat of the opponent, and a trap (a move after which the opponent can win, or make two threats at
once). What they have seen decides; among the remaining moves they judge by a search of a few simulations, and the
lower the level, the less sharply they tell better moves from worse ones. docs/guide/levels.md has the ratings.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._backend import BackendName
from .._validation import between, refused
from ..board.board import Board
from ..board.validation import unfinished
from ..search.engine import Engine
from ..search.params import SearchParams
from ..seeds import sequence
from .players import PerfectPlayer

# The judgement of a level: plain UCT, which knows nothing of the game but its rules.
JUDGEMENT = SearchParams.preset("uct", rollout="decisive", choice="value")


@dataclass(frozen=True, slots=True)
class Level:
    """The model of a player. Probabilities are for each move."""

    number: int  # 1 is the weakest
    name: str
    sees_win: float  # probability to see an own win with the next disc
    sees_threat: float  # probability to see that the opponent would win with the next disc
    sees_trap: float  # probability to see what the opponent can do after a move
    simulations: int  # of the search that judges the remaining moves
    temperature: float  # of the choice among them, in value from 0 to 1: a move worth so much less is e times rarer


LEVELS = (
    Level(1, "Beginner", 0.90, 0.80, 0.30, 4, 0.60),
    Level(2, "Casual", 0.97, 0.92, 0.50, 8, 0.30),
    Level(3, "Improver", 0.99, 0.97, 0.70, 16, 0.20),
    Level(4, "Club player", 1.0, 0.99, 0.85, 32, 0.12),
    Level(5, "Strong club player", 1.0, 1.0, 0.95, 64, 0.08),
    Level(6, "Expert", 1.0, 1.0, 1.0, 200, 0.05),
    Level(7, "Candidate master", 1.0, 1.0, 1.0, 600, 0.03),
    Level(8, "Master", 1.0, 1.0, 1.0, 2_000, 0.02),
    Level(9, "Grandmaster", 1.0, 1.0, 1.0, 10_000, 0.01),
    Level(10, "Perfect", 1.0, 1.0, 1.0, 0, 0.0),
)


class LevelPlayer:
    """Plays at a level; no two games are alike, unless they have the same seed.

    level: a number from 1 to 10, or a name in LEVELS. The ratings are those of 7 x 6; on other boards the same model
    plays, uncalibrated. Moves take a few milliseconds; those of "Perfect" up to 0.2 s on 7 x 6, and longer on boards
    without a book. on_progress: as for PerfectPlayer.

    Raises TypeError or ValueError for another level.
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
        self._perfect = PerfectPlayer(on_progress=on_progress, backend=backend)
        self.begin(np.random.SeedSequence())

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Restart the random numbers from the seed, and forget the last game."""
        perfect, engine, own = sequence(seed).spawn(3)
        self._perfect.begin(perfect)
        self._engine = Engine(JUDGEMENT, seed=engine, backend=self._backend)
        self._generator = np.random.default_rng(own)

    def choose(self, board: Board) -> int:
        """A column, by what the level sees of the position."""
        board = unfinished(board)
        if self.level.simulations == 0:
            return self._perfect.choose(board)
        wins, threats = board.winning_columns(), board.threatened_columns()
        if wins and self._sees(self.level.sees_win):
            return int(self._generator.choice(wins))
        if threats and self._sees(self.level.sees_threat):
            return self._judged(board, threats, [])
        unseen = list(wins)
        if threats:
            unseen = board.legal_columns
        unseen += [column for column in traps(board) if not self._sees(self.level.sees_trap)]
        return self._judged(board, board.legal_columns, unseen)

    def _sees(self, probability: float) -> bool:
        return bool(self._generator.random() < probability)

    def _judged(self, board: Board, columns: list[int], unseen: list[int]) -> int:
        """One of the columns, by its value in a short search; what is unseen counts as the mean of the others."""
        if len(columns) == 1:
            return columns[0]
        result = self._engine.search(board, simulations=max(self.level.simulations, board.rules.width))
        found = {move.column: 0.0 if move.value is None else move.value for move in result.moves}
        rest = [found[column] for column in columns if column not in unseen]
        neutral = sum(rest) / len(rest) if rest else 0.5
        values = np.array([neutral if column in unseen else found[column] for column in columns])
        weights = np.exp((values - values.max()) / self.level.temperature)
        return int(self._generator.choice(columns, p=weights / weights.sum()))

    def __repr__(self) -> str:
        return f"LevelPlayer({self.level.number}, {self.level.name!r})"


def level_of(level: object) -> Level:
    """The level of that number or name. TypeError, ValueError."""
    if isinstance(level, str):
        for one in LEVELS:
            if one.name.lower() == str.__str__(level).lower():
                return one
        raise ValueError(
            refused("level", f"1 to {len(LEVELS)} or one of {', '.join(one.name for one in LEVELS)}", level)
        )
    return LEVELS[between("level", level, 1, len(LEVELS)) - 1]


def traps(board: Board) -> list[int]:
    """The columns after which the opponent can win at once, or make two threats at once."""
    return [column for column in board.legal_columns if _is_trap(board, column)]


def _is_trap(board: Board, column: int) -> bool:
    after = board.copy()
    after.push(column)
    if after.is_over():
        return False
    if after.winning_columns():
        return True
    for reply in after.legal_columns:
        after.push(reply)
        double = not after.is_over() and len(after.threatened_columns()) > 1 and not after.winning_columns()
        after.pop()
        if double:
            return True
    return False
