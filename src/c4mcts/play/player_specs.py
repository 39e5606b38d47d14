"""Players named by a text, as on the command line: "strong@1000", "level:3", "perfect", "agent.py".

| text | player |
|---|---|
| a preset, such as `strong@1000` or `uct@0.1s` | a search with this number of simulations, or seconds, per move |
| `uct@1000,exploration=0.7,discount=0.99` | the same with other parameters |
| `no-diagonals@columns` | a search with one simulation per open column |
| `level:3`, `level:Beginner` | a LevelPlayer |
| `perfect`, `random` | PerfectPlayer, RandomPlayer |
| `network:policy`, `network:lookahead,file=my.npz` | NetworkPlayer, with the network of the package or of a file |
| `bot.py`, `bots/bot.py`, a folder with `bot.py` or `main.py` | what the file defines, see below |
| `bot.py:name` | the object of this name in the file |
| `kaggle:agent.py`, `submission.tar.gz` | the agent for Kaggle in that file or archive |
| `kaggle:negamax`, `kaggle:random` | an agent of kaggle-environments |
| `./bot`, `program:node bot.js` | a program in any language, see play.programs |
| `openspiel:mcts@1000`, `openspiel:uniform_random` | a bot of OpenSpiel |
| `module:name` | a function from a board to a column, a Player, or a function or class that makes one |

A file defines `choose(board)`, which returns a column, or a class with this method; else its player is the agent for
Kaggle: the last callable, which gets an observation and a configuration.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from .._named import named_object
from .._validation import brief, string, suggestion
from ..board.arguments import a_board
from ..board.board import Board
from ..errors import SaveError
from ..games import unfinished_copy_of
from ..rules import Rules
from ..search.params import PRESETS
from .levels import LevelPlayer
from .network_player import network_player
from .player import AnyPlayer, Player, is_player, maker, name_of
from .player_files import KAGGLE, PlayerFile
from .players import EnginePlayer, GameSearchPlayer, PerfectPlayer, RandomPlayer
from .programs import Program, command_of

OPENSPIEL = "c4mcts.adapters.openspiel"
FORMS = (
    "a preset as strong@1000 or uct@0.1s, level:3, perfect, random, network:policy, bot.py, ./bot, openspiel:mcts@1000 "
    "or module:name"
)

TEXT = "a text such as level:3, "  # beside what `maker` takes


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
        if not isinstance(self.make, PlayerFile | Program):
            object.__setattr__(self, "make", maker("make", self.make))


def contestant(
    player: AnyPlayer | Contestant, start: Any = None, check: Callable[[], object] | None = None
) -> Contestant:
    """A player of a tournament: the player that a text names (see the table of this module), a function from a board
    to a column, or anything else that a Contestant can be made of.

    start: the rules of the games, by default 7 x 6, or their first position: a Board, or another Game, which "random"
    can play, and the presets that GameSearch can search with, such as "uct@1000". check: called at least ten times a
    second while the player thinks; c4mcts.executors.cancellation.Cancelled in it ends the move. Code of others is in a
    process of its own then, which is killed.

    Raises TypeError or ValueError naming the text, and, for code of others, anything it raises when it is run.
    """
    if not isinstance(player, str):
        return player if isinstance(player, Contestant) else Contestant(name_of(player), maker("player", player, TEXT))
    start = a_board(start) if isinstance(start, str) else start
    rules = Rules() if start is None else start.rules if isinstance(start, Board) else start
    if not isinstance(rules, Rules):
        unfinished_copy_of("start", rules)
    make: Callable[[], Player]
    own: Callable[[], Player] | None = None
    try:
        if isinstance(rules, Rules):
            own = _own(player, check)
            make = own or _of_others(player, rules)
        else:
            make = RandomPlayer if player == "random" else partial(GameSearchPlayer, player)
        make()
    except (TypeError, ValueError, SaveError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"player {brief(player)}: {error}") from None
    except SystemExit:
        raise ValueError(f"player {brief(player)}: its code exits, as a program does") from None
    if check is not None and isinstance(make, Program):
        make = replace(make, check=check)
    elif check is not None and own is None:
        from .player_process import RemoteSeat  # imported here: not every platform has processes

        make = partial(RemoteSeat, make, None, check)
    return Contestant(player, make)


def player_of(name: str, player: AnyPlayer, start: Any = None, *, is_copied: bool = False) -> Player:
    """The player of your own game: a Player itself, or what else `contestant` takes. TypeError, ValueError.

    name: of the argument. is_copied: of a Player, a copy, for whoever may be one of many with the same arguments.
    """
    if isinstance(player, str):
        return contestant(player, start).make()
    return player if is_player(player) and not is_copied else maker(name, player, TEXT)()


def _own(text: str, on_progress: Callable[[], object] | None) -> Callable[[], Player] | None:
    """A maker of this package's player; None if the text names none."""
    name, at, _ = text.partition(",")[0].partition("@")
    kind, colon, rest = name.partition(":")
    plain: dict[str, Callable[[], Player]] = {"random": RandomPlayer}
    plain["perfect"] = partial(PerfectPlayer, on_progress=on_progress)
    if kind == "level" and colon:
        plain[name] = partial(LevelPlayer, int(rest) if rest.isdecimal() else rest, on_progress=on_progress)
    if kind == "network" and colon:
        plain[name := text] = partial(network_player, text.partition(":")[2])
    if name in plain and name != text:
        raise ValueError(f"{name} takes no {'budget' if at else 'parameters'}")
    return plain.get(name) or (partial(EnginePlayer, text, on_progress=on_progress) if name in PRESETS else None)


def _of_others(text: str, rules: Rules) -> Callable[[], Player]:
    """A maker of a player that others wrote: in a file, in another package, or in a module."""
    kind, colon, rest = text.partition(":")
    try:
        if (command := command_of(text)) is not None:
            return Program(command)
        if (file := PlayerFile.named(text)) is not None:
            return file
        if kind == "kaggle":
            return partial(importlib.import_module(KAGGLE).KagglePlayer.of_environments, rest)
        if kind == "openspiel":
            return partial(importlib.import_module(OPENSPIEL).named_bot, rest, rules)
    except ImportError as error:
        raise ValueError(f"{error}") from None
    except OSError as error:
        raise ValueError(error.strerror or f"{error}") from None
    if not colon:
        name = text.partition("@")[0]
        raise ValueError(f"must be {FORMS}" + suggestion(name, [*PRESETS, "random"], "presets"))
    return partial(_of_module, text)


def _of_module(text: str) -> Player:
    """A player from the object that `module:name` names."""
    return maker(text, named_object(text))()
