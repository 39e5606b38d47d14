// Changes single weights of a network until it never gives a win away on 7x6: see repair.py, which writes its inputs,
// compiles and starts it.
//
//     repair FOLDER TURNS
//
// A turn asks the network in all positions that it reaches. Where it errs, weights change until it plays another move:
// there, or in a position before, so that it meets the error no more. That can be the only way: where a move that wins
// and one that does not use the same rows, as mirror images of each other, their logits are equal whatever the
// weights. Of these moves those are taken that are least behind the best one. Weights change by a unit at a time,
// first those that matter least for close decisions elsewhere. A repair that spoils such a decision is undone and tried
// again with other weights.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

#include "cpp/keys.hpp"
#include "cpp/network.hpp"
#include "cpp/teacher.hpp"
#include "cpp/workers.hpp"

const float CLOSE = 0.5;            // most that the best logit of a close decision leads by
const float SCALE = 0.05;           // of leads: a decision matters less by 1 / e for each
const float NEEDED = 0.04;          // by which a new move leads
const size_t MOST_STEPS = 1000;     // for a new move
const int DEEPEST = 4;              // moves before an error that may change
const size_t MOST_BEHIND = 300000;  // new positions behind such a move that are looked at
const float ERROR_COST = 10;        // of an error behind such a move, as a lead
const float EASY = 0.5;             // limit of the cost of the first repairs; it doubles
const float MOST_COST = 300;        // of a repair
const int TRIES = 3;                // of the repairs below a limit

struct Decision {
    Position position;
    int columns;  // that it plays, a bit for each
    float lead;
};

// All positions that the network reaches against every reply, mirror images joined.
class Reach {
  public:
    size_t positions = 0;
    std::vector<SharedKeys> levels;  // by half the discs
    std::vector<Decision> close;
    std::vector<Position> wrong;

    Reach(const Network &network, std::vector<Teacher> &teachers) {
        std::vector<Found> found(WORKERS);
        const std::vector<Position> &roots = teachers[0].roots;
        int discs = count(roots[0].mask());
        levels.resize(discs / 2 + 1);
        for (const Position &root : roots) SharedKeys::note(found[0].replies, canonical_key(root), 0);
        in_parallel([&](int worker) { levels.back().add(found[0].replies, worker); });
        for (; levels.back().size(); discs += 2) {
            SharedKeys next;
            for (const Keys &part : levels.back().parts) {
                auto visit = [&](size_t i, int worker) {
                    Cells key = part.places[i];
                    if (key) found[worker].visit(network, teachers[worker], position_of(key));
                };
                in_blocks(part.places.size(), visit, [&](int worker) {
                    for (Found &each : found) next.add(each.replies, worker);
                });
            }
            positions += levels.back().size();
            levels.push_back(std::move(next));
        }
        for (Found &each : found) {
            close.insert(close.end(), each.close.begin(), each.close.end());
            wrong.insert(wrong.end(), each.wrong.begin(), each.wrong.end());
        }
    }

    bool has(const Position &position) const {
        return levels[count(position.mask()) / 2].find(canonical_key(position)) >= 0;
    }

  private:
    // What a worker has found.
    struct Found {
        std::vector<Decision> close;
        std::vector<Position> wrong;
        SharedKeys::Notes replies;

        void visit(const Network &network, Teacher &teacher, const Position &position) {
            Choice choice = Answer(network, position).choice();
            if (!teacher.are_right(position, choice.columns)) {
                wrong.push_back(position);
                return;
            }
            if (choice.lead < CLOSE) close.push_back({position, choice.columns, choice.lead});
            for (int columns = choice.columns; columns; columns &= columns - 1)
                for_replies(position, __builtin_ctz(columns), [&](const Position &reply) {
                    SharedKeys::note(replies, canonical_key(reply), 0);
                });
        }
    };
};

// A move that the network is to play. cost: how far it is behind, and the errors behind it.
struct Change {
    Position position;
    int column;
    float cost;
};

