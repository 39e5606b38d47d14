"""Solution: the result of a solve, and its picture. Scores are on Pascal Pons' scale.

The fewer discs are on the board at the end, the more a win is worth. In the picture each column has its score above it,
and below that what the score means; the best columns have an arrow, a tinted background and bold type.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .._layout import win_score
from .._validation import between, counted
from ..board.board import Board, lines, measure
from ..board.svg import best_marks, column_centre, framed_rows, heading
from ..rules import Rules
from .verdict import Judged, Verdict

# y coordinates: scores, results in two lines, arrow, the board below them, the board if no column has a score
SCORES, RESULTS, ARROW, BOARD, HIGH_BOARD = 74, 92, 116, 132, 56


@dataclass(frozen=True, slots=True)
class Solution(Judged):
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
    def verdict(self) -> Verdict:
        """The score as a verdict, whose distance is of fast wins and late losses; nothing is proven without a score."""
        return self.verdict_of(self.score)

    def verdict_of(self, score: int | None) -> Verdict:
        """The verdict of a score of this position or of a column."""
        cells, ply = self.board.rules.cells, self.board.ply
        most = win_score(cells, ply + 1)
        low, high = (-most, most) if score is None else (between("score", score, -most, most),) * 2
        return Verdict(low, high, cells - ply)

    def svg(self, size: int | None = None) -> str:
        """A picture. size: its width in pixels; by default about 48 per column, at most 960.

        A column whose score is not known has none.
        """
        scores = column_scores(self)
        outcome, note = "not solved within the limits", ""
        if self.score is not None:
            outcome, note = self.verdict.text(), f"score {signed(self.score)}, "
        rows = {"score": SCORES, "result": RESULTS} if scores else {}
        texts = [
            *heading(self.board, outcome, f"{note}{counted(self.nodes, 'node')}", rows),
            *(part for column, score in scores.items() for part in column_parts(self, column, score)),
        ]
        said = [f"column {c + 1}: score {s}, {self.verdict_of(s)}." for c, s in scores.items()]
        description = " ".join(["For the player to move:", *said]) if said else "No column has a score."
        top, title = BOARD if scores else HIGH_BOARD, f"; {outcome}"
        return framed_rows(self.board, texts, top=top, size=size, title=title, description=description)

    _repr_svg_ = svg  # in notebooks


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


def signed(score: int) -> str:
    return f"{score:+}".replace("-", "−") if score else "0"


def column_parts(solution: Solution, column: int, score: int) -> list[str]:
    """The score of a column, what it means, and the marks of a best column."""
    x = column_centre(column)
    is_best = column in solution.best
    parts = ['<g font-weight="bold">' if is_best else "<g>"]
    if is_best:
        parts += best_marks(column, SCORES - 18, ARROW)
    parts.append(f'<text x="{x}" y="{SCORES}" font-size="17">{signed(score)}</text>')
    return [*parts, *verdict_lines(solution.verdict_of(score), x, RESULTS), "</g>"]


def verdict_lines(verdict: Verdict, x: int, y: int) -> list[str]:
    """A verdict in two lines of a picture."""
    lines = enumerate(verdict.text("≤").split(maxsplit=1))
    return [f'<text x="{x}" y="{y + 15 * number}">{text}</text>' for number, text in lines]
