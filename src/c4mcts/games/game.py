"""Game: the protocol that a game must follow to be searched and played, and checks that it does."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol, Self, TypeVar

from .._layout import MAX_GAME_MOVES
from .._validation import members, refused, shown
from ..errors import GameOverError, IllegalMoveError

Move = TypeVar("Move", bound=Hashable)

MEMBERS = ("copy", "legal_moves", "push", "is_over", "result", "turn")


class Game(Protocol[Move]):
    """A position in a game of two players, 0 and 1, who take turns, without chance or hidden information.

    Any object with these five methods and the attribute `turn` is a Game, such as a Board; there is no base class.

    A game may also have the attribute `max_moves`, an int: no position of it has more legal moves. It only saves time.
    """

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1: it changes with every move. When the game is over, it does not matter."""

    def copy(self) -> Self:
        """An independent copy: moves played on one do not change the other."""

    def legal_moves(self) -> Sequence[Move]:
        """The legal moves of `turn`, in an order that depends only on the position; for unfinished games.

        At least one, without duplicates; a move is anything that can be a dictionary key: a number, a string, a tuple.
        """

    def push(self, move: Move, /) -> None:
        """Play one of the legal moves."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def result(self, player: int) -> int:
        """How a finished game ended for a player: 1 if they have won, -1 if the other has, 0 for a draw.

        The rewards of a win, a draw and a loss are SearchParams.rewards.
        """


G = TypeVar("G", bound=Game[Any])


def a_game(name: str, game: Any) -> Any:
    """Check that a value has the members of a Game. TypeError."""
    if isinstance(game, type):
        raise TypeError(f"{name} must be a Game, not the class {game.__name__}")
    missing = [member for member in MEMBERS if not hasattr(game, member)]
    if missing:
        raise TypeError(f"{name} must be a Game, but {type(game).__name__} has no {', no '.join(missing)}")
    return game


def copy_of(name: str, game: G) -> G:
    """A copy of a game. TypeError or ValueError if a method does not follow the protocol."""
    kind, copy = type(a_game(name, game)).__name__, game.copy()
    if type(copy) is not type(game):
        raise TypeError(f"{kind}.copy() must return a {kind}, not {shown(copy)}")
    if not is_among(copy.turn, (0, 1)):
        raise ValueError(refused(f"{kind}.turn", "0 or 1", copy.turn))
    if not copy.is_over() and (moves := members(f"{kind}.legal_moves()", copy.legal_moves(), "moves", MAX_GAME_MOVES)):
        if len(moves) > MAX_GAME_MOVES:
            raise ValueError(f"{kind}.legal_moves() must be at most {MAX_GAME_MOVES} moves")
        try:
            hash(tuple(moves))
        except Exception as error:
            raise TypeError(f"{kind}.legal_moves() must be dictionary keys: {error}") from None
        turn = copy.turn
        copy.copy().push(moves[0])
        if copy.is_over() or copy.turn != turn or list(copy.legal_moves()) != moves:
            raise ValueError(f"{kind}.copy() must be independent: a move played on it changed the game it came from")
    return copy


def unfinished_copy_of(name: str, game: G) -> G:
    """A copy of an unfinished game. GameOverError, and the errors of `copy_of`."""
    copy = copy_of(name, game)
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {shown(copy)}")
    return copy


def push_choice(game: Game[Move], chosen: Any) -> Move:
    """Play the move chosen by a player, and return it. IllegalMoveError, which says why the move is illegal."""
    legal = {move: move for move in game.legal_moves()}
    reason: object = "this is not a legal move"
    try:
        if is_among(chosen, legal):
            game.push(chosen)
            return legal[chosen]
        game.copy().push(chosen)  # the game may give a better reason
    except (TypeError, ValueError, LookupError) as error:
        reason = error
    raise IllegalMoveError(f"chose {shown(chosen)}: {reason}") from None


def is_among(value: object, allowed: Iterable[object]) -> bool:
    """Membership; False for unhashable or incomparable values."""
    try:
        return value in set(allowed)
    except Exception:
        return False
