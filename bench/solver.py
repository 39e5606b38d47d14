"""The exact solver on random positions, compared with BitBully (without its book) if that is installed.

Positions come from random moves with a fixed seed; they are unfinished and have no immediate win. `solve` and BitBully
start each position with an empty table, `solve_many` keeps one for 64 positions. Clearing BitBully's table, which takes
50 ms, is not counted; making ours is. All in one thread, without a book.
With --empty the empty board is solved too, which takes BitBully minutes.

With --threads N it compares N threads with one instead, on the empty board and positions after 5 and 8 plies.
Threads hardly wait for each other, so the CPU time of one thread, divided by the time of N threads over N, is the
speed-up on a machine with N idle processors; the other speed-up is by the clock, and suffers from other programs.
Nodes and CPU time per node are relative to one thread alone. CPU time per node of N processes at the same time, with
one thread each, which share nothing, says how much of it is due to the machine.

With --wide it compares a node of the solver for 65 to 128 bits with one of that for 64, on the same positions of 7x6.
"""

import argparse
import importlib
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from typing import Any

from measure import Report, count, cpu_seconds, interval, parser

from c4mcts import Board, solve, solve_many
from c4mcts.solver.solver import INFINITY

PLIES = (8, 12, 16, 20)
PLIES_FOR_THREADS = (0, 5, 8)
PLIES_FOR_WIDTHS = (8, 12, 16)
NODES = 15_000  # of each position, for --wide
TABLE_BITS = 20  # logarithm of the bytes of a table; entries of the solver for 128 take twice as many

Peer = Callable[[Board], tuple[int, float]]  # the score of a board, and the CPU seconds to find it


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("--positions", type=count, default=50, help="for each number of plies (default 50)")
    options_parser.add_argument("--empty", action="store_true", help="solve the empty board too")
    options_parser.add_argument("--threads", type=count, metavar="N", help="compare N threads with one instead")
    options_parser.add_argument("--wide", action="store_true", help="compare the solver for large boards instead")
    options = options_parser.parse_args()
    if options.wide:
        compare_widths(options)
    elif options.threads is None:
        compare_with_bitbully(options)
    else:
        compare_threads(options)


def compare_with_bitbully(options: argparse.Namespace) -> None:
    """Nodes and CPU time of both solvers."""
    peer = bitbully()
    report = Report(
        "Exact score without a book, 7x6: milliseconds of CPU time, mean over random positions",
        {
            "plies": "plies",
            "positions": "positions",
            "nodes": "nodes",
            "ours": "c4mcts native",
            "many": "solve_many",
            "peer": "BitBully",
            "ratio": "BitBully / c4mcts",
            "rate": "solve_many, positions/s",
        },
    )
    report.notes.append("BitBully / c4mcts: of each position, median (interval of 95 %)")
    if peer is None:
        report.notes.append("BitBully is not installed (pip install bitbully)")
    for plies in (0, *PLIES) if options.empty else PLIES:
        report.add(**row(plies, positions(plies, options.positions if plies else 1), peer, options.repeats))
    report.finish(options)


def compare_threads(options: argparse.Namespace) -> None:
    """Nodes, CPU time and time of several threads and of one."""
    report = Report(
        f"Solver, {options.threads} threads: medians over random positions, 7x6, each with an empty table",
        {
            "plies": "plies",
            "positions": "number",
            "one": "one thread, s",
            "nodes": "nodes",
            "node": "CPU per node",
            "processes": f"{options.threads} processes",
            "cpu": "speed-up by CPU",
            "clock": "by the clock",
        },
    )
    with ProcessPoolExecutor(options.threads) as pool:
        for plies in PLIES_FOR_THREADS:
            boards = positions(plies, options.positions if plies else 1) * options.repeats
            found = [
                (timed(board, 1), timed(board, options.threads), in_processes(pool, board, options.threads))
                for board in boards
            ]
            assert all(one["score"] == several["score"] for one, several, _ in found)
            report.add(
                plies=plies,
                positions=len(boards) // options.repeats,
                one=statistics.median(one["cpu"] for one, *_ in found),
                nodes=statistics.median(several["nodes"] / one["nodes"] for one, several, _ in found),
                node=statistics.median(per_node(several) / per_node(one) for one, several, _ in found),
                processes=statistics.median(alone / per_node(one) for one, _, alone in found),
                cpu=interval(one["cpu"] / several["cpu"] * options.threads for one, several, _ in found),
                clock=interval(one["clock"] / several["clock"] for one, several, _ in found),
            )
    report.finish(options)


