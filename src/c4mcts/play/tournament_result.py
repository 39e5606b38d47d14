"""Tournament: the games that were played, what follows from them, and both as text and as files."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from .. import __version__, _files
from .._validation import refused
from ..rules import Rules
from .game_files import encoded, line_of, moves_text
from .ratings import DRAWN_PAIR, SCORES, Estimate, Sprt, bradley_terry, match_estimate
from .tournament_game import Terms

FORMAT = 1


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A finished game. Players are indices of Tournament.players."""

    number: int  # in the schedule, from 0; games 2 n and 2 n + 1 are a pair with the same opening
    first: int  # the player who moves first on the empty board
    second: int
    opening: int  # how many of the moves are the opening
    moves: tuple[int, ...]  # columns from 0, since the empty board
    winner: int | None  # None: a draw
    end: str  # "line", "full board", "adjudication" or "forfeit"
    reason: str  # why the loser forfeited the game; else empty
    seconds: tuple[float, float]  # that the first and the second player thought

    def points(self, player: int) -> float:
        """What a player got: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == player)


@dataclass(frozen=True, slots=True)
class Pairing:
    """All games between two players, from the point of view of `player`."""

    player: int
    opponent: int
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]  # how many pairs brought 0, 0.5, 1, 1.5 and 2 points; a pair that is incomplete is not there

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """Mean of 1 for a win, 0.5 for a draw, 0 for a loss; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def estimate(self) -> Estimate:
        """The difference in Elo with its 95 % interval, from the pairs: see ratings.match_estimate."""
        return match_estimate(self.pairs)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's results against all others."""

    player: int
    name: str
    rating: Estimate  # relative to the mean of all players
    wins: int
    draws: int
    losses: int
    forfeits: int  # of the losses
    seconds_per_move: float | None  # None without moves

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, repr=False)
class Tournament:
    """The games of a tournament, in the order of the schedule."""

    players: tuple[str, ...]
    rules: Rules
    terms: Terms
    games: tuple[TournamentGame, ...]
    seed: int
    sprt: Sprt | None

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """The results of every two players, the one that was named first being `player`."""
        between: dict[tuple[int, int], list[TournamentGame]] = {
            pair: [] for pair in combinations(range(len(self.players)), 2)
        }
        for game in self.games:
            between[min(game.first, game.second), max(game.first, game.second)].append(game)
        return tuple(_pairing(*pair, games) for pair, games in between.items())

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The players, the best one first."""
        units = []
        for pair in _pairs(self.games):
            player, opponent = pair[0].first, pair[0].second
            units.append((player, opponent, sum(game.points(player) for game in pair), len(pair)))
        ratings = bradley_terry(len(self.players), units)
        standings = [self._standing(player, rating) for player, rating in enumerate(ratings)]
        return tuple(sorted(standings, key=lambda one: (-one.rating.elo, one.player)))

    @property
    def decision(self) -> str | None:
        """What the sequential test has accepted, "H0" or "H1"; None without a test or a decision."""
        return None if self.sprt is None else self.sprt.decision(self.pairings[0].pairs)

    def _standing(self, player: int, rating: Estimate) -> Standing:
        own = [game for game in self.games if player in (game.first, game.second)]
        ends = Counter(game.points(player) for game in own)
        forfeits = sum(game.end == "forfeit" and game.winner != player for game in own)
        seconds = sum(game.seconds[player != game.first] for game in own)
        moves = sum(_moves_of(game, player) for game in own)
        name, mean = self.players[player], seconds / moves if moves else None
        return Standing(player, name, rating, ends[1.0], ends[0.5], ends[0.0], forfeits, mean)

    def __str__(self) -> str:
        """The result of two players in sentences, of more as a table."""
        return text_of(self)

    def __repr__(self) -> str:
        return f"<c4mcts.play.Tournament of {len(self.players)} players, {len(self.games):,} games>"

    def save(self, path: _files.StrPath) -> None:
        """Write the games to a file: .txt, .npz or .parquet (which needs pyarrow).

        See https://github.com/c4mcts/c4mcts/blob/main/docs/guide/matches.md. An existing file is
        replaced. Raises ValueError for other names, ImportError, OSError.
        """
        where = _files.path_of("path", path)
        _files.write(where, written(where, self))

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON; infinity is None. Columns count from 0."""
        return {
            "players": [
                {
                    "name": name,
                    **_interval(standing.rating),
                    **{key: getattr(standing, key) for key in ("games", "wins", "draws", "losses", "forfeits")},
                    "seconds_per_move": standing.seconds_per_move,
                }
                for name, standing in zip(self.players, sorted(self.standings, key=lambda one: one.player), strict=True)
            ],
            "pairings": [{**_files.json_types(each), **_interval(each.estimate)} for each in self.pairings],
            "sprt": self._test(),
            "games": _files.json_types(self.games),
        }

    def _test(self) -> dict[str, Any] | None:
        if self.sprt is None:
            return None
        lower, upper = self.sprt.bounds
        ratio = self.sprt.log_ratio(self.pairings[0].pairs)
        rest = {"log_ratio": ratio, "lower": lower, "upper": upper, "decision": self.decision}
        return {**_files.json_types(self.sprt), **rest}


