"""review: what each move of a game was worth, by exact scores where they can be had, as data and as a picture.

A *half point* is the difference between a win and a draw, or between a draw and a loss.

The picture has the final board, the course of the game, and both players' accuracy. The graph shows after each move who
wins with best play: the first player in the upper band, the second in the lower one, nobody in the middle one; and the
sooner, the farther from the middle. Moves that changed the result have a mark and the number of their column.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import isnan, nan
from statistics import fmean
from typing import Any, Literal, SupportsIndex

from .._backend import BackendName, load_solver
from .._files import json_types
from .._platform import to_the_end
from .._validation import function, positive
from ..board.board import Board
from ..board.positions import a_board
from ..board.svg import EDGES, FILLS, INK, PALE_INK, RING, TRACK, extent, framed
from ..rules import Rules, fits_solver
from ..search.engine import Engine
from ..search.params import SearchParams
from ..search.refinement import LINE_NODES
from ..search.results import SearchResult
from ..search.verdicts import proven_of
from ..solver.book import Book, book_for
from ..solver.solution import Solution, column_scores, sign
from ..solver.solver import Solver

Kind = Literal["only", "best", "good", "inaccuracy", "mistake", "missed win", "blunder"]

CHANGES: tuple[Kind, ...] = ("mistake", "missed win", "blunder")  # the kinds that change the result

# of the picture
WIDTH, HEIGHT = 860, 380
MARGIN = 24
TITLE = 40  # y coordinate of the title
BOARD_WIDTH, BOARD_TOP = 270, 64
LEFT, RIGHT = 400, WIDTH - MARGIN  # of the graph
TOP, BOTTOM = 70, 270
MIDDLE, HALF = (TOP + BOTTOM) / 2, (BOTTOM - TOP) / 2
BAND = HALF / 3  # half the height of the band of draws
LEAST = 0.5  # how far from the middle the least win lies, as a share of half the height; as in graph.js of the page
TINTS = ("#fff4cc", "#f1f1ee", "#fde2e6")  # behind the bands: the first player wins, draws, the second one wins
MARKS = {"inaccuracy": "?!", "mistake": "?", "missed win": "?", "blunder": "??"}
NAMES = ("yellow", "red")


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
    keeping: tuple[
        int, ...
    ] = ()  # the columns that keep the result, the best among them; where it was searched, only those
    line: tuple[int, ...] = ()  # what should have been played instead of a move that changed the result
    refutation: tuple[int, ...] = ()  # how the opponent punishes such a move: best play of both sides after it

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
        """The ply from which on all scores are exact, 0 for the empty board; that of the end if the last is not."""
        start = self.board.ply - len(self.moves)
        return max((move.ply + 1 for move in self.moves if not move.is_exact), default=start)

    def accuracy(self, player: int) -> float:
        """The mean accuracy of a player's moves in percent; NaN without moves.

        A move that loses half a point has 50 %, one that loses a whole point 0 %. Of those that keep the result, the
        best have 100 %, and others 5 % less for each point of score, at least 50 %. Where the search replaces the
        solver, it is 100 % minus the difference to the value of the best move.
        """
        accuracies = [move.accuracy for move in self.moves if move.player == player]
        return 100 * fmean(accuracies) if accuracies else nan

    def lost_half_points(self, player: int) -> int:
        """How many half points a player's moves have lost."""
        return sum(move.lost_half_points for move in self.moves if move.player == player)

    def counts(self, player: int) -> dict[Kind, int]:
        """How many of a player's moves are of each kind; kinds without moves are left out."""
        kinds = [move.kind for move in self.moves if move.player == player]
        return {kind: kinds.count(kind) for kind in Kind.__args__ if kind in kinds}  # type: ignore[attr-defined]

    @property
    def turning_points(self) -> tuple[MoveReview, ...]:
        """The moves that changed the result."""
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

    def svg(self, size: int | None = None) -> str:
        """A picture: the final board, the graph of the game, both accuracies. TypeError, ValueError.

        size: its width in pixels, by default 860.
        """
        board_width, _ = extent(self.board)
        texts = [
            f'<text x="{MARGIN}" y="{TITLE}" font-size="20" font-weight="bold">{headline(self)}</text>',
            *bands(),
            *course(self),
            *player_rows(self),
        ]
        return framed(
            self.board,
            texts,
            width=WIDTH,
            height=HEIGHT,
            at=(MARGIN, BOARD_TOP),
            size=size,
            title=f". {summary(self)}",
            scale=BOARD_WIDTH / board_width,
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def headline(review: Review) -> str:
    """How the game ended."""
    outcome = review.board.outcome()
    plies = len(review.moves)
    if outcome is None:
        return f"Unfinished after {plies} moves"
    if outcome.winner is None:
        return f"A draw after {plies} moves"
    return f"{NAMES[outcome.winner].capitalize()} won in {plies} moves"


def summary(review: Review) -> str:
    return ", ".join(f"{NAMES[player]} {percent(review, player)}" for player in (0, 1))


def percent(review: Review, player: int) -> str:
    accuracy = review.accuracy(player)
    return "no moves" if isnan(accuracy) else f"{accuracy:.0f} %"


def bands() -> list[str]:
    edges = (TOP, MIDDLE - BAND, MIDDLE + BAND, BOTTOM)
    parts = []
    for (top, bottom), tint, words in zip(pairwise(edges), TINTS, ("yellow wins", "draw", "red wins"), strict=True):
        parts += [
            f'<rect x="{LEFT}" y="{top:.1f}" width="{RIGHT - LEFT}" height="{bottom - top:.1f}" fill="{tint}"/>',
            f'<text x="{LEFT - 8}" y="{(top + bottom) / 2 + 4:.1f}" fill="{PALE_INK}" text-anchor="end">{words}</text>',
        ]
    return parts


def course(review: Review) -> list[str]:
    """The line of the graph, a disc for each move, and the marks."""
    if not review.moves:
        return []
    highest = review.board.rules.cells / 2
    step = (RIGHT - LEFT - 24) / len(review.moves)
    xs = [LEFT + 12 + step * i for i in range(len(review.moves) + 1)]
    first = review.moves[0]
    ys = [height(first.score_before, first.value_before, first.player, highest)]
    ys += [height(move.score_after, move.value_after, move.player, highest) for move in review.moves]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    parts = [f'<polyline points="{line}" fill="none" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>']
    for move, x, y in zip(review.moves, xs[1:], ys[1:], strict=True):
        parts += disc(move, x, y)
    every = 1 if step > 14 else 5
    parts.append(f'<g font-size="11" fill="{PALE_INK}" text-anchor="middle">')
    for i, move in enumerate(review.moves):
        if i % every == 0 or move.kind in CHANGES:
            bold = ' font-weight="bold" fill="' + INK + '"' if move.kind in CHANGES else ""
            parts.append(f'<text x="{xs[i + 1]:.1f}" y="{BOTTOM + 16}"{bold}>{move.column + 1}</text>')
    return [*parts, "</g>"]


def height(score: int | None, value: float, player: int, highest: float) -> float:
    """The y coordinate of a score, or else of a value, for that player."""
    side = 1 if player == 0 else -1
    return MIDDLE - side * (2 * value - 1 if score is None else score_height(score, highest)) * HALF


def score_height(score: int, highest: float) -> float:
    """The height of a score in the graph, in [-1, 1]. highest: the highest score of such a board."""
    return sign(score) * (LEAST + (1 - LEAST) * min(abs(score) / highest, 1))


def disc(move: MoveReview, x: float, y: float) -> list[str]:
    """A disc in the colour and shape of the player, with a mark if the move was not good."""
    mark = MARKS.get(move.kind)
    radius = 7 if move.kind in CHANGES else 5
    parts = [
        f"<g><title>{NAMES[move.player]} {move.column + 1}: {move.kind}</title>",
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{FILLS[move.player]}" stroke="{EDGES[move.player]}"/>',
    ]
    if move.player == 1:
        ring = f'r="{radius - 2.5}" fill="none" stroke="{RING}" stroke-width="1.5"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" {ring}/>')
    if mark is not None:
        above = y - 11 if y > TOP + 24 else y + 22
        parts.append(f'<text x="{x:.1f}" y="{above:.1f}" text-anchor="middle" font-weight="bold">{mark}</text>')
    return [*parts, "</g>"]


