"""Compressed static functions: the values of known keys, without the keys; _pure.static_function explains them."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

cdef enum:
    WINDOW = 32     # bits; _layout.WINDOW


cdef class StaticFunction:
    # A function from keys of at most 128 bits to small integers.
    cdef const uint64_t[::1] words      # the table
    cdef const int8_t[::1] symbols      # by code word
    cdef uint64_t[::1] counts           # by length: how many code words have it
    cdef uint8_t[::1] seeds             # of the shards
    cdef uint32_t[::1] starts           # where they begin in the table; at the end the number of bits of all


cdef int find_value(StaticFunction function, uint64_t low, uint64_t high) noexcept nogil
