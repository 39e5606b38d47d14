"""Reads the position of a text in any form.

`read` tries the forms in order; the guide to boards shows an example of each. A text that no reader understands
completely is an error that says where: it is never read as something else. What could be two things is an error that
names both.

| text | read by |
|---|---|
| a list of moves, perhaps with a score | move_texts |
| rules or a FEN, a colon, and moves; a link; what our own commands print | this module |
| a drawing | drawings |
| JSON, or what Python prints | json_texts |
"""

import re
from dataclasses import replace
from urllib.parse import unquote

from .._validation import brief, string
from ..errors import NotationError
from ..rules import Rules
from .drawings import is_drawing, read_drawing, with_lines
from .json_texts import cells_in, loaded, read_json
from .move_texts import Hints, Reading, read_moves
from .notation import agreed, read_fen, read_rules, read_uci

FEN_END = re.compile(r"[\s_][xo][\s_]+[0-9]+x[0-9]+x[0-9]+")  # a FEN of one row has no /
PYTHON = re.compile(r"(?:c4mcts\.)?Board\.(?:parse|from_(?:fen|pons|moves))\(([\"']?)(.*)\1\)", re.DOTALL)
ARRAY = re.compile(r"(?:np\.)?(?:array|tensor)\((.*?)(?:,\s*(?:dtype|device)=[^\]]*)?\)", re.DOTALL)
PLANES = re.compile(r"[\w.]*\(?\[\s*\[\s*\[")  # how an array of three or more dimensions begins
LINK = re.compile(r"\w+://\S*|\S*[?&]pos=\S*|(?:[^\s#?]*(?:/|\.html)(?:\?[^\s#]*)?)?#\S*")
JSON = re.compile(r"\{|\[(?=.*,)|\[\s*(?:\S+\s*)?\]$", re.DOTALL)
LOG = re.compile(r"^(?:moves: |to (?:continue|review it): c4mcts )", re.MULTILINE)
PREFIX = re.compile(r"(?:position|moves|after)(?::\s*|\s+)(\S.*)", re.DOTALL | re.IGNORECASE)
FIRST = re.compile(r"^[ \t]*first[ \t]*[:=][ \t]*(\S+)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)  # a line of a drawing
GAME_LINE = re.compile(r'[0-9][^{("\n]*[{("].*')  # moves with variations, comments or headers
UCI = re.compile(r"[xob]\s*(?:,\s*[xob]\s*)+(?:,\s*(?:win|loss|draw))?")

# Of the page's address: /analyse/7x6x4/4453?ply=2&flip; ply: how many of the moves are on the board.
PAGE = re.compile(r"/(?:analyse|play|learn|review)/([^?]*)/([^/?]*)(?:\?(.*))?")
PLY = re.compile("(?:^|&)ply=([0-9]{1,4})(?:&|$)")


def read(text: str, hints: Hints) -> Reading:
    """Read a text in any form.

    NotationError; IllegalMoveError for columns from 0 that were probably meant from 1.
    """
    text = string("a position", text).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").strip()
    if "\n" in text and (line := FIRST.search(text)):
        if hints.first not in (None, line[1]):
            raise NotationError(f"the text says {brief(line[0].strip())}, not {brief(hints.first)}")
        return read(text[: line.start()] + text[line.end() :], replace(hints, first=line[1]))
    if LINK.fullmatch(text):
        return _read_link(text, hints)
    if python := PYTHON.fullmatch(text):  # a call of Board, as `repr` and the page write it
        return read(python[2], hints)
    if PLANES.match(text):
        raise NotationError("the array has more than two dimensions: the adapters read planes, a board has rows")
    if array := ARRAY.fullmatch(text):
        return read_json(loaded(array[1]), hints)
    if JSON.match(text):
        return read_json(loaded(text), hints)
    if (cells := cells_in(text, hints.start.rules)) is not None:
        return read_json(cells, hints)
    if LOG.search(text):
        return _read_log(text, hints)
    if prefix := PREFIX.fullmatch(text):
        return read(prefix[1], hints)
    if UCI.fullmatch(text):
        return Reading(hints.start.rules, read_uci(text, hints.start.rules))
    if is_drawing(text := with_lines(text), hints.rules):
        return read_drawing(text, hints)
    return _read_prefixed(text, hints)


# links, prefixes and what our own commands print


def _read_link(text: str, hints: Hints) -> Reading:
    """A link to the page, whose position follows #, or one with pos=."""
    _, hash_sign, place = text.partition("#")
    if match := re.search("[?&]pos=([^&#]*)", text):
        return _read_prefixed(unquote(match[1]), replace(hints, rules=agreed(Rules(), hints.rules)))
    if not hash_sign:
        raise NotationError(f"the link {brief(text)} has no position, which would follow # or pos=")
    place = unquote(place)
    page = PAGE.fullmatch(place)
    place = f"{page[1]}:{page[2]}" if page else place
    if "/" not in place and ":" not in place:
        hints = replace(hints, rules=agreed(Rules(), hints.rules))
    reading = _read_prefixed(place, hints)
    ply = PLY.search(page[3] or "") if page else None
    return replace(reading, undone=max(0, len(reading.moves) - int(ply[1]))) if ply else reading


def _read_log(text: str, hints: Hints) -> Reading:
    """The last lines of `c4mcts play`: the moves of the game, and a command with the position of the page."""
    games = set(re.findall(r"(?m)^to (?:continue|review it): c4mcts (?:play|review) (\S+)\s*$", text))
    games = games or set(re.findall(r"(?m)^moves: (.*\S)\s*$", text))
    if len(games) != 1:
        raise NotationError(f"the text has the moves of {len(games)} games: give one game")
    return _read_prefixed(games.pop(), hints)


def _read_prefixed(text: str, hints: Hints) -> Reading:
    """Moves, perhaps after rules and a colon, or after a FEN and a colon; or a FEN alone."""
    if GAME_LINE.fullmatch(text):
        message = "a line for c4mcts.play.read_game or c4mcts review, with variations, comments or headers"
        raise NotationError(f"{brief(text)} is {message}: give the moves alone")
    head, colon, moves = text.partition(":")
    start = hints.start
    if "/" in head or FEN_END.search(head):
        rules, grid, turn = read_fen(head.replace("_", " "))
        start = replace(start, rules=agreed(rules, hints.rules, "FEN"), grid=grid, turn=turn)
    elif colon:
        start = replace(start, rules=agreed(read_rules(head), hints.rules))
    else:
        moves = text
    return read_moves(moves, start)
