#!/usr/bin/env bash
# bitbully 0.0.79 with bitbully-databases 0.0.2. One expects that after load_book() an agent has the scores of the new book,
# and after reset_book() those of a search. But the transposition table stays, with scores that came from the old book,
# and nothing marks them. The book "12-ply" knows wins and losses without distances: after it the score of a position may
# be neither 1, as in that book, nor the true one, and the same call on a new agent gives another. Who compares the books
# on one agent, or labels training data with exact distances after a quick pass with the smaller book, gets wrong labels,
# a few in a hundred. reset_transposition_table() helps; the documentation of load_book and reset_book ("search-only
# mode") does not mention it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet bitbully==0.0.79 bitbully-databases==0.0.2
"$folder/venv/bin/python" - <<'EOF'
import sys

from bitbully import BitBully, Board

seen = []
for moves in ("035600221", "254413641"):
    board = Board(moves)
    row = {"new agent, no book": BitBully(None).mtdf(board), "new agent, 12-ply-dist": BitBully("12-ply-dist").mtdf(board)}
    agent = BitBully("12-ply")
    row["12-ply"] = agent.mtdf(board)
    agent.load_book("12-ply-dist")
    row["then 12-ply-dist"] = agent.mtdf(board)
    agent.reset_transposition_table()
    row["and an empty table"] = agent.mtdf(board)
    agent = BitBully("12-ply")
    agent.mtdf(board)
    agent.reset_book()
    row["12-ply, then no book"] = agent.mtdf(board)
    print(moves, *(f"{name}: {score}" for name, score in row.items()), sep="; ")
    seen.append(list(row.values()))
if seen != [[4, 4, 1, 2, 4, 2], [12, 12, 1, 11, 12, 11]]:
    sys.exit("changed: the scores after another book has been loaded")
EOF
