"""Tournaments: every player meets every other one from many openings, and none can stop the others."""

import hashlib
import json
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Unpack

from .._hints import check_keywords
from .._validation import an_instance, between, callback, flag, members, must_be, positive
from ..board.board import Board
from ..errors import PlayerError
from ..executors.executor import MAX_JOBS
from ..executors.store import Store
from ..executors.work import WorkOptions, perform
from ..rules import Rules, rules_or_default
from .arena import Fixture, Terms
from .identity import identity_of
from .openings import opening_list
from .openings import openings as all_openings
from .played_game import End
from .player import AnyPlayer, Player
from .player_specs import Contestant, contestant
from .ratings import DRAWN_PAIR, Sprt
from .tournament_result import Anchor, Tournament, TournamentGame, moves_of

MAX_PLAYERS = 1000
POINTS = {0: 1, None: 0, 1: -1}  # of player 0 of a game, by the winner


def play_tournament(
    players: Sequence[AnyPlayer | Contestant],
    *,
    games: int = 20,
    rules: Rules | None = None,
    openings: Sequence[str | Sequence[int]] | None = None,
    terms: Terms | None = None,
    sprt: Sprt | None = None,
    gauntlet: bool = False,
    anchor: tuple[str, float] | None = None,
    on_game: Callable[[Callable[[], Tournament]], object] | None = None,
    **options: Unpack[WorkOptions],
) -> Tournament:
    """Play a round-robin tournament: every player meets every other one in `games` games.

    players: texts (see c4mcts.play.player_specs), functions from a board to a column, Players, of which each game gets
    a copy, or Contestants. games: for each pair of players, an even number: they play each opening twice, each moving
    first once. openings: strings of moves (see Board.parse) or lists of columns; once all have been played, they are
    played again. By default c4mcts.play.openings with four discs.

    A player that raises, chooses an illegal column, or takes longer than the terms allow loses that game, and the
    reason is kept. If it can't even make a first move, a PlayerError ends the tournament. terms: a limit of time for
    each move, and adjudication; see Terms.

    sprt: for two players; the match ends as soon as the test decides, after `games` at the latest. gauntlet: the first
    player meets all others, which don't meet each other. anchor: the name of a player and its rating, to which the
    other ratings are relative; by default the mean of all ratings is 0.

    seed: game i of every two players gets the i-th child of its SeedSequence, so that games depend neither on the
    executor nor on other players; drawn at random if None. checkpoint: a file that receives every game as soon as it is
    finished; the same call continues from it after Ctrl-C, a crash or a full disk. With more `games`, other players or
    changed code, only the games that it lacks are played (see play.identity). executor, progress: as for
    experiments (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md). on_game: called at the beginning and
    after each game, with a function that returns the result so far.

    Raises CheckpointError, OSError.
    """
    check_keywords(play_tournament, options, WorkOptions)
    rules = rules_or_default(rules)
    terms = Terms() if terms is None else an_instance("terms", terms, Terms, "Terms")
    items = members("players", players, "a list of players", MAX_PLAYERS, least=2)
    entrants = apart(contestant(player, rules) for player in items)
    if openings is None:
        openings = all_openings(None, rules, executor=options.get("executor"))
    starts = [Board.from_moves(moves, rules) for moves in opening_list(openings, rules)]
    if terms.adjudicate is not None:
        between("adjudicate", terms.adjudicate, max(start.ply for start in starts) + 1, rules.cells)
    pairs = list(combinations(range(len(entrants)), 2))[: len(entrants) - 1 if flag("gauntlet", gauntlet) else None]
    order = in_rounds(games, pairs, len(starts))
    fixed = None if anchor is None else Anchor.of(anchor, list(entrants))
    if sprt is not None and len(entrants) != 2:
        raise ValueError(f"sprt is for two players, not {len(entrants)}")
    test = None if sprt is None else an_instance("sprt", sprt, Sprt, "an Sprt")
    on_game = callback("on_game", on_game)
    identity = {
        "openings": hashlib.sha256(json.dumps([start.moves for start in starts]).encode()).hexdigest(),
        "adjudicate": terms.adjudicate,
        "move_seconds": terms.move_seconds,
        "overage": terms.overage,
    }
    able = range(len(entrants))
    schedule = Schedule(entrants, rules, terms, starts, order, able=able, on_game=on_game, sprt=test, anchor=fixed)
    return schedule.play("tournament", identity, **options)


