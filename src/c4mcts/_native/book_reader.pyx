"""The search's interface to a book, for boards of either width: the score of a node's position."""


cdef class BookReader:

    cdef int score_of(self, const uint64_t* own, const uint64_t* mask) noexcept nogil:
        """The score of an unfinished position; MISSING if it is not in the book.

        own, mask: the discs of the player to move and all discs, two words each, the low one first.
        """
        return MISSING
