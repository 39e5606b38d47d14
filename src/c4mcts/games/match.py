"""Games and matches between players of any Game: searches, functions, chance.

The players of Connect-4, which know a Board, are in play.players; their matches in play.arena.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, runtime_checkable

import numpy as np

from .._validation import flag, function, positive, refused, shown
from ..errors import GameOverError, IllegalMoveError
from ..search.limits import Limits
from ..search.params import SearchParams
from ..seeds import sequence
from .game import Game, Move
from .game_search import DEFAULT, GameResult, GameSearch, Selection, searchable


@runtime_checkable
class GamePlayer(Protocol):
    """The methods that a player must have.

    If it also has a method `played(move)`, it is told every move of the game, its own too.
    """

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Prepare for a new game; all random choices in it must come from the seed."""

    def choose(self, game: Game[Any]) -> Any:
        """The move to play in an unfinished game, which is a copy."""


class RandomGamePlayer:
    """Plays every legal move with equal probability."""

    def __init__(self) -> None:
        self._generator = np.random.default_rng()

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Restart the random numbers from the seed."""
        self._generator = np.random.default_rng(sequence(seed))

    def choose(self, game: Game[Any]) -> Any:
        """A random legal move."""
        moves = list(game.legal_moves())
        return moves[int(self._generator.integers(len(moves)))]

    def __repr__(self) -> str:
        return "RandomGamePlayer()"


class GameSearchPlayer:
    """Searches each move with one GameSearch, which keeps its tree during a game.

    params, selection: as for GameSearch. limits: for each move, as for GameSearch.search (simulations=, seconds=,
    nodes=). `last` is the GameResult of the last move, None before it.
    """

    def __init__(
        self, params: SearchParams | None = None, *, selection: Selection | None = None, **limits: Any
    ) -> None:
        Limits(**limits)
        self._params = DEFAULT if params is None else searchable(params)
        self._selection = None if selection is None else function("selection", selection)
        self._limits = limits
        self._seed: np.random.SeedSequence | None = None
        self._search: GameSearch[Any] | None = None
        self.last: GameResult[Any] | None = None

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Start with a new search."""
        self._seed, self._search, self.last = seed, None, None

    def choose(self, game: Game[Any]) -> Any:
        """Search the game; return the best move."""
        if self._search is None:
            self._search = GameSearch(game, self._params, selection=self._selection, seed=self._seed)
        self.last = self._search.search(**self._limits)
        return self.last.move

    def played(self, move: Any) -> None:
        """Move the root of the tree along."""
        if self._search is not None:
            self._search.advance(move)

    def __repr__(self) -> str:
        return f"GameSearchPlayer({', '.join(f'{name}={value!r}' for name, value in self._limits.items())})"


AnyPlayer = GamePlayer | Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class PlayedGame(Generic[Move]):
    """A finished game, and the moves that led to it from the start position."""

    game: Game[Move]
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class GameMatch(Generic[Move]):
    """The result of a match, from the point of view of the first of the two players."""

    wins: int
    draws: int
    losses: int
    games: tuple[PlayedGame[Move], ...]  # in order

    @property
    def score(self) -> float:
        """Mean of 1 for a win, 0.5 for a draw, 0 for a loss."""
        return (self.wins + 0.5 * self.draws) / len(self.games)

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"


def play_game(
    start: Game[Move], first: AnyPlayer, second: AnyPlayer, *, seed: int | np.random.SeedSequence | None = None
) -> PlayedGame[Move]:
    """Play one game from a start position, which is copied.

    first: plays for player 0 of the game, second: for player 1. A player is a GamePlayer, or a function from a copy of
    the game to a move. seed: for the random choices of the players.

    Raises GameOverError if the start is finished, IllegalMoveError naming the player who chose an illegal move,
    TypeError or ValueError for bad arguments and for a game that does not follow the protocol.
    """
    game = _unfinished(start)
    players = _a_player("first", first), _a_player("second", second)
    return _played(game, players, sequence(seed))


def play_match(
    start: Game[Move],
    player: AnyPlayer,
    opponent: AnyPlayer,
    *,
    games: int,
    alternate: bool = True,
    seed: int | None = None,
) -> GameMatch[Move]:
    """Play several games from one start position.

    player, opponent: as for play_game. alternate: if true, `player` is the one to move at the start in games 0, 2, 4,
    ...; if false, in all games. seed: game i gets the i-th child of its SeedSequence.

    Raises as play_game does.
    """
    game, games, alternate = _unfinished(start), positive("games", games), flag("alternate", alternate)
    rivals = _a_player("player", player), _a_player("opponent", opponent)
    counts = {1: 0, 0: 0, -1: 0}
    played = []
    for i, child in enumerate(sequence(seed).spawn(games)):
        side = 1 - game.turn if alternate and i % 2 else game.turn  # of `player`
        pair = rivals if side == 0 else rivals[::-1]
        end = _played(game.clone(), pair, child)
        counts[end.game.result(side)] += 1
        played.append(end)
    return GameMatch(counts[1], counts[0], counts[-1], tuple(played))


def _unfinished(start: Game[Move]) -> Game[Move]:
    """A copy of the game, checked. TypeError, ValueError, GameOverError."""
    game = GameSearch(start).game
    if game.is_over():
        raise GameOverError(f"start: the game is over: {shown(game)}")
    return game


def _a_player(name: str, player: AnyPlayer) -> AnyPlayer:
    """Check that the value is a player. TypeError."""
    if isinstance(player, type) or not (isinstance(player, GamePlayer) or callable(player)):
        raise TypeError(refused(name, "a GamePlayer or a function", player))
    return player


def _played(game: Game[Move], players: tuple[AnyPlayer, AnyPlayer], seed: np.random.SeedSequence) -> PlayedGame[Move]:
    """Play the game to its end."""
    for player, child in zip(players, seed.spawn(2), strict=True):
        if isinstance(player, GamePlayer):
            player.begin(child)
    listeners = [listen for player in players if callable(listen := getattr(player, "played", None))]
    moves: list[Move] = []
    while not game.is_over():
        move = _move(players[game.turn], game)
        moves.append(move)
        for listen in listeners:
            listen(move)
    return PlayedGame(game, tuple(moves))


def _move(player: AnyPlayer, game: Game[Move]) -> Move:
    """Make a player's move in the game, and return it."""
    choose = player.choose if isinstance(player, GamePlayer) else player
    chosen = choose(game.clone())
    legal = {move: move for move in game.legal_moves()}
    try:
        move = legal[chosen]
    except (KeyError, TypeError):  # not legal, or nothing that could be a move
        raise IllegalMoveError(f"{shown(player)} chose {shown(chosen)}, which is not a legal move") from None
    game.play(move)
    return move
