"""Text files with games, a line for each."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._validation import shown
from ..board.board import Board
from ..board.notation import read_pons, read_rules, read_text
from ..errors import NotationError
from ..rules import Rules


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
    """A game of a text file: the board at its end, with its moves, and what else its line says."""

    board: Board
    facts: dict[str, Any]

    def line(self) -> str:
        """The line of the file, which `read_game` reads."""
        start = self.board.start
        place = {"start": start.to_fen()} if start.ply else {}
        facts = {**self.facts, **place, "rules": str(self.board.rules)}
        return line_of(moves_text(self.board.moves, self.board.rules), facts)


def read_game(line: str, rules: Rules | None = None) -> SavedGame:
    """A game from a line: moves as digits from 1, or from 0 with commas; then perhaps facts as JSON.

    The facts may have `rules`, as "7x6x4", and `start`, the FEN of the start position. rules: if the facts have none.
    NotationError or IllegalMoveError.
    """
    moves, rest = [*line.split(maxsplit=1), "", ""][:2]
    facts: Any = {}
    if rest.startswith("{"):
        try:
            facts = json.loads(rest)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"what follows the moves is not JSON: {error}") from None
    if isinstance(facts.get("rules"), str):
        rules = read_rules(facts["rules"])
    start = Board.from_fen(facts["start"], rules) if isinstance(facts.get("start"), str) else Board(rules)
    rules = start.rules
    is_wide = "," in moves or (rules.width > 9 and moves.isdecimal())
    if not start.ply:
        return SavedGame((Board.from_text if is_wide else Board.from_pons)(moves, rules), facts)
    board, columns = start, read_text(moves) if is_wide else read_pons(moves, rules)
    for index, column in enumerate(columns):
        if not board.is_legal(column):
            raise NotationError(f"move {index + 1} of {shown(moves)} can't be played in the start position of the game")
        board.push(column)
    return SavedGame(board, facts)


def append_game(path: str | os.PathLike[str], game: SavedGame) -> None:
    """Add a game to the end of a text file, which need not exist. OSError."""
    with open(path, "a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(encoded(game.line()))
