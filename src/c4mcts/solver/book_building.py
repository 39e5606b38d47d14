"""Builds a book: solves all positions with the most discs, and backs their scores up to the empty board."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._backend import load
from .._files import StrPath
from .._validation import between, positive
from ..executors.jobs import Progress
from ..rules import Rules, sound
from ..seeds import root_seed
from .book import NO_SCORE, Book, BookLines, entries_of, no_lines
from .bulk import solve_many
from .positions import Positions

if TYPE_CHECKING:
    from concurrent.futures import Executor


def build_book(
    rules: Rules,
    plies: int,
    *,
    lines: int | None = None,
    executor: "Executor | None" = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> Book:
    """Compute the book of a rule set. executor and the other arguments: as for solve_many; the book is the same with
    any executor.

    Only the positions with `plies` discs are searched, up to mirror images and without those that are won with the next
    disc. lines: also compute the positions with up to this many discs to which best play leads from the empty board. A
    player who wins has one best column in them, the first, from `plies` discs on; so they are few, unless the game is
    drawn. They are not in the checkpoint.

    Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
    """
    rules = sound(rules)
    starts = entries_of(rules, plies)
    if lines is not None:
        lines = between("lines", lines, plies, rules.cells)
    table = np.full(starts[-1], NO_SCORE, np.int8)
    twin = load().book.BookScores(rules, plies, table)
    levels = unfinished_positions(rules, plies)
    for n in range(len(levels) - 1, -1, -1):
        positions = levels[n]
        scores = _solved(positions, executor, progress, checkpoint) if n == plies else _backed_up(positions, twin)
        table[np.array(twin.indices(positions.own, positions.mask), np.int64)] = scores
    book = Book(rules, plies, table)
    if lines is None:
        return book
    return Book(rules, plies, table, best_lines(book, lines, executor=executor, progress=progress))


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
        following = Positions.joined([level.after(column).positions for column in range(rules.width)])
        level = following[~following.are_over()].unique().positions
    return levels


def best_lines(
    book: Book, last_ply: int, *, executor: "Executor | None" = None, progress: Progress = False
) -> BookLines:
    """The lines of build_book, with more discs than the book's plies and up to last_ply."""
    rules, empty = book.rules, np.zeros(1, np.uint64)
    level, lines = Positions(rules, empty, empty), no_lines(rules)
    while len(level) and level.plies[0] < last_ply:
        arrays = level.own, level.mask
        solved = solve_many(arrays, columns=True, book=book, rules=rules, executor=executor, progress=progress)
        assert solved.columns is not None
        chosen = solved.columns == solved.scores[:, np.newaxis]
        if level.plies[0] >= book.plies:
            chosen &= (solved.scores <= 0)[:, np.newaxis] | (np.cumsum(chosen, axis=1) == 1)
        moves = [level[chosen[:, column]].after(column).positions for column in range(rules.width)]
        scores = np.concatenate([-solved.scores[chosen[:, column]] for column in range(rules.width)])
        following = Positions.joined(moves)
        unfinished = ~following.are_over()
        level, indices, _ = following[unfinished].unique()
        known = np.empty(len(level), np.int8)
        known[indices] = scores[unfinished]
        if len(level) and level.plies[0] > book.plies:
            lines = BookLines(Positions.joined([lines.positions, level]), np.concatenate([lines.scores, known]))
    return lines


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

    All positions with fewer discs than the book's plies are compared with those that follow from them. A random sample
    of those with as many discs, and one of the lines, are compared with the solver.
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
            positions = _sampled(positions, sample, generator)
            scores = _solved(positions, executor, progress)
        wrong += _differences(book, positions, scores)
    lines = _sampled(book.lines.positions, sample, generator)
    return wrong + _differences(book, lines, _solved(lines, executor, progress))


def _sampled(positions: Positions, sample: int, generator: np.random.Generator) -> Positions:
    """Some of the positions, in their order."""
    return positions[np.sort(generator.choice(len(positions), min(sample, len(positions)), replace=False))]


def _solved(
    positions: Positions, executor: "Executor | None", progress: Progress, checkpoint: StrPath | None = None
) -> npt.NDArray[np.int8]:
    """The scores of positions, without a book."""
    options: dict[str, Any] = {"executor": executor, "progress": progress, "checkpoint": checkpoint}
    return solve_many((positions.own, positions.mask), book=False, rules=positions.rules, **options).scores


def _differences(book: Book, positions: Positions, scores: npt.NDArray[np.int8]) -> list[str]:
    """A line for each position with another score in the book."""
    found = book.scores(positions)
    return [
        f"own {positions.own[i]:#x}, mask {positions.mask[i]:#x}: {found[i]} instead of {scores[i]}"
        for i in np.flatnonzero(scores != found)
    ]
