"""Train the network of the package: cd examples && python -m network

Writes src/c4mcts/search/network.npz three times: a first network learns from exact labels and from searches of the
preset "strong", the second one from exact labels and from games of the first, the third one from games of the second,
too. Everything has fixed seeds and limits in simulations, so that the same NumPy and SciPy on the same kind of
processor give the same file again; the weights that are written are integers. It takes about two hours of CPU time,
most of it for games on larger boards, which all processors play together, and 4 GB of memory. The labels are kept in a
folder, board by board, and read from there by later runs: --labels FOLDER. Needs the native backend and SciPy.
"""

import argparse
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more would add up in another order

import numpy as np
from alphazero import files
from alphazero.layers import forward, integers

from c4mcts import PolicyValueNetwork, Rules
from c4mcts._weights import NETWORK
from c4mcts.search.network import shipped_network
from c4mcts.selfplay import exact_positions
from c4mcts.solver.bitboards import Positions

from .labels import Labels, exact_labels, network_labels, strong_labels
from .training import Samples, joined, samples_of, trained

EPOCHS = 10
# How often an epoch has them; of the first openings there are few.
TIMES = {"first-7x6": 8, "openings-7x6": 2, "exact-7x6": 2, "games-7x6": 2}
GENERATIONS = 2  # of networks that learn from games of the one before
SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path, metavar="FOLDER", help="where to keep the labelled positions")
    folder = parser.parse_args().labels
    held = held_positions()
    positions = Positions(held.rules, np.array(held.own, np.uint64), np.array(held.mask, np.uint64))
    left_out = {int(key) for key in positions.canonical_keys()}
    test = samples_of(held)
    exact = kept(folder, exact_labels(left_out))
    learn([*exact, *kept(folder, strong_labels())], test)
    games: list[Samples] = []
    for generation in range(GENERATIONS):
        games += kept(folder, network_labels(generation, left_out), of=PolicyValueNetwork.load().fingerprint[:8])
        learn([*exact, *games], test)


def held_positions() -> Labels:
    """The test positions of the package, which no network learns from: the moves that keep the outcome."""
    tests = exact_positions()
    best = np.sign(tests.scores.max(axis=1, keepdims=True))
    keeps = (tests.legal & (np.sign(tests.scores) == best)).astype(np.float32)
    value = ((best[:, 0] + 1) / 2).astype(np.float32)
    return Labels(Rules(), tests.own.tolist(), tests.mask.tolist(), keeps, np.ones(len(value), bool), value)


def kept(folder: Path | None, makers: dict[str, Callable[[], Labels]], of: str = "all") -> list[Samples]:
    """Samples of labels that are made, or read from a folder if they are there. (Read only what you have written.)

    of: a word for what they depend on besides this program, for the names of the files.
    """
    paths = {name: None if folder is None else folder / f"{name}-{of}.pickle" for name in makers}
    found = []
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as executor:  # new processes read the latest network
        made = {
            name: executor.submit(make)
            for name, make in makers.items()
            if (path := paths[name]) is None or not path.exists()
        }
        for name, path in paths.items():
            labels = made.pop(name).result() if name in made else pickle.loads(path.read_bytes())
            if path is not None and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                files.write(path, pickle.dumps(labels))
            print(f"{name}: {len(labels.own):,} positions", flush=True)
            found.append(samples_of(labels, TIMES.get(name, 1)))
    return found


def learn(parts: list[Samples], test: Samples) -> None:
    """Train a network, write it and print how well it does."""
    weights = trained(joined(parts), EPOCHS, SEED)
    PolicyValueNetwork(integers(weights)).save(NETWORK)
    shipped_network.cache_clear()
    logits, first = forward(weights, test.inputs)["logits"], test.inputs.first
    wrong = [1 - test.policy[begin + int(np.argmax(logits[begin:end]))] for begin, end in pairwise(first)]
    size, epoch = sum(map(len, parts)), sum(int(part.times.sum()) for part in parts)
    print(f"{size:,} positions, {epoch:,} an epoch; {100 * np.mean(wrong):.2f} % errors of the bare policy")
    print(f"{os.path.getsize(NETWORK):,} bytes, {PolicyValueNetwork.load().fingerprint}")


if __name__ == "__main__":
    main()
