"""The command `match`."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from disks import full_disk, posix
from schemas import require_valid
from stores import jobs_kept, results_in

from c4mcts import Board, Rules
from c4mcts.play import Sprt, openings, play_tournament

SIZE = ["--rules", "5x4", "--seed", "1"]
SMALL = Rules(5, 4)


def test_a_match_in_words(run):
    status, out, err = run("match", "uct@50", "random", "--games", 10, *SIZE)
    assert (status, err) == (0, "")
    (pairing,) = play_tournament(["uct@50", "random"], games=10, rules=SMALL, seed=1).pairings
    lines = out.splitlines()
    words = f"{pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost, {100 * pairing.score:.1f} %"
    assert lines[0] == f"uct@50 against random: {words}"
    assert lines[1].startswith(f"Elo {pairing.estimate.elo:+.0f}, 95 % interval ")
    assert lines[2].endswith(f"1 points {pairing.pairs[2]}, 1.5 points {pairing.pairs[3]}, 2 points {pairing.pairs[4]}")


def test_a_tournament_is_a_table(run):
    status, out, err = run("match", "random", "perfect", "uct@30", "--games", 6, *SIZE)
    assert (status, err) == (0, "")
    head, *rows = out.splitlines()
    assert " ".join(head.split()) == "player Elo 95 % games score won drawn lost s a move"
    names = [row.split()[1] for row in rows]
    assert names[0] == "perfect"
    assert sorted(names) == ["perfect", "random", "uct@30"]
    status, out, _ = run("match", "random", "perfect", "uct@30", "--games", 6, "--json", *SIZE)
    found = json.loads(out)
    require_valid("match", found)
    assert [player["name"] for player in found["players"]] == ["random", "perfect", "uct@30"]
    assert len(found["pairings"]) == 3


def test_a_sequential_test_ends_the_match(run):
    argv = ["match", "perfect", "random", "--sprt", 0, 100, "--games", 400, *SIZE]
    status, out, _ = run(*argv)
    assert status == 0
    assert "H1 is accepted: +100" in out
    found = json.loads(run(*argv, "--json")[1])
    require_valid("match", found)
    test = found["sprt"]
    assert (test["decision"], test["alpha"], test["upper"]) == ("H1", 0.05, Sprt(0, 100).bounds[1])
    assert test["log_ratio"] >= test["upper"]


def test_a_gauntlet_with_an_anchor(run):
    argv = ["match", "uct@30", "random", "level:1", "--games", 2, *SIZE, "--gauntlet", "--json", "--anchor"]
    found = json.loads(run(*argv, "level:1=1200")[1])
    require_valid("match", found)
    assert [player["games"] for player in found["players"]] == [4, 2, 2]
    assert found["players"][2]["elo"] == 1200
    assert found["anchor"] == {"player": 2, "elo": 1200}
    assert run(*argv, "level:2=1")[2].startswith("c4mcts match: error: --anchor must be one of the players uct@30, ")


def test_files_and_a_checkpoint(run, tmp_path):
    argv = ["match", "uct@20", "random", "--games", 4, "--checkpoint", "games.checkpoint", *SIZE]
    status, out, _ = run(*argv, "--out", "games.txt", "--out", "games.csv")
    assert status == 0
    assert len((tmp_path / "games.txt").read_text().splitlines()) == 4
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 5, "with the names of the columns"
    assert run(*argv)[1] == out, "nothing is played again"
    status, _, err = run(*argv, "--rules", "5x5")
    assert status == 2
    assert "checkpoint games.checkpoint holds another experiment: rules is '5x4x4' there, '5x5x4' here" in err
    status, out, _ = run("review", "--file", "games.txt", *SIZE[:2])
    assert (status, len(out.splitlines())) == (0, 4)


@pytest.mark.filterwarnings("default")
def test_a_changed_agent_plays_its_games_again(run, tmp_path):
    argv = ["match", "agent.py", "random", "level:1", "--games", 2, "--checkpoint", "games.checkpoint", *SIZE]
    for column in (0, 1):
        (tmp_path / "agent.py").write_text(f"def agent(observation): return observation.board.index(0, {column})\n")
        status, _, err = run(*argv)
        words = (
            "c4mcts match: warning: checkpoint games.checkpoint: agent.py changed since, so games are played again\n"
        )
        assert (status, err) == (0, words if column else "")


def test_openings_of_a_file(run, tmp_path):
    (tmp_path / "openings.txt").write_text("12\n\n335\n")
    argv = ["match", "random", "random", "--games", 4, "--json", *SIZE]
    found = json.loads(run(*argv, "--openings", "openings.txt")[1])
    require_valid("match", found)
    assert found["openings"] == {"kind": "file", "count": 2, "plies": None}
    assert [game["moves"][: game["opening"]] for game in found["games"]] == [[0, 1]] * 2 + [[2, 2, 4]] * 2
    every = json.loads(run(*argv, "--openings", "all", "--plies", 2)[1])
    assert every["openings"] == {"kind": "all", "count": len(openings(2, SMALL, balanced=False)), "plies": 2}


def test_a_player_that_fails_is_named_with_the_reason(run, tmp_path):
    def failing(discs):
        source = (
            f"def agent(obs):\n    if sum(obs.board) < {discs}: return obs.board.index(0)\n    raise OSError('lost')\n"
        )
        (tmp_path / "agent.py").write_text(source)
        return run("match", "agent.py", "random", "level:1", "--games", 2, *SIZE)

    status, out, _ = failing(8)
    assert status == 0
    assert "agent.py forfeited 4: OSError: lost" in out
    status, _, err = failing(0)
    assert status == 2
    assert "player agent.py fails at its first move: OSError: lost" in err


def test_adjudication(run):
    found = json.loads(run("match", "random", "level:1", "--games", 6, "--adjudicate", 8, "--json", *SIZE)[1])
    require_valid("match", found)
    ends = {game["end"]: len(game["moves"]) for game in found["games"]}
    assert ends["adjudication"] == 8


def test_the_growing_table_is_for_terminals(run, monkeypatch):
    _, _, err = run("match", "random", "random", "--games", 2, *SIZE)
    assert err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, out, err = run("match", "random", "random", "--games", 2, *SIZE)
    assert "0 of 2 games" in err
    assert "of 2 games" not in out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")
def test_control_c_prints_the_result_so_far(tmp_path):
    code = """
