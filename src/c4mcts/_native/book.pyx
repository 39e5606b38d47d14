"""The book: the exact scores of all positions with few discs, and of some lines of play; _pure.book explains it."""

import numpy as np

from c4mcts._validation import between
from c4mcts.rules import sound

from .bitboard cimport geometry_of, has_line, lowest_bit, mirror
from .bounds cimport count_bits, win_score
from .threats cimport winning_cells


def count_profiles(width, height, plies):
    """profiles[c][n]: the number of ways in which the columns from c on hold n discs; n at most `plies`."""
    profiles = [[0] * (plies + 1) for _ in range(width + 1)]
    profiles[width][0] = 1
    for column in range(width - 1, -1, -1):
        for n in range(plies + 1):
            profiles[column][n] = sum([profiles[column + 1][n - h] for h in range(min(n, height) + 1)])
    return profiles


def count_choices(plies):
    """choices[n][k]: the number of ways to choose k of n discs; n at most `plies`."""
    choices = [[0] * (plies + 2) for _ in range(plies + 1)]
    for n in range(plies + 1):
        choices[n][0] = 1
        for k in range(1, n + 1):
            choices[n][k] = choices[n - 1][k - 1] + choices[n - 1][k]
    return choices


def count_below(rules, plies):
    """below[c][n][h]: the number of ways in which the columns from c on hold n discs, fewer than h of them in c."""
    profiles = count_profiles(rules.width, rules.height, plies)
    return [
        [
            [sum([profiles[column + 1][n - lower] for lower in range(min(h, n + 1))]) for h in range(rules.height + 1)]
            for n in range(plies + 1)
        ]
        for column in range(rules.width)
    ]


