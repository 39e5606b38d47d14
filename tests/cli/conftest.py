"""Fixtures of the tests of commands."""

import io
import json
import subprocess
import sys
from functools import partial

import pytest
from schemas import require_valid

from c4mcts.cli import main


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """A function that runs a command line in an empty folder and returns exit code, stdout and stderr.

    typed: what is read from standard input, as text or bytes.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def run(*argv, typed=None):
        if typed is not None:
            data = typed if isinstance(typed, bytes) else typed.encode()
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)), newline="\n"))
        status = main([str(word) for word in argv])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def printed(run):
    """A function that runs a command line as `run` does, in which nothing goes wrong, and returns stdout."""

    def printed(*argv, typed=None):
        status, out, err = run(*argv, typed=typed)
        assert (status, err) == (0, "")
        return out

    return printed


@pytest.fixture
def record(printed):
    """A function that runs a command as `printed` does, with --json; returns the object, which is as the schema says.

    schema: by default the one of the command.
    """

    def record(*argv, schema=None, typed=None):
        found = json.loads(printed(*argv, "--json", typed=typed))
        require_valid(schema or argv[0], found)
        return found

    return record


@pytest.fixture
def failed(run):
    """A function that runs a command line as `run` does, which fails without a result; returns stderr, a line."""

    def failed(*argv, status=2, typed=None):
        found, out, err = run(*argv, typed=typed)
        assert (found, out, err.count("\n")) == (status, "", 1)
        return err

    return failed


@pytest.fixture
def started_server(started):
    """A function that starts a process with pipes for all its text."""
    return partial(started, stdin=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
