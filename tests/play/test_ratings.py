"""Ratings, against published numbers, numbers computed by hand, and simulated matches."""

import math

import numpy as np
import pytest
from refusals import refused

from c4mcts.play import Estimate, Sprt, bradley_terry, elo_of, expected_score, match_estimate
from c4mcts.play.ratings import SCORES

# A test of montytest, a fork of fishtest, from its page of raw statistics.
PUBLISHED = [13, 37, 50, 25, 3]
PUBLISHED_ELO0, PUBLISHED_ELO1 = 0.0, 2.716


def test_the_scale():
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert [elo_of(score) for score in (0, 0.5, 1)] == [-math.inf, 0, math.inf]
    for elo in (-700, -3.5, 20, 1500):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
    assert expected_score(-1e9) == 0


def test_published_statistics():
    assert Sprt(PUBLISHED_ELO0, PUBLISHED_ELO1).log_ratio(PUBLISHED) == pytest.approx(-0.53772, abs=2e-4)
    found = match_estimate(PUBLISHED)
    assert found.elo == pytest.approx(-43.6578, abs=1e-3)
    # published: -43.66 - 30 and + 30 for a test that ended at a fixed number of games (normal approximation)
    mean, variance = 0.4375, 0.05762
    half = 1.96 * math.sqrt(variance / sum(PUBLISHED))
    assert found.low == pytest.approx(elo_of(mean - half), abs=1.5)
    assert found.high == pytest.approx(elo_of(mean + half), abs=1.5)


def test_a_ratio_by_hand():
    """Pairs that are all won or all lost: a coin, whose likelihoods are powers."""
    won, lost = 30, 10
    s0, s1 = expected_score(0), expected_score(100)
    by_hand = won * math.log(s1 / s0) + lost * math.log((1 - s1) / (1 - s0))
    assert Sprt(0, 100).log_ratio([lost, 0, 0, 0, won]) == pytest.approx(by_hand, abs=0.02)


def test_all_won_all_lost_all_even_and_none():
    n = 20
    won = match_estimate([0, 0, 0, 0, n])
    assert (won.elo, won.high) == (math.inf, math.inf)
    assert expected_score(won.low) == pytest.approx(math.exp(-(1.96**2) / 2 / n), abs=1e-3)
    lost = match_estimate([n, 0, 0, 0, 0])
    assert lost == pytest.approx(Estimate(-math.inf, -math.inf, -won.low))
    even = match_estimate([0, 0, n, 0, 0])
    assert even.elo == 0
    assert -even.low == pytest.approx(even.high)
    assert 10 < even.high < 40
    assert match_estimate([0] * 5) == (0, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("pairs", "chances"),
    [
        (50, [0.1, 0.2, 0.3, 0.2, 0.2]),
        (100, [0.05, 0.1, 0.7, 0.1, 0.05]),
        (60, [0.02, 0.03, 0.15, 0.2, 0.6]),
    ],
)
def test_intervals_of_a_match_cover_the_truth(pairs, chances):
    generator, truth = np.random.default_rng(5), elo_of(float(np.dot(chances, SCORES)))
    runs = 200
    covered = 0
    for _ in range(runs):
        counts = np.bincount(generator.choice(5, size=pairs, p=chances), minlength=5)
        low, high = match_estimate(counts.tolist())[1:]
        covered += low <= truth <= high
    assert 0.91 <= covered / runs <= 0.99


@pytest.mark.parametrize(("elo", "accepted"), [(0, "H0"), (20, "H1")])
def test_error_rates_of_the_sequential_test(elo, accepted):
    """Both kinds of errors happen in 5 % of the matches; the test counts them in 150 simulated ones."""
    test = Sprt(0, 20)
    generator = np.random.default_rng(3)
    shift = expected_score(elo) - 0.5
    chances = np.array([0.1, 0.2, 0.4, 0.2, 0.1]) + shift * np.array([-0.4, -0.8, 0, 0.8, 0.4]) / 0.8
    assert np.dot(chances, SCORES) == pytest.approx(expected_score(elo), abs=1e-3)
    right, lengths = 0, []
    for _ in range(150):
        counts, decision = np.zeros(5, int), None
        while decision is None:
            counts += np.bincount(generator.choice(5, size=20, p=chances), minlength=5)
            decision = test.decision(counts.tolist())
        right += decision == accepted
        lengths.append(counts.sum())
    assert 0.9 <= right / 150 <= 1
    assert np.mean(lengths) < 2000


