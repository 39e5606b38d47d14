"""Make positions.npz of c4mcts.selfplay: python -m alphazero.make_positions

Half of the positions are from games of random moves, half from games of UCT with 100 simulations per move, whose first
16 moves are drawn from the policy. They are taken ply by ply in turn, from 0 to 36 discs, until there are 2,000. Left
out are positions whose moves all have the same value (win, draw or loss), positions in which the next disc can win, and
all that were taken before, mirror images included. The scores come from c4mcts.solve_many. It takes a few minutes.
"""

import numpy as np

from c4mcts import Board, Rules, SearchParams, solve_many
from c4mcts.selfplay import ExactPositions, PlayParams, generate
from c4mcts.selfplay.evaluation import FILE
from c4mcts.solver.bitboards import Positions
from c4mcts.solver.book import NO_SCORE

from .positions import keys

PLIES = range(37)


def random_games(games: int, seed: int) -> Positions:
    """The unfinished positions of games of random moves."""
    draw, found = np.random.default_rng(seed), []
    for _ in range(games):
        board = Board()
        while not board.is_over():
            found.append((board.own, board.mask))
            board.push(draw.choice(board.legal_columns))
    own, mask = np.array(found, np.uint64).T
    return Positions(Rules(), own.copy(), mask.copy())


def uct_games(games: int, seed: int) -> Positions:
    """The unfinished positions of games of UCT."""
    play = PlayParams(temperature_plies=16)
    data = generate(games, SearchParams.preset("uct"), simulations=100, play=play, seed=seed)
    return Positions(data.rules, data.own, data.mask)


def differing(scores: np.ndarray) -> np.ndarray:
    """(n,): whether the moves of a position, (n, width), differ in value."""
    legal = scores != NO_SCORE
    values = np.sign(scores)
    return np.where(legal, values, 1).min(axis=1) < np.where(legal, values, -1).max(axis=1)


def candidates(positions: Positions, ply: int, count: int, draw: np.random.Generator) -> tuple[Positions, np.ndarray]:
    """At most `count` positions with `ply` discs whose moves differ in value, and the scores of the moves."""
    here = positions[(positions.plies == ply) & ~positions.can_win()].unique().positions
    here = here[draw.permutation(len(here))[: 2 * count]]  # more than half of them usually differ
    scores = solve_many((here.own, here.mask), columns=True).columns
    rows = np.flatnonzero(differing(scores))[:count]
    return here[rows], scores[rows]


def make(count: int, games: int, seed: int = 1, plies: range = PLIES) -> ExactPositions:
    """`count` positions with these numbers of discs, if the games have them. games: of each kind."""
    draw = np.random.default_rng(seed)
    kinds = [random_games(games, seed), uct_games(games, seed)]
    most = -(
        -3 * count // (4 * len(plies))
    )  # of a kind and ply: half as many again as needed, since some plies have few
    waiting = [[candidates(kind, ply, most, draw) for kind in kinds] for ply in plies]
    chosen: list[tuple[int, int, np.ndarray]] = []
    seen: set[int] = set()
    for place in range(most):
        for kinds_of_ply in waiting:
            for here, scores in kinds_of_ply:
                if place < len(here) and len(chosen) < count:
                    key = int(keys(here.own[[place]], here.mask[[place]])[0])
                    if key not in seen:
                        seen.add(key)
                        chosen.append((int(here.own[place]), int(here.mask[place]), scores[place]))
    own, mask, scores = zip(*chosen, strict=True)
    tests = ExactPositions(np.array(own, np.uint64), np.array(mask, np.uint64), np.array(scores, np.int8))
    order = np.lexsort((tests.own, tests.mask, tests.plies))
    return ExactPositions(*(array[order] for array in tests))


def main() -> None:
    tests = make(2000, 6000)
    np.savez_compressed(FILE, **tests._asdict())
    print(f"{len(tests.own)} positions, {FILE.stat().st_size:,} bytes; by ply: {np.bincount(tests.plies).tolist()}")


if __name__ == "__main__":
    main()
