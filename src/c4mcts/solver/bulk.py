"""solve_many: the exact scores of many positions, in threads, processes or on other machines."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._backend import BackendName, load, load_solver
from .._files import StrPath
from .._hints import with_hints
from .._layout import UNLIMITED
from .._validation import flag, members
from ..board.arguments import board_and_score
from ..board.move_texts import is_test_line, with_sign
from ..executors.cancellation import Cancellation
from ..executors.executor import AnyExecutor
from ..executors.progress import Progress
from ..executors.store import Store
from ..executors.work import WorkOptions, perform
from ..rules import Rules, rules_or_default, word_count
from .bitboards import Positions, bitboards_of
from .book import NO_SCORE, Book, book_for, book_option
from .solution import scores_of_moves
from .solver import INFINITY

CHUNK = 64  # positions of a job, which share a table; the numbers of nodes depend on it
MAX_BOARDS = 100_000_000  # in memory at once, 100 bytes each
MAX_CELLS = 252  # of a board whose scores take a byte

ScoreFunction = Callable[[Positions], npt.NDArray[np.int8]]
Part = tuple[list[list[int]], list[int]]  # the scores of each position and of its columns, and the searched nodes


class Solutions(NamedTuple):
    """The exact scores of n positions, each for its player to move, on the scale of Solution."""

    scores: npt.NDArray[np.int8]  # shape (n,); NO_SCORE, -128, for those in `errors`
    columns: npt.NDArray[np.int8]  # shape (n, width), NO_SCORE for full columns; (n, 0) unless asked for
    nodes: npt.NDArray[np.uint64]  # shape (n,); positions searched, 0 for those in the book
    errors: dict[int, str]  # by index: why a position has no score
    expected: npt.NDArray[np.int16]  # shape (n,): the scores in the texts of a test file, NO_SCORE for others


@with_hints
def solve_many(
    boards: Any,
    *,
    columns: bool = False,
    book: bool | Book = True,
    rules: Rules | None = None,
    executor: AnyExecutor | None = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
    backend: BackendName = "auto",
) -> Solutions:
    """Solve many positions exactly; equal ones, and mirror images, are searched once.

    boards: Board objects or texts (see Board.parse), or a tuple of two arrays (own, mask) of shape (n,) and dtype
    uint64, laid out as Board.own and Board.mask; of shape (n, words), the lowest 64 bits first, for boards of more than
    64 bits, width * (height + 1). rules: of texts and arrays, 7 x 6 by default. All boards must have the same rules,
    and at most 252 cells. A finished game has no score: it is reported in `errors`, and the other positions are solved.
    The scores in the lines of a test file, such as "45461667 11", are returned in `expected`.

    columns: also score every column. book: as for solve. executor: any concurrent.futures.Executor; by default one
    thread per processor. The results don't depend on it. progress: True shows a bar; a function is called with two
    numbers, of positions searched and to be searched. checkpoint: a file that receives results as they are found; the
    same call continues from it after Ctrl-C, a crash or kill -9.

    backend: as for solve, which says on which boards it is slow.

    The positions are searched in groups of 64 that share a table, so that `nodes` differ from what solve counts, which
    starts with an empty one.

    Raises CheckpointError, OSError.
    """
    columns, name = flag("columns", columns), load(backend).name
    positions, expected = positions_and_scores(boards, rules)
    if positions.rules.cells > MAX_CELLS:
        raise ValueError(f"boards must have at most {MAX_CELLS} cells, not {positions.rules}: use solve for them")
    usable = book_for(book_option(book), positions.rules, int(positions.plies.min(initial=positions.rules.cells)))
    over = positions.are_over()
    if not over.all():
        name = load_solver(name, positions.rules).name
    unique = positions[~over].unique()
    how: WorkOptions = {"executor": executor, "progress": progress, "checkpoint": checkpoint}
    table, nodes = solve_different(unique.positions, columns, usable, name, how)
    rows = table[unique.indices]
    rows[unique.flipped, 1:] = rows[unique.flipped, :0:-1]
    table_rows = np.full((len(positions), table.shape[1]), NO_SCORE, np.int8)
    table_rows[~over] = rows
    counts = np.zeros(len(positions), np.uint64)
    counts[~over] = nodes[unique.indices]
    errors = dict.fromkeys(np.flatnonzero(over).tolist(), "the game is over")
    return Solutions(table_rows[:, 0].copy(), table_rows[:, 1:].copy(), counts, errors, expected)


def solve_different(
    positions: Positions, columns: bool, book: Book | None, backend: str, how: WorkOptions, chunk: int = CHUNK
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint64]]:
    """Scores, (n, 1) or with the columns' (n, 1 + width), and nodes of different unfinished positions.

    how: of `perform`. chunk: positions of a job.
    """
    rules = positions.rules
    table, nodes = _from_book(positions, columns, book), np.zeros(len(positions), np.uint64)
    todo = np.flatnonzero(table[:, 0] == NO_SCORE)
    places = [todo[start : start + chunk] for start in range(0, len(todo), chunk)]
    jobs, digest = [], hashlib.sha256()
    for place in places:
        part = positions[place]
        digest.update(f"{part.own.tolist()}{part.mask.tolist()}".encode())
        jobs.append(partial(_solve_part, part, columns, backend))
    identity = {"rules": str(rules), "columns": columns, "positions": digest.hexdigest()}
    with Store(how.get("checkpoint"), "solve_many", identity, seed=0) as store:
        parts = perform(store, jobs, sizes=[len(place) for place in places], **how)
    for place, (scores, counts) in zip(places, parts, strict=True):
        table[place] = np.array(scores, np.int8)
        nodes[place] = counts
    return table, nodes


def _from_book(positions: Positions, columns: bool, book: Book | None) -> npt.NDArray[np.int8]:
    """A table as `solve_different` returns it, with the rows that the book knows; NO_SCORE in all others."""
    width = 1 + positions.rules.width if columns else 1
    table = np.full((len(positions), width), NO_SCORE, np.int8)
    if book is None:
        return table
    if not columns:
        table[:, 0] = book.scores(positions)
        return table
    near = positions.plies < book.plies
    table[near, 1:] = move_scores(positions[near], book.scores)
    table[near, 0] = table[near, 1:].max(axis=1)
    return table


def move_scores(positions: Positions, scores_of: ScoreFunction) -> npt.NDArray[np.int8]:
    """The scores of the moves of unfinished positions, (n, width); NO_SCORE in full columns.

    scores_of: called with the unfinished positions after them.
    """
    table = np.full((len(positions), positions.rules.width), NO_SCORE, np.int8)
    for column in range(positions.rules.width):
        after = positions.after(column)
        scores = _decided(after.positions)
        quiet = scores == NO_SCORE
        scores[quiet] = scores_of(after.positions[quiet])
        table[after.parents, column] = -scores
    return table


def _decided(positions: Positions) -> npt.NDArray[np.int8]:
    """Scores of positions in which the game is over, for the player who would be to move; NO_SCORE for all others."""
    cells, plies = positions.rules.cells, positions.plies.astype(int)
    lost = np.where(positions.are_won(), -((cells + 2 - plies) // 2), NO_SCORE)  # see win_score
    return np.where((plies == cells) & (lost == NO_SCORE), 0, lost).astype(np.int8)


def _solve_part(
    positions: Positions, columns: bool, backend: str, seed: np.random.SeedSequence, check: Cancellation
) -> Part:
    rules, solver = positions.rules, load(backend).new_solver(positions.rules)
    scores, nodes = [], []

    def score(own: int, mask: int) -> int:
        return int(solver.solve(own, mask, -INFINITY, INFINITY, UNLIMITED, check)[0])

    for own, mask in zip(positions.own.tolist(), positions.mask.tolist(), strict=True):
        before = solver.nodes()
        moves: Any = scores_of_moves(rules, own, mask, score) if columns else {}
        row = [moves.get(column, NO_SCORE) for column in range(rules.width)] if columns else []
        scores.append([max(row) if columns else score(own, mask), *row])
        nodes.append(int(solver.nodes() - before))
    return scores, nodes


def checked_positions(boards: Any, rules: Rules | None) -> Positions:
    """The positions of the argument `boards`, checked. TypeError, ValueError."""
    return positions_and_scores(boards, rules)[0]


def positions_and_scores(boards: Any, rules: Rules | None) -> tuple[Positions, npt.NDArray[np.int16]]:
    """The positions of the argument `boards`, checked, and the scores in its texts, NO_SCORE where there is none."""
    if isinstance(boards, tuple) and len(boards) == 2 and all(isinstance(array, np.ndarray) for array in boards):
        positions = _from_arrays(*boards, rules_or_default(rules))
        return positions, np.full(len(positions), NO_SCORE, np.int16)
    requirement = "boards, strings of moves, or a tuple of two arrays (own, mask)"
    items = members("boards", boards, requirement, MAX_BOARDS, least=0)
    if any(isinstance(board, str) and is_test_line(board) for board in items):
        items = [with_sign(board) if isinstance(board, str) else board for board in items]
    pairs = [board_and_score(board, f"boards[{i}]", rules) for i, board in enumerate(items)]
    read = [board for board, _ in pairs]
    rules = rules_or_default(read[0].rules if rules is None and read else rules)
    for i, board in enumerate(read):
        if board.rules != rules:
            raise ValueError(f"boards[{i}] has the rules {board.rules}, not {rules} as the others")
    expected = np.array([NO_SCORE if score is None else score for _, score in pairs], np.int16)
    return Positions.of(rules, [board.own for board in read], [board.mask for board in read]), expected


def _from_arrays(own: npt.NDArray[Any], mask: npt.NDArray[Any], rules: Rules) -> Positions:
    words = word_count(rules)
    ending, shape = ((), "(n,)") if words == 1 else ((words,), f"(n, {words})")
    for name, array in (("own", own), ("mask", mask)):
        if array.dtype != np.uint64 or array.ndim == 0 or array.shape[1:] != ending:
            requirement = f"an array of uint64 of shape {shape}"
            raise TypeError(f"boards: {name} must be {requirement} for {rules}, not {array.dtype} {array.shape}")
    if len(own) != len(mask):
        raise ValueError(f"boards: own and mask must have the same length, not {len(own)} and {len(mask)}")
    positions = Positions(rules, bitboards_of(own), bitboards_of(mask))
    wrong = np.flatnonzero(~positions.are_sound())
    if len(wrong):
        i = int(wrong[0])
        discs = f"{positions.own[i]:#x}, {positions.mask[i]:#x}"
        raise ValueError(f"boards: own[{i}] and mask[{i}] are not a position of {rules}: {discs}")
    return positions
