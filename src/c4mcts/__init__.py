"""Connect-4 by Monte Carlo tree search: play, analyse, study.

>>> import c4mcts
>>> board = c4mcts.Board.from_pons("4453")
>>> result = c4mcts.Engine(seed=7).search(board, simulations=10_000)
>>> result.column in board.legal_columns
True
"""

from ._backend import backend
from .board.board import Board, Outcome
from .board.perft import perft
from .board.start_positions import prefilled_board
from .errors import CheckpointError, GameOverError, IllegalMoveError, NotationError, SaveError
from .rules import Rules
from .search.engine import Engine
from .search.params import SearchParams
from .search.random_games import RolloutStats, rollouts
from .search.results import MoveStats, SearchResult
from .search.root_parallel import search_ensemble
from .solver.book import Book
from .solver.book_building import build_book
from .solver.bulk import Solutions, solve_many
from .solver.solution import Solution
from .solver.solver import Solver, solve

__version__ = "0.1.0"

__all__ = [
    "Board",
    "Book",
    "CheckpointError",
    "Engine",
    "GameOverError",
    "IllegalMoveError",
    "MoveStats",
    "NotationError",
    "Outcome",
    "RolloutStats",
    "Rules",
    "SaveError",
    "SearchParams",
    "SearchResult",
    "Solution",
    "Solutions",
    "Solver",
    "backend",
    "build_book",
    "perft",
    "prefilled_board",
    "rollouts",
    "search_ensemble",
    "solve",
    "solve_many",
]
