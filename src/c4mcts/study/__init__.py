"""Experiments on searches. Each is a function that returns a `Result`: arrays, a table, a plot.

>>> from c4mcts import Board, SearchParams, study
>>> result = study.action_frequency(Board(), SearchParams.preset("uct"), simulations=2000, runs=20, seed=1)
>>> int(result.counts.sum())
20

All experiments take these keywords. seed: decides every result except the times; a random one by default, which is in
the result. executor: any concurrent.futures.Executor, or an object like one; by default threads, one for each
processor. progress: True for a bar, or a function that gets the numbers of finished jobs and of all. checkpoint: a file
that keeps every search or game; the same call continues from it.

All raise CheckpointError, GameOverError, OSError. See https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md.
"""

from ..errors import CheckpointError
from ..play.ratings import wilson
from .choices import action_frequency, optimality
from .convergence import convergence, regret
from .games import head_to_head, win_rate
from .result import Result
from .rules_change import rules_change

__all__ = [
    "CheckpointError",
    "Result",
    "action_frequency",
    "convergence",
    "head_to_head",
    "optimality",
    "regret",
    "rules_change",
    "wilson",
    "win_rate",
]
