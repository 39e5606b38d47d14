"""review: the worth of each move of a game, by exact scores where they can be had, else by searches.

A *half point* is the difference between a win and a draw, or between a draw and a loss.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import isnan, nan
from statistics import fmean
from typing import Any, Literal, SupportsIndex

from .._backend import BackendName, load_solver
from .._files import json_types
from .._validation import between, callback, naming, nothing, positive
from ..board.arguments import a_board
from ..board.board import Board
from ..rules import Rules, fits_solver
from ..search.engine import Engine
from ..search.params import SearchParams
from ..search.refinement import LINE_NODES
from ..search.results import SearchResult
from ..solver.book import Book, book_for, book_option
from ..solver.solution import Solution, column_scores
from ..solver.solver import Solver
from ..solver.verdict import sign

Kind = Literal["only", "best", "good", "inaccuracy", "mistake", "missed win", "blunder"]

# What people see first, whatever the scores: a win in one move that was not taken, a threat to win at once that was not
# stopped, a disc on top of which the opponent wins.
Oversight = Literal["overlooked win", "unblocked threat", "disc under a win"]

# The kinds that change the result, or go with an oversight.
CHANGES: tuple[Kind, ...] = ("mistake", "missed win", "blunder")

MARKS = {"inaccuracy": "?!", "mistake": "?", "missed win": "?", "blunder": "??"}
NAMES = ("yellow", "red")

SLOW = 4  # a move that keeps the result is an inaccuracy if its score is lower by at least this many points
SOLVER_NODES = {"native": 20_000_000, "pure": 1_000_000}  # for a game, from its end; positions before are searched
SIMULATIONS = 20_000  # of such a search
SEED = 1  # of these searches: a review is the same each time
LINE_PLIES = 8  # of the line that should have been played, and of the one that punishes the move played
MIN_SHARE = 0.02  # of the best move's visits that another move must have for its value to count
# Losses of the search's value, on its scale from 0 to 1, that correspond to the kinds of exact scores.
INACCURACY, MISTAKE, BLUNDER = 0.1, 0.25, 0.5


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move of a game. Scores and values are for the player who made it; scores as in Solution, values in [0, 1]."""

    ply: int  # discs on the board before the move
    player: int  # 0 moves first
    column: int
    best: tuple[int, ...]  # the best columns
    score_before: int | None  # of the best column; None where the position could not be solved
    score_after: int | None  # of the column played
    value_before: float  # 0 for a loss, 0.5 for a draw, 1 for a win; the search's where there is no score
    value_after: float
    kind: Kind
    # The columns that keep the result, the best among them; where it was searched, only those.
    keeping: tuple[int, ...] = ()
    line: tuple[int, ...] = ()  # what should have been played instead of a move that changed the result
    refutation: tuple[int, ...] = ()  # how the opponent punishes such a move: best play of both sides after it
    oversight: Oversight | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the kind follows from exact scores."""
        return self.score_before is not None

    @property
    def lost_half_points(self) -> int:
        """0, 1 or 2."""
        return round(2 * (self.value_before - self.value_after)) if self.is_exact else 0

    @property
    def accuracy(self) -> float:
        """From 0 to 1, see Review.accuracy."""
        if self.score_before is None or self.score_after is None:
            return 1 - max(0.0, self.value_before - self.value_after)
        if self.lost_half_points:
            return 1 - self.lost_half_points / 2
        return 1 - min(self.score_before - self.score_after, 10) / 20


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game."""

    board: Board  # the end of the game, with its moves
    moves: tuple[MoveReview, ...]

    @property
    def is_exact(self) -> bool:
        """Whether all scores are exact; False where a search had to stand in."""
        return all(move.is_exact for move in self.moves)

    @property
    def exact_from(self) -> int:
        """The ply from which all scores are exact: 0 for the empty board, the last ply if its score is not."""
        start = self.board.ply - len(self.moves)
        return max((move.ply + 1 for move in self.moves if not move.is_exact), default=start)

    def accuracy(self, player: int) -> float:
        """The mean accuracy of a player's moves in percent; NaN without moves.

        A move that loses half a point has 50 %, one that loses a whole point 0 %. Of those that keep the result, the
        best have 100 %, and others 5 % less for each point of score, at least 50 %. Where the search replaces the
        solver, it is 100 % minus the difference to the value of the best move.
        """
        accuracies = [move.accuracy for move in self._moves_of(player)]
        return 100 * fmean(accuracies) if accuracies else nan

    def lost_half_points(self, player: int) -> int:
        """How many half points a player's moves have lost."""
        return sum(move.lost_half_points for move in self._moves_of(player))

    def counts(self, player: int) -> dict[Kind, int]:
        """How many of a player's moves are of each kind; kinds without moves are left out."""
        kinds = [move.kind for move in self._moves_of(player)]
        return {kind: kinds.count(kind) for kind in Kind.__args__ if kind in kinds}  # type: ignore[attr-defined]

    def _moves_of(self, player: int) -> list[MoveReview]:
        player = between("player", player, 0, 1)
        return [move for move in self.moves if move.player == player]

    @property
    def turning_points(self) -> tuple[MoveReview, ...]:
        """The moves that changed the result, or overlooked a win, a threat, or a cell under a win."""
        return tuple(move for move in self.moves if move.kind in CHANGES)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and None, ready for JSON."""
        return {
            "start": self.board.start.to_fen(),
            "board": self.board.to_fen(),
            "exact": self.is_exact,
            "exact_from": self.exact_from,
            "moves": json_types(self.moves),
            "players": [
                {
                    "accuracy": None if isnan(self.accuracy(player)) else self.accuracy(player),
                    "lost_half_points": self.lost_half_points(player),
                    "counts": self.counts(player),
                }
                for player in (0, 1)
            ],
        }


def review(
    game: Board | str | Iterable[SupportsIndex],
    *,
    rules: Rules | None = None,
    opening: int = 0,
    book: bool | Book = True,
    simulations: int = SIMULATIONS,
    seed: int | None = SEED,
    on_progress: Callable[[int, int], object] | None = None,
    backend: BackendName = "auto",
) -> Review:
    """Review a game: classify each of its moves.

    game: a Board with its moves, a text (see Board.parse), or columns from 0. rules: of texts and columns, 7 x 6 by
    default. opening: how many of its first moves are left out, because nobody chose them. book: as for solve. The
    solver has 20 million nodes for a game (a million where only the pure backend can solve) and begins at its end;
    earlier positions that the book does not have, and all on boards of more than 128 bits, are searched with this
    number of simulations instead (see Review.exact_from). on_progress: called with the number of moves reviewed so far,
    the last ones first, and the total: before each move, and about ten times a second while one takes long. An
    exception in it ends the review and is raised here.

    Kinds, for exact scores: "only" is the one move that keeps the result, and best; "best" has the best score; "good"
    keeps the result, and so does "inaccuracy", but at a cost of at least 4 points, that is 7 or more plies; "mistake"
    turns a draw into a loss, "missed win" a win into a draw, "blunder" a win into a loss. Whatever the scores, a move
    that is not best is a "missed win" if it overlooks a win in one move, and a "blunder" if it lets the opponent win at
    once: see MoveReview.oversight.

    Raises IllegalMoveError or NotationError for a wrong move.
    """
    simulations = positive("simulations", simulations)
    on_progress = callback("on_progress", on_progress)
    if isinstance(game, Board | str):
        end = a_board(game, "game", rules).copy()
    else:
        with naming("game: "):
            end = Board.from_moves(game, rules)
    opening = between("opening", opening, 0, len(end.moves))
    reviewer = Reviewer(end, book_option(book), simulations, seed, on_progress, backend, opening)
    moves: list[MoveReview] = []
    while (move := reviewer.step()) is not None:  # no iter(), which would take a callback's StopIteration for its end
        moves.append(move)
    return Review(end, tuple(moves[::-1]))


@dataclass
class Reviewer:
    """Reviews the moves of a game one by one, the last one first. The arguments are as in `review`."""

    end: Board
    book: bool | Book = True
    simulations: int = SIMULATIONS
    seed: int | None = SEED
    on_progress: Callable[[int, int], object] = nothing
    backend: BackendName = "auto"
    opening: int = 0

    def __post_init__(self) -> None:
        rules, outcome = self.end.rules, self.end.outcome()
        self._book = book_for(self.book, rules)
        self._solver = Solver(rules, book=self.book, backend=self.backend)
        self._engine = Engine(SearchParams.preset("perfect"), seed=self.seed, backend=self.backend)
        self._is_solvable = fits_solver(rules)
        # left to the solver
        self._nodes = SOLVER_NODES[load_solver(self.backend, rules).name] if self._is_solvable else 0
        self._done = 0
        self._board = self.end.copy()  # after the next move to review
        # value of that position for the player who moved last; None where it is not known yet
        self._after = None if outcome is None else 1.0 if outcome.winner is not None else 0.5

    def step(self) -> MoveReview | None:
        """Review one move; None if all are reviewed."""
        if len(self._board.moves) <= self.opening:
            return None
        self._report()
        column = self._board.pop()
        move = self._solved(self._board, column)
        if move is None:
            if self._after is None:
                self._after = 1 - _value(self._search(self.end))
            move = _searched(self._search(self._board), column, self._after)
        self._after = 1 - move.value_before
        oversight = None if column in move.best else oversight_of(self._board, column)
        if oversight is not None:
            is_missed = oversight == "overlooked win" and move.kind != "blunder"
            move = replace(move, kind="missed win" if is_missed else "blunder", oversight=oversight)
        self._done += 1
        return self._with_lines(move, self._board) if move.kind in CHANGES else move

    def _report(self, _: object = None) -> None:
        self.on_progress(self._done, len(self.end.moves) - self.opening)

    def _search(self, board: Board) -> SearchResult:
        return self._engine.search(board, simulations=self.simulations, on_progress=self._report)

    def _solved(self, board: Board, column: int) -> MoveReview | None:
        """The review of a move by exact scores; None if the solver does not find them."""
        if not (self._is_solvable or (self._book is not None and board.ply < self._book.plies)):
            return None
        solution = self._solver.solve(board, max_nodes=max(self._nodes, 1), on_progress=self._report)
        self._nodes -= solution.nodes
        self._is_solvable = solution.score is not None  # earlier positions take longer, unless the book has them
        return _exact(solution, column) if self._is_solvable else None

    def _with_lines(self, move: MoveReview, board: Board) -> MoveReview:
        def line_after(column: int, plies: int) -> list[int]:
            later = board.after(column)
            if later.is_over():
                return []
            if move.is_exact:
                return self._solver.line(later, plies, max_nodes=LINE_NODES, on_progress=self._report)
            searched: list[int] = []  # a search's moves for both sides
            while len(searched) < plies and not later.is_over():
                searched.append(self._search(later).column)
                later.push(searched[-1])
            return searched

        line = (move.best[0], *line_after(move.best[0], LINE_PLIES - 1))
        return replace(move, line=line, refutation=tuple(line_after(move.column, LINE_PLIES)))


def _exact(solution: Solution, column: int) -> MoveReview:
    assert solution.columns is not None
    assert solution.score is not None
    after = solution.columns[column]
    assert after is not None
    before, scores = solution.score, column_scores(solution)
    keeping = tuple(column for column, score in scores.items() if sign(score) == sign(before))
    kind: Kind
    if sign(after) < sign(before):
        kind = "mistake" if before == 0 else "missed win" if after == 0 else "blunder"
    elif after == before:
        kind = "only" if len(keeping) == 1 < len(scores) else "best"
    else:
        kind = "good" if before - after < SLOW else "inaccuracy"
    one, two = ((1 + sign(score)) / 2 for score in (before, after))
    board = solution.board
    return MoveReview(board.ply, board.turn, column, solution.best, before, after, one, two, kind, keeping)


def _searched(result: SearchResult, column: int, after: float) -> MoveReview:
    """The review of a move in a position that was searched.

    after: value after the move by the next search, for the player who made it; used if this one hardly looked at it.
    """
    played, chosen = result.move(column), result.move(result.column)
    equal = [move.column for move in result.moves if (move.lower, move.upper) == (chosen.lower, chosen.upper)]
    best = tuple(equal) if result.proof else (result.column,)
    if played.value is not None and (played.proof is not None or played.visits >= MIN_SHARE * chosen.visits):
        after = played.value
    before = max(_value(result), after)
    loss = before - after
    kind: Kind = "best" if column in best else "good"
    if loss >= INACCURACY:
        kind = "inaccuracy" if loss < MISTAKE else "mistake" if loss < BLUNDER else "blunder"
    return MoveReview(result.board.ply, result.board.turn, column, best, None, None, before, after, kind, best)


def oversight_of(board: Board, column: int) -> Oversight | None:
    """The oversight of a move that a coach would name first, or None. board: before the move."""
    wins, threatened = board.winning_columns(), board.threatened_columns()
    if wins:
        return None if column in wins else "overlooked win"
    if threatened and column not in threatened:
        return "unblocked threat"
    later = board.after(column)
    return "disc under a win" if not later.is_over() and column in later.winning_columns() else None


def _value(result: SearchResult) -> float:
    assert result.value is not None
    return result.value
