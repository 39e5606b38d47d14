"""Players, games between them, and reviews of games.

>>> from c4mcts.play import EnginePlayer, RandomPlayer, play_match
>>> print(play_match(EnginePlayer(simulations=200), RandomPlayer(), games=2, seed=1))
2 won, 0 drawn, 0 lost
"""

from typing import TYPE_CHECKING

from .arena import MatchResult, Terms, play_game, play_match
from .exam import ExamCertificate, examine, grade_moves
from .exploit import exploit
from .game_files import GameNode, GameTree, SavedGame, append_game, read_game
from .known_openings import KnownOpening, known_opening
from .levels import LEVELS, Level, LevelPlayer
from .network_player import NetworkPlayer
from .openings import openings
from .played_game import End, PlayedGame
from .player import Player
from .player_specs import Contestant, contestant
from .players import EnginePlayer, GameSearchPlayer, PerfectPlayer, RandomPlayer
from .puzzles import Puzzle, puzzles
from .ratings import Estimate, Sprt, bradley_terry, elo_of, expected_score, match_estimate
from .review import MoveReview, Review, review
from .strategy import proof_tree
from .sweep import BatchPlayer
from .tournament import play_tournament
from .tournament_result import Pairing, Standing, Tournament, TournamentGame
from .worst_case import WorstCase

__all__ = [
    "LEVELS",
    "BatchPlayer",
    "Contestant",
    "End",
    "EnginePlayer",
    "Estimate",
    "ExamCertificate",
    "GameNode",
    "GameSearchPlayer",
    "GameTree",
    "KnownOpening",
    "Level",
    "LevelPlayer",
    "MatchResult",
    "MoveReview",
    "NetworkPlayer",
    "Pairing",
    "PerfectPlayer",
    "PlayedGame",
    "Player",
    "Puzzle",
    "RandomPlayer",
    "Review",
    "SavedGame",
    "Sprt",
    "Standing",
    "Terms",
    "Tournament",
    "TournamentGame",
    "WorstCase",
    "append_game",
    "bradley_terry",
    "contestant",
    "elo_of",
    "examine",
    "expected_score",
    "exploit",
    "grade_moves",
    "known_opening",
    "match_estimate",
    "openings",
    "play_game",
    "play_match",
    "play_tournament",
    "proof_tree",
    "puzzles",
    "read_game",
    "review",
]

if not TYPE_CHECKING:  # otherwise type checkers would accept every name

    def __getattr__(name):
        from .._hints import missing_name

        raise missing_name(__name__, name)
