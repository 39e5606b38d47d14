"""Folders of self-play that are damaged or forged are refused by one clear line, and left as they are."""

import hashlib
import json
import os
import random
from functools import partial

import numpy as np
import pytest
from counting import Counting
from datasets import ARRAYS, CALL, MORE, content, same
from disks import posix
from forging import mutated_bytes, mutated_json

from c4mcts import Board, CheckpointError, SaveError, selfplay
from c4mcts.selfplay import folder


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


def changed(name, index, value):
    """A function that changes a number of an array, and makes the index agree."""

    def change(out):
        path = out / f"000000-{name}.npy"
        array = np.load(path)
        array[index] = value
        replaced(out, name, array)

    return change


def replaced(out, name, array):
    """Write another array, and make the index agree."""
    np.save(out / f"000000-{name}.npy", array)
    reindexed(out, lambda index: index["shards"][0]["files"].update({name: hashed(out / f"000000-{name}.npy")}))


def hashed(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def reindexed(out, change):
    """Change the index, with a correct hash."""
    index = json.loads((out / "index.json").read_text())
    del index["sha256"]
    change(index)
    (out / "index.json").write_text(json.dumps({**index, "sha256": folder._hash(index)}))


def source(**values):
    return lambda out: reindexed(out, lambda index: index["sources"][0].update(values))


def shard(**values):
    return lambda out: reindexed(out, lambda index: index["shards"][0].update(values))


def index_of(content):
    return lambda out: (out / "index.json").write_bytes(content)


def cut(name, size):
    """A function that cuts a file off, or makes it longer."""

    def change(out):
        data = (out / name).read_bytes()
        (out / name).write_bytes(data[:size] if size < 0 else data + bytes(size))

    return change


def flipped(out):
    data = bytearray((out / "000000-visits.npy").read_bytes())
    data[-1] ^= 1
    (out / "000000-visits.npy").write_bytes(data)


def linked(name):
    """A function that replaces a file by a link to it."""

    def change(out):
        (out / name).rename(out.parent / "elsewhere")
        (out / name).symlink_to(out.parent / "elsewhere")

    return change


def pipe(out):
    (out / "000000-own.npy").unlink()
    os.mkfifo(out / "000000-own.npy")


DATA = CALL()
POLICY = DATA.policy.copy()
SIZES = {  # found also in mapped files: what each does, and the words of the error
    "a missing shard": (lambda out: (out / "000000-q.npy").unlink(), "000000-q.npy is missing"),
    "a missing index": (
        lambda out: (out / "index.json").unlink(),
        "there is no index.json|neither an empty folder .* it has '000000-",
    ),
    "a short file": (cut("000000-q.npy", -1), "000000-q.npy has another size than its header says"),
    "a long file": (cut("000000-q.npy", 1), "000000-q.npy has another size"),
    "an empty file": (lambda out: (out / "000000-q.npy").write_bytes(b""), "000000-q.npy is not a .npy file"),
    "a text": (lambda out: (out / "000000-q.npy").write_bytes(b"no numbers"), "000000-q.npy is not a .npy file"),
    "brackets": (
        lambda out: (out / "000000-q.npy").write_bytes(b"\x93NUMPY\1\0\xff\x0f" + b"(" * 4095),
        "000000-q.npy is not a .npy file",
    ),
    "doubles": (lambda out: replaced(out, "q", DATA.q.astype(float)), "q.npy has the type float64 and the shape"),
    "objects": (lambda out: replaced(out, "q", DATA.q.astype(object)), "q.npy has the type object"),
    "fewer rows": (lambda out: replaced(out, "q", DATA.q[1:]), "q.npy has the type float32 and the shape"),
    "a flat array": (lambda out: replaced(out, "q", DATA.q[0]), "q.npy has the type float32 and the shape"),
    "columns first": (lambda out: replaced(out, "q", np.asfortranarray(DATA.q)), "q.npy is not a .npy file"),
    "a cut index": (cut("index.json", -5), "index.json is not an index"),
    "an empty index": (index_of(b""), "index.json is not an index"),
    "a list": (index_of(b"[]"), "index.json is not an index"),
    "brackets in the index": (index_of(b"[" * 100_000), "index.json is not an index"),
    "no text": (index_of(b"\xff\xfe"), "index.json is not an index"),
    "a number": (index_of(b"3"), "index.json is not an index"),
    "a changed index": (
        lambda out: (out / "index.json").write_text((out / "index.json").read_text().replace('"seed": 7', '"seed": 8')),
        "index.json has been changed",
    ),
    "other work": (lambda out: reindexed(out, lambda index: index.update(experiment="x")), "index.json is of another"),
    "no shards": (lambda out: reindexed(out, lambda index: index.update(shards=[])), "index.json is of another kind"),
    "no sources": (lambda out: reindexed(out, lambda index: index.update(sources=[])), "index.json is of another kind"),
    "shards of text": (lambda out: reindexed(out, lambda index: index.update(shards=["x"])), "json is not an index"),
    "a shard outside": (shard(name="../000000"), "index.json has a shard of other files"),
    "a shard without files": (shard(files={}), "index.json has a shard of other files"),
    "more rows": (shard(rows=10**6), "own.npy has the type uint64 and the shape"),
    "far more rows": (shard(rows=10**30), "rows must be at most"),
    "no rows": (shard(rows=0), "rows must be at least 1"),
    "half a row": (shard(rows=1.5), "index.json is not an index"),
    "no start": (source(board=None), "index.json is not an index|board|FEN"),
    "another start": (source(board="x"), "FEN"),
    "another board": (source(board=Board().to_fen()), "has the type float32 and the shape"),
    "no seed": (source(seed=None), "index.json has a source without a seed"),
    "games of nothing": (source(games=0), "games must be at least 1"),
}
CONTENTS = {  # found where the numbers are read
    "a changed bit": (flipped, "000000-visits.npy has been changed"),
    "another hash": (shard(files=dict.fromkeys(ARRAYS, "0" * 64)), "000000-own.npy has been changed"),
}
LINKS = {
    "a link": (linked("000000-own.npy"), "000000-own.npy is not a regular file"),
    "a linked index": (linked("index.json"), "index.json is not a regular file"),
    "a pipe": (pipe, "000000-own.npy is not a regular file"),
}


def check_refused(out, change, words, calls):
    """After a change, each call raises one clear line, and leaves everything as it is."""
    DATA.save(out)
    change(out)
    before = content(out)
    for call in calls:
        with pytest.raises(SaveError, match=words) as caught:
            call(out)
        assert str(out) in str(caught.value)
        assert "\n" not in str(caught.value)
    assert content(out) == before


def mapped(out):
    selfplay.load(out, mmap=True)


def continued(out):
    CALL(out=out)


@pytest.mark.parametrize("name", SIZES)
def test_damage_that_any_reader_finds(out, name):
    check_refused(out, *SIZES[name], [selfplay.load, mapped, continued])


@pytest.mark.parametrize("name", CONTENTS)
def test_damage_that_a_full_reader_finds(out, name):
    check_refused(out, *CONTENTS[name], [selfplay.load, continued])


def test_no_mutant_of_a_folder_does_any_harm(out):
    chance, refused = random.Random(1), 0
    DATA.save(out)
    good = content(out)
    for _ in range(300):
        name = chance.choice(ARRAYS)
        path = out / f"000000-{name}.npy"
        if chance.random() < 0.5:
            mutate = mutated(chance)
            reindexed(out, mutate)
        else:
            path.write_bytes(mutated_bytes(good[path], chance))
            reindexed(out, lambda index, name=name, path=path: index["shards"][0]["files"].update({name: hashed(path)}))
        for mmap in (False, True):
            try:
                data = selfplay.load(out, mmap=mmap)
                assert len(data) == len(DATA)
                assert len(data.planes) == len(data)
            except SaveError:
                refused += 1
        for file in (path, out / "index.json"):
            file.write_bytes(good[file])
    assert refused > 150


def mutated(chance):
    """A function that replaces a part of an index."""

    def change(index):
        found = mutated_json(index, chance)
        if isinstance(found, dict):
            index.update(found)

    return change


@posix
@pytest.mark.parametrize("name", LINKS)
def test_links_and_pipes_are_refused(out, name):
    check_refused(out, *LINKS[name], [selfplay.load, mapped])


STRANGE = {  # what a stranger may have put in the place of a file that is written next
    "a link": lambda path, target: path.symlink_to(target),
    "a link to nothing": lambda path, target: path.symlink_to(target.with_name("nothing")),
    "a link to a device": lambda path, target: path.symlink_to("/dev/full"),
    "a pipe": lambda path, target: os.mkfifo(path),
    "a folder": lambda path, target: path.mkdir(),
}


@posix
@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("name", ["000001-own.npy", "index.json", "c4mcts-0f.part"])
def test_nothing_is_written_through_a_link(out, kind, name):
    DATA.save(out)
    target = out.parent / "thesis.txt"
    target.write_text("my thesis")
    (out / name).unlink(missing_ok=True)
    STRANGE[kind](out / name, target)
    before = content(out.parent)
    with Counting() as executor:
        for call in (partial(MORE, executor=executor, out=out), partial(DATA.save, out)):
            with pytest.raises(SaveError, match=f"{name} is not a regular file"):
                call()
        assert executor.jobs == 0, "it is refused before the work"
    assert content(out.parent) == before
    assert not os.path.lexists(out.parent / "nothing")


@posix
@pytest.mark.parametrize("kind", STRANGE)
def test_no_checkpoint_is_written_through_a_link(out, kind):
    target = out.parent / "empty.txt"
    target.touch()
    STRANGE[kind](out.with_name("games.jsonl"), target)
    with pytest.raises(CheckpointError, match=r"games[.]jsonl can't be continued: games.jsonl is not a regular file"):
        CALL(out=out)
    assert target.read_bytes() == b""
    assert not out.exists()
    assert not os.path.lexists(out.parent / "nothing")


@posix
def test_a_link_that_appears_in_the_last_moment_is_not_followed(out, monkeypatch):
    """Between the check of the names and the writing."""
    target = out.parent / "thesis.txt"
    target.write_text("my thesis")
    header = folder._npy

    def linked_meanwhile(values):
        if not os.path.lexists(out / "000000-own.npy"):
            (out / "000000-own.npy").symlink_to(target)
        return header(values)

    monkeypatch.setattr(folder, "_npy", linked_meanwhile)
    with pytest.raises(SaveError, match=r"000000-own[.]npy is not a regular file"):
        DATA.save(out)
    assert target.read_text() == "my thesis"


@pytest.mark.parametrize("name", ["file", "foreign"])
def test_what_is_no_folder_of_games_is_left_alone(tmp_path, name):
    path = tmp_path / name
    if name == "file":
        path.write_bytes(b"a text")
        words = "file holds no games of self-play, or is damaged: it is not a folder"
    else:
        path.mkdir()
        (path / "thesis.txt").write_bytes(b"a text")
        words = "foreign is neither an empty folder nor one with games of self-play: it has 'thesis.txt'"
    before = content(tmp_path)
    for call in (partial(CALL, out=path), partial(DATA.save, path)):
        with pytest.raises(SaveError, match=words):
            call()
    with pytest.raises(SaveError, match=f"{name} holds no games of self-play"):
        selfplay.load(path)
    assert content(tmp_path) == before


def test_an_empty_folder_is_filled(out):
    out.mkdir()
    assert same(CALL(out=out), selfplay.load(out))


def test_a_folder_that_was_only_begun_has_no_games_and_is_filled(out):
    out.mkdir()
    folder._write_index(out, [], [])
    with pytest.raises(SaveError, match="games holds no games of self-play, or is damaged: it has none yet"):
        selfplay.load(out)
    assert same(CALL(out=out), selfplay.load(out))


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        selfplay.load(tmp_path / "none")


def test_a_parent_that_is_not_there_is_an_error_before_the_work(tmp_path):
    with Counting() as executor:
        with pytest.raises(FileNotFoundError):
            CALL(out=tmp_path / "none" / "games", executor=executor)
        assert executor.jobs == 0
