"""The interface of a network, and the one that a configuration asks for."""

from collections.abc import Iterable
from typing import Protocol

from c4mcts.evaluators import NetworkEvaluator

from .configuration import Configuration, ConfigurationError
from .replay import Batch


class Learner(Protocol):
    """A network and its optimiser."""

    def evaluator(self) -> NetworkEvaluator:
        """The network as it is now, for searches; later learning does not change it."""

    def learn(self, batches: Iterable[tuple[float, Batch]]) -> tuple[float, float]:
        """Take a step for each batch, with this share of the learning rate. Returns the mean losses: policy, value."""

    def state(self) -> bytes:
        """The complete state: the network and its optimiser."""

    def restore(self, state: bytes) -> None:
        """Take what `state` returned."""


def learner_of(configuration: Configuration) -> Learner:
    """A new network. ConfigurationError if its package is missing."""
    if configuration.network == "dense":
        from .dense import Dense

        return Dense(configuration)
    if configuration.network == "lines":
        try:
            from .lines import Lines
        except ImportError as error:
            raise ConfigurationError(f'network "lines" needs SciPy ({error}): pip install scipy') from None
        return Lines(configuration)
    try:
        from .resnet import Resnet
    except ImportError as error:
        raise ConfigurationError(f'network "resnet" needs PyTorch ({error}): pip install torch') from None
    return Resnet(configuration)
