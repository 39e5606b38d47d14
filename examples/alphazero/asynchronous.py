"""Playing in other processes, or in threads, while this one learns: every finished set of games makes a generation.

A worker plays as many games as a generation has, with the newest network that plays, and solves their late positions.
The learner takes the sets as they arrive; its files are as in a synchronous training run. Which network plays a set
depends on when the last one arrived, so no two runs are alike. After a kill the sets that were being played are lost.
"""

import multiprocessing
import secrets
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from rich.console import Console

from c4mcts.cli.executors import executor_of
from c4mcts.cli.failures import CommandError
from c4mcts.executors.executor import worker_count
from c4mcts.selfplay import SelfPlay

from . import labels, metrics, training
from .configuration import Configuration, ConfigurationError
from .folder import Folder
from .matches import duel
from .training import Say, show


def played(configuration: Configuration, state: bytes, seed: int) -> tuple[SelfPlay, labels.Scores, dict[str, Any]]:
    """In a worker: a set of games, the exact scores of its late positions, and figures."""
    data, figures = training.games(configuration, training.restored(configuration, state), seed)
    start = time.process_time()
    scores = labels.exact_scores(data, configuration.exact_from, (), configuration.threads)
    return data, scores, {**figures, "label_seconds": round(time.process_time() - start, 2)}


def gate(configuration: Configuration, state: bytes, other: bytes) -> dict[str, Any]:
    """In a worker: a match at the gate."""
    return duel(training.restored(configuration, state), training.restored(configuration, other), configuration)


def train(folder: Folder, executor: Any, workers: int, say: Say = show) -> None:
    """Continue from the files of the folder, up to the last generation.

    executor: anything whose `submit` returns futures with `add_done_callback` and `result`.
    """
    learner, done = training.begin(folder, say)
    work = Work(folder, executor, workers, say)
    while done < folder.configuration.generations:
        work.submit(done)
        if work.sets() == done:
            with waiting("waiting for games"):
                work.take(wait=True)
        elif not work.take(wait=False):
            done += 1
            say(training.complete(folder, learner, done, folder.read("times")[done]))
            training.report(folder, done, say)
    work.finish(done)
    metrics.write_tables(folder)


class Work:
    """What the workers do: sets of games, and at most one match at the gate."""

    def __init__(self, folder: Folder, executor: Any, workers: int, say: Say) -> None:
        self._folder = folder
        self._executor = executor
        self._say = say
        self._most = workers + 1  # sets ahead of the learner; one of them waits for the next free worker
        self._playing = 0  # sets
        self._is_gating = False
        self._arrived: SimpleQueue[tuple[Callable[[Any], None], Any]] = SimpleQueue()  # what takes a result; its future

    def sets(self) -> int:
        """How many sets of games are there. Their figures are written last."""
        return sum(1 for _ in (self._folder.path / "times").glob("*.json"))

    def submit(self, done: int) -> None:
        """Give the workers what there is to do. done: the generations; only sets for the next ones are played."""
        folder, configuration = self._folder, self._folder.configuration
        last, player = folder.last_network(), folder.player()
        if configuration.gate and last and not self._is_gating and not folder.figures("gates", last).exists():
            self._is_gating = True
            states = (folder.network(number).read_bytes() for number in (last, player))
            self._start(partial(self._take_gate, last, player), gate, configuration, *states)
        while self.sets() + self._playing < min(done + self._most, configuration.generations):
            self._playing += 1
            state = folder.network(player).read_bytes()
            self._start(partial(self._take_set, player), played, configuration, state, secrets.randbits(63))

    def _start(self, take: Callable[[Any], None], function: Callable[..., Any], *arguments: Any) -> None:
        self._executor.submit(function, *arguments).add_done_callback(lambda done: self._arrived.put((take, done)))

    def take(self, wait: bool) -> bool:
        """Take one result, and raise the error of a worker. wait: until there is one. Returns whether there was one."""
        try:
            take, done = self._arrived.get(block=wait)
        except Empty:
            return False
        take(done.result())
        return True

    def finish(self, done: int) -> None:
        """Wait for the match at the gate, and for the last network's."""
        self.submit(done)
        while self._is_gating:
            self.take(wait=True)
            self.submit(done)

    def _take_set(self, player: int, found: tuple[SelfPlay, labels.Scores, dict[str, Any]]) -> None:
        data, scores, figures = found
        number = self.sets() + 1
        self._playing -= 1
        data.save(self._folder.games(number))
        labels.write(self._folder.labels(number), scores)
        self._folder.write("times", number, {"player": player, **figures})

    def _take_gate(self, number: int, player: int, found: dict[str, Any]) -> None:
        self._is_gating = False
        self._say(training.gated(self._folder, number, player, found))


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """Show a message on a terminal while something is being waited for."""
    console = Console(stderr=True)
    with console.status(words) if console.is_terminal else nullcontext():
        yield


@contextmanager
def workers_of(text: str) -> Iterator[tuple[Any, int]]:
    """The executor that --executor names, and its number of workers; "threads" is one thread. ConfigurationError.

    If the block ends with an error or with Ctrl-C, processes of this machine end at once, a thread with its games.
    """
    text = "threads:1" if text == "threads" else text
    try:
        with executor_of(Namespace(executor=text)) as executor:
            try:
                yield executor, worker_count(executor)
            except BaseException:
                if isinstance(executor, ThreadPoolExecutor):
                    executor.shutdown(wait=False, cancel_futures=True)
                for process in multiprocessing.active_children():
                    process.terminate()
                raise
    except CommandError as error:
        raise ConfigurationError(str(error)) from None
