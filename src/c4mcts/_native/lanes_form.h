/* The code of lanes.h for one kind of vector, so without an include guard. The includer defines

C4_FORM(name)   the full name of a function or type of this form
C4_TARGET       the attribute with the instructions that the compiler may use
C4_BYTES        the size of a vector

A comparison gives -1 for true, all bits set, so x -= (a == b) counts. A step of a vector takes as long as its operations
are many. Hence some odd counts: of the opposite of an event where that saves the negation. */

typedef uint64_t C4_FORM(vector) __attribute__((vector_size(C4_BYTES)));

/* The lanes of one vector: see c4_lanes. */
typedef struct {
    C4_FORM(vector) a, b, own, mask, turn;
    C4_FORM(vector) fraction; /* see lanes.Lane */
    C4_FORM(vector) full; /* games that have ended with a full board */
    C4_FORM(vector) stuck, ongoing, not_won; /* steps without a move, without a win, without one of who began */
} C4_FORM(group);

#define C4_INLINE C4_TARGET static inline __attribute__((always_inline))
#define C4_ROTATE_LEFT(bits, count) ((bits) << (count) | (bits) >> (64 - (count)))

/* The next fraction of each lane, by rng.next64. Before that, lanes whose board is full begin their next game. */
C4_INLINE void C4_FORM(draw)(C4_FORM(group) *group, const c4_lanes *lanes, const c4_rules *rules)
{
    const C4_FORM(vector) full = (C4_FORM(vector))(group->mask == rules->board);
    const C4_FORM(vector) a = group->a, b = group->b ^ a, sum = a + group->b;
    group->full -= full;
    group->own = (group->own & ~full) | (lanes->start_own & full);
    group->mask = (group->mask & ~full) | (lanes->start_mask & full);
    group->turn &= ~full;
    group->fraction = (C4_ROTATE_LEFT(sum, 17) + a) >> (64 - C4_FRACTION_BITS);
    group->a = C4_ROTATE_LEFT(a, 49) ^ b ^ b << 21;
    group->b = C4_ROTATE_LEFT(b, 28);
}

/* One choice of lanes.random_game in each lane. After a win the lane begins its next game. */
C4_INLINE void C4_FORM(step)(C4_FORM(group) *group, const c4_lanes *lanes, const c4_rules *rules)
{
    const C4_FORM(vector) zero = {0}, column = zero + (((uint64_t)1 << rules->height) - 1);
    const C4_FORM(vector) product = group->fraction * (uint64_t)rules->width;
    const C4_FORM(vector) shift = (product >> C4_FRACTION_BITS) * (uint64_t)(rules->height + 1);
    const C4_FORM(vector) cell = (group->mask + rules->bottom) & column << shift; /* 0 if the column is full */
    const C4_FORM(vector) discs = group->own | cell;
    C4_FORM(vector) lines = zero, stuck, ongoing;
    int i, j;
    for (i = 0; i < rules->n_directions; i++) {
        C4_FORM(vector) run = discs;
        for (j = 0; j < rules->n_steps; j++)
            run &= run >> rules->steps[j] * rules->directions[i];
        lines |= run;
    }
    ongoing = (C4_FORM(vector))(lines == zero);
    stuck = (C4_FORM(vector))(cell == zero);
    group->fraction = product & (((uint64_t)1 << C4_FRACTION_BITS) - 1);
    group->stuck -= stuck;
    group->ongoing -= ongoing;
    group->not_won -= ongoing | group->turn;
    group->own = ((group->own ^ (group->mask & ~stuck)) & ongoing) | (lanes->start_own & ~ongoing);
    group->mask = ((group->mask | cell) & ongoing) | (lanes->start_mask & ~ongoing);
    group->turn = ~(group->turn ^ stuck) & ongoing;
}

#define C4_LOAD(name) memcpy(&group->name, &lanes->name[first], C4_BYTES)
#define C4_SAVE(name) memcpy(&lanes->name[first], &group->name, C4_BYTES)

C4_INLINE void C4_FORM(load)(C4_FORM(group) *group, const c4_lanes *lanes, int first)
{
    const C4_FORM(vector) zero = {0};
    C4_LOAD(a);
    C4_LOAD(b);
    C4_LOAD(own);
    C4_LOAD(mask);
    C4_LOAD(turn);
    group->full = group->stuck = group->ongoing = group->not_won = zero;
}

C4_INLINE void C4_FORM(save)(const C4_FORM(group) *group, c4_lanes *lanes, int first, uint64_t steps)
{
    int i;
    C4_SAVE(a);
    C4_SAVE(b);
    C4_SAVE(own);
    C4_SAVE(mask);
    C4_SAVE(turn);
    for (i = 0; i < C4_BYTES / 8; i++) {
        lanes->games[first + i] -= steps - group->ongoing[i] + group->full[i];
        lanes->wins[first + i] += steps - group->not_won[i];
        lanes->draws[first + i] += group->full[i];
        lanes->plies[first + i] += steps - group->stuck[i];
    }
}

/* Play with `draws` draws of random bits in each of the lanes of C4_VECTORS vectors, from `first` on. */
C4_INLINE void C4_FORM(advance)(c4_lanes *lanes, int first, const c4_rules *rules, int draws)
{
    C4_FORM(group) groups[C4_VECTORS];
    int draw, choice, i;
    for (i = 0; i < C4_VECTORS; i++)
        C4_FORM(load)(&groups[i], lanes, first + i * (C4_BYTES / 8));
    for (draw = 0; draw < draws; draw++) {
        for (i = 0; i < C4_VECTORS; i++)
            C4_FORM(draw)(&groups[i], lanes, rules);
        for (choice = 0; choice < rules->choices_per_draw; choice++)
            for (i = 0; i < C4_VECTORS; i++)
                C4_FORM(step)(&groups[i], lanes, rules);
    }
    for (i = 0; i < C4_VECTORS; i++)
        C4_FORM(save)(&groups[i], lanes, first + i * (C4_BYTES / 8), (uint64_t)draws * rules->choices_per_draw);
}

C4_TARGET static void C4_FORM(play)(c4_lanes *lanes, int first, const c4_rules *rules, int draws)
{
    if (rules->is_standard)
        C4_FORM(advance)(lanes, first, &c4_standard, draws);
    else
        C4_FORM(advance)(lanes, first, rules, draws);
}

#undef C4_SAVE
#undef C4_LOAD
#undef C4_ROTATE_LEFT
#undef C4_INLINE
#undef C4_BYTES
#undef C4_TARGET
#undef C4_FORM
