"""Draws boards and search results on a terminal, fitted to its width; columns count from 1."""

from typing import Any, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.text import Text

from .._validation import counted
from ..board.board import Board
from ..search.results import SearchResult, result_text
from .output import results

PLAYERS = ("#f2b705", "#e5484d")  # the discs differ in colour, brightness and shape
FRAME = "#4a86d8"


class Symbols(NamedTuple):
    discs: str  # by player
    empty: str
    arrow: str
    corners: str  # top left, top right, bottom left, bottom right
    line: str
    side: str
    bar: str


UNICODE = Symbols("●○", "·", "▼", "╭╮╰╯", "─", "│", "█")
ASCII = Symbols("xo", ".", "v", "++++", "-", "|", "#")


class Terminal(Console):
    """A rich console that knows which symbols it can print, and raises BrokenPipeError for a closed pipe."""

    def __init__(self, *, stderr: bool = False, **options: Any) -> None:
        options = {"file": None if stderr else results(), "stderr": stderr, **options}
        super().__init__(highlight=False, emoji=False, **options)
        self.symbols = UNICODE if self.encoding.lower().startswith("utf") else ASCII

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def board_text(terminal: Terminal, board: Board, best: int | None = None) -> Text:
    """The board with its winning line, or else its last disc, marked. best: a column to point at.

    A column is three characters wide, or fewer where the terminal is narrow.
    """
    symbols, columns, outcome = terminal.symbols, range(board.rules.width), board.outcome()
    pitch = next((pitch for pitch in (3, 2) if len(columns) * pitch <= terminal.width - 2), 1)
    marked = outcome.cells if outcome is not None and outcome.cells else (board.last_cell,)
    corners, side, edge = symbols.corners, (symbols.side, FRAME), symbols.line * len(columns) * pitch
    top = Text(corners[0] + edge + corners[1], FRAME)
    if best is not None:
        at = 1 + best * pitch + (pitch - 1) // 2
        top = Text.assemble(top[:at], (symbols.arrow, f"bold {PLAYERS[board.turn]}"), top[at + 1 :])
    lines = [top]
    for row in reversed(range(board.rules.height)):
        cells = [_cell(symbols, pitch, board[column, row], (column, row) in marked) for column in columns]
        lines.append(Text.assemble(side, *cells, side))
    lines.append(Text(corners[2] + edge + corners[3], FRAME))
    labels = [str(column + 1) for column in columns]
    numbers = [labels]
    if len(columns) >= 10 and pitch < 3:  # the tens above the ones
        numbers = [[label[0] if label[1:] == "0" else " " for label in labels], [label[-1] for label in labels]]
    for each in numbers:
        styles = ("bold" if column == best else "dim" for column in columns)
        cells = [(label.center(pitch), style) for label, style in zip(each, styles, strict=True)]
        lines.append(Text.assemble(" ", *cells))
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def _cell(symbols: Symbols, pitch: int, player: int | None, is_marked: bool) -> tuple[str, str]:
    if player is None:
        return symbols.empty.center(pitch), "dim"
    disc = symbols.discs[player]
    if not is_marked:
        return disc.center(pitch), PLAYERS[player]
    return f"[{disc}]" if pitch == 3 else disc.center(pitch), f"bold reverse {PLAYERS[player]}"


def result_display(
    terminal: Terminal, result: SearchResult, searched: SearchResult | None, note: str
) -> RenderableType:
    """The board, the text of a result and its footer. searched, note: as there."""
    text = Text("\n", no_wrap=True, overflow="crop").join(
        Text(line, "bold" if line.startswith(">") else "")
        for line in result_text(result, first=1, searched=searched).splitlines()
    )
    board = board_text(terminal, result.board, result.column)
    return Group(board, Text(), text, Text(), Text(footer(result, note), "dim"))


def footer(result: SearchResult, note: str) -> str:
    """The last line of a result: figures of the search, and the note."""
    rate, seconds = result.simulations / max(result.seconds, 1e-9), f"{result.seconds:.2f} s"
    simulations, nodes = counted(result.simulations, "simulation"), counted(short(result.nodes), "node")
    return f"{simulations}, {short(rate)}/s, {nodes}, {seconds}, {note}"


def short(number: float) -> str:
    """A number with three or four digits and a unit: 1.79 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.{2 if number < 100 * size else 0}f} {unit}"
    return f"{number:.0f}"
