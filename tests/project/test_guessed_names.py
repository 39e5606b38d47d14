"""What newcomers type before they have read the reference: the error says what to write instead."""

import re

import pytest

import c4mcts
from c4mcts import Board, Engine

BOARD = Board.from_pons("445")
NAMES = {
    "c4mcts": c4mcts,
    "board": BOARD,
    "result": Engine(seed=1).search(BOARD, simulations=100),
    "full": Engine(seed=1).search(Board.from_pons("444444"), simulations=100),
}
HINTS = {
    "board.winner": "write outcome().winner",
    "result.win_rate": "write value",
    "result.visits": "move(column).visits",
    "full.move(3)": "column 3 is full",
    "result.move(7)": "column must be 0 to 6, not 7",
    "c4mcts.play_tournament": "it is c4mcts.play.play_tournament",
    'c4mcts.Board("445")': "Board.parse",
    "c4mcts.Board(widht=9)": "did you mean 'width'?",
    "c4mcts.Board(c4mcts.Rules(), width=9)": "either rules or width, not both",
    "c4mcts.solve('4444444')": "board: character 7: column 4 is full",
    "c4mcts.play_match('randm', 'random')": "did you mean 'random'?",
    "c4mcts.EnginePlayer('uct@10', simulations=5)": "'uct@10' has a limit already: leave out simulations",
    "c4mcts.EnginePlayer(simulation=5)": "did you mean 'simulations'?",
    "c4mcts.Engine('uct')": "write SearchParams.preset('uct')",
    "c4mcts.Engine(preset='uctt')": "must be one of 'strong', 'uct'",
    "c4mcts.Engine(c4mcts.UctParams(), preset='uct')": "either params or preset, not both",
    "c4mcts.SearchParams.preset('uct', explorations=1)": "did you mean 'exploration'?",
    "c4mcts.study.win_rate('445', game=9)": "did you mean 'games'?",
    "c4mcts.engine": "no attribute 'engine'",
}


@pytest.mark.parametrize(("guess", "hint"), HINTS.items(), ids=HINTS)
def test_the_error_says_what_to_write(guess, hint):
    with pytest.raises((AttributeError, TypeError, ValueError), match=re.escape(hint)):
        eval(guess, NAMES.copy())


def test_a_text_is_a_board_wherever_one_is_wanted():
    assert c4mcts.Engine(preset="uct", seed=1).search("445", simulations=10).board == BOARD
    assert c4mcts.search_ensemble("445", trees=2, simulations=50, seed=1).board == BOARD
    assert c4mcts.rollouts("445", 10, seed=1).games == 10
    assert c4mcts.perft("445", 2) == c4mcts.perft(BOARD, 2)
    assert c4mcts.Solver(c4mcts.Rules(5, 4)).solve("1").board.rules.width == 5
    assert c4mcts.view.AnalysisBoard("445").board == BOARD
    assert c4mcts.play.play_game("uct@10", "random", start=c4mcts.games.TicTacToe(), seed=1).game.is_over()
