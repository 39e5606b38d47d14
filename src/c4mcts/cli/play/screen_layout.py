"""Where everything stands on the screen: the board, and beside or below it players, clocks, messages and keys."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from ..board_display import PLAYERS, BoardDisplay, Terminal
from .game import UserGame
from .wording import Worth, player_name, worth_line

PANEL = 33  # characters that players and messages need beside the board
GAP = 3  # between the board and what stands beside it
TIGHT = 10  # seconds from which on a clock is marked
NO_BREAK = "\N{NO-BREAK SPACE}"


class Shown(NamedTuple):
    """What is shown besides the game."""

    messages: Sequence[Text]
    worth: Worth | None
    note: Text | None  # in place of the keys
    cursor: int | None  # the column to point at, from 0


class Rows:
    """Lines that are rendered already."""

    def __init__(self, rows: Sequence[list[Segment]]) -> None:
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for row in self._rows:
            yield from row
            yield Segment.line()


class Layout:
    """Lays out a game for the size that the terminal has at the moment."""

    def __init__(self, terminal: Terminal, opponent: str) -> None:
        """opponent: its name."""
        self._terminal = terminal
        self._opponent = opponent

    def picture(self, game: UserGame, shown: Shown) -> Rows:
        """Board and panel side by side if both fit; or else one below the other, as much as fits."""
        width, height = self._terminal.size
        for is_large in (True, False):
            whole = BoardDisplay(self._terminal, game.board, height=10**6, is_large=is_large)
            beside = width - whole.width - GAP
            if beside < PANEL or whole.height > height:
                continue
            board = self._rendered(whole.lines(shown.cursor), whole.width)
            panel = self._rendered(self._panel(game, shown, beside, False), beside)
            rows = max(len(board), len(panel))
            if rows <= height:
                board += [[Segment(" " * whole.width)]] * (rows - len(board))
                panel += [[]] * (rows - len(panel))
                return Rows([[*left, Segment(" " * GAP), *right] for left, right in zip(board, panel, strict=True)])
        for is_short in (False, True):
            panel = self._rendered(self._panel(game, shown, width, is_short), width)
            if height - len(panel) >= whole.height:
                break
        free = height - len(panel)
        return Rows([*self._board(game, shown.cursor, width, free)[-free:], *panel] if free > 0 else panel[-height:])

    def _board(self, game: UserGame, cursor: int | None, width: int, free: int) -> list[list[Segment]]:
        """The lines of the board, without rows that are empty if it is too high; the part around the cursor."""
        display = BoardDisplay(self._terminal, game.board, height=free)
        board = self._rendered(display.lines(cursor), display.width)
        if display.width <= width:
            return board
        middle = display.width // 2 if cursor is None else 1 + cursor * display.pitch
        left = min(max(middle - width // 2, 0), display.width - width)
        return [list(Segment.divide(row, [left, left + width]))[1] for row in board]

    def _rendered(self, content: RenderableType, width: int) -> list[list[Segment]]:
        """The lines of what is drawn in so many characters."""
        return self._terminal.render_lines(content, self._terminal.options.update(width=max(width, 1), height=None))

    def _panel(self, game: UserGame, shown: Shown, width: int, is_short: bool) -> Group:
        """Players and clocks, the value, messages, the moves, and the keys."""
        players = [self._player(game, player) for player in (0, 1)]
        lines = [Text("   ").join(players)] if is_short else [*players, Text()]
        if shown.worth is not None and game.ending is None:
            lines.append(worth_line(self._terminal, shown.worth, game.side, 10 if is_short else 12))
        if is_short:
            first = 0 if game.ending is not None else -1  # the end is told first
            lines += shown.messages[first:][:1]
        else:
            lines += shown.messages
            if game.board.moves and game.ending is None:
                lines.append(Text(f"moves {game.moves()}", "dim"))
            lines.append(Text())
        return Group(*lines, shown.note or self._keys(game, width, is_short))

    def _player(self, game: UserGame, player: int) -> Text:
        """A player's disc, name and clock, marked if it is their turn."""
        is_turn = game.ending is None and game.board.turn == player
        mark = self._terminal.symbols.mark if is_turn else " "
        name = player_name(game, player, self._opponent)
        clock = "" if game.clock is None else f"  {game.clock.text(player)}"
        is_tight = game.clock is not None and is_turn and game.clock.left(player) < TIGHT
        style = "bold" if is_turn else ""
        return Text.assemble(
            (mark, PLAYERS[player]),
            self._terminal.disc(player),
            (f" {name}", style),
            (clock, "reverse" if is_tight else style),
        )

    def _keys(self, game: UserGame, width: int, is_short: bool) -> Text:
        """The keys that can be pressed."""
        if game.ending is not None:
            words = ["review now? y", "u undo", "m rematch", "s save", "l load", "q quit"]
        elif is_short:
            words = ["arrows, Enter", "? help", "q quit"]
        else:
            digits = "" if game.board.rules.width > 9 else f" or 1-{game.board.rules.width}"
            words = [f"arrows, Enter{digits}: play", "h hint", "u undo", "r resign", "s save", "? help", "q quit"]
        unbroken = "  ".join(word.replace(" ", NO_BREAK) for word in words)
        return Text(textwrap.fill(unbroken, max(width, 20)).replace(NO_BREAK, " "), "dim")
