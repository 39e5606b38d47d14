"""All commands except `play`: their output, errors and exit codes."""

import io
import json
import os
import re
import signal
import subprocess
import sys

import pytest
from schemas import require_valid

import c4mcts
from c4mcts.board.notation import write_drawing
from c4mcts.cli import main
from c4mcts.cli.display import BoardDisplay, Terminal, result_display, short
from c4mcts.search.results import result_text, with_solution
from c4mcts.seeds import SIGNATURE
from c4mcts.signature import signature

FEN = "7/7/7/7/7/2xo3 x 7x6x4"
CHILD = """
import signal, sys
from c4mcts.board.notation import write_drawing
from c4mcts.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", file=sys.stderr, flush=True)
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def run(capsys):
    """A function that runs a command line and returns exit code, stdout and stderr."""

    def run(*argv):
        status = main([str(word) for word in argv])
        return status, *capsys.readouterr()

    return run


def analyzed(run, *argv):
    status, out, err = run("analyze", *argv, "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    require_valid("analyze", found)
    return found


def child(*argv, **options):
    return subprocess.Popen([sys.executable, "-c", CHILD, *argv], stderr=subprocess.PIPE, text=True, **options)


# analyze


def test_analyze_prints_the_board_and_the_table(run):
    status, out, err = run("analyze", "44444", "--simulations", 500, "--seed", 7)
    assert (status, err) == (0, "")
    searched = c4mcts.Engine(seed=7).search(c4mcts.Board.from_pons("44444"), simulations=500)
    result = with_solution(searched, c4mcts.solve(searched.board))
    assert write_drawing(c4mcts.Board.from_pons("44444").to_array().tolist(), first=1) in out
    assert result_text(result, first=1, searched=searched).partition("\n")[2] in out
    assert "\n1 2 3 4 5 6 7\n" in out, "columns count from 1 at the shell"
    best = next(line for line in out.splitlines() if line.startswith(">"))
    assert int(best.split()[1]) == result.column + 1 == int(out.split("column ")[1].split(",")[0])
    assert best.split()[-len(result.pv) - 1 :] == [*(str(column + 1) for column in result.pv), "..."]
    assert "seed 7" in out
    assert "\x1b" not in out


def test_analyze_says_what_is_exact_first_and_what_the_search_believes_second(run):
    """A search that is stopped early is wrong here: it prefers column 4 (from 1), which loses sooner than others."""
    status, out, _ = run("analyze", "4453", "--simulations", 10_000, "--seed", 1)
    assert status == 0
    head = out.split("\n\n")[1].splitlines()
    assert head[0].startswith("column 7, loss in 36, ")
    assert re.fullmatch(r"the search alone: column 4, value 0\.\d+", head[1])
    rows = [line.split() for line in out.splitlines() if " loss in " in f" {line}" and not line.startswith("column")]
    assert [int(row[row.index("in") + 1]) for row in rows] == [36, 36, 36, 34, 32, 30, 30]
    status, out, _ = run("analyze", "4453", "--simulations", 1_000_000, "--seed", 1)
    assert "the search alone" not in out
    assert "column 3, loss in 36, " in out


def test_analyze_of_boards_without_a_quick_solution(run):
    for argv in (["--rules", "9x8x5"], ["--rules", "12x9x4"], ["123456712", "--rules", "8x7x4"]):
        assert "the search alone" not in run("analyze", *argv, "--simulations", 20)[1]


def test_analyze_json_is_the_result_and_how_to_have_it_again(run, backend):
    found = analyzed(run, "4453", "--simulations", 300, "--seed", 7, "--backend", backend)
    expected = c4mcts.Engine(seed=7).search(c4mcts.Board.from_pons("4453"), simulations=300).to_dict()
    speed = found.pop("simulations_per_second")
    assert speed == pytest.approx(300 / found["seconds"])
    found["seconds"] = expected["seconds"]
    about = {
        "version": c4mcts.__version__,
        "backend": backend,
        "preset": "strong",
        "params": c4mcts.UctParams().to_dict(),
        "limits": {"simulations": 300, "seconds": None, "nodes": None},
        "threads": 1,
        "seed": 7,
        "rules": {"width": 7, "height": 6, "connect": 4, "diagonals": True},
        "point_of_view": "player_to_move",
    }
    assert found == {**about, **expected}
    assert list(found)[: len(about)] == list(about)


def test_a_drawn_seed_is_reported(run):
    first = analyzed(run, "--simulations", 200)
    second = analyzed(run, "--simulations", 200, "--seed", first["seed"])
    assert first["moves"] == second["moves"]


def test_parameters_and_limits_reach_the_search(run):
    found = analyzed(
        run, "--simulations", 300, "--seed", 1, "--set", "exploration=0.3", "--set", "choice=value", "--preset", "uct"
    )
    params = c4mcts.SearchParams.preset("uct", exploration=0.3, choice="value")
    expected = c4mcts.Engine(params, seed=1).search(c4mcts.Board(), simulations=300)
    assert [move["visits"] for move in found["moves"]] == [move.visits for move in expected.moves]
    assert analyzed(run, "--nodes", 100)["nodes"] <= 110
    assert analyzed(run, "--seconds", 0.05)["seconds"] >= 0.05


@pytest.mark.parametrize(
    ("argv", "board"),
    [
        ([], c4mcts.Board()),
        ([""], c4mcts.Board()),
        (["4453"], c4mcts.Board.from_pons("4453")),
        (["3,3,4"], c4mcts.Board.from_moves([3, 3, 4])),
        (["3,"], c4mcts.Board.from_moves([3])),
        (["8x7x5-no-diagonals:4,4"], c4mcts.Board.from_moves([4, 4], c4mcts.Rules(8, 7, 5, False))),
        ([FEN], c4mcts.Board.from_fen(FEN)),
        ([FEN, "--rules", "7x6x4"], c4mcts.Board.from_fen(FEN)),
        (["--rules", "20x14"], c4mcts.Board(c4mcts.Rules(20, 14))),
        (
            ["--rules", "20x14x5-no-diagonals", "19,19"],
            c4mcts.Board.from_moves([19, 19], c4mcts.Rules(20, 14, 5, False)),
        ),
    ],
)
def test_positions(run, argv, board):
    assert analyzed(run, *argv, "--simulations", 5)["board"] == board.to_fen()


@pytest.mark.parametrize(
    ("text", "argv", "board"),
    [
        (FEN, [], c4mcts.Board.from_fen(FEN)),
        (f"\n  {FEN}  \n\n", [], c4mcts.Board.from_fen(FEN)),
        (str(c4mcts.Board.from_pons("4453")), [], c4mcts.Board.from_pons("4453")),
        (
            str(c4mcts.Board.from_pons("4453")).replace("0 1 2 3 4 5 6", "1 2 3 4 5 6 7"),
            [],
            c4mcts.Board.from_pons("4453"),
        ),
        ("....\n....\n.xo.\n", ["--rules", "4x3x3"], c4mcts.Board.from_moves([1, 2], c4mcts.Rules(4, 3, 3))),
        ("0,0,0\n1,2,0", [], c4mcts.Board.from_moves([0, 1], c4mcts.Rules(3, 2))),
        ("0 0 0\r\nX O 0\r\n", [], c4mcts.Board.from_moves([0, 1], c4mcts.Rules(3, 2))),
        ("0 1 2\n0 1 2", [], c4mcts.Board.from_array([[0, 1, 2]] * 2, c4mcts.Rules(3, 2))),
        ("...\n0 1 2", [], c4mcts.Board(c4mcts.Rules(3, 1))),
        ("7 x 7x1x4", [], c4mcts.Board(c4mcts.Rules(7, 1))),
    ],
)
def test_start_files(run, tmp_path, monkeypatch, text, argv, board):
    file = tmp_path / "start.txt"
    file.write_text(text)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    for name in (file, "-"):
        assert analyzed(run, "--start", name, *argv, "--simulations", 5)["board"] == board.to_fen()


def test_a_finished_game_has_nothing_to_analyze(run):
    for position, words in (("1212121", "first player (x) has won"), ("71212121", "second player (o) has won")):
        status, out, err = run("analyze", position)
        assert (status, out) == (2, "")
        assert words in err
    full = run("analyze", "--rules", "2x1", "0,1")
    assert full[0] == 2
    assert "draw" in full[2]


# errors


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["analyze", "44a"], ["position '44a'", "character 3", "'a'"]),
        (["analyze", "8"], ["position '8'", "column must be 1 to 7, not 8"]),
        (["analyze", "4444444"], ["position '4444444'", "character 7", "column 4 is full"]),
        (["analyze", "12121212"], ["character 8", "over"]),
        (["analyze", "--rules", "10x6", "44"], ["9 columns"]),
        (["analyze", "0,x"], ["position '0,x'", "'x'"]),
        (["analyze", "-1"], ["position '-1'"]),
        (["analyze", "0,7"], ["position '0,7'", "7"]),
        (["analyze", "7/7"], ["position '7/7'", "a FEN has the fields"]),
        (["analyze", FEN, "--rules", "8x6"], ["the FEN has the rules 7x6x4, not 8x6x4"]),
        (["analyze", FEN, "--rules", "7x6x4-no-diagonals"], ["the FEN has the rules 7x6x4, not 7x6x4 no-diagonals"]),
        (["analyze", "8x7x4:4", "--rules", "7x6"], ["the text has the rules 8x7x4, not 7x6x4"]),
        (["analyze", "--start", "no-such-file"], ["--start no-such-file", "No such file"]),
        (["analyze", "44", "--start", "-"], ["--start", "position"]),
        (["analyze", "--rules", "0x6"], ["--rules", "width must be 1 to 64, not 0"]),
        (["analyze", "--rules", "seven"], ["--rules", "must look like 7x6, 7x6x4", "'seven'"]),
        (["analyze", "--rules", "7x65"], ["--rules", "height must be 1 to 64, not 65"]),
        (["analyze", "--rules", "7x6x1"], ["--rules", "connect must be 2 to"]),
        (["analyze", "--seed", "-1"], ["--seed", "-1"]),
        (["analyze", "--seed", "pi"], ["--seed", "'pi'"]),
        (["analyze", "--seconds", "0"], ["--seconds", "0"]),
        (["analyze", "--seconds", "nan"], ["--seconds", "nan"]),
        (["analyze", "--simulations", "-5"], ["--simulations", "-5"]),
        (["analyze", "--simulations", "inf"], ["--simulations", "'inf'"]),
        (["analyze", "--simulations", "1e999"], ["--simulations", "'1e999'"]),
        (["analyze", "--simulations", "1" + "0" * 5000], ["--simulations", "'1000"]),
        (["analyze", "--nodes", "0"], ["--nodes", "0"]),
        (["solve", "--nodes", "-inf"], ["--nodes", "expected"]),
        (["solve", "--nodes=nan"], ["--nodes", "'nan'"]),
        (["solve", "--rules", "65x6"], ["--rules", "'65x6x4'", "not 65"]),
        (["analyze", "--set", "exploration=inf"], ["--set: exploration", "inf"]),
        (["analyze", "--set", "choice=luck"], ["--set: choice", "'luck'"]),
        (["analyze", "--preset", "best"], ["--preset", "'best'"]),
        (["analyze", "--backend", "gpu"], ["--backend", "'gpu'"]),
        (["analyze", "--sim", "5"], ["--sim"]),
        (["analyze", "--seed", "1" + "0" * 5000], ["--seed", "'1000"]),
        (["analyze", "3, " * 30_000 + "3"], ["position '3, 3", "column 3 is full"]),
        (["analyze", "7/" * 30_000], ["position '7/7", "...", "no-diagonals", "has 1"]),
        (["analyze", "\x1b[31m"], ["'\\x1b[31m'", "character 1"]),
        (["analyze", "--start", "no\x1b[31m\nsuch\udcff"], ["no\\x1b[31m\\nsuch\\udcff", "No such file"]),
        (["analyze", "--start", "no\0file"], ["no\\x00file"]),
        (["analyze", "--luck\n\udcff"], ["--luck\\n\\udcff"]),
        (["perft", "--depth", "-1"], ["--depth", "-1"]),
        (["perft", "--depth", "43"], ["--depth", "0 to 42", "43"]),
        (["selfplay", "--games", "1e18"], ["--games", "1000000000000000000"]),
        (["selfplay", "--executor", "threads:100000"], ["--executor threads:100000", "1 to"]),
        (["frobnicate"], ["'frobnicate'"]),
    ],
)
def test_a_wrong_word_is_named_in_one_line(run, argv, words):
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("c4mcts")
    assert all(word in err for word in words), err
    assert err.strip().isprintable()
    assert len(err) < 550


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["empty"]),
        (b"xo?\n", ["row 1", "'?'"]),
        (b"...\n..\n", ["2 rows of 3 cells"]),
        (b"x..\n...\n", ["floats"]),
        (b"\xff\xfe", ["UTF-8"]),
        (b"." * 100_001, ["100,000"]),
        (b"." * 65, ["width", "65"]),
    ],
)
def test_a_wrong_start_file_is_named(run, tmp_path, content, words):
    file = tmp_path / "start.txt"
    file.write_bytes(content)
    status, out, err = run("analyze", "--start", file)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert all(word in err for word in words), err


def test_a_missing_backend_is_a_failure(run, monkeypatch):
    def missing(name):
        raise ImportError("no such extension")

    monkeypatch.setattr("c4mcts._backend.load", missing)
    for command in ("analyze", "perft", "bench", "signature"):
        status, out, err = run(command, "--backend", "native")
        assert (status, out) == (1, "")
        assert err == f"c4mcts {command}: error: the native backend can't be loaded: no such extension\n"


def test_help_and_version(run):
    assert run("--version") == (0, f"c4mcts {c4mcts.__version__}\n", "")
    status, out, _ = run("--help")
    assert status == 0
    for command in ("analyze", "play", "perft", "bench", "info", "signature"):
        assert command in out
        assert run(command, "--help")[0] == 0
    status, out, err = run()
    assert (status, out) == (2, "")
    assert "usage" in err


def test_python_dash_m():
    done = subprocess.run([sys.executable, "-m", "c4mcts", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"c4mcts {c4mcts.__version__}\n"


# processes: signals and pipes


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")
@pytest.mark.parametrize("argv", [["analyze", "--seconds", "60", "--json"], ["perft", "--depth", "30"]])
def test_control_c_ends_with_130_and_no_traceback(argv, backend):
    with child(*argv, "--backend", backend, stdout=subprocess.PIPE) as process:
        assert process.stderr.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
def test_control_c_leaves_a_clean_terminal():
    import pty

    terminal, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", "PYTHONIOENCODING": "utf-8"}
    argv = ["analyze", "44", "--rules", "8x7", "--seconds", "60"]  # not proven within a minute
    with child(*argv, stdout=theirs, env=environment) as process:
        os.close(theirs)
        seen = b""
        while seen.count(b"line of play") < 2:
            seen += os.read(terminal, 65536)
        process.send_signal(signal.SIGINT)
        try:
            while more := os.read(terminal, 65536):
                seen += more
        except OSError:  # what Linux says when the other end is closed
            pass
        assert process.wait(60) == 130
        assert "Traceback" not in process.stderr.read()
    os.close(terminal)
    assert seen.rindex(b"\x1b[?25h") > seen.rindex(b"\x1b[?25l")  # the cursor is back
    assert "▼".encode() in seen


def test_a_closed_pipe_is_no_error(backend):
    with child("perft", "--depth", "6", "--backend", backend, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith("depth")
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == "ready\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_a_failure():
    with open("/dev/full", "w") as full, child("info", stdout=full) as process:
        assert process.wait(60) == 1
        assert "error" in process.stderr.read()


# what a terminal shows


def screen(board, width, height, encoding="utf-8", **limits):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    terminal = Terminal(file=file, force_terminal=True, width=width, height=height, color_system=None)
    result = c4mcts.Engine(seed=1).search(board, **(limits or {"simulations": 2000}))
    terminal.print(result_display(terminal, result, "note"))
    file.flush()
    return [line.rstrip() for line in file.buffer.getvalue().decode(encoding).splitlines()]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 40), (120, 30), (40, 24), (200, 50)])
@pytest.mark.parametrize(
    "rules",
    [c4mcts.Rules(), c4mcts.Rules(20, 14, 5), c4mcts.Rules(7, 40), c4mcts.Rules(40, 7), c4mcts.Rules(64, 64)],
    ids=str,
)
def test_the_display_fits_the_terminal(rules, width, height):
    lines = screen(c4mcts.Board.from_moves([3, 3, 4], rules), width, height)
    assert max(map(len, lines)) <= width
    tallest = height if rules.height < 20 or height > 24 else height + 1
    assert len(lines) < tallest
    assert "column" in lines[0]
    assert any("note" in line for line in lines[-2:])


def test_the_arrow_points_at_the_best_column_and_every_column_has_a_row():
    lines = screen(c4mcts.Board.from_pons("44444"), 80, 24)
    text = "\n".join(lines)
    result = c4mcts.Engine(seed=1).search(c4mcts.Board.from_pons("44444"), simulations=2000)
    top = next(line for line in lines if "▼" in line)
    labels = next(line for line in lines if line.split() == list("1234567"))
    assert labels[top.index("▼")] == str(result.column + 1)
    assert f"column {result.column + 1}," in lines[0]
    for move in result.moves:
        assert re.search(rf"\b{move.column + 1} +{move.visits:,} ", text)
    assert "[●]" in text


def test_proofs_have_a_column_where_there_are_any():
    assert "win in 1" in "\n".join(screen(c4mcts.Board.from_pons("112233"), 80, 40))
    assert not any("proof" in line for line in screen(c4mcts.Board(), 80, 40))


@pytest.mark.parametrize("width", [80, 40, 30, 10, 1])
def test_a_terminal_without_unicode_gets_letters(width):
    text = "\n".join(screen(c4mcts.Board.from_pons("44"), width, 40, encoding="ascii"))
    assert "[o]" in text or width < 40
    assert "o" in text
    assert max(map(len, text.splitlines())) <= width
    assert ("~" in text) == (width in (30, 10)), "what is cut off has a mark"


def test_tall_boards_leave_out_empty_rows_but_no_disc():
    board = c4mcts.Board.from_moves([0] * 30, c4mcts.Rules(7, 40))
    terminal = Terminal(file=io.StringIO(), force_terminal=True, width=80, height=24)
    assert BoardDisplay(terminal, board).rows == 31
    assert BoardDisplay(terminal, c4mcts.Board(board.rules)).rows < 20


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1.00 k"), (123_456, "123 k"), (1_790_000, "1.79 M"), (2e9, "2.00 G")],
)
def test_short_numbers(number, text):
    assert short(number) == text


# the smaller commands


def test_perft(run):
    status, out, err = run("perft", "--depth", 4)
    assert (status, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [
        ["0", "1"], ["1", "7"], ["2", "49"], ["3", "343"], ["4", "2,401"]
    ]  # fmt: skip
    found = json.loads(run("perft", "44", "--depth", 2, "--json")[1])
    assert [row["sequences"] for row in found["depths"]] == [1, 7, 49]
    require_valid("perft", found)
    assert found["board"] == c4mcts.Board.from_pons("44").to_fen()
    assert run("perft", "1212121", "--depth", 1)[0] == 0


def test_info(run):
    status, out, _ = run("info")
    assert status == 0
    found = json.loads(run("info", "--json")[1])
    require_valid("info", found)
    assert found["version"] == c4mcts.__version__
    assert found["backend"] == c4mcts.backend()
    for name, value in found.items():
        assert name in out
        assert str(value) in out


def test_info_says_why_the_backend_is_pure(run, monkeypatch):
    def missing(name):
        raise ImportError("wrong architecture")

    monkeypatch.setattr("c4mcts._backend.load", missing)
    found = json.loads(run("info", "--json")[1])
    assert found["backend"] == "pure"
    assert "wrong architecture" in found["because"]
    assert found["extension"] is None
    assert found["simd"] is None


def test_bench(run, monkeypatch):
    monkeypatch.setattr("c4mcts.cli.diagnostics.MIN_SECONDS", 1e-6)
    monkeypatch.setattr("c4mcts.cli.diagnostics.REPEATS", {"full": 1, "quick": 1})
    amounts = {"native": {"uct": (10, 200_000), "strong": (10,)}, "pure": {"uct": (10,), "strong": (10,)}}
    monkeypatch.setattr("c4mcts.cli.diagnostics.SIMULATIONS", amounts)
    monkeypatch.setattr("c4mcts.cli.diagnostics.GAMES", {"native": 10, "pure": 1})
    status, out, _ = run("bench", "--quick")
    assert status == 0
    for words in ("20 x 14", "simulations, uct, 10", "simulations, strong, 10"):
        assert words in out
    assert "200,000" not in out, "the longest search"
    found = json.loads(run("bench", "--backend", "pure", "--json")[1])
    require_valid("bench", found)
    assert [(row["what"], row["preset"]) for row in found["rates"][:2]] == [
        ("simulations", "uct"), ("simulations", "strong")
    ]  # fmt: skip
    assert len(found["rates"]) == 5
    assert all(row["pure"] > 0 and row["native"] is None for row in found["rates"])


def test_signature_is_that_of_the_backend(run):
    """tests/golden computes it with both."""
    assert run("signature") == (0, SIGNATURE + "\n", "")
    found = json.loads(run("signature", "--json")[1])
    require_valid("signature", found)
    assert (found["backend"], found["signature"]) == (c4mcts.backend(), SIGNATURE)
    assert signature(found["parts"]) == SIGNATURE


def test_signature_changes_with_every_part():
    hashes = {"a": "1", "b": "2"}
    assert len({signature(hashes), signature({**hashes, "b": "3"}), signature({"a": "1"})}) == 3
