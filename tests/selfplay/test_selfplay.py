"""Self-play: rows are checked by replaying their games, and results don't depend on the executor."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from counting import Counting, jobs_done
from evaluators import fingerprint, uniform
from signals import interrupted_everywhere, searches_end

from c4mcts import Board, CheckpointError, Engine, GameOverError, Rules, SaveError, SearchParams, selfplay
from c4mcts.cli import main

UCT = SearchParams.preset("uct")
SMALL = Board(Rules(5, 4, 4))
ARRAYS = ("planes", "policy", "value", "outcome", "column", "game", "ply")
CALL = partial(selfplay.generate, 12, UCT, start=SMALL, simulations=30, seed=7)
CHILD = """
import sys, time
from c4mcts import Board, Rules, SearchParams
from c4mcts import selfplay
slow = lambda done, total: time.sleep(0.05)
start = Board(Rules(5, 4, 4))
selfplay.generate(
    100, SearchParams.preset("uct"), start=start, simulations=30, seed=7, out=sys.argv[1], progress=slow
)
"""


def same(one, other):
    """Whether two results are equal."""
    return one.about == other.about and all(
        getattr(one, name).dtype == getattr(other, name).dtype
        and np.array_equal(getattr(one, name), getattr(other, name))
        for name in ARRAYS
    )


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games.npz"


# content


@pytest.mark.parametrize(
    "start",
    [
        Board(),
        Board.from_pons("44"),
        Board.from_moves([0] * 6 + [1] * 5),
        Board(Rules(20, 14, 5)),
        Board(Rules(5, 4, diagonals=False)),
        Board.from_fen("xo5/ox5/xo5/ox5/xo5/xoxo3 x 7x6x4"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("preset", ["uct", "strong"])
def test_every_row_follows_from_the_moves(start, preset):
    data = selfplay.generate(3, SearchParams.preset(preset), start=start, simulations=20, seed=5)
    rows, width = len(data.game), start.rules.width
    shapes = {"planes": (rows, 2, start.rules.height, width), "policy": (rows, width)}
    types = {
        "planes": "uint8",
        "policy": "float32",
        "value": "float32",
        "outcome": "int8",
        "column": "int8",
        "game": "int32",
    }
    for name in ARRAYS:
        array = getattr(data, name)
        assert array.shape == shapes.get(name, (rows,))
        assert array.dtype == types.get(name, "int32")
    row = 0
    for number in range(3):
        board, first = start.copy(), row
        while not board.is_over():
            assert (data.game[row], data.ply[row]) == (number, board.ply)
            cells = board.to_array()
            np.testing.assert_array_equal(data.planes[row], [cells == board.turn + 1, cells == 2 - board.turn])
            assert data.policy[row].sum() == pytest.approx(1, abs=1e-6)
            assert not np.delete(data.policy[row], board.legal_columns).any()
            assert (data.policy[row] >= 0).all()
            assert data.board(row) == board
            board.push(data.column[row])
            row += 1
        winner = board.outcome().winner
        for earlier in range(first, row):
            turn = data.ply[earlier] % 2
            assert data.outcome[earlier] == (0 if winner is None else 1 if winner == turn else -1)
    assert row == rows, "nothing follows the last game"
    assert data.games == 3
    assert data.start == start


def test_wins_losses_and_draws_occur():
    data = selfplay.generate(60, UCT, start=Board(Rules(4, 4)), simulations=20, seed=1)
    assert set(data.outcome.tolist()) == {-1, 0, 1}
    last = np.append(np.diff(data.game) != 0, True)
    assert set(data.outcome[last].tolist()) == {0, 1}, "nobody loses by a move of their own"


def check_against_engines(data, seed, start, simulations, params, evaluator=None):
    """Without random moves, an engine with the same seed plays the same game move by move."""
    for number, child in enumerate(np.random.SeedSequence(seed).spawn(data.game[-1] + 1)):
        engine, board = Engine(params, seed=child.spawn(2)[0], evaluator=evaluator), start.copy()
        for row in np.flatnonzero(data.game == number):
            result = engine.search(board, simulations=simulations)
            if not any(move.proof for move in result.moves):
                np.testing.assert_allclose(data.policy[row], result.policy(1.0), atol=1e-7)
            assert data.column[row] == result.column
            assert data.value[row] == np.float32(2 * result.root_value - 1)
            if evaluator is not None and result.proof is None:  # -V of the root, whose V is for the other player
                assert data.value[row] == pytest.approx(-engine.tree()["value"][0])
            board.push(result.column)
        assert board.is_over()


def test_an_undrawn_game_is_what_an_engine_plays_and_counts():
    data = selfplay.generate(2, UCT, simulations=60, temperature_plies=0, seed=11)
    check_against_engines(data, 11, Board(), 60, UCT)


GAMES = 100


def test_the_first_plies_are_drawn_from_the_policy():
    """At the first ply all games draw from nearly the same policy, since their trees start at the same position."""
    call = partial(selfplay.generate, GAMES, UCT, start=Board(Rules(4, 4)), simulations=30, seed=3)
    data = call(temperature=1.0, temperature_plies=1)
    first = data.ply == 0
    expected = data.policy[first].mean(axis=0)
    shares = np.bincount(data.column[first], minlength=4) / GAMES
    assert np.abs(shares - expected).max() < 4 * 0.5 / np.sqrt(GAMES)  # four standard errors
    coldest = call(temperature=0.0, temperature_plies=1)
    policy, column = coldest.policy[first_of(coldest)], coldest.column[first_of(coldest)]
    assert (policy[np.arange(GAMES), column] == policy.max(axis=1)).all()
    hottest = call(temperature=np.inf, temperature_plies=1)
    counts = np.bincount(hottest.column[first_of(hottest)], minlength=4)
    assert np.abs(counts / GAMES - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / GAMES)


def first_of(data):
    return data.ply == data.start.ply


def test_only_the_first_plies_are_drawn():
    """The engine's choice has the most visits; a random move at infinite temperature seldom is that column."""
    data = selfplay.generate(
        30, UCT, start=Board.from_pons("44"), simulations=50, temperature=np.inf, temperature_plies=3, seed=3
    )
    best = data.policy[np.arange(len(data.column)), data.column] == data.policy.max(axis=1)
    drawn = data.ply < 2 + 3
    assert best[drawn].mean() < 0.6
    calm = np.array([not data.board(row).threatened_columns() for row in range(len(best))])  # a threat goes before
    assert best[~drawn & calm].all()


