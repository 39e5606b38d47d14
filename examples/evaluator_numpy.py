"""A NumPy function as the evaluator of a search: no network, just a simple rule about what is good in Connect-4.

python examples/evaluator_numpy.py
"""

from functools import cache

import numpy as np

from c4mcts import Board, Engine, PuctParams

CONNECT = 4


@cache
def lines_through(height, width):
    """The number of lines of four through each cell: an array of shape (height, width)."""
    lines = np.zeros((height, width))
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(height):
            for column in range(width):
                cells = [(row + i * down, column + i * right) for i in range(CONNECT)]
                if all(0 <= r < height and 0 <= c < width for r, c in cells):
                    for cell in cells:
                        lines[cell] += 1
    return lines


def evaluator(planes, legal):
    """A disc is worth the number of lines through its cell; so is a column, for the cell where a disc would land."""
    height, width = planes.shape[2:]
    weights = lines_through(height, width)
    own, other = planes[:, 0], planes[:, 1]
    values = np.tanh(0.05 * ((own - other) * weights).sum(axis=(1, 2)))
    filled = (own + other).sum(axis=1).astype(int)  # discs in each column
    rows = np.clip(height - 1 - filled, 0, None)
    priors = 1 + weights[rows, np.arange(width)]
    return np.where(legal, priors, 0), values


def main():
    params = PuctParams()
    engine = Engine(params, seed=1, evaluator=evaluator)
    print(engine.search(Board.from_pons("4453"), simulations=800))


if __name__ == "__main__":
    main()
