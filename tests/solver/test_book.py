"""Books: how they are built, saved, loaded and used."""

import pickle
import random
import re
import subprocess
import sys

import numpy as np
import pytest
from data import records
from forging import with_about, with_members
from random_boards import random_board

from c4mcts import (
    Board,
    Book,
    Engine,
    GameOverError,
    Rules,
    SaveError,
    SearchParams,
    UctParams,
    build_book,
    solve,
    solve_many,
)
from c4mcts._backend import load
from c4mcts.solver.bitboards import Positions
from c4mcts.solver.book import NO_SCORE, BookLines, no_lines, shipped_book
from c4mcts.solver.book_building import unfinished_positions
from c4mcts.solver.static_function import StaticArrays, static_arrays

RULES = Rules(5, 4)
NO_FUNCTION = static_arrays(np.zeros(0, np.uint64), np.zeros(0, np.int8))


@pytest.fixture(scope="module")
def book():
    return build_book(RULES, 6)


def random_boards(rules, plies, count):
    """Boards with up to this many discs."""
    chance = random.Random(3)
    return [random_board(rules, chance.randrange(plies + 1), chance) for _ in range(count)]


def test_scores_are_those_of_the_solver(book):
    for board in random_boards(RULES, 8, 150):
        alone = solve(board, book=False)
        assert book.score(board) == (alone.score if board.ply <= 6 else None)
        known = solve(board, book=book)
        assert (known.score, known.columns, known.best) == (alone.score, alone.columns, alone.best)
        assert solve(board, book=book, columns=False).score == alone.score
        assert known.nodes == 0 or board.ply >= 6
        assert known.nodes <= alone.nodes


def test_a_book_of_the_whole_game():
    """Up to the last disc, with draws and full boards."""
    rules = Rules(4, 4, 3)
    book = build_book(rules, rules.cells)
    assert all(book.score(board) == solve(board).score for board in random_boards(rules, 15, 60))
    assert len(book) == sum(map(len, unfinished_positions(rules, rules.cells)))


def test_the_number_of_positions_is_known():
    """See tests/data/position_counts.csv: 184,275 positions after eight plies, with finished ones and mirror images."""
    levels = unfinished_positions(Rules(), 4)
    assert [len(level) for level in levels] == [1, 4, 25, 121, 568]


@pytest.fixture(scope="module")
def long_book():
    """With lines."""
    return build_book(RULES, 4, lines=9)


def test_lines_are_best_play(long_book):
    """From the empty board every player who does not win may take any best column and stay in the lines."""
    assert (long_book.plies, long_book.last_ply) == (4, 9)
    positions = long_book.lines.positions
    assert positions.plies.min() == 5
    assert (np.diff(positions.keys()) > 0).all()
    level = [Board(RULES)]
    found = set()
    for ply in range(9):
        following = {}
        for board in level:
            solution = solve(board, book=False)
            best = solution.best[:1] if solution.score > 0 and ply >= 4 else solution.best
            for column in best:
                after = board.after(column)
                assert long_book.score(after) == solve(after, book=False).score
                following.setdefault(min(key_of(after), key_of(after.mirror())), after)
        level = list(following.values())
        found |= set(following) if ply >= 4 else set()
    assert found == set(positions.keys().tolist())


def key_of(board):
    return board.own | board.mask + sum(1 << column * (RULES.height + 1) for column in range(RULES.width))


def test_searches_use_lines(long_book):
    engine = Engine(SearchParams.preset("perfect"), seed=1, book=long_book)
    board = Board(RULES)
    while board.ply < 9:
        result = engine.search(board, simulations=8)
        assert (result.proof, result.distance) == ("draw", RULES.cells - board.ply)
        assert len(result.pv) >= 9 - board.ply
        board.push(result.column)


WIDE_RULES = Rules(8, 8, 3)


@pytest.fixture(scope="module")
def wide_book():
    """Of a board of 72 bits, with lines."""
    return build_book(WIDE_RULES, 3, lines=6)


def test_boards_beyond_64_bits_have_books(wide_book):
    assert (wide_book.plies, wide_book.last_ply) == (3, 6)
    assert len(wide_book) == sum(map(len, unfinished_positions(WIDE_RULES, 3))) + len(wide_book.lines.scores)
    for board in random_boards(WIDE_RULES, 4, 80):
        alone = solve(board, book=False)
        assert wide_book.score(board) in ([alone.score] if board.ply <= 3 else [alone.score, None])
        known = solve(board, book=wide_book)
        assert (known.score, known.columns, known.best) == (alone.score, alone.columns, alone.best)
        assert known.nodes == 0 or board.ply >= 3


