#!/usr/bin/env bash
# easyAI 2.0.12. Negamax, SSS and DUAL take the same argument `scoring`, a function, documented in the same words. Negamax
# uses it; SSS and DUAL store it, and then ask game.scoring(), which ConnectFour and most games of the package have. So
# an evaluation of one's own changes nothing: two opposite ones get the same move and the same value, without an error.
# A comparison of the three algorithms with such an evaluation compares different evaluations, and tuning one with SSS
# or DUAL measures nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet easyAI==2.0.12 numpy==1.26.4
"$folder/venv/bin/python" - <<'EOF'
import sys

from easyAI import DUAL, SSS, AI_Player, Negamax, TranspositionTable
from easyAI.games import ConnectFour


class Game(ConnectFour):
    def ttentry(self):
        return str(self.board.tolist()) + str(self.current_player)


def discs_in(column):
    """An evaluation: own discs in a column, less those of the opponent."""

    def scoring(game):
        cells = game.board[:, column]
        return float((cells == game.current_player).sum() - (cells == 3 - game.current_player).sum())

    return scoring


seen = {}
for algorithm in (Negamax, SSS, DUAL):
    for column in (0, 3):
        ai = algorithm(3, discs_in(column), win_score=1000, tt=TranspositionTable())
        move = int(ai(Game([AI_Player(ai), AI_Player(ai)])))
        seen[algorithm.__name__, column] = move, round(float(ai.alpha), 2)
    print(algorithm.__name__, *(f"discs in column {c}: move and value {seen[algorithm.__name__, c]}" for c in (0, 3)))
used = {name: seen[name, 0] != seen[name, 3] for name in ("Negamax", "SSS", "DUAL")}
if used != {"Negamax": True, "SSS": False, "DUAL": False}:
    sys.exit(f"changed: which algorithms use their scoring: {used}")
EOF
