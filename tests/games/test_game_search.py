"""GameSearch: the engine's tree from the engine's rollouts, limits, results, moving along, rules of one's own."""

import math
import pickle
import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from oracles.uct import Dice
from refusals import refused, refused_by

from c4mcts import Board, Engine, GameOverError, IllegalMoveError, Rules, SearchParams
from c4mcts._backend import load
from c4mcts.games import GameSearch, TicTacToe, random_rollout, ucb1
from c4mcts.seeds import generator_state

UCT = SearchParams.preset("uct")


def search_of(game, params=UCT, seed=1, **limits):
    return GameSearch(game, params, seed=seed).search(**limits)


def visits(search):
    return search.root.visits


# the tree


def engine_rollouts(seed, width):
    """Rollouts as an Engine makes them, from its random numbers."""
    numbers = load("pure").numbers
    generator = numbers.Generator(*generator_state(seed))
    dice = Dice(iter(lambda: numbers.next64(generator), None), width)

    def rollout(board, _):
        dice.begin()
        columns = board.legal_columns
        while not board.is_over():
            column = columns[dice.roll(len(columns))]
            board.push(column)
            if not board.is_over() and not board.is_legal(column):
                columns[columns.index(column)] = columns[-1]
                columns.pop()
        return board.result(0)

    return rollout


@pytest.mark.parametrize("rewards", [(1, 0.5, 0), (1, 0, 0), (2, 1, -1)], ids=str)
@pytest.mark.parametrize("rules", [Rules(4, 4, 3), Rules(5, 4), Rules(3, 3, 4), Rules(2, 9, 3), Rules(9, 8)], ids=str)
def test_with_the_rollouts_of_an_engine_it_grows_the_tree_of_an_engine(rules, rewards):
    params = SearchParams.preset("uct", rewards=rewards, exploration=0.9, checks=False)
    engine = Engine(params, seed=5)
    expected = engine.search(Board(rules), simulations=400)
    search = GameSearch(Board(rules), params, rollout=engine_rollouts(5, rules.width), seed=1)
    found = search.search(simulations=400)
    assert (found.move, found.value) == (expected.column, pytest.approx(expected.value))
    tree, stack = engine.tree(), [(0, search.root)]
    while stack:
        index, node = stack.pop()
        row, win = tree[index], params.settings.win
        assert (row["visits"], row["value_sum"]) == (node.visits, pytest.approx(win * node.total))
        assert row["size"] == len(node.children)
        for place, child in enumerate(node.children):
            assert tree[row["children"] + place]["column"] == child.move
            stack.append((row["children"] + place, child))


def test_results():
    result = search_of(TicTacToe([4]), simulations=500)
    assert [move.move for move in result.moves] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert sum(move.visits for move in result.moves) == result.simulations == 500
    assert all(0 <= move.value <= 1 for move in result.moves)
    best = max(result.moves, key=lambda move: move.visits)
    assert (result.move, result.value) == (best.move, best.value)
    assert result.value < 0.5, "the one who comes second is worse off"
    assert result.pv[0] == result.move
    assert len(result.pv) > 2
    TicTacToe([4, *result.pv])
    assert result.seconds > 0


@pytest.mark.parametrize("moves", [[0, 8, 1, 7], [8, 0, 7, 1, 3]], ids=["first", "second"])
def test_values_are_for_the_player_to_move(moves):
    result = search_of(TicTacToe(moves), simulations=300)
    assert (result.move, result.value, result.pv) == (2, 1.0, (2,))


