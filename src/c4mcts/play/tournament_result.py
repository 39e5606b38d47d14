"""Tournament: the games that were played, what follows from them, and both as text and as files."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby
from typing import Any, Self

from .. import _files, _tables
from .._validation import between, counted, members, must_be, number_between
from ..board.notation import write_moves
from ..rules import Rules
from .arena import Terms
from .game_files import encoded, line_of
from .played_game import RESULTS, End
from .ratings import DRAWN_PAIR, SCORES, Estimate, Sprt, bradley_terry, match_estimate

MAX_ANCHOR = 10_000  # Elo points
HEADS: tuple[str, ...] = ("", "player", "Elo", "95 %", "games", "score", "won", "drawn", "lost", "s a move")


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A finished game. Players are indices of Tournament.players."""

    number: int  # in the schedule, from 0; games 2 n and 2 n + 1 are a pair with the same opening
    first: int  # the player who moves first on the empty board
    second: int
    opening: int  # how many of the moves are the opening
    moves: tuple[int, ...]  # columns from 0, since the empty board
    winner: int | None  # None: a draw
    end: End
    reason: str  # why the loser forfeited the game; else empty
    seconds: tuple[float, float]  # that the first and the second player thought

    @property
    def result(self) -> str:
        """ "1-0", "0-1" or "1/2-1/2"."""
        return RESULTS[None if self.winner is None else int(self.winner == self.second)]

    def points(self, player: int) -> float:
        """A player's points: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == player)


@dataclass(frozen=True, slots=True)
class _Ends:
    player: int
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """Mean of 1 for a win, 0.5 for a draw, 0 for a loss; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class Pairing(_Ends):
    """All games between two players, from the point of view of `player`."""

    opponent: int
    pairs: tuple[int, ...]  # how many pairs brought 0, 0.5, 1, 1.5 and 2 points; a pair that is incomplete is not there

    @property
    def estimate(self) -> Estimate:
        """The difference in Elo with its 95 % interval, from the pairs: see ratings.match_estimate."""
        return match_estimate(self.pairs)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A player whose rating is fixed; the others are relative to it."""

    player: int
    elo: float

    @classmethod
    def of(cls, value: object, names: Sequence[str]) -> Self:
        """From a player's name and a rating. TypeError, ValueError."""
        name, elo = (*members("anchor", value, "a name and a rating", 2), None, None)[:2]
        if name not in names:
            raise ValueError(must_be("anchor", f"one of the players {', '.join(names)}", name))
        return cls(names.index(name), number_between("anchor", elo, -MAX_ANCHOR, MAX_ANCHOR))


@dataclass(frozen=True, slots=True)
class Standing(_Ends):
    """A player's results against all others."""

    name: str
    rating: Estimate  # relative to the mean of all players, or to the anchor
    forfeits: int  # of the losses
    seconds_per_move: float | None  # None if it was never asked for a move

    def to_dict(self) -> dict[str, Any]:
        """The standing ready for JSON, with the rating as `elo`, `low` and `high`."""
        keys = ("name", "games", "wins", "draws", "losses", "forfeits", "seconds_per_move")
        return {**{key: getattr(self, key) for key in keys}, **_interval(self.rating)}


