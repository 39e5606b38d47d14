"""PolicyValueNetwork: a small network that both backends evaluate, in integers; one comes with the package."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _archives, _files
from .._backend import load as load_backend
from .._layout import MAX_BIAS, NETWORK_VERSION, network_shapes
from .._validation import brief, naming
from .._weights import KIND, NETWORK, read_network, type_of
from ..board.arguments import AnyBoard, unfinished
from ..errors import SaveError
from ..rules import Rules, word_count
from ..solver.bitboards import bitboards_of

Weights = Mapping[str, npt.NDArray[Any]]


class PolicyValueNetwork:
    """Values of positions and priors of moves, for all boards on which four in a row win, diagonals included.

    The same weights serve boards of every size; a network by places is for 7x6 alone: see
    https://github.com/c4mcts/c4mcts/blob/main/docs/internals/network.md, which also says how they are trained. Networks
    come from PolicyValueNetwork.load; NetworkParams search with one. A network is also an evaluator, for Engine and for
    self-play:

    >>> network = PolicyValueNetwork.load()
    >>> value, priors = network.evaluate("44")
    >>> int(priors.argmax())
    3

    weights: arrays by name, also of the network. is_by_place: for 7x6 alone.
    """

    def __init__(self, weights: Weights) -> None:
        if not isinstance(weights, Mapping):
            raise TypeError(f"weights must be a mapping of arrays by name, not {brief(weights)}")
        shapes = network_shapes(by_place=True)
        self.is_by_place = getattr(weights.get("lines"), "shape", None) == shapes["lines"]
        shapes = network_shapes(self.is_by_place)
        self.weights = {name: _checked(name, weights, shape) for name, shape in shapes.items()}
        self._twins: dict[tuple[str, Rules], Any] = {}

    @classmethod
    def load(cls, path: _files.StrPath | None = None) -> "PolicyValueNetwork":
        """Read a network from a file that `save` wrote; without a path, the one of the package.

        Raises SaveError for any other or damaged file, OSError.
        """
        if path is None:
            return shipped_network()
        where = _files.path_of("path", path)
        weights = read_network(where)
        with naming(f"{where} is not a network: ", SaveError):
            return cls(weights)

    def save(self, path: _files.StrPath) -> None:
        """Write the network to a file, an .npz under any name. OSError."""
        about = {"kind": KIND, "version": NETWORK_VERSION}
        _files.write(_files.path_of("path", path), _archives.pack(about, self.weights, _archives.SMALL))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the weights."""
        import hashlib

        digest = hashlib.sha256()
        for name, array in self.weights.items():
            digest.update(name.encode() + array.astype(array.dtype.newbyteorder("<")).tobytes())
        return digest.hexdigest()

    def twin(self, backend: str, rules: Rules) -> Any:
        """The network as a backend uses it on a board: "native" or "pure". ValueError for boards that it is not for."""
        key = backend, rules
        if key not in self._twins:
            require_rules(rules, self)
            flat = {name: array.reshape(-1) for name, array in self.weights.items()}
            self._twins[key] = load_backend(backend).network.Network(rules, flat)
        return self._twins[key]

    def evaluate(self, board: AnyBoard) -> tuple[float, npt.NDArray[np.float64]]:
        """The value of a position, in [0, 1] for the player to move, and the prior of each column.

        Raises ValueError for a board that the network is not for, GameOverError for a finished game.
        """
        board = unfinished(board)
        value, priors = self.twin(load_backend().name, board.rules).evaluate(board.own, board.mask)
        return float(value), np.array(priors)

    def evaluate_many(
        self, own: list[int], mask: list[int], rules: Rules
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The priors of n unfinished positions, (n, width), and their values in [-1, 1], for the players to move.

        own, mask: as Board.own and Board.mask, which nothing checks. ValueError for a board that the network is not
        for.
        """
        priors, values = np.empty((len(own), rules.width), np.float32), np.empty(len(own), np.float32)
        self.twin(load_backend().name, rules).evaluate_many(own, mask, priors, values)
        return priors, values

    def __call__(
        self, planes: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Priors and values of a batch: see Evaluator in c4mcts.search.evaluation."""
        if planes.ndim != 4 or planes.shape[1] != 2:
            raise ValueError(f"a network needs planes of shape (n, 2, height, width), not {planes.shape}")
        height, width = planes.shape[2:]
        return self.evaluate_many(*_bitboards(planes), Rules(width, height))

    def __reduce__(self) -> tuple[Any, ...]:
        return PolicyValueNetwork, (self.weights,)


def serves(rules: Rules, network: PolicyValueNetwork | None = None) -> bool:
    """Whether a network, by default the one of the package, is for a board."""
    return rules == Rules() if network and network.is_by_place else rules.connect == 4 and rules.diagonals


def require_rules(rules: Rules, network: PolicyValueNetwork | None = None) -> None:
    if not serves(rules, network):
        boards = Rules() if network and network.is_by_place else "four in a row, diagonals included"
        raise ValueError(f"the network is for {boards}, not for {rules}")


@cache
def shipped_network() -> PolicyValueNetwork:
    return PolicyValueNetwork.load(NETWORK)


def _checked(name: str, weights: Weights, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """A copy of an array, which can't be written to. TypeError, ValueError."""
    array, kind = weights.get(name), np.dtype(type_of(name))
    if not isinstance(array, np.ndarray) or (array.dtype, array.shape) != (kind, shape):
        problem = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else brief(array)
        raise TypeError(f"{name} must be an array of {kind} of shape {shape}, not {problem}")
    if "bias" in name and np.abs(array.astype(np.int64)).max() > MAX_BIAS:
        raise ValueError(f"{name} must lie between {-MAX_BIAS} and {MAX_BIAS}, not {brief(array)}")
    copied = np.ascontiguousarray(array).copy()
    copied.flags.writeable = False
    return copied


def _bitboards(planes: npt.NDArray[np.float32]) -> tuple[list[int], list[int]]:
    n, _, height, width = planes.shape
    columns = np.zeros((n, 2, width, height + 1), np.uint8)
    columns[..., :height] = planes[:, :, ::-1].transpose(0, 1, 3, 2) > 0
    bits = np.zeros((n, 2, 64 * word_count(Rules(width, height))), np.uint8)
    bits[..., : width * (height + 1)] = columns.reshape(n, 2, -1)
    words = np.packbits(bits, axis=2, bitorder="little").view("<u8")
    if words.shape[2] == 1:
        words = words[..., 0]
    own, other = bitboards_of(words[:, 0]), bitboards_of(words[:, 1])
    return own.tolist(), (own | other).tolist()
