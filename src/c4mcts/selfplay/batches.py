"""BatchParams, and the batches of a pool: leaves of many games in the pool's memory, or in the caller's."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .._backend import Backend
from .._hints import with_hints
from .._layout import ESTIMATE_BYTES, MAX_ANSWERS, MAX_BATCH, MAX_ROWS, MAX_THREADS, NO_GAME, NODE_BYTES
from .._platform import processors
from .._validation import an_instance, between, flag, members, must_be, positive
from ..rules import Rules
from ..search.evaluation import Evaluator
from ..search.fixed_batches import FixedBatches
from ..search.params import SearchParams
from ..search.validators import from_to, optional, validate, validated

CONCURRENT = 512  # games that are played at the same time, by default
MAX_GROUPS = 16
TREE_MEMORY = 4 << 30  # bytes of the trees, which limit how many games are played at the same time for a GPU
NODE = NODE_BYTES + ESTIMATE_BYTES
SINGLE = np.dtype(np.float32)  # comparing with the type itself takes twice as long


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class BatchParams:
    """How many games are played at the same time, and how their leaves become batches for the evaluator.

    concurrent: how many games are played at the same time; by default 512, and 128 in each job of an executor, or the
        next lower multiple of `groups`. `generate` plays fewer where that saves empty rows.
    leaves_per_tree: how many leaves of one game a batch may have, instead of the `batch_size` of the search
        parameters; with more than one a search is no longer a sequential one.
    groups: into how many equal parts the games are divided. Each has its own batch, and `gather` returns one after the
        other: with two, the next batch is gathered while a network works on the last one. At most `groups` batches wait
        for `complete`, which is for the oldest.
    pad: whether the evaluator always gets the same number of positions. The last bits of a network's answer usually
        depend on the size of the batch, so that games are reproducible only with padding. A Pool
        pads to the leaves of `concurrent` / `groups` games, `generate` by FixedBatches, for any number of games.
    cache: how many answers of the evaluator are kept, instead of asking it again. Leaves of one batch that are the
        same position then share a row, and batches have fewer rows. Games are the same with and without, if the
        evaluator always gives the same answer for a position. An answer takes 4 * width + 20 bytes, rounded up to a
        multiple of 8: 48 MB for a million on the usual board. New answers replace old ones.
    buffers: a pair of arrays (planes, legal) for each group, to be used instead of new ones, for example in pinned
        memory; C-contiguous, of the shapes and types of a padded Batch. Not for `generate`.
    threads: how many share the work of `gather`, which grows the trees; by default one, in `generate` and `search_many`
        as many as there are processors if the evaluator works on a GPU.
    """

    concurrent: int | None = validated(None, optional(positive))
    leaves_per_tree: int = validated(1, from_to(1, MAX_BATCH))
    groups: int = validated(1, from_to(1, MAX_GROUPS))
    pad: bool = validated(True, flag)
    cache: int = validated(0, from_to(0, MAX_ANSWERS))
    buffers: Sequence[tuple[Any, Any]] | None = None
    threads: int | None = validated(None, optional(positive))

    def __post_init__(self) -> None:
        validate(self)
        if self.concurrent is not None:
            positive("concurrent", self.concurrent, MAX_ROWS // self.leaves_per_tree)

    def slots(self, usual: int = CONCURRENT) -> int:
        """How many games a pool plays at the same time. ValueError if it can't be divided into the groups."""
        if self.concurrent is None:
            slots = min(usual, MAX_ROWS // self.leaves_per_tree)
            return max(slots - slots % self.groups, self.groups)
        slots = self.concurrent
        between("groups", self.groups, 1, slots)
        if slots % self.groups:
            raise ValueError(f"concurrent must be a multiple of the number of groups, {self.groups}, not {slots}")
        return slots


BatchParams.__init__ = with_hints(BatchParams.__init__)  # type: ignore[method-assign]


def fixed(evaluator: Evaluator, batches: BatchParams) -> Evaluator:
    """The evaluator with batches of one size, which no other argument changes; itself without padding."""
    return FixedBatches(evaluator) if batches.pad and not isinstance(evaluator, FixedBatches) else evaluator


def fitted(batches: BatchParams, evaluator: Any, games: int, tree: int, usual: int) -> BatchParams:
    """The batches of a pool for an evaluator and this number of games. tree: nodes of each. ValueError.

    An evaluator that works in the background gets two groups, one for the next batch. One that wants a number of
    positions at once, as on a GPU, gets as many from each group, and all processors gather them. There are no groups
    and games that would only leave FixedBatches, which pads its batches itself, with more empty rows.
    """
    groups, preferred = batches.groups, getattr(evaluator, "preferred_batch", None)
    if preferred is not None:
        usual = min(2 * preferred // batches.leaves_per_tree, max(TREE_MEMORY // (tree * NODE), 2))
    slots = min(batches.slots(usual), games)
    full = 1  # games whose leaves fill a batch
    if isinstance(evaluator, FixedBatches):
        full = max(1, evaluator.rows // batches.leaves_per_tree)
    if groups == 1 and getattr(evaluator, "submit", None) is not None:
        groups = 2
    groups = max(1, min(groups, slots // full))
    full *= groups
    slots = max(slots - slots % full, min(slots, full))
    threads = batches.threads or (1 if preferred is None else min(processors(), MAX_THREADS))
    pad = batches.pad and preferred is not None
    return replace(batches, concurrent=-(-slots // groups) * groups, groups=groups, threads=threads, pad=pad)


def shape_of_planes(params: SearchParams, rules: Rules) -> tuple[int, ...]:
    return (rules.height, rules.width, 1) if params.settings.signed_planes else (2, rules.height, rules.width)


def with_memory_of(evaluator: Any, batches: BatchParams, params: SearchParams, rules: Rules) -> BatchParams:
    """Batches in memory that the evaluator reads without a copy, if it has such memory."""
    if not hasattr(evaluator, "buffers"):
        return batches
    rows = batches.slots() // batches.groups * batches.leaves_per_tree
    shape = (rows, *shape_of_planes(params, rules))
    pairs = [evaluator.buffers(shape, rules.width) for _ in range(batches.groups)]
    return batches if None in pairs else replace(batches, buffers=pairs)


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

    number: int
    first: int  # slot
    last: int  # the slot after the group's
    planes: npt.NDArray[np.float32]
    legal: npt.NDArray[np.bool_]
    rows: npt.NDArray[np.int32]
    arrays: Any  # the three as native code fills them, its BatchArrays
    batch: Batch = field(init=False)  # the last one, for the next of the same size: making one takes a microsecond
    idle: dict[int, None] = field(init=False)  # slots without a game; the last one is the next to get one
    ended: list[tuple[int, int, bytes]] = field(default_factory=list)  # games: slot, number, record

    def __post_init__(self) -> None:
        self.batch = Batch(self.planes, self.legal, self.rows, 0)
        self.idle = dict.fromkeys(reversed(range(self.first, self.last)))

    def batch_of(self, count: int, pad: bool) -> Batch:
        """The batch with this many leaves. pad: whether it has all rows."""
        if self.batch.count != count:
            n = len(self.rows) if pad else count
            self.batch = Batch(self.planes[:n], self.legal[:n], self.rows[:n], count)
        return self.batch


def groups_of(batches: BatchParams, shape: tuple[int, ...], width: int, native: Backend) -> list[Group]:
    """The slots of a pool, divided into groups with a batch each. TypeError, ValueError.

    shape: of the planes of a position.
    """
    size = batches.slots() // batches.groups
    shapes = [(size * batches.leaves_per_tree, *shape), (size * batches.leaves_per_tree, width)]
    if batches.buffers is None:
        memory = [(np.zeros(shapes[0], np.float32), np.zeros(shapes[1], np.bool_)) for _ in range(batches.groups)]
    else:
        memory = _buffers_of(batches.buffers, batches.groups, *shapes)
    groups = []
    for i, (planes, legal) in enumerate(memory):
        rows = np.full(len(planes), NO_GAME, np.int32)
        arrays = native.gamepool.BatchArrays(planes.reshape(-1), legal.reshape(-1).view(np.uint8), rows)
        groups.append(Group(i, i * size, (i + 1) * size, planes, legal, rows, arrays))
    return groups


def _buffers_of(buffers: Any, number: int, planes: tuple[int, ...], legal: tuple[int, ...]) -> list[tuple[Any, Any]]:
    """The arrays that the caller gives, checked. planes, legal: their shapes. TypeError, ValueError."""
    requirement = f"a pair of arrays for each of {number} groups"
    pairs = [members("buffers", pair, requirement, 2) for pair in members("buffers", buffers, requirement, number)]
    if len(pairs) != number or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"buffers must be {requirement}")
    arrays = [array for pair in pairs for array in pair]
    kinds = [("planes", np.dtype(np.float32), planes), ("legal", np.dtype(np.bool_), legal)] * number
    for i, (array, (name, kind, shape)) in enumerate(zip(arrays, kinds, strict=True)):
        an_instance(f"buffers[{i // 2}]: {name}", array, np.ndarray, "an array")
        if array.dtype != kind or array.shape != shape:
            actual = f"{array.dtype} of shape {array.shape}"
            raise ValueError(f"buffers[{i // 2}]: {name} must be {kind} of shape {shape}, not {actual}")
        if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            raise ValueError(f"buffers[{i // 2}]: {name} must be C-contiguous, aligned and writeable")
        if any(np.may_share_memory(array, other) for other in arrays[:i]):
            raise ValueError("buffers must not share memory")
    return [(np.asarray(pair[0]), np.asarray(pair[1])) for pair in pairs]


def checked_answer(name: str, array: Any, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """An answer of an evaluator as float32, not copied if it is. It may end with an axis of length 1."""
    if type(array) is np.ndarray and array.dtype == SINGLE and array.shape == shape and array.flags.aligned:
        return array  # nearly always, and the rest of this function takes as long as the search of a few leaves
    array = np.asarray(array)
    if array.dtype.kind not in "fiub":
        raise TypeError(must_be(name, "an array of numbers", array))
    if array.shape not in (shape, (*shape, 1)):
        raise ValueError(f"{name} must have the shape {shape}, not {array.shape}")
    with np.errstate(over="ignore"):  # infinity is refused like any other wrong answer
        # aligned, and no subclass, whose operators may do anything
        return np.require(array, np.float32, ["A", "E"]).reshape(shape)
