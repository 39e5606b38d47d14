"""What newcomers type before they have read the reference: it works, or the error says what to write instead.

Each guess is one line of a first session.
"""

import re

import numpy as np
import pytest

import c4mcts
from c4mcts import Board, Engine, EnginePlayer, SearchParams

BOARD = Board.from_pons("445")
FULL = Board.from_pons("444444")
ENGINE = Engine(seed=1)
RESULT = ENGINE.search(BOARD, simulations=100)
OVER = ENGINE.search(FULL, simulations=100)


def names(**given):
    return {
        "c4mcts": c4mcts,
        "np": np,
        "board": BOARD.copy(),
        "full": OVER,
        "engine": Engine(seed=1),
        "result": RESULT,
    } | given


WORKING = {
    # a text wherever a board is wanted
    'c4mcts.solve("445").score': c4mcts.solve(BOARD).score,
    'c4mcts.solve("3,3,4").score': c4mcts.solve(BOARD).score,
    'c4mcts.solve("5x4x4:1").board.rules.width': 5,
    'c4mcts.Solver(c4mcts.Rules(5, 4)).solve("1").board.rules.width': 5,
    'c4mcts.Solver().best_column("445")': c4mcts.Solver().best_column(BOARD),
    'engine.search("445", simulations=50).board': BOARD,
    'next(engine.analysis("445", simulations=50)).board': BOARD,
    'c4mcts.search_ensemble("445", trees=2, simulations=50, seed=1).board': BOARD,
    'c4mcts.rollouts("445", 10, seed=1).games': 10,
    'c4mcts.perft("445", 2)': c4mcts.perft(BOARD, 2),
    'c4mcts.review("445").board': BOARD,
    'c4mcts.view.AnalysisBoard("445").board': BOARD,
    'c4mcts.study.action_frequency("445", simulations=10, runs=2, seed=1).board': BOARD,
    'c4mcts.selfplay.generate(1, start="445", simulations=10, seed=1).planes.shape[1:]': (2, 6, 7),
    'c4mcts.play_match("random", "random", games=2, start="445", seed=1).games[0].game.start': Board(),
    # and wherever a player is wanted
    'len(c4mcts.play_match("uct@10", "random", seed=1).games)': 20,
    'c4mcts.play.play_game("level:1", "perfect", start="44", seed=1).winner': 1,
    'c4mcts.play.play_game("uct@10", "random", start=c4mcts.games.TicTacToe(), seed=1).game.is_over()': True,
    'EnginePlayer("uct@10").choose(board) in board.legal_moves': True,
    'EnginePlayer("uct", simulations=10).choose(board) in board.legal_moves': True,
    # boards and results
    "c4mcts.Board(width=9, height=7).rules": c4mcts.Rules(9, 7),
    "c4mcts.Board(connect=5).rules.connect": 5,
    "board.legal_moves": [0, 1, 2, 3, 4, 5, 6],
    "3 in board.legal_moves": True,
    "board.is_over()": False,
    "board.outcome()": None,
    "result.move(3).column": 3,
    "full.move(4).column": 4,
    "result.move(np.int64(6)).column": 6,
    # searches by name
    '"uct" in c4mcts.presets()': True,
    'c4mcts.Engine(preset="uct").params': SearchParams.preset("uct"),
    'c4mcts.Engine(preset="uct", seed=1).search("445", simulations=10).simulations': 10,
    "c4mcts.play.LEVELS[0].number": 1,
    "c4mcts.adapters.kaggle.KaggleAgent.__name__": "KaggleAgent",
    # results that are never None
    'c4mcts.solve_many(["445"], columns=True).columns.shape': (1, 7),
    'c4mcts.review("445").accuracy(0) <= 100': True,
}


@pytest.mark.parametrize(("guess", "expected"), WORKING.items(), ids=WORKING)
def test_a_guess_that_works(guess, expected):
    assert eval(guess, names(EnginePlayer=EnginePlayer)) == expected


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
    "c4mcts.solve('44x')": "board: character 3, 'x', is not a column",
    "c4mcts.solve('4444444')": "board: character 7: column 4 is full",
    "c4mcts.solve(445)": "board must be a Board or its text, not 445",
    "c4mcts.solve('4455667')": "board: the game is over",
    "c4mcts.solve_many(['44', '9'])": "boards[1]: character 1",
    "c4mcts.play_match('randm', 'random')": "did you mean 'random'?",
    "c4mcts.EnginePlayer('uct@10', simulations=5)": "'uct@10' has a limit already: leave out simulations",
    "c4mcts.EnginePlayer(simulation=5)": "did you mean 'simulations'?",
    "c4mcts.Engine('uct')": "write SearchParams.preset('uct')",
    "c4mcts.Engine(preset='uctt')": "must be one of 'strong', 'uct'",
    "c4mcts.Engine(c4mcts.UctParams(), preset='uct')": "either params or preset, not both",
    "c4mcts.SearchParams.preset('uct', explorations=1)": "did you mean 'exploration'?",
    "c4mcts.study.win_rate('445', game=9)": "did you mean 'games'?",
}


@pytest.mark.parametrize(("guess", "hint"), HINTS.items(), ids=HINTS)
def test_a_guess_that_is_told_what_to_write(guess, hint):
    with pytest.raises((AttributeError, TypeError, ValueError), match=re.escape(hint)):
        eval(guess, names())


@pytest.mark.parametrize("guess", ["c4mcts.engine", "c4mcts.__wrapped__", "board.columns", "result.colunm"])
def test_other_names_are_missing_as_usual(guess):
    with pytest.raises(AttributeError, match=f"no attribute '{guess.partition('.')[2]}'$") as caught:
        eval(guess, names())
    assert caught.value.name == guess.partition(".")[2]  # from which Python makes its suggestions
