"""The command line with closed or full streams, with invalid text, and with unusual terminals."""

import errno
import io
import os
import signal
import subprocess
import sys
from importlib import import_module

import pytest

from c4mcts import cli
from c4mcts.cli import leave, main

BINARY = b"44\n\xff\xfe\x00\n4453\n"


@pytest.fixture
def said(capsys):
    """A function that returns the text written to standard error since its last call."""
    return lambda: capsys.readouterr().err


def text(data=b"", encoding="utf-8", errors="strict"):
    return io.TextIOWrapper(io.BytesIO(data), encoding=encoding, errors=errors)


def printed(stream):
    stream.flush()
    return stream.buffer.getvalue().decode(stream.encoding)


class Broken(io.StringIO):
    """A stream that refuses all output."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, text):
        raise self.error


FULL = OSError(errno.ENOSPC, "No space left on device")


# streams


@pytest.mark.parametrize(
    "argv",
    [
        ["info"],
        ["info", "--json"],
        ["--help"],
        ["--version"],
        ["solve", "44", "--nodes", "9"],
        ["analyze", "--simulations", "9"],
        ["play"],
        ["perft", "--depth", "1"],
        ["study", "--help"],
    ],
    ids=" ".join,
)
def test_an_output_that_is_closed_or_full_is_a_failure(monkeypatch, said, argv):
    for stream, words in ((None, "standard output is closed"), (Broken(FULL), "No space left on device")):
        monkeypatch.setattr("sys.stdout", stream)
        assert main(argv) == 1
        assert sys.stdout is stream, "it is given back as it was found"
        err = said()
        assert err.startswith("c4mcts: error: ")
        assert err.endswith(f"{words}\n")
        assert err.count("\n") == 1


def test_a_closed_input_is_a_failure(monkeypatch, said):
    monkeypatch.setattr("sys.stdin", None)
    for argv, start, status in (
        (["solve"], "c4mcts: error: ", 1),
        (["play"], "c4mcts: error: ", 1),
        (["analyze", "--start", "-"], "c4mcts: error: ", 1),
    ):
        assert main(argv) == status
        assert said() == f"{start}standard input is closed\n"


def test_without_standard_error_nothing_is_said_and_the_output_stays_clean(monkeypatch, capsys, tmp_path):
    for stream in (None, Broken(FULL), Broken(BrokenPipeError())):
        monkeypatch.setattr("sys.stderr", stream)
        assert main(["solve", "44x"]) == 2
        assert main(["analyze", "99"]) == 2
        assert main(["frobnicate"]) == 2
        assert main(["selfplay", "--games", "1", "--simulations", "2", "--out", str(tmp_path / "games")]) == 0
        assert capsys.readouterr().out.startswith("1 games")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no shell that closes streams")
@pytest.mark.parametrize(
    ("streams", "status", "words"),
    [
        (">&-", 1, "error: standard output is closed"),
        ("<&-", 1, "error: standard input is closed"),
        (">&- <&- 2>&-", 1, ""),
        ("</dev/zero", 2, "a line of standard input has more than 100,000 characters"),
    ],
)
def test_a_process_with_odd_streams(streams, status, words):
    command = f"ulimit -v 8000000 2>/dev/null; exec '{sys.executable}' -W ignore -m c4mcts play {streams}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == status
    assert done.stderr.count("\n") == bool(words)
    assert words in done.stderr


def test_solve_reports_what_is_no_text_and_goes_on(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", text(BINARY))
    assert main(["solve", "--nodes", "1"]) == 2
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ["44", "4453"]
    assert err.startswith("c4mcts solve: line 2: '��\\x00': character ")
    assert err.count("\n") == 1


def test_solve_refuses_a_line_without_an_end(monkeypatch, said):
    monkeypatch.setattr("sys.stdin", text(b"0" * 1_000_000))
    assert main(["solve"]) == 2
    assert said() == "c4mcts solve: line 1: the line has more than 100,000 characters\n"


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_start_position_that_is_no_text(monkeypatch, said, errors):
    monkeypatch.setattr("sys.stdin", text(b"..\xff\n...\n", errors=errors))
    assert main(["analyze", "--start", "-"]) == 2
    assert said() == "c4mcts analyze: error: --start -: it is not UTF-8 text\n"


def test_a_name_that_cannot_be_written_is_escaped(monkeypatch, said, tmp_path):
    file = tmp_path / "übung"
    file.write_text("7/7/7/7/7/2xo3 x 7x6x4", encoding="ascii")
    stdout = text(encoding="ascii")
    monkeypatch.setattr("sys.stdout", stdout)
    assert main(["solve", "--no-book", "--nodes", "1", "--start", str(file)]) == 0
    assert "\\xfcbung ?" in printed(stdout)
    assert stdout.errors == "strict"
    assert said() == ""


# terminals


@pytest.mark.parametrize(
    "size",
    [
        ("0", "0"),
        ("0", "24"),
        ("1", "1"),
        ("2", "24"),
        ("²", "²"),
        ("-5", "x"),
        ("9" * 5000, "24"),
        ("999999999", "24"),
    ],
    ids=lambda size: size[0][:9],
)
@pytest.mark.parametrize("argv", [["analyze", "--simulations", "50"], ["play"], ["--help"]], ids=lambda argv: argv[0])
def test_odd_sizes_of_the_terminal(monkeypatch, capsys, size, argv):
    for name, value in zip(("COLUMNS", "LINES"), size, strict=True):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("sys.stdin", io.StringIO("3\nhint\n"))
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert max(map(len, out.splitlines())) < 5000
    assert os.environ["COLUMNS"] == size[0]


@pytest.mark.parametrize("columns", ["80", "40", "10"])
def test_a_terminal_without_unicode_is_written_to_in_ascii(monkeypatch, said, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("c4mcts.cli.diagnostics.rate", lambda job, amount, repeats: 1e9)
    for argv in (["play", "--level", "1"], ["analyze", "--simulations", "2000"], ["bench"]):
        stdout = text(encoding="ascii")
        monkeypatch.setattr("sys.stdout", stdout)
        monkeypatch.setattr("sys.stdin", io.StringIO("3\nhint\n"))
        assert main(argv) == 0
        assert "\\u" not in printed(stdout)
    assert said() == ""


# the end


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError("unable to allocate"), "there is not enough memory"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
        (UnicodeError("the stream does not start with BOM"), "the stream does not start with BOM"),
    ],
    ids=repr,
)
def test_what_the_system_refuses_is_said_in_a_sentence(monkeypatch, said, error, words):
    def refused():
        raise error

    monkeypatch.setattr("c4mcts.cli.diagnostics.environment", refused)
    assert main(["info"]) == 1
    assert said() == f"c4mcts: error: {words}\n"


def test_control_c_while_the_commands_are_imported(monkeypatch, said):
    class Interrupting:
        def find_spec(self, name, path=None, target=None):
            if name == "c4mcts.cli.commands":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "c4mcts.cli.commands", raising=False)
    monkeypatch.setattr("sys.meta_path", [Interrupting(), *sys.meta_path])
    assert main(["info"]) == 130
    assert said() == ""


def test_control_c_waits_while_the_commands_are_imported(monkeypatch, said):
    class Signalling:
        def find_spec(self, name, path, target=None):
            if name == "c4mcts.cli.commands":
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(cli, "commands", import_module("c4mcts.cli.commands"))  # as it is now again after the test
    monkeypatch.delitem(sys.modules, "c4mcts.cli.commands")
    monkeypatch.setattr("sys.meta_path", [Signalling(), *sys.meta_path])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["info"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert "c4mcts.cli.commands" in sys.modules
    assert said() == ""


def test_a_second_control_c_ends_the_process_at_once(monkeypatch, said):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("c4mcts.cli.diagnostics.environment", interrupted)
    monkeypatch.setattr("sys.argv", ["c4mcts", "info"])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["info"]) == 130
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, "the process is the caller's"
        assert main() == 130
        assert signal.getsignal(signal.SIGINT) is leave
    finally:
        signal.signal(signal.SIGINT, before)
    assert said() == ""
