"""The interface of a network, and the one that a configuration asks for."""

import importlib
import os
import sys
from collections.abc import Iterable
from typing import Any, Protocol

from c4mcts.evaluators import NetworkEvaluator

from .configuration import Configuration, ConfigurationError
from .replay import Batch


class Learner(Protocol):
    """A network and its optimiser. A class of your own is called with the Configuration."""

    def evaluator(self) -> NetworkEvaluator:
        """The network as it is now, for searches; later learning does not change it."""

    def learn(self, batches: Iterable[tuple[float, Batch]]) -> tuple[float, float]:
        """Take a step for each batch, with this share of the learning rate. Returns the mean losses: policy, value."""

    def state(self) -> bytes:
        """The complete state: the network and its optimiser."""

    def restore(self, state: bytes) -> None:
        """Take what `state` returned."""


def learner_of(configuration: Configuration) -> Learner:
    """A new network. ConfigurationError if it or its package is missing."""
    if ":" in configuration.network:
        learner: Learner = named("network", configuration.network)(configuration)
        return learner
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


def named(option: str, text: str) -> Any:
    """The object that `module:name` names; modules are found as by `python -m`. ConfigurationError."""
    module, _, name = text.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"{option} {text}: {error}") from None
