"""Play against the engine."""

import argparse
import sys
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.text import Text

from ..board.board import Board
from ..errors import IllegalMoveError
from ..search.engine import Engine
from ..search.results import SearchResult, verdict
from .arguments import UsageError, add_search, engine_of, limits_of, params_of
from .board_display import PLAYERS, BoardDisplay, Terminal
from .evaluator import add_evaluator, evaluator_errors, evaluator_of
from .position import add_position, read_line, unfinished_board_of

LEVELS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 50_000, 200_000, 1_000_000)  # simulations per move
LEVEL = 5
HINT = {"simulations": 100_000, "seconds": 1.0}  # the same at every level


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    sides = parser.add_mutually_exclusive_group()
    sides.add_argument("--first", action="store_const", dest="side", const=0, help="you are x")
    sides.add_argument(
        "--second", action="store_const", dest="side", const=1, help="you are o (default: you are to move)"
    )
    ladder = ", ".join(f"{level}: {budget:,}" for level, budget in enumerate(LEVELS, start=1))
    help_text = f"strength in place of the limits below, 1 to {len(LEVELS)} (default {LEVEL}), in simulations: {ladder}"
    parser.add_argument("--level", type=int, metavar="N", help=help_text)
    add_evaluator(add_search(parser))


def run(args: argparse.Namespace) -> int:
    """Play games until the user wants no more."""
    start = unfinished_board_of(args)
    limits = budget_of(args)
    evaluator = evaluator_of(args, params_of(args))
    engine, seed = engine_of(args, evaluator)
    helper = Engine(engine.params, backend=args.backend, evaluator=evaluator)
    side = start.turn if args.side is None else args.side
    match = Match(Terminal(), engine, helper, limits, side, start)
    match.say(f"you are {match.name(match.side)}, the engine has {described(limits)} per move (seed {seed})", "dim")
    with evaluator_errors(args):
        while match.play() and match.wants_another():
            pass
    return 0


def budget_of(args: argparse.Namespace) -> dict[str, Any]:
    """The engine's limits for each move, from --level or from the limits given."""
    level = LEVEL if args.level is None else args.level
    if not 1 <= level <= len(LEVELS):
        raise UsageError(f"--level must be 1 to {len(LEVELS)}, not {level}")
    default = {"simulations": LEVELS[level - 1]}
    limits = limits_of(args, **default)
    if args.level is not None and limits != default:
        raise UsageError("--level can't be combined with --simulations, --seconds or --nodes")
    return limits


def described(limits: dict[str, Any]) -> str:
    """Limits in words."""
    return " and ".join(f"{value:,} {name}".replace(".0 ", " ") for name, value in limits.items())


class Match:
    """Games between the user and the engine, with the dialogue on the terminal."""

    def __init__(
        self, terminal: Terminal, engine: Engine, helper: Engine, limits: dict[str, Any], side: int, start: Board
    ) -> None:
        """helper: the engine that gives hints. side: the user's, 0 or 1. start: the position every game begins with."""
        self.terminal = terminal
        self.engine = engine
        self.helper = helper
        self.limits = limits
        self.side = side
        self.start = start
        self.board = start.copy()

    def name(self, player: int) -> str:
        """The symbol of a player's discs on the board."""
        return self.terminal.symbols.discs[player]

    def play(self) -> bool:
        """Play one game; False if the user quits before its end."""
        self.board = self.start.copy()
        self.show_before_input()
        while not self.board.is_over():
            if self.board.turn != self.side:
                self.reply()
            elif (answer := self.ask()) == "resign":
                self.say(f"you resign: the engine ({self.name(1 - self.side)}) wins", "bold")
                return True
            elif answer == "quit":
                self.say("bye")
                return False
        self.tell_outcome()
        return True

    def reply(self) -> None:
        """Search and play the engine's move."""
        result = self.think(self.engine, self.limits)
        self.board.push(result.column)
        self.show()
        self.say(
            f"the engine plays {result.column} ({verdict(result.value, result.proof, result.distance)} for the engine)"
        )

    def think(self, engine: Engine, limits: dict[str, Any]) -> SearchResult:
        """Search the board; a terminal shows "thinking" meanwhile."""
        if not self.terminal.is_terminal:
            return engine.search(self.board, **limits)
        with Live(Group(self.picture(), Text("thinking", "dim")), console=self.terminal, transient=True):
            return engine.search(self.board, **limits)

    def ask(self) -> str:
        """Handle the user's input until a move is played, or the user leaves: "moved", "resign" or "quit"."""
        columns = f"0-{self.board.rules.width - 1}"
        while True:
            answer = self.read(f"your column ({columns}), or hint, undo, resign, quit: ")
            if answer is None or answer in ("quit", "q"):
                return "quit"
            if answer == "resign":
                return "resign"
            if answer in ("hint", "h"):
                self.hint()
            elif answer in ("undo", "u"):
                self.undo()
            elif answer and self.move(answer):
                return "moved"

    def read(self, prompt: str) -> str | None:
        """A line of input, stripped and in lower case; None at the end of the input."""
        self.terminal.print(prompt, end="")
        answer = read_line()
        if answer is None:
            self.terminal.print()
            return None
        if not sys.stdin.isatty():
            self.terminal.print(answer.rstrip("\n"), markup=False)
        return answer.strip().lower()

    def move(self, answer: str) -> bool:
        """Play the column that the user named, or say why it can't be played; whether it was played."""
        try:
            self.board.push(int(answer))
        except IllegalMoveError as error:
            self.say(f"{error}")
        except ValueError:
            self.say(f"{answer[:40]!r} is neither a column nor one of the words")
        else:
            self.show_before_input()
            return True
        return False

    def hint(self) -> None:
        """Show what the helper would play. The opponent's tree is not touched."""
        result = self.think(self.helper, HINT)
        self.say(f"hint: column {result.column}, {verdict(result.value, result.proof, result.distance)} for you")

    def undo(self) -> None:
        """Take back the engine's last move and the user's move before it."""
        if len(self.board.moves) < len(self.start.moves) + 2:
            self.say("there is no move of yours to take back")
            return
        self.board.pop()
        self.board.pop()
        self.show()

    def show_before_input(self) -> None:
        """Print the board, unless `think` is about to show it."""
        if self.board.is_over() or self.board.turn == self.side or not self.terminal.is_terminal:
            self.show()

    def show(self) -> None:
        """Print the board, with the last disc or the winning line marked."""
        self.terminal.print(self.picture())

    def picture(self) -> Text:
        """The board after an empty line."""
        return Text("\n") + BoardDisplay(self.terminal, self.board).lines()

    def tell_outcome(self) -> None:
        """Print who has won."""
        outcome = self.board.outcome()
        if outcome is None or outcome.winner is None:
            self.say("a draw", "bold")
        elif outcome.winner == self.side:
            self.say(f"you win ({self.name(outcome.winner)})", f"bold {PLAYERS[outcome.winner]}")
        else:
            self.say(f"the engine wins ({self.name(outcome.winner)})", f"bold {PLAYERS[outcome.winner]}")

    def wants_another(self) -> bool:
        """Ask whether to play another game; False without a terminal."""
        if not (sys.stdin.isatty() and self.terminal.is_terminal):
            return False
        return self.read("another game? (y/N) ") in ("y", "yes")

    def say(self, text: str, style: str = "") -> None:
        """Print one line."""
        self.terminal.print(text, style=style, markup=False)
