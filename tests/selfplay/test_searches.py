"""search_many: each search is that of an engine, however many there are at once; and what it refuses."""

from functools import partial

import numpy as np
import pytest
from evaluators import fingerprint
from refusals import refused_by

from c4mcts import Board, Engine, Rules, SearchParams, UctParams
from c4mcts.selfplay import NO_PROOF, search_many

pytestmark = pytest.mark.native

PUCT = SearchParams.preset("alphazero", batch_size=1, root_noise=None)
SOME = ["", "3", "33", "112233", "2233", "22445", "121212"]
LATE = "1111112222223333337777776665"  # three columns have cells left


def equal(one, other):
    return np.array_equal(one.column, other.column) and one.searched.tobytes() == other.searched.tobytes()


@pytest.mark.parametrize("changes", [{}, {"proofs": False, "checks": False}, {"root_noise": (1.0, 0.25)}], ids=str)
@pytest.mark.parametrize("rules", [Rules(), Rules(5, 4)], ids=str)
def test_searches_are_those_of_an_engine(changes, rules):
    params = PUCT.changed(**changes)
    boards = [Board.from_pons(text, rules) for text in SOME]
    found = search_many(boards, fingerprint, params, simulations=30, concurrent=4, seed=5)
    for i, board in enumerate(boards):
        engine = Engine(params, seed=np.random.SeedSequence(5, spawn_key=(i,)), evaluator=fingerprint)
        result = engine.search(board, simulations=30)
        assert found.column[i] == result.column
        assert found.simulations[i] == result.simulations
        assert found.proof[i] == {"win": 1, "draw": 0, "loss": -1, None: NO_PROOF}[result.proof]
        np.testing.assert_allclose(found.policy[i], result.policy(), atol=1e-6)
        assert found.value[i] == pytest.approx(2 * result.root_value - 1, abs=1e-6)
        visits = dict.fromkeys(range(rules.width), 0) | {move.column: move.visits for move in result.moves}
        assert found.visits[i].tolist() == list(visits.values())


def test_any_number_at_once_finds_the_same():
    search = partial(search_many, [*SOME, LATE, *SOME], fingerprint, PUCT, simulations=20)
    first = search(concurrent=64)
    assert len(first.column) == 2 * len(SOME) + 1
    for concurrent in (1, 3, 17):
        assert equal(search(concurrent=concurrent), first)


def test_no_positions_need_no_evaluation():
    found = search_many([], fingerprint, simulations=5)
    assert found.policy.shape == (0, 7)


def test_batches_have_one_size():
    sizes = []

    def evaluator(planes, legal):
        sizes.append(len(planes))
        return fingerprint(planes, legal)

    search_many(SOME, evaluator, PUCT, simulations=10, concurrent=16)
    assert set(sizes) == {128}
    assert len(sizes) <= 11, "all at once"


test_bad_arguments_are_named = refused_by(
    partial(search_many, boards=SOME, evaluator=fingerprint, params=PUCT, simulations=5),
    ({"boards": ["4", "1212121"]}, ValueError, r"boards\[1\]: the game is over"),
    ({"backend": "pure"}, ValueError, "backend must be native for search_many, not pure: search each position with"),
    ({"params": UctParams()}, ValueError, "PuctParams or GumbelParams, not UctParams"),
    ({"evaluator": lambda *_: (np.ones((1, 7)), np.zeros(1))}, ValueError, r"priors must have the shape \(128, 7\)"),
    ({"boards": [Board(), Board(Rules(5, 4))]}, ValueError, r"boards\[1\] has the rules"),
)
