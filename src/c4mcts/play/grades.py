"""Grades: the results of the bots of a class, as a table, a file, a page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from .. import _files, _tables
from .._validation import must_be, string
from .class_page import POINTS, SCORE_AGAINST, Mistake, mistakes_of, page_of
from .game_files import encoded
from .tournament_result import Standing, Tournament

RULE = re.compile(r"(.+)=([0-9]+(?:\.[0-9]+)?)(?:@([0-9]+(?:\.[0-9]+)?)%)?")  # for points: see PointRule
LEGAL, CLASS = "legal", "the class"  # in rules for points, beside the names of opponents


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
        """The worst moves of a bot in a few games; see `mistakes_of`."""
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
            _tables.write_table(where, table)
        else:
            _files.write(where, encoded(page_of(self.tournament, self.ranking, table)))