def test_bounds_of_the_sequential_test():
    assert Sprt(0, 20).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.9), math.log(8)))
    assert Sprt(0, 20).decision([0] * 5) is None
    assert Sprt(0, 20).decision([0, 0, 0, 0, 60]) == "H1"
    assert Sprt(0, 20).decision([60, 0, 0, 0, 0]) == "H0"


def test_ratings_predict_the_points():
    """At the maximum of the likelihood each player's expected points are the points that they have."""
    results = {(0, 1): 130, (0, 2): 155.5, (0, 3): 190, (1, 2): 110, (1, 3): 160.5, (2, 3): 140}
    games = 200
    ratings = bradley_terry(4, [(i, j, points, games) for (i, j), points in results.items()])
    for player in range(4):
        points = sum(p if i == player else games - p for (i, j), p in results.items() if player in (i, j))
        others = [other for other in range(4) if other != player]
        expected = sum(games * expected_score(ratings[player].elo - ratings[other].elo) for other in others)
        assert expected == pytest.approx(points, abs=0.5), "half a point: the drawn game that each player has more"


def test_ratings_add_up_and_a_winner_of_all_games_has_one():
    units = [(0, 1, 2.0, 2)] * 10 + [(1, 2, 1.5, 2)] * 10 + [(0, 2, 2.0, 2)] * 10
    ratings = bradley_terry(3, units)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0)
    assert ratings[0].elo > ratings[1].elo > ratings[2].elo
    assert all(math.isfinite(rating.high) and rating.low < rating.elo < rating.high for rating in ratings)
    assert bradley_terry(2, []) == [(0, pytest.approx(-bradley_terry(2, [])[0].high), bradley_terry(2, [])[0].high)] * 2


def test_the_ratings_use_up_degrees_of_freedom():
    """Three matches in a circle leave one; a thousand such circles leave nearly all, and intervals by 1 / sqrt(1000).

    The variance of a match is therefore the sum of its squares divided by 1, not by 3; the drawn game that is added to
    the matches takes off a quarter.
    """
    circle = [(0, 1, 70.0, 100), (1, 2, 70.0, 100), (2, 0, 70.0, 100)]
    few, many = bradley_terry(3, circle), bradley_terry(3, 1000 * circle)
    assert few[0].high / (many[0].high * math.sqrt(1000)) == pytest.approx(math.sqrt(3 * 3 / 4), rel=0.01)


@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_intervals_of_a_tournament_cover_the_truth(draws):
    generator = np.random.default_rng(11)
    truth = np.array([150.0, 40.0, -30.0, -160.0])
    truth -= truth.mean()
    covered, runs = np.zeros(4), 200
    for _ in range(runs):
        units = []
        for i in range(4):
            for j in range(i + 1, 4):
                expected = expected_score(truth[i] - truth[j])
                draw = draws * 2 * min(expected, 1 - expected)
                chances = [1 - expected - draw / 2, draw, expected - draw / 2]
                won = generator.choice([0, 0.5, 1], size=(40, 2), p=chances).sum(axis=1)
                units += [(i, j, float(points), 2) for points in won]
        found = bradley_terry(4, units)
        covered += [low <= true <= high for (_, low, high), true in zip(found, truth, strict=True)]
    assert (covered / runs > 0.9).all()
    assert 0.92 <= covered.mean() / runs <= 0.98


test_bad_arguments = refused(
    (lambda: match_estimate([1, 2, 3]), ValueError, "pairs must be five numbers"),
    (lambda: match_estimate([1, 2, 3, 4, -1]), ValueError, "pairs must be five numbers"),
    (lambda: Sprt(20, 0), ValueError, "elo0 must be less than elo1"),
    (lambda: Sprt(-2001, 0), ValueError, "both at most 2000 from 0, not -2001 and 0"),
    (lambda: Sprt(0, 20, alpha=0), ValueError, "alpha must be between 0 and 0.5"),
    (lambda: bradley_terry(0, []), ValueError, "players must be 1 to"),
    (lambda: bradley_terry(2, [(0, -1, 1, 1)]), ValueError, r"units must be 0 to 1, not -1"),
)