def test_what_is_certain_goes_before_visits():
    strong = SearchParams()
    wins = Board.from_pons("112233")  # columns 3 wins at once
    data = selfplay.generate(20, strong, start=wins, simulations=50, temperature=np.inf, seed=1)
    assert data.policy.tolist() == [[0, 0, 0, 1, 0, 0, 0]] * 20, "each game has one move"
    both = Board.from_pons("223344")  # columns 0 and 4 win at once
    data = selfplay.generate(20, strong, start=both, simulations=50, temperature=np.inf, seed=1)
    assert data.policy.tolist() == [[0.5, 0, 0, 0, 0.5, 0, 0]] * 20
    assert set(data.column.tolist()) == {0, 4}


def test_what_is_proven_lost_gets_nothing():
    """A losing column gets probability 0 while the outcome of the root is not proven."""
    data = selfplay.generate(10, SearchParams(probes=False), simulations=300, temperature_plies=4, seed=2)
    seen = 0
    for row in range(len(data.game)):
        board = data.board(row)
        threats = board.threatened_columns()
        if len(threats) == 1 and not board.winning_columns():
            others = np.delete(data.policy[row], threats)
            seen += 1
            assert not others.any(), "whatever doesn't answer the threat is lost"
    assert seen > 5


def test_training_arrays_hold_every_position_and_its_mirror_image():
    data = CALL()
    planes, policy, outcome = data.training()
    rows = len(data.game)
    assert planes.dtype == policy.dtype == outcome.dtype == np.float32
    assert len(planes) == len(policy) == len(outcome) == 2 * rows
    for row in range(0, rows, 7):
        board = data.board(row).mirror()
        cells = board.to_array()
        np.testing.assert_array_equal(planes[rows + row], [cells == board.turn + 1, cells == 2 - board.turn])
        assert policy[rows + row].tolist() == policy[row].tolist()[::-1]
    assert np.array_equal(outcome[:rows], outcome[rows:])
    plain = data.training(mirror=False)
    assert np.array_equal(plain[0], data.planes)
    assert np.array_equal(plain[1], data.policy)
    assert np.array_equal(plain[2], data.outcome)


def test_a_mirror_image_has_its_own_moves():
    data = selfplay.generate(3, UCT, start=Board.from_moves([0, 0, 1]), simulations=20, seed=1)
    image = data.mirror()
    for row in range(len(data.game)):
        assert image.board(row) == data.board(row).mirror()
    assert same(image.mirror(), data)


def test_rows_count_from_the_end_too():
    data = CALL()
    assert data.board(-1) == data.board(len(data.game) - 1)
    for row in (len(data.game), -len(data.game) - 1):
        with pytest.raises(IndexError):
            data.board(row)


