"""Solution: what the solver has found out about a position, and its picture. Scores are on Pascal Pons' scale.

The fewer discs are on the board at the end, the more a win is worth. In the picture each column has its score above it,
and below that what the score means; the best columns have an arrow, a tinted background and bold type.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .._layout import win_score
from ..board.board import Board, lines, measure
from ..board.svg import best_marks, column_centre, framed_rows, heading
from ..rules import Rules

# y coordinates: scores, results in two lines, arrow, the board below them, the board if no column has a score
SCORES, RESULTS, ARROW, BOARD, HIGH_BOARD = 74, 92, 116, 132, 56
WORDS = {1: "win", 0: "draw", -1: "loss"}  # by the sign of a score


@dataclass(frozen=True, slots=True)
class Solution:
    """The outcome of a position under perfect play of both sides, on Pascal Pons' scale.

    A game that ends with n discs on a board of c cells counts (c + 2 - n) / 2, rounded down, for the winner: so the
    score is positive if the player to move wins, larger if sooner, and 0 for a draw.
    """

    board: Board  # a copy
    score: int | None  # None if a limit ended the search before it was known
    columns: tuple[int | None, ...] | None  # by column, for the player to move; None for a full or unsolved column
    best: tuple[int, ...]  # the columns with the highest score; empty if they were not asked for, or are not known
    nodes: int  # positions searched
    seconds: float

    @property
    def distance(self) -> int | None:
        """Plies to the end of the game if both sides play for the score: fast wins, late losses."""
        if self.score is None:
            return None
        empty = self.board.rules.cells - self.board.ply
        return plies_of(self.score, empty)

    def svg(self, size: int | None = None) -> str:
        """A picture. size: its width in pixels; by default about 48 per column, at most 960. TypeError, ValueError.

        A column whose score is not known has none.
        """
        scores = column_scores(self)
        outcome, note = "not solved within the limits", ""
        if self.score is not None:
            outcome, note = " ".join(words(self, self.score)), f"score {signed(self.score)}, "
        rows = {"score": SCORES, "result": RESULTS} if scores else {}
        texts = [
            *heading(self.board, outcome.strip(), f"{note}{self.nodes:,} nodes", rows),
            *(part for column, score in scores.items() for part in column_parts(self, column, score)),
        ]
        said = [f"column {c + 1}: score {s}, {' '.join(words(self, s)).strip()}." for c, s in scores.items()]
        description = " ".join(["For the player to move:", *said]) if said else "No column has a score."
        top, title = BOARD if scores else HIGH_BOARD, f"; {outcome}"
        return framed_rows(self.board, texts, top=top, size=size, title=title, description=description)

    _repr_svg_ = svg  # in notebooks


def sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def plies_of(score: int, empty: int) -> int:
    """Plies to the end of a game with that score for the player to move, from a position with `empty` empty cells."""
    if score == 0:
        return empty
    plies = empty + 2 - 2 * abs(score)  # or one less, since scores are rounded down
    is_odd = score > 0  # the player to move makes the last move of a game that they win
    return plies if plies % 2 == is_odd else plies - 1


def scores_of_moves(
    rules: Rules, own: int, mask: int, score: Callable[[int, int], int | None]
) -> dict[int, int | None]:
    """The scores of the moves of an unfinished position, by column; None if not known.

    score: called with own and mask of the unfinished positions after them.
    """
    geometry, stride, scores = measure(rules), rules.height + 1, dict[int, int | None]()
    discs, cells = mask.bit_count() + 1, rules.cells
    wins = lines.winning_cells(own, geometry)
    for column in range(rules.width):
        cell = mask + (1 << column * stride) & geometry.board & ~mask
        if cell & wins:
            scores[column] = win_score(cells, discs)
        elif cell:
            reply = score(own ^ mask, mask | cell) if discs < cells else 0
            scores[column] = None if reply is None else -reply
    return scores


def column_scores(solution: Solution) -> dict[int, int]:
    """The scores that are known, by column."""
    if solution.columns is not None:
        return {column: score for column, score in enumerate(solution.columns) if score is not None}
    return {} if solution.score is None else dict.fromkeys(solution.best, solution.score)


def words(solution: Solution, score: int) -> tuple[str, str]:
    """What a score of the player to move means; a draw has no distance."""
    empty = solution.board.rules.cells - solution.board.ply
    return WORDS[sign(score)], f"in {plies_of(score, empty)}" if score else ""


def signed(score: int) -> str:
    return f"{score:+}".replace("-", "−") if score else "0"


def column_parts(solution: Solution, column: int, score: int) -> list[str]:
    """The score of a column, what it means, and the marks of a best column."""
    x = column_centre(column)
    is_best = column in solution.best
    parts = ['<g font-weight="bold">' if is_best else "<g>"]
    if is_best:
        parts += best_marks(column, SCORES - 18, ARROW)
    result, distance = words(solution, score)
    return [
        *parts,
        f'<text x="{x}" y="{SCORES}" font-size="17">{signed(score)}</text>',
        f'<text x="{x}" y="{RESULTS}">{result}</text>',
        *([f'<text x="{x}" y="{RESULTS + 15}">{distance}</text>'] if distance else []),
        "</g>",
    ]
