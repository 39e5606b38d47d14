"""Games with variations, their text, and text files with a game a line: what is written is read again."""

import json
import re

import pytest
from fuzz.game_texts import a_tree, as_lists
from hypothesis import given
from hypothesis import strategies as st
from position_texts import GAMES

from c4mcts import Board, Rules
from c4mcts.board.notation import read_rules
from c4mcts.errors import IllegalMoveError, NotationError
from c4mcts.play import GameTree, RandomPlayer, SavedGame, append_game, play_tournament, read_game
from c4mcts.play.game_files import MOST_MOVES, split_moves
from c4mcts.play.player_specs import Contestant

WIDE = Rules(12, 5, 3, diagonals=False)
RULES = [Rules(), Rules(9, 2, 3), WIDE]


def read(text, rules):
    return GameTree.from_text(text, Board(read_rules(rules)))


@pytest.mark.parametrize("case", GAMES["read"], ids=lambda case: case["text"])
def test_texts(case):
    tree = read(case["text"], case["rules"])
    assert as_lists(tree) == case["tree"]
    assert tree.to_text() == case.get("written", case["text"])


@pytest.mark.parametrize("case", GAMES["refused"], ids=lambda case: case["text"])
def test_what_is_wrong_is_named_by_its_character(case):
    with pytest.raises((NotationError, IllegalMoveError), match=rf"^character {case['character']}\b"):
        read(case["text"], case["rules"])


@pytest.mark.parametrize("case", GAMES["lines"], ids=lambda case: case["text"])
def test_lines(case):
    tree = read_game(case["text"]).tree
    assert (tree.start.to_fen(), tree.to_text()) == (case["start"], case["tree"])


@pytest.mark.parametrize("case", GAMES["refused_lines"], ids=lambda case: case["text"])
def test_what_is_wrong_in_a_line_is_said(case):
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        read_game(case["text"])
    assert case["error"] in str(caught.value)


def arena(moves, **changes):
    """An episode of the Game Arena."""
    episode = {
        "name": "open_spiel_connect_four",
        "configuration": {"openSpielGameParameters": {"columns": 7, "rows": 6, "x_in_row": 4}},
        "info": {"Agents": [{"Name": "one"}, {"Name": "two"}], "actionHistory": list(moves)},
        "rewards": [1.0, -1.0],
        "statuses": ["DONE", "DONE"],
        "steps": [[{"action": {"submission": -1}}, {"action": {"submission": -1}}]],
    }
    return json.dumps({**episode, **changes})


def test_an_episode_has_its_players_and_how_it_ended():
    names = {"first": "one", "second": "two"}
    game = read_game(arena("3232323"))
    assert game.board == Board.from_pons("4343434")
    assert game.headers == {**names, "result": "1-0", "end": "line"}
    assert read_game(game.line()).headers == {**game.headers, "rules": "7x6x4"}
    forfeit = {**names, "result": "0-1", "end": "forfeit"}
    assert read_game(arena("3", rewards=[-1, 1])).headers == {**forfeit, "reason": "no legal move"}
    late = arena("3", rewards=[None, 1], statuses=["TIMEOUT", "DONE"])
    assert read_game(late).headers == {**forfeit, "reason": "timeout"}
    assert read_game(arena("3", rewards=[1, 0], statuses=["DONE"])).headers["reason"] == "no legal move"
    for rewards in ([0, 0], [None, None], None):
        assert read_game(arena("3", rewards=rewards)).headers == {**names, "result": "*", "end": "unfinished"}
    teams = {"TeamNames": ["a", "b"], "actionHistory": []}
    assert read_game(arena("", info=teams)).headers["second"] == "b"
    assert read_game(arena("", info={"actionHistory": []})).headers["result"] == "1-0"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rewards": 5}, "rewards must be a list, not 5"),
        ({"rewards": ["a", 1]}, "rewards must be a number, not 'a'"),
        ({"rewards": [1, 0], "statuses": 7}, "statuses must be a list, not 7"),
        ({"info": {"Agents": 5, "actionHistory": []}}, "Agents must be a list, not 5"),
        ({"info": {"TeamNames": "ab", "actionHistory": []}}, "TeamNames must be a list, not 'ab'"),
        ({"configuration": {"openSpielGameParameters": {"rows": 0}}}, "height must be 1 to 64, not 0"),
        ({"configuration": {"columns": "7", "rows": 6, "inarow": 4}, "info": {}}, "width must be an integer, not '7'"),
    ],
)
def test_what_is_wrong_in_an_episode_is_said(changes, words):
    with pytest.raises(NotationError, match=f"the Kaggle episode: {words}"):
        read_game(arena("3", **changes))


