"""Train the moves of a network by places on exact labels of 7x6: cd examples && python -m network.exact FOLDER

The network of the package has one table of lines for all boards. This one has rows for each place of 7x6 (see
PolicyValueNetwork), and learns which columns keep the outcome of millions of positions, with either player to move: of
all with fewer than ten discs, of games that the package's network plays with random moves among its own, and of random
games. The book and the solver label them. Only the weights of the moves learn: the value stays.

FOLDER keeps the positions, part by part, from which the same command continues, and gets the network (network.npz). A
part takes two minutes of CPU time, and all processors make parts; the training itself takes some minutes on one.
exact.cpp does that, compiled on this machine. The positions with which c4mcts.selfplay measures networks are left out,
and the errors in them are printed after each epoch. Needs a C++ compiler and the native backend.
"""

import argparse
import io
import subprocess
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import numpy.typing as npt
from alphazero import files

from c4mcts import PolicyValueNetwork
from c4mcts.selfplay import exact_positions
from c4mcts.solver.bitboards import Positions

from .counterexamples import by_places, compiled, packed, packed_weights, trained
from .labels import random_games, usable
from .reach import RULES, Judge

PARTS, FIRST_SEED = 14, 1000  # seeds that no positions for a measurement come from
# Of a part: discs from and to, and how many positions. Early ones take the solver longest.
PLIES = (
    (0, 12, 60_000),
    (12, 14, 3_000),
    (14, 16, 10_000),
    (16, 18, 25_000),
    (18, 21, 150_000),
    (21, 25, 200_000),
    (25, 41, 200_000),
)
GAMES, RANDOM_GAMES, RANDOM_SHARE = 150_000, 40_000, 0.3  # of a part, and of its positions
RANDOM_FIRST = 14  # a game begins with fewer random moves
CHANCES = (0.1, 0.25, 0.5)  # of a random move later on, one for each game
EARLY, EARLY_TIMES = 10, 10  # all positions with fewer discs, and how often they are learned
EPOCHS, RATE = 1, 1e-3  # more epochs learn the positions by heart

Words = npt.NDArray[np.uint64]


def is_open(mask: Words) -> npt.NDArray[np.bool_]:
    """Which columns are not full, (n, 7)."""
    tops = np.arange(5, 7 * RULES.width, 7, dtype=np.uint64)
    return mask[:, None] >> tops & np.uint64(1) == 0


