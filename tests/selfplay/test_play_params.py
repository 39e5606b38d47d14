"""How games begin, how long positions are searched, and when games end early: each option, against a naive reading."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from evaluators import fingerprint
from pools import PUCT, SMALL, new_pool, played
from refusals import refused_by

from c4mcts import Board, Engine, Rules, SearchParams
from c4mcts.board.positions import planes_of
from c4mcts.play import openings
from c4mcts.selfplay import NO_PROOF, Ending, PlayParams

pytestmark = pytest.mark.native

PLAY = partial(new_pool, params=PUCT, start=SMALL, simulations=20, concurrent=8, seed=7)
FAST = PlayParams(full_share=0.4, fast_simulations=6, fast_weight=0.25)


def games(play, count=200, **options):
    """The records of many games, by number."""
    return played(PLAY(games=count, play=play, concurrent=64, **options))


def fits(counts, shares):
    """Whether counts agree with shares: each within four standard errors."""
    total, shares = sum(counts), np.asarray(shares, float) / np.sum(shares)
    return (np.abs(np.array(counts) - total * shares) <= 4 * np.sqrt(total * shares * (1 - shares)) + 1e-9).all()


def test_a_game_goes_on_as_one_that_starts_after_its_opening():
    """Position by position as an engine with the game's seed that starts there; only pools draw from the policy."""
    play = PlayParams(opening_plies=(0, 5), opening_moves="policy")
    records = played(PLAY(games=2, play=play, temperature_plies=0))
    assert any(record.opening for record in records.values())
    for number, record in records.items():
        engine = Engine(PUCT, seed=np.random.SeedSequence(7).spawn(number + 1)[number], evaluator=fingerprint)
        board = SMALL.after(*record.columns[: record.opening])
        assert len(record.visits) == len(record.columns) - record.opening
        for row, column in enumerate(record.columns[record.opening :]):
            result = engine.search(board, simulations=20)
            assert [move.visits for move in result.moves] == record.visits[row][board.legal_columns].tolist()
            assert result.column == column
            board.push(column)
        assert (board.outcome().winner, Ending.PLAYED_OUT) == (record.winner, record.ending)


def test_the_share_of_full_searches():
    """Full ones have the weight 1; a search makes all simulations unless a proof ends it."""
    records = games(FAST).values()
    weight, simulations, proof = (
        np.concatenate([getattr(r, name) for r in records]) for name in ("weight", "simulations", "proof")
    )
    assert set(weight.tolist()) == {1, 0.25}
    full = weight == 1
    assert fits([full.sum(), (~full).sum()], [0.4, 0.6])
    unproven = proof == NO_PROOF
    assert set(simulations[full & unproven].tolist()) == {20}
    assert set(simulations[~full & unproven].tolist()) == {6}
    pairs = [(a == 1, b == 1) for r in records for a, b in pairwise(r.weight)]
    assert fits(np.unique([2 * a + b for a, b in pairs], return_counts=True)[1], [0.36, 0.24, 0.24, 0.16])


def test_fast_searches_have_no_noise():
    """Without a kept tree, a fast search is that of an engine without noise; full ones are not."""
    params = PUCT.changed(keep_tree=False, root_noise=(1.0, 0.5))
    count = 6
    engine = Engine(params.changed(root_noise=None), evaluator=fingerprint)
    noisy = 0
    for record in played(PLAY(params=params, games=count, play=FAST)).values():
        board = SMALL.copy()
        for row, column in enumerate(record.columns):
            is_full = record.weight[row] == 1
            result = engine.search(board, simulations=20 if is_full else 6)
            visits = [move.visits for move in result.moves]
            equal = visits == record.visits[row][board.legal_columns].tolist()
            assert equal or is_full
            noisy += not equal
            board.push(column)
    assert noisy > 3


def test_given_openings_take_turns():
    given = openings(3, SMALL.rules)[:7]
    played_from = games(PlayParams(openings=given), 20, start=Board.from_pons("33", SMALL.rules))
    for number, record in played_from.items():
        assert tuple(record.columns[: record.opening]) == given[number % 7]


def test_random_plies_are_uniform():
    records = games(PlayParams(opening_plies=(1, 4)), 1000).values()
    assert fits(np.bincount([r.opening for r in records], minlength=5)[1:], np.ones(4))
    assert fits(np.bincount([r.columns[0] for r in records], minlength=5), np.ones(5))
    second = [r.columns[1] for r in records if r.opening > 1]
    assert fits(np.bincount(second, minlength=5), np.ones(5))


def test_plies_of_the_policy_are_drawn_from_it():
    records = games(PlayParams(opening_plies=2, opening_moves="policy"), 1000).values()

    def prior(*columns):
        planes = planes_of([Board.from_moves(columns, SMALL.rules)])
        return fingerprint(planes, np.ones((1, 5), bool))[0][0]

    assert fits(np.bincount([r.columns[0] for r in records], minlength=5), prior())
    for first in range(5):
        second = [r.columns[1] for r in records if r.columns[0] == first]
        assert fits(np.bincount(second, minlength=5), prior(first))


