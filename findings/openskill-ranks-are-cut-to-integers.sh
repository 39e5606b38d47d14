#!/usr/bin/env bash
# openskill 6.2.0. The argument `ranks` of rate() is documented as floats, of which the lower ones win, in each of the five
# models. So one passes the average place in a tournament, or the seconds that a solver took. PlackettLuce, the model of
# the README, cuts them to integers: 0.2 against 0.9 is a draw, 0.9 against 1.1 a win. The four others order them.
# Nothing is raised, the draw even makes both ratings surer, and a comparison of the models compares different results.
# `scores` are ranked first, so that scores=[-0.2, -0.9] works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet openskill==6.2.0
"$folder/venv/bin/python" - <<'EOF'
import sys

from openskill.models import BradleyTerryFull, BradleyTerryPart, PlackettLuce, ThurstoneMostellerFull, ThurstoneMostellerPart


def lead(model, **result):
    """By how much the first of two new players leads after one game."""
    (first,), (second,) = model.rate([[model.rating()], [model.rating()]], **result)
    return round(first.mu - second.mu, 2)


draws = []
for kind in (PlackettLuce, BradleyTerryFull, BradleyTerryPart, ThurstoneMostellerFull, ThurstoneMostellerPart):
    model = kind()
    row = [lead(model, ranks=[0.2, 0.9]), lead(model, ranks=[0.9, 1.1]), lead(model, scores=[-0.2, -0.9])]
    print(f"{kind.__name__}: ranks 0.2 and 0.9: {row[0]}; 0.9 and 1.1: {row[1]}; scores -0.2 and -0.9: {row[2]}")
    if row[0] == 0:
        draws.append(kind.__name__)
    if min(row[1:]) <= 0:
        sys.exit(f"changed: the winner gains nothing in {kind.__name__}")
if draws != ["PlackettLuce"]:
    sys.exit(f"changed: ranks 0.2 and 0.9 are a draw in {draws}")
EOF
