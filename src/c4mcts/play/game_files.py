"""Text files with games, a line for each."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..board.board import Board
from ..board.notation import read_rules
from ..errors import NotationError
from ..rules import Rules
from .game_tree import GameTree, is_tree, split_moves


def moves_text(moves: Sequence[int], rules: Rules) -> str:
    """The moves of a game: digits from 1 as Board.from_pons reads them; from 0 with commas on over 9 columns."""
    if rules.width <= 9:
        return "".join(str(column + 1) for column in moves)
    return ",".join(str(column) for column in moves)


def line_of(moves: str, facts: dict[str, Any]) -> str:
    """A line for a game."""
    return f"{moves} {json.dumps(facts, ensure_ascii=False)}\n"


def encoded(lines: str) -> bytes:
    """The bytes of lines. The names of files may have surrogates, which become JSON's escapes."""
    return lines.encode(errors="backslashreplace")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game of a text file: its moves with variations and comments, and what else its line says."""

    tree: GameTree
    facts: dict[str, Any]

    @property
    def board(self) -> Board:
        """The board at the end of the main line, with its moves."""
        return [self.tree, *self.tree.main_line()][-1].board

    def line(self) -> str:
        """The line of the file, which `read_game` reads."""
        start = self.tree.start
        place = {"start": start.to_fen()} if start.ply else {}
        return line_of(self.tree.to_text(), {**self.facts, **place, "rules": str(start.rules)})


def read_game(line: str, rules: Rules | None = None) -> SavedGame:
    """A game from a line: its moves as `Board.parse` or `GameTree.from_text` reads them; then perhaps facts as JSON.

    The facts may have `rules`, as "7x6x4", and `start`, the FEN of the start position; without moves they must have
    `rules`, or the line is JSON that `Board.parse` reads. rules: if the facts have none.

    NotationError or IllegalMoveError.
    """
    moves, rest = split_moves(line)
    facts: dict[str, Any] = {}
    if rest.startswith("{"):
        try:
            facts = json.loads(rest)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"what follows the moves is not JSON: {error}") from None
    if not is_tree(moves) and (not facts or not (moves or "rules" in facts)):
        return SavedGame(GameTree(Board.parse(moves or rest, rules)), {})
    if isinstance(facts.get("rules"), str):
        rules = read_rules(facts["rules"])
    start = Board.from_fen(facts["start"], rules) if isinstance(facts.get("start"), str) else Board(rules)
    return SavedGame(GameTree.from_text(moves, start), facts)


def append_game(path: str | os.PathLike[str], game: SavedGame) -> None:
    """Add a game to the end of a text file, which need not exist. OSError."""
    with open(path, "a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(encoded(game.line()))
