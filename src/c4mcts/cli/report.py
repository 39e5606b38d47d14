"""What a search says, laid out for a terminal: the board, and a table with a row for each column."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..result import MoveStats, SearchResult, verdict
from .picture import PLAYERS, Picture, Terminal, last_disc

BAR = 10  # cells of the terminal
BESIDE = 78  # cells a table needs to stand beside the board
FEWEST = 4  # rows a table keeps on a low terminal


def report(terminal: Terminal, result: SearchResult, note: str) -> RenderableType:
    """The whole display; note: said of the search besides its numbers."""
    board = result.board
    beside = terminal.width >= board.rules.width * 3 + 2 + 3 + BESIDE
    height = terminal.height - 7  # for the lines around, and the prompt
    if beside:
        picture = Picture(terminal, board, height=height)
        room = height - 2
    else:
        lines = min(len(result.moves), FEWEST) + 2
        picture = Picture(terminal, board, height=height - lines)
        room = height - picture.height - 2
    drawn = Group(
        picture.bars(shares_of(result), PLAYERS[board.turn]),
        picture.lines(last_disc(board), result.column),
    )
    table = moves_table(terminal, result, max(room, FEWEST))
    if beside:
        body: RenderableType = Table.grid(padding=(0, 3, 0, 0))
        assert isinstance(body, Table)
        body.add_row(drawn, Group(Text(), table))
    else:
        body = Group(drawn, Text(), table)
    return Group(headline(terminal, result), Text(), body, Text(), footer(result, note))


def shares_of(result: SearchResult) -> list[float]:
    """Shares of the visits, over all columns of the board."""
    shares = [0.0] * result.board.rules.width
    for move in result.moves:
        shares[move.column] = share(move, result)
    return shares


def share(move: MoveStats, result: SearchResult) -> float:
    """A column's part of all visits."""
    return move.visits / max(sum(each.visits for each in result.moves), 1)


def headline(terminal: Terminal, result: SearchResult) -> Text:
    """Who is to move, and what to play."""
    board = result.board
    said = verdict(result.value, result.proof, result.distance)
    return Text.assemble(
        terminal.disc(board.turn),
        f" to move, ply {board.ply} of {board.rules}: ",
        (f"column {result.column}", f"bold {PLAYERS[board.turn]}"),
        ", ",
        (said, "bold"),
    )


def footer(result: SearchResult, note: str) -> Text:
    """Numbers of the search."""
    rate = result.simulations / max(result.seconds, 1e-9)
    return Text(
        f"{result.simulations:,} simulations, {short(rate)}/s, {short(result.nodes)} nodes, {result.seconds:.2f} s, {note}",
        "dim",
    )


def moves_table(terminal: Terminal, result: SearchResult, room: int) -> Table:
    """One row a column; if they are more than `room`, the least visited are summed up in one line."""
    shown = set(range(len(result.moves)))
    if len(shown) > room:
        order = sorted(shown, key=lambda i: (result.moves[i].column != result.column, -result.moves[i].visits))
        shown = set(order[: room - 1])
    proofs = any(result.moves[i].proof for i in shown)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("column", justify="right", no_wrap=True)
    table.add_column("visits", justify="right", no_wrap=True)
    table.add_column("share", width=BAR + 5, no_wrap=True)
    table.add_column("value", width=BAR + 6, no_wrap=True)
    if proofs:
        table.add_column("proof", no_wrap=True)
    table.add_column("principal variation", no_wrap=True, overflow="ellipsis", ratio=1)
    for index in sorted(shown):
        table.add_row(
            *row(terminal, result, result.moves[index], proofs), style="bold" if is_best(result, index) else ""
        )
    hidden = [move for index, move in enumerate(result.moves) if index not in shown]
    if hidden:
        rest = sum(share(move, result) for move in hidden)
        most = max(move.visits for move in hidden)
        table.add_row(f"{len(hidden)} more", f"<= {most:,}", percent(rest), "", style="dim")
    return table


def is_best(result: SearchResult, index: int) -> bool:
    """Whether the search would play this one."""
    return result.moves[index].column == result.column


def row(terminal: Terminal, result: SearchResult, move: MoveStats, proofs: bool) -> list[Text]:
    """The cells of one row."""
    turn = result.board.turn
    best = move.column == result.column
    part = share(move, result)
    mark = (terminal.symbols["mark"] if best else " ", PLAYERS[turn])
    value = Text("    -")
    if move.value is not None:
        length = BAR if move.value >= 1 else int(move.value * BAR * 8 + 0.5) / 8
        value = Text.assemble(
            f"{move.value:.3f} ", (bar(terminal, length).ljust(BAR), f"{PLAYERS[turn]} on {PLAYERS[1 - turn]}")
        )
    cells = [
        Text.assemble(mark, f"{move.column:3}"),
        Text(f"{move.visits:,}"),
        Text.assemble(f"{percent(part)} ", (bar(terminal, part * BAR).ljust(BAR), PLAYERS[turn])),
        value,
    ]
    if proofs:
        cells.append(Text("" if move.proof is None else f"{move.proof} in {move.distance}", "bold"))
    line = [(f"{column} ", PLAYERS[(turn + ply) % 2]) for ply, column in enumerate(move.pv)]
    return [*cells, Text.assemble(*line)]


def bar(terminal: Terminal, length: float) -> str:
    """A bar of a length in cells of the terminal, to an eighth of a cell where its font can."""
    steps = terminal.symbols["bars"]
    filled = round(length * len(steps))
    return steps[-1] * (filled // len(steps)) + (steps[filled % len(steps) - 1] if filled % len(steps) else "")


def percent(part: float) -> str:
    """Four cells wide."""
    return f"{part * 100:3.0f}%"


def short(number: float) -> str:
    """Three or four digits and a unit: 1.79 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.{2 if number < 100 * size else 0}f} {unit}"
    return f"{number:.0f}"
