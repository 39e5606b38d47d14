"""Rendering: what environments show of a board, as text or as pixels.

An array of pixels is like the SVG of the board but without the column numbers: for videos.
"""

import numpy as np
import numpy.typing as npt

from .._validation import word
from ..board.board import Board
from ..board.svg import CELL, EDGE, FRAME, FRAME_EDGE, Circle, cell_circles

RENDER_MODES = ("ansi", "rgb_array")
Pixels = npt.NDArray[np.uint8]
MAX_CELLS = 960  # pixels of the cells of the longer side, unless a cell would have less than LEAST
LEAST = 8
EDGE_WIDTH = 3  # units of the picture


def render_mode_of(mode: str | None) -> str | None:
    """Check a render mode. ValueError."""
    return None if mode is None else word("render_mode", mode, RENDER_MODES)


def rendered(board: Board, mode: str | None) -> str | Pixels | None:
    return str(board) if mode == "ansi" else pixels_of(board) if mode == "rgb_array" else None


def pixels_of(board: Board) -> Pixels:
    """The picture, of shape (height, width, 3), RGB. Both lengths are even, as video codecs want them."""
    rules = board.rules
    cell = min(CELL, max(LEAST, MAX_CELLS // max(rules.width, rules.height)) // 2 * 2)
    scale, edge = cell / CELL, round(EDGE * cell / CELL)
    image = np.empty((rules.height * cell + 2 * edge, rules.width * cell + 2 * edge, 3))
    image[:] = colour(FRAME_EDGE)
    rim = max(1, round(EDGE_WIDTH * scale))
    image[rim:-rim, rim:-rim] = colour(FRAME)
    for circle in cell_circles(board):
        # in units of pixels, from the corner of the cells
        paint(image, circle._replace(x=circle.x - EDGE, y=circle.y - EDGE), scale, edge)
    return image.round().astype(np.uint8)


def paint(image: npt.NDArray[np.float64], circle: Circle, scale: float, edge: int) -> None:
    """Draw one circle, with smooth edges. edge: where the cells begin, in pixels."""
    x, y = (edge + place * scale - 0.5 for place in (circle.x, circle.y))  # pixels have their centres at whole numbers
    outer, inner = ((circle.radius + half) * scale for half in (circle.width / 2, -circle.width / 2))
    reach = int(outer) + 2
    top, left = max(0, int(y) - reach), max(0, int(x) - reach)
    window = image[top : int(y) + reach + 1, left : int(x) + reach + 1]
    rows, columns = np.ogrid[top : top + window.shape[0], left : left + window.shape[1]]
    distance = np.hypot(rows - y, columns - x)[..., np.newaxis]
    inside = np.clip(inner + 0.5 - distance, 0, 1)  # the part of each pixel that is covered
    stroke = np.clip(outer + 0.5 - distance, 0, 1) - inside
    window += stroke * (colour(circle.stroke) - window)
    if circle.fill != "none":
        window += inside * (colour(circle.fill) - window)


def colour(name: str) -> npt.NDArray[np.float64]:
    """Red, green and blue of "#rrggbb"."""
    return np.array([int(name[index : index + 2], 16) for index in (1, 3, 5)], float)
