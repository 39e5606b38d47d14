"""Writing files: paths, full disks, links, pipes and devices."""

import json
import os
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest
from disks import posix
from forging import packed

from c4mcts import Board, Engine, Rules, SearchParams, UctParams, _files, selfplay

ENGINE = Engine(SearchParams.preset("uct"), seed=1)
ENGINE.search(Board(Rules(5, 4)), simulations=50)
GAMES = selfplay.generate(3, SearchParams.preset("uct"), start=Board(Rules(5, 4)), simulations=10, seed=1)
CALLS = [
    pytest.param(call, id=name)
    for name, call in {
        "save": ENGINE.save,
        "load": Engine.load,
        "save games": GAMES.save,
        "load games": selfplay.load,
    }.items()
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


def loads(path):
    """Whether the saved engine can be loaded from a path."""
    return np.array_equal(Engine.load(path).tree(), ENGINE.tree())


# where it is written


@pytest.mark.parametrize("name", ["x", "engine.c4", pytest.param("x" * 255, marks=posix)])
def test_the_name_is_taken_as_it_is(tmp_path, name):
    for _ in range(2):
        ENGINE.save(tmp_path / name)
        ENGINE.save(str(tmp_path / name))
        assert [file.name for file in tmp_path.iterdir()] == [name]
        assert loads(tmp_path / name)


@posix
@pytest.mark.parametrize(("mode", "while_written"), [(0o600, 0o600), (0o666, 0o600), (None, 0o644)])
def test_what_is_being_written_is_private_as_the_old_file_is(path, mode, while_written):
    """A new file has the mode of any; the one that replaces another may not be read by more people meanwhile."""
    if mode is not None:
        path.touch()
        path.chmod(mode)
    before = os.umask(0o022)
    try:
        with _files.replacing(str(path)) as file:
            file.write(b"x")
            assert stat.S_IMODE(os.stat(file.name).st_mode) == while_written
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == (mode or while_written)


@posix
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_one(tmp_path, exists):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    if exists:
        target.write_bytes(b"old")
    link.symlink_to("there/target")
    ENGINE.save(link)
    assert link.is_symlink()
    assert loads(target)
    assert not target.is_symlink()
    assert len(list(target.parent.iterdir())) == 1


@posix
def test_a_pipe_stays_one(path):
    expected = packed(ENGINE)
    os.mkfifo(path)
    writer = threading.Thread(target=ENGINE.save, args=[path])
    writer.start()
    assert path.read_bytes() == expected
    writer.join()
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert len(list(path.parent.iterdir())) == 1


@posix
def test_devices_stay_what_they_are(monkeypatch):
    monkeypatch.delattr(os, "replace")  # a mistake must not cost the machine its device, if root tests
    ENGINE.save("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    if os.path.exists("/dev/full"):
        with pytest.raises(OSError, match="No space left"):
            ENGINE.save("/dev/full")


@posix
def test_standard_output_is_written_to(path):
    code = "import os; del os.replace; from c4mcts import Engine; Engine(seed=1).save('/dev/stdout')"
    piped = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout
    path.write_bytes(piped)
    assert Engine.load(path).params == UctParams()
    path.write_bytes(b"before\n")
    with path.open("ab") as file:
        subprocess.run([sys.executable, "-c", f"{code}; print('after')"], stdout=file, check=True)
    assert path.read_bytes() == b"before\n" + piped + b"after\n"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("value", [1, None, b"file"])
def test_only_paths_are_paths(call, value):
    with pytest.raises(TypeError, match=f"path must be a path, a str or an os.PathLike of one, not {value!r}"):
        call(value)
    assert sys.__stdout__ is None or not sys.__stdout__.closed
    os.fstat(1)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("value", ["", "a\0b"])
def test_paths_that_no_file_has(call, value):
    with pytest.raises(ValueError, match="path must be a path that the system can write, not "):
        call(value)


# what others can read


def test_numpy_reads_what_is_saved(path):
    ENGINE.save(path)
    with np.load(path, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["nodes"], ENGINE.tree())
        assert json.loads(str(arrays["about"]))["board"] == ENGINE.board.to_fen()
