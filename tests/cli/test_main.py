"""What all commands have in common: errors in one line, exit codes, help, completion, pipes and Ctrl-C."""

import errno
import io
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from schemas import SCHEMAS, require_valid

import c4mcts
from c4mcts.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("frobnicate", "'frobnicate'"),
        ("analyze --sim 5", "--sim"),
        ("analyze 44a", "position '44a': character 3"),
        ("analyze 7/7/7/7/7/2xo3_x_7x6x4 --rules 8x6", "the FEN has the rules 7x6x4, not 8x6x4"),
        ("analyze --start no-such-file", "--start no-such-file: No such file"),
        ("analyze 44 --start -", "--start"),
        ("analyze --rules seven", "--rules: rules must look like 7x6, 7x6x4"),
        ("analyze --simulations inf", "--simulations: invalid simulations value: 'inf'"),
        ("analyze 71212121", "the game is over: the second player (o) has won"),
        ("analyze --nodes 0", "--nodes must be at least 1, not 0"),
        ("analyze --preset alphazero", "error: --evaluator: a search with PuctParams needs an evaluator"),
        ("analyze --set exploration", "--set: must be name=value, not 'exploration'"),
        ("analyze --set exploration=much", "--set: exploration must be a number, not 'much'"),
        ("play --clock 60:1", "--clock: must be seconds+increment as 60+1, not '60:1'"),
        ("play --load no/such 44", "--load can't be combined with a position"),
        ("play --load no/such", "error: --load no/such: No such file"),
        ("play --save no/such", "--save no/such: there is no folder no"),
        ("analyze 44 --dot tree.txt", "--dot tree.txt: the name must end in"),
        ("selfplay --openings {file}", "test_main.py: openings[0]: entry 1 is"),
        ("selfplay --out {file}", "test_main.py: this is a file, not a folder"),
        ("selfplay --executor cloud", "--executor must be threads, processes"),
        ("selfplay --executor threads:0", "--executor threads:0: the number must be 1 to"),
        ("solve --out a.txt", "--out a.txt: the name must end in .csv, .parquet"),
        ("solve --out a.csv --seconds 3", "--seconds can't be combined with --out"),
        ("solve --out a.csv --threads 2", "--threads can't be combined with --out"),
        ("solve 44 --executor processes", "--executor is for --out and --check"),
        ("serve --allow-origin http://localhost:8000 --mcp", "--allow-origin is for --http"),
        ("serve --port 0", "--port is for --http"),
        ("serve --max-sockets 7", "--max-sockets is for --http"),
        ("serve --http --port 65536", "--port must be 0 to 65535, not 65536"),
        ("serve --http --allow-origin example.org", "--allow-origin: must be like https://example.org"),
        ("serve --http --allow-origin http://localhost/", "without a path, not 'http://localhost/'"),
        ("serve --mcp --workers 0", "--workers must be 1 to 256, not 0"),
        ("serve --mcp --http", "not allowed with argument --mcp"),
        ("web --max-sockets 0", "--max-sockets must be 1 to 1000, not 0"),
        ("web --max-memory 0", "--max-memory must be at least 1, not 0"),
        ("exam --answers {file} --seconds 1", "--seconds is for a player"),
        ("solve 44 --nodes 0", "error: --nodes must be at least 1, not 0"),
        ("grade .", "error: folder: there is no Python file in ."),
        ("grade . --points legal=2", "error: --points is for --out"),
        ("solve 44 --file -", "give either positions or --file"),
        ("prove", "give the file to write with --out"),
        ("prove --check a.c4p --out b.c4p", "--check takes only files and --plies"),
        ("prove --check a.c4p --rules 8x6", "--check takes only files and --plies"),
        ("prove --check a.c4p --seconds 1", "--check takes only files and --plies"),
        ("web --pyodide there", "--wheel and --pyodide are for --export"),
        ("prove --out a.c4p --plies 2", "--plies is for --check"),
        ("review 44 --file -", "give a game, "),
        ("review 44 --csv a.csv", "--out is for --file"),
        ("review --file x --out a.txt", "--out a.txt: the name must end in .csv, .parquet"),
        ("selfplay --out games.npz", "--out must be the name of a folder, not 'games.npz'"),
        ("study regret --out regret.csv", "--out must be the name of a folder, not 'regret.csv'"),
        ("export-kaggle --out no/a.tar.gz", "--out no/a.tar.gz: there is no folder no"),
        ("study luck", "'luck'"),
        ("study regret --out {file}", "test_main.py: this is a file, not a folder"),
        ("study convergence --budgets 5", "convergence has no option --budgets"),
        ("study convergence --preset uct --preset uct", "at least twice, with different names"),
        ("study convergence --rules 7x6,8x7", "convergence takes one set of rules"),
        ("study win-rate --budgets 5,x", "--budgets: invalid numbers value: '5,x'"),
        ("study exploration --set exploration=1", "--set exploration can't be combined with --values"),
        ("study budget --values 1.5", "error: --values must be an integer, not 1.5"),
        ("study win-rate --budgets inf", "error: --budgets must be an integer, not inf"),
        ("study budget --optimal 0", "--optimal '0': character 1, '0', is not a column"),
        ("study head-to-head --preset uct", "--preset must be given at least twice"),
        ("study rules-change 44", "it takes no position"),
        ("match random", "at least two players are needed"),
        ("match random best", "player 'best': must be a preset as strong@1000"),
        ("match random random --games 3", "--games must be even"),
        ("study win-rate --opponent random 4444 5", "study: error: unrecognized arguments: 5"),
        (
            "selfplay --play temp=1",
            "--play: PlayParams() got an unexpected keyword argument 'temp': write temperature=",
        ),
        ("match random random --sprt 20 0", "--sprt: elo0 must be less than elo1"),
        ("match random random --openings all --within 1", "--within is for balanced openings"),
        ("match random random --checkpoint no/file", "--checkpoint no/file: there is no folder no"),
        ("prove 41424 --out .", "--out .: this is a folder, not a file"),
        ("solve 44 --checkpoint .", "--checkpoint .: this is a folder, not a file"),
        ("prove --start {file} --out {file}", "test_main.py: the argument start names this file, too"),
        ("review --file a.csv --out ./a.csv", "--out ./a.csv: the argument file names this file, too"),
        ("exploit {file} --out {file}", "test_main.py: the argument player names this file, too"),
        ("exploit random --checkpoint a --out a", "--out a: the argument checkpoint names this file, too"),
    ],
)
def test_a_wrong_word_is_named_in_one_line(failed, tmp_path, line, words):
    """Positions that need quotes are written with _; what the values may be is tested where they are checked."""
    err = failed(*line.format(file=__file__).split(), typed="44\n")
    assert err.startswith("c4mcts")
    assert words in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command", ["analyze --start", "exam --games", "match random random --openings", "play --load", "review --file"]
)
def test_a_file_of_another_kind_is_named_once(run, tmp_path, command):
    for content, words in (
        (b"moves,first,second\r\n44,ann,bob\r\n55,ann,bob\r\n", "this is a table: give a text file"),
        (b"\xef\xbb\xbfposition;score\n4;-2\n", "this is a table: give a text file"),
        (b'c4mcts-proof 2 9e\n{"rules": {}}\nx\x01\x1d', "this is a proof: c4mcts prove --check reads it"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n44\n", "this is not a text file"),
        (b"\n", "the file is empty"),
    ):
        (tmp_path / "games").write_bytes(content)
        status, out, err = run(*command.split(), "games")
        assert (status, out, len(err.splitlines())) == (2, "", 1)
        assert f"{command.split()[-1]} games: {words}" in err


def test_a_bug_has_a_traceback_in_development_mode(run, monkeypatch):
    def broken():
        raise ValueError("a bug")

    monkeypatch.setattr("c4mcts.cli.info.environment", broken)
    assert run("info") == (2, "", "c4mcts info: error: a bug\n")
    code = "import c4mcts.cli.info as info; info.environment = lambda: int('a bug'); c4mcts.cli.main(['info'])"
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True)
    assert "Traceback" in done.stderr


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError("unable to allocate"), "there is not enough memory"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
        (OSError(errno.ENOSPC, "No space left on device", "a.txt"), "a.txt: No space left on device"),
        (ImportError("uvicorn is not installed"), "uvicorn is not installed"),
    ],
    ids=repr,
)
def test_what_the_system_refuses_is_said_in_a_sentence(run, monkeypatch, error, words):
    def refused():
        raise error

    monkeypatch.setattr("c4mcts.cli.info.environment", refused)
    assert run("info") == (1, "", f"c4mcts info: error: {words}\n")


