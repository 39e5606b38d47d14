"""One game between two players, and matches of several; `play_through` is the loop that plays every game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._validation import flag, function, positive, shown
from ..board.board import Board
from ..board.positions import unfinished
from ..errors import IllegalMoveError
from ..games import Game, Move, unfinished_copy_of
from ..seeds import sequence
from .player_specs import game_contestant, player_of
from .players import AnyPlayer, Player, push_choice

GAMES = 20  # of a match


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, and the moves that led to it from the start position."""

    game: Any  # a Board, or the kind of Game that was given
    moves: tuple[Any, ...]

    @property
    def winner(self) -> int | None:
        """0 or 1; None for a draw."""
        return winner_of(self.game)


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


def play_through(
    game: Game[Move],
    players: Sequence[Player],
    seed: np.random.SeedSequence,
    on_move: Callable[[Move], object],
) -> None:
    """Play a game to its end: the loop that plays every game.

    players: for player 0 and player 1 of the game; both may be the same object. on_move: called with each move after it
    has been made; a true answer ends the game there. IllegalMoveError names the player.
    """
    try:
        for player, child in zip(players, seed.spawn(2), strict=True):
            player.begin(child)
        different = players if players[0] is not players[1] else players[:1]
        listeners = [listen for player in different if callable(listen := getattr(player, "played", None))]
        is_left: object = False
        while not (is_left or game.is_over()):
            player = players[game.turn]
            chosen = player.choose(game.copy())
            try:
                move = push_choice(game, chosen)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"{shown(player)} {error}") from None
            is_left = on_move(move)
            for listen in listeners:
                listen(move)
    finally:
        for player in players:
            if callable(end := getattr(player, "end", None)):
                end()


def winner_of(game: Game[Any]) -> int | None:
    """The winner of a finished game, 0 or 1; None for a draw."""
    return {1: 0, 0: None, -1: 1}[game.result(0)]


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

    Raises GameOverError if the start is finished, IllegalMoveError naming the player who chose an illegal move,
    TypeError or ValueError for bad arguments and for a game that does not follow the protocol.
    """
    position = _start(start)
    return _played(position, (_player("first", first, position), _player("second", second, position)), sequence(seed))


def play_match(
    player: AnyPlayer,
    opponent: AnyPlayer,
    *,
    games: int = GAMES,
    start: Any = None,
    alternate: bool = True,
    seed: int | None = None,
    on_game: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Play several games between two players from one start position, one after the other.

    player, opponent, start: as for play_game. alternate: if true, `player` is the one to move at the start in games
    0, 2, 4, ...; if false, in all games. seed: game i gets the i-th child of its SeedSequence. on_game: called after
    each game with the result so far.

    Raises TypeError or ValueError naming the argument, and what play_game raises.
    """
    games, alternate = positive("games", games), flag("alternate", alternate)
    position = _start(start)
    rivals = _player("player", player, position), _player("opponent", opponent, position)
    if on_game is not None:
        function("on_game", on_game)
    seeds, ended, results = sequence(seed), list[PlayedGame](), list[int]()
    for i in range(games):
        side = 1 - position.turn if alternate and i % 2 else position.turn  # of `player`
        ended.append(_played(position.copy(), rivals if side == 0 else rivals[::-1], seeds.spawn(1)[0]))
        results.append(ended[-1].game.result(side))
        match = MatchResult(results.count(1), results.count(0), results.count(-1), tuple(ended))
        if on_game is not None:
            on_game(match)
    return match


def _played(game: Any, players: Sequence[Player], seed: np.random.SeedSequence) -> PlayedGame:
    moves: list[Any] = []
    play_through(game, players, seed, moves.append)
    return PlayedGame(game, tuple(moves))


def _start(start: Any) -> Any:
    """A copy of the start position of a game. TypeError, ValueError, GameOverError."""
    if start is None:
        return Board()
    return unfinished(start, "start") if isinstance(start, str) else unfinished_copy_of("start", start)


def _player(name: str, player: AnyPlayer, start: Any) -> Player:
    """The player that plays from this position. name: of the argument. TypeError, ValueError."""
    if isinstance(player, str) and not isinstance(start, Board):
        return game_contestant(player).make()
    return player_of(name, player, start.rules if isinstance(start, Board) else None)