@dataclass(frozen=True, repr=False)
class Tournament:
    """The games of a tournament, in the order of the schedule."""

    players: tuple[str, ...]
    rules: Rules
    terms: Terms
    games: tuple[TournamentGame, ...]
    seed: int
    sprt: Sprt | None
    anchor: Anchor | None = None

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """The results of every two players, the one that was named first being `player`."""
        games: dict[tuple[int, ...], list[TournamentGame]] = {}
        for game in self.games:
            games.setdefault(tuple(sorted((game.first, game.second))), []).append(game)
        result = []
        for player, opponent in combinations(range(len(self.players)), 2):
            played = games.get((player, opponent), [])
            pairs = [0] * 5
            for pair in _pairs(played):
                if len(pair) == 2:
                    pairs[DRAWN_PAIR + round(2 * (pair[0].points(player) + pair[1].points(player) - 1))] += 1
            result.append(Pairing(player, *_ends(player, played), opponent, tuple(pairs)))
        return tuple(result)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The players, the best one first."""
        units = []
        for pair in _pairs(self.games):
            player, opponent = pair[0].first, pair[0].second
            units.append((player, opponent, sum(game.points(player) for game in pair), len(pair)))
        anchor, elo = (None, 0.0) if self.anchor is None else (self.anchor.player, self.anchor.elo)
        ratings = [
            Estimate(*(end + elo for end in each)) for each in bradley_terry(len(self.players), units, anchor=anchor)
        ]
        standings = []
        for player, rating in enumerate(ratings):
            own, forfeits = self.games_of(player), self.reasons(player).total()
            seconds = sum(game.seconds[player != game.first] for game in own)
            # with those that it did not find in time, or failed to; without seconds it was never asked for one
            moves = sum(moves_of(game, player) for game in own) + forfeits
            mean = seconds / moves if seconds else None
            standings.append(Standing(player, *_ends(player, own), self.players[player], rating, forfeits, mean))
        return tuple(sorted(standings, key=lambda one: (-one.rating.elo, one.player)))

    @property
    def decision(self) -> str | None:
        """The hypothesis that the sequential test accepts, "H0" or "H1"; None without a test or a decision."""
        return None if self.sprt is None else self.sprt.decision(self.pairings[0].pairs)

    def games_of(self, player: int) -> list[TournamentGame]:
        """All games of a player, by its index in `players`."""
        player = between("player", player, 0, len(self.players) - 1)
        return [game for game in self.games if player in (game.first, game.second)]

    def reasons(self, player: int) -> Counter[str]:
        """Why a player forfeited games: each reason, and in how many games."""
        return Counter(game.reason for game in self.games_of(player) if game.reason and game.winner != player)

    def _in_order(self) -> list[Standing]:
        return sorted(self.standings, key=lambda one: one.player)

    def __str__(self) -> str:
        """The result of two players in sentences, of more, or with an anchor, as a table."""
        parts = match_lines(self) if len(self.players) == 2 and self.anchor is None else table_lines(self)
        forfeits = [
            f"{one.name} forfeited {one.forfeits}: {'; '.join(self.reasons(one.player))}"
            for one in self._in_order()
            if one.forfeits
        ]
        return "\n".join([*parts, *sprt_lines(self), *forfeits])

    def __repr__(self) -> str:
        return f"<c4mcts.play.Tournament of {len(self.players)} players, {counted(len(self.games), 'game')}>"

    def save(self, path: _files.StrPath) -> None:
        """Write the games to a file: .txt, which `c4mcts review --file` reads, or a table of them, .csv or .parquet.

        See https://github.com/c4mcts/c4mcts/blob/main/docs/guide/matches.md. An existing file is replaced. Raises
        ValueError for other names, OSError.
        """
        where, rows = _files.path_of("path", path, ".txt", ".csv", ".parquet"), self._rows()
        if where.lower().endswith(".txt"):
            _files.write(where, encoded("".join(line_of(row.pop("moves"), row) for row in rows)))
        else:
            _tables.write_table(where, rows)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "moves": write_moves(game.moves, self.rules),
                "first": self.players[game.first],
                "second": self.players[game.second],
                "result": game.result,
                "end": game.end,
                "reason": game.reason,
                "opening": game.opening,
                "first_seconds": game.seconds[0],
                "second_seconds": game.seconds[1],
                "number": game.number,
                "seed": self.seed,
                "rules": str(self.rules),
            }
            for game in self.games
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON; infinity is None. Columns count from 0."""
        return {
            "players": [one.to_dict() for one in self._in_order()],
            "pairings": [{**_files.json_types(each), **_interval(each.estimate)} for each in self.pairings],
            "anchor": _files.json_types(self.anchor),
            "sprt": self._test(),
            "games": _files.json_types(self.games),
        }

    def _test(self) -> dict[str, Any] | None:
        """The state of the sequential test; None without one."""
        if self.sprt is None:
            return None
        lower, upper = self.sprt.bounds
        ratio = self.sprt.log_ratio(self.pairings[0].pairs)
        rest = {"log_ratio": ratio, "lower": lower, "upper": upper, "decision": self.decision}
        return {**_files.json_types(self.sprt), **rest}


