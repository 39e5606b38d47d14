"""The configuration of a training run: presets, changes by name, checks."""

import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from c4mcts import SearchParams
from c4mcts.play import contestant
from c4mcts.selfplay import BatchParams, PlayParams, Pool


class ConfigurationError(ValueError):
    """A field of a configuration has a wrong value."""


@dataclass(frozen=True)
class Configuration:
    """How a network is trained and measured. ConfigurationError naming the field and the value."""

    # the network
    network: str = "resnet"  # "resnet" needs PyTorch, "lines" SciPy, "dense" only NumPy; or your own, "module:Class"
    channels: int = 32  # of a resnet; neurons of the hidden layer of a dense network
    blocks: int = 3  # of a resnet
    threats: bool = True  # whether it sees, beside the discs, where either player would complete a line ("lines" does)
    device: str = "cpu"  # of PyTorch, for learning and for searches
    runtime: str = "torch"  # what evaluates positions in searches: "torch", or "onnx" on a CPU
    threads: int = 1  # of the network
    # self-play
    generations: int = 30
    games: int = 600  # per generation
    simulations: int = 64  # per move
    concurrent: int = 128  # games at the same time, and so the batch size of the network
    temperature_plies: int = 12  # moves of each game that are drawn from the policy
    search: dict[str, Any] = field(default_factory=dict)  # changes of SearchParams.preset("alphazero")
    play: dict[str, Any] = field(default_factory=dict)  # more fields of c4mcts.selfplay.PlayParams
    # learning
    exact_from: int = 18  # discs from which on values and best moves are the solver's; 42: never
    window: int = 8  # generations whose games are learnt from
    epochs: int = 1  # passes through the window, per generation
    batch: int = 256
    learning_rate: float = 2e-3  # at the start of each generation; falls to a tenth by its end
    weight_decay: float = 1e-4
    value_mix: float = 0.5  # target of the value: this share of the search's value, the rest from the game's outcome
    seed: int = 1
    # which network plays, and where
    gate: float = 0.0  # share of the points that a network needs against the one that plays, to take its place; 0: none
    gate_games: int = 40  # even: both sides of each opening
    asynchronous: bool = False  # whether others play while this process learns; then no two runs are alike
    # evaluation
    evaluate: bool = True  # while it trains; otherwise with the command "evaluate"
    evaluate_every: int = 1  # generations; the last network is measured in any case
    positions: int = 2000  # how many of the test positions, evenly over the plies
    searches: tuple[int, ...] = (64, 400)  # simulations of the searches whose moves are judged
    opponents: tuple[str, ...] = ("uct@1000", "uct@5000", "strong@400")
    match_games: int = 20  # against each opponent; even: both sides of each opening
    match_simulations: int = 400  # per move of the network

    def __post_init__(self) -> None:
        for name in ("searches", "opponents"):
            given = getattr(self, name)
            if not isinstance(given, list | tuple):
                raise _wrong(name, "a list", given)
            object.__setattr__(self, name, tuple(given))
        if self.network not in NETWORKS and ":" not in str(self.network):
            raise _wrong("network", f"one of {', '.join(NETWORKS)}, or your own, as module:Class", self.network)
        if self.runtime not in RUNTIMES:
            raise _wrong("runtime", f"one of {', '.join(RUNTIMES)}", self.runtime)
        for name, (low, high) in NUMBERS.items():
            _require_number(name, getattr(self, name), low, high)
        for number in self.searches:
            _require_number("searches", number, 1, 1_000_000)
        for name in ("match_games", "gate_games"):
            if getattr(self, name) % 2:
                raise _wrong(name, "an even number", getattr(self, name))
        for name in ("threats", "asynchronous", "evaluate"):
            if not isinstance(getattr(self, name), bool):
                raise _wrong(name, "true or false", getattr(self, name))
        if not isinstance(self.device, str):
            raise _wrong("device", "a name of PyTorch", self.device)
        if self.runtime == "onnx" and (self.network != "resnet" or self.device != "cpu"):
            raise _wrong("runtime", 'torch unless network is "resnet" and device "cpu"', self.runtime)
        self._check_plays()

    def _check_plays(self) -> None:
        """Check the arguments for c4mcts."""
        for name in ("search", "play"):
            if not isinstance(getattr(self, name), dict):
                raise _wrong(name, "a dictionary", getattr(self, name))
        possible = {one.name for one in fields(PlayParams)} - {"temperature_plies"}
        for name in self.play:
            if name not in possible:
                raise _wrong("play", f"fields of PlayParams ({', '.join(sorted(possible))})", name)
        for name, make in (("search", self.params), ("play", self.play_params), ("play", self._pool)):
            try:
                make()
            except (TypeError, ValueError) as error:
                raise ConfigurationError(f"{name}: {error}") from None
        for opponent in self.opponents:
            try:
                contestant(opponent)
            except (TypeError, ValueError) as error:
                raise ConfigurationError(f"opponents: {error}") from None

    def params(self, **changes: Any) -> SearchParams:
        """The parameters of the searches."""
        return SearchParams.preset("alphazero", **{"batch_size": 1, **_tuples(self.search), **changes})

    def play_params(self) -> PlayParams:
        """How games begin and end."""
        return PlayParams(temperature_plies=self.temperature_plies, **self.play)

    def _pool(self) -> Pool:
        """A pool of one game, which checks what search and play must have in common."""
        play, batches = self.play_params(), BatchParams(concurrent=1)
        return Pool(self.params(), games=1, simulations=self.simulations, play=play, batches=batches)

    def changed(self, **changes: Any) -> "Configuration":
        """A copy with other values for some fields, "search.exploration" for a key of a dictionary among them."""
        known = {one.name for one in fields(self)}
        values: dict[str, Any] = {}
        for name, value in changes.items():
            first, dot, key = name.partition(".")
            if first not in known or (dot and first not in ("search", "play")):
                raise ConfigurationError(f"there is no field {name!r}; the fields are {', '.join(sorted(known))}")
            whole = values.get(first, getattr(self, first))
            if dot and not isinstance(whole, dict):
                raise _wrong(first, "a dictionary", whole)
            values[first] = {**whole, key: value} if dot else value
        return replace(self, **values)

    def to_json(self) -> str:
        """All fields as JSON."""
        return json.dumps(asdict(self), indent=1) + "\n"

    def differences(self, other: "Configuration") -> list[str]:
        """The differences from another configuration because of which their data can't be mixed: name, own and other
        value of each field."""
        names = (one.name for one in fields(self) if one.name not in FREE)
        return [
            f"{name} = {getattr(self, name)!r} instead of {getattr(other, name)!r}"
            for name in names
            if getattr(self, name) != getattr(other, name)
        ]


