// Trains the moves of a network until it never gives a win away on 7x6: see counterexamples.py, which writes its
// inputs, compiles and starts it.
//
//     counterexamples FOLDER ROUNDS LOOKAHEAD SAMPLED SAMPLE RATE
//
// SAMPLED: rounds that play on a sample of positions, SAMPLE of those with as many discs; later ones play on all. RATE:
// of learning in the first round. With FOLDER alone it reads positions, own and other discs, and prints the columns
// that the network may play.

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "cpp/files.hpp"
#include "cpp/keys.hpp"
#include "cpp/network.hpp"
#include "cpp/random.hpp"
#include "cpp/teacher.hpp"
#include "cpp/workers.hpp"

// Columns as bits. best: what it is to play; good: other moves that win, which count less.
struct Sample {
    Position position;
    uint8_t best, good;
};

// ---- what the network reaches

const float SMALL_LEAD = 1.5, SURE_LEAD = 2.5;  // of the best logit over the next one
const int SURE_SHARE = 8;                       // of sure moves, one in so many is learned in a round on all positions

Random chance;

// All positions that the network reaches against every reply, ply by ply, mirror images joined, or a sample of those
// with as many discs; where it gives the win away, the game goes on with a move of the teacher. To learn from, also
// those that it would reach with near moves that are as good: a round changes some of its choices.
struct Sweep {
    size_t positions = 0, errors = 0;  // reached; errors with more than STRICT discs: before, other moves may win, too
    std::vector<Sample> samples, wrong;  // where the network is asked and right; wrong

    void take(Sweep &other) {
        positions += other.positions;
        errors += other.errors;
        samples.insert(samples.end(), other.samples.begin(), other.samples.end());
        wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
        other = Sweep();
    }
};

enum { ONLY_NEAR, REACHED };  // numbers of positions
const size_t ALL = ~size_t(0);

class Sweeper {
  public:
    Sweeper(const Network &network, const Teacher &teacher, bool lookahead)
        : network(network), teachers(WORKERS, teacher), lookahead(lookahead) {}

    // most: positions with as many discs. trusts: whether sure moves are those of the last sweep, if they were right.
    Sweep sweep(size_t most, bool trusts) {
        Found found[WORKERS];
        const std::vector<Position> &roots = teachers[0].roots;
        is_full = most == ALL;
        here.clear();
        for (const Position &root : roots) here.push_back(canonical_key(root) | Cells(REACHED) << 56);
        for (discs = count(roots[0].mask()); !here.empty(); discs += 2) {
            if (!trusts) sure[discs / 2] = SharedKeys();
            SharedKeys next, now_sure;
            lot = chance.draw();
            auto ask_about = [&](size_t i, int worker) { visit(here[i], teachers[worker], found[worker]); };
            in_blocks(here.size(), ask_about, [&](int worker) {
                for (Found &each : found) {
                    next.add(each.replies, worker);
                    now_sure.add(each.sure, worker);
                }
            });
            std::swap(sure[discs / 2], now_sure);
            choose(next, most);
        }
        for (int worker = 1; worker < WORKERS; worker++) found[0].sweep.take(found[worker].sweep);
        return std::move(found[0].sweep);
    }

  private:
    // What a worker has found, with the positions after replies and those with sure moves.
    struct Found {
        Sweep sweep;
        SharedKeys::Notes replies, sure;
    };

    const Network &network;
    std::vector<Teacher> teachers;  // by worker
    bool lookahead, is_full;
    std::vector<Cells> here;  // places of Keys, all with as many discs
    int discs;
    uint64_t lot;  // chooses which sure moves are learned
    SharedKeys sure[21];  // by half the discs: positions where the move was right with a large lead, with the move

    // Which positions to go on with.
    void choose(const SharedKeys &next, size_t most) {
        here.clear();
        uint64_t salt = chance.draw();
        double kept = double(most) / std::max(size_t(1), next.size());
        for (const Keys &part : next.parts)
            for (Cells key : part.places)
                if (key && (kept >= 1 || hash(Keys::key_of(key) ^ salt) < kept * 0x1p64)) here.push_back(key);
    }

    void visit(Cells place, Teacher &teacher, Found &found) {
        Cells key = Keys::key_of(place);
        int number = place >> 56, known = sure[discs / 2].find(key);
        Position position = position_of(key);
        Sample sample = {position, 0, 0};
        Choice choice;
        if (known < 0) choice = ask(position, teacher, sample);
        else sample.best = choice.columns = 1 << known;
        bool is_sure = choice.is_right && choice.lead > SURE_LEAD && discs > STRICT;
        int first = __builtin_ctz(choice.columns), last = 31 - __builtin_clz(choice.columns);
        found.sweep.positions += number;
        found.sweep.errors += number && !choice.is_right && discs > STRICT;
        if (!choice.is_right) found.sweep.wrong.push_back(sample);
        else if (sample.best && (!is_sure || !is_full || hash(key ^ lot) % SURE_SHARE == 0))
            found.sweep.samples.push_back(sample);
        if (is_sure) SharedKeys::note(found.sure, key, first);
        auto note = [&](const Position &reply) {
            SharedKeys::note(found.replies, canonical_key(reply), number);
        };
        for_replies(position, first, note);  // of equal columns the leftmost is played
        for_replies(position, last, note);   // in the mirror image the rightmost
        number = ONLY_NEAR;
        for (int near = choice.near; near; near &= near - 1) for_replies(position, __builtin_ctz(near), note);
    }

