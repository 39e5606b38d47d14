/* The games of all lanes on 7 x 6 in bytes, for vectors of 128 bits: a board is seven bytes, one for each column, with
the lowest row in bit 0, and a vector holds the same column of sixteen games. Two lanes in a vector, as in lanes_form.h,
are no faster than one after the other.

A shift of 16 bits moves bits of one byte into its neighbour, but only into the two that no row has. */

typedef uint8_t c4_bytes __attribute__((vector_size(16)));
typedef uint16_t c4_shorts __attribute__((vector_size(16)));
typedef uint64_t c4_words __attribute__((vector_size(16)));

enum {
    C4_COLUMNS = 7,
    C4_COLUMN = 0x3f, /* all rows of one */
    C4_GAMES = 16, /* of a vector of bytes */
    C4_GROUPS = 2, /* of games; half of the second one is idle */
    C4_WORDS = C4_LANES / 2, /* vectors of generators */
    C4_DRAWS = 20 /* after which the counters of a group, which have a byte, are read */
};

/* Sixteen games; game i is in lane 2 * (i % 8) + i / 8, for c4_pack. The rest as in lanes_form.h. */
typedef struct {
    c4_bytes own[C4_COLUMNS], mask[C4_COLUMNS], turn;
    c4_bytes full, stuck, ongoing, not_won;
} c4_games;

#define C4_INLINE static inline __attribute__((always_inline))
/* Hides from the compiler what it knows of a vector: of masks it would make selections, of shifts multiplications, for
which processors have no instruction. */
#define C4_HIDE(vector) __asm__("" : "+r"(vector))
#define C4_SHIFT(bytes, operator, count) ((c4_bytes)((c4_shorts)(bytes) operator (count)))

/* The position in which each game begins. */
typedef struct {
    c4_bytes own[C4_COLUMNS], mask[C4_COLUMNS];
} c4_start;

/* One choice in each game. start: NULL for the empty board. */
C4_INLINE void c4_bytes_step(c4_games *games, c4_bytes column, const c4_start *start)
{
    const c4_bytes zero = {0};
    c4_bytes discs[C4_COLUMNS], cells[C4_COLUMNS], level[6], rising[6], falling[6];
    c4_bytes dropped = zero, tall = zero, lines = zero, stuck, ongoing, swapped;
    int i;
    for (i = 0; i < C4_COLUMNS; i++) {
        c4_bytes chosen = (c4_bytes)(column == (uint8_t)i);
        C4_HIDE(chosen);
        cells[i] = (games->mask[i] + 1) & chosen & C4_COLUMN;
        discs[i] = games->own[i] | cells[i];
        dropped |= cells[i];
        tall |= discs[i] & chosen;
    }
    for (i = 0; i < 6; i++) {
        level[i] = discs[i] & discs[i + 1];
        rising[i] = discs[i] & C4_SHIFT(discs[i + 1], >>, 1);
        falling[i] = discs[i] & C4_SHIFT(discs[i + 1], <<, 1);
    }
    for (i = 0; i < 4; i++) {
        lines |= level[i] & level[i + 2];
        lines |= rising[i] & C4_SHIFT(rising[i + 2], >>, 2);
        lines |= falling[i] & C4_SHIFT(falling[i + 2], <<, 2);
    }
    tall &= C4_SHIFT(tall, >>, 1);
    lines |= tall & C4_SHIFT(tall, >>, 2);
    stuck = (c4_bytes)(dropped == zero);
    ongoing = (c4_bytes)(lines == zero);
    C4_HIDE(stuck);
    C4_HIDE(ongoing);
    swapped = ongoing & ~stuck;
    games->stuck -= stuck;
    games->ongoing -= ongoing;
    games->not_won -= ongoing | games->turn;
    games->turn = ~(games->turn ^ stuck) & ongoing;
    for (i = 0; i < C4_COLUMNS; i++) {
        games->own[i] = (games->own[i] & ongoing) ^ (games->mask[i] & swapped);
        games->mask[i] = (games->mask[i] | cells[i]) & ongoing;
        if (start != NULL) {
            games->own[i] |= start->own[i] & ~ongoing;
            games->mask[i] |= start->mask[i] & ~ongoing;
        }
    }
}

/* Games whose board is full begin again. */
C4_INLINE void c4_bytes_renew(c4_games *games, const c4_start *start)
{
    c4_bytes full = games->mask[0];
    int i;
    for (i = 1; i < C4_COLUMNS; i++)
        full &= games->mask[i];
    full = (c4_bytes)(full == C4_COLUMN);
    games->full -= full;
    games->turn &= ~full;
    for (i = 0; i < C4_COLUMNS; i++) {
        games->own[i] &= ~full;
        games->mask[i] &= ~full;
        if (start != NULL) {
            games->own[i] |= start->own[i] & full;
            games->mask[i] |= start->mask[i] & full;
        }
    }
}

/* The lowest byte of each word, as a group. */
C4_INLINE c4_bytes c4_pack(const c4_words *words, int count)
{
    c4_words packed = words[0];
    int i;
    for (i = 1; i < count; i++)
        packed |= words[i] << 8 * i;
    return (c4_bytes)packed;
}

/* The next choice of all lanes, or the next two, of `base` possible ones: see lanes.Lane. */
C4_INLINE void c4_choices(c4_words *fractions, unsigned base, c4_bytes *choices)
{
    c4_words words[C4_WORDS];
    int i;
    for (i = 0; i < C4_WORDS; i++) {
        const c4_words fraction = fractions[i];
        c4_words product = base == 7 ? fraction << 3 : (fraction << 4) + (fraction << 5);
        C4_HIDE(product);
        product = base == 7 ? product - fraction : product + fraction;
        words[i] = product >> C4_FRACTION_BITS;
        fractions[i] = product & (((uint64_t)1 << C4_FRACTION_BITS) - 1);
    }
    choices[0] = c4_pack(words, 8);
    choices[1] = c4_pack(words + 8, C4_WORDS - 8);
}

