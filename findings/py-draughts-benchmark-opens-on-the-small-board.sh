#!/usr/bin/env bash
# py-draughts 1.10.1. Benchmark(engine1, engine2) plays on the international board of 10x10 squares from thirteen built-in
# openings, with swap_colors=True. One expects openings of that game, each played with both colours. But twelve of them are
# openings of 8x8 checkers, put on the squares of the same numbers: twelve men on each side, and three rows of the board
# empty. And colours change from game to game while the openings go on, so that an opening is played again with the other
# colour thirteen games later: the default, 10 games, has no pair, and 20, as in the README, has seven. An engine that plays
# itself is 35 Elo weaker than itself after 10 games, and even after 26. Who compares two engines measures which of them got
# the better side of positions that the game does not have. The README documents neither openings nor pairs, and a list in
# `openings` is played in the same way: one passes each position twice in a row.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet py-draughts==1.10.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'EOF'
import sys
from contextlib import redirect_stdout
from io import StringIO

from loguru import logger

logger.remove()
from draughts import Benchmark, Board, SimpleEngine
from draughts.benchmark import BenchmarkStats

match = Benchmark(SimpleEngine(depth_limit=1), SimpleEngine(depth_limit=1), games=26)
small = 0
for name, fen in match.openings:
    board = Board.from_fen(fen)
    men = board.white_men | board.black_men
    rows = max(square // 5 + 1 for square in range(50) if men >> square & 1)
    small += rows < 10
    print(f"{name}: {board.white_men.bit_count()} white and {board.black_men.bit_count()} black men, in rows 1 to {rows} of 10")
with redirect_stdout(StringIO()):
    results = match.run().results
elo = {}
for games in (10, 20, 26):
    stats = BenchmarkStats(e1_name="first", e2_name="second", results=results[:games])
    sides = [(result.opening, result.e1_color.name) for result in stats.results]
    pairs = sum((opening, "BLACK") in sides and (opening, "WHITE") in sides for opening, _ in match.openings)
    elo[games] = round(stats.elo_diff)
    print(f"an engine against itself, {games} games, {pairs} openings with both colours: {round(stats.elo_diff):+d} Elo")
if small != 12 or elo[10] == 0 or elo[26] != 0:
    sys.exit("changed: the openings or the colours of the benchmark")
EOF
