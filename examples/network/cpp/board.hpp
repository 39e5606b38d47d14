#pragma once
// The board 7x6, and the rule that ends the branches of a proof. In all positions the player, the first or the second
// one, is to move. Sets of cells have 7 bits a column, as Board.mask. The rule is that of
// src/c4mcts/_pure/follow_up.py and certificate.py, which explain it.

#include <algorithm>
#include <cstdint>
#include <vector>

typedef uint64_t Cells;

// ---- the board

const Cells BOTTOM = 0x40810204081, BOARD = BOTTOM * 63, FOLLOW_UP = BOTTOM * 42;
const int DIRECTIONS[] = {1, 7, 6, 8};

struct Position {
    Cells own, other;  // discs of the player to move, and of the opponent

    Cells mask() const { return own | other; }
    Cells free() const { return (mask() + BOTTOM) & BOARD; }
    Cells key() const { return own | (mask() + BOTTOM); }
};

inline int count(Cells cells) { return __builtin_popcountll(cells); }
inline Cells lowest(Cells cells) { return cells & -cells; }
inline int column_of(Cells cell) { return __builtin_ctzll(cell) / 7; }
inline Cells column_cells(int column) { return Cells(63) << 7 * column; }

inline Cells take(Cells &cells) {
    Cells cell = lowest(cells);
    cells ^= cell;
    return cell;
}

inline bool has_line(Cells discs) {
    for (int direction : DIRECTIONS) {
        Cells run = discs & discs >> direction;
        if (run & run >> 2 * direction) return true;
    }
    return false;
}

inline Cells winning_cells(Cells discs) {
    Cells cells = 0;
    for (int d : DIRECTIONS) {
        Cells ahead = discs >> d, behind = discs << d;
        Cells two_ahead = ahead & discs >> 2 * d, two_behind = behind & discs << 2 * d;
        cells |= (two_ahead & (behind | discs >> 3 * d)) | (two_behind & (ahead | discs << 3 * d));
    }
    return cells & BOARD;
}

inline Cells mirror(Cells cells) {
    Cells mirrored = 0;
    for (int i = 0; i < 7; i++, cells >>= 7) mirrored = mirrored << 7 | (cells & 127);
    return mirrored;
}

inline Cells canonical_key(const Position &position) { return std::min(position.key(), mirror(position.key())); }

inline Position position_of(Cells key) {
    Position position = {0, 0};
    for (int column = 0; column < 7; column++) {
        unsigned bits = key >> 7 * column & 127, discs = (1u << (31 - __builtin_clz(bits))) - 1;
        position.own |= Cells(bits & discs) << 7 * column;
        position.other |= Cells(~bits & discs) << 7 * column;
    }
    return position;
}

// What follows on a column: the positions after each reply, unless the game is over.
template <typename Use>
void for_replies(const Position &position, int column, Use use) {
    Position after = {position.own | (position.free() & column_cells(column)), position.other};
    if (has_line(after.own)) return;
    for (Cells replies = after.free(); replies;) {
        Position reply = {after.own, after.other | take(replies)};
        if (!has_line(reply.other)) use(reply);
    }
}

// The columns of these cells, a bit for each.
inline int columns_of(Cells cells) {
    int columns = 0;
    while (cells) columns |= 1 << column_of(take(cells));
    return columns;
}

// ---- the rule that ends the branches of a proof

struct Plan {
    Cells contested, leads, sure;
    bool wins, fits;
};

inline Plan plan_of(Cells lowest, Cells column, Cells wins, bool contested) {
    Plan plan = {contested ? lowest : 0, contested ? lowest : 0, 0, false, false};
    Cells cell = contested ? lowest << 1 : lowest;
    for (; cell & column && cell << 1 & column && !plan.wins; cell <<= 2) {
        plan.leads |= cell;
        plan.sure |= cell << 1;
        plan.wins = cell << 1 & wins;
    }
    plan.fits = plan.wins || !(cell & column);
    return plan;
}

inline bool comes_late(Cells line, Cells follower, Cells sure, Cells contested, Cells mask) {
    Cells played = line & ~mask, above = (played & ~contested) << 1, have = follower;
    for (Cells rest = played; rest;) {
        Cells cell = take(rest);
        have |= sure & (cell - (Cells(1) << 7 * column_of(cell)));
    }
    if (!has_line(have | above)) return false;
    for (Cells rest = played; rest;)
        if (!has_line(have | (above & ~(take(rest) << 1)))) return false;
    return true;
}

inline bool pairs_part(const std::vector<Cells> &dangers, Cells contested) {
    if (dangers.empty()) return true;
    if (!contested) return false;
    Cells one = lowest(contested);
    for (Cells rest = contested ^ one; rest;) {
        Cells two = take(rest);
        std::vector<Cells> left;
        for (Cells line : dangers)
            if (!(line & one) || !(line & two)) left.push_back(line);
        if (pairs_part(left, contested & ~one & ~two)) return true;
    }
    return false;
}

