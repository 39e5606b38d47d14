"""Book: the exact scores of all positions with few discs, and of best play; one for 7 x 6 comes with the package."""

import os
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _archives, _files
from .._backend import load as load_backend
from .._validation import an_instance, between, counted, must_be
from ..board.arguments import AnyBoard, a_board, unfinished
from ..rules import DEFAULT_RULES, Rules, fits_solver, fits_word, word_count
from .bitboards import Positions, bitboards_of, words_of
from .solution import scores_of_moves
from .static_function import ARRAY_TYPES, StaticArrays
from .verdict import plies_of, sign

SHIPPED = os.path.join(os.path.dirname(__file__), "book-7x6x4.npz")
SHIPPED_LAST_PLY = 24  # of its lines
FORMAT = 2  # of the file
MAX_ENTRIES = 1 << 31  # of an array in a file
NO_SCORE = -128  # no score of any game


class BookLines(NamedTuple):
    """Positions of one rule set, without duplicates or mirror images, and their scores for the player to move.

    scores: int8, of shape (len(positions),).
    """

    positions: Positions
    scores: npt.NDArray[np.int8]


class OpeningMove(NamedTuple):
    """A move in a book.

    score: for the player who makes it. distance: plies to the end of the game by best play, this one included. replies:
    the number of moves that the opponent then has. holding: how many of those keep the result, a win, draw or loss;
    None if they lead out of the book.
    """

    column: int
    score: int
    distance: int
    replies: int
    holding: int | None


class Book:
    """The exact scores of all positions with at most `plies` discs, and of some lines of play beyond.

    A compressed static function, without keys, and a sorted table of the lines: see
    https://github.com/c4mcts/c4mcts/blob/main/docs/internals/solver.md. Books come from build_book and Book.load.
    """

    __slots__ = ("_count", "_function", "_reader", "_twins", "lines", "plies", "rules")

    rules: Rules
    plies: int
    lines: BookLines  # with more discs, sorted by Positions.keys(); read-only
    _reader: Any  # the twin of the best backend

    def __init__(
        self, rules: Rules, plies: int, function: StaticArrays, count: int, lines: BookLines | None = None
    ) -> None:
        """function: the scores of positions with plies, plies - 2, ... discs, by Positions.canonical_keys().

        count: of all positions, without mirror images and those that the next disc can win. lines: unfinished
        positions with more discs.
        """
        require_fit(rules)
        self.rules = rules
        self.plies = between("plies", plies, 0, rules.cells)
        self._count = between("count", count, 0, MAX_ENTRIES)
        self._function = StaticArrays(*(_read_only(array) for array in function))
        self.lines = _sorted(no_lines(rules) if lines is None else lines)
        self._twins: dict[str, Any] = {}
        self._reader = self.twin(load_backend().name)  # refuses a function that would lead out of its arrays

    @property
    def last_ply(self) -> int:
        """The most discs of a position in the book: of those in its lines, or `plies` without lines."""
        return int(self.lines.positions.plies.max(initial=self.plies))

    def twin(self, backend: str) -> Any:
        """The book as a backend reads it: "native" or "pure"."""
        if backend not in self._twins:
            twins, (positions, scores) = load_backend(backend), self.lines
            function = twins.static_function.StaticFunction(*self._function)
            keys = words_of(positions.keys(), self.rules).reshape(-1)
            self._twins[backend] = twins.book_for(self.rules).BookScores(
                self.rules, self.plies, function, self.last_ply, keys, scores
            )
        return self._twins[backend]

    def score(self, board: AnyBoard) -> int | None:
        """The score of a position for its player to move; None if it is not in the book.

        Raises ValueError for a board of other rules, GameOverError for a finished game.
        """
        board = unfinished(board, rules=self.rules)
        self._require_rules("board", board.rules)
        return self.find(board.own, board.mask)

    def find(self, own: int, mask: int) -> int | None:
        """The score of an unfinished position of the book's rules, unchecked; None if it is not in the book."""
        score: int = self._reader.score(own, mask)
        return None if score == NO_SCORE else score

    def line(self, board: AnyBoard) -> list[int]:
        """The columns of best play from a position: those that the book knows.

        Raises ValueError for a board of other rules.
        """
        board = a_board(board, rules=self.rules).copy()
        self._require_rules("board", board.rules)
        line: list[int] = [] if board.is_over() else self._reader.line(board.own, board.mask)
        return line

    def children(self, board: AnyBoard) -> list[OpeningMove]:
        """The moves of an unfinished position that lead to known scores, in the order of the columns.

        Raises ValueError for a board of other rules, GameOverError for a finished game.
        """
        board = unfinished(board, rules=self.rules)
        self._require_rules("board", board.rules)
        empty = board.rules.cells - board.ply
        result = []
        for column, score in scores_of_moves(self.rules, board.own, board.mask, self.find).items():
            if score is not None:
                after = board.after(column)
                moves = {} if after.is_over() else scores_of_moves(self.rules, after.own, after.mask, self.find)
                replies = [*moves.values()]
                holding = None if None in replies else sum(sign(reply or 0) == -sign(score) for reply in replies)
                result.append(OpeningMove(column, score, plies_of(score, empty), len(replies), holding))
        return result

    def scores(self, positions: Positions) -> npt.NDArray[np.int8]:
        """The scores of unfinished positions of the same rules; NO_SCORE for those that are not in the book."""
        an_instance("positions", positions, Positions, "Positions")
        self._require_rules("positions", positions.rules)
        own, mask = (words_of(bitboards, self.rules).reshape(-1) for bitboards in (positions.own, positions.mask))
        return np.array(self._reader.scores_of(own, mask), np.int8)

    def _require_rules(self, name: str, rules: Rules) -> None:
        if rules != self.rules:
            raise ValueError(f"{name} has the rules {rules}, the book is for {self.rules}")

    def with_lines(self, lines: BookLines) -> "Book":
        """A copy of the book with other lines. TypeError, ValueError."""
        an_instance("lines", lines, BookLines, "BookLines")
        return Book(self.rules, self.plies, self._function, self._count, lines)

    def __len__(self) -> int:
        """The number of positions, without mirror images and those with few discs that the next disc can win."""
        return self._count + len(self.lines.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Book):
            return NotImplemented
        same = (self.rules, self.plies, self._count) == (other.rules, other.plies, other._count)
        return same and all(map(np.array_equal, self._arrays().values(), other._arrays().values()))

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        positions, scores = self.lines
        own, mask = (words_of(bitboards, self.rules) for bitboards in (positions.own, positions.mask))
        return self._function._asdict() | {"line_own": own, "line_mask": mask, "line_scores": scores}

    def __repr__(self) -> str:
        plies, positions = counted(self.plies, "ply", "plies"), counted(len(self), "position")
        return f"<c4mcts.Book for {self.rules}, {plies}, {positions}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Book, (self.rules, self.plies, self._function, self._count, self.lines)

    def save(self, path: _files.StrPath) -> None:
        """Write the book to a file, which is replaced if it exists. OSError."""
        rules = [self.rules.width, self.rules.height, self.rules.connect, self.rules.diagonals]
        about = {"kind": "book", "format": FORMAT, "rules": rules, "plies": self.plies, "count": self._count}
        _files.write(_files.path_of("path", path), _archives.pack(about, self._arrays()))

    @classmethod
    def load(cls, path: _files.StrPath) -> "Book":
        """Read a book from a file that `save` wrote. Raises SaveError for any other or damaged file, OSError."""
        where = _files.path_of("path", path)
        with _archives.unpacked(where, f"{where} is not a book, or is damaged") as archive:
            about = archive.about(kind="book", format=FORMAT)
            rules = Rules(*about["rules"])
            arrays = {name: archive.array(name, kind, (range(MAX_ENTRIES),)) for name, kind in ARRAY_TYPES.items()}
            board = () if fits_word(rules) else (word_count(rules),)
            own = archive.array("line_own", np.uint64, (range(MAX_ENTRIES), *board))
            mask = archive.array("line_mask", np.uint64, own.shape)
            scores = archive.array("line_scores", np.int8, own.shape[:1])
            lines = BookLines(Positions(rules, bitboards_of(own), bitboards_of(mask)), scores)
            return cls(rules, about["plies"], StaticArrays(**arrays), about["count"], lines)


