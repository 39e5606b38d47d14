"""Draws boards and search results on a terminal, fitted to its size; columns count from 1."""

from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..board.board import Board
from ..search.results import SearchResult, result_text

PLAYERS = ("#f2b705", "#e5484d")  # the discs differ in colour, brightness and shape
FRAME = "#4a86d8"
PREFERRED_LINES = 12  # of text, which take precedence over empty rows of the board
MIN_LINES = 6  # of text, however low the terminal is


class Symbols(NamedTuple):
    """The characters with which a board is drawn."""

    discs: str  # by player
    empty: str
    arrow: str
    more: str
    corners: str  # top left, top right, bottom left, bottom right
    line: str
    side: str
    bar: str


UNICODE = Symbols("●○", "·", "▼", "⋮", "╭╮╰╯", "─", "│", "█")
ASCII = Symbols("xo", ".", "v", ":", "++++", "-", "|", "#")


class Terminal(Console):
    """A rich console that knows which symbols it can print, and raises BrokenPipeError for a closed pipe."""

    def __init__(self, **options: object) -> None:
        super().__init__(highlight=False, emoji=False, **options)  # type: ignore[arg-type]
        self.symbols = UNICODE if self.encoding.lower().startswith("utf") else ASCII

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class BoardDisplay:
    """The layout of a board: each column is `pitch` characters wide; the lowest `rows` rows are drawn."""

    def __init__(self, terminal: Terminal, board: Board, *, height: int | None = None) -> None:
        """height: the space to fill, in lines; by default the terminal's."""
        self.symbols = terminal.symbols
        self.board = board
        space = terminal.width - 2
        columns, rows = board.rules.width, board.rules.height
        self.pitch = next((pitch for pitch in (3, 2) if columns * pitch <= space), 1)
        self.label_lines = 2 if columns >= 10 and self.pitch < 3 else 1
        filled = max(
            (row + 1 for column in range(columns) for row in range(rows) if board[column, row] is not None), default=0
        )
        fits = (terminal.height - 4 if height is None else height) - 2 - self.label_lines
        self.rows = rows if rows <= fits else min(rows, max(filled + 1, fits - 1))

    @property
    def height(self) -> int:
        """Height with the frame and the column numbers, in lines."""
        return self.rows + (self.rows < self.board.rules.height) + 2 + self.label_lines

    def lines(self, best: int | None = None) -> Text:
        """The board with its winning line, or else its last disc, marked; best: a column to point at."""
        corners, side = self.symbols.corners, (self.symbols.side, FRAME)
        columns, outcome = range(self.board.rules.width), self.board.outcome()
        marked = outcome.cells if outcome is not None and outcome.cells else (self.board.last_cell,)
        edge = self.symbols.line * len(columns) * self.pitch
        top = Text(corners[0] + edge + corners[1], FRAME)
        if best is not None:
            at = 1 + best * self.pitch + (self.pitch - 1) // 2
            top = Text.assemble(top[:at], (self.symbols.arrow, f"bold {PLAYERS[self.board.turn]}"), top[at + 1 :])
        picture = [top]
        if hidden := self.board.rules.height - self.rows:
            note = f"{self.symbols.more} {hidden} empty rows"[: len(edge)]
            picture.append(Text.assemble(side, (note.center(len(edge)), "dim"), side))
        for row in reversed(range(self.rows)):
            cells = [self._cell(column, row, (column, row) in marked) for column in columns]
            picture.append(Text.assemble(side, *cells, side))
        picture.append(Text(corners[2] + edge + corners[3], FRAME))
        labels = [str(column + 1) for column in columns]
        if self.label_lines == 2:  # the tens above the ones
            tens = [label[0] if label[1:] == "0" else " " for label in labels]
            picture.append(self._label_line(tens, best))
            labels = [label[-1] for label in labels]
        picture.append(self._label_line(labels, best))
        return Text("\n", no_wrap=True, overflow="crop").join(picture)

    def _cell(self, column: int, row: int, is_marked: bool) -> Text:
        player = self.board[column, row]
        if player is None:
            return Text(self.symbols.empty.center(self.pitch), "dim")
        disc = self.symbols.discs[player]
        if not is_marked:
            return Text(disc.center(self.pitch), PLAYERS[player])
        return Text(f"[{disc}]" if self.pitch == 3 else disc.center(self.pitch), f"bold reverse {PLAYERS[player]}")

    def _label_line(self, labels: list[str], best: int | None) -> Text:
        cells = enumerate(label.center(self.pitch) for label in labels)
        return Text.assemble(" ", *((cell, "bold" if column == best else "dim") for column, cell in cells))


def result_display(
    terminal: Terminal, result: SearchResult, searched: SearchResult | None, note: str
) -> RenderableType:
    """The board, the text of a result as far as there is room for it, and its footer. note, searched: as there."""
    lines = result_text(result, first=1, searched=searched).splitlines()
    foot = Text(footer(result, note), "dim")
    room = terminal.height - 3 - len(foot.wrap(terminal, terminal.width))  # without two empty lines and the prompt
    drawing = BoardDisplay(terminal, result.board, height=room - min(len(lines), PREFERRED_LINES))
    most = max(room - drawing.height, MIN_LINES)
    if len(lines) > most:
        lines[most - 1 :] = [f"  and {len(lines) - most + 1} more"]
    text = Text("\n", no_wrap=True, overflow="crop").join(
        Text(line, "bold" if line.startswith(">") else "") for line in lines
    )
    return Group(drawing.lines(result.column), Text(), text, Text(), foot)


def footer(result: SearchResult, note: str) -> str:
    """The last line of a result: figures of the search, and the note."""
    rate, seconds = result.simulations / max(result.seconds, 1e-9), f"{result.seconds:.2f} s"
    return f"{result.simulations:,} simulations, {short(rate)}/s, {short(result.nodes)} nodes, {seconds}, {note}"


def short(number: float) -> str:
    """A number with three or four digits and a unit: 1.79 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.{2 if number < 100 * size else 0}f} {unit}"
    return f"{number:.0f}"