def test_a_missing_backend_is_a_failure(failed, monkeypatch):
    def missing(name):
        raise ImportError("no such extension")

    monkeypatch.setattr("c4mcts._backend.load", missing)
    for argv in (["analyze"], ["bench"], ["info", "--signature"]):
        err = failed(*argv, "--backend", "native", status=1)
        assert err == f"c4mcts {argv[0]}: error: the native backend can't be loaded: no such extension\n"


def test_help_and_version(run, failed):
    assert run("--version") == (0, f"c4mcts {c4mcts.__version__}\n", "")
    status, out, _ = run("--help")
    assert status == 0
    assert "130 stopped by Ctrl-C" in " ".join(out.split())
    for command in COMMANDS:
        assert command in out
        status, text, _ = run(command, "--help")
        assert (status, text.startswith(f"usage: c4mcts {command} ")) == (0, True)
    failed()


def test_a_command_imports_no_other():
    code = "import sys; from c4mcts.cli import main; main(['info']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = {f"c4mcts.cli.{name.replace('-', '_')}" for name in COMMANDS}
    assert modules & set(done.stdout.split()) == {"c4mcts.cli.info"}


# pipes and Ctrl-C


@posix
def test_the_reader_may_close_the_pipe():
    positions = "4453\n" * 2000
    command = f"'{sys.executable}' -m c4mcts solve | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], input=positions, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4453 -2\n", "")


