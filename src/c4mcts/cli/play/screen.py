"""The dialogue on a whole screen, with single keys: its layout, and a review to step through."""

import os
import signal
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.control import Control
from rich.segment import Segment, SegmentLines
from rich.text import Text

from ...play.review_result import MARKS, NAMES, MoveReview, Review
from ..display import PLAYERS, BoardDisplay, Terminal
from ..positions import read_line
from ..review import numbers, totals, worth
from .dialogue import Thinking
from .game import ACTIONS, ALWAYS, OVER, PLAYING, Answer, UserGame, Worth, help_page, player_name, worth_line
from .keys import INTERRUPT, Keyboard

TICK, CLOCK_TICK = 0.5, 0.1  # seconds between looks at the size of the window, and at a clock
MESSAGES = 4  # lines that stay
PANEL = 33  # width of players and messages next to the board
GAP = 3  # between the board and the panel
TIGHT = 10  # seconds from which on a clock is marked
NO_BREAK = "\N{NO-BREAK SPACE}"
STEPS = {"left": -1, "up": -1, "right": 1, "down": 1, " ": 1, "page up": -10, "page down": 10}
COURSE = 60  # moves of the course that are shown


def has_keys(terminal: Terminal) -> bool:
    """Whether single keys can be read and a whole screen drawn."""
    is_capable = terminal.is_terminal and not terminal.is_dumb_terminal and not terminal.legacy_windows
    return is_capable and sys.stdin.isatty() and sys.stdout.isatty()