def test_books_come_back_from_files(wide_book, long_book, book, tmp_path):
    path = tmp_path / "book.npz"
    for one in (wide_book, long_book, book):
        one.save(path)
        assert Book.load(path) == one == pickle.loads(pickle.dumps(one))
    assert build_book(RULES, 4) != long_book
    assert repr(book) == f"<c4mcts.Book for 5x4x4, 6 plies, {len(book):,} positions>"


def test_the_book_of_the_package():
    """Against scores of another solver: see tests/data/README.md."""
    book = shipped_book()
    assert (book.rules, book.plies, book.last_ply) == (Rules(), 12, 24)
    for row in records("book8"):
        board = Board.from_pons(row["moves"])
        assert book.score(board) == book.score(board.mirror()) == int(row["score"])
    result = Engine(SearchParams.preset("perfect"), seed=1).search(Board(), simulations=7)
    assert (result.column, result.proof, result.distance, result.simulations) == (3, "win", 41, 4)
    assert len(result.pv) >= 24
    generator = np.random.default_rng(1)
    chosen = generator.choice(len(book.lines.scores), 40, replace=False)
    positions, scores = book.lines
    late = chosen[positions.plies[chosen] >= 14]
    solved = solve_many((positions.own[late], positions.mask[late]), book=False)
    assert len(late) > 20
    assert np.array_equal(solved.scores, scores[late])


def test_perfect_wins_in_41_plies_with_hardly_any_search():
    """As long as best play leads to positions of the book, whichever of the best columns the opponent chooses."""
    engine = Engine(SearchParams.preset("perfect"), seed=2)
    generator = np.random.default_rng(3)
    board = Board()
    while board.ply < 22:
        result = engine.search(board, simulations=7)
        assert (result.proof, result.distance) == ("win", 41 - board.ply)
        board.push(result.column)
        board.push(int(generator.choice(solve(board).best)))


def arrays_of(book, path):
    """The arrays in the file of a book."""
    book.save(path)
    with np.load(path) as arrays:
        return dict(arrays)


def require_refused(path, book, arrays, **changes):
    """Write a file of a book with other facts or arrays, which can't be read."""
    book.save(path)
    path.write_bytes(with_members(with_about(path.read_bytes(), lambda about: about | changes), **arrays))
    with pytest.raises(SaveError, match="not a book"):
        Book.load(path)


def test_forged_facts_and_lines_of_the_wrong_shape_are_refused(book, wide_book, tmp_path):
    path = tmp_path / "book.npz"
    for changes in (
        {"rules": [20, 14, 4, True]}, {"rules": "5x4x4"}, {"plies": 21}, {"kind": "engine"}, {"format": 1},
        {"count": -1},
    ):  # fmt: skip
        require_refused(path, book, {}, **changes)
    arrays = arrays_of(wide_book, path)
    require_refused(path, wide_book, {"line_own": arrays["line_own"][:, 0].copy()})
    require_refused(path, wide_book, {"line_mask": arrays["line_mask"][1:]})
    require_refused(path, wide_book, {}, rules=[7, 6, 4, True])


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("lengths", lambda array: array[:-1], "of a complete prefix code"),
        ("lengths", lambda array: array + 1, "of a complete prefix code"),
        ("symbols", lambda array: array[:-1], "of a complete prefix code"),
        ("words", lambda array: array[:-1], "the shards have"),
        ("shards", lambda array: array[:0], "there must be at least one shard"),
        ("shards", lambda array: array & 15, "a shard must have at least 32 bits"),
        ("shards", lambda array: array | 0xFFF0, "the shards have"),
    ],
)
def test_functions_that_can_not_be_are_refused(book, tmp_path, backend, name, change, message):
    """Both backends refuse them, and so does a file."""
    arrays = arrays_of(book, tmp_path / "book.npz")
    function = StaticArrays(*(arrays[each] for each in StaticArrays._fields))
    function = function._replace(**{name: change(arrays[name])})
    with pytest.raises(ValueError, match=message):
        load(backend).static_function.StaticFunction(*function)
    require_refused(tmp_path / "book.npz", book, function._asdict())


def test_children_are_the_moves_with_their_scores(book):
    """Score and distance as the solver has them, and the replies that keep the result counted one by one."""
    for board in random_boards(RULES, 5, 40):
        solution, moves = solve(board, book=False), {move.column: move for move in book.children(board)}
        assert list(moves) == list(board.legal_columns)
        for column, move in moves.items():
            assert move.score == solution.columns[column]
            board.push(column)
            if board.is_over():
                assert (move.replies, move.holding, move.distance) == (0, 0, 1)
            else:
                after = solve(board, book=False)
                scores = [score for score in after.columns if score is not None]
                assert move.replies == len(scores)
                assert move.distance == 1 + after.distance
                known = sum(np.sign(score) == np.sign(after.score) for score in scores)
                assert move.holding == (known if board.ply < 6 else None)
            board.pop()


