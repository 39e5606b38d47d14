"""Self-play: games of an engine against itself, as arrays to train a network on.

>>> from c4mcts import selfplay
>>> data = selfplay.generate(2, simulations=50, seed=1)
>>> data.planes.shape[1:], len(data.planes) == len(data.policy) == len(data.outcome)
((2, 6, 7), True)
"""

from .batches import Batch
from .dataset import SelfPlay, load
from .generation import generate
from .labels import label
from .pool import Pool
from .records import NO_PROOF, GameRecord
from .searches import Searches, search_many

__all__ = [
    "NO_PROOF",
    "Batch",
    "GameRecord",
    "Pool",
    "Searches",
    "SelfPlay",
    "generate",
    "label",
    "load",
    "search_many",
]
