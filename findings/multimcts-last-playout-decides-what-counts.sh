#!/usr/bin/env bash
# multimcts 0.6.4. A move's value should be its mean: own rewards less the others', divided by the visits. With get_reward as
# documented (one number for who moved last: 1, -1 or 0) the others' sum holds only the teams that the last playout gave
# something: if the own side won it, the value is the share of wins, and losses don't count; if the other side won it, both
# count; after a draw the wins count twice. One more draw lifts a value from 0.70 to 1.37, above the greatest reward there
# is, and the move of the highest value is played, which is often the one that was drawn last. In tic-tac-toe the search
# errs twice as often as with the rewards of both sides in a dictionary, where the values are means. The documentation has
# the dictionary as another way to say the same. The package is built from source and needs a C++ compiler.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet cython==3.2.8 setuptools==82.0.1
"$folder/venv/bin/pip" install --quiet --no-build-isolation multimcts==0.6.4
"$folder/venv/bin/python" - <<'EOT'
import functools
import random
import sys

from multimcts import MCTS

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Number:
    """Tic-tac-toe, with the methods of a GameState; that class itself can't be searched without a suggest_move."""

    def __init__(self, cells=(0,) * 9, team=1):
        self.cells, self.team = cells, team

    def get_current_team(self):
        return self.team

    def get_legal_moves(self):
        return [cell for cell in range(9) if not self.cells[cell]]

    def make_move(self, move):
        return type(self)(self.cells[:move] + (self.team,) + self.cells[move + 1:], 3 - self.team)

    def won(self):
        return any(self.cells[a] == self.cells[b] == self.cells[c] != 0 for a, b, c in LINES)

    def is_terminal(self):
        return self.won() or all(self.cells)

    def get_reward(self):
        return 1 if self.won() else 0


class Dictionary(Number):
    def get_reward(self):
        return {3 - self.team: 1, self.team: -1} if self.won() else {1: 0, 2: 0}


@functools.lru_cache(None)
def value(cells, team):
    game = Number(cells, team)
    if game.is_terminal():
        return -1 if game.won() else 0
    return max(values(game).values())


def values(game):
    """The true value of each move, for who moves."""
    return {move: -value(game.make_move(move).cells, 3 - game.team) for move in game.get_legal_moves()}


def centre(game, iterations):
    """Visits, rewards and value of the move into the centre; a seed makes a longer search begin as a shorter one."""
    random.seed(5)
    node = MCTS().search(game(), max_iterations=iterations, return_type="node").get_parent().get_children()[4]
    return node.get_visits(), node.get_rewards(), node.get_avg_reward()


def leap(game):
    """The greatest change of that value by a single playout, from the sixth on."""
    seen = {}
    for iterations in range(300, 500):
        visits, rewards, mean = centre(game, iterations)
        seen[visits] = rewards, mean
    leaps = [(abs(mean - seen[visits - 1][1]), visits) for visits, (_, mean) in seen.items() if visits > 5 and visits - 1 in seen]
    return *max(leaps), seen


rng = random.Random(3)
positions = []
while len(positions) < 400:
    game = Number()
    for _ in range(rng.randrange(6)):
        if not game.is_terminal():
            game = game.make_move(rng.choice(game.get_legal_moves()))
    if not game.is_terminal() and len(set(values(game).values())) > 1:
        positions.append(game)


def errors(game):
    """The positions of which a search of 400 playouts makes something worse."""
    random.seed(1)
    moves = [MCTS().search(game(each.cells, each.team), max_iterations=400, return_type="move") for each in positions]
    return sum(values(each)[move] < max(values(each).values()) for each, move in zip(positions, moves))


change, visits, seen = leap(Number)
for count in (visits - 1, visits):
    rewards, mean = seen[count]
    true = (rewards.get("1", 0) - rewards.get("2", 0)) / count
    print(f"a number: {count} playouts, rewards {rewards}: value {mean:.3f} (own less other by visits: {true:.3f})")
steady = leap(Dictionary)[0]
print(f"greatest change of that value by one playout: {change:.3f}; with a dictionary {steady:.3f}")
wrong = errors(Number), errors(Dictionary)
print(f"wrong moves in {len(positions)} positions: {wrong[0]} with a number, {wrong[1]} with a dictionary")
if change < 0.2 or steady > 0.05 or wrong[0] < 1.3 * wrong[1]:
    sys.exit("changed: the value is a mean whoever got the last reward")
EOT
