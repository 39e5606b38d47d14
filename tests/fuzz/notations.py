"""Positions as text, arrays and mappings: what comes back from each, or one clear error."""

from random import Random
from typing import Any

from forging import mutated_json

from c4mcts import Board, NotationError, Rules
from c4mcts.adapters import kaggle

from .files import one_line
from .target import Target
from .values import mutated_text

RULES = [Rules(), Rules(5, 4, 3), Rules(7, 6, 4, diagonals=False), Rules(12, 9), Rules(64, 64, 9), Rules(1, 8)]
TEXTS = {
    "from_pons": Board.to_pons,
    "from_text": Board.to_text,
    "from_fen": Board.to_fen,
    "parse": lambda board: board.format("address"),
    "uci": lambda board: board.format("uci"),
    "drawing": lambda board: board.format("drawing"),
}
VALUES = {
    "from_moves": Board.to_moves,
    "from_array": lambda board: board.to_array().tolist(),
    "from_kaggle": kaggle.observation_of,
}
READERS = {
    "uci": Board.parse,
    "drawing": Board.parse,
    "from_kaggle": kaggle.board_of,
}


def a_board(chance: Random) -> Board:
    """After random moves; perhaps finished."""
    board = Board(chance.choice(RULES))
    for _ in range(chance.choice([0, 1, 5, 20, 50])):
        if not board.is_over():
            board.push(chance.choice(board.legal_columns))
    return board


def make(chance: Random) -> list[Any]:
    """[method, the index of the rules or None, what it gets]."""
    board = a_board(chance)
    rules = chance.choice([None, RULES.index(board.rules), chance.randrange(len(RULES))])
    if chance.random() < 0.7:
        name = chance.choice(list(TEXTS))
        return [name, rules, mutated_text(written(TEXTS[name], board), chance)]
    name = chance.choice(list(VALUES))
    return [name, rules, mutated_json(written(VALUES[name], board), chance)]


def written(writer: Any, board: Board) -> Any:
    try:
        return writer(board)
    except ValueError:  # from_pons has no more than nine columns, UCI only one board
        return board.to_text()


def check(case: list[Any]) -> None:
    name, rules, value = case
    try:
        read = READERS.get(name) or getattr(Board, name)
        board = read(value, None if rules is None else RULES[rules])
    except (NotationError, ValueError, TypeError) as error:
        one_line(error)
        return
    assert Board.from_fen(board.to_fen()) == board
    assert Board.from_array(board.to_array(), board.rules).own == board.own
    assert Board.parse(f"#{board.format('address')}") == board
    assert repr(board)
    assert str(board)


TARGETS = {"notation": Target(make, check, 500)}
