#!/usr/bin/env bash
# gymcts 1.5.1. One expects that the parameters of an agent are its own. But the formula (score_variate) and
# best_action_weight are kept on the class of its nodes: making a second agent changes the search of the first one, in
# the middle of a game, and an agent made without best_action_weight has the weight of whichever agent last set one.
# Comparing two formulas in one process compares the second one with itself. The documentation describes both as
# arguments of an agent, and says nothing of this.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gymcts==1.5.1 gymnasium==1.4.0 numpy==1.26.4
"$folder/venv/bin/python" - <<'EOF'
import random
import sys

import gymnasium
from gymcts.gymcts_agent import GymctsAgent
from gymcts.gymcts_env_abc import GymctsABC


class Stones(GymctsABC, gymnasium.Env):
    """Four moves of 0 to 4; the reward is their product."""

    action_space = gymnasium.spaces.Discrete(5)

    def __init__(self):
        self.moves = ()

    def get_state(self):
        return self.moves

    def load_state(self, state):
        self.moves = state

    def is_terminal(self):
        return len(self.moves) == 4

    def get_valid_actions(self):
        return [] if self.is_terminal() else list(range(5))

    def action_masks(self):
        return [True] * 5

    def step(self, action):
        self.moves += (action,)
        return self.moves, 0.0, self.is_terminal(), False, {}

    def rollout(self):
        while not self.is_terminal():
            self.step(random.randrange(5))
        product = 1
        for move in self.moves:
            product *= move
        return product / 256


def visits(other):
    """How the first agent divides 400 simulations; `other` makes a second agent before they begin."""
    random.seed(1)
    first = GymctsAgent(Stones(), score_variate="UCT_v0", best_action_weight=0.0)
    other()
    first.vanilla_mcts_search(num_simulations=400)
    return [child.visit_count for child in first.search_root_node.children.values()]


alone = visits(lambda: None)
beside_its_twin = visits(lambda: GymctsAgent(Stones(), score_variate="UCT_v0", best_action_weight=0.0))
beside_another = visits(lambda: GymctsAgent(Stones(), score_variate="UCT_v2", best_action_weight=0.0))
GymctsAgent(Stones(), best_action_weight=0.9)
left_over = GymctsAgent(Stones()).search_root_node.best_action_weight
print("the first agent's visits alone:                 ", alone)
print("... with a second agent of the same formula:    ", beside_its_twin)
print("... with a second agent of the formula UCT_v2:  ", beside_another)
print("best_action_weight of an agent made without one:", left_over)
if not (alone == beside_its_twin != beside_another and left_over == 0.9):
    sys.exit("changed: a second agent no longer changes the first one")
EOF
