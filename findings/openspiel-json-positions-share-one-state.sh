#!/usr/bin/env bash
# open_spiel 2.0.2. connect_four and tic_tac_toe can start from a position: game.new_initial_state(state.to_json()). Board,
# legal moves, returns and tensors are right, and the state can be pickled. But its history is empty, and the information
# state string of these games is their history: every position that was read has the information state of the empty board.
# Whatever is looked up by it (TabularPolicy, the average policy of counterfactual regret minimization, a dictionary of
# one's own) answers as at the start of a game: a win in one is missed, and where the start's move is not legal, all
# probabilities are 0. Nothing raises. The documentation does not mention positions from JSON.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'EOF'
import sys

import pyspiel
from open_spiel.python.policy import TabularPolicy

game = pyspiel.load_game("connect_four(rows=3,columns=3,x_in_row=3)")
policy = TabularPolicy(game)
for state in policy.states:
    moves, player = state.legal_actions(), state.current_player()
    row = policy.policy_for_key(state.information_state_string())
    row[:] = 0
    row[next((move for move in moves if state.child(move).returns()[player] > 0), moves[0])] = 1

seen = []
for moves in ([1, 0, 1, 0], [2, 0, 2, 0], [0, 1, 0, 1, 1, 0]):
    played = game.new_initial_state()
    for move in moves:
        played.apply_action(move)
    read = game.new_initial_state(played.to_json())
    same = str(read) == str(played) and read.legal_actions() == played.legal_actions()
    answers = [{move: float(p) for move, p in policy.action_probabilities(state).items()} for state in (played, read)]
    keys = played.information_state_string(), read.information_state_string()
    print(f"{moves}: same position: {same}; information states {keys}; a policy that wins in one: {answers}")
    seen.append((same, keys[1], answers[1]))
if seen != [(True, "", {0: 1.0, 1: 0.0, 2: 0.0})] * 2 + [(True, "", {2: 0.0})]:
    sys.exit("changed: the information state of a position that was read")
EOF