def count_entries(rules, plies):
    """By number of discs, up to `plies`: the index of the first entry. The last number is the size of the table."""
    profiles = count_profiles(rules.width, rules.height, plies)
    choices = count_choices(plies)
    starts = [0]
    for n in range(plies + 1):
        starts.append(starts[n] + profiles[0][n] * choices[n][n // 2])
    return starts


cdef class BookScores:

    def __cinit__(self, rules, plies, scores, last_ply=None, keys=b"", line_scores=b""):
        """scores: the table, a buffer of signed bytes. It is not copied.

        last_ply: no position of the lines has more discs; by default `plies`. keys, line_scores: the lines, buffers of
        unsigned 64-bit integers, sorted, and of as many signed bytes. They are not copied either.
        """
        self.rules = sound(rules)
        if self.rules.width * (self.rules.height + 1) > 64:
            raise ValueError(f"a book is for boards of at most 64 bits, not {self.rules}")
        self.geometry = geometry_of(self.rules)
        self.plies = between("plies", plies, 0, self.geometry.cells)
        starts = count_entries(self.rules, self.plies)
        self.scores = memoryview(scores).cast("B").cast("b")
        size = starts[self.plies + 1]
        if self.scores.shape[0] != size:
            raise ValueError(f"the scores must be {size} bytes, not {self.scores.shape[0]}")
        self.starts = np.array(starts, np.uint64)
        self.choices = np.array(count_choices(self.plies), np.uint64)
        self.below = np.array(count_below(self.rules, self.plies), np.uint64)
        self.keys = memoryview(keys).cast("B").cast("Q")
        self.line_scores = memoryview(line_scores).cast("B").cast("b")
        if self.keys.shape[0] != self.line_scores.shape[0]:
            raise ValueError(f"there are {self.keys.shape[0]} keys and {self.line_scores.shape[0]} scores of lines")
        self.last_ply = self.plies if last_ply is None else between("last_ply", last_ply, plies, self.geometry.cells)

    def indices(self, own, mask):
        """The indices of positions in the table, as a list; -1 for those that can't be in it.

        own, mask: buffers of unsigned 64-bit integers, the discs of the player to move and all discs.
        """
        cdef const uint64_t[::1] owns, masks
        cdef Py_ssize_t i
        owns, masks = words_of(own, mask)
        found = [-1] * owns.shape[0]
        for i in range(owns.shape[0]):
            if count_bits(masks[i]) <= self.plies and is_position(&self.geometry, owns[i], masks[i]):
                found[i] = find_index(self, owns[i], masks[i])
        return found

    def scores_of(self, own, mask):
        """The scores of unfinished positions, as a list; MISSING for those that are not in the book."""
        cdef const uint64_t[::1] owns, masks
        cdef Py_ssize_t i
        owns, masks = words_of(own, mask)
        return [find_score(self, owns[i], masks[i]) for i in range(owns.shape[0])]

    def score(self, uint64_t own, uint64_t mask):
        """The score of an unfinished position; MISSING if it is not in the book."""
        return find_score(self, own, mask)

    def line(self, uint64_t own, uint64_t mask):
        """The columns of best play from an unfinished position, as far as the book knows them."""
        columns = []
        cdef int column = best_column(self, own, mask)
        while column >= 0:
            columns.append(column)
            own, mask = own ^ mask, mask | column_cell(&self.geometry, mask, column)
            column = best_column(self, own, mask)
        return columns


cdef inline uint64_t column_cell(const Geometry* geometry, uint64_t mask, int column) noexcept nogil:
    """The free cell of a column; 0 if it is full."""
    cdef uint64_t bottom = <uint64_t>1 << column * (geometry.height + 1)
    return mask + bottom & (bottom << geometry.height) - bottom


cdef int best_column(BookScores book, uint64_t own, uint64_t mask) noexcept nogil:
    """The first column known to have the position's score; -1 if there is none, or the game is over."""
    cdef const Geometry* geometry = &book.geometry
    cdef int score = find_score(book, own, mask)
    cdef int column, reply
    cdef uint64_t cell
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


def words_of(own, mask):
    """Two buffers of unsigned 64-bit integers. TypeError, ValueError."""
    own, mask = memoryview(own).cast("B").cast("Q"), memoryview(mask).cast("B").cast("Q")
    if len(own) != len(mask):
        raise ValueError(f"own and mask must have the same length, not {len(own)} and {len(mask)}")
    return own, mask


cdef inline bint is_position(const Geometry* geometry, uint64_t own, uint64_t mask) noexcept nogil:
    """Whether these are the discs of a position, with the right number of each player's."""
    if count_bits(own) != count_bits(mask) // 2:
        return False
    return own & ~mask == 0 and mask & ~geometry.board == 0 and mask + geometry.bottom & mask == 0


cdef inline uint64_t rank(BookScores book, uint64_t own, uint64_t mask) noexcept nogil:
    """The rank of a position itself, not of its mirror image, among those with as many discs."""
    cdef const Geometry* geometry = &book.geometry
    cdef int stride = geometry.height + 1
    cdef uint64_t column_cells = ~<uint64_t>0 >> (64 - stride)
    cdef int n = count_bits(mask)
    cdef uint64_t profile = 0
    cdef uint64_t places = 0
    cdef uint64_t discs
    cdef int chosen = 0
    cdef int passed = 0
    cdef int column, height
    for column in range(geometry.width):
        height = count_bits(mask >> column * stride & column_cells)
        profile += book.below[column, n - passed, height]
        discs = own >> column * stride & column_cells
        while discs:
            chosen += 1
            places += book.choices[passed + lowest_bit(discs), chosen]
            discs &= discs - 1
        passed += height
    return profile * book.choices[n, n // 2] + places


cdef inline uint64_t find_index(BookScores book, uint64_t own, uint64_t mask) noexcept nogil:
    """The index in the table of a position with at most `plies` discs."""
    cdef const Geometry* geometry = &book.geometry
    cdef uint64_t image = rank(book, mirror(own, geometry), mirror(mask, geometry))
    return book.starts[count_bits(mask)] + min(rank(book, own, mask), image)


cdef inline uint64_t key_of(const Geometry* geometry, uint64_t own, uint64_t mask) noexcept nogil:
    """The key of a position: its own discs, and the first free cell of each column."""
    cdef uint64_t key = own | mask + geometry.bottom
    return min(key, mirror(own, geometry) | mirror(mask, geometry) + geometry.bottom)


cdef int find_line_score(BookScores book, uint64_t own, uint64_t mask) noexcept nogil:
    """The score of a position in the lines; MISSING if it is in none."""
    cdef uint64_t key = key_of(&book.geometry, own, mask)
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = book.keys.shape[0]
    cdef Py_ssize_t middle
    while low < high:
        middle = low + (high - low) // 2
        if book.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return book.line_scores[low] if low < book.keys.shape[0] and book.keys[low] == key else MISSING


cdef int find_score(BookScores book, uint64_t own, uint64_t mask) noexcept nogil:
    """The score of an unfinished position; MISSING if it is not in the book."""
    cdef const Geometry* geometry = &book.geometry
    cdef int plies = count_bits(mask)
    if plies > book.last_ply or not is_position(geometry, own, mask):
        return MISSING
    if plies > book.plies:
        return find_line_score(book, own, mask)
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry, plies + 1)
    return book.scores[find_index(book, own, mask)]
