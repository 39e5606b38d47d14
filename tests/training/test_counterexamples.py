"""examples/network: what a policy reaches on 7x6, what it gives away, how it learns, and how it is repaired."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from network import reach
from network.counterexamples import by_places, packed_weights, run, trained
from network.reach import IMAGE, Judge, given_away, replies
from network.repair import repaired
from network.tasks import RULES, TASKS

from c4mcts import Board, PolicyValueNetwork, solve
from c4mcts.play import NetworkPlayer
from c4mcts.solver.bitboards import Positions

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.timeout(600)  # it compiles a program
LATE = "55556567774153311316"  # the first player wins; the package's network gives that away in nine positions
SECOND = "433462531531254233155"  # the second player wins; the network gives that away in five
DRAW = "317544125345213362354"  # it is drawn; the second player gives that away in seven
ENDS = ("1652723513614526657743514314362617445732", "12661343145647546733334152721561222554677")  # two moves left, one


def positions_of(*games):
    boards = [Board.parse(game) for game in games]
    return Positions.of(RULES, [board.own for board in boards], [board.mask for board in boards])


def task_from(name, moves):
    return TASKS[name]._replace(roots=(Board.parse(moves),))


@pytest.mark.parametrize("goal", [0, 1])
@pytest.mark.parametrize("moves", ["4444", LATE, DRAW])
def test_the_judge_knows_which_columns_reach_a_goal(moves, goal):
    board, judge = Board.parse(moves), Judge()
    scores = solve(board).columns
    expected = {column: score >= goal for column, score in enumerate(scores) if score is not None}
    assert {column: judge.reaches(board.own, board.mask, column, goal) for column in expected} == expected


@pytest.mark.parametrize("goal", [0, 1])
def test_replies_are_all_that_can_follow(goal):
    games = ["", "4455", "445566", "414141", LATE, ENDS[0], *ENDS]
    columns = np.array([3, 2, 2, 3, 0, 1, 6, 6])
    after = replies(positions_of(*games), columns, np.full(len(games), IMAGE, np.uint8), goal)
    for row, (moves, column) in enumerate(zip(games, columns.tolist(), strict=True)):
        board = Board.parse(moves).after(column)
        ends = [board, *(board.after(reply) for reply in board.legal_columns)]
        winners = [end.outcome().winner for end in ends if end.is_over()]
        player = 1 - board.turn
        assert after.is_won[row] == (player in winners)
        assert after.fails[row] == (1 - player in winners or (goal == 1 and None in winners))
        expected = positions_of(*("".join(str(c + 1) for c in end.moves) for end in ends[1:] if not end.is_over()))
        found = after.positions[after.indices[after.parents == row]]
        assert sorted(found.canonical_keys()) == sorted(expected.canonical_keys())


class Leftmost:
    """A player that moves otherwise in the mirror image of a position."""

    def choose(self, board):
        return board.legal_columns[0]

    def choose_many(self, rules, own, mask):
        tops = np.uint64(1) << (7 * np.arange(7) + 5).astype(np.uint64)
        return np.argmax(mask[:, None] & tops == 0, axis=1)


@pytest.mark.parametrize(
    ("kind", "name", "root", "least"),
    [
        (NetworkPlayer, "first", LATE, 1000),
        (Leftmost, "first", LATE, 400),
        (NetworkPlayer, "second", SECOND, 1000),
        (NetworkPlayer, "draw", DRAW, 1000),
    ],
)
def test_what_is_given_away_is_counted_as_by_playing_every_game(kind, name, root, least, monkeypatch, capsys):
    """From a late position, with a solver that is asked about every position."""
    task = task_from(name, root)
    monkeypatch.setitem(TASKS, name, task)
    player = kind()
    monkeypatch.setattr("network.reach.NetworkPlayer", lambda *_, **__: player)
    table = given_away(player, Judge(), task)
    reached, wrong, seen = {}, {}, set()
    todo = [(Board.parse(root), True)]
    while todo:
        board, keeps = todo.pop()
        key = int(positions_of("".join(str(c + 1) for c in board.moves)).canonical_keys()[0])
        if (board.own, board.mask, keeps) in seen:
            continue
        seen.add((board.own, board.mask, keeps))
        reached.setdefault(board.ply, set()).add(key)
        column = player.choose(board)
        after = board.after(column)
        if after.is_over():
            good = after.outcome().winner == board.turn or task.goal == 0
        else:
            good = -solve(after, columns=False, book=False).score >= task.goal
        if keeps and not good:
            wrong.setdefault(board.ply, set()).add(key)
        if not after.is_over():
            replied = [after.after(reply) for reply in after.legal_columns]
            todo += [(each, keeps and good) for each in replied if not each.is_over()]
    assert [row[1] for row in table] == [len(reached[ply]) for ply in sorted(reached)]
    assert sum(row[1] for row in table) > least
    assert {row[0]: row[2] for row in table if row[2]} == {ply: len(keys) for ply, keys in wrong.items()} != {}
    monkeypatch.setattr("sys.argv", ["reach", "--task", name])
    reach.main()
    total, errors = (sum(map(len, by_ply.values())) for by_ply in (reached, wrong))
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", f"{total:,}", f"{errors:,}"]


def test_a_network_by_places_begins_as_the_network_that_it_was_made_of(tmp_path):
    path, network = tmp_path / "weights.bin", PolicyValueNetwork.load()
    path.write_bytes(packed_weights(by_places(network)))
    written = trained(path, network)
    for moves in ("", "4", "4453", LATE):
        assert written.evaluate(moves)[0] == network.evaluate(moves)[0]
        assert (written.evaluate(moves)[1] == network.evaluate(moves)[1]).all()
    path.write_bytes(packed_weights(by_places(written)))
    assert trained(path, written).fingerprint == written.fingerprint


@pytest.mark.parametrize("name", ["first", "second", "draw"])
def test_the_networks_of_the_page_reach_their_goals(name):
    """In a thousand games; c4mcts exploit and network.reach have proven it for all."""
    network, task = PolicyValueNetwork.load(ROOT / f"examples/network/{name}-player.npz"), TASKS[name]
    assert network.fingerprint in (ROOT / "docs/guide/proven-network.md").read_text(encoding="utf-8")
    player, draw = NetworkPlayer(network), np.random.default_rng(1)
    for number in range(1000):
        board = task.roots[number % len(task.roots)].copy()
        turn = board.turn
        while not board.is_over():
            columns = (player.choose(board),) if board.turn == turn else board.legal_columns
            board.push(int(draw.choice(columns)))
        assert board.outcome().winner in ((turn,) if task.goal > 0 else (turn, None))


@pytest.fixture(scope="module")
def compiler():
    if shutil.which(os.environ.get("CXX", "c++")) is None:
        pytest.skip("there is no C++ compiler")


@pytest.mark.parametrize(("name", "root", "errors"), [("first", LATE, 9), ("second", SECOND, 6), ("draw", DRAW, 11)])
def test_a_repaired_network_gives_nothing_away(name, root, errors, compiler, capfd):
    """From a late position, by few changes; the player is asked again in all positions that it then reaches."""
    task = task_from(name, root)
    network, is_perfect = repaired(PolicyValueNetwork.load(), 20, task)
    turns = turns_in(capfd.readouterr().out)
    table = given_away(NetworkPlayer(network=network), Judge(), task)
    assert is_perfect
    assert turns[0][2] == errors
    assert turns[-1][1] >= sum(row[1] for row in table) > 500  # the program plays all columns of equal priors
    assert turns[-1][2] == sum(row[2] for row in table) == 0
    before = by_places(PolicyValueNetwork.load())
    assert 0 < sum((network.weights[name] != array).sum() for name, array in before.items()) <= turns[-1][3]


def turns_in(output):
    """Of each turn: its number, positions, errors, and steps so far."""
    return [[int(number) for number in re.findall(r"\d+", line)] for line in output.splitlines()]


def test_repairs_spoil_few_other_decisions(compiler, capfd):
    """A turn leaves 80 of 434 errors; 126 where no repair is undone that makes another decision wrong."""
    repaired(PolicyValueNetwork.load(), 2, task_from("first", "627431475612"))
    before, after = (errors for _, _, errors, _ in turns_in(capfd.readouterr().out))
    assert after < before / 4


def test_a_repair_that_is_not_over_says_so(compiler):
    assert not repaired(PolicyValueNetwork.load(), 1, task_from("first", LATE))[1]


@pytest.fixture(scope="module")
def trained_folder(compiler, tmp_path_factory):
    """Of three rounds that play on 200 positions with as many discs."""
    folder = tmp_path_factory.mktemp("whole")
    run(folder, 3, PolicyValueNetwork.load(), lookahead=False, sampled=3, sample=200)
    return folder


def test_the_program_chooses_as_the_network(trained_folder):
    """Of columns whose priors are equal it prints all."""
    network = PolicyValueNetwork.load(trained_folder / "network.npz")
    assert network.fingerprint != PolicyValueNetwork.load().fingerprint
    draw, boards = np.random.default_rng(1), []
    for plies in range(40):
        for _ in range(20):
            board = Board()
            while board.ply < plies and not board.is_over():
                board.push(int(draw.choice(board.legal_columns)))
            boards += [] if board.is_over() else [board]
    positions = Positions.of(RULES, [board.own for board in boards], [board.mask for board in boards])
    discs = zip(positions.own.tolist(), (positions.own ^ positions.mask).tolist(), strict=True)
    text = "".join(f"{own} {other}\n" for own, other in discs)
    command = [trained_folder / "counterexamples", trained_folder]
    printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    priors, _ = network.evaluate_many(positions.own.tolist(), positions.mask.tolist(), RULES)
    highest = priors == priors.max(axis=1, keepdims=True)
    assert [int(line) for line in printed.splitlines()] == (highest @ (1 << np.arange(7))).tolist()
    assert len(positions) > 400


def test_a_training_that_is_interrupted_continues(trained_folder, tmp_path):
    for rounds in (1, 2, 3):
        run(tmp_path, rounds, PolicyValueNetwork.load(), lookahead=False, sampled=3, sample=200)
    for name in ("weights.bin", "network.npz"):
        assert (tmp_path / name).read_bytes() == (trained_folder / name).read_bytes()
    curves = [(folder / "curve.csv").read_text().splitlines() for folder in (trained_folder, tmp_path)]
    one, other = ([line.rsplit(",", 1)[0] for line in lines] for lines in curves)
    assert one == other
    assert len(one) == 4
