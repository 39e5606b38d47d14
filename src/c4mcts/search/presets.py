"""The named presets of SearchParams, and the algorithms by name."""

import math

from .earlier_systems import EARLIER_SYSTEMS, PuctNodeParams, UctTimedParams
from .params import GumbelParams, PuctParams, SearchParams, UctParams

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