import signal, sys
from c4mcts.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[1:]))
"""
    file, text = tmp_path / "games.checkpoint", tmp_path / "games.txt"
    argv = ["match", "uct@200", "random", "--games", "20000", "--json", "--checkpoint", str(file), "--out", str(text)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, *argv, *SIZE], **pipes) as child:
        while jobs_kept(file) < 3:
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert err == f"c4mcts match: stopped; the same command continues from {file}\n"
    found = json.loads(out)
    require_valid("match", found)
    shown, kept = len(found["games"]), len(results_in(file))
    assert shown == len(text.read_text().splitlines()) >= 2
    assert kept - shown in (0, 1), "Ctrl-C may come between the write of a game and the result that has it"


@posix
def test_a_full_disk_ends_it_with_the_result_so_far(run, tmp_path):
    argv = ["match", "random", "random", "--games", 40, "--checkpoint", "games.checkpoint", "--json", *SIZE]
    with full_disk(12288):  # three pages, of 4 kB
        status, out, err = run(*argv)
    assert status == 1
    kept = len(results_in(tmp_path / "games.checkpoint"))
    assert len(json.loads(out)["games"]) == kept > 0
    assert err.count("\n") == 2
    assert "the same command continues from games.checkpoint" in err
    whole = json.loads(run(*argv)[1])
    assert len(whole["games"]) == 40
    assert all(Board.from_moves(game["moves"], SMALL).is_over() for game in whole["games"])


def test_a_player_that_ends_its_process(run, tmp_path):
    (tmp_path / "agent.py").write_text("import os\ndef agent(observation):\n    os._exit(3)\n")
    argv = ["match", "agent.py", "random", "--games", 4, "--json", "--checkpoint", "games.checkpoint", *SIZE]
    status, out, err = run(*argv, "--executor", "processes:1")
    assert status == 1
    require_valid("match", json.loads(out))
    assert "the same command continues from games.checkpoint" in err
    assert "A process in the process pool was terminated" in err


def test_an_error_in_code_of_others(run, tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    status, out, err = run("match", "random", "broken:player", *SIZE)
    assert (status, out) == (1, "")
    assert err == "c4mcts match: error: player 'broken:player': ZeroDivisionError: division by zero\n"