# Fields that may change during a training run: they have no influence on the games and networks of a generation.
FREE = {
    "generations",
    "evaluate",
    "evaluate_every",
    "positions",
    "searches",
    "opponents",
    "match_games",
    "match_simulations",
}
NETWORKS, RUNTIMES = ("resnet", "lines", "dense"), ("torch", "onnx")
NUMBERS: dict[str, tuple[float, float]] = {  # integers, unless a bound is not an integer
    "channels": (1, 4096),
    "blocks": (0, 100),
    "exact_from": (0, 42),
    "threads": (1, 1024),
    "generations": (1, 100_000),
    "games": (1, 10_000_000),
    "simulations": (1, 1_000_000),
    "concurrent": (1, 65_536),
    "temperature_plies": (0, 42),
    "window": (1, 100_000),
    "epochs": (1, 1000),
    "batch": (2, 1_000_000),
    "learning_rate": (0.0, 10.0),
    "weight_decay": (0.0, 10.0),
    "value_mix": (0.0, 1.0),
    "seed": (0, 2**63),
    "gate": (0.0, 1.0),
    "gate_games": (2, 100_000),
    "evaluate_every": (1, 100_000),
    "positions": (0, 2000),
    "match_games": (0, 100_000),
    "match_simulations": (1, 1_000_000),
}


def change(text: str) -> tuple[str, Any]:
    """Name and value of NAME=VALUE; the value in JSON, or a text without quotes. ConfigurationError."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigurationError(f"a change must be NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def from_json(text: str) -> Configuration:
    """The inverse of `to_json`; fields that an earlier version did not have get their defaults. ConfigurationError."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigurationError(f"the configuration is not JSON: {error}") from None
    known = {one.name for one in fields(Configuration)}
    if not isinstance(values, dict) or not values.keys() <= known:
        raise ConfigurationError("the configuration has fields that this version of the program does not know")
    return Configuration(**values)


def _require_number(name: str, value: Any, low: float, high: float) -> None:
    kind = int if isinstance(low, int) else float
    accepted = isinstance(value, int | kind) and not isinstance(value, bool)
    if not (accepted and low <= value <= high):
        raise _wrong(name, f"{'an integer' if kind is int else 'a number'} from {low} to {high}", value)


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has lists instead of tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _wrong(name: str, wanted: str, value: Any) -> ConfigurationError:
    return ConfigurationError(f"{name} must be {wanted}, not {value!r}")


# One search in four is a full one, and no search is once the outcome is proven; games begin after some random moves.
_PLAY = {"full_share": 0.25, "opening_plies": [0, 6], "after_proof": "fast"}

PRESETS = {
    "tiny": Configuration(  # seconds: to see that everything works
        network="dense",
        channels=32,
        generations=2,
        games=8,
        simulations=8,
        concurrent=8,
        batch=32,
        learning_rate=1e-2,
        positions=60,
        searches=(8,),
        opponents=("uct@10",),
        match_games=4,
        match_simulations=8,
    ),
    "small": Configuration(
        network="lines",
        generations=80,
        games=2000,
        temperature_plies=6,
        play={"full_share": 0.5, "opening_plies": [0, 12], "after_proof": "fast", "fast_simulations": 12},
        window=10,
        epochs=2,
        batch=512,
        learning_rate=1e-2,
        weight_decay=3e-4,
        evaluate_every=4,
    ),
    "resnet": Configuration(
        channels=48,
        generations=40,
        games=1200,
        play={**_PLAY, "fast_simulations": 12},
        window=4,
        runtime="onnx",
    ),
    "full": Configuration(
        channels=64,
        blocks=5,
        generations=40,
        games=4000,
        simulations=100,
        concurrent=512,
        play={**_PLAY, "fast_simulations": 20},
        window=10,
        batch=512,
        runtime="onnx",
        match_games=200,
    ),
    "gpu": Configuration(
        channels=64,
        blocks=5,
        device="cuda",
        asynchronous=True,
        threads=16,
        generations=40,
        games=20_000,
        simulations=64,
        concurrent=8192,
        play={**_PLAY, "fast_simulations": 16},
        exact_from=22,  # labels from 18 on take five times as long, on the processors that grow the trees
        window=10,
        batch=4096,
        learning_rate=4e-3,
        match_games=200,
    ),
}
