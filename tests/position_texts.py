"""Texts of positions and what they mean: one table for Board.parse and for the page's notation.js.

The table is data/position_texts.json. In the lists with names in "not_on_page" are the texts that only Python reads
so far, or whose error only Python gives.
"""

import json
from pathlib import Path

TABLE = json.loads((Path(__file__).parent / "data" / "position_texts.json").read_text(encoding="utf-8"))


def games(name):
    """Text, rules, FEN of the start position if it is not the empty board, columns played from 0."""
    return [(each["text"], each["rules"], each["start"], each["moves"]) for each in TABLE[name]]


FEN = "7/7/7/7/7/2xo3 x 7x6x4"
READ = games("moves")
REFUSED = [each["text"] for each in TABLE["refused"]]
READ_IN_PYTHON = games("moves_not_on_page")
BOARDS = [(each["text"], each["fen"]) for each in TABLE["boards_not_on_page"]]
ERRORS = [(each["text"], each["error"]) for each in TABLE["refused_not_on_page"]]
