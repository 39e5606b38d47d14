#!/usr/bin/env bash
# connectNvironment 1.0.2 (Connect-N for two or more players). A game has copy(), and one expects a copy of the game. It has
# the size, the number of players, the patterns and the player to move, but no discs: a copy of any position is the empty
# board, with perhaps the second player to move. A search that copies the game for each simulation estimates the first
# move at every node, misses wins in one and never blocks, with no error. Only string_notation() keeps the discs, and that one
# forgets the other things: a finished game that is read back goes on, and connect=3 becomes 4. The README
# documents neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --use-pep517 connectNvironment==1.0.2 numpy==1.26.4 scipy==1.15.3
"$folder/venv/bin/python" - <<'EOF'
import sys

import numpy as np
from connectNvironment import ConnectN

game = ConnectN()
for column in (3, 0, 3, 0, 3):
    game.step(column)
copy = game.copy()
print("discs of the game:", int((game.board > 0).sum()), "and of its copy:", int((copy.board > 0).sum()))
print("player to move:   ", game.current_player, "and of its copy:", copy.current_player)
game.step(1)
game.step(3)
copy.step(1)
copy.step(3)
print("after the moves 1 and 3, game over:", game.is_game_over, "and of its copy:", copy.is_game_over)
read = ConnectN(string_notation=game.string_notation())
print("read from its notation: same discs:", np.array_equal(read.board, game.board), "game over:", read.is_game_over)
if not (game.is_game_over and int((copy.board > 0).sum()) == 2 and not copy.is_game_over and not read.is_game_over):
    sys.exit("changed: a copy has the discs of the game")
EOF
