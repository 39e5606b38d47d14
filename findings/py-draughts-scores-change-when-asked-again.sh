#!/usr/bin/env bash
# py-draughts 1.10.1 (draughts and checkers). SimpleEngine searches to a fixed depth and keeps its transposition table, so one
# expects that the same position, asked three times, has the same score, or a slightly better informed one. But the table is
# read the wrong way round: what was stored as an upper bound is taken for a lower bound, and the other way. In a single
# search this hardly shows; with a table that is already full the bounds decide. Of 40 positions 12 change their
# score or their move, and one that is two men down (-2.08) is almost even at the third call (-0.14). Who labels positions
# or reviews games with one engine gets scores that depend on what was asked before; tt.clear() before each call helps. The
# documentation has the table as a feature ("to cache evaluated positions"), and says nothing of a new engine for each position.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet py-draughts==1.10.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'EOF'
import random
import sys

from loguru import logger

logger.remove()
from draughts import SimpleEngine
from draughts.boards.american import Board


def asked(board, clear=False):
    """Move and score of three calls of one engine."""
    engine = SimpleEngine(depth_limit=4)
    answers = []
    for _ in range(3):
        if clear:
            engine.tt.clear()
        move, score = engine.get_best_move(board, with_evaluation=True)
        answers.append((str(move), round(score, 2)))
    return answers


rng = random.Random(5)
positions = []
while len(positions) < 40:
    board = Board()
    for _ in range(rng.randrange(10, 60)):
        if not board.game_over:
            board.push(rng.choice(board.legal_moves))
    if not board.game_over and len(board.legal_moves) > 1:
        positions.append(board)
changed = {"table kept": 0, "table cleared": 0}
for board in positions:
    changed["table kept"] += len(set(asked(board))) > 1
    changed["table cleared"] += len(set(asked(board, clear=True))) > 1
for name, count in changed.items():
    print(f"{name}: {count} of {len(positions)} positions change their move or score when asked again")
down = Board.from_fen("B:WK2,16,17,18,20,21,22,28,32:B5,8,9,11,12,13,K26,27")
kept, cleared = asked(down), asked(down, clear=True)
print("two men down, table kept:   ", *kept)
print("two men down, table cleared:", *cleared)
if kept[0][1] > -2 or kept[2][1] < -1 or len(set(cleared)) > 1 or changed["table kept"] < 5:
    sys.exit("changed: the score of a position that is asked again")
EOF
