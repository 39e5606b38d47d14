"""The frame of the pictures that show a board with figures: ground, headline, rows above the columns, the board."""

from typing import TYPE_CHECKING

from .svg import CELL, EDGE, board_parts, board_title, extent, opening

if TYPE_CHECKING:
    from ..board.board import Board

GUTTER = 56  # width of the row names at the left
MARGIN = 8
MIN_WIDTH = 350  # needed by the two lines of text at the top

INK, PALE_INK, TRACK = "#1f2937", "#6b7280", "#e5e7eb"
GROUND, BEST_GROUND, BEST_EDGE = "#ffffff", "#fff4cc", "#c99700"


def framed(
    board: "Board",
    texts: list[str],
    *,
    width: int,
    height: int,
    at: tuple[int, int],
    size: int | None,
    title: str,
    description: str = "",
    scale: float = 1.0,
) -> str:
    """A whole picture. texts: the elements beside the board; at, scale: place of its upper left corner, and its size.

    title: what follows the description of the board, for screen readers.
    """
    x, y = at
    scaled = f" scale({scale:.3f})" if scale != 1 else ""
    parts = [
        opening(width, height, size),
        f"<title>{board_title(board)}{title}</title>",
        *([f"<desc>{description}</desc>"] if description else []),
        f'<rect width="{width}" height="{height}" rx="{EDGE}" fill="{GROUND}"/>',
        f'<g font-family="sans-serif" font-size="13" fill="{INK}">',
        *texts,
        "</g>",
        f'<g transform="translate({x} {y}){scaled}">',
        *board_parts(board),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


def framed_rows(board: "Board", texts: list[str], *, top: int, size: int | None, title: str, description: str) -> str:
    """A picture with rows of figures above the columns of the board; top: where the board begins."""
    board_width, board_height = extent(board)
    return framed(
        board,
        ['<g text-anchor="middle">', *texts, "</g>"],
        width=max(GUTTER + board_width + MARGIN, MIN_WIDTH),
        height=top + board_height + MARGIN,
        at=(GUTTER, top),
        size=size,
        title=title,
        description=description,
    )


def heading(board: "Board", verdict: str, note: str, rows: dict[str, int]) -> list[str]:
    """The two lines at the top, and the names of the rows at their heights."""
    player = ("yellow (x)", "red (o)")[board.turn]
    return [
        f'<text x="{MARGIN}" y="22" text-anchor="start" font-size="17" font-weight="bold">{player}: {verdict}</text>',
        f'<text x="{MARGIN}" y="42" text-anchor="start" fill="{PALE_INK}">{note}</text>',
        *(
            f'<text x="{GUTTER - 6}" y="{y}" text-anchor="end" fill="{PALE_INK}">{name}</text>'
            for name, y in rows.items()
        ),
    ]


def column_centre(column: int) -> int:
    """The x coordinate of the middle of a column."""
    return GUTTER + EDGE + column * CELL + CELL // 2


def best_marks(column: int, top: int, arrow: int) -> list[str]:
    """The tinted background of a best column, from `top` on, and its arrow."""
    x = column_centre(column)
    return [
        f'<rect x="{x - CELL // 2 + 1}" y="{top}" width="{CELL - 2}" height="{arrow - top - 2}" rx="5" '
        f'fill="{BEST_GROUND}" stroke="{BEST_EDGE}"/>',
        f'<path d="M{x - 9} {arrow} h18 l-9 11 z" fill="{INK}"/>',
    ]
