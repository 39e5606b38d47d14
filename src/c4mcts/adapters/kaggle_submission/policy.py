"""A network as a Kaggle agent that plays its most probable column, without a search; see archive.export_policy."""

from collections.abc import Callable
from typing import Any

from ..._backend import load
from ..._layout import MAX_SIDE, is_by_place
from ..._weights import NETWORK, read_network
from ...rules import Rules
from .main import simple_agent


def agent_of(options: dict[str, Any], folder: str) -> Callable[..., int]:
    """The agent of a submission; on boards that its network is not for it plays simple moves.

    options, folder: not used, since its package has the network in the place of c4mcts's own.
    """
    weights = {name: array.ravel() for name, array in read_network(NETWORK).items()}
    networks = dict[Rules, Any]()

    def agent(observation: Any, configuration: Any, started: float) -> int:
        board, mark = observation["board"], observation["mark"]
        columns, rows, inarow = (configuration[name] for name in ("columns", "rows", "inarow"))
        if max(columns, rows) > MAX_SIDE or inarow != 4 or (is_by_place(weights) and (columns, rows) != (7, 6)):
            return simple_agent(observation, configuration)
        rules = Rules(columns, rows)
        if rules not in networks:
            networks[rules] = load("pure").network.Network(rules, weights)
        _, priors = networks[rules].evaluate(*(bitboard(board, columns, rows, marks) for marks in ((mark,), (1, 2))))
        return int(priors.index(max(priors)))

    return agent


def bitboard(board: list[int], columns: int, rows: int, marks: tuple[int, ...]) -> int:
    """The cells with these marks; see Board.own. board: flat, top row first."""
    cells = (divmod(i, columns) for i, mark in enumerate(board) if mark in marks)
    return sum(1 << column * (rows + 1) + rows - 1 - row for row, column in cells)
