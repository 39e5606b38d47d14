// Trains the moves of a network on labelled positions: see exact.py, which writes its inputs, compiles and starts it.
//
//     exact FOLDER EPOCHS RATE
//
// RATE: of learning, at first; it falls to 0. Prints the mean loss of each epoch, and the errors in other positions.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cpp/files.hpp"
#include "cpp/network.hpp"
#include "cpp/random.hpp"

const int BATCH = 2048;
const double RISE = 0.02;  // share of the training in which the rate rises

struct Labels {
    std::vector<Position> positions;
    std::vector<uint8_t> good;  // columns, a bit for each

    bool load(const std::string &path) {
        FILE *file = fopen(path.c_str(), "rb");
        bool is_whole = file && read(file, positions) && read(file, good);
        if (file) fclose(file);
        return is_whole && positions.size() == good.size();
    }
};

// The share of positions in which the network plays a column that is not good.
double errors(const Network &network, const Labels &labels) {
    int wrong = 0;
    for (size_t i = 0; i < labels.good.size(); i++)
        wrong += (Answer(network, labels.positions[i]).choice().columns & ~labels.good[i]) != 0;
    return double(wrong) / labels.good.size();
}

class Trainer {
  public:
    Trainer(Network &network, const Labels &labels, int epochs, float rate)
        : network(network), labels(labels), epochs(epochs), rate(rate), order(labels.good.size()) {
        for (size_t i = 0; i < order.size(); i++) order[i] = i;
    }

    // Returns the mean loss.
    double epoch() {
        double total = 0;
        chance.shuffle(order);
        for (size_t i = 0; i < order.size(); i++) {
            float weights[7];
            for (int column = 0; column < 7; column++) weights[column] = labels.good[order[i]] >> column & 1;
            total += learn(network, labels.positions[order[i]], weights, 1.0f / BATCH);
            done++;
            if ((i + 1) % BATCH && i + 1 < order.size()) continue;
            double share = double(done) / (epochs * order.size());
            network.step(rate * std::min(1.0, share / RISE) * (0.5 + 0.5 * cos(M_PI * share)), 0);
        }
        return total / order.size();
    }

  private:
    Network &network;
    const Labels &labels;
    int epochs;
    float rate;
    std::vector<uint32_t> order;
    size_t done = 0;
    Random chance;
};

int main(int count, char **arguments) {
    if (count != 4) return fprintf(stderr, "see the comment in exact.cpp\n"), 2;
    std::string folder = arguments[1], path = folder + "/weights.bin";
    Network network;
    Labels labels, tests;
    if (!network.read_weights(path) || !labels.load(folder + "/positions.bin") || !tests.load(folder + "/tests.bin"))
        return fprintf(stderr, "%s has no sound files\n", arguments[1]), 1;
    int epochs = atoi(arguments[2]);
    Trainer trainer(network, labels, epochs, atof(arguments[3]));
    printf("%zu positions; %.2f %% errors at first\n", labels.good.size(), 100 * errors(network, tests));
    for (int epoch = 1; epoch <= epochs; epoch++) {
        double loss = trainer.epoch();
        printf("epoch %d: mean loss %.4f; %.2f %% errors\n", epoch, loss, 100 * errors(network, tests));
        fflush(stdout);
    }
    network.write_weights(path);
}