def as_bits(columns: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Sets of columns, (n, 7), as a bit for each, (n,)."""
    return (columns << np.arange(RULES.width)).sum(axis=1).astype(np.uint8)


def own_games(network: PolicyValueNetwork, games: int, draw: np.random.Generator) -> Positions:
    """The unfinished positions of games that the network's priors play, with random moves among them."""
    positions = Positions.of(RULES, [0] * games, [0] * games)
    chances, first = draw.choice(CHANCES, games), draw.integers(0, RANDOM_FIRST, games)
    found = []
    for ply in range(RULES.cells):
        found.append(positions)
        priors, _ = network.evaluate_many(positions.own.tolist(), positions.mask.tolist(), RULES)
        is_random = (ply < first) | (draw.random(len(positions)) < chances)
        weights = np.log(np.where(is_random[:, None], 1, priors + 1e-6)) + draw.gumbel(size=priors.shape)
        columns = np.where(is_open(positions.mask), weights, -np.inf).argmax(axis=1)
        bottoms = (7 * columns).astype(np.uint64)
        cells = positions.mask + (np.uint64(1) << bottoms) & np.uint64(63) << bottoms
        after = Positions(RULES, positions.own ^ positions.mask, positions.mask | cells)
        goes_on = ~after.are_over()
        positions, chances, first = after[goes_on], chances[goes_on], first[goes_on]
    return Positions.joined(found)


def test_keys() -> set[int]:
    """Canonical keys of the positions that measure networks."""
    tests = exact_positions()
    return {int(key) for key in Positions(RULES, tests.own, tests.mask).canonical_keys()}


def openings() -> Positions:
    """All positions with fewer than EARLY discs, or their mirror images, in which no disc wins at once."""
    here, found = Positions.of(RULES, [0], [0]), []
    for _ in range(EARLY):
        found.append(here)
        here = Positions.joined([here.after(column).positions for column in range(RULES.width)]).unique().positions
    return usable(Positions.joined(found), test_keys())


def part(seed: int) -> Positions:
    """Some positions of games."""
    draw, left_out, chosen = np.random.default_rng(seed), test_keys(), []
    kinds = own_games(PolicyValueNetwork.load(), GAMES, draw), random_games(RULES, RANDOM_GAMES, seed)
    for first, end, count in PLIES:
        for kind, share in zip(kinds, (1 - RANDOM_SHARE, RANDOM_SHARE), strict=True):
            here = usable(kind[(kind.plies >= first) & (kind.plies < end)], left_out)
            chosen.append(here[draw.permutation(len(here))[: int(share * count)]])
    return Positions.joined(chosen)


def labelled(path: Path, make: Callable[[], Positions]) -> Path:
    """Write positions, own and other discs, and their good columns, unless they are there."""
    if not path.exists():
        positions, judge = make(), Judge()
        boards = zip(positions.own.tolist(), positions.mask.tolist(), strict=True)
        good = np.array([sum(1 << column for column in judge.good_columns(*board)) for board in boards], np.uint8)
        data = io.BytesIO()
        np.savez_compressed(data, own=positions.own, other=positions.own ^ positions.mask, good=good)
        files.write(path, data.getvalue())
    return path


def lesson(own: Words, other: Words, good: npt.NDArray[np.uint8], times: int = 1) -> bytes:
    """What exact.cpp reads: positions whose columns differ, each or its mirror image, and the good columns.

    times: how often it has each early position.
    """
    keys = Positions(RULES, own, own | other).canonical_keys()
    rows = np.unique(keys, return_index=True)[1]
    rows = rows[good[rows] != as_bits(is_open((own | other)[rows]))]
    rows = np.repeat(rows, np.where(np.bitwise_count((own | other)[rows]) < EARLY, times, 1))
    positions = np.empty(len(rows), [("own", "u8"), ("other", "u8")])
    positions["own"], positions["other"] = own[rows], other[rows]
    return packed([positions, good[rows]])


def tests() -> bytes:
    """The positions in which the network is tested."""
    positions = exact_positions()
    values = np.where(positions.legal, np.sign(positions.scores), -2)
    good = as_bits(values == values.max(axis=1, keepdims=True))
    return lesson(positions.own, positions.own ^ positions.mask, good)


def learn(folder: Path, parts: list[Path], first: PolicyValueNetwork) -> PolicyValueNetwork:
    """The network after the training; prints the errors after each epoch."""
    loaded = [np.load(path) for path in parts]
    arrays = [np.concatenate([part[name] for part in loaded]) for name in ("own", "other", "good")]
    files.write(folder / "positions.bin", lesson(*arrays, EARLY_TIMES))
    files.write(folder / "tests.bin", tests())
    files.write(folder / "weights.bin", packed_weights(by_places(first)))
    subprocess.run([str(each) for each in (compiled(folder, "exact"), folder, EPOCHS, RATE)], check=True)
    return trained(folder / "weights.bin", first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="positions and network")
    parser.add_argument("--parts", type=int, default=PARTS, metavar="N", help=f"of positions (default {PARTS})")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    makers = {f"part-{seed}.npz": partial(part, seed) for seed in range(FIRST_SEED, FIRST_SEED + options.parts)}
    makers["openings.npz"] = openings
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as executor:
        parts = list(executor.map(labelled, map(options.folder.joinpath, makers), makers.values()))
    learn(options.folder, parts, PolicyValueNetwork.load()).save(options.folder / "network.npz")


if __name__ == "__main__":
    main()
