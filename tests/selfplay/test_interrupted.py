"""Self-play that was interrupted or killed continues, and harms nothing; unfit checkpoints are refused."""

import json
import os
import shutil
import subprocess
import sys
import time
from functools import partial

import pytest
from counting import jobs_done
from datasets import ARRAYS, CALL, MORE, SMALL, UCT, content, same, same_games
from disks import posix
from pools import generated

from c4mcts import Board, CheckpointError, SaveError, SearchParams, selfplay
from c4mcts.selfplay import folder

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


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


@pytest.fixture
def interrupted(out):
    """The checkpoint of an interrupted call, with four of twelve games."""

    def stop(done, total):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CALL(out=out, progress=stop)
    assert not out.exists()
    checkpoint = out.with_name("games.jsonl")
    assert len(checkpoint.read_text().splitlines()) == 1 + 4
    return checkpoint


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
    before = content(out)
    again, games = jobs_done(partial(CALL, out=out, seed=None))
    assert games == 0
    assert same(again, first)
    assert content(out) == before


def test_a_checkpoint_that_outlived_its_file_is_removed(interrupted, out):
    """The process was killed after it wrote the file, before it removed the checkpoint."""
    rest = interrupted.read_bytes()
    CALL(out=out)
    interrupted.write_bytes(rest)
    assert jobs_done(partial(CALL, out=out))[1] == 0
    assert not interrupted.exists()


def test_a_killed_process_loses_no_finished_game(out):
    checkpoint = out.with_name("games.jsonl")
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
    ({"simulations": 31}, "limits: simulations is 30 there, 31 here"),
    ({"temperature": 0.5}, "play: temperature is 1.0 there, 0.5 here"),
    ({"temperature_plies": 4}, "play: temperature_plies is 10 there, 4 here"),
    ({"start": Board.from_pons("3", SMALL.rules)}, "board is '5/5/5/5 x 5x4x4' there"),
    ({"params": SearchParams.preset("uct", choice="value")}, "params: choice is 'visits' there, 'value' here"),
]


@pytest.mark.parametrize(("changes", "words"), CHANGES, ids=[words for _, words in CHANGES])
@pytest.mark.parametrize("complete", [True, False])
def test_other_games_are_refused(interrupted, out, changes, words, complete):
    if complete:
        CALL(out=out)
    before = content(out.parent)
    arguments = {"games": 12, "params": UCT, "start": SMALL, "simulations": 30, "seed": 7, **changes}
    with pytest.raises(CheckpointError, match=f"{'games holds other games' if complete else 'jsonl'}.*{words}"):
        generated(**arguments, out=out)
    assert content(out.parent) == before


@pytest.mark.parametrize("games", [3, 20])
def test_an_interrupted_series_may_become_a_shorter_or_longer_one(interrupted, out, games):
    kept = {json.loads(line)[0] for line in interrupted.read_text().splitlines()[1:]}  # not always the first four
    data, played = jobs_done(partial(CALL.func, games, *CALL.args[1:], **CALL.keywords, out=out))
    assert played == len(set(range(games)) - kept)
    assert same(data, CALL.func(games, *CALL.args[1:], **CALL.keywords))


