"""Draws a board on a terminal: coloured discs in a frame, fitted to the size of the terminal; columns count from 1."""

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from ..board.board import Board

PLAYERS = ("#f2b705", "#e5484d")  # the discs differ in colour, brightness and shape
FRAME = "#4a86d8"
LARGE_PITCH = 6  # characters of a column in which discs are large


class Symbols(NamedTuple):
    """The characters with which a board and a result are drawn."""

    discs: str  # by player
    large_discs: tuple[tuple[str, str], tuple[str, str]]  # by player: upper and lower half
    empty: str
    arrow: str
    mark: str
    more: str
    corners: str  # top left, top right, bottom left, bottom right
    line: str
    side: str
    bars: str  # a character cell filled from the left, from an eighth to the whole
    levels: str  # the same, filled from the bottom
    cut: str  # the end of text that was too long


UNICODE = Symbols(
    "●○", (("▟██▙", "▜██▛"), ("▟▀▀▙", "▜▄▄▛")), "·", "▼", "▶", "⋮", "╭╮╰╯", "─", "│", "▏▎▍▌▋▊▉█", "▁▂▃▄▅▆▇█", "…"
)
ASCII = Symbols("xo", (("/XX\\", "\\XX/"), ("/  \\", "\\  /")), ".", "v", ">", ":", "++++", "-", "|", "#", ".-=#", "~")


class Terminal(Console):
    """A rich console that knows which symbols it can print, and raises BrokenPipeError for a closed pipe."""

    def __init__(self, **options: object) -> None:
        super().__init__(highlight=False, emoji=False, **options)  # type: ignore[arg-type]
        self.symbols = UNICODE if self.encoding.lower().startswith("utf") else ASCII

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """As rich does, whose mark for what is cut off not every terminal can write."""
        for segment in super().render(renderable, options):
            yield segment._replace(text=segment.text.replace(UNICODE.cut, self.symbols.cut))

    def disc(self, player: int) -> Text:
        """A coloured disc of a player."""
        return Text(self.symbols.discs[player], PLAYERS[player])


class BoardDisplay:
    """The layout of a board: each column is `pitch` characters wide; the lowest `rows` rows are drawn."""

    def __init__(
        self,
        terminal: Terminal,
        board: Board,
        *,
        width: int | None = None,
        height: int | None = None,
        is_large: bool = False,
    ) -> None:
        """width, height: the space to fill, in characters and lines; by default that of the terminal.

        is_large: whether discs are two lines high, whatever the space.
        """
        self.symbols = terminal.symbols
        self.board = board
        space = (terminal.width if width is None else width) - 2
        columns, rows = board.rules.width, board.rules.height
        self._is_large = is_large
        self.pitch = LARGE_PITCH if is_large else next((pitch for pitch in (3, 2) if columns * pitch <= space), 1)
        self.label_lines = 2 if columns >= 10 and self.pitch < 3 else 1
        filled = max(
            (row + 1 for column in range(columns) for row in range(rows) if board[column, row] is not None), default=0
        )
        fits = (terminal.height - 4 if height is None else height) - 2 - self.label_lines
        self.rows = rows if rows <= fits or is_large else min(rows, max(filled + 1, fits - 1))

    @property
    def width(self) -> int:
        """Width with the frame, in characters."""
        return self.board.rules.width * self.pitch + 2

    @property
    def height(self) -> int:
        """Height with the frame and the column numbers, in lines."""
        return self.rows * (2 if self._is_large else 1) + (self.rows < self.board.rules.height) + 2 + self.label_lines

    def lines(self, best: int | None = None) -> Text:
        """The board with its winning line, or else its last disc, marked; best: a column to point at."""
        corners, line, side = self.symbols.corners, self.symbols.line, self.symbols.side
        hidden, marked, columns = self.board.rules.height - self.rows, self._marked(), range(self.board.rules.width)
        picture = [self._top(best)]
        if hidden:
            note = f"{self.symbols.more} {hidden} empty rows"[: self.width - 2]
            picture.append(Text.assemble((side, FRAME), (note.center(self.width - 2), "dim"), (side, FRAME)))
        for row in reversed(range(self.rows)):
            for half in (0, 1) if self._is_large else (None,):
                cells = [self._cell(column, row, (column, row) in marked, half) for column in columns]
                picture.append(Text.assemble((side, FRAME), *cells, (side, FRAME)))
        picture.append(Text(corners[2] + line * (self.width - 2) + corners[3], FRAME))
        picture += self._labels(best)
        return Text("\n", no_wrap=True, overflow="crop").join(picture)

    def bars(self, shares: list[float], style: str) -> Text:
        """One bar per column, its height relative to the greatest share; columns without a share stay empty."""
        levels, high = self.symbols.levels, max(shares) or 1.0
        heights = [levels[min(int(share / high * len(levels)), len(levels) - 1)] if share else " " for share in shares]
        return Text(" " + "".join(level.center(self.pitch) for level in heights), style, no_wrap=True, overflow="crop")

    def _marked(self) -> tuple[tuple[int, int], ...]:
        """The cells (column, row) of the winning line; otherwise that of the last disc."""
        outcome, last = self.board.outcome(), self.board.last_cell
        if outcome is not None and outcome.cells:
            return outcome.cells
        return () if last is None else (last,)

    def _top(self, best: int | None) -> Text:
        corners, line = self.symbols.corners, self.symbols.line
        top = Text(corners[0] + line * (self.width - 2) + corners[1], FRAME)
        if best is not None:
            at = 1 + best * self.pitch + (self.pitch - 1) // 2
            top = Text.assemble(top[:at], (self.symbols.arrow, f"bold {PLAYERS[self.board.turn]}"), top[at + 1 :])
        return top

    def _cell(self, column: int, row: int, marked: bool, half: int | None = None) -> Text:
        """A cell; half: the upper (0) or the lower (1) half of a large one."""
        player = self.board[column, row]
        if player is None:
            return Text((self.symbols.empty if half != 0 else " ").center(self.pitch), "dim")
        if half is not None:
            disc = self.symbols.large_discs[player][half]
            return Text(
                f"[{disc}]" if marked else f" {disc} ", f"bold {PLAYERS[player]}" if marked else PLAYERS[player]
            )
        disc = self.symbols.discs[player]
        if not marked:
            return Text(disc.center(self.pitch), PLAYERS[player])
        return Text(f"[{disc}]" if self.pitch == 3 else disc.center(self.pitch), f"bold reverse {PLAYERS[player]}")

    def _labels(self, best: int | None) -> list[Text]:
        columns = [str(column + 1) for column in range(self.board.rules.width)]
        if self.label_lines == 1:
            cells = [label.center(self.pitch) for label in columns]
            return [self._label_line(cells, best)]
        tens = [label[0] if len(label) > 1 and label[1] == "0" else " " for label in columns]
        return [
            self._label_line([label.center(self.pitch) for label in line], best)
            for line in (tens, [label[-1] for label in columns])
        ]

    def _label_line(self, cells: list[str], best: int | None) -> Text:
        styled = [(cell, "bold" if column == best else "dim") for column, cell in enumerate(cells)]
        return Text.assemble(" ", *styled)
