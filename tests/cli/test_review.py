"""The command `review`."""

import csv
import json
import subprocess
import sys

import pytest
from schemas import require_valid

from c4mcts import Rules
from c4mcts._validation import counted
from c4mcts.play import review

GAME = "5132121241253545434"
SIZE = ["--rules", "5x4"]


@pytest.fixture(scope="module")
def result():
    return review(GAME, rules=Rules(5, 4))


def test_columns_count_from_one(printed, result):
    out = printed("review", GAME, *SIZE)
    rows = out.splitlines()[1 : 1 + len(GAME)]
    assert [row.split()[2] for row in rows] == list(GAME)
    assert [row.split()[3] for row in rows] == ["".join(str(c + 1) for c in move.best) for move in result.moves]
    for move in result.turning_points:
        wanted = " ".join(str(column + 1) for column in move.line)
        name = ("yellow", "red")[move.player]
        assert f"after {counted(move.ply, 'move')} {name} should have played {wanted}" in out
        punished = " ".join(str(column + 1) for column in move.refutation)
        assert f"it played {move.column + 1}, which is punished by {punished}\n" in out
    for player, name in enumerate(("yellow", "red")):
        assert f"{name}: {result.accuracy(player):.0f} % accuracy" in out
    assert "estimates" not in out


def test_json(record, result):
    found = record("review", GAME, *SIZE)
    assert {**found, **json.loads(json.dumps(result.to_dict()))} == found


def test_a_file_of_games(run, result, tmp_path):
    games = f"{GAME}\n\n44x\n3344\n"
    status, out, err = run("review", "--file", "-", "--csv", tmp_path / "moves.csv", *SIZE, typed=games)
    assert status == 2
    assert [line.split()[0] for line in out.splitlines()] == [GAME, "3344"]
    assert f"yellow: {result.accuracy(0):.0f} % accuracy, {result.lost_half_points(0) / 2:g} points lost" in out
    words = "character 3, 'x', is not a column: columns are the digits 1 to 5, from 0 with commas"
    assert err == f"c4mcts review: line 3: '44x': {words}\n"
    with (tmp_path / "moves.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["line"] for row in rows] == ["1"] * len(GAME) + ["4"] * 4
    assert [row["kind"] for row in rows[: len(GAME)]] == [move.kind for move in result.moves]
    status, out, err = run("review", "--file", "-", "--json", *SIZE, typed=games)
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["line"] for record in records] == [1, 3, 4]
    for record in records:
        require_valid("review", record)
    assert "is not a column" in records[1]["error"]


def test_a_review_that_is_interrupted_leaves_the_table_of_its_games(run, tmp_path, monkeypatch):
    reviews = iter([review(GAME, rules=Rules(5, 4))])
    (tmp_path / "games.txt").write_text(f"{GAME}\n{GAME}\n")

    def interrupted(*_, **__):
        if (first := next(reviews, None)) is None:
            raise KeyboardInterrupt
        return first

    monkeypatch.setattr("c4mcts.cli.review.review", interrupted)
    status, out, _ = run("review", "--file", "games.txt", "--csv", "moves.csv", *SIZE)
    assert (status, out.count("\n")) == (130, 1)
    assert len((tmp_path / "moves.csv").read_text().splitlines()) == 1 + len(GAME)


def test_a_game_with_variations_is_its_main_line(run):
    assert run("review", "5132(3)121241253545434", *SIZE)[:2] == run("review", GAME, *SIZE)[:2]
    assert "game '44(3)9'" in run("review", "44(3)9")[2]
    assert run("review", "402", "--from", 0)[0] == 0
    assert "--first and --from are for a game" in run("review", "--file", "-", "--from", 0, typed="402")[2]