class Screen:
    """Draws everything anew for each change; leaves the terminal as it was."""

    def __init__(self, terminal: Terminal, opponent: str) -> None:
        """opponent: its name."""
        self._terminal = terminal
        self._layout = Layout(terminal, opponent)
        self._keys = Keyboard()
        self._messages: list[Text] = []
        self._cursor: int | None = None  # the chosen column, from 0
        self._typed = ""  # digits of a column on a wide board
        self._worth: Worth | None = None
        self._is_warned = False  # whether the last key was Ctrl-C: another one leaves

    def __enter__(self) -> "Screen":
        self._stack = ExitStack()
        with self._stack:
            self._stack.enter_context(self._keys)
            self._page = self._stack.enter_context(self._terminal.screen(hide_cursor=True))
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    # the dialogue

    def show(self, game: UserGame) -> None:
        self._draw(game)

    def tell(self, text: str, style: str = "") -> None:
        """Show a message until the user does something."""
        self._messages = [*self._messages, Text(text, style)][-MESSAGES:]

    def ask(self, game: UserGame, worth: Worth | None) -> Answer | None:
        """What the user asks for; None if they leave. An empty answer if the user's clock has run out."""
        self._worth = worth
        is_over = game.ending is not None
        if self._cursor is None or self._cursor >= game.board.rules.width:
            self._cursor = (game.board.rules.width - 1) // 2
        while True:
            self._draw(game, cursor=None if is_over else self._cursor)
            key = self._key(game.clock is not None and not is_over)
            if key is None:
                if not is_over and game.clock is not None and game.clock.left(game.side) == 0:
                    return Answer("")
                continue
            self._is_warned = False
            if key == "end of input":
                return None
            answer = self._answer_to(key, game.board.rules.width, is_over)
            if answer is not None:
                self._messages = []
                return answer

    def _key(self, has_clock: bool = False) -> str | None:
        """The next key; None if the screen must be drawn anew before there is one, for a clock by and by.

        Raises KeyboardInterrupt for the second of two Ctrl-C.
        """
        size = self._terminal.size
        while True:
            key = self._keys.read(CLOCK_TICK if has_clock else TICK)
            if key == INTERRUPT:
                if self._is_warned:
                    raise KeyboardInterrupt
                self._is_warned = True
                self.tell("Ctrl-C again leaves", "bold")
                return None
            if key == "suspend":
                self._suspend()
                return None
            if key is not None or has_clock or self._terminal.size != size:
                return key

    def _answer_to(self, key: str, width: int, is_over: bool) -> Answer | None:
        """What a key asks for; None if it only chooses a column, or means nothing."""
        key = key.lower()
        if is_over and key in ("y", "enter"):
            return Answer("review")
        for action in ACTIONS:
            if key == action.key and action.when in (ALWAYS, OVER if is_over else PLAYING):
                return Answer(action.name)
        if is_over:
            return None
        assert self._cursor is not None
        if key.isdecimal() and key.isascii():
            if width <= 9:
                self._cursor = min(max(int(key) - 1, 0), width - 1)
                return Answer("move", key)
            self._choose(key, width)
            return None
        self._typed = ""
        if key in ("enter", " ", "down"):
            return Answer("move", str(self._cursor + 1))
        steps = {"left": self._cursor - 1, "right": self._cursor + 1, "home": 0, "end": width - 1}
        self._cursor = min(max(steps.get(key, self._cursor), 0), width - 1)
        return None

    def _choose(self, digit: str, width: int) -> None:
        """Move the cursor to the column that was typed, with one digit or two."""
        both = self._typed + digit
        self._typed = both if both.lstrip("0") and int(both) <= width else digit
        if 1 <= int(self._typed) <= width:
            self._cursor = int(self._typed) - 1

    @contextmanager
    def thinking(self, game: UserGame, words: str) -> Iterator[Thinking]:
        """Until the block ends, the computer thinks. Keys but Ctrl-C are forgotten meanwhile."""
        note = Text(f"{words} (Ctrl-C: now)", "dim")
        self._draw(game, note)
        thinking = Thinking(lambda: self._draw(game, note))
        with self._keys.interruptible():
            yield thinking
        self._keys.discard()
        self._is_warned = thinking.is_hurried

    def confirms(self, game: UserGame, question: str) -> bool:
        while True:
            self._draw(game, Text(f"{question} y/n", "bold"))
            key = self._key()
            if key is not None:
                return key.lower() == "y"

    def file_name(self, game: UserGame, question: str) -> str:
        """The name of a file, which the user types in a line at the bottom; empty to give up."""
        self._draw(game)
        with self._outside_of_keys():
            self._terminal.print(f"\r\n{question}", end="", markup=False)
            self._terminal.show_cursor(True)
            try:
                return (read_line() or "").strip()
            except KeyboardInterrupt as interrupt:
                if type(interrupt) is not KeyboardInterrupt:
                    raise
                return ""
            finally:
                self._terminal.show_cursor(False)

    def help(self, game: UserGame) -> None:
        """Show the page of help until a key is pressed."""
        while True:
            self._paint(Group(help_page(game.board.rules, keys=True), "", "any key: back to the game"))
            if self._key() is not None:
                return

    def review(self, review: Review) -> None:
        """Show a review, through which the user steps with the arrow keys."""
        pages = ReviewPages(self._terminal, review)
        while True:
            self._paint(pages.page())
            key = self._key()
            if key in ("escape", "q", "enter", "v", "end of input"):
                return
            if key is not None:
                pages.turn(key)

    # drawing

    def _draw(self, game: UserGame, note: Text | None = None, cursor: int | None = None) -> None:
        """Draw the game. note: shown instead of the keys. cursor: the column to point at."""
        self._paint(self._layout.picture(game, Shown(self._messages, self._worth, note, cursor)))

    def _paint(self, content: RenderableType) -> None:
        self._terminal.control(Control.home())
        self._page.update(content)

    # leaving the screen for a while

    @contextmanager
    def _outside_of_keys(self) -> Iterator[None]:
        """Until the block ends, the terminal edits lines again."""
        self._keys.__exit__(None, None, None)
        try:
            yield
        finally:
            self._keys.__enter__()

    def _suspend(self) -> None:
        """Ctrl-Z: give the terminal back to the shell until it lets us continue."""
        if sys.platform != "win32":
            self.__exit__()
            os.kill(0, signal.SIGTSTP)
            self.__enter__()


class Shown(NamedTuple):
    """What is shown in addition to the game."""

    messages: Sequence[Text]
    worth: Worth | None
    note: Text | None  # shown instead of the keys
    cursor: int | None  # the column to point at, from 0


