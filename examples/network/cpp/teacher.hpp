#pragma once
// Which moves win, and which of them the network is to play.

#include <string>
#include <unordered_map>
#include <vector>

#include "board.hpp"
#include "files.hpp"

// Does the player win?
class Solver {
  public:
    Solver() : table(size_t(1) << 24) {}

    // Whether the player, who is to move, wins.
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

    // Whether the player wins with a move.
    bool move_wins(const Position &position, Cells cell) {
        if (has_line(position.own | cell)) return true;
        if (!(safe_moves(position) & cell)) return false;
        return move_follows(position, cell) || !holds({position.own | cell, position.other});
    }

  private:
    std::vector<Cells> table;  // key << 1 | result

    // Whether the opponent, who is to move, does not lose.
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

typedef std::unordered_map<Cells, int> Strategy;  // by canonical_key: the column, in the position with that key

const int STRICT = 12;  // discs up to which it learns the strategy's moves alone, since the solver is slow there

class Teacher {
  public:
    Solver solver;
    Strategy strategy;
    std::vector<Position> roots;  // positions from which it wins

    bool read_strategy(const std::string &path) {
        std::vector<Cells> keys;
        std::vector<uint8_t> columns;
        FILE *file = fopen(path.c_str(), "rb");
        bool is_whole = file && read(file, keys) && read(file, columns) && read(file, roots);
        if (file) fclose(file);
        for (size_t i = 0; i < columns.size(); i++) strategy[keys[i]] = columns[i];
        return is_whole;
    }

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

    // Columns that win: all, or up to STRICT discs those that the strategy may play.
    int right_columns(const Position &position) {
        return count(position.mask()) > STRICT ? winning_columns(position) : best_columns(position);
    }

    // Whether all columns win. Up to STRICT discs the solver is asked only about what the strategy would not play.
    bool are_right(const Position &position, int columns) {
        bool are_best = count(position.mask()) <= STRICT && !(columns & ~best_columns(position));
        return are_best || all_win(position, columns);
    }

    bool all_win(const Position &position, int columns) {
        for (Cells moves = position.free(); moves;) {
            Cells cell = take(moves);
            if (columns >> column_of(cell) & 1 && !solver.move_wins(position, cell)) return false;
        }
        return true;
    }
};