@pytest.mark.parametrize("moves", ["random", "policy"])
def test_an_opening_ends_no_game(moves):
    """There are fewer plies if every move would end it; a game has at least one searched position."""
    count = 100
    for rules in (Rules(3, 3, 2), Rules(4, 4, 3), Rules(1, 5, 4), Rules(2, 2, 2)):
        play = PlayParams(opening_plies=40, opening_moves=moves)
        records = played(PLAY(games=count, start=Board(rules), play=play)).values()
        for record in records:
            board = Board.from_moves(record.columns[: record.opening], rules)
            assert not board.is_over()
            assert len(board.winning_columns()) == len(board.legal_columns) or board.ply + 1 == rules.cells
            assert len(record.visits) > 0


def test_a_full_tree_has_no_policy():
    """With max_nodes=1 no priors are kept; the opening is drawn uniformly."""
    play = PlayParams(opening_plies=1, opening_moves="policy")
    records = played(PLAY(params=PUCT.changed(max_nodes=1), games=400, play=play)).values()
    assert fits(np.bincount([r.columns[0] for r in records], minlength=5), np.ones(5))


def test_searches_may_be_fast_after_a_proof():
    count = 60
    play = PlayParams(after_proof="fast", fast_simulations=3, fast_weight=0.5)
    params = PUCT.changed(keep_tree=False)  # so that a proof is not known at the next position
    shortened = 0
    for record in played(PLAY(params=params, games=count, play=play)).values():
        first = int(np.argmax(record.proof != NO_PROOF))
        assert (record.weight[: first + 1] == 1).all()
        assert (record.weight[first + 1 :] == 0.5).all()
        assert (record.simulations[first + 1 :] <= 3).all()
        shortened += len(record.weight) - first - 1
    assert shortened > 0


test_what_is_refused = refused_by(
    PlayParams,
    ({"full_share": 0}, ValueError, "full_share must be above 0 and at most 1, not 0"),
    ({"full_share": 1.5}, ValueError, "full_share must be above 0 and at most 1, not 1.5"),
    ({"full_share": 0.5}, ValueError, "fast_simulations is needed with a full_share below 1"),
    ({"after_proof": "fast"}, ValueError, "fast_simulations is needed .* after_proof='fast'"),
    ({"fast_simulations": 5}, ValueError, "fast_simulations has no effect"),
    ({"full_share": 0.5, "fast_simulations": 0}, ValueError, "fast_simulations must be 1 to 1000000, not 0"),
    ({"fast_weight": -1}, ValueError, "fast_weight must be 0 to 1, not -1"),
    ({"temperature": -0.1}, ValueError, "temperature must be at least 0, not -0.1"),
    ({"temperature": (1, -1)}, ValueError, "temperature must be at least 0, not -1"),
    ({"temperature": [1] * 11}, ValueError, "11 values for the first 10 moves"),
    ({"temperature": "1"}, TypeError, "temperature must be"),
    ({"last_temperature": -1}, ValueError, "last_temperature must be at least 0, not -1"),
    ({"temperature_plies": -1}, ValueError, "temperature_plies must be 0 to 4096, not -1"),
    ({"openings": "4453"}, TypeError, "openings must be a list of openings, not '4453'"),
    ({"openings": [[0, 64]]}, ValueError, r"a column of openings\[0\] must be 0 to 63, not 64"),
    ({"opening_plies": (1, 2, 3)}, ValueError, r"opening_plies must be an integer, or a pair .*, not \(1, 2, 3\)"),
    ({"opening_plies": (3, 2)}, ValueError, r"opening_plies must be a pair \(fewest, most\), not \(3, 2\)"),
    ({"opening_moves": "best"}, ValueError, "opening_moves must be one of 'random', 'policy', not 'best'"),
    ({"resign_value": -1.1}, ValueError, "resign_value must be -1 to 1, not -1.1"),
    ({"resign_moves": 0}, ValueError, "resign_moves must be at least 1, not 0"),
    ({"never_resign": 2}, ValueError, "never_resign must be 0 to 1, not 2"),
    ({"after_proof": "end"}, ValueError, "after_proof must be one of 'full', 'fast', 'stop', not 'end'"),
)


def test_values_are_kept_as_plain_numbers():
    play = PlayParams(opening_plies=[np.int64(1), 2], openings=[np.array([1, 2])], never_resign=1)
    assert (play.opening_plies, play.openings, play.never_resign) == ((1, 2), ((1, 2),), 1.0)
    assert play == PlayParams(opening_plies=(1, 2), openings=["23"], never_resign=1.0)
    assert hash(play) == hash(PlayParams(opening_plies=(1, 2), openings=["23"], never_resign=1.0))
    assert SearchParams.preset("alphazero") != play