def test_a_player_may_move_twice():
    """Values are those of the player who moved, whoever that was before."""

    class Twice(TicTacToe):
        """Two marks each, after a first one of player 0."""

        @property
        def turn(self):
            return (len(self.moves) + 1) // 2 % 2

        def push(self, move):
            player = self.turn
            super().push(move)
            self.is_won, self.winner = False, player
            mine = {cell for i, cell in enumerate(self.moves) if (i + 1) // 2 % 2 == player}
            self.is_won = any(line <= mine for line in ({0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}))

        def result(self, player):
            return 0 if not self.is_won else 1 if player == self.winner else -1

    assert search_of(Twice([8, 0, 1, 3, 4]), simulations=300).move in (2, 5), "player 1 wins with the second of two"


def test_tables():
    lines = str(search_of(TicTacToe([0, 8, 1, 7]), simulations=300)).splitlines()
    assert lines[0].startswith("move 2, 300 simulations in ")
    assert len(lines) == 3 + 5
    assert lines[2] == "  move      visits  value"
    assert [line for line in lines if line.startswith(">")] == [lines[3]]
    assert lines[3].endswith("  1.000")
    assert str(search_of(TicTacToe(), simulations=1)).count("    -") == 8


# limits


def test_same_seed_same_result():
    one, two, other = (search_of(TicTacToe(), seed=seed, simulations=300).moves for seed in (3, 3, 4))
    assert one == two != other
    assert search_of(TicTacToe(), seed=np.random.default_rng(1), simulations=9).simulations == 9


def test_limits():
    assert search_of(TicTacToe(), simulations=1).simulations == 1
    assert search_of(TicTacToe(), seconds=1e-9).simulations == 1
    assert 0.05 <= search_of(TicTacToe(), seconds=0.05).seconds < 30
    assert search_of(TicTacToe(), simulations=50, seconds=1000).simulations == 50
    for limits, error in (({}, ValueError), ({"simulations": 0}, ValueError), ({"seconds": "1"}, TypeError)):
        with pytest.raises(error, match=r"limit|simulations|seconds"):
            search_of(TicTacToe(), **limits)


def test_searches_go_on_in_one_tree():
    whole, parts = GameSearch(TicTacToe(), UCT, seed=5), GameSearch(TicTacToe(), UCT, seed=5)
    expected = whole.search(simulations=400)
    for simulations in (1, 99, 300):
        result = parts.search(simulations=simulations)
        assert result.simulations == simulations
    assert result.moves == expected.moves
    assert visits(parts) == 400


def test_stop_from_another_thread():
    begun = threading.Event()
    search = GameSearch(TicTacToe(), UCT, seed=1, rollout=lambda game, seed: begun.set() or 0.0)
    search.stop()  # does nothing between searches
    threading.Thread(target=lambda: begun.wait(20) and search.stop()).start()
    result = search.search(seconds=60)
    assert result.seconds < 60
    assert result.simulations >= 1


# moving along


def test_advance_keeps_the_subtree():
    search = GameSearch(TicTacToe(), UCT, seed=5)
    before = search.search(simulations=2000)
    kept = before.moves[before.move].visits
    search.advance(before.move)
    assert visits(search) == kept
    assert str(search.game) == str(TicTacToe([before.move]))
    search.search(simulations=10)
    assert visits(search) == kept + 10
    search.advance(search.game.legal_moves[0])
    search.advance(search.game.legal_moves[0])
    assert search.search(simulations=10).simulations == 10


def test_advance_without_a_tree_and_off_the_tree():
    search = GameSearch(TicTacToe(), UCT, seed=5)
    for move in (0, 3):
        search.advance(move)
    assert visits(search) == 0
    search.search(simulations=3)
    for move in (1, 4):  # the second is not in so small a tree
        search.advance(move)
    assert visits(search) == 0
    assert search.search(simulations=20).move == 2
    search.advance(2)
    with pytest.raises(IllegalMoveError, match="move must be one of none, not 5"):
        search.advance(5)
    with pytest.raises(GameOverError, match=r"over.*TicTacToe\(\[0, 3, 1, 4, 2\]\)"):
        search.search(simulations=1)


def test_illegal_moves_change_nothing():
    search = GameSearch(TicTacToe([0]), UCT, seed=5)
    search.search(simulations=100)
    for move in (0, 9, "1", None, (1,)):
        with pytest.raises(IllegalMoveError, match=r"move must be one of 1, 2, 3, 4, 5, 6, 7, 8, not"):
            search.advance(move)
    assert visits(search) == 100
    assert str(search.game) == str(TicTacToe([0]))


def test_the_game_is_the_searchs_own():
    game = TicTacToe()
    search = GameSearch(game, UCT, seed=5)
    game.push(0)
    search.game.push(1)
    assert len(search.search(simulations=10).moves) == 9


# parameters


def test_ties():
    first = {
        search_of(TicTacToe(), SearchParams.preset("uct", tie_break="first"), s, simulations=1).move for s in range(9)
    }
    drawn = {
        search_of(TicTacToe(), SearchParams.preset("uct", tie_break="random"), s, simulations=1).move for s in range(60)
    }
    assert (first, drawn) == ({0}, set(range(9)))


@pytest.mark.parametrize("choice", ["visits", "visits_only", "value"])
def test_the_final_move(choice):
    result = search_of(TicTacToe(), SearchParams.preset("uct", choice=choice, exploration=3), simulations=300)
    best = max(result.moves, key=lambda move: move.value if choice == "value" else move.visits)
    assert result.move == best.move


test_what_only_an_engine_has_is_refused = refused_by(
    lambda **changes: GameSearch(TicTacToe(), SearchParams.preset("uct", **changes)),
    ({"rollout": "safe"}, ValueError, "rollout='safe' is for an Engine only: a GameSearch has rollout='random'"),
    ({"transpositions": True}, ValueError, "transpositions=True is for an Engine"),
    ({"proofs": True}, ValueError, "proofs=True is for an Engine"),
    ({"max_nodes": 50}, ValueError, "max_nodes=50 is for an Engine"),
    ({"choice": "secure"}, ValueError, "choice='secure' is for an Engine"),
    ({"discount": 0.9}, ValueError, r"discount=0\.9 is for an Engine only"),
)

test_bad_arguments = refused(
    (lambda: search_of(TicTacToe(), simulations="columns"), ValueError, "simulations='columns' is for an Engine only"),
    (lambda: GameSearch(TicTacToe(), "uct"), TypeError, "params must be a SearchParams"),
    (lambda: GameSearch(TicTacToe(), seed=-1), ValueError, "seed"),
    (lambda: GameSearch(TicTacToe(), selection="ucb"), TypeError, "selection must be callable, not 'ucb'"),
    (lambda: GameSearch(TicTacToe(), rollout="ucb"), TypeError, "rollout must be callable, not 'ucb'"),
    (lambda: GameSearch(TicTacToe([0, 3, 1, 4, 2])), GameOverError, "the game is over"),
    (lambda: GameSearch([]), TypeError, r"game must be a Game, not \[\]: it has no legal_moves, no push, no is_over"),
)


# rules of one's own


def test_a_selection_of_ones_own_takes_the_place_of_ucb():
    params = SearchParams.preset("uct", exploration=0.7)
    usual = GameSearch(TicTacToe(), params, seed=3).search(simulations=400)
    own = GameSearch(TicTacToe(), params, selection=ucb1(0.7), seed=3).search(simulations=400)
    assert own.moves == usual.moves
    least = GameSearch(TicTacToe(), params, selection=lambda visits, children: [-n for n, _ in children], seed=3)
    counts = [move.visits for move in least.search(simulations=450).moves]
    assert max(counts) - min(counts) <= 1


def test_a_rollout_of_ones_own_takes_the_place_of_random_moves():
    def keep_to_the_left(game, random):
        while not game.is_over():
            game.push(game.legal_moves[0])
        return game.result(0)

    values = [move.value for move in GameSearch(TicTacToe(), UCT, rollout=keep_to_the_left).search(simulations=9).moves]
    assert values == [keep_to_the_left(TicTacToe([cell]), None) / 2 + 0.5 for cell in range(9)]
    usual = GameSearch(TicTacToe(), UCT, seed=3).search(simulations=50)
    assert GameSearch(TicTacToe(), UCT, rollout=random_rollout, seed=3).search(simulations=50).moves == usual.moves
    level = GameSearch(TicTacToe([0, 8, 1, 7]), UCT, rollout=lambda game, random: 0.5).search(simulations=5)
    assert {move.value for move in level.moves} == {0.75}, "half a win for player 0, who is to move"


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (lambda visits, children: [1.0], "must give 9 numbers"),
        (lambda visits, children: [math.nan] * 9, "must give 9 numbers"),
        (lambda visits, children: ["most"] * 9, "ValueError: could not convert"),
        (lambda visits, children: [math.sqrt(visits) / n for n, _ in children], "ZeroDivisionError: "),
    ],
)
def test_a_selection_that_breaks_its_promise_is_told_where(selection, message):
    where = r"selection at TicTacToe\(.*\), with \(visits, value\) of the moves \[.*\]: "
    with pytest.raises(ValueError, match=where + message):
        GameSearch(TicTacToe(), selection=selection, seed=1).search(simulations=10)


