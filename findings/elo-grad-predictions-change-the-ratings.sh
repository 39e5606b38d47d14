#!/usr/bin/env bash
# elo-grad 0.5.1 with narwhals 1.48.1. An EloEstimator has fit, predict and predict_proba, and one expects that predicting
# leaves the ratings as they are. But each prediction plays the games: the score column, which it demands, is learned from.
# Asked three times for the chances of A against D, with 0 as the score of a game that is still to come, it answers 84, 81
# and 78 %, and A has lost 49 points. Who fits and then predicts the same games, as with any classifier, has rated each of
# them twice; fit doesn't begin anew either. With narwhals 2.29.0 predict_proba ends in a TypeError, and has learned all
# the same. The README has "Get expected scores" (predict_proba, without fit) and "Get final ratings" in a row, which shows
# that it learns but not that it always does; the docstrings say "Fit Elo rating system" and "Predict outcome of game".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet elo-grad==0.5.1 narwhals==1.48.1 polars==2.1.0
"$folder/venv/bin/python" - <<'EOT'
import random
import sys

import polars
from elo_grad import EloEstimator

strength = {"A": 300, "B": 200, "C": 100, "D": 0}
columns = ["t", "entity_1", "entity_2", "score"]
rng = random.Random(0)
rows = []
for time in range(200):
    first, second = rng.sample(sorted(strength), 2)
    chance = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
    rows.append((time, first, second, int(rng.random() < chance)))
games = polars.DataFrame(rows, schema=columns, orient="row")
coming = polars.DataFrame([(1000, "A", "D", 0)], schema=columns, orient="row")


def ratings(estimator):
    return {name: round(rating) for name, (_, rating) in sorted(estimator.model.ratings.items())}


def chance(estimator):
    """The predicted chance of A against D, in percent."""
    return round(100 * estimator.predict_proba(coming).to_native()["1"][0])


estimator = EloEstimator(k_factor=20, default_init_rating=1500).fit(games)
fitted = ratings(estimator)
chances = [chance(estimator) for _ in range(3)]
asked = ratings(estimator)
print("after fit:", fitted)
print("the same question three times:", chances, "% for A; then", asked)
twice = EloEstimator(k_factor=20, default_init_rating=1500).fit(games).fit(games)
predicted = EloEstimator(k_factor=20, default_init_rating=1500).fit(games)
predicted.predict_proba(games)
print("after fit and fit:            ", ratings(twice))
print("after fit and predict_proba:  ", ratings(predicted))
if not (chances[0] > chances[1] > chances[2] and asked["A"] < fitted["A"] - 40 and ratings(predicted) == ratings(twice) != fitted):
    sys.exit("changed: a prediction leaves the ratings alone")
EOT
