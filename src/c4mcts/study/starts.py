"""Start positions of experiments: a Board, which Engine searches, or any other Game, which GameSearch searches.

Arrays of results have a place for each move: for each column of a Board, for each legal move of another Game.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import refused, shown
from ..board.board import Board
from ..board.positions import AnyBoard, unfinished
from ..executors.background import Cancellation
from ..games import MEMBERS, Game, GameSearch, searchable, unfinished_copy_of
from ..play.players import EnginePlayer, GameSearchPlayer, Player
from ..rules import fits_word
from ..search.engine import Engine
from ..search.params import SearchParams, UctParams, uct_params
from ..solver.solver import solve

SLICE = 200  # simulations of a Game between two checks whether the job is still wanted: some 10 ms
SHORT = 40  # characters of a position that are not too many for a title
PONS_WIDTH = 9  # columns that a string of moves can name

Position = Board | Game[Any]
AnyPosition = AnyBoard | Game[Any]


class Measurement(NamedTuple):
    """What a search knows at one moment; values and visits are of the legal moves, in order."""

    chosen: int  # the place of the move it would play
    values: list[float | None]  # mean rewards in [0, 1] for the player to move; None without visits
    visits: list[int]


class Start:
    """A start position. Executors of processes pickle it."""

    def __init__(self, position: Position) -> None:
        self.position: Any = position
        self.is_board = isinstance(position, Board)
        if isinstance(position, Board):
            self.noun = "column"  # what a move is called
            self.moves: tuple[Any, ...] = tuple(range(position.rules.width))  # by place
            self.legal = position.legal_columns  # the places of the legal moves
            self.key = position.to_fen()  # the whole position, as checkpoints know it
            self.title = _board_title(position)  # the position, in a few words
        else:
            self.noun = "move"
            self.moves = tuple(position.legal_moves)
            self.legal = list(range(len(self.moves)))
            self.key = f"{type(position).__module__}: {position!r}"
            text = shown(position)
            self.title = text if len(text) <= SHORT else type(position).__name__

    def labels(self, first: int = 1) -> list[str]:
        """The moves as people read them, by place. first: the number of a board's first column."""
        return [str(move + first if self.is_board else move) for move in self.moves]

    def listed(self, places: Sequence[int], first: int = 1) -> str:
        """Moves in words: columns 2, 4."""
        labels = self.labels(first)
        return f"{self.noun}{'s' if len(places) > 1 else ''} {', '.join(labels[place] for place in places)}"

    def params(self, params: SearchParams, name: str = "params") -> UctParams:
        """The parameters, checked. TypeError, or ValueError naming the field that can't be used here."""
        known = uct_params(params, name)
        return known if self.is_board else searchable(known)

    def searcher(self, params: SearchParams, budget: int) -> Player:
        """A player that makes `budget` simulations per move, and keeps its tree during a game."""
        return (EnginePlayer if self.is_board else GameSearchPlayer)(params, simulations=budget)

    def measure(
        self, params: SearchParams, points: Sequence[int], seed: np.random.SeedSequence, check: Cancellation
    ) -> list[Measurement]:
        """A job: measure one growing search after each of these numbers of simulations, which ascend."""
        search = _growing(self.position, params.changed(keep_tree=True), seed, check)
        found = [search(point - before) for point, before in zip(points, [0, *points], strict=False)]
        return [
            Measurement(
                self.moves.index(each.column if self.is_board else each.move),
                [move.value for move in each.moves],
                [move.visits for move in each.moves],
            )
            for each in found
        ]


def _growing(
    position: Any, params: SearchParams, seed: np.random.SeedSequence, check: Cancellation
) -> Callable[[int], Any]:
    """A search: a function that adds so many simulations to its tree, and returns the result."""
    if isinstance(position, Board):
        engine = Engine(params, seed=seed)
        return lambda more: engine.search(position, simulations=more, on_progress=check, columns=False)
    search = GameSearch[Any](position, params, seed=seed)

    def grow(more: int) -> Any:
        for done in range(0, more, SLICE):
            check()
            found = search.search(simulations=min(SLICE, more - done))
        return found

    return grow


def start_of(position: object, name: str = "board") -> Start:
    """The start position that a caller gives. TypeError, GameOverError; ValueError for a Game that breaks its rules."""
    if isinstance(position, Board | str):
        return Start(unfinished(position, name))
    if isinstance(position, type) or not all(hasattr(position, member) for member in MEMBERS):
        raise TypeError(refused(name, "a Board, its text, or a Game", position))
    given: Any = position
    return Start(unfinished_copy_of(name, given))


def _board_title(board: Board) -> str:
    """ "empty 7x6", "after 4453 on 7x6", "7x6 with 30 discs"; the winning length only if it is not four."""
    rules = board.rules
    size = f"{rules.width}x{rules.height}" if rules.connect == 4 else f"{rules.width}x{rules.height}x{rules.connect}"
    size += "" if rules.diagonals else " without diagonals"
    if not board.ply:
        return f"empty {size}"
    if len(board.moves) == board.ply <= SHORT and rules.width <= PONS_WIDTH:
        return f"after {board.to_pons()} on {size}"
    return f"{size} with {board.ply} discs"


QUICK = 500_000  # positions that the solver may search where exact scores are welcome, but not needed

Scores = Sequence[int | None]  # by column; None for a full one


def scores_of(
    board: Board, max_nodes: int | None, seed: np.random.SeedSequence, check: Cancellation
) -> tuple[int | None, ...] | None:
    """A job: the exact scores of all columns; None if they are not known after `max_nodes` positions."""
    solved = solve(board, max_nodes=max_nodes, on_progress=check).columns
    assert solved is not None
    return solved if all(solved[column] is not None for column in board.legal_columns) else None


def unknown(seed: np.random.SeedSequence, check: Cancellation) -> None:
    """A job in place of `scores_of`: nothing is known."""


def require_solvable(board: Board, name: str, instead: str) -> None:
    """ValueError for boards of more than 64 bits, which are rarely solved in time. instead: what the caller can do."""
    if not fits_word(board.rules):
        raise ValueError(f"{name} must {instead}: a board of {board.rules} is too large to be solved")


def rewards_of(scores: Scores, params: SearchParams) -> npt.NDArray[np.float64]:
    """The exact rewards of the columns: float64 of shape (width,), NaN for full ones."""
    win, draw, loss = params.rewards
    return np.array([np.nan if score is None else (draw, win, loss)[np.sign(score)] for score in scores])


def best_columns(scores: Scores) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns with the best score, and those with the same outcome as the best."""
    known = [(column, score) for column, score in enumerate(scores) if score is not None]
    best = max(score for _, score in known)
    optimal = tuple(column for column, score in known if score == best)
    return optimal, tuple(column for column, score in known if np.sign(score) == np.sign(best))
