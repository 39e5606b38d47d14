#!/usr/bin/env bash
# melo 1.1.2 (margin-dependent Elo). A game is two labels and a value, and (a, b, 1) says the same as (b, a, -1). So one expects
# that the order of the labels is free, and passes the log of a tournament as pairs of winner and loser, with the value 1. But
# fit() takes an advantage of the label that comes first from the mean of all values, also if `biases` is left at 0,
# "in which case no bias is used": here the advantage explains every game. All ratings are 0, a weak player beats a
# strong one with certainty if he is named first, and nothing is raised. With the labels in alphabetical order the
# ratings are shifted. Alternating them helps. Besides, rank() by its default statistic, the mean, is 0 for
# everybody while `lines` is at its default, documented as traditional Elo; statistic="win" ranks.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet melo==1.1.2 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'EOF'
import sys

import numpy as np
from melo import Melo

# Of every eight games of two players the one who is named first here wins six.
games = []
for n in range(200):
    for better, worse in (("strong", "middle"), ("middle", "weak"), ("strong", "weak")):
        games.append((better, worse) if n * 3 % 8 < 6 else (worse, better))


def fitted(rows):
    """Ratings, the chance that weak beats strong, and the ranking by the mean."""
    hours = np.datetime64("2026-01-01") + np.arange(len(rows)) * np.timedelta64(1, "h")
    model = Melo(k=0.05)
    model.fit(hours, *zip(*rows))
    later = model.last_update + np.timedelta64(1, "D")
    ratings = {name: round(model.query_rating(later, name).item(), 2) + 0.0 for name in ("strong", "middle", "weak")}
    chance = float(model.probability(later, "weak", "strong"))
    return ratings, round(chance, 2), {rating for _, rating in model.rank(later)}


seen = {}
for order, rows in {
    "winner first": [(winner, loser, 1) for winner, loser in games],
    "by alphabet": [(*sorted(pair), 1 if pair[0] < pair[1] else -1) for pair in games],
    "alternating": [(*pair, 1) if n % 2 else (*pair[::-1], -1) for n, pair in enumerate(games)],
}.items():
    seen[order] = ratings, chance, means = fitted(rows)
    print(f"{order}: ratings {ratings}, weak beats strong with {chance:.0%}, rank() by default: {means}")
first, alternating = seen["winner first"], seen["alternating"]
if set(first[0].values()) != {0} or first[1] < 0.99 or alternating[1] > 0.4 or alternating[2] != {0}:
    sys.exit("changed: ratings from pairs of winner and loser")
EOF
