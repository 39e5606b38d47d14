"""Games: one between two players, a match of several, and the games of an executor; `play_through` plays them all."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _platform
from .._hints import with_hints
from .._validation import callback, flag, not_negative, positive, positive_seconds
from ..board.board import Board
from ..executors.cancellation import Cancellation
from ..games import Game, Move, unfinished_copy_of
from ..search.validators import optional, validate, validated
from ..seeds import sequence
from ..solver.solver import solve
from .played_game import End, PlayedGame
from .player import AnyPlayer, Player, play_choice
from .player_specs import player_of
from .programs import Program
from .seats import Forfeit, Seat, ask


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, from the point of view of the first of the two players."""

    wins: int
    draws: int
    losses: int
    games: tuple[PlayedGame, ...]  # in order

    @property
    def score(self) -> float:
        """Mean of 1 for a win, 0.5 for a draw, 0 for a loss."""
        return (self.wins + 0.5 * self.draws) / len(self.games)

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


@with_hints
def play_game(
    first: AnyPlayer,
    second: AnyPlayer,
    *,
    start: Any = None,
    seed: int | np.random.SeedSequence | None = None,
) -> PlayedGame:
    """Play one game.

    first: plays for player 0 of the game, on a Board at even plies; second: for player 1. A player is a Player, a
    function from a game to a move, or a text such as "uct@1000", "level:3" or "perfect" (see play.player_specs). start:
    a Board, its text (see Board.parse), or any other Game, which is copied; by default the empty 7 x 6 board.
    seed: for the random choices of the players.

    Raises GameOverError if the start is finished, IllegalMoveError naming the player who chose an illegal move.
    """
    position = Board() if start is None else unfinished_copy_of("start", start)
    players = player_of("first", first, position), player_of("second", second, position)
    return _played(position, players, sequence(seed))


@with_hints
def play_match(
    player: AnyPlayer,
    opponent: AnyPlayer,
    *,
    games: int = 20,
    start: Any = None,
    alternate: bool = True,
    seed: int | None = None,
    on_game: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Play several games between two players from one start position, one after the other.

    player, opponent, start: as for play_game. alternate: if true, `player` is the one to move at the start in games
    0, 2, 4, ...; if false, in all games. seed: game i gets the i-th child of its SeedSequence. on_game: called after
    each game with the result so far.

    Raises what play_game raises.
    """
    games, alternate = positive("games", games), flag("alternate", alternate)
    position = Board() if start is None else unfinished_copy_of("start", start)
    rivals = player_of("player", player, position), player_of("opponent", opponent, position)
    on_game = callback("on_game", on_game)
    seeds, ended, results = sequence(seed), list[PlayedGame](), list[int]()
    for i in range(games):
        side = 1 - position.turn if alternate and i % 2 else position.turn  # of `player`
        ended.append(_played(position.copy(), rivals if side == 0 else rivals[::-1], seeds.spawn(1)[0]))
        results.append(ended[-1].game.result(side))
        match = MatchResult(results.count(1), results.count(0), results.count(-1), tuple(ended))
        on_game(match)
    return match


def _played(game: Any, players: Sequence[Player], seed: np.random.SeedSequence) -> PlayedGame:
    moves: list[Any] = []
    play_through(game, players, seed, moves.append)
    return PlayedGame.over(game, moves)


def play_through(
    game: Game[Move],
    players: Sequence[Player],
    seed: np.random.SeedSequence,
    on_move: Callable[[Move], object],
) -> None:
    """Play a game to its end. players: for player 0 and player 1; both may be the same object.

    on_move: called with each move after it has been made; a true answer ends the game there. IllegalMoveError.
    """
    try:
        for player, child in zip(players, seed.spawn(2), strict=True):
            ask(player, "begin", child)
        listeners = players if players[0] is not players[1] else players[:1]
        is_left: object = False
        while not (is_left or game.is_over()):
            move = play_choice(game, players[game.turn])
            is_left = on_move(move)
            for listener in listeners:
                ask(listener, "played", move)
    finally:
        for player in players:
            ask(player, "end")


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tournament.

    adjudicate: once this many discs are on the board, the exact score decides the game, from the book or the solver;
    None: all games are played out. move_seconds: a player that takes longer for a move forfeits the game; each player
    then has a process of its own, which is killed. None: no limit. overage: more seconds for the whole game, of which
    moves that take longer than move_seconds take; on Kaggle 60.

    Raises RuntimeError for a limit where there are no processes.
    """

    adjudicate: int | None = validated(None, optional(positive))
    move_seconds: float | None = validated(None, optional(positive_seconds))
    overage: float = validated(0.0, not_negative)

    def __post_init__(self) -> None:
        validate(self)
        if self.overage and self.move_seconds is None:
            raise ValueError("overage needs move_seconds, the limit for each move")
        if self.move_seconds is not None:
            _platform.require_threads("move_seconds")

    def seat(self, make: Callable[[], Player], check: Callable[[], object]) -> Seat:
        """A seat for a player, in this process or, with a limit of time, in another one. check: as for Fixture."""
        if isinstance(make, Program):
            return Seat(replace(make, check=check), self.move_seconds, self.overage)
        if self.move_seconds is None:
            return Seat(make)
        from .player_process import RemoteSeat  # imported here: not every platform has processes

        return RemoteSeat(make, self.move_seconds, check, overage=self.overage)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played. Executors of processes pickle it.

    makers: make player 0 and player 1 of the game. start: the position. terms: of a Board; a player that fails then
    loses the game. None: its error is raised.
    """

    makers: tuple[Callable[[], Player], Callable[[], Player]]
    start: Game[Any]
    terms: Terms | None = None

    def __call__(self, seed: np.random.SeedSequence, check: Cancellation) -> dict[str, Any]:
        """Play; PlayedGame.record. check: raises Cancelled when the game is no longer wanted."""
        game: Any = self.start.copy()
        terms = self.terms
        moves: list[Any] = []
        seats: list[Any] = [make() if terms is None else terms.seat(make, check) for make in self.makers]

        def is_decided(move: Any) -> bool:
            check()
            moves.append(move)
            return terms is not None and terms.adjudicate is not None and game.ply >= terms.adjudicate

        with suppress(Forfeit):
            play_through(game, seats, seed, is_decided)
        seconds = () if terms is None else tuple(round(seat.seconds, 6) for seat in seats)
        if game.is_over():  # a player that fails when it hears of the last move has played it
            return PlayedGame.over(game, moves, seconds).record()
        for player, seat in enumerate(seats):
            if seat.reason:
                return PlayedGame(game, tuple(moves), 1 - player, End.FORFEIT, seat.reason, seconds).record()
        score = solve(game, columns=False, on_progress=check).score
        assert score is not None
        winner = None if score == 0 else game.turn ^ (score < 0)
        return PlayedGame(game, tuple(moves), winner, End.ADJUDICATION, seconds=seconds).record()
