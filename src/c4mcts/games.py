"""UCT for any game of two players, in plain Python and on one page; `Engine` is the fast search, of Connect-4 alone.

>>> from c4mcts.games import GameSearch, TicTacToe
>>> GameSearch(TicTacToe(), seed=1).search(simulations=2000).move     # the centre
4
"""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from numbers import Real
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

from ._timer import Timer
from ._validation import brief, counted, described, function, must_be, not_negative
from .board.arguments import unfinished
from .errors import GameOverError, IllegalMoveError
from .search.limits import COLUMNS, Limits
from .search.params import SearchParams, UctParams, uct_params
from .seeds import Seed, generator_state
from .tictactoe import TicTacToe

__all__ = ["Game", "GameMove", "GameResult", "GameSearch", "TicTacToe", "random_rollout", "ucb1"]

Move = TypeVar("Move", bound=Hashable)
MEMBERS = ("copy", "legal_moves", "push", "is_over", "result", "turn")


class Game(Protocol[Move]):
    """A position in a game of two players, 0 and 1, without chance or hidden information.

    Any object with these methods and attributes is a Game, such as a Board; there is no base class. A move is anything
    that can be a dictionary key: a number, a string, a tuple.
    """

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1; not used when the game is over."""

    def copy(self) -> Self:
        """An independent copy: moves played on one do not change the other."""

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The legal moves of an unfinished game, in an order that depends only on the position."""

    def push(self, move: Move, /) -> None:
        """Play one of the legal moves."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def result(self, player: int) -> int:
        """How a finished game ended for a player: 1 if they have won, -1 if the other has, 0 for a draw."""


# The visits of a position, and of each move its visits and its mean reward (None without visits); a score for each.
Selection = Callable[[int, list[tuple[int, float | None]]], Iterable[float]]
# Plays a game to its end, or estimates it; its result for player 0, from -1 to 1.
Rollout = Callable[[Any, Random], float]


def ucb1(exploration: float) -> Selection:
    """UCB1: the mean reward, and a bonus for moves tried rarely; infinite for those never tried (Auer et al. 2002)."""
    return partial(_ucb1, not_negative("exploration", exploration))


def _ucb1(exploration: float, visits: int, children: list[tuple[int, float | None]]) -> list[float]:
    return [
        math.inf if value is None else value + exploration * math.sqrt(math.log(visits) / n) for n, value in children
    ]


def random_rollout(game: Game[Any], random: Random) -> float:
    """Play random moves to the end of the game."""
    while not game.is_over():
        game.push(random.choice(moves_of(game)))
    return game.result(0)


def moves_of(game: Game[Move]) -> Sequence[Move]:
    """The legal moves of a game that is not over. ValueError if there are none."""
    moves = game.legal_moves
    if not len(moves):
        raise ValueError(f"a game without legal moves must be over, unlike {brief(game)}")
    return moves


@dataclass(slots=True, eq=False)
class SearchNode(Generic[Move]):
    """A position in the tree, known by the move that leads to it."""

    move: Move
    mover: int  # the player who made the move
    visits: int = 0
    added: int = 0  # the parent's visits before the first visit here: the order of the siblings
    total: float = 0.0  # sum of the rewards of `mover`, each in [0, 1]
    children: list["SearchNode[Move]"] = field(default_factory=list, repr=False)  # empty until the node is expanded

    @property
    def value(self) -> float | None:
        """Mean reward of `mover`; None without visits."""
        return self.total / self.visits if self.visits else None


# How the move to play is chosen among the children of the root, by `choice` of the parameters; see UctParams.
FINAL_MOVE: dict[str, Callable[[SearchNode[Any]], tuple[float, ...]]] = {
    "visits": lambda child: (child.visits, child.value or 0),
    "visits_only": lambda child: (child.visits,),
    "value": lambda child: (-1 if child.value is None else child.value, child.visits),
}


class GameSearch(Generic[Move]):
    """Monte Carlo tree search of a game, on one tree that moves along with `advance`.

    game: copied. params: UctParams, of which exploration, rewards, tie_break, choice and keep_tree count; the others
    must be as in the preset "uct", the default. seed: as for Engine; the same seed and the same calls with limits in
    simulations give the same trees.

    selection: instead of UCB1, called as selection(visits, children) at each position on the way down: its visits
    before this simulation, and (visits, value) of each move, where value is the mean reward in [0, 1] for the player to
    move, None without visits. It returns a score for each move; the highest is selected, tie_break decides ties.

    rollout: instead of random moves, called as rollout(game, random) with a copy of the game and a random.Random. It
    returns the result for player 0: 1 for a win, 0 for a draw, -1 for a loss, or anything between.

    Raises GameOverError for a finished game.
    """

    def __init__(
        self,
        game: Game[Move],
        params: SearchParams | None = None,
        *,
        selection: Selection | None = None,
        rollout: Rollout | None = None,
        seed: Seed = None,
    ) -> None:
        self._params = searchable(UctParams.preset("uct") if params is None else params)
        win, draw, loss = self._params.rewards
        self._draw = (draw - loss) / (win - loss)  # reward of a draw, where a win counts 1 and a loss 0
        ucb = ucb1(self._params.exploration / (win - loss))
        self._selection = ucb if selection is None else function("selection", selection)
        self._rollout = random_rollout if rollout is None else function("rollout", rollout)
        low, high = generator_state(seed)
        self._random = Random(high << 64 | low)
        self._game: Game[Move] = unfinished_copy_of("game", game)
        self._stopped = False
        self.forget()

    def _simulate(self) -> None:
        game, node = self._game.copy(), self.root
        path = [node]

        # 1. Select: go down the tree, from each position to the child with the highest score.
        while node.children:
            node = self._select(game, node, path)

        # 2. Expand: a leaf gets its children at its second visit, the root at its first. One of them is visited.
        if (node.visits or node is self.root) and not game.is_over():
            node.children = [SearchNode(move, game.turn) for move in moves_of(game)]
            node = self._select(game, node, path)

        # 3. Rollout: play on to the end of the game.
        result = self._rollout(game, self._random)
        if not (isinstance(result, Real) and -1 <= float(result) <= 1):
            moves = [node.move for node in path[1:]]
            raise ValueError(f"rollout from {brief(self._game)} after {moves} must give -1 to 1, not {brief(result)}")

        # 4. Backup: each node on the path counts the reward of the player who moved there.
        for node in path:
            node.visits += 1
            node.total += self._reward(float(result) if node.mover == 0 else -float(result))

    def _select(self, game: Game[Any], node: SearchNode[Any], path: list[SearchNode[Any]]) -> SearchNode[Any]:
        """Play the move with the highest score, and return its node. ValueError, which names the position."""
        statistics, problem = [(child.visits, child.value) for child in node.children], ""
        try:
            scores = [float(score) for score in self._selection(node.visits, statistics)]
            if len(scores) != len(statistics) or any(map(math.isnan, scores)):
                problem = f"must give {len(statistics)} numbers"
        except (ArithmeticError, TypeError, ValueError) as error:
            problem = described(error)
        if problem:
            raise ValueError(f"selection at {brief(game)}, with (visits, value) of the moves {statistics}: {problem}")
        child = self._highest(node.children, scores)
        if not child.visits:
            child.added = node.visits
        game.push(child.move)
        path.append(child)
        return child

    def _highest(self, children: list[SearchNode[Any]], scores: Sequence[Any]) -> SearchNode[Any]:
        """The child with the highest score; of several the first, a random or the last added one: see tie_break."""
        highest, rule = max(scores), self._params.tie_break
        best = [child for child, score in zip(children, scores, strict=True) if score == highest]
        if rule == "last_added" and best[0].visits:
            return max(best, key=lambda child: child.added)
        return best[0] if rule == "first" else self._random.choice(best)

    def _reward(self, result: float) -> float:
        return self._draw + result * (1 - self._draw if result > 0 else self._draw)

    def search(self, *, simulations: int | None = None, seconds: float | None = None) -> "GameResult[Move]":
        """Search until the first of the limits is reached, but make at least one simulation; and choose a move.

        The search continues the tree of the last call, unless the parameters have keep_tree=False. Exceptions of the
        game and Ctrl-C are raised here; the next search continues the tree.

        Raises GameOverError for a finished game.
        """
        limits = Limits(simulations, seconds)
        if limits.simulations == COLUMNS:
            raise ValueError(f"simulations={COLUMNS!r} is for an Engine only: a Game has no columns")
        if self._game.is_over():
            raise GameOverError(f"game: the game is over: {brief(self._game)}")
        if not self._params.keep_tree:
            self.forget()
        self._stopped, timer, done = False, Timer(limits.seconds), 0
        while not done or not (self._stopped or done == limits.simulations or timer.is_over()):
            self._simulate()
            done += 1
        children = self.root.children
        best = self._highest(children, [FINAL_MOVE[self._params.choice](child) for child in children])
        moves = tuple(GameMove(child.move, child.visits, child.value) for child in children)
        node, line = best, [best.move]  # and the most visited replies, to the first that was visited only once
        while node.children and (node := max(node.children, key=lambda child: child.visits)).visits > 1:
            line.append(node.move)
        return GameResult(best.move, best.value, done, timer.elapsed, tuple(line), moves)

    def stop(self) -> None:
        """End the running search after its current simulation; it returns its result. Any thread may call this."""
        self._stopped = True

    def forget(self) -> None:
        """Discard the tree; the random numbers continue, so the next search differs from the last one."""
        self.root: SearchNode[Any] = SearchNode(None, 1 - self._game.turn)  # the node of `game`, for a look at the tree

    def advance(self, move: Move) -> None:
        """Play a move at the root and keep its subtree. IllegalMoveError for an illegal one, which changes nothing."""
        legal = [] if self._game.is_over() else list(self._game.legal_moves)
        if move not in legal:
            raise IllegalMoveError(must_be("move", f"one of {', '.join(map(repr, legal)) or 'none'}", move))
        node = SearchNode(move, self._game.turn)
        self.root = next((child for child in self.root.children if child.move == move), node)
        self._game.push(move)

    @property
    def game(self) -> Game[Move]:
        """A copy of the game at the root."""
        return self._game.copy()


@dataclass(frozen=True, slots=True)
class GameMove(Generic[Move]):
    """Statistics of one legal move of the root, for the player to move there."""

    move: Move
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits


@dataclass(frozen=True, slots=True)
class GameResult(Generic[Move]):
    """The move to play, and the statistics behind it; values are in [0, 1] for the player to move at the root."""

    move: Move
    value: float | None  # of the move; None if it was never tried
    simulations: int  # made by this call; the tree may hold more from earlier ones
    seconds: float  # wall clock
    pv: tuple[Move, ...]  # principal variation: the move and the best replies
    moves: tuple[GameMove[Move], ...]  # every legal move, in the game's order

    def __str__(self) -> str:
        """A readable table: a headline, then one line per move."""
        width = max(len("move"), *(len(repr(each.move)) for each in self.moves))
        head = f"move {self.move!r}, {counted(self.simulations, 'simulation')} in {self.seconds:.2f} s"
        lines = [head, "", f"  {'move':>{width}}      visits  value"]
        for each in self.moves:
            value = "    -" if each.value is None else f"{each.value:5.3f}"
            lines.append(f"{'>' if each.move == self.move else ' '} {each.move!r:>{width}}  {each.visits:10,}  {value}")
        return "\n".join(lines)


def searchable(params: SearchParams) -> UctParams:
    """The parameters, checked. TypeError, or ValueError naming the field that a search of any game does not have."""
    settings, plain = uct_params(params), UctParams.preset("uct")
    free = {"exploration", "rewards", "tie_break", "choice", "keep_tree", "checks"}  # no Game has `checks`
    for name in [each.name for each in fields(settings) if each.name not in free]:
        if getattr(settings, name) != getattr(plain, name):
            text = f"{name}={getattr(settings, name)!r} is for an Engine only"
            raise ValueError(f"{text}: a GameSearch has {name}={getattr(plain, name)!r}")
    if settings.choice not in FINAL_MOVE:
        raise ValueError(f"choice={settings.choice!r} is for an Engine only")
    return settings


def unfinished_copy_of(name: str, game: Any) -> Any:
    """A copy of an unfinished Game; of a Board also from its text.

    TypeError for anything else, ValueError for a bad copy, GameOverError.
    """
    if isinstance(game, str):
        return unfinished(game, name)
    missing = [member for member in MEMBERS if not hasattr(game, member)]
    if missing or isinstance(game, type):
        raise TypeError(must_be(name, "a Game", game) + (f": it has no {', no '.join(missing)}" if missing else ""))
    copy = game.copy()
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {brief(copy)}")
    before = copy.turn, list(moves_of(copy))
    moved = copy.copy()
    moved.push(before[1][0])
    if copy.is_over() or (copy.turn, list(copy.legal_moves)) != before:
        raise ValueError(f"{name}: a move played on a copy made by {type(game).__name__}.copy() changed the original")
    if turns := {before[0], before[0] if moved.is_over() else moved.turn} - {0, 1}:
        raise ValueError(must_be(f"{name}.turn", "0 or 1, the player to move", turns.pop()))
    return copy
