#!/usr/bin/env bash
# rlcard 1.2.0. With allow_step_back=True one expects of step_back() that the game is as before the step: the README has it for
# "algorithms that operate on the game tree, such as CFR". In "limit-holdem" cards, chips and legal actions come back, but not
# the numbers of raises in each round, which are part of the observation: they are written back under a misspelt name. So
# step_back() returns an observation with a raise that was never made, and a player who has looked a few moves ahead begins
# the next round of the real game with raises from a line that it did not choose. A network that was trained without looking
# ahead evaluates positions that cannot occur, and a table that is keyed by observations has several entries for one
# position. Leduc and no-limit hold'em restore what they observe. No issue names it; one like it, of no-limit, is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --use-pep517 rlcard==1.2.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'EOF'
import sys

import rlcard

CALL, RAISE, FOLD, CHECK = range(4)


def game(name):
    env = rlcard.make(name, config={"seed": 0, "allow_step_back": True})
    return env, env.reset()[0]


def raises(state):
    """Raises in each of the four rounds, as observed: one of five cells for each."""
    return [int(state["obs"][52 + 5 * i : 57 + 5 * i].argmax()) for i in range(4)]


env, start = game("limit-holdem")
env.step(RAISE)
back = env.step_back()[0]
print("observed raises in the four rounds, start:", raises(start))
print("after a raise and step_back:              ", raises(back))

ahead = [RAISE, CALL, RAISE, RAISE, CALL, RAISE]
for action in ahead:
    env.step(action)
for _ in ahead:
    env.step_back()
planned = [env.step(action)[0] for action in (CALL, CHECK)][-1]
env = game("limit-holdem")[0]
plain = [env.step(action)[0] for action in (CALL, CHECK)][-1]
print("second round begins, no raise yet:        ", raises(plain))
print("the same after six moves ahead and back:  ", raises(planned))

others = {}
for name in ("leduc-holdem", "no-limit-holdem"):
    env, start = game(name)
    env.step(sorted(start["legal_actions"])[1])
    others[name] = (env.step_back()[0]["obs"] == start["obs"]).all()
    print(name, "observes the same after step_back:", others[name])
if raises(back) != [1, 0, 0, 0] or raises(plain) != [0, 0, 0, 0] or raises(planned) == raises(plain) or not all(others.values()):
    sys.exit("changed: step_back restores the raises of limit hold'em")
EOF
