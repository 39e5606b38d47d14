#!/usr/bin/env bash
# nashpy 0.0.43. Game.support_enumeration is the method of the README, and in a game without ties one expects that it yields all
# equilibria: a zero-sum game with random real payoffs has exactly one. But whether a pair of strategies is an equilibrium is
# asked with == between sums of floats, so that a mixed equilibrium counts only if rounding happens to treat all its moves alike.
# With 4x4 moves almost half of the games have no equilibrium, with 5x5 two thirds; `tol` is used elsewhere and does not help. A
# RuntimeWarning says that the game is degenerate, which it is not: issues about empty results were closed with that answer.
# Who solves the matrix games of simultaneous moves, or the meta-game of a league of agents, loses the hard ones and
# keeps those with a saddle point. linear_program and vertex_enumeration find each of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nashpy==0.0.43 numpy==2.4.6 scipy==1.17.1 networkx==3.4.2
"$folder/venv/bin/python" - <<'EOF'
import sys
import warnings

import nashpy as nash
import numpy as np

warnings.simplefilter("ignore", RuntimeWarning)


def is_equilibrium(payoffs, row, column):
    return (payoffs @ column).max() - (row @ payoffs).min() < 1e-9


rng = np.random.default_rng(1)
missed = {}
for size in (2, 3, 4):
    counts = dict.fromkeys(("support_enumeration", "tol=1e-9", "pure, missed", "linear_program", "vertex_enumeration"), 0)
    for _ in range(60):
        payoffs = rng.normal(size=(size, size))
        game = nash.Game(payoffs)
        row, column = game.linear_program()
        counts["linear_program"] += is_equilibrium(payoffs, row, column)
        counts["vertex_enumeration"] += len(list(game.vertex_enumeration())) == 1
        seen = len(list(game.support_enumeration()))
        counts["support_enumeration"] += seen
        counts["tol=1e-9"] += len(list(game.support_enumeration(tol=1e-9)))
        counts["pure, missed"] += row.max() > 1 - 1e-9 and seen == 0
    print(f"60 games of {size}x{size} moves, equilibria by", *(f"{name}: {count}" for name, count in counts.items()), sep="; ")
    missed[size] = 60 - counts["support_enumeration"]
    if counts["linear_program"] != 60 or counts["vertex_enumeration"] != 60 or counts["pure, missed"]:
        sys.exit("changed: the other ways to solve a game")
if missed[4] < 15:
    sys.exit("changed: the equilibria that support_enumeration finds")
EOF
