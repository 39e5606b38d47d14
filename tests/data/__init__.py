"""Ground truth made without c4mcts; README.md says by what. Readers of the tables."""

import csv
from pathlib import Path

from c4mcts import Rules


def read(table):
    """Rows of a table as dicts of numbers, with the rules of the game under "rules"."""
    with Path(__file__).with_name(f"{table}.csv").open(newline="") as file:
        return [with_rules({name: number(text) for name, text in row.items()}) for row in csv.DictReader(file)]


def number(text):
    """A float where the text has a point, else an int."""
    return float(text) if "." in text else int(text)


def with_rules(row):
    """The row with its columns of rules made one."""
    diagonals = bool(row.pop("diagonals", 1))
    return {"rules": Rules(row.pop("width"), row.pop("height"), row.pop("connect", 4), diagonals)} | row


def read_by_rules(table):
    """{rules: their rows}."""
    by_rules = {}
    for row in read(table):
        by_rules.setdefault(row["rules"], []).append(row)
    return by_rules


def records(table):
    """Rows of a table as dicts of strings."""
    with Path(__file__).with_name(f"{table}.csv").open(newline="") as file:
        return list(csv.DictReader(file))
