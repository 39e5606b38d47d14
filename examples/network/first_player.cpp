// Trains the moves of a network until it never gives a win away as the first player on 7x6: see first_player.py, which
// writes its inputs, compiles and starts it.
//
//     first_player FOLDER ROUNDS LOOKAHEAD SAMPLED SAMPLE RATE
//
// SAMPLED: rounds that play on a sample of positions, SAMPLE of those with as many discs; later ones play on all. RATE:
// of learning in the first round. With FOLDER alone it reads positions, own and other discs, and prints the columns
// that the network may play.
//
// Positions have the first player to move. Sets of cells have 7 bits a column, as Board.mask. The rule and the network
// are those of src/c4mcts/_pure/follow_up.py, certificate.py, features.py and network.py, which explain them; they are
// written for one core with vectors, since a round asks the network about 30 million positions.

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <unordered_map>
#include <vector>

typedef uint64_t Cells;

// ---- the board

const Cells BOTTOM = 0x40810204081, BOARD = BOTTOM * 63, FOLLOW_UP = BOTTOM * 42;
const int DIRECTIONS[] = {1, 7, 6, 8};

struct Position {
    Cells own, other;  // discs of the first player, who is to move, and of the second

    Cells mask() const { return own | other; }
    Cells free() const { return (mask() + BOTTOM) & BOARD; }
    Cells key() const { return own | (mask() + BOTTOM); }
};

int count(Cells cells) { return __builtin_popcountll(cells); }
Cells lowest(Cells cells) { return cells & -cells; }
int column_of(Cells cell) { return __builtin_ctzll(cell) / 7; }
Cells column_cells(int column) { return Cells(63) << 7 * column; }

Cells take(Cells &cells) {
    Cells cell = lowest(cells);
    cells ^= cell;
    return cell;
}

bool has_line(Cells discs) {
    for (int direction : DIRECTIONS) {
        Cells run = discs & discs >> direction;
        if (run & run >> 2 * direction) return true;
    }
    return false;
}

Cells winning_cells(Cells discs) {
    Cells cells = 0;
    for (int d : DIRECTIONS) {
        Cells ahead = discs >> d, behind = discs << d;
        Cells two_ahead = ahead & discs >> 2 * d, two_behind = behind & discs << 2 * d;
        cells |= (two_ahead & (behind | discs >> 3 * d)) | (two_behind & (ahead | discs << 3 * d));
    }
    return cells & BOARD;
}

Cells mirror(Cells cells) {
    Cells mirrored = 0;
    for (int i = 0; i < 7; i++, cells >>= 7) mirrored = mirrored << 7 | (cells & 127);
    return mirrored;
}

Cells canonical_key(const Position &position) { return std::min(position.key(), mirror(position.key())); }

Position position_of(Cells key) {
    Position position = {0, 0};
    for (int column = 0; column < 7; column++) {
        unsigned bits = key >> 7 * column & 127, discs = (1u << (31 - __builtin_clz(bits))) - 1;
        position.own |= Cells(bits & discs) << 7 * column;
        position.other |= Cells(~bits & discs) << 7 * column;
    }
    return position;
}

// The columns of these cells, a bit for each.
int columns_of(Cells cells) {
    int columns = 0;
    while (cells) columns |= 1 << column_of(take(cells));
    return columns;
}

// ---- the rule that ends the branches of a proof

struct Plan {
    Cells contested, leads, sure;
    bool wins, fits;
};

