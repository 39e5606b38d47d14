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

/* Ask for the cache line at `address`, to be read soon; a hint only. */
static inline void c4_prefetch(const void *address)
{
#if defined(_MSC_VER)
#if defined(_M_X64)
    _mm_prefetch((const char *)address, _MM_HINT_T0);
#else
    __prefetch(address);
#endif
#else
    __builtin_prefetch(address);
#endif
}

#endif
