"""Train the order in which the solver searches moves on 7x6: cd examples && python -m ordering

Writes src/c4mcts/solver/order.npz. First it compiles sampler.pyx, which needs Cython, a C compiler and the native
backend. Then the solver searches positions after 6 to 12 random moves; at some positions of these searches each move is
searched by itself, and the weights of features are fitted to the nodes that it takes. It needs SciPy, and minutes of
CPU time. Everything has fixed seeds, so that the same NumPy and SciPy on the same kind of processor give the
same file. After a training of the network train the order again, since its logits are one of the features.
--moves FILE keeps the sampled moves, and reads them if the file is there.
"""

import argparse
import os
import random
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more would add up in another order

import numpy as np

from c4mcts import Board, PolicyValueNetwork, Rules, _archives, _files
from c4mcts._layout import ORDER_SHAPE
from c4mcts._weights import ORDER

from .training import Moves, trained

ROOT = Path(__file__).parents[2]
SEEDS = 2, 3  # of two processes
POSITIONS = 90  # that each of them searches
LEAST_EMPTY = 24  # cells of positions whose moves are sampled: ordering.RANKED_EMPTY
FEW_RATE = 0.4  # the share of positions with 30 empty cells that are sampled; with four cells fewer it is half of that


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=POSITIONS, metavar="N", help=f"default {POSITIONS}")
    parser.add_argument("--moves", type=Path, metavar="FILE", help="where to keep the sampled moves, an .npy")
    parser.add_argument("--out", default=ORDER, metavar="FILE", help="instead of the file of the package")
    options = parser.parse_args()
    if options.moves is not None and options.moves.exists():
        moves = np.load(options.moves)
    else:
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as executor:
            moves = joined(list(executor.map(partial(sampled, options.positions), SEEDS)))
        if options.moves is not None:
            np.save(options.moves, moves)
    print(f"{len(moves):,} moves of {moves['position'][-1] + 1:,} positions", flush=True)
    about = {"kind": "order", "network": PolicyValueNetwork.load().fingerprint}
    _files.write(options.out, _archives.pack(about, {"weights": trained(moves)}, _archives.SMALL))


def joined(parts: list[Moves]) -> Moves:
    for before, part in pairwise(parts):
        part["position"] += before["position"][-1] + 1
    return np.concatenate(parts)


def sampled(count: int, seed: int) -> Moves:
    """The moves of sampled positions in searches of some random openings."""
    rates = [0.0] * LEAST_EMPTY + [
        min(1.0, FEW_RATE * 2 ** ((empty - 30) / 4)) for empty in range(LEAST_EMPTY, Rules().cells + 1)
    ]
    network = PolicyValueNetwork.load().twin("native", Rules())
    return compiled().sampled(openings(count, seed), network, order_without_learning(), rates, seed)


def openings(count: int, seed: int) -> list[tuple[int, int]]:
    """Unfinished positions after random moves."""
    draw, found = random.Random(seed), []
    while len(found) < count:
        board = Board()
        for _ in range(draw.choice((6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12))):
            if not board.is_over():
                board.push(draw.choice(board.legal_columns))
        if not board.is_over():
            found.append((board.own, board.mask))
    return found


def compiled() -> Any:
    """The module sampler, for this interpreter."""
    from Cython.Build import cythonize
    from setuptools import Extension
    from setuptools.dist import Distribution

    sources = "src/c4mcts/_native"
    extension = Extension(
        "sampler",
        [str(Path(__file__).with_name("sampler.pyx"))],
        include_dirs=[str(ROOT / sources)],
        extra_compile_args=["-O2", "-ffp-contract=off"],
    )
    folder = tempfile.mkdtemp()
    directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
    paths = [str(ROOT / "src"), str(ROOT / sources)]
    modules = cythonize([extension], include_path=paths, build_dir=folder, compiler_directives=directives, quiet=True)
    build = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    build.build_lib, build.build_temp = folder, folder
    build.ensure_finalized()
    build.run()
    sys.path.insert(0, folder)
    try:
        import sampler
    finally:
        sys.path.remove(folder)
    return sampler


def order_without_learning() -> Any:
    """Weights that order moves by estimates and experience alone."""
    weights = np.zeros(ORDER_SHAPE, np.int16)
    weights[:, 6:8] = 1 << 10, 1
    return weights


if __name__ == "__main__":
    main()