def in_processes(pool: ProcessPoolExecutor, board: Board, number: int) -> float:
    """CPU seconds of a node in so many processes at the same time, with one thread each; their mean."""
    return statistics.fmean(map(per_node, pool.map(timed, [board] * number, [1] * number)))


def per_node(run: dict[str, Any]) -> float:
    """CPU seconds of a node."""
    return float(run["cpu"] / run["nodes"])


def compare_widths(options: argparse.Namespace) -> None:
    """CPU time of a node of both forms of the solver, which search the same nodes."""
    report = Report(
        "Solver, sets of 64 and of 128 cells: nanoseconds of CPU time for a node, random positions, 7x6",
        {"plies": "plies", "positions": "positions", "narrow": "64", "wide": "128", "ratio": "128 / 64"},
    )
    for plies in PLIES_FOR_WIDTHS:
        boards = positions(plies, options.positions)
        pairs = [(node_time("solver", boards), node_time("wide.solver", boards)) for _ in range(options.repeats)]
        narrow, wide = (statistics.median(times) for times in zip(*pairs, strict=True))
        ratio = interval(wide / narrow for narrow, wide in pairs)
        report.add(plies=plies, positions=len(boards), narrow=1e9 * narrow, wide=1e9 * wide, ratio=ratio)
    report.finish(options)


def node_time(module: str, boards: list[Board]) -> float:
    """CPU seconds of a node, with one table for all positions."""
    solver = importlib.import_module(f"c4mcts._native.{module}").AlphaBetaSolver(boards[0].rules, TABLE_BITS, 1 << 12)
    start = time.process_time()
    for board in boards:
        solver.solve(board.own, board.mask, -INFINITY, INFINITY, solver.nodes() + NODES, bool)
    return (time.process_time() - start) / int(solver.nodes())


def timed(board: Board, threads: int) -> dict[str, Any]:
    """Score, nodes, CPU seconds of all threads together, and seconds."""
    cpu, clock = time.process_time(), time.perf_counter()
    solution = solve(board, columns=False, book=False, threads=threads)
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    return {"score": solution.score, "nodes": solution.nodes, "cpu": cpu, "clock": clock}


def positions(plies: int, number: int) -> list[Board]:
    """Random unfinished boards without an immediate win for the player to move."""
    chance = random.Random(plies)
    found: list[Board] = []
    while len(found) < number:
        board = Board()
        while board.ply < plies and not board.is_over():
            board.push(chance.choice(board.legal_columns))
        if not board.is_over() and not board.winning_columns():
            found.append(board)
    return found


def row(plies: int, boards: list[Board], peer: Peer | None, repeats: int) -> dict[str, Any]:
    """One row of the table; the scores of both solvers must agree."""
    ours, theirs, nodes = [], [], []
    for board in boards:
        one = partial(solve, board, columns=False, book=False)
        solution = one()
        nodes.append(solution.nodes)
        ours.append(statistics.median(cpu_seconds(one) for _ in range(repeats)))
        if peer is not None:
            answers = [peer(board) for _ in range(repeats)]
            assert all(score == solution.score for score, _ in answers), board
            theirs.append(statistics.median(seconds for _, seconds in answers))
    with ThreadPoolExecutor(1) as thread:
        every = partial(solve_many, boards, book=False, executor=thread)
        many = statistics.median(cpu_seconds(every) for _ in range(repeats)) / len(boards)
    return {
        "plies": plies,
        "positions": len(boards),
        "nodes": statistics.fmean(nodes),
        "ours": 1e3 * statistics.fmean(ours),
        "many": 1e3 * many,
        "peer": 1e3 * statistics.fmean(theirs) if theirs else None,
        "ratio": interval(b / a for a, b in zip(ours, theirs, strict=True)) if theirs else None,
        "rate": 1 / many,
    }


def bitbully() -> Peer | None:
    """A function that solves a board with BitBully, empty table, no book; None if BitBully is not installed."""
    try:
        from bitbully import BitBully
        from bitbully import Board as TheirBoard
    except ImportError:
        return None
    engine = BitBully(opening_book=None)

    def solved(board: Board) -> tuple[int, float]:
        position = TheirBoard(board.to_moves())
        engine.reset_transposition_table()
        start = time.process_time()
        score = int(engine.mtdf(position))
        return score, time.process_time() - start

    return solved


if __name__ == "__main__":
    main()
