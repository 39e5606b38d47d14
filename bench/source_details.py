"""Checks details of the five earlier systems (docs/prior_systems/sources.md): shares and means with 95 % intervals.

lengths       plies of random games on the notebook's boards
tic-tac-toe   how often the upper left corner is chosen, if a game continues after a win and if it ends
short-wins    no-diagonals with and without its rule for equal moves
discount      searches with discounted rewards against the same without
"""

import math

import numpy as np
from measure import Report, check_claims, percent
from sources import MODES, NO_DIAGONALS, SMALL, add_share

from c4mcts import Board, Rules, SearchParams
from c4mcts.games import GameSearch, TicTacToe
from c4mcts.play import EnginePlayer, MatchResult, RandomPlayer, play_match
from c4mcts.play.ratings import Z
from c4mcts.search.random_games import rollouts

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def lengths(report: Report) -> None:
    """Mean plies of random games."""
    for width, height in ((7, 6), (7, 40), (11, 6), (20, 14)):
        games = rollouts(Board(Rules(width, height)), 1_000_000, seed=1)
        report.add(what=f"{width}x{height}: plies of a random game", found=f"{games.mean_plies:.2f}", of=games.games)


class PlaysOn:
    """Tic-tac-toe that continues after a win until all cells are marked; then the first full row of ROWS counts."""

    def __init__(self) -> None:
        self.marks: list[int | None] = [None] * 9

    @property
    def turn(self) -> int:
        return (9 - self.marks.count(None)) % 2

    def copy(self) -> "PlaysOn":
        game = PlaysOn()
        game.marks = self.marks.copy()
        return game

    @property
    def legal_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.marks) if mark is None]

    def push(self, move: int) -> None:
        self.marks[move] = self.turn

    def is_over(self) -> bool:
        return None not in self.marks

    def result(self, player: int) -> int:
        for row in ROWS:
            marks = {self.marks[cell] for cell in row}
            if len(marks) == 1:
                return 1 if marks == {player} else -1
        return 0


def tic_tac_toe(report: Report, searches: int = 1000) -> None:
    """The first move of 100 iterations with the parameters of the notebook."""
    params = SearchParams.preset("notebook-uct", rewards=(1, 0.5, 0))
    for kind in (PlaysOn, TicTacToe):
        moves = [GameSearch(kind(), params, seed=seed).search(simulations=100).move for seed in range(searches)]
        for cell, name in ((0, "upper left corner"), (4, "centre")):
            add_share(report, f"{kind.__name__}, 100: {name}", moves.count(cell), searches)


def short_wins(report: Report, games: int = 6000) -> None:
    """Among equal moves the one with the sooner win, compared with a random one: the rules against each other, and each
    against a random player."""
    rules = {"the sooner win": NO_DIAGONALS, "a random one": NO_DIAGONALS.changed(choice="value")}
    players = {name: EnginePlayer(params, simulations="columns") for name, params in rules.items()}
    match = play_match(*players.values(), games=games, start=Board(SMALL), seed=1)
    add_score(report, "the sooner win against a random one", match)
    for name, player in players.items():
        match = play_match(player, RandomPlayer(), games=games, start=Board(SMALL), seed=1)
        add_share(report, f"{name}: won against a random player", match.wins, games)


def discount(report: Report, games: int = 600) -> None:
    """The course report's search with discounted rewards, against itself without; first moves alternate."""
    points = [(kept, simulations, math.sqrt(2)) for simulations in (100, 1000) for kept in (0.999, 0.99, 0.98, 0.95)]
    for kept, simulations, factor in [*points, (0.95, 1000, 0.7)]:
        plain = MODES["minimax"].changed(exploration=factor)
        searches = plain.changed(discount=kept), plain
        players = [EnginePlayer(params, simulations=simulations) for params in searches]
        match = play_match(*players, games=games, seed=1)
        add_score(report, f"discount={kept} at {simulations:,}, c = {factor:.2f}", match)


def add_score(report: Report, what: str, match: MatchResult) -> None:
    """Add a row: the mean score with its normal interval."""
    scores = np.repeat([1.0, 0.5, 0.0], [match.wins, match.draws, match.losses])
    half = Z * float(scores.std(ddof=1)) / len(scores) ** 0.5
    low, high = percent(match.score - half), percent(match.score + half)
    report.add(what=f"{what}: {match}", found=f"{percent(match.score)} % ({low} - {high})", of=len(scores))


PARTS = {"lengths": lengths, "tic-tac-toe": tic_tac_toe, "short-wins": short_wins, "discount": discount}

if __name__ == "__main__":
    check_claims(__doc__, "Details of the earlier systems", PARTS)
