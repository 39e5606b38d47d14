"""Checks the claims of the five earlier systems (docs/prior_systems/sources.md): means and shares with 95 % intervals.

report-wins         games against a random opponent
report-best-play    the same of the best possible player, from the pre-filled board
report-convergence  columns chosen and their values, by iterations
report-argmin       other opponents in the tree
report-perfect      games against the perfect player
report-levels       games against our levels
report-both-win     pre-filled boards on which both open columns win
puct-node           moves that keep the value, by the sign of the callback's value and by the backup
timed, timed-moves  rollouts, games against the perfect player; moves that keep the value
notebook            how often the middle column is chosen
no-diagonals, no-diagonals-moves  games against a random opponent; moves that keep the value

With --markdown the table is as docs/prior_systems/sources.md has it.

Seeds are fixed: everything but the times is reproducible.
"""

import random
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from measure import Report, check_claims, percent
from strength import STANDARD, decisive_positions, sign

from c4mcts import Board, Engine, PuctParams, Rules, SearchParams, prefilled_board, rollouts, solve, study
from c4mcts.play import LEVELS, EnginePlayer, LevelPlayer, PerfectPlayer, RandomPlayer, play_match
from c4mcts.play.ratings import Z
from c4mcts.search.evaluation import Evaluator
from c4mcts.search.limits import Simulations

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


def share(hits: int, of: int) -> str:
    """A share in percent with its interval."""
    low, high = study.wilson(hits, of)
    return f"{percent(hits / of)} % ({percent(low)} - {percent(high)})"


def mean(values: npt.NDArray[np.float64]) -> str:
    """A mean with its normal interval."""
    middle, half = float(values.mean()), Z * float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{middle:.3f} ({middle - half:.3f} - {middle + half:.3f})"


def add_share(report: Report, what: str, hits: int, of: int) -> None:
    """Add a row: a share in percent."""
    report.add(what=what, found=share(hits, of), of=of)


def add_games(report: Report, what: str, player: EnginePlayer, opponent: Any, start: Board) -> None:
    """Add a row: games against the perfect player."""
    match = play_match(player, opponent, games=MATCH, start=start, alternate=False, seed=1)
    report.add(what=f"{what}, won - drawn - lost", found=f"{match.wins} - {match.draws} - {match.losses}", of=MATCH)


def perfect_opponent(report: Report) -> None:
    """The report's search against the perfect player."""
    for (mode, params), (place, board) in product(MODES.items(), STARTS.items()):
        add_games(report, f"{mode}, {place} board", EnginePlayer(params, simulations=5000), PerfectPlayer(), board)


def convergence(report: Report) -> None:
    """How many searches visit the winning column most, and the means of Q."""
    points = [1000, 2500, 5000, 50_000]
    report.columns = {"what": "", **{str(point): f"{point:,}" for point in points}, "of": "searches"}
    for (mode, params), (place, board) in product(MODES.items(), STARTS.items()):
        found = study.convergence(board, params, simulations=points, runs=SEARCHES, seed=1)
        column = WINNING[board.ply]
        hits = (found.visits.argmax(axis=2) == column).sum(axis=0).tolist()
        cells = {str(point): share(each, SEARCHES) for point, each in zip(points, hits, strict=True)}
        report.add(what=f"{mode}, {place}: column {column} most visited", **cells, of=SEARCHES)
        for each in board.legal_columns if board.ply else [column]:
            cells = {str(point): mean(found.q[:, i, each]) for i, point in enumerate(points)}
            report.add(what=f"{mode}, {place}: Q of column {each}", **cells, of=SEARCHES)
        cells = {str(point): mean(found.visits[:, i, column] / point) for i, point in enumerate(points)}
        report.add(what=f"{mode}, {place}: share of the visits, column {column}", **cells, of=SEARCHES)


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
        report.add(what=f"{what}: Q of the most visited column at 5,000", found=mean(np.array(values)), of=runs)
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
    report.columns = {"what": "", **{str(budget): f"{budget:,}" for budget in budgets}, "of": "games"}
    kinds: dict[str, dict[str, Any]] = {
        "": {},
        ", moving first": {"first": "search"},
        ", ties by the mean": {"choice": "visits"},
        ", the two checks": {"checks": True},
    }
    for (what, changes), (place, board), (mode, params) in product(kinds.items(), STARTS.items(), MODES.items()):
        first = changes.get("first", "alternate")
        changed = params.changed(**{name: value for name, value in changes.items() if name != "first"})
        found = study.win_rate(board, changed, budgets=budgets, games=GAMES, first=first, seed=1)
        cells = {str(budget): share(int(found.wins[0, 0, k]), GAMES) for k, budget in enumerate(budgets)}
        report.add(what=f"{place} board, {mode}{what}", **cells, of=GAMES)


