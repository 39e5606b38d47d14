"""examples/network/counterexamples.py and reach.py: what a policy reaches, what it gives away, and how it learns."""

import numpy as np
import pytest

pytest.importorskip("scipy")

from alphazero.layers import integers
from network import counterexamples, reach
from network.counterexamples import chosen, met, run, slopes_and_loss, weights_of
from network.reach import RULES, Judge, given_away, replies
from slopes import drawn_weights, slope_of

from c4mcts import Board, PolicyValueNetwork, solve
from c4mcts.play import NetworkPlayer
from c4mcts.solver.bitboards import Positions

LATE = "55556567774153311316"  # the first player wins; the package's network gives that away in nine positions


def positions_of(*games):
    boards = [Board.parse(game) for game in games]
    return Positions.of(RULES, [board.own for board in boards], [board.mask for board in boards])


@pytest.mark.parametrize("moves", ["4444", LATE])
def test_the_judge_knows_which_columns_win(moves):
    board, judge = Board.parse(moves), Judge()
    scores = solve(board).columns
    expected = [(score or 0) > 0 for score in scores]
    for _ in range(2):  # asked, then kept
        assert judge.winning(board.own, board.mask) == expected
    assert [bool(judge.known[board.own << 64 | board.mask][0] >> column & 1) for column in range(7)] == expected


def test_replies_are_all_that_can_follow():
    games = ["", "4455", "445566", "414141", LATE]
    columns = np.array([3, 2, 2, 3, 0])
    after = replies(positions_of(*games), columns)
    for row, (moves, column) in enumerate(zip(games, columns.tolist(), strict=True)):
        board = Board.parse(moves).after(column)
        assert after.is_won[row] == board.is_over()
        ends = [board.after(reply) for reply in board.legal_columns]
        assert after.is_lost[row] == any(end.is_over() for end in ends)
        expected = positions_of(*("".join(str(c + 1) for c in end.moves) for end in ends if not end.is_over()))
        found = after.positions[after.indices[after.parents == row]]
        assert sorted(found.canonical_keys()) == sorted(expected.canonical_keys())


def test_what_is_given_away_is_counted_as_by_playing_every_game(monkeypatch, capsys):
    """From a late position, with a solver that is asked about every position."""
    start = positions_of(LATE)
    monkeypatch.setattr("network.reach.START", start)
    player = NetworkPlayer()
    table = given_away(player, Judge())
    reached, wrong, seen = {}, {}, set()
    todo = [(Board.parse(LATE), True)]
    while todo:
        board, keeps = todo.pop()
        key = int(positions_of("".join(str(c + 1) for c in board.moves)).canonical_keys()[0])
        if (key, keeps) in seen:
            continue
        seen.add((key, keeps))
        reached.setdefault(board.ply, set()).add(key)
        column = player.choose(board)
        after = board.after(column)
        good = after.is_over() or solve(after, columns=False, book=False).score < 0
        if keeps and not good:
            wrong.setdefault(board.ply, set()).add(key)
        if not after.is_over():
            replied = [after.after(reply) for reply in after.legal_columns]
            todo += [(each, keeps and good) for each in replied if not each.is_over()]
    assert [row[1] for row in table] == [len(reached[ply]) for ply in sorted(reached)]
    assert sum(row[1] for row in table) > 1000
    assert {row[0]: row[2] for row in table if row[2]} == {ply: len(keys) for ply, keys in wrong.items()}
    monkeypatch.setattr("sys.argv", ["reach"])
    reach.main()
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", f"{sum(map(len, reached.values())):,}", "9"]


def test_the_weights_of_a_network_are_those_it_was_made_of():
    network = PolicyValueNetwork.load()
    assert PolicyValueNetwork(integers(weights_of(network))).fingerprint == network.fingerprint


def test_slopes_are_of_the_moves_alone():
    positions = positions_of("44", "4444", LATE)
    some, _ = chosen(positions, NetworkPlayer(), Judge(), 1)
    weights = drawn_weights(2)
    slopes, _ = slopes_and_loss(weights, some)
    for name, array in weights.items():
        place = np.unravel_index(np.abs(slopes[name]).argmax(), array.shape)
        assert (slopes[name][place] == 0) == name.startswith("value"), name
        found = slope_of(lambda moved: slopes_and_loss(moved, some)[1], weights, name, place)
        assert found == pytest.approx(slopes[name][place], rel=1e-3), name


@pytest.fixture
def quick(monkeypatch):
    """Rounds of a few hundred positions."""
    for name, number in {"LAYER": 20, "OLD": 300, "UNSURE": 50, "OTHERS": 50}.items():
        monkeypatch.setattr(counterexamples, name, number)


@pytest.mark.parametrize("lookahead", [False, True])
def test_every_position_that_a_round_meets_is_won(quick, lookahead):
    judge = Judge()
    meeting = met(NetworkPlayer(lookahead=lookahead), judge, 1)
    assert len(np.unique(meeting.positions.plies)) > 15
    assert 0 < meeting.mistakes <= meeting.wrong < len(meeting.positions) / 10
    assert meeting.estimate > meeting.mistakes
    for own, mask in zip(meeting.positions.own.tolist(), meeting.positions.mask.tolist(), strict=True):
        assert judge.known[own << 64 | mask][0]


def test_a_training_that_is_interrupted_continues(quick, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder, limits in {whole: [3], parts: [1, 2, 3]}.items():
        folder.mkdir()
        for rounds in limits:
            run(folder, rounds, PolicyValueNetwork.load(), lookahead=False)
    one, other = (PolicyValueNetwork.load(folder / "network.npz").fingerprint for folder in (whole, parts))
    assert one == other != PolicyValueNetwork.load().fingerprint
    rows = [line.rsplit(",", 1)[0] for line in (parts / "curve.csv").read_text().splitlines()]
    assert rows == [line.rsplit(",", 1)[0] for line in (whole / "curve.csv").read_text().splitlines()]
    assert len(rows) == 4
