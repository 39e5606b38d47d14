"""The command `prove`: certificates, false claims, limits, and files that prove nothing."""

import pytest

from c4mcts import Rules
from c4mcts.cli import prove
from c4mcts.play import read_game

pytestmark = pytest.mark.native


def test_a_certificate_is_written_and_checked(printed):
    out = printed("prove", "--rules", "5x4", "--out", "a.c4p", "--claim", "no-loss")
    assert out.startswith("proven: the first player does not lose\nwritten: a.c4p, ")
    out = printed("prove", "--check", "a.c4p")
    assert out.startswith("a.c4p: 5/5/5/5 x 5x4x4\nproven: the first player does not lose\n")


def test_the_first_plies_are_games_with_variations(printed):
    printed("prove", "--rules", "4x4", "--out", "a.c4p")
    out = printed("prove", "--check", "a.c4p", "--plies", "2")
    first, second = map(read_game, out.splitlines()[3:])
    assert (first.tree.comment, first.board.rules) == ("the first player does not lose", Rules(4, 4))
    assert [len(child.children) for child in first.tree.children] == [4]
    assert second.tree.comment == "the second player does not lose"
    assert [len(child.children) for child in second.tree.children] == [1, 1, 1, 1]


def test_a_false_claim_is_refused_and_nothing_is_written(failed, tmp_path):
    err = failed("prove", "--rules", "5x4", "--out", "a.c4p", "--claim", "win", status=1)
    assert "the claim 'win' is false: the position is a draw for the player to move" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("limit", [("--seconds", "0.001"), ("--max-positions", "1000")])
def test_at_a_limit_it_says_what_is_open(failed, tmp_path, limit):
    err = failed("prove", "4", "--out", "a.c4p", *limit, status=1)
    assert "no proof yet that the first player scores at least 1 after 41, 42" in err
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_shortening_leaves_the_proof(run, monkeypatch):
    def interrupted(certificate, passes):
        raise KeyboardInterrupt

    monkeypatch.setattr(prove, "shorten", interrupted)
    status, out, err = run("prove", "--rules", "5x4", "--out", "a.c4p", "--shorten", 5)
    assert (status, err) == (130, "")
    assert out.startswith("proven: the first player does not lose; the second player does not lose\nwritten: a.c4p, ")
    assert run("prove", "--check", "a.c4p")[0] == 0
    error = "c4mcts prove: error: --shorten must be at least 1, not 0\n"
    assert run("prove", "--rules", "5x4", "--out", "b.c4p", "--shorten", 0) == (2, "", error)


def test_what_proves_nothing_fails(run, tmp_path):
    run("prove", "--rules", "4x4", "--out", "a.c4p")
    data = (tmp_path / "a.c4p").read_bytes()
    (tmp_path / "b.c4p").write_bytes(data[:-1])
    status, out, err = run("prove", "--check", "a.c4p", "b.c4p", "c.c4p")
    assert status == 1
    assert out.startswith("a.c4p: 4/4/4/4 x 4x4x4\nproven: ")
    assert "prove: b.c4p: the proof is damaged: its hash is wrong" in err
    assert "prove: c.c4p: No such file" in err
    joined = run("prove", "--rules", "4x4", "--join", "a.c4p", "b.c4p", "--out", "d.c4p")
    assert joined == (1, "", "c4mcts prove: error: b.c4p: the proof is damaged: its hash is wrong\n")


def test_certificates_are_joined(printed, failed):
    for move in "12":
        printed("prove", move, "--rules", "4x4", "--out", f"{move}.c4p")
    out = printed("prove", "--rules", "4x4", "--join", "1.c4p", "2.c4p", "--out", "a.c4p")
    assert out.startswith("proven: the first player does not lose; the second player does not lose\nwritten: a.c4p, ")
    out = printed("prove", "1", "--rules", "4x4", "--join", "a.c4p", "--out", "c.c4p")
    assert "the second player does not lose" in out
    printed("prove", "--rules", "4x4", "--join", "a.c4p", "--shorten", "5", "--out", "d.c4p")
    err = failed("prove", "1", "--rules", "4x4", "--join", "2.c4p", "--out", "b.c4p")
    assert "is no position after a move" in err
