"""Draws a board as SVG, without scripts, external fonts or images; and the frame of pictures with figures beside it.

The players differ in brightness and shape, not only in colour: the first player's discs are plain yellow, the second
player's are red with a ring. A black dot marks the last move, a white rim each disc of a winning line. In pictures, as
in strings of moves, columns count from 1.
"""

from typing import Any, NamedTuple

from .._validation import counted, positive

Board = Any  # a Board, whose module imports this one


class Circle(NamedTuple):
    """Lengths in units of the picture; the stroke of a width runs along the radius. fill: a colour or "none"."""

    x: int
    y: int
    radius: float
    fill: str
    stroke: str
    width: int

    def svg(self) -> str:
        return (
            f'<circle cx="{self.x}" cy="{self.y}" r="{self.radius}" fill="{self.fill}" stroke="{self.stroke}" '
            f'stroke-width="{self.width}"/>'
        )


CELL = 48  # width of a cell, in units of the picture
EDGE = 10  # width of the frame around the cells
LABELS = 26  # height of the column numbers below the frame
MAX_PIXELS = 1_000_000
DEFAULT_MAX_WIDTH = 960  # pixels

FRAME, FRAME_EDGE, HOLE = "#2a66b8", "#17417c", "#12305c"
FILLS = ("#ffd23f", "#c8102e")
EDGES = ("#c99700", "#7d0a1d")
RING = "#ffc2c9"

# of the frame
GUTTER = 56  # width of the row names at the left
MARGIN = 8
MIN_WIDTH = 350  # needed by the two lines of text at the top

INK, PALE_INK, TRACK = "#1f2937", "#6b7280", "#e5e7eb"
GROUND, BEST_GROUND, BEST_EDGE = "#ffffff", "#fff4cc", "#c99700"


def board_svg(board: Board, size: int | None = None) -> str:
    """The picture as a string. size: width in pixels; by default about 48 per column, at most 960."""
    width, height = extent(board)
    parts = [opening(width, height, size), f"<title>{_board_title(board)}</title>", *_board_parts(board), "</svg>"]
    return "\n".join(parts)


def extent(board: Board) -> tuple[int, int]:
    """Width and height of a board with its column numbers, in units of the picture."""
    return board.rules.width * CELL + 2 * EDGE, board.rules.height * CELL + 2 * EDGE + LABELS


def opening(width: int, height: int, size: int | None) -> str:
    """The opening tag of a picture; size: its width in pixels, by default one per unit, at most DEFAULT_MAX_WIDTH."""
    pixels = min(width, DEFAULT_MAX_WIDTH) if size is None else positive("size", size, MAX_PIXELS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{pixels}" height="{pixels * height / width:.0f}">'
    )


def _board_parts(board: Board) -> list[str]:
    width, height = extent(board)
    centres = range(EDGE + CELL // 2, width - EDGE, CELL)
    return [
        f'<rect x="1.5" y="1.5" width="{width - 3}" height="{height - LABELS - 3}" rx="{EDGE}" '
        f'fill="{FRAME}" stroke="{FRAME_EDGE}" stroke-width="3"/>',
        *(circle.svg() for circle in cell_circles(board)),
        f'<g font-family="sans-serif" font-size="17" text-anchor="middle" fill="{PALE_INK}">',
        *(f'<text x="{x}" y="{height - LABELS + 19}">{number}</text>' for number, x in enumerate(centres, 1)),
        "</g>",
    ]


def _board_title(board: Board) -> str:
    names = ("yellow (x)", "red with a ring (o)")
    outcome = board.outcome()
    if outcome is None:
        state = f"{names[board.turn]} to move"
    elif outcome.winner is None:
        state = "a draw"
    else:
        state = f"{names[outcome.winner]} has won"
    last = f", last in column {board.moves[-1] + 1}" if board.moves else ""
    return f"Board {board.rules}, {counted(board.ply, 'disc')}{last}: {state}"


def cell_circles(board: Board) -> list[Circle]:
    """A hole or a disc for each cell, with the marks of the last move and of winning lines."""
    outcome = board.outcome()
    winning = set(outcome.cells) if outcome else set()
    last = board.last_cell
    parts: list[Circle] = []
    for row, cells in enumerate(reversed(board.to_array().tolist())):
        for column, cell in enumerate(cells):
            x = EDGE + column * CELL + CELL // 2
            y = EDGE + (board.rules.height - 1 - row) * CELL + CELL // 2
            if cell == 0:
                parts.append(Circle(x, y, 19, HOLE, FRAME_EDGE, 2))
                continue
            parts.append(Circle(x, y, 19, FILLS[cell - 1], EDGES[cell - 1], 2))
            if cell == 2:
                parts.append(Circle(x, y, 11.5, "none", RING, 3))
            if (column, row) in winning:
                parts.append(Circle(x, y, 20, "none", "#ffffff", 5))
            if (column, row) == last:
                parts.append(Circle(x, y, 5.5, "#111111", "#ffffff", 2))
    return parts


def framed_rows(board: Board, texts: list[str], *, top: int, size: int | None, title: str, description: str) -> str:
    """A picture with rows of figures above the columns of the board; top: where the board begins.

    title: added to the description of the board, for screen readers.
    """
    board_width, board_height = extent(board)
    width, height = max(GUTTER + board_width + MARGIN, MIN_WIDTH), top + board_height + MARGIN
    parts = [
        opening(width, height, size),
        f"<title>{_board_title(board)}{title}</title>",
        f"<desc>{description}</desc>",
        f'<rect width="{width}" height="{height}" rx="{EDGE}" fill="{GROUND}"/>',
        f'<g font-family="sans-serif" font-size="13" text-anchor="middle" fill="{INK}">',
        *texts,
        "</g>",
        f'<g transform="translate({GUTTER} {top})">',
        *_board_parts(board),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


def heading(board: Board, verdict: str, note: str, rows: dict[str, int]) -> list[str]:
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
    return GUTTER + EDGE + column * CELL + CELL // 2


def best_marks(column: int, top: int, arrow: int) -> list[str]:
    """The tinted background of a best column, from `top` on, and its arrow."""
    x = column_centre(column)
    return [
        f'<rect x="{x - CELL // 2 + 1}" y="{top}" width="{CELL - 2}" height="{arrow - top - 2}" rx="5" '
        f'fill="{BEST_GROUND}" stroke="{BEST_EDGE}"/>',
        f'<path d="M{x - 9} {arrow} h18 l-9 11 z" fill="{INK}"/>',
    ]
