"""The book: the exact scores of all positions with few discs, and of some lines of play; _pure.book explains it."""

from c4mcts._validation import between

from c4mcts._native.book_reader cimport MISSING
from c4mcts._native.static_function cimport find_value

from .bounds cimport win_score
from .cells cimport (
    CELL_BITS, CELL_WORDS, LINES, Cells, cells_of, count_cells, geometry_of, has_line, high_word, join, mirror,
    number_of, private_rules, right, winning_cells,
)


cdef class BookScores(BookReader):

    def __cinit__(self, rules, plies, function, last_ply=None, keys=b"", line_scores=b""):
        """function: a StaticFunction.

        last_ply: no position of the lines has more discs; by default `plies`. keys, line_scores: the lines, buffers of
        sorted keys as words (see scores_of), and of as many signed bytes, which are not copied.
        """
        self.rules = private_rules(rules)
        self.geometry = geometry_of(self.rules)
        if self.geometry.kernel == LINES:
            raise ValueError(f"a book is for boards of at most {CELL_BITS} bits, not {self.rules}")
        self.plies = between("plies", plies, 0, self.geometry.cells)
        self.function = <StaticFunction?>function
        self.keys = memoryview(keys).cast("B").cast("Q")
        self.line_scores = memoryview(line_scores).cast("B").cast("b")
        if self.keys.shape[0] != CELL_WORDS * self.line_scores.shape[0]:
            raise ValueError(
                f"there are {self.keys.shape[0]} words of keys for {self.line_scores.shape[0]} scores of lines"
            )
        self.last_ply = self.plies if last_ply is None else between("last_ply", last_ply, plies, self.geometry.cells)

    def keys_of(self, own, mask):
        """The keys of positions, as a list. own, mask: see scores_of."""
        cdef const uint64_t[::1] owns, masks
        cdef Py_ssize_t i
        cdef Py_ssize_t count
        owns, masks = words_of(own, mask, CELL_WORDS)
        count = owns.shape[0] // CELL_WORDS
        return [
            number_of(key_of(&self.geometry, cells_at(owns, CELL_WORDS, i), cells_at(masks, CELL_WORDS, i)))
            for i in range(count)
        ]

    def scores_of(self, own, mask):
        """The scores of unfinished positions, as a list; MISSING for those that are not in the book.

        own, mask: buffers of words, unsigned 64-bit integers: the discs of the player to move and all discs. A position
        on a board of more than 64 bits has two words, the lower bits first.
        """
        cdef const uint64_t[::1] owns, masks
        cdef Py_ssize_t i, count
        owns, masks = words_of(own, mask, CELL_WORDS)
        count = owns.shape[0] // CELL_WORDS
        return [find_score(self, cells_at(owns, CELL_WORDS, i), cells_at(masks, CELL_WORDS, i)) for i in range(count)]

    def score(self, own, mask):
        """The score of an unfinished position; MISSING if it is not in the book."""
        return find_score(self, cells_of(own), cells_of(mask))

    def line(self, own, mask):
        """The columns of best play from an unfinished position: those that the book knows."""
        columns = []
        cdef Cells here = cells_of(own)
        cdef Cells all_here = cells_of(mask)
        cdef int column = best_column(self, here, all_here)
        while column >= 0:
            columns.append(column)
            here ^= all_here
            all_here |= column_cell(&self.geometry, all_here, column)
            column = best_column(self, here, all_here)
        return columns

    cdef int score_of(self, const uint64_t* own, const uint64_t* mask) noexcept nogil:
        """See BookReader."""
        return find_score(self, join(own[0], own[1]), join(mask[0], mask[1]))


cdef inline Cells column_cell(const Geometry* geometry, Cells mask, int column) noexcept nogil:
    """The free cell of a column; 0 if it is full."""
    cdef Cells bottom = <Cells>1 << column * (geometry.height + 1)
    return mask + bottom & (bottom << geometry.height) - bottom


cdef int best_column(BookScores book, Cells own, Cells mask) noexcept nogil:
    """The first column known to have the position's score; -1 if there is none, or the game is over."""
    cdef const Geometry* geometry = &book.geometry
    cdef int score = find_score(book, own, mask)
    cdef int column, reply
    cdef Cells cell
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


cdef inline Cells cells_at(const uint64_t[::1] words, int size, Py_ssize_t i) noexcept nogil:
    """Number i of the sets of cells in a buffer, which have `size` words each, the lowest first."""
    return join(words[size * i], words[size * i + size - 1])


cdef inline bint is_position(const Geometry* geometry, Cells own, Cells mask) noexcept nogil:
    """Whether these are the discs of a position, with the right number of each player's."""
    if count_cells(own) != count_cells(mask) // 2:
        return False
    return own & ~mask == 0 and mask & ~geometry.board == 0 and mask + geometry.bottom & mask == 0


cdef bint is_reachable(const Geometry* geometry, Cells own, Cells mask, bint own_next, int* steps) noexcept nogil:
    """Whether discs can be taken off alternately, from the tops of columns, until none is left.

    own_next: whether the next one is among `own`. steps: the number of steps that are left.
    """
    cdef Cells tops, cell
    if mask == 0:
        return True
    steps[0] -= 1
    if steps[0] < 0:
        return False
    tops = right(mask + geometry.bottom, 1) & mask & (own if own_next else ~own)
    while tops:
        cell = tops & (~tops + 1)
        tops ^= cell
        if is_reachable(geometry, own, mask ^ cell, not own_next, steps):
            return True
    return False


cdef inline Cells key_of(const Geometry* geometry, Cells own, Cells mask) noexcept nogil:
    """The key of a position: its own discs, and the first free cell of each column."""
    cdef Cells key = own | mask + geometry.bottom
    return min(key, mirror(own, geometry) | mirror(mask, geometry) + geometry.bottom)


cdef int find_line_score(BookScores book, Cells own, Cells mask) noexcept nogil:
    """The score of a position in the lines; MISSING if it is in none."""
    cdef Cells key = key_of(&book.geometry, own, mask)
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = book.line_scores.shape[0]
    cdef Py_ssize_t middle
    while low < high:
        middle = low + (high - low) // 2
        if cells_at(book.keys, CELL_WORDS, middle) < key:
            low = middle + 1
        else:
            high = middle
    if low < book.line_scores.shape[0] and cells_at(book.keys, CELL_WORDS, low) == key:
        return book.line_scores[low]
    return MISSING


cdef int known_score(BookScores book, Cells own, Cells mask, int plies) noexcept nogil:
    """The score of an unfinished position for which the static function was made, or that the next disc wins."""
    cdef const Geometry* geometry = &book.geometry
    cdef int score
    cdef Cells key
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry.cells, plies + 1)
    key = key_of(geometry, own, mask)
    score = find_value(book.function, <uint64_t>key, high_word(key))
    return score if -win_score(geometry.cells, plies + 2) <= score <= win_score(geometry.cells, plies + 3) else MISSING


cdef int backed_up_score(BookScores book, Cells own, Cells mask, int plies) noexcept nogil:
    """The score of an unfinished position from those with one disc more."""
    cdef const Geometry* geometry = &book.geometry
    cdef int best, column, reply
    cdef Cells cell
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


cdef int find_score(BookScores book, Cells own, Cells mask) noexcept nogil:
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
