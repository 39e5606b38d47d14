#!/usr/bin/env bash
# Elo-MMR-Py 2.0.0. One expects that a drawn game brings two ratings closer together and makes them surer. A draw between
# two players is a valid contest, [("a", 0, 1), ("b", 0, 1)], is accepted, and is counted in contests_processed; but a contest in
# which all are tied rates nobody, whatever the system. Players who have only drawn are missing in the result, and a
# hundred draws change neither rating nor uncertainty, in "mmr", "glicko", "trueskill" and all the others. A tie of two
# out of three is rated. In a match of two programs, where draws are most of the games, one win in a hundred games
# decides the ratings. The README explains how ties are written, and says nothing of this.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet Elo-MMR-Py==2.0.0
"$folder/venv/bin/python" - <<'EOF'
import sys

from elo_mmr_py import SUPPORTED_SYSTEMS, Contest, Rater, rate_latest

win = [("a", 0, 0), ("b", 1, 1)]
draw = [("a", 0, 1), ("b", 0, 1)]


def ratings(system, draws):
    """Ratings, uncertainties and contests of a and b after one win of a and some draws, one contest a second."""
    rater = Rater(system)
    rater.extend([Contest(win, time_seconds=0)] + [Contest(draw, time_seconds=1 + n) for n in range(draws)])
    latest = rater.ratings
    return [(round(latest[name].mu, 1), round(latest[name].sig, 1)) for name in "ab"], rater.contests_processed


changed = []
for system in SUPPORTED_SYSTEMS:
    one, many = ratings(system, 0), ratings(system, 100)
    alone = rate_latest([Contest(draw)], system)
    print(f"{system}: after a win {one}; and 100 draws {many}; one draw alone {alone}")
    if one[0] != many[0] or alone or many[1] != 101:
        changed.append(system)
third = rate_latest([Contest([("a", 0, 1), ("b", 0, 1), ("c", 2, 2)])])
print("two of three tied:", {name: round(third[name].mu, 1) for name in "abc"})
if changed or len(third) != 3:
    sys.exit(f"changed: drawn games are rated by {changed}")
EOF