def best_play(report: Report) -> None:
    """How often the best possible player wins from the pre-filled board against a random one."""
    board = prefilled_board()
    for side, what in ((0, "moving first"), (1, "moving second")):
        report.add(what=f"a perfect player {what}", found=f"{percent(chance_to_win(board, side))} %")
    board.push(2)
    report.add(what="the same moving first, in column 2", found=f"{percent(chance_to_win(board, 0))} %")


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
            q = [study.convergence(start, params, simulations=[budget], runs=games, seed=1).q for start in starts]
            above = sum(int((np.nan_to_num(one[:, 0], nan=1) > 0).all(axis=1).sum()) for one in q)
            add_share(report, f"{mode} at {budget:,}: Q of both columns is above 0", above, boards * games)


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
    searches: dict[str, tuple[SearchParams, Simulations, Evaluator | None]] = {
        "the preset": (PUCT_NODE, 100, partial(random_games, 1)),
        "the value stored as it is": (PUCT_NODE, 100, partial(random_games, -1)),
        "the usual backup": (PuctParams(**usual, tie_break="random", checks=False), 100, partial(random_games, 1)),
    }
    kept_by(report, searches, ((10, 19), (20, 29)))


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
    made = engine.search(Board(), seconds=8).simulations
    report.add(what="millions of rollouts in 8 s", found=f"{made / 1e6:.1f}")
    player = EnginePlayer(TIMED, simulations=20_000)
    add_games(report, "against the perfect player, 20,000", player, PerfectPlayer(), Board())


def moves_of_uct_timed(report: Report) -> None:
    """How often 20,000 rollouts keep the value of a position."""
    kept_by(report, {"uct-timed, 20,000 rollouts": (TIMED, 20_000, None)}, PLY_RANGES)


def kept_by(
    report: Report,
    searches: Mapping[str, tuple[SearchParams, Simulations, Evaluator | None]],
    ranges: Sequence[tuple[int, int]],
    rules: Rules = STANDARD,
) -> None:
    """Add rows: how often the move keeps the value, for random moves, for random moves that answer immediate threats,
    and for searches by name; by range of plies. No position has an immediate win."""
    report.columns = {"what": "kept the value", **{f"{low}": f"plies {low}-{high}" for low, high in ranges}, "of": "of"}
    rows: dict[str, dict[str, str]] = {name: {} for name in ("a random move", "one that answers threats", *searches)}
    for low, high in ranges:
        exact, chance, careful = [], [], []
        for solution in decisive_positions(low, high, POSITIONS, rules):
            assert solution.columns is not None
            keeping = {c for c, s in enumerate(solution.columns) if s is not None and sign(s) == sign(solution.score)}
            board = solution.board
            chance.append(len(keeping) / len(board.legal_columns))
            urgent = board.threatened_columns() or board.legal_columns
            careful.append(len(keeping.intersection(urgent)) / len(urgent))
            exact.append((board, keeping))
        rows["a random move"][str(low)] = f"{percent(statistics.fmean(chance))} %"
        rows["one that answers threats"][str(low)] = f"{percent(statistics.fmean(careful))} %"
        for name, (params, budget, evaluator) in searches.items():
            kept = 0
            for seed, (board, keeping) in enumerate(exact):
                engine = Engine(params, seed=seed, evaluator=evaluator)
                kept += engine.search(board, simulations=budget, columns=False).column in keeping
            rows[name][str(low)] = share(kept, POSITIONS)
    for name, cells in rows.items():
        report.add(what=name, **cells, of=POSITIONS)


def claims_of_the_notebook(report: Report) -> None:
    """The histograms and the sweep of the exploration factor, with more runs; a wide board with more simulations."""
    for width, height, simulations in ((7, 6, 100), (7, 40, 100), (11, 6, 100), (11, 6, 2000)):
        board = Board(Rules(width, height))
        found = study.action_frequency(board, NOTEBOOK, simulations=simulations, runs=SEARCHES, seed=1)
        add_share(report, f"{width}x{height}, {simulations:,}: middle column", int(found.counts[width // 2]), SEARCHES)
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


def moves_of_no_diagonals(report: Report) -> None:
    """How often its moves keep the value of a position."""
    budgets: dict[str, Simulations] = {"one simulation per open column": "columns", "60": 60, "600": 600, "6,000": 6000}
    searches = {name: (NO_DIAGONALS, budget, None) for name, budget in budgets.items()}
    kept_by(report, searches, ((4, 9), (10, 19)), SMALL)


PARTS = {
    "report-wins": games_against_random,
    "report-best-play": best_play,
    "report-convergence": convergence,
    "report-argmin": other_opponents,
    "report-perfect": perfect_opponent,
    "report-levels": games_against_levels,
    "report-both-win": both_win,
    "puct-node": claims_of_puct_node,
    "timed": claims_of_uct_timed,
    "timed-moves": moves_of_uct_timed,
    "notebook": claims_of_the_notebook,
    "no-diagonals": claims_of_no_diagonals,
    "no-diagonals-moves": moves_of_no_diagonals,
}

if __name__ == "__main__":
    check_claims(__doc__, "Claims of the earlier systems", PARTS)
