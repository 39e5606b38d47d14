"""Invalid arguments are refused at once, with one short error that names the argument."""

import math
from dataclasses import replace

import numpy as np
import pytest

import c4mcts
from c4mcts import Board, Engine, Rules, SearchParams, UctParams, play, selfplay, study
from c4mcts._validation import counted
from c4mcts.board.positions import planes_of
from c4mcts.games import GameSearch, TicTacToe, ucb1
from c4mcts.search.dot import tree_dot
from c4mcts.solver import Certificate

UCT, PUCT = SearchParams.preset("uct"), SearchParams.preset("puct-node")
ENGINE = Engine(UCT, seed=1)
RESULT = ENGINE.search(Board(), simulations=50)
ONE, TWO = play.RandomPlayer(), play.RandomPlayer()


NO_WORD = ["", None, 3]
NO_NUMBER = [None, True, "1", [1], np.array([1])]
NO_SEED = [-1, 1.0, True, "1"]
NO_PATH = [3, b"x", "a\0b"]
NO_PLAYER = [3, None]
NO_FUNCTION = [3, "print"]
LARGE = [2**31, 2**64]
FAR = [0, 2**63]

WORDS = {  # called with one word
    "selection": lambda v: UctParams(selection=v),
    "preset": SearchParams.preset,
    "policy": lambda v: c4mcts.rollouts(Board(), 1, policy=v),
    "backend": lambda v: c4mcts.rollouts(Board(), 1, backend=v),
    "planes": lambda v: planes_of([Board()], v),
    "first": lambda v: study.win_rate(Board(), first=v),
    "sweep": lambda v: study.optimality(Board(), sweep=v),
}
REFUSED = [  # what is called, what the error begins with, and with what it is called
    *((call, f"{name} must be one of ", NO_WORD) for name, call in WORDS.items()),
    (Rules, "width ", [*NO_NUMBER, 1.0]),
    (Board().push, "column ", [*NO_NUMBER, 1.0]),
    (lambda v: UctParams(exploration=v), "exploration ", [*NO_NUMBER, math.nan]),
    (lambda v: Engine(threads=v), "threads ", [*NO_NUMBER, 2**64]),
    (lambda v: Engine(seed=v), "seed ", NO_SEED),
    (lambda v: Engine(PUCT, evaluator=v), "evaluator must be callable", NO_FUNCTION),
    (lambda v: Engine(PUCT, evaluator=max, threads=v), "threads must be 1 with an evaluator", [2]),
    (lambda v: Engine(PUCT, evaluator=lambda *_: v).search(Board(), simulations=1), "the evaluator", [None, 3]),
    (lambda v: c4mcts.rollouts(Board(), v), "games ", [*NO_NUMBER, 2**64]),
    (lambda v: c4mcts.perft(Board(), v), "depth ", [*NO_NUMBER, -1]),
    (lambda v: c4mcts.solve(Board(), max_nodes=v), "max_nodes ", [0, "1"]),
    (lambda v: c4mcts.solve(Board(), on_progress=v), "on_progress must be callable", NO_FUNCTION),
    (lambda v: c4mcts.search_ensemble(Board(), trees=v, simulations=1), "trees ", [*NO_NUMBER, *LARGE]),
    (lambda v: c4mcts.search_ensemble(Board(), executor=v, simulations=1), "executor ", [3]),
    (planes_of, "boards", [3, Board(), []]),
    (Board.from_moves, "moves", [3, [None]]),
    (Board.from_array, "the board ", [b"xx", np.array(1)]),
    (lambda v: play.play_game(v, TWO), "first must be a text such as level:3, a Player", NO_PLAYER),
    (lambda v: play.play_game(ONE, TWO, seed=v), "seed ", NO_SEED),
    (lambda v: play.play_match(ONE, v, games=1), "opponent must be a text such as level:3, a Player", NO_PLAYER),
    (lambda v: play.play_match(ONE, TWO, games=v), "games ", [*NO_NUMBER, 0]),
    (lambda v: play.play_match(ONE, TWO, games=1, alternate=v), "alternate must be True or False", [3, None]),
    (lambda v: play.play_match(ONE, TWO, games=1, on_game=v), "on_game must be callable", NO_FUNCTION),
    (lambda v: play.play_match(max, max, start=v, games=1), "start must be a Game", [3, TicTacToe]),
    (lambda v: selfplay.generate(v, simulations=1), "games ", [*NO_NUMBER, *LARGE]),
    (lambda v: study.action_frequency(Board(), runs=1).to_csv(v), "path must be a path", NO_PATH),
    (lambda v: study.action_frequency(Board(), runs=v), "runs ", [*NO_NUMBER, *LARGE]),
    (lambda v: study.action_frequency(Board(), progress=v), "progress must be True, ", [3]),
    (lambda v: study.win_rate(Board(), budgets=v), "budgets ", [3, "12", FAR]),
    (lambda v: study.convergence(Board(), simulations=v), "simulations ", [*FAR, FAR, b"12"]),
    (lambda v: study.optimality(Board(), values=v), "values", [[None], 3]),
    (lambda v: study.optimality(Board(), optimal=v), "optimal", [3, np.array(3)]),
    (lambda v: study.regret(v), "board must be a Board", [3, None, TicTacToe()]),
    (lambda v: study.rules_change(v), "rules ", [3, "7x6", [], [3]]),
    (lambda v: study.head_to_head(Board(), v), "sets", [{}, {"a": UCT}, {"a": UCT, "b": 3}, {3: UCT}, 3]),
    (study.action_frequency, "board must be a Game", [3, None, TicTacToe]),
    (play.play_tournament(["random", "uct@1"], games=2, seed=1).games_of, "player must be ", [2, -1, "uct@1"]),
    (play.Review(Board(), ()).accuracy, "player must be ", [2, -1, "first"]),
    (lambda v: play.append_game(v, play.SavedGame(play.GameTree(), {})), "path must be a path", NO_PATH),
    (lambda v: play.append_game("games.txt", v), "game must be a SavedGame", ["44", 3, None]),
    (play.grade_moves, "games must be a list of SavedGame", [3, "44", ["44"]]),
    (c4mcts.review, "game: moves", [3, None, [3, "3"]]),
    (play.elo_of, "score ", [*NO_NUMBER, 2, -0.1, math.nan]),
    (
        lambda v: play.bradley_terry(2, [v]),
        "units must be ",
        [3, (0, 1, 1), (0, 0, 1, 2), (0, 1, math.nan, 2), (0, 1, 3, 2)],
    ),
    (play.NetworkPlayer, "network: ", [3, b"x"]),
    (lambda v: selfplay.evaluate(v), "network must be callable", NO_FUNCTION),
    (lambda v: selfplay.is_better(max, v), "old must be callable", NO_FUNCTION),
    (Certificate.from_bytes, "data must be bytes", [3, "x", None]),
    (c4mcts.solve("4455").verdict_of, "score ", [99, -99, "1", 0.5]),
    (ucb1, "exploration ", [*NO_NUMBER, -1]),
    (lambda v: tree_dot(ENGINE, RESULT, q=v), "q must be True or False", [1, None]),
    (lambda v: tree_dot(ENGINE, RESULT, depth=v), "depth ", [*NO_NUMBER, 0]),
    (lambda v: study.wilson(v, 3), "successes ", [-1, 4, math.nan, "x"]),
    (lambda v: study.wilson(1, v), "trials ", [0, math.inf, None]),
    (lambda v: Board().svg(v), "size ", [2**31, 0, "1"]),
    (GameSearch, "game must be a Game", [3, TicTacToe]),
    (GameSearch(TicTacToe()).advance, "move must be one of 0, 1, ", [9, [1]]),
    (TicTacToe, "moves must be cells|move |cell ", ["44", 3, [3, 3], ["3"]]),
]


