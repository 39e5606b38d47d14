"""Playing strength by time, from plain UCT to the preset "strong", adding one feature at a time.

moves   Random positions by number of plies, without an immediate win, whose columns differ in value; and the traps of
        tests/data, in which a single column keeps the value. Shown are the percentages of moves that keep the value
        (win, draw, loss), and of moves with the best score (the fastest win, the slowest loss).
plies   Random unfinished positions of each ply from 0 to 20: the percentage of moves with the best score.
match   Games against the perfect player: moving first from the empty board, and moving second after each of the two
        first moves that draw.
probes  "strong" against itself without probes, on boards beyond 64 bits: each opening of four random discs is played
        twice with the players exchanged, at equal CPU time.

With --clock REMAINING+INCREMENT a search divides the seconds of a game itself, instead of having the same time for
every move. Each single move then has the whole clock.

Exact scores come from c4mcts.solve. No book except with the preset "perfect"; one thread; a new engine for every
position and every game.
"""

import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from measure import Report, count, parser

from c4mcts import Board, Engine, Rules, SearchParams, _timer, solve
from c4mcts.play import EnginePlayer, MatchResult, PerfectPlayer, Player, play_match, players
from c4mcts.solver.solution import Solution

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from data import records

STANDARD = Rules()
UCT = SearchParams.preset("uct")
DECISIVE = UCT.changed(exploration=1.0, rollout="decisive")
SAFE = DECISIVE.changed(rollout="safe")
PROOFS = SAFE.changed(proofs=True)
SHARED = PROOFS.changed(transpositions=True)
SEARCHES = {
    "uct": UCT,
    "+ decisive rollouts": DECISIVE,
    "+ safe rollouts": SAFE,
    "+ proofs": PROOFS,
    "+ transpositions": SHARED,
    "+ probes: strong": SearchParams.preset("strong"),
    "+ book: perfect": SearchParams.preset("perfect"),
}
assert SHARED.changed(probes=True) == SearchParams.preset("strong")
PLY_RANGES = {"6-9": (6, 9), "10-19": (10, 19), "20-29": (20, 29)}
PLIES = range(21)
LARGE = (Rules(8, 8), Rules(9, 7), Rules(10, 10))  # of more than 64 bits
DRAWING = ("3", "5")  # first moves, columns counted from 1


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("what", choices=("moves", "plies", "match", "probes"))
    options_parser.add_argument("--seconds", type=float, nargs="+", default=[0.1, 1.0], help="per move (default 0.1 1)")
    options_parser.add_argument("--clock", type=clock, nargs="+", metavar="R+I", help="instead of --seconds")
    options_parser.add_argument("--cpu", action="store_true", help="CPU time instead of wall clock, on a busy machine")
    options_parser.add_argument("--only", metavar="TEXT", default="", help="only searches whose name contains TEXT")
    options_parser.add_argument("--positions", type=count, default=50, help="in each range of plies (default 50)")
    options_parser.add_argument("--games", type=count, default=10, help="games of each match (default 10)")
    options = options_parser.parse_args()
    if options.what == "probes":
        both = {name: SEARCHES[name] for name in ("+ probes: strong", "+ transpositions")}
        head_to_head(both, LARGE, options.games, options.seconds[0]).finish(options)
        return
    if options.cpu:
        use_cpu_time()
    searches = {name: params for name, params in SEARCHES.items() if options.only in name}
    if options.what == "moves":
        report, fill = moves_report(options.positions), moves_filler(options.positions)
    elif options.what == "plies":
        report, fill = plies_report(options.positions), plies_filler(options.positions)
    else:
        report, fill = match_report(), match_filler(options.games)
    times = {f"{seconds:g}": {"seconds": seconds} for seconds in options.seconds}
    if options.clock:
        times = {
            f"{remaining:g}+{increment:g}": {"clock": (remaining, increment)} for remaining, increment in options.clock
        }
    for shown, allowed in times.items():
        for name, params in searches.items():
            report.add(search=name, time=shown, **fill(params, **allowed))
    report.finish(options)


def clock(text: str) -> tuple[float, float]:
    """Seconds for a game and the increment per move, from text such as 60+1."""
    remaining, increment = map(float, text.split("+"))
    return remaining, increment


