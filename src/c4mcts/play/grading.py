"""Grade the bots of a class: each plays a few opponents, in a process of its own that it can't leave.

A submission is a file as any other player can be (see player_specs): it defines `choose(board)`, which returns a
column, or an agent as on Kaggle. `c4mcts grade` runs this.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import islice, product
from pathlib import Path
from typing import Any, Unpack

from .. import _files
from .._validation import between, check_keywords, members, positive_seconds
from ..board.board import Board
from ..board.notation import write_moves
from ..executors.jobs import WorkOptions
from ..rules import Rules, rules_or_default
from .arena import Terms
from .game_files import encoded
from .openings import openings
from .player_files import PlayerFile
from .player_process import RemoteSeat, Sandbox
from .player_specs import Contestant, contestant
from .players import Player
from .review import MoveReview, review
from .seats import Seat
from .tournament import Course, Schedule, apart, in_rounds
from .tournament_result import RESULTS, Standing, Tournament, TournamentGame, moves_of

AGAINST = ("level:3", "level:5")
LEAST_MEMORY = 1 << 28  # bytes: Python with NumPy and this package takes half of it
REVIEWED = 6  # games of each bot, those that it lost first
WORST = 3  # mistakes of each bot that are shown
PAGE = "http://127.0.0.1:7642/"  # of `c4mcts web`, where games are replayed
AGAINST_ONE = "score against "  # how the names of columns begin that have the score against one opponent
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
class ClassTerms(Terms):
    """Terms of games in which bots play in a sandbox, and the others where they are."""

    bots: frozenset[Callable[[], Player]] = field(kw_only=True)
    sandbox: Sandbox = field(kw_only=True)

    def seat(self, make: Callable[[], Player], check: Callable[[], object]) -> Seat:
        """See Terms."""
        if not isinstance(make, PlayerFile) or make not in self.bots:
            return Seat(make)
        assert self.move_seconds is not None
        return RemoteSeat(make, self.move_seconds, check, self.sandbox)


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
) -> "Grades":
    """Let each bot of a folder play against the same opponents.

    folder: has a Python file for each bot, or a folder with one; see `submissions`. against: texts (see
    c4mcts.play.player_specs). games: against each opponent, an even number, since each opening is played from both
    sides. seconds: for a move. memory: bytes, and files: open ones, that the process of a bot may have. It also can't
    print, write files, reach the network or start processes. That stops accidents and pranks; whoever wants to attack
    the machine can. A bot that fails, hangs, cheats or ends its process loses that game, with the reason. An opponent
    that can't even make a first move is a ValueError.

    options: as for play_tournament. A checkpoint is for the same limits; of new and changed files the games are played.

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
    order = sorted(in_rounds(games, pairs, len(starts)), key=lambda game: min(game[:2]))  # one bot after the other
    facts = {"seconds": seconds, "memory": memory, "files": files}
    schedule = Schedule(names, list(entrants.values()), rules, terms, starts, order)
    course = Course(schedule, range(len(bots), len(names)))
    return Grades(course.result(*schedule.play("grade", facts, course.until, **options)), len(bots))


