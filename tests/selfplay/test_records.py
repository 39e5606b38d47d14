"""Records of games and the rows made from them, against a replay move by move."""

import numpy as np
import pytest

from c4mcts import Board, Rules
from c4mcts.selfplay.records import NO_PROOF, SEARCHED, Ending, GameRecord, searched_type
from c4mcts.selfplay.rows import mirrored_rows, planes_of_words, rows_of
from c4mcts.solver.book import NO_SCORE

STARTS = [Board(), Board.from_pons("445"), Board(Rules(11, 9, 4)), Board(Rules(64, 2, 3)), Board(Rules(8, 7, 4))]


def random_record(start, random):
    """A record of a game that may have begun with an opening, and may have ended early, with random numbers."""
    board = start.copy()
    length = random.integers(1, 30)
    while not board.is_over() and len(board.moves) - len(start.moves) < length:
        board.push(random.choice(board.legal_columns))
    columns = list(board.moves[len(start.moves) :])
    opening, width = int(random.integers(len(columns))), start.rules.width
    n = len(columns) - opening
    arrays = np.zeros(n, searched_type(width))
    for name, (_, wide) in SEARCHED.items():
        arrays[name] = random.integers(0, 2, (n, width) if wide else (n,))
    arrays["column"], arrays["ply"] = columns[opening:], np.arange(board.ply - n, board.ply)
    arrays["policy"] = random.dirichlet(np.ones(width), n).astype(np.float32)
    arrays["raw_value"][0], arrays["q"][0, 0], arrays["proof"][0] = np.nan, np.nan, NO_PROOF
    mover = (board.ply - 1) % 2  # of the last position
    if board.is_over():
        return GameRecord(columns, opening, board.outcome().winner, Ending.PLAYED_OUT, arrays)
    if random.integers(2):
        return GameRecord(columns, opening, 1 - mover, Ending.RESIGNED, arrays)
    winner = random.choice([None, 0, 1])
    arrays["proof"][-1] = 0 if winner is None else 1 if winner == mover else -1
    return GameRecord(columns, opening, winner, Ending.PROVEN, arrays)


def naive_rows(records, start, first_game):
    """What the rows must say of each position, as dictionaries."""
    for number, record in enumerate(records, first_game):
        board = start.copy()
        for index, column in enumerate(record.columns):
            if index >= record.opening:
                yield {
                    "board": board.copy(),
                    "outcome": 0 if record.winner is None else 1 if record.winner == board.turn else -1,
                    "ending": record.ending,
                    "plies_left": len(record.columns) - index,
                    "column": column,
                    "game": number,
                    "ply": board.ply,
                    **{name: getattr(record, name)[index - record.opening] for name in SEARCHED},
                }
            board.push(column)


def integer(words):
    """A bitboard from its words."""
    return sum(int(word) << 64 * i for i, word in enumerate(np.atleast_1d(words)))


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_rows_say_what_the_games_were(start):
    random = np.random.default_rng(1)
    records = [random_record(start, random) for _ in range(40)]
    rows = rows_of(records, start, 5)
    expected = list(naive_rows(records, start, 5))
    assert {len(array) for array in rows.values()} == {len(expected)}
    for index, one in enumerate(expected):
        board = one.pop("board")
        assert (integer(rows["own"][index]), integer(rows["mask"][index])) == (board.own, board.mask)
        for name, value in one.items():
            np.testing.assert_array_equal(rows[name][index], value)
    assert (rows["score"] == NO_SCORE).all()
    assert (rows["scores"] == NO_SCORE).all()
    planes = planes_of_words(rows["own"], rows["mask"], start.rules)
    image = mirrored_rows(rows, start.rules)
    assert np.array_equal(planes_of_words(image["own"], image["mask"], start.rules), planes[..., ::-1])


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_a_record_is_kept_as_bytes(start):
    random = np.random.default_rng(2)
    for _ in range(10):
        record = random_record(start, random)
        again = GameRecord.from_bytes(record.to_bytes(), start.rules.width)
        assert again.to_bytes() == record.to_bytes()
        assert (again.columns, again.opening, again.winner) == (record.columns, record.opening, record.winner)
        assert again.ending is record.ending
        for name, (kind, _) in SEARCHED.items():
            assert getattr(again, name).dtype == kind
            np.testing.assert_array_equal(getattr(again, name), getattr(record, name))
    with pytest.raises(ValueError, match="buffer is smaller"):
        GameRecord.from_bytes(record.to_bytes()[:-1], start.rules.width)
    with pytest.raises(AttributeError, match="'GameRecord' object has no attribute 'visit'"):
        record.visit  # noqa: B018
