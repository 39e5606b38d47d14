"""GameSearch: limits, results, moving along, stopping; and games that break the rules of Game."""

import math
import threading
from itertools import count

import numpy as np
import pytest

from c4mcts import Board, GameOverError, IllegalMoveError, Rules, SearchParams
from c4mcts.games import GameSearch, TicTacToe

UCT = SearchParams.preset("uct")


def visits(search):
    return search._searcher.node(0).visits


def search_of(game, params=UCT, seed=1, **limits):
    return GameSearch(game, params, seed=seed).search(**limits)


def test_results():
    result = search_of(TicTacToe([4]), simulations=500)
    assert [move.move for move in result.moves] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert sum(move.visits for move in result.moves) == result.simulations == 500
    assert all(0 <= move.value <= 1 and move.proof is None and move.distance is None for move in result.moves)
    best = max(result.moves, key=lambda move: move.visits)
    assert (result.move, result.value) == (best.move, best.value)
    assert result.value < 0.5, "the one who comes second is worse off"
    assert result.pv[0] == result.move
    assert len(result.pv) > 2
    TicTacToe([4, *result.pv])
    assert result.nodes > 500
    assert result.seconds > 0


@pytest.mark.parametrize("moves", [[0, 8, 1, 7], [8, 0, 7, 1, 3]], ids=["first", "second"])
def test_values_are_for_the_player_to_move(moves):
    result = search_of(TicTacToe(moves), simulations=300)
    assert (result.move, result.value, result.proof, result.distance) == (2, 1.0, "win", 1)


def test_tables():
    result = search_of(TicTacToe([0, 8, 1, 7]), simulations=300)
    assert repr(result).startswith("<GameResult move 2, win in 1, 300 simulations in ")
    lines = str(result).splitlines()
    assert len(lines) == 3 + 5
    assert lines[2] == "  move      visits  value  proof"
    assert [line for line in lines if line.startswith(">")] == [lines[3]]
    assert lines[3].endswith("  1.000  win in 1")
    drawn = search_of(TicTacToe([0, 1, 2, 4, 3, 5, 7, 6]), simulations=3)
    assert drawn.proof == "draw"
    assert "move 8, draw, 3 simulations" in str(drawn)


def test_same_seed_same_result():
    one, two, other = (search_of(TicTacToe(), seed=seed, simulations=300).moves for seed in (3, 3, 4))
    assert one == two != other
    assert search_of(TicTacToe(), seed=np.random.default_rng(1), simulations=9).simulations == 9


def test_limits():
    assert search_of(TicTacToe(), simulations=1).simulations == 1
    assert 100 <= search_of(TicTacToe(), nodes=100).nodes < 109
    assert 0.05 <= search_of(TicTacToe(), seconds=0.05).seconds < 30
    assert search_of(TicTacToe(), simulations=50, seconds=1000, nodes=10**9).simulations == 50
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


def test_a_proven_root_ends_the_search():
    search = GameSearch(TicTacToe([4, 1]), seed=1)
    result = search.search(simulations=10**6)
    assert result.proof == "win"
    assert result.simulations < 10_000
    again = search.search(seconds=1000)
    assert (again.simulations, again.move, again.proof) == (0, result.move, "win")


@pytest.mark.parametrize("params", [UCT, None], ids=["plain", "proofs"])
def test_advance_keeps_the_subtree(params):
    search = GameSearch(TicTacToe(), params, seed=5)
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
    with pytest.raises(IllegalMoveError, match="move 5 can't be played: the game is over"):
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


def test_a_finished_game_is_not_searched():
    search = GameSearch(TicTacToe([0, 3, 1, 4, 2]))
    with pytest.raises(GameOverError, match="the game is over"):
        search.search(simulations=1)


def test_small_trees_still_move():
    for params in (SearchParams.preset("uct", max_nodes=1), SearchParams.preset("uct-timed")):
        result = search_of(TicTacToe([0, 1, 2]), params, simulations=1)
        assert (result.nodes, result.value, result.pv) == (1, None, (result.move,))
        assert result.move in range(3, 9)
        assert str(result).count("    -") == 6
    params = SearchParams.preset("uct", max_nodes=50)
    result = search_of(TicTacToe(), params, simulations=1000)
    assert (result.simulations, result.nodes <= 50) == (1000, True)


