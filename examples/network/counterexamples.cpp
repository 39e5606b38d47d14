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
#include <string>
#include <vector>

#include "cpp/files.hpp"
#include "cpp/keys.hpp"
#include "cpp/network.hpp"
#include "cpp/random.hpp"
#include "cpp/teacher.hpp"

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
};

enum { ONLY_NEAR, REACHED };  // numbers of positions
const size_t ALL = ~size_t(0);

class Sweeper {
  public:
    Sweeper(const Network &network, Teacher &teacher, bool lookahead)
        : network(network), teacher(teacher), lookahead(lookahead) {}

    // most: positions with as many discs. trusts: whether sure moves are those of the last sweep, if they were right.
    Sweep sweep(size_t most, bool trusts) {
        Sweep result;
        std::vector<Cells> here;
        for (const Position &root : teacher.roots) here.push_back(canonical_key(root) | Cells(REACHED) << 56);
        for (int discs = count(teacher.roots[0].mask()); !here.empty(); discs += 2) {
            if (!trusts) sure[discs / 2] = Keys();
            Keys next, now_sure;
            for (Cells place : here) {
                Cells key = Keys::key_of(place);
                int number = place >> 56, known = sure[discs / 2].find(key);
                Position position = position_of(key);
                Choice choice;
                if (known < 0) choice = ask(position, discs <= STRICT, result);
                else result.samples.push_back({position, uint8_t(choice.columns = 1 << known), 0});
                bool is_sure = choice.is_right && choice.lead > SURE_LEAD && discs > STRICT;
                if (is_sure && most == ALL && chance.draw() % SURE_SHARE) result.samples.pop_back();
                result.positions += number;
                result.errors += number && !choice.is_right && discs > STRICT;
                int first = __builtin_ctz(choice.columns), last = 31 - __builtin_clz(choice.columns);
                if (is_sure) now_sure.add(key, first);
                auto add = [&](const Position &reply) { next.add(canonical_key(reply), number); };
                for_replies(position, first, add);  // of equal columns the leftmost is played
                for_replies(position, last, add);  // in the mirror image the rightmost
                number = ONLY_NEAR;
                for (int near = choice.near; near; near &= near - 1) for_replies(position, __builtin_ctz(near), add);
            }
            std::swap(sure[discs / 2], now_sure);
            here.clear();
            uint64_t salt = chance.draw();
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
        choice = Answer(network, position).choice();
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
    float weights[7];
    for (int column = 0; column < 7; column++)
        weights[column] = sample.best >> column & 1 ? 1 : sample.good >> column & 1 ? GOOD_WEIGHT : 0;
    return learn(network, sample.position, weights, 1.0f / BATCH, SHARPNESS, SMALL_LOSS);
}

void learn_all(Network &network, std::vector<Sample> &samples, float rate) {
    size_t done = 0;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        int with_loss = 0, in_all = 0;
        chance.shuffle(samples);
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