/* The next fraction of each lane, by rng.next64. */
C4_INLINE void c4_fractions(c4_words *a, c4_words *b, c4_words *fractions)
{
    int i;
    for (i = 0; i < C4_WORDS; i++) {
        const c4_words first = a[i], second = b[i] ^ first, sum = first + b[i];
        fractions[i] = ((sum << 17 | sum >> 47) + first) >> (64 - C4_FRACTION_BITS);
        a[i] = (first << 49 | first >> 15) ^ second ^ second << 21;
        b[i] = second << 28 | second >> 36;
    }
}

/* Play with one draw of random bits, eleven choices, in each lane. */
C4_INLINE void c4_bytes_draw(c4_games *groups, c4_words *a, c4_words *b, const c4_start *start)
{
    c4_words fractions[C4_WORDS];
    c4_bytes choices[C4_GROUPS];
    int pair, i;
    for (i = 0; i < C4_GROUPS; i++)
        c4_bytes_renew(&groups[i], start);
    c4_fractions(a, b, fractions);
    for (pair = 0; pair < 5; pair++) {
        c4_choices(fractions, 49, choices);
        for (i = 0; i < C4_GROUPS; i++) { /* n / 7 is n * 37 >> 8, up to 48 */
            const c4_shorts both = (c4_shorts)choices[i];
            const c4_bytes first = (c4_bytes)(((both & 0xff) * 37 >> 8) | ((both >> 8) * 37 & 0xff00));
            c4_bytes_step(&groups[i], first, start);
            c4_bytes_step(&groups[i], choices[i] - (C4_SHIFT(first, <<, 3) - first), start);
        }
    }
    c4_choices(fractions, 7, choices);
    for (i = 0; i < C4_GROUPS; i++)
        c4_bytes_step(&groups[i], choices[i], start);
}

/* Read the games of the lanes, and set the counters to 0. */
static inline void c4_bytes_load(c4_games *groups, const c4_lanes *lanes)
{
    int lane, i;
    memset(groups, 0, C4_GROUPS * sizeof(c4_games));
    for (lane = 0; lane < C4_LANES; lane++) {
        c4_games *games = &groups[lane / C4_GAMES];
        const int game = lane % C4_GAMES / 2 + 8 * (lane & 1);
        for (i = 0; i < C4_COLUMNS; i++) {
            games->own[i][game] = lanes->own[lane] >> C4_COLUMNS * i & C4_COLUMN;
            games->mask[i][game] = lanes->mask[lane] >> C4_COLUMNS * i & C4_COLUMN;
        }
        games->turn[game] = (uint8_t)lanes->turn[lane];
    }
}

/* Write the games of the lanes, and add what the counters say of `steps` steps. */
static inline void c4_bytes_save(const c4_games *groups, c4_lanes *lanes, int steps)
{
    int lane, i;
    for (lane = 0; lane < C4_LANES; lane++) {
        const c4_games *games = &groups[lane / C4_GAMES];
        const int game = lane % C4_GAMES / 2 + 8 * (lane & 1);
        lanes->own[lane] = lanes->mask[lane] = 0;
        for (i = 0; i < C4_COLUMNS; i++) {
            lanes->own[lane] |= (uint64_t)games->own[i][game] << C4_COLUMNS * i;
            lanes->mask[lane] |= (uint64_t)games->mask[i][game] << C4_COLUMNS * i;
        }
        lanes->turn[lane] = games->turn[game] ? ~(uint64_t)0 : 0;
        lanes->games[lane] -= steps - games->ongoing[game] + games->full[game];
        lanes->wins[lane] += steps - games->not_won[game];
        lanes->draws[lane] += games->full[game];
        lanes->plies[lane] += steps - games->stuck[game];
    }
}

C4_INLINE void c4_bytes_advance(c4_lanes *lanes, const c4_start *start, int draws)
{
    c4_games groups[C4_GROUPS];
    c4_words a[C4_WORDS], b[C4_WORDS];
    int i;
    memcpy(a, lanes->a, sizeof a);
    memcpy(b, lanes->b, sizeof b);
    while (draws > 0) {
        const int now = draws < C4_DRAWS ? draws : C4_DRAWS;
        c4_bytes_load(groups, lanes);
        for (i = 0; i < now; i++)
            c4_bytes_draw(groups, a, b, start);
        c4_bytes_save(groups, lanes, now * 11);
        draws -= now;
    }
    memcpy(lanes->a, a, sizeof a);
    memcpy(lanes->b, b, sizeof b);
}

/* Play with `draws` draws of random bits in all lanes. */
static void c4_bytes_play(c4_lanes *lanes, int draws)
{
    c4_start start;
    int i;
    if (lanes->start_mask == 0) {
        c4_bytes_advance(lanes, NULL, draws);
        return;
    }
    for (i = 0; i < C4_COLUMNS; i++) {
        start.own[i] = (c4_bytes){0} + (uint8_t)(lanes->start_own >> C4_COLUMNS * i & C4_COLUMN);
        start.mask[i] = (c4_bytes){0} + (uint8_t)(lanes->start_mask >> C4_COLUMNS * i & C4_COLUMN);
    }
    c4_bytes_advance(lanes, &start, draws);
}

#undef C4_SHIFT
#undef C4_HIDE
#undef C4_INLINE
