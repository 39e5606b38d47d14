#!/usr/bin/env bash
# kaggle-environments 1.33.2 with open_spiel 2.0.2. The agent "random" of the environment "connectx" plays random legal
# moves; the agent of that name in "open_spiel_connect_four" never plays one. It takes the moves from the
# observation's legalActions, which are left out by default since includeLegalActions is false, and answers None, an
# illegal move. So "random" loses with its first move, and whoever moves second against it, or lets two of them play, has
# 100 % after no game at all. Nothing is printed, and the status of both agents is DONE. With includeLegalActions it
# plays. The description of that option says only that observations are smaller.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps kaggle-environments==1.33.2
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2 jsonschema==4.26.0 requests==2.34.2 numpy
"$folder/venv/bin/python" - <<'EOF'
import logging
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from kaggle_environments import make


def play(**configuration):
    """Ten games of random against random: the moves of each, and the results of the first seat."""
    moves, results = [], []
    for _ in range(10):
        states = make("open_spiel_connect_four", configuration).run(["random", "random"])
        played = [state[player].action.get("submission") for state in states[2:] for player in (0, 1)]
        moves.append(sum(move is not None and move >= 0 for move in played))
        results.append(states[-1][0].reward)
        assert [state.status for state in states[-1]] == ["DONE", "DONE"]
    return moves, results


moves, results = play()
print("by default, legal moves in a game:", moves, "results of the first seat:", results)
legal, others = play(includeLegalActions=True)
print("with includeLegalActions:", legal, others)
if any(moves) or set(results) != {-1} or min(legal) < 7:
    sys.exit("changed: random plays legal moves by default")
EOF
