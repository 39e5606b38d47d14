"""Files with games: text, a line for each game; for those of a tournament also .npz and Parquet."""

import io
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__, _files
from .._validation import refused
from ..board.board import Board
from ..board.notation import read_rules
from ..errors import NotationError
from ..rules import Rules
from .game_tree import GameTree, split_moves

if TYPE_CHECKING:
    from .tournament_result import Tournament, TournamentGame

FORMAT = 1


def written(path: str, tournament: "Tournament") -> bytes:
    """The content of a file of that name. ValueError for an unknown ending, ImportError without pyarrow."""
    writers = {".txt": as_text, ".npz": as_archive, ".parquet": as_parquet}
    for ending, writer in writers.items():
        if path.lower().endswith(ending):
            return writer(tournament)
    raise ValueError(refused("path", f"a name that ends in {', '.join(writers)}", path))


def about(tournament: "Tournament") -> dict[str, Any]:
    """What all games have in common, in JSON types."""
    return {
        "kind": "tournament",
        "format": FORMAT,
        "version": __version__,
        "rules": asdict(tournament.rules),
        "players": list(tournament.players),
        "adjudicate": tournament.terms.adjudicate,
        "move_seconds": tournament.terms.move_seconds,
        "seed": tournament.seed,
    }


def moves_text(moves: Sequence[int], rules: Rules) -> str:
    """The moves of a game: digits from 1 as Board.from_pons reads them; from 0 with commas on over 9 columns."""
    if rules.width <= 9:
        return "".join(str(column + 1) for column in moves)
    return ",".join(str(column) for column in moves)


def result_of(game: "TournamentGame") -> str:
    """1-0, 0-1 or 1/2-1/2, as in chess."""
    return "1/2-1/2" if game.winner is None else "1-0" if game.winner == game.first else "0-1"


def as_text(tournament: "Tournament") -> bytes:
    """A line for each game: its moves, then the rest as JSON. `c4mcts review --file` reads it."""
    lines = []
    for game in tournament.games:
        rest = {
            "first": tournament.players[game.first],
            "second": tournament.players[game.second],
            "result": result_of(game),
            "end": game.end,
            **({"reason": game.reason} if game.reason else {}),
            "opening": game.opening,
            "seconds": list(game.seconds),
            "number": game.number,
            "seed": tournament.seed,
            "rules": str(tournament.rules),
        }
        lines.append(line_of(moves_text(game.moves, tournament.rules), rest))
    return _encoded("".join(lines))


def line_of(moves: str, facts: dict[str, Any]) -> str:
    """A line for a game."""
    return f"{moves} {json.dumps(facts, ensure_ascii=False)}\n"


def _encoded(lines: str) -> bytes:
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
    """A game from a line: its text as `GameTree.from_text` reads it; then perhaps facts as JSON.

    The facts may have `rules`, as "7x6x4", and `start`, the FEN of the start position. rules: if the facts have none.
    NotationError or IllegalMoveError.
    """
    moves, rest = split_moves(line)
    facts: Any = {}
    if rest.startswith("{"):
        try:
            facts = json.loads(rest)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"what follows the moves is not JSON: {error}") from None
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
        file.write(_encoded(game.line()))


def columns_of(tournament: "Tournament") -> dict[str, Any]:
    """The table of the games: one array for each column. Players are indices of about["players"]."""
    games = tournament.games
    numbers = {
        name: np.array([getattr(game, name) for game in games], np.int32) for name in ("number", "first", "second")
    }
    return {
        **numbers,
        "moves": np.array([moves_text(game.moves, tournament.rules) for game in games], str),
        "opening": np.array([game.opening for game in games], np.int16),
        "winner": np.array([-1 if game.winner is None else game.winner for game in games], np.int32),
        "end": np.array([game.end for game in games], str),
        "reason": np.array([game.reason for game in games], str),
        "first_seconds": np.array([game.seconds[0] for game in games], np.float64),
        "second_seconds": np.array([game.seconds[1] for game in games], np.float64),
    }


def as_archive(tournament: "Tournament") -> bytes:
    """An .npz file: `about`, a string of JSON, and the arrays of columns_of, which numpy.load reads."""
    return _files.pack(about(tournament), columns_of(tournament))


def as_parquet(tournament: "Tournament") -> bytes:
    """A Parquet file with the columns of columns_of; `about` is in its metadata, under the key c4mcts."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({name: array.tolist() for name, array in columns_of(tournament).items()})
    table = table.replace_schema_metadata({"c4mcts": json.dumps(about(tournament))})
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file)
    return file.getvalue()