// What to change, so that errors are not reached.
class Planner {
  public:
    Planner(const Network &network, Teacher &teacher, const Reach &reach)
        : network(network), teacher(teacher), reach(reach) {
        std::vector<Position> todo = reach.wrong;
        for (const Position &position : todo) wrong.add(canonical_key(position), 0);
        while (!todo.empty()) {
            Position position = todo.back();
            todo.pop_back();
            for (const Position &before : positions_before(position)) {
                if (doomed.find(canonical_key(before)) >= 0) continue;
                doomed.add(canonical_key(before), 0);
                todo.push_back(before);
            }
        }
    }

    // The cheapest changes, in the position or before; none if all cost more than the limit. avoided: what a move must
    // not lead to.
    std::vector<Change> changes(const Position &position, float limit, Cells avoided = 0, int depth = 0) const {
        std::vector<Change> best = change_here(position, limit, avoided), before;
        if (!best.empty()) limit = best[0].cost;
        if (depth == DEEPEST) return best;
        for (const Position &parent : positions_before(position)) {
            std::vector<Change> more = changes(parent, limit, canonical_key(position), depth + 1);
            if (more.empty()) return best;
            for (const Change &change : more) limit -= change.cost;
            before.insert(before.end(), more.begin(), more.end());
        }
        return before.empty() ? best : before;
    }

    // Plan no more with a change that can't be made.
    void rule_out(const Change &change) { ruled_out.insert(change.position.key() << 3 | change.column); }

  private:
    const Network &network;
    Teacher &teacher;
    const Reach &reach;
    Keys wrong, doomed;  // doomed: from which a wrong position is reached
    std::unordered_set<Cells> ruled_out;

    // The cheapest move of those that win, if there is one that costs less than the limit.
    std::vector<Change> change_here(const Position &position, float limit, Cells avoided) const {
        Answer answer(network, position);
        int right = teacher.right_columns(position);
        for (int column = 0; column < 7; column++)
            for_replies(position, column, [&](const Position &reply) {
                if (canonical_key(reply) == avoided) right &= ~(1 << column);
            });
        std::vector<Change> best;
        for (int move = 0; move < answer.features.moves; move++) {
            int column = answer.features.columns[move], other = answer.best_move(1 << column, false);
            if (!(right >> column & 1) || ruled_out.count(position.key() << 3 | column)) continue;
            float cost = other < 0 ? 0 : answer.layers.logits[other] - answer.layers.logits[move];
            if (cost >= limit || has_twin(answer, move, right)) continue;
            cost += ERROR_COST * errors_behind(position, column, (limit - cost) / ERROR_COST);
            if (cost >= limit) continue;
            limit = cost;
            best = {{position, column, cost}};
        }
        return best;
    }

    // Whether a move that is not right has the same logit, since the network can't tell them apart.
    static bool has_twin(const Answer &answer, int move, int right) {
        for (int other = 0; other < answer.features.moves; other++)
            if (!(right >> answer.features.columns[other] & 1) &&
                answer.layers.logits[other] == answer.layers.logits[move])
                return true;
        return false;
    }

    // In how many positions the network, as it is, errs after a move, of those that it did not reach right before. It
    // does not count beyond the limit.
    size_t errors_behind(const Position &position, int column, float limit) const {
        std::vector<Position> todo;
        auto add = [&](const Position &reply) { todo.push_back(reply); };
        for_replies(position, column, add);
        Keys seen;
        size_t errors = 0;
        while (!todo.empty() && seen.size < MOST_BEHIND && errors <= limit) {
            Position next = todo.back();
            Cells key = canonical_key(next);
            todo.pop_back();
            bool is_safe = reach.has(next) && doomed.find(key) < 0 && wrong.find(key) < 0;
            if (is_safe || seen.find(key) >= 0) continue;
            seen.add(key, 0);
            int columns = Answer(network, next).choice().columns;
            if (!teacher.are_right(next, columns)) errors++, columns = 0;
            for (; columns; columns &= columns - 1) for_replies(next, __builtin_ctz(columns), add);
        }
        return errors + todo.size();
    }

