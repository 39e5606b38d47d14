"""Builds a book: solves all positions with the most discs, and backs their scores up to the empty board."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from .._backend import load
from .._files import StrPath
from .._validation import an_instance, between
from ..executors.executor import AnyExecutor
from ..executors.progress import Progress
from ..executors.work import WorkOptions
from ..rules import Rules
from .bitboards import Positions, words_of
from .book import Book, BookLines, no_lines, require_fit
from .bulk import CHUNK, ScoreFunction, move_scores, solve_different, solve_many
from .static_function import static_arrays

MIN_JOBS, MAX_CHUNK = 256, 2048  # so that all processors have work, and many positions share a table
MAX_WAYS = 1 << 31  # to place the discs: a bound of the number of positions


def build_book(
    rules: Rules,
    plies: int,
    *,
    lines: int | None = None,
    executor: AnyExecutor | None = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> Book:
    """Compute the book of a rule set. executor and the other arguments: as for solve_many; the book is the same with
    any executor.

    Only the positions with `plies` discs are searched, up to mirror images and without those that are won with the next
    disc. lines: also compute the positions with up to this many discs to which best play leads from the empty board. A
    player who wins has one best column in them, the first, from `plies` discs on; so they are few, unless the game is
    drawn. They are not in the checkpoint.

    Raises CheckpointError, OSError.
    """
    an_instance("rules", rules, Rules, "Rules")
    require_fit(rules)
    plies = between("plies", plies, 0, rules.cells)
    ways = [1] + [0] * plies  # of placing n discs in some of the columns
    for _ in range(rules.width):
        ways = [sum(ways[n - height] for height in range(min(n, rules.height) + 1)) for n in range(plies + 1)]
    most = sum(ways[n] * math.comb(n, n // 2) for n in range(plies + 1))
    if most > MAX_WAYS:
        raise ValueError(f"plies: there are {most:,} ways to place up to {plies} discs on {rules}, more than 2**31")
    if lines is not None:
        lines = between("lines", lines, plies, rules.cells)
    how: WorkOptions = {"executor": executor, "progress": progress, "checkpoint": checkpoint}
    book = _book_of(rules, plies, partial(_solved, how))
    return book if lines is None else book.with_lines(_best_lines(book, lines, executor, progress))


def _book_of(rules: Rules, plies: int, solved: ScoreFunction) -> Book:
    """The book of a rule set. solved: gives the scores of the positions with `plies` discs."""
    levels = unfinished_positions(rules, plies)
    keys, values = [no_lines(rules).positions.keys()], [np.zeros(0, np.int8)]
    scores_of = solved
    for n in range(len(levels) - 1, -1, -1):
        positions = levels[n]
        scores = solved(positions) if n == plies else move_scores(positions, scores_of).max(axis=1)
        scores_of = _scores_by_key(positions, scores)
        if (plies - n) % 2 == 0:
            keys.append(positions.canonical_keys())
            values.append(scores)
    function = static_arrays(words_of(np.concatenate(keys), rules), np.concatenate(values))
    return Book(rules, plies, function, sum(map(len, levels)))


def unfinished_positions(rules: Rules, plies: int) -> list[Positions]:
    """Positions by number of discs, up to `plies`, without mirror images and those that the next disc can win.

    They are in the order in which a walk through the game finds them, depth first, the middle columns first: so
    neighbours have most of their continuations in common. The list is shorter if all games are over sooner.
    """
    return [unfinished[~unfinished.can_win()] for unfinished, _ in levels(rules, plies) if len(unfinished)]


def levels(rules: Rules, plies: int) -> Iterator[tuple[Positions, Positions]]:
    """By number of discs: the unfinished positions, in the order of `unfinished_positions`, and the finished ones.

    Without mirror images.
    """
    level = Positions.of(rules, [0], [0])
    columns = sorted(range(rules.width), key=lambda column: abs(2 * column - rules.width + 1))
    for n in range(plies + 1):
        over = level.are_over()
        unfinished, finished = level[~over], level[over]
        yield unfinished, finished
        if n == plies or not len(unfinished):
            return
        moves = [unfinished.after(column) for column in columns]
        order = np.argsort(np.concatenate([move.parents for move in moves]), kind="stable")
        following = Positions.joined([move.positions for move in moves])[order]
        _, first = np.unique(following.canonical_keys(), return_index=True)
        level = following[np.sort(first)]


def _best_lines(book: Book, last_ply: int, executor: AnyExecutor | None, progress: Progress) -> BookLines:
    """The lines of build_book, with more discs than the book's plies and up to last_ply."""
    rules = book.rules
    level, lines = Positions.of(rules, [0], [0]), no_lines(rules)
    while len(level) and level.plies[0] < last_ply:
        arrays = words_of(level.own, rules), words_of(level.mask, rules)
        solved = solve_many(arrays, columns=True, book=book, rules=rules, executor=executor, progress=progress)
        chosen = solved.columns == solved.scores[:, np.newaxis]
        if level.plies[0] >= book.plies:
            chosen &= (solved.scores <= 0)[:, np.newaxis] | (np.cumsum(chosen, axis=1) == 1)
        moves = [level[chosen[:, column]].after(column).positions for column in range(rules.width)]
        scores = np.concatenate([-solved.scores[chosen[:, column]] for column in range(rules.width)])
        following = Positions.joined(moves)
        unfinished = ~following.are_over()
        level, indices, _ = following[unfinished].unique()
        values = np.empty(len(level), np.int8)
        values[indices] = scores[unfinished]
        if len(level) and level.plies[0] > book.plies:
            lines = BookLines(Positions.joined([lines.positions, level]), np.concatenate([lines.scores, values]))
    return lines


def _scores_by_key(solved: Positions, scores: npt.NDArray[np.int8]) -> ScoreFunction:
    """A function that gives the scores of these positions, their mirror images, and those that the next disc wins."""
    keys = solved.canonical_keys()
    order = np.argsort(keys)
    keys, scores = keys[order], scores[order]

    def scores_of(positions: Positions) -> npt.NDArray[np.int8]:
        rules, wins = positions.rules, positions.can_win()
        result = ((rules.cells + 1 - positions.plies.astype(np.int64)) // 2).astype(np.int8)  # see win_score
        result[~wins] = scores[np.searchsorted(keys, positions[~wins].canonical_keys())]
        return result

    return scores_of


def _solved(how: WorkOptions, positions: Positions) -> npt.NDArray[np.int8]:
    chunk = min(max(CHUNK, len(positions) // MIN_JOBS), MAX_CHUNK)
    table, _ = solve_different(positions, False, None, load().name, how, chunk)
    return table[:, 0]
