"""Game: the protocol that a game must follow to be searched."""

from collections.abc import Hashable, Sequence
from typing import Protocol, Self, TypeVar

Move = TypeVar("Move", bound=Hashable)


class Game(Protocol[Move]):
    """A position in a game of two players, 0 and 1, who take turns, without chance and with nothing hidden.

    Any object with these five methods and the attribute `turn` is one; there is nothing to inherit. A player who may
    have to pass needs a move for that.

    A game may also have the attribute `max_moves`, an int: no position of it has more legal moves. It only saves time.
    """

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1: it changes with every move. When the game is over, it does not matter."""

    def clone(self) -> Self:
        """An independent copy: what is played on one changes nothing in the other."""

    def legal_moves(self) -> Sequence[Move]:
        """The moves that `turn` has, in an order that depends on nothing but the position; for unfinished games.

        At least one, none of them twice; a move is whatever can be a key of a dictionary: a number, a string, a tuple.
        """

    def play(self, move: Move) -> None:
        """Play one of the legal moves."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def result(self, player: int) -> int:
        """How a finished game ended for a player: 1 if they have won, -1 if the other has, 0 for a draw.

        What a win, a draw and a loss are worth is SearchParams.rewards.
        """
