#!/usr/bin/env bash
# mcts-simple 1.1.0. One expects that load() brings the tree, and that UCT(game, c=..., seed=...) says how the search goes
# on. But each node of the file has its own c, which also its new children get, and the state of the random numbers is
# loaded too: after load() the new c and the new seed are ignored, though the object still shows them. Workers that load
# one tree and are given different seeds all play the same games, and a sweep of c on a saved tree compares equal searches.
# The README mentions neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet mcts-simple==1.1.0
cd "$folder"
venv/bin/python - 2>/dev/null <<'EOF' || { echo "changed: the parameters of the new search count" >&2; exit 1; }
import sys

from mcts_simple import UCT, Game


class Nim(Game):
    """Fifteen stones, of which one, two or three are taken; who takes the last one wins."""

    def __init__(self):
        self.stones, self.player = 15, 0

    def render(self):
        pass

    def get_state(self):
        return self.stones

    def number_of_players(self):
        return 2

    def current_player(self):
        return self.player

    def possible_actions(self):
        return [n for n in (1, 2, 3) if n <= self.stones]

    def take_action(self, action):
        self.stones -= action
        self.player = 1 - self.player

    def has_outcome(self):
        return self.stones == 0

    def winner(self):
        return [1 - self.player] if self.stones == 0 else []


def visits(search):
    search.self_play(300)
    return [child.n for child in search.root.children.values()]


def search(c, seed, load):
    found = UCT(Nim(), allow_transpositions=False, c=c, seed=seed)
    if load:
        found.load("tree")
    return visits(found)


first = UCT(Nim(), allow_transpositions=False, seed=1)
first.self_play(20)
first.save("tree")
fresh = [search(c, seed, False) for c, seed in ((1.4, 1), (1.4, 2), (0.1, 1))]
loaded = [search(c, seed, True) for c, seed in ((1.4, 1), (1.4, 2), (0.1, 1))]
print("new searches, c and seed 1.4, 1; 1.4, 2; 0.1, 1:", *fresh)
print("the same after load():                          ", *loaded)
sys.exit(not (fresh[0] != fresh[1] and fresh[0] != fresh[2] and loaded[0] == loaded[1] == loaded[2]))
EOF
