"""Checks the claims of the five earlier systems (docs/prior_systems/sources.md): means and shares with 95 % intervals.

report        convergence on the empty board; games against a random opponent and against the perfect player
levels        games of the report's search against our levels
both-win      pre-filled boards on which both open columns win
timed         rollouts, moves that keep the value, games against the perfect player
puct-node     moves that keep the value, by the sign of the callback's value and by the backup
notebook      how often the middle column is chosen, and how long a search takes
no-diagonals  games against a random opponent, moves that keep the value

Seeds are fixed: everything but the times is reproducible.
"""

import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from measure import Report, check_claims
from strength import STANDARD, decisive_positions, sign

from c4mcts import Board, Engine, PuctParams, Rules, SearchParams, prefilled_board, rollouts, solve, study
from c4mcts.play import LEVELS, EnginePlayer, LevelPlayer, PerfectPlayer, RandomPlayer, play_match
from c4mcts.search.evaluators import Evaluator
from c4mcts.search.limits import Simulations
from c4mcts.study.result import Z

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from oracles import prior_systems
from oracles.board import Game

STARTS = {"empty": Board(), "pre-filled": prefilled_board()}
WINNING = {0: 3, 30: 5}  # the only winning column, by number of discs on the board
MODES = {mode: SearchParams.preset(f"report-{mode}") for mode in ("minimax", "random")}
TIMED = SearchParams.preset("uct-timed")
NOTEBOOK = SearchParams.preset("notebook-uct")
NO_DIAGONALS = SearchParams.preset("no-diagonals")
PUCT_NODE = SearchParams.preset("puct-node")
SMALL = Rules(6, 5, 4, diagonals=False)
PLY_RANGES = ((6, 9), (10, 19), (20, 29))
POSITIONS = 200  # in each range of plies
SEARCHES = 500
GAMES = 1000  # against a random opponent
MATCH = 20  # games against the perfect player, in which the search moves first


def add_share(report: Report, what: str, hits: int, of: int) -> None:
    """Add a row: a share in percent."""
    low, high = study.wilson(hits, of)
    report.add(what=what, found=f"{hits / of:.1%}", low=f"{low:.1%}", high=f"{high:.1%}", of=of)


def add_mean(report: Report, what: str, values: npt.NDArray[np.float64]) -> None:
    """Add a row: a mean with its normal interval."""
    mean, half = float(values.mean()), Z * float(values.std(ddof=1)) / len(values) ** 0.5
    report.add(what=what, found=f"{mean:.3f}", low=f"{mean - half:.3f}", high=f"{mean + half:.3f}", of=len(values))


def add_games(report: Report, what: str, player: EnginePlayer, opponent: Any, start: Board) -> None:
    """Add a row: games against the perfect player."""
    match = play_match(player, opponent, games=MATCH, start=start, alternate=False, seed=1)
    report.add(what=f"{what}, won - drawn - lost", found=f"{match.wins} - {match.draws} - {match.losses}", of=MATCH)


def claims_of_the_report(report: Report) -> None:
    """Convergence, values, games."""
    for (mode, params), (place, board) in product(MODES.items(), STARTS.items()):
        convergence(report, f"{mode}, {place}", params, board)
    other_opponents(report)
    games_against_random(report)
    perfect = PerfectPlayer()
    for (mode, params), (place, board) in product(MODES.items(), STARTS.items()):
        player = EnginePlayer(params, simulations=5000)
        add_games(report, f"{mode}, {place}: against the perfect player, 5,000", player, perfect, board)


def convergence(report: Report, what: str, params: SearchParams, board: Board) -> None:
    """How many searches visit the winning column most, and the values of the columns."""
    found = study.convergence(board, params, simulations=[1000, 2500, 5000, 50_000], runs=SEARCHES, seed=1)
    column = WINNING[board.ply]
    for point, simulations in enumerate(found.simulations.tolist()):
        hits = int((found.visits[:, point].argmax(axis=1) == column).sum())
        add_share(report, f"{what}: column {column} most visited at {simulations:,}", hits, SEARCHES)
    for point in (2, 3):
        for each in board.legal_columns if board.ply else [column]:
            add_mean(report, f"{what}: Q of column {each} at {found.simulations[point]:,}", found.q[:, point, each])
    add_mean(report, f"{what}: visits of column {column}, share at 5,000", found.visits[:, 2, column] / 5000)


