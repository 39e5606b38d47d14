"""What the user can do: the words for it, the keys, and the help."""

import re
from typing import NamedTuple

from rich.console import Group
from rich.table import Table

from ...rules import Rules

PLAYING, OVER, ALWAYS = "while the game goes on", "when the game is over", "always"


class Action(NamedTuple):
    """Something that the user can ask for."""

    name: str  # the word to type
    key: str  # the letter for it
    when: str
    help: str
    takes_file: bool = False


ACTIONS = (
    Action("hint", "h", PLAYING, "what a strong player would do"),
    Action("undo", "u", ALWAYS, "take back your last move"),
    Action("resign", "r", PLAYING, "give the game up"),
    Action("review", "v", OVER, "at the end: what each move was worth"),
    Action("rematch", "m", OVER, "at the end: another game, sides swapped"),
    Action("save", "s", ALWAYS, "add the game to a file", takes_file=True),
    Action("load", "l", ALWAYS, "go on with a file's last game", takes_file=True),
    Action("help", "?", ALWAYS, "this page"),
    Action("quit", "q", ALWAYS, "leave"),
)
SYNONYMS = {"y": "review", "yes": "review", "exit": "quit"}


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
    return f"{text.strip()[:40]!r} is neither a column nor a command: ? lists them"


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
    rows += [("Ctrl-C", "while the computer thinks: move now"), ("Ctrl-C twice", "leave; so does Ctrl-D")]
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return Group(f"Drop a disc into a column: {rules.connect} in a row win.", "", table)
