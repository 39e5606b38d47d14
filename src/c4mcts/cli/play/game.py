"""A game between the user and the computer: its clocks, the user's actions, and its description in words."""

import argparse
import re
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, NamedTuple

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ...board.board import Board
from ...play.game_files import SavedGame
from ...play.game_tree import GameTree
from ...rules import Rules
from ...search.limits import Clock
from ...search.results import SearchResult
from ...search.root_moves import Proof
from ...search.verdicts import verdict
from ..display import PLAYERS, Terminal, bar

YOU = "you"  # the user's name in saved games
RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}  # in saved games, by winner
EXACT_BELOW = 20  # seconds: from there on, a clock shows tenths
PLAYING, OVER, ALWAYS = "during the game", "when the game is over", "always"
SYNONYMS = {"y": "review", "yes": "review", "exit": "quit"}


@dataclass(frozen=True, slots=True)
class UserGameEnding:
    """How a game ended. winner: 0, 1, or None for a draw."""

    how: Literal["line", "full board", "resignation", "time"]
    winner: int | None


class UserGame:
    """A game from a start position. `side` is the player, 0 or 1, whom the user plays."""

    def __init__(self, start: Board, side: int, setting: Clock | None = None) -> None:
        self.start = start
        self.board = start.copy()
        self.side = side
        self.clock = None if setting is None else GameClock(setting)
        self._early: UserGameEnding | None = None  # by resignation or on time

    @property
    def is_users_turn(self) -> bool:
        """Whether the user is to move, or would be if the game went on."""
        return self.board.turn == self.side

    @property
    def ending(self) -> UserGameEnding | None:
        """How the game ended; None while it is not over."""
        if self._early is not None:
            return self._early
        outcome = self.board.outcome()
        if outcome is None:
            return None
        return UserGameEnding("full board" if outcome.winner is None else "line", outcome.winner)

    @property
    def has_moves(self) -> bool:
        """Whether anything was played since the start position."""
        return len(self.board.moves) > len(self.start.moves)

    def refusal(self, number: int) -> str | None:
        """Why the user can't play in a column, counted from 1; None if they can."""
        width = self.board.rules.width
        if not 1 <= number <= width:
            return f"column {number} is not on the board: 1 to {width}"
        return None if self.board.is_legal(number - 1) else f"column {number} is full"

    def play(self, column: int) -> None:
        """Play a legal column, counted from 0; the player to move loses instead if their time is over."""
        player = self.board.turn
        if not self.lose_on_time():
            self.board.push(column)
            if self.clock is not None:
                self.clock.moved(player)

    def lose_on_time(self) -> bool:
        """End the game if the time of the player to move is over; whether it is."""
        if self.clock is None or self.clock.left(self.board.turn) > 0:
            return False
        self.clock.pause()
        self._early = UserGameEnding("time", 1 - self.board.turn)
        return True

    def resign(self) -> None:
        self._early = UserGameEnding("resignation", 1 - self.side)

    def undo(self) -> str | None:
        """Take back the user's last move and the answer to it, or a resignation; returns why that can't be done.

        Clocks are not set back, and a flag that has fallen stays down.
        """
        if self._early is not None:
            if self._early.how == "time":
                return "a loss on time can't be taken back"
            self._early = None
            return None
        back = 2 if self.is_users_turn else 1
        if len(self.board.moves) < len(self.start.moves) + back:
            return "there is no move of yours to take back"
        for _ in range(back):
            self.board.pop()
        return None

    def to_file(self, opponent: str, about: dict[str, Any]) -> SavedGame:
        """The game as a file has it. about: more facts to keep."""
        names = (YOU, opponent) if self.side == 0 else (opponent, YOU)
        ending = self.ending
        facts = {
            "first": names[0],
            "second": names[1],
            "result": "*" if ending is None else RESULTS[ending.winner],
            "end": "unfinished" if ending is None else ending.how,
        }
        return SavedGame(GameTree(self.board), {**facts, "opening": len(self.start.moves), **about})

    @classmethod
    def from_file(cls, saved: SavedGame, setting: Clock | None) -> "UserGame":
        """The game of a file. The user plays the side that they had, or else the one to move."""
        end, facts = saved.board, saved.facts
        start = end.copy()
        opening = facts.get("opening")
        while start.moves and len(start.moves) > (opening if isinstance(opening, int) else 0):
            start.pop()
        side = end.turn
        if YOU in (facts.get("first"), facts.get("second")):
            side = 0 if facts.get("first") == YOU else 1
        game = cls(start, side, setting)
        game.board = end
        result, how = facts.get("result"), facts.get("end")
        if result in ("1-0", "0-1") and how in ("resignation", "time") and not game.board.is_over():
            game._early = UserGameEnding(how, 0 if result == "1-0" else 1)
        return game

    def moves(self) -> str:
        """The moves, columns from 1: as digits, or with blanks on over 9 columns."""
        return ("" if self.board.rules.width <= 9 else " ").join(str(column + 1) for column in self.board.moves)

    def closing(self) -> list[str]:
        """What to keep of the game in words: its moves, and the command that reviews or continues it."""
        if not self.has_moves:
            return []
        verb, purpose = ("play", "to continue") if self.ending is None else ("review", "to review it")
        return [f"moves: {self.moves()}", f"{purpose}: c4mcts {verb} {self.board.format('address')}"]


