"""The rows of self-play: the arrays that a data set consists of, made from the records of games.

Boards of any size are 64-bit words, in the layout of Board.own and Board.mask: column c, row r of a board is bit
c * (height + 1) + r. Boards of up to 64 bits are an array of shape (n,); larger ones have the shape (n, words), the
lowest 64 bits first.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import counted, must_be
from ..board.board import Board
from ..rules import Rules, fits_word, word_count
from ..solver.bitboards import Bitboards, Positions, Words, bitboards_of, words_of
from ..solver.book import NO_SCORE
from .records import SEARCHED, GameRecord

WORD = np.dtype("<u8")


def replayed(start: Board, games: Sequence[Sequence[int]]) -> tuple[Bitboards, Bitboards]:
    """`own` and `mask` of the position before each move of games from `start`, game by game.

    All games are played at the same time, a move of each after the other.
    """
    kind = np.dtype(np.uint64 if fits_word(start.rules) else object)
    one, stride = kind.type(1), start.rules.height + 1
    lengths = np.array([len(game) for game in games])
    bottoms = one << (stride * np.concatenate([np.array(game, int) for game in games])).astype(kind)
    firsts = np.cumsum(lengths) - lengths  # the first row of each game
    own, mask = np.empty(len(bottoms), kind), np.empty(len(bottoms), kind)
    here, all_here = np.full(len(games), start.own, kind), np.full(len(games), start.mask, kind)
    for ply in range(lengths.max()):
        going = np.flatnonzero(lengths > ply)
        rows = firsts[going] + ply
        own[rows], mask[rows] = here[going], all_here[going]
        here[going] ^= all_here[going]  # the discs of the other player, who moves next
        all_here[going] |= all_here[going] + bottoms[rows]
    return own, mask


def planes_of_words(own: Words, mask: Words, rules: Rules) -> npt.NDArray[np.uint8]:
    """(n, 2, height, width): 1 at the discs of the player to move, then at the opponent's; row 0 = top."""
    players = np.stack([_bits_of(own, rules), _bits_of(own ^ mask, rules)], axis=1)
    return np.ascontiguousarray(players[..., rules.height - 1 :: -1].swapaxes(2, 3))


def _bits_of(words: Words, rules: Rules) -> npt.NDArray[np.uint8]:
    """(n, width, height + 1): 0 or 1; row 0 = bottom, the last row is above the board."""
    stride = rules.height + 1
    flat = np.ascontiguousarray(words, WORD).view(np.uint8).reshape(len(words), 8 * word_count(rules))
    bits = np.unpackbits(flat, axis=1, count=rules.width * stride, bitorder="little")
    return bits.reshape(len(words), rules.width, stride)


Rows = Mapping[str, npt.NDArray[Any]]  # an array for each name of `layout`, with a row for each position


def layout(rules: Rules) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """The type of each array on such a board, and its shape after the number of rows."""
    words = word_count(rules)
    board = WORD, () if words == 1 else (words,)
    score = np.dtype("i1")
    number = np.dtype("<i4")
    return {
        "own": board,
        "mask": board,
        **{name: (kind, (rules.width,) if wide else ()) for name, (kind, wide) in SEARCHED.items()},
        "outcome": (score, ()),
        "ending": (score, ()),
        "plies_left": (number, ()),
        "score": (score, ()),
        "scores": (score, (rules.width,)),
        "game": (number, ()),
    }


def rows_of(records: Sequence[GameRecord], start: Board, first_game: int) -> Rows:
    """The rows of games, at least one, numbered from `first_game`."""
    rules = start.rules
    opening = np.array([record.opening for record in records])
    length = np.array([len(record.columns) for record in records]) - opening
    ends = np.repeat(np.cumsum(length), length)
    won = [0 if record.winner is None else 1 - 2 * record.winner for record in records]  # seen by player 0
    rows = np.concatenate([record.searched for record in records], dtype=records[0].searched.dtype)
    was_searched = np.concatenate([np.arange(len(record.columns)) >= record.opening for record in records])
    own, mask = (
        words_of(each[was_searched], rules) for each in replayed(start, [record.columns for record in records])
    )
    more = {
        "own": own,
        "mask": mask,
        **{name: rows[name] for name in SEARCHED},
        "outcome": np.repeat(won, length) * (1 - 2 * (rows["ply"] % 2)),
        "ending": np.repeat([record.ending for record in records], length),
        "plies_left": ends - np.arange(len(ends)),
        "score": np.full(len(ends), NO_SCORE),
        "scores": np.full((len(ends), rules.width), NO_SCORE),
        "game": np.repeat(np.arange(first_game, first_game + len(records)), length),
    }
    return {name: np.ascontiguousarray(more[name], kind) for name, (kind, _) in layout(rules).items()}


def chosen_rows(name: str, rows: Any, n: int) -> npt.NDArray[Any]:
    """The numbers of the rows, of n, that an argument chooses: an array of one dimension. IndexError."""
    with suppress(IndexError, ValueError):  # ValueError: of a list of lists with different lengths
        chosen = np.atleast_1d(np.arange(n)[rows])
        if chosen.ndim == 1:
            return chosen
    raise IndexError(must_be(name, f"an index of {counted(n, 'position')}", rows))


def joined(first: Rows, second: Rows) -> Rows:
    return {name: np.concatenate([array, second[name]]) for name, array in first.items()}


def mirrored_rows(rows: Rows, rules: Rules) -> Rows:
    """The rows with left and right exchanged."""
    image = Positions(rules, bitboards_of(rows["own"]), bitboards_of(rows["mask"])).mirrored()
    changed = {name: rows[name][:, ::-1] for name, (_, shape) in layout(rules).items() if shape}
    changed |= {"own": words_of(image.own, rules), "mask": words_of(image.mask, rules)}
    changed["column"] = (rules.width - 1 - rows["column"]).astype(rows["column"].dtype)
    return {**rows, **changed}
