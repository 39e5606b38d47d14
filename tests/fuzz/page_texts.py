"""Texts of games, positions and links, and what Python reads of each, to compare with the page."""

import json
from dataclasses import asdict
from random import Random
from typing import Any

from position_texts import TEXTS

from c4mcts import Board
from c4mcts.play import GameTree, read_game

from .game_texts import a_tree, as_lists
from .values import mutated_text

FOLDERS = ["", "http://127.0.0.1:7642/", "https://a.b/c/index.html", "x/", "localhost:7642/?embed=1"]
QUERIES = ["", "", "?ply=1", "?flip", "?flip&ply=3", "?ply=2&flip", "?pos=44"]
PIECES = ["#", "\ufeff", " ", "\n", "\x85", "\u3000", '"', "(4)", ",", " 11", "445", "{}"]
FEN = Board.from_pons("44").to_fen()
LARGEST = (20, 14, 20)  # width, height, connect that the page shows


def make(chance: Random) -> str:
    kind = chance.random()
    tree = a_tree(chance)
    if kind < 0.3:
        text = chance.choice(TEXTS)
    elif kind < 0.7:
        rules = tree.start.rules
        size = chance.choice([str(rules), str(rules), str(rules), "7x6", asdict(rules), [7, 6, 4], 7, None])
        facts = {"rules": size} | chance.choice([{}, {}, {"first": "you"}, {"start": FEN}, {"start": 3}, {"end": None}])
        head = chance.choice(["", "", "", f"{rules}:", "8x7:", f"{FEN}:"])
        text = chance.choice([f"{tree.to_text()} {json.dumps(facts)}", f"{head}{tree.to_text()}"])
    else:
        board = [tree, *tree.main_line()][-1].board
        place = chance.choice(["/analyse/{}/{}{}", "/play/{}/{}{}", "{}:{}{}", "/nope/{}/{}{}"])
        rules, moves = str(board.rules).replace(" ", "-"), board.format("address").split(":")[-1]
        text = f"{chance.choice(FOLDERS)}#{place.format(rules, moves, chance.choice(QUERIES))}"
    for _ in range(chance.choice([0, 0, 1])):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(PIECES) + text[place:]
    return mutated_text(text, chance) if chance.random() < 0.5 else text


def meaning(text: str) -> list[Any] | None:
    """[rules, FEN of the start unless the board is empty, the tree as lists], or None if the page must refuse it."""
    if "\0" in text:
        return None
    try:
        tree = read_game(text).tree
    except ValueError:
        try:
            tree = GameTree(Board.parse(text))
        except ValueError:
            return None
    rules = tree.start.rules
    if any(size > most for size, most in zip((rules.width, rules.height, rules.connect), LARGEST, strict=True)):
        return None
    return [str(rules), tree.start.to_fen() if tree.start.ply else None, as_lists(tree)]
