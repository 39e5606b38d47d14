"""Draws a search result as SVG: the board, with bars for values and visits above its columns.

No information is in colour alone: every bar has its number, and the best column has an arrow, a tinted background and
bold type. Bars of values are scaled from 0 to 1, bars of visits to the most visited column.
"""

from typing import TYPE_CHECKING

from .._validation import an_instance
from ..search.results import SearchResult, verdict
from .svg import CELL, EDGE, board_parts, board_title, extent, opening

if TYPE_CHECKING:
    from ..search.results import MoveStats, SearchResult

GUTTER = 56  # width of the row names at the left
MARGIN = 8
MIN_WIDTH = 350  # needed by the two lines of text at the top
BAR = 28  # width of a bar
# y coordinates: values from their numbers to the end of their bars, visits likewise, proofs, arrow, board
VALUES, VALUES_END = 70, 130
VISITS, VISITS_END = 154, 190
PROOFS, ARROW, BOARD = 208, 232, 246

INK, PALE_INK, TRACK = "#1f2937", "#6b7280", "#e5e7eb"
VALUE, PROVEN, SHARE = "#2a66b8", "#12305c", "#7c8697"
GROUND, BEST_GROUND, BEST_EDGE = "#ffffff", "#fff4cc", "#c99700"


def result_svg(result: "SearchResult", size: int | None = None) -> str:
    """The picture as a string. size: width in pixels; by default about 48 per column, at most 960.

    TypeError or ValueError if the size is not a positive integer.
    """
    an_instance("result", result, SearchResult, "a SearchResult")
    board_width, board_height = extent(result.board)
    width, height = max(GUTTER + board_width + MARGIN, MIN_WIDTH), BOARD + board_height + MARGIN
    parts = [
        opening(width, height, size),
        f"<title>{board_title(result.board)}; {summary(result)}</title>",
        f"<desc>{description(result)}</desc>",
        f'<rect width="{width}" height="{height}" rx="{EDGE}" fill="{GROUND}"/>',
        f'<g font-family="sans-serif" font-size="13" text-anchor="middle" fill="{INK}">',
        *heading(result),
        *(part for move in result.moves for part in column_parts(result, move)),
        "</g>",
        f'<g transform="translate({GUTTER} {BOARD})">',
        *board_parts(result.board),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


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


def heading(result: "SearchResult") -> list[str]:
    """The two lines at the top, and the names of the rows."""
    player = ("yellow (x)", "red (o)")[result.board.turn]
    value = verdict(result.value, result.proof, result.distance)
    names = ((VALUES, "value"), (VISITS, "visits"), (PROOFS, "proof"))
    return [
        f'<text x="{MARGIN}" y="22" text-anchor="start" font-size="17" font-weight="bold">'
        f"{player}: column {result.column + 1}, {value}</text>",
        f'<text x="{MARGIN}" y="42" text-anchor="start" fill="{PALE_INK}">{result.simulations:,} simulations</text>',
        *(f'<text x="{GUTTER - 6}" y="{y}" text-anchor="end" fill="{PALE_INK}">{name}</text>' for y, name in names),
    ]


def column_parts(result: "SearchResult", move: "MoveStats") -> list[str]:
    """Bars and numbers of a column, with a tooltip."""
    x = GUTTER + EDGE + move.column * CELL + CELL // 2
    best = move.column == result.column
    parts = ['<g font-weight="bold">' if best else "<g>", f"<title>{move_text(result, move)}</title>"]
    if best:
        parts.append(
            f'<rect x="{x - CELL // 2 + 1}" y="{VALUES - 16}" width="{CELL - 2}" height="{ARROW - VALUES + 14}" rx="5" '
            f'fill="{BEST_GROUND}" stroke="{BEST_EDGE}"/>'
        )
        parts.append(f'<path d="M{x - 9} {ARROW} h18 l-9 11 z" fill="{INK}"/>')
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
