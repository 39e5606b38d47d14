"""Book: the exact scores of all positions with few discs; one for 7 x 6 comes with the package."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _files
from .._backend import load as load_backend
from .._validation import an_instance, between, refused
from ..board.board import Board
from ..board.validation import unfinished
from ..errors import SaveError
from ..rules import Rules, fits_word, sound
from .positions import Positions
from .scores import win_score

SHIPPED = Path(__file__).with_name("book-7x6x4.npz")
FORMAT = 1  # of the file
MAX_ENTRIES = 1 << 31  # of a book, a byte each
NO_SCORE = -128  # no score of any game


class Book:
    """The exact scores of all positions with at most `plies` discs.

    A table of one byte for each way to place so many discs, without keys: see docs/internals/book.md. Books come from
    build_book and Book.load.

    Raises TypeError or ValueError naming the argument.
    """

    __slots__ = ("_scores", "_twins", "plies", "rules")

    rules: Rules
    plies: int

    def __init__(self, rules: Rules, plies: int, scores: npt.NDArray[np.int8]) -> None:
        """scores: the table, int8 of shape (count_entries(rules, plies)[-1],); it is not copied."""
        self.rules, self.plies, self._scores = rules, plies, scores
        self._twins: dict[str, Any] = {}
        self.twin(load_backend().name)

    def twin(self, backend: str) -> Any:
        """The book as a backend reads it: "native" or "pure"."""
        if backend not in self._twins:
            self._twins[backend] = load_backend(backend).book.Book(self.rules, self.plies, self._scores)
        return self._twins[backend]

    def score(self, board: Board) -> int | None:
        """The score of a position for its player to move; None if it has more discs than the book's plies.

        Raises ValueError for a board of other rules, GameOverError for a finished game.
        """
        board = unfinished(board)
        if board.rules != self.rules:
            raise ValueError(f"board has the rules {board.rules}, the book is for {self.rules}")
        score: int = self.twin(load_backend().name).score(board.own, board.mask)
        return None if score == NO_SCORE else score

    def line(self, board: Board) -> list[int]:
        """The columns of best play from a position, up to the first move that leads out of the book."""
        line: list[int] = [] if board.is_over() else self.twin(load_backend().name).line(board.own, board.mask)
        return line

    def scores(self, positions: Positions) -> npt.NDArray[np.int8]:
        """The scores of unfinished positions of the same rules; NO_SCORE for those that are not in the book."""
        twin = self.twin(load_backend().name)
        return np.array(twin.scores_of(positions.own, positions.mask), np.int8)

    def __len__(self) -> int:
        """The number of entries: positions, up to mirror images, without those that are won with the next disc."""
        return int(np.count_nonzero(self._scores != NO_SCORE))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Book):
            return NotImplemented
        same = (self.rules, self.plies) == (other.rules, other.plies)
        return same and np.array_equal(self._scores, other._scores)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<c4mcts.Book for {self.rules}, {self.plies} plies, {len(self):,} positions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _checked, (self.rules, self.plies, self._scores)

    def save(self, path: _files.StrPath) -> None:
        """Write the book to a file, which is replaced if it exists. OSError."""
        rules = [self.rules.width, self.rules.height, self.rules.connect, self.rules.diagonals]
        about = {"kind": "book", "format": FORMAT, "rules": rules, "plies": self.plies}
        _files.write(_files.path_of("path", path), _files.pack(about, {"scores": self._scores}))

    @classmethod
    def load(cls, path: _files.StrPath) -> "Book":
        """Read a book from a file that `save` wrote. Raises SaveError for any other or damaged file, OSError."""
        where = _files.path_of("path", path)
        with _files.opened(where) as file, _files.unpacked(file, f"{where} is no book, or damaged") as archive:
            about = archive.about()
            if about["kind"] != "book" or about["format"] != FORMAT:
                raise SaveError(f"{where} is no book that this version reads: {json.dumps(about)[:200]}")
            rules = Rules(*about["rules"])
            return _checked(rules, about["plies"], archive.array("scores", np.int8, (size_of(rules, about["plies"]),)))


def _checked(rules: Rules, plies: int, scores: npt.NDArray[np.int8]) -> Book:
    """A book from an untrusted source. ValueError if there are scores that no position with so many discs has."""
    rules = sound(rules)
    starts = entries_of(rules, plies)
    for n in range(plies + 1):
        part = scores[starts[n] : starts[n + 1]]
        part = part[part != NO_SCORE]
        # at worst the other player wins with the second disc from here, at best the player to move with the third
        lowest, highest = -win_score(rules.cells, n + 2), win_score(rules.cells, n + 3)
        if ((part < lowest) | (part > highest)).any():
            raise ValueError(f"a position with {n} discs has a score that no game has")
    return Book(rules, plies, scores)


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