Plan plan_of(Cells lowest, Cells column, Cells wins, bool contested) {
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

bool comes_late(Cells line, Cells follower, Cells sure, Cells contested, Cells mask) {
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

bool pairs_part(const std::vector<Cells> &dangers, Cells contested) {
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

bool choice_holds(Cells leads, Cells sure, Cells contested, Cells follower, Cells mask) {
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

bool any_choice_holds(const Choices &choices, int decided, Cells leads, Cells sure, Cells contested, bool wins,
                      Cells follower, Cells mask) {
    if (decided == choices.count)
        return (wins || has_line(follower | sure)) && choice_holds(leads, sure, contested, follower, mask);
    for (const Plan &plan : choices.plans[decided])
        if (any_choice_holds(choices, decided + 1, leads | plan.leads, sure | plan.sure, contested | plan.contested,
                             wins || plan.wins, follower, mask))
            return true;
    return false;
}

// Whether the player who has just moved wins by answering as _pure/follow_up.py says.
bool follow_up_wins(Cells follower, Cells leader) {
    Cells mask = follower | leader, empty = BOARD & ~mask, free = (mask + BOTTOM) & BOARD;
    Cells wins = winning_cells(follower) & empty & ~free, odd = free & FOLLOW_UP;
    Cells leads = leader, sure = 0, contested = 0;
    bool wins_column = false;
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
        wins_column |= plan.wins;
    }
    odd &= empty;
    leads |= (empty & ~FOLLOW_UP) | odd;
    sure |= empty & FOLLOW_UP & ~odd;
    contested |= odd;
    if (!choices.count && count(contested) & 1) return false;
    return any_choice_holds(choices, 0, leads, sure, contested, wins_column, follower, mask);
}

// Cells of the moves after which the second player does not win at once. The first one can't win at once.
Cells safe_moves(const Position &position) {
    Cells threats = winning_cells(position.other) & ~position.mask(), now = threats & position.free();
    if (now & (now - 1)) return 0;
    return position.free() & ~(threats >> 1) & (now ? now : ~Cells(0));
}

bool rule_wins(const Position &position);

bool move_follows(const Position &position, Cells cell) { return follow_up_wins(position.own | cell, position.other); }

// Whether a move threatens to win in two cells, or in one and the rule wins after the answer.
bool move_threatens(const Position &position, Cells cell) {
    Position after = {position.own | cell, position.other};
    Cells answers = winning_cells(after.own) & after.free();
    after.other |= answers;
    return answers && (answers & (answers - 1) || rule_wins(after));
}

// Whether the rule wins after each reply to a move.
bool move_is_quiet(const Position &position, Cells cell) {
    Position after = {position.own | cell, position.other};
    for (Cells replies = after.free(); replies;)
        if (!rule_wins({after.own, after.other | take(replies)})) return false;
    return true;
}

template <typename Move>
Cells moves_that(const Position &position, Cells moves, Move holds) {
    Cells result = 0;
    while (moves) {
        Cells cell = take(moves);
        if (holds(position, cell)) result |= cell;
    }
    return result;
}

template <typename Move>
bool any_move(const Position &position, Cells moves, Move holds) {
    while (moves)
        if (holds(position, take(moves))) return true;
    return false;
}

// Whether the first player wins at once, by following up, or by threats to the win or to following up.
bool rule_wins(const Position &position) {
    if (!has_line(BOARD & ~position.other)) return false;
    if (winning_cells(position.own) & position.free()) return true;
    Cells moves = safe_moves(position);
    return any_move(position, moves, move_follows) || any_move(position, moves, move_threatens);
}

// ---- the solver: does the first player win?

class Solver {
  public:
    Solver() : table(size_t(1) << 24) {}

    // Whether the first player, who is to move, wins.
    bool wins(const Position &position) {
        if (count(position.mask()) >= 40) return winning_cells(position.own) & position.free();
        if (winning_cells(position.own) & position.free()) return true;
        Cells moves = safe_moves(position);
        if (!moves || !has_line(BOARD & ~position.other)) return false;
        Cells key = canonical_key(position), &entry = table[(key * 0x9E3779B97F4A7C15) >> 40];
        if (entry >> 1 == key) return entry & 1;
        bool result = any_move(position, moves, move_follows);
        Cells order[7];
        int n = ordered(position.own, moves, order);
        for (int i = 0; i < n && !result; i++) result = !holds({position.own | order[i], position.other});
        table[(key * 0x9E3779B97F4A7C15) >> 40] = key << 1 | result;
        return result;
    }

    // Whether the first player wins with a move.
    bool move_wins(const Position &position, Cells cell) {
        if (has_line(position.own | cell)) return true;
        if (!(safe_moves(position) & cell)) return false;
        return move_follows(position, cell) || !holds({position.own | cell, position.other});
    }

  private:
    std::vector<Cells> table;  // key << 1 | result

    // Whether the second player, who is to move, does not lose.
    bool holds(const Position &position) {
        Cells moves = safe_moves({position.other, position.own});
        if (winning_cells(position.other) & position.free() || !position.free()) return true;
        if (!moves) return false;
        Cells order[7];
        int n = ordered(position.other, moves, order);
        for (int i = 0; i < n; i++)
            if (!wins({position.own, position.other | order[i]})) return true;
        return false;
    }

    // The moves in the order in which they are tried: those that make most threats first, then those near the middle.
    int ordered(Cells discs, Cells moves, Cells *order) {
        int n = 0, threats[7];
        for (int column : {3, 2, 4, 1, 5, 0, 6}) {
            Cells cell = moves & column_cells(column);
            if (!cell) continue;
            int score = count(winning_cells(discs | cell)), i = n++;
            for (; i && threats[i - 1] < score; i--) threats[i] = threats[i - 1], order[i] = order[i - 1];
            threats[i] = score, order[i] = cell;
        }
        return n;
    }
};

// ---- the network

const int HIDDEN = 32, SECOND = 16, PLACES = 24, LINE_ROWS = 3 * PLACES * 3 * 256, COLUMN_ROWS = PLACES * 1024;
const int MOST_ROWS = 80;
const float UNIT = 64, TOP = 255 / UNIT, LARGEST = 127 / UNIT, LAST_UNIT = UNIT * UNIT;
const int DROPPED = 31;  // steps of 1 / LAST_UNIT: logits that differ by no more have the same prior

// Rows of the tables: of the position, and of each move.
struct Features {
    int position[MOST_ROWS], count, moves, columns[7], rows[7][MOST_ROWS], counts[7];
};

class Lines {
  public:
    Lines() {
        const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
        for (int row = 0; row < 6; row++)
            for (int kind = 0; kind < 4; kind++)
                for (int column = 0; column < 7; column++) {
                    int right = steps[kind][0], up = steps[kind][1];
                    if (column + 3 * right < 0 || column + 3 * right > 6 || row + 3 * up > 5) continue;
                    // of mirror images the left one, whose cells lines across have in reverse
                    int image = std::min(column, (kind == 0 ? 3 : 6) - column);
                    bool reversed = kind == 0 && image < column;
                    Line line = {{0, 0, 0, 0}, PLACES * std::min(kind, 2) + 6 * image + row};
                    for (int i = 0; i < 4; i++) {
                        int cell = (column + i * right) * 7 + row + i * up;
                        line.cells[reversed ? 3 - i : i] = cell;
                        through[cell].push_back(lines.size());
                    }
                    lines.push_back(line);
                }
    }

    void features_of(const Position &position, Features &features) const {
        const int OWN = 256, OTHER = 512;
        int cells[49], heights[7], rows[69];
        for (int column = 0; column < 7; column++) {
            int height = heights[column] = count(position.mask() & column_cells(column));
            for (int row = 0; row < 6; row++) {
                int cell = 7 * column + row, above = std::min(row - height, 2) + 1;
                cells[cell] = row >= height ? above : position.own >> cell & 1 ? OWN : OTHER;
            }
        }
        features.count = features.moves = 0;
        for (size_t i = 0; i < lines.size(); i++) {
            const int *four = lines[i].cells;
            int a = cells[four[0]], b = cells[four[1]], c = cells[four[2]], d = cells[four[3]];
            int state = (a & 3) | (b & 3) << 2 | (c & 3) << 4 | (d & 3) << 6, whose = (a | b | c | d) >> 8;
            rows[i] = whose == 3 ? -1 : (lines[i].kind * 3 + whose) * 256 + state;
            if (whose == 1 || whose == 2) features.position[features.count++] = rows[i];
        }
        Cells own = winning_cells(position.own) & ~position.mask();
        Cells other = winning_cells(position.other) & ~position.mask();
        for (int column = 0; column < 7; column++) {
            int height = heights[column], cell = 7 * column + height, n = 0;
            if (height == 6) continue;
            int window = ((1 << (6 - height)) - 1) & 31, *found = features.rows[features.moves];
            int place = std::min(column, 6 - column) * 6 + height;
            int row = (place << 5 | (own >> cell & window)) << 5 | (other >> cell & window);
            features.position[features.count++] = LINE_ROWS + row;
            for (int line : through[cell])
                if (rows[line] >= 0) found[n++] = rows[line];
            for (int line : through[cell + 1])
                if (rows[line] >= 0) found[n++] = LINE_ROWS + rows[line];
            found[n++] = 2 * LINE_ROWS + row;
            features.columns[features.moves] = column;
            features.counts[features.moves++] = n;
        }
    }

  private:
    struct Line {
        int cells[4], kind;
    };
    std::vector<Line> lines;
    std::vector<int> through[50];
};

const Lines LINES;

// A table of weights that learn, with the moments of Adam and a moving average. unit: to which weights are rounded;
// limit: of their size.
struct Table {
    std::vector<float> weights, rounded, slopes, means, squares, average;
    float unit, limit;

    Table(size_t size, float unit, float limit)
        : weights(size), rounded(size), slopes(size), means(size), squares(size), unit(unit), limit(limit) {}

    void round() {
        for (size_t i = 0; i < weights.size(); i++) rounded[i] = rintf(weights[i] * unit) / unit;
    }

    void step(float rate) {
        for (size_t i = 0; i < weights.size(); i++) {
            float slope = slopes[i];
            means[i] += 0.1f * (slope - means[i]);
            squares[i] += 0.001f * (slope * slope - squares[i]);
            float weight = weights[i] - rate * means[i] / (sqrtf(squares[i]) + 1e-8f);
            weights[i] = std::min(limit, std::max(-limit, weight));
            slopes[i] = 0;
        }
        round();
    }

    void add_to_average() {
        for (size_t i = 0; i < weights.size(); i++) average[i] += 0.002f * (weights[i] - average[i]);
    }

    void take_average() {
        weights.swap(average);
        round();
    }
};

float clipped(float number) { return std::min(TOP, std::max(0.0f, number)); }
bool moves_with_sum(float sum) { return sum > 0 && sum < TOP; }

struct Layers {
    float sums[7][HIDDEN], second[7][SECOND], logits[7];
};

// The part of PolicyValueNetwork that gives the logits of the moves. With rounded weights all sums are multiples of a
// unit, and single precision holds them exactly: the logits are those of the integers.
class Network {
  public:
    Table position{(LINE_ROWS + COLUMN_ROWS) * HIDDEN, UNIT, LARGEST};
    Table moves{(2 * LINE_ROWS + COLUMN_ROWS) * HIDDEN, UNIT, LARGEST};
    Table bias{HIDDEN, UNIT, 1000}, second{HIDDEN * SECOND, UNIT, LARGEST};
    Table second_bias{SECOND, LAST_UNIT, 100}, last{SECOND, UNIT, LARGEST};
    Table *tables[6] = {&position, &moves, &bias, &second, &second_bias, &last};
    long steps = 0;

    void forward(const Features &features, Layers &layers) const {
        float context[HIDDEN];
        for (int i = 0; i < HIDDEN; i++) context[i] = bias.rounded[i];
        for (int k = 0; k < features.count; k++) add(context, &position.rounded[features.position[k] * HIDDEN]);
        for (int move = 0; move < features.moves; move++) {
            float *sums = layers.sums[move], *outputs = layers.second[move], logit = 0;
            for (int i = 0; i < HIDDEN; i++) sums[i] = context[i];
            for (int k = 0; k < features.counts[move]; k++) add(sums, &moves.rounded[features.rows[move][k] * HIDDEN]);
            for (int j = 0; j < SECOND; j++) outputs[j] = second_bias.rounded[j];
            for (int i = 0; i < HIDDEN; i++)
                for (int j = 0; j < SECOND; j++) outputs[j] += clipped(sums[i]) * second.rounded[i * SECOND + j];
            for (int j = 0; j < SECOND; j++) {
                outputs[j] = floorf(outputs[j] * UNIT) / UNIT;
                logit += clipped(outputs[j]) * last.rounded[j];
            }
            layers.logits[move] = logit;
        }
    }

    // Add the slopes of a loss, from those by the logits.
    void backward(const Features &features, const Layers &layers, const float *by_logits) {
        float by_context[HIDDEN] = {0};
        for (int move = 0; move < features.moves; move++) {
            float by_logit = by_logits[move], by_second[SECOND], by_sums[HIDDEN];
            if (fabsf(by_logit) < 1e-7f) continue;
            for (int j = 0; j < SECOND; j++) {
                last.slopes[j] += clipped(layers.second[move][j]) * by_logit;
                by_second[j] = moves_with_sum(layers.second[move][j]) ? last.rounded[j] * by_logit : 0;
                second_bias.slopes[j] += by_second[j];
            }
            for (int i = 0; i < HIDDEN; i++) {
                float number = clipped(layers.sums[move][i]), slope = 0;
                for (int j = 0; j < SECOND; j++) {
                    second.slopes[i * SECOND + j] += number * by_second[j];
                    slope += by_second[j] * second.rounded[i * SECOND + j];
                }
                by_sums[i] = moves_with_sum(layers.sums[move][i]) ? slope : 0;
            }
            add(by_context, by_sums);
            const int *rows = features.rows[move];
            for (int k = 0; k < features.counts[move]; k++) add(&moves.slopes[rows[k] * HIDDEN], by_sums);
        }
        add(bias.slopes.data(), by_context);
        for (int k = 0; k < features.count; k++) add(&position.slopes[features.position[k] * HIDDEN], by_context);
    }

    // share: of a round's samples that are over; in the second half the averages follow the weights.
    void step(float rate, double share) {
        steps++;
        rate *= sqrt(1 - pow(0.999, steps)) / (1 - pow(0.9, steps));
        for (Table *table : tables) {
            table->step(rate);
            if (share > 0.5) table->add_to_average();
            else table->average = table->weights;
        }
    }

  private:
    static void add(float *sums, const float *row) {
        for (int i = 0; i < HIDDEN; i++) sums[i] += row[i];
    }
};

// ---- what the network learns

// Columns as bits. best: what it is to play; good: other moves that win, which count less.
struct Sample {
    Position position;
    uint8_t best, good;
};

typedef std::unordered_map<Cells, int> Strategy;  // by canonical_key: the column, in the position with that key

class Teacher {
  public:
    Solver solver;
    Strategy strategy;

    // The moves that the strategy may play: those that win at once, else the one that stops a win, else those with
    // which the rule wins, by the same kind of reason, else the listed one. Elsewhere all that win.
    int best_columns(const Position &position) {
        Cells wins = winning_cells(position.own) & position.free(), moves = safe_moves(position);
        if (wins) return columns_of(wins);
        if (count(moves) < 2) return columns_of(moves);
        for (auto holds : {move_follows, move_threatens, move_is_quiet})
            if (Cells found = moves_that(position, moves, holds)) return columns_of(found);
        auto listed = strategy.find(canonical_key(position));
        if (listed == strategy.end()) return winning_columns(position);
        Cells key = position.key(), image = mirror(key);
        int column = 1 << listed->second, opposite = 1 << (6 - listed->second);
        return key < image ? column : image < key ? opposite : column | opposite;
    }

    int winning_columns(const Position &position) {
        int columns = 0;
        for (Cells moves = position.free(); moves;) {
            Cells cell = take(moves);
            if (solver.move_wins(position, cell)) columns |= 1 << column_of(cell);
        }
        return columns;
    }

    bool all_win(const Position &position, int columns) {
        for (Cells moves = position.free(); moves;) {
            Cells cell = take(moves);
            if (columns >> column_of(cell) & 1 && !solver.move_wins(position, cell)) return false;
        }
        return true;
    }
};

// ---- what the network reaches

const int STRICT = 12;  // discs up to which only best moves are right, since the solver is slow there
const float SMALL_LEAD = 1.5, SURE_LEAD = 2.5;  // of the best logit over the next one
const float NEAR = 0.5;  // so much less than the best logit has a move that the next round may make the best one

uint64_t draw_state = 88172645463325252;

uint64_t draw() {
    draw_state ^= draw_state << 13;
    draw_state ^= draw_state >> 7;
    return draw_state ^= draw_state << 17;
}

uint64_t hash(uint64_t key) {
    key *= 0xD6E8FEB86659FD93;
    return (key ^ key >> 32) * 0xD6E8FEB86659FD93;
}

// A set of keys, each with a number from 0 to 7.
class Keys {
  public:
    size_t size = 0;
    std::vector<Cells> places = std::vector<Cells>(1024);  // key | number << 56, or 0

    // The number of a key, or -1.
    int find(Cells key) const {
        Cells place = places[index_of(key)];
        return place ? int(place >> 56) : -1;
    }

    // Of two numbers of a key the larger one counts.
    void add(Cells key, int number) {
        size_t i = index_of(key);
        bool is_new = !places[i];
        places[i] = std::max(places[i], key | Cells(number) << 56);
        if (!is_new) return;
        if (++size * 2 < places.size()) return;
        std::vector<Cells> old(places.size() * 2);
        old.swap(places);
        for (Cells place : old)
            if (place) places[index_of(key_of(place))] = place;
    }

    static Cells key_of(Cells place) { return place & ((Cells(1) << 56) - 1); }

  private:
    size_t index_of(Cells key) const {
        size_t i = hash(key) & (places.size() - 1);
        while (places[i] && key_of(places[i]) != key) i = (i + 1) & (places.size() - 1);
        return i;
    }
};

// Columns, a bit for each: those whose prior is the highest, and those near to it.
struct Choice {
    int columns = 0, near = 0;
    float lead = 100;  // of the best logit over those of other columns
    bool is_right = true;
};

Choice choice_of(const Features &features, const Layers &layers) {
    float best = *std::max_element(layers.logits, layers.logits + features.moves);
    Choice choice;
    for (int move = 0; move < features.moves; move++) {
        float behind = best - layers.logits[move];
        if (behind * LAST_UNIT <= DROPPED) choice.columns |= 1 << features.columns[move];
        else choice.lead = std::min(choice.lead, behind);
        if (behind < NEAR) choice.near |= 1 << features.columns[move];
    }
    return choice;
}

// All positions that the network reaches against every reply, ply by ply, mirror images joined, or a sample of those
// with as many discs; where it gives the win away, the game goes on with a move of the teacher. To learn from, also
// those that it would reach with near moves that are as good: a round changes some of its choices.
struct Sweep {
    size_t positions = 0, errors = 0;  // reached; errors with more than STRICT discs: before, other moves may win, too
    std::vector<Sample> samples, wrong;  // where the network is asked and right; wrong
};

enum { ONLY_NEAR, REACHED };  // numbers of positions

class Sweeper {
  public:
    Sweeper(const Network &network, Teacher &teacher, bool lookahead)
        : network(network), teacher(teacher), lookahead(lookahead) {}

    // most: positions with as many discs. trusts: whether sure moves are those of the last sweep, if they were right.
    Sweep sweep(size_t most, bool trusts) {
        Sweep result;
        std::vector<Cells> here = {Position{0, 0}.key() | Cells(REACHED) << 56};
        for (int discs = 0; !here.empty(); discs += 2) {
            if (!trusts) sure[discs / 2] = Keys();
            Keys next, now_sure;
            for (Cells place : here) {
                Cells key = Keys::key_of(place);
                int number = place >> 56, known = sure[discs / 2].find(key);
                Position position = position_of(key);
                Choice choice;
                if (known < 0) choice = ask(position, discs <= STRICT, result);
                else result.samples.push_back({position, uint8_t(choice.columns = 1 << known), 0});
                int first = __builtin_ctz(choice.columns), last = 31 - __builtin_clz(choice.columns);
                if (choice.is_right && choice.lead > SURE_LEAD && discs > STRICT) now_sure.add(key, first);
                add_replies(position, first, number, next);  // of equal columns the leftmost is played
                add_replies(position, last, number, next);  // in the mirror image the rightmost
                for (int near = choice.near; near; near &= near - 1)
                    add_replies(position, __builtin_ctz(near), ONLY_NEAR, next);
                result.positions += number;
                result.errors += number && !choice.is_right && discs > STRICT;
            }
            std::swap(sure[discs / 2], now_sure);
            here.clear();
            uint64_t salt = draw();
            double kept = double(most) / std::max(size_t(1), next.size);
            for (Cells key : next.places)
                if (key && (kept >= 1 || hash(Keys::key_of(key) ^ salt) < kept * 0x1p64)) here.push_back(key);
        }
        return result;
    }

  private:
    const Network &network;
    Teacher &teacher;
    bool lookahead;
    Keys sure[21];  // by half the discs: positions in which the move was right and had a large lead, with the move

    // The columns that are played in a position; notes a sample.
    Choice ask(const Position &position, bool is_strict, Sweep &result) {
        Choice choice;
        Cells wins = winning_cells(position.own) & position.free();
        Cells stops = winning_cells(position.other) & position.free();
        if (lookahead && (wins || stops)) {
            choice.columns = columns_of(wins ? wins : stops);
            choice.lead = 0;
            return choice;
        }
        Features features;
        Layers layers;
        LINES.features_of(position, features);
        network.forward(features, layers);
        choice = choice_of(features, layers);
        int best = is_strict ? teacher.best_columns(position) : 0;
        choice.is_right = is_strict ? !(choice.columns & ~best) : teacher.all_win(position, choice.columns);
        if (!best && (!choice.is_right || choice.lead < SMALL_LEAD)) best = teacher.best_columns(position);
        choice.near &= best & ~choice.columns;
        Sample sample = {position, uint8_t(best), 0};
        if (!choice.is_right) {
            if (!is_strict) sample.good = teacher.winning_columns(position);
            result.wrong.push_back(sample);
            choice.columns = best & -best;
            return choice;
        }
        if (!best) sample.best = choice.columns;
        else if (!(choice.columns & best)) sample.good = choice.columns;
        result.samples.push_back(sample);
        return choice;
    }

    static void add_replies(const Position &position, int column, int number, Keys &next) {
        Position after = {position.own | (position.free() & column_cells(column)), position.other};
        if (has_line(after.own)) return;
        for (Cells replies = after.free(); replies;) {
            Position reply = {after.own, after.other | take(replies)};
            if (!has_line(reply.other)) next.add(canonical_key(reply), number);
        }
    }
};

// ---- learning

const int BATCH = 2048, MOST_BATCH = 65536;  // positions with a loss of a step; and in all
const int EPOCHS = 2;
const int TIMES_WRONG = 10, TIMES_NEW = 30;  // how often an epoch has all errors so far, and besides the new ones
const float FALL = 0.9, LEAST_RATE = 1e-5;  // of the rate from round to round, and the least
const float SMALL_LOSS = 0.03, GOOD_WEIGHT = 0.3;
const float SHARPNESS = 2;  // logits are multiplied by it, so that small leads count more

// The loss of a sample; adds its slopes, unless the loss is small.
float learn(Network &network, const Sample &sample) {
    Features features;
    Layers layers;
    LINES.features_of(sample.position, features);
    network.forward(features, layers);
    float highest = *std::max_element(layers.logits, layers.logits + features.moves), total = 0, good_total = 1e-12f;
    float powers[7], good[7], slopes[7];
    for (int move = 0; move < features.moves; move++) {
        int column = features.columns[move];
        total += powers[move] = expf(SHARPNESS * (layers.logits[move] - highest));
        float weight = sample.best >> column & 1 ? 1 : sample.good >> column & 1 ? GOOD_WEIGHT : 0;
        good_total += good[move] = powers[move] * weight;
    }
    float loss = -logf(good_total / total);
    if (loss < SMALL_LOSS) return loss;
    for (int move = 0; move < features.moves; move++)
        slopes[move] = (powers[move] / total - good[move] / good_total) / BATCH;
    network.backward(features, layers, slopes);
    return loss;
}

void learn_all(Network &network, std::vector<Sample> &samples, float rate) {
    size_t done = 0;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        int with_loss = 0, in_all = 0;
        for (size_t i = samples.size(); i > 1; i--) std::swap(samples[i - 1], samples[draw() % i]);
        for (const Sample &sample : samples) {
            with_loss += learn(network, sample) >= SMALL_LOSS;
            double share = double(++done) / (EPOCHS * samples.size());
            if (with_loss < BATCH && ++in_all < MOST_BATCH && &sample != &samples.back()) continue;
            network.step(rate * (0.55 + 0.45 * cos(M_PI * share)), share);
            with_loss = in_all = 0;
        }
    }
    for (Table *table : network.tables) table->take_average();
}

// ---- files

template <typename T>
bool read(FILE *file, std::vector<T> &items) {
    uint64_t size;
    if (fread(&size, sizeof size, 1, file) != 1) return false;
    items.resize(size);
    return fread(items.data(), sizeof(T), size, file) == size;
}

template <typename T>
void write(FILE *file, const std::vector<T> &items) {
    uint64_t size = items.size();
    fwrite(&size, sizeof size, 1, file);
    fwrite(items.data(), sizeof(T), size, file);
}

void fail(const std::string &path) {
    perror(path.c_str());
    exit(1);
}

// A file that is written under another name first.
template <typename Write>
void write_file(const std::string &path, Write write_all) {
    std::string part = path + ".part";
    FILE *file = fopen(part.c_str(), "wb");
    if (!file) fail(part);
    write_all(file);
    if (fclose(file) || rename(part.c_str(), path.c_str())) fail(path);
}

struct Training {
    std::string folder;
    Network network;
    Teacher teacher;
    std::vector<Sample> wrong;  // of all rounds
    long round = 0;
    double seconds = 0;  // of CPU, in earlier processes

    bool load() {
        std::vector<Cells> keys;
        std::vector<uint8_t> columns;
        FILE *file = fopen((folder + "/strategy.bin").c_str(), "rb");
        if (!file || !read(file, keys) || !read(file, columns)) return false;
        for (size_t i = 0; i < keys.size(); i++) teacher.strategy[keys[i]] = columns[i];
        fclose(file);
        if ((file = fopen((folder + "/state.bin").c_str(), "rb"))) {
            bool is_whole = fread(&round, sizeof round, 1, file) == 1 && fread(&seconds, sizeof seconds, 1, file) == 1;
            is_whole = is_whole && fread(&draw_state, sizeof draw_state, 1, file) == 1;
            is_whole = is_whole && fread(&network.steps, sizeof network.steps, 1, file) == 1 && read(file, wrong);
            for (Table *table : network.tables)
                for (auto part : {&table->weights, &table->means, &table->squares})
                    is_whole = is_whole && read(file, *part);
            fclose(file);
            if (!is_whole) return false;
        } else {
            file = fopen((folder + "/weights.bin").c_str(), "rb");
            for (Table *table : network.tables)
                if (!file || !read(file, table->weights)) return false;
            fclose(file);
        }
        for (Table *table : network.tables) table->round();
        return true;
    }

    void save() {
        double now = seconds + double(clock()) / CLOCKS_PER_SEC;
        write_file(folder + "/weights.bin", [&](FILE *file) {
            for (Table *table : network.tables) write(file, table->weights);
        });
        write_file(folder + "/state.bin", [&](FILE *file) {
            fwrite(&round, sizeof round, 1, file);
            fwrite(&now, sizeof now, 1, file);
            fwrite(&draw_state, sizeof draw_state, 1, file);
            fwrite(&network.steps, sizeof network.steps, 1, file);
            write(file, wrong);
            for (Table *table : network.tables)
                for (auto part : {&table->weights, &table->means, &table->squares}) write(file, *part);
        });
    }
};

// ---- rounds

const int DISTRUST_EVERY = 2;  // rounds: then the network is asked about all positions again

void print_choices(const Network &network) {
    Position position;
    while (scanf("%" SCNu64 " %" SCNu64, &position.own, &position.other) == 2) {
        Features features;
        Layers layers;
        LINES.features_of(position, features);
        network.forward(features, layers);
        printf("%d\n", choice_of(features, layers).columns);
    }
}

int main(int count, char **arguments) {
    if (count != 2 && count != 7) return fprintf(stderr, "see the comment in first_player.cpp\n"), 2;
    Training training;
    training.folder = arguments[1];
    if (!training.load()) return fprintf(stderr, "%s has no sound files\n", arguments[1]), 1;
    if (count == 2) return print_choices(training.network), 0;
    Sweeper sweeper(training.network, training.teacher, atoi(arguments[3]));
    bool is_over = false;
    for (long rounds = atol(arguments[2]); training.round < rounds && !is_over;) {
        bool is_full = training.round >= atol(arguments[4]);
        bool trusts = is_full && training.round % DISTRUST_EVERY;
        size_t most = is_full ? ~size_t(0) : size_t(atol(arguments[5]));
        Sweep sweep = sweeper.sweep(most, trusts);
        double now = training.seconds + double(clock()) / CLOCKS_PER_SEC;
        printf("%ld,%d,%d,%zu,%zu,%.0f\n", training.round, is_full, trusts, sweep.positions, sweep.errors, now);
        fflush(stdout);
        is_over = is_full && !trusts && !sweep.errors;
        if (is_over) break;
        std::vector<Sample> &samples = sweep.samples, &wrong = training.wrong;
        wrong.insert(wrong.end(), sweep.wrong.begin(), sweep.wrong.end());
        for (int i = 0; i < TIMES_WRONG; i++) samples.insert(samples.end(), wrong.begin(), wrong.end());
        for (int i = 0; i < TIMES_NEW; i++) samples.insert(samples.end(), sweep.wrong.begin(), sweep.wrong.end());
        float rate = atof(arguments[6]) * powf(FALL, training.round);
        learn_all(training.network, samples, std::max(LEAST_RATE, rate));
        training.round++;
        training.save();
    }
    return !is_over;
}
