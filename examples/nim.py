"""Nim: how to write your own game in four methods and two attributes, and search and play it.

python examples/nim.py 3 4 5

Two players take turns; a move takes any number of objects from one pile; the player who takes the last object wins.
"""

import sys

from c4mcts.games import GameSearch


class Nim:
    """Piles of objects; a move is (pile, number of objects)."""

    def __init__(self, piles, turn=0):
        self.piles = list(piles)
        self.turn = turn  # the player to move, 0 or 1

    def copy(self):
        return Nim(self.piles, self.turn)

    @property
    def legal_moves(self):
        return [(pile, count) for pile, size in enumerate(self.piles) for count in range(1, size + 1)]

    def push(self, move):
        pile, count = move
        if not 1 <= count <= self.piles[pile]:
            raise ValueError(f"can't take {count} of {self.piles[pile]}")
        self.piles[pile] -= count
        self.turn = 1 - self.turn

    def is_over(self):
        return not any(self.piles)

    def result(self, player):
        return -1 if player == self.turn else 1  # the player who would move next has lost


def main(piles):
    search = GameSearch(Nim(piles), seed=1)
    while not search.game.is_over():
        game = search.game
        result = search.search(simulations=20_000)
        pile, count = result.move
        print(f"{game.piles}: player {game.turn} takes {count} from pile {pile}, value {result.value:.2f}")
        search.advance(result.move)
    print(f"player {1 - search.game.turn} wins")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [3, 4, 5])
