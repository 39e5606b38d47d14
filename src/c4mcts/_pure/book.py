"""The book: the exact scores of all positions with few discs, and of some lines of play.

The former are in a table without keys. The index of a position is its rank among all ways to place that number of
discs: first by the heights of the columns, then by which of the discs, column by column from the bottom, belong to the
player to move (Knuth, "The Art of Computer Programming", volume 4A, section 7.2.1.3: combinations as numbers). A
position and its mirror image share the lower of their two indices. A win with the next disc has no entry.

The positions of the lines, which have more discs, are in a sorted table of keys. A position and its mirror image share
the lower of their two keys.
"""

from bisect import bisect_left

from .._validation import between
from ..rules import sound
from .bitboard import geometry_of, has_line, mirror
from .bounds import win_score
from .threats import winning_cells

MISSING = -128  # in the table: not a position, or one that needs no entry


def count_profiles(width, height, plies):
    """profiles[c][n]: the number of ways in which the columns from c on hold n discs; n at most `plies`."""
    profiles = [[0] * (plies + 1) for _ in range(width + 1)]
    profiles[width][0] = 1
    for column in range(width - 1, -1, -1):
        for n in range(plies + 1):
            profiles[column][n] = sum(profiles[column + 1][n - h] for h in range(min(n, height) + 1))
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
            [sum(profiles[column + 1][n - lower] for lower in range(min(h, n + 1))) for h in range(rules.height + 1)]
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


class BookScores:
    """The scores of the positions of one rule set with at most `plies` discs, and of lines, for the player to move."""

    def __init__(self, rules, plies, scores, last_ply=None, keys=b"", line_scores=b""):
        """scores: the table, a buffer of signed bytes. It is not copied.

        last_ply: no position of the lines has more discs; by default `plies`. keys, line_scores: the lines, buffers of
        unsigned 64-bit integers, sorted, and of as many signed bytes. They are not copied either.
        """
        self.rules = sound(rules)
        if self.rules.width * (self.rules.height + 1) > 64:
            raise ValueError(f"a book is for boards of at most 64 bits, not {self.rules}")
        self.geometry = geometry_of(self.rules)
        self.plies = between("plies", plies, 0, self.geometry.cells)
        self.starts = count_entries(self.rules, self.plies)
        self.scores = memoryview(scores).cast("B").cast("b")
        size = self.starts[self.plies + 1]
        if len(self.scores) != size:
            raise ValueError(f"the scores must be {size} bytes, not {len(self.scores)}")
        self.choices = count_choices(self.plies)
        self.below = count_below(self.rules, self.plies)
        self.keys = memoryview(keys).cast("B").cast("Q")
        self.line_scores = memoryview(line_scores).cast("B").cast("b")
        if len(self.keys) != len(self.line_scores):
            raise ValueError(f"there are {len(self.keys)} keys and {len(self.line_scores)} scores of lines")
        self.last_ply = self.plies if last_ply is None else between("last_ply", last_ply, plies, self.geometry.cells)

    def indices(self, own, mask):
        """The indices of positions in the table, as a list; -1 for those that can't be in it.

        own, mask: buffers of unsigned 64-bit integers, the discs of the player to move and all discs.
        """
        own, mask = words_of(own, mask)
        found = [-1] * len(own)
        for i in range(len(own)):
            if mask[i].bit_count() <= self.plies and is_position(self.geometry, own[i], mask[i]):
                found[i] = find_index(self, own[i], mask[i])
        return found

    def scores_of(self, own, mask):
        """The scores of unfinished positions, as a list; MISSING for those that are not in the book."""
        own, mask = words_of(own, mask)
        return [find_score(self, own[i], mask[i]) for i in range(len(own))]

    def score(self, own, mask):
        """The score of an unfinished position; MISSING if it is not in the book."""
        return find_score(self, own, mask)

    def line(self, own, mask):
        """The columns of best play from an unfinished position, as far as the book knows them."""
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


def words_of(own, mask):
    """Two buffers of unsigned 64-bit integers. TypeError, ValueError."""
    own, mask = memoryview(own).cast("B").cast("Q"), memoryview(mask).cast("B").cast("Q")
    if len(own) != len(mask):
        raise ValueError(f"own and mask must have the same length, not {len(own)} and {len(mask)}")
    return own, mask


def is_position(geometry, own, mask):
    """Whether these are the discs of a position, with the right number of each player's."""
    if own.bit_count() != mask.bit_count() // 2:
        return False
    return own & ~mask == 0 and mask & ~geometry.board == 0 and mask + geometry.bottom & mask == 0


def rank(book, own, mask):
    """The rank of a position itself, not of its mirror image, among those with as many discs."""
    geometry = book.geometry
    stride = geometry.height + 1
    column_cells = (1 << stride) - 1
    n = mask.bit_count()
    profile = places = chosen = passed = 0
    for column in range(geometry.width):
        height = (mask >> column * stride & column_cells).bit_count()
        profile += book.below[column][n - passed][height]
        discs = own >> column * stride & column_cells
        while discs:
            chosen += 1
            places += book.choices[passed + (discs & -discs).bit_length() - 1][chosen]
            discs &= discs - 1
        passed += height
    return profile * book.choices[n][n // 2] + places


def find_index(book, own, mask):
    """The index in the table of a position with at most `plies` discs."""
    geometry = book.geometry
    image = rank(book, mirror(own, geometry), mirror(mask, geometry))
    return book.starts[mask.bit_count()] + min(rank(book, own, mask), image)


def key_of(geometry, own, mask):
    """The key of a position: its own discs, and the first free cell of each column."""
    key = own | mask + geometry.bottom
    return min(key, mirror(own, geometry) | mirror(mask, geometry) + geometry.bottom)


def find_line_score(book, own, mask):
    """The score of a position in the lines; MISSING if it is in none."""
    key = key_of(book.geometry, own, mask)
    i = bisect_left(book.keys, key)
    return book.line_scores[i] if i < len(book.keys) and book.keys[i] == key else MISSING


def find_score(book, own, mask):
    """The score of an unfinished position; MISSING if it is not in the book."""
    geometry = book.geometry
    plies = mask.bit_count()
    if plies > book.last_ply or not is_position(geometry, own, mask):
        return MISSING
    if plies > book.plies:
        return find_line_score(book, own, mask)
    if winning_cells(own, geometry) & mask + geometry.bottom & ~mask:
        return win_score(geometry, plies + 1)
    return book.scores[find_index(book, own, mask)]
