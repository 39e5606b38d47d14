"""Draws a solution as SVG: the board, and the exact score of each column above it.

Below each score stands what it means. The best columns have an arrow, a tinted background and bold type.
"""

from .._validation import an_instance
from ..solver.scores import plies_of
from ..solver.solution import Solution
from .frame import best_marks, column_centre, framed_rows, heading

# y coordinates: scores, results in two lines, arrow, the board below them, the board if no column has a score
SCORES, RESULTS, ARROW, BOARD, HIGH_BOARD = 74, 92, 116, 132, 56
WORDS = {1: "win", 0: "draw", -1: "loss"}  # by the sign of a score


def solution_svg(solution: Solution, size: int | None = None) -> str:
    """The picture as a string. size: width in pixels; by default about 48 per column, at most 960.

    Scores are for the player to move; a column whose score is not known has none.

    TypeError or ValueError if the size is not a positive integer.
    """
    board = an_instance("solution", solution, Solution, "a Solution").board
    scores = column_scores(solution)
    note = "" if solution.score is None else f"score {signed(solution.score)}, "
    rows = {"score": SCORES, "result": RESULTS} if scores else {}
    texts = [
        *heading(board, outcome(solution).strip(), f"{note}{solution.nodes:,} nodes", rows),
        *(part for column, score in scores.items() for part in column_parts(solution, column, score)),
    ]
    words = {"title": f"; {outcome(solution)}", "description": description(solution, scores)}
    return framed_rows(board, texts, top=BOARD if scores else HIGH_BOARD, size=size, **words)


def column_scores(solution: Solution) -> dict[int, int]:
    """The scores that are known, by column."""
    if solution.columns is not None:
        return {column: score for column, score in enumerate(solution.columns) if score is not None}
    return {} if solution.score is None else dict.fromkeys(solution.best, solution.score)


def outcome(solution: Solution) -> str:
    """The result of the position in one phrase."""
    return "not solved within the limits" if solution.score is None else " ".join(words(solution, solution.score))


def words(solution: Solution, score: int) -> tuple[str, str]:
    """What a score of the player to move means; a draw has no distance."""
    empty = solution.board.rules.cells - solution.board.ply
    return WORDS[(score > 0) - (score < 0)], f"in {plies_of(score, empty)}" if score else ""


def signed(score: int) -> str:
    """A score with its sign."""
    return f"{score:+}".replace("-", "−") if score else "0"


def description(solution: Solution, scores: dict[int, int]) -> str:
    """All scores in words, for screen readers."""
    columns = [f"column {c + 1}: score {s}, {' '.join(words(solution, s)).strip()}." for c, s in scores.items()]
    return " ".join(["For the player to move:", *columns]) if columns else "No column has a score."


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
