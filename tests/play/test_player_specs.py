"""Players named by a text."""

import pickle
import sys

import pytest
from foreign import foreign

from c4mcts import Board, Rules, SearchParams
from c4mcts.games import TicTacToe
from c4mcts.play import Contestant, EnginePlayer, LevelPlayer, PerfectPlayer, RandomPlayer, contestant, play_game

MODULE = r"""
from c4mcts.play import EnginePlayer, RandomPlayer
class Box:
    made = EnginePlayer(simulations=7)
def make(): return RandomPlayer()
number = 3
class Needy(RandomPlayer):
    def __init__(self, strength): pass
def first(board): return board.legal_columns[0]
def wrong(): return 3
def broken(): raise KeyError("no")
def undecodable(): return b"\xff".decode()
def leaves(): raise SystemExit
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module `entrants` in the current folder."""
    (tmp_path / "entrants.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "entrants"
    sys.modules.pop("entrants", None)


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("random", RandomPlayer, "RandomPlayer()"),
        ("perfect", PerfectPlayer, "PerfectPlayer()"),
        ("level:3", LevelPlayer, "LevelPlayer(3, 'Improver')"),
        ("strong", EnginePlayer, "EnginePlayer(simulations=1000)"),
        ("uct@1e4", EnginePlayer, "EnginePlayer(params='uct', simulations=10000)"),
        ("strong@0.1s", EnginePlayer, "EnginePlayer(seconds=0.1)"),
    ],
)
def test_own_players(text, kind, shown):
    entrant = contestant(text)
    player = pickle.loads(pickle.dumps(entrant)).make()
    assert (entrant.name, type(player), repr(player)) == (text, kind, shown)
    assert entrant.make() is not entrant.make()


def test_parameters_follow_the_budget():
    params = SearchParams.preset("uct", exploration=0.7, rewards=(1, 0.25, 0), proofs=True)
    found = contestant("uct@30,exploration=0.7,rewards=1,0.25,0,proofs=true").make()
    assert repr(found) == repr(EnginePlayer(params, simulations=30))
    assert repr(contestant("strong@0.1s,probes=False").make()) == repr(
        EnginePlayer(SearchParams.preset("strong", probes=False), seconds=0.1)
    )
    one, other = (contestant("uct@20,choice=value", TicTacToe()).make() for _ in range(2))
    assert play_game(one, other, start=TicTacToe(), seed=1).game.is_over()


def test_players_of_modules(module):
    assert isinstance(contestant(f"{module}:make").make(), RandomPlayer)
    one, other = (contestant(f"{module}:Box.made").make() for _ in range(2))
    assert repr(one) == "EnginePlayer(simulations=7)"
    assert one is not other, "games run at the same time"


def test_bots_of_openspiel():
    foreign("pyspiel")
    for text in ("openspiel:mcts@20", "openspiel:uniform_random", "openspiel:mcts@0.01s"):
        entrant = pickle.loads(pickle.dumps(contestant(text, Rules(5, 4))))
        assert play_game(entrant.make(), RandomPlayer(), start=Board(Rules(5, 4)), seed=1).game.is_over()
    for text, words in {
        "openspiel:best": "bot must be one of 'mcts'",
        "openspiel:uniform_random@9": "no budget",
    }.items():
        with pytest.raises(ValueError, match=words):
            contestant(text)


def test_without_openspiel_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "c4mcts.adapters.openspiel", raising=False)
    with pytest.raises(ValueError, match=r"pip install 'c4mcts\[openspiel\]'"):
        contestant("openspiel:mcts")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("best", "player 'best': must be a preset as strong@1000"),
        ("xyz", "the presets are strong, uct, perfect, .* gumbel, random$"),
        (7, "player must be a text such as level:3, a Player, a function from a board .*, not 7"),
        ("strong@ten", "'strong@ten': the budget after @ must be"),
        ("strong@0", "simulations must be at least 1"),
        ("perfect@100", "takes no budget"),
        ("level:3,seed=1", "level:3 takes no parameters"),
        ("uct@9,explore=1", "UctParams has no parameter 'explore': did you mean 'exploration'"),
        ("uct@9,discount=1,discount=1", "has a parameter twice"),
        ("uct@9,exploration", "the budget after @ must be"),
        ("no_such_module:name", "No module named"),
        ("entrants:other", "entrants has no other"),
        ("entrants:number", "entrants:number must be a Player, a function from a board .*, not 3"),
        ("entrants:Box", "what entrants:Box makes must be a Player"),
        ("entrants:Needy", "'entrants:Needy': .*missing 1 required positional argument: 'strength'"),
        ("entrants:undecodable", "'entrants:undecodable': 'utf-8' codec can't decode"),
        ("..:x", "must be module:name, not '..:x'"),
        ("entrants:leaves", "'entrants:leaves': its code exits, as a program does"),
        ("no/such/agent.py", "'no/such/agent.py': No such file"),
    ],
)
def test_bad_texts(module, text, words):
    with pytest.raises((TypeError, ValueError), match=words):
        contestant(text)


class Counts(RandomPlayer):
    moves = 0

    def choose(self, board):
        self.moves += 1
        return board.legal_columns[0]


def column_2(board):
    return 2


def test_bots_as_people_write_them(module):
    """A function from a board to a column, something that makes one, or a player, of which each game has a copy."""
    counts = Counts()
    for make in (column_2, lambda: column_2, lambda board=None: column_2):
        assert Contestant("bot", make).make().choose(Board()) == 2
    for make in (Counts, counts, contestant(f"{module}:first").make):
        assert Contestant("bot", make).make().choose(Board()) == 0
    assert counts.moves == 0


def test_bad_contestants():
    with pytest.raises(TypeError, match="name must be a string, not 3"):
        Contestant(3, RandomPlayer)
    with pytest.raises(TypeError, match=r"make must be a Player, a function .*, not 3"):
        Contestant("a", 3)
    with pytest.raises(TypeError, match="start must be a Game, not 3"):
        contestant("random", start=3)


def test_an_error_in_code_of_others_is_its_own(module):
    with pytest.raises(KeyError, match="no"):
        contestant(f"{module}:broken")
