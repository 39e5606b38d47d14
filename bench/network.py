"""The preset "network" compared with "strong", at equal CPU time.

moves   Positions of 7x6 that the network has not learned from (examples/alphazero), whose moves differ in
        value: the percentage of moves that lose value, by simulations, and the CPU time of a search, with a new tree
        for each. `bare` is the move with the highest prior, without a search. --scores: other positions, from a file.
        --fresh: positions with 12 to 36 discs of games of a seed that was never used to choose a network.
match   Games on larger boards, each opening played twice with the players exchanged; the players measure the CPU time
        of their thread.
speed   One evaluation, of the value and of all priors, and one simulation, by board.
play    Self-play with the network as evaluator, 64 games at once with 64 simulations per move, on 7x6.
"""

import csv
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from measure import Report, count, cpu_seconds, parser, spread
from strength import head_to_head

from c4mcts import Board, Engine, PolicyValueNetwork, PuctParams, Rules, SearchParams
from c4mcts.selfplay import BatchParams, ExactPositions, exact_positions, generate
from c4mcts.solver.book import NO_SCORE

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from alphazero.make_positions import make
from alphazero.positions import keys

PRESETS = ("network", "strong")
BUDGETS = (1, 10, 30, 100, 300, 1000, 5000, 30_000)
FRESH_SEED = 5  # of games; each figure of such positions gets another one
BOARDS = (Rules(9, 7), Rules(10, 10), Rules(20, 14))


def main() -> None:
    options_parser = parser(__doc__, repeats=5)
    options_parser.add_argument("what", choices=("moves", "match", "speed", "play"))
    options_parser.add_argument("--positions", type=count, default=1000, help="for moves (default 1000)")
    options_parser.add_argument("--budgets", type=count, nargs="+", default=BUDGETS, help="simulations, for moves")
    options_parser.add_argument("--network", metavar="FILE", help="for moves, instead of the network of the package")
    options_parser.add_argument("--fresh", action="store_true", help="for moves: positions that were never used")
    options_parser.add_argument("--scores", metavar="FILE", help="for moves: a CSV with moves as digits, col1 to col7")
    options_parser.add_argument("--games", type=count, default=200, help="on each board (default 200)")
    options_parser.add_argument("--seconds", type=float, default=0.1, help="per move of a match (default 0.1)")
    options_parser.add_argument("--boards", nargs="+", metavar="WxH", help="for match (default 9x7 10x10 20x14)")
    options = options_parser.parse_args()
    if options.what == "moves":
        if options.scores:
            positions = scored(options.scores)
        else:
            positions = boards_of((fresh if options.fresh else exact_positions().chosen)(options.positions))
        report = moves(*positions, options.budgets, PolicyValueNetwork.load(options.network))
    elif options.what == "match":
        sizes = [tuple(map(int, text.split("x"))) for text in options.boards or ()]
        both, boards = {name: SearchParams.preset(name) for name in PRESETS}, [Rules(*size) for size in sizes]
        report = head_to_head(both, boards or BOARDS, options.games, options.seconds)
    elif options.what == "play":
        report = self_play(options.repeats)
    else:
        report = speed(options.repeats)
    report.finish(options)


def fresh(number: int) -> ExactPositions:
    """Positions that have decided nothing yet, made like the test positions; use a seed for one figure only."""
    tests = make(number, 3 * number, FRESH_SEED, range(12, 37))
    is_new = ~np.isin(keys(tests.own, tests.mask), keys(exact_positions().own, exact_positions().mask))
    return ExactPositions(*(array[is_new] for array in tests))


def boards_of(tests: ExactPositions) -> tuple[list[Board], Any]:
    """The positions, and the score of every column."""
    return [board_of(int(own), int(mask)) for own, mask in zip(tests.own, tests.mask, strict=True)], tests.scores