def test_print_says_how_the_games_ended():
    data = CALL()
    ends = []
    for row in np.flatnonzero(np.append(np.diff(data.game) != 0, True)):
        board = data.board(row)
        board.push(data.column[row])
        ends.append(board.outcome().winner)
    words = f"first player: {ends.count(0)} won, {ends.count(None)} drawn, {ends.count(1)} lost"
    assert str(data) == f"12 games, {len(data.game)} positions, seed 7; {words}"
    assert repr(data) == f"<c4mcts.selfplay.SelfPlay {data}>"


# seeds and workers


def test_the_same_games_for_any_number_and_kind_of_workers():
    expected = CALL()
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as threads:
            assert same(CALL(executor=threads), expected)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert same(CALL(executor=processes), expected)
    assert not np.array_equal(CALL(seed=8).policy, expected.policy)


def test_a_drawn_seed_is_in_the_result():
    first = CALL(seed=None)
    assert same(CALL(seed=first.seed), first)
    assert CALL(seed=None).seed != first.seed


def test_all_that_was_asked_for_is_in_the_result():
    about = CALL(temperature=0.5).about
    assert SearchParams(**about["params"]) == UCT
    assert about["limits"]["simulations"] == 30
    assert (about["games"], about["temperature"], about["temperature_plies"], about["seed"]) == (12, 0.5, 10, 7)
    assert (about["board"], about["evaluator"]) == (SMALL.to_fen(), None)


# evaluators

PUCT = SearchParams.preset("puct-node", planes="binary", batch_size=4, root_noise=(1.0, 0.25))
LEARN = partial(selfplay.generate, 6, PUCT, start=SMALL, simulations=30, seed=7, evaluator=fingerprint)


def test_an_evaluator_plays_the_games_of_its_engine():
    data = LEARN(temperature_plies=0)
    check_against_engines(data, 7, SMALL, 30, PUCT, fingerprint)


def test_an_evaluator_works_in_threads_and_processes():
    expected = LEARN()
    with ThreadPoolExecutor(3) as threads:
        assert same(LEARN(executor=threads), expected)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert same(LEARN(executor=processes), expected)
    assert not np.array_equal(LEARN(evaluator=uniform).policy, expected.policy)


def test_what_an_evaluator_raises_is_raised_here_and_finished_games_stay(out):
    with pytest.raises(ZeroDivisionError):
        LEARN(evaluator=lambda planes, legal: 1 / 0, out=out)
    assert not out.exists()


class Remembered:
    """An evaluator that is an object, not a function."""

    def __call__(self, planes, legal):
        return uniform(planes, legal)


def test_an_evaluator_is_known_by_its_name(out):
    assert LEARN(out=out).about["evaluator"] == f"{fingerprint.__module__}.fingerprint"
    with pytest.raises(CheckpointError, match=r"evaluator is '.*fingerprint' there, '.*Remembered' here"):
        LEARN(evaluator=Remembered(), out=out)


@pytest.mark.parametrize(
    ("params", "evaluator", "words"),
    [(PUCT, None, "needs an evaluator"), (UCT, uniform, "evaluator needs"), (PUCT, 3, "evaluator must be callable")],
)
def test_evaluator_and_parameters_go_together(params, evaluator, words):
    with pytest.raises((TypeError, ValueError), match=words):
        selfplay.generate(2, params, simulations=10, evaluator=evaluator)


# files


def test_a_file_holds_the_arrays(out):
    data = CALL(out=out)
    assert same(selfplay.load(out), data)
    assert same(data, CALL())
    assert [path.name for path in out.parent.iterdir()] == ["games.npz"], "nothing is left beside it"
    with np.load(out, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["planes"], data.planes)
    data.save(out.with_name("again.npz"))
    assert same(selfplay.load(out.with_name("again.npz")), data)


@pytest.fixture
def interrupted(out):
    """The checkpoint of an interrupted call, with four of twelve games."""

    def stop(done, total):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CALL(out=out, progress=stop)
    assert not out.exists()
    checkpoint = out.with_name("games.npz.jsonl")
    assert len(checkpoint.read_text().splitlines()) == 1 + 4
    return checkpoint


def test_games_interrupted_at_each_moment_go_on(out):
    """Repeat the call, interrupted at a later moment each time, until all games are finished."""
    assert interrupted_everywhere(partial(CALL, out=out)) > 8
    assert searches_end()
    assert same(selfplay.load(out), CALL())


@pytest.mark.parametrize("seed", [7, None])
def test_interrupted_games_go_on(interrupted, out, seed):
    data, games = jobs_done(partial(CALL, out=out, seed=seed))
    assert games == 8
    assert same(data, CALL())
    assert same(selfplay.load(out), data)
    assert not interrupted.exists()


