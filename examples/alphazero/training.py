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
from c4mcts.executors.progress import reporter
from c4mcts.selfplay import BatchParams, SelfPlay, generate, load

from . import files, labels, metrics
from .configuration import Configuration
from .evaluation import ALL, evaluate
from .folder import Folder
from .matches import duel
from .networks import Learner, learner_of
from .replay import batches

PLAY, LEARN = 0, 1  # the uses of random numbers in a generation
PARTS = ("play", "label", "learn")  # whose CPU times are kept

Say = Callable[[str], object]


def show(line: str) -> None:
    """Print a line at once, also into a file."""
    print(line, flush=True)


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
        """The network's, for the identity of the games."""
        return self._evaluator.fingerprint


def train(folder: Folder, say: Say = show, seconds: float | None = None) -> None:
    """Continue from the files of the folder, up to the last generation.

    seconds: of CPU time, without measuring and gating; the generation in which they are used up is the last one.
    """
    learner, done = begin(folder, say)
    for generation in range(done + 1, folder.configuration.generations + 1):
        if seconds is not None and spent(folder) >= seconds:
            break
        figures = play(folder, learner, generation)
        figures["label_seconds"] = exact_scores(folder, generation)
        say(complete(folder, learner, generation, figures))
        if folder.configuration.gate:
            say(gate(folder))
        report(folder, generation, say)
    metrics.write_tables(folder)  # an earlier call may have ended before that


def begin(folder: Folder, say: Say) -> tuple[Learner, int]:
    """The learner as it is after the last generation, and the number of that."""
    learner = learner_of(folder.configuration)
    if not folder.networks():
        files.write(folder.network(0), learner.state())
    done = folder.last_network()
    if done:
        say(f"{done} of {folder.configuration.generations} generations were there already")
    learner.restore(folder.network(done).read_bytes())
    if folder.configuration.gate and done and not folder.figures("gates", done).exists():
        say(gate(folder))
    if folder.configuration.evaluate:
        measure(folder, say)
    return learner, done


def spent(folder: Folder) -> float:
    """The CPU time of all generations, in seconds: for games, labels and learning."""
    return sum(found.get(f"{name}_seconds", 0) for found in folder.read("times").values() for name in PARTS)


def evaluator_of(folder: Folder, number: int) -> NetworkEvaluator:
    """The network after this number of generations."""
    return restored(folder.configuration, folder.network(number).read_bytes())


def restored(configuration: Configuration, state: bytes) -> NetworkEvaluator:
    """The network with this state."""
    learner = learner_of(configuration)
    learner.restore(state)
    return learner.evaluator()


def play(folder: Folder, learner: Learner, generation: int) -> dict[str, Any]:
    """The games of a generation, played or read."""
    configuration, player = folder.configuration, folder.player()
    evaluator = learner.evaluator() if player == generation - 1 else evaluator_of(folder, player)
    seed, out = _seed(configuration.seed, generation, PLAY), folder.games(generation)
    return {"player": player, **games(configuration, evaluator, seed, out=out, progress=sys.stderr.isatty())[1]}


def games(
    configuration: Configuration, evaluator: NetworkEvaluator, seed: int, **options: Any
) -> tuple[SelfPlay, dict[str, Any]]:
    """The games of a generation and figures about them. Times are CPU times of this process."""
    timed = None if configuration.device != "cpu" else Timed(evaluator)
    start = time.process_time()
    data = generate(
        configuration.games,
        configuration.params(),
        simulations=configuration.simulations,
        evaluator=timed or evaluator,
        play=configuration.play_params(),
        batches=BatchParams(concurrent=configuration.concurrent),
        seed=seed,
        **options,
    )
    seconds = time.process_time() - start
    return data, {
        **_results(data),
        "play_seconds": round(seconds, 2),
        "network_seconds": None if timed is None else round(timed.seconds, 2),
        "network_share": None if timed is None or not timed.rows else round(timed.seconds / seconds, 4),
        "network_rows": None if timed is None else timed.rows,
    }