def scored(path: str) -> tuple[list[Board], Any]:
    """The positions of a file, and the score of every column; of full ones the file has none."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    scores = [[int(row[f"col{1 + column}"] or NO_SCORE) for column in range(7)] for row in rows]
    return [Board.from_pons(row["moves"]) for row in rows], np.array(scores)


def moves(boards: list[Board], scores: Any, budgets: list[int], network: PolicyValueNetwork) -> Report:
    """Errors by simulations."""
    scores, number = scores.astype(int), len(boards)
    best = np.sign(np.where(scores == NO_SCORE, -99, scores).max(axis=1))
    columns = {"search": "search", "simulations": "simulations", "errors": "errors %", "ms": "ms"}
    report = Report(f"Moves that lose value, of {number}, 7x6", columns)
    start = time.thread_time()
    chosen = [int(network.evaluate(board)[1].argmax()) for board in boards]
    used = time.thread_time() - start
    wrong = np.sign(scores[np.arange(number), chosen]) != best
    report.add(search="bare", simulations=0, errors=100 * wrong.mean(), ms=1000 * used / number)
    for name in PRESETS:
        for budget in budgets:
            engine = Engine(preset=name, seed=1, evaluator=network if name == "network" else None)
            errors, ms = searched(engine, budget, boards, scores, best)
            report.add(search=name, simulations=budget, errors=errors, ms=ms)
    return report


def board_of(own: int, mask: int) -> Board:
    """A position of 7x6 from its bitboards."""
    drawn = np.zeros((6, 7), int)
    turn = mask.bit_count() & 1
    for column in range(7):
        for row in range(6):
            cell = 1 << 7 * column + row
            if mask & cell:
                drawn[5 - row, column] = 1 + turn if own & cell else 2 - turn
    return Board.from_array(drawn)


def searched(engine: Engine, budget: int, boards: list[Board], scores: Any, best: Any) -> tuple[float, float]:
    """The percentage of errors, and the milliseconds of a search."""
    errors, used = 0, 0.0
    for board, row, value in zip(boards, scores, best, strict=True):
        engine.forget()
        start = time.thread_time()
        result = engine.search(board, simulations=budget, columns=False)
        used += time.thread_time() - start
        errors += int(np.sign(row[result.column]) != value)
    return 100 * errors / len(boards), 1000 * used / len(boards)


def speed(repeats: int) -> Report:
    """Microseconds of an evaluation and of a simulation."""
    columns = {"board": "board", "evaluation": "evaluation, µs", "network": "network, µs", "strong": "strong, µs"}
    notes = ["evaluation: from Python; network, strong: a simulation of 3,000 without probes, after eight moves"]
    report = Report("Evaluations and simulations", columns, notes=notes)
    for rules in (Rules(), *BOARDS):
        board = Board.from_moves([3, 3, 3, 2, 4, 2, 3, 3], rules)
        twin = PolicyValueNetwork.load().twin("native", rules)

        def evaluate(twin: Any = twin, board: Board = board) -> None:
            for _ in range(1000):
                twin.evaluate(board.own, board.mask)

        row: dict[str, Any] = {"evaluation": spread(1e3 * cpu_seconds(evaluate, 0.05) for _ in range(repeats))}
        for name in PRESETS:
            params = SearchParams.preset(name, probes=False, proofs=False)

            def search(params: SearchParams = params, board: Board = board) -> None:
                Engine(params, seed=1).search(board, simulations=3000)

            row[name] = spread(1e6 / 3000 * cpu_seconds(search, 0.05) for _ in range(repeats))
        report.add(board=str(rules), **row)
    return report


def self_play(repeats: int) -> Report:
    """Positions per second of CPU time, and the part of it that the network takes."""
    columns = {"positions": "positions/s", "evaluation": "evaluation, µs", "share": "network, %"}
    report = Report("Self-play with the network, 64 games, 64 simulations per move", columns)
    network, batches = PolicyValueNetwork.load(), BatchParams(concurrent=64)
    rows: list[tuple[float, float, float]] = []
    for seed in range(repeats):
        used, asked = 0.0, 0

        def evaluate(planes: Any, legal: Any) -> Any:
            nonlocal used, asked
            start = time.process_time()
            answer = network(planes, legal)
            used, asked = used + time.process_time() - start, asked + len(legal)
            return answer

        start = time.process_time()
        data = generate(128, PuctParams(), evaluator=evaluate, simulations=64, seed=seed, batches=batches)
        seconds = time.process_time() - start
        rows.append((len(data) / seconds, 1e6 * used / asked, 100 * used / seconds))
    report.add(**{name: spread(values) for name, values in zip(columns, zip(*rows, strict=True), strict=True)})
    return report


if __name__ == "__main__":
    main()
