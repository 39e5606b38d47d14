"""Checkpoints after kills, damage, full disks and use by two processes: no result is lost, none is made up."""

import json
import os
import random
import subprocess
import sys
import time
import warnings
import zlib

import pytest
from c4mcts.executors.checkpoint import Checkpoint
from disks import FULL, full_disk, posix

from c4mcts import CheckpointError
from c4mcts.executors import checkpoint

ARGUMENTS = {"board": "b", "params": {"a": 1, "c": None}, "runs": 20}
RESULTS = {3: {"columns": [1, 2, 3], "policy": "ABCD"}, 0: [1, 0.25, 0.5], 7: "result", 1: None}
HOLDER = """
import sys
from c4mcts.executors.checkpoint import Checkpoint
with Checkpoint(sys.argv[1], "x", {}, 7) as kept:
    kept.add(0, "a")
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "checkpoint"


def opened(path, arguments=ARGUMENTS, seed=7):
    return Checkpoint(path, "x", arguments, seed)


def read(path, **changes):
    with opened(path, **changes) as kept:
        return kept.results


def refused(path, words=None, **changes):
    """Check that a CheckpointError is raised and the file is not changed."""
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=words):
        read(path, **changes)
    assert path.read_bytes() == before


@pytest.fixture
def written(path):
    with opened(path) as kept:
        for index, result in RESULTS.items():
            kept.add(index, result)
    return path


def test_what_is_kept_is_found(written):
    assert read(written) == RESULTS
    for line in written.read_text().splitlines():
        assert len(json.loads(line)[-1]) == 8


def test_it_pins_a_format_and_the_signature_but_no_release(written, monkeypatch):
    header, _ = json.loads(written.read_text().splitlines()[0])
    pinned = {"format": 2, "signature": checkpoint.SIGNATURE}
    assert header == {**pinned, "experiment": "x", **ARGUMENTS, "seed": 7}
    monkeypatch.setattr(checkpoint, "SIGNATURE", "0123456789abcdef")
    refused(written, f"signature is {header['signature']!r} there, '0123456789abcdef' here")
    monkeypatch.undo()
    monkeypatch.setattr(checkpoint, "FORMAT", 3)
    refused(written, "format is 2 there, 3 here")


@pytest.mark.parametrize(
    ("there", "here", "words"),
    [
        ({"a": None}, {}, "a is None there, missing here"),
        ({}, {"a": None}, "a is missing there, None here"),
        ({"p": {"a": None}}, {"p": {}}, "p: a is None there, missing here"),
        ({"p": {"q": {"a": 1}}}, {"p": {"q": {"a": 2}}}, "p: q: a is 1 there, 2 here"),
        ({"p": {"a": 1}}, {"p": 3}, r"p is \{'a': 1\} there, 3 here"),
    ],
)
def test_the_difference_is_named(path, there, here, words):
    read(path, arguments=there)
    refused(path, words, arguments=here)


# killed


def test_killed_at_any_byte_it_goes_on(written):
    whole = written.read_bytes()
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole)):
        written.write_bytes(whole[:length])
        complete = sum(end < length for end in ends)
        with opened(written) as kept:
            assert list(kept.results) == list(RESULTS)[: max(0, complete - 1)]
            kept.add(9, "more")
        assert read(written) == {**dict(list(RESULTS.items())[: max(0, complete - 1)]), 9: "more"}


# full disks


@posix
def test_a_full_disk_is_an_error_and_what_comes_after_is_kept(path):
    with opened(path) as kept:
        kept.add(0, "abcdefgh")
        before = path.read_bytes()
        with full_disk(len(before) + 9), pytest.raises(OSError, match=FULL):
            kept.add(1, "abcdefgh")
        assert path.read_bytes() == before
        assert list(kept.results) == [0]
        kept.add(2, "abcdefgh")
    assert read(path) == {0: "abcdefgh", 2: "abcdefgh"}


class Full:
    """A file on a disk that accepts only a few more bytes, and whose truncate fails."""

    def __init__(self, file, left):
        self.file, self.left = file, left
        self.seek, self.read, self.close = file.seek, file.read, file.close

    def write(self, data):
        if not self.left:
            raise OSError(28, "No space left on device")
        written = self.file.write(bytes(data[: self.left]))
        self.left -= written
        return written

    def truncate(self, size):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("left", [0, 1, 9, 20])
def test_a_disk_on_which_nothing_works_any_more(path, left):
    with opened(path) as kept:
        kept.add(0, "a")
        file, kept._file = kept._file, Full(kept._file, left)
        with pytest.raises(OSError, match="No space"):
            kept.add(1, "a long result, of which only a part is written")
        kept._file = file
        kept.add(2, "b")
    assert read(path) == {0: "a", 2: "b"}


@posix
def test_a_full_disk_at_the_first_line(path):
    with full_disk(9), pytest.raises(OSError, match=FULL):
        read(path)
    assert path.read_bytes() == b""
    assert read(path) == {}


def test_ctrl_c_at_any_line(path):
    """A result is kept in the file and in memory, or in neither; it is kept if its line was written."""
    chances, ends = 0, set()
    for line in range(1, 40):
        path.unlink(missing_ok=True)
        with opened(path) as kept:
            kept.add(0, "a")
            lines = iter(range(line, -1, -1))

            def trace(frame, event, _, lines=lines):
                if event == "line" and frame.f_code.co_name in ("add", "_write") and next(lines, 1) == 0:
                    raise KeyboardInterrupt
                return trace

            before = sys.gettrace()
            sys.settrace(trace)
            try:
                kept.add(1, "b")
            except KeyboardInterrupt:
                chances += 1
            finally:
                sys.settrace(before)
            found = dict(kept.results)
        assert read(path) == found
        ends.add(len(found))
    assert chances >= 8
    assert ends == {1, 2}


# two at once


def test_two_calls_at_once(path):
    with opened(path) as kept:
        kept.add(0, "a")
        refused(path, "checkpoint .* is in use, by another process or call")
        kept.add(1, "b")
    assert read(path) == {0: "a", 1: "b"}


def test_two_processes_at_once(path):
    argv = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        refused(path, "is in use", arguments={})
        process.kill()
        process.wait()
    assert read(path, arguments={}) == {0: "a"}


@posix
def test_a_file_that_is_removed_before_it_is_locked_is_made_again(path, monkeypatch):
    """Whoever had it may remove it after another call has opened it, and before that call has locked it."""
    lock, calls = checkpoint.fcntl.flock, []

    def after_its_removal(*arguments):
        calls.append(arguments)
        if len(calls) == 1:
            path.unlink()
        lock(*arguments)

    monkeypatch.setattr(checkpoint.fcntl, "flock", after_its_removal)
    with opened(path) as kept:
        kept.add(0, "a")
        assert len(calls) == 2
    assert read(path) == {0: "a"}


@posix
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_does_not_hold_the_file(path):
    """A forked child, like a worker of a process pool whose parent is killed."""
    with opened(path) as kept:
        ready, tell = os.pipe()
        child = os.fork()
        if not child:
            os.write(tell, b"x")
            time.sleep(60)
            os._exit(0)
        os.read(ready, 1)
        kept.add(0, "a")
    assert read(path) == {0: "a"}
    os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(ready)
    os.close(tell)


def test_where_nothing_can_be_locked_it_warns(written, monkeypatch):
    def no_locks(*_):
        raise OSError(checkpoint.NO_LOCKS[0], "No locks available")

    monkeypatch.setattr(*(checkpoint.msvcrt, "locking") if os.name == "nt" else (checkpoint.fcntl, "flock"), no_locks)
    with pytest.warns(RuntimeWarning, match="can't be locked on this file system: use it in one process only"):
        assert read(written) == RESULTS


# damage


def test_every_damaged_byte_is_found(written):
    whole = written.read_bytes()
    last = whole.rindex(b"\n", 0, -1)  # behind it a damaged byte may be the end of a line that was cut off
    chance = random.Random(1)
    for place in range(last + 1):
        for value in (whole[place] ^ 1 << chance.randrange(8), chance.choice(b'0,"[]{} \n\r\0')):
            damaged = bytearray(whole)
            damaged[place] = value
            written.write_bytes(damaged)
            if bytes(damaged) != whole:
                refused(written)


def test_lines_in_other_places(written, tmp_path):
    lines = written.read_bytes().splitlines(keepends=True)
    other = tmp_path / "other"
    with opened(other, seed=8) as kept:
        kept.add(5, "other")
    foreign = other.read_bytes().splitlines(keepends=True)
    for mixed, words in (
        ([*lines, lines[2]], "damaged: line 6 is not a result"),
        ([*lines, lines[0]], "damaged: line 6 is not a result"),
        ([*lines, foreign[1]], "damaged: line 6 is not a result"),
        ([foreign[0], *lines[1:]], "seed is 8 there, 7 here"),
        (lines[1:], "not a checkpoint of an experiment"),
        ([lines[0], b"\n", *lines[1:]], "damaged: line 2 is not a result"),
    ):
        written.write_bytes(b"".join(mixed))
        refused(written, words)


def line(content, start=0):
    return b'[%s,"%08x"]\n' % (content, zlib.crc32(content, start))


HEADER = {**checkpoint.facts_of("x", ARGUMENTS), "seed": 7}


@pytest.mark.parametrize("change", [{"seed": None}, {"seed": -1}, {"seed": "x"}, {"seed": [[]]}, {"board": 3}])
def test_forged_first_lines(path, change):
    path.write_bytes(line(json.dumps({**HEADER, **change}, separators=(",", ":")).encode()))
    refused(path)
    refused(path, seed=None)


@pytest.mark.parametrize(
    "content",
    [b"", b"1", b"1,2,3", b'"x",2', b"-1,2", b"1.5,2", b"true,2", b"1," + b"[" * 10**5, b"1," + b"9" * 5000, b"\xff,1"],
    ids=range(10),
)
def test_forged_lines(path, content):
    first = line(json.dumps(HEADER, separators=(",", ":")).encode())
    path.write_bytes(first + line(content, zlib.crc32(first)))
    refused(path, "is damaged")
    path.write_bytes(line(b'{"format":' + content))
    refused(path)


# paths


@pytest.mark.parametrize("value", [1, True, 1.5, b"checkpoint", [], object()])
def test_only_paths_are_paths(value):
    with pytest.raises(TypeError, match=r"checkpoint must be a path, a str or an os[.]PathLike of one, not "):
        opened(value)


@posix
def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for path in (tmp_path / "pipe", tmp_path / "link", tmp_path, "/dev/null"):
        with pytest.raises(CheckpointError, match=r"can't be continued: .* is not a regular file"):
            read(path)
    assert not (tmp_path / "file").exists()


def test_a_call_that_fails_leaves_nothing_open(written):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        refused(written, seed=8)
    assert read(written) == RESULTS
