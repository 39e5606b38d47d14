"""Command lines, and what they read: an exit code that is documented, and never a traceback."""

import contextlib
import io
import signal
import sys
from random import Random
from typing import Any

from c4mcts.cli import main
from c4mcts.cli.messages import MEANINGS

from .target import Target
from .values import mutated_text

LIMIT = 1.0  # seconds until Ctrl-C
SMALL = ["--rules", "5x4"]
WORDS = {
    "analyze": ["44", "--simulations", "9", "--json", "--start", "-", "--seed", "1", "--set", "discount=0.9", *SMALL],
    "solve": ["4455", "--nodes", "99", "--json", "--file", "-", "--out", "scores.csv", "--no-book", "--all", *SMALL],
    "match": ["uct@9", "random", "--games", "2", "--json", "--checkpoint", "m.checkpoint", "--out", "t.txt", *SMALL],
    "study": ["action-frequency", "win-rate", "--runs", "2", "--simulations", "5", "--out", "results", *SMALL],
    "selfplay": ["--games", "2", "--simulations", "3", "--out", "games", "--seed", "1", "--preset", "uct", *SMALL],
    "review": ["4455", "--json", "--svg", "r.svg", "--csv", "r.csv", "--file", "-", "--simulations", "9"],
    "play": ["--level", "1", "--second", "--clock", "1+0", "--show-value", "--save", "p.json", *SMALL],
    "prove": ["44", "--out", "p.c4p", "--claim", "no-loss", "--check", "p.c4p", "--plies", "2", *SMALL],
    "info": ["--json"],
    "export-kaggle": ["--out", "agent.py", "--single-file", "--preset", "uct"],
}
JUNK = [
    "",
    "-",
    "--",
    "-1",
    "0",
    "9" * 400,
    "nan",
    "1e309",
    "é４",
    "\udcff",
    "--help",
    "--version",
    "a\nb",
    "x" * 5000,
    "=",
]


def make(chance: Random) -> list[Any]:
    """[argv, text on standard input]."""
    name = chance.choice(list(WORDS))
    words = chance.sample(WORDS[name], chance.randint(0, len(WORDS[name]))) if chance.random() < 0.5 else WORDS[name][:]
    for _ in range(chance.choice([0, 0, 1, 2])):
        words.insert(chance.randint(0, len(words)), chance.choice(JUNK))
    words = [mutated_text(word, chance).replace("\0", "") if chance.random() < 0.1 else word for word in words]
    # no file outside the folder
    words = [word.replace("/", "") for word in words]
    given = chance.choice(["", "44\n4455\n", "\n" * 50, "quit\n", "4\n4\nundo\nresign\n", "\0\x01", "{" * 100])
    return [[name, *words], mutated_text(given, chance)]


def check(case: list[Any]) -> None:
    status, said = run(*case)
    assert status in MEANINGS, (status, said)
    assert "Traceback" not in said, said


def run(argv: list[str], given: str) -> tuple[int, str]:
    """Exit code and standard error, with Ctrl-C after LIMIT seconds."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    before = sys.stdin
    old = signal.signal(signal.SIGALRM, signal.default_int_handler)
    raw: Any = io.BytesIO(given.encode("utf-8", "surrogateescape"))
    sys.stdin = io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8")
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(argv)
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        sys.stdin = before
    err.flush()
    return status, err.buffer.getvalue().decode()


TARGETS = {"command": Target(make, check, 60)}
