#!/usr/bin/env bash
# elote 1.5.1. In Whole-History Rating w2 says how much a player changes from day to day, so for programs, which don't change,
# one sets it near zero and expects the ratings of Bradley and Terry. But here w2 is also the variance of the prior of a
# player's first rating: the smaller it is, the more firmly all stay at 1500. With w2=1, a player who won 300 of 400
# games in a day leads by 1 point instead of 191; with the default of 300 by 119, and 100 wins out of 100 give an expected
# score of 66 %. In whole-history-rating 3.7.1 the prior does not depend on w2. The documentation has only the variance per day
# ("a smaller value makes the curve smoother"). An open issue says that the two packages disagree, not how.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps elote==1.5.1 whole-history-rating==3.7.1
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 tqdm
"$folder/venv/bin/python" - <<'EOF'
import sys
from datetime import datetime

from elote import WholeHistoryRatingCompetitor
from whr import WHR

DAY = datetime(2026, 1, 1)


def lead(w2, wins, games):
    """The first player's lead in elote, after these games in one day."""
    first, second = WholeHistoryRatingCompetitor(w2=w2), WholeHistoryRatingCompetitor(w2=w2)
    for n in range(games):
        (first.beat if n < wins else first.lost_to)(second, DAY)
    return first.rating - second.rating, first.expected_score(second)


def other(w2, wins, games):
    """The same in whole-history-rating."""
    model = WHR({"w2": w2})
    for n in range(games):
        model.create_game("first", "second", "B" if n < wins else "W", 1, 0)
    model.auto_iterate()
    (one,), (two,) = model.ratings_for_player("first"), model.ratings_for_player("second")
    return one[1] - two[1]


seen = {}
for w2 in (1, 14, 300, 30000):
    points, chance = lead(w2, 300, 400)
    seen[w2] = round(points), round(other(w2, 300, 400))
    print(f"w2={w2}: 75 % of 400 games: elote {seen[w2][0]} points ({chance:.0%}), whole-history-rating {seen[w2][1]}")
unbeaten = lead(300, 100, 100)[1]
print(f"w2=300: expected score after 100 wins out of 100: {unbeaten:.0%}")
if not (seen[1][0] < 5 and seen[300][0] < 140 and all(abs(points - 191) < 3 for _, points in seen.values()) and unbeaten < 0.7):
    sys.exit("changed: the lead of a player of constant strength")
EOF
