"""Invalid arguments are refused at once, with one short error that names the argument."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from c4mcts import (
    Board,
    Engine,
    Rules,
    SearchParams,
    UctParams,
    perft,
    rollouts,
    search_ensemble,
    selfplay,
    solve,
    study,
)
from c4mcts.adapters import kaggle
from c4mcts.board.positions import planes_of
from c4mcts.games import GameSearch, TicTacToe
from c4mcts.play import HumanPlayer, PerfectPlayer, RandomPlayer, play_game, play_match
from c4mcts.search.dot import game_dot, render, tree_dot

HUGE = 10**5000
LONG = "x" * 10**6
ENDLESS = itertools.repeat(1)
VAST = np.broadcast_to(np.int8(0), (2**20, 2**20))  # would take a terabyte
UCT, PUCT = SearchParams.preset("uct"), SearchParams.preset("puct-node")
ENGINE = Engine(UCT, seed=1)
RESULT = ENGINE.search(Board(), simulations=50)
ONE, TWO = RandomPlayer(), RandomPlayer()


class Mover(RandomPlayer):
    """A player that always makes the same choice, and whose __repr__ raises."""

    def __repr__(self):
        raise ZeroDivisionError("broken")

    def __init__(self, column):
        self.choose = lambda board: column


NO_WORD = ["", LONG, None, 3, HUGE, np.array(["uct"]), np.array(["a", "b"])]
NO_NUMBER = [None, True, "1", HUGE, -HUGE, [1], [HUGE], np.array([1]), np.bool_(1), np.complex64(1)]
NO_SEED = [-1, 1.0, True, "1", HUGE, -HUGE, np.array([1])]
NO_PATH = [0, 3, b"x", "a\0b", "\ud800"]
NO_PLAYER = [3, None, RandomPlayer]
NO_FUNCTION = [3, "print"]
MANY = [2**31, 2**64]
FAR = [0, 2**63, 2**64]

WORDS = {  # called with one word
    "selection": lambda v: UctParams(selection=v),
    "rollout": lambda v: UctParams(rollout=v),
    "preset": SearchParams.preset,
    "policy": lambda v: rollouts(Board(), 1, policy=v),
    "backend": lambda v: rollouts(Board(), 1, backend=v),
    "backend ": lambda v: PerfectPlayer(backend=v),
    "backend  ": lambda v: search_ensemble(Board(), trees=1, simulations=1, backend=v),
    "planes": lambda v: planes_of([Board()], v),
    "first": lambda v: study.win_rate(Board(), first=v),
    "sweep": lambda v: study.optimality(Board(), sweep=v),
}
REFUSED = [  # what is called, what the error begins with, and with what it is called
    *((call, f"{name.strip()} must be one of ", NO_WORD) for name, call in WORDS.items()),
    (Rules, "width ", [*NO_NUMBER, 1.0]),
    (Board().push, "column ", [*NO_NUMBER, 1.0]),
    (
        lambda v: UctParams(exploration=v),
        "exploration ",
        [*NO_NUMBER, math.nan, np.timedelta64(1, "s"), memoryview(b"1")],
    ),
    (lambda v: UctParams(rewards=(v, 0, 0)), "rewards ", NO_NUMBER),
    (lambda v: UctParams(rewards=v), "rewards must be three ", [ENDLESS, "abc", b"abc", 3]),
    (lambda v: replace(PUCT, root_noise=(v, 0)), "root_noise ", NO_NUMBER),
    (lambda v: Engine(threads=v), "threads ", [*NO_NUMBER, 2**64]),
    (lambda v: Engine(seed=v), "seed ", NO_SEED),
    (lambda v: Engine(PUCT, evaluator=v), "evaluator must be callable", NO_FUNCTION),
    (lambda v: Engine(PUCT, evaluator=lambda *_: v).search(Board(), simulations=1), "the evaluator", [ENDLESS, 3]),
    (lambda v: Engine(PUCT, evaluator=lambda *_: (VAST, v)).search(Board(), simulations=1), "the evaluator", [VAST]),
    (lambda v: rollouts(Board(), v), "games ", [*NO_NUMBER, 2**64]),
    (lambda v: perft(Board(), v), "depth ", [*NO_NUMBER, -1]),
    (lambda v: solve(Board(), max_nodes=v), "max_nodes ", [10**4000, 0, "1", HUGE]),
    (lambda v: solve(Board(), on_progress=v), "on_progress must be callable", NO_FUNCTION),
    (lambda v: search_ensemble(Board(), trees=v, simulations=1), "trees ", [*NO_NUMBER, *MANY]),
    (lambda v: search_ensemble(Board(), executor=v, simulations=1), "executor ", [3, LONG]),
    (lambda v: search_ensemble(v, simulations=1), "board must be a Board", [3, None]),
    (planes_of, "boards", [3, Board(), itertools.count(), itertools.repeat("x"), []]),
    (Board.from_moves, r"moves(\[0\]|\[6\])?", [3, "44", itertools.count(), ENDLESS, [HUGE], [None]]),
    (Board.from_array, "the board ", [VAST, VAST[:5], itertools.repeat([0] * 7), np.array(1), b"xx", 3]),
    (Board.from_array, "the board ", [VAST[:6], [0] * 6, [ENDLESS] * 6, [[0] * 8] * 6, ["x" * 7] * 6]),
    (lambda v: Board.from_array([[v] * 7] * 6), "row 0 .* is ", [HUGE, True, 3, math.nan, "?"]),
    (Board.from_text, "(the moves|entry 1) ", ["9" * 10**6, HUGE, None]),
    (Board.parse, "(a position|entry 1:?|unknown|character 1,) ", ["9," * 10**6, "x" * 10**6, HUGE, None]),
    (Board.from_fen, "a FEN (has|must)|row 0 ", ["x " * 10**6, "99x" * 10**5 + " x 7x6x4", "1 x 7x6x4", 3]),
    (lambda v: kaggle.board_of({"board": v, "mark": 1}), "board must ", [ENDLESS, 3, [0] * 41]),
    (lambda v: Board()[v], "a cell is board", [3, LONG, HUGE]),
    (lambda v: play_game(v, TWO), "first must be a Player, a function or a text", NO_PLAYER),
    (lambda v: play_game(ONE, v), "second must be a Player", NO_PLAYER),
    (lambda v: play_game(ONE, TWO, seed=v), "seed ", NO_SEED),
    (lambda v: play_game(Mover(v), TWO), "<Mover instance at .* chose ", [7, None, HUGE]),
    (lambda v: play_match(v, TWO, games=1), "player must be a Player", NO_PLAYER),
    (lambda v: play_match(ONE, v, games=1), "opponent must be a Player", NO_PLAYER),
    (lambda v: play_match(ONE, TWO, games=v), "games ", [*NO_NUMBER, 0]),
    (lambda v: play_match(ONE, TWO, games=1, seed=v), "seed ", NO_SEED),
    (lambda v: play_match(ONE, TWO, games=1, alternate=v), "alternate must be True or False", [3, None]),
    (lambda v: play_match(ONE, TWO, games=1, on_game=v), "on_game must be callable", NO_FUNCTION),
    (ONE.begin, "seed ", NO_SEED),
    (ONE.choose, "game must be a Game", [3, None]),
    (HumanPlayer, "ask must be callable", NO_FUNCTION),
    (lambda v: selfplay.generate(v, simulations=1), "games ", [*NO_NUMBER, *MANY]),
    (lambda v: study.action_frequency(Board(), runs=1).to_csv(v), "path must be a path", NO_PATH),
    (lambda v: study.action_frequency(Board(), runs=v), "runs ", [*NO_NUMBER, *MANY]),
    (lambda v: study.action_frequency(Board(), executor=v), "executor must be a ", [3, HUGE, LONG]),
    (lambda v: study.action_frequency(Board(), progress=v), "progress must be True, ", [3, HUGE, LONG]),
    (lambda v: study.win_rate(Board(), games=v), "games ", [*NO_NUMBER, *MANY]),
    (lambda v: study.win_rate(Board(), budgets=v), "budgets ", [itertools.count(1), 3, "12", FAR]),
    (lambda v: study.convergence(Board(), simulations=v), "simulations ", [*FAR, FAR, ENDLESS, b"12"]),
    (lambda v: study.optimality(Board(), values=v), "values", [itertools.repeat(1.0), [HUGE], [None], 3]),
    (lambda v: study.optimality(Board(), optimal=v), "optimal", [ENDLESS, [HUGE], 3, np.array(3)]),
    (lambda v: study.regret(Board(), simulations=v), "simulations ", [*FAR, ENDLESS, b"12"]),
    (lambda v: study.regret(v), "board must be a Board", [3, None, TicTacToe()]),
    (lambda v: study.rules_change(v), "rules ", [itertools.repeat(Rules()), 3, "7x6", [], [3], [HUGE]]),
    (lambda v: study.head_to_head(Board(), v), "sets", [{}, {"a": UCT}, {"a": UCT, "b": 3}, {3: UCT}, 3]),
    (study.action_frequency, "board must be a Board, its text, or a Game", [3, None, HUGE, TicTacToe]),
    (
        lambda v: play_match(lambda _: v, max, start=TicTacToe(), games=1),
        "<function .* chose ",
        [9, None, [0], VAST],
    ),
    (lambda v: play_match(max, max, start=v, games=1), "start must be a Game", [3, TicTacToe]),
    (lambda v: tree_dot(ENGINE, RESULT, q=v), "q must be True or False", [1, None]),
    (lambda v: game_dot(Board.from_pons("44"), v), "results ", [3, [3], itertools.repeat(3)]),
    (lambda v: study.wilson(v, 3), "successes ", [-1, 4, math.nan, "x", None, ["x"], [[1], [1, 2]], HUGE]),
    (lambda v: study.wilson(1, v), "trials ", [0, -1, math.nan, math.inf, None]),
    (lambda v: study.wilson([1, 1], v), "successes and trials must be numbers", [[1, 2, 3], "x", HUGE]),
    (lambda v: tree_dot(ENGINE, RESULT, depth=v), "depth ", [*NO_NUMBER, 0]),
    (lambda v: Board().svg(v), "size ", [2**31, 10**3000, 0, "1"]),
    (lambda v: render(v, "tree.svg"), "dot must be a string", [3, None, b""]),
    (lambda v: render("digraph {}", v), "path must be a path", [*NO_PATH, None]),
    (GameSearch, "game must be a Game", [3, TicTacToe]),
    (GameSearch(TicTacToe()).advance, "move must be one of 0, 1, ", [9, HUGE, LONG, [1]]),
    (TicTacToe, "move |cell ", ["44", itertools.count(9), [HUGE]]),
]


@pytest.mark.parametrize(("call", "begins", "values"), REFUSED, ids=[begins for _, begins, _ in REFUSED])
def test_refused_by_name(call, begins, values):
    for value in values:
        with pytest.raises((TypeError, ValueError), match=f"^{begins}") as caught:
            call(value)
        assert len(str(caught.value)) < 700


def test_words_and_numbers_become_plain_ones():
    params = UctParams(selection=np.str_("ucb1"), proofs=np.True_, max_nodes=np.uint8(9), exploration=np.float16(1))
    assert params == UctParams(max_nodes=9)
    assert [type(value) for value in (params.selection, params.proofs, params.max_nodes)] == [str, bool, int]
    assert replace(params, temperature=np.array(0.5)).temperature == 0.5
    assert type(Rules(np.int8(7)).width) is int


def test_boards_from_bytes_and_other_numbers():
    board = Board.from_moves(bytes([3, 3, 2]))
    assert Board.from_array(board.to_array().astype(np.longdouble)) == board


def test_any_depth_is_a_depth():
    picture = tree_dot(ENGINE, RESULT, depth=2**31, visits=2)
    assert picture.count("->") == tree_dot(ENGINE, RESULT, depth=42, visits=2).count("->")


def test_the_games_of_a_match_keep_their_seeds():
    """Seeds that are spawned one by one, so that a match of any length can start, are those spawned all at once."""
    match = play_match(ONE, TWO, games=3, alternate=False, seed=5)
    for game, seed in zip(match.games, np.random.SeedSequence(5).spawn(3), strict=True):
        assert play_game(ONE, TWO, seed=seed) == game
