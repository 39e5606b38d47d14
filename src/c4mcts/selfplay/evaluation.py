"""evaluate and is_better: how good a network is, on positions with exact scores and against another network."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from .._hints import check_keywords, with_hints
from .._validation import an_instance, between, counted, function, positive
from ..executors.work import WorkOptions
from ..play.openings import default_plies, openings
from ..play.player_specs import Contestant
from ..play.players import EnginePlayer
from ..play.ratings import Sprt, wilson
from ..play.tournament import play_tournament
from ..rules import Rules, rules_or_default
from ..search.evaluation import Evaluator, suitable_evaluator
from ..search.params import SearchParams, search_params
from ..solver.book import NO_SCORE
from .pool import search_many

FILE = Path(__file__).with_name("positions.npz")  # made by examples/alphazero/make_positions.py


class ExactPositions(NamedTuple):
    """n positions of the usual board, those with fewer discs first."""

    own: npt.NDArray[np.uint64]  # (n,): see Board.own
    mask: npt.NDArray[np.uint64]  # (n,)
    scores: npt.NDArray[np.int8]  # (n, 7): of each move, on the scale of Solution; NO_SCORE for full columns

    @property
    def plies(self) -> npt.NDArray[np.uint8]:
        """Numbers of discs, (n,)."""
        return np.bitwise_count(self.mask)

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """The open columns, (n, 7)."""
        return np.asarray(self.scores != NO_SCORE)

    def chosen(self, count: int) -> "ExactPositions":
        """So many of them, evenly over the numbers of discs."""
        rows = np.linspace(0, len(self.own) - 1, count).round().astype(int)
        return ExactPositions(*(array[rows] for array in self))

    def evaluation(self, columns: npt.NDArray[np.integer]) -> "Evaluation":
        """How good these moves are, one in each position."""
        best, chosen = self.scores.max(axis=1), self.scores[np.arange(len(columns)), columns]
        return Evaluation(self, columns, np.sign(chosen) < np.sign(best), best - chosen)


@cache
def exact_positions() -> ExactPositions:
    """2,000 positions with 0 to 36 discs whose moves differ in value (win, draw or loss), and the score of each move.

    Half are from games of random moves, half from games of UCT; in none can the next disc win.
    """
    with np.load(FILE) as arrays:
        return ExactPositions(*(arrays[name] for name in ExactPositions._fields))


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The moves that a network, or a search with it, chooses in n positions with exact scores."""

    positions: ExactPositions
    columns: npt.NDArray[np.integer]  # (n,): the move in each position
    errors: npt.NDArray[np.bool_]  # (n,): whether it gives up a win or a draw
    losses: npt.NDArray[np.int8]  # (n,): by how much its exact score is less than the best one

    @property
    def error_rate(self) -> float:
        """The share of the positions with an error."""
        return float(self.errors.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the error rate (Wilson)."""
        low, high = wilson(self.errors.sum(), len(self.columns)).tolist()
        return low, high

    def __repr__(self) -> str:
        low, high = self.interval
        rate = f"{self.error_rate:.1%} errors ({low:.1%} to {high:.1%})"
        positions = counted(len(self.columns), "position")
        return f"<{rate} in {positions}, {self.losses.mean():.2f} points of score lost on average>"


@with_hints
def evaluate(
    network: Evaluator,
    params: SearchParams | None = None,
    *,
    simulations: int = 1,
    positions: int = 2000,
    seed: int | None = 0,
) -> Evaluation:
    """How often a network errs in the 2,000 positions of `exact_positions`, all on the usual board.

    network: an evaluator, as for Engine. simulations: of the search in each position; with 1, the default, the move is
    the one with the highest prior. params, seed: as for search_many. positions: how many, evenly over the numbers of
    discs.

    Raises as search_many does, which needs the native backend.
    """
    function("network", network)
    every = exact_positions()
    tests = every.chosen(between("positions", positions, 1, len(every.own)))
    results = search_many((tests.own, tests.mask), network, params, simulations=simulations, rules=Rules(), seed=seed)
    policy = np.where(tests.legal, results.prior, -1)
    return tests.evaluation(policy.argmax(axis=1) if simulations == 1 else results.column)


def is_better(
    new: Evaluator,
    old: Evaluator,
    params: SearchParams | None = None,
    *,
    simulations: int = 100,
    games: int = 400,
    sprt: Sprt | None = None,
    rules: Rules | None = None,
    **options: Unpack[WorkOptions],
) -> bool:
    """Whether a network is stronger than another one: the gate of a training loop.

    Both search with the same parameters, and play pairs of games from different openings until a sequential test
    decides. By default it asks whether `new` is better by 50 Elo points (H1), or not better at all (H0): Sprt(0, 50).
    True only for H1: not after `games` without a decision. With fewer openings than pairs there are fewer games, since
    searches without noise would repeat them.

    params: by default the preset "alphazero" without noise. simulations: for each move. options: as for
    c4mcts.play.play_tournament; an executor of processes pickles both evaluators.

    Raises what play_tournament raises.
    """
    check_keywords(is_better, options, WorkOptions)
    params = SearchParams.preset("alphazero", root_noise=None) if params is None else search_params(params)
    sprt = Sprt(0, 50) if sprt is None else an_instance("sprt", sprt, Sprt, "an Sprt")
    player, players = partial(EnginePlayer, params, simulations=positive("simulations", simulations)), []
    for name, network in (("new", new), ("old", old)):
        suitable_evaluator(function(name, network), params, threads=1, rules=rules)
        players.append(Contestant(name, partial(player, evaluator=network)))
    starts = openings(default_plies(rules_or_default(rules)) + 1, rules, balanced=False)
    games = min(positive("games", games), 2 * len(starts))
    tournament = play_tournament(players, games=games, rules=rules, openings=starts, sprt=sprt, **options)
    return tournament.decision == "H1"
