"""Games with variations and comments as text, and what is read of them: lists, or the number of a character."""

import re
from random import Random
from typing import Any

from c4mcts import Board, IllegalMoveError, NotationError, Rules
from c4mcts.play import GameTree
from c4mcts.play.game_files import GameNode

from .files import one_line
from .values import mutated_text

RULES = [Rules(), Rules(9, 2, 3), Rules(12, 5, 3, diagonals=False), Rules(1, 4, 2)]
LETTERS = '0123456789,()"\\ \t\n\x0b{}abu\u00e9\u2028\ud83d\ude00'
COMMENTS = ["", "", "", "a", "(1)", '"', "\\", "é", "two words", "\u2028", "\0", "\ud83d", "😀", "{"]


def a_tree(chance: Random) -> GameTree:
    tree = GameTree(Board(chance.choice(RULES)))
    tree.comment = chance.choice(COMMENTS)
    nodes: list[Any] = [tree]
    for _ in range(chance.choice([0, 2, 8, 25])):
        node = chance.choice(nodes[-4:])
        legal = [column for column in node.board.legal_columns if column not in node]
        if legal:
            nodes.append(node.add(chance.choice(legal), chance.choice(COMMENTS)))
    return tree


def make(chance: Random) -> list[Any]:
    """[the index of the rules, a text of moves]."""
    kind = chance.random()
    if kind < 0.2:
        text = "".join(chance.choice(LETTERS) for _ in range(chance.randrange(20)))
        return [chance.randrange(len(RULES)), text]
    tree = a_tree(chance)
    text = tree.to_text()
    if kind < 0.9:
        text = mutated_text(text, chance)
    rules = RULES.index(tree.start.rules) if chance.random() < 0.9 else chance.randrange(len(RULES))
    return [rules, text]


def as_lists(node: GameTree | GameNode) -> list[Any]:
    """A position with all that follows."""
    return [node.comment, [[child.column, *as_lists(child)] for child in node.children]]


def read(rules: int, text: str) -> list[Any] | int:
    """The game of a text as lists, or the number of the character that is wrong."""
    try:
        return as_lists(GameTree.from_text(text, Board(RULES[rules])))
    except (NotationError, IllegalMoveError) as error:
        one_line(error)
        words = str(error)
    found = re.match(r"character (\d+)", words)
    assert found, words
    assert 1 <= int(found[1]) <= max(1, len(text)), words
    return int(found[1])
