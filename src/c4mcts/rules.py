"""The rules of a game: board size, length of a winning line, and whether diagonals count; and how a game ends."""

from dataclasses import dataclass
from typing import TypedDict

from ._hints import with_hints
from ._layout import MAX_SIDE
from ._validation import between, flag, must_be, whole_number

MAX_CONNECT = MAX_SIDE * MAX_SIDE  # the cells of the largest board


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of connect-k on a board with gravity; hashable, immutable.

    width, height: 1 to 64 columns and rows. connect: discs in a row needed to win, 2 to 4096; if it exceeds the board,
    every game is a draw. diagonals: whether diagonal lines also win.
    """

    width: int = 7
    height: int = 6
    connect: int = 4
    diagonals: bool = True

    def __post_init__(self) -> None:
        for name, low, high in (("width", 1, MAX_SIDE), ("height", 1, MAX_SIDE), ("connect", 2, MAX_CONNECT)):
            object.__setattr__(self, name, between(name, getattr(self, name), low, high))
        object.__setattr__(self, "diagonals", flag("diagonals", self.diagonals))

    @property
    def cells(self) -> int:
        """Number of cells, which is also the number of plies in the longest game."""
        return self.width * self.height

    def __str__(self) -> str:
        """'7x6x4', followed by ' no-diagonals' if diagonals don't count."""
        flags = "" if self.diagonals else " no-diagonals"
        return f"{self.width}x{self.height}x{self.connect}{flags}"


Rules.__init__ = with_hints(Rules.__init__)  # type: ignore[method-assign]


class RuleOptions(TypedDict, total=False):
    """The fields of Rules, as keyword arguments of a function."""

    width: int
    height: int
    connect: int
    diagonals: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. winner: 0, 1, or None for a draw.

    cells: every cell of every winning line as (column, row), row 0 = bottom, sorted; empty for a draw.
    """

    winner: int | None
    cells: tuple[tuple[int, int], ...] = ()


DEFAULT_RULES = Rules()


def rules_or_default(rules: object) -> Rules:
    """The value of an argument `rules`: Rules, or None for 7 x 6 and four in a row. TypeError."""
    if rules is None:
        return DEFAULT_RULES
    if not isinstance(rules, Rules):
        advice = ": write Rules(7, 6, 4); Board.parse reads a position" if isinstance(rules, str) else ""
        raise TypeError(must_be("rules", "Rules", rules) + advice)
    return rules


def word_count(rules: Rules) -> int:
    """Words of 64 bits that a board takes."""
    return -(-rules.width * (rules.height + 1) // 64)


def fits_word(rules: Rules) -> bool:
    """Whether the board fits in 64 bits, a word."""
    return rules.width * (rules.height + 1) <= 64


def fits_solver(rules: Rules) -> bool:
    """Whether the board fits in 128 bits, as books and the native solver require; the pure one solves larger ones."""
    return rules.width * (rules.height + 1) <= 128


def discs(width: int, height: int, own: object, mask: object) -> tuple[int, int]:
    """Check that two bitboards are a position of this size; return them as plain ints. TypeError, ValueError.

    own: discs of the player to move. mask: all discs; columns must be filled from the bottom. Layout: _pure.bitboard.
    """
    one, all_discs = whole_number("own", own), whole_number("mask", mask)
    stride = height + 1
    bottom = ((1 << width * stride) - 1) // ((1 << stride) - 1)
    board = bottom * ((1 << height) - 1)
    if all_discs & ~board or all_discs + bottom & all_discs or one & ~all_discs:
        raise ValueError(f"own and mask are not discs on a board of {width} x {height}: {one:#x}, {all_discs:#x}")
    return one, all_discs


def run_directions(rules: Rules) -> list[int]:
    """Distances in bits between neighbouring cells in each direction in which a winning line fits on the board.

    Column c owns the bits from c * (height + 1) upwards, so a step up is 1 and a step right is height + 1.
    """
    directions = []
    if rules.connect <= rules.height:
        directions.append(1)
    if rules.connect <= rules.width:
        directions.append(rules.height + 1)
    if rules.diagonals and rules.connect <= min(rules.width, rules.height):
        directions += [rules.height, rules.height + 2]
    return directions


def run_steps(rules: Rules) -> list[int]:
    """Shifts that find winning lines: after `run &= run >> step` for each step, only the first cells of lines remain.

    The length covered doubles with each step; the last step adds the rest (connect 7: 1, 2, 3).
    """
    steps, covered = [], 1
    while covered < rules.connect:
        steps.append(min(covered, rules.connect - covered))
        covered += steps[-1]
    return steps
