"""Books: how they are built, saved, loaded and used."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from c4mcts import (
    Board,
    Book,
    CheckpointError,
    Engine,
    GameOverError,
    Rules,
    SaveError,
    SearchParams,
    _files,
    build_book,
    solve,
)
from c4mcts.play.players import PerfectPlayer
from c4mcts.solver.book import NO_SCORE, entries_of
from c4mcts.solver.book_building import unfinished_positions, wrong_entries

RULES = Rules(5, 4)


@pytest.fixture(scope="module")
def book():
    return build_book(RULES, 6)


def random_boards(rules, plies, count, seed=3):
    """Unfinished boards with up to so many discs."""
    generator = np.random.default_rng(seed)
    while count:
        board = Board(rules)
        for _ in range(generator.integers(plies + 1)):
            board.push(generator.choice(board.legal_columns))
            if board.is_over():
                break
        if not board.is_over():
            yield board
            count -= 1


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
    assert wrong_entries(book, 1000) == []
    assert len(book) == sum(map(len, unfinished_positions(rules, rules.cells)))


def test_the_number_of_positions_is_known():
    """See tests/data/position_counts.csv: 184,275 positions after eight plies, with finished ones and mirror images."""
    levels = unfinished_positions(Rules(), 4)
    assert [len(level) for level in levels] == [1, 4, 25, 121, 568]


def test_all_executors_build_the_same_book(book, tmp_path):
    told = []
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2) as processes:
        for executor in (threads, processes):
            made = build_book(RULES, 6, executor=executor, progress=lambda done, total: told.append((done, total)))
            assert made == book
    total = len(unfinished_positions(RULES, 6)[6])
    assert told[0] == (0, total)
    assert told[-1] == (total, total)


def test_building_goes_on_after_an_interruption(book, tmp_path):
    file = tmp_path / "book.jsonl"

    def stop(done, total):
        if done >= 128:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_book(RULES, 6, progress=stop, checkpoint=file)
    told = []
    assert build_book(RULES, 6, progress=lambda done, total: told.append(done), checkpoint=file) == book
    assert told[0] >= 128
    with pytest.raises(CheckpointError, match="positions is"):
        build_book(RULES, 5, checkpoint=file)


def test_files_come_back(book, tmp_path):
    path = tmp_path / "book.npz"
    book.save(path)
    assert Book.load(path) == book
    assert pickle.loads(pickle.dumps(book)) == book
    assert repr(book) == f"<c4mcts.Book for 5x4x4, 6 plies, {len(book):,} positions>"
    assert book != build_book(RULES, 5)


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_damaged_files_are_refused(book, tmp_path, cut):
    path = tmp_path / "book.npz"
    book.save(path)
    data = path.read_bytes()
    path.write_bytes(data[:cut])
    with pytest.raises(SaveError, match="is no book, or damaged"):
        Book.load(path)
    path.write_bytes(data[: len(data) // 2] + b"\1" + data[len(data) // 2 + 1 :])
    with pytest.raises(SaveError, match="is no book, or damaged"):
        Book.load(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": [7, 6, 4, True]},
        {"rules": [20, 14, 4, True]},
        {"rules": [5]},
        {"rules": "5x4x4"},
        {"plies": 7},
        {"plies": -1},
        {"plies": 6.0},
        {"plies": 10**30},
        {"kind": "engine"},
        {"format": 2},
        {"format": None},
    ],
    ids=str,
)
def test_forged_facts_are_refused(book, tmp_path, changes):
    path = tmp_path / "book.npz"
    about = {"kind": "book", "format": 1, "rules": [5, 4, 4, True], "plies": 6, **changes}
    path.write_bytes(_files.pack(about, {"scores": book._scores}))
    with pytest.raises(SaveError, match="no book"):
        Book.load(path)


@pytest.mark.parametrize(("place", "score"), [(0, 10), (0, -11), (-1, 8), (-1, 127)])
def test_scores_of_no_game_are_refused(book, tmp_path, place, score):
    path = tmp_path / "book.npz"
    scores = book._scores.copy()
    scores[place] = score
    about = {"kind": "book", "format": 1, "rules": [5, 4, 4, True], "plies": 6}
    path.write_bytes(_files.pack(about, {"scores": scores}))
    with pytest.raises(SaveError, match="no book"):
        Book.load(path)


def test_wrong_entries_are_found(book):
    assert wrong_entries(book, 10_000) == []
    for n, wanted in ((6, 1), (3, 1)):
        scores = book._scores.copy()
        starts = entries_of(RULES, 6)
        place = starts[n] + int(np.flatnonzero(scores[starts[n] : starts[n + 1]] != NO_SCORE)[5])
        scores[place] += 1
        wrong = wrong_entries(Book(RULES, 6, scores), 10_000)
        assert len(wrong) >= wanted
        assert any(f"{scores[place]} instead of {scores[place] - 1}" in line for line in wrong)


def test_bad_arguments(book):
    finished = Board.from_pons("1212121", RULES)
    for call, error, message in (
        (lambda: book.score(Board()), ValueError, "board has the rules 7x6x4, the book is for 5x4x4"),
        (lambda: book.score(finished), GameOverError, "the game is over"),
        (lambda: book.score("44"), TypeError, "board must be a Board"),
        (lambda: solve(Board(), book=book), ValueError, "book must be for 7x6x4, not <c4mcts.Book for 5x4x4"),
        (lambda: solve(Board(), book="book.npz"), TypeError, "book must be True, False or a Book, not 'book.npz'"),
        (lambda: solve(Board(), book=1), TypeError, "book must be True, False or a Book, not 1"),
        (lambda: PerfectPlayer(book=None), TypeError, "book must be True, False or a Book, not None"),
        (lambda: build_book(RULES, 21), ValueError, "plies must be 0 to 20, not 21"),
        (lambda: build_book(RULES, True), TypeError, "plies must be an integer, not True"),
        (lambda: build_book(Rules(20, 14), 2), ValueError, "at most 64 bits"),
        (
            lambda: build_book(Rules(), 30),
            ValueError,
            "plies: a book of 30 plies for 7x6x4 has 6,687,496,285,913 entries",
        ),
        (lambda: build_book("7x6", 2), TypeError, "rules must be Rules"),
        (lambda: Book.load(7), TypeError, "path must be a path"),
        (lambda: Engine(book=book), ValueError, "book needs params with book=True"),
        (lambda: Engine(SearchParams(book=True), book=True), TypeError, "book must be a Book or None, not True"),
        (lambda: SearchParams(book=1), TypeError, "book must be True or False, not 1"),
        (lambda: SearchParams(book=True, proofs=False, probes=False), ValueError, "book=True needs proofs"),
    ):
        with pytest.raises(error, match=message.replace("(", r"\(")):
            call()


def test_an_engine_with_a_book_knows_the_exact_end(book):
    """Whatever the budget: score and distance are exact as long as the moves lead to positions of the book."""
    engine = Engine(SearchParams.preset("perfect"), seed=1, book=book)
    for board in random_boards(RULES, 5, 60):
        result = engine.search(board, simulations=8)
        alone = solve(board, book=False)
        assert result.column in alone.best
        assert result.distance == alone.distance
        assert result.proof == ("loss", "draw", "win")[(alone.score > 0) - (alone.score < 0) + 1]
        assert len(result.pv) >= min(6 - board.ply, result.distance)


def test_the_book_bounds_a_position_whose_moves_leave_it(book):
    """With six discs the book has the score, but not that of the moves: a proof must agree with it."""
    engine = Engine(SearchParams.preset("perfect"), seed=1, book=book)
    for board in random_boards(RULES, 6, 400):
        if board.ply == 6:
            result = engine.search(board, simulations=20_000)
            assert result.column in solve(board, book=False).best


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


def test_a_book_of_other_rules_is_not_used(book):
    engine = Engine(SearchParams.preset("perfect"), seed=1, book=book)
    plain = Engine(seed=1)
    board = Board(Rules(6, 5))
    assert engine.search(board, simulations=300).moves == plain.search(board, simulations=300).moves


def test_perfect_players_use_it(book):
    with_book, without = PerfectPlayer(book=book), PerfectPlayer(book=False)
    for board in random_boards(RULES, 7, 30):
        for player in (with_book, without):
            player.begin(np.random.SeedSequence(4))
        assert with_book.choose(board) == without.choose(board)
