"""What the network of the package sees: the lines of four and the columns of a position, as rows of its tables.

The same as c4mcts.PolicyValueNetwork finds for a position (docs/internals/network.md), for many positions at once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

HEIGHT, WIDTH = 6, 7
STATES = 4**4  # of the cells of a line
KINDS, WHOSE = 6, 3  # direction and parity of a line; nobody's, of the player to move, of the opponent
LINE_ROWS = KINDS * WHOSE * STATES
WINDOW = 5  # cells of a column, from its free one on, whose threats are seen
COLUMN_ROWS = 2 << 2 * WINDOW
NONE = -1  # instead of a row

Rows = npt.NDArray[np.int32]
Cells = npt.NDArray[np.integer]


class Patterns(NamedTuple):
    """Rows of n positions and of their moves; NONE where there is nothing.

    position: (n, 76), of the tables "lines" and, after those, "columns". moves: (n, 7, 27), of "through", "above" and
    "landing". A column that is full has no rows.
    """

    position: Rows
    moves: Rows


def _lines() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The cells of the 69 lines, (69, 4), as numbers row * WIDTH + column from the bottom; their kinds, (69,)."""
    cells, kinds = [], []
    for row in range(HEIGHT):
        for kind, (right, up) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for column in range(WIDTH):
                if 0 <= column + 3 * right < WIDTH and row + 3 * up < HEIGHT:
                    cells.append([(row + i * up) * WIDTH + column + i * right for i in range(4)])
                    kinds.append(2 * min(kind, 2) + row % 2)  # of both diagonals one: each is read from its lowest cell
    return np.array(cells), np.array(kinds)


def _through(lines: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The lines through each cell, (42 + WIDTH, 13); len(lines) where there are fewer, and above the board."""
    found = [np.flatnonzero((lines == cell).any(axis=1)) for cell in range((HEIGHT + 1) * WIDTH)]
    table = np.full((len(found), max(map(len, found))), len(lines))
    for cell, here in enumerate(found):
        table[cell, : len(here)] = here
    return table


def _shared() -> Rows:
    """By row of a line: the row that is used in its place. Horizontal lines share one with their mirror images."""
    rows = np.arange(LINE_ROWS)
    state = rows % STATES
    mirrored = (state & 3) << 6 | (state >> 2 & 3) << 4 | (state >> 4 & 3) << 2 | state >> 6
    is_horizontal = rows // (WHOSE * STATES) < 2
    return np.where(is_horizontal, rows - state + np.minimum(state, mirrored), rows).astype(np.int32)


LINES, KIND = _lines()
THROUGH = _through(LINES)
SHARED = _shared()


def patterns(planes: npt.NDArray[np.float32]) -> Patterns:
    """planes: (n, 2, 6, 7), the discs of the player to move and of the opponent, row 0 on top."""
    # inside, the positions are the last axis: all steps then work on whole rows of memory
    own, other = planes[:, :, ::-1].transpose(1, 2, 3, 0).astype(np.int16).reshape(2, HEIGHT * WIDTH, -1)
    free = (own + other).reshape(HEIGHT, WIDTH, -1).sum(axis=0)  # (WIDTH, n): the row of the free cell
    is_open, turn = free < HEIGHT, free.sum(axis=0) & 1
    lines, threats = _line_rows(own, other, free, turn)
    columns = np.where(is_open, _column_rows(threats, free, turn), NONE)
    seen = np.where(lines // STATES % WHOSE > 0, lines, NONE)  # a line without discs says nothing of the position
    position = np.concatenate([seen, np.where(is_open, columns + LINE_ROWS, NONE)])

    padded = np.concatenate([lines, np.full_like(lines[:1], NONE)]).T
    landing = (np.minimum(free, HEIGHT - 1) * WIDTH + np.arange(WIDTH)[:, None]).T
    through, above = (
        np.take_along_axis(padded, THROUGH[cell].reshape(len(planes), -1), 1).reshape(*landing.shape, -1)
        for cell in (landing, landing + WIDTH)
    )
    above = np.where(above >= 0, above + LINE_ROWS, NONE)
    moves = np.concatenate([through, above, (columns.T + 2 * LINE_ROWS)[..., None]], axis=2)
    return Patterns(position.T, np.where(is_open.T[..., None], moves, NONE))


def _line_rows(own: Cells, other: Cells, free: Cells, turn: Cells) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """(69, n): the row of each line; NONE if it holds discs of both players. (2, 43, n): the threats of both."""
    height = np.arange(HEIGHT, dtype=np.int16)[:, None, None]
    state = np.where((own | other) > 0, 0, (np.clip(height - free, 0, 2) + 1).reshape(own.shape)).astype(np.int16)
    number = sum(state[LINES[:, i]] << 2 * i for i in range(4))
    mine, theirs = (sum(player[LINES[:, i]] for i in range(4)) for player in (own, other))
    rows = SHARED[((KIND[:, None] ^ turn) * WHOSE + (mine > 0) + 2 * ((theirs > 0) & (mine == 0))) * STATES + number]
    threats = np.zeros((2, HEIGHT * WIDTH, own.shape[1]), bool)
    for line, cells in enumerate(LINES):
        for player, discs in enumerate((mine[line], theirs[line])):
            if (complete := discs == 3).any():
                threats[player][cells] |= complete & (state[cells] > 0)
    return np.where((mine > 0) & (theirs > 0), NONE, rows), threats


def _column_rows(threats: npt.NDArray[np.bool_], free: Cells, turn: Cells) -> Rows:
    """(7, n): the row of each column: the parity of its free cell, and the threats of both players from there on."""
    rows = ((free + turn) & 1).astype(np.int32)
    for player in threats.reshape(2, HEIGHT, WIDTH, -1):
        for i in reversed(range(WINDOW)):
            here = np.take_along_axis(player, np.minimum(free + i, HEIGHT - 1)[None], 0)[0] & (free + i < HEIGHT)
            rows = rows << 1 | here
    return rows