@posix
@pytest.mark.parametrize(
    ("command", "file", "lines"),
    [
        ("review --file games.txt --out moves.csv", "moves.csv", 1 + 7 + 7),
        ("match random random --games 2 --seed 1 --out games.csv", "games.csv", 1 + 2),
        ("exploit uct@10 --rules 4x3x3 --seed 2 --out lines.txt", "lines.txt", 2),
        ("grade bots --against random --games 2 --out grades.csv", "grades.csv", 1 + 1),
    ],
)
def test_files_are_whole_though_the_reader_has_closed_the_pipe(command, file, lines, tmp_path):
    (tmp_path / "games.txt").write_text("4545454\nnone\n1212121\n")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "first.py").write_text("def choose(board):\n    return board.legal_columns[0]\n")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "c4mcts", *command.split()]
    done = subprocess.run(command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / file).read_text().splitlines()) == lines


@posix
@pytest.mark.parametrize(
    ("line", "expected"), [("solve <&-", (0, "")), ("solve 4 >&-", (0, "")), ("solve x 2>&-", (2, ""))]
)
def test_a_closed_stream_is_an_empty_one(line, expected):
    command = f"'{sys.executable}' -m c4mcts {line}"
    done = subprocess.run(["bash", "-c", command], input="4\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (*expected, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_a_failure():
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "c4mcts", "info"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "c4mcts info: error: No space left on device\n")


CHILD = """
import sys
from c4mcts.cli import main
from c4mcts.cli.output import show
from c4mcts.search.engine import Engine
from c4mcts.solver.solver import Solver

def telling(method):
    def call(self, board, on_progress=None, **options):
        def report(found):
            ends = on_progress and on_progress(found)
            show()
            return ends
        return method(self, board, on_progress=report, **options)
    return call

Engine.search, Solver.solve = telling(Engine.search), telling(Solver.solve)
sys.exit(main(sys.argv[1:]))
"""


def interrupted(*argv):
    """Run a command and press Ctrl-C after its first report; returns exit code, stdout and stderr."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, "-c", CHILD, *argv], **pipes) as process:
        try:
            assert process.stdout.readline()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, out.strip(), err


@posix
def test_control_c_prints_the_search_so_far(tmp_path):
    argv = "analyze", "44", "--rules", "8x7", "--seconds", "60"  # too large to be proven within seconds
    status, out, err = interrupted(*argv, "--json", "--dot", str(tmp_path / "tree.dot"))
    assert (status, err) == (130, "")
    found = json.loads(out)
    require_valid("analyze", found)
    assert 0 < found["seconds"] < 30
    assert (tmp_path / "tree.dot").read_text().startswith("digraph")


@posix
@pytest.mark.parametrize(
    "argv", [["solve", "", "--rules", "8x8"], ["serve", "--http", "--port", "0"], ["bench"]], ids=str
)
def test_control_c_ends_without_a_traceback(argv):
    status, _, err = interrupted(*argv)
    assert (status, err) == (130, "")


@posix
def test_control_c_leaves_a_clean_terminal():
    import pty

    terminal, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", "PYTHONIOENCODING": "utf-8"}
    argv = [sys.executable, "-m", "c4mcts", "analyze", "44", "--rules", "8x7", "--seconds", "60"]
    with subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        seen = b""
        while seen.count(b"principal variation") < 2:
            seen += os.read(terminal, 65536)
        process.send_signal(signal.SIGINT)
        try:
            while more := os.read(terminal, 65536):
                seen += more
        except OSError:  # what Linux says when the other end is closed
            pass
        assert process.wait(60) == 130
        assert process.stderr.read() == b""
    os.close(terminal)
    assert seen.rindex(b"\x1b[?25h") > seen.rindex(b"\x1b[?25l"), "the cursor is back"
    assert "▼".encode() in seen


def test_a_terminal_without_unicode_is_written_to_in_ascii(monkeypatch):
    monkeypatch.setenv("COLUMNS", "10")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for argv in (["play", "--level", "1"], ["analyze", "--simulations", "2000"]):
        stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr("sys.stdout", stdout)
        monkeypatch.setattr("sys.stdin", io.StringIO("3\nhint\n"))
        assert main(argv) == 0
        stdout.flush()


# completion and the page


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_in_bash(run, tmp_path):
    status, out, _ = run("--print-completion", "bash")
    assert status == 0
    script = tmp_path / "c4mcts.bash"
    typed = 'COMP_WORDS=(c4mcts analyze --pre); COMP_CWORD=2; _shtab_c4mcts; echo "${COMPREPLY[@]}"'
    script.write_text(f"{out}\n{typed}\n")
    done = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--preset"]


def test_the_page_of_all_commands_is_current(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    made = runpy.run_path(str(ROOT / "docs/cli.py"))
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    assert page == made["page"](), "run python docs/cli.py"
    for name in made["SCHEMAS"]:
        assert f"{name}.json" in SCHEMAS
