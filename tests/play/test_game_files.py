"""Text files with a game a line: what is written is read again."""

import pytest

from c4mcts import Board, Rules
from c4mcts.errors import NotationError
from c4mcts.play import GameTree, RandomPlayer, SavedGame, append_game, play_tournament, read_game
from c4mcts.play.player_specs import Contestant

WIDE = Rules(12, 5, 3, diagonals=False)


@pytest.mark.parametrize("rules", [Rules(5, 4), WIDE], ids=str)
def test_games_of_a_tournament(rules, tmp_path):
    played = play_tournament(["random", "random"], games=2, rules=rules, openings=[[]], seed=1)
    played.save(tmp_path / "games.txt")
    lines = (tmp_path / "games.txt").read_text(encoding="utf-8").splitlines()
    for line, game in zip(lines, played.games, strict=True):
        found = read_game(line)
        assert (found.board.rules, found.board.moves) == (rules, game.moves)
        assert found.facts["number"] == game.number


def test_a_name_that_is_no_text(tmp_path):
    """Linux allows any bytes in the name of an agent's file; Python stands surrogates for those that are no UTF-8."""
    name = "\udcff.py"
    played = play_tournament([Contestant(name, RandomPlayer), "random"], games=2, openings=["1"], seed=1)
    for ending in ("txt", "csv"):
        played.save(tmp_path / f"games.{ending}")
    line = (tmp_path / "games.txt").read_text(encoding="utf-8").splitlines()[0]
    assert read_game(line).facts["first"] == name
    append_game(tmp_path / "games.txt", SavedGame(GameTree(Board.from_pons("4")), {"first": name}))
    line = (tmp_path / "games.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert read_game(line).facts["first"] == name


@pytest.mark.parametrize(
    "board",
    [
        Board.from_pons("4453"),
        Board.from_moves([11], WIDE),
        Board.from_moves([11, 0, 11], WIDE),
        Board.from_fen("7/7/7/7/7/2xo3 x 7x6x4"),
    ],
    ids=repr,
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
    assert found.facts["first"] == "ä"
    assert found.facts.get("start") == (start if "xo" in start else None)
    assert read_game(lines[2]).board == board


def test_moves_alone():
    assert read_game(" 4 4 5\n").board == read_game("4 4 5 {}").board == Board.from_pons("445")
    with pytest.raises(NotationError, match="character 5, 'w', is not a column"):
        read_game(" 445 won by luck\n")
    assert read_game("445\t{}").board == Board.from_pons("445")
    assert read_game("").board == Board()
    assert read_game('3 {"start": "4/4/xo2 x 4x3x3"}').board == Board.from_moves([0, 1, 2], Rules(4, 3, 3))
    assert read_game("3,3,4").board == Board.from_pons("445")
    assert read_game("11,", WIDE).board == Board.from_moves([11], WIDE)
    with pytest.raises(NotationError, match="is not a column"):
        read_game("44;")
    with pytest.raises(NotationError, match="the FEN has the rules 7x6x4, not 7x7x4"):
        read_game('3 {"start": "7/7/7/7/7/2xo3 x 7x6x4", "rules": "7x7x4"}')
