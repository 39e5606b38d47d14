"""Puzzles: positions of games with exactly one right move, checked by the solver and graded.

>>> from c4mcts.play import puzzles
>>> puzzle = puzzles()[0]
>>> puzzle.column == puzzle.line[0]
True

What a theme says is certain. `win` and `draw` say what the right move keeps; the others, of which a puzzle may have
several, describe the line of best play:

- double threat: the loser must stop two winning moves at once.
- stacked threats: stopping a winning move allows another one on top of it.
- zugzwang: nothing is threatened, but each move of the loser allows a winning one on top of it; in an odd row, counted
  from 1, that is an odd threat, in an even row an even threat.
- forced replies: each move of the winner threatens to win at once.
- quiet move: the right move does not.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from ..board.board import Board
from .game_files import read_game
from .levels import LEVELS

Theme = Literal[
    "win",
    "draw",
    "double threat",
    "stacked threats",
    "zugzwang",
    "odd threat",
    "even threat",
    "forced replies",
    "quiet move",
]
THEMES: tuple[Theme, ...] = get_args(Theme)

SHIPPED = Path(__file__).with_name("puzzles.txt")  # made by tools/make_puzzles.py


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one right move: one column wins, or one column draws and all others lose.

    Neither player can win with the next disc, so that there is something to find.
    """

    moves: tuple[int, ...]  # of the game, which lead to the position
    line: tuple[int, ...]  # best play from there: to the end of the game if it is won, otherwise its first 8 moves
    depth: int  # plies to look ahead: to the win, or to the end after the best of the moves that lose
    level: int  # the weakest from which all levels find the move in 6 of 8 trials
    themes: tuple[Theme, ...]  # in the order of THEMES

    @property
    def board(self) -> Board:
        """The position, with its moves."""
        return Board.from_moves(self.moves)

    @property
    def column(self) -> int:
        """The right move."""
        return self.line[0]

    @property
    def rating(self) -> int:
        """The Elo rating of the level."""
        return LEVELS[self.level - 1].rating


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """The puzzles in the package, the easiest first."""
    return tuple(map(_read, SHIPPED.read_text(encoding="utf-8").splitlines()))


def _read(line: str) -> Puzzle:
    game = read_game(line)
    columns, depth, level, themes = (game.headers[key] for key in ("line", "depth", "level", "themes"))
    return Puzzle(tuple(game.board.to_moves()), tuple(columns), depth, level, tuple(themes))
