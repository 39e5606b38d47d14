"""The book: the exact scores of all positions with few discs, and of some lines of play.

A static function gives the scores of the positions with as many discs as the book has plies, or two, four ... fewer. It
has no keys, so it is asked only about positions that can arise in a game. The other positions are one ply away from
those. A position and its mirror image share a key. A win with the next disc is seen, not looked up.

The positions of the lines, which have more discs, are in a sorted table of keys.
"""

from bisect import bisect_left

from .._layout import win_score
from .._validation import between
from ..rules import fits_solver, word_count
from .cells import geometry_of, has_line, mirror, winning_cells
from .numbers import MASK64
from .static_function import find_value

MISSING = -128  # a position that is not in the book
MAX_STEPS = 1 << 16  # of the search for an order of moves; the positions of the shipped book need at most 289


class BookScores:
    """The scores of the positions of one rule set with at most `plies` discs, and of lines, for the player to move."""

    def __init__(self, rules, plies, function, last_ply=None, keys=b"", line_scores=b""):
        """function: a StaticFunction.

        last_ply: no position of the lines has more discs; by default `plies`. keys, line_scores: the lines, buffers of
        sorted keys as words (see scores_of), and of as many signed bytes, which are not copied.
        """
        self.rules = rules
        if not fits_solver(self.rules):
            raise ValueError(f"a book is for boards of at most 128 bits, not {self.rules}")
        self.words = word_count(self.rules)
        self.geometry = geometry_of(self.rules)
        self.plies = between("plies", plies, 0, self.geometry.cells)
        self.function = function
        self.keys = memoryview(keys).cast("B").cast("Q")
        self.line_scores = memoryview(line_scores).cast("B").cast("b")
        if len(self.keys) != self.words * len(self.line_scores):
            raise ValueError(f"there are {len(self.keys)} words of keys for {len(self.line_scores)} scores of lines")
        self.last_ply = self.plies if last_ply is None else between("last_ply", last_ply, plies, self.geometry.cells)

    def keys_of(self, own, mask):
        """The keys of positions, as a list. own, mask: see scores_of."""
        own, mask = words_of(own, mask, self.words)
        count = len(own) // self.words
        return [
            key_of(self.geometry, cells_at(own, self.words, i), cells_at(mask, self.words, i)) for i in range(count)
        ]

    def scores_of(self, own, mask):
        """The scores of unfinished positions, as a list; MISSING for those that are not in the book.

        own, mask: buffers of words, unsigned 64-bit integers: the discs of the player to move and all discs. A position
        on a board of more than 64 bits has two words, the lower bits first.
        """
        own, mask = words_of(own, mask, self.words)
        count = len(own) // self.words
        return [find_score(self, cells_at(own, self.words, i), cells_at(mask, self.words, i)) for i in range(count)]

    def score(self, own, mask):
        """The score of an unfinished position; MISSING if it is not in the book."""
        return find_score(self, own, mask)

    def line(self, own, mask):
        """The columns of best play from an unfinished position: those that the book knows."""
        columns = []
        column = best_column(self, own, mask)
        while column >= 0:
            columns.append(column)
            own, mask = own ^ mask, mask | column_cell(self.geometry, mask, column)
            column = best_column(self, own, mask)
        return columns


def column_cell(geometry, mask, column):
    """The free cell of a column; 0 if it is full."""
    bottom = 1 << column * (geometry.height + 1)
    return mask + bottom & (bottom << geometry.height) - bottom


def best_column(book, own, mask):
    """The first column known to have the position's score; -1 if there is none, or the game is over."""
    geometry = book.geometry
    score = find_score(book, own, mask)
    if score == MISSING or has_line(own ^ mask, geometry):
        return -1
    for column in range(geometry.width):
        cell = column_cell(geometry, mask, column)
        if cell == 0:
            continue
        if has_line(own | cell, geometry):
            return column
        reply = 0
        if mask | cell != geometry.board:
            reply = find_score(book, own ^ mask, mask | cell)
        if -reply == score:
            return column
    return -1


def words_of(own, mask, size):
    """Two buffers of unsigned 64-bit integers, `size` for each position. TypeError, ValueError."""
    own, mask = memoryview(own).cast("B").cast("Q"), memoryview(mask).cast("B").cast("Q")
    if len(own) != len(mask) or len(own) % size:
        raise ValueError(f"own and mask must have the same length, in steps of {size}, not {len(own)} and {len(mask)}")
    return own, mask


def cells_at(words, size, i):
    """Number i of the sets of cells in a buffer, which have `size` words each, the lowest first."""
    return sum(words[size * i + place] << 64 * place for place in range(size))


def is_position(geometry, own, mask):
    """Whether these are the discs of a position, with the right number of each player's."""
    if own.bit_count() != mask.bit_count() // 2:
        return False
    return own & ~mask == 0 and mask & ~geometry.board == 0 and mask + geometry.bottom & mask == 0


def is_reachable(geometry, own, mask, own_next, steps):
    """Whether discs can be taken off alternately, from the tops of columns, until none is left.

    own_next: whether the next one is among `own`. steps: a list of the number of steps that are left.
    """
    if mask == 0:
        return True
    steps[0] -= 1
    if steps[0] < 0:
        return False
    tops = mask + geometry.bottom >> 1 & mask & (own if own_next else ~own)
    while tops:
        cell = tops & -tops
        tops ^= cell
        if is_reachable(geometry, own, mask ^ cell, not own_next, steps):
            return True
    return False


def key_of(geometry, own, mask):
    """The key of a position: its own discs, and the first free cell of each column."""
    key = own | mask + geometry.bottom
    return min(key, mirror(own, geometry) | mirror(mask, geometry) + geometry.bottom)


def find_line_score(book, own, mask):
    """The score of a position in the lines; MISSING if it is in none."""
    key = key_of(book.geometry, own, mask)
    count = len(book.line_scores)
    i = bisect_left(range(count), key, key=lambda i: cells_at(book.keys, book.words, i))
    return book.line_scores[i] if i < count and cells_at(book.keys, book.words, i) == key else MISSING


def known_score(book, own, mask, plies):
    """The score of an unfinished position for which the static function was made, or that the next disc wins."""
    geometry = book.geometry
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry.cells, plies + 1)
    key = key_of(geometry, own, mask)
    score = find_value(book.function, key & MASK64, key >> 64)
    return score if -win_score(geometry.cells, plies + 2) <= score <= win_score(geometry.cells, plies + 3) else MISSING


def backed_up_score(book, own, mask, plies):
    """The score of an unfinished position from those with one disc more."""
    geometry = book.geometry
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry.cells, plies + 1)
    best = MISSING
    for column in range(geometry.width):
        cell = column_cell(geometry, mask, column)
        if cell == 0:
            continue
        reply = 0
        if mask | cell != geometry.board:
            reply = known_score(book, own ^ mask, mask | cell, plies + 1)
        if reply == MISSING:
            return MISSING
        best = max(best, -reply)
    return best


def find_score(book, own, mask):
    """The score of an unfinished position; MISSING if it is not in the book."""
    geometry = book.geometry
    plies = mask.bit_count()
    if plies > book.last_ply or not is_position(geometry, own, mask):
        return MISSING
    if plies > book.plies:
        return find_line_score(book, own, mask)
    if not is_reachable(geometry, own, mask, False, [MAX_STEPS]):
        return MISSING
    if book.plies - plies & 1:
        return backed_up_score(book, own, mask, plies)
    return known_score(book, own, mask, plies)
