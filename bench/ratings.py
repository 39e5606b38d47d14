"""How often the 95 % intervals of c4mcts.play.ratings contain the truth, in simulated matches and tournaments."""

from itertools import combinations

import numpy as np
from measure import Report, parser

from c4mcts.play import bradley_terry, elo_of, expected_score, match_estimate
from c4mcts.play.ratings import SCORES

MATCHES = {  # probabilities of 0, 0.5, 1, 1.5 and 2 points of a pair
    "mixed": (0.1, 0.2, 0.3, 0.2, 0.2),
    "mostly even": (0.05, 0.1, 0.7, 0.1, 0.05),
    "one-sided": (0.02, 0.03, 0.15, 0.2, 0.6),
}
PAIRS = (10, 20, 50, 100)
ELO = (150.0, 40.0, -30.0, -160.0)  # of the players of a tournament
DRAWS = (0.0, 0.5)  # share of the possible draws


def match_coverage(chances: tuple[float, ...], pairs: int, runs: int) -> float:
    """The share of matches whose interval contains the true difference."""
    generator = np.random.default_rng(1)
    truth = elo_of(float(np.dot(chances, SCORES)))
    held = 0
    for _ in range(runs):
        counts = np.bincount(generator.choice(len(SCORES), size=pairs, p=chances), minlength=len(SCORES))
        found = match_estimate(counts.tolist())
        held += found.low <= truth <= found.high
    return held / runs


def tournament_coverage(draws: float, pairs: int, runs: int) -> float:
    """The share of players whose interval contains their true rating."""
    generator = np.random.default_rng(1)
    held = 0
    for _ in range(runs):
        units = []
        for i, j in combinations(range(len(ELO)), 2):
            expected = expected_score(ELO[i] - ELO[j])
            draw = draws * 2 * min(expected, 1 - expected)
            chances = (1 - expected - draw / 2, draw, expected - draw / 2)
            points = generator.choice((0, 0.5, 1), size=(pairs, 2), p=chances).sum(axis=1)
            units += [(i, j, float(won), 2) for won in points]
        found = bradley_terry(len(ELO), units)
        held += sum(one.low <= truth <= one.high for one, truth in zip(found, ELO, strict=True))
    return held / runs / len(ELO)


def main() -> None:
    options = parser(__doc__, repeats=1000).parse_args()
    columns = {"games": "games", **{str(pairs): f"{pairs} pairs" for pairs in PAIRS}}
    report = Report("95 % intervals that contain the truth, in percent", columns)
    for name, chances in MATCHES.items():
        shares = {str(pairs): 100 * match_coverage(chances, pairs, options.repeats) for pairs in PAIRS}
        report.add(games=f"match, {name}", **shares)
    for draws in DRAWS:
        runs = max(1, options.repeats // 4)  # of four players
        shares = {str(pairs): 100 * tournament_coverage(draws, pairs, runs) for pairs in PAIRS}
        report.add(games=f"four players, {100 * draws:.0f} % of the possible draws", **shares)
    report.notes.append("pairs: per match, or per pair of players")
    report.finish(options)


if __name__ == "__main__":
    main()
