"""Train a policy until it never gives a win away: cd examples && python -m network.counterexamples FOLDER

The policy moves first on 7x6 and plays its most probable column, without a search. Each round plays it against every
reply: all positions that it reaches, or a sample of those with as many discs. The solver finds the moves that give a
win away; the policy learns from them, and from a sample of all positions so far, in which it is to go on as it does.
Only the weights of the moves learn: the value stays the package's.

FOLDER keeps the state, once a minute, from which the same command continues, the network (network.npz) and the curve
(curve.csv): of each round the positions met, in how many of them the network would give the win away, in how many that
it reaches without such an error before, and, from the samples, an estimate of how many such positions there are in all,
which is several times too high: in samples fewer lines meet. reach counts them. Needs the native backend and SciPy.
"""

import argparse
import os
import pickle
import time
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more would add up in another order

import numpy as np
from alphazero import files
from alphazero.layers import UNIT, Adam, Floats, Weights, backward, forward, integers

from c4mcts import PolicyValueNetwork
from c4mcts.play import NetworkPlayer
from c4mcts.solver.bitboards import Positions

from .labels import Labels
from .reach import RULES, START, Judge, replies
from .training import Samples, samples_of, shares

LAYER = 4_000  # positions with as many discs that a round plays on, at most
WRONG, UNSURE, OTHERS = 40_000, 20_000, 25_000  # positions of a round: played wrong, right but barely, and others
OLD = 300_000  # positions of earlier rounds that a round looks at
EPOCHS = 6  # of a round
BATCH = 1024
RATE, FALL, LEAST_RATE = 1e-3, 0.92, 2e-5  # the rate of the first round, its fall from each to the next, and the least
SAVE_EVERY = 60.0  # seconds


class Meeting(NamedTuple):
    """What a policy does in the positions of a round."""

    positions: Positions
    wrong: int  # in which it would give the win away
    mistakes: int  # positions that it reaches, and in which it gives the win away
    estimate: float  # of these, if all positions were met; too high, since fewer lines meet in samples


def met(player: NetworkPlayer, judge: Judge, seed: int) -> Meeting:
    """Play a policy against all replies; where it gives the win away, with the move that it prefers of the others.

    Every position is won. Of those with as many discs a sample is followed.
    """
    draw, share = np.random.default_rng(seed), 1.0  # of all positions, those that are followed
    here, is_reached = START, np.ones(1, bool)
    parts, wrong, mistakes, estimate = [], 0, 0, 0.0
    while len(here):
        parts.append(here)
        columns, priors = player.choose_many(RULES, here.own, here.mask), priors_of(player, here)
        for row, (own, mask, column) in enumerate(zip(here.own.tolist(), here.mask.tolist(), columns, strict=True)):
            if not judge.wins(own, mask, int(column)):
                wrong += 1
                mistakes += int(is_reached[row])
                estimate += is_reached[row] / share
                is_reached[row] = False
                columns[row] = np.where(judge.winning(own, mask), priors[row], -1).argmax()
        after = replies(here, columns)
        here, reached = after.positions, np.zeros(len(after.positions), bool)
        reached[after.indices[is_reached[after.parents]]] = True
        chosen = np.sort(draw.permutation(len(here))[:LAYER])
        share *= len(chosen) / max(1, len(here))
        here, is_reached = here[chosen], reached[chosen]
    return Meeting(Positions.joined(parts), wrong, mistakes, estimate)


def priors_of(player: NetworkPlayer, positions: Positions) -> Floats:
    """(n, 7); 0 for full columns."""
    return player.network.evaluate_many(positions.own.tolist(), positions.mask.tolist(), RULES)[0]


