"""An agent for Kaggle ConnectX written with c4mcts, in a match against the full search.

python examples/kaggle.py

kaggle-environments is not needed.
"""

import random

from c4mcts import Board, Rules
from c4mcts.adapters.kaggle import KaggleAgent, KagglePlayer, board_of
from c4mcts.play import play_match


def careful(observation, configuration):
    """Wins if it can, otherwise stops the opponent from winning, otherwise moves at random."""
    rules = Rules(configuration.columns, configuration.rows, configuration.inarow)
    board = board_of(observation, rules)
    return random.choice(board.winning_columns() or board.threatened_columns() or board.legal_columns)


def main(games=4, seconds=0.2):
    search = KagglePlayer(KaggleAgent(seed=1), act_timeout=seconds, overage=2)
    for rules in (Rules(), Rules(6, 5, 3), Rules(9, 7, 5)):
        match = play_match(search, KagglePlayer(careful), games=games, start=Board(rules), seed=1)
        print(f"{rules}: {match}")


if __name__ == "__main__":
    main()
