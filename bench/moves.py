"""Single moves of other players compared with ours: CPU time, and how often a move keeps the value of the position.

The positions are as in strength.py: random, without an immediate win, with columns that differ in value. Each player
sees each of them once, as a new game. Ratios of time are taken position by position. OpenSpiel's search and Kaggle's
agent take part if they are installed (pip install open_spiel; pip install --no-deps kaggle-environments).
"""

import warnings

import numpy as np
from measure import Report, count, cpu_seconds, interval, parser, share, spread
from strength import decisive_ranges, sign

from c4mcts.play import Player, contestant
from c4mcts.solver.solution import Solution

PLAYERS = ("strong@1000", "strong@10000", "uct@1000", "openspiel:mcts@1000", "Kaggle's negamax", "random")


def made(name: str) -> Player:
    """The player of that name. ImportError or ValueError if its package is not installed."""
    if name != "Kaggle's negamax":
        return contestant(name).make()
    from c4mcts.adapters.kaggle import KagglePlayer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from kaggle_environments.envs.connectx.connectx import negamax_agent
    return KagglePlayer(negamax_agent)


def move(player: Player, solution: Solution) -> tuple[bool, float]:
    """Whether the player's move in a position keeps its value, and the CPU seconds that it took."""
    columns: list[int] = []
    player.begin(np.random.SeedSequence(1))
    seconds = cpu_seconds(lambda: columns.append(player.choose(solution.board)))
    assert solution.columns is not None
    return sign(solution.columns[columns[0]]) == sign(solution.score), seconds


def main() -> None:
    options = parser(__doc__, repeats=1)
    options.add_argument("--positions", type=count, default=50, help="in each range of plies (default 50)")
    args = options.parse_args()
    ranges = decisive_ranges(args.positions)
    headings = {plies: f"%, plies {plies}" for plies in ranges}
    columns = {"player": "player", "milliseconds": "ms per move", "slower": f"time / {PLAYERS[0]}", **headings}
    report = Report("Single moves, 7x6: CPU time, and % that keep the value", columns)
    report.notes.append(f"ms per move: median (min - max); time / {PLAYERS[0]}: by position, median (interval of 95 %)")
    report.notes.append(f"%: of {args.positions} positions in each range of plies (interval of 95 %, by Wilson)")
    players: dict[str, Player] = {}
    for name in PLAYERS:
        try:
            players[name] = made(name)
        except (ImportError, ValueError) as error:
            report.notes.append(f"{name} is missing: {error}")
    answers = {  # position by position, so that a slow moment of the machine affects all
        plies: [{name: move(player, solution) for name, player in players.items()} for solution in solutions]
        for plies, solutions in ranges.items()
    }
    for name in players:
        pairs = [(one[name][1], one[PLAYERS[0]][1]) for found in answers.values() for one in found]
        kept = {plies: share(sum(one[name][0] for one in found), len(found)) for plies, found in answers.items()}
        slower = interval(theirs / ours for theirs, ours in pairs) if name != PLAYERS[0] else None
        report.add(player=name, milliseconds=spread(1000 * seconds for seconds, _ in pairs), slower=slower, **kept)
    report.finish(args)


if __name__ == "__main__":
    main()
