"""Reads the tables of this folder: reference data made without c4mcts (see README.md)."""

import csv
from pathlib import Path

from c4mcts import Rules


def read(table):
    """Rows of a table as dicts of numbers, with the rules of the game under "rules"."""
    with Path(__file__).with_name(f"{table}.csv").open(newline="") as file:
        return [with_rules({name: number(text) for name, text in row.items()}) for row in csv.DictReader(file)]


def number(text):
    """A float if the text has a decimal point, else an int."""
    return float(text) if "." in text else int(text)


def with_rules(row):
    """The row with the columns that describe the rules replaced by one, "rules"."""
    diagonals = bool(row.pop("diagonals", 1))
    return {"rules": Rules(row.pop("width"), row.pop("height"), row.pop("connect", 4), diagonals)} | row


def read_by_rules(table):
    """The rows of a table, grouped as {rules: rows}."""
    by_rules = {}
    for row in read(table):
        by_rules.setdefault(row["rules"], []).append(row)
    return by_rules


def records(table):
    """Rows of a table as dicts of strings."""
    with Path(__file__).with_name(f"{table}.csv").open(newline="") as file:
        return list(csv.DictReader(file))