def require_fit(rules: Rules) -> None:
    """ValueError for boards that are too large for a book."""
    if not fits_solver(rules):
        raise ValueError(f"rules: a book is for boards of at most 128 bits, width * (height + 1), not {rules}")


def no_lines(rules: Rules) -> BookLines:
    """No positions at all."""
    return BookLines(Positions.of(rules, [], []), np.zeros(0, np.int8))


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array


def _sorted(lines: BookLines) -> BookLines:
    """A copy of lines as the twins need them: sorted by key. ValueError for scores that a position can't have.

    From such a score would follow a distance that a node can't store.
    """
    positions, scores = lines
    empty = positions.rules.cells - positions.plies.astype(np.int64)
    if not positions.are_sound().all() or ((scores < -(empty // 2)) | (scores > (empty + 1) // 2)).any():
        raise ValueError("lines: there are positions that can't be, or scores that no game has")
    canonical, _ = positions.canonical()
    place = np.argsort(canonical.keys())
    own, mask = _read_only(canonical.own[place]), _read_only(canonical.mask[place])
    return BookLines(Positions(positions.rules, own, mask), _read_only(scores[place]))


@cache
def shipped_book() -> Book:
    """The book that comes with the package, for 7 x 6, four in a row; read at the first call. SaveError, OSError."""
    return Book.load(SHIPPED)


def book_for(book: bool | Book, rules: Rules, discs: int = 0) -> Book | None:
    """The book in which to look up positions with at least this many discs; None if there is none.

    book: as book_option returns it; True for the shipped one if it is for these rules. ValueError for other rules.
    """
    if isinstance(book, bool):
        return shipped_book() if book and discs <= SHIPPED_LAST_PLY and rules == DEFAULT_RULES else None
    if book.rules != rules:
        raise ValueError(must_be("book", f"for {rules}", book))
    return book


def book_option(book: object) -> bool | Book:
    """Check an argument `book`. TypeError."""
    return bool(book) if isinstance(book, bool | np.bool) else an_instance("book", book, Book, "True, False or a Book")