    // The columns that are played in a position. Says in the sample what to learn; nothing if the network isn't asked.
    Choice ask(const Position &position, Teacher &teacher, Sample &sample) {
        Choice choice;
        Cells wins = winning_cells(position.own) & position.free();
        Cells stops = winning_cells(position.other) & position.free();
        if (lookahead && (wins || stops)) {
            choice.columns = columns_of(wins ? wins : stops);
            choice.lead = 0;
            return choice;
        }
        choice = Answer(network, position).choice();
        bool is_strict = discs <= STRICT;
        int best = is_strict ? teacher.best_columns(position) : 0;
        choice.is_right = is_strict ? !(choice.columns & ~best) : teacher.are_good(position, choice.columns);
        if (!best && (!choice.is_right || choice.lead < SMALL_LEAD)) best = teacher.best_columns(position);
        choice.near &= best & ~choice.columns;
        if (!choice.is_right) {
            sample.best = best;
            if (!is_strict) sample.good = teacher.good_columns(position);
            choice.columns = best & -best;
        } else if (!best || is_full) {
            sample.best = choice.columns;  // in a round on all positions right moves stay, for others lead elsewhere
        } else {
            sample.best = best;
            if (!(choice.columns & best)) sample.good = choice.columns;
        }
        return choice;
    }
};

// ---- learning

const int BATCH = 2048, MOST_BATCH = 65536;  // positions with a loss of a step, and in all, rounded up to STRIDE
const int STRIDE = 2048;                     // positions that workers learn before they count those with a loss
const int EPOCHS = 2;
const int TIMES_WRONG = 10, TIMES_NEW = 30;  // how often an epoch has all errors so far, and besides the new ones
const float FALL = 0.9, LEAST_RATE = 1e-5;  // of the rate from round to round, and the least
const float SMALL_LOSS = 0.03, GOOD_WEIGHT = 0.3;
const float SHARPNESS = 2;  // logits are multiplied by it, so that small leads count more

// The loss of a sample; adds its slopes to those of a worker, unless the loss is small.
float learn(Network &network, const Sample &sample, int worker) {
    float weights[7];
    for (int column = 0; column < 7; column++)
        weights[column] = sample.best >> column & 1 ? 1 : sample.good >> column & 1 ? GOOD_WEIGHT : 0;
    return learn(network, sample.position, weights, 1.0f / BATCH, worker, SHARPNESS, SMALL_LOSS);
}

// Learn samples up to the end of a batch; returns that end.
size_t learn_batch(Network &network, const std::vector<Sample> &samples, size_t start) {
    size_t end = start, with_loss[WORKERS] = {0}, in_all = 0;
    while (end < samples.size() && in_all < BATCH && end - start < MOST_BATCH) {
        size_t begin = end, size = std::min(size_t(STRIDE), samples.size() - begin);
        in_parallel([&](int worker) {
            for (size_t i = begin_of(size, worker); i < begin_of(size, worker + 1); i++)
                with_loss[worker] += learn(network, samples[begin + i], worker) >= SMALL_LOSS;
        });
        end += size;
        in_all = std::accumulate(with_loss, with_loss + WORKERS, size_t(0));
    }
    return end;
}

void learn_all(Network &network, std::vector<Sample> &samples, float rate) {
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        chance.shuffle(samples);
        for (size_t done = 0; done < samples.size();) {
            done = learn_batch(network, samples, done);
            double share = (epoch + double(done) / samples.size()) / EPOCHS;
            network.step(rate * (0.55 + 0.45 * cos(M_PI * share)), share);
        }
    }
    for (Table *table : network.tables) table->take_average();
}

// ---- files

struct Training {
    std::string folder;
    Network network;
    Teacher teacher;
    std::vector<Sample> wrong;  // of all rounds
    long round = 0;
    double seconds = 0;  // of CPU, in earlier processes

    bool load() {
        if (!teacher.read_strategy(folder + "/strategy.bin")) return false;
        FILE *file = fopen((folder + "/state.bin").c_str(), "rb");
        if (!file) return network.read_weights(folder + "/weights.bin");
        bool is_whole = fread(&round, sizeof round, 1, file) == 1 && fread(&seconds, sizeof seconds, 1, file) == 1;
        is_whole = is_whole && fread(&chance.state, sizeof chance.state, 1, file) == 1;
        is_whole = is_whole && fread(&network.steps, sizeof network.steps, 1, file) == 1 && read(file, wrong);
        for (Table *table : network.tables)
            for (auto part : {&table->weights, &table->means, &table->squares})
                is_whole = is_whole && read(file, *part);
        fclose(file);
        for (Table *table : network.tables) table->round();
        return is_whole;
    }

    void save() {
        double now = seconds + double(clock()) / CLOCKS_PER_SEC;
        network.write_weights(folder + "/weights.bin");
        write_file(folder + "/state.bin", [&](FILE *file) {
            fwrite(&round, sizeof round, 1, file);
            fwrite(&now, sizeof now, 1, file);
            fwrite(&chance.state, sizeof chance.state, 1, file);
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
    while (scanf("%" SCNu64 " %" SCNu64, &position.own, &position.other) == 2)
        printf("%d\n", Answer(network, position).choice().columns);
}

int main(int count, char **arguments) {
    if (count != 2 && count != 7) return fprintf(stderr, "see the comment in counterexamples.cpp\n"), 2;
    Training training;
    training.folder = arguments[1];
    if (!training.load()) return fprintf(stderr, "%s has no sound files\n", arguments[1]), 1;
    if (count == 2) return print_choices(training.network), 0;
    Sweeper sweeper(training.network, training.teacher, atoi(arguments[3]));
    bool is_over = false;
    for (long rounds = atol(arguments[2]); training.round < rounds && !is_over;) {
        bool is_full = training.round >= atol(arguments[4]);
        bool trusts = is_full && training.round % DISTRUST_EVERY;
        size_t most = is_full ? ALL : size_t(atol(arguments[5]));
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