def _pairs(games: Sequence[TournamentGame]) -> list[list[TournamentGame]]:
    """The games with the same opening and the same two players, two or, if one is missing, one."""
    return [list(pair) for _, pair in groupby(games, key=lambda game: game.number // 2)]


def _ends(player: int, games: Sequence[TournamentGame]) -> tuple[int, int, int]:
    ends = Counter(game.points(player) for game in games)
    return ends[1.0], ends[0.5], ends[0.0]


def moves_of(game: TournamentGame, player: int) -> int:
    """How many moves a player has chosen in a game."""
    turns = range(game.opening, len(game.moves))
    return len(turns[(game.opening + (player != game.first)) % 2 :: 2])


def _interval(estimate: Estimate) -> dict[str, float | None]:
    return {key: value if math.isfinite(value) else None for key, value in estimate._asdict().items()}


def match_lines(result: Tournament) -> list[str]:
    """Wins, draws and losses of the first of two players, and the difference in Elo."""
    (pairing,) = result.pairings
    name, opponent = result.players
    lines = [f"{name} against {opponent}: {pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost"]
    if pairing.score is not None:
        lines[0] += f", {pairing.score:.1%}".replace("%", " %")
    if sum(pairing.pairs):
        elo, low, high = (f"{end:+.0f}" for end in pairing.estimate)
        points = (f"{counted(2 * score, 'point')} {count}" for score, count in zip(SCORES, pairing.pairs, strict=True))
        lines += [f"Elo {elo}, 95 % interval {low} to {high}", f"pairs of games: {', '.join(points)}"]
    return [*lines, "seconds per move: " + ", ".join(f"{one.name} {_seconds(one)}" for one in result._in_order())]


def table_lines(result: Tournament) -> list[str]:
    """A line for each player, the best one first."""
    rows = [HEADS]
    for place, one in enumerate(result.standings, start=1):
        elo, low, high = (f"{end:+.0f}" for end in one.rating)
        score = "" if one.score is None else f"{100 * one.score:.1f} %"
        ends = (f"{n}" for n in (one.wins, one.draws, one.losses))
        rows.append((f"{place}.", one.name, elo, f"{low} to {high}", f"{one.games}", score, *ends, _seconds(one)))
    columns = [
        [f"{cell:{'<' if i == 1 else '>'}{max(map(len, column))}}" for cell in column]  # names are aligned to the left
        for i, column in enumerate(zip(*rows, strict=True))
    ]
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def sprt_lines(result: Tournament) -> list[str]:
    """Lines about the sequential test; none without one."""
    test = result._test()
    if test is None:
        return []
    decision, hypotheses = test["decision"], {"H0": test["elo0"], "H1": test["elo1"]}
    accepted = "no decision" if decision is None else f"{decision} is accepted: {hypotheses[decision]:+g}"
    text = f"test of {test['elo0']:+g} (H0) against {test['elo1']:+g} Elo (H1)"
    ratio = f"{test['log_ratio']:.2f} ({test['lower']:.2f} to {test['upper']:.2f})"
    return [f"{text}: log-likelihood ratio {ratio}, {accepted}"]


def _seconds(standing: Standing) -> str:
    return "-" if standing.seconds_per_move is None else f"{standing.seconds_per_move:.4f}"
