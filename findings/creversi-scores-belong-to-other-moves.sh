#!/usr/bin/env bash
# creversi-python 0.1.0 (Othello). In GGF files a move has the score that its player gave, or none: Exporter.move(move,
# evaluation=None) writes both, GgfParser returns moves and evaluations of each game, and one expects that the two lists
# belong together. But a move without a score adds nothing to the evaluations. In a game of a person and an engine the lists
# have 61 and 30 entries: zip() gives the engine's scores to earlier moves, half of them to the person's, and the second
# half of the game gets none. Nothing is raised, and book moves without a score shift all later ones in the same way. Only a
# move with an empty score, "D3/", adds a nan, and that is not what the exporter writes. The documentation has nothing on
# GGF. A net that learns from such games learns the scores of other positions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet creversi-python==0.1.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'EOT'
import random
import sys
from pathlib import Path

import creversi
from creversi import GGF

# White, the engine, gives the difference of the discs after its move as the score.
rng = random.Random(2)
board, played = creversi.Board(), []
exporter = GGF.Exporter("game.ggf")
exporter.newgame(["person", "engine"])
while not board.is_game_over():
    move, white = rng.choice(list(board.legal_moves)), not board.turn
    board.move(move)
    score = float(-board.diff_num()) if white else None
    played.append((creversi.move_to_STR(move), score))
    exporter.move(move, score)
exporter.endgame(board.diff_num())
exporter.close()


def read(path):
    parser = GGF.Parser()
    parser.parse_file(path)
    return [creversi.move_to_STR(move) for move in parser.moves[0]], parser.evaluations[0]


moves, scores = read("game.ggf")
joined = list(zip(moves, scores))
right = sum(pair in played for pair in joined)
text = Path("game.ggf").read_text()
for name, score in played:
    if score is None:
        text = text.replace(f"B[{name}]", f"B[{name}/]")
Path("empty.ggf").write_text(text)
print("played:", played[:6])
print("read:  ", joined[:6])
print(f"{len(moves)} moves, {len(scores)} scores, {right} of these at their own move; with empty scores {len(read('empty.ggf')[1])}")
if moves != [name for name, _ in played] or len(scores) >= len(moves) or right > len(scores) // 4 or len(read("empty.ggf")[1]) != len(moves):
    sys.exit("changed: the scores belong to the moves")
EOT
