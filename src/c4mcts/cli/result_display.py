"""Lays out a search result for a terminal: the board, and a table with a row for each column.

Columns count from 1.
"""

from typing import Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..search.results import MoveStats, SearchResult, verdict
from .board_display import PLAYERS, BoardDisplay, Terminal

HEADINGS = ("column", "visits", "share", "value", "proof", "line of play")
PROOF = HEADINGS.index("proof")
GAP = 2  # between the columns of the table
BAR, SHORT_BAR = 10, 3  # width of a bar, normally and in narrow tables
NARROW = 60  # tables of a smaller width are narrow
BESIDE = 78  # width that a table needs to stand beside the board
PREFERRED_ROWS = 12  # of the table: up to so many are more useful than empty rows of the board
MIN_ROWS = 4  # of the table, however low the terminal is


def result_display(terminal: Terminal, result: SearchResult, note: str) -> RenderableType:
    """The whole display; note: put after the figures of the search in the last line."""
    board = result.board
    beside = terminal.width >= board.rules.width * 3 + 2 + 3 + BESIDE
    head, foot = headline(terminal, result), footer(result, note)
    around = sum(len(text.wrap(terminal, terminal.width)) for text in (head, foot))
    height = terminal.height - around - 5  # minus bars, three empty lines, and the prompt
    if beside:
        drawing = BoardDisplay(terminal, board, height=height)
        rows = height - 1
    else:
        drawing = BoardDisplay(terminal, board, height=height - 1 - min(len(result.moves), PREFERRED_ROWS))
        rows = height - 1 - drawing.height
    drawn = Group(
        drawing.bars(shares_of(result), PLAYERS[board.turn]),
        drawing.lines(result.column),
    )
    width = terminal.width - (drawing.width + 3 if beside else 0)
    table = moves_table(terminal, result, width, max(rows, MIN_ROWS))
    if beside:
        body: RenderableType = Table.grid(padding=(0, 3, 0, 0))
        assert isinstance(body, Table)
        body.add_row(drawn, Group(Text(), table))
    else:
        body = Group(drawn, Text(), table)
    return Group(head, Text(), body, Text(), foot)


def shares_of(result: SearchResult) -> list[float]:
    """Each column's share of the visits, over all columns of the board."""
    shares = [0.0] * result.board.rules.width
    for move in result.moves:
        shares[move.column] = share(move, result)
    return shares


def share(move: MoveStats, result: SearchResult) -> float:
    """A move's share of all visits."""
    return move.visits / max(sum(each.visits for each in result.moves), 1)


def headline(terminal: Terminal, result: SearchResult) -> Text:
    """The first line: who is to move, and what to play."""
    board = result.board
    value = verdict(result.value, result.proof, result.distance)
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


def moves_table(terminal: Terminal, result: SearchResult, width: int, max_rows: int) -> Table:
    """One row per move; if there are more than `max_rows`, the least visited moves share the last row."""
    shown, hidden = split(result, max_rows)
    length = BAR if width >= NARROW else SHORT_BAR
    rows = [row(terminal, result, move, length) for move in shown]
    rows += [rest_of(result, hidden)] * bool(hidden)
    widths = [max(len(head), *(cells[i].cell_len for cells in rows)) for i, head in enumerate(HEADINGS[:-1])]
    if not any(move.proof for move in shown):
        widths[PROOF] = 0
    widths.append(width - sum(each + GAP for each in widths if each))
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    columns = [i for i, head in enumerate(HEADINGS) if widths[i] >= len(head)]
    for i in columns:
        side: Literal["right", "left"] = "right" if i < 2 else "left"
        table.add_column(HEADINGS[i], justify=side, width=widths[i], no_wrap=True, overflow="ellipsis")
    styles = ["bold" if move.column == result.column else "" for move in shown] + ["dim"] * bool(hidden)
    for cells, style in zip(rows, styles, strict=True):
        table.add_row(*(cells[i] for i in columns), style=style)
    return table


def split(result: SearchResult, max_rows: int) -> tuple[list[MoveStats], list[MoveStats]]:
    """The moves that get a row of their own, in column order, and the others."""
    order = sorted(result.moves, key=lambda move: (move.column != result.column, -move.visits))
    rows = len(order) if len(order) <= max_rows else max_rows - 1
    return sorted(order[:rows], key=lambda move: move.column), order[rows:]


def row(terminal: Terminal, result: SearchResult, move: MoveStats, length: int) -> list[Text]:
    """The cells of a move in the order of HEADINGS; length: of the bars, in characters."""
    turn = result.board.turn
    colours = f"{PLAYERS[turn]} on {PLAYERS[1 - turn]}"
    mark = terminal.symbols.mark if move.column == result.column else " "
    part = share(move, result)
    value = Text("    -")
    if move.value is not None:
        value = Text.assemble(f"{move.value:.3f} ", (bar(terminal, move.value * length).ljust(length), colours))
    return [
        Text.assemble((mark, PLAYERS[turn]), f"{move.column + 1:5}"),
        Text(f"{move.visits:,}"),
        Text.assemble(f"{percent(part)} ", (bar(terminal, part * length).ljust(length), PLAYERS[turn])),
        value,
        Text("" if move.proof is None else f"{move.proof} in {move.distance}"),
        Text.assemble(*((f"{column + 1} ", PLAYERS[(turn + ply) % 2]) for ply, column in enumerate(move.pv))),
    ]


def rest_of(result: SearchResult, moves: list[MoveStats]) -> list[Text]:
    """The cells of the row that several moves share."""
    part = sum(share(move, result) for move in moves)
    texts = (f"+ {len(moves)}", f"{sum(move.visits for move in moves):,}", percent(part), "", "", "")
    return [Text(text) for text in texts]


def bar(terminal: Terminal, length: float) -> str:
    """A bar of a length in characters, exact to an eighth of a character in Unicode."""
    steps = terminal.symbols.bars
    filled = round(length * len(steps))
    return steps[-1] * (filled // len(steps)) + (steps[filled % len(steps) - 1] if filled % len(steps) else "")


def percent(part: float) -> str:
    """A share in percent, four characters wide."""
    return f"{part * 100:3.0f}%"


def short(number: float) -> str:
    """A number with three or four digits and a unit: 1.79 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.{2 if number < 100 * size else 0}f} {unit}"
    return f"{number:.0f}"
