"""Experiments on searches. Each is a function; its result holds arrays, and can be plotted and written as CSV.

>>> from c4mcts import Board, SearchParams, study
>>> found = study.action_frequency(Board(), SearchParams.preset("uct"), simulations=2000, runs=20, seed=1)
>>> int(found.counts.sum())
20
"""

from ..errors import CheckpointError
from .action_frequency import ActionFrequency, action_frequency
from .convergence import Convergence, convergence
from .head_to_head import HeadToHead, head_to_head
from .optimality import Optimality, optimality
from .regret import Regret, regret
from .result import wilson
from .rules_change import RulesChange, rules_change
from .win_rate import WinRate, win_rate

__all__ = [
    "ActionFrequency",
    "CheckpointError",
    "Convergence",
    "HeadToHead",
    "Optimality",
    "Regret",
    "RulesChange",
    "WinRate",
    "action_frequency",
    "convergence",
    "head_to_head",
    "optimality",
    "regret",
    "rules_change",
    "wilson",
    "win_rate",
]
