#!/usr/bin/env bash
# game-ai-client 1.2.3. Progressive widening, recommended by its README for games with 20 or more moves and used by its three
# levels of difficulty, should search few moves deeply at first. Here a node that may not have another child yet is not left for
# its children but played out itself, until it has all its children. With n moves that takes about n * n simulations: with 40
# moves, the 1000 of the level "medium" give 32 of them one visit each, and the answer is the last legal move, a loss
# even if another move wins at once. Without widening the same search finds the win. Levels and widening constants can't
# be compared on larger boards.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet game-ai-client==1.2.3 requests==2.34.2
"$folder/venv/bin/python" - <<'EOF'
import random
import sys

from game_sdk.mcts import MCTS, SolverBackpropagationStrategy, get_expansion_strategy


class OneMove:
    """The first player has so many moves, of which one wins and the others lose."""

    def __init__(self, moves, winning, played=None):
        self.moves, self.winning, self.played = moves, winning, played

    def current_player(self):
        return int(self.played is not None)

    def get_legal_actions(self):
        return list(range(self.moves)) if self.played is None else []

    def move(self, action):
        return OneMove(self.moves, self.winning, action)

    def is_game_over(self):
        return self.played is not None

    def game_result(self):
        return -1.0 if self.played == self.winning else 1.0


class Watched(SolverBackpropagationStrategy):
    """The default of the levels; it keeps the root."""

    def backpropagate(self, node, *args, **kwargs):
        super().backpropagate(node, *args, **kwargs)
        while node.parent:
            node = node.parent
        self.root = node


seen = {}
for moves in (7, 40):
    for expansion in ("default", "progressive_widening"):
        random.seed(1)
        watched = Watched()
        search = MCTS(expansion_strategy=get_expansion_strategy(expansion), backpropagation_strategy=watched)
        answer = search.search(OneMove(moves, 3), 1000)
        visits = sorted((child.visits for child in watched.root.children.values()), reverse=True)
        seen[moves, expansion] = answer, len(visits), visits[0]
        print(f"{moves} moves, of which 3 wins, {expansion}: {answer}; {len(visits)} children, most visits {visits[0]}")
if seen[7, "progressive_widening"][0] != 3 or seen[40, "default"][0] != 3 or seen[40, "progressive_widening"] != (39, 32, 1):
    sys.exit("changed: what a search with progressive widening answers")
EOF