def other_opponents(report: Report, runs: int = 30) -> None:
    """Q and best column, if the opponent picks the lowest mean plus bonus, or the lowest mean, instead of the lowest
    mean minus bonus."""
    for sign_of_bonus, words_for_it in ((1, "Q + bonus"), (0, "Q alone")):
        values, centre = [], 0
        for seed in range(runs):
            game, system = Game(7, 6, 4), OtherArgmin(sign_of_bonus)
            chance, x = prior_systems.Chance(random_bits(seed), 7), str(game.cells)
            for _ in range(5000):
                system.iterate(game, chance)
            column = max(range(7), key=lambda a: system.n[x, a])
            values.append(system.q[x, column] / system.n[x, column])
            centre += column == 3
        what = f"argmin of {words_for_it}, empty"
        add_mean(report, f"{what}: Q of the most visited column at 5,000", np.array(values))
        add_share(report, f"{what}: column 3 most visited at 5,000", centre, runs)


class OtherArgmin(prior_systems.Report):
    """The report's search with the opponent's bonus added to the mean that he minimises (1), or left out (0)."""

    def __init__(self, sign_of_bonus: int) -> None:
        super().__init__("minimax")
        self.sign_of_bonus = sign_of_bonus

    def choose(self, game: Game, chance: prior_systems.Chance, agent: int) -> int:
        x, actions = str(game.cells), game.legal_columns()
        if game.turn() == agent or any(not self.n.get((x, a)) for a in actions):
            return int(super().choose(game, chance, agent))

        def score(a: int) -> float:
            mean = self.q[x, a] / self.n[x, a]
            bonus = float(prior_systems.ucb1(0.0, self.visits[x], self.n[x, a]))
            return -(mean + self.sign_of_bonus * bonus)

        return int(prior_systems.one_of_the_best(actions, score, chance))


def random_bits(seed: int) -> Iterator[int]:
    """An endless stream of random 64-bit integers."""
    chance = random.Random(seed)
    while True:
        yield chance.getrandbits(64)


def games_against_random(report: Report) -> None:
    """Wins against a random opponent: of the presets, and with the parts they leave out."""
    budgets = [5, 10, 25, 50, 100, 1000]
    for first in ("alternate", "search"):
        found = study.win_rate(STARTS, MODES, budgets=budgets, games=GAMES, first=first, seed=1)
        moves = "first moves alternate" if first == "alternate" else "search moves first"
        for (i, place), (j, mode), (k, budget) in product(enumerate(STARTS), enumerate(MODES), enumerate(budgets)):
            add_share(report, f"{mode}, {place}: won at {budget:,}, {moves}", int(found.wins[i, j, k]), GAMES)
    others = {"ties by the mean": {"choice": "visits"}, "the two checks": {"checks": True}}
    for (mode, params), (what, changes) in product(MODES.items(), others.items()):
        for place, board in STARTS.items():
            found = study.win_rate(board, params.changed(**changes), budgets=budgets, games=GAMES, seed=1)
            for k, budget in enumerate(budgets):
                add_share(report, f"{mode}, {place}: won at {budget:,}, with {what}", int(found.wins[0, 0, k]), GAMES)
    board = prefilled_board()
    for side, what in ((0, "moving first"), (1, "moving second")):
        report.add(
            what=f"pre-filled: winning chance of a perfect player {what}", found=f"{chance_to_win(board, side):.1%}"
        )
    board.push(2)
    report.add(what="pre-filled: the same moving first, in column 2", found=f"{chance_to_win(board, 0):.1%}")


@cache
def chance_to_win(board: Board, side: int) -> float:
    """The chance that a perfect player wins against a random one. side: of the perfect player, 0 or 1."""
    outcome = board.outcome()
    if outcome is not None:
        return float(outcome.winner == side)
    chances = []
    for column in board.legal_columns:
        after = board.copy()
        after.push(column)
        chances.append(chance_to_win(after, side))
    return max(chances) if board.turn == side else statistics.fmean(chances)


