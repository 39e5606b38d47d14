"""Stores after kills, damage, full disks and use by two processes: no result is lost, and no other file is harmed."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from contextlib import closing

import pytest
from disks import full_disk, posix
from stores import connected, facts_in, put_fact, results_in

from c4mcts import CheckpointError
from c4mcts.executors import store
from c4mcts.executors.store import Store

ARGUMENTS = {"board": "b", "params": {"a": 1, "c": None}, "runs": 20}
RESULTS = {0: [1, 0.25, 0.5], 1: None, 3: {"columns": [1, 2, 3], "policy": "ABCD"}, 7: "result", 8: b"\0\xff"}
HOLDER = """
import sys
from c4mcts.executors.store import Store
with Store(sys.argv[1], "x", {}, 7) as kept:
    kept.add(0, "a")
    print("ready", flush=True)
    sys.stdin.read()
"""
ADDING = """
import sys
from c4mcts.executors.store import Store
with Store(sys.argv[1], "x", {}, 7) as kept:
    first = len(kept.results)
    print(first, flush=True)
    for number in range(first, first + 10**6):
        kept.add(number, "a" * (number % 5000))
        print(number + 1, flush=True)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "checkpoint"


def opened(path, arguments=ARGUMENTS, seed=7):
    return Store(path, "x", arguments, seed)


def read(path, **changes):
    with opened(path, **changes) as kept:
        return kept.results


def refused(path, words=None, **changes):
    """Check that a CheckpointError is raised, and that no file is changed, made or removed."""
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    with pytest.raises(CheckpointError, match=words):
        read(path, **changes)
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before


@pytest.fixture
def written(path):
    with opened(path) as kept:
        for number, result in RESULTS.items():
            kept.add(number, result)
    return path


def test_what_is_kept_is_found(written):
    assert read(written) == results_in(written) == RESULTS
    assert os.listdir(written.parent) == [written.name]


def test_without_a_path_it_is_in_memory():
    with opened(None) as kept:
        kept.add(3, "a")
        kept.update({4: b"b", 3: "c"})
        assert kept.results == {3: "c", 4: b"b"}
        assert (kept.path, kept.seed) == (None, 7)
        kept.remove()


def test_a_result_can_be_replaced(written):
    with opened(written) as kept:
        kept.update({0: "new", 9: "more"})
    assert read(written) == {**RESULTS, 0: "new", 9: "more"}


def test_removed_it_is_gone(written):
    with opened(written) as kept:
        kept.add(9, "more")
        kept.remove()
    assert os.listdir(written.parent) == []


def test_seeds(path):
    with opened(path, seed=None) as kept:
        drawn = kept.seed
    for seed in (None, drawn):
        with opened(path, seed=seed) as kept:
            assert kept.seed == drawn
    refused(path, f"seed is {drawn} there, {drawn + 1} here", seed=drawn + 1)


def test_it_pins_a_format_and_the_signature_but_no_release(written, monkeypatch):
    pinned = {"format": store.FORMAT, "signature": store.SIGNATURE}
    assert facts_in(written) == {**pinned, "experiment": "x", **ARGUMENTS, "seed": 7}
    monkeypatch.setattr(store, "SIGNATURE", "0123456789abcdef")
    refused(written, f"signature is {pinned['signature']!r} there, '0123456789abcdef' here")
    monkeypatch.undo()
    monkeypatch.setattr(store, "FORMAT", 0)
    refused(written, f"format is {pinned['format']} there, 0 here")


@pytest.mark.parametrize(
    ("there", "here", "words"),
    [
        ({"a": None}, {}, "a is None there, missing here"),
        ({}, {"a": None}, "a is missing there, None here"),
        ({"p": {"a": None}}, {"p": {}}, "p: a is None there, missing here"),
        ({"p": {"q": {"a": 1}}}, {"p": {"q": {"a": 2}}}, "p: q: a is 1 there, 2 here"),
        ({"p": {"a": 1}}, {"p": 3}, "p is missing there, 3 here"),
    ],
)
def test_the_difference_is_named(path, there, here, words):
    read(path, arguments=there)
    refused(path, f"checkpoint .* holds another experiment: {words}; delete it, or choose another name", arguments=here)


# killed, and full disks


def test_kill_9_at_any_moment_loses_nothing(path):
    chance = random.Random(1)
    known = 0
    for _ in range(6):
        argv = [sys.executable, "-c", ADDING, str(path)]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
            assert int(process.stdout.readline()) >= known
            time.sleep(chance.uniform(0, 0.1))
            process.kill()
            known = max([known, *(int(line) for line in process.stdout if line.endswith("\n"))])
        assert len(read(path, arguments={})) in (known, known + 1)
        assert os.listdir(path.parent) == [path.name], "what a killed process leaves is removed by the next"
    assert known > 0
    assert read(path, arguments={})[known - 1] == "a" * ((known - 1) % 5000)


def test_an_exception_among_several_results_keeps_none(written):
    with opened(written) as kept:
        with pytest.raises(TypeError):
            kept.update({20: "a", 21: object()})
        assert kept.results == RESULTS
        kept.add(22, "b")
    assert read(written) == {**RESULTS, 22: "b"}


@posix
def test_a_full_disk_is_an_error_and_what_comes_after_is_kept(path):
    with opened(path) as kept:
        kept.add(0, "abcdefgh")
        with full_disk(path.stat().st_size), pytest.raises(OSError, match=str(path)):
            kept.add(1, "abcdefgh" * 1000)
        assert list(kept.results) == [0]
        kept.add(2, "abcdefgh")
    assert read(path) == {0: "abcdefgh", 2: "abcdefgh"}


