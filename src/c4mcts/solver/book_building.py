"""Builds a book: solves all positions with the most discs, and backs their scores up to the empty board."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._backend import load
from .._files import StrPath
from .._validation import positive
from ..executors.jobs import Progress
from ..rules import Rules, sound
from ..seeds import root_seed
from .book import NO_SCORE, Book, entries_of
from .bulk import solve_many
from .positions import Positions

if TYPE_CHECKING:
    from concurrent.futures import Executor


def build_book(
    rules: Rules,
    plies: int,
    *,
    executor: "Executor | None" = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> Book:
    """Compute the book of a rule set: the same one with any executor, see solve_many for it and the other arguments.

    Only the positions with `plies` discs are searched, up to mirror images and without those that are won with the next
    disc. Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
    """
    rules = sound(rules)
    table = np.full(entries_of(rules, plies)[-1], NO_SCORE, np.int8)
    twin = load().book.Book(rules, plies, table)
    levels = unfinished_positions(rules, plies)
    for n in range(len(levels) - 1, -1, -1):
        positions = levels[n]
        if n == plies:
            options: dict[str, Any] = {"executor": executor, "progress": progress, "checkpoint": checkpoint}
            arrays = positions.own, positions.mask
            scores = solve_many(arrays, book=False, rules=rules, **options).scores
        else:
            scores = _backed_up(positions, twin)
        table[np.array(twin.indices(positions.own, positions.mask), np.int64)] = scores
    return Book(rules, plies, table)


def unfinished_positions(rules: Rules, plies: int) -> list[Positions]:
    """Positions by number of discs, up to `plies`, without mirror images and those that the next disc can win.

    Shorter if all games are over sooner.
    """
    empty = np.zeros(1, np.uint64)
    level = Positions(rules, empty, empty)
    levels = []
    while len(level):
        levels.append(level[~level.can_win()])
        if len(levels) > plies:
            break
        parts = [level.after(column).positions for column in range(rules.width)]
        following = Positions(
            rules, np.concatenate([part.own for part in parts]), np.concatenate([part.mask for part in parts])
        )
        level = following[~following.are_over()].unique().positions
    return levels


def _backed_up(positions: Positions, twin: Any) -> npt.NDArray[np.int8]:
    """The scores of positions that can't be won with the next disc, from those with one disc more."""
    best = np.full(len(positions), NO_SCORE, np.int8)
    for column in range(positions.rules.width):
        after = positions.after(column)
        over = after.positions.are_over()  # with a draw
        scores = np.zeros(len(over), np.int8)
        rest = after.positions[~over]
        scores[~over] = -np.array(twin.scores_of(rest.own, rest.mask), np.int8)
        best[after.parents] = np.maximum(best[after.parents], scores)
    return best


def wrong_entries(
    book: Book,
    sample: int,
    *,
    seed: int | None = None,
    executor: "Executor | None" = None,
    progress: Progress = False,
) -> list[str]:
    """Verify a book; returns a line for each wrong entry.

    All positions with fewer discs than the book's plies are compared with those that follow from them, and a random
    sample of those with the most discs with the solver.
    """
    sample = positive("sample", sample)
    levels = unfinished_positions(book.rules, book.plies)
    twin = book.twin(load().name)
    generator = np.random.default_rng(root_seed(seed))
    wrong = []
    for n, positions in enumerate(levels):
        if n < book.plies:
            scores = _backed_up(positions, twin)
        else:
            chosen = generator.choice(len(positions), min(sample, len(positions)), replace=False)
            positions = positions[np.sort(chosen)]
            arrays = positions.own, positions.mask
            options: dict[str, Any] = {"executor": executor, "progress": progress}
            scores = solve_many(arrays, book=False, rules=book.rules, **options).scores
        for i in np.flatnonzero(scores != book.scores(positions)):
            board = f"own {positions.own[i]:#x}, mask {positions.mask[i]:#x}"
            wrong.append(f"{board}: {book.scores(positions[i : i + 1])[0]} instead of {scores[i]}")
    return wrong