def player_rows(review: Review) -> list[str]:
    """A row for each player: accuracy as a bar and in percent, and the moves that were not good."""
    parts = []
    for player in (0, 1):
        y = BOTTOM + 50 + 30 * player
        accuracy = review.accuracy(player) if review.counts(player) else 0.0
        width = 160
        counts = review.counts(player)
        bad = [f"{counts[kind]} {plural(kind, counts[kind])}" for kind in MARKS if kind in counts]
        parts += [
            f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{NAMES[player]}</text>',
            f'<rect x="{LEFT}" y="{y - 11}" width="{width}" height="14" rx="3" fill="{TRACK}"/>',
            f'<rect x="{LEFT}" y="{y - 11}" width="{width * accuracy / 100:.1f}" height="14" rx="3" '
            f'fill="{FILLS[player]}" stroke="{EDGES[player]}"/>',
            f'<text x="{LEFT + width + 10}" y="{y}" font-weight="bold">{percent(review, player)}</text>',
            f'<text x="{LEFT + width + 62}" y="{y}" fill="{PALE_INK}">{", ".join(bad) or "no mistakes"}</text>',
        ]
    if not review.is_exact:
        words = "estimated by search"
        if review.exact_from < review.board.ply:
            words += f" before move {review.exact_from - review.moves[0].ply + 1}"
        parts.append(f'<text x="{RIGHT}" y="{TITLE}" text-anchor="end" fill="{PALE_INK}">{words}</text>')
    return parts


