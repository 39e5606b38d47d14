"""Stores after kills, damage, full disks and use by two processes: no result is lost, and no other file is harmed."""

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from disks import full_disk, posix
from stores import connected, facts_in, results_in

from c4mcts import CheckpointError
from c4mcts.executors import store
from c4mcts.executors.store import Store

ARGUMENTS = {"board": "b", "params": {"a": 1, "c": None}, "runs": 20}
RESULTS = {0: [1, 0.25, 0.5], 1: None, 3: {"columns": [1, 2, 3], "policy": "ABCD"}, 7: "result", 8: b"\0\xff"}
ADDING = """
import sys
from c4mcts.executors.store import Store
with Store(sys.argv[1], "x", {}, 7) as kept:
    first = len(kept.results)
    print(first, flush=True)
    for number in range(first, first + 10**6):
        kept.update({number: "a" * (number % 5000)})
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
            kept.update({number: result})
    return path


def test_what_is_kept_is_found_replaced_and_removed(written):
    assert read(written) == results_in(written) == RESULTS
    with opened(written) as kept:
        kept.update({0: "new", 9: "more"})
    assert os.listdir(written.parent) == [written.name]
    with opened(written) as kept:
        assert kept.results == {**RESULTS, 0: "new", 9: "more"}
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


def test_kill_9_at_any_moment_loses_nothing(path):
    chance = random.Random(1)
    known = 0
    for _ in range(6):
        argv = [sys.executable, "-c", ADDING, str(path)]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
            assert int(process.stdout.readline()) >= known
            for _ in range(chance.randrange(100)):
                known = int(process.stdout.readline())
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
        kept.update({22: "b"})
    assert read(written) == {**RESULTS, 22: "b"}


@posix
def test_a_full_disk_is_an_error_and_what_comes_after_is_kept(path):
    with full_disk(9), pytest.raises(OSError, match=str(path)):
        read(path)
    with opened(path) as kept:
        kept.update({0: "abcdefgh"})
        with full_disk(path.stat().st_size), pytest.raises(OSError, match=str(path)):
            kept.update({1: "abcdefgh" * 1000})
        assert list(kept.results) == [0]
        kept.update({2: "abcdefgh"})
    assert read(path) == {0: "abcdefgh", 2: "abcdefgh"}


def test_two_calls_at_once(path):
    with opened(path) as kept:
        kept.update({0: "a"})
        for _ in range(2):  # a call that is refused does not release the lock
            with pytest.raises(CheckpointError, match=r"checkpoint .* is in use, by another process or call"):
                read(path)
        kept.update({1: "b"})
    assert read(path) == {0: "a", 1: "b"}


@pytest.mark.parametrize("content", [b"a text\n", b"SQLite format 3\0" + bytes(9999)])
def test_a_file_that_is_something_else_stays_as_it_is(path, content):
    path.write_bytes(content)
    refused(path, "checkpoint .* is damaged, or is something else: file is not a database")


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TRIGGER t AFTER INSERT ON jobs BEGIN DELETE FROM jobs; END",
        "CREATE VIEW jobs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n",
    ],
)
def test_a_database_of_something_else_stays_as_it_is(path, script):
    """No code of it runs."""
    if "TRIGGER" in script:
        read(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(script)
    refused(path, "it has other tables")


@pytest.mark.parametrize("sql", ["UPDATE jobs SET result = '['", "UPDATE facts SET value = '-1' WHERE name = 'seed'"])
def test_what_can_t_be_read_is_damage(written, sql):
    with connected(written) as database:
        database.execute(sql)
    refused(written, "is damaged, or is something else", seed=None)


def test_damaged_bytes(written):
    """SQLite finds damage of its pages, though not of every text in them."""
    whole, chance, found = written.read_bytes(), random.Random(1), 0
    for _ in range(100):
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
    assert found > 30


def test_what_is_no_file(tmp_path):
    with pytest.raises(OSError, match="unable to open database file"):
        read(tmp_path)
    with pytest.raises(FileNotFoundError, match="none"):
        read(tmp_path / "none" / "file")
