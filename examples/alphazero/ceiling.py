"""The ceiling: the same network, trained on exact scores and measured alike.

How far does this network get if every target is right? The value is the outcome under perfect play, the policy is equal
among the best moves. The test positions and their mirror images are left out.
"""

import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from c4mcts import SearchParams
from c4mcts.selfplay import PlayParams, SelfPlay, exact_positions, generate, label, load
from c4mcts.solver.book import NO_SCORE

from . import files, metrics, positions
from .evaluation import evaluate
from .folder import Folder
from .networks import learner_of
from .replay import batches
from .training import Say, described, show

EPOCHS = 10
SLOW_PLIES = range(8, 12)  # which take the solver longest where no book has them


def ceiling(folder: Folder, games: int, per_ply: int, per_slow_ply: int, say: Say = show) -> None:
    """Make the positions, train, and measure. Finished parts are kept: games, single labels, the network.

    games: of each of two kinds. per_ply, per_slow_ply: most positions with the same number of discs.
    """
    configuration, place = folder.configuration, folder.path / "ceiling"
    place.mkdir(exist_ok=True)
    data = labelled(place, games, (per_ply, per_slow_ply), configuration.seed, say)
    rows = np.flatnonzero(data.score != NO_SCORE)
    learner, state = learner_of(configuration), place / "network.state"
    if state.exists():
        learner.restore(state.read_bytes())
    else:
        start = time.process_time()
        draw = np.random.default_rng(configuration.seed)
        value = np.sign(data.score).astype(np.float32)
        policy_loss, value_loss = learner.learn(
            batches(data, value, size=configuration.batch, epochs=EPOCHS, draw=draw, rows=rows)
        )
        files.write(state, learner.state())
        seconds = time.process_time() - start
        say(f"{len(rows):,} positions: losses {policy_loss:.3f} and {value_loss:.3f} after {seconds:.0f} s")
    result = evaluate(learner.evaluator(), configuration)
    for name in ("errors", "matches"):
        files.write(place / f"{name}.csv", metrics.table(metrics.TABLES[name], result[name]))
    say(f"ceiling: {described(result)}")


def labelled(place: Path, games: int, most: tuple[int, int], seed: int, say: Say) -> SelfPlay:
    """Games of UCT, whose chosen positions have exact scores and an exact policy."""
    folder = place / "positions"
    if not folder.exists():
        uct = SearchParams.preset("uct")
        data, *others = (
            generate(games, uct, simulations=50, play=play, seed=seed, out=place / name)
            for name, play in (
                ("games", PlayParams(temperature_plies=16)),
                ("random games", PlayParams(temperature=math.inf, temperature_plies=16)),
            )
        )
        for other in others:
            data += other
        rows = chosen_rows(data, most, np.random.default_rng(seed))
        say(f"labelling {len(rows):,} of {len(data):,} positions")
        label(data, rows, columns=True, progress=True, checkpoint=place / "labels.checkpoint").save(folder)
    data = load(folder)
    return SelfPlay(data.sources, {**data.arrays, "policy": best_moves(data.scores)})


def chosen_rows(data: SelfPlay, most: tuple[int, int], draw: np.random.Generator) -> npt.NDArray[np.intp]:
    """Different positions, none of them a test position.

    most: positions with the same number of discs, in general and for SLOW_PLIES.
    """
    keys = positions.keys(data.own, data.mask)
    _, first = np.unique(keys, return_index=True)
    tests = exact_positions()
    first = first[~np.isin(keys[first], positions.keys(tests.own, tests.mask))]
    parts = []
    for ply in range(42):
        here = first[data.ply[first] == ply]
        parts.append(draw.permutation(here)[: most[ply in SLOW_PLIES]])
    return np.sort(np.concatenate(parts))


def best_moves(scores: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """(n, 7): equal shares for the moves with the best score; for rows without scores too, which nobody uses."""
    best = scores == scores.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