class Layout:
    """Lays out a game for the size that the terminal has at the moment."""

    def __init__(self, terminal: Terminal, opponent: str) -> None:
        """opponent: its name."""
        self._terminal = terminal
        self._opponent = opponent

    def picture(self, game: UserGame, shown: Shown) -> SegmentLines:
        """Board and panel side by side if both fit; or else one below the other, as much as fits."""
        width, height = self._terminal.size
        for is_large in (True, False):
            whole = BoardDisplay(self._terminal, game.board, height=10**6, is_large=is_large)
            beside = width - whole.width - GAP
            if beside < PANEL or whole.height > height:
                continue
            board = self._rendered(whole.lines(shown.cursor), whole.width)
            panel = self._rendered(self._panel(game, shown, beside, False), beside)
            count = max(len(board), len(panel))
            if count <= height:
                board += [[Segment(" " * whole.width)]] * (count - len(board))
                panel += [[]] * (count - len(panel))
                rows = [[*left, Segment(" " * GAP), *right] for left, right in zip(board, panel, strict=True)]
                return SegmentLines(rows, new_lines=True)
        for is_short in (False, True):
            panel = self._rendered(self._panel(game, shown, width, is_short), width)
            if height - len(panel) >= whole.height:
                break
        free = height - len(panel)
        rows = [*self._board(game, shown.cursor, width, free)[-free:], *panel] if free > 0 else panel[-height:]
        return SegmentLines(rows, new_lines=True)

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
        if game.ending is not None:
            words = ["review now? y", "u undo", "m rematch", "s save", "l load", "q quit"]
        elif is_short:
            words = ["arrows, Enter", "? help", "q quit"]
        else:
            digits = "" if game.board.rules.width > 9 else f" or 1-{game.board.rules.width}"
            words = [f"arrows, Enter{digits}: play", "h hint", "u undo", "r resign", "s save", "? help", "q quit"]
        unbroken = "  ".join(word.replace(" ", NO_BREAK) for word in words)
        return Text(textwrap.fill(unbroken, max(width, 20)).replace(NO_BREAK, " "), "dim")


class ReviewPages:
    """The pages of a review; one is open."""

    def __init__(self, terminal: Terminal, review: Review) -> None:
        """Begins at the first move that changed the result, or else at the last move."""
        self._terminal = terminal
        self._review = review
        turning = [index for index, move in enumerate(review.moves) if move in review.turning_points]
        self._index = turning[0] if turning else len(review.moves) - 1

    def turn(self, key: str) -> None:
        """Open another page: the next or previous move, the first or last, or the next turning point."""
        last = len(self._review.moves) - 1
        ends = {"home": 0, "end": last}
        self._index = min(max(ends.get(key, self._index + STEPS.get(key, 0)), 0), last)
        if key == "t":
            points = [index for index, move in enumerate(self._review.moves) if move in self._review.turning_points]
            later = [index for index in points if index > self._index]
            self._index = (later or points or [self._index])[0]

    def page(self) -> Group:
        """The board after the move, what it was worth, and the figures of the game."""
        review, move = self._review, self._review.moves[self._index]
        board = review.board.copy()
        for _ in review.moves[self._index + 1 :]:
            board.pop()
        lines = [self._words(move), *self._better(move), Text(), self._course()]
        lines += map(Text, totals(review))
        lines.append(Text("left, right: moves   t: next turning point   q: back", "dim"))
        used = sum(len(line.wrap(self._terminal, self._terminal.width)) for line in lines)
        free = self._terminal.height - used
        display = BoardDisplay(self._terminal, board, is_large=True)
        if display.width > self._terminal.width or display.height > free:
            display = BoardDisplay(self._terminal, board, height=free)
        return Group(display.lines(), *lines)

    def _words(self, move: MoveReview) -> Text:
        """The move and its kind."""
        mark = MARKS.get(move.kind, "")
        return Text.assemble(
            f"move {move.ply + 1} of {self._review.board.ply}: ",
            self._terminal.disc(move.player),
            (f" {NAMES[move.player]} {move.column + 1}{mark}  {move.kind}", "bold"),
            f"  ({worth(move)})",
        )

    def _better(self, move: MoveReview) -> list[Text]:
        if move.line:
            return [Text(f"better: {numbers(move.line)}")]
        return [] if move.column in move.best else [Text(f"best: {numbers(move.best)}")]

    def _course(self) -> Text:
        """For each move a bar: how well the first player stands after it. The open page is marked."""
        levels = self._terminal.symbols.levels
        start = max(0, self._index - COURSE // 2)
        course = Text("course ", no_wrap=True, overflow="crop")
        for index, move in enumerate(self._review.moves[start : start + COURSE], start=start):
            value = move.value_after if move.player == 0 else 1 - move.value_after
            style = f"{PLAYERS[0]} reverse" if index == self._index else PLAYERS[0]
            course.append(levels[round(value * (len(levels) - 1))], style)
        return course
