"""Book: the exact scores of all positions with few discs, and of best play; one for 7 x 6 comes with the package."""

import os
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _files
from .._backend import load as load_backend
from .._validation import an_instance, between, refused, shown
from ..board.board import Board
from ..board.positions import a_board, unfinished
from ..errors import SaveError
from ..rules import Rules, fits_word, sound
from .positions import Positions
from .solution import win_score

SHIPPED = os.path.join(os.path.dirname(__file__), "book-7x6x4.npz")
FORMAT = 1  # of the file
MAX_ENTRIES = 1 << 31  # of a book, a byte each
MAX_RATIO = 200  # of compression, in a file; measured: 3 in the shipped book, 17 where all games are drawn
PART = 1 << 20  # entries that are checked at a time
NO_SCORE = -128  # no score of any game


class BookLines(NamedTuple):
    """Positions of one rule set, without duplicates or mirror images, and their scores for the player to move.

    scores: int8, of shape (len(positions),).
    """

    positions: Positions
    scores: npt.NDArray[np.int8]


class Book:
    """The exact scores of all positions with at most `plies` discs, and of some lines of play beyond.

    A table of one byte for each way to place at most `plies` discs, without keys: see docs/internals/solver.md. Books
    come from build_book and Book.load.

    Raises TypeError or ValueError naming the argument.
    """

    __slots__ = ("_lines", "_scores", "_twins", "plies", "rules")

    rules: Rules
    plies: int

    def __init__(self, rules: Rules, plies: int, scores: npt.NDArray[np.int8], lines: BookLines | None = None) -> None:
        """scores: the table, int8 of shape (entries_of(rules, plies)[-1],). lines: unfinished, with more discs."""
        self._take(rules, plies, np.array(_scores_of("scores", scores, size_of(sound(rules), plies)), order="C"), lines)

    def _take(self, rules: Rules, plies: int, scores: npt.NDArray[np.int8], lines: BookLines | None) -> None:
        """What __init__ does, without a copy of the scores, which may take much memory."""
        self.rules = sound(rules)
        starts = entries_of(self.rules, plies)
        self.plies = int(plies)
        self._scores = _read_only(scores)
        self._lines = _sorted(self.rules, no_lines(self.rules) if lines is None else lines)
        for n in range(self.plies + 1):
            for first in range(starts[n], starts[n + 1], PART):
                part = self._scores[first : min(first + PART, starts[n + 1])]
                _require_possible(self.rules, n, 3, part[part != NO_SCORE])  # a win with the next disc has no entry
        counts = self._lines.positions.plies
        for n in np.unique(counts):
            if n <= self.plies:
                raise ValueError(f"lines: a position has {n} discs, no more than the plies of the book")
            _require_possible(self.rules, int(n), 1, self._lines.scores[counts == n])
        self._twins: dict[str, Any] = {}

    @property
    def last_ply(self) -> int:
        """The most discs of a position in the book: of those in its lines, or `plies` without lines."""
        return int(self._lines.positions.plies.max(initial=self.plies))

    @property
    def lines(self) -> BookLines:
        """The positions with more discs than `plies`, sorted by Positions.keys(). Arrays that can't be written to."""
        return self._lines

    @property
    def bytes(self) -> int:
        """Bytes of memory for the scores and the keys of the lines."""
        return sum(array.nbytes for array in self._arrays().values())

    def twin(self, backend: str) -> Any:
        """The book as a backend reads it: "native" or "pure"."""
        if backend not in self._twins:
            positions, scores = self._lines
            self._twins[backend] = load_backend(backend).book.BookScores(
                self.rules, self.plies, self._scores, self.last_ply, positions.keys(), scores
            )
        return self._twins[backend]

    def score(self, board: Board) -> int | None:
        """The score of a position for its player to move; None if it is not in the book.

        Raises ValueError for a board of other rules, GameOverError for a finished game.
        """
        board = unfinished(board)
        self._require_rules("board", board.rules)
        score: int = self.twin(load_backend().name).score(board.own, board.mask)
        return None if score == NO_SCORE else score

    def line(self, board: Board) -> list[int]:
        """The columns of best play from a position, as far as the book knows them.

        Raises ValueError for a board of other rules.
        """
        board = a_board(board).copy()
        self._require_rules("board", board.rules)
        line: list[int] = [] if board.is_over() else self.twin(load_backend().name).line(board.own, board.mask)
        return line

    def scores(self, positions: Positions) -> npt.NDArray[np.int8]:
        """The scores of unfinished positions of the same rules; NO_SCORE for those that are not in the book."""
        an_instance("positions", positions, Positions, "Positions")
        self._require_rules("positions", positions.rules)
        twin = self.twin(load_backend().name)
        return np.array(twin.scores_of(positions.own, positions.mask), np.int8)

    def _require_rules(self, name: str, rules: Rules) -> None:
        if rules != self.rules:
            raise ValueError(f"{name} has the rules {rules}, the book is for {self.rules}")

    def __len__(self) -> int:
        """The number of positions, up to mirror images, without those in the table that the next disc can win."""
        return int(np.count_nonzero(self._scores != NO_SCORE)) + len(self._lines.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Book):
            return NotImplemented
        same = (self.rules, self.plies) == (other.rules, other.plies)
        return same and all(map(np.array_equal, self._arrays().values(), other._arrays().values()))

    __hash__ = None  # type: ignore[assignment]

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What is saved."""
        positions, scores = self._lines
        return {"scores": self._scores, "line_own": positions.own, "line_mask": positions.mask, "line_scores": scores}

    def __repr__(self) -> str:
        return f"<c4mcts.Book for {self.rules}, {self.plies} plies, {len(self):,} positions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Book, (self.rules, self.plies, self._scores, self._lines)

    def save(self, path: _files.StrPath) -> None:
        """Write the book to a file, which is replaced if it exists. OSError."""
        rules = [self.rules.width, self.rules.height, self.rules.connect, self.rules.diagonals]
        about = {"kind": "book", "format": FORMAT, "rules": rules, "plies": self.plies}
        _files.write(_files.path_of("path", path), _files.pack(about, self._arrays()))

    @classmethod
    def load(cls, path: _files.StrPath) -> "Book":
        """Read a book from a file that `save` wrote. Raises SaveError for any other or damaged file, OSError."""
        where = _files.path_of("path", path)
        with _files.opened(where) as file, _files.unpacked(file, f"{where} is not a book, or is damaged") as archive:
            about = archive.about()
            if about["kind"] != "book" or about["format"] != FORMAT:
                raise SaveError(f"{where} is not a book that this version reads: {shown(about)}")
            rules = Rules(*about["rules"])
            scores = archive.array("scores", np.int8, (size_of(rules, about["plies"]),), MAX_RATIO)
            own = archive.array("line_own", np.uint64, (range(MAX_ENTRIES),), MAX_RATIO)
            mask = archive.array("line_mask", np.uint64, own.shape, MAX_RATIO)
            lines = BookLines(Positions(rules, own, mask), archive.array("line_scores", np.int8, own.shape, MAX_RATIO))
            book = cls.__new__(cls)
            book._take(rules, about["plies"], scores, lines)
            return book


def no_lines(rules: Rules) -> BookLines:
    """No positions at all."""
    none = np.zeros(0, np.uint64)
    return BookLines(Positions(rules, none, none), np.zeros(0, np.int8))


def _scores_of(name: str, array: object, length: int) -> npt.NDArray[np.int8]:
    """An array of int8 of this length. TypeError, ValueError."""
    wanted = f"an array of int8 of shape ({length},)"
    if not isinstance(array, np.ndarray) or array.dtype != np.int8:
        raise TypeError(refused(name, wanted, array))
    if array.shape != (length,):
        raise ValueError(f"{name} must be {wanted}, not of shape {array.shape}")
    return array


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array


def _sorted(rules: Rules, lines: BookLines) -> BookLines:
    """A copy of lines, checked, as the twins need them: sorted by key. TypeError, ValueError."""
    positions, scores = an_instance("lines", lines, BookLines, "BookLines")
    scores = _scores_of("lines.scores", scores, len(positions))
    if positions.rules != rules:
        raise ValueError(f"lines has the rules {positions.rules}, the book is for {rules}")
    if not positions.are_sound().all() or positions.are_over().any():
        raise ValueError("lines: there are positions that can't be, or in which the game is over")
    unique, indices, _ = positions.unique()
    if len(unique) != len(positions):
        raise ValueError("lines: there are equal positions, or mirror images")
    place = np.argsort(unique.keys())
    own, mask = (_read_only(words[place]) for words in (unique.own, unique.mask))
    by_unique = np.empty_like(scores)
    by_unique[indices] = scores
    return BookLines(Positions(rules, own, mask), _read_only(by_unique[place]))


def _require_possible(rules: Rules, discs: int, soonest: int, scores: npt.NDArray[np.int8]) -> None:
    """ValueError for scores that no position with these discs has. soonest: plies to the first possible win."""
    lowest, highest = -win_score(rules.cells, discs + 2), win_score(rules.cells, discs + soonest)
    if ((scores < lowest) | (scores > highest)).any():
        raise ValueError(f"scores: a position with {discs} discs has a score that no game has")


def entries_of(rules: Rules, plies: int) -> list[int]:
    """By number of discs up to `plies` the index of the first entry, and at the end the number of all. ValueError."""
    if not fits_word(rules):
        raise ValueError(f"rules: a book is for boards of at most 64 bits, width * (height + 1), not {rules}")
    plies = between("plies", plies, 0, rules.cells)
    starts: list[int] = load_backend("pure").book.count_entries(rules, plies)
    if starts[-1] > MAX_ENTRIES:
        raise ValueError(f"plies: a book of {plies} plies for {rules} has {starts[-1]:,} entries, more than 2**31")
    return starts


def size_of(rules: Rules, plies: int) -> int:
    """The number of entries, a byte each. ValueError."""
    return entries_of(rules, plies)[-1]


@cache
def shipped_book() -> Book:
    """The book that comes with the package: 7 x 6, four in a row, 8 plies."""
    return Book.load(SHIPPED)


def book_for(book: bool | Book, rules: Rules) -> Book | None:
    """The book to use with these rules: for True the shipped one if it fits, for False none. TypeError, ValueError."""
    given = book_option(book)
    if isinstance(given, bool):
        return shipped_book() if given and rules == Rules() else None
    if given.rules != rules:
        raise ValueError(refused("book", f"for {rules}", given))
    return given


def book_option(book: object) -> bool | Book:
    """Check an argument `book`. TypeError."""
    return bool(book) if isinstance(book, bool | np.bool) else an_instance("book", book, Book, "True, False or a Book")