def clock_option(text: str) -> Clock:
    """Parse the argument of --clock: seconds and increment, as 60+1 or 180. ArgumentTypeError."""
    found = re.fullmatch(r"([0-9.]+)(?:\+([0-9.]+))?", text.strip())
    if found is not None:
        with suppress(ValueError):
            return Clock.of((float(found[1]), float(found[2] or 0)))
    raise argparse.ArgumentTypeError(f"must be seconds+increment as 60+1, not {text!r}")


class GameClock:
    """Both players' clocks; one of them runs, or none."""

    def __init__(self, setting: Clock) -> None:
        self.increment = setting.increment
        self._left = [setting.remaining, setting.remaining]
        self._running: int | None = None
        self._since = 0.0

    def start(self, player: int) -> None:
        """Let a player's clock run, if it does not run already."""
        if self._running != player:
            self.pause()
            self._running, self._since = player, time.monotonic()

    def pause(self) -> None:
        """Stop the clock that runs."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
            self._running = None

    def moved(self, player: int) -> None:
        """Stop the clocks; the player who has moved gets the increment, unless their time was over."""
        self.pause()
        if self._left[player] > 0:
            self._left[player] += self.increment

    def left(self, player: int) -> float:
        """Seconds that a player has left; 0 once the time is over."""
        spent = time.monotonic() - self._since if self._running == player else 0.0
        return max(self._left[player] - spent, 0.0)

    def text(self, player: int) -> str:
        """What a player's clock shows: 1:05, and 9.3 when it gets tight."""
        left = self.left(player)
        if left < EXACT_BELOW:
            return f"{ceil(left * 10) / 10:.1f}"
        minutes, seconds = divmod(ceil(left), 60)
        return f"{minutes}:{seconds:02}"


class Action(NamedTuple):
    """Something that the user can ask for."""

    name: str  # the word to type
    key: str  # the letter for it
    when: str
    help: str
    takes_file: bool = False


ACTIONS = (
    Action("hint", "h", PLAYING, "show what a strong player would do"),
    Action("undo", "u", ALWAYS, "take back your last move"),
    Action("resign", "r", PLAYING, "resign the game"),
    Action("review", "v", OVER, "at the end: the value of each move"),
    Action("rematch", "m", OVER, "at the end: play again with sides swapped"),
    Action("save", "s", ALWAYS, "append the game to a file", takes_file=True),
    Action("load", "l", ALWAYS, "continue the last game of a file", takes_file=True),
    Action("help", "?", ALWAYS, "show this page"),
    Action("quit", "q", ALWAYS, "leave"),
)


