#!/usr/bin/env bash
# easyAI 2.0.12. The documented way to use a saved transposition table is
# `table = TranspositionTable().from_file(name)`, then `Negamax(depth, scoring, tt=table)`. from_file returns None, and
# tt=None is the default: the search runs as before, without a table, with the same moves and no error. A solved game
# that was saved is solved again at every start. What works is to call from_file on a table that has a name.
# from_json_file has the same fault, and turns keys that are tuples into text unless use_tuples=True, so that
# nothing is ever found in the table.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet easyAI==2.0.12 numpy==1.26.4
cd "$folder"
venv/bin/python - <<'EOF'
import sys

from easyAI import AI_Player, Negamax, TranspositionTable
from easyAI.games import ConnectFour

looked_at = 0


class Game(ConnectFour):
    def ttentry(self):
        return str(self.board.tolist()) + str(self.current_player)

    def is_over(self):
        global looked_at
        looked_at += 1
        return super().is_over()


def search(table):
    """The move, and the number of positions that were looked at."""
    global looked_at
    looked_at = 0
    ai = Negamax(4, lambda game: -100 if game.lose() else 0, tt=table)
    return int(ai(Game([AI_Player(ai), AI_Player(ai)]))), looked_at


table = TranspositionTable()
move, first = search(table)
table.to_file("table")
documented = TranspositionTable().from_file("table")
named = TranspositionTable()
named.from_file("table")
print("first search:                          ", first, "positions")
print("from_file, as documented, returns      ", documented)
print("search with what it returns:           ", search(documented)[1], "positions")
print("search with a table that has been named:", search(named)[1], "positions")
if documented is not None or search(documented)[1] < first or search(named)[1] != 0:
    sys.exit("changed: the documented call gives a table")
EOF
