"""What is said about a game: the players, how it ended, what a position is worth."""

from typing import NamedTuple

from rich.text import Text

from ...search.results import SearchResult, verdict
from ..board_display import PLAYERS, Terminal
from ..result_display import bar
from .game import UserGame

OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw", None: None}


class Worth(NamedTuple):
    """What a position is worth for the user."""

    value: float  # 0 to 1
    words: str


def worth_of(result: SearchResult, user: int) -> Worth:
    """The worth of a searched position."""
    value = 0.5 if result.value is None else result.value
    if result.board.turn == user:
        return Worth(value, verdict(value, result.proof, result.distance))
    return Worth(1 - value, verdict(1 - value, OPPOSITE[result.proof], result.distance))  # type: ignore[arg-type]


def worth_line(terminal: Terminal, worth: Worth, user: int, length: int = 20) -> Text:
    """A bar in the colours of both players, the user's share from the left."""
    colours = f"{PLAYERS[user]} on {PLAYERS[1 - user]}"
    has_colours = terminal.color_system is not None and not terminal.no_color
    filled = bar(terminal, worth.value * length).ljust(length, " " if has_colours else terminal.symbols.empty)
    return Text.assemble((filled, colours), f" {worth.words} for you", no_wrap=True, overflow="crop")


def ending_text(game: UserGame, opponent: str, terminal: Terminal) -> str:
    """How the game ended, in words."""
    ending = game.ending
    assert ending is not None
    if ending.winner is None:
        return "a draw"
    symbol = terminal.symbols.discs[ending.winner]
    has_won = ending.winner == game.side
    result = f"you win ({symbol})" if has_won else f"{opponent} wins ({symbol})"
    reasons = {"resignation": "you resign: ", "time": "your time is over: "}
    if has_won:
        reasons = {"time": f"the time of {opponent} is over: "}
    return reasons.get(ending.how, "") + result


def player_name(game: UserGame, player: int, opponent: str) -> str:
    """ "you", or the name of the opponent."""
    return "you" if player == game.side else opponent