KILLED = """
import os, shutil, sys
from functools import partial
from pathlib import Path

sys.path.insert(0, sys.argv[2])
from datasets import ARRAYS, SMALL, UCT, same
from c4mcts import _files, selfplay
from c4mcts.selfplay import folder

play = partial(selfplay.generate, params=UCT, start=SMALL, simulations=5, seed=7)
path = Path(sys.argv[1])
play(2, out=path)
few = selfplay.load(path)
many = play(3, out=path)  # of two shards
shutil.rmtree(path)

def grow():
    if selfplay.load(path).games == 2:  # as generate does
        folder.append(path, many.sources[0], many.shards[1], 2)

tasks = {
    "new": (lambda: None, lambda: few.save(path), few),
    "grown": (lambda: few.save(path), grow, many),
    "replaced": (lambda: many.save(path), lambda: few.save(path), few),
}

def killed(call, last):
    # Run a call in a child that kills itself at one of its steps; return whether it did.
    child = os.fork()
    if child == 0:
        kill_at(last)
        call()
        os._exit(0)
    return os.waitpid(child, 0)[1] != 0

def kill_at(last):
    steps = 0

    def counted(call, *args, **options):
        nonlocal steps
        steps += 1
        if steps == last:
            os.kill(os.getpid(), 9)
        return call(*args, **options)

    class Pieces:
        # A file that is written in two pieces.
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            for piece in (data[: len(data) // 2], data[len(data) // 2 :]):
                counted(self.file.write, piece)
                self.file.flush()

    _files.open = lambda *args, **options: Pieces(open(*args, **options)) if "x" in args[1] else open(*args, **options)
    for name in ("replace", "remove", "mkdir", "unlink"):
        setattr(os, name, partial(counted, getattr(os, name)))

os.fsync = lambda descriptor: None  # it matters when the machine stops, not when a process does
for name, (before, call, expected) in tasks.items():
    step = 0
    while True:
        step += 1
        before()
        old = selfplay.load(path) if name != "new" else None
        if not killed(call, step):
            break
        if old is not None:
            now = selfplay.load(path)
            assert same(now, old) or same(now, expected), (name, step)
        call()
        assert same(selfplay.load(path), expected), (name, step)
        left = set(os.listdir(path)) - {"index.json"}
        assert len(left) == len(ARRAYS) * (2 if name == "grown" else 1), (name, step, left)
        shutil.rmtree(path)
    print(name, step)
    shutil.rmtree(path)
"""


@posix
def test_a_process_killed_at_any_step_of_writing_harms_nothing(out):
    argv = [sys.executable, "-W", "ignore", "-c", KILLED, str(out), os.path.dirname(os.path.dirname(__file__))]
    printed = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True).stdout
    steps = dict(line.split() for line in printed.splitlines())
    assert list(steps) == ["new", "grown", "replaced"]
    assert all(int(number) > 3 * len(ARRAYS) for number in steps.values()), steps


# two at once


def test_a_folder_belongs_to_one_call_until_its_games_are_written(out, monkeypatch):
    append, refused = folder.append, []

    def while_another_calls(*arguments):
        for call in (CALL, MORE):
            with pytest.raises(CheckpointError, match=r"games[.]jsonl is in use, by another process or call"):
                call(out=out)
            refused.append(call)
        append(*arguments)

    monkeypatch.setattr(folder, "append", while_another_calls)
    CALL(out=out)
    assert len(refused) == 2
    assert same(selfplay.load(out), CALL())
    assert [path.name for path in out.parent.iterdir()] == ["games"]


def test_the_second_call_takes_what_the_first_has_written(out, monkeypatch):
    alone = folder.alone

    def after_another_call(path):
        monkeypatch.setattr(folder, "alone", alone)
        CALL(out=out)
        return alone(path)

    for _ in range(2):
        monkeypatch.setattr(folder, "alone", after_another_call)
        data, games = jobs_done(partial(MORE, out=out))
        assert games == 8
        assert same_games(data, MORE())
        shutil.rmtree(out)


def test_a_folder_that_has_been_changed_meanwhile_is_left_alone(out, monkeypatch):
    """By a program that ignores the lock, such as `save`: the games that were played stay in the checkpoint."""
    other, append = CALL(seed=8), folder.append

    def after_a_save(*arguments):
        other.save(out)
        append(*arguments)

    monkeypatch.setattr(folder, "append", after_a_save)
    with pytest.raises(SaveError, match="games has been changed by another program: it had 0 games"):
        CALL(out=out)
    assert same(selfplay.load(out), other)
    assert len(out.with_name("games.jsonl").read_text().splitlines()) == 1 + 12


def test_a_file_of_something_else_is_not_removed(out):
    CALL(out=out)
    out.with_name("games.jsonl").write_text("my thesis")
    with pytest.raises(CheckpointError, match=r"games[.]jsonl is a file, but not a checkpoint"):
        CALL(out=out)
    assert out.with_name("games.jsonl").read_text() == "my thesis"
