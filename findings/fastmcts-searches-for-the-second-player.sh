#!/usr/bin/env bash
# fastmcts 0.3.0 (fork of mctspy). Its Connect4GameState and TicTacToeGameState have the players 1 and -1, but its nodes
# count the wins of -1 unless the player to move is 0, which never is. So every node maximises the result of the
# second player: its moves are right, and the first player's are the worst there are. It leaves a win in one
# move unplayed, and helps the opponent. Nothing raises, and a match against random moves, with both colours, only looks
# like a weak search. The README shows the first player's move on an empty board, where this cannot be seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet fastmcts==0.3.0 numpy==1.26.4
"$folder/venv/bin/python" - <<'EOF'
import random
import sys

import numpy as np
from fastmcts.games.connect4 import Connect4GameState
from fastmcts.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from fastmcts.tree.search import MonteCarloTreeSearch


def wins_played(moves, winning, searches=20):
    """In how many searches of 200 simulations the winning column is chosen. The board is 6 x 6."""
    state = Connect4GameState(np.zeros((6, 6), int), 1, 4)
    for column in moves:
        (action,) = (action for action in state.get_legal_actions() if action.x_coordinate == column)
        state = state.move(action)
    played = 0
    for _ in range(searches):
        search = MonteCarloTreeSearch(TwoPlayersGameMonteCarloTreeSearchNode(state), num_processes=1)
        played += search.best_action(simulations_number=200).parent_action.x_coordinate == winning
    return played


random.seed(1)
first = wins_played([0, 1, 0, 1, 0, 2], 0)
second = wins_played([0, 1, 0, 1, 5, 1, 4], 1)
print("the first player plays its win in one move in", first, "of 20 searches")
print("the second player plays its win in one move in", second, "of 20 searches")
if first > 2 or second < 18:
    sys.exit("changed: the first player's win in one move is played")
EOF
