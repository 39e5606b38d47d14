"""The batches of a pool: leaves of many games in the pool's memory, or in that of the caller."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .._layout import NO_GAME
from .._validation import between, members, refused, shown

MAX_GROUPS = 16

# A game that has ended: its slot, number, winner, ending, the moves of its opening that were drawn from the policy, and
# its positions, both as bytes.
Ended = tuple[int, int, int, int, bytes, bytes]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Leaves that wait for their evaluation. The arrays are the pool's own, which the next `gather` fills again.

    They are NumPy arrays and have `__dlpack__`: torch.from_dlpack(batch.planes) makes a tensor without a copy.
    """

    planes: npt.NDArray[np.float32]  # (n, 2, height, width); or (n, height, width, 1) with the preset "puct-node"
    legal: npt.NDArray[np.bool_]  # (n, width)
    rows: npt.NDArray[np.int32]  # (n,): the number of the game that the leaf belongs to; -1 for padding
    count: int  # the first `count` rows are leaves; the others are padding: an empty board with all columns open


@dataclass(slots=True, eq=False)
class Group:
    """Some slots of a pool, whose leaves come in one batch."""

    first: int  # slot
    last: int  # the slot after the group's
    planes: npt.NDArray[np.float32]
    legal: npt.NDArray[np.bool_]
    rows: npt.NDArray[np.int32] = field(init=False)
    idle: dict[int, None] = field(init=False)  # slots without a game; the last one is the next to get one
    ended: list[Ended] = field(default_factory=list)  # games whose record is not made yet

    def __post_init__(self) -> None:
        self.rows = np.full(len(self.planes), NO_GAME, np.int32)
        self.idle = dict.fromkeys(reversed(range(self.first, self.last)))

    def is_idle(self) -> bool:
        """Whether no slot has a game."""
        return len(self.idle) == self.last - self.first


def groups_of(
    slots: int,
    groups: object,
    leaves: int,
    shape: tuple[int, ...],
    width: int,
    buffers: Sequence[tuple[Any, Any]] | None,
) -> list[Group]:
    """Divide slots into groups with a batch each. TypeError, ValueError.

    leaves: that each slot may have. shape: of the planes of a position.
    """
    number = between("groups", groups, 1, min(slots, MAX_GROUPS))
    if slots % number:
        raise ValueError(f"concurrent must be a multiple of the number of groups, {number}, not {slots}")
    size = slots // number
    arrays = _new if buffers is None else partial(_given, buffers)
    pairs = arrays(number, size * leaves, shape, width)
    return [Group(i * size, (i + 1) * size, planes, legal) for i, (planes, legal) in enumerate(pairs)]


def _new(number: int, size: int, shape: tuple[int, ...], width: int) -> list[tuple[Any, Any]]:
    """Memory for the batch of each group. It can't be resized, since the native backend writes to it."""
    made = []
    for _ in range(number):
        planes = np.frombuffer(bytearray(4 * size * int(np.prod(shape))), np.float32).reshape(size, *shape)
        made.append((planes, np.frombuffer(bytearray(size * width), np.bool_).reshape(size, width)))
    return made


def _given(buffers: Any, number: int, size: int, shape: tuple[int, ...], width: int) -> list[tuple[Any, Any]]:
    """The arrays that the caller gives, checked. TypeError, ValueError."""
    wanted = f"a pair of arrays for each of {number} groups"
    pairs = [members("buffers", pair, wanted, 2) for pair in members("buffers", buffers, wanted, number)]
    if len(pairs) != number or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"buffers must be {wanted}")
    for i, pair in enumerate(pairs):
        for name, array, kind, full in (
            ("planes", pair[0], np.float32, (size, *shape)),
            ("legal", pair[1], np.bool_, (size, width)),
        ):
            if not isinstance(array, np.ndarray):
                raise TypeError(f"buffers[{i}]: {name} must be an array, not {shown(array)}")
            if array.dtype != kind or array.shape != full:
                found = f"{array.dtype} of shape {array.shape}"
                raise ValueError(f"buffers[{i}]: {name} must be {np.dtype(kind)} of shape {full}, not {found}")
            if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
                raise ValueError(f"buffers[{i}]: {name} must be C-contiguous, aligned and writeable")
    memory = [array for pair in pairs for array in pair]
    if any(np.may_share_memory(one, other) for i, one in enumerate(memory) for other in memory[:i]):
        raise ValueError("buffers must not share memory")
    return [(np.asarray(planes), np.asarray(legal)) for planes, legal in pairs]


def checked_answer(name: str, array: object, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """An answer of an evaluator as an array, not copied. TypeError, ValueError."""
    if not isinstance(array, np.ndarray):
        raise TypeError(refused(name, "a float32 array", array))
    if array.dtype != np.float32:
        raise TypeError(f"{name} must be float32, not {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {array.shape}")
    return np.require(array, requirements=["A", "E"])  # aligned, and no subclass, whose operators may do anything
