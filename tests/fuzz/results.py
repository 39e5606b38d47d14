"""Forged results in checkpoints of all experiments, and texts that name players."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from experiments import CALLS, in_order
from forging import mutated_json, results_of, with_results

from c4mcts import Rules
from c4mcts.play.player_specs import contestant

from .files import one_line
from .target import Target
from .values import mutated_text

TEXTS = [
    "uct@1000",
    "strong@0.1s",
    "no-diagonals@columns",
    "level:3",
    "level:Club player",
    "perfect",
    "random",
    "agent.py",
    "openspiel:mcts@10",
    "c4mcts.play.players:RandomPlayer",
]


@cache
def checkpoint(name: str) -> bytes:
    with TemporaryDirectory() as folder:
        return in_order(CALLS[name], Path(folder) / "whole.jsonl")


def make_results(chance: Random) -> list[Any]:
    """[experiment, number of the job, its result]."""
    name = chance.choice(list(CALLS))
    results = results_of(checkpoint(name))
    number = chance.choice(list(results))
    return [name, number, mutated_json(results[number], chance)]


def check_results(case: list[Any]) -> None:
    """Believed, or an ordinary error."""
    name, number, result = case
    data = with_results(checkpoint(name), {**results_of(checkpoint(name)), number: result})
    path = Path("forged.jsonl")
    path.write_bytes(data)
    try:
        words = str(CALLS[name](checkpoint=path))
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return
    assert words


def make_player(chance: Random) -> str:
    text = mutated_text(chance.choice(TEXTS), chance)
    return text * chance.choice([1, 1, 1, 2, 10_000])


def check_player(text: str) -> None:
    """A player, or one clear error."""
    try:
        found = contestant(text, Rules(5, 4))
    except (TypeError, ValueError) as error:
        one_line(error)
        return
    assert found.make() is not None


TARGETS = {"result": Target(make_results, check_results, 100), "player": Target(make_player, check_player, 300)}
