"""The book: the exact scores of all positions with few discs, and of some lines of play; _pure.book explains it."""

from c4mcts._validation import between
from c4mcts.rules import sound

from .bounds cimport win_score
from .cells cimport count_cells, geometry_of, has_line, mirror, winning_cells
from .static_function cimport StaticFunction, find_value


cdef class BookScores:

    def __cinit__(self, rules, plies, function, last_ply=None, keys=b"", line_scores=b""):
        """function: a StaticFunction.

        last_ply: no position of the lines has more discs; by default `plies`. keys, line_scores: the lines, buffers of
        unsigned 64-bit integers, sorted, and of as many signed bytes, which are not copied.
        """
        self.rules = sound(rules)
        if self.rules.width * (self.rules.height + 1) > 64:
            raise ValueError(f"a book is for boards of at most 64 bits, not {self.rules}")
        self.geometry = geometry_of(self.rules)
        self.plies = between("plies", plies, 0, self.geometry.cells)
        self.function = <StaticFunction?>function
        self.keys = memoryview(keys).cast("B").cast("Q")
        self.line_scores = memoryview(line_scores).cast("B").cast("b")
        if self.keys.shape[0] != self.line_scores.shape[0]:
            raise ValueError(f"there are {self.keys.shape[0]} keys and {self.line_scores.shape[0]} scores of lines")
        self.last_ply = self.plies if last_ply is None else between("last_ply", last_ply, plies, self.geometry.cells)

    def keys_of(self, own, mask):
        """The keys of positions, as a list. own, mask: see scores_of."""
        cdef const uint64_t[::1] owns, masks
        cdef Py_ssize_t i
        owns, masks = words_of(own, mask)
        return [key_of(&self.geometry, owns[i], masks[i]) for i in range(owns.shape[0])]

    def scores_of(self, own, mask):
        """The scores of unfinished positions, as a list; MISSING for those that are not in the book.

        own, mask: buffers of unsigned 64-bit integers, the discs of the player to move and all discs.
        """
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
    if count_cells(own) != count_cells(mask) // 2:
        return False
    return own & ~mask == 0 and mask & ~geometry.board == 0 and mask + geometry.bottom & mask == 0


cdef bint is_reachable(const Geometry* geometry, uint64_t own, uint64_t mask, bint own_next, int* steps) noexcept nogil:
    """Whether discs can be taken off alternately, from the tops of columns, until none is left.

    own_next: whether the next one is among `own`. steps: the number of steps that are left.
    """
    cdef uint64_t tops, cell
    if mask == 0:
        return True
    steps[0] -= 1
    if steps[0] < 0:
        return False
    tops = mask + geometry.bottom >> 1 & mask & (own if own_next else ~own)
    while tops:
        cell = tops & (~tops + 1)
        tops ^= cell
        if is_reachable(geometry, own, mask ^ cell, not own_next, steps):
            return True
    return False


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


cdef int known_score(BookScores book, uint64_t own, uint64_t mask, int plies) noexcept nogil:
    """The score of an unfinished position for which the static function was made, or that the next disc wins."""
    cdef const Geometry* geometry = &book.geometry
    cdef int score
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry, plies + 1)
    score = find_value(book.function, key_of(geometry, own, mask))
    return score if -win_score(geometry, plies + 2) <= score <= win_score(geometry, plies + 3) else MISSING


cdef int backed_up_score(BookScores book, uint64_t own, uint64_t mask, int plies) noexcept nogil:
    """The score of an unfinished position from those with one disc more."""
    cdef const Geometry* geometry = &book.geometry
    cdef int best, column, reply
    cdef uint64_t cell
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry, plies + 1)
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


cdef int find_score(BookScores book, uint64_t own, uint64_t mask) noexcept nogil:
    """The score of an unfinished position; MISSING if it is not in the book."""
    cdef const Geometry* geometry = &book.geometry
    cdef int plies = count_cells(mask)
    cdef int steps = MAX_STEPS
    if plies > book.last_ply or not is_position(geometry, own, mask):
        return MISSING
    if plies > book.plies:
        return find_line_score(book, own, mask)
    if not is_reachable(geometry, own, mask, False, &steps):
        return MISSING
    if book.plies - plies & 1:
        return backed_up_score(book, own, mask, plies)
    return known_score(book, own, mask, plies)
