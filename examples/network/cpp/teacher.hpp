#pragma once
// Which moves reach the goal, and which of them the network is to play.

#include <string>
#include <unordered_map>
#include <vector>

#include "board.hpp"
#include "files.hpp"

// Does the player reach a goal?
class Solver {
  public:
    Goal goal = TO_WIN;

    Solver() : table(size_t(1) << 24) {}

    // Whether the player, who is to move, reaches the goal.
    bool reaches(const Position &position) {
        if (winning_cells(position.own) & position.free()) return true;
        if (is_decided(position, goal) || !position.free()) return goal == NOT_TO_LOSE;
        Cells moves = safe_moves(position);
        if (!moves) return false;
        if (count(position.mask()) >= 40) return goal == NOT_TO_LOSE;
        Cells key = canonical_key(position), &entry = table[(key * 0x9E3779B97F4A7C15) >> 40];
        if (entry >> 1 == key) return entry & 1;
        bool result = any_move(move_follows, position, moves, goal);
        Cells order[7];
        int n = ordered(position.own, moves, order);
        for (int i = 0; i < n && !result; i++) result = !is_prevented({position.own | order[i], position.other});
        table[(key * 0x9E3779B97F4A7C15) >> 40] = key << 1 | result;
        return result;
    }

    // Whether the player reaches the goal with a move.
    bool move_reaches(const Position &position, Cells cell) {
        if (has_line(position.own | cell)) return true;
        if (!(safe_moves(position) & cell)) return false;
        return move_follows(position, cell, goal) || !is_prevented({position.own | cell, position.other});
    }

  private:
    std::vector<Cells> table;  // key << 1 | result

    // Whether the opponent, who is to move, prevents the goal.
    bool is_prevented(const Position &position) {
        if (winning_cells(position.other) & position.free()) return true;
        if (!position.free()) return goal == TO_WIN;
        Cells moves = safe_moves({position.other, position.own});
        if (!moves) return false;
        Cells order[7];
        int n = ordered(position.other, moves, order);
        for (int i = 0; i < n; i++)
            if (!reaches({position.own, position.other | order[i]})) return true;
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

typedef std::unordered_map<Cells, int> Strategy;  // by canonical_key: the column, in the position with that key

const int STRICT = 12;  // discs up to which it learns the strategy's moves alone, since the solver is slow there

class Teacher {
  public:
    Solver solver;
    Strategy strategy;
    std::vector<Position> roots;  // positions from which it reaches the goal

    bool read_strategy(const std::string &path) {
        std::vector<Cells> keys;
        std::vector<uint8_t> columns, goals;
        FILE *file = fopen(path.c_str(), "rb");
        bool is_whole = file && read(file, goals) && read(file, keys) && read(file, columns) && read(file, roots);
        if (file) fclose(file);
        if (is_whole) solver.goal = Goal(goals.at(0));
        for (size_t i = 0; i < columns.size(); i++) strategy[keys[i]] = columns[i];
        return is_whole;
    }

    // The moves that the strategy may play: those that win at once, else the one that stops a win, else those with
    // which the rule holds, by the same kind of reason, else the listed one. Elsewhere all that reach the goal.
    int best_columns(const Position &position) {
        Cells wins = winning_cells(position.own) & position.free(), moves = safe_moves(position);
        if (wins) return columns_of(wins);
        if (count(moves) < 2) return columns_of(moves);
        for (Test *holds : {move_follows, move_threatens, move_is_quiet})
            if (Cells found = moves_that(holds, position, moves, solver.goal)) return columns_of(found);
        auto listed = strategy.find(canonical_key(position));
        if (listed == strategy.end()) return good_columns(position);
        Cells key = position.key(), image = mirror(key);
        int column = 1 << listed->second, opposite = 1 << (6 - listed->second);
        return key < image ? column : image < key ? opposite : column | opposite;
    }

    // Columns that reach the goal.
    int good_columns(const Position &position) {
        int columns = 0;
        for (Cells moves = position.free(); moves;) {
            Cells cell = take(moves);
            if (solver.move_reaches(position, cell)) columns |= 1 << column_of(cell);
        }
        return columns;
    }

    // Columns that reach the goal: all, or up to STRICT discs those that the strategy may play.
    int right_columns(const Position &position) {
        return count(position.mask()) > STRICT ? good_columns(position) : best_columns(position);
    }

    // Whether all columns reach it. Up to STRICT discs the solver is asked only about what the strategy would not play.
    bool are_right(const Position &position, int columns) {
        bool are_best = count(position.mask()) <= STRICT && !(columns & ~best_columns(position));
        return are_best || are_good(position, columns);
    }

    bool are_good(const Position &position, int columns) {
        for (Cells moves = position.free(); moves;) {
            Cells cell = take(moves);
            if (columns >> column_of(cell) & 1 && !solver.move_reaches(position, cell)) return false;
        }
        return true;
    }
};
