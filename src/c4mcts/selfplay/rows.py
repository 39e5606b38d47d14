"""The rows of self-play: the arrays that a data set consists of, made from the records of games.

Boards of any size are 64-bit words, in the layout of Board.own and Board.mask: column c, row r of a board is bit
c * (height + 1) + r. Boards of up to 64 bits are an array of shape (n,); larger ones have the shape (n, words), the
lowest 64 bits first.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..rules import Rules, word_count
from ..solver.book import NO_SCORE
from .records import SEARCHED, GameRecord

Words = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.uint8]  # (n, width, height + 1), 0 or 1; row 0 = bottom, the last row is above the board

WORD = np.dtype("<u8")
MAX_BITS = 1 << 25  # that are unpacked at a time, a byte each


def replayed(start: Board, games: Sequence[Sequence[int]]) -> tuple[Words, Words]:
    """`own` and `mask` of the position before each move of games from `start`, game by game.

    ValueError for a move into a full column. Whether a game went on after its end is not checked.
    """
    rules, parts, begin = start.rules, [], 0
    positions, most = 0, MAX_BITS // (rules.width * (rules.height + 1))
    for end, game in enumerate(games, 1):
        positions += len(game)
        if positions >= most or end == len(games):
            parts.append(_replayed(start, games[begin:end]))
            positions, begin = 0, end
    own, mask = zip(*parts, strict=True)
    return np.concatenate(own), np.concatenate(mask)


def _replayed(start: Board, games: Sequence[Sequence[int]]) -> tuple[Words, Words]:
    """As `replayed`; all games are played at the same time, a move of each after the other."""
    rules = start.rules
    lengths = np.array([len(game) for game in games])
    columns = np.concatenate([np.array(game, int) for game in games])
    firsts = np.cumsum(lengths) - lengths  # the first row of each game
    boards = [np.repeat(bits_of(_packed(board, rules), rules), len(games), axis=0) for board in (start.own, start.mask)]
    own, mask = (np.empty((len(columns), *boards[0].shape[1:]), np.uint8) for _ in range(2))
    here, all_here = boards  # of the player to move, and of both
    for ply in range(lengths.max()):
        going = np.flatnonzero(lengths > ply)
        rows = firsts[going] + ply
        own[rows], mask[rows] = here[going], all_here[going]
        column = columns[rows]
        height = all_here[going, column].sum(1)
        if (height == rules.height).any():
            raise ValueError(f"column {column[height == rules.height][0]} is full before ply {start.ply + ply}")
        here = all_here - here  # of the other player, who moves next
        all_here[going, column, height] = 1
    return _words(own, rules), _words(mask, rules)


def bits_of(words: Words, rules: Rules) -> Bits:
    stride = rules.height + 1
    flat = np.ascontiguousarray(words, WORD).view(np.uint8).reshape(len(words), 8 * word_count(rules))
    bits = np.unpackbits(flat, axis=1, count=rules.width * stride, bitorder="little")
    return bits.reshape(len(words), rules.width, stride)


def mirrored(words: Words, rules: Rules) -> Words:
    """The boards with left and right exchanged."""
    return _words(bits_of(words, rules)[:, ::-1], rules)


def planes_of_words(own: Words, mask: Words, rules: Rules) -> npt.NDArray[np.uint8]:
    """(n, 2, height, width): 1 at the discs of the player to move, then at those of the opponent; row 0 = top."""
    players = np.stack([bits_of(own, rules), bits_of(own ^ mask, rules)], axis=1)
    return np.ascontiguousarray(players[..., rules.height - 1 :: -1].swapaxes(2, 3))


def _words(bits: Bits, rules: Rules) -> Words:
    """The inverse of `bits_of`."""
    flat = np.packbits(bits.reshape(len(bits), -1), axis=1, bitorder="little")
    whole = np.zeros((len(bits), 8 * word_count(rules)), np.uint8)
    whole[:, : flat.shape[1]] = flat
    return _shaped(whole.tobytes(), rules)


def _packed(board: int, rules: Rules) -> Words:
    """One bitboard, a Python integer."""
    return _shaped(board.to_bytes(8 * word_count(rules), "little"), rules)


def _shaped(data: bytes, rules: Rules) -> Words:
    words = np.frombuffer(data, WORD).astype(np.uint64)
    return words if word_count(rules) == 1 else words.reshape(-1, word_count(rules))


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
        "column": (score, ()),
        "game": (number, ()),
        "ply": (number, ()),
    }


def rows_of(records: Sequence[GameRecord], start: Board, first_game: int) -> Rows:
    """The rows of games, at least one, numbered from `first_game`. ValueError for a move into a full column."""
    rules = start.rules
    opening = np.array([record.opening for record in records])
    length = np.array([len(record.columns) for record in records]) - opening
    ends = np.repeat(np.cumsum(length), length)
    left = ends - np.arange(len(ends))
    ply = start.ply + np.repeat(opening + length, length) - left
    won = [0 if record.winner is None else 1 - 2 * record.winner for record in records]  # seen by player 0
    own, mask = replayed(start, [record.columns for record in records])
    searched = np.concatenate([np.arange(len(record.columns)) >= record.opening for record in records])
    made = {
        "own": own[searched],
        "mask": mask[searched],
        **{name: np.concatenate([getattr(record, name) for record in records]) for name in SEARCHED},
        "outcome": np.repeat(won, length) * (1 - 2 * (ply % 2)),
        "ending": np.repeat([record.ending for record in records], length),
        "plies_left": left,
        "score": np.full(len(ends), NO_SCORE),
        "scores": np.full((len(ends), rules.width), NO_SCORE),
        "column": np.concatenate([record.columns[record.opening :] for record in records]),
        "game": np.repeat(np.arange(first_game, first_game + len(records)), length),
        "ply": ply,
    }
    return {name: np.asarray(made[name], kind) for name, (kind, _) in layout(rules).items()}


def mirrored_rows(rows: Rows, rules: Rules) -> Rows:
    """The rows with left and right exchanged."""
    changed: dict[str, npt.NDArray[Any]] = {name: mirrored(rows[name], rules) for name in ("own", "mask")}
    for name, (_, shape) in layout(rules).items():
        if name not in changed and shape:
            changed[name] = rows[name][:, ::-1]
    changed["column"] = (rules.width - 1 - rows["column"]).astype(rows["column"].dtype)
    return {**rows, **changed}
