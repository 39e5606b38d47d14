"""Tournaments of networks, and sweeps: several configurations are trained alike, and their networks play each other."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from c4mcts import SearchParams
from c4mcts.evaluators import NetworkEvaluator
from c4mcts.play import Contestant, EnginePlayer, Tournament, play_tournament

from . import training
from .configuration import Configuration, ConfigurationError, change
from .folder import Folder
from .training import Say, show

UNCHANGED = "unchanged"  # the name of a variant without changes


def sweep(
    place: Path, configuration: Configuration, variants: Sequence[str], seconds: float | None, say: Say = show
) -> dict[str, Folder]:
    """Train a network for each variant, one after the other, and continue what is there. Returns folders by name.

    variants: changes of the configuration as --set takes them, separated by spaces, or nothing. seconds: of CPU time
    for each one, instead of a number of generations. Folder n has variant n. ConfigurationError.
    """
    names = [" ".join(text.split()) or UNCHANGED for text in variants]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ConfigurationError("a sweep needs at least two --variant, all of them different")
    changed = [configuration.changed(**dict(map(change, text.split()))) for text in variants]
    if any(one.asynchronous for one in changed):
        raise ConfigurationError(
            "a sweep trains one network after the other, without --executor: set asynchronous=false"
        )
    place.mkdir(parents=True, exist_ok=True)
    folders = {name: Folder(place / str(n), one) for n, (name, one) in enumerate(zip(names, changed, strict=True), 1)}
    for name, folder in folders.items():
        say(f"{name}: {folder.path}")
        training.train(folder, say, seconds)
    return folders


def tournament(
    folders: dict[str, Folder], games: int, place: Path, executor: Any = None, progress: bool = False
) -> Tournament:
    """All last networks play each other; named as their folders. games: of every two, even.

    A network searches as its configuration says, without noise, with `match_simulations` per move. Finished games are
    kept in `place`, so that the same call continues.
    """
    if games < 2 or games % 2:
        raise ConfigurationError(f"--games must be an even number above 0, not {games}")
    players, facts = [], hashlib.sha256()
    for name, folder in folders.items():
        configuration = folder.configuration
        evaluator = training.evaluator_of(folder, folder.last_network())
        params = configuration.params(root_noise=None)
        facts.update(f"{name} {evaluator.fingerprint} {params} {configuration.match_simulations}".encode())
        players.append(Contestant(name, partial(player, params, evaluator, configuration.match_simulations)))
    checkpoint = place / f"tournament-{facts.hexdigest()[:8]}.checkpoint"  # other networks have another one
    return play_tournament(players, games=games, seed=1, checkpoint=checkpoint, executor=executor, progress=progress)


def player(params: SearchParams, evaluator: NetworkEvaluator, simulations: int) -> EnginePlayer:
    """A player for one game."""
    return EnginePlayer(params, evaluator=evaluator, simulations=simulations)
