"""The dialogue: boards are printed one below the other, and the user types columns and words."""

import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from rich.status import Status
from rich.table import Table
from rich.text import Text

from ...executors.cancellation import Cancelled
from ...play.game_files import SavedGame, append_game, read_game
from ...play.played_game import End
from ...play.player import Player, push_choice
from ...play.player_specs import Contestant
from ...play.players import EnginePlayer
from ...play.review import NAMES, review
from ...play.seats import ask
from ...search.engine import Engine
from ...search.results import effort_text, verdict_or_value
from ..display import PLAYERS, Terminal, board_text
from ..failures import UsageError, errors_of_others, reason, usage_errors
from ..lines import lines_of_file
from ..review import text_of
from .game import YOU, UserGame

HINT: dict[str, Any] = {"simulations": 100_000, "seconds": 1.0}  # the same against every opponent
VALUE: dict[str, Any] = {"simulations": 20_000, "seconds": 0.3}  # of a position, for --show-value
VALUE_BAR = 20  # characters
PLAYING, OVER, ALWAYS = "during the game", "when the game is over", "always"
SYNONYMS = {"y": "review", "yes": "review", "exit": "quit"}
OVER_PROMPT = "review now? (y/n), or undo, rematch, save FILE, load FILE, quit: "


class Action(NamedTuple):
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
    Action("quit", "q", ALWAYS, "leave (or Ctrl-D)"),
)


Command = tuple[str, str]  # an action and its file, or "move" and the number of a column from 1


def parse(text: str, is_over: bool) -> Command | str:
    """The answer in a line, or what is wrong with it: nothing if it is blank, or "no" after the question at the end."""
    text = text.strip()
    word, _, rest = text.partition(" ")
    if re.fullmatch("-?[0-9]{1,9}", text):
        return "the game is over" if is_over else ("move", text)
    name = word.lower()
    if not name or (is_over and name in ("n", "no")):
        return ""
    if is_over or name == "exit":
        name = SYNONYMS.get(name, name)
    for action in ACTIONS:
        if name not in (action.name, action.key) or (rest and not action.takes_file):
            continue
        if action.when not in (ALWAYS, OVER if is_over else PLAYING):
            return f"{action.name} is possible {action.when}"
        if action.takes_file and not rest.strip():
            return f"{action.name} needs the name of a file: {action.name} games.txt"
        return action.name, rest.strip()
    return f"{text[:40]!r} is neither a column nor a command; ? lists them"