    // The positions in which the network plays a move that can lead to a position.
    std::vector<Position> positions_before(const Position &position) const {
        std::vector<Position> result;
        for (int reply = 0; reply < 7; reply++) {
            Cells last = top(position.mask(), reply);
            if (!(last & position.other)) continue;
            for (int column = 0; column < 7; column++) {
                Cells cell = top(position.mask() ^ last, column);
                Position before = {position.own ^ cell, position.other ^ last};
                if (cell & position.own && reach.has(before) &&
                    Answer(network, before).choice().columns >> column & 1)
                    result.push_back(before);
            }
        }
        return result;
    }

    // The highest disc of a column.
    static Cells top(Cells mask, int column) {
        Cells cells = mask & column_cells(column);
        return cells & ~(cells >> 1);
    }
};

// A change of a weight by a unit.
struct Step {
    int table, place;
    float difference;
};

// Changes the weights.
class Editor {
  public:
    Editor(Network &network, const std::vector<Decision> &close) : network(network) {
        for (int table = 0; table < 2; table++)
            for (auto &matter : matters) matter[table].resize(tables[table]->weights.size());
        for (const Decision &decision : close) guard(decision, expf(-decision.lead / SCALE));
    }

    // Let weights matter more on which it depends that a decision stays.
    void guard(const Decision &decision, float weight) {
        Answer answer(network, decision.position);
        int best = answer.best_move(decision.columns, true), next = answer.best_move(decision.columns, false);
        for_weights(answer, best, next, [&](int table, int i, float slope) {
            matters[slope < 0][table][i] += weight * fabsf(slope);  // 0: by a step down, 1: by one up
        });
    }

    // Change weights by a unit until a move leads; adds the steps to those of a repair. Returns whether it leads then.
    bool make(const Change &change, std::vector<Step> &steps) {
        for (size_t most_steps = steps.size() + MOST_STEPS; steps.size() < most_steps;) {
            Answer answer(network, change.position);
            int move = answer.best_move(1 << change.column, true), other = answer.best_move(1 << change.column, false);
            if (other < 0 || answer.layers.logits[move] - answer.layers.logits[other] > NEEDED) return true;
            float most = 0;
            Step best = {0, 0, 0};
            for_weights(answer, move, other, [&](int table, int i, float slope) {
                float gain = fabsf(slope) / (0.02f + matters[slope > 0][table][i]);
                float difference = slope > 0 ? 1 / UNIT : -1 / UNIT;
                if (gain <= most || fabsf(tables[table]->rounded[i] + difference) > LARGEST) return;
                most = gain, best = {table, i, difference};
            });
            if (!most) break;
            take(best, 1);
            steps.push_back(best);
        }
        return false;
    }

    void undo(std::vector<Step> &steps) {
        for (const Step &step : steps) take(step, -1);
        steps.clear();
    }

  private:
    Network &network;
    Table *tables[2] = {&network.position, &network.moves};
    std::vector<float> matters[2][2];  // by direction and table: how much close decisions lose by a step of a weight

    void take(const Step &step, int sign) {
        Table &table = *tables[step.table];
        table.weights[step.place] = table.rounded[step.place] += sign * step.difference;
    }

    // Call use(table, index, slope) for the weights on which the difference of two moves' logits depends.
    template <typename Use>
    void for_weights(const Answer &answer, int move, int other, Use use) const {
        float by_move[HIDDEN], by_other[HIDDEN], by_context[HIDDEN], by_second[SECOND];
        const Features &features = answer.features;
        network.slopes_of(answer.layers, move, 1, by_move, by_second);
        network.slopes_of(answer.layers, other, -1, by_other, by_second);
        for (int i = 0; i < HIDDEN; i++) by_context[i] = by_move[i] + by_other[i];
        auto row = [&](int table, int row, const float *slopes) {
            for (int i = 0; i < HIDDEN; i++)
                if (slopes[i]) use(table, row * HIDDEN + i, slopes[i]);
        };
        for (int k = 0; k < features.count; k++) row(0, features.position[k], by_context);
        for (int k = 0; k < features.counts[move]; k++) row(1, features.rows[move][k], by_move);
        for (int k = 0; k < features.counts[other]; k++) row(1, features.rows[other][k], by_other);
    }
};

