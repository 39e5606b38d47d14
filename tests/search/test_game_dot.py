"""The tree of a whole game as DOT text, checked against the game and the results."""

import pytest
from dot_text import bold, fields, parsed

from c4mcts import Board, Engine, Rules, SearchParams
from c4mcts.board.notation import write_drawing
from c4mcts.play import EnginePlayer, RandomPlayer, play_game
from c4mcts.search.dot import game_dot

MINIMAX = SearchParams.preset("report-minimax")


@pytest.fixture(scope="module")
def game():
    """A game, and the results of its first player."""
    player = EnginePlayer(MINIMAX, simulations=200)
    board = play_game(player, RandomPlayer(), seed=3).game
    return board, player.results


def test_a_player_keeps_the_results_of_a_game(game):
    board, results = game
    assert [result.board.ply for result in results] == list(range(0, board.ply, 2))
    assert [result.column for result in results] == list(board.moves[::2])
    player = EnginePlayer(MINIMAX, simulations=9)
    assert player.last is None
    one = play_game(player, player, seed=1)
    assert len(player.results) == len(one.moves)
    assert player.last is player.results[-1]


def test_the_moves_of_the_game_are_one_bold_line(game):
    board, results = game
    nodes, edges = parsed(game_dot(board, results))
    line = [edge for edge in edges if "penwidth" in edge[2]]
    assert [int(edge[2]["label"].split()[1]) - 1 for edge in line] == list(board.moves)
    assert [edge[0] for edge in line[1:]] == [edge[1] for edge in line[:-1]]
    assert [edge[2]["label"].split()[0] for edge in line] == ["xo"[ply % 2] for ply in range(board.ply)]
    assert nodes[line[-1][1]]["label"] == f"{'xo'[board.outcome().winner]} has won"
    assert nodes[line[0][0]]["label"] == write_drawing(Board().to_array().tolist(), first=1)


def test_beside_them_are_the_most_visited_others(game):
    board, results = game
    _, edges = parsed(game_dot(board, results, children=2))
    for result in results:
        played = board.moves[result.board.ply]
        drawn = {fields(edge) for edge in edges if edge[0] == f"p{result.board.ply}"}
        others = sorted((m for m in result.moves if m.column != played), key=lambda m: -m.visits)[:2]
        expected = [next(m for m in result.moves if m.column == played), *others]
        assert drawn == {("xo"[result.board.turn], m.column, f"{m.value:.2f}", m.visits) for m in expected}


def test_q_is_on_the_scale_of_the_rewards(game):
    board, results = game
    _, edges = parsed(game_dot(board, results, children=7, rewards=MINIMAX.rewards))
    first = {fields(edge)[1]: fields(edge)[2] for edge in edges if edge[0] == "p0"}
    assert first == {move.column: f"{round(2 * move.value - 1, 2) + 0.0:.2f}" for move in results[0].moves}


def test_proofs_of_other_moves_are_boxes():
    board = Board.from_pons("112233")
    result = Engine(seed=1).search(board, simulations=2000)
    game = board.copy()
    game.push(4)
    nodes, edges = parsed(game_dot(game, [result], children=7))
    last = [edge for edge in edges if edge[0] == "p6"]
    winning = next(edge for edge in last if fields(edge)[1] == 3)
    assert nodes[winning[1]]["label"] == "x has won"
    assert nodes[winning[1]]["shape"] == "box"
    assert bold(last) == [4]


def test_a_game_without_results_and_one_that_begins_later():
    _, edges = parsed(game_dot(Board.from_pons("4453"), []))
    assert [edge[2]["label"] for edge in edges] == ["x 4", "o 4", "x 5", "o 3"]
    start = Board.from_array(Board.from_pons("4453").to_array())
    start.push(0)
    nodes, edges = parsed(game_dot(start, []))
    assert [edge[2]["label"] for edge in edges] == ["x 1"]
    assert nodes["p0"]["label"] == write_drawing(Board.from_pons("4453").to_array().tolist(), first=1)


def test_a_drawn_game():
    board = Board.from_moves([0, 1], Rules(2, 1, 2))
    nodes, _ = parsed(game_dot(board, []))
    assert nodes["p2"]["label"] == "draw"


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((3, []), {}, TypeError, "board must be a Board or its text, not 3"),
        ((Board(), 3), {}, TypeError, "results must be SearchResults, not 3"),
        ((Board.from_pons("44"), [3]), {}, TypeError, "results must be SearchResults, not 3"),
        ((Board.from_pons("44"), []), {"children": 0}, ValueError, "children must be at least 1, not 0"),
        ((Board.from_pons("44"), []), {"rewards": (0, 0, 1)}, ValueError, "rewards must have win >= draw"),
    ],
)
def test_wrong_arguments_are_named(arguments, options, error, words):
    with pytest.raises(error, match=words):
        game_dot(*arguments, **options)


def test_a_result_of_another_game_is_refused():
    result = Engine(seed=1).search(Board.from_pons("1"), simulations=10)
    with pytest.raises(ValueError, match=r"results: Board.from_moves\(\[0\]\) is not a position of the game"):
        game_dot(Board.from_pons("44"), [result])
