"""Connect-4 by Monte Carlo tree search: play, analyse, study.

>>> import c4mcts
>>> board = c4mcts.Board.from_pons("4453")
>>> result = c4mcts.Engine(seed=7).search(board, simulations=10_000)
>>> result.column in board.legal_columns
True
"""

import os
from typing import TYPE_CHECKING

if not os.path.isdir(os.path.dirname(__file__)):
    raise ImportError(f"c4mcts can't be imported from an archive, {__file__}: its binaries and data must be files")
if TYPE_CHECKING:
    from ._backend import backend as backend
    from .board.board import Board as Board
    from .board.positions import perft as perft
    from .board.positions import prefilled_board as prefilled_board
    from .errors import C4mctsError as C4mctsError
    from .errors import CheckpointError as CheckpointError
    from .errors import GameOverError as GameOverError
    from .errors import IllegalMoveError as IllegalMoveError
    from .errors import NotationError as NotationError
    from .errors import SaveError as SaveError
    from .play.arena import play_match as play_match
    from .play.players import EnginePlayer as EnginePlayer
    from .play.review import review as review
    from .rules import Outcome as Outcome
    from .rules import Rules as Rules
    from .search.engine import Engine as Engine
    from .search.network import PolicyValueNetwork as PolicyValueNetwork
    from .search.params import GumbelParams as GumbelParams
    from .search.params import NetworkParams as NetworkParams
    from .search.params import PuctParams as PuctParams
    from .search.params import SearchParams as SearchParams
    from .search.params import UctParams as UctParams
    from .search.params import presets as presets
    from .search.random_games import RolloutStats as RolloutStats
    from .search.random_games import rollouts as rollouts
    from .search.results import SearchResult as SearchResult
    from .search.root_moves import MoveStats as MoveStats
    from .search.root_parallel import search_ensemble as search_ensemble
    from .solver.book import Book as Book
    from .solver.book_building import build_book as build_book
    from .solver.bulk import Solutions as Solutions
    from .solver.bulk import solve_many as solve_many
    from .solver.solution import Solution as Solution
    from .solver.solver import Solver as Solver
    from .solver.solver import solve as solve
    from .solver.verdict import Verdict as Verdict

__version__ = "0.1.0"

# The imports above, for __getattr__: a module is loaded when a program first uses one of its names.
_MODULES = {
    "_backend": ["backend"],
    "board.board": ["Board"],
    "board.positions": ["perft", "prefilled_board"],
    "errors": ["C4mctsError", "CheckpointError", "GameOverError", "IllegalMoveError", "NotationError", "SaveError"],
    "play.arena": ["play_match"],
    "play.players": ["EnginePlayer"],
    "play.review": ["review"],
    "rules": ["Outcome", "Rules"],
    "search.engine": ["Engine"],
    "search.network": ["PolicyValueNetwork"],
    "search.params": ["GumbelParams", "NetworkParams", "PuctParams", "SearchParams", "UctParams", "presets"],
    "search.random_games": ["RolloutStats", "rollouts"],
    "search.results": ["SearchResult"],
    "search.root_moves": ["MoveStats"],
    "search.root_parallel": ["search_ensemble"],
    "solver.book": ["Book"],
    "solver.book_building": ["build_book"],
    "solver.bulk": ["Solutions", "solve_many"],
    "solver.solution": ["Solution"],
    "solver.solver": ["Solver", "solve"],
    "solver.verdict": ["Verdict"],
}
__all__ = sorted(name for names in _MODULES.values() for name in names)
SEARCHED = ("games", "play", "protocol", "selfplay", "study", "view")  # for names that are looked for here
_SUBMODULES = {*SEARCHED, "adapters", "board", "errors", "evaluators", "rules", "search", "solver"}

if not TYPE_CHECKING:  # otherwise type checkers would accept every name

    def __getattr__(name):
        """Load a public name, or a module of the package, on first access."""
        from importlib import import_module

        if name in _SUBMODULES:
            return import_module(f".{name}", __name__)
        for module, names in _MODULES.items():
            if name in names:
                globals()[name] = getattr(import_module(f".{module}", __name__), name)
                return globals()[name]
        from ._hints import missing_name

        raise missing_name(__name__, name)

    def __dir__():
        return sorted({*globals(), *__all__, *_SUBMODULES})
