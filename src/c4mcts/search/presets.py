"""The named presets of SearchParams."""

import math
from dataclasses import replace

from .params import SearchParams

_PLAIN = SearchParams(  # UCT as in the textbooks, with sound rewards: the teaching baseline
    exploration=math.sqrt(2), rollout="random", proofs=False, probes=False, transpositions=False
)
_BARE = replace(_PLAIN, tie_break="random", choice="visits_only", checks=False)  # UCT with nothing of our own
_REPORT = replace(_BARE, rewards=(1, 0, -1), transpositions=True)
# For networks of one's own: PUCT as in Silver et al. 2018, with c = 1.25 and noise of 10 / (number of columns).
_ALPHAZERO = replace(
    _PLAIN,
    selection="puct",
    exploration=1.25,
    first_play=0,
    rewards=(1, 0, -1),
    proofs=True,
    batch_size=16,
    root_noise=(1.4, 0.25),
)
PRESETS = {
    "strong": SearchParams(),  # all that helps: effectively perfect play on 7 x 6 (docs/guide/strength.md)
    "uct": _PLAIN,
    "perfect": SearchParams(book=True),  # "strong" with the book
    # Five earlier systems; docs/prior_systems/presets.md compares each with its source.
    "uct-timed": replace(_BARE, rewards=(1, 0, 0), expansion="all"),
    "report-minimax": _REPORT,
    "report-random": replace(_REPORT, opponent="random"),
    "notebook-uct": replace(_BARE, rewards=(1, 0, 0), choice="value", keep_tree=False),
    "puct-node": replace(
        _BARE,
        selection="puct",
        exploration=1,
        first_play=0,
        rewards=(1, 0, -1),
        proofs=True,
        prove_draws=False,
        backup="mean",
        first_child="any",
        planes="signed",
    ),
    "no-diagonals": replace(_PLAIN, rewards=(2, 1, 0), tie_break="random", choice="ucb_short_win", keep_tree=False),
    "alphazero": _ALPHAZERO,
    # The same for Gumbel AlphaZero (Danihelka et al. 2022).
    "gumbel": replace(_ALPHAZERO, root="gumbel", root_noise=None, keep_tree=False),
}