def exact_scores(folder: Folder, generation: int) -> float:
    """Solve the late positions of a generation that no earlier game of its window has, unless that has been done.

    Returns the CPU time in seconds.
    """
    path, configuration, start = folder.labels(generation), folder.configuration, time.process_time()
    if not path.exists():
        earlier = [data_of(folder, number) for number in folder.window(generation) if number < generation]
        data, progress = load(folder.games(generation)), sys.stderr.isatty()
        labels.write(
            path, labels.exact_scores(data, configuration.exact_from, earlier, configuration.threads, progress)
        )
    return round(time.process_time() - start, 2)


def data_of(folder: Folder, generation: int) -> SelfPlay:
    """The games of a generation with their exact labels. Their files are mapped into memory, not read."""
    return labels.labelled(load(folder.games(generation), mmap=True), np.load(folder.labels(generation)))


def complete(folder: Folder, learner: Learner, generation: int, figures: dict[str, Any]) -> str:
    """Learn from the games of the last generations, and write the network. Returns a line about the generation.

    figures: what is known about its games.
    """
    configuration, start = folder.configuration, time.process_time()
    data = reduce(add, (data_of(folder, number) for number in folder.window(generation)))
    with reporter(sys.stderr.isatty(), "learning") as advance:
        policy, value = learner.learn(
            batches(
                data,
                data.mixed_value(configuration.value_mix),
                size=configuration.batch,
                epochs=configuration.epochs,
                draw=np.random.default_rng(_seed(configuration.seed, generation, LEARN)),
                advance=advance,
            )
        )
    figures = {**figures, "policy_loss": round(policy, 5), "value_loss": round(value, 5)}
    figures["learn_seconds"] = round(time.process_time() - start, 2)
    folder.write("times", generation, figures)
    files.write(folder.network(generation), learner.state())  # last: this completes the generation
    share = figures["network_share"]
    inside = "" if share is None else f", {share:.1%} of them in the network"
    return (
        f"generation {generation}: {figures['positions']:,} positions in {figures['play_seconds']:.0f} s{inside}; "
        f"labels {figures['label_seconds']:.0f} s; losses {policy:.3f} and {value:.3f} "
        f"after {figures['learn_seconds']:.0f} s"
    )


def gate(folder: Folder) -> str:
    """The match of the last network against the one that plays. Returns a line about it."""
    last, player = folder.last_network(), folder.player()
    found = duel(evaluator_of(folder, last), evaluator_of(folder, player), folder.configuration)
    return gated(folder, last, player, found)


def gated(folder: Folder, number: int, player: int, found: dict[str, Any]) -> str:
    """Write the result of a match at the gate. Returns a line about it."""
    folder.write("gates", number, {"opponent": player, **found})
    passed = found["share"] >= folder.configuration.gate
    words = "it plays from now on" if passed else f"network {player} continues to play"
    return f"network {number} scores {found['share']:.1%} against network {player}: {words}"


def report(folder: Folder, generation: int, say: Say) -> None:
    """Measure the network if that is wanted, and write the tables."""
    if folder.configuration.evaluate:
        measure(folder, say)
    metrics.write_tables(folder)
    if not folder.figures("evaluation", generation).exists():  # otherwise they are there
        metrics.tell(folder, generation)


def measure(folder: Folder, say: Say = show, again: bool = False) -> None:
    """Measure the networks of every `evaluate_every` generations that were not measured yet, and write the tables.

    The last one is measured once the training is complete. again: in any case, also if it was measured.
    """
    last, configuration = folder.last_network(), folder.configuration
    for generation in folder.networks():
        is_due = generation % configuration.evaluate_every == 0 or generation == configuration.generations
        is_measured = folder.figures("evaluation", generation).exists()
        if (is_measured or not is_due) and not (again and generation == last):
            continue
        evaluator, start = evaluator_of(folder, generation), time.process_time()
        if generation == 0:
            say(f"measuring the untrained network, in {configuration.positions:,} positions and in games")
        with reporter(sys.stderr.isatty(), f"measuring network {generation}") as advance:
            seen = (load(folder.games(number), mmap=True) for number in range(1, generation + 1))
            found = evaluate(evaluator, configuration, seen, advance)
        folder.write("evaluation", generation, found)
        metrics.write_tables(folder)
        metrics.tell(folder, generation)
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
