"""SelfPlay: the positions of self-play games as arrays, and what networks learn from: planes, policies, targets."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _files
from .._hints import no_attribute
from .._validation import counted, flag, must_be, naming, number_between, positive, whole_number
from ..board.board import Board
from ..errors import SaveError
from ..executors.store import Identity
from ..rules import Rules
from . import folder
from .records import Searched
from .rows import Rows, chosen_rows, joined, mirrored_rows, planes_of_words

MAX_SAMPLE = 1 << 24  # positions of a batch


class _Rows(Searched):
    """The arrays of SelfPlay that are not results of searches."""

    own: npt.NDArray[np.uint64]  # (N,) or (N, words): discs of the player to move; see Board.own
    mask: npt.NDArray[np.uint64]  # (N,) or (N, words): all discs
    outcome: npt.NDArray[np.int8]  # (N,): of the game: 1 won, 0 drawn, -1 lost
    ending: npt.NDArray[np.int8]  # (N,): how the game ended, an Ending: played out, at a proof, by resignation
    plies_left: npt.NDArray[np.int32]  # (N,): moves to the end of the game, the one made here included
    score: npt.NDArray[np.int8]  # (N,): exact score (see `label`); NO_SCORE, -128, where there is none
    scores: npt.NDArray[np.int8]  # (N, width): the same of each move
    game: npt.NDArray[np.int32]  # (N,): its number, from 0


@dataclass(frozen=True, eq=False, repr=False)
class SelfPlay(_Rows):
    """N searched positions, game by game in the order of play. `len` is N; `+` joins the games of several.

    Each array of Searched, and `own`, `mask`, `outcome`, `ending`, `plies_left`, `score`, `scores` and `game`, is an
    attribute with a row for each position, from the point of view of the player to move. See
    https://github.com/c4mcts/c4mcts/blob/main/docs/guide/selfplay.md#the-record.
    """

    sources: tuple[Identity, ...]  # for each call that made games: its arguments, seed and number of games
    arrays: Rows  # by name
    mapped: str | None = None  # the folder of data that `load(mmap=True)` has mapped into memory

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name.startswith("_") or name not in self.arrays:
                raise no_attribute(self, name)
            return self.arrays[name]

    def __len__(self) -> int:
        return len(self.ply)

    @property
    def about(self) -> Identity:
        """The arguments that made the games, seed included; of joined data those that all games have in common."""
        first, *others = self.sources
        shared = {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}
        return {**shared, "games": self.games}

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return Board.from_fen(self.sources[0]["board"]).rules

    @property
    def start(self) -> Board:
        """The position at which every game started, as a new board. ValueError if there are several."""
        return Board.from_fen(self._shared("board"))

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(int(source["games"]) for source in self.sources)

    @property
    def different_games(self) -> int:
        """How many games differ. A search of one simulation without noise, for instance, always plays the same game."""
        ends = np.flatnonzero(np.append(self.game[1:] != self.game[:-1], True)) + 1
        starts = [0, *ends[:-1]]
        return len(
            {
                (self.own[start].tobytes(), self.mask[start].tobytes(), self.column[start:end].tobytes())
                for start, end in zip(starts, ends, strict=True)
            }
        )

    @property
    def seed(self) -> int:
        """The seed; with the other values in `about` it reproduces the games. ValueError if there are several."""
        return int(self._shared("seed"))

    @property
    def is_reproducible(self) -> bool:
        """Whether the arguments in `about` make the same games again, with the same packages and kind of processor.

        To the last bit, whatever runs them; not with a limit in seconds, and with an evaluator not with `pad=False`, or
        if a few positions got other answers in another row or beside other positions, which `generate` tries once.
        """
        return all(source.get("reproducible") is True for source in self.sources)

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """(N, 2, height, width): own discs, the opponent's; row 0 = top. Computed at each access."""
        return planes_of_words(self.own, self.mask, self.rules)

    def board(self, row: int) -> Board:
        """The position of a row as a board, with the moves since the first row of its game. IndexError."""
        (row,) = chosen_rows("row", whole_number("row", row), len(self)).tolist()
        first = int(np.searchsorted(self.game, self.game[row]))
        (planes,) = planes_of_words(self.own[first : first + 1], self.mask[first : first + 1], self.rules)
        turn = int(self.ply[first]) % 2
        board = Board.from_array(planes[turn] + 2 * planes[1 - turn], self.rules)
        return board.after(*self.column[first:row])

    def mirror(self) -> "SelfPlay":
        """The same games with left and right exchanged, as a new SelfPlay."""
        sources = ({**each, "board": Board.from_fen(each["board"]).mirror().to_fen()} for each in self.sources)
        return SelfPlay(tuple(sources), mirrored_rows(self.arrays, self.rules))

    def __add__(self, other: "SelfPlay") -> "SelfPlay":
        """The games of both, numbered one after the other. ValueError if their rules differ."""
        if not isinstance(other, SelfPlay):
            return NotImplemented
        if self.rules != other.rules:
            raise ValueError(f"games with the rules {self.rules} and {other.rules} can't be joined")
        added = {**other.arrays, "game": other.game + np.int32(self.games)}
        return SelfPlay(self.sources + other.sources, joined(self.arrays, added))

    def mixed_value(self, share: float) -> npt.NDArray[np.float32]:
        """(N,): (1 - share) * outcome + share * value, a target between the outcome and the search."""
        share = number_between("share", share, 0, 1)
        return ((1 - share) * self.outcome + share * self.value.astype(float)).astype(np.float32)

    def training(
        self, mirror: bool = True, *, value: npt.NDArray[Any] | None = None, rows: Any = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Planes, policy and target of the value as float32.

        mirror: append all positions with left and right exchanged. value: (N,), by default the outcome; or for instance
        data.mixed_value(0.5). rows: anything that chooses rows of an array, such as the indices of a batch; nothing
        else is read from a memory-mapped file. By default those with a weight above 0, data.weight > 0: positions of
        fast searches are left out (see PlayParams).

        Raises ValueError for a `value` of another shape, or without a number for a row; IndexError.
        """
        chosen = chosen_rows("rows", self.weight > 0 if rows is None else rows, len(self))
        if value is None:
            target = self.outcome[chosen]
        else:
            with naming("value: "):
                targets = np.asarray(value).astype(float, casting="same_kind")
            if targets.shape != (len(self),):
                raise ValueError(f"value must have the shape ({len(self)},), not {targets.shape}")
            target = targets[chosen]
            if not np.isfinite(target).all():
                raise ValueError(must_be("value", "finite in the rows that are chosen", target))
        planes = planes_of_words(self.own[chosen], self.mask[chosen], self.rules)
        arrays = [planes, self.policy[chosen], target]
        if flag("mirror", mirror):
            images = (planes[..., ::-1], arrays[1][:, ::-1], target)
            arrays = [np.concatenate(pair) for pair in zip(arrays, images, strict=True)]
        result = [array.astype(np.float32) for array in arrays]
        return result[0], result[1], result[2]

    def sample(
        self, n: int, seed: Any = None, *, mirror: bool = True, value: npt.NDArray[Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """A batch of n random positions: planes, policy and target of the value, as from `training`.

        They are drawn in proportion to their weights, with replacement. seed: None, an int, or a numpy Generator, which
        gives another batch each time. mirror: exchange left and right in every second one, on average. value: see
        `training`.

        Raises ValueError if no position has a weight.
        """
        n = positive("n", n, MAX_SAMPLE)
        with naming("seed: "):
            draw = np.random.default_rng(seed)
        weights = np.asarray(self.weight, float)
        if not weights.any():
            raise ValueError("no position has a weight above 0")
        rows = draw.choice(len(self), n, p=weights / weights.sum())
        planes, policy, target = self.training(False, value=value, rows=rows)
        if flag("mirror", mirror):
            flipped = draw.random(n) < 0.5
            planes[flipped], policy[flipped] = planes[flipped, ..., ::-1], policy[flipped, ::-1]
        return planes, policy, target

    def save(self, path: _files.StrPath) -> None:
        """Write a folder, which `load` reads and `generate` can continue; games that it held are replaced.

        Raises SaveError if it holds anything else, or the games of a call of `generate` that has not ended; OSError.
        """
        target = Path(_files.folder_path("path", path))
        folder.begin(target)
        if os.path.lexists(target / folder.UNFINISHED):
            raise SaveError(
                f"the folder {target} has games of a call of generate that has not ended, in {folder.UNFINISHED}"
            )
        folder.write(target, self.sources, self.arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled: memory-mapped data by the path of its folder, without the arrays."""
        return (SelfPlay, (self.sources, self.arrays)) if self.mapped is None else (load, (self.mapped, True))

    def _shared(self, name: str) -> Any:
        about = self.about
        if name not in about:
            raise ValueError(f"these games were joined from {len(self.sources)} calls, and differ in {name!r}")
        return about[name]

    def __str__(self) -> str:
        last = np.append(self.game[1:] != self.game[:-1], True)
        first_won = self.outcome[last] * (1 - 2 * (self.ply[last] % 2))  # seen by player 0
        won, drawn, lost = (np.count_nonzero(first_won == end) for end in (1, 0, -1))
        origin = f"seed {self.seed}" if len(self.sources) == 1 else f"of {len(self.sources)} calls"
        different = self.different_games
        repeated = "" if different == self.games else f", of which {different:,} differ"
        irreproducible = "" if self.is_reproducible else "; not reproducible"
        return (
            f"{counted(self.games, 'game')}{repeated}, {counted(len(self), 'position')}, {origin}; "
            f"first player: {won:,} won, {drawn:,} drawn, {lost:,} lost{irreproducible}"
        )

    def __repr__(self) -> str:
        return f"<c4mcts.selfplay.SelfPlay {self}>"


def load(path: _files.StrPath, mmap: bool = False) -> SelfPlay:
    """Load the folder that `generate` or `save` wrote.

    mmap: map the arrays into memory instead of reading them, so that games of any size open at once. Then only types
    and sizes are checked, otherwise also checksums. Such data is pickled as the path of its folder, so that worker
    processes map the same file.

    Raises SaveError for any other content, OSError.
    """
    where, mmap = Path(_files.path_of("path", path)), flag("mmap", mmap)
    return SelfPlay(*folder.read(where, mmap), str(where.absolute()) if mmap else None)