def plural(kind: str, count: int) -> str:
    if count == 1:
        return kind
    return "inaccuracies" if kind == "inaccuracy" else f"{kind}s"


SLOW = 4  # a move that keeps the result is an inaccuracy if its score is lower by at least this many points
SOLVER_NODES = {"native": 20_000_000, "pure": 1_000_000}  # for a game, from its end; positions before are searched
SIMULATIONS = 20_000  # of such a search
SEED = 1  # of these searches: a review is the same each time
LINE_PLIES = 8  # of the line that should have been played, and of the one that punishes the move played
MIN_SHARE = 0.02  # of the best move's visits that another move must have for its value to count
# Losses of the search's value, on its scale from 0 to 1, that correspond to the kinds of exact scores.
INACCURACY, MISTAKE, BLUNDER = 0.1, 0.25, 0.5


def review(
    game: Board | str | Iterable[SupportsIndex],
    *,
    rules: Rules | None = None,
    book: bool | Book = True,
    simulations: int = SIMULATIONS,
    seed: int | None = SEED,
    on_progress: Callable[[int, int], object] | None = None,
    backend: BackendName = "auto",
) -> Review:
    """Review a game: classify each of its moves.

    game: a Board with its moves, a text (see Board.parse), or columns from 0. rules: of texts and columns, 7 x 6 by
    default. book: as for solve. The solver has 20 million nodes for a game (a million where only the pure backend
    can solve) and begins at its end; earlier positions that the book does not have, and all on boards of more than 128
    bits, are searched with this number of simulations instead (see Review.exact_from). on_progress: called with the
    number of moves reviewed so far, the last ones first, and the total: before each move, and about ten times a second
    while one takes long. An exception in it ends the review and is raised here.

    Kinds, for exact scores: "only" is the one move that keeps the result, and best; "best" has the best score; "good"
    keeps the result, and so does "inaccuracy", but at a cost of at least 4 points, that is 7 or more plies; "mistake"
    turns a draw into a loss, "missed win" a win into a draw, "blunder" a win into a loss.

    Raises TypeError or ValueError naming the argument; IllegalMoveError or NotationError for a wrong move.
    """
    return to_the_end(
        review_in_slices,
        game,
        rules=rules,
        book=book,
        simulations=simulations,
        seed=seed,
        on_progress=on_progress,
        backend=backend,
    )