def test_moves_of_an_opening_are_left_out_and_players_named(printed, record, tmp_path):
    facts = {"first": "ann", "second": "bob", "result": "0-1", "end": "forfeit", "reason": "took longer", "opening": 4}
    line = f"{GAME[:9]} {json.dumps({**facts, 'rules': '5x4'})}\n"
    (tmp_path / "two.txt").write_text(line + line)
    out = printed("review", "--file", "two.txt", "--csv", "moves.csv")
    wanted = review(GAME[:9], rules=Rules(5, 4), opening=4)
    assert [move.ply for move in wanted.moves] == [4, 5, 6, 7, 8]
    words = f"{GAME[:9]}  yellow (ann): {wanted.accuracy(0):.0f} % accuracy"
    assert all(row.startswith(words) and row.endswith("0-1 by forfeit: took longer") for row in out.splitlines())
    with (tmp_path / "moves.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows[:5]] == ["ann", "bob", "ann", "bob", "ann"]
    assert [row["ply"] for row in rows[:5]] == [*"45678"]
    found = record("review", line)
    assert {**found, **{name: facts[name] for name in facts if name != "opening"}} == found


def test_the_only_game_of_a_file_is_printed_in_full(run, tmp_path):
    (tmp_path / "one.txt").write_text(f'{GAME[0]}"a comment"{GAME[1:]}\n')
    assert run("review", "--file", "one.txt", *SIZE) == run("review", GAME, *SIZE)


def test_a_file_of_games_on_other_boards(run):
    games = '0,11,0 {"rules": "12x5x3"}\n1122 {"rules": "4x3x3"}\n44 {"rules": "4x"}\n44 {\n'
    status, out, err = run("review", "--file", "-", "--simulations", 20, "--json", typed=games)
    assert status == 2
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["rules"]["width"] for record in records[:2]] == [12, 4]
    assert [record["line"] for record in records] == [1, 2, 3, 4]
    assert "rules must look like 7x6, 7x6x4" in err
    assert "is not JSON" in records[3]["error"]
    assert len(run("review", "-", typed="4" * 100_000)[2]) < 400


def test_json_is_the_game_of_an_episode_or_an_error(printed, record, failed, tmp_path):
    board, steps = [0] * 42, []
    for number, cell in enumerate([None, 38, 31, 39]):
        if cell is not None:
            board[cell] = 2 - number % 2
        steps.append([{"observation": {"board": board.copy(), "mark": 1}}, {"observation": {"mark": 2}}])
    episode = {"name": "connectx", "configuration": {"columns": 7, "rows": 6, "inarow": 4}, "steps": steps}
    for indent in (None, 1):
        (tmp_path / "episode.json").write_text(json.dumps(episode, indent=indent))
        assert [move["column"] for move in record("review", "--file", "episode.json")["moves"]] == [3, 3, 4]
    episode |= {"rewards": [1, None], "statuses": ["DONE", "INVALID"]}
    (tmp_path / "episode.json").write_text(json.dumps(episode))
    out = printed("review", "--file", "episode.json")
    assert out.endswith("red: 100 % accuracy, 0 points lost\n1-0 by forfeit: invalid\n")
    for text in ('{"name": "connectx", "steps": [[{"action": 3}]]}', '{"moves": "445"}', "{}"):
        assert "Kaggle episode" in failed("review", "-", typed=text)


def test_games_on_standard_input(run):
    games = "3344\n4\n"
    wanted = run("review", "--file", "-", *SIZE, typed=games)
    assert wanted[0] == 0
    assert run("review", "-", *SIZE, typed=games) == wanted
    piped = subprocess.run(
        [sys.executable, "-m", "c4mcts", "review", *SIZE], input=games, capture_output=True, encoding="utf-8"
    )
    assert (piped.returncode, piped.stdout, piped.stderr) == wanted
    assert run("review", "-", typed="\n")[0] == 2, "no games at all"


def test_it_says_where_the_exact_scores_begin(run, monkeypatch):
    """In a game of which the solver can't reach the first moves; and in one that it can't reach at all."""
    monkeypatch.setattr(sys.modules[review.__module__], "SOLVER_NODES", {"native": 200, "pure": 200})
    words = "values between 0 and 1 are estimates from searches"
    result = review(GAME, rules=Rules(5, 4), simulations=20)
    first = result.exact_from
    assert 0 < first < len(result.moves)
    options = *SIZE, "--simulations", 20
    assert run("review", GAME, *options)[1].endswith(f"\n{words}; from ply {first + 1} on all scores are exact\n")
    assert run("review", "1", *options)[1].endswith(f"\n{words}; the scores are not exact\n")
    out = run("review", "--file", "-", *options, typed=f"{GAME}\n1\n")[1]
    assert [line.split("  ")[-1] for line in out.splitlines()] == [
        f"{words}; from ply {first + 1} on all scores are exact",
        f"{words}; the scores are not exact",
    ]


def test_a_player_without_moves_has_no_accuracy(run):
    assert run("review", "4")[1].endswith("yellow: 100 % accuracy, 0 points lost\nred: no moves\n")
    assert run("review", "-", typed="4\n")[1] == "4  yellow: 100 % accuracy, 0 points lost  red: no moves\n"