def test_params():
    result = search_of(Board(Rules(3, 3, 4)), SearchParams.preset("uct", rewards=(1, -0.5, -1)), nodes=50)
    assert result.value == pytest.approx(0.25)
    first = {
        search_of(TicTacToe(), SearchParams.preset("uct", tie_break="first"), s, simulations=1).move for s in range(9)
    }
    drawn = {
        search_of(TicTacToe(), SearchParams.preset("uct", tie_break="random"), s, simulations=1).move for s in range(60)
    }
    assert (first, drawn) == ({0}, set(range(9)))
    params = SearchParams.preset("uct", choice="value", exploration=3)
    result = search_of(TicTacToe(), params, simulations=300)
    assert result.value == max(move.value for move in result.moves)
    assert GameSearch(TicTacToe(), params).params == params
    assert GameSearch(TicTacToe()).params.proofs


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"rollout": "safe"}, "rollout='safe' is for an Engine only: a GameSearch has rollout='random'"),
        ({"rollout": "decisive"}, "rollout='decisive' is for an Engine"),
        ({"transpositions": True}, "transpositions=True is for an Engine"),
        ({"proofs": True, "probes": True}, "probes=True is for an Engine"),
        ({"max_bytes": 10**6}, "max_bytes=1000000 is for an Engine"),
    ],
)
def test_what_only_boards_have_is_refused(changes, text):
    with pytest.raises(ValueError, match=text):
        GameSearch(TicTacToe(), SearchParams.preset("uct", **changes))


def test_bad_arguments():
    for params in ("uct", {}, 7):
        with pytest.raises(TypeError, match="params must be a SearchParams"):
            GameSearch(TicTacToe(), params)
    with pytest.raises(ValueError, match="seed"):
        GameSearch(TicTacToe(), seed=-1)
    with pytest.raises(TypeError, match="game must be a Game, not the class TicTacToe"):
        GameSearch(TicTacToe)
    with pytest.raises(TypeError, match="game must be a Game, but list has no legal_moves, no push, no is_over, no"):
        GameSearch([])


def test_stop_from_another_thread():
    search = GameSearch(TicTacToe(), UCT, seed=1)
    search.stop()  # does nothing between searches
    threading.Timer(0.1, search.stop).start()
    result = search.search(seconds=60)
    assert result.seconds < 30
    assert result.simulations > 1


class Meddling(TicTacToe):
    """A game that calls the search which plays it."""

    __slots__ = ()
    search = None

    def push(self, move):
        if Meddling.search is not None:
            for call in (lambda: self.search.search(simulations=1), lambda: self.search.advance(move)):
                with pytest.raises(RuntimeError, match="at work"):
                    call()
            self.search.stop()
        super().push(move)


def test_a_search_serves_one_thread_at_a_time(monkeypatch):
    search = GameSearch(Meddling(), UCT, seed=1)
    monkeypatch.setattr(Meddling, "search", search)
    assert search.search(seconds=60).seconds < 30
    monkeypatch.setattr(Meddling, "search", None)
    assert search.search(simulations=5).simulations == 5


# games that break the rules of Game, until `fails` is False


class Faulty(TicTacToe):
    __slots__ = ()
    fails = True
    max_moves = None

    def ply(self):
        return len(self._moves)


class Raising(Faulty):
    def push(self, move):
        if self.fails and self.ply() == 3:
            raise LookupError("no more")
        super().push(move)


class Interrupted(Faulty):
    def push(self, move):
        if self.fails and self.ply() == 3:
            raise KeyboardInterrupt
        super().push(move)


class Endless(Faulty):
    def push(self, move):
        if self.fails and self.ply() == 4:
            self.__init__()
        super().push(move)


class Mute(Faulty):
    @property
    def legal_moves(self):
        return [] if self.fails and self.ply() == 3 else super().legal_moves


class Repeating(Faulty):
    @property
    def legal_moves(self):
        return super().legal_moves * (2 if self.fails and self.ply() == 1 else 1)


