"""A board for a terminal: coloured discs in a frame, sized to the room there is."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from ..board.board import Board

PLAYERS = ("#f2b705", "#e5484d")  # the discs differ in colour, brightness and shape
FRAME = "#4a86d8"


class Symbols(NamedTuple):
    """What a picture is made of."""

    discs: str  # by player
    empty: str
    arrow: str
    mark: str
    more: str
    corners: str  # top left and right, bottom left and right
    line: str
    side: str
    bars: str  # parts of a cell, filled from the left
    levels: str  # the same from the bottom
    cut: str  # the end of what had to be cut off


UNICODE = Symbols("●○", "·", "▼", "▶", "⋮", "╭╮╰╯", "─", "│", "▏▎▍▌▋▊▉█", "▁▂▃▄▅▆▇█", "…")
ASCII = Symbols("xo", ".", "v", ">", ":", "++++", "-", "|", "#", ".-=#", "~")


class Terminal(Console):
    """A rich console that leaves a closed pipe to `main`, and knows which symbols can be written."""

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
        """A player's disc."""
        return Text(self.symbols.discs[player], PLAYERS[player])


class Picture:
    """How a board is laid out: `pitch` cells of the terminal a column, the lowest `rows` rows."""

    def __init__(
        self, terminal: Terminal, board: Board, *, width: int | None = None, height: int | None = None
    ) -> None:
        """width, height: room for the frame and all in it; by default the terminal's."""
        self.symbols = terminal.symbols
        self.board = board
        room = (terminal.width if width is None else width) - 2
        columns, rows = board.rules.width, board.rules.height
        self.pitch = next((pitch for pitch in (3, 2) if columns * pitch <= room), 1)
        self.label_lines = 2 if columns > 10 and self.pitch < 3 else 1
        filled = max(
            (row + 1 for column in range(columns) for row in range(rows) if board[column, row] is not None), default=0
        )
        fits = (terminal.height - 4 if height is None else height) - 2 - self.label_lines
        self.rows = rows if rows <= fits else min(rows, max(filled + 1, fits - 1))

    @property
    def width(self) -> int:
        """Cells of the terminal from edge to edge."""
        return self.board.rules.width * self.pitch + 2

    @property
    def height(self) -> int:
        """Lines of the terminal."""
        return self.rows + (self.rows < self.board.rules.height) + 2 + self.label_lines

    def lines(self, marked: Collection[tuple[int, int]] = (), best: int | None = None) -> Text:
        """The picture; marked: cells (column, row) that stand out; best: a column to point at."""
        corners, line, side = self.symbols.corners, self.symbols.line, self.symbols.side
        hidden = self.board.rules.height - self.rows
        picture = [self._top(best)]
        if hidden:
            note = f"{self.symbols.more} {hidden} empty rows"[: self.width - 2]
            picture.append(Text.assemble((side, FRAME), (note.center(self.width - 2), "dim"), (side, FRAME)))
        for row in reversed(range(self.rows)):
            cells = [self._cell(column, row, (column, row) in marked) for column in range(self.board.rules.width)]
            picture.append(Text.assemble((side, FRAME), *cells, (side, FRAME)))
        picture.append(Text(corners[2] + line * (self.width - 2) + corners[3], FRAME))
        picture += self._labels(best)
        return Text("\n", no_wrap=True, overflow="crop").join(picture)

    def bars(self, shares: list[float], style: str) -> Text:
        """One bar a column, its height in proportion to the greatest; columns without a share stay empty."""
        levels, most = self.symbols.levels, max(shares) or 1.0
        heights = [levels[min(int(share / most * len(levels)), len(levels) - 1)] if share else " " for share in shares]
        return Text(" " + "".join(level.center(self.pitch) for level in heights), style, no_wrap=True, overflow="crop")

    def _top(self, best: int | None) -> Text:
        corners, line = self.symbols.corners, self.symbols.line
        top = Text(corners[0] + line * (self.width - 2) + corners[1], FRAME)
        if best is not None:
            at = 1 + best * self.pitch + (self.pitch - 1) // 2
            top = Text.assemble(top[:at], (self.symbols.arrow, f"bold {PLAYERS[self.board.turn]}"), top[at + 1 :])
        return top

    def _cell(self, column: int, row: int, marked: bool) -> Text:
        player = self.board[column, row]
        if player is None:
            return Text(self.symbols.empty.center(self.pitch), "dim")
        disc = self.symbols.discs[player]
        if not marked:
            return Text(disc.center(self.pitch), PLAYERS[player])
        return Text(f"[{disc}]" if self.pitch == 3 else disc.center(self.pitch), f"bold reverse {PLAYERS[player]}")

    def _labels(self, best: int | None) -> list[Text]:
        columns = [str(column) for column in range(self.board.rules.width)]
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


def last_disc(board: Board) -> list[tuple[int, int]]:
    """The cell of the last move, as a list of none or one."""
    if not board.moves:
        return []
    column = board.peek()
    return [(column, max(row for row in range(board.rules.height) if board[column, row] is not None))]
