"""Self-play: games of an engine against itself, as arrays to train a network on.

>>> from c4mcts import selfplay
>>> data = selfplay.generate(2, simulations=50, seed=1)
>>> data.planes.shape[1:], len(data.planes) == len(data.policy) == len(data.outcome)
((2, 6, 7), True)
"""

from .batches import Batch, BatchParams
from .dataset import SelfPlay, load
from .evaluation import Evaluation, ExactPositions, evaluate, exact_positions, is_better
from .generation import generate
from .labels import label
from .play_params import PlayParams
from .pool import Pool, Searches, search_many
from .records import NO_PROOF, Ending, GameRecord

__all__ = [
    "NO_PROOF",
    "Batch",
    "BatchParams",
    "Ending",
    "Evaluation",
    "ExactPositions",
    "GameRecord",
    "PlayParams",
    "Pool",
    "Searches",
    "SelfPlay",
    "evaluate",
    "exact_positions",
    "generate",
    "is_better",
    "label",
    "load",
    "search_many",
]
