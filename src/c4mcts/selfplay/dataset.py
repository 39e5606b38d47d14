"""The positions of self-play games as arrays, and the file that holds them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _files
from .._validation import positive, whole_number
from ..board.board import Board
from ..executors.checkpoint import Facts

KIND = "selfplay"  # the kind of work, as the file names it
ARRAYS = ("planes", "policy", "value", "outcome", "column", "game", "ply")


@dataclass(frozen=True, eq=False, repr=False)
class SelfPlay:
    """All N searched positions, game by game in the order of play, from the point of view of the player to move."""

    planes: npt.NDArray[np.uint8]  # (N, 2, height, width): own discs, the opponent's; row 0 = top
    policy: npt.NDArray[np.float32]  # (N, width): SearchResult.policy(); sum 1, 0 for illegal columns
    value: npt.NDArray[np.float32]  # (N,): SearchResult.root_value from -1 to 1, the scale of the outcome
    outcome: npt.NDArray[np.int8]  # (N,): result of the game: 1 won, 0 drawn, -1 lost
    column: npt.NDArray[np.int8]  # (N,): the move that was played
    game: npt.NDArray[np.int32]  # (N,): number of the game, from 0
    ply: npt.NDArray[np.int32]  # (N,): discs on the board
    about: Facts  # the arguments that made the games: params, limits, seed and so on

    @property
    def start(self) -> Board:
        """The position at which every game started, as a new board."""
        return Board.from_fen(self.about["board"])

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.about["games"])

    @property
    def seed(self) -> int:
        """The seed; together with the other values in `about` it reproduces the games."""
        return int(self.about["seed"])

    def board(self, row: int) -> Board:
        """The position of a row as a board, with the moves that led to it. IndexError."""
        row = range(len(self.column))[whole_number("row", row)]
        board = self.start
        for column in self.column[row - (self.ply[row] - board.ply) : row]:
            board.push(column)
        return board

    def mirror(self) -> "SelfPlay":
        """The same games with left and right exchanged, as a new SelfPlay."""
        width = self.policy.shape[1]
        return replace(
            self,
            planes=self.planes[..., ::-1],
            policy=self.policy[:, ::-1],
            column=(width - 1 - self.column).astype(np.int8),
            about={**self.about, "board": self.start.mirror().to_fen()},
        )

    def training(
        self, mirror: bool = True
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Planes, policy and outcome as float32; mirror: append all positions with left and right exchanged."""
        parts = [self, self.mirror()] if mirror else [self]
        planes, policy, outcome = (
            np.concatenate([getattr(part, name) for part in parts]).astype(np.float32)
            for name in ("planes", "policy", "outcome")
        )
        return planes, policy, outcome

    def save(self, path: _files.StrPath) -> None:
        """Write an .npz file, which numpy.load can read too; an existing file is replaced atomically. OSError."""
        where = _files.path_of("path", path)
        _files.write(where, _files.pack(self.about, {name: getattr(self, name) for name in ARRAYS}))

    def __str__(self) -> str:
        """One line: games, positions, and how the games ended."""
        last = np.append(self.game[1:] != self.game[:-1], True)
        first_won = self.outcome[last] * (1 - 2 * (self.ply[last] % 2))  # seen by player 0
        won, drawn, lost = (np.count_nonzero(first_won == end) for end in (1, 0, -1))
        return (
            f"{self.games:,} games, {len(self.game):,} positions, seed {self.seed}; "
            f"first player: {won:,} won, {drawn:,} drawn, {lost:,} lost"
        )

    def __repr__(self) -> str:
        return f"<c4mcts.selfplay.SelfPlay {self}>"


def load(path: _files.StrPath) -> SelfPlay:
    """Load what `generate` or `save` wrote. Raises SaveError for any other content, OSError."""
    where = _files.path_of("path", path)
    wrong = f"{where} holds no games of self-play, or is damaged"
    with _files.opened(where) as file, _files.unpacked(file, wrong) as archive:
        about = archive.about()
        if about["experiment"] != KIND:
            raise ValueError("other work")
        start, games = Board.from_fen(about["board"]), positive("games", about["games"])
        if type(about["seed"]) is not int or about["seed"] < 0:
            raise ValueError("no seed")
        longest = games * (start.rules.cells - start.ply)
        game = archive.array("game", np.int32, (range(games, longest + 1),))
        positions = len(game)
        data = SelfPlay(
            planes=archive.array("planes", np.uint8, (positions, 2, start.rules.height, start.rules.width)),
            policy=archive.array("policy", np.float32, (positions, start.rules.width)),
            value=archive.array("value", np.float32, (positions,)),
            outcome=archive.array("outcome", np.int8, (positions,)),
            column=archive.array("column", np.int8, (positions,)),
            game=game,
            ply=archive.array("ply", np.int32, (positions,)),
            about=about,
        )
        _check(data, start, games)
        return data


def _check(data: SelfPlay, start: Board, games: int) -> None:
    """ValueError if an array holds impossible values; the games are not replayed."""
    first = np.flatnonzero(np.diff(data.game, prepend=-1))  # the first row of each game
    row = np.arange(len(data.game))
    checks = {
        "game": np.array_equal(data.game[first], np.arange(games)),
        "ply": np.array_equal(data.ply, start.ply + row - first[data.game]),
        "planes": data.planes.max() <= 1 and np.array_equal(data.planes.sum((1, 2, 3), np.int32), data.ply),
        "column": _lie_between(data.column, 0, start.rules.width - 1),
        "value": _lie_between(data.value, -1, 1),
        "outcome": _lie_between(data.outcome, -1, 1),
        "policy": _lie_between(data.policy, 0, 1) and np.abs(data.policy.sum(1) - 1).max() < 1e-3,
    }
    for name, sound in checks.items():
        if not sound:
            raise ValueError(f"{name} holds impossible values")


def _lie_between(array: npt.NDArray[Any], lowest: int, highest: int) -> bool:
    return bool(((array >= lowest) & (array <= highest)).all())
