"""Openings: the positions with which the games of a match begin, so that they are fair and not all alike."""

import numpy as np

from .._validation import between, flag, members, naming, refused
from ..board.board import Board
from ..executors.background import AnyExecutor
from ..executors.jobs import Progress
from ..rules import Rules, fits_solver, rules_or_default
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

    Raises TypeError or ValueError naming the argument, also if there is no such position.
    """
    rules = rules_or_default(rules)
    plies = between("plies", default_plies(rules) if plies is None else plies, 0, rules.cells - 1)
    within = between("within", within, 0, rules.cells)
    if balanced is None:
        balanced = is_balanced_by_default(plies, rules, book)
    elif flag("balanced", balanced) and not fits_solver(rules):
        raise ValueError(f"balanced: {rules} is too large to be solved")
    boards = [board for board in _positions(plies, rules) if not (board.winning_columns() or board.is_over())]
    if balanced and boards:
        solved = solve_many(boards, book=book, executor=executor, progress=progress)
        boards = [board for board, score in zip(boards, solved.scores, strict=True) if abs(int(score)) <= within]
    if not boards:
        kind = f"with a score of at most {within}" if balanced else "in which the game is not over"
        raise ValueError(f"plies: there is no position with {plies} discs {kind} for {rules}")
    order = np.random.default_rng(0).permutation(len(boards))
    return [boards[i].moves for i in order]


def default_plies(rules: Rules) -> int:
    """The number of discs of openings for these rules, unless another one is given."""
    return PLIES if rules.cells >= SMALL_CELLS else min(SMALL_PLIES, rules.cells - 1)


def is_balanced_by_default(plies: int, rules: Rules, book: bool | Book = True) -> bool:
    """Whether openings are balanced by default: the book has their scores, or the board has at most 25 cells."""
    known = book_for(book_option(book), rules)
    return rules.cells <= SOLVABLE_CELLS or (known is not None and known.plies >= plies)


def _positions(plies: int, rules: Rules) -> list[Board]:
    """Different unfinished positions with `plies` discs, up to mirror images. ValueError if there are too many."""
    boards = [Board(rules)]
    for _ in range(plies):
        found: dict[tuple[int, int], Board] = {}
        for board in boards:
            for column in board.legal_columns:
                after = board.after(column)
                if not after.is_over():
                    key = min((each.own, each.mask) for each in (after, after.mirror()))
                    found.setdefault(key, after)
        if len(found) > MAX_OPENINGS:
            raise ValueError(f"plies: there are more than {MAX_OPENINGS:,} positions with {plies} discs for {rules}")
        boards = list(found.values())
    return boards


def opening_list(values: object, rules: Rules) -> tuple[Moves, ...]:
    """Check an argument `openings`: strings of moves (see Board.parse) or sequences of columns from 0.

    Raises TypeError or ValueError naming the index.
    """
    found = []
    for i, opening in enumerate(members("openings", values, "a list of openings", MAX_OPENINGS, least=1)):
        with naming(f"openings[{i}]: "):
            board = Board.parse(opening, rules) if isinstance(opening, str) else Board.from_moves(opening, rules)
            found.append(tuple(board.to_moves()))
        if board.is_over():
            raise ValueError(refused(f"openings[{i}]", "a game that is not over", opening))
    return tuple(found)
