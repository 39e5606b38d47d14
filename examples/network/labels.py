"""Labelled positions: exact scores where the solver or the book gives them, and searches on larger boards.

Five sources, each from a fixed seed:

- 7x6: openings of random moves, and positions of games of random moves and of UCT, with the exact score of every move;
- 7x6: positions of games of the preset "network", likewise, with the network that was trained last;
- 8x8, 9x7 and 10x7: late positions of games in which nobody has won, likewise;
- 8x8 to 20x14: positions of games of the preset "strong", with its visits and its values;
- 8x8 to 20x14: searches of the preset "network", too.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from c4mcts import Board, Rules, SearchParams, solve_many
from c4mcts.rules import word_count
from c4mcts.selfplay import PlayParams, generate
from c4mcts.solver.bitboards import Positions
from c4mcts.solver.book import NO_SCORE

KNOWN = 12  # plies before which the book of 7x6 has all scores
OPENINGS = 120_000  # games of random moves on 7x6 that end early, for each range of plies
# Plies of other positions of 7x6: from, to, how many.
LATER = ((10, 12, 60_000), (12, 14, 15_000), (14, 18, 45_000), (18, 25, 120_000), (25, 41, 90_000))
OWN_GAMES = 9_000  # on 7x6, for each generation
OWN_SIMULATIONS = 100
OWN_FROM = 17  # plies from which their positions are solved; there are many, and earlier ones take longer
LATE = ((Rules(8, 8), 30), (Rules(9, 7), 28), (Rules(10, 7), 28))  # cells that are left, at most
LATE_POSITIONS = 6_000
SEARCHED = (  # width, height, games
    (8, 8, 500),
    (9, 7, 600),
    (10, 7, 400),
    (10, 10, 600),
    (12, 9, 400),
    (20, 14, 600),
)
PLAYED = (  # likewise, for each generation
    (10, 10, 4500),
    (9, 7, 2500),
    (8, 8, 1500),
    (12, 10, 600),
    (20, 14, 400),
)
SIMULATIONS = 400
SURE = 0.5  # weight of the outcome of the game in the value of a searched position


class Labels(NamedTuple):
    """n positions of one board."""

    rules: Rules
    own: list[int]
    mask: list[int]
    policy: npt.NDArray[np.float32]  # (n, width): shares of the moves
    is_exact: npt.NDArray[np.bool_]  # (n,): the policy is then the set of the best moves, each as good as the other
    value: npt.NDArray[np.float32]  # (n,): 0 to 1, for the player to move


def random_games(rules: Rules, games: int, seed: int, quiet: bool = False, end: int | None = None) -> Positions:
    """The unfinished positions of games of random moves.

    quiet: without those that win, as long as there are others. end: the ply at which a game is over at the latest.
    """
    draw, found, most = np.random.default_rng(seed), [], rules.cells if end is None else end
    for _ in range(games):
        board = Board(rules)
        while board.ply < most and not board.is_over():
            found.append((board.own, board.mask))
            wins = board.winning_columns() if quiet else ()
            columns = [column for column in board.legal_columns if column not in wins] or board.legal_columns
            board.push(int(draw.choice(columns)))
    own, mask = zip(*found, strict=True)
    return Positions.of(rules, list(own), list(mask))


def uct_games(games: int, seed: int) -> Positions:
    """The unfinished positions of games of UCT on 7x6."""
    play = PlayParams(temperature_plies=20)
    data = generate(games, SearchParams.preset("uct"), simulations=50, play=play, seed=seed)
    return Positions(data.rules, data.own, data.mask)


def exact(positions: Positions) -> Labels:
    """Labels of positions that are solved: the moves that keep the outcome, or else those with the best score."""
    discs = _words(positions.own, positions.rules), _words(positions.mask, positions.rules)
    with ThreadPoolExecutor(1) as executor:
        table = solve_many(discs, columns=True, executor=executor, rules=positions.rules)
    scores = table.columns.astype(int)
    legal = scores != NO_SCORE
    best = table.scores.astype(int)[:, None]
    keeps = legal & (np.sign(scores) == np.sign(best))
    has_choice = (keeps != legal).any(axis=1, keepdims=True)
    good = np.where(has_choice, keeps, legal & (scores == best))
    value = (np.sign(best[:, 0]) + 1) / 2
    return Labels(
        positions.rules,
        [int(one) for one in positions.own],
        [int(one) for one in positions.mask],
        good.astype(np.float32),
        np.ones(len(good), bool),
        value.astype(np.float32),
    )


def _words(discs: npt.NDArray[Any], rules: Rules) -> npt.NDArray[np.uint64]:
    """Bitboards as solve_many wants them."""
    if discs.dtype == np.uint64:
        return discs
    return np.array(
        [[int(one) >> 64 * i & (1 << 64) - 1 for i in range(word_count(rules))] for one in discs], np.uint64
    )


def usable(positions: Positions, held: set[int]) -> Positions:
    """Each position once, or its mirror image, where no disc wins at once. held: canonical keys to leave out."""
    found = positions[~positions.can_win()].unique().positions
    return found[np.array([int(key) not in held for key in found.canonical_keys()])]


def openings(first: int, end: int, held: set[int]) -> Labels:
    """Positions of 7x6 with random moves. first, end: of their plies, and `end` is the seed; held: see `usable`."""
    found = random_games(Rules(), OPENINGS, end, quiet=True, end=end)
    return exact(usable(found[found.plies >= first], held))


def standard(plies: Sequence[tuple[int, int, int]], held: set[int]) -> Labels:
    """Positions of 7x6. plies: from, to, and how many; held: see `usable`."""
    kinds = [random_games(Rules(), 60_000, 1), random_games(Rules(), 20_000, 2, quiet=True), uct_games(24_000, 3)]
    draw, chosen = np.random.default_rng(4), []
    for first, end, count in plies:
        for kind in kinds:
            here = usable(kind[(kind.plies >= first) & (kind.plies < end)], held)
            chosen.append(here[draw.permutation(len(here))[: count // len(kinds)]])
    return exact(Positions.joined(chosen).unique().positions)


def own_games(seed: int, held: set[int]) -> Labels:
    """Positions of games of "network" on 7x6, whose first moves are random. held: see `usable`."""
    play = PlayParams(temperature_plies=24, opening_plies=(0, KNOWN))
    data = generate(OWN_GAMES, SearchParams.preset("network"), simulations=OWN_SIMULATIONS, play=play, seed=seed)
    found = Positions(data.rules, data.own, data.mask)
    return exact(usable(found[(found.plies < KNOWN) | (found.plies >= OWN_FROM)], held))


def late(rules: Rules, left: int, seed: int) -> Labels:
    """Positions of a larger board with at most `left` free cells."""
    found = random_games(rules, 2 * LATE_POSITIONS // 3, seed, quiet=True)
    found = found[(found.plies >= rules.cells - left) & (found.plies < rules.cells - 3) & ~found.can_win()]
    found = found.unique().positions
    return exact(found[np.random.default_rng(seed).permutation(len(found))[:LATE_POSITIONS]])


def searched(preset: str, width: int, height: int, games: int, seed: int) -> Labels:
    """Positions of games of a preset."""
    rules = Rules(width, height)
    play = PlayParams(temperature_plies=24)
    params = SearchParams.preset(preset)
    data = generate(games, params, simulations=SIMULATIONS, play=play, seed=seed, start=Board(rules))
    boards = [data.board(row) for row in range(len(data))]
    value = (1 - SURE) * np.asarray(data.value) + SURE * np.asarray(data.outcome)
    return Labels(
        rules,
        [board.own for board in boards],
        [board.mask for board in boards],
        np.asarray(data.policy, np.float32),
        np.zeros(len(boards), bool),
        ((value + 1) / 2).astype(np.float32),
    )


def exact_labels(held: set[int]) -> dict[str, Callable[[], Labels]]:
    """By name, what makes the exactly labelled positions. held: see `usable`."""
    found: dict[str, Callable[[], Labels]] = {
        "exact-7x6": partial(standard, LATER, held),
        "first-7x6": partial(openings, 0, 8, held),
        "openings-7x6": partial(openings, 8, KNOWN, held),
    }
    for number, (rules, left) in enumerate(LATE):
        found[f"exact-{rules.width}x{rules.height}"] = partial(late, rules, left, 10 + number)
    return found


def strong_labels() -> dict[str, Callable[[], Labels]]:
    """By name, what makes the positions that "strong" has searched."""
    return {
        f"strong-{width}x{height}": partial(searched, "strong", width, height, games, 20 + number)
        for number, (width, height, games) in enumerate(SEARCHED)
    }


def network_labels(generation: int, held: set[int]) -> dict[str, Callable[[], Labels]]:
    """By name, what makes the positions of games of "network", with the network that the package then has.

    held: see `usable`.
    """
    found: dict[str, Callable[[], Labels]] = {
        f"network-{width}x{height}": partial(searched, "network", width, height, games, 30 + 10 * generation + number)
        for number, (width, height, games) in enumerate(PLAYED)
    }
    return found | {"games-7x6": partial(own_games, 50 + generation, held)}
