/* The few operations that C spells differently from compiler to compiler. Everything else is Cython. */
#ifndef C4MCTS_PORTABLE_H
#define C4MCTS_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

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

/* Number of set bits. */
static inline int c4_count_bits(uint64_t word)
{
#if defined(__POPCNT__) || defined(__aarch64__)
    return __builtin_popcountll(word);
#else
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
#endif
}

/* Ask for the cache line at `address`, to be read soon; a hint only. */
static inline void c4_prefetch(const void *address)
{
#if defined(_MSC_VER)
    (void)address;
#else
    __builtin_prefetch(address);
#endif
}

/* Ask for large pages, which save a quarter of the time in a table of 64 MB; a hint only. */
static inline void c4_large_pages(void *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t page = 1 << 21, first = ((uintptr_t)memory + page - 1) & ~(page - 1);
    const uintptr_t end = (uintptr_t)memory + bytes;
    if (end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

#endif