@given(st.randoms(use_true_random=False).map(a_tree), st.text(max_size=5))
def test_what_is_written_is_read_again(tree, comment):
    tree.comment = comment
    line = SavedGame(tree, {"first": "x"}).line()
    assert line.count("\n") == 1
    found = read_game(line)
    assert as_lists(found.tree) == as_lists(tree)
    assert found.headers["first"] == "x"
    assert found.board == [tree, *tree.main_line()][-1].board


@given(st.text(alphabet='123478,()"\\ {}\n\ud83d', max_size=40), st.sampled_from(RULES))
def test_any_text_is_read_or_refused_with_its_place(text, rules):
    moves, rest = split_moves(text)
    assert not rest.startswith((" ", "\n"))
    try:
        tree = GameTree.from_text(moves, Board(rules))
    except (NotationError, IllegalMoveError) as error:
        number = int(re.match(r"character (\d+)", str(error))[1])
        assert 1 <= number <= len(moves)
    else:
        assert as_lists(GameTree.from_text(tree.to_text(), Board(rules))) == as_lists(tree)


def test_depth_and_size_have_no_bad_end():
    long = "".join(f"{column}" for _ in range(3) for column in "1234567")
    nested = GameTree.from_text("4(3(2(1(5(6(7))))))")
    assert len(nested.children) == 7
    deep = GameTree(Board.from_pons(long[:20]))
    assert GameTree.from_text(deep.to_text()).to_text() == deep.to_text()
    with pytest.raises(NotationError, match=r"^character 3: column 1 is there already"):
        GameTree.from_text("1" + "(1" * 100_000)
    rules = Rules(64, 64, 64)
    with pytest.raises(NotationError, match=f"at most {MOST_MOVES:,} moves"):
        GameTree.from_text(many_moves(MOST_MOVES + 1), Board(rules))
    assert GameTree.from_text(many_moves(MOST_MOVES), Board(rules)).children


def many_moves(count):
    """A text with that many moves on 64 columns: long games that differ in their first move."""
    longest = 64 * 60
    columns = [column for column in range(64) for _ in range(60)]
    lengths = [min(longest, count - done) for done in range(0, count, longest)]
    lines = [[first, *columns[: length - 1]] for first, length in enumerate(lengths)]
    main, *others = [",".join(map(str, line)) for line in lines]
    head, _, rest = main.partition(",")
    return head + "".join(f"({other})" for other in others) + "," + rest


def test_moves_are_added():
    tree = GameTree.from_text("4453")
    other = tree[3].add(0, "aside")
    assert tree[3].add(0) is other
    assert tree.to_text() == '44(1"aside")53'
    assert other.board.moves == (3, 0)
    with pytest.raises(IllegalMoveError, match="7"):
        tree.add(7)
    with pytest.raises(TypeError, match="comment must be a string, not 5"):
        tree.add(6, comment=5)


def test_a_name_that_is_no_text(tmp_path):
    """Linux allows any bytes in the name of an agent's file; Python stands surrogates for those that are no UTF-8."""
    name = "\udcff.py"
    played = play_tournament([Contestant(name, RandomPlayer), "random"], games=2, openings=["1"], seed=1)
    for ending in ("txt", "csv"):
        played.save(tmp_path / f"games.{ending}")
    line = (tmp_path / "games.txt").read_text(encoding="utf-8").splitlines()[0]
    assert read_game(line).headers["first"] == name
    append_game(tmp_path / "games.txt", SavedGame(GameTree(Board.from_pons("4")), {"first": name}))
    line = (tmp_path / "games.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert read_game(line).headers["first"] == name


@pytest.mark.parametrize(
    "board", [Board.from_moves([11, 0, 11], WIDE), Board.from_fen("7/7/7/7/7/2xo3 x 7x6x4")], ids=repr
)
def test_a_saved_game_is_read_again(board, tmp_path):
    start = board.to_fen()
    if not board.moves:
        board.push(3)
    file = tmp_path / "games.txt"
    file.write_text("44")  # without an end of the line
    append_game(file, SavedGame(GameTree(board), {"first": "ä"}))
    append_game(file, SavedGame(GameTree(board), {}))
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "44"
    found = read_game(lines[1])
    assert (found.board, found.board.moves, found.board.rules) == (board, board.moves, board.rules)
    assert found.headers["first"] == "ä"
    assert found.headers.get("start") == (start if "xo" in start else None)
    assert read_game(lines[2]).board == board