def test_a_complete_file_is_not_played_again(out):
    first, games = jobs_done(partial(CALL, out=out))
    assert games == 12
    content = out.read_bytes()
    again, games = jobs_done(partial(CALL, out=out, seed=None))
    assert games == 0
    assert same(again, first)
    assert out.read_bytes() == content


def test_a_checkpoint_that_outlived_its_file_is_removed(interrupted, out):
    """The process was killed after it wrote the file, before it removed the checkpoint."""
    rest = interrupted.read_bytes()
    CALL(out=out)
    interrupted.write_bytes(rest)
    assert jobs_done(partial(CALL, out=out))[1] == 0
    assert not interrupted.exists()


def test_a_killed_process_loses_no_finished_game(out):
    checkpoint = out.with_name("games.npz.jsonl")
    with subprocess.Popen([sys.executable, "-c", CHILD, str(out)]) as process:
        while not checkpoint.exists() or checkpoint.read_bytes().count(b"\n") < 6:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
    kept = checkpoint.read_bytes().count(b"\n") - 1
    assert 5 <= kept < 100
    call = partial(selfplay.generate, 100, UCT, start=SMALL, simulations=30, seed=7)
    data, games = jobs_done(partial(call, out=out))
    assert games == 100 - kept
    assert same(data, call())


CHANGES = [
    ({"seed": 8}, "seed is 7 there, 8 here"),
    ({"games": 13}, "games is 12 there, 13 here"),
    ({"simulations": 31}, "limits: simulations is 30 there, 31 here"),
    ({"temperature": 0.5}, "temperature is 1.0 there, 0.5 here"),
    ({"temperature_plies": 4}, "temperature_plies is 10 there, 4 here"),
    ({"start": Board.from_pons("3", SMALL.rules)}, "board is '5/5/5/5 x 5x4x4' there"),
    ({"params": SearchParams.preset("uct", choice="value")}, "params: choice is 'visits' there, 'value' here"),
]


@pytest.mark.parametrize(("changes", "words"), CHANGES, ids=[words for _, words in CHANGES])
@pytest.mark.parametrize("complete", [True, False])
def test_other_games_are_refused(interrupted, out, changes, words, complete):
    if complete:
        CALL(out=out)
    before = {path: path.read_bytes() for path in out.parent.iterdir()}
    arguments = {"games": 12, "params": UCT, "start": SMALL, "simulations": 30, "seed": 7, **changes}
    with pytest.raises(CheckpointError, match=f"{'games.npz holds other games' if complete else 'jsonl'}.*{words}"):
        selfplay.generate(**arguments, out=out)
    assert {path: path.read_bytes() for path in out.parent.iterdir()} == before


def broken_files(tmp_path):
    CALL(out=tmp_path / "good.npz")
    good = (tmp_path / "good.npz").read_bytes()
    np.savez(tmp_path / "other.npz", planes=np.zeros(3))
    np.savez(tmp_path / "kind.npz", about=np.array(json.dumps({"experiment": "convergence"})))
    np.save(tmp_path / "array.npy", np.zeros(3))
    contents = {"empty": b"", "text": b"no games\n", "cut": good[: len(good) // 2]}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [tmp_path / name for name in ("other.npz", "kind.npz", "array.npy", *contents)]


def test_files_of_something_else_are_refused_and_left_alone(tmp_path):
    for path in broken_files(tmp_path):
        content = path.read_bytes()
        for call in (partial(selfplay.load, path), partial(CALL, out=path)):
            with pytest.raises(SaveError, match=f"{path.name} holds no games of self-play"):
                call()
        assert path.read_bytes() == content


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        selfplay.load(tmp_path / "none.npz")


def test_a_folder_that_is_not_there_is_an_error_before_the_work(tmp_path):
    with Counting() as executor:
        with pytest.raises(FileNotFoundError):
            CALL(out=tmp_path / "none" / "games.npz", executor=executor)
        assert executor.jobs == 0


# errors


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"games": 0}, ValueError, "games must be at least 1, not 0"),
        ({"games": 1.5}, TypeError, "games must be an integer, not 1.5"),
        ({"params": "uct"}, TypeError, "params must be a SearchParams, not 'uct'"),
        ({"start": "4453"}, TypeError, "start must be a Board, not '4453'"),
        ({"start": Board.from_pons("1212121")}, GameOverError, "start: the game is over"),
        ({"temperature": -0.1}, ValueError, "temperature must be at least 0, not -0.1"),
        ({"temperature": float("nan")}, ValueError, "temperature must be a number, not nan"),
        ({"temperature": "hot"}, TypeError, "temperature must be a number, not 'hot'"),
        ({"temperature": None}, TypeError, "temperature must be a number, not None"),
        ({"temperature_plies": -1}, ValueError, "temperature_plies must be at least 0, not -1"),
        ({"temperature_plies": 2.5}, TypeError, "temperature_plies must be an integer, not 2.5"),
        ({"evaluator": 3}, TypeError, "evaluator must be callable, not 3"),
        ({"simulations": 0}, ValueError, "simulations must be at least 1, not 0"),
        ({"simulations": None}, ValueError, "a search needs a limit"),
        ({"seed": -1}, ValueError, "seed must be at least 0, not -1"),
        ({"executor": 3}, TypeError, "executor must be"),
        ({"out": 3}, TypeError, "out must be a path, a str or an os.PathLike of one, not 3"),
        ({"out": b"games"}, TypeError, "out must be a path, a str or an os.PathLike of one, not b'games'"),
        ({"out": ""}, ValueError, "out must be a path that the system can write, not ''"),
        ({"progress": 3}, TypeError, "progress must be"),
    ],
)
def test_what_is_refused(changes, error, words, out):
    arguments = {"games": 2, "simulations": 10, "out": out, **changes}
    with pytest.raises(error, match=words):
        selfplay.generate(**arguments)
    assert list(out.parent.iterdir()) == []