class Listing(Faulty):
    @property
    def legal_moves(self):
        return [[move] if self.fails and self.ply() == 1 else move for move in super().legal_moves]


class Understating(Faulty):
    max_moves = 7

    @property
    def legal_moves(self):
        return super().legal_moves[: 9 if self.fails else 7]


class HalfAPoint(Faulty):
    def result(self, player):
        return 0.5 if self.fails else super().result(player)


class Generous(Faulty):
    def result(self, player):
        return 1 if self.fails else super().result(player)


class OneSided(Faulty):
    """Wins count 1 and all else 0."""

    def result(self, player):
        return max(0, super().result(player)) if self.fails else super().result(player)


class Forgetful(Faulty):
    def result(self, player):
        return None if self.fails else super().result(player)


class DoubleMoves(Faulty):
    @property
    def turn(self):
        return (self.ply() + 1) // 2 % 2 if self.fails else self.ply() % 2


FAULTS = [
    (Raising, LookupError, "^no more"),
    (Endless, ValueError, "Endless is not over after 8191 moves"),
    (Mute, ValueError, r"Mute.legal_moves is empty, though is_over\(\) is false"),
    (Repeating, ValueError, r"Repeating.legal_moves has a move twice: \["),
    (Listing, TypeError, "unhashable|must be an integer"),
    (Understating, ValueError, "Understating.max_moves is 7, but there are 9 legal moves"),
    (HalfAPoint, ValueError, r"HalfAPoint.result\(\) must be 1 .* not 0.5 for player 0 and 0.5 for player 1"),
    (Generous, ValueError, r"Generous.result\(\) must be .* not 1 for player 0 and 1 for player 1"),
    (OneSided, ValueError, r"OneSided.result\(\) must be .* not [01] for player 0 and [01] for player 1"),
    (Forgetful, ValueError, r"Forgetful.result\(\) must be .* not None for player 0"),
    (DoubleMoves, ValueError, "DoubleMoves.turn must be 0 here, not 1: players take turns"),
    (Interrupted, KeyboardInterrupt, "^$"),
]


