"""Tournaments: every player meets every other one from many openings, and none can stop the others."""

import hashlib
import json
import math
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple, Unpack

from .._validation import an_instance, between, check_keywords, function, members, positive, refused
from ..board.board import Board
from ..executors.background import MAX_JOBS
from ..executors.jobs import Job, JobSet, WorkOptions, perform
from ..executors.store import Facts
from ..rules import Rules, rules_or_default
from .forfeit import printable
from .openings import Moves, opening_list
from .openings import openings as all_openings
from .player_specs import Contestant, contestant
from .ratings import DRAWN_PAIR, Sprt
from .tournament_game import GameJson, Terms, play
from .tournament_result import Tournament, TournamentGame

KIND = "tournament"  # the kind of work, as checkpoints name it
MAX_PLAYERS = 1000


def play_tournament(
    players: Sequence[str | Contestant],
    *,
    games: int = 20,
    rules: Rules | None = None,
    openings: Sequence[str | Sequence[int]] | None = None,
    terms: Terms | None = None,
    sprt: Sprt | None = None,
    on_game: Callable[[Callable[[], Tournament]], object] | None = None,
    **options: Unpack[WorkOptions],
) -> Tournament:
    """Play a round-robin tournament: every player meets every other one in `games` games.

    players: texts (see c4mcts.play.player_specs) or Contestants. games: for each pair of players, an even number: they
    play each opening twice, each moving first once. openings: strings of moves (see Board.parse) or lists of columns;
    once all have been played, they are played again. By default those of c4mcts.play.openings with four discs.

    A player that raises, chooses an illegal column, or takes longer than the terms allow loses that game, and the
    reason is kept. terms: a limit of time for each move, and adjudication; see Terms.

    sprt: for two players; the match ends as soon as the test decides, after `games` at the latest.

    seed: game i gets the i-th child of its SeedSequence, so that games don't depend on the executor; drawn at random if
    None. checkpoint: a file that receives every game as soon as it is finished; the same call continues from it after
    Ctrl-C, a crash or a full disk, and with more `games` it continues from what is there. executor, progress: as for
    experiments (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md). on_game: called at the beginning and
    after each game, with a function that returns the result so far.

    Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
    """
    check_keywords(play_tournament, options, WorkOptions)
    rules = rules_or_default(rules)
    terms = Terms() if terms is None else an_instance("terms", terms, Terms, "Terms")
    entrants = _entrants(players, rules, terms)
    if openings is None:
        openings = all_openings(None, rules, backend=terms.backend, executor=options.get("executor"))
    starts = opening_list(openings, rules)
    if terms.adjudicate is not None:
        between("adjudicate", terms.adjudicate, max(map(len, starts)) + 1, rules.cells)
    schedule = Schedule(list(combinations(range(len(entrants)), 2)), starts)
    games = _games(games, len(schedule.pairings))
    if sprt is not None and len(entrants) != 2:
        raise ValueError(f"sprt is for two players, not {len(entrants)}")
    stop = _Stop(None if sprt is None else an_instance("sprt", sprt, Sprt, "an Sprt"), games // 2)
    if on_game is not None:
        function("on_game", on_game)

    def result(found: dict[int, GameJson], seed: int) -> Tournament:
        stop.take(found)
        listed = [schedule.record(i, found[i]) for i in sorted(found) if i < min(games, stop.games)]
        names = tuple(entrant.name for entrant in entrants)
        return Tournament(names, rules, terms, tuple(listed), seed, sprt)

    def until(found: dict[int, GameJson], seed: int) -> bool:
        if on_game is not None:
            on_game(lambda: result(found, seed))
        stop.take(found)
        return stop.games < math.inf

    work = JobSet(KIND, _arguments(entrants, rules, starts, terms), until=until)
    played, seed = perform(work, schedule.jobs(entrants, rules, terms, games), **options)
    return result({i: game for i, game in enumerate(played) if game is not None}, seed)


def _arguments(entrants: list[Contestant], rules: Rules, starts: tuple[Moves, ...], terms: Terms) -> Facts:
    """What two calls must have in common for one to continue from the other's checkpoint."""
    return {
        "rules": str(rules),
        "players": [entrant.name for entrant in entrants],
        "openings": hashlib.sha256(json.dumps(starts).encode()).hexdigest(),
        "adjudicate": terms.adjudicate,
        "move_seconds": terms.move_seconds,
    }


class Schedule(NamedTuple):
    """The order of the games: in each round all pairings play the same opening, twice. It has no end."""

    pairings: list[tuple[int, int]]
    openings: tuple[Moves, ...]

    def game(self, index: int) -> tuple[tuple[int, int], int]:
        """Who moves first and who second on the empty board, and the index of the opening."""
        pair, side = divmod(index, 2)
        turn, pairing = divmod(pair, len(self.pairings))
        one, other = self.pairings[pairing]
        return ((one, other) if side == 0 else (other, one)), turn % len(self.openings)

    def jobs(self, entrants: list[Contestant], rules: Rules, terms: Terms, games: int) -> list[Job]:
        boards = [Board.from_moves(opening, rules) for opening in self.openings]
        jobs: list[Job] = []
        for (first, second), opening in map(self.game, range(games)):
            jobs.append(partial(play, (entrants[first], entrants[second]), boards[opening], terms))
        return jobs

    def record(self, index: int, played: GameJson) -> TournamentGame:
        (first, second), opening = self.game(index)
        return TournamentGame(
            number=index,
            first=first,
            second=second,
            opening=len(self.openings[opening]),
            moves=tuple(played["moves"]),
            winner=None if played["winner"] is None else (first, second)[played["winner"]],
            end=played["end"],
            reason=printable(played["reason"]),  # a checkpoint may be from anybody
            seconds=(played["seconds"][0], played["seconds"][1]),
        )


class _Stop:
    """When the test decides: by the pairs in the order of the schedule, however their games came in."""

    def __init__(self, sprt: Sprt | None, pairs: int) -> None:
        self._sprt = sprt
        self._all = pairs
        self._pairs = [0] * 5
        self.games = math.inf  # how many count: all, until the test has decided

    def take(self, found: dict[int, GameJson]) -> None:
        """Continue with the complete pairs."""
        while self._sprt is not None and self.games == math.inf and (taken := sum(self._pairs)) < self._all:
            first, second = (found.get(2 * taken + side) for side in (0, 1))
            if first is None or second is None:
                return
            self._pairs[DRAWN_PAIR + _points(first["winner"]) - _points(second["winner"])] += 1
            if self._sprt.decision(self._pairs) is not None:
                self.games = 2 * taken + 2


def _points(winner: int | None) -> int:
    """What the first player got: 1, 0 or -1."""
    return 0 if winner is None else 1 - 2 * winner


def _entrants(players: object, rules: Rules, terms: Terms) -> list[Contestant]:
    """The players with different names. TypeError, ValueError."""
    given = members("players", players, "a list of texts or Contestants", MAX_PLAYERS)
    if not 2 <= len(given) <= MAX_PLAYERS:
        raise ValueError(f"players must be 2 to {MAX_PLAYERS}, not {len(given)}")
    entrants: dict[str, Contestant] = {}
    for player in given:
        one = player if isinstance(player, Contestant) else contestant(player, rules, backend=terms.backend)
        if terms.move_seconds is not None:
            _require_pickle(one)
        name, number = one.name, 2
        while name in entrants:
            name, number = f"{one.name} ({number})", number + 1
        entrants[name] = Contestant(name, one.make)
    return list(entrants.values())


def _require_pickle(player: Contestant) -> None:
    """ValueError for a player that can't get a process of its own."""
    try:
        pickle.dumps(player.make)
    except Exception as error:
        words = f"move_seconds: the player {player.name} can't be sent to a process of its own"
        raise ValueError(f"{words}: {error}") from None


def _games(games: object, pairings: int) -> int:
    """The number of all games."""
    number = positive("games", games)
    if number % 2:
        raise ValueError(refused("games", "even, as each opening is played twice", games))
    if number * pairings > MAX_JOBS:
        raise ValueError(f"games must be at most {MAX_JOBS // pairings:,} with this many players, not {number:,}")
    return number * pairings
