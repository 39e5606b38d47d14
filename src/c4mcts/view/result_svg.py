"""Draws a search result as SVG: the board, with bars for values and visits above its columns.

No information is in colour alone: every bar has its number, and the best column has an arrow, a tinted background and
bold type. Bars of values are scaled from 0 to 1, bars of visits to the most visited column.
"""

from typing import TYPE_CHECKING

from .._validation import an_instance
from ..search.results import SearchResult, verdict
from .frame import TRACK, best_marks, column_centre, framed_rows, heading

if TYPE_CHECKING:
    from ..search.results import MoveStats, SearchResult

BAR = 28  # width of a bar
# y coordinates: values from their numbers to the end of their bars, visits likewise, proofs, arrow, board
VALUES, VALUES_END = 70, 130
VISITS, VISITS_END = 154, 190
PROOFS, ARROW, BOARD = 208, 232, 246

VALUE, PROVEN, SHARE = "#2a66b8", "#12305c", "#7c8697"


def result_svg(result: "SearchResult", size: int | None = None) -> str:
    """The picture as a string. size: width in pixels; by default about 48 per column, at most 960.

    TypeError or ValueError if the size is not a positive integer.
    """
    an_instance("result", result, SearchResult, "a SearchResult")
    verdict_text = f"column {result.column + 1}, {verdict(result.value, result.proof, result.distance)}"
    rows = {"value": VALUES, "visits": VISITS, "proof": PROOFS}
    texts = [
        *heading(result.board, verdict_text, f"{result.simulations:,} simulations", rows),
        *(part for move in result.moves for part in column_parts(result, move)),
    ]
    words = {"title": f"; {summary(result)}", "description": description(result)}
    return framed_rows(result.board, texts, top=BOARD, size=size, **words)


def summary(result: "SearchResult") -> str:
    """The best column and its value, in one phrase."""
    return f"best is column {result.column + 1}, {verdict(result.value, result.proof, result.distance)}"


def description(result: "SearchResult") -> str:
    """All figures in words, for screen readers."""
    moves = " ".join(f"{move_text(result, move)}." for move in result.moves)
    return f"{result.simulations:,} simulations. For the player to move: {moves}"


def move_text(result: "SearchResult", move: "MoveStats") -> str:
    """A move in words."""
    text = f"column {move.column + 1}: value {value_text(move)}, {percent(result, move)} of the visits"
    return f"{text}, {verdict(move.value, move.proof, move.distance)}" if move.proof else text


def value_text(move: "MoveStats") -> str:
    """A value with two digits, or a dash for a move that was never visited."""
    return "-" if move.value is None else f"{move.value:.2f}"


def percent(result: "SearchResult", move: "MoveStats") -> str:
    """A move's share of all visits, in percent."""
    return f"{100 * move.visits / max(sum(each.visits for each in result.moves), 1):.0f}%"


def column_parts(result: "SearchResult", move: "MoveStats") -> list[str]:
    """Bars and numbers of a column, with a tooltip."""
    x = column_centre(move.column)
    best = move.column == result.column
    parts = ['<g font-weight="bold">' if best else "<g>", f"<title>{move_text(result, move)}</title>"]
    if best:
        parts += best_marks(move.column, VALUES - 16, ARROW)
    parts += bar_parts(x, VALUES, VALUES_END, value_text(move), move.value or 0.0, PROVEN if move.proof else VALUE)
    highest = max(*(each.visits for each in result.moves), 1)
    parts += bar_parts(x, VISITS, VISITS_END, percent(result, move), move.visits / highest, SHARE)
    if move.proof == "draw":
        parts.append(f'<text x="{x}" y="{PROOFS}">draw</text>')
    elif move.proof is not None:
        parts.append(f'<text x="{x}" y="{PROOFS}">{move.proof}</text>')
        parts.append(f'<text x="{x}" y="{PROOFS + 15}">in {move.distance}</text>')
    return [*parts, "</g>"]


def bar_parts(x: int, top: int, end: int, label: str, part: float, colour: str) -> list[str]:
    """A label, and below it a bar that is filled to the share `part`; x: the centre of both."""
    height = end - top - 5
    filled = round(height * part, 1)
    left = x - BAR // 2
    return [
        f'<text x="{x}" y="{top}">{label}</text>',
        f'<rect x="{left}" y="{end - height}" width="{BAR}" height="{height}" fill="{TRACK}"/>',
        f'<rect x="{left}" y="{end - filled}" width="{BAR}" height="{filled}" fill="{colour}"/>',
    ]
