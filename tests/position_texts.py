"""Texts of positions and what they mean: one table for Board.parse and for the page, which asks Board.parse for what it
does not write itself. The table is data/position_texts.json.
"""

import json
from pathlib import Path

TABLE = json.loads((Path(__file__).parent / "data" / "position_texts.json").read_text(encoding="utf-8"))

# Text, rules, FEN of the start position if it is not the empty board, columns played from 0.
READ = [(each["text"], each["rules"], each["start"], each["moves"]) for each in TABLE["moves"]]
BOARDS = [(each["text"], each["fen"]) for each in TABLE["boards"]]
ERRORS = [(each["text"], each.get("error", "")) for each in TABLE["refused"]]  # what the error says, at least
GAMES = json.loads((Path(__file__).parent / "data" / "game_texts.json").read_text(encoding="utf-8"))
TEXTS = [text for text, *_ in [*READ, *BOARDS, *ERRORS]]
TEXTS += [each["text"] for each in [*GAMES["lines"], *GAMES["refused_lines"]]]
