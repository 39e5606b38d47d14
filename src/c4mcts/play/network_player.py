"""NetworkPlayer: plays the most probable column of a network, without a search."""

import numpy as np
import numpy.typing as npt

from .._files import StrPath
from .._validation import flag, naming
from ..board.arguments import unfinished
from ..board.board import Board
from ..rules import Rules
from ..search.network import PolicyValueNetwork
from ..solver.bitboards import Bitboards, Positions

FORMS = "network:policy, network:lookahead, and with another network network:policy,file=my.npz"


class NetworkPlayer:
    """Plays the most probable column of a network, without a search; of equal ones the leftmost.

    network: by default the one of the package; a PolicyValueNetwork, or the path of one. lookahead: look two plies
    ahead: a column that wins comes first, then one that stops a win with the opponent's next disc.
    """

    def __init__(self, network: PolicyValueNetwork | StrPath | None = None, *, lookahead: bool = False) -> None:
        with naming("network: "):
            self.network = network if isinstance(network, PolicyValueNetwork) else PolicyValueNetwork.load(network)
        self.lookahead = flag("lookahead", lookahead)

    def choose(self, board: Board) -> int:
        """The column for an unfinished board. ValueError for a board that the network is not for."""
        board = unfinished(board)
        position = Positions.of(board.rules, [board.own], [board.mask])
        return int(self.choose_many(position.rules, position.own, position.mask)[0])

    def choose_many(self, rules: Rules, own: Bitboards, mask: Bitboards) -> npt.NDArray[np.intp]:
        """The columns for n unfinished positions; see BatchPlayer."""
        priors, _ = self.network.evaluate_many(own.tolist(), mask.tolist(), rules)
        chosen: npt.NDArray[np.intp] = priors.argmax(axis=1)
        for discs in (own ^ mask, own) if self.lookahead else ():
            wins = Positions(rules, discs, mask).wins()
            chosen = np.where(wins.any(axis=1), np.where(wins, priors, -1).argmax(axis=1), chosen)
        return chosen

    def __repr__(self) -> str:
        return f"NetworkPlayer({'lookahead=True' if self.lookahead else ''})"


def network_player(text: str) -> NetworkPlayer:
    """The player that "policy" names, or "lookahead,file=my.npz". ValueError, SaveError."""
    kind, _, path = text.partition(",file=")
    if kind not in ("policy", "lookahead"):
        raise ValueError(f"must be {FORMS}")
    try:
        return NetworkPlayer(path or None, lookahead=kind == "lookahead")
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
