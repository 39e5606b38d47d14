#!/usr/bin/env bash
# TextArena 0.7.4. A player of ConnectFour-v0, often a language model, is asked to write its column in brackets, [col 4], and
# may write a text around it. One expects the first bracket or the last one to count. But it is the last one of the first
# line that has any: "If I play [col 3], the reply is [col 4]." and, on the next line, "So I play [col 2]." plays column 4,
# the expected reply. The same words in one line play column 2; a list of candidates, one a line, plays the first. It counts as
# a legal move, so there is no second try, and the result only looks like bad play. In TicTacToe the first bracket counts
# in both texts. Neither the prompt nor the README says which one does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nltk==3.9.2 rich==15.0.0 requests==2.34.2 websockets==17.4
"$folder/venv/bin/pip" install --quiet --no-deps textarena==0.7.4
"$folder/venv/bin/python" - <<'EOF'
import sys

import textarena


def played(name, answer, cells):
    """The index of the only cell that is taken after this answer to the first question of a game."""
    env = textarena.make(name)
    env.reset(num_players=2, seed=1)
    env.get_observation()
    env.step(answer)
    board = env.state.game_state["board"]
    (index,) = (i for i, cell in enumerate(cells(board)) if cell in ("X", "O"))
    return index


def bottom(board):
    return board[-1]


def all_cells(board):
    return [cell for row in board for cell in row]


expected = {"two lines": (4, 3), "one line": (2, 3), "list": (5, 5)}
texts = {
    "two lines": "If I play [{}3], the reply is [{}4].\nSo I play [{}2].",
    "one line": "If I play [{}3], the reply is [{}4]. So I play [{}2].",
    "list": "My candidates are\n- [{}5]\n- [{}1]\n- [{}2], which is the best: [{}2]",
}
seen = {}
for name, text in texts.items():
    column = played("ConnectFour-v0", text.replace("{}", "col "), bottom)
    cell = played("TicTacToe-v0", text.replace("{}", ""), all_cells)
    seen[name] = (column, cell)
    print(f"{name}: {text.replace('{}', 'col ')!r} plays column {column}; in TicTacToe cell {cell}")
if seen != expected:
    sys.exit("changed: which bracket of an answer is played")
EOF
