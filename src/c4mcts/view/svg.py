"""A board as an SVG picture: standard library only, no script, no font or image from elsewhere.

Empty holes are dark; the players differ in brightness and in shape, not only in hue: the first player's discs are plain
yellow, the second's red with a ring. A black dot marks the last move, a white rim every disc of a winning line.
"""

from typing import TYPE_CHECKING

from .._validation import positive
from ..board.validation import a_board

if TYPE_CHECKING:
    from ..board.board import Board

CELL = 48  # side of a cell in the picture's own units
EDGE = 10  # frame around the cells
LABELS = 26  # room for the column numbers under the frame
MAX_PIXELS = 1_000_000
WIDEST = 960  # pixels that a picture takes unless told

FRAME, FRAME_EDGE, HOLE = "#2a66b8", "#17417c", "#12305c"
FILLS = ("#ffd23f", "#c8102e")
EDGES = ("#c99700", "#7d0a1d")
RING = "#ffc2c9"


def board_svg(board: "Board", size: int | None = None) -> str:
    """The picture as a string. size: width in pixels; unless given, 48 a column and at most 960.

    TypeError or ValueError for a size that is no positive integer.
    """
    width, height = extent(a_board(board))
    parts = [opening(width, height, size), f"<title>{board_title(board)}</title>", *board_parts(board), "</svg>"]
    return "\n".join(parts)


def extent(board: "Board") -> tuple[int, int]:
    """Width and height of a board with its column numbers, in the picture's own units."""
    return board.rules.width * CELL + 2 * EDGE, board.rules.height * CELL + 2 * EDGE + LABELS


def opening(width: int, height: int, size: int | None) -> str:
    """The first tag of a picture; size: its width in pixels, by default one a unit and at most WIDEST."""
    pixels = min(width, WIDEST) if size is None else positive("size", size, MAX_PIXELS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{pixels}" height="{pixels * height / width:.0f}">'
    )


def board_parts(board: "Board") -> list[str]:
    """The board itself, its upper left corner at the origin."""
    width, height = extent(board)
    return [
        f'<rect x="1.5" y="1.5" width="{width - 3}" height="{height - LABELS - 3}" rx="{EDGE}" '
        f'fill="{FRAME}" stroke="{FRAME_EDGE}" stroke-width="3"/>',
        *cells_svg(board),
        *labels_svg(board.rules.width, height - LABELS),
    ]


def board_title(board: "Board") -> str:
    """One sentence for who can't see the picture."""
    names = ("yellow (x)", "red with a ring (o)")
    outcome = board.outcome()
    if outcome is None:
        state = f"{names[board.turn]} to move"
    elif outcome.winner is None:
        state = "a draw"
    else:
        state = f"{names[outcome.winner]} has won"
    last = f", last in column {board.moves[-1]}" if board.moves else ""
    return f"Board {board.rules}, {board.ply} discs{last}: {state}"


def cells_svg(board: "Board") -> list[str]:
    """A hole or a disc for each cell, then the marks on top."""
    outcome = board.outcome()
    winning = set(outcome.cells) if outcome else set()
    last = last_cell(board)
    parts = []
    for row, cells in enumerate(reversed(board.to_array().tolist())):
        for column, cell in enumerate(cells):
            x = EDGE + column * CELL + CELL // 2
            y = EDGE + (board.rules.height - 1 - row) * CELL + CELL // 2
            if cell == 0:
                parts.append(f'<circle cx="{x}" cy="{y}" r="19" fill="{HOLE}" stroke="{FRAME_EDGE}" stroke-width="2"/>')
                continue
            parts += disc_svg(x, y, cell - 1)
            if (column, row) in winning:
                parts.append(f'<circle cx="{x}" cy="{y}" r="20" fill="none" stroke="#ffffff" stroke-width="5"/>')
            if (column, row) == last:
                parts.append(f'<circle cx="{x}" cy="{y}" r="5.5" fill="#111111" stroke="#ffffff" stroke-width="2"/>')
    return parts


def disc_svg(x: int, y: int, player: int) -> list[str]:
    """One disc with its centre at (x, y)."""
    parts = [f'<circle cx="{x}" cy="{y}" r="19" fill="{FILLS[player]}" stroke="{EDGES[player]}" stroke-width="2"/>']
    if player == 1:
        parts.append(f'<circle cx="{x}" cy="{y}" r="11.5" fill="none" stroke="{RING}" stroke-width="3"/>')
    return parts


def last_cell(board: "Board") -> tuple[int, int] | None:
    """(column, row) of the last move, row 0 = bottom; None where it is not known."""
    if not board.moves:
        return None
    column = board.peek()
    filled = sum(board[column, row] is not None for row in range(board.rules.height))
    return column, filled - 1


def labels_svg(columns: int, top: int) -> list[str]:
    """Column numbers under the frame, which ends at top."""
    return [
        '<g font-family="sans-serif" font-size="17" text-anchor="middle" fill="#6b7280">',
        *(f'<text x="{EDGE + c * CELL + CELL // 2}" y="{top + 19}">{c}</text>' for c in range(columns)),
        "</g>",
    ]