@pytest.mark.parametrize("kind", [np.float32, np.int64, Fraction])
def test_results_may_be_any_real_numbers(kind):
    found, expected = (
        GameSearch(TicTacToe(), rollout=lambda game, random, kind=kind: kind(random.choice([-1, 1])), seed=1)
        for kind in (kind, float)
    )
    texts = [f"{replace(each.search(simulations=50), seconds=0.0)}" for each in (found, expected)]
    assert texts[0] == texts[1]


def test_a_search_is_pickled_with_its_tree():
    search = GameSearch(TicTacToe(), seed=1)
    search.search(simulations=50)
    assert visits(pickle.loads(pickle.dumps(search))) == visits(search)


@pytest.mark.parametrize("result", [3, None, math.nan, "won"])
def test_a_rollout_that_breaks_its_promise_is_told_where(result):
    where = rf"rollout from TicTacToe\(\[4\]\) after \[0\] must give -1 to 1, not {result!r}"
    with pytest.raises(ValueError, match=where):
        GameSearch(TicTacToe([4]), rollout=lambda game, random: result, seed=5).search(simulations=10)


# games that break the rules of Game


class Raising(TicTacToe):
    fails = True

    def push(self, move):
        if self.fails and len(self.moves) == 3:
            raise LookupError("no more")
        super().push(move)


