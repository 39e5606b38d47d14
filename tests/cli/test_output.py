"""Standard output has the result of a command alone, whatever users' code prints, and however it does so."""

import json
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from c4mcts.cli import COMMANDS, main

# from Python, from a child process, as C code does, and when the process ends
NOISE = """
import atexit, os, subprocess, sys
def shout(text):
    print("NOISE", text)
    os.write(1, b"NOISE written\\n")
    if "LOUD" not in os.environ:  # once, though an exam imports an agent many times
        os.environ["LOUD"] = "yes"
        subprocess.run([sys.executable, "-c", "print('NOISE of a child')"])
shout("of an import")
atexit.register(print, "NOISE at the end")
"""
AGENT = f"""{NOISE}
def agent(observation, configuration):
    print("NOISE of a move")
    return observation.board.index(0)
"""
NETWORK = f"""{NOISE}
import numpy as np
def evaluator(planes, legal):
    print("NOISE of a batch")
    return np.ones(legal.shape), np.zeros(len(planes))
"""
BOT = """
def choose(board):
    print("NOISE of a bot, which is dropped")
    return board.legal_columns[0]
"""
MATCH = "match loud.py random --games 2 --openings all --seed 1 --rules 5x4"
SEARCH = "analyze 44 --evaluator net:evaluator --simulations 20 --seed 1"
SELFPLAY = "selfplay --games 1 --simulations 4 --evaluator net:evaluator --seed 1 --rules 5x4"
CALLS = {
    MATCH: "loud.py against random",
    f"{MATCH} --json --move-seconds 60": "{",
    f"{MATCH} --json --executor processes:2": "{",
    "check loud.py --games 2 --seed 1 --sizes 5x4": "passes",
    "exam loud.py --json --seed 1": "{",
    "exploit loud.py --rules 4x4 --seed 1": "moving second",
    "grade bots --against loud.py --games 2 --seed 1 --rules 5x4": "quiet against loud.py",
    "play --against loud.py --watch loud.py --rules 5x4 --seed 1": "loud.py plays",
    f"{SEARCH} --json": "{",
    f"{SELFPLAY} --out one": "1 game,",
    f"{SELFPLAY} --out two --executor processes:2": "1 game,",
    "study win-rate --opponent loud.py --budgets 2 --runs 2 --seed 1 --rules 5x4 --out three": "written",
    "export-kaggle --network net.py --out agent.py --single-file": "agent.py",
}
WITHOUT = {"web", "review", "puzzles", "solve", "prove", "serve", "bench", "info"}  # commands that take no users' code


def test_every_command_with_users_code_is_tried():
    assert {call.split()[0] for call in CALLS} == set(COMMANDS) - WITHOUT


@pytest.mark.parametrize("words", CALLS)
def test_what_users_code_prints_goes_to_standard_error(words, tmp_path):
    (tmp_path / "bots").mkdir()
    for name, text in {"loud.py": AGENT, "net.py": NETWORK, "bots/quiet.py": BOT}.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "c4mcts", *words.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, "NOISE" in done.stdout) == (0, False), done
    assert CALLS[words] in done.stdout
    assert "NOISE of " in done.stderr
    assert "NOISE at the end" in done.stderr
    assert "which is dropped" not in done.stderr
    if "--json" in words:
        json.loads(done.stdout)


PROGRAM = """
import c4mcts
from c4mcts.play import play_tournament
def loud(board):
    print("NOISE of a move")
    return board.legal_columns[0]
play_tournament([loud, loud], games=2, rules=c4mcts.Rules(4, 4), seed=1, progress=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
@pytest.mark.parametrize(
    ("on_terminal", "piped", "words"),
    [("stdout", "stderr", ["-m", "c4mcts", *SEARCH.split()]), ("stderr", "stdout", ["-c", PROGRAM])],
    ids=["analyze", "progress=True"],
)
def test_a_live_display_takes_nothing_from_a_pipe_to_its_terminal(on_terminal, piped, words, tmp_path):
    import pty

    (tmp_path / "net.py").write_text(NETWORK)
    terminal, theirs = pty.openpty()
    streams = {on_terminal: theirs, piped: subprocess.PIPE}
    environment = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen([sys.executable, *words], cwd=tmp_path, stdin=theirs, env=environment, **streams) as process:
        os.close(theirs)
        seen = b""
        with suppress(OSError):  # what Linux says when the other end is closed
            while more := os.read(terminal, 65536):
                seen += more
        assert b"NOISE of a" in getattr(process, piped).read()
    os.close(terminal)
    assert process.returncode == 0
    assert b"\x1b[?25l" in seen, "the display has hidden the cursor"
    assert b"NOISE" not in seen


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/stdout")
def test_a_result_can_be_written_to_dev_stdout(tmp_path):
    command = [sys.executable, "-m", "c4mcts", "prove", "--rules", "4x4", "--out"]
    subprocess.run([*command, "proof.c4p"], cwd=tmp_path, check=True)
    piped = subprocess.run([*command, "/dev/stdout"], stdout=subprocess.PIPE, check=True)
    assert piped.stdout.startswith((tmp_path / "proof.c4p").read_bytes())


def test_a_program_that_calls_a_command_prints_where_it_did_before(capfd, tmp_path, monkeypatch):
    code = "from c4mcts.cli import main; main(['info', '--signature']); print('after')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[1:] == ["after"]
    assert main(["info", "--signature"]) == 0
    print("after")
    assert capfd.readouterr().out == done.stdout


FULL = """
import os
from c4mcts.cli.output import results, results_alone
os.set_blocking(1, False)
try:
    while True:
        os.write(1, bytes(4096))
except BlockingIOError:
    os.set_blocking(1, True)
with results_alone(for_good=True):
    results().write("a text of which nobody reads anything")
    raise KeyboardInterrupt
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes that do not block")
def test_ctrl_c_does_not_wait_for_a_reader():
    with subprocess.Popen([sys.executable, "-c", FULL], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.wait(30) != 0
        finally:
            process.kill()
        assert process.stderr.read().endswith(b"KeyboardInterrupt\n")


def test_a_name_that_standard_output_can_not_say_becomes_an_escape():
    """As on a pipe of Windows, where a file of games has names of the whole world."""
    argv = [sys.executable, "-m", "c4mcts", "review", "-"]
    game, environment = '445 {"first": "Zoë ☃"}'.encode(), {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(argv, input=game, capture_output=True, env=environment)
    assert done.returncode == 0
    assert "yellow (Zoë \\u2603)".encode("cp1252") in done.stdout
