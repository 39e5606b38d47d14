"""The generations: play, learn, measure.

All random numbers of a generation come from the seed and the number of the generation. So there is no generator whose
state could be lost, and an interrupted generation is repeated exactly.
"""

import sys
import time
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from c4mcts.evaluators import NetworkEvaluator
from c4mcts.selfplay import BatchParams, SelfPlay, generate, load

from . import files, labels, metrics
from .evaluation import ALL, evaluate
from .folder import Folder
from .networks import Learner, learner_of
from .replay import batches

PLAY, LEARN = 0, 1  # the uses of random numbers in a generation

Say = Callable[[str], object]


class Timed:
    """An evaluator that measures its own CPU time. It has no `submit`: the network and the games take turns."""

    def __init__(self, evaluator: NetworkEvaluator) -> None:
        self._evaluator = evaluator
        self.seconds = 0.0
        self.rows = 0

    def __call__(self, planes: Any, legal: Any) -> Any:
        start = time.process_time()
        answer = self._evaluator(planes, legal)
        self.seconds += time.process_time() - start
        self.rows += len(planes)
        return answer

    @property
    def fingerprint(self) -> str:
        """That of the network, for the facts of the games."""
        return self._evaluator.fingerprint


def train(folder: Folder, say: Say = print) -> None:
    """Continue from the files of the folder, up to the last generation."""
    learner = learner_of(folder.configuration)
    done = folder.networks()
    if done:
        learner.restore(folder.network(done[-1]).read_bytes())
    else:
        files.write(folder.network(0), learner.state())
        done = [0]
    if folder.configuration.evaluate:
        measure(folder, say)
    for generation in range(done[-1] + 1, folder.configuration.generations + 1):
        say(f"generation {generation}: {run(folder, learner, generation)}")
        if folder.configuration.evaluate:
            measure(folder, say)
        else:
            metrics.write_tables(folder)
            metrics.show_on_tensorboard(folder, generation)
    metrics.write_tables(folder)  # an earlier call may have ended before that


def run(folder: Folder, learner: Learner, generation: int) -> str:
    """Play and learn for one generation. Returns a line about it."""
    figures = play(folder, learner, generation)
    start = time.process_time()
    exact_scores(folder, generation)
    figures["label_seconds"] = round(time.process_time() - start, 2)
    start = time.process_time()
    figures |= learn(folder, learner, generation)
    figures["learn_seconds"] = round(time.process_time() - start, 2)
    folder.write("times", generation, figures)
    files.write(folder.network(generation), learner.state())  # last: this completes the generation
    share = figures["network_share"]
    inside = "" if share is None else f", {share:.1%} of them in the network"
    return (
        f"{figures['positions']:,} positions in {figures['play_seconds']:.0f} s{inside}; losses "
        f"{figures['policy_loss']:.3f} and {figures['value_loss']:.3f} after {figures['learn_seconds']:.0f} s"
    )


def play(folder: Folder, learner: Learner, generation: int) -> dict[str, Any]:
    """The games of a generation, played or read. Times are CPU times of this process."""
    configuration = folder.configuration
    evaluator: Any = learner.evaluator()
    timed = None if configuration.device != "cpu" else Timed(evaluator)
    start = time.process_time()
    data = generate(
        configuration.games,
        configuration.params(),
        simulations=configuration.simulations,
        evaluator=timed or evaluator,
        play=configuration.play_params(),
        batches=BatchParams(concurrent=configuration.concurrent),
        seed=_seed(configuration.seed, generation, PLAY),
        out=folder.games(generation),
        progress=sys.stderr.isatty(),
    )
    seconds = time.process_time() - start
    return {
        **_results(data),
        "play_seconds": round(seconds, 2),
        "network_seconds": None if timed is None else round(timed.seconds, 2),
        "network_share": None if timed is None or not timed.rows else round(timed.seconds / seconds, 4),
        "network_rows": None if timed is None else timed.rows,
    }


def exact_scores(folder: Folder, generation: int) -> None:
    """Solve the late positions of a generation that no earlier game of its window has, unless that has been done."""
    path, configuration = folder.labels(generation), folder.configuration
    if not path.exists():
        earlier = [data_of(folder, number) for number in folder.window(generation) if number < generation]
        labels.write(path, folder.games(generation), configuration.exact_from, earlier, configuration.threads)


def data_of(folder: Folder, generation: int) -> SelfPlay:
    """The games of a generation with their exact labels. Their files are mapped into memory, not read."""
    return labels.labelled(load(folder.games(generation), mmap=True), np.load(folder.labels(generation)))


def learn(folder: Folder, learner: Learner, generation: int) -> dict[str, float]:
    """Learn from the games of the last generations. Returns the mean losses."""
    configuration = folder.configuration
    data = reduce(add, (data_of(folder, number) for number in folder.window(generation)))
    policy, value = learner.learn(
        batches(
            data,
            data.mixed_value(configuration.value_mix),
            size=configuration.batch,
            epochs=configuration.epochs,
            draw=np.random.default_rng(_seed(configuration.seed, generation, LEARN)),
        )
    )
    return {"policy_loss": round(policy, 5), "value_loss": round(value, 5)}


def measure(folder: Folder, say: Say = print, again: bool = False) -> None:
    """Evaluate all networks that have not been evaluated yet, and write the tables. again: the last one in any case."""
    last = folder.last_network()
    for generation in folder.networks():
        if folder.figures("evaluation", generation).exists() and not (again and generation == last):
            continue
        learner = learner_of(folder.configuration)
        learner.restore(folder.network(generation).read_bytes())
        start = time.process_time()
        found = evaluate(learner.evaluator(), folder.configuration)
        folder.write("evaluation", generation, found)
        metrics.write_tables(folder)
        metrics.show_on_tensorboard(folder, generation)
        say(f"after generation {generation}: {described(found)} ({time.process_time() - start:.0f} s)")


def described(found: dict[str, list[dict[str, Any]]]) -> str:
    """The figures of an evaluation in one line."""
    whole = [line for line in found["errors"] if line["plies"] == ALL]
    words = [f"{line['player']} {line['share']:.1%} wrong" for line in whole]
    return ", ".join([*words, *(f"{line['share']:.1%} against {line['opponent']}" for line in found["matches"])])


def _results(data: SelfPlay) -> dict[str, Any]:
    """Numbers of games and positions, and how the games ended."""
    last = data.plies_left == 1
    first_won = data.outcome[last] * np.where(data.ply[last] % 2, -1, 1)  # seen by the first player
    ends = {"first_won": int((first_won == 1).sum()), "drawn": int((first_won == 0).sum())}
    return {"games": data.games, "positions": len(data), **ends}


def _seed(seed: int, generation: int, purpose: int) -> int:
    """A seed for one purpose in a generation."""
    return int(np.random.SeedSequence((seed, generation, purpose)).generate_state(1)[0])
