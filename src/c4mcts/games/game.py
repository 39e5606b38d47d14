"""Game: the protocol that a game must follow to be searched and played, checks that it does, and tic-tac-toe."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol, Self, SupportsIndex, TypeVar

from .._layout import MAX_GAME_MOVES
from .._validation import between, members, refused, shown, whole_number
from ..errors import GameOverError, IllegalMoveError

Move = TypeVar("Move", bound=Hashable)

MEMBERS = ("copy", "legal_moves", "push", "is_over", "result", "turn")
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # of tic-tac-toe; bit m is cell m
CELLS = range(9)


class Game(Protocol[Move]):
    """A position in a game of two players, 0 and 1, who take turns, without chance or hidden information.

    Any object with these methods and attributes is a Game, such as a Board; there is no base class.

    A game may also have the attribute `max_moves`, an int: no position of it has more legal moves. It only saves time.
    """

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1: it changes with every move. When the game is over, it does not matter."""

    def copy(self) -> Self:
        """An independent copy: moves played on one do not change the other."""

    @property
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
    # of the class if possible: the properties of a game are asked for when they are needed
    missing = [member for member in MEMBERS if not (hasattr(type(game), member) or hasattr(game, member))]
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
    if callable(getattr(type(copy), "legal_moves", None)):
        raise TypeError(f"{kind}.legal_moves must be an attribute, not a method: put @property above it")
    if not copy.is_over() and (moves := members(f"{kind}.legal_moves", copy.legal_moves, "moves", MAX_GAME_MOVES)):
        if len(moves) > MAX_GAME_MOVES:
            raise ValueError(f"{kind}.legal_moves must be at most {MAX_GAME_MOVES} moves")
        try:
            hash(tuple(moves))
        except Exception as error:
            raise TypeError(f"{kind}.legal_moves must be dictionary keys: {error}") from None
        turn = copy.turn
        copy.copy().push(moves[0])
        if copy.is_over() or copy.turn != turn or list(copy.legal_moves) != moves:
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
    legal = {move: move for move in game.legal_moves}
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


class TicTacToe:
    """Tic-tac-toe, a Game. Cells, and so moves, count from 0 in the upper left corner to 8 in the lower right.

    Player 0 moves first and is drawn x, player 1 is o.

    >>> print(TicTacToe([4, 0]))
    o 1 2
    3 x 5
    6 7 8
    """

    __slots__ = ("_marks", "_moves", "_won")

    max_moves = 9

    def __init__(self, moves: Iterable[SupportsIndex] = ()) -> None:
        """The position after these moves; raises as `play` does."""
        self._marks = [0, 0]  # sets of cells
        self._moves: list[int] = []
        self._won = False  # by the player who moved last
        for move in members("moves", moves, "cells", len(CELLS)):
            self.push(move)

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1; when the game is over, the one who would be next."""
        return len(self._moves) & 1

    def copy(self) -> Self:
        """An independent copy."""
        game = type(self)()
        game._marks = self._marks.copy()
        game._moves = self._moves.copy()
        game._won = self._won
        return game

    @property
    def legal_moves(self) -> list[int]:
        """Empty cells, ascending; none when the game is over."""
        if self._won:
            return []
        marks = self._marks[0] | self._marks[1]
        return [cell for cell in CELLS if not marks >> cell & 1]

    def push(self, move: SupportsIndex) -> None:
        """Mark a cell. IllegalMoveError and TypeError leave the game unchanged."""
        cell = whole_number("move", move)
        if cell not in CELLS:
            raise IllegalMoveError(refused("move", "0 to 8", cell))
        if self.is_over():
            raise IllegalMoveError(f"cell {cell} can't be marked: the game is over")
        if cell in self._moves:
            raise IllegalMoveError(f"cell {cell} is marked already")
        player = self.turn
        self._marks[player] |= 1 << cell
        self._moves.append(cell)
        self._won = any(self._marks[player] & line == line for line in LINES)

    def is_over(self) -> bool:
        """Whether a player has three in a row or all cells are marked."""
        return self._won or len(self._moves) == len(CELLS)

    def result(self, player: int) -> int:
        """1 if the player has three in a row, -1 if the other has, otherwise 0."""
        player = between("player", player, 0, 1)
        if not self._won:
            return 0
        return -1 if player == self.turn else 1

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._moves or ''})"

    def __str__(self) -> str:
        """Three rows; empty cells show their number."""
        signs = [str(cell) for cell in CELLS]
        for i, cell in enumerate(self._moves):
            signs[cell] = "xo"[i & 1]
        return "\n".join(" ".join(signs[row : row + 3]) for row in (0, 3, 6))