class Answer(NamedTuple):
    """What the user has asked for: an action, or "move" with the number of a column from 1."""

    name: str
    argument: str = ""


def parse(text: str, is_over: bool) -> Answer | str:
    """The answer that a line means; or what is wrong with it.

    "y" and "n" answer whether to review the game; "n" gives an empty answer.
    """
    word, _, rest = text.strip().partition(" ")
    name = word.lower()
    if re.fullmatch("-?[0-9]{1,9}", text.strip()):
        return "the game is over" if is_over else Answer("move", name)
    if is_over and name in ("n", "no"):
        return Answer("")
    if name in SYNONYMS and (is_over or SYNONYMS[name] != "review"):
        name = SYNONYMS[name]
    for action in ACTIONS:
        if name not in (action.name, action.key) or (rest and not action.takes_file):
            continue
        if action.when not in (ALWAYS, OVER if is_over else PLAYING):
            return f"{action.name} is possible {action.when}"
        if action.takes_file and not rest.strip():
            return f"{action.name} needs the name of a file: {action.name} games.txt"
        return Answer(action.name, rest.strip() if action.takes_file else "")
    return f"{text.strip()[:40]!r} is neither a column nor a command; ? lists them"


def help_page(rules: Rules, keys: bool) -> Group:
    """The page of help. keys: whether single keys are read, or else lines."""
    columns = f"1 to {rules.width}"
    if keys:
        digits = (
            ("1 to 9", "choose it, with one digit or two") if rules.width > 9 else (columns, "drop it into that one")
        )
        rows = [("left, right", "choose a column"), ("Enter, down", "drop the disc there"), digits]
        rows += [(action.key, action.help) for action in ACTIONS]
    else:
        names = [f"{action.name} FILE" if action.takes_file else action.name for action in ACTIONS]
        rows = [(columns, "drop the disc into that column")]
        rows += [(f"{name}, {action.key}", action.help) for name, action in zip(names, ACTIONS, strict=True)]
    rows += [("Ctrl-C", "while the computer is thinking: move now"), ("Ctrl-C twice", "leave (or Ctrl-D)")]
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return Group(f"Drop a disc into a column: {rules.connect} in a row win.", "", table)


REVERSED: dict[Proof, Proof] = {"win": "loss", "draw": "draw", "loss": "win"}  # for the other player


class Worth(NamedTuple):
    """What a position is worth for the user."""

    value: float  # 0 to 1
    words: str


def worth_of(result: SearchResult, user: int) -> Worth:
    value = 0.5 if result.value is None else result.value
    if result.board.turn == user:
        return Worth(value, verdict(replace(result, value=value)))
    proof = None if result.proof is None else REVERSED[result.proof]
    return Worth(1 - value, verdict(replace(result, value=1 - value, proof=proof)))


def worth_line(terminal: Terminal, worth: Worth, user: int, length: int = 20) -> Text:
    """A bar in the colours of both players, the user's share from the left."""
    colours = f"{PLAYERS[user]} on {PLAYERS[1 - user]}"
    has_colours = terminal.color_system is not None and not terminal.no_color
    filled = bar(terminal, worth.value * length).ljust(length, " " if has_colours else terminal.symbols.empty)
    return Text.assemble((filled, colours), f" {worth.words} for you", no_wrap=True, overflow="crop")


def ending_text(game: UserGame, opponent: str, terminal: Terminal) -> str:
    ending = game.ending
    assert ending is not None
    if ending.winner is None:
        return "a draw"
    symbol = terminal.symbols.discs[ending.winner]
    has_won = ending.winner == game.side
    result = f"you win ({symbol})" if has_won else f"{opponent} wins ({symbol})"
    reasons = {"resignation": "you resign: ", "time": "you ran out of time: "}
    if has_won:
        reasons = {"time": f"{opponent} ran out of time: "}
    return reasons.get(ending.how, "") + result


def player_name(game: UserGame, player: int, opponent: str) -> str:
    """ "you", or the name of the opponent."""
    return "you" if player == game.side else opponent
