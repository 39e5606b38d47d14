#pragma once
// The part of PolicyValueNetwork that gives the logits of the moves. It is that of src/c4mcts/_pure/features.py and
// network.py, which explain it, written for one core with vectors: a sweep asks it about 30 million positions.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "board.hpp"
#include "files.hpp"
#include "workers.hpp"

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
        int cells[49], heights[7], rows[69], turn = count(position.mask()) & 1;
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
            rows[i] = whose == 3 ? -1 : ((lines[i].kind ^ turn) * 3 + whose) * 256 + state;
            if (whose == 1 || whose == 2) features.position[features.count++] = rows[i];
        }
        Cells own = winning_cells(position.own) & ~position.mask();
        Cells other = winning_cells(position.other) & ~position.mask();
        for (int column = 0; column < 7; column++) {
            int height = heights[column], cell = 7 * column + height, n = 0;
            if (height == 6) continue;
            int window = ((1 << (6 - height)) - 1) & 31, *found = features.rows[features.moves];
            int place = (std::min(column, 6 - column) * 6 + height) ^ turn;
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

// A table of weights that learn, with the moments of Adam and a moving average. Workers add up slopes each by itself.
// unit: to which weights are rounded; limit: of their size.
struct Table {
    std::vector<float> weights, rounded, means, squares, average, slopes[WORKERS];
    float unit, limit;

    Table(size_t size, float unit, float limit)
        : weights(size), rounded(size), means(size), squares(size), average(size), unit(unit), limit(limit) {
        for (std::vector<float> &part : slopes) part.resize(size);
    }

    void round() {
        for (size_t i = 0; i < weights.size(); i++) rounded[i] = rintf(weights[i] * unit) / unit;
    }

    // A step of the weights of a worker. following: by how much of the difference the averages follow the weights.
    void step(float rate, float following, int worker) {
        for (size_t i = begin_of(weights.size(), worker); i < begin_of(weights.size(), worker + 1); i++) {
            float slope = 0;
            for (std::vector<float> &part : slopes) slope += part[i], part[i] = 0;
            means[i] += 0.1f * (slope - means[i]);
            squares[i] += 0.001f * (slope * slope - squares[i]);
            float weight = weights[i] - rate * means[i] / (sqrtf(squares[i]) + 1e-8f);
            weights[i] = std::min(limit, std::max(-limit, weight));
            rounded[i] = rintf(weights[i] * unit) / unit;
            average[i] += following * (weights[i] - average[i]);
        }
    }

    void take_average() {
        weights.swap(average);
        round();
    }
};

inline float clipped(float number) { return std::min(TOP, std::max(0.0f, number)); }
inline bool moves_with_sum(float sum) { return sum > 0 && sum < TOP; }

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

    // The slopes of a move's logit, times by_logit, by its sums and by those of the second layer.
    void slopes_of(const Layers &layers, int move, float by_logit, float *by_sums, float *by_second) const {
        for (int j = 0; j < SECOND; j++)
            by_second[j] = moves_with_sum(layers.second[move][j]) ? last.rounded[j] * by_logit : 0;
        for (int i = 0; i < HIDDEN; i++) {
            float slope = 0;
            for (int j = 0; j < SECOND; j++) slope += by_second[j] * second.rounded[i * SECOND + j];
            by_sums[i] = moves_with_sum(layers.sums[move][i]) ? slope : 0;
        }
    }

    // Add the slopes of a loss, from those by the logits, to those of a worker.
    void backward(const Features &features, const Layers &layers, const float *by_logits, int worker) {
        float by_context[HIDDEN] = {0};
        auto slopes = [&](Table &table, int row) { return &table.slopes[worker][row]; };
        for (int move = 0; move < features.moves; move++) {
            float by_second[SECOND], by_sums[HIDDEN];
            if (fabsf(by_logits[move]) < 1e-7f) continue;
            slopes_of(layers, move, by_logits[move], by_sums, by_second);
            for (int j = 0; j < SECOND; j++) {
                *slopes(last, j) += clipped(layers.second[move][j]) * by_logits[move];
                *slopes(second_bias, j) += by_second[j];
                for (int i = 0; i < HIDDEN; i++)
                    *slopes(second, i * SECOND + j) += clipped(layers.sums[move][i]) * by_second[j];
            }
            add(by_context, by_sums);
            const int *rows = features.rows[move];
            for (int k = 0; k < features.counts[move]; k++) add(slopes(moves, rows[k] * HIDDEN), by_sums);
        }
        add(slopes(bias, 0), by_context);
        for (int k = 0; k < features.count; k++) add(slopes(position, features.position[k] * HIDDEN), by_context);
    }

    bool read_weights(const std::string &path) {
        FILE *file = fopen(path.c_str(), "rb");
        bool is_whole = file;
        for (Table *table : tables) is_whole = is_whole && read(file, table->weights);
        if (file) fclose(file);
        for (Table *table : tables) table->round();
        return is_whole;
    }

    void write_weights(const std::string &path) const {
        write_file(path, [&](FILE *file) {
            for (Table *table : tables) write(file, table->weights);
        });
    }

    // share: of a round's samples that are over; in the second half the averages follow the weights.
    void step(float rate, double share) {
        steps++;
        rate *= sqrt(1 - pow(0.999, steps)) / (1 - pow(0.9, steps));
        in_parallel([&](int worker) {
            for (Table *table : tables) table->step(rate, share > 0.5 ? 0.002f : 1, worker);
        });
    }

  private:
    static void add(float *sums, const float *row) {
        for (int i = 0; i < HIDDEN; i++) sums[i] += row[i];
    }
};

