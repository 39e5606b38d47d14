/* A set of cells as an integer: of 64 bits, or of 128 with -DC4_CELL_BITS=128, with which the modules in `wide` are
   compiled. With -DC4_TWO_WORDS it is a class of C++ then, for compilers without integers of 128 bits, and for GCC, whose
   code for these is slower. */
#ifndef C4MCTS_CELLS_H
#define C4MCTS_CELLS_H

#include "portable.h"

#ifndef C4_CELL_BITS
#define C4_CELL_BITS 64
#endif

#define C4_CELL_WORDS (C4_CELL_BITS / 64)

#if C4_CELL_BITS == 64

typedef uint64_t c4_cells;

static inline c4_cells c4_join(uint64_t low, uint64_t high)
{
    (void)high;
    return low;
}

static inline c4_cells c4_right(c4_cells cells, int n)
{
    return cells >> n;
}

static inline c4_cells c4_left(c4_cells cells, int n)
{
    return cells << n;
}

static inline uint64_t c4_high_word(c4_cells cells)
{
    (void)cells;
    return 0;
}

static inline int c4_lowest_cell(c4_cells cells)
{
    return c4_lowest_bit(cells);
}

static inline int c4_count_cells(c4_cells cells)
{
    return c4_count_bits(cells);
}

static inline int c4_is_odd_number(c4_cells cells)
{
    return c4_is_odd(cells);
}

#else

#if defined(C4_TWO_WORDS)
#include "two_words.h"
#else
typedef unsigned __int128 c4_cells;
#endif

/* The set of cells with these two words. */
static inline c4_cells c4_join(uint64_t low, uint64_t high)
{
#if defined(C4_TWO_WORDS)
    return c4_cells(low, high);
#else
    return (c4_cells)high << 64 | low;
#endif
}

/* The second word of a set of cells; a cast gives the first. */
static inline uint64_t c4_high_word(c4_cells cells)
{
    return (uint64_t)(cells >> 64);
}

/* cells >> n and cells << n for n from 1 to 63. Compilers have an instruction for a shift across two words, which is
   slow on many processors. */
static inline c4_cells c4_right(c4_cells cells, int n)
{
    const uint64_t high = c4_high_word(cells);
    return c4_join((uint64_t)cells >> n | high << (64 - n), high >> n);
}

static inline c4_cells c4_left(c4_cells cells, int n)
{
    const uint64_t low = (uint64_t)cells;
    return c4_join(low << n, c4_high_word(cells) << n | low >> (64 - n));
}

/* Index of the lowest cell of a set that is not empty. */
static inline int c4_lowest_cell(c4_cells cells)
{
    return (uint64_t)cells ? c4_lowest_bit((uint64_t)cells) : 64 + c4_lowest_bit(c4_high_word(cells));
}

/* Whether the number of cells is odd. */
static inline int c4_is_odd_number(c4_cells cells)
{
    return c4_is_odd((uint64_t)cells ^ c4_high_word(cells));
}

#endif

/* A set of cells where shifts are fast: in a vector register, if there are two words and x86-64, otherwise as it is. In
   its functions n is from 1 to 63. */
#if C4_CELL_BITS == 128 && defined(__SSE2__) && defined(__x86_64__)

#include <emmintrin.h>

typedef __m128i c4_vector;

static inline c4_vector c4_vector_of(c4_cells cells)
{
    return _mm_set_epi64x((long long)c4_high_word(cells), (long long)(uint64_t)cells);
}

static inline c4_cells c4_cells_in(c4_vector vector)
{
    const c4_vector high = _mm_unpackhi_epi64(vector, vector);
    return c4_join((uint64_t)_mm_cvtsi128_si64(vector), (uint64_t)_mm_cvtsi128_si64(high));
}

static inline c4_vector c4_vector_right(c4_vector vector, int n)
{
    return _mm_or_si128(_mm_srli_epi64(vector, n), _mm_slli_epi64(_mm_srli_si128(vector, 8), 64 - n));
}

static inline c4_vector c4_vector_left(c4_vector vector, int n)
{
    return _mm_or_si128(_mm_slli_epi64(vector, n), _mm_srli_epi64(_mm_slli_si128(vector, 8), 64 - n));
}

/* Number of cells. */
static inline int c4_count_cells(c4_cells cells)
{
    const c4_vector twos = _mm_set1_epi8(0x33);
    c4_vector sums = c4_vector_of(cells);
    sums = _mm_sub_epi8(sums, _mm_and_si128(_mm_srli_epi64(sums, 1), _mm_set1_epi8(0x55)));
    sums = _mm_add_epi8(_mm_and_si128(sums, twos), _mm_and_si128(_mm_srli_epi64(sums, 2), twos));
    sums = _mm_and_si128(_mm_add_epi8(sums, _mm_srli_epi64(sums, 4)), _mm_set1_epi8(0x0f));
    sums = _mm_sad_epu8(sums, _mm_setzero_si128());
    return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums)));
}

#else

typedef c4_cells c4_vector;

static inline c4_vector c4_vector_of(c4_cells cells)
{
    return cells;
}

static inline c4_cells c4_cells_in(c4_vector vector)
{
    return vector;
}

static inline c4_vector c4_vector_right(c4_vector vector, int n)
{
    return c4_right(vector, n);
}

static inline c4_vector c4_vector_left(c4_vector vector, int n)
{
    return c4_left(vector, n);
}

#if C4_CELL_BITS == 128
static inline int c4_count_cells(c4_cells cells)
{
    return c4_count_bits((uint64_t)cells) + c4_count_bits(c4_high_word(cells));
}
#endif

#endif

#endif
