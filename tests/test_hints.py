"""A guess that fails is told what to write instead: arguments, attributes, and names of the package."""

import inspect
import re
import traceback
from operator import attrgetter

import pytest

import c4mcts
from c4mcts import Board, Engine, NetworkParams, PolicyValueNetwork, PuctParams, Rules, UctParams
from c4mcts._hints import ARGUMENTS, ATTRIBUTES, HOMES, NAMES
from c4mcts._hints import COMMANDS as COMMAND_HINTS
from c4mcts.cli import COMMANDS, main

GUESSES = {
    "engine.search(board, time=1)": "unexpected keyword argument 'time': write seconds=",
    "engine.search(board, 1000)": "write simulations=1000 or seconds=1000",
    "engine.search(board, c=1.4)": "write Engine(UctParams(exploration=...))",
    "engine.analysis(board, timeout=3)": "write seconds=",
    "Engine(c=1.4)": "write params=UctParams(exploration=...)",
    "Engine(selection=max)": "write c4mcts.games.GameSearch(board,selection=...,rollout=...)",
    "UctParams(selection=max)": "a function needs c4mcts.games.GameSearch",
    "c4mcts.SearchParams.preset('uct', selection=max)": "a function needs c4mcts.games.GameSearch",
    "Engine(rows=6)": "write Board(height=...)",
    "Engine(seeed=1)": "did you mean 'seed'?",
    "Board(columns=6)": "write width=",
    "UctParams(c=1.4)": "UctParams() got an unexpected keyword argument 'c': write exploration=",
    "UctParams().changed(num_simulations=3)": "UctParams has no parameter 'num_simulations'",
    "c4mcts.solve(board, timeout=3)": "write seconds=",
    "c4mcts.solve(board, 5)": "write seconds=5 or max_nodes=5",
    "c4mcts.solve_many([board], workers=4)": "write executor=",
    "c4mcts.rollouts(board, iterations=10)": "write games=",
    "c4mcts.play_match('random', 'random', num_games=3)": "write games=",
    "c4mcts.play.play_game('random', 'random', position='44')": "write start=",
    "c4mcts.selfplay.search_many(['44'], evaluator, iterations=9)": "write simulations=",
    "c4mcts.perft(board)": "missing 1 required positional argument: 'depth'",
    "board.winner": "write outcome().winner",
    "Board.from_url('x')": "'Board' class has no attribute 'from_url': write Board.parse(text)",
    "Board.from_kaggle({})": "adapters.kaggle.board_of(observation)",
    "engine.best_move(board)": "write search(board, seconds=1)",
    "c4mcts.TorchEvaluator": "it is c4mcts.evaluators.TorchEvaluator",
    "c4mcts.play_tournament": "it is c4mcts.play.play_tournament",
    "engine.search(board, 0.5)": "given: write seconds=0.5",
    "result.win_rate": "write value",
    "full.move(3)": "column 3 is full",
    "result.move(7)": "column must be 0 to 6, not 7",
    'Board("445")': "Board.parse",
    "Board(widht=9)": "did you mean 'width'?",
    "Board(Rules(), width=9)": "either rules or width, not both",
    "c4mcts.solve('4444444')": "board: character 7: column 4 is full",
    "c4mcts.play_match('randm', 'random')": "did you mean 'random'?",
    "c4mcts.EnginePlayer('uct@10', simulations=5)": "'uct@10' has a limit already: leave out simulations",
    "c4mcts.EnginePlayer(simulation=5)": "did you mean 'simulations'?",
    "Engine('uct')": "write SearchParams.preset('uct')",
    "Engine(preset='uctt')": "must be one of 'strong', 'uct'",
    "Engine(UctParams(), preset='uct')": "either params or preset, not both",
    "c4mcts.SearchParams.preset('uct', explorations=1)": "did you mean 'exploration'?",
    "c4mcts.study.win_rate('445', game=9)": "did you mean 'games'?",
    "c4mcts.selfplay.generate(1, dirichlet_alpha=1)": "write params=PuctParams(root_noise=...)",
    "c4mcts.selfplay.generate(1, temperature=1)": "write play=PlayParams(temperature=...)",
    "c4mcts.engine": "no attribute 'engine'",
    "c4mcts.MCTS": "write c4mcts.Engine(seed=7).search(board, simulations=1000)",
    "c4mcts.Position": "has no attribute 'Position': write c4mcts.Board()",
    "c4mcts.RandomAgent": "write c4mcts.play.RandomPlayer()",
    "c4mcts.play.elo": "write c4mcts.play.bradley_terry(results)",
    "c4mcts.play.Engine": "it is c4mcts.Engine",
    "c4mcts.play.play_gmae": "did you mean 'play_game'?",
}