const float NEAR = 0.5;  // so much less than the best logit has a move that the next round may make the best one

// Columns, a bit for each: those whose prior is the highest, and those near to it.
struct Choice {
    int columns = 0, near = 0;
    float lead = 100;  // of the best logit over those of other columns
    bool is_right = true;
};

// What the network computes for a position.
struct Answer {
    Features features;
    Layers layers;

    Answer(const Network &network, const Position &position) {
        LINES.features_of(position, features);
        network.forward(features, layers);
    }

    // Of the moves in these columns, or in the others, the one with the highest logit, or -1.
    int best_move(int columns, bool is_in) const {
        int best = -1;
        for (int move = 0; move < features.moves; move++)
            if ((columns >> features.columns[move] & 1) == is_in &&
                (best < 0 || layers.logits[move] > layers.logits[best]))
                best = move;
        return best;
    }

    // Whether the logits depend on a row of a table: 0, that of the position; 1, that of the moves.
    bool uses(int table, int row) const {
        auto has = [row](const int *rows, int count) { return std::find(rows, rows + count, row) != rows + count; };
        if (table == 0) return has(features.position, features.count);
        for (int move = 0; move < features.moves; move++)
            if (has(features.rows[move], features.counts[move])) return true;
        return false;
    }

    float highest() const { return *std::max_element(layers.logits, layers.logits + features.moves); }

    Choice choice() const {
        Choice choice;
        float best = highest();
        for (int move = 0; move < features.moves; move++) {
            float behind = best - layers.logits[move];
            if (behind * LAST_UNIT <= DROPPED) choice.columns |= 1 << features.columns[move];
            else choice.lead = std::min(choice.lead, behind);
            if (behind < NEAR) choice.near |= 1 << features.columns[move];
        }
        return choice;
    }
};

// The loss of a position: -log of the shares that the softmax of logits * sharpness gives the columns, times their
// weights. Adds its slopes, times by_loss, to those of a worker, unless the loss is less than `least`.
inline float learn(Network &network, const Position &position, const float *weights, float by_loss, int worker = 0,
                   float sharpness = 1, float least = 0) {
    Answer answer(network, position);
    const Features &features = answer.features;
    float highest = answer.highest(), total = 0, good_total = 1e-12f, powers[7], good[7], slopes[7];
    for (int move = 0; move < features.moves; move++) {
        total += powers[move] = expf(sharpness * (answer.layers.logits[move] - highest));
        good_total += good[move] = powers[move] * weights[features.columns[move]];
    }
    float loss = -logf(good_total / total);
    if (loss < least) return loss;
    for (int move = 0; move < features.moves; move++)
        slopes[move] = (powers[move] / total - good[move] / good_total) * by_loss;
    network.backward(features, answer.layers, slopes, worker);
    return loss;
}
