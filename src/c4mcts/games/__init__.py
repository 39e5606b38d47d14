"""Games other than Connect-4: the protocol of a game, and its search in plain Python.

>>> from c4mcts.games import GameSearch, TicTacToe
>>> GameSearch(TicTacToe(), seed=1).search(simulations=2000).move     # the centre
4
"""

from .game import Game
from .game_search import GameMove, GameResult, GameSearch
from .tictactoe import TicTacToe

__all__ = ["Game", "GameMove", "GameResult", "GameSearch", "TicTacToe"]
