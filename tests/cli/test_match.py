"""The command `match`."""

import json
import sys

import pytest
from schemas import require_valid

from c4mcts import Rules
from c4mcts.play import Sprt, openings, play_tournament

SIZE = ["--rules", "5x4", "--seed", "1"]
SMALL = Rules(5, 4)


def test_a_match_in_words(printed):
    out = printed("match", "uct@50", "random", "--games", 10, *SIZE)
    (pairing,) = play_tournament(["uct@50", "random"], games=10, rules=SMALL, seed=1).pairings
    lines = out.splitlines()
    words = f"{pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost, {100 * pairing.score:.1f} %"
    assert lines[0] == f"uct@50 against random: {words}"
    assert lines[1].startswith(f"Elo {pairing.estimate.elo:+.0f}, 95 % interval ")
    assert lines[2].endswith(f"1 point {pairing.pairs[2]}, 1.5 points {pairing.pairs[3]}, 2 points {pairing.pairs[4]}")


def test_a_tournament_is_a_table(printed, record):
    argv = ["match", "random", "perfect", "uct@30", "--games", 6, *SIZE]
    head, *rows = printed(*argv).splitlines()
    assert " ".join(head.split()) == "player Elo 95 % games score won drawn lost s a move"
    names = [row.split()[1] for row in rows]
    assert names[0] == "perfect"
    assert sorted(names) == ["perfect", "random", "uct@30"]
    found = record(*argv)
    assert [player["name"] for player in found["players"]] == ["random", "perfect", "uct@30"]
    assert len(found["pairings"]) == 3


def test_a_sequential_test_ends_the_match(printed, record):
    argv = ["match", "perfect", "random", "--sprt", 0, 100, "--games", 400, *SIZE]
    assert "H1 is accepted: +100" in printed(*argv)
    test = record(*argv)["sprt"]
    assert (test["decision"], test["alpha"], test["upper"]) == ("H1", 0.05, Sprt(0, 100).bounds[1])
    assert test["log_ratio"] >= test["upper"]


def test_an_adjudicated_gauntlet_with_an_anchor(run, record):
    argv = ["match", "uct@30", "random", "level:1", "--games", 2, *SIZE, "--gauntlet", "--adjudicate", 8, "--anchor"]
    found = record(*argv, "level:1=1200")
    assert {len(game["moves"]) for game in found["games"] if game["end"] == "adjudication"} == {8}
    assert [player["games"] for player in found["players"]] == [4, 2, 2]
    assert found["players"][2]["elo"] == 1200
    assert found["anchor"] == {"player": 2, "elo": 1200}
    assert run(*argv, "level:2=1")[2].startswith("c4mcts match: error: --anchor must be one of the players uct@30, ")


def test_files_and_a_checkpoint(run, printed, failed, tmp_path):
    argv = ["match", "uct@20", "random", "--games", 4, "--checkpoint", "games.checkpoint", *SIZE]
    out = printed(*argv, "--out", "games.txt", "--out", "games.csv")
    assert len((tmp_path / "games.txt").read_text().splitlines()) == 4
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 5, "with the names of the columns"
    assert run(*argv)[1:] == (out, "c4mcts match: 4 of 4 were there already\n"), "nothing is played again"
    words = "checkpoint games.checkpoint holds another experiment: rules is '5x4x4' there, '5x5x4' here"
    assert words in failed(*argv, "--rules", "5x5")
    assert len(printed("review", "--file", "games.txt", *SIZE[:2]).splitlines()) == 4


@pytest.mark.filterwarnings("default")
def test_a_changed_agent_plays_its_games_again(run, tmp_path):
    argv = ["match", "agent.py", "random", "level:1", "--games", 2, "--checkpoint", "games.checkpoint", *SIZE]
    for column in (0, 1):
        (tmp_path / "agent.py").write_text(f"def agent(observation): return observation.board.index(0, {column})\n")
        status, _, err = run(*argv)
        words = (
            "c4mcts match: warning: checkpoint games.checkpoint: agent.py changed since, so games are played again\n"
            "c4mcts match: 2 of 6 were there already\n"
        )
        assert (status, err) == (0, words if column else "")


def test_openings_of_a_file(record, tmp_path):
    (tmp_path / "openings.txt").write_text("12\n\n335\n")
    argv = ["match", "random", "random", "--games", 4, *SIZE]
    found = record(*argv, "--openings", "openings.txt")
    assert found["openings"] == {"kind": "file", "count": 2, "plies": None}
    assert [game["moves"][: game["opening"]] for game in found["games"]] == [[0, 1]] * 2 + [[2, 2, 4]] * 2
    every = record(*argv, "--openings", "all", "--plies", 2)
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
    assert status == 1
    assert "player agent.py fails at its first move: OSError: lost" in err


def test_the_growing_table_is_for_terminals(run, monkeypatch):
    _, _, err = run("match", "random", "random", "--games", 2, *SIZE)
    assert err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, out, err = run("match", "random", "random", "--games", 2, *SIZE)
    assert "0 of 2 games" in err
    assert "of 2 games" not in out


def test_a_player_that_ends_its_process(run, tmp_path):
    (tmp_path / "agent.py").write_text("import os\ndef agent(observation):\n    os._exit(3)\n")
    argv = ["match", "agent.py", "random", "--games", 4, "--json", "--checkpoint", "games.checkpoint", *SIZE]
    status, out, err = run(*argv, "--executor", "processes:1")
    assert status == 1
    require_valid("match", json.loads(out))
    assert "the same command continues from games.checkpoint" in err
    assert "A process in the process pool was terminated" in err


@pytest.mark.parametrize(("error", "expected"), [(KeyboardInterrupt, 130), (OSError(28, "full"), 1)], ids=str)
def test_what_ends_a_match_early_leaves_the_result_so_far(run, monkeypatch, error, expected):
    def ended(*players, on_game, **options):
        def stop(so_far):
            on_game(so_far)
            if len(so_far().games) == 3:
                raise error

        return play_tournament(*players, on_game=stop, **options)

    monkeypatch.setattr("c4mcts.cli.match.play_tournament", ended)
    status, out, err = run("match", "random", "random", "--games", 40, "--checkpoint", "kept", "--json", *SIZE)
    found = json.loads(out)
    require_valid("match", found)
    assert (status, len(found["games"])) == (expected, 3)
    assert "c4mcts match: stopped; the same command continues from kept\n" in err
