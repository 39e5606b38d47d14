"""Remake the figures of docs/prior_systems/sources.md, in docs/img: python docs/figures.py

Needs matplotlib. Each panel is one call of c4mcts.study. Seeds are fixed, so only the times differ from run to run.
"""

import argparse
import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from c4mcts import Board, Rules, SearchParams, prefilled_board, study

FOLDER = Path(__file__).parent / "img"
DPI = 100
STARTS = {"empty board": Board(), "pre-filled board": prefilled_board()}
REPORT = {mode: SearchParams.preset(f"report-{mode}") for mode in ("random", "minimax")}
NOTEBOOK = SearchParams.preset("notebook-uct")
TIMED = SearchParams.preset("uct-timed")
NO_DIAGONALS = SearchParams.preset("no-diagonals")
SMALL = Board(Rules(6, 5, 4, diagonals=False))
CENTRE = [3]  # the only optimal first move on 7x6; solve(Board()) confirms it in half a minute


def report_convergence(figure: Figure) -> None:
    """Q of every column up to 5,000 iterations, on both boards in both modes."""
    panels = iter(figure.subplots(2, 2, sharex=True, sharey="row").flat)
    for place, board in STARTS.items():
        for mode, params in REPORT.items():
            found = study.convergence(board, params, simulations=range(50, 5001, 50), runs=20, seed=1)
            ax = found.plot(next(panels), title=f"report-{mode}, {place}")
            ax.set_xscale("linear")
            ax.xaxis.set_major_formatter("{x:,.0f}")
            ax.set_ylim((-0.6, 0.9) if place == "empty board" else (-1.03, 1.03))
            ax.get_legend().set_loc("upper right" if place == "empty board" else "lower right")
            ax.label_outer()


def report_win_rate(figure: Figure) -> None:
    """Games won against a random opponent at 5 to 5,000 iterations a move, on both boards in both modes."""
    found = study.win_rate(STARTS, REPORT, games=100, seed=1)
    found.plot(figure.subplots(), title="report-random and report-minimax: games won against a random opponent")


def notebook_histograms(figure: Figure) -> None:
    """The column chosen by 100 searches, on three boards."""
    panels = iter(figure.subplots(2, 2).flat)
    with ThreadPoolExecutor(1) as alone:  # one worker, so that the times include no waiting
        for width, height, simulations in ((7, 6, 100), (7, 40, 100), (11, 6, 100), (11, 6, 2000)):
            board = Board(Rules(width, height))
            found = study.action_frequency(board, NOTEBOOK, simulations=simulations, seed=1, executor=alone)
            found.plot(next(panels), title=f"notebook-uct, {width}x{height}, {simulations:,} iterations, 100 searches")


def notebook_exploration(figure: Figure) -> None:
    """How often the centre is chosen, depending on the exploration factor."""
    found = study.optimality(Board(), NOTEBOOK, sweep="exploration", optimal=CENTRE, seed=1)
    found.plot(figure.subplots(), title="notebook-uct: how often the centre is chosen, by the exploration factor")


def notebook_budget(figure: Figure) -> None:
    """How often the centre is chosen, depending on the budget."""
    found = study.optimality(Board(), NOTEBOOK, sweep="simulations", optimal=CENTRE, seed=1)
    found.plot(figure.subplots(), title="notebook-uct: how often the centre is chosen, by the budget")


def uct_timed(figure: Figure) -> None:
    """How often the centre is chosen, depending on the number of rollouts."""
    rollouts = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
    found = study.optimality(Board(), TIMED, sweep="simulations", values=rollouts, runs=100, optimal=CENTRE, seed=1)
    ax = found.plot(figure.subplots(), title="uct-timed: how often it opens in the centre, by the number of rollouts")
    ax.set_xscale("log")
    ax.set_xticks(rollouts, [f"{number:,}" for number in rollouts])
    ax.minorticks_off()


def no_diagonals(figure: Figure) -> None:
    """The first move at six and at 6,000 iterations."""
    for ax, simulations in zip(figure.subplots(1, 2, sharey=True), (6, 6000), strict=True):
        found = study.action_frequency(SMALL, NO_DIAGONALS, simulations=simulations, runs=1000, seed=1)
        found.plot(ax, title=f"no-diagonals, {simulations:,} iterations, 1,000 searches")
        ax.label_outer()


FIGURES: dict[str, tuple[Callable[[Figure], None], tuple[float, float]]] = {  # function, size in inches
    "report-convergence": (report_convergence, (11, 8)),
    "report-win-rate": (report_win_rate, (9, 5)),
    "notebook-histograms": (notebook_histograms, (12, 8)),
    "notebook-exploration": (notebook_exploration, (9, 4.5)),
    "notebook-budget": (notebook_budget, (9, 4.5)),
    "uct-timed": (uct_timed, (9, 4.5)),
    "no-diagonals": (no_diagonals, (12, 4.5)),
}


def save(figure: Figure, path: Path) -> None:
    """Save a figure as a PNG with a palette: a third of the size of one without."""
    whole = io.BytesIO()
    figure.savefig(whole, dpi=DPI)
    picture = (
        Image.open(whole)
        .convert("RGB")
        .quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    )
    picture.save(path, optimize=True)


def main() -> None:
    """Draw the figures, and print the size and the CPU time of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="TEXT", default="", help="figures whose name contains this")
    only = parser.parse_args().only
    FOLDER.mkdir(exist_ok=True)
    begin = time.process_time()
    for name, (draw, size) in FIGURES.items():
        if only not in name:
            continue
        start = time.process_time()
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        path = FOLDER / f"{name}.png"
        save(figure, path)
        print(f"{path.name:28} {path.stat().st_size / 1000:5.0f} kB {time.process_time() - start:7.1f} s of CPU")
    print(f"{'all':28} {'':8} {time.process_time() - begin:7.1f} s of CPU")


if __name__ == "__main__":
    main()
