"""Files with the games of a tournament: text, .npz and Parquet."""

import io
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__, _files
from .._validation import refused

if TYPE_CHECKING:
    from .tournament_result import Game, Tournament

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
        "adjudicate": tournament.adjudicate,
        "move_seconds": tournament.move_seconds,
        "seed": tournament.seed,
    }


def moves_of(game: "Game", tournament: "Tournament") -> str:
    """The moves of a game: digits from 1 as Board.from_pons reads them; from 0 with commas on over 9 columns."""
    if tournament.rules.width <= 9:
        return "".join(str(column + 1) for column in game.moves)
    return ",".join(str(column) for column in game.moves)


def result_of(game: "Game") -> str:
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
        lines.append(f"{moves_of(game, tournament)} {json.dumps(rest, ensure_ascii=False)}\n")
    return "".join(lines).encode()


def columns_of(tournament: "Tournament") -> dict[str, Any]:
    """The table of the games: one array for each column. Players are indices of about["players"]."""
    games = tournament.games
    numbers = {
        name: np.array([getattr(game, name) for game in games], np.int32) for name in ("number", "first", "second")
    }
    return {
        **numbers,
        "moves": np.array([moves_of(game, tournament) for game in games], str),
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
