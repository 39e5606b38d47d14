/* The few operations that C spells differently from compiler to compiler. Everything else is Cython. */
#ifndef C4MCTS_PORTABLE_H
#define C4MCTS_PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

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
#if defined(__POPCNT__) || defined(__aarch64__) || defined(__wasm__)
    return __builtin_popcountll(word);
#else
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
#endif
}

/* Whether the number of set bits is odd. */
static inline int c4_is_odd(uint64_t word)
{
#if defined(_MSC_VER)
    return c4_count_bits(word) & 1;
#else
    return __builtin_parityll(word);
#endif
}

/* Whether the lowest byte of an integer comes first in memory. */
static inline int c4_is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one;
}

/* Ask for the cache line at `address`, to be read soon; only a hint. */
static inline void c4_prefetch(const void *address)
{
#if defined(_MSC_VER)
    (void)address;
#else
    __builtin_prefetch(address);
#endif
}

/* Ask for large pages, which save a quarter of the time in a table of 64 MB; only a hint. */
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

/* Milliseconds of a clock that is never set back. */
#if defined(_WIN32)
#if defined(__cplusplus)
extern "C"
#endif
__declspec(dllimport) unsigned long long __stdcall GetTickCount64(void); /* without windows.h and its macros */

static inline uint64_t c4_milliseconds(void)
{
    return GetTickCount64();
}
#else
static inline uint64_t c4_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
#endif

/* Memory shared by threads: atomics.pxd describes the guarantees of the operations. */
#if defined(_MSC_VER)

#define C4_READ(bits) \
    static inline uint##bits##_t c4_read##bits(const uint##bits##_t *place) \
    { \
        return *(const volatile uint##bits##_t *)place; \
    }
#define C4_WRITE(bits) \
    static inline void c4_write##bits(uint##bits##_t *place, uint##bits##_t value) \
    { \
        *(volatile uint##bits##_t *)place = value; \
    }
#define C4_ADD(bits, type, exchange_add) \
    static inline uint##bits##_t c4_add##bits(uint##bits##_t *place, uint##bits##_t amount, int shared) \
    { \
        uint##bits##_t before = *place; \
        if (shared) \
            return (uint##bits##_t)exchange_add((volatile type *)place, (type)amount); \
        *place = before + amount; \
        return before; \
    }
#define C4_REPLACE(bits, type, compare_exchange) \
    static inline int c4_replace##bits( \
        uint##bits##_t *place, uint##bits##_t expected, uint##bits##_t value, int shared) \
    { \
        if (shared) \
            return (uint##bits##_t)compare_exchange((volatile type *)place, (type)value, (type)expected) == expected; \
        if (*place != expected) \
            return 0; \
        *place = value; \
        return 1; \
    }
C4_ADD(32, long, _InterlockedExchangeAdd)
C4_ADD(64, __int64, _InterlockedExchangeAdd64)
C4_REPLACE(16, short, _InterlockedCompareExchange16)
C4_REPLACE(32, long, _InterlockedCompareExchange)

static inline uint32_t c4_acquire32(const uint32_t *place)
{
#if defined(_M_ARM64)
    return __ldar32((unsigned __int32 volatile *)place);
#else
    uint32_t value = *(const volatile uint32_t *)place; /* x86 keeps the order of loads; so must the compiler */
    _ReadWriteBarrier();
    return value;
#endif
}

static inline void c4_release32(uint32_t *place, uint32_t value)
{
#if defined(_M_ARM64)
    __stlr32((unsigned __int32 volatile *)place, value);
#else
    _ReadWriteBarrier();
    *(volatile uint32_t *)place = value;
#endif
}

#else

#define C4_READ(bits) \
    static inline uint##bits##_t c4_read##bits(const uint##bits##_t *place) \
    { \
        return __atomic_load_n(place, __ATOMIC_RELAXED); \
    }
#define C4_WRITE(bits) \
    static inline void c4_write##bits(uint##bits##_t *place, uint##bits##_t value) \
    { \
        __atomic_store_n(place, value, __ATOMIC_RELAXED); \
    }
#define C4_ADD(bits) \
    static inline uint##bits##_t c4_add##bits(uint##bits##_t *place, uint##bits##_t amount, int shared) \
    { \
        uint##bits##_t before; \
        if (shared) \
            return __atomic_fetch_add(place, amount, __ATOMIC_ACQ_REL); \
        before = __atomic_load_n(place, __ATOMIC_RELAXED); \
        __atomic_store_n(place, before + amount, __ATOMIC_RELAXED); \
        return before; \
    }
#define C4_REPLACE(bits) \
    static inline int c4_replace##bits( \
        uint##bits##_t *place, uint##bits##_t expected, uint##bits##_t value, int shared) \
    { \
        if (shared) \
            return __atomic_compare_exchange_n(place, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
        if (__atomic_load_n(place, __ATOMIC_RELAXED) != expected) \
            return 0; \
        __atomic_store_n(place, value, __ATOMIC_RELAXED); \
        return 1; \
    }
C4_ADD(32)
C4_ADD(64)
C4_REPLACE(16)
C4_REPLACE(32)

static inline uint32_t c4_acquire32(const uint32_t *place)
{
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

static inline void c4_release32(uint32_t *place, uint32_t value)
{
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

#endif

C4_READ(16)
C4_READ(32)
C4_READ(64)
C4_WRITE(16)
C4_WRITE(32)
C4_WRITE(64)

#endif