// The repairs of a turn, each for one error. Those that spoil close decisions are undone and tried again, with other
// weights; the easy ones come first.
class Turn {
  public:
    Turn(Network &network, std::vector<Teacher> &teachers, const Reach &reach)
        : network(network), teachers(teachers), reach(reach), planner(network, teachers[0], reach),
          editor(network, reach.close), repairs(reach.wrong.size()) {}

    // Returns the number of steps.
    size_t run() {
        for (float limit = EASY; limit < MOST_COST; limit *= 2) {
            for (int tries = 0; tries < TRIES && make(limit); tries++) undo_what_spoils();
        }
        size_t steps = 0;
        for (const std::vector<Step> &repair : repairs) steps += repair.size();
        return steps;
    }

  private:
    Network &network;
    std::vector<Teacher> &teachers;  // by worker
    const Reach &reach;
    Planner planner;
    Editor editor;
    std::vector<std::vector<Step>> repairs;  // by error

    // Make the repairs that are not made yet and cost less than the limit. Returns whether there is one.
    bool make(float limit) {
        bool is_one = false;
        for (size_t i = 0; i < repairs.size(); i++) {
            const Position &position = reach.wrong[i];
            int columns = Answer(network, position).choice().columns;
            if (!repairs[i].empty() || teachers[0].are_right(position, columns)) continue;
            for (const Change &change : planner.changes(position, limit)) {
                if (editor.make(change, repairs[i])) continue;
                editor.undo(repairs[i]);
                planner.rule_out(change);
                break;
            }
            is_one |= !repairs[i].empty();
        }
        return is_one;
    }

    // Undo repairs until no close decision is wrong.
    void undo_what_spoils() {
        for (bool is_over = false; !is_over;) {
            is_over = true;
            for (const Decision &decision : spoiled()) {
                Answer answer(network, decision.position);
                editor.guard(decision, 1);
                for (std::vector<Step> &repair : repairs) {
                    bool matters = std::any_of(repair.begin(), repair.end(), [&](const Step &step) {
                        return answer.uses(step.table, step.place / HIDDEN);
                    });
                    if (matters) editor.undo(repair), is_over = false;
                }
            }
        }
    }

    // The close decisions that are wrong now.
    std::vector<Decision> spoiled() {
        std::vector<Decision> found[WORKERS];
        in_parallel([&](int worker) {
            size_t end = begin_of(reach.close.size(), worker + 1);
            for (size_t i = begin_of(reach.close.size(), worker); i < end; i++) {
                const Decision &decision = reach.close[i];
                int columns = Answer(network, decision.position).choice().columns;
                if (columns & ~decision.columns && !teachers[worker].are_right(decision.position, columns))
                    found[worker].push_back(decision);
            }
        });
        for (int worker = 1; worker < WORKERS; worker++)
            found[0].insert(found[0].end(), found[worker].begin(), found[worker].end());
        return found[0];
    }
};

int main(int arguments_count, char **arguments) {
    if (arguments_count != 3) return fprintf(stderr, "see the comment in repair.cpp\n"), 2;
    std::string folder = arguments[1], path = folder + "/weights.bin";
    Network network;
    std::vector<Teacher> teachers(WORKERS);
    bool is_whole = network.read_weights(path);
    for (Teacher &teacher : teachers) is_whole = is_whole && teacher.read_strategy(folder + "/strategy.bin");
    if (!is_whole) return fprintf(stderr, "%s has no sound files\n", arguments[1]), 1;
    size_t steps = 0;
    for (int turn = 0; turn < atoi(arguments[2]); turn++) {
        Reach reach(network, teachers);
        size_t errors = reach.wrong.size();
        printf("turn %d: %zu positions, %zu errors, %zu steps so far\n", turn, reach.positions, errors, steps);
        fflush(stdout);
        if (!errors) return 0;
        steps += Turn(network, teachers, reach).run();
        network.write_weights(path);
    }
    return 1;
}