def submissions(folder: _files.StrPath) -> list[Contestant]:
    """The bots of a folder, by name: its Python files, and those in its folders, which then give the name.

    ValueError, OSError.
    """
    root, found = Path(_files.path_of("folder", folder)), []
    for entry in sorted(root.iterdir()):
        is_folder = entry.is_dir() and not entry.name.startswith((".", "__"))
        if is_folder or entry.suffix == ".py":
            file = PlayerFile(str(entry.absolute()))
            found.append(Contestant(entry.name if is_folder else entry.stem, file))
    if not found:
        raise ValueError(f"folder: there is no Python file in {root}")
    return found


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

    def mistakes(self, bot: int) -> list[Mistake]:
        """Its worst moves in a few games, lost ones first: those that changed the result, the earliest ones first.

        Each game is reviewed, which takes about a tenth of a second on 7 x 6.
        """
        found: dict[Board, Mistake] = {}
        games = sorted(self.tournament.games_of(bot), key=lambda game: game.points(bot))
        for game in islice((game for game in games if moves_of(game, bot)), REVIEWED):
            points = review(Board.from_moves(game.moves, self.tournament.rules)).turning_points
            for move in points:
                if move.player == int(bot != game.first) and move.ply >= game.opening and move.lost_half_points:
                    after = Board.from_moves(game.moves[: move.ply + 1], self.tournament.rules)
                    found.setdefault(after, Mistake(game, move, after))
        return sorted(found.values(), key=lambda one: (-one.move.lost_half_points, one.move.ply))[:WORST]

    def __str__(self) -> str:
        return str(self.tournament)

    def table(self) -> list[dict[str, Any]]:
        """A row for each bot, the best one first, with the keys of the CSV file."""
        rows = []
        for rank, one in enumerate(self.ranking, 1):
            row = {"rank": rank, "score": one.score, **one.facts()}
            for pairing in self.tournament.pairings:
                if pairing.player == one.player and pairing.games:
                    row[f"{AGAINST_ONE}{self.tournament.players[pairing.opponent]}"] = pairing.score
            reasons = self.tournament.reasons(one.player).items()
            rows.append({**row, "reasons": "; ".join(f"{count} x {reason}" for reason, count in reasons)})
        return rows

    def save(self, path: _files.StrPath) -> None:
        """Write a .csv file with a row for each bot, or the .html page for the class. ValueError, OSError."""
        where = _files.path_of("path", path, ".csv", ".html")
        is_table = where.lower().endswith(".csv")
        _files.write(where, encoded(_files.csv_text(self.table()) if is_table else page_of(self)))


def page_of(grades: Grades) -> str:
    """The page as HTML."""
    table = grades.table()
    against = [name for name in table[0] if name.startswith(AGAINST_ONE)]
    heads = ["", "bot", "score", "Elo", "95 %", "won", "drawn", "lost", "forfeited"]
    heads += [escape(name.removeprefix("score ")) for name in against]
    rows = [f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"]
    for one, facts in zip(grades.ranking, table, strict=True):
        shares = ["" if facts[key] is None else f"{facts[key]:.0%}" for key in ("score", *against)]
        elo, low, high = (f"{end:+.0f}" for end in one.rating)
        name = f'<a href="#bot-{one.player}">{escape(one.name)}</a>'
        cells = [facts["rank"], name, shares[0], elo, f"{low} to {high}", one.wins, one.draws, one.losses, one.forfeits]
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in (*cells, *shares[1:]))}</tr>")
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


def _bot(grades: Grades, one: Standing) -> Iterator[str]:
    """Why a bot has forfeited games, its mistakes, and links to its games."""

    def link(game: TournamentGame, words: str, place: str = "") -> str:
        rules = grades.tournament.rules
        moves = f"{str(rules).replace(' ', '-')}/{write_moves(game.moves, rules)}"
        return f'<a href="{PAGE}#/review/{moves}{place}">{words}</a>'

    yield f'<h2 id="bot-{one.player}">{escape(one.name)}</h2>'
    for reason, count in grades.tournament.reasons(one.player).items():
        yield f"<p>Forfeited {count} of {one.games} games: <code>{escape(reason)}</code></p>"
    for mistake in grades.mistakes(one.player):
        move = mistake.move
        better = " or ".join(str(column + 1) for column in move.best)
        change = f"turned {VALUES[move.value_before]} into {VALUES[move.value_after]}"
        words = f"Move {move.ply + 1}, column {move.column + 1}, {change}; best was {better}."
        replay = link(mistake.game, "Replay", f"?ply={move.ply}")
        yield f"<figure>{mistake.board.svg()}<figcaption>{words} {replay}</figcaption></figure>"
    for opponent in range(grades.bots, len(grades.tournament.players)):
        links = [
            link(game, RESULTS[game.points(game.first)] + ("" if game.first == one.player else " as second player"))
            for game in grades.tournament.games_of(one.player)
            if opponent in (game.first, game.second)
        ]
        yield f'<p class="games">Against {escape(grades.tournament.players[opponent])}: {" ".join(links)}</p>'