inline bool choice_holds(Cells leads, Cells sure, Cells contested, Cells follower, Cells mask) {
    std::vector<Cells> dangers;
    if (count(contested) & 1 || count(contested) > 6) return false;
    for (int direction : DIRECTIONS) {
        Cells starts = leads & leads >> direction;
        starts &= starts >> 2 * direction;
        while (starts) {
            Cells line = take(starts);
            line |= line << direction;
            line |= line << 2 * direction;
            if (comes_late(line, follower, sure, contested, mask)) continue;
            if (count(line & contested) < 2) return false;
            dangers.push_back(line);
        }
    }
    return pairs_part(dangers, contested);
}

struct Choices {
    Plan plans[7][2];
    int count;
};

inline bool any_choice_holds(const Choices &choices, int decided, Cells leads, Cells sure, Cells contested,
                             bool is_enough, Cells follower, Cells mask) {
    if (decided == choices.count)
        return (is_enough || has_line(follower | sure)) && choice_holds(leads, sure, contested, follower, mask);
    for (const Plan &plan : choices.plans[decided])
        if (any_choice_holds(choices, decided + 1, leads | plan.leads, sure | plan.sure, contested | plan.contested,
                             is_enough || plan.wins, follower, mask))
            return true;
    return false;
}

// What the player is to reach.
enum Goal { NOT_TO_LOSE, TO_WIN };

// Whether the player who has just moved reaches the goal by answering as _pure/follow_up.py says.
inline bool follow_up_holds(Cells follower, Cells leader, Goal goal) {
    Cells mask = follower | leader, empty = BOARD & ~mask, free = (mask + BOTTOM) & BOARD;
    Cells wins = winning_cells(follower) & empty & ~free, odd = free & FOLLOW_UP;
    Cells leads = leader, sure = 0, contested = 0;
    bool is_enough = goal == NOT_TO_LOSE;  // whether no other line of the follower is needed
    Choices choices;
    choices.count = 0;
    for (Cells rest = wins; rest;) {
        Cells column = column_cells(column_of(lowest(rest))) & empty;
        rest &= ~column;
        empty ^= column;
        Plan paired = plan_of(column & free, column, wins, false), shifted = plan_of(column & free, column, wins, true);
        if (paired.fits && shifted.fits) {
            if (choices.count == 6) return false;
            choices.plans[choices.count][0] = paired;
            choices.plans[choices.count++][1] = shifted;
            continue;
        }
        const Plan &plan = paired.fits ? paired : shifted;
        leads |= plan.leads;
        sure |= plan.sure;
        contested |= plan.contested;
        is_enough |= plan.wins;
    }
    odd &= empty;
    leads |= (empty & ~FOLLOW_UP) | odd;
    sure |= empty & FOLLOW_UP & ~odd;
    contested |= odd;
    if (!choices.count && count(contested) & 1) return false;
    return any_choice_holds(choices, 0, leads, sure, contested, is_enough, follower, mask);
}

// Cells of the moves after which the opponent does not win at once. The player can't win at once.
inline Cells safe_moves(const Position &position) {
    Cells threats = winning_cells(position.other) & ~position.mask(), now = threats & position.free();
    if (now & (now - 1)) return 0;
    return position.free() & ~(threats >> 1) & (now ? now : ~Cells(0));
}

bool rule_holds(const Position &position, Goal goal);

inline bool move_follows(const Position &position, Cells cell, Goal goal) {
    return follow_up_holds(position.own | cell, position.other, goal);
}

// Whether a move threatens to win in two cells, or in one and the rule holds after the answer.
inline bool move_threatens(const Position &position, Cells cell, Goal goal) {
    Position after = {position.own | cell, position.other};
    Cells answers = winning_cells(after.own) & after.free();
    after.other |= answers;
    return answers && (answers & (answers - 1) || rule_holds(after, goal));
}

// Whether the rule holds after each reply to a move.
inline bool move_is_quiet(const Position &position, Cells cell, Goal goal) {
    Position after = {position.own | cell, position.other};
    for (Cells replies = after.free(); replies;)
        if (!rule_holds({after.own, after.other | take(replies)}, goal)) return false;
    return true;
}

typedef bool Test(const Position &, Cells, Goal);

inline Cells moves_that(Test holds, const Position &position, Cells moves, Goal goal) {
    Cells result = 0;
    while (moves) {
        Cells cell = take(moves);
        if (holds(position, cell, goal)) result |= cell;
    }
    return result;
}

inline bool any_move(Test holds, const Position &position, Cells moves, Goal goal) {
    while (moves)
        if (holds(position, take(moves), goal)) return true;
    return false;
}

// Whether the lines that are left decide about the goal: the player has none to win with, or the opponent none.
inline bool is_decided(const Position &position, Goal goal) {
    return !has_line(BOARD & ~(goal == TO_WIN ? position.other : position.own));
}

// Whether the player reaches the goal at once, by following up, or by threats to the win or to following up; or can't
// lose any more and need not win.
inline bool rule_holds(const Position &position, Goal goal) {
    if (is_decided(position, goal)) return goal == NOT_TO_LOSE;
    if (winning_cells(position.own) & position.free()) return true;
    Cells moves = safe_moves(position);
    return any_move(move_follows, position, moves, goal) || any_move(move_threatens, position, moves, goal);
}
