"""Games of `generate` without an evaluator: each is played by an engine of its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._backend import load
from .._layout import CHANCES, DRAWN_MOVES
from ..board.board import Board
from ..executors.background import Check
from ..search.engine import Engine
from ..search.params import SearchParams
from ..search.results import SearchResult
from ..seeds import generator_state
from .openings import opening_of
from .play_params import PlayParams
from .records import Ending, GameRecord, value_of
from .resignation import resigns


@dataclass(frozen=True)
class EngineGames:
    """How games are played; can be pickled."""

    params: SearchParams
    start: Board
    play: PlayParams
    limits: dict[str, Any]

    def check(self) -> SearchParams:
        """The parameters of the searches. ValueError for what needs an evaluator."""
        if self.play.fast_simulations is not None:
            raise ValueError("fast_simulations needs an evaluator: without one all searches have the same limits")
        if self.play.opening_moves == "policy":
            raise ValueError("opening_moves='policy' needs an evaluator, whose policy it is")
        return self.params

    def play_game(self, number: int, seed: np.random.SeedSequence, check: Check) -> dict[str, Any]:
        """Play a game, and return its record in JSON types."""
        rng, moves = load("pure").rng, load("pure").moves
        state = generator_state(seed)
        engine, draws = Engine(self.params, seed=seed), rng.substream(*state, DRAWN_MOVES)
        may_resign = not rng.chance(rng.substream(*state, CHANCES), self.play.never_resign)
        board = opening_of(self.play, self.start, number, state)[0].copy()
        results: list[SearchResult] = []
        while True:
            check()
            result = engine.search(board, **self.limits, on_progress=check)
            results.append(result)
            column, turn = result.column, board.turn
            if len(results) <= self.play.temperature_plies:
                weights = result.policy(self.play.temperature).tolist()
                column = moves.draw(weights, len(weights), rng.next64(draws))
            board.push(column)
            found = self._end(board, turn, results, may_resign)
            if found is not None:
                columns = board.moves[len(self.start.moves) :]
                return GameRecord.of_results(columns, *found, results).to_json()

    def _end(
        self, board: Board, turn: int, results: list[SearchResult], may_resign: bool
    ) -> tuple[int | None, Ending] | None:
        """Winner and ending, if the game is over after the move of the player `turn`."""
        if may_resign and resigns([value_of(result) for result in results], self.play):
            return 1 - turn, Ending.RESIGNED
        end, proof = board.outcome(), results[-1].proof
        if end is not None:
            return end.winner, Ending.PLAYED_OUT
        if proof is not None and self.play.after_proof == "stop":
            return None if proof == "draw" else turn if proof == "win" else 1 - turn, Ending.PROVEN
        return None
