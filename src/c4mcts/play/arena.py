"""Games and matches between players."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._validation import flag, function, positive, refused, shown
from ..board.board import Board
from ..board.positions import unfinished
from ..errors import IllegalMoveError
from ..seeds import sequence
from .players import Player


def play_game(first: Player, second: Player, *, start: Board | None = None, seed: int | None = None) -> Board:
    """Play one game from the empty 7 x 6 board or from `start`; return the finished board with its moves.

    first: the player who moves at even plies of the board. seed: for the random choices of the players.

    Raises GameOverError if the start is finished, IllegalMoveError naming the player who chose an illegal column.
    """
    board = Board() if start is None else unfinished(start, "start")
    return _played(a_player("first", first), a_player("second", second), board, sequence(seed))


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, from the point of view of the first of the two players."""

    wins: int
    draws: int
    losses: int
    games: tuple[Board, ...]  # finished boards, in order

    @property
    def score(self) -> float:
        """Mean of 1 for a win, 0.5 for a draw, 0 for a loss."""
        return (self.wins + 0.5 * self.draws) / len(self.games)

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


def play_match(
    player: Player,
    opponent: Player,
    *,
    games: int,
    start: Board | None = None,
    alternate: bool = True,
    seed: int | None = None,
    on_game: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Play several games between two players.

    start: the position every game begins with. alternate: if true, `player` moves first in games 0, 2, 4, ...; if
    false, in all games. seed: game i gets the i-th child of its SeedSequence. on_game: called after each game with the
    result so far.

    Raises TypeError or ValueError naming the argument, and what play_game raises.
    """
    games, alternate = positive("games", games), flag("alternate", alternate)
    a_player("player", player)
    a_player("opponent", opponent)
    if on_game is not None:
        function("on_game", on_game)
    board = Board() if start is None else unfinished(start, "start")
    counts = [0, 0, 0]  # draws, wins, losses: at the index of their score 0, 1, -1
    played: list[Board] = []
    seeds = sequence(seed)
    for i in range(games):
        (child,) = seeds.spawn(1)
        side = i % 2 if alternate else 0
        pair = (player, opponent) if side == 0 else (opponent, player)
        end = _played(*pair, board.copy(), child)
        outcome = end.outcome()
        assert outcome is not None
        counts[0 if outcome.winner is None else 1 if outcome.winner == side else -1] += 1
        played.append(end)
        if on_game is not None:
            on_game(MatchResult(counts[1], counts[0], counts[-1], tuple(played)))
    return MatchResult(counts[1], counts[0], counts[-1], tuple(played))


def a_player(name: str, player: Player) -> Player:
    """Check that the value is a player. TypeError."""
    if isinstance(player, type) or not isinstance(player, Player):
        raise TypeError(refused(name, "a Player", player))
    return player


def _played(first: Player, second: Player, board: Board, seed: np.random.SeedSequence) -> Board:
    """Play the game on the board to its end."""
    players = (first, second)
    try:
        for player, child in zip(players, seed.spawn(2), strict=True):
            player.begin(child)
        while not board.is_over():
            _move(players[board.turn], board)
    finally:
        for player in players:
            end = getattr(player, "end", None)
            if callable(end):
                end()
    return board


def _move(player: Player, board: Board) -> None:
    """Make a player's move on the board."""
    column = player.choose(board.copy())
    try:
        board.push(column)
    except (TypeError, ValueError) as error:
        raise IllegalMoveError(f"{shown(player)} chose {shown(column)}: {error}") from None
