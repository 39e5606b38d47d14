#!/usr/bin/env bash
# elote 1.5.1. In every rating system a drawn game brings two ratings closer together. In OpenSkillCompetitor both players of
# a draw get the mean of their two changes: equally sure players keep their distance and only become surer of it, and a
# favourite rises by drawing with newcomers. After 5 wins and 200 draws the expected score of the first player is 0.99
# (0.92 before the draws; 0.50 in openskill 6.2.0), and ten draws with newcomers lift a mean of 35 to 44, with
# model="thurstone" to 166. All four models do so, no other system of elote tested here does. In matches of programs, where many
# games are drawn, the ratings grow apart, and a program gains by drawing with weak ones. The documentation has the rule
# (tied players share the mean change, as a correction of openskill), and "verified to 1e-6 against openskill", but not what
# follows for two players.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps elote==1.5.1 openskill==6.2.0
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 tqdm
"$folder/venv/bin/python" - <<'EOF'
import sys

from elote import EloCompetitor, Glicko2Competitor, OpenSkillCompetitor, TrueSkillCompetitor
from openskill.models import PlackettLuce


def wins_then_draws(make):
    """The expected score of the first player after 5 wins, and after 200 draws more."""
    first, second = make(), make()
    for _ in range(5):
        first.beat(second)
    before = first.expected_score(second)
    for _ in range(200):
        first.tied(second)
    return round(before, 2), round(first.expected_score(second), 2)


def draws_with_newcomers(model):
    """The mean of a favourite, 35 at first, after a draw with each of ten new players of mean 25."""
    favourite = OpenSkillCompetitor(35, 2, model=model)
    for _ in range(10):
        favourite.tied(OpenSkillCompetitor(model=model))
    return round(favourite.mu)


scores, means = {}, {}
for model in ("plackett_luce", "bradley_terry_full", "bradley_terry_partial", "thurstone"):
    scores[model] = wins_then_draws(lambda model=model: OpenSkillCompetitor(model=model))
    means[model] = draws_with_newcomers(model)
    print(f"elote {model}: after 5 wins and 200 draws {scores[model]}; 35 after ten draws with newcomers: {means[model]}")
for other in (EloCompetitor, Glicko2Competitor, TrueSkillCompetitor):
    scores[other] = wins_then_draws(other)
    print(f"elote {other.__name__}: after 5 wins and 200 draws {scores[other]}")
league = PlackettLuce()
first, second, favourite = league.rating(), league.rating(), league.rating(35, 2)
for game in range(205):
    (first,), (second,) = league.rate([[first], [second]], ranks=[1, 2 if game < 5 else 1])
for _ in range(10):
    (favourite,), _ = league.rate([[favourite], [league.rating()]], ranks=[1, 1])
chance = round(league.predict_win([[first], [second]])[0], 2)
print(f"openskill: after 5 wins and 200 draws {chance}; 35 after ten draws with newcomers: {favourite.mu:.0f}")
rising = all(after > before for key, (before, after) in scores.items() if isinstance(key, str))
falling = all(after < before for key, (before, after) in scores.items() if not isinstance(key, str))
if not (rising and falling and chance == 0.5 and favourite.mu < 35 and list(means.values()) == [44, 44, 44, 166]):
    sys.exit("changed: what a draw does to a favourite")
EOF