def chosen(positions: Positions, player: NetworkPlayer, judge: Judge, seed: int) -> tuple[Samples, int]:
    """Positions to learn from, and how many are played wrong of all."""
    draw = np.random.default_rng(seed)
    columns, priors = player.choose_many(RULES, positions.own, positions.mask), priors_of(player, positions)
    discs = positions.own.tolist(), positions.mask.tolist()
    is_right = np.array([judge.wins(*each) for each in zip(*discs, columns.tolist(), strict=True)])
    wrong, right = (draw.permutation(np.flatnonzero(rows)) for rows in (~is_right, is_right))
    sure = np.where(columns == priors.argmax(axis=1), priors.max(axis=1), 1)  # also where the lookahead decides
    unsure = right[np.argsort(sure[right])[:UNSURE]]
    rows = np.concatenate([wrong[:WRONG], unsure, right[~np.isin(right, unsure)][:OTHERS]])
    for row in np.concatenate([wrong[:WRONG], unsure]).tolist():
        judge.winning(discs[0][row], discs[1][row])
    known = np.array([judge.known[own << 64 | mask][0] for own, mask in zip(*discs, strict=True)])
    good = (known[:, None] >> np.arange(RULES.width) & 1).astype(np.float32)
    some = positions[rows]
    ones = np.ones(len(rows), np.float32)
    labels = Labels(RULES, some.own.tolist(), some.mask.tolist(), good[rows], ones > 0, ones)
    times = np.maximum(1, 64 >> some.plies // 2) + 3 * ~is_right[rows]
    return samples_of(labels, times), len(wrong)


def weights_of(network: PolicyValueNetwork) -> Weights:
    """The inverse of `integers`."""
    arrays = {name: array.astype(np.float32) / UNIT for name, array in network._weights.items()}
    return {
        "position": np.concatenate([arrays["lines"], arrays["columns"]]),
        "bias": arrays["bias"],
        "value_second": arrays["value_second"].T.copy(),
        "value_second_bias": arrays["value_second_bias"] / UNIT,
        "value": arrays["value"],
        "value_bias": arrays["value_bias"] / UNIT,
        "moves": np.concatenate([arrays["through"], arrays["above"], arrays["landing"]]),
        "move_second": arrays["move_second"].T.copy(),
        "move_second_bias": arrays["move_second_bias"] / UNIT,
        "move": arrays["move"],
    }


def rounded(weights: Weights) -> Weights:
    """The weights as the integers have them: what is learned is how these play."""
    return {name: array if "bias" in name else np.rint(array * UNIT) / UNIT for name, array in weights.items()}


def slopes_and_loss(weights: Weights, some: Samples) -> tuple[Weights, float]:
    """The gradient of the loss of the moves alone, and the loss."""
    layers, first = forward(weights, some.inputs), some.inputs.first
    priors = shares(layers["logits"], first)
    good = priors * some.policy
    total = np.maximum(np.add.reduceat(good, first[:-1]), 1e-9)
    slopes = (priors - good / np.repeat(total, np.diff(first))) / np.float32(len(some))
    return backward(weights, some.inputs, layers, slopes, np.zeros_like(some.value)), -float(np.log(total).mean())


def learn(adam: Adam, samples: Samples, number: int) -> float:
    """The epochs of a round; the mean loss of the last one. number: of the round, from 0."""
    draw, losses = np.random.default_rng(number), list[float]()
    rate = max(LEAST_RATE, RATE * FALL**number)
    for _ in range(EPOCHS):
        order, losses = draw.permutation(np.repeat(np.arange(len(samples)), samples.times)), []
        for begin in range(0, len(order), BATCH):
            slopes, loss = slopes_and_loss(rounded(adam.weights), samples.chosen(np.sort(order[begin : begin + BATCH])))
            adam.step(slopes, adam.next_rate(rate), 0.0)
            losses.append(loss)
    return float(np.mean(losses))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="state, network and curve")
    parser.add_argument("--rounds", type=int, default=1000, metavar="N", help="in all (default 1000)")
    parser.add_argument("--network", type=Path, metavar="FILE", help="to begin with, instead of the package's")
    parser.add_argument(
        "--lookahead", action="store_true", help="the player wins and blocks by itself: see NetworkPlayer"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    run(options.folder, options.rounds, PolicyValueNetwork.load(options.network), options.lookahead)


def run(folder: Path, rounds: int, first: PolicyValueNetwork, lookahead: bool) -> None:
    """Continue with the state of the folder, up to this number of rounds."""
    path, saved = folder / "state.pickle", time.monotonic()
    adam, known, rows = Adam(weights_of(first)), dict[int, list[int]](), list[dict[str, float]]()
    if path.exists():
        adam, known, rows = pickle.loads(path.read_bytes())
    judge = Judge(known)
    while len(rows) < rounds:
        start, seed = time.process_time(), len(rows)
        player = NetworkPlayer(PolicyValueNetwork(integers(adam.weights)), lookahead=lookahead)
        meeting = met(player, judge, seed)
        positions = Positions.joined([meeting.positions, some_of(known, seed)]).unique().positions
        samples, wrong = chosen(positions, player, judge, seed)
        loss = learn(adam, samples, seed)
        row = {
            "round": seed,
            "positions": len(meeting.positions),
            "wrong": meeting.wrong,
            "given away": meeting.mistakes,
        }
        row |= {"estimate": round(meeting.estimate), "known": len(known), "wrong of known": wrong / len(positions)}
        row |= {"learned": len(samples), "loss": loss, "cpu_s": time.process_time() - start}
        rows.append(row)
        print("  ".join(f"{name} {number:.6g}" for name, number in row.items()), flush=True)
        if len(rows) == rounds or time.monotonic() - saved > SAVE_EVERY:
            player.network.save(folder / "network.npz")
            table = [",".join(row), *(",".join(f"{number:.6g}" for number in each.values()) for each in rows)]
            files.write(folder / "curve.csv", "\n".join([*table, ""]).encode())
            files.write(path, pickle.dumps((adam, known, rows)))
            saved = time.monotonic()


def some_of(known: dict[int, list[int]], seed: int) -> Positions:
    """A sample of all positions so far."""
    keys = list(known)
    chosen = np.sort(np.random.default_rng(seed).permutation(len(keys))[:OLD]).tolist()
    discs = [divmod(keys[row], 1 << 64) for row in chosen]
    return Positions.of(RULES, [own for own, _ in discs], [mask for _, mask in discs])


if __name__ == "__main__":
    main()
