"""Player: an object that chooses a move, how other things become one, and how its choice is played."""

import copy
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from inspect import signature
from threading import Lock
from typing import Any, Protocol, TypeGuard, runtime_checkable

from .._validation import brief, must_be
from ..errors import IllegalMoveError
from ..games import Game, Move

_COPYING = Lock()  # an engine can't be copied by two threads at once


@runtime_checkable
class Player(Protocol):
    """The method that a player must have.

    It may have four more: `begin(seed)` prepares for a new game, whose random choices must all come from the
    SeedSequence; `time_limit(seconds, overage)` is told before each move in a game with a limit how long it may think,
    and what is left of the game's overage time (see Terms); `played(move)` is told every move of the game, its own too;
    `end()` is called after each game.
    """

    def choose(self, game: Any, /) -> Any:
        """The move to play in an unfinished game, a Board or another Game, which is a copy."""


class FunctionPlayer:
    """A player that is a function from a game to a move."""

    def __init__(self, choose: Callable[[Any], Any]) -> None:
        self.choose = choose

    def __repr__(self) -> str:
        return repr(self.choose)


AnyPlayer = Player | Callable[..., Any] | str  # a text names a player: see player_specs


def is_player(player: object) -> TypeGuard[Player]:
    """Whether an object is a player already, not a class or a function that makes one."""
    return isinstance(player, Player) and not isinstance(player, type)


def maker(name: str, player: object, also: str = "") -> Callable[[], Player]:
    """A function that makes a player for each game. TypeError.

    player: a Player, of which each game gets a copy; a function from a game to a move; or a function or class without
    arguments that makes either. name: of the argument. also: what else it may be, for the error.
    """
    if is_player(player):
        return partial(_copied, name, player)
    if not callable(player):
        words = f"{also}a Player, a function from a board to a column, or a function without arguments that makes one"
        raise TypeError(must_be(name, words, player))
    with suppress(TypeError, ValueError):  # a function that needs arguments, or is in C and does not say
        if not isinstance(player, type):
            signature(player).bind()
        return partial(_made, name, player)
    return partial(FunctionPlayer, player)


def _copied(name: str, player: Player) -> Player:
    try:
        with _COPYING:
            return copy.deepcopy(player)
    except TypeError as error:  # some part of it can't be pickled
        words = f"{name} must be a function that makes the player, which can't be copied for each game: {error}"
        raise TypeError(words) from None


def _made(name: str, make: Callable[[], object]) -> Player:
    player = make()
    return player if is_player(player) else maker(f"what {name} makes", player)()


def name_of(player: object) -> str:
    """A player in a word: its text, its name, or its repr, unless that has an address, which no other process has."""
    if isinstance(player, str):
        return player
    kind: Any = type(player)
    return getattr(player, "__name__", None) or (kind.__name__ if kind.__repr__ is object.__repr__ else f"{player}")


def push_choice(game: Game[Move], chosen: Any) -> Move:
    """Play the move chosen by a player, and return it. IllegalMoveError, which says why the move is illegal."""
    legal = {move: move for move in game.legal_moves}
    reason: object = "this is not a legal move"
    try:
        if isinstance(chosen, Hashable) and chosen in legal:
            game.push(chosen)
            return legal[chosen]
        game.copy().push(chosen)  # the game may give a better reason
    except (TypeError, ValueError, LookupError) as error:
        reason = error
    raise IllegalMoveError(f"chose {brief(chosen)}: {reason}") from None


def play_choice(game: Game[Move], player: Player) -> Move:
    """Play the move that a player chooses in a game, and return it. IllegalMoveError, which names the player."""
    chosen = player.choose(game.copy())
    try:
        return push_choice(game, chosen)
    except IllegalMoveError as error:
        raise IllegalMoveError(f"{brief(player)} {error}") from None
