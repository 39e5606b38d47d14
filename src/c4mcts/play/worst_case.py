"""WorstCase: the worst case of a player on one side, as `exploit` finds it."""

from dataclasses import dataclass

from .._validation import counted
from ..board.board import Board
from ..board.notation import write_moves
from ..rules import Rules
from .game_files import GameTree, SavedGame

SIDES = ("first", "second")


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The worst case of a player on one side. Plies count from the empty board."""

    player: str  # its text, or its repr
    rules: Rules
    turn: int  # the player's: 0 if it moves first
    seed: int | None = None  # of its random choices; None: it makes none
    samples: int = 1  # its move is the most frequent of this many choices
    line: tuple[int, ...] | None = None  # columns of both players, to the win; None: no line has been found
    reason: str = ""  # why the player forfeits after the line; empty if the line wins on the board
    mistake: int | None = None  # index in the line of the move that loses; None: lost from the start, or not known
    least: int | None = 1  # no line wins on the board in fewer plies; None if none wins there at all
    positions: int = 0  # about which the player was asked
    wins: bool | None = None  # whether it wins every game; None unless all lines were tried, see BatchPlayer

    @property
    def name(self) -> str:
        """The player, with what decides its choices."""
        samples = f", the most frequent of {self.samples} choices" if self.samples > 1 else ""
        return self.player if self.seed is None else f"{self.player} (seed {self.seed}{samples})"

    @property
    def is_exact(self) -> bool:
        """Whether no line wins on the board sooner, or none at all. False: a limit ended the search."""
        return self.least == (None if self.line is None else len(self.line))

    def __str__(self) -> str:
        side, count = f"moving {SIDES[self.turn]}", f"({counted(self.positions, 'position')} asked)"
        least = f"win on the board would have {counted(self.least or 0, 'ply', 'plies')} or more"
        if self.line is None:
            ends = ", and wins" if self.wins else ""
            return f"never loses {side}{ends} {count}" if self.is_exact else f"{side}, no line found: a {least} {count}"
        end = f", a forfeit: {self.reason}" if self.reason else ""
        lines = "no line" if self.wins is False else "no line that keeps its wins"
        quicker = f"{lines} is quicker on the board" if self.is_exact else f"a quicker {least}"
        moves = write_moves(self.line, self.rules)
        return f"{side}, beaten in {counted(len(self.line), 'ply', 'plies')} by {moves}{end}; {quicker} {count}"

    @property
    def board(self) -> Board:
        """The end of the line, with its moves; the empty board if there is none."""
        return Board.from_moves(self.line or (), self.rules)

    def game(self) -> SavedGame:
        """The line as a game with comments, whose line of text the page and `read_game` open."""
        tree = GameTree(self.board)
        tree.comment = f"{self.name}: {self}"
        nodes = list(tree.main_line())
        if self.mistake is not None:
            nodes[self.mistake].comment = "the mistake: from here on the position is lost"
        return SavedGame(tree, {"player": self.player} | ({} if self.seed is None else {"seed": self.seed}))