def test_after_an_exception_in_the_game_the_search_goes_on(monkeypatch):
    search = GameSearch(Raising(), UCT, seed=1)
    with pytest.raises(LookupError, match="no more"):
        search.search(simulations=3000)
    monkeypatch.setattr(Raising, "fails", False)
    before = visits(search)
    result = search.search(simulations=200)
    assert visits(search) == before + 200 == sum(move.visits for move in result.moves)


class Mirror(TicTacToe):
    def copy(self):
        return self


class Shallow(TicTacToe):
    def copy(self):
        game = super().copy()
        game.moves = self.moves
        return game


class Turns(TicTacToe):
    @property
    def turn(self):
        return (-1, 1)[len(self.moves) % 2]


class Endless(TicTacToe):
    def is_over(self):
        return self.is_won


def draw(game, random):
    return 0


FULL = [0, 1, 2, 4, 3, 5, 7, 6, 8]
SHARED = r"game: a move played on a copy made by {}.copy\(\) changed the original"
NO_PLAYER = r"game\.turn must be 0 or 1, the player to move, not -1"
test_games_that_break_the_rules_of_game = refused(
    (lambda: GameSearch(Mirror()), ValueError, SHARED.format("Mirror")),
    (lambda: GameSearch(Shallow()), ValueError, SHARED.format("Shallow")),
    (lambda: GameSearch(Turns()), ValueError, NO_PLAYER),
    (lambda: GameSearch(Turns([4])), ValueError, NO_PLAYER),
    (lambda: GameSearch(Endless(FULL)), ValueError, r"without legal moves must be over, unlike Endless\(\[0, 1"),
    (lambda: search_of(Endless(FULL[:8]), simulations=1), ValueError, "without legal moves must be over, unlike End"),
    (lambda: GameSearch(Endless(FULL[:8]), rollout=draw).search(simulations=9), ValueError, "must be over, unlike End"),
)
