"""The dialogue on a whole screen, with single keys."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rich.console import Group, RenderableType
from rich.control import Control
from rich.text import Text

from ...play.review import Review
from ..board_display import Terminal
from ..position import read_line
from .actions import ACTIONS, ALWAYS, OVER, PLAYING, Answer, help_page
from .game import UserGame
from .keys import INTERRUPT, Keyboard
from .opponents import Thinking
from .screen_layout import Layout, Shown
from .screen_review import ReviewPages
from .wording import Worth

TICK, CLOCK_TICK = 0.5, 0.1  # seconds between looks at the size of the window, and at a clock
MESSAGES = 4  # lines that stay


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
        """The board has changed."""
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
        """Whether the user agrees."""
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
        """Draw the game. note: in place of the keys. cursor: the column to point at."""
        self._paint(self._layout.picture(game, Shown(self._messages, self._worth, note, cursor)))

    def _paint(self, content: RenderableType) -> None:
        """Draw over the whole screen."""
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
        """Ctrl-Z: give the terminal back to the shell until it lets us go on."""
        if sys.platform != "win32":
            self.__exit__()
            os.kill(0, signal.SIGTSTP)
            self.__enter__()