@posix
def test_a_full_disk_at_the_beginning(path):
    with full_disk(9), pytest.raises(OSError, match=str(path)):
        read(path)
    assert path.read_bytes() == b""
    assert read(path) == {}


def test_where_nothing_can_be_written(path):
    with opened(path) as kept:
        kept._database.execute("PRAGMA query_only = ON")
        with pytest.raises(PermissionError, match=f"readonly database: '{path}'"):
            kept.add(0, "a")
        assert kept.results == {}


def test_too_little_memory_is_no_damage(written, monkeypatch):
    def no_memory(_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(store.json, "loads", no_memory)
        with pytest.raises(MemoryError):
            opened(written).__enter__()
    assert read(written) == RESULTS


# two at once


def test_two_calls_at_once(path):
    with opened(path) as kept:
        kept.add(0, "a")
        with pytest.raises(CheckpointError, match=r"checkpoint .* is in use, by another process or call"):
            read(path)
        kept.add(1, "b")
    assert read(path) == {0: "a", 1: "b"}


def test_two_processes_at_once(path):
    argv = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        for _ in range(2):  # a call that is refused does not release the lock
            refused(path, "is in use", arguments={})
        process.kill()
        process.wait()
    assert read(path, arguments={}) == {0: "a"}


@posix
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_does_not_hold_the_file(path):
    """A forked child, like a worker of a process pool whose parent is killed."""
    with opened(path) as kept:
        child = os.fork()
        if not child:
            time.sleep(60)
            os._exit(0)
        kept.add(0, "a")
    assert read(path) == {0: "a"}
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


# files of something else, and damaged ones


@pytest.mark.parametrize(
    "content", [b"a text\n", b'{"a": 1}\n', b"PK\3\4" + bytes(9999), b"SQLite format 3\0" + bytes(9999)]
)
def test_a_file_that_is_something_else_stays_as_it_is(path, content):
    path.write_bytes(content)
    refused(path, "checkpoint .* is damaged, or is something else: file is not a database")


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE notes (text)",
        "CREATE TABLE facts (name, value)",
        "CREATE VIEW jobs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n",
    ],
)
def test_a_database_of_something_else_stays_as_it_is(path, script):
    with closing(sqlite3.connect(path)) as database:
        database.execute(script)
    refused(path, "it has other tables")


def test_no_code_of_a_file_runs(written):
    with connected(written) as database:
        database.execute("CREATE TRIGGER t AFTER INSERT ON jobs BEGIN DELETE FROM jobs; END")
    refused(written, "it has other tables")


def test_an_empty_file_is_a_beginning(path):
    path.touch()
    assert read(path) == {}
    assert facts_in(path)["experiment"] == "x"


@pytest.mark.parametrize("name", ["journal", "wal"])
def test_files_of_others_beside_it_stay(written, name):
    """SQLite removes files of these names."""
    other = written.with_name(f"checkpoint-{name}")
    other.write_text("of a magazine")
    refused(written, f"SQLite would remove .*checkpoint-{name}, which is not its own")
    written.unlink()
    refused(written, f"SQLite would remove .*checkpoint-{name}, which is not its own")


@pytest.mark.parametrize("sql", ["UPDATE jobs SET result = ?", "UPDATE facts SET value = ? WHERE name = 'seed'"])
@pytest.mark.parametrize("value", [None, 3, "", "[", "[" * 10**5, "9" * 5000, b"\xff"], ids=range(7))
def test_what_is_no_json_is_damage(written, sql, value):
    if isinstance(value, bytes) and "jobs" in sql:
        sql = sql.replace("?", "CAST(? AS TEXT)")
    with connected(written) as database:
        database.execute(sql, (value,))
    refused(written, "is damaged, or is something else")


@pytest.mark.parametrize("value", [None, -1, "x", [[]]])
def test_a_seed_that_is_none(written, value):
    put_fact(written, "seed", value)
    refused(written, "is damaged, or is something else|seed is None there", seed=None)


def test_damaged_bytes(written):
    """SQLite finds damage of its pages, though not of every text in them."""
    whole, chance, found = written.read_bytes(), random.Random(1), 0
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 4, 64])):
            damaged[chance.randrange(len(whole))] = chance.randrange(256)
        written.write_bytes(damaged[: chance.choice([None, None, chance.randrange(len(whole))])])
        before = written.read_bytes()
        try:
            read(written)
        except CheckpointError:
            found += 1
            assert written.read_bytes() == before
    assert found > 100


# paths


@pytest.mark.parametrize("value", [1, True, 1.5, b"checkpoint", [], object()])
def test_only_paths_are_paths(value):
    with pytest.raises(TypeError, match=r"checkpoint must be a path, a str or an os[.]PathLike of one, not "):
        opened(value)


@pytest.mark.parametrize("name", [":memory:", "file:x?mode=memory", "ü", "a b"])
def test_the_name_is_taken_as_it_is(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with opened(name) as kept:
        kept.add(0, "a")
    assert os.listdir() == [name]
    assert read(name) == {0: "a"}


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="none"):
        read(tmp_path / "none" / "file")


@posix
def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for path in (tmp_path / "pipe", tmp_path / "link", tmp_path, "/dev/null"):
        with pytest.raises(CheckpointError, match=r"can't be used: .* is not a regular file"):
            read(path)
    assert not (tmp_path / "file").exists()


def test_a_call_that_fails_leaves_nothing_open(written):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        refused(written, seed=8)
    assert read(written) == RESULTS