def _pairs(games: Sequence[TournamentGame]) -> list[list[TournamentGame]]:
    """The games with the same opening and the same two players, two or, if one is missing, one."""
    pairs: dict[int, list[TournamentGame]] = {}
    for game in games:
        pairs.setdefault(game.number // 2, []).append(game)
    return list(pairs.values())


def _pairing(player: int, opponent: int, games: list[TournamentGame]) -> Pairing:
    ends = Counter(game.points(player) for game in games)
    pairs = [0] * 5
    for pair in _pairs(games):
        if len(pair) == 2:
            pairs[DRAWN_PAIR + round(2 * (pair[0].points(player) + pair[1].points(player) - 1))] += 1
    return Pairing(player, opponent, ends[1.0], ends[0.5], ends[0.0], tuple(pairs))


def _moves_of(game: TournamentGame, player: int) -> int:
    """How many moves a player has chosen in a game."""
    turns = range(game.opening, len(game.moves))
    return len(turns[(game.opening + (player != game.first)) % 2 :: 2])


def _interval(estimate: Estimate) -> dict[str, float | None]:
    return {key: value if abs(value) < float("inf") else None for key, value in estimate._asdict().items()}


# as text


def text_of(found: Tournament) -> str:
    """The result: of two players in sentences, of more as a table."""
    parts = match_lines(found) if len(found.players) == 2 else table_lines(found)
    return "\n".join([*parts, *sprt_lines(found), *forfeit_lines(found)])


def match_lines(found: Tournament) -> list[str]:
    """Wins, draws and losses of the first player, and the difference in Elo."""
    (pairing,) = found.pairings
    name, opponent = found.players
    lines = [f"{name} against {opponent}: {pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost"]
    if pairing.score is not None:
        lines[0] += f", {100 * pairing.score:.1f} %"
    if sum(pairing.pairs):
        lines += [f"Elo {interval(pairing.estimate)}", pairs_line(pairing)]
    speeds = sorted(found.standings, key=lambda standing: standing.player)
    lines.append("seconds per move: " + ", ".join(f"{one.name} {seconds(one.seconds_per_move)}" for one in speeds))
    return lines


def pairs_line(pairing: Pairing) -> str:
    parts = (f"{2 * score:g} points {count}" for score, count in zip(SCORES, pairing.pairs, strict=True))
    return f"pairs of games: {', '.join(parts)}"


def table_lines(found: Tournament) -> list[str]:
    """A line for each player, the best one first."""
    rows = [["", "player", "Elo", "95 %", "games", "score", "won", "drawn", "lost", "s a move"]]
    for place, one in enumerate(found.standings, start=1):
        score = f"{100 * (one.wins + one.draws / 2) / one.games:.1f} %" if one.games else ""
        ends = f"{one.rating.low:+.0f} to {one.rating.high:+.0f}"
        results = (one.games, score, one.wins, one.draws, one.losses, seconds(one.seconds_per_move))
        rows.append([f"{place}.", one.name, f"{one.rating.elo:+.0f}", ends, *map(str, results)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    texts = []
    for row in rows:
        cells = [
            cell.ljust(width) if i == 1 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        texts.append("  ".join(cells).rstrip())
    return texts


def sprt_lines(found: Tournament) -> list[str]:
    if found.sprt is None:
        return []
    test, (lower, upper) = found.sprt, found.sprt.bounds
    ratio = test.log_ratio(found.pairings[0].pairs)
    accepted = {"H0": f"H0 is accepted: {test.elo0:+g}", "H1": f"H1 is accepted: {test.elo1:+g}", None: "no decision"}
    words = f"test of {test.elo0:+g} (H0) against {test.elo1:+g} Elo (H1)"
    return [f"{words}: log-likelihood ratio {ratio:.2f} ({lower:.2f} to {upper:.2f}), {accepted[found.decision]}"]


def forfeit_lines(found: Tournament) -> list[str]:
    """Who forfeited games, and why the first of them."""
    lines = []
    for one in sorted(found.standings, key=lambda standing: standing.player):
        if one.forfeits:
            lost = [game for game in found.games if game.end == "forfeit" and game.winner != one.player]
            reason = next(game.reason for game in lost if one.player in (game.first, game.second))
            lines.append(f"{one.name} forfeited {one.forfeits}: {reason}")
    return lines


def interval(estimate: Estimate) -> str:
    elo, low, high = (f"{end:+.0f}" if math.isfinite(end) else ("-inf", "+inf")[end > 0] for end in estimate)
    return f"{elo}, 95 % interval {low} to {high}"


def seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


# as a file


def written(path: str, tournament: Tournament) -> bytes:
    """The content of a file of that name. ValueError for an unknown ending, ImportError without pyarrow."""
    writers = {".txt": as_text, ".npz": as_archive, ".parquet": as_parquet}
    for ending, writer in writers.items():
        if path.lower().endswith(ending):
            return writer(tournament)
    raise ValueError(refused("path", f"a name that ends in {', '.join(writers)}", path))


def about(tournament: Tournament) -> dict[str, Any]:
    """What all games have in common, in JSON types."""
    return {
        "kind": "tournament",
        "format": FORMAT,
        "version": __version__,
        "rules": asdict(tournament.rules),
        "players": list(tournament.players),
        "adjudicate": tournament.terms.adjudicate,
        "move_seconds": tournament.terms.move_seconds,
        "seed": tournament.seed,
    }


def result_of(game: TournamentGame) -> str:
    """1-0, 0-1 or 1/2-1/2, as in chess."""
    return "1/2-1/2" if game.winner is None else "1-0" if game.winner == game.first else "0-1"


def as_text(tournament: Tournament) -> bytes:
    """A line for each game: its moves, then the rest as JSON. `c4mcts review --file` reads it."""
    lines = []
    for game in tournament.games:
        rest = {
            "first": tournament.players[game.first],
            "second": tournament.players[game.second],
            "result": result_of(game),
            "end": game.end,
            **({"reason": game.reason} if game.reason else {}),
            "opening": game.opening,
            "seconds": list(game.seconds),
            "number": game.number,
            "seed": tournament.seed,
            "rules": str(tournament.rules),
        }
        lines.append(line_of(moves_text(game.moves, tournament.rules), rest))
    return encoded("".join(lines))


def columns_of(tournament: Tournament) -> dict[str, Any]:
    """The table of the games: one array for each column. Players are indices of about["players"]."""
    games = tournament.games
    numbers = {
        name: np.array([getattr(game, name) for game in games], np.int32) for name in ("number", "first", "second")
    }
    return {
        **numbers,
        "moves": np.array([moves_text(game.moves, tournament.rules) for game in games], str),
        "opening": np.array([game.opening for game in games], np.int16),
        "winner": np.array([-1 if game.winner is None else game.winner for game in games], np.int32),
        "end": np.array([game.end for game in games], str),
        "reason": np.array([game.reason for game in games], str),
        "first_seconds": np.array([game.seconds[0] for game in games], np.float64),
        "second_seconds": np.array([game.seconds[1] for game in games], np.float64),
    }


def as_archive(tournament: Tournament) -> bytes:
    """An .npz file: `about`, a string of JSON, and the arrays of columns_of, which numpy.load reads."""
    return _files.pack(about(tournament), columns_of(tournament))


def as_parquet(tournament: Tournament) -> bytes:
    """A Parquet file with the columns of columns_of; `about` is in its metadata, under the key c4mcts."""
    return _files.parquet([columns_of(tournament)], about(tournament))