# the command


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """A function that runs `selfplay` in a folder of its own and returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*argv):
        status = main(["selfplay", *map(str, argv)])
        return status, *capsys.readouterr()

    return run


def test_the_command_writes_what_the_call_finds(run, out):
    argv = ["3", "--width", 5, "--height", 4, "--games", 6, "--simulations", 30, "--preset", "uct", "--seed", 7]
    argv += ["--temperature", "inf", "--temperature-plies", 3, "--workers", 3]
    start = Board.from_pons("3", SMALL.rules)
    expected = selfplay.generate(6, UCT, start=start, simulations=30, temperature=np.inf, temperature_plies=3, seed=7)
    assert run(*argv) == (0, f"{expected}\nwritten: games.npz\n", "")
    assert same(selfplay.load(out), expected)
    assert run(*argv) == (0, f"{expected}\nalready complete: games.npz\n", "")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--games", "0"], ["--games", "0"]),
        (["--games", "many"], ["--games", "'many'"]),
        (["--simulations", "0"], ["--simulations", "0"]),
        (["--workers", "0"], ["--workers", "0"]),
        (["--seed", "-1"], ["--seed", "-1"]),
        (["--temperature=-1"], ["--temperature", "-1"]),
        (["--temperature-plies=-1"], ["--temperature-plies", "-1"]),
        (["--preset", "best"], ["--preset", "'best'"]),
        (["1212121"], ["first player (x) has won"]),
    ],
)
def test_a_wrong_word_is_named_in_one_line(run, tmp_path, argv, words):
    status, printed, err = run(*argv)
    assert (status, printed) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("c4mcts selfplay: error: ")
    assert all(word in err for word in words), err
    assert list(tmp_path.iterdir()) == []


def test_the_command_refuses_other_games(run, out):
    run("--games", 2, "--simulations", 10)
    content = out.read_bytes()
    status, printed, err = run("--games", 3, "--simulations", 10)
    assert (status, printed) == (2, "")
    assert err.startswith("c4mcts selfplay: error: games.npz holds other games: games is 2 there, 3 here")
    out.write_bytes(b"a text")
    assert run("--games", 2)[2].startswith("c4mcts selfplay: error: games.npz holds no games of self-play")
    out.write_bytes(content)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one child")
def test_control_c_keeps_finished_games(out):
    code = """
import signal, sys
from c4mcts.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[1:]))
"""
    argv = ["selfplay", "--games", "2e4", "--simulations", "100", "--preset", "uct", "--seed", "7", "--out", out]
    checkpoint = out.with_name("games.npz.jsonl")
    with subprocess.Popen([sys.executable, "-c", code, *argv], stderr=subprocess.PIPE, text=True) as child:
        while not checkpoint.exists() or checkpoint.read_bytes().count(b"\n") < 4:
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(2)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert err == f"c4mcts selfplay: stopped; the same command continues from {checkpoint}\n"
    index, game, _ = json.loads(checkpoint.read_text().splitlines()[3])
    whole = selfplay.generate(index + 1, UCT, simulations=100, seed=7)
    assert whole.column[whole.game == index].tolist() == game["columns"]
