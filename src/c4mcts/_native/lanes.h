/* Random games in parallel, one in each lane of a vector: lanes.random_game for many lanes at once.

A lane does the same in each step in all cases: it draws a column, drops a disc unless the column is full, looks for
a line, and begins its next game if this one is over. So the lanes need no branches, which would be guessed wrongly, and
none waits for another. The text of a step is in lanes_form.h. It is written with the vectors of GCC and Clang, and
compiled once for each kind of vectors here; at run time the processor says which of these forms it can run. Other
compilers and processors play lane by lane ("scalar"). Every form plays the same games.

Boards of at most 64 bits only, width * (height + 1): the kernels Standard and Bits, see bitboard.pxd. */
#ifndef C4MCTS_LANES_H
#define C4MCTS_LANES_H

#include <stdint.h>
#include <string.h>

enum {
    C4_LANES = 24,         /* a multiple of the lanes that each form plays at once */
    C4_FRACTION_BITS = 58, /* see lanes.Lane */
    C4_VECTORS = 3,        /* that take turns: while one waits for a result, the others have work for the processor */
    C4_MAX_DRAWS = 4096    /* of 64 random bits, in one call of c4_play: a few ms */
};

/* The forms, by their speed where a processor has several. */
enum { C4_SCALAR, C4_NEON, C4_SIMD128, C4_AVX2, C4_AVX512, C4_FORMS };
static const char *const c4_form_names[C4_FORMS] = {"scalar", "neon", "simd128", "avx2", "avx512"};

/* The fields of bitboard.Geometry that the lanes need. */
typedef struct {
    int is_standard; /* whether all other fields are as in c4_standard */
    int width, height;
    int n_directions, directions[4];
    int n_steps, steps[6];
    int choices_per_draw;
    uint64_t board, bottom;
} c4_rules;

/* 7 x 6, four in a row: constants let the compiler unroll all loops over directions and steps. */
static const c4_rules c4_standard = {1, 7, 6, 4, {1, 6, 7, 8}, 2, {1, 2}, 11, 0xfdfbf7efdfbf, 0x40810204081};

/* The games of the lanes, and their progress. */
typedef struct {
    uint64_t start_own, start_mask; /* the position in which each game begins, as in bitboard.Standard */
    uint64_t a[C4_LANES], b[C4_LANES]; /* states of the generators */
    uint64_t own[C4_LANES]; /* discs of the player to move */
    uint64_t mask[C4_LANES]; /* all discs */
    uint64_t turn[C4_LANES]; /* 0 if the player to move is the one who began, otherwise all ones */
    uint64_t games[C4_LANES]; /* still to be finished */
    uint64_t wins[C4_LANES], draws[C4_LANES]; /* games won by the player who began, and drawn */
    uint64_t plies[C4_LANES]; /* of all games together */
} c4_lanes;

/* Not for Windows, where GCC does not align vectors on the stack. */
#if defined(__GNUC__) && !defined(_WIN32)
#if defined(__x86_64__)
#define C4_X86
#elif defined(__aarch64__)
#define C4_ARM
#elif defined(__wasm_simd128__)
#define C4_WASM
#endif
#endif

#if defined(C4_X86)

#define C4_FORM(name) c4_avx2_##name
#define C4_TARGET __attribute__((target("avx2")))
#define C4_BYTES 32
#include "lanes_form.h"

#define C4_FORM(name) c4_avx512_##name
#define C4_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define C4_BYTES 64
#include "lanes_form.h"

#elif defined(C4_ARM)

#define C4_FORM(name) c4_neon_##name
#define C4_TARGET
#define C4_BYTES 16
#include "lanes_form.h"

#elif defined(C4_WASM)

#define C4_FORM(name) c4_simd128_##name
#define C4_TARGET
#define C4_BYTES 16
#include "lanes_form.h"
#include "lanes_bytes.h"

#endif

/* Whether this build has a form and this processor can run it. */
static inline int c4_has_form(int form)
{
    switch (form) {
    case C4_SCALAR:
        return 1;
#if defined(C4_X86)
    case C4_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case C4_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#elif defined(C4_ARM)
    case C4_NEON:
        return 1;
#elif defined(C4_WASM)
    case C4_SIMD128:
        return 1;
#endif
    default:
        return 0;
    }
}

/* Play for a short while, in a form other than C4_SCALAR. 0 once that is not possible: a lane does not check how many
games it has left, so it must have more than can end meanwhile. The rest is for lanes.play_lane. */
static inline int c4_play(int form, c4_lanes *lanes, const c4_rules *rules)
{
    const int in_bytes = form == C4_SIMD128 && rules->is_standard;
    const int at_once = in_bytes ? C4_LANES : C4_VECTORS * (form == C4_AVX512 ? 8 : form == C4_AVX2 ? 4 : 2);
    int first, i;
    for (first = 0; first < C4_LANES; first += at_once) {
        uint64_t games = lanes->games[first];
        int draws;
        for (i = first; i < first + at_once; i++)
            games = lanes->games[i] < games ? lanes->games[i] : games;
        games /= rules->choices_per_draw + 1; /* one for each choice, and one whose board was full before */
        draws = games < C4_MAX_DRAWS ? (int)games : C4_MAX_DRAWS;
        if (draws == 0)
            continue;
        switch (form) {
#if defined(C4_X86)
        case C4_AVX2:
            c4_avx2_play(lanes, first, rules, draws);
            return 1;
        case C4_AVX512:
            c4_avx512_play(lanes, first, rules, draws);
            return 1;
#elif defined(C4_ARM)
        case C4_NEON:
            c4_neon_play(lanes, first, rules, draws);
            return 1;
#elif defined(C4_WASM)
        case C4_SIMD128:
            if (in_bytes)
                c4_bytes_play(lanes, draws);
            else
                c4_simd128_play(lanes, first, rules, draws);
            return 1;
#endif
        default:
            return 0;
        }
    }
    return 0;
}

#endif