@dataclass(slots=True)
class Schedule:
    """The games of a tournament: what is to be played, who has made a move, and what the sequential test says.

    able: the players that must be able to make a first move. on_game, sprt: see play_tournament.
    """

    entrants: dict[str, Callable[[], Player]]  # what makes the players, by name
    rules: Rules
    terms: Terms
    starts: Sequence[Board]
    games: Sequence[tuple[int, int, int]]  # who moves first and who second on the empty board, and the start
    able: Sequence[int]
    on_game: Callable[[Callable[[], Tournament]], object]
    sprt: Sprt | None = None
    anchor: Anchor | None = None
    _waiting: set[int] | None = None  # the players without kept games who have not made a move yet
    _pairs: list[int] = field(default_factory=lambda: [0] * 5)  # of the sequential test, in the order of the schedule
    _decided: int | None = None  # how many games count, once the test has decided

    def play(self, name: str, identity: dict[str, Any], **options: Unpack[WorkOptions]) -> Tournament:
        """Play; the result. name, identity: of the work in a checkpoint.

        A checkpoint keeps each game by its players, and its seed comes from its number among their games: both are the
        same whoever else plays.
        """
        checkpoint, makers = options.get("checkpoint"), list(self.entrants.values())
        digests = [""] * len(makers) if checkpoint is None else list(map(identity_of, self.entrants, makers))
        players = list(zip(self.entrants, digests, strict=True))
        fixtures, numbers, turns = [], [], list[int]()
        counts = Counter[frozenset[int]]()
        for i, j, k in self.games:
            turns.append(counts[frozenset((i, j))])
            counts[frozenset((i, j))] += 1
            fixtures.append(Fixture((makers[i], makers[j]), self.starts[k], self.terms))
            numbers.append(number_of([players[i], players[j], turns[-1]]))
        try:
            with Store(checkpoint, name, {"rules": str(self.rules), **identity}, options.get("seed")) as store:
                if changed := store.changed_players(dict(players)):
                    text = f"{', '.join(changed)} changed since, so games are played again"
                    warnings.warn(f"checkpoint {checkpoint}: {text}", stacklevel=3)
                records = perform(store, fixtures, numbers=numbers, children=turns, until=self.is_over, **options)
        finally:
            if self.terms.move_seconds is not None:
                from .player_process import end_idle  # imported here: not every platform has processes

                end_idle()
        return self.result({i: record for i, record in enumerate(records) if record is not None}, store.seed)

    def result(self, records: dict[int, dict[str, Any]], seed: int) -> Tournament:
        """The result of the games so far. records: of finished games, by number."""
        self._test(records)
        games = []
        for number, (first, second, k) in enumerate(self.games[: self._decided]):
            if number in records:
                record, start = records[number], self.starts[k].moves
                winner = None if record["winner"] is None else (first, second)[record["winner"]]
                moves, seconds = (*start, *record["moves"]), tuple(record["seconds"])
                end = End(record["end"]), record["reason"]
                games.append(TournamentGame(number, first, second, len(start), moves, winner, *end, seconds))
        return Tournament(tuple(self.entrants), self.rules, self.terms, tuple(games), seed, self.sprt, self.anchor)

    def is_over(self, records: dict[int, dict[str, Any]], seed: int) -> bool:
        """Whether the tournament is over before its last game; see Until. PlayerError."""
        if self._waiting is None:
            begun = {player for number in records for player in self.games[number][:2]}
            self._waiting = {*self.able} - begun
        elif self._waiting:
            self._require_moves(self._waiting, self.result(records, seed))
        self.on_game(lambda: self.result(records, seed))
        return self._test(records)

    def _test(self, records: dict[int, dict[str, Any]]) -> bool:
        """Go on with the pairs that are complete now; whether the test has decided."""
        while self.sprt is not None and self._decided is None and (taken := 2 * sum(self._pairs)) < len(self.games):
            if taken not in records or taken + 1 not in records:
                break
            # the two games have the same sides, exchanged
            first, second = (POINTS[records[number]["winner"]] for number in (taken, taken + 1))
            self._pairs[DRAWN_PAIR + first - second] += 1
            if self.sprt.decision(self._pairs) is not None:
                self._decided = taken + 2
        return self._decided is not None and self._decided < len(self.games)

    def _require_moves(self, waiting: set[int], so_far: Tournament) -> None:
        """PlayerError if a player fails at its first move, though it had time."""
        for game in so_far.games:
            waiting -= {player for player in (game.first, game.second) if moves_of(game, player)}
        limit = so_far.terms.move_seconds or math.inf
        for game in so_far.games:
            for player, seconds in zip((game.first, game.second), game.seconds, strict=True):
                if player in waiting and game.reason and game.winner != player and seconds < limit:
                    raise PlayerError(f"player {so_far.players[player]} fails at its first move: {game.reason}")


def number_of(value: object) -> int:
    """A number of 63 bits that stands for a value of JSON types."""
    return int(hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16], 16) >> 1


def in_rounds(games: object, pairs: Sequence[tuple[int, int]], openings: int) -> list[tuple[int, int, int]]:
    """The games of a Schedule. In each round all pairs of players play the same opening, twice. ValueError."""
    number = positive("games", games, MAX_JOBS // max(len(pairs), 1))
    if number % 2:
        raise ValueError(must_be("games", "even, as each opening is played twice", games))
    return [
        (*sides, turn % openings)
        for turn in range(number // 2)
        for one, other in pairs
        for sides in ((one, other), (other, one))
    ]


def apart(contestants: Iterable[Contestant]) -> dict[str, Callable[[], Player]]:
    """Makers of the players, by names that are all different."""
    makers: dict[str, Callable[[], Player]] = {}
    for one in contestants:
        name, number = one.name, 2
        while name in makers:
            name, number = f"{one.name} ({number})", number + 1
        makers[name] = one.make
    return makers