@pytest.mark.parametrize(("guess", "hint"), GUESSES.items(), ids=GUESSES)
def test_a_guess_is_told_what_to_write(guess, hint):
    names = {
        "c4mcts": c4mcts,
        "Board": Board,
        "Engine": Engine,
        "Rules": Rules,
        "UctParams": UctParams,
        "board": Board(),
        "evaluator": None,
        "engine": Engine(seed=1),
        "result": Engine(seed=1).search("445", simulations=9),
        "full": Engine(seed=1).search("444444", simulations=9),
    }
    with pytest.raises((AttributeError, TypeError, ValueError), match=re.escape(hint)):
        eval(guess, names)


def test_what_is_advised_exists():
    arguments = {name for names in ARGUMENTS.values() for name in names.split() if name.isidentifier()}
    signatures = c4mcts.Engine, c4mcts.Engine.search, c4mcts.solve, c4mcts.rollouts, c4mcts.Rules, c4mcts.UctParams
    known = {name for each in signatures for name in inspect.signature(each).parameters}
    assert arguments - known <= {"games", "root_noise", "executor", "progress", "start"}
    for kind, names in ATTRIBUTES.items():
        for guess, advice in names.items():
            found = re.match(r"\w+", advice)[0]
            assert not hasattr(getattr(c4mcts, kind), guess), guess
            assert found in ("Board", "c4mcts") or hasattr(getattr(c4mcts, kind), found), advice
    assert set(HOMES.values()) == {"adapters.kaggle", "adapters.gymnasium", "evaluators"}


def test_advice_for_a_name_is_a_name_that_exists():
    for guess, advice in NAMES.items():
        path = re.match(r"c4mcts\.([\w.]+)", advice)[1]
        assert attrgetter(path.split("(")[0])(c4mcts) is not None, guess
        assert not hasattr(c4mcts, guess), guess
        assert guess not in c4mcts.play.__all__
    assert set(COMMAND_HINTS.values()) <= set(COMMANDS)
    assert not set(COMMAND_HINTS) & set(COMMANDS)


def test_an_unlike_name_gets_no_hint():
    with pytest.raises(AttributeError, match=r"has no attribute 'Solitaire'$") as error:
        c4mcts.Solitaire  # noqa: B018
    assert "did you mean" not in "".join(traceback.format_exception_only(error.value)).lower()


def test_a_guessed_command_is_told_the_command(capsys):
    assert main(["tournament", "strong", "uct"]) == 2
    assert capsys.readouterr().err == "c4mcts: error: there is no command 'tournament': write c4mcts match\n"


def test_an_error_inside_of_a_function_is_left_as_it_is():
    def evaluator(planes, legal):
        raise TypeError("its own")

    with pytest.raises(TypeError, match=r"^its own$"):
        Engine(evaluator=evaluator).search(Board(), simulations=1)


def test_an_evaluator_alone_chooses_the_search():
    assert Engine(evaluator=lambda planes, legal: (legal, legal)).params == PuctParams()
    assert Engine(evaluator=PolicyValueNetwork.load()).params == NetworkParams()
    module = type("Net", (), {"state_dict": None, "named_parameters": None, "__call__": None})()
    with pytest.raises(TypeError, match=r"not a Net: wrap it in c4mcts\.evaluators\.TorchEvaluator"):
        Engine(evaluator=module)


def test_a_text_is_a_board_wherever_one_is_wanted():
    assert c4mcts.Engine(preset="uct", seed=1).search("445", simulations=10).board == Board.from_pons("445")
    assert c4mcts.search_ensemble("445", trees=2, simulations=50, seed=1).board == Board.from_pons("445")
    assert c4mcts.rollouts("445", 10, seed=1).games == 10
    assert c4mcts.perft("445", 2) == c4mcts.perft(Board.from_pons("445"), 2)
    assert c4mcts.Solver(c4mcts.Rules(5, 4)).solve("1").board.rules.width == 5
    assert c4mcts.view.AnalysisBoard("445").board == Board.from_pons("445")
    assert c4mcts.play.play_game("uct@10", "random", start=c4mcts.games.TicTacToe(), seed=1).game.is_over()
