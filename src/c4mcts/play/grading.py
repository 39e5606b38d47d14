"""Grade the bots of a class: each plays a few opponents, in a process of its own that it can't leave.

A submission is a Python file that defines `choose(board)`, which returns a column, or an agent as on Kaggle,
`agent(observation, configuration)`. `c4mcts grade` runs this.
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from typing import Any, Unpack

from .. import _files
from .._validation import between, check_keywords, members, positive_seconds, refused
from ..board.board import Board
from ..executors.jobs import JobSet, WorkOptions
from ..rules import Rules, rules_or_default
from .fixtures import Fixture, Terms, play_games
from .grading_result import Grades
from .openings import openings
from .player_process import RemotePlayer, Sandbox
from .player_specs import ADAPTERS, Contestant, contestant
from .players import Player, maker
from .seats import LocalPlayer, Seat
from .tournament import game_of_record
from .tournament_result import Tournament

AGAINST = ("level:3", "level:5")
LEAST_MEMORY = 1 << 28  # bytes: Python with NumPy and this package takes half of it


@dataclass(frozen=True, slots=True)
class Submission:
    """The file of a bot."""

    name: str
    path: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file; empty for a folder."""
        return "" if os.path.isdir(self.path) else sha256(Path(self.path).read_bytes()).hexdigest()

    def __call__(self) -> Player:
        """The player, for which the file is run anew. ValueError; what the file raises."""
        if os.path.isdir(self.path):
            raise ValueError("the folder must have one Python file, or one that is called bot.py or main.py")
        folder = os.path.dirname(os.path.abspath(self.path))
        if folder not in sys.path:
            sys.path.append(folder)  # permanently: the file may import others later
        spec: Any = spec_from_file_location("submission", self.path)
        module = sys.modules["submission"] = module_from_spec(spec)
        spec.loader.exec_module(module)
        if hasattr(module, "choose"):
            return maker("choose", module.choose)()
        if hasattr(module, "agent"):
            player: Player = import_module(ADAPTERS["kaggle"]).KagglePlayer(module.agent)
            return player
        raise ValueError("the file must define choose(board), or agent(observation, configuration) as on Kaggle")


@dataclass(frozen=True, slots=True)
class ClassTerms(Terms):
    """Terms of games in which submissions play in a sandbox, and the others where they are."""

    sandbox: Sandbox = field(kw_only=True)

    def seat(self, make: Callable[[], Player], check: Callable[[], object]) -> Seat:
        """See Terms."""
        if not isinstance(make, Submission):
            return Seat(LocalPlayer(make))
        assert self.move_seconds is not None
        return Seat(RemotePlayer(make, self.move_seconds, check, self.sandbox))


def grade(
    folder: _files.StrPath,
    *,
    against: Sequence[str] = AGAINST,
    games: int = 20,
    seconds: float = 1.0,
    memory: int = 1 << 30,
    files: int = 64,
    rules: Rules | None = None,
    **options: Unpack[WorkOptions],
) -> Grades:
    """Let each bot of a folder play against the same opponents.

    folder: has a Python file for each bot, or a folder with one; see `submissions`. against: texts (see
    c4mcts.play.player_specs). games: against each opponent, an even number, since each opening is played from both
    sides. seconds: for a move. memory: bytes, and files: open ones, that the process of a bot may have. It also can't
    print, write files, reach the network or start processes. That stops accidents and pranks; whoever wants to attack
    the machine can. A bot that fails, hangs, cheats or ends its process loses that game, with the reason.

    options: as for play_tournament. A checkpoint is for the same files, opponents, limits and number of games.

    Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
    """
    check_keywords(grade, options, WorkOptions)
    rules = rules_or_default(rules)
    limits = Sandbox(between("memory", memory, LEAST_MEMORY, 1 << 50), between("files", files, 16, 1024))
    terms = ClassTerms(move_seconds=positive_seconds("seconds", seconds), sandbox=limits)
    if between("games", games, 2, 10_000) % 2:
        raise ValueError(refused("games", "even, as each opening is played twice", games))
    bots = submissions(folder)
    others = [contestant(text, rules) for text in members("against", against, "a list of texts", 100)]
    players = [*(Contestant(bot.name, bot) for bot in bots), *others]
    starts = [Board.from_moves(moves, rules) for moves in openings(None, rules)]
    pairs = product(range(len(bots)), range(len(bots), len(players)), range(games // 2))
    schedule = [(*sides, turn % len(starts)) for one, other, turn in pairs for sides in ((one, other), (other, one))]
    makers: list[Callable[[], Player]] = [*bots, *(one.make for one in others)]
    fixtures = [Fixture((makers[i], makers[j]), starts[k], terms) for i, j, k in schedule]
    facts = {
        "rules": f"{rules}",
        "players": [one.name for one in players],
        "bots": [bot.digest for bot in bots],
        "games": games,  # with another number each has other numbers
        "seconds": seconds,
        "memory": memory,
        "files": files,
    }
    records, seed = play_games(JobSet("grade", facts), fixtures, **options)
    played = [game_of_record(i, schedule[i], starts, record) for i, record in enumerate(records) if record is not None]
    return Grades(Tournament(tuple(one.name for one in players), rules, terms, tuple(played), seed, None), len(bots))


def submissions(folder: _files.StrPath) -> list[Submission]:
    """The bots of a folder, by name: its Python files, and those in its folders, which then give the name.

    Of several files in a folder, the bot is the one called bot.py or main.py. ValueError, OSError.
    """
    root, found = Path(_files.path_of("folder", folder)), []
    for entry in sorted(root.iterdir()):
        if entry.suffix == ".py":
            found.append(Submission(entry.stem, str(entry)))
        elif entry.is_dir() and not entry.name.startswith((".", "__")):
            sources = sorted(entry.rglob("*.py"))
            named = [source for source in sources if source.name in ("bot.py", "main.py")]
            one = next((few[0] for few in (sources, named) if len(few) == 1), entry)
            found.append(Submission(entry.name, str(one)))
    if not found:
        raise ValueError(f"folder: there is no Python file in {root}")
    return found
