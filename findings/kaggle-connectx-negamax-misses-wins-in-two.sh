#!/usr/bin/env bash
# kaggle-environments 1.33.2. The agent "negamax" of connectx looks five plies ahead, so one expects that it never misses a
# win with its next two moves (three plies). It misses most of them: a move at the horizon that wins nothing is scored like
# one that wins there, and up to 3 points higher for own discs beside it, while a forced win in three plies is only 1 point
# better than a win at the horizon. So a cluster of discs that threatens nothing is worth more than the win. After 4, 1, 3, 1
# (two in a row, open on both sides) it hardly ever plays 5, and of random positions with a win in two moves it finds fewer
# than half; a win in one move it always plays. It is the only opponent but "random" that comes with the competition: a
# score against it is one against a player that lets wins go, and its games as training data teach that. The source says
# "clustering effect"; the rest is not documented.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps kaggle-environments==1.33.2
"$folder/venv/bin/pip" install --quiet jsonschema==4.26.0 requests==2.34.2 numpy
"$folder/venv/bin/python" - <<'EOF'
import logging
import random
import sys
import warnings
from types import SimpleNamespace

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from kaggle_environments import make

env = make("connectx")
agent = env.agents["negamax"]
LINES = [
    [cell + i * step for i in range(4)]
    for cell in range(42)
    for step, right, down in ((1, 3, 0), (7, 0, 3), (8, 3, 3), (6, -3, 3))
    if 0 <= cell % 7 + right < 7 and cell // 7 + down < 6
]
THROUGH = {cell: [line for line in LINES if cell in line] for cell in range(42)}


def play(board, column, mark):
    """The board after the move, and whether it wins."""
    cell = max(row * 7 + column for row in range(6) if board[row * 7 + column] == 0)
    board = [*board[:cell], mark, *board[cell + 1 :]]
    return board, any(all(board[other] == mark for other in line) for line in THROUGH[cell])


def winning(board, mark, moves):
    """The columns with which this player wins in so many of its moves."""
    columns = []
    for column in range(7):
        if board[column] == 0:
            after, won = play(board, column, mark)
            replies = [play(after, reply, 3 - mark) for reply in range(7) if after[reply] == 0]
            forced = replies and not any(lost for _, lost in replies)
            if won or moves > 1 and forced and all(winning(next, mark, moves - 1) for next, _ in replies):
                columns.append(column)
    return columns


def position():
    """A random position without a win in one move, and with one in two; whose turn it is, and the columns that win."""
    while True:
        board, mark, won = [0] * 42, 1, False
        for _ in range(random.randrange(6, 24)):
            column = random.choice([column for column in range(7) if board[column] == 0])
            board, won = play(board, column, mark)
            mark = 3 - mark
            if won:
                break
        if not won and not winning(board, mark, 1) and 0 < len(winning(board, mark, 2)) < 7:
            return board, mark, winning(board, mark, 2)


def answer(board, mark):
    return agent(SimpleNamespace(board=board, mark=mark), env.configuration)


random.seed(1)
board = [0] * 42
for ply, column in enumerate((3, 0, 2, 0)):
    board, _ = play(board, column, 1 + ply % 2)
answers = [answer(board, 1) for _ in range(20)]
print("after 4, 1, 3, 1 the columns", [c + 1 for c in winning(board, 1, 2)], "win; it plays", [c + 1 for c in answers])
positions = [position() for _ in range(40)]
found = sum(answer(board, mark) in columns for board, mark, columns in positions)
print(f"of 40 random positions with a win in two moves, it plays one that wins in {found}")
at_once = 0
for board, mark, columns in positions:
    board, _ = play(board, columns[0], mark)
    board, _ = play(board, next(column for column in range(7) if board[column] == 0), 3 - mark)
    at_once += answer(board, mark) in winning(board, mark, 1)
print(f"a move later it has a win in one move, and plays it in {at_once}")
if answers.count(4) > 10 or found > 28 or at_once < 40:
    sys.exit("changed: how often it finds a win in two moves")
EOF
