"""Elo ratings with 95 % intervals, and a sequential test of two players.

The Elo scale is the logistic one: a difference of d means an expected score of 1 / (1 + 10 ** (-d / 400)), where a draw
counts half.

The two games of a pair begin with the same opening, each player moving first in one of them. They depend on each
other, so the unit of the statistics is the pair. Its points, 0, 0.5, 1, 1.5 or 2, have five probabilities: the
"pentanomial" model.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import between, brief, members, must_be, number_between, positive, real_number, whole_number

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean score of the two games of a pair, by half points
DRAWN_PAIR = 2  # index of an even pair in SCORES
ELO = 400 / math.log(10)  # Elo points of one unit on the natural logistic scale
Z = NormalDist().inv_cdf(0.975)  # quantile of the normal distribution for 95 %
UNSEEN = 1e-3  # how many pairs are assumed for an outcome that did not occur: all five probabilities must be positive
MAX_ELO = 2000  # of the hypotheses of a test
STEPS = 34  # of a bisection: ten decimals


class Estimate(NamedTuple):
    """A rating, or a difference of ratings, with its 95 % interval in Elo points; ends may be infinite."""

    elo: float
    low: float
    high: float


def expected_score(elo: float) -> float:
    """The expected score of a player with this Elo advantage."""
    elo = real_number("elo", elo)
    return 1 / (1 + math.exp(-elo / ELO)) if elo > -30_000 else 0.0


def elo_of(score: float) -> float:
    """The inverse of expected_score: the difference in Elo for a score from 0 to 1, whose ends give infinity."""
    score = number_between("score", score, 0, 1)
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1 - score))


def match_estimate(pairs: Sequence[int]) -> Estimate:
    """The difference in Elo between two players, from pairs of games, for the first of them.

    pairs: how many pairs brought 0, 0.5, 1, 1.5 and 2 points. The interval holds all differences that a likelihood
    ratio test at 5 % does not reject, without any assumption on the five probabilities (Owen, "Empirical likelihood
    ratio confidence intervals for a single functional", Biometrika 75, 1988). Where all pairs are won its upper end is
    infinite, and its lower end finite. Without pairs: 0, from minus to plus infinity.
    """
    counts = [whole_number("pairs", count) for count in members("pairs", pairs, "five numbers", len(SCORES))]
    if len(counts) != len(SCORES) or min(counts) < 0:
        raise ValueError(must_be("pairs", "five numbers that are not negative", pairs))
    total = sum(counts)
    if total == 0:
        return Estimate(0.0, -math.inf, math.inf)
    mean = sum(count * score for count, score in zip(counts, SCORES, strict=True)) / total
    filled = [max(count, UNSEEN) for count in counts]
    centre = sum(count * score for count, score in zip(filled, SCORES, strict=True)) / sum(filled)

    def is_rejected(score: float) -> bool:
        return 2 * _log_ratio(filled, score) > Z * Z

    low = 0.0 if mean == 0 else _bisect(lambda score: not is_rejected(score), 0.0, min(centre, mean))
    high = 1.0 if mean == 1 else _bisect(is_rejected, max(centre, mean), 1.0)
    return Estimate(elo_of(mean), elo_of(low), elo_of(high))


def wilson(successes: npt.ArrayLike, trials: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Wilson's 95 % score intervals (1927) of proportions: float64, shape (2, *broadcast shape), lower ends first.

    Unlike the normal approximation they stay within [0, 1] and are accurate near 0 and 1.
    """
    try:
        hits, n = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(trials, dtype=float))
    except (TypeError, ValueError, OverflowError):
        values = f"{brief(successes)} and {brief(trials)}"
        raise ValueError(f"successes and trials must be numbers of shapes that broadcast, not {values}") from None
    if not ((n > 0) & np.isfinite(n)).all():
        raise ValueError(must_be("trials", "finite and above 0", trials))
    if not ((hits >= 0) & (hits <= n)).all():
        raise ValueError(must_be("successes", "0 to the number of trials", successes))
    share = hits / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    # rounding errors must not put a share of 0 or 1 outside its interval
    return np.stack([np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0)])


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test: is the first player better by elo1 (H1), or only by elo0 (H0)?

    The match ends as soon as the log-likelihood ratio leaves `bounds` (Wald, "Sequential Tests of Statistical
    Hypotheses", 1945; with unknown probabilities, the generalised test, GSPRT: Li, Liu and Ying, "Generalized
    sequential probability ratio test for separate families of hypotheses", 2014).

    elo0, elo1: from -2000 to 2000. alpha: probability to accept H1 although the difference is elo0; beta: to accept H0
    although it is elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            object.__setattr__(self, name, real_number(name, getattr(self, name)))
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            requirement = f"elo0 must be less than elo1, and both at most {MAX_ELO} from 0"
            raise ValueError(f"{requirement}, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(must_be(name, "between 0 and 0.5", getattr(self, name)))

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_ratio(self, pairs: Sequence[int]) -> float:
        """How much more likely these pairs are under H1 than under H0: the logarithm of the ratio.

        Under both hypotheses the five probabilities are those that make the pairs most likely and have the expected
        score of the hypothesis. Source: M. Van den Bergh, hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf,
        proposition 1.1; so does fishtest, where Stockfish is tested. An outcome that did not occur counts as a
        thousandth of a pair.
        """
        if sum(pairs) == 0:
            return 0.0
        filled = [max(count, UNSEEN) for count in pairs]
        return _log_ratio(filled, expected_score(self.elo0)) - _log_ratio(filled, expected_score(self.elo1))

    def decision(self, pairs: Sequence[int]) -> str | None:
        """The accepted hypothesis, "H0" or "H1"; None if the match is undecided."""
        lower, upper = self.bounds
        ratio = self.log_ratio(pairs)
        return "H0" if ratio <= lower else "H1" if ratio >= upper else None


def bradley_terry(
    players: int, units: Sequence[tuple[int, int, float, int]], *, anchor: int | None = None
) -> list[Estimate]:
    """The ratings of several players, relative to their mean, by maximum likelihood.

    units: pairs of games, or single ones: (player, opponent, points of the player, number of games). A draw counts as
    half a win and half a loss. Each player has also drawn one game against a player of rating 0, so that those who won
    all games have a finite rating; that pulls all ratings a little towards 0. anchor: the player to whose rating the
    others are relative.

    The model: Bradley and Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952. The intervals
    follow quasi-likelihood (McCullagh and Nelder, "Generalized Linear Models", 2nd edition, 1989, chapter 9): the
    inverse of the information matrix, times how much the points of the units vary compared with games without
    draws. Draws, and openings that favour a side, make that factor less than 1.
    """
    n = between("players", players, 1, 10_000)
    points, games = np.zeros((n, n)), np.zeros((n, n))
    for unit in members("units", units, "a list of tuples", 1 << 24):
        requirement = f"(player, opponent, points, games) of two players 0 to {n - 1}"
        *pair, won, count = members("units", unit, requirement, 4, least=4)
        player, opponent = (between("units", each, 0, n - 1) for each in pair)
        won = number_between("units", won, 0, positive("units", count))
        if player == opponent:
            raise ValueError(must_be("units", requirement, unit))
        points[player, opponent] += won
        points[opponent, player] += count - won
        games[player, opponent] += count
        games[opponent, player] += count
    theta = np.zeros(n)  # the ratings with the highest likelihood, on the natural scale
    for _ in range(200):  # Newton's method, no step longer than 1
        gradient = (points - games * _logistic(theta[:, None] - theta)).sum(axis=1) + 0.5 - _logistic(theta)
        step = np.linalg.solve(_information(theta, games), gradient)
        theta += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-10:
            break
    inverse = np.linalg.inv(_information(theta, games))
    reference = np.full(n, 1 / n) if anchor is None else np.eye(n)[between("anchor", anchor, 0, n - 1)]
    centred = np.eye(n) - reference
    covariance = _dispersion(theta, units) * centred @ inverse @ centred.T
    ratings = ELO * centred @ theta
    errors = ELO * Z * np.sqrt(np.diag(covariance).clip(0))
    return [Estimate(*row) for row in np.stack([ratings, ratings - errors, ratings + errors], axis=1).tolist()]


def _information(theta: npt.NDArray[np.float64], games: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Minus the second derivatives of the log-likelihood, with the drawn game of each player."""
    expected, drawn = _logistic(theta[:, None] - theta), _logistic(theta)
    weights = games * expected * (1 - expected)
    return np.asarray(np.diag(weights.sum(axis=1) + drawn * (1 - drawn)) - weights)


def _dispersion(theta: npt.NDArray[np.float64], units: Sequence[tuple[int, int, float, int]]) -> float:
    """Variance of the points of the units, relative to independent games without draws.

    One more unit, which varies as the model says, keeps it above 0.
    """
    if not units:
        return 1.0
    player, opponent = (np.array([unit[i] for unit in units]) for i in (0, 1))
    won, count = (np.array([unit[i] for unit in units], float) for i in (2, 3))
    expected = _logistic(theta[player] - theta[opponent])
    model = count * expected * (1 - expected)
    squares = (won - count * expected) ** 2
    freedom = max(1, len(units) - len(theta) + 1)  # units beyond those that the ratings use up
    return float((squares.sum() * len(units) / freedom + model.mean()) / (model.sum() + model.mean()))


def _logistic(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return 0.5 + 0.5 * np.tanh(x / 2)


def _log_ratio(counts: Sequence[float], mean: float) -> float:
    """log of the highest likelihood of the counts, less that with this mean score.

    With the mean s, the most likely probabilities are counts[i] / total / (1 + x (SCORES[i] - s)), where x is such that
    they have the mean s.
    """
    if not 0 < mean < 1:
        return math.inf
    away = [score - mean for score in SCORES]

    def is_above(x: float) -> bool:
        return sum(count * a / (1 + x * a) for count, a in zip(counts, away, strict=True)) < 0

    x = _bisect(is_above, -1 / away[-1], -1 / away[0])
    return sum(count * math.log(1 + x * a) for count, a in zip(counts, away, strict=True))


def _bisect(is_above: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that is false at first becomes true, between two bounds, which are not tried."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        if is_above(middle):
            high = middle
        else:
            low = middle
    return (low + high) / 2
