"""Grade the bots of a class: each plays a few opponents, in a process of its own that it can't leave.

A submission is a file as any other player can be (see player_specs): it defines `choose(board)`, which returns a
column, or an agent as on Kaggle. `c4mcts grade` runs this.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Unpack

from .. import _files
from .._hints import check_keywords
from .._validation import between, callback, flag, members, positive_seconds
from ..board.board import Board
from ..executors.work import WorkOptions
from ..rules import Rules, rules_or_default
from .arena import Terms
from .grades import CLASS, Grades, PointRule
from .openings import openings
from .player import Player
from .player_files import PlayerFile
from .player_process import RemoteSeat, Sandbox
from .player_specs import Contestant, contestant
from .seats import Seat
from .tournament import Schedule, apart, in_rounds
from .tournament_result import Tournament

AGAINST = ("level:3", "level:5")
LEAST_MEMORY = 1 << 28  # bytes: Python with NumPy and this package takes half of it


@dataclass(frozen=True, slots=True)
class ClassTerms(Terms):
    """Terms of games in which bots play in a sandbox, and the others where they are."""

    bots: frozenset[Callable[[], Player]] = field(kw_only=True)
    sandbox: Sandbox = field(kw_only=True)

    def seat(self, make: Callable[[], Player], check: Callable[[], object]) -> Seat:
        """A seat for a player: a bot's in a sandbox, with the limit for a move. check: as for Fixture."""
        if make in self.bots:
            return RemoteSeat(make, self.move_seconds, check, self.sandbox)
        return Terms().seat(make, check)


def grade(
    folder: _files.StrPath,
    *,
    against: Sequence[str] = AGAINST,
    games: int = 20,
    seconds: float = 1.0,
    memory: int = 1 << 30,
    files: int = 64,
    rules: Rules | None = None,
    round_robin: bool = False,
    points: Sequence[str] = (),
    on_game: Callable[[Callable[[], Tournament]], object] | None = None,
    **options: Unpack[WorkOptions],
) -> Grades:
    """Let each bot of a folder play against the same opponents, and perhaps against each other.

    folder: has a Python file for each bot, or a folder with one; see `submissions`. against: texts (see
    c4mcts.play.player_specs). games: against each opponent, an even number, since each opening is played from both
    sides. seconds: for a move. memory: bytes, and files: open ones, that the process of a bot may have. It also can't
    print, write files, reach the network or start processes. That stops accidents and pranks; whoever wants to attack
    the machine can. A bot that fails, hangs, cheats or ends its process loses that game, with the reason. An opponent
    that can't even make a first move is a PlayerError.

    round_robin: the bots also meet each other. points: rules such as "legal=2", for a bot that forfeits no game,
    "level:1=3", for more than half of the points against that opponent, "level:3=4@80%", for so much of them, or
    "the class=2", for those against the other bots.

    on_game, options: as for play_tournament. A checkpoint is for the same limits; of new and changed files the games
    are played.

    Raises CheckpointError, OSError.
    """
    check_keywords(grade, options, WorkOptions)
    rules = rules_or_default(rules)
    limits = Sandbox(between("memory", memory, LEAST_MEMORY, 1 << 50), between("files", files, 16, 1024))
    seconds, bots = positive_seconds("seconds", seconds), submissions(folder)
    terms = ClassTerms(move_seconds=seconds, bots=frozenset(bot.make for bot in bots), sandbox=limits)
    others = [contestant(text, rules) for text in members("against", against, "a list of texts", 100, least=1)]
    entrants = apart([*bots, *others])
    names = list(entrants)
    starts = [Board.from_moves(moves, rules) for moves in openings(None, rules)]
    pairs = list(product(range(len(bots)), range(len(bots), len(names))))
    pairs += combinations(range(len(bots)), 2) if flag("round_robin", round_robin) else ()
    targets = [*names[len(bots) :], *([CLASS] if round_robin else [])]
    scheme = [PointRule.of(text, targets) for text in members("points", points, "a list of texts", 100)]
    order = sorted(in_rounds(games, pairs, len(starts)), key=lambda game: min(game[:2]))  # one bot after the other
    sandbox = {"seconds": seconds, "memory": memory, "files": files}
    able, on_game = range(len(bots), len(names)), callback("on_game", on_game)
    schedule = Schedule(entrants, rules, terms, starts, order, able=able, on_game=on_game)
    return Grades(schedule.play("grade", sandbox, **options), len(bots), tuple(scheme))


def submissions(folder: _files.StrPath) -> list[Contestant]:
    """The bots of a folder, by name: its Python files, and those in its folders, which then give the name.

    ValueError, OSError.
    """
    root, bots = Path(_files.path_of("folder", folder)), []
    for entry in sorted(root.iterdir()):
        is_folder = entry.is_dir() and not entry.name.startswith((".", "__"))
        if is_folder or entry.suffix == ".py":
            file = PlayerFile(str(entry.absolute()))
            bots.append(Contestant(entry.name if is_folder else entry.stem, file))
    if not bots:
        raise ValueError(f"folder: there is no Python file in {root}")
    return bots
