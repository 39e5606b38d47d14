"""Fixtures of the tests of commands."""

import contextlib
import io
import subprocess
import sys

import pytest

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
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        status = main([str(word) for word in argv])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def started_server():
    """A function that starts a process with pipes for all its text; it is killed at the end if it still runs."""
    processes = []

    def start(*command):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        processes.append(subprocess.Popen(command, text=True, encoding="utf-8", **pipes))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
