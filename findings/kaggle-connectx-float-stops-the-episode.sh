#!/usr/bin/env bash
# kaggle-environments 1.33.2, connectx. One expects that an answer of a wrong kind costs the agent the game: "3", True and
# 3.5 give it the status INVALID and the opponent wins. 3.0 does not: the schema of actions says "integer", which JSON
# Schema takes 3.0 for, so the answer passes; then the interpreter indexes a list with it, and env.run raises TypeError in
# the process of whoever runs the match. Nobody has won. A tournament that catches nothing ends there, one that counts an
# exception against nobody lets a losing agent escape: many networks answer with a float. Neither the
# documentation of the environment nor its specification mentions it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps kaggle-environments==1.33.2
"$folder/venv/bin/pip" install --quiet jsonschema==4.26.0 requests==2.34.2 numpy
"$folder/venv/bin/python" - <<'EOF'
import logging
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from kaggle_environments import make


def outcome(answer):
    """What becomes of a match in which the first agent gives this answer and the second plays column 1."""
    env = make("connectx")
    try:
        states = env.run([lambda observation, configuration: answer, lambda observation, configuration: 1])
    except TypeError as error:
        return f"{type(error).__name__}: {error}"
    return [state.status for state in states[-1]]


seen = {repr(answer): outcome(answer) for answer in (3, "3", True, 3.5, 3.0)}
for answer, end in seen.items():
    print(f"{answer}: {end}")
expected = {"'3'": ["INVALID", "DONE"], "True": ["INVALID", "DONE"], "3.5": ["INVALID", "DONE"]}
if any(seen[answer] != end for answer, end in expected.items()) or not str(seen["3.0"]).startswith("TypeError"):
    sys.exit("changed: what becomes of an agent that answers with a number of another kind")
EOF
