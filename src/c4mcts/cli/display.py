"""Draws boards and search results on a terminal, fitted to its size; columns count from 1."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ..board.board import Board
from ..search.results import SearchResult, opinion_text
from ..search.root_moves import MoveStats, best_first
from ..search.verdicts import AT_MOST, is_cut, proof_text, verdict

PLAYERS = ("#f2b705", "#e5484d")  # the discs differ in colour, brightness and shape
FRAME = "#4a86d8"
HEADINGS = ("column", "result", "visits", "share", "value", "line of play")  # the first two matter most
RESULT, VISITS = HEADINGS.index("result"), HEADINGS.index("visits")
GAP = 2  # between the columns of the table
BAR, SHORT_BAR = 10, 3  # width of a bar, normally and in narrow tables
NARROW = 60  # tables of a smaller width are narrow
BESIDE = 78  # width of a table next to the board
PREFERRED_ROWS = 12  # of the table, which take precedence over empty rows of the board
MIN_ROWS = 4  # of the table, however low the terminal is


class Symbols(NamedTuple):
    """The characters with which a board and a result are drawn."""

    discs: str  # by player
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
    at_most: str  # before a distance


UNICODE = Symbols("●○", "·", "▼", "▶", "⋮", "╭╮╰╯", "─", "│", "▏▎▍▌▋▊▉█", "▁▂▃▄▅▆▇█", "…", "≤")
ASCII = Symbols("xo", ".", "v", ">", ":", "++++", "-", "|", "#", ".-=#", "~", AT_MOST)


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
        return Text(self.symbols.discs[player], PLAYERS[player])


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
    def width(self) -> int:
        """Width with the frame, in characters."""
        return self.board.rules.width * self.pitch + 2

    @property
    def height(self) -> int:
        """Height with the frame and the column numbers, in lines."""
        return self.rows + (self.rows < self.board.rules.height) + 2 + self.label_lines

    def lines(self, best: int | None = None) -> Text:
        """The board with its winning line, or else its last disc, marked; best: a column to point at."""
        corners, line, side = self.symbols.corners, self.symbols.line, self.symbols.side
        hidden, marked, columns = self.board.rules.height - self.rows, self._marked(), range(self.board.rules.width)
        picture = [self._top(best)]
        if hidden:
            note = f"{self.symbols.more} {hidden} empty rows"[: self.width - 2]
            picture.append(Text.assemble((side, FRAME), (note.center(self.width - 2), "dim"), (side, FRAME)))
        for row in reversed(range(self.rows)):
            cells = [self._cell(column, row, (column, row) in marked) for column in columns]
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
        """The cells (column, row) of the winning line; otherwise the cell of the last disc."""
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

    def _cell(self, column: int, row: int, marked: bool) -> Text:
        player = self.board[column, row]
        if player is None:
            return Text(self.symbols.empty.center(self.pitch), "dim")
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


def result_display(
    terminal: Terminal, result: SearchResult, note: str, searched: SearchResult | None = None
) -> RenderableType:
    """The whole display; note: put after the figures of the search in the last line. searched: see result_text."""
    board = result.board
    beside = terminal.width >= board.rules.width * 3 + 2 + 3 + BESIDE
    head, foot = headline(terminal, result), footer(result, note)
    if searched is not None:
        head = Text("\n").join([head, Text(opinion_text(searched, first=1), "dim")])
    around = sum(len(text.wrap(terminal, terminal.width)) for text in (head, foot))
    height = terminal.height - around - 5  # minus bars, three empty lines, and the prompt
    if beside:
        drawing = BoardDisplay(terminal, board, height=height)
        rows = height - 1
    else:
        drawing = BoardDisplay(terminal, board, height=height - 1 - min(len(result.moves), PREFERRED_ROWS))
        rows = height - 1 - drawing.height
    drawn = Group(
        drawing.bars(result.policy().tolist(), PLAYERS[board.turn]),
        drawing.lines(result.column),
    )
    width = terminal.width - (drawing.width + 3 if beside else 0)
    table = _moves_table(terminal, result, width, max(rows, MIN_ROWS))
    if beside:
        body: RenderableType = Table.grid(padding=(0, 3, 0, 0))
        assert isinstance(body, Table)
        body.add_row(drawn, Group(Text(), table))
    else:
        body = Group(drawn, Text(), table)
    return Group(head, Text(), body, Text(), foot)


def share(move: MoveStats, result: SearchResult) -> float:
    return move.visits / max(sum(each.visits for each in result.moves), 1)


def headline(terminal: Terminal, result: SearchResult) -> Text:
    """The first line: who is to move, and what to play."""
    board = result.board
    value = verdict(result, terminal.symbols.at_most)
    return Text.assemble(
        terminal.disc(board.turn),
        f" to move, ply {board.ply}, {board.rules}: ",
        (f"column {result.column + 1}", f"bold {PLAYERS[board.turn]}"),
        ", ",
        (value, "bold"),
    )


def footer(result: SearchResult, note: str) -> Text:
    """The last line: figures of the search, and the note."""
    rate = result.simulations / max(result.seconds, 1e-9)
    numbers = (
        f"{result.simulations:,} simulations, {short(rate)}/s, {short(result.nodes)} nodes, {result.seconds:.2f} s"
    )
    return Text(f"{numbers}, {note}", "dim")


def _moves_table(terminal: Terminal, result: SearchResult, width: int, max_rows: int) -> Table:
    """One row per move, the best first; if there are more than `max_rows`, the others share the last row."""
    moves = best_first(result.moves, result.column)
    rows_left = len(moves) if len(moves) <= max_rows else max_rows - 1
    shown, hidden = moves[:rows_left], moves[rows_left:]
    length = BAR if width >= NARROW else SHORT_BAR
    rows = [row(terminal, result, move, length) for move in shown]
    rows += [_rest_of(result, hidden)] * bool(hidden)
    widths = [max(len(head), *(cells[i].cell_len for cells in rows)) for i, head in enumerate(HEADINGS[:-1])]
    if not any(move.proof for move in shown):
        widths[RESULT] = 0
    widths.append(width - sum(each + GAP for each in widths if each))
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    columns = [i for i, head in enumerate(HEADINGS) if widths[i] >= len(head)]
    for i in columns:
        side: Literal["right", "left"] = "right" if i in (0, VISITS) else "left"
        table.add_column(HEADINGS[i], justify=side, width=widths[i], no_wrap=True, overflow="ellipsis")
    styles = ["bold" if move.column == result.column else "" for move in shown] + ["dim"] * bool(hidden)
    for cells, style in zip(rows, styles, strict=True):
        table.add_row(*(cells[i] for i in columns), style=style)
    return table


def row(terminal: Terminal, result: SearchResult, move: MoveStats, length: int) -> list[Text]:
    """The cells of a move in the order of HEADINGS; length: of the bars, in characters."""
    turn = result.board.turn
    colours = f"{PLAYERS[turn]} on {PLAYERS[1 - turn]}"
    mark = terminal.symbols.mark if move.column == result.column else " "
    part = share(move, result)
    end = terminal.symbols.cut if is_cut(move) else ""
    value = Text("    -")
    if move.value is not None:
        value = Text.assemble(f"{move.value:.3f} ", (bar(terminal, move.value * length).ljust(length), colours))
    return [
        Text.assemble((mark, PLAYERS[turn]), f"{move.column + 1:5}"),
        Text(proof_text(move, terminal.symbols.at_most)),
        Text(f"{move.visits:,}"),
        Text.assemble(f"{percent(part)} ", (bar(terminal, part * length).ljust(length), PLAYERS[turn])),
        value,
        Text.assemble(*((f"{column + 1} ", PLAYERS[(turn + ply) % 2]) for ply, column in enumerate(move.pv)), end),
    ]


def _rest_of(result: SearchResult, moves: list[MoveStats]) -> list[Text]:
    part = sum(share(move, result) for move in moves)
    texts = (f"+ {len(moves)}", "", f"{sum(move.visits for move in moves):,}", percent(part), "", "")
    return [Text(text) for text in texts]


def bar(terminal: Terminal, length: float) -> str:
    """A bar of a length in characters, exact to an eighth of a character in Unicode."""
    steps = terminal.symbols.bars
    filled = round(length * len(steps))
    return steps[-1] * (filled // len(steps)) + (steps[filled % len(steps) - 1] if filled % len(steps) else "")


def percent(part: float) -> str:
    return f"{part * 100:3.0f}%"


def short(number: float) -> str:
    """A number with three or four digits and a unit: 1.79 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.{2 if number < 100 * size else 0}f} {unit}"
    return f"{number:.0f}"
