"""GameSearch: Monte Carlo tree search of any Game, in plain Python."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Generic

from .._backend import load, load_games
from .._layout import DISTANCE_MASK, MIN_LINE_VISITS, ROOT
from .._timer import Timer
from .._validation import function, positive, refused, shown
from ..errors import GameOverError, IllegalMoveError
from ..search.limits import COLUMNS, Limits, TimeManager
from ..search.params import SearchParams, UctParams, uct_params
from ..search.root_moves import NOTHING, Bound, Proof, Proven, exact_value
from ..search.verdicts import proof_text, proven_of, verdict
from ..seeds import Seed, generator_state
from .game import Game, Move, a_game, copy_of, is_among

Selection = Callable[[int, list[tuple[int, float | None]]], Iterable[float]]

PURE = load("pure")
DEFAULT = UctParams.preset("uct", proofs=True)
# The fields of UctParams that a search of any game supports; the others must be as in plain UCT.
SUPPORTED = {
    "selection",
    "exploration",
    "first_play",
    "rewards",
    "proofs",
    "tie_break",
    "choice",
    "checks",
    "keep_tree",
    "max_nodes",
}
BEST_SCORE = DISTANCE_MASK + 1  # of a win with the next move


@dataclass(frozen=True, slots=True)
class GameMove(Generic[Move]):
    """Statistics of one legal move of the root, for the player to move there."""

    move: Move
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits
    proof: Proof | None
    distance: int | None  # if a win or a loss is proven, plies from the root to the end of the game: see bound
    bound: Bound | None  # "exact" or "at most", see MoveStats; None without a distance


@dataclass(frozen=True, slots=True, repr=False)
class GameResult(Generic[Move]):
    """The move to play, and the statistics behind it; values are in [0, 1] for the player to move at the root."""

    move: Move
    proof: Proof | None  # of the root
    distance: int | None  # if a win or a loss is proven, plies to the end of the game: see bound
    bound: Bound | None  # "exact" or "at most", see MoveStats; None without a distance
    simulations: int  # made by this call; the tree may hold more from earlier ones
    nodes: int  # in the tree, children without visits included
    seconds: float  # wall clock
    pv: tuple[Move, ...]  # principal variation: the move and the best replies
    moves: tuple[GameMove[Move], ...]  # every legal move, in the game's order

    @property
    def value(self) -> float | None:
        """Mean reward of the move to play; None if it was never tried."""
        return next(one.value for one in self.moves if one.move == self.move)

    def _head(self) -> str:
        return (
            f"move {self.move!r}, {verdict(self.value, proven_of(self))}, "
            f"{self.simulations:,} simulations in {self.seconds:.2f} s, {self.nodes:,} nodes"
        )

    def __repr__(self) -> str:
        """One line; print shows a table."""
        return f"<GameResult {self._head()}>"

    def __str__(self) -> str:
        """A readable table: a headline, then one line per move."""
        width = max(len("move"), *(len(repr(move.move)) for move in self.moves))
        lines = [self._head(), "", f"  {'move':>{width}}      visits  value  proof"]
        for move in self.moves:
            value = "    -" if move.value is None else f"{move.value:5.3f}"
            proof = proof_text(proven_of(move))
            mark = ">" if move.move == self.move else " "
            lines.append(f"{mark} {move.move!r:>{width}}  {move.visits:10,}  {value}  {proof}".rstrip())
        return "\n".join(lines)


class GameSearch(Generic[Move]):
    """Monte Carlo tree search of a game in plain Python, on one tree that moves along with `advance`.

    game: copied. params: UctParams; the default is the preset "uct" with proofs. Rollouts are random; there are no
    probes, transpositions or max_bytes. seed: as for Engine; the same seed and the same calls with limits in
    simulations or nodes give the same trees.

    selection: your own function instead of UCB, called as selection(visits, children) at each position on the way down:
    its visits before this simulation, and (visits, value) of each move, where value is the mean reward in [0, 1]
    for the player to move, None without visits. It returns a score for each move; the highest is selected, with ties
    decided by tie_break. Moves that can't be better than a proven outcome are never selected.

    Serves one thread at a time, except for `stop`. Raises TypeError or ValueError for bad arguments, and for a game
    that does not follow the protocol.
    """

    def __init__(
        self,
        game: Game[Move],
        params: SearchParams | None = None,
        *,
        selection: Selection | None = None,
        seed: Seed = None,
    ) -> None:
        self._params = DEFAULT if params is None else searchable(params)
        max_moves = getattr(a_game("game", game), "max_moves", None)
        if max_moves is not None:
            max_moves = positive("max_moves", max_moves)
        self._lock = threading.Lock()
        self._stop = False
        root = copy_of("game", game)
        state = generator_state(seed)
        if selection is not None:
            function("selection", selection)
        self._searcher: Any = load_games().GameSearcher(self._params.settings(), state, root, max_moves, selection)

    @property
    def game(self) -> Game[Move]:
        """A copy of the game at the root."""
        return self._root().copy()

    @property
    def params(self) -> UctParams:
        """The parameters, as validated by the constructor."""
        return self._params

    def search(
        self, *, simulations: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> GameResult[Move]:
        """Search until the first of the limits is reached (see Limits), and choose a move.

        The search continues the tree of the last call, unless the parameters have keep_tree=False; a proven root ends
        it. After Ctrl-C, or an exception in the game, both of which are raised here, the next search starts a new tree.

        Raises GameOverError for a finished game, TypeError or ValueError for bad limits and for a game that breaks the
        rules of Game.
        """
        limits = Limits(simulations, seconds, nodes)
        if limits.simulations == COLUMNS:
            raise ValueError(f"simulations={COLUMNS!r} is for an Engine only: a Game has no columns")
        with self._alone():
            self._stop = False
            if self._root().is_over():
                raise GameOverError(f"game: the game is over: {self._root()!r}")
            if not self._params.keep_tree:
                self._searcher.forget()
            timer = Timer(limits.seconds)
            manager = TimeManager(limits, timer)
            searcher = self._searcher
            while not searcher.is_proven() and (count := manager.next_slice()):
                manager.record(searcher.simulate(count, manager.max_nodes))
                if searcher.used() >= manager.max_nodes or self._stop:
                    break
            return self._result(manager.simulations, timer.elapsed)

    def stop(self) -> None:
        """End the running search soon, after about 10 ms; it returns its result. Any thread may call this."""
        self._stop = True

    def forget(self) -> None:
        """Discard the tree; the random numbers continue, so the next search differs from the last one."""
        with self._alone():
            self._searcher.forget()

    def advance(self, move: Move) -> None:
        """Play a move at the root and keep its subtree. IllegalMoveError for an illegal one, which changes nothing."""
        with self._alone():
            root = self._root()
            if root.is_over():
                raise IllegalMoveError(f"move {shown(move)} can't be played: the game is over")
            legal = list(root.legal_moves)
            if not is_among(move, legal):
                raise IllegalMoveError(refused("move", f"one of {', '.join(map(repr, legal))}", move))
            after = root.copy()
            after.push(move)
            self._searcher.advance(move, after)

    def __repr__(self) -> str:
        return f"<GameSearch of {type(self._root()).__name__}, {self._searcher.used():,} nodes>"

    def _alone(self) -> threading.Lock:
        """The lock to hold during a call."""
        if self._lock.locked():
            raise RuntimeError(
                "this search is at work, in another thread or in its own game: use one searcher per thread"
            )
        return self._lock

    def _root(self) -> Game[Move]:
        game: Game[Move] = self._searcher.root.game
        return game

    def _result(self, simulations: int, seconds: float) -> GameResult[Move]:
        searcher = self._searcher
        nodes = {child.column: child for child in searcher.children(searcher.node(ROOT))}
        legal = list(self._root().legal_moves)
        known = [self._known(nodes.get(move)) for move in legal]
        moves = tuple(_statistics(*pair) for pair in zip(legal, known, strict=True))
        # the generator does not advance: results must not change the search
        (random_bits,), _ = PURE.numbers.stream(searcher.state(), 1)
        best = moves[PURE.moves.choose(known, len(known), self._params.settings(), random_bits)]
        proven = _proven(max(each.lower for each in known), max(each.upper for each in known))
        return GameResult(
            move=best.move,
            **proven._asdict(),
            simulations=simulations,
            nodes=searcher.used(),
            seconds=seconds,
            pv=(best.move, *self._line(nodes.get(best.move))),
            moves=moves,
        )

    def _known(self, node: Any) -> Any:
        """The facts about a move, as in `moves` of the backends; node: None if the root has no children.

        A win with the next move counts BEST_SCORE, and one less for each ply that it takes longer; a loss the negative.
        """
        settings, moves = self._params.settings(), PURE.moves
        known = moves.Move()
        known.wins = known.answers = False
        known.lower, known.upper = -BEST_SCORE, BEST_SCORE
        known.visits, known.share, known.short_win = 0, -1.0, 0
        known.prior = known.weight = 0.0
        if node is not None:
            if settings.proofs or settings.checks:
                score = BEST_SCORE - (node.proof & DISTANCE_MASK)
                moves.narrow_by_proof(known, node.proof, score, BEST_SCORE)
            known.visits = node.visits
            known.share = node.value_sum / (settings.win * node.visits) if node.visits else -1.0
        proof = _proven(known.lower, known.upper).proof
        if proof is not None:
            known.share = exact_value(proof, settings)
        return known

    def _line(self, node: Any) -> list[Move]:
        """The best moves below a node, to the first that is neither proven nor visited more than once."""
        line: list[Move] = []
        while node is not None and node.size:
            node = max(self._searcher.children(node), key=lambda child: PURE.proofs.rank(child.proof, child.visits))
            if node.visits < MIN_LINE_VISITS and not node.proof:
                break
            line.append(node.column)
        return line


def searchable(params: SearchParams) -> UctParams:
    """The parameters, checked. TypeError, or ValueError naming the field that a search of any game does not support."""
    given = uct_params(params)
    for name in [field.name for field in fields(given) if field.name not in SUPPORTED]:
        value, plain = getattr(given, name), getattr(DEFAULT, name)
        if value != plain:
            raise ValueError(f"{name}={value!r} is for an Engine only: a GameSearch has {name}={plain!r}")
    if given.choice == "ucb_short_win":
        raise ValueError('choice="ucb_short_win" is for an Engine only')
    return given


def _statistics(move: Move, known: Any) -> GameMove[Move]:
    value = None if known.share < 0 else known.share
    return GameMove(move, known.visits, value, *_proven(known.lower, known.upper))


def _proven(lower: int, upper: int) -> Proven:
    bound: Bound = "exact" if lower == upper else "at most"
    if lower > 0:
        return Proven("win", BEST_SCORE + 1 - lower, bound)
    if upper < 0:
        return Proven("loss", BEST_SCORE + 1 + upper, bound)
    return Proven("draw", None, None) if lower == upper else NOTHING