@pytest.mark.parametrize(("call", "begins", "values"), REFUSED, ids=[begins for _, begins, _ in REFUSED])
def test_refused_by_name(call, begins, values):
    for value in values:
        with pytest.raises((TypeError, ValueError), match=f"^{begins}") as caught:
            call(value)
        assert len(str(caught.value)) < 700


def test_what_an_iterable_raises_itself_is_not_hidden():
    boards = (len(board) for board in [3])
    with pytest.raises(TypeError, match=r"^object of type 'int' has no len\(\)$"):
        c4mcts.solve_many(boards)


def test_a_noun_is_in_the_number_of_its_count():
    assert [counted(number, "disc") for number in (0, 1, 1200, "1.5 k")] == [
        "0 discs",
        "1 disc",
        "1,200 discs",
        "1.5 k discs",
    ]
    assert [counted(half / 2, "point") for half in range(1, 4)] == ["0.5 points", "1 point", "1.5 points"]
    assert [counted(number, "ply", "plies") for number in (1, 2)] == ["1 ply", "2 plies"]
    one = Engine(UCT, seed=1)
    assert repr(one) == f"<c4mcts.Engine {one.backend}, 0 nodes>"
    assert repr(one.search(Board(Rules(1, 1, 2)), simulations=1)).endswith(" s, 2 nodes>")
    with pytest.raises(ValueError, match=r"^the board must have 1 row of 1 cell, not "):
        Board.from_array([], Rules(1, 1, 2))


def test_words_and_numbers_become_plain_ones():
    params = UctParams(selection=np.str_("ucb1"), proofs=np.True_, max_nodes=np.uint8(9), exploration=np.float16(1))
    assert params == UctParams(max_nodes=9)
    assert [type(value) for value in (params.selection, params.proofs, params.max_nodes)] == [str, bool, int]
    assert replace(params, temperature=np.array(0.5)).temperature == 0.5
    assert type(Rules(np.int8(7)).width) is int
