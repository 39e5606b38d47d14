"""Forged archives are refused, with little memory, or load as valid data."""

import io
import struct
import tracemalloc
import zipfile
from contextlib import contextmanager

import numpy as np
import pytest
from forging import members, npy, packed, with_about, with_members, zipped

from c4mcts import Board, Book, Engine, Rules, SaveError, UctParams, _archives
from c4mcts.search.tree import EngineTree
from c4mcts.solver.static_function import static_arrays

ENGINE = Engine(UctParams.preset("uct", max_nodes=1000), seed=1)
ENGINE.search(Board(Rules(5, 4)), simulations=50)
DATA = packed(ENGINE)
ABOUT = np.load(io.BytesIO(DATA))["about"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


@contextmanager
def little_memory(most=8 << 20):
    """Check that loading never takes more memory than this, no matter what sizes a file claims."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def lying(shape, kind="<u8", content=bytes(100)):
    """An archive whose member claims a wrong size."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": kind, "fortran_order": False, "shape": shape})
    return buffer.getvalue() + content


def relabelled(data, offset, layout, value):
    """The archive with changed numbers in every entry of its directory."""
    changed, place = bytearray(data), data.index(b"PK\1\2")
    while place >= 0:
        struct.pack_into(layout, changed, place + offset, value)
        place = data.find(b"PK\1\2", place + 1)
    return bytes(changed)


def end_changed(data, offset, value):
    """The archive with another number in the record at its end."""
    changed = bytearray(data)
    struct.pack_into("<I", changed, data.rindex(b"PK\5\6") + offset, value)
    return bytes(changed)


ZEROS = np.zeros(1_000_000, ENGINE.tree().dtype)
ARCHIVES = {
    "more nodes than max_nodes": lambda: with_members(DATA, nodes=ZEROS),
    "more of a table than there is": lambda: with_members(DATA, table=np.zeros(2_000_000, "<u8")),
    "a long about": lambda: with_members(DATA, about=np.array(" " * 3_000_000)),
    "about of a list": lambda: with_about(DATA, lambda about: [about]),
    "no characters": lambda: with_members(DATA, about=lying((), "<U1", b"\0\0\0\x80")),
    "rows that are not there": lambda: with_members(DATA, table=lying((1 << 19,))),
    "negative rows": lambda: with_members(DATA, table=lying((-1,))),
    "rows beyond all bounds": lambda: with_members(DATA, table=lying((1 << 61,))),
    "another order": lambda: with_members(DATA, table=npy(np.asfortranarray(np.zeros((2, 2), "<u8")))),
    "another type": lambda: with_members(DATA, table=np.zeros(3)),
    "another version": lambda: with_members(DATA, table=npy(np.zeros(3, "<u8"), (2, 0))),
    "a header without end": lambda: with_members(DATA, table=b"\x93NUMPY\2\0\xff\xff\xff\x7f" + bytes(20_000_000)),
    "a header cut off": lambda: with_members(DATA, table=b"\x93NUMPY\1\0\x20\0" + b"{'descr': ('<u8'" + b" " * 16),
    "an object": lambda: with_members(DATA, table=npy(np.array([print], object))),
    "no nodes": lambda: zipped({name: data for name, data in members(DATA).items() if name != "nodes.npy"}),
    "bzip2": lambda: zipped(members(DATA), zipfile.ZIP_BZIP2),
    "of unknown compression": lambda: relabelled(DATA, 10, "<H", 77),
    "encrypted": lambda: relabelled(DATA, 8, "<H", 1),
    "outside the file": lambda: relabelled(DATA, 42, "<I", 1 << 30),
    "larger than it is": lambda: relabelled(DATA, 24, "<I", 0x7FFFFFFF),
    "a directory larger than the file": lambda: end_changed(DATA, 12, 0xFFFFFF00),
}


BIG = 1 << 23  # rows whose zeros take 128 MB and are compressed to 130 KB
BOARDS = np.zeros(1, "<u8")


def test_a_small_file_with_many_nodes_is_refused_before_they_are_in_memory(path):
    large = with_about(DATA, lambda about: {**about, "params": {**about["params"], "max_nodes": 1 << 30}})
    path.write_bytes(with_members(large, nodes=np.zeros(BIG, ENGINE.tree().dtype)))
    assert path.stat().st_size < 1 << 20
    with little_memory(), pytest.raises(SaveError, match="this is not a saved c4mcts engine, or it is damaged"):
        Engine.load(path)


def test_a_large_tree_is_read(path, monkeypatch):
    """The nodes of a wide board are compressed best, since most of them have no visits."""
    monkeypatch.setattr(_archives, "LARGE", 100)
    for params, board in ((UctParams(probes=False), Board()), (UctParams.preset("uct"), Board(Rules(64, 64)))):
        engine = Engine(params, seed=1)
        engine.search(board, simulations=2_000)
        engine.save(path)
        assert np.array_equal(Engine.load(path).tree(), engine.tree())


FUNCTION = static_arrays(np.arange(3, dtype=np.uint64), np.array([0, 1, 1], np.int8))._asdict()


def book(**arrays):
    """A book with these arrays."""
    about = {"kind": "book", "format": 2, "rules": [4, 4, 4, True], "plies": 2, "count": 3}
    lines = {"line_own": BOARDS[:0], "line_mask": BOARDS[:0], "line_scores": np.zeros(0, "i1")}
    return _archives.pack({**about, **arrays.pop("about", {})}, {**FUNCTION, **lines, **arrays})


ZERO_ROWS = np.zeros((64 << 20) // 8 + 1, "<u8")
BOOKS = {
    "words beyond all bounds": lambda: with_members(book(), words=lying((1 << 40,))),
    "words of zeros": lambda: book(words=ZERO_ROWS),
    "shards of zeros": lambda: book(shards=np.zeros(1 << 25, np.uint16)),
    "lines beyond all bounds": lambda: with_members(book(), line_own=lying((1 << 40,))),
    "lines of other lengths": lambda: book(line_own=BOARDS, line_mask=BOARDS[:0]),
}


@pytest.mark.parametrize("name", BOOKS)
def test_forged_books(name, path):
    path.write_bytes(book())
    assert len(Book.load(path)) == 3
    path.write_bytes(BOOKS[name]())
    with little_memory(), pytest.raises(SaveError):
        Book.load(path)


@pytest.mark.parametrize("name", ARCHIVES)
def test_forged_archives(name, path):
    path.write_bytes(ARCHIVES[name]())
    with little_memory(), pytest.raises(SaveError):
        Engine.load(path)


def test_more_than_there_is_of_memory(path, monkeypatch):
    """A valid file that needs more memory than this machine has."""
    path.write_bytes(DATA)

    def no_memory(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(np, "empty", no_memory)
        with pytest.raises(SaveError, match="it needs more memory than there is"):
            Engine.load(path)
    monkeypatch.setattr(EngineTree, "_restore_nodes", no_memory)
    with pytest.raises(SaveError, match="the saved engine needs more memory than there is"):
        Engine.load(path)


def test_an_error_of_the_disk_is_told_as_it_is(path, monkeypatch):
    path.write_bytes(DATA)

    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(zipfile.ZipFile, "open", broken)
    with pytest.raises(OSError, match="Input/output error"):
        Engine.load(path)
