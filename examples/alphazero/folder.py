"""The folder of a training run. A file that exists is complete and correct, so the files show where to continue.

configuration.json      written first
games/0003/             the games of generation 3, a folder of c4mcts.selfplay
labels/0003.npy         the exact scores of its late positions
networks/0003.state     the network and its optimiser after 3 generations; 0 is the untrained one
times/0003.json         the times and losses of generation 3; written before its network
gates/0003.json         its match against the network that plays, if there is a gate
evaluation/0003.json    error rates and matches of the network after 3 generations
*.csv, tensorboard/     the same figures, made from those files
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import files
from .configuration import Configuration, ConfigurationError, from_json

OnMetrics = Callable[[dict[str, float]], object]  # called with the figures of a generation, by name
OLD = 3600  # seconds after which no process still writes to an unfinished file


class Folder:
    """A folder, whose configuration is checked and written. ConfigurationError if it is another run's."""

    def __init__(self, path: Path, configuration: Configuration | None, on_metrics: OnMetrics | None = None) -> None:
        """configuration: None for the folder's. on_metrics: see metrics.tell."""
        self.path = path
        self.on_metrics = on_metrics
        known = path / "configuration.json"
        stored = None
        if known.exists():
            stored = from_json(known.read_text(encoding="utf-8"))
            configuration = stored if configuration is None else configuration
            if different := configuration.differences(stored):
                raise ConfigurationError(f"{path} has another configuration: {'; '.join(different)}")
        elif configuration is None:
            raise ConfigurationError(f"{path} holds no training run: there is no {known.name}")
        elif path.exists() and any(not entry.name.endswith(".part") for entry in path.iterdir()):
            raise ConfigurationError(f"{path} holds something else")
        self.configuration = configuration
        path.mkdir(parents=True, exist_ok=True)
        if configuration != stored:
            files.write(known, configuration.to_json().encode())  # first: a folder without it is taken for another's
        for name in ("games", "labels", "networks", "times", "gates", "evaluation"):
            (path / name).mkdir(exist_ok=True)
        for part in path.rglob("*.part"):
            if time.time() - part.stat().st_mtime > OLD:
                part.unlink(missing_ok=True)

    def games(self, generation: int) -> Path:
        """The games of a generation, from 1: a folder for `generate`."""
        return self.path / "games" / f"{generation:04d}"

    def labels(self, generation: int) -> Path:
        """The exact scores of a generation."""
        return self.path / "labels" / f"{generation:04d}.npy"

    def window(self, generation: int) -> range:
        """The generations whose games a generation learns from."""
        return range(max(1, generation - self.configuration.window + 1), generation + 1)

    def network(self, generation: int) -> Path:
        """The state after `generation` generations."""
        return self.path / "networks" / f"{generation:04d}.state"

    def figures(self, kind: str, generation: int) -> Path:
        """A file of figures; kind: "times", "gates" or "evaluation"."""
        return self.path / kind / f"{generation:04d}.json"

    def networks(self) -> list[int]:
        """The numbers of generations for which there is a network, in order."""
        return sorted(int(path.stem) for path in (self.path / "networks").glob("*.state"))

    def player(self) -> int:
        """The network that plays: the last one, or the last one that has passed the gate. 0 plays without having to."""
        if not self.configuration.gate:
            return self.networks()[-1]
        passed = [number for number, found in self.read("gates").items() if found["share"] >= self.configuration.gate]
        return max(passed, default=0)

    def last_network(self) -> int:
        """The highest of them. ConfigurationError if there is none."""
        if not (found := self.networks()):
            raise ConfigurationError(f"{self.path} has no network yet: train first")
        return found[-1]

    def read(self, kind: str) -> dict[int, Any]:
        """The figures of all generations."""
        found = sorted((self.path / kind).glob("*.json"))
        return {int(path.stem): json.loads(path.read_text(encoding="utf-8")) for path in found}

    def write(self, kind: str, generation: int, figures: Any) -> None:
        """Write the figures of a generation."""
        files.write(self.figures(kind, generation), (json.dumps(figures, indent=1) + "\n").encode())