def test_only_positions_of_games_are_found(book, backend):
    """The function has a value for each key, so the book must know which positions no game leads to."""
    twin = book.twin(backend)
    assert twin.score(0b1100, 0b1111) == NO_SCORE  # the player to move began, but has no disc at the bottom
    assert twin.score(0b0101, 0b1111) == book.score(Board.from_pons("1111", RULES)) != NO_SCORE


@pytest.mark.parametrize("changes", [{"own": 1 << 63}, {"mask": 0}, {"scores": 9}, {"scores": NO_SCORE}], ids=str)
def test_lines_of_no_game_are_refused(long_book, tmp_path, changes):
    positions, scores = long_book.lines
    arrays = {"own": positions.own.copy(), "mask": positions.mask.copy(), "scores": scores.copy()}
    for name, value in changes.items():
        arrays[name][3] = value
    lines = BookLines(Positions(RULES, arrays["own"], arrays["mask"]), arrays["scores"])
    with pytest.raises(ValueError, match="positions that can't be, or scores that no game has"):
        Book(RULES, 4, NO_FUNCTION, 0, lines)
    require_refused(tmp_path / "book.npz", long_book, {f"line_{name}": array for name, array in arrays.items()})


def test_bad_arguments(book):
    finished = Board.from_pons("1212121", RULES)
    for call, error, message in (
        (lambda: book.score(Board()), ValueError, "board has the rules 7x6x4, the book is for 5x4x4"),
        (lambda: book.score(finished), GameOverError, "the game is over"),
        (lambda: book.line(Board()), ValueError, "board has the rules 7x6x4, the book is for 5x4x4"),
        (lambda: book.scores(no_lines(Rules()).positions), ValueError, "positions has the rules 7x6x4"),
        (lambda: solve(Board(), book=book), ValueError, "book must be for 7x6x4, not <c4mcts.Book for 5x4x4"),
        (lambda: solve(Board(), book="book.npz"), TypeError, "book must be True, False or a Book, not 'book.npz'"),
        (lambda: build_book(RULES, 21), ValueError, "plies must be 0 to 20, not 21"),
        (lambda: build_book(Rules(20, 14), 2), ValueError, "at most 128 bits, width * (height + 1), not 20x14x4"),
        (lambda: build_book(Rules(), 30), ValueError, "plies: there are 6,687,496,285,913 ways to place"),
        (lambda: build_book(RULES, 4, lines=3), ValueError, "lines must be 4 to 20, not 3"),
        (lambda: Book(RULES, 6, NO_FUNCTION, -1), ValueError, "count must be 0 to"),
        (lambda: Engine(book=book), ValueError, "book needs params with book=True"),
        (lambda: UctParams(book=True, proofs=False, probes=False), ValueError, "book=True needs proofs"),
    ):
        with pytest.raises(error, match=re.escape(message)):
            call()


def test_an_engine_with_a_book_knows_the_exact_end(book):
    """With any budget: score and distance are exact as long as the moves lead to positions of the book."""
    engine = Engine(SearchParams.preset("perfect"), seed=1, book=book)
    for board in random_boards(RULES, 5, 60):
        result = engine.search(board, simulations=8)
        alone = solve(board, book=False)
        assert result.column in alone.best
        assert result.distance == alone.distance
        assert result.proof == ("loss", "draw", "win")[np.sign(alone.score) + 1]
        assert len(result.pv) >= min(6 - board.ply, result.distance)


def test_the_shipped_book_is_read_when_a_position_may_be_in_it():
    """Importing the package and solving late positions read no book."""
    program = """
from c4mcts import Board, solve, solve_many
from c4mcts.solver.book import shipped_book
late = Board.parse("31361114757267436276272441")
solve(late), solve_many([late])
assert shipped_book.cache_info().currsize == 0
solve(Board())
assert shipped_book.cache_info().currsize == 1
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_engine_keeps_its_book(book, tmp_path):
    engine = Engine(SearchParams.preset("perfect"), seed=1, book=book)
    engine.search(Board(RULES), simulations=10)
    engine.save(tmp_path / "engine.npz")
    loaded = Engine.load(tmp_path / "engine.npz", book=book)
    copied = pickle.loads(pickle.dumps(engine))
    board = Board.from_pons("33", RULES)
    wanted = engine.search(board, simulations=10)
    for other in (loaded, copied):
        result = other.search(board, simulations=10)
        assert (result.moves, result.pv) == (wanted.moves, wanted.pv)
