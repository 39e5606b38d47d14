"""Planes of threats: the cells in which a player would complete a line of four.

Allis, "A knowledge-based approach of Connect-Four" (1988), section 3.1. A network computes these planes itself, from
the discs, so that it gets the same input everywhere: in self-play, in a file for ONNX Runtime, in an engine.
"""

import numpy as np
import numpy.typing as npt

from .configuration import ConfigurationError

DISCS, ALL = 2, 4  # planes without threats, and with them
REACH = 3  # cells to each side of a disc that a line of four can have
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (rows, columns)

# (16, 7, 7): for a cell in the middle the three other cells of a line, for each direction and place of the cell in it
LINES: npt.NDArray[np.float32] = np.zeros((16, 2 * REACH + 1, 2 * REACH + 1), np.float32)
for _number, _kernel in enumerate(LINES):
    _rows, _columns = _DIRECTIONS[_number // 4]
    for _step in range(-(_number % 4), 4 - _number % 4):
        if _step:
            _kernel[REACH + _step * _rows, REACH + _step * _columns] = 1


def with_threats(planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Planes of discs, (n, 2, 6, 7), and after them planes of the empty cells that complete a line, (n, 4, 6, 7)."""
    height, width = planes.shape[2:]
    padded = np.pad(planes, ((0, 0), (0, 0), (REACH, REACH), (REACH, REACH)))
    complete = np.zeros(planes.shape, bool)
    for kernel in LINES:
        rest = [padded[:, :, y : y + height, x : x + width] for y, x in np.argwhere(kernel)]
        complete |= (rest[0] * rest[1] * rest[2]) > 0
    empty = planes.sum(axis=1, keepdims=True) == 0
    return np.concatenate([planes, (complete & empty).astype(planes.dtype)], axis=1)


def check_planes(found: int, threats: bool) -> None:
    """ConfigurationError if a saved network has another number of planes."""
    if found != (wanted := ALL if threats else DISCS):
        raise ConfigurationError(
            f"the saved network has {found} planes, not {wanted}: it was trained by another program"
        )