def games_against_levels(report: Report, games: int = 100) -> None:
    """The report's search at its largest budget against our levels; first moves alternate."""
    player = EnginePlayer(MODES["minimax"], simulations=5000)
    for level in LEVELS[2:8]:
        match = play_match(player, LevelPlayer(level.number), games=games, seed=1)
        add_share(report, f"minimax at 5,000: won against level {level.number}, {level.name}", match.wins, games)
        report.add(
            what=f"won - drawn - lost against level {level.number}",
            found=f"{match.wins} - {match.draws} - {match.losses}",
        )


def both_win(report: Report, boards: int = 20, games: int = 20) -> None:
    """Pre-filled boards in which both open columns win: each mode moves first against a random and a perfect player."""
    starts = both_winning(boards)
    for mode, params in MODES.items():
        for budget in (100, 1000):
            player = EnginePlayer(params, simulations=budget)
            for name, opponent in (("a random", RandomPlayer()), ("the perfect", PerfectPlayer())):
                options = {"games": games, "alternate": False, "seed": 1}
                wins = sum(play_match(player, opponent, start=start, **options).wins for start in starts)
                add_share(report, f"{mode} at {budget:,}: won against {name} player", wins, boards * games)


def both_winning(number: int) -> list[Board]:
    """Random boards with five full columns, the first player to move, in which both other columns win."""
    chance, found = random.Random(1), []
    while len(found) < number:
        discs = [1, 2] * 15
        chance.shuffle(discs)
        columns = [discs[6 * i : 6 * i + 6] for i in range(5)]
        for at in sorted(chance.sample(range(7), 2)):
            columns.insert(at, [0] * 6)
        with suppress(ValueError):  # a line in it
            board = Board.from_array(np.array(columns).T)
            if not board.is_over() and all(score is None or score > 0 for score in solve(board, columns=True).columns):
                found.append(board)
    return found


def claims_of_puct_node(report: Report) -> None:
    """The moves of 100 iterations, with the mean of ten random games as the value of a position for the player to move.

    The tutorial stores this value as it is; the preset negates it where it is for the other player. The usual backup
    averages the values of the leaves.
    """
    usual = {"exploration": 1.0, "first_play": 0.0, "rewards": (1, 0, -1), "batch_size": 1, "choice": "visits_only"}
    searches = {
        "the preset": (PUCT_NODE, partial(random_games, 1)),
        "the value stored as it is": (PUCT_NODE, partial(random_games, -1)),
        "the usual backup": (PuctParams(**usual, tie_break="random", checks=False), partial(random_games, 1)),
    }
    for low, high in ((10, 19), (20, 29)):
        for what, (params, evaluator) in searches.items():
            add_kept(report, params, [100], low, high, evaluator=evaluator, what=what)


def random_games(sign_of_value: int, planes: npt.NDArray[Any], legal: npt.NDArray[Any]) -> tuple[Any, Any]:
    """Equal priors, and the mean result of ten random games, for the player to move or with the sign reversed."""
    values = []
    for plane in planes:
        own = plane[..., 0] if plane.shape[-1] == 1 else plane[0] - plane[1]
        first = 1 if (own != 0).sum() % 2 == 0 else -1  # whether the player to move is the first one
        board = Board.from_array(np.where(own == first, 1, np.where(own == -first, 2, 0)))
        games = rollouts(board, 10, seed=1)
        values.append(sign_of_value * first * (games.first - games.second) / games.games)
    return legal / legal.sum(axis=1, keepdims=True), np.array(values)


def claims_of_uct_timed(report: Report) -> None:
    """The number of rollouts in a given time, and the strength of 20,000 rollouts."""
    found = study.action_frequency(Board(), TIMED, simulations=20_000, runs=SEARCHES, seed=1)
    add_share(report, "opens in the centre at 20,000 rollouts", int(found.counts[3]), SEARCHES)
    report.add(what="seconds of CPU for 20,000 rollouts", found=f"{found.cpu_seconds.mean():.4f}", of=SEARCHES)
    engine = Engine(TIMED, seed=1)
    rollouts = engine.search(Board(), seconds=8).simulations
    report.add(what=f"rollouts in 8 s ({engine.nbytes / 1e6:.0f} MB)", found=rollouts)
    for low, high in PLY_RANGES:
        add_kept(report, TIMED, [20_000], low, high)
    player = EnginePlayer(TIMED, simulations=20_000)
    add_games(report, "against the perfect player, 20,000", player, PerfectPlayer(), Board())


