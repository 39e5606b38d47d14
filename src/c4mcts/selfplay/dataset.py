"""The positions of self-play games as arrays, what networks learn from (planes, policies, targets of the value), and
what can be computed from finished games: exact scores, and how often resigning would have been wrong."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _files
from .._hints import no_attribute
from .._validation import an_instance, flag, number_between, positive, whole_number
from ..board.board import Board
from ..errors import SaveError
from ..executors.executor import AnyExecutor
from ..executors.progress import Progress
from ..executors.store import Identity
from ..rules import Rules
from ..solver.book import NO_SCORE, Book
from ..solver.bulk import checked_positions, solve_many
from . import folder
from .play_params import MAX_PLIES
from .records import Ending, Searched
from .rows import Rows, joined, mirrored_rows, planes_of_words

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
        if a few positions got other answers in another row of a batch, which `generate` tries once.
        """
        return all(source.get("reproducible") is True for source in self.sources)

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """(N, 2, height, width): own discs, the opponent's; row 0 = top. Computed at each access."""
        return planes_of_words(self.own, self.mask, self.rules)

    def board(self, row: int) -> Board:
        """The position of a row as a board, with the moves since the first row of its game. IndexError."""
        row = range(len(self))[whole_number("row", row)]
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
        """(N,): (1 - share) * outcome + share * value, a target between the outcome and the search.

        Raises TypeError or ValueError for a share outside [0, 1].
        """
        share = number_between("share", share, 0, 1)
        return ((1 - share) * self.outcome + share * self.value.astype(float)).astype(np.float32)

    def lambda_return(self, decay: float) -> npt.NDArray[np.float32]:
        """(N,): the lambda return of each position, lambda = decay: a mixture of search values and the outcome.

        G(t) = (1 - decay) * sum over n >= 1 of decay ** (n - 1) * G(t, n), where the n-step return G(t, n) is the
        search value n plies later, and the outcome once the game is over, always for the player to move at t. 1 gives
        the outcome, 0 the search value of the next position. Sutton and Barto, Reinforcement Learning (2018), section
        12.1, equation 12.2, without discount; the only reward is the outcome.

        Raises TypeError or ValueError for a decay outside [0, 1].
        """
        decay = number_between("decay", decay, 0, 1)
        returns = self.outcome.astype(float)  # right for the last row of each game
        value, left = self.value, self.plies_left
        order = np.argsort(left, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(left[order])) + 1)[1:]:
            # all rows with the same number of plies left, after those with one less, which follow them in the game
            returns[rows] = -((1 - decay) * value[rows + 1] + decay * returns[rows + 1])
        return returns.astype(np.float32)

    def training(
        self, mirror: bool = True, *, value: npt.NDArray[Any] | None = None, rows: Any = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Planes, policy and target of the value as float32.

        mirror: append all positions with left and right exchanged. value: (N,), by default the outcome; or for instance
        data.mixed_value(0.5). rows: anything that chooses rows of an array, such as the indices of a batch; nothing
        else is read from a memory-mapped file. By default those with a weight above 0, data.weight > 0: positions of
        fast searches are left out (see PlayParams).

        Raises ValueError for a `value` of another shape, and for one that is not of numbers; IndexError.
        """
        chosen = np.atleast_1d(np.arange(len(self))[self.weight > 0 if rows is None else rows])
        if value is None:
            target = self.outcome[chosen]
        else:
            targets = np.asarray(value, float)
            if targets.shape != (len(self),):
                raise ValueError(f"value must have the shape ({len(self)},), not {targets.shape}")
            target = targets[chosen]
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

        Raises TypeError or ValueError naming the argument; ValueError if no position has a weight.
        """
        n, draw = positive("n", n, MAX_SAMPLE), np.random.default_rng(seed)
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

    def to_parquet(self, path: _files.StrPath, *, planes: bool = False) -> None:
        """Write a Parquet file for other programs, with a column for each array, and `sources` as JSON in its metadata.

        planes: also a column "planes", with the 2 * height * width cells of `planes` for each position, for programs
        that don't unpack bits. ImportError without pyarrow, OSError.
        """
        where, has_planes = _files.path_of("path", path), flag("planes", planes)
        pyarrow, columns = _files.pyarrow(), {}
        for name in (*self.arrays, *(["planes"] if has_planes else ())):
            values = getattr(self, name)
            flat = pyarrow.array(values.reshape(-1))
            width = values[0].size
            columns[name] = flat if values.ndim == 1 else pyarrow.FixedSizeListArray.from_arrays(flat, width)
        table = pyarrow.table(columns).replace_schema_metadata({"c4mcts": json.dumps(self.sources)})
        _files.write_parquet(where, table)

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled: memory-mapped data by the path of its folder, without the arrays."""
        return (SelfPlay, (self.sources, self.arrays)) if self.mapped is None else (load, (self.mapped, True))

    def _shared(self, name: str) -> Any:
        about = self.about
        if name not in about:
            raise ValueError(f"these games were joined from {len(self.sources)} calls, and differ in {name!r}")
        return about[name]

    def __str__(self) -> str:
        """One line: games, positions, and how the games ended."""
        last = np.append(self.game[1:] != self.game[:-1], True)
        first_won = self.outcome[last] * (1 - 2 * (self.ply[last] % 2))  # seen by player 0
        won, drawn, lost = (np.count_nonzero(first_won == end) for end in (1, 0, -1))
        origin = f"seed {self.seed}" if len(self.sources) == 1 else f"of {len(self.sources)} calls"
        different = self.different_games
        repeated = "" if different == self.games else f", of which {different:,} differ"
        irreproducible = "" if self.is_reproducible else "; not reproducible"
        return (
            f"{self.games:,} games{repeated}, {len(self):,} positions, {origin}; "
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


@dataclass(frozen=True, slots=True)
class ResignationErrors:
    """Errors that resigning would have made, in games that continued."""

    games: int  # that did not end by resignation
    lost: int  # of these: games in which a player would have resigned, and lost
    drawn: int  # and drew
    won: int  # and won

    @property
    def rate(self) -> float:
        """The share of false positives: of the games with a resignation, those that the player would not have lost.

        NaN if nobody would have resigned.
        """
        resigned = self.lost + self.drawn + self.won
        return (self.drawn + self.won) / resigned if resigned else float("nan")


def resignation_errors(data: SelfPlay, value: float | None = None, moves: int | None = None) -> ResignationErrors:
    """How often a player who resigns would not have lost, in the games that continued.

    Silver et al., "Mastering the game of Go without human knowledge" (2017), methods, keep this share below 5 %.

    value, moves: as PlayParams.resign_value and resign_moves, by default those with which the games were played. Other
    ones tell what they would do, which is exact for games without resignation, and for a lower value or more moves.

    Raises TypeError or ValueError naming the argument, ValueError if a default is needed and the games have none.
    """
    played = an_instance("data", data, SelfPlay, "a SelfPlay").about.get("play") or {}
    value = played.get("resign_value") if value is None else number_between("value", value, -1, 1)
    moves = played.get("resign_moves") if moves is None else positive("moves", moves, MAX_PLIES)
    if value is None or moves is None:
        raise ValueError("value and moves are needed: the games have no resign_value and resign_moves in common")
    rows = _resignations(data, value, moves)
    outcome = data.outcome[rows][data.ending[rows] != Ending.RESIGNED]
    lost, drawn, won = (int(np.count_nonzero(outcome == end)) for end in (-1, 0, 1))
    resigned = np.count_nonzero((data.ending == Ending.RESIGNED) & (data.plies_left == 1))
    return ResignationErrors(data.games - int(resigned), lost, drawn, won)


def _resignations(data: SelfPlay, value: float, moves: int) -> npt.NDArray[np.intp]:
    """For each game in which a player would resign: the first row at which that happens."""
    low = data.value.astype(float) < value
    resigns = low.copy()
    for step in range(2, 2 * moves, 2):  # the player's last positions
        resigns[:step] = False
        resigns[step:] &= low[:-step] & (data.game[step:] == data.game[:-step])
    rows = np.flatnonzero(resigns)
    first: npt.NDArray[np.intp] = rows[np.unique(data.game[rows], return_index=True)[1]]
    return first


def label(
    data: SelfPlay,
    rows: Any = slice(None),
    *,
    columns: bool = False,
    reuse: SelfPlay | None = None,
    book: bool | Book = True,
    executor: AnyExecutor | None = None,
    progress: Progress = False,
    checkpoint: _files.StrPath | None = None,
) -> SelfPlay:
    """The same games with exact scores: a new SelfPlay that has them in `score`, on the scale of Solution.

    rows: anything that chooses rows of an array, since early positions take the solver longest; for instance
    data.ply >= 20. All other rows keep what they have. columns: also score every move, in `scores`.
    reuse: games with the same rules that have scores; positions found there, or their mirror images, are not solved
    again. book, executor, progress, checkpoint: as for solve_many, which says what is raised.

    The board must have at most 252 cells.
    """
    an_instance("data", data, SelfPlay, "a SelfPlay")
    chosen = np.arange(len(data))[rows].reshape(-1)
    score, scores = data.score.copy(), data.scores.copy()
    if reuse is not None:
        chosen = chosen[~_copied(score, scores, data, chosen, reuse, columns)]
    positions = data.own[chosen], data.mask[chosen]
    how: dict[str, Any] = {"book": book, "executor": executor, "progress": progress, "checkpoint": checkpoint}
    solutions = solve_many(positions, columns=columns, rules=data.rules, **how)
    score[chosen] = solutions.scores
    if columns:
        scores[chosen] = solutions.columns
    return SelfPlay(data.sources, {**data.arrays, "score": score, "scores": scores})


def _copied(
    score: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int8],
    data: SelfPlay,
    rows: npt.NDArray[np.intp],
    reuse: SelfPlay,
    columns: bool,
) -> npt.NDArray[np.bool_]:
    """Fill in the scores of these rows that other games have. Returns which rows those are. TypeError, ValueError."""
    an_instance("reuse", reuse, SelfPlay, "a SelfPlay")
    if reuse.rules != data.rules:
        raise ValueError(f"reuse must be games with the rules {data.rules}, not {reuse.rules}")
    scored = reuse.score != NO_SCORE
    if columns:
        scored &= (reuse.scores != NO_SCORE).any(axis=1)
    there = np.flatnonzero(scored)
    if not len(there):
        return np.zeros(len(rows), bool)
    old, old_flipped = checked_positions((reuse.own[there], reuse.mask[there]), data.rules).canonical()
    new, new_flipped = checked_positions((data.own[rows], data.mask[rows]), data.rules).canonical()
    keys = old.keys()
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys, new.keys(), sorter=order), len(order) - 1)]
    matches: npt.NDArray[np.bool_] = keys[place] == new.keys()
    to, of = rows[matches], place[matches]
    score[to] = reuse.score[there[of]]
    if columns:
        copied = reuse.scores[there[of]]
        flipped = old_flipped[of] != new_flipped[matches]
        copied[flipped] = copied[flipped, ::-1]
        scores[to] = copied
    return matches