@pytest.mark.parametrize(("kind", "error", "text"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("preset", ["uct", "uct-timed"])
def test_what_a_game_does_wrong_is_said_and_costs_the_tree_at_most(kind, error, text, preset, monkeypatch):
    search = GameSearch(kind(), SearchParams.preset(preset), seed=1)
    with pytest.raises(error, match=text) as caught:
        search.search(simulations=3000)
    if error is not KeyboardInterrupt:
        assert caught.value.__notes__[0].startswith("moves from the root of the search: ")
    monkeypatch.setattr(kind, "fails", False)
    assert (visits(search), str(search.game)) == (0, str(TicTacToe()))
    assert search.search(simulations=200).simulations == 200
    assert visits(search) == 200


def test_notes_say_how_a_game_got_there():
    search = GameSearch(Raising(), UCT, seed=1)
    with pytest.raises(LookupError) as caught:
        search.search(simulations=100)
    moves = eval(f"[{caught.value.__notes__[0].split(':')[1]}]")
    assert len(moves) == 4
    TicTacToe(moves)
    with pytest.raises(ValueError, match="Endless") as caught:
        GameSearch(Endless(), UCT, seed=1).search(simulations=1)
    assert caught.value.__notes__[0].endswith(", ...")


class Mirror(TicTacToe):
    def copy(self):
        return self


class Shallow(TicTacToe):
    def copy(self):
        game = super().copy()
        game._moves = self._moves
        return game


class Changeling(TicTacToe):
    def copy(self):
        return TicTacToe(self._moves)


class Referee(TicTacToe):
    turn = "x"


class Lists(TicTacToe):
    @property
    def legal_moves(self):
        return [[move] for move in super().legal_moves]


class Nothing(TicTacToe):
    max_moves = 0


@pytest.mark.parametrize(
    ("kind", "error", "text"),
    [
        (Mirror, ValueError, r"Mirror.copy\(\) must be independent"),
        (Shallow, ValueError, r"Shallow.copy\(\) must be independent"),
        (Changeling, TypeError, r"Changeling.copy\(\) must return a Changeling, not TicTacToe\(\)"),
        (Referee, ValueError, "Referee.turn must be 0 or 1, not 'x'"),
        (Lists, TypeError, r"Lists.legal_moves must be dictionary keys: unhashable type: 'list'"),
        (Nothing, ValueError, "max_moves must be at least 1, not 0"),
    ],
)
def test_what_can_be_seen_at_once_is_seen_at_once(kind, error, text):
    with pytest.raises(error, match=text):
        GameSearch(kind())


def test_moves_may_come_from_a_generator():
    class Lazy(TicTacToe):
        @property
        def legal_moves(self):
            yield from super().legal_moves

    expected = search_of(TicTacToe(), simulations=100)
    assert search_of(Lazy(), simulations=100).moves == expected.moves


class Long:
    """A game of this many moves, one at a time, which the player to move at the end has lost."""

    def __init__(self, left, turn=0):
        self.left, self.turn = left, turn

    def copy(self):
        return Long(self.left, self.turn)

    @property
    def legal_moves(self):
        return ["on"]

    def push(self, move):
        self.left, self.turn = self.left - 1, 1 - self.turn

    def is_over(self):
        return self.left == 0

    def result(self, player):
        return -1 if player == self.turn else 1


def test_a_game_may_be_long_but_not_endless():
    assert search_of(Long(8191), simulations=3).value == 1
    with pytest.raises(ValueError, match="Long is not over after 8191 moves"):
        search_of(Long(8192), simulations=1)
    result = search_of(Long(300), SearchParams.preset("uct", proofs=True), simulations=1000)
    assert (result.proof, result.distance, result.simulations) == ("loss", 300, 300)
    assert result.pv == ("on",) * 300


@pytest.mark.parametrize("ply", [0, 1, 3])
def test_legal_moves_must_have_an_end(ply):
    class Endless(TicTacToe):
        max_moves = None

        @property
        def legal_moves(self):
            return count() if len(self._moves) == ply else super().legal_moves

    with pytest.raises(ValueError, match=r"Endless.legal_moves must be at most 1000000 moves"):
        search_of(Endless(), simulations=20)


def ucb(c):
    """UCB1 as a function of one's own."""

    def selection(visits, children):
        return [math.inf if value is None else value + c * math.sqrt(math.log(visits) / n) for n, value in children]

    return selection


def test_a_selection_of_ones_own_takes_the_place_of_ucb():
    """UCB1 written by hand selects as that of the search; another rule selects otherwise."""
    params = SearchParams.preset("uct", exploration=0.7)
    usual = GameSearch(TicTacToe(), params, seed=3).search(simulations=400)
    own = GameSearch(TicTacToe(), params, selection=ucb(0.7), seed=3).search(simulations=400)
    assert own.moves == usual.moves
    least = GameSearch(TicTacToe(), params, selection=lambda visits, children: [-n for n, _ in children], seed=3)
    counts = [move.visits for move in least.search(simulations=450).moves]
    assert max(counts) - min(counts) <= 1


def test_a_selection_never_takes_what_is_proven_to_be_no_better():
    params = SearchParams.preset("uct", proofs=True)
    search = GameSearch(
        TicTacToe([0, 3, 1, 4]), params, selection=lambda visits, children: [0.0] * len(children), seed=1
    )
    assert search.search(simulations=500).proof == "win"


@pytest.mark.parametrize(
    ("selection", "error", "message"),
    [
        (lambda visits, children: [1.0], ValueError, "selection must return 9 numbers, not"),
        (lambda visits, children: [math.nan] * len(children), ValueError, "selection must return 9 numbers"),
        (lambda visits, children: ["x"] * len(children), TypeError, "selection must return a list of numbers"),
        (lambda visits, children: None, TypeError, "selection must return a list of numbers, not None"),
        (lambda visits, children: [10**400] * len(children), TypeError, "selection must return a list of numbers"),
        (lambda visits, children: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_a_selection_that_breaks_its_promise(selection, error, message):
    """The error names it, and the next search starts anew."""
    search = GameSearch(TicTacToe(), selection=selection, seed=1)
    with pytest.raises(error, match=message):
        search.search(simulations=10)
    with pytest.raises(TypeError, match="selection must be"):
        GameSearch(TicTacToe(), selection="ucb")
