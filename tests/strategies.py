"""Hypothesis strategies for comparing the backends: rules, reachable positions, parameters."""

import math

from hypothesis import strategies as st
from variants import variant

from c4mcts import Board, GumbelParams, PuctParams, Rules, UctParams
from c4mcts.search.params import UctTimedParams

RULES = [
    Rules(),
    Rules(7, 6, 4, diagonals=False),
    Rules(5, 4, 3),
    Rules(6, 5, 4, diagonals=False),
    Rules(8, 7),
    Rules(9, 6),
    Rules(9, 9),
    Rules(20, 14),
    Rules(7, 40),
    Rules(1, 7, 3),
    Rules(1, 63, 5),
    Rules(8, 1, 3),
    Rules(64, 1, 4),
    Rules(5, 5, 9),
    Rules(4, 4, 2),
    Rules(7, 6, 5),
    Rules(9, 9, 7),
    Rules(9, 9, 5, diagonals=False),
    Rules(64, 64, 5),
    Rules(3, 40, 64),
]


@st.composite
def boards(draw, longest=200):
    """An unfinished board after random moves; small boards are often nearly full."""
    board = Board(draw(st.sampled_from(RULES)))
    generator = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, min(longest, board.rules.cells - 1)))):
        board.push(generator.choice(board.legal_columns))
        if board.is_over():
            board.pop()
            break
    return board


@st.composite
def params(draw):
    """UctParams with all fields varied, and pools small enough to fill up."""
    proofs, probes = draw(st.sampled_from([(False, False), (True, False), (True, True)]))
    fields = {
        "proofs": st.just(proofs),
        "probes": st.just(probes),
        "transpositions": st.booleans(),
        "exploration": st.sampled_from([math.sqrt(2), 0.0, 0.3, 1.0, -0.5, 25.0]),
        "first_play": st.sampled_from([math.inf, 0.0, 0.5, 1.0, -3.0]),
        "rewards": st.sampled_from([(1, 0.5, 0), (1, 0, -1), (1, 0, 0), (2, 1, 0), (1, 1, 0), (1, 0.07, 0)]),
        "rollout": st.sampled_from(["random", "decisive", "safe"]),
        "tie_break": st.sampled_from(["first", "random", "last_added"]),
        "choice": st.sampled_from(["visits", "visits_only", "value", "secure", "ucb_short_win"]),
        "checks": st.booleans(),
        "discount": st.sampled_from([1.0, 1.0, 0.95, 0.5]),
        "selection": st.sampled_from(["ucb1", "ucb1", "ucb1_tuned"]),
        "opponent": st.just("minimax") if proofs else st.sampled_from(["minimax", "random"]),
        "max_nodes": st.sampled_from([1, 2, 8, 50, 333, 1 << 20]),
    }
    kinds = st.sampled_from([UctParams, UctTimedParams])
    return draw(st.builds(lambda kind, values: kind(**suitable(values)), kinds, st.fixed_dictionaries(fields)))


def suitable(values):
    """The fields of UctParams, with the one that their rule for ties needs."""
    return values | {"first_play": math.inf} if values["tie_break"] == "last_added" else values


@st.composite
def puct_params(draw):
    """Searches with an evaluator."""
    params = PuctParams(
        exploration_base=draw(st.sampled_from([None, None, 19652.0, 1.0])),
        first_play_reduction=draw(st.sampled_from([None, None, 0.25, 0.0])),
        root_policy_temperature=draw(st.sampled_from([1.0, 1.0, 1.3, 0.4, 1e-9])),
        forced_visits=draw(st.sampled_from([0.0, 0.0, 2.0, 40.0])),
        keep_tree=draw(st.booleans()),
        exploration=draw(st.sampled_from([0.0, 0.5, 1.0, 4.0])),
        first_play=draw(st.sampled_from([0.0, -1.0, 0.5, math.inf])),
        rewards=draw(st.sampled_from([(1, 0, -1), (1, 0.5, 0), (3, 1, 0), (1, 0, 0)])),
        proofs=draw(st.booleans()),
        checks=draw(st.booleans()),
        choice=draw(st.sampled_from(["visits", "visits_only", "value", "secure"])),
        tie_break=draw(st.sampled_from(["first", "random"])),
        temperature=draw(st.sampled_from([0.0, 1.0, 0.01])),
        batch_size=draw(st.sampled_from([1, 2, 5, 32])),
        virtual_loss=draw(st.sampled_from([1.0, 0.0, 3.5])),
        root_noise=draw(st.sampled_from([None, (0.3, 0.25), (5.0, 1.0)])),
        max_nodes=draw(st.sampled_from([1, 8, 50, 1 << 20])),
    )
    names = ("mean_backup", "equal_start", "prove_draws", "signed_planes")
    return variant(params, **{name: draw(st.booleans()) for name in names})


@st.composite
def gumbel_params(draw):
    """Searches by sequential halving."""
    params = GumbelParams(
        max_num_considered_actions=draw(st.sampled_from([1, 2, 4, 16, 10**30])),
        gumbel_scale=draw(st.sampled_from([1.0, 0.0, 1e9])),
        maxvisit_init=draw(st.sampled_from([50.0, 0.0, 1e9])),
        value_scale=draw(st.sampled_from([0.1, 1.0, 0.0, 1e9])),
        rewards=draw(st.sampled_from([(1, 0, -1), (1, 0.5, 0), (1, 0, 0)])),
        proofs=draw(st.booleans()),
        checks=draw(st.booleans()),
        tie_break=draw(st.sampled_from(["first", "random"])),
        batch_size=draw(st.sampled_from([1, 1, 5, 32])),
        max_nodes=draw(st.sampled_from([1, 8, 50, 1 << 20])),
    )
    return variant(params, mean_backup=draw(st.booleans()), prove_draws=draw(st.booleans()))
