"""GameSearch: the pure search on any Game, with a tree that moves along."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Generic

from .._backend import load, load_games
from .._layout import DISTANCE_MASK, ROOT
from .._validation import members, positive, refused, shown
from ..board.validation import search_params
from ..errors import GameOverError, IllegalMoveError
from ..search.limits import Limits, Pace
from ..search.move_selection import best_of, exact_value
from ..search.params import SearchParams
from ..search.results import Proof, verdict
from ..search.root_bounds import Bounds
from ..search.tree_reader import appeal, bounds_of
from ..seeds import Seed, generator_state
from .game import Game, Move

DEFAULT = SearchParams.preset("uct", proofs=True)
# What a search of any game knows; all else must be as in plain UCT.
CHOICES = {
    "selection",
    "exploration",
    "first_play",
    "expansion",
    "rewards",
    "proofs",
    "tie_break",
    "choice",
    "max_nodes",
}
MEMBERS = ("clone", "legal_moves", "play", "is_over", "result", "turn")
MAX_MOVES = 1_000_000  # they come out of an iterable, which may have no end
TOP = DISTANCE_MASK + 2  # score of a win in 0 plies


@dataclass(frozen=True, slots=True)
class GameMove(Generic[Move]):
    """One legal move of the root, seen by the player to move there."""

    move: Move
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits
    proof: Proof | None
    distance: int | None  # plies from the root within which a proven win or loss can be forced

    @property
    def short_win(self) -> None:
        """Not counted here."""


@dataclass(frozen=True, slots=True, repr=False)
class GameResult(Generic[Move]):
    """The move to play and what speaks for it; values are in [0, 1] for the player to move at the root."""

    move: Move
    value: float | None  # mean reward of that move; None if it was never tried
    proof: Proof | None  # of the root
    distance: int | None  # plies within which a proven win or loss can be forced
    simulations: int  # made by this call; the tree may hold more from earlier ones
    nodes: int  # in the tree, children without visits included
    seconds: float  # wall clock
    pv: tuple[Move, ...]  # the move and the most visited replies
    moves: tuple[GameMove[Move], ...]  # every legal move, in the game's order

    def _head(self) -> str:
        return (
            f"move {self.move!r}, {verdict(self.value, self.proof, self.distance)}, "
            f"{self.simulations:,} simulations in {self.seconds:.2f} s, {self.nodes:,} nodes"
        )

    def __repr__(self) -> str:
        """One line; print shows the table."""
        return f"<GameResult {self._head()}>"

    def __str__(self) -> str:
        """A table for people: a line for the whole, one for each move."""
        width = max(len("move"), *(len(repr(move.move)) for move in self.moves))
        lines = [self._head(), "", f"  {'move':>{width}}      visits  value  proof"]
        for move in self.moves:
            value = "    -" if move.value is None else f"{move.value:5.3f}"
            proof = "" if move.proof is None else verdict(None, move.proof, move.distance)
            mark = ">" if move.move == self.move else " "
            lines.append(f"{mark} {move.move!r:>{width}}  {move.visits:10,}  {value}  {proof}".rstrip())
        return "\n".join(lines)


class GameSearch(Generic[Move]):
    """Monte Carlo tree search of a game in plain Python, on one tree that moves along with `advance`.

    game: copied. params: a SearchParams; the default is the preset "uct" with proofs. Rollouts are random; there are no
    probes, transpositions or max_bytes. seed: as for Engine; the same seed and the same calls with limits in
    simulations or nodes give the same trees.

    Serves one thread at a time, except for `stop`. Raises TypeError or ValueError for bad arguments, and for a game
    that is none.
    """

    def __init__(self, game: Game[Move], params: SearchParams | None = None, *, seed: Seed = None) -> None:
        self._params = DEFAULT if params is None else _searchable(params)
        if isinstance(game, type):
            raise TypeError(f"game must be a Game, not the class {game.__name__}")
        missing = [name for name in MEMBERS if not hasattr(game, name)]
        if missing:
            raise TypeError(f"game must be a Game, but {type(game).__name__} has no {', no '.join(missing)}")
        most = getattr(game, "max_moves", None)
        if most is not None:
            most = positive("max_moves", most)
        self._lock = threading.Lock()
        self._stop = False
        root = _copied(game)
        state = generator_state(seed)
        self._searcher: Any = load_games().GameSearcher(self._params.settings(), state, root, most)

    @property
    def game(self) -> Game[Move]:
        """A copy of the game at the root."""
        return self._root().clone()

    @property
    def params(self) -> SearchParams:
        """The parameters."""
        return self._params

    def search(
        self, *, simulations: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> GameResult[Move]:
        """Search until the first of the limits is reached (see Limits), and say what to play.

        The tree of the last call is continued; a proven root ends the search. Ctrl-C and whatever the game raises are
        raised here and cost the tree, no more: the next search starts a new one.

        Raises GameOverError for a finished game, TypeError or ValueError for bad limits and for a game that breaks the
        rules of Game.
        """
        limits = Limits(simulations, seconds, nodes)
        with self._alone():
            self._stop = False
            if self._root().is_over():
                raise GameOverError(f"game: the game is over: {self._root()!r}")
            pace = Pace(limits)
            searcher = self._searcher
            while not searcher.is_proven() and (stretch := pace.stretch()):
                pace.done(searcher.simulate(stretch, pace.nodes))
                if searcher.used() >= pace.nodes or self._stop:
                    break
            return self._result(pace)

    def stop(self) -> None:
        """End the running search soon, after some 10 ms; it returns its result. Any thread may call this."""
        self._stop = True

    def advance(self, move: Move) -> None:
        """Play a move at the root and keep its subtree. IllegalMoveError for an illegal one, which changes nothing."""
        with self._alone():
            root = self._root()
            if root.is_over():
                raise IllegalMoveError(f"move {shown(move)} can't be played: the game is over")
            legal = list(root.legal_moves())
            if not _is_among(move, legal):
                raise IllegalMoveError(refused("move", f"one of {', '.join(map(repr, legal))}", move))
            after = root.clone()
            after.play(move)
            self._searcher.advance(move, after)

    def __repr__(self) -> str:
        return f"<GameSearch of {type(self._root()).__name__}, {self._searcher.used():,} nodes>"

    def _alone(self) -> threading.Lock:
        """The lock to hold during a call."""
        if self._lock.locked():
            raise RuntimeError("this search is at work, in another thread or in its own game: use one a thread")
        return self._lock

    def _root(self) -> Game[Move]:
        game: Game[Move] = self._searcher.root.game
        return game

    def _result(self, pace: Pace) -> GameResult[Move]:
        searcher = self._searcher
        nodes = {child.column: child for child in searcher.children(searcher.node(ROOT))}
        bounds = {move: _bounds(nodes.get(move)) for move in self._root().legal_moves()}
        moves = tuple(self._move(move, nodes.get(move), known) for move, known in bounds.items())
        # a look at the generator's next word, not a draw: results must not change the search
        (word,), _ = load("pure").rng.stream(searcher.state(), 1)
        best = best_of(moves, lambda move: bounds[move.move], self._params, word)
        proof, distance = _proof(max(low for low, _ in bounds.values()), max(high for _, high in bounds.values()))
        return GameResult(
            move=best.move,
            value=best.value,
            proof=proof,
            distance=distance,
            simulations=pace.simulations,
            nodes=searcher.used(),
            seconds=pace.seconds,
            pv=(best.move, *self._line(nodes.get(best.move))),
            moves=moves,
        )

    def _move(self, move: Move, node: Any, bounds: Bounds) -> GameMove[Move]:
        """What node and bounds say of a move; node: None if the root has no children."""
        visits = 0 if node is None else node.visits
        value = node.value_sum / (self._params.settings().win * visits) if visits else None
        proof, distance = _proof(*bounds)
        if proof is not None:
            value = exact_value(proof, self._params)
        return GameMove(move, visits, value, proof, distance)

    def _line(self, node: Any) -> list[Move]:
        """The best moves below a node, as far as two visits speak for them."""
        line: list[Move] = []
        while node is not None and node.size:
            node = max(self._searcher.children(node), key=lambda child: appeal(child.proof, child.visits))
            if node.visits < 2 and not node.proof:
                break
            line.append(node.column)
        return line


def _searchable(params: SearchParams) -> SearchParams:
    """The parameters, if a search of any game can do what they ask for."""
    params = search_params(params)
    for name in [field.name for field in fields(params) if field.name not in CHOICES]:
        value, plain = getattr(params, name), getattr(DEFAULT, name)
        if value != plain:
            raise ValueError(f"{name}={value!r} is for a Board only: a Game is searched with {name}={plain!r}")
    if params.choice == "ucb_short_win":
        raise ValueError('choice="ucb_short_win" is for a Board only')
    return params


def _copied(game: Any) -> Any:
    """A clone of a game, unless it is none, or the game does not begin as it should."""
    name, root = type(game).__name__, game.clone()
    if type(root) is not type(game):
        raise TypeError(f"{name}.clone() must return a {name}, not {shown(root)}")
    if not _is_among(root.turn, (0, 1)):
        raise ValueError(refused(f"{name}.turn", "0 or 1", root.turn))
    if not root.is_over() and (moves := members(f"{name}.legal_moves()", root.legal_moves(), "moves", MAX_MOVES)):
        if len(moves) > MAX_MOVES:
            raise ValueError(f"{name}.legal_moves() must be at most {MAX_MOVES} moves")
        try:
            hash(tuple(moves))
        except Exception as error:
            raise TypeError(f"{name}.legal_moves() must give keys for a dictionary: {error}") from None
        turn = root.turn
        root.clone().play(moves[0])
        if root.is_over() or root.turn != turn or list(root.legal_moves()) != moves:
            raise ValueError(f"{name}.clone() must be independent: a move played on it changed the game it came from")
    return root


def _is_among(value: object, allowed: Iterable[object]) -> bool:
    """Whether it is one of some keys; not if it is none, or can't be compared."""
    try:
        return value in set(allowed)
    except Exception:
        return False


def _bounds(node: Any) -> Bounds:
    """What is known of the score of a move of the root: TOP less the plies to a win, the negative of a loss."""
    proof = 0 if node is None else node.proof
    return bounds_of(proof, TOP - 1 - (proof & DISTANCE_MASK), TOP)


def _proof(lower: int, upper: int) -> tuple[Proof | None, int | None]:
    """An outcome with the plies it takes, if the bounds of the score say so."""
    if lower > 0:
        return "win", TOP - lower
    if upper < 0:
        return "loss", TOP + upper
    return ("draw", None) if lower == upper else (None, None)