def add_kept(
    report: Report,
    params: SearchParams,
    budgets: Sequence[Simulations],
    low: int,
    high: int,
    rules: Rules = STANDARD,
    evaluator: Evaluator | None = None,
    what: str = "",
) -> None:
    """Add rows: how often the move keeps the value, for random moves, for random moves that answer immediate threats,
    and for searches by budget. No position has an immediate win."""
    exact = []
    chance, careful = [], []
    for solution in decisive_positions(low, high, POSITIONS, rules):
        assert solution.columns is not None
        keeping = {c for c, s in enumerate(solution.columns) if s is not None and sign(s) == sign(solution.score)}
        board = solution.board
        chance.append(len(keeping) / len(board.legal_columns))
        urgent = board.threatened_columns() or board.legal_columns
        careful.append(len(keeping.intersection(urgent)) / len(urgent))
        exact.append((board, keeping))
    what = f"{what + ': ' if what else ''}value kept, plies {low}-{high}"
    report.add(what=f"{what}: by a random move", found=f"{statistics.fmean(chance):.1%}", of=POSITIONS)
    report.add(what=f"{what}: by one that answers threats", found=f"{statistics.fmean(careful):.1%}", of=POSITIONS)
    for budget in budgets:
        found = [
            Engine(params, seed=seed, evaluator=evaluator).search(board, simulations=budget, columns=False).column
            in keeping
            for seed, (board, keeping) in enumerate(exact)
        ]
        add_share(report, f"{what}: at {budget}", sum(found), POSITIONS)


def claims_of_the_notebook(report: Report) -> None:
    """The histograms and the sweep of the exploration factor, with more runs; a wide board with more simulations."""
    for width, height, simulations in ((7, 6, 100), (7, 40, 100), (11, 6, 100), (11, 6, 2000)):
        board = Board(Rules(width, height))
        found = study.action_frequency(board, NOTEBOOK, simulations=simulations, runs=SEARCHES, seed=1)
        what = f"{width}x{height}, {simulations:,}: middle column, {1e3 * found.cpu_seconds.mean():.2f} ms of CPU"
        add_share(report, what, int(found.counts[width // 2]), SEARCHES)
    for choice in ("value", "visits"):
        params = SearchParams.preset("notebook-uct", choice=choice)
        found = study.action_frequency(Board(Rules(11, 6)), params, simulations=200_000, runs=100, seed=1)
        add_share(report, f"11x6, 200,000, by {choice}: column 3 or 7", int(found.counts[[3, 7]].sum()), 100)
    factors = [-2.0, -1.0, 0.0, 0.2, 0.4, 0.6]
    swept = study.optimality(Board(), NOTEBOOK, values=factors, runs=200, optimal=[3], seed=1)
    for factor, counts in zip(swept.values, swept.counts, strict=True):
        add_share(report, f"7x6, 50,000, c = {factor:g}: centre", int(counts[3]), swept.runs)


def claims_of_no_diagonals(report: Report) -> None:
    """The strength of one simulation per open column with the checks for wins and threats, and of more simulations."""
    for budget in ("columns", 6000):
        player = EnginePlayer(NO_DIAGONALS, simulations=budget)
        match = play_match(player, RandomPlayer(), games=GAMES, start=Board(SMALL), seed=1)
        add_share(report, f"won against a random opponent at {budget}", match.wins, GAMES)
    for low, high in ((4, 9), (10, 19)):
        add_kept(report, NO_DIAGONALS, ["columns", 60, 600, 6000], low, high, SMALL)


PARTS = {
    "report": claims_of_the_report,
    "levels": games_against_levels,
    "both-win": both_win,
    "puct-node": claims_of_puct_node,
    "timed": claims_of_uct_timed,
    "notebook": claims_of_the_notebook,
    "no-diagonals": claims_of_no_diagonals,
}

if __name__ == "__main__":
    check_claims(__doc__, "Claims of the earlier systems", PARTS)
