"""One tree with its root, its solver, and what is known of the root's columns: all that a search leaves behind."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import Backend
from ..board.board import Board
from ..rules import Rules
from ..solver.solution import fits_word, new_solver
from .evaluators import Evaluate, Evaluator, checked
from .params import SearchParams
from .root_bounds import Bounds, Narrowing
from .tree_reader import TreeReader, line_between

NODE = np.dtype(_layout.NODE_FIELDS)
ESTIMATE = np.dtype(_layout.ESTIMATE_FIELDS)
JUDGED_NODE = np.dtype(_layout.NODE_FIELDS + _layout.ESTIMATE_FIELDS)
State = tuple[int, int]  # of a generator: two words of 64 bits, not both zero


class Tree:
    """Grows by simulations, moves along a game, and can be written down and taken over.

    The engine sees to it that only one call is at work in it.
    """

    def __init__(
        self, backend: Backend, params: SearchParams, threads: int, seed: State, evaluator: Evaluator | None = None
    ) -> None:
        self._backend = backend
        self._params = params
        self._settings = params.settings()._replace(threads=threads)
        self.seed = seed  # of the generator, to start from
        self._evaluator = evaluator  # None for searches by rollouts
        self._evaluate: Evaluate | None = None  # the same for the rules of the tree
        self._roots = 0  # how many positions have been its root, for the noise
        self._searcher: Any = None
        self._solver: Any = None  # for probes; its table is kept from move to move
        # The root; None while there is no tree, or one that is not to be trusted.
        self.board: Board | None = None
        self._narrowing: Narrowing | None = None  # what is known of its columns
        self._ahead = 0  # how many more visits than the root some node has: children may be shared
        self._player: int | None = None  # for whom it was grown: whose opponent plays at random, if so asked

    def place(self, board: Board) -> None:
        """Make the board the root: of the old tree's subtree if it holds the position, else of a new tree."""
        line = None
        if self.board is not None and not (self._settings.random_opponent and self._player != board.turn):
            line = line_between(self.rows, self.board, board)
        if line != []:
            self.move(board, line)
        if self.room() == 0:
            self.move(board, None)
        self._player = board.turn

    def move(self, board: Board, line: list[int] | None) -> None:
        """Move the root along a line of moves to the board; without a line, or memory for it, start a new tree."""
        rules, self.board = self.board and self.board.rules, None  # until all is done, there is no tree
        try:
            kept = bool(line) and self._searcher.advance(line)
        except MemoryError:
            kept = False
        if not kept:
            if rules != board.rules:
                state = self.seed if self._searcher is None else self._searcher.state()
                probes = self._params.probes and fits_word(board.rules)
                self._solver = new_solver(self._backend, board.rules, _layout.PROBE_TABLE_BITS) if probes else None
                self._searcher = self._new_searcher(board.rules, state)
            self._searcher.set_root(board.own, board.mask)
        self._roots += 1
        self._make_noise(board)
        self._narrowing = Narrowing(board)
        self._ahead = self._searcher.most_visits() - self.visits()
        self.board = board

    def _new_searcher(self, rules: Rules, state: State) -> Any:
        if self._evaluator is None:
            return self._backend.search.Searcher(rules, self._settings, state, self._solver)
        self._evaluate = checked(self._evaluator, rules, self._settings.signed_planes)
        return self._backend.puct.PuctSearcher(rules, self._settings, state, None)

    def _make_noise(self, board: Board) -> None:
        """Draw the noise of a new root; it depends on the seed and on how many roots there have been."""
        if self._params.root_noise is not None:
            chance = np.random.default_rng([*self.seed, self._roots])
            alpha, _ = self._params.root_noise
            self._searcher.set_noise(chance.dirichlet([alpha] * len(board.legal_columns)).tolist())

    def simulate(self, count: int, most: int, enough: int, poll: Callable[[], object]) -> int:
        """Grow by about `count` simulations, never more than `most`; returns how many (see Searcher.simulate)."""
        if self._evaluator is None:
            return int(self._searcher.simulate(count, enough, poll))
        # a batch is short, and the evaluator is Python, which looks up by itself
        return int(self._searcher.simulate(count, most, enough, self._evaluate))

    def narrow(self, simulations: int, poll: Callable[[], object]) -> None:
        """Spend what so many simulations may cost on the exact score of a proven root."""
        if self._solver is None:
            return
        assert self._narrowing is not None
        order = [move.column for move in sorted(self.reader().moves(), key=lambda move: -move.visits)]
        self._narrowing.run(self._solver, order, simulations * _layout.NEAR_PROBE_NODES, poll)

    def is_proven(self) -> bool:
        """Whether the outcome is certain."""
        return bool(self._searcher.is_proven())

    def used(self) -> int:
        """Number of nodes; 0 before the first search."""
        return 0 if self._searcher is None else int(self._searcher.used())

    def visits(self) -> int:
        """Visits of the root."""
        return int(self.rows(_layout.ROOT, 1)[0]["visits"])

    def room(self) -> int:
        """How many more simulations every node can count without overflow of its sums; one visits no node twice."""
        return max(0, _layout.MAX_VALUE_SUM // self._settings.win - self._ahead - self.visits())

    def nbytes(self) -> int:
        """Bytes of memory that tree and tables take."""
        return sum(part.nbytes() for part in (self._searcher, self._solver) if part is not None)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Of the rows."""
        return NODE if self._evaluator is None else JUDGED_NODE

    def rows(self, first: int, count: int) -> npt.NDArray[np.void]:
        """Copies of nodes, for reading."""
        nodes = np.frombuffer(self._searcher.rows(first, count), dtype=NODE)
        if self._evaluator is None:
            return nodes
        estimates = np.frombuffer(self._searcher.estimates(first, count), dtype=ESTIMATE)
        both = np.empty(count, dtype=JUDGED_NODE)
        for part in (nodes, estimates):
            for name in part.dtype.names or ():
                both[name] = part[name]
        return both

    def reader(self) -> TreeReader:
        """For looking at the tree from its root."""
        assert self.board is not None
        assert self._narrowing is not None
        return TreeReader(self.rows, self.board, self._params, self._narrowing, self._searcher.short_wins())

    def next_word(self) -> int:
        """A look at the generator's next word, not a draw: reports must not change the search."""
        (word,), _ = self._backend.rng.stream(self._searcher.state(), 1)
        return int(word)

    def fault(self) -> str:
        """What is wrong with the tree, and with which node; empty if it is sound."""
        if self.board is None:
            return ""
        fault, node = self._searcher.check()
        if fault:
            return f"node {node}: {_layout.FAULTS[fault]}"
        return "" if self._evaluator is None else _fault_of_estimates(self.rows(0, self.used()))

    def written(self) -> tuple[dict[str, Any], bytes, bytes]:
        """For a file: facts ready for JSON, the nodes, little-endian, and the solver's table."""
        facts: dict[str, Any] = {"seed": self.seed, "roots": self._roots}
        if self._searcher is not None:
            facts["state"] = self._searcher.state()
        if self.board is None or self._narrowing is None:
            return facts, b"", b""
        facts["board"] = self.board.to_fen()
        facts["player"] = self._player
        facts["wins"] = self._searcher.short_wins()
        facts["bounds"] = list(self._narrowing.all_bounds().items())
        nodes = self.rows(0, self.used()).astype(self.dtype.newbyteorder("<")).tobytes()
        return facts, nodes, b"" if self._solver is None else self._solver.words()

    def take_over(self, facts: dict[str, Any], nodes: bytes, table: bytes) -> None:
        """Become what was `written`; it is not trusted, every node is looked at.

        Raises ValueError, TypeError, KeyError or OverflowError for what can't be.
        """
        self.seed = two_words(facts["seed"])
        roots = facts["roots"]
        if type(roots) is not int or roots < 0:
            raise ValueError(f"the number of roots is {roots!r}")
        self._roots = max(0, roots - 1)
        if "board" not in facts:
            return
        board = Board.from_fen(facts["board"])
        player, wins, narrowing = _read_facts(facts, board)
        self.move(board, None)
        self.board = None
        rows = np.frombuffer(nodes, dtype=self.dtype.newbyteorder("<")).astype(self.dtype)
        self._take_over_nodes(rows, board, two_words(facts["state"]), wins)
        if self._evaluator is not None:
            self._take_over_estimates(rows)
        if self._solver is not None and not self._solver.set_words(table):
            raise ValueError("the solver's table has another size, or scores that no game has")
        for column, bounds in TreeReader(self.rows, board, self._params, narrowing, wins).proven().items():
            _add_bounds(narrowing, column, bounds)
        self._player, self._narrowing, self.board = player, narrowing, board
        self._ahead = self._searcher.most_visits() - self.visits()

    def _take_over_nodes(self, rows: npt.NDArray[np.void], board: Board, state: State, wins: list[int]) -> None:
        """The tree itself, under a board, with the generator's state and what the searcher's short_wins gave."""
        if len(rows) and int(rows["visits"].max()) > _layout.MAX_VALUE_SUM // self._settings.win:
            raise ValueError("a node has more visits than a tree can count")
        data = rows[list(NODE.names or ())].astype(NODE).tobytes()
        fault, node = self._searcher.restore(board.own, board.mask, state, data, wins)
        if not fault and board.is_over() and self.used() > 1:
            fault = _layout.FAULTS.index("it has children, though the game is over there")
        if fault:
            raise ValueError(f"node {node}: {_layout.FAULTS[fault]}")

    def _take_over_estimates(self, rows: npt.NDArray[np.void]) -> None:
        """The evaluator's part of restored nodes."""
        fault = _fault_of_estimates(rows)
        if fault:
            raise ValueError(fault)
        pairs = np.column_stack([rows["value"], rows["prior"]])
        self._searcher.set_estimates(pairs.tobytes())


def _read_facts(facts: dict[str, Any], board: Board) -> tuple[int | None, list[int], Narrowing]:
    """Of what was `written` about a board: for whom the tree was grown, plies to the soonest wins, exact bounds.

    Raises as `take_over` does.
    """
    player, wins, bounds = facts["player"], facts["wins"], facts["bounds"]
    if player not in (None, 0, 1) or isinstance(player, bool | float):
        raise ValueError(f"the player it was grown for is {player!r}")
    columns = board.legal_columns
    if not all(
        type(column) is int and column in columns and [type(number) for number in pair] == [int, int]
        for column, pair in bounds
    ):
        raise ValueError(f"the bounds of the columns are {bounds!r}")
    if (
        not isinstance(wins, list)
        or len(wins) != board.rules.width
        or not all(type(plies) is int and 0 <= plies < 2**13 for plies in wins)
    ):
        raise ValueError(f"the plies to the soonest wins are {wins!r}")
    narrowing = Narrowing(board)
    for column, (lower, upper) in bounds:
        _add_bounds(narrowing, column, (lower, upper))
    return player, wins, narrowing


def _add_bounds(narrowing: Narrowing, column: int, bounds: Bounds) -> None:
    """Add bounds that were read; ValueError if they contradict what is known of the column."""
    lower, upper = narrowing.bounds(column)
    if not narrowing.add(column, bounds):
        lower, upper = max(lower, bounds[0]), min(upper, bounds[1])
        raise ValueError(f"column {column} can't score at least {lower} and at most {upper}")


def _fault_of_estimates(rows: npt.NDArray[np.void]) -> str:
    """What is wrong with the evaluator's part of some nodes; empty if it is sound."""
    if not ((np.abs(rows["value"]) <= 1) & (rows["prior"] >= 0) & (rows["prior"] <= 1)).all():
        return "a value or a prior lies outside its bounds"
    return "a node has more evaluations than visits" if (rows["value_sum"] > rows["visits"]).any() else ""


def two_words(state: Any) -> State:
    """A generator's state, checked."""
    a, b = state
    if type(a) is not int or type(b) is not int or not (0 <= a < 2**64 and 0 <= b < 2**64 and (a or b)):
        raise ValueError(f"the state of the generator is {state!r}")
    return a, b
