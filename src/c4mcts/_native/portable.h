/* The few operations that C spells differently from compiler to compiler. Everything else is Cython. */
#ifndef C4MCTS_PORTABLE_H
#define C4MCTS_PORTABLE_H

#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* The upper 64 bits of the 128-bit product a * b. */
static inline uint64_t c4_mulhi(uint64_t a, uint64_t b)
{
#if defined(_MSC_VER)
    return __umulh(a, b);
#else
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
#endif
}

/* Index of the lowest set bit of a word that is not 0. */
static inline int c4_lowest_bit(uint64_t word)
{
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanForward64(&index, word);
    return (int)index;
#else
    return __builtin_ctzll(word);
#endif
}

#endif
