"""The dialogue in lines, for pipes, dumb terminals and screen readers: boards are printed one below the other."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ...play.review_result import Review
from ..display import BoardDisplay, Terminal
from ..positions import read_line
from ..review import text_of
from .dialogue import Thinking
from .game import Answer, UserGame, Worth, help_page, parse, player_name, worth_line

OVER_PROMPT = "review now? (y/n), or undo, rematch, save FILE, load FILE, quit: "


class Lines:
    """Asks for lines, prints lines."""

    def __init__(self, terminal: Terminal, opponent: str) -> None:
        """opponent: its name."""
        self._terminal = terminal
        self._opponent = opponent
        self._is_warned = False  # whether the user has pressed Ctrl-C, and nothing since
        self._worth: Worth | None = None  # the one that was printed last

    def show(self, game: UserGame) -> None:
        """Print the board, with the last disc or the winning line marked."""
        self._terminal.print()
        self._terminal.print(BoardDisplay(self._terminal, game.board).lines())

    def tell(self, text: str, style: str = "") -> None:
        """Print a line, which is not broken, so that a command in it can be copied."""
        self._terminal.print(text, style=style, markup=False, soft_wrap=True)

    def ask(self, game: UserGame, worth: Worth | None) -> Answer | None:
        """What the user asks for; None at the end of the input. Words without a meaning are refused here."""
        if worth is not None and worth is not self._worth:
            self._terminal.print(worth_line(self._terminal, worth, game.side))
        self._worth = worth
        is_over = game.ending is not None
        if game.clock is not None and not is_over:
            clocks = (f"{player_name(game, player, self._opponent)} {game.clock.text(player)}" for player in (0, 1))
            self.tell(f"clock: {', '.join(clocks)}", "dim")
        prompt = OVER_PROMPT if is_over else f"your column (1-{game.board.rules.width}), or ? for help: "
        while True:
            line = self._read(prompt)
            if line is None:
                return None
            if not line.strip():
                continue
            answer = parse(line, is_over)
            if isinstance(answer, Answer):
                return answer
            self.tell(answer)

    def _read(self, prompt: str) -> str | None:
        """A line of input; None at its end. A person at a terminal must press Ctrl-C twice to leave."""
        while True:
            self._terminal.print(prompt, end="", markup=False)
            try:
                line = read_line()
            except KeyboardInterrupt as interrupt:
                self.tell("")
                if self._is_warned or type(interrupt) is not KeyboardInterrupt or not sys.stdin.isatty():
                    raise
                self._is_warned = True
                self.tell("Ctrl-C again leaves")
                continue
            self._is_warned = False
            if line is None:
                self._terminal.print()
            elif not sys.stdin.isatty():
                self.tell(line.rstrip("\n"))
            return line

    @contextmanager
    def thinking(self, game: UserGame, words: str) -> Iterator[Thinking]:
        thinking = Thinking()
        yield thinking
        self._is_warned = thinking.is_hurried

    def confirms(self, game: UserGame, question: str) -> bool:
        """Whether the user agrees: who types a whole word means it."""
        return True

    def file_name(self, game: UserGame, question: str) -> str:
        """Never needed: the name stands in the line."""
        return ""

    def help(self, game: UserGame) -> None:
        self._terminal.print(help_page(game.board.rules, keys=False))

    def review(self, review: Review) -> None:
        self.tell(text_of(review))
