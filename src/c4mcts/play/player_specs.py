"""Players named by a text, as on the command line: "strong@1000", "level:3", "perfect", "agent.py".

| text | player |
|---|---|
| a preset, such as `strong@1000` or `uct@0.1s` | a search with this number of simulations, or seconds, per move |
| `uct@1000,exploration=0.7,discount=0.99` | the same with other parameters |
| `no-diagonals@columns` | a search with one simulation per open column |
| `level:3`, `level:Beginner` | a LevelPlayer |
| `perfect`, `random` | PerfectPlayer, RandomPlayer |
| `agent.py`, `kaggle:agent.py` | the Kaggle agent in that file |
| `./bot`, `program:node bot.js` | a program in any language, see play.programs |
| `openspiel:mcts@1000`, `openspiel:uniform_random` | a bot of OpenSpiel |
| `module:name` | a function from a board to a column, a Player, or a function or class that makes one |
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from .._named import named_object
from .._validation import an_instance, shown, string, suggestion
from ..board.board import Board
from ..board.positions import a_board
from ..rules import Rules
from ..search.params import PRESETS
from .levels import LevelPlayer
from .players import AnyPlayer, EnginePlayer, GameSearchPlayer, PerfectPlayer, Player, RandomPlayer, a_player, maker
from .programs import Program, command_of

# The adapter for each kind of text that names a player of another package: a module with named_player(rest, rules).
ADAPTERS = {"kaggle": "c4mcts.adapters.kaggle", "openspiel": "c4mcts.adapters.openspiel"}
LONGEST_MOVE = 86_400.0  # seconds, of the code of others while a function checks it
FORMS = (
    "a preset as strong@1000 or uct@0.1s, level:3, perfect, random, agent.py, openspiel:mcts@1000, ./bot or module:name"
)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a tournament: a name, and what makes a new Player for each game.

    make: a function or class without arguments that makes one; or a function from a board to a column, or a Player, of
    which each game gets a copy. Executors of processes pickle it.
    """

    name: str
    make: Callable[[], Player]

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", string("name", self.name))
        if not isinstance(self.make, Program):
            object.__setattr__(self, "make", maker("make", self.make))


def contestant(text: str, start: Any = None, check: Callable[[], object] | None = None) -> Contestant:
    """The player that a text names; see the table of this module.

    start: the rules of the games, by default 7 x 6, or their first position: a Board, or another Game, which "random"
    can play, and the presets that GameSearch can search with, such as "uct@1000". check: called at least ten times a
    second while the player thinks; c4mcts.executors.background.Cancelled in it ends the move. Code of others is in a
    process of its own then, which is killed.

    Raises TypeError or ValueError naming the text, and, for code of others, anything it raises when it is imported.
    """
    an_instance("player", text, str, "a text")
    start = a_board(start) if isinstance(start, str) else start
    rules = Rules() if start is None else start.rules if isinstance(start, Board) else start
    make: Callable[[], Player]
    own: Callable[[], Player] | None = None
    try:
        if isinstance(rules, Rules):
            own = _own(text, check)
            make = own or _of_others(text, rules)
        else:
            make = RandomPlayer if text == "random" else partial(GameSearchPlayer, text)
        make()
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"player {shown(text)}: {error}") from None
    except SystemExit:
        raise ValueError(f"player {shown(text)}: its code exits, as a program does") from None
    if check is not None and isinstance(make, Program):
        return Contestant(text, replace(make, check=check))
    if check is not None and own is None:
        from .player_process import RemoteSeat  # imported here: not every platform has processes

        make = partial(RemoteSeat, make, LONGEST_MOVE, check)
    return Contestant(text, make)


def player_of(name: str, player: AnyPlayer, start: Any = None) -> Player:
    """A player, or the one that a text names (see `contestant`). name: of the argument. TypeError, ValueError."""
    return contestant(player, start).make() if isinstance(player, str) else a_player(name, player)


def own_player(name: str, player: AnyPlayer | Callable[[], Player], start: Any = None) -> Player:
    """A player that serves nobody else: as for `player_of`, but a copy of a Player; or what makes one, see Contestant.

    An environment is often one of many that are made with the same arguments.
    """
    return (contestant(player, start).make if isinstance(player, str) else maker(name, player))()


def _own(text: str, on_progress: Callable[[], object] | None) -> Callable[[], Player] | None:
    """What makes a player of this package; None if the text names none."""
    name, at, _ = text.partition(",")[0].partition("@")
    kind, colon, rest = name.partition(":")
    plain: dict[str, Callable[[], Player]] = {"random": RandomPlayer}
    plain["perfect"] = partial(PerfectPlayer, on_progress=on_progress)
    if kind == "level" and colon:
        plain[name] = partial(LevelPlayer, int(rest) if rest.isdecimal() else rest, on_progress=on_progress)
    if name in plain and name != text:
        raise ValueError(f"{name} takes no {'budget' if at else 'parameters'}")
    return plain.get(name) or (partial(EnginePlayer, text, on_progress=on_progress) if name in PRESETS else None)


def _of_others(text: str, rules: Rules) -> Callable[[], Player]:
    """What makes a player of another package, by the adapter for this kind of text, or of the user's module."""
    if command := command_of(text):
        return Program(command)
    kind, colon, rest = text.partition(":")
    if kind not in ADAPTERS and text.endswith(".py"):
        kind, rest = "kaggle", text
    if kind in ADAPTERS:
        try:
            adapter = importlib.import_module(ADAPTERS[kind])
        except ImportError as error:
            raise ValueError(f"{error}") from None
        make: Callable[[], Player] = adapter.named_player(rest, rules)
        return make
    if not colon:
        name = text.partition("@")[0]
        raise ValueError(f"must be {FORMS}" + suggestion(name, [*PRESETS, "perfect", "random"], "presets"))
    return partial(_of_module, text)


def _of_module(text: str) -> Player:
    """A player from the object that `module:name` names."""
    return maker(text, named_object(text))()
