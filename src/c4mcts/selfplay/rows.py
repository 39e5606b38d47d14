"""The rows of self-play: the arrays that a data set consists of, made from the records of games, and checked.

Boards of any size are 64-bit words, in the layout of Board.own and Board.mask: column c, row r of a board is bit
c * (height + 1) + r. Boards of up to 64 bits are an array of shape (n,); larger ones have the shape (n, words), the
lowest 64 bits first.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..rules import Rules, word_count
from ..solver.book import NO_SCORE
from .records import NO_PROOF, SEARCHED, Ending, GameRecord

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

PART = 1 << 16  # rows that are checked at a time: their bits take 64 times the memory
ROUNDING = 1e-3  # how far the sum of a policy may be from 1


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
    """The rows of games, at least one, numbered from `first_game`. ValueError for games that can't have been played."""
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
    rows = {name: np.asarray(made[name], kind) for name, (kind, _) in layout(rules).items()}
    check_rows(rows, rules, range(first_game, first_game + len(records)))
    return rows


def mirrored_rows(rows: Rows, rules: Rules) -> Rows:
    """The rows with left and right exchanged."""
    changed: dict[str, npt.NDArray[Any]] = {name: mirrored(rows[name], rules) for name in ("own", "mask")}
    for name, (_, shape) in layout(rules).items():
        if name not in changed and shape:
            changed[name] = rows[name][:, ::-1]
    changed["column"] = (rules.width - 1 - rows["column"]).astype(rows["column"].dtype)
    return {**rows, **changed}


def check_rows(rows: Rows, rules: Rules, games: range) -> None:
    """ValueError if rows hold impossible values. games: the numbers of the games that they must be of.

    The types and shapes are right. Moves are checked one by one, but not whether a game went on after its end.
    """
    for name, sound in _checks(rows, rules, games):
        if not sound:
            raise ValueError(f"{name} holds impossible values")


def _checks(rows: Rows, rules: Rules, games: range) -> Iterator[tuple[str, Any]]:
    """Names of arrays, and whether they are sound; what a check relies on comes before it."""
    game, ply, left = rows["game"], rows["ply"], rows["plies_left"]
    starts = np.diff(game, prepend=games.start - 1) != 0
    goes_on = ~starts[1:]  # whether row i + 1 is of the game of row i
    yield "game", games.stop - games.start == np.count_nonzero(starts) and np.array_equal(game[starts], games)
    yield "ply", _lie_between(ply, 0, rules.cells - 1) and (np.diff(ply)[goes_on] == 1).all()
    yield "plies_left", (left[np.append(starts[1:], True)] == 1).all() and (np.diff(left)[goes_on] == -1).all()
    yield "plies_left", (ply + left <= rules.cells).all()
    yield "column", _lie_between(rows["column"], 0, rules.width - 1)
    for begin in range(0, len(game), PART):
        # with the first row of the next part, which must follow from the last one of this part
        part = {name: rows[name][begin : begin + PART + 1] for name in ("own", "mask", "ply", "column")}
        sound, follows = _check_boards(part, rules)
        yield "mask", sound
        yield "column", (follows | starts[begin + 1 : begin + 1 + len(follows)]).all()
    outcome = rows["outcome"]
    yield "outcome", _lie_between(outcome, -1, 1) and (outcome[1:] == -outcome[:-1])[goes_on].all()
    for name, low, high in (("policy", 0, 1), ("value", -1, 1), ("weight", 0, float(np.finfo(np.float32).max))):
        yield name, _lie_between(rows[name], low, high)
    yield "policy", np.abs(rows["policy"].sum(1) - 1).max() < ROUNDING
    for name, low in (("q", -1), ("prior", 0), ("raw_value", -1)):
        yield name, (np.isnan(rows[name]) | ((rows[name] >= low) & (rows[name] <= 1))).all()
    for name in ("visits", "simulations"):
        yield name, rows[name].min() >= 0
    yield "proof", np.isin(rows["proof"], (-1, 0, 1, NO_PROOF)).all()
    yield from _check_endings(rows, np.append(starts[1:], True), goes_on)
    best = rules.cells // 2 + 1
    for name in ("score", "scores"):
        yield name, ((np.abs(rows[name].astype(int)) <= best) | (rows[name] == NO_SCORE)).all()


def _check_endings(
    rows: Rows, last: npt.NDArray[np.bool_], goes_on: npt.NDArray[np.bool_]
) -> Iterator[tuple[str, Any]]:
    """As `_checks`. last: the last row of each game. goes_on: whether a row has one after it."""
    ending = rows["ending"]
    yield "ending", min(Ending) <= ending.min() and ending.max() <= max(Ending) and not np.diff(ending)[goes_on].any()
    outcome, proven, resigned = rows["outcome"], last & (ending == Ending.PROVEN), last & (ending == Ending.RESIGNED)
    yield "outcome", (outcome[proven] == rows["proof"][proven]).all() and (outcome[resigned] == -1).all()


def _check_boards(rows: Rows, rules: Rules) -> tuple[bool, npt.NDArray[np.bool_]]:
    """Whether all boards are positions with `ply` discs, and where the next row follows from this row's move."""
    own, mask = bits_of(rows["own"], rules), bits_of(rows["mask"], rules)
    falling = (mask[..., 1:] <= mask[..., :-1]).all() and not mask[..., -1].any() and (own <= mask).all()
    discs = mask.sum((1, 2), int)
    used = _bits_beyond(rows, rules)
    sound = falling and (discs == rows["ply"]).all() and (own.sum((1, 2), int) == discs // 2).all() and not used
    added = (mask[1:] != mask[:-1]).any(2)  # columns that changed
    chosen = np.arange(rules.width) == rows["column"][:-1, None]
    follows: npt.NDArray[np.bool_] = (added == chosen).all(1) & (own[1:] == mask[:-1] - own[:-1]).all((1, 2))
    return bool(sound), follows


def _bits_beyond(rows: Rows, rules: Rules) -> bool:
    """Whether a word has a bit that belongs to no column."""
    last = np.uint64((1 << (rules.width * (rules.height + 1) - 1) % 64 + 1) - 1)
    return any((rows[name].reshape(len(rows[name]), -1)[:, -1] & ~last).any() for name in ("own", "mask"))


def _lie_between(array: npt.NDArray[Any], lowest: float, highest: float) -> bool:
    return bool(((array >= lowest) & (array <= highest)).all())