@dataclass
class Dialogue:
    terminal: Terminal
    game: UserGame  # the current one
    opponent: Contestant
    about: str  # the opponent, after its name
    substitute: Contestant | None  # plays instead of the user, who watches
    seed: int
    shows_value: bool = False
    file: str | None = None  # where every game is added that the user leaves

    def __post_init__(self) -> None:
        self._seeds = np.random.SeedSequence(self.seed)
        self._adviser = Engine(preset="perfect", seed=self.seed)  # for hints and values
        self._players: dict[int, Player] = {}  # the computer's, by side

    def run(self) -> None:
        """Play games until the user leaves. However they leave, the last game is added to the file."""
        try:
            self._begin(self.game)
            while self._step():
                pass
        finally:
            if self.game.ending is None:
                self._tell_closing()
            self._keep()

    def _begin(self, game: UserGame) -> None:
        self.game = game
        who = {1 - game.side: self.opponent} | ({} if self.substitute is None else {game.side: self.substitute})
        seeds = self._seeds.spawn(2)
        self._players = {side: contestant.make() for side, contestant in sorted(who.items())}
        for side, player in self._players.items():
            with errors_of_others(who[side].name):
                ask(player, "begin", seeds[side])
        discs, names = self.terminal.symbols.discs, self._names()
        you = "are" if self.substitute is None else "is"
        sides = [f"{discs[side]} {NAMES[side]}" for side in (game.side, 1 - game.side)]
        self._tell(
            f"{names[game.side]} {you} {sides[0]}; {self.opponent.name}{self.about} is {sides[1]}; seed {self.seed}",
            "dim",
        )
        self._show()
        self._tell_ending()

    def _names(self) -> tuple[str, str]:
        you = YOU if self.substitute is None else self.substitute.name
        return (you, self.opponent.name) if self.game.side == 0 else (self.opponent.name, you)

    def _step(self) -> bool:
        """One move of the computer, or one answer of the user. Returns False if the user leaves."""
        game = self.game
        if game.ending is None and game.board.turn in self._players:
            self._reply(self._players[game.board.turn])
            return True
        if game.ending is not None and self.substitute is not None:
            return False
        name, argument = self._ask()
        if name != "quit":
            getattr(self, f"_{name}")(argument)
        return name != "quit"

    def _reply(self, player: Player) -> None:
        game, side = self.game, self.game.board.turn
        name = self._names()[side]
        if game.clock is not None:
            game.clock.start(side)
        column = None
        with self._waiting(f"{name} is thinking"), errors_of_others(name), suppress(Cancelled):  # the flag has fallen
            column = push_choice(game.board.copy(), player.choose(game.board.copy()))
        if self._play(column) and column is not None:
            done = f": {effort_text(player.last)}" if isinstance(player, EnginePlayer) and player.last else ""
            self._tell(f"{name} plays {column + 1}{done}")
        self._tell_ending()

    def _play(self, column: int | None) -> bool:
        """Play a column and show the board; False if the time of the player to move is over."""
        is_played = self.game.play(column)
        if is_played:
            self._tell_players("played", column)
        self._show()
        return is_played

    def _tell_players(self, method: str, *arguments: Any) -> None:
        for side, player in self._players.items():
            with errors_of_others(self._names()[side]):
                ask(player, method, *arguments)

    # what the user is told

    def _show(self) -> None:
        self.terminal.print()
        self.terminal.print(board_text(self.terminal, self.game.board))

    def _tell(self, text: str, style: str = "") -> None:
        """Print a line, which is not broken, so that a command in it can be copied."""
        self.terminal.print(text, style=style, markup=False, soft_wrap=True)

    def _waiting(self, prompt: str) -> Status:
        return self.terminal.status(prompt, spinner="line")

    def _tell_ending(self) -> None:
        ending, names = self.game.ending, self._names()
        if ending is None:
            return
        if self.game.clock is not None:
            self.game.clock.stop()
        if ending.winner is None:
            self._tell("a draw", "bold")
        else:
            wins, loses = names[ending.winner], names[1 - ending.winner]
            reasons = {End.RESIGNATION: f"{loses} resign: ", End.TIME: f"{loses} ran out of time: "}
            text = f"{wins} {'win' if wins == YOU else 'wins'} ({self.terminal.symbols.discs[ending.winner]})"
            self._tell(reasons.get(ending.end, "") + text, f"bold {PLAYERS[ending.winner]}")
        self._tell_closing()

    def _tell_closing(self) -> None:
        for line in self.game.closing():
            self._tell(line, "dim")

    def _tell_value(self) -> None:
        """A bar in the colours of both players, the user's share from the left."""
        terminal, user = self.terminal, self.game.side
        with self._waiting("evaluating the position"):
            result = self._adviser.search(self.game.board, **VALUE)
        filled = round(VALUE_BAR * (0.5 if result.value is None else result.value))
        bar = (terminal.symbols.bar * filled, PLAYERS[user])
        rest = (terminal.symbols.empty * (VALUE_BAR - filled), PLAYERS[1 - user])
        terminal.print(Text.assemble(bar, rest, f" {verdict_or_value(result)} for you"))

    def _ask(self) -> Command:
        """The user's next action; to quit at the end of the input. Refuses unknown words."""
        game = self.game
        is_over = game.ending is not None
        if not is_over:
            if self.shows_value:
                self._tell_value()
            if game.clock is not None:
                game.clock.start(game.side)
                clocks = (f"{name} {game.clock.text(side)}" for side, name in enumerate(self._names()))
                self._tell(f"clock: {', '.join(clocks)}", "dim")
        prompt = OVER_PROMPT if is_over else f"your column (1-{game.board.rules.width}), or ? for help: "
        while True:
            try:
                line = self.terminal.input(prompt, markup=False).removeprefix("\N{BYTE ORDER MARK}")
            except EOFError:
                self.terminal.print()
                return "quit", ""
            if not sys.stdin.isatty():
                self._tell(line)
            answer = parse(line, is_over)
            if isinstance(answer, tuple):
                return answer
            if answer:
                self._tell(answer)

    # what the user may ask for: see ACTIONS

    def _move(self, number: str) -> None:
        column, board = int(number) - 1, self.game.board
        if not 0 <= column < board.rules.width:
            self._tell(f"column {number} is not on the board: 1 to {board.rules.width}")
        elif not board.is_legal(column):
            self._tell(f"column {number} is full")
        else:
            self._play(column)
            self._tell_ending()

    def _hint(self, _: str) -> None:
        with self._waiting("looking for a hint"):
            result = self._adviser.search(self.game.board, **HINT)
        self._tell(f"hint: column {result.column + 1}, {verdict_or_value(result)} for you")

    def _undo(self, _: str) -> None:
        refusal = self.game.undo()
        if refusal is not None:
            self._tell(refusal)
        else:
            self._show()

    def _resign(self, _: str) -> None:
        self.game.lose(self.game.side, End.RESIGNATION)
        self._tell_ending()

    def _review(self, _: str) -> None:
        if not self.game.has_moves:
            self._tell("there are no moves to review")
            return
        with self._waiting("reviewing"):
            result = review(self.game.board, opening=len(self.game.start.moves))
        self._tell(text_of(result))

    def _rematch(self, _: str) -> None:
        self._keep()
        self._begin(UserGame(self.game.start, 1 - self.game.side, self.game.clock))

    def _save(self, name: str) -> None:
        if not self.game.has_moves:
            self._tell("there are no moves to save")
            return
        try:
            self._append(name)
            self._tell(f"saved to {name}")
        except (OSError, ValueError) as error:  # ValueError: not a possible name
            self._tell(reason(error))

    def _load(self, name: str) -> None:
        try:
            saved = saved_game(name)
        except UsageError as error:
            self._tell(f"{error}")
            return
        self._keep()
        self._begin(UserGame.from_file(saved, self.game.clock))

    def _help(self, _: str) -> None:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_row(f"1 to {self.game.board.rules.width}", "drop a disc into that column")
        for action in ACTIONS:
            name = f"{action.name} FILE" if action.takes_file else action.name
            table.add_row(f"{name}, {action.key}", action.help)
        self._tell(f"{self.game.board.rules.connect} in a row win.\n")
        self.terminal.print(table)

    # files

    def _keep(self) -> None:
        """End the game: add it to the file of --save."""
        if self.file is not None and self.game.has_moves:
            self._append(self.file)
        self._tell_players("end")

    def _append(self, name: str) -> None:
        append_game(os.path.expanduser(name), self.game.to_file(self._names(), self.seed))


def saved_game(name: str, option: str = "load") -> SavedGame:
    """The last game of a file. option: what gave the name. UsageError, which says where the mistake is."""
    *_, last = lines_of_file(os.path.expanduser(name), option)
    with usage_errors(f"{name}: line {last.number}: "):
        return read_game(last.text)
