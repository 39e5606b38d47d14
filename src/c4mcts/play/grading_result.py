"""Grades: the games of the bots of a class, and what follows from them, as a table and as a page in one HTML file."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import islice
from typing import Any

from .. import _files
from .._validation import refused
from ..board.board import Board
from .game_files import moves_text
from .review import review
from .review_result import MoveReview
from .tournament_result import RESULTS, Standing, Tournament, TournamentGame, moves_of

REVIEWED = 6  # games of each bot, those that it lost first
WORST = 3  # mistakes of each bot that are shown
HEADS = ("rank", "name", "score", "games", "won", "drawn", "lost", "elo", "elo_low", "elo_high")
PAGE = "http://127.0.0.1:7642/"  # of `c4mcts web`, where games are replayed
VALUES = {1.0: "a win", 0.5: "a draw", 0.0: "a loss"}
STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark; }
table { border-collapse: collapse; }
td, th { padding: 0.25rem 0.75rem; text-align: right; }
td:nth-child(2), th:nth-child(2) { text-align: left; }
td { white-space: nowrap; }
figure { display: inline-block; width: 15rem; margin: 0 1.5rem 1rem 0; vertical-align: top; }
figure svg { width: 100%; height: auto; }
.games a { display: inline-block; margin-right: 0.75rem; }"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that changed the result, by exact scores."""

    game: TournamentGame
    move: MoveReview
    board: Board  # after the move


@dataclass(frozen=True)
class Grades:
    """The games of the bots of a class against the same opponents, and what follows from them."""

    tournament: Tournament  # whose first players are the bots
    bots: int

    @cached_property
    def ranking(self) -> tuple[Standing, ...]:
        """The bots, the best one first. Ratings are in Elo, relative to the mean of all players."""
        return tuple(one for one in self.tournament.standings if one.player < self.bots)

    def reasons(self, bot: int) -> dict[str, int]:
        """Why a bot lost without a line of the opponent: each reason, and in how many games."""
        lost = [game for game in self.games(bot) if game.end == "forfeit" and game.winner != bot]
        return {reason: sum(game.reason == reason for game in lost) for reason in {game.reason: 0 for game in lost}}

    def games(self, bot: int) -> list[TournamentGame]:
        """All games of a bot."""
        return [game for game in self.tournament.games if bot in (game.first, game.second)]

    def mistakes(self, bot: int) -> list[Mistake]:
        """Its worst moves in a few games, lost ones first: those that changed the result, the earliest ones first.

        Each game is reviewed, which takes about a tenth of a second on 7 x 6.
        """
        found: dict[Board, Mistake] = {}
        games = sorted(self.games(bot), key=lambda game: game.points(bot))
        for game in islice((game for game in games if moves_of(game, bot)), REVIEWED):
            points = review(Board.from_moves(game.moves, self.tournament.rules)).turning_points
            for move in points:
                if move.player == int(bot != game.first) and move.ply >= game.opening and move.lost_half_points:
                    after = Board.from_moves(game.moves[: move.ply + 1], self.tournament.rules)
                    found.setdefault(after, Mistake(game, move, after))
        return sorted(found.values(), key=lambda one: (-one.move.lost_half_points, one.move.ply))[:WORST]

    def __str__(self) -> str:
        width = max(len(one.name) for one in self.ranking)
        lines = []
        for rank, one in enumerate(self.ranking, 1):
            share = "" if one.score is None else f"{one.score:7.1%}"
            line = f"{rank:3}.  {one.name:<{width}}  {share}  {one.wins} won, {one.draws} drawn, {one.losses} lost"
            reasons = "; ".join(f"{reason} ({count} times)" for reason, count in self.reasons(one.player).items())
            lines.append(f"{line}  {reasons}".rstrip())
        return "\n".join(lines)

    def table(self) -> list[dict[str, Any]]:
        """A row for each bot, the best one first, with the keys of the CSV file."""
        rows = []
        for rank, one in enumerate(self.ranking, 1):
            about = (rank, one.name, one.score, one.games, one.wins, one.draws, one.losses, *one.rating)
            row = dict(zip(HEADS, about, strict=True))
            for pairing in self.tournament.pairings:
                if pairing.player == one.player and pairing.games:
                    row[f"score against {self.tournament.players[pairing.opponent]}"] = pairing.score
            reasons = "; ".join(f"{count} x {reason}" for reason, count in self.reasons(one.player).items())
            rows.append({**row, "seconds_per_move": one.seconds_per_move, "forfeits": one.forfeits, "reasons": reasons})
        return rows

    def save(self, path: _files.StrPath) -> None:
        """Write a .csv file with a row for each bot, or the .html page for the class. ValueError, OSError."""
        where = _files.path_of("path", path)
        if where[-4:].lower() == ".csv":
            text, rows = io.StringIO(newline=""), self.table()
            writer = csv.DictWriter(text, rows[0])
            writer.writeheader()
            writer.writerows(rows)
            _files.write(where, text.getvalue().encode(errors="backslashreplace"))
        elif where[-5:].lower() == ".html":
            _files.write(where, page_of(self).encode(errors="backslashreplace"))
        else:
            raise ValueError(refused("path", "a name that ends in .csv or .html", where))


