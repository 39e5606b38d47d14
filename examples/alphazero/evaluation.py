"""How good a network is: error rates on the test positions, and matches."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from c4mcts.search.evaluation import Evaluator
from c4mcts.selfplay import ExactPositions, SelfPlay, exact_positions
from c4mcts.study import wilson

from .configuration import Configuration
from .matches import interval, match, searches
from .positions import are_in

ALL, UNSEEN = "all", "unseen"  # instead of numbers of discs: all positions, and those that are in none of its games
PLIES = 6  # in each of the other rows of the table of errors


def evaluate(
    evaluator: Evaluator,
    configuration: Configuration,
    games: Iterable[SelfPlay] = (),
    advance: Callable[[int, int], object] = lambda done, total: None,
) -> dict[str, list[dict[str, Any]]]:
    """The rows of the tables "errors" and "matches".

    games: those from which the network has learnt. advance: called with the numbers of finished and of all parts.
    """
    found: dict[str, list[dict[str, Any]]] = {"errors": [], "matches": []}
    budgets = (1, *configuration.searches) if configuration.positions else ()
    opponents = configuration.opponents if configuration.match_games else ()
    total = len(budgets) + len(opponents)
    tests = exact_positions().chosen(configuration.positions)
    unseen = ~are_in(tests, games)
    for done, simulations in enumerate(budgets):
        advance(done, total)
        one = searches(evaluator, (tests.own, tests.mask), configuration, simulations, configuration.concurrent)
        if simulations == 1:  # asks the network only for the position itself
            found["errors"] += errors("policy", np.where(tests.legal, one.prior, -1).argmax(axis=1), tests, unseen)
        else:
            found["errors"] += errors(f"search of {simulations}", one.column, tests, unseen)
    for done, opponent in enumerate(opponents, len(budgets)):
        advance(done, total)
        found["matches"].append(match(evaluator, opponent, configuration))
    advance(total, total)
    return found


# error rates


def errors(
    player: str, columns: npt.NDArray[Any], tests: ExactPositions, unseen: npt.NDArray[np.bool_] | None = None
) -> list[dict[str, Any]]:
    """How often the moves lose value (a win, or a draw), with Wilson's 95 % intervals: in all positions, in the unseen
    ones if there are others, and by the number of discs.

    score_loss: by how much the exact score of the chosen move is less than the best one, on average. A point is one
    disc fewer in hand when winning, or one more when losing.
    """
    moves = tests.evaluation(columns)
    wrong, losses = moves.errors, moves.losses
    parts = {ALL: np.ones(len(wrong), bool)}
    if unseen is not None and not unseen.all():
        parts[UNSEEN] = unseen
    for first in range(0, 42, PLIES):
        parts[f"{first}-{first + PLIES - 1}"] = (tests.plies >= first) & (tests.plies < first + PLIES)
    return [
        {
            "player": player,
            "plies": plies,
            "positions": int(here.sum()),
            "errors": int(wrong[here].sum()),
            **interval(float(wrong[here].mean()), *wilson(wrong[here].sum(), here.sum()).tolist()),
            "score_loss": round(float(losses[here].mean()), 4),
        }
        for plies, here in parts.items()
        if here.any()
    ]