def use_cpu_time() -> None:
    """Let searches and players measure the CPU time of their thread, so that other programs don't matter."""
    for module in (_timer, players):
        module.time = SimpleNamespace(monotonic=time.thread_time)


def head_to_head(both: Mapping[str, SearchParams], boards: Iterable[Rules], games: int, seconds: float) -> Report:
    """Games of two searches at this CPU time per move, each opening with both colours."""
    use_cpu_time()
    columns = {"board": "board", "result": "won - drawn - lost", "score": "score %", "low": "from", "high": "to"}
    notes = [f'from the point of view of "{next(iter(both))}"; from, to: 95 % interval (Wilson)']
    report = Report(f"{' against '.join(both)}, {seconds:g} s of CPU time per move", columns, notes=notes)
    for rules in boards:
        won = drawn = lost = 0
        sides = [EnginePlayer(params, seconds=seconds) for params in both.values()]
        chance = np.random.default_rng(1)
        for number in range(games // 2):
            start = Board(rules)
            for column in chance.integers(rules.width, size=4):
                start.push(int(column))
            result = play_match(*sides, games=2, start=start, seed=number)
            won, drawn, lost = won + result.wins, drawn + result.draws, lost + result.losses
            print(f"{rules}: {won} - {drawn} - {lost}", file=sys.stderr)
        score, n = (won + drawn / 2) / (won + drawn + lost), won + drawn + lost
        middle, half = (score + 1.92 / n) / (1 + 3.84 / n), 1.96 * ((score * (1 - score) + 0.96 / n) / n) ** 0.5
        low, high = (100 * (middle + sign * half / (1 + 3.84 / n)) for sign in (-1, 1))
        report.add(board=str(rules), result=f"{won} - {drawn} - {lost}", score=100 * score, low=low, high=high)
    return report


def moves_report(positions: int) -> Report:
    """An empty table of single moves."""
    columns = {"search": "search", "time": "s"}
    for name in PLY_RANGES:
        columns |= {f"kept {name}": f"kept {name}", f"best {name}": "best"}
    columns |= {"traps": "traps", "used": "used"}
    notes = [
        f"kept: % of moves that keep the value; best: % with the best score; {positions} positions in each range",
        "traps: solved, of 100; used: seconds per move",
    ]
    return Report("Moves against exact scores, 7x6, by plies", columns, notes=notes)


def moves_filler(positions: int) -> Callable[..., dict[str, Any]]:
    """A function that measures one row of that table."""
    exact = decisive_ranges(positions)
    traps = trap_boards()

    def fill(params: SearchParams, **allowed: Any) -> dict[str, Any]:
        row: dict[str, Any] = {}
        used = []
        for name, solutions in exact.items():
            kept, best, seconds = judged(solutions, params, **allowed)
            row |= {f"kept {name}": 100.0 * kept / positions, f"best {name}": 100.0 * best / positions}
            used.append(seconds)
        return row | {"traps": solved_traps(traps, params, **allowed), "used": statistics.fmean(used)}

    return fill


def decisive_ranges(positions: int) -> dict[str, list[Solution]]:
    """This number of solutions of decisive positions for each range of plies, by its name."""
    return {name: decisive_positions(*plies, positions) for name, plies in PLY_RANGES.items()}


def judged(solutions: list[Solution], params: SearchParams, **allowed: Any) -> tuple[int, int, float]:
    """Of a search's moves in these positions: how many keep the value, how many are best; mean seconds per move."""
    kept = best = 0
    used = []
    for seed, solution in enumerate(solutions):
        result = Engine(params, seed=seed).search(solution.board, **allowed, columns=False)
        used.append(result.seconds)
        assert solution.columns is not None
        kept += sign(solution.columns[result.column]) == sign(solution.score)
        best += result.column in solution.best
    return kept, best, statistics.fmean(used)


def trap_boards() -> list[tuple[Board, int]]:
    """The traps of tests/data, each with the only column that keeps the value."""
    return [(Board.from_pons(row["moves"]), int(row["only_move"]) - 1) for row in records("traps")]


def solved_traps(traps: list[tuple[Board, int]], params: SearchParams, **allowed: Any) -> int:
    """The number of traps in which a search finds that column."""
    return sum(
        Engine(params, seed=1).search(board, **allowed, columns=False).column == column for board, column in traps
    )


def plies_report(positions: int) -> Report:
    """An empty table by plies."""
    columns = {"search": "search", "time": "s", **{f"{ply}": f"{ply}" for ply in PLIES}}
    notes = [f"% of moves with the best score, of {positions} random positions of each ply (fewer if there are fewer)"]
    return Report("Moves with the best score, 7x6, by ply", columns, notes=notes)


def plies_filler(positions: int) -> Callable[..., dict[str, Any]]:
    """A function that measures one row of that table."""
    solutions = {ply: [solve(board) for board in random_positions(ply, positions)] for ply in PLIES}

    def fill(params: SearchParams, **allowed: Any) -> dict[str, Any]:
        row = {}
        for ply, exact in solutions.items():
            moves = [
                Engine(params, seed=seed).search(one.board, **allowed, columns=False).column in one.best
                for seed, one in enumerate(exact)
            ]
            row[f"{ply}"] = 100.0 * statistics.fmean(moves)
        return row

    return fill


def random_positions(ply: int, number: int) -> list[Board]:
    """Different unfinished positions after this many random moves; fewer if there are not enough."""
    chance = random.Random(ply)
    found: dict[Board, None] = {}
    for _ in range(10 * number):
        board = Board(STANDARD)
        while board.ply < ply and not board.is_over():
            board.push(chance.choice(board.legal_columns))
        if len(found) < number and not board.is_over():
            found[board] = None
    return list(found)


def decisive_positions(low: int, high: int, number: int, rules: Rules = STANDARD) -> list[Solution]:
    """Solutions of random positions of low to high plies, without an immediate win, whose columns differ in value."""
    chance = random.Random(low)
    found: list[Solution] = []
    while len(found) < number:
        board = Board(rules)
        plies = chance.randint(low, high)
        while board.ply < plies and not board.is_over():
            board.push(chance.choice(board.legal_columns))
        if board.is_over() or board.winning_columns():
            continue
        solution = solve(board)
        assert solution.columns is not None
        if len({sign(score) for score in solution.columns if score is not None}) > 1:
            found.append(solution)
    return found


def sign(score: int | None) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    assert score is not None
    return (score > 0) - (score < 0)


def match_report() -> Report:
    """An empty table of matches."""
    columns = {
        "search": "search",
        "time": "s",
        "first": "first",
        "plies": "plies",
        **{start: f"second, after {start}" for start in DRAWING},
        "used": "used",
        "least": "left",
    }
    notes = [
        "won - drawn - lost; plies: mean length of the games moving first; used: seconds per move",
        "left: the lowest reading of a clock, in seconds",
    ]
    return Report("Matches against the perfect player, 7x6", columns, notes=notes)


def match_filler(games: int) -> Callable[..., dict[str, Any]]:
    """A function that measures one row of that table."""
    perfect = PerfectPlayer()

    def fill(params: SearchParams, **allowed: Any) -> dict[str, Any]:
        player = TimedPlayer(params, **allowed)
        first, *others = matches(player, perfect, games)
        row: dict[str, Any] = {
            "first": f"{first.wins} - {first.draws} - {first.losses}",
            "plies": statistics.fmean(len(game.moves) for game in first.games),
        }
        for start, match in zip(DRAWING, others, strict=True):
            row[start] = f"{match.wins} - {match.draws} - {match.losses}"
        least = None if math.isinf(player.least) else player.least
        return row | {"used": statistics.fmean(player.used), "least": least}

    return fill


def matches(player: Player, perfect: Player, games: int) -> list[MatchResult]:
    """Results of the player: moving first from the empty board, then moving second after each move that draws."""
    results = [play_match(player, perfect, games=games, alternate=False, seed=1)]
    for start in DRAWING:
        results.append(play_match(player, perfect, games=games, alternate=False, seed=2, start=Board.from_pons(start)))
    return results


class TimedPlayer(EnginePlayer):
    """An EnginePlayer that records the seconds of each of its moves, and the lowest reading of its clock."""

    used: list[float]

    def __init__(self, params: SearchParams, **allowed: Any) -> None:
        super().__init__(params, **allowed)
        self.used = []
        self.least = math.inf

    def choose(self, board: Board) -> int:
        """Search the board; return the best column."""
        column = super().choose(board)
        assert self.last is not None
        self.used.append(self.last.seconds)
        if self.remaining is not None:
            self.least = min(self.least, self.remaining)
        return column


if __name__ == "__main__":
    main()
