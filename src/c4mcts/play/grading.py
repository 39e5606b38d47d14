"""Grade the bots of a class: each plays a few opponents, in a process of its own that it can't leave.

A submission is a file as any other player can be (see player_specs): it defines `choose(board)`, which returns a
column, or an agent as on Kaggle. `c4mcts grade` runs this.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Any, Self, Unpack

from .. import _files
from .._hints import check_keywords
from .._validation import between, callback, flag, members, must_be, positive_seconds, string
from ..board.board import Board
from ..executors.work import WorkOptions
from ..rules import Rules, rules_or_default
from .arena import Terms
from .class_page import POINTS, SCORE_AGAINST, Mistake, mistakes_of, page_of
from .game_files import encoded
from .openings import openings
from .player import Player
from .player_files import PlayerFile
from .player_process import RemoteSeat, Sandbox
from .player_specs import Contestant, contestant
from .seats import Seat
from .tournament import Course, Schedule, apart, in_rounds
from .tournament_result import Standing, Tournament

AGAINST = ("level:3", "level:5")
LEAST_MEMORY = 1 << 28  # bytes: Python with NumPy and this package takes half of it
RULE = re.compile(r"(.+)=([0-9]+(?:\.[0-9]+)?)(?:@([0-9]+(?:\.[0-9]+)?)%)?")  # for points: see PointRule
LEGAL, CLASS = "legal", "the class"  # in rules for points, beside the names of opponents


@dataclass(frozen=True, slots=True)
class ClassTerms(Terms):
    """Terms of games in which bots play in a sandbox, and the others where they are."""

    bots: frozenset[Callable[[], Player]] = field(kw_only=True)
    sandbox: Sandbox = field(kw_only=True)

    def seat(self, make: Callable[[], Player], check: Callable[[], object]) -> Seat:
        """See Terms."""
        if make in self.bots:
            return RemoteSeat(make, self.move_seconds, check, self.sandbox)
        return Terms().seat(make, check)


@dataclass(frozen=True, slots=True)
class PointRule:
    """Points that a bot gets for its games against an opponent, against the other bots, or for legal moves."""

    name: str  # of the opponent; "the class"; "legal": for bots that forfeit no game
    points: float
    share: float | None  # the score that is needed, from 0 to 1; None: more than half

    @classmethod
    def of(cls, text: object, names: Sequence[str]) -> Self:
        """From a text such as "level:1=3" or "level:3=4@80%", for one of the names. TypeError, ValueError."""
        match = RULE.fullmatch(string("points", text))
        if match is None or (match[1] == LEGAL and match[3]):
            raise ValueError(must_be("points", "such as legal=2, level:1=3 or level:3=4@80%", text))
        if match[1] not in (LEGAL, *names):
            raise ValueError(must_be("points", f"for one of {', '.join((LEGAL, *names))}", match[1]))
        return cls(match[1], float(match[2]), float(match[3]) / 100 if match[3] else None)

    def of_bot(self, row: dict[str, Any]) -> float:
        """The points for a bot with this row of the table."""
        if self.name == LEGAL:
            return 0.0 if row["forfeits"] else self.points
        score = row.get(SCORE_AGAINST + self.name, 0.0)
        return self.points if (score > 0.5 if self.share is None else score >= self.share) else 0.0


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
) -> "Grades":
    """Let each bot of a folder play against the same opponents, and perhaps against each other.

    folder: has a Python file for each bot, or a folder with one; see `submissions`. against: texts (see
    c4mcts.play.player_specs). games: against each opponent, an even number, since each opening is played from both
    sides. seconds: for a move. memory: bytes, and files: open ones, that the process of a bot may have. It also can't
    print, write files, reach the network or start processes. That stops accidents and pranks; whoever wants to attack
    the machine can. A bot that fails, hangs, cheats or ends its process loses that game, with the reason. An opponent
    that can't even make a first move is a ValueError.

    round_robin: the bots also meet each other. points: rules such as "legal=2", for a bot that forfeits no game,
    "level:1=3", for more than half of the points against that opponent, "level:3=4@80%", for so much of them, or
    "the class=2", for those against the other bots.

    on_game, options: as for play_tournament. A checkpoint is for the same limits; of new and changed files the games
    are played.

    Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
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
    schedule = Schedule(names, list(entrants.values()), rules, terms, starts, order)
    course = Course(schedule, range(len(bots), len(names)), on_game=callback("on_game", on_game))
    return Grades(course.result(*schedule.play("grade", sandbox, course.until, **options)), len(bots), tuple(scheme))


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


@dataclass(frozen=True)
class Grades:
    """The games of the bots of a class against the same opponents, and what follows from them."""

    tournament: Tournament  # whose first players are the bots
    bots: int
    scheme: tuple[PointRule, ...] = ()  # for points

    @cached_property
    def ranking(self) -> tuple[Standing, ...]:
        """The bots, the best one first. Ratings are in Elo, relative to the mean of all players."""
        return tuple(one for one in self.tournament.standings if one.player < self.bots)

    def mistakes(self, bot: int) -> list[Mistake]:
        """Its worst moves in a few games; see `mistakes_of`."""
        return mistakes_of(self.tournament, bot)

    def __str__(self) -> str:
        return str(self.tournament)

    def table(self) -> list[dict[str, Any]]:
        """A row for each bot, the best one first, with the keys of the CSV file."""
        rows = []
        for rank, one in enumerate(self.ranking, 1):
            row = {"rank": rank, "score": one.score, **one.to_dict()}
            points = {name: list[float]() for name in (*self.tournament.players[self.bots :], CLASS)}
            for game in self.tournament.games_of(one.player):
                opponent = game.first + game.second - one.player
                name = CLASS if opponent < self.bots else self.tournament.players[opponent]
                points[name].append(game.points(one.player))
            row |= {SCORE_AGAINST + name: sum(each) / len(each) for name, each in points.items() if each}
            if self.scheme:
                row[POINTS] = sum(rule.of_bot(row) for rule in self.scheme)
            reasons = self.tournament.reasons(one.player).items()
            rows.append({**row, "reasons": "; ".join(f"{count} x {reason}" for reason, count in reasons)})
        return rows

    def save(self, path: _files.StrPath) -> None:
        """Write a .csv file with a row for each bot, or the .html page for the class. ValueError, OSError."""
        where = _files.path_of("path", path, ".csv", ".html")
        table = self.table()
        if where.lower().endswith(".csv"):
            _files.write_table(where, table)
        else:
            _files.write(where, encoded(page_of(self.tournament, self.ranking, table)))
