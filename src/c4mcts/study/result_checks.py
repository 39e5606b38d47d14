"""Checks of the results that a checkpoint has: each must be one that its job can have returned. TypeError, ValueError.

Checksums find damage alone; whoever makes a file can make them right.
"""

from .._validation import between, json_list, number_between, refused
from ..board.board import Board
from .starts import Start
from .validation import MAX_COUNT

MAX_SECONDS = 1e9  # thirty years
ROUNDING = 1e-9  # of a mean of rewards


def check_place(found: object, start: Start, name: str = "result") -> None:
    """The place of a legal move."""
    if type(found) is not int or found not in start.legal:
        raise ValueError(refused(name, f"one of {', '.join(map(str, start.legal))}", found))


def check_seconds(name: str, found: object) -> None:
    """A time."""
    number_between(name, found, 0, MAX_SECONDS)


def check_scores(found: object, board: Board) -> None:
    """What exact.scores_of returns if it has solved the board."""
    best = board.rules.cells // 2 + 1
    for column, score in enumerate(json_list("scores", found, board.rules.width)):
        if board.is_legal(column):
            between(f"scores[{column}]", score, -best, best)
        elif score is not None:
            raise ValueError(refused(f"scores[{column}]", "null for a full column", score))


def check_grown(found: object, start: Start, points: int) -> None:
    """What starts.grow returns for so many points of measurement."""
    moves = len(start.legal)
    for point, measured in enumerate(json_list("result", found, points)):
        chosen, values, visits = json_list(f"result[{point}]", measured, 3)
        check_place(chosen, start, "chosen")
        for value in json_list("values", values, moves):
            if value is not None:
                number_between("value", value, -ROUNDING, 1 + ROUNDING)
        for times in json_list("visits", visits, moves):
            between("visits", times, 0, MAX_COUNT)


def check_end(number: int, found: object) -> None:
    """The end of a game: won, drawn or lost."""
    between("result", found, -1, 1)
