"""Openings: the positions with which the games of a match begin, so that they are fair and not all alike."""

import numpy as np
import numpy.typing as npt

from .._validation import between, counted, flag, members, must_be, naming
from ..board.board import Board
from ..executors.executor import AnyExecutor
from ..executors.progress import Progress
from ..rules import Rules, fits_solver, rules_or_default
from ..solver.bitboards import Positions, words_of
from ..solver.book import Book, book_for, book_option
from ..solver.bulk import solve_many

MAX_OPENINGS = 1_000_000
PLIES, SMALL_PLIES = 4, 2  # by default; the latter on boards with fewer than SMALL_CELLS cells
SMALL_CELLS = 16
SOLVABLE_CELLS = 25  # of boards without a book whose openings are solved by default: a few milliseconds each

Moves = tuple[int, ...]


def openings(
    plies: int | None = None,
    rules: Rules | None = None,
    *,
    balanced: bool | None = None,
    within: int = 0,
    book: bool | Book = True,
    executor: AnyExecutor | None = None,
    progress: Progress = False,
) -> list[Moves]:
    """The positions with `plies` discs, as the moves that lead to them, shuffled in a fixed way.

    Mirror images count as one position; of several orders of moves the first is taken. Finished games are left out, and
    positions in which the player to move wins at once. plies: by default 4, on boards with fewer than 16 cells 2.

    balanced: only those whose exact score is at most `within` for either player: 0, the default, are draws. It comes
    from the book, or from solve_many, with executor and progress as there. By default, where the scores are at hand:
    if the book has them, or the board has at most 25 cells.

    Raises ValueError if there is no such position.
    """
    rules = rules_or_default(rules)
    plies = between("plies", default_plies(rules) if plies is None else plies, 0, rules.cells - 1)
    within = between("within", within, 0, rules.cells)
    if balanced is None:
        balanced = is_balanced_by_default(plies, rules, book)
    elif flag("balanced", balanced) and not fits_solver(rules):
        raise ValueError(f"balanced: {rules} is too large to be solved")
    positions, moves = _positions(plies, rules)
    fair = ~positions.can_win()
    if balanced and fair.any():
        bitboards = words_of(positions.own[fair], rules), words_of(positions.mask[fair], rules)
        solved = solve_many(bitboards, rules=rules, book=book, executor=executor, progress=progress)
        fair[fair] = np.abs(solved.scores.astype(int)) <= within
    if not fair.any():
        kind = f"with a score of at most {within}" if balanced else "in which the game is not over"
        raise ValueError(f"plies: there is no position with {counted(plies, 'disc')} {kind} for {rules}")
    return [tuple(line) for line in np.random.default_rng(0).permutation(moves[fair]).tolist()]


def default_plies(rules: Rules) -> int:
    """The number of discs of openings for these rules, unless another one is given."""
    return PLIES if rules.cells >= SMALL_CELLS else min(SMALL_PLIES, rules.cells - 1)


def is_balanced_by_default(plies: int, rules: Rules, book: bool | Book = True) -> bool:
    """Whether openings are balanced by default: the book has their scores, or the board has at most 25 cells."""
    scores = book_for(book_option(book), rules)
    return rules.cells <= SOLVABLE_CELLS or (scores is not None and scores.plies >= plies)


def _positions(plies: int, rules: Rules) -> tuple[Positions, npt.NDArray[np.uint8]]:
    """Different unfinished positions with `plies` discs, up to mirror images, and the moves to each: (n, plies).

    Of several orders of moves the first is taken. ValueError if there are too many.
    """
    level, moves = Positions.of(rules, [0], [0]), np.zeros((1, 0), np.uint8)
    for _ in range(plies):
        steps = [level.after(column) for column in range(rules.width)]
        parents = np.concatenate([step.parents for step in steps])
        columns = np.repeat(np.arange(rules.width, dtype=np.uint8), [len(step.parents) for step in steps])
        order = np.argsort(parents, kind="stable")  # the replies to each position side by side, as they are walked
        level = Positions.joined([step.positions for step in steps])[order]
        moves = np.column_stack([moves[parents[order]], columns[order]])
        unfinished = np.flatnonzero(~level.are_over())
        _, first = np.unique(level[unfinished].canonical_keys(), return_index=True)
        if len(first) > MAX_OPENINGS:
            raise ValueError(f"plies: there are more than {MAX_OPENINGS:,} positions with {plies} discs for {rules}")
        chosen = unfinished[np.sort(first)]
        level, moves = level[chosen], moves[chosen]
    return level, moves


def opening_list(values: object, rules: Rules) -> tuple[Moves, ...]:
    """Check an argument `openings`: strings of moves (see Board.parse) or sequences of columns from 0."""
    result = []
    for i, opening in enumerate(members("openings", values, "a list of openings", MAX_OPENINGS, least=1)):
        with naming(f"openings[{i}]: "):
            board = Board.parse(opening, rules) if isinstance(opening, str) else Board.from_moves(opening, rules)
            result.append(tuple(board.to_moves()))
        if board.is_over():
            raise ValueError(must_be(f"openings[{i}]", "a game that is not over", opening))
    return tuple(result)
