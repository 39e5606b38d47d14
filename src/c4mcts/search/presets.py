"""The named presets of SearchParams, and the algorithms by name.

docs/prior_systems/presets.md compares the presets of five earlier systems with their sources.
"""

import math
from typing import Any

from .._layout import Settings
from .params import GumbelParams, PuctParams, SearchParams, UctParams


class UctTimedParams(UctParams):
    """UCT in which the root is first rolled out itself, as every other node is, before it gets its children."""

    __slots__ = ()
    algorithm = "uct-timed"

    def settings(self) -> Settings:
        return UctParams.settings(self)._replace(roll_root=True)


class PuctNodeParams(PuctParams):
    """PUCT with other planes, backups and proofs.

    - The evaluator gets one plane with 1 for the player to move and -1 for the other, of shape (B, height, width, 1).
    - A node averages in the new mean of its child, and not the value of the leaf.
    - All children of a node score the same until one of them has been backed up (proven losses apart), so that
      `tie_break` decides which is tried first.
    - Wins and losses are proven, but not draws.
    """

    __slots__ = ()
    algorithm = "puct-node"

    def settings(self) -> Settings:
        return PuctParams.settings(self)._replace(
            signed_planes=True, mean_backup=True, equal_start=True, prove_draws=False
        )


_BARE: dict[str, Any] = {"tie_break": "random", "choice": "visits_only", "checks": False}  # with nothing of our own
_BARE_UCT: dict[str, Any] = {
    **_BARE,
    "exploration": math.sqrt(2),
    "rollout": "random",
    "proofs": False,
    "probes": False,
    "transpositions": False,
}
_REPORT = UctParams(**_BARE_UCT | {"rewards": (1, 0, -1), "transpositions": True})

EARLIER_SYSTEMS: dict[str, SearchParams] = {
    "uct-timed": UctTimedParams(**_BARE_UCT, rewards=(1, 0, 0)),
    "report-minimax": _REPORT,
    "report-random": _REPORT.changed(opponent="random"),
    "notebook-uct": UctParams(**_BARE_UCT | {"rewards": (1, 0, 0), "choice": "value", "keep_tree": False}),
    "puct-node": PuctNodeParams(**_BARE, exploration=1, rewards=(1, 0, -1), batch_size=1),
    "no-diagonals": UctParams(
        **_BARE_UCT | {"rewards": (2, 1, 0), "choice": "ucb_short_win", "checks": True, "keep_tree": False}
    ),
}


ALGORITHMS: dict[str, type[SearchParams]] = {
    kind.algorithm: kind for kind in (UctParams, PuctParams, GumbelParams, UctTimedParams, PuctNodeParams)
}
PRESETS: dict[str, SearchParams] = {
    "strong": UctParams(),  # all that helps: effectively perfect play on 7 x 6 (docs/guide/strength.md)
    "uct": UctParams(  # as in the textbooks, with sound rewards: the teaching baseline
        exploration=math.sqrt(2), rollout="random", proofs=False, probes=False, transpositions=False
    ),
    "perfect": UctParams(book=True),  # "strong" with the book
    **EARLIER_SYSTEMS,
    # For networks of one's own: PUCT as in Silver et al. 2018, with c = 1.25 and noise of 10 / (number of columns).
    "alphazero": PuctParams(rewards=(1, 0, -1), root_noise=(1.4, 0.25)),
    # The same for Gumbel AlphaZero (Danihelka et al. 2022).
    "gumbel": GumbelParams(rewards=(1, 0, -1)),
}