def review_in_slices(
    game: Board | str | Iterable[SupportsIndex],
    *,
    rules: Rules | None = None,
    book: bool | Book = True,
    simulations: int = SIMULATIONS,
    seed: int | None = SEED,
    on_progress: Callable[[int, int], object] | None = None,
    backend: BackendName = "auto",
) -> Generator[None, None, Review]:
    """What `review` returns; yields after each move, and where there are no threads also after 0.1 s."""
    simulations = positive("simulations", simulations)
    if on_progress is not None:
        function("on_progress", on_progress)
    end = _game(game, rules)
    known = book_for(book, end.rules)
    solver = Solver(end.rules, book=book, backend=backend)
    engine = Engine(SearchParams.preset("perfect"), seed=seed, backend=backend)
    is_solvable = fits_solver(end.rules)
    nodes = SOLVER_NODES[load_solver(backend, end.rules).name] if is_solvable else 0  # left to the solver
    moves: list[MoveReview] = []

    def report(_: object = None) -> None:
        if on_progress is not None:
            on_progress(len(moves), len(end.moves))

    search = partial(engine.search, simulations=simulations, on_progress=report)
    outcome = end.outcome()
    after = 1.0 if outcome is not None and outcome.winner is not None else 0.5  # for the player who moved last
    for board, column in _backwards(end):
        report()
        move = None
        if is_solvable or (known is not None and board.ply < known.plies):
            solution = yield from solver.solve_in_slices(board, max_nodes=max(nodes, 1), on_progress=report)
            nodes -= solution.nodes
            is_solvable = solution.score is not None  # earlier positions take longer, unless the book has them
            move = _exact(solution, column) if is_solvable else None
        if move is None:
            if not moves and outcome is None:
                after = _value(search(end), for_mover=False)
            move = _searched(search(board), column, after)
        after = 1 - move.value_before
        moves.append(move)
        yield

    def line_from(board: Board, plies: int, is_solvable: bool) -> list[int]:
        if is_solvable:
            return solver.line(board, plies, max_nodes=LINE_NODES, on_progress=report)
        return _searched_line(board, plies, search)

    return Review(end, tuple(_lined(end, move, line_from) for move in reversed(moves)))


def _game(game: Any, rules: Rules | None) -> Board:
    """The end of the game, with its moves. TypeError, ValueError."""
    if isinstance(game, Board | str):
        return a_board(game, "game", rules).copy()
    return Board.from_moves(game, rules)


def _backwards(end: Board) -> Iterator[tuple[Board, int]]:
    """The positions before each move, and the move, the last one first."""
    board = end.copy()
    while board.moves:
        column = board.pop()
        yield board.copy(), column


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
    equal = [move.column for move in result.moves if proven_of(move) == proven_of(chosen)]
    best = tuple(equal) if result.proof else (result.column,)
    if played.value is not None and (played.proof is not None or played.visits >= MIN_SHARE * chosen.visits):
        after = played.value
    before = max(_value(result), after)
    loss = before - after
    kind: Kind = "best" if column in best else "good"
    if loss >= INACCURACY:
        kind = "inaccuracy" if loss < MISTAKE else "mistake" if loss < BLUNDER else "blunder"
    return MoveReview(result.board.ply, result.board.turn, column, best, None, None, before, after, kind, best)


def _value(result: SearchResult, for_mover: bool = True) -> float:
    """The value of a searched position for the player to move, or for the other."""
    assert result.value is not None
    return result.value if for_mover else 1 - result.value


def _lined(end: Board, move: MoveReview, line_from: Callable[[Board, int, bool], list[int]]) -> MoveReview:
    """The move with its lines, if it changed the result.

    line_from: called with an unfinished position, a number of plies, and whether the position can be solved.
    """
    if move.kind not in CHANGES:
        return move
    board = end.copy()
    while board.ply > move.ply:
        board.pop()

    def after(column: int, plies: int) -> list[int]:
        later = board.copy()
        later.push(column)
        return [] if later.is_over() else line_from(later, plies, move.is_exact)

    line = (move.best[0], *after(move.best[0], LINE_PLIES - 1))
    return replace(move, line=line, refutation=tuple(after(move.column, LINE_PLIES)))


def _searched_line(board: Board, plies: int, search: Callable[[Board], SearchResult]) -> list[int]:
    """The moves that a search would play for both sides."""
    board, line = board.copy(), list[int]()
    while len(line) < plies and not board.is_over():
        line.append(search(board).column)
        board.push(line[-1])
    return line