def page_of(grades: Grades) -> str:
    """The page as HTML."""
    prefix = "score against "
    against = [name for name in grades.table()[0] if name.startswith(prefix)]
    heads = ["", "bot", "score", "Elo", "95 %", "won", "drawn", "lost", "forfeited"]
    heads += [f"against {name.removeprefix(prefix)}" for name in against]
    rows = [_row([escape(head) for head in heads], "th")]
    for rank, (one, facts) in enumerate(zip(grades.ranking, grades.table(), strict=True), 1):
        name = f'<a href="#bot-{one.player}">{escape(one.name)}</a>'
        elo = [f"{one.rating.elo:+.0f}", f"{one.rating.low:+.0f} to {one.rating.high:+.0f}"]
        counts = [f"{number}" for number in (one.wins, one.draws, one.losses, one.forfeits)]
        rows.append(_row([f"{rank}", name, _share(one.score), *elo, *counts, *(_share(facts[key]) for key in against)]))
    bots = "\n".join("\n".join(_bot(grades, one)) for one in grades.ranking)
    about = f"{len(grades.tournament.games):,} games on {grades.tournament.rules}. Elo is relative to the mean of all."
    about += f" Games open at {PAGE}, where <code>c4mcts web</code> shows them."
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Connect-4 bots</title>
<style>
{STYLE}
</style>
<h1>Connect-4 bots</h1>
<p>{about}</p>
<table>
{chr(10).join(rows)}
</table>
{bots}
</html>
"""


def _row(cells: Iterable[str], tag: str = "td") -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _share(score: float | None) -> str:
    return "" if score is None else f"{score:.0%}"


def _bot(grades: Grades, one: Standing) -> Iterator[str]:
    yield f'<h2 id="bot-{one.player}">{escape(one.name)}</h2>'
    for reason, count in grades.reasons(one.player).items():
        yield f"<p>Forfeited {count} of {one.games} games: <code>{escape(reason)}</code></p>"
    for mistake in grades.mistakes(one.player):
        yield _mistake(grades, mistake)
    for opponent in sorted({game.first + game.second - one.player for game in grades.games(one.player)}):
        played = [game for game in grades.games(one.player) if opponent in (game.first, game.second)]
        links = " ".join(f'<a href="{_link(grades, game)}">{_result(game, one.player)}</a>' for game in played)
        yield f'<p class="games">Against {escape(grades.tournament.players[opponent])}: {links}</p>'


def _mistake(grades: Grades, mistake: Mistake) -> str:
    game, move = mistake.game, mistake.move
    better = " or ".join(str(column + 1) for column in move.best)
    change = f"turned {VALUES[move.value_before]} into {VALUES[move.value_after]}"
    words = f"Move {move.ply + 1}, column {move.column + 1}, {change}; best was {better}."
    link = f'<a href="{_link(grades, game, move.ply)}">Replay</a>'
    return f"<figure>{mistake.board.svg()}<figcaption>{words} {link}</figcaption></figure>"


def _result(game: TournamentGame, bot: int) -> str:
    first = " as second player" if bot != game.first else ""
    return f"{RESULTS[game.points(game.first)]}{first}"


def _link(grades: Grades, game: TournamentGame, ply: int | None = None) -> str:
    """The address of a game on the page, after a number of moves."""
    rules = grades.tournament.rules
    place = "" if ply is None else f"?ply={ply}"
    return f"{PAGE}#/review/{str(rules).replace(' ', '-')}/{moves_text(game.moves, rules)}{place}"
