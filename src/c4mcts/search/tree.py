"""EngineTree: one search tree with its root position, its solver, and the bounds of the root's columns."""

from collections.abc import Callable, Iterable, Sequence
from itertools import starmap
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import Backend
from .._timer import Timer
from .._validation import between, must_be
from ..board.board import Board
from ..rules import Rules, fits_solver
from ..solver.book import Book, book_for
from ..solver.verdict import plies_of
from .evaluation import Evaluate, Evaluator, checked
from .network import shipped_network
from .params import NetworkParams, SearchParams, UctParams
from .refinement import Refinement
from .results import SearchResult, decided
from .root_moves import RootMoves
from .serialization import Saved, State, checked_state, fault_of_counts
from .tree_reader import NodeCopy, TreeNode, line_between, node_at

NODE = UctParams.node_type  # what all nodes have
ESTIMATE = np.dtype(_layout.ESTIMATE_FIELDS)
_NODE_NAMES = frozenset(name for name, _ in _layout.NODE_FIELDS)


class EngineTree:
    """Grows by simulations, moves along a game, and can be saved and restored.

    Not thread-safe: Engine holds its lock during every call.
    """

    def __init__(
        self,
        backend: Backend,
        params: SearchParams,
        threads: int,
        seed: State,
        evaluator: Evaluator | None = None,
        book: Book | None = None,
    ) -> None:
        self._backend = backend
        self.params = params
        self.threads = threads
        self._settings = params.settings._replace(threads=threads, shared=threads > 1)
        self.seed = seed  # the state of the generator at the start
        self._state = seed  # its state when the first searcher is made
        # instead of rollouts: a network in the backend, or an evaluator, or neither
        self._network: Any = None
        self._evaluator = evaluator
        if isinstance(params, NetworkParams):
            self._network, self._evaluator = shipped_network() if evaluator is None else evaluator, None
        self._has_means = self._evaluator is not None  # nodes have means of evaluations, not sums of rewards
        self._user_book = book
        self._book: Book | None = None  # for the rules of the tree
        self._evaluate: Evaluate | None = None  # the evaluator wrapped for the rules of the tree
        self._noise: list[float] = []  # of the root's children, in column order; empty for none
        self._roots = 0  # how many positions have been the root; each has its own noise
        self.searcher: Any = None  # the backend's part of the tree; None before the first search
        self._solver: Any = None  # for probes; its table is kept from move to move
        self.board: Board | None = None  # the root; None while there is no tree, or no valid one
        self._moves: RootMoves | None = None  # of the root
        self._only: Sequence[int] | None = None  # the columns that the root may play; None for all
        self._lines: dict[int, tuple[int, ...]] = {}  # of best play from the root, by the column that begins them
        self.max_visits = 0  # of the root, before a node's value_sum might overflow: see _begin_root
        self._player: int | None = None  # to move at the root of the last search; matters for random_opponent

    def set_position(self, board: Board, only: Sequence[int] | None = None) -> None:
        """Make the board the root: keep its subtree if the tree holds it and can grow on, else start a new tree.

        only: the columns that it may play, in order; None for all.
        """
        if not self.params.keep_tree:
            self.forget()
        line = None
        if self.board is not None and not (self._settings.random_opponent and self._player != board.turn):
            line = line_between(self.nodes, self.board, board)
        is_kept = line is not None and only == (None if line else self._only)
        if is_kept and line:
            self.advance(line)
        if not is_kept or self.visits() >= self.max_visits:
            self._start(board, only)
        self._player = board.turn

    def advance(self, line: list[int]) -> None:
        """Move the root along these columns; where the tree or memory ends, a new tree starts. There must be a root."""
        root = self.board
        assert root is not None
        board = root.after(*line)
        self.board = None  # an exception on the way leaves no valid tree
        try:  # moving nodes would lose the order in which children were added
            is_kept = self._settings.ties != _layout.LAST_ADDED and self.searcher.advance(line)
        except MemoryError:
            is_kept = False
        if is_kept:
            self._begin_root(board)
        else:
            self.board = root
            self._start(board)

    def forget(self) -> None:
        """Drop the tree and the solver's table, and free their memory; the generator keeps its state."""
        if self.searcher is not None:
            self._state = self.searcher.state()
        self.board = self.searcher = self._solver = None

    def reset(self) -> None:
        """Forget the tree, and set the generator back to its state at the start."""
        self.forget()
        self._state, self._roots = self.seed, 0

    def _start(self, board: Board, only: Sequence[int] | None = None) -> None:
        """Start a new tree; for the same rules the solver's table is kept. only: see set_position."""
        if self.board is None or self.board.rules != board.rules:
            self._make_searcher(board.rules)
        self.board = None
        columns = _layout.ALL_COLUMNS if only is None else sum(1 << column for column in only)
        self.searcher.set_root(board.own, board.mask, columns)
        self._begin_root(board, only=only)

    def _make_searcher(self, rules: Rules) -> None:
        """Make a searcher and a solver for other rules; the generator keeps its state."""
        state = self._state if self.searcher is None else self.searcher.state()
        probes = self.params.probes and fits_solver(rules)
        bits = (_layout.PROBE_TABLE_BITS,) * 2
        self._solver = self._backend.new_solver(rules, self.threads, bits, is_for_probes=True) if probes else None
        self._book = self._book_for(rules) if self.params.book else None
        if self._evaluator is None:
            book = None if self._book is None else self._book.twin(self._backend.name)
            network = None if self._network is None else self._network.twin(self._backend.name, rules)
            self.searcher = self._backend.search.Searcher(rules, self._settings, state, self._solver, book, network)
        else:
            self._evaluate = checked(self._evaluator, rules, self._settings.signed_planes)
            self.searcher = self._backend.puct.PuctSearcher(rules, self._settings, state, None)

    def _book_for(self, rules: Rules) -> Book | None:
        """The book for these rules: the user's, else the one of the package."""
        if self._user_book is not None and self._user_book.rules == rules:
            return self._user_book
        return book_for(True, rules)

    def _begin_root(self, board: Board, moves: RootMoves | None = None, only: Sequence[int] | None = None) -> None:
        """Set what belongs to a new root, once the searcher has its tree: from here on the tree is valid.

        moves: of a restored tree, which keeps the noise of the saved one.
        """
        if moves is None:
            self._roots += 1
            moves = RootMoves(self._backend, board, checks=self.params.checks, book=self._book, only=only)
        size, numbers = len(board.legal_columns if only is None else only), self._backend.numbers
        if self._settings.alpha:
            self._noise = numbers.root_noise(self.seed, self._roots, self._settings.alpha, size)
        elif self._settings.gumbel and self._settings.gumbel_scale:
            self._noise = numbers.root_gumbel(self.seed, self._roots, self._settings.gumbel_scale, size)
        if self._evaluator is not None:
            self.searcher.set_noise(self._noise)
        if self._settings.ties == _layout.LAST_ADDED:
            self.searcher.set_salt(numbers.root_salt(self.seed, self._roots))
        self._moves, self._only = moves, only
        self._lines = {}
        # a node that several moves lead to may have more visits than the root
        excess = self.searcher.most_visits() - self.visits()
        self.max_visits = _layout.MAX_VALUE_SUM // self._settings.win - excess
        self.board = board

    def grow(self, count: int, planned: int, max_nodes: int, stop: Callable[[], bool], milliseconds: int) -> None:
        """Run about `count` simulations of the `planned` ones that are left of a search: see Searcher.simulate.

        stop: called about every 10 ms; true ends the growth, as the time limit does. The tree does not depend on how a
        search is divided into calls, as long as each ends by its count.
        """
        if self._evaluate is None:
            self.searcher.simulate(count, max_nodes, stop, milliseconds)
        else:
            self.searcher.simulate(count, planned, max_nodes, self._evaluate, stop, milliseconds)

    def refinement(self, simulations: int, columns: bool, timer: Timer, stop: Callable[[], bool]) -> Refinement | None:
        """The search for exact scores at a proven root, in about the time of this number of simulations.

        columns: whether to find the scores of all columns and lines of best play, or the best score alone.
        None without a solver.
        """
        if self._solver is None:
            return None
        assert self.board is not None
        moves, lines = self.root_moves(), self._lines if columns else None
        book = self._book_for(self.board.rules) if columns else None
        if book is not None:
            moves.narrow_by_book(book, self.board)
        limit = min(self._solver.nodes() + simulations * _layout.NEAR_PROBE_NODES, _layout.UNLIMITED)
        return Refinement(moves, self.board, self._solver, limit, timer, stop, lines, book)

    def is_proven(self) -> bool:
        return bool(self.searcher.is_proven())

    def node_count(self) -> int:
        """Number of nodes; 0 before the first search."""
        return 0 if self.searcher is None else int(self.searcher.used())

    def visits(self) -> int:
        return int(self.searcher.visits())

    def nbytes(self) -> int:
        """Bytes of memory that the tree and the solver's table take."""
        return sum(part.nbytes() for part in (self.searcher, self._solver) if part is not None)

    def rows(self, first: int, count: int) -> npt.NDArray[np.void]:
        nodes = np.frombuffer(self.searcher.rows(first, count), dtype=NODE)
        if self.params.node_type == NODE:
            return nodes
        estimates = np.frombuffer(self.searcher.estimates(first, count), dtype=ESTIMATE)
        both = np.empty(count, dtype=self.params.node_type)
        for name in self.params.node_type.names or ():
            both[name] = (nodes if name in _NODE_NAMES else estimates)[name]
        return both

    def nodes(self, first: int, count: int) -> list[NodeCopy]:
        """Copies of `count` nodes, one by one."""
        return list(starmap(NodeCopy, self.rows(first, count).tolist()))

    def root_moves(self) -> RootMoves:
        """The moves of the root, with their statistics in the tree now; for a valid tree."""
        assert self._moves is not None
        self._moves.read_tree(self.searcher)
        return self._moves

    def result(self, *, simulations: int, seconds: float) -> SearchResult:
        """The result of a search so far, which has made these simulations in this time."""
        assert self.board is not None
        moves, settings = self.root_moves(), self._settings
        # the next 64 bits of the generator, which does not advance: reports must not change the search
        (random_bits,), _ = self._backend.numbers.stream(self.searcher.state(), 1)
        (root,) = self.nodes(_layout.ROOT, 1)
        # in the policy: other numbers than the visits
        weighs = settings.gumbel or settings.forced_visits > 0 or (self._has_means and root.visits == 1)
        return decided(
            self.board.copy(),
            moves,
            moves.moves(self._line, has_weights=root.size > 0 and weighs),
            settings,
            random_bits,
            root_value=self._root_value(root),
            simulations=simulations,
            nodes=self.node_count(),
            seconds=seconds,
        )

    def _root_value(self, root: NodeCopy) -> float | None:
        """Mean of the root, in [0, 1], for the player to move there."""
        if not root.visits:
            return None
        if self._has_means:
            return (1 - root.value) / 2
        children = self.nodes(root.children, root.size)
        visits, value_sum = sum(child.visits for child in children), sum(child.value_sum for child in children)
        if not visits:  # only the root itself was rolled out
            visits, value_sum = root.visits, self._settings.win * root.visits - root.value_sum
        return value_sum / (self._settings.win * visits)

    def _line(self, column: int, lower: int, upper: int) -> tuple[int, ...]:
        """The principal variation of a column with these bounds, continued by the book."""
        if column in self._lines:
            return self._lines[column]
        assert self.board is not None
        empty = self.board.rules.cells - self.board.ply
        proof = _layout.UNKNOWN
        if lower > 0 or upper < 0:  # plies after the column
            proof = _layout.WON + plies_of(lower, empty) - 1 if lower > 0 else _layout.LOST + plies_of(upper, empty) - 1
        elif lower == upper:
            proof = _layout.DRAWN
        line = [column, *self.searcher.line(column, proof)]
        if self._book is None:
            return tuple(line)
        return (*line, *self._book.line(self.board.after(*line)))

    def node(self, path: Iterable[SupportsIndex]) -> TreeNode:
        """The node that a path leads to from the root. ValueError without such a node, or without a tree."""
        if self.board is None:
            raise ValueError("there is no tree: search a position first")
        return node_at(self.nodes, self.board, self.params, path, self._noise, self.root_moves())

    def snapshot(self) -> Saved:
        """The state that a file keeps."""
        state = self._state if self.searcher is None else self.searcher.state()
        about: dict[str, Any] = {"params": self.params.to_dict(), "seed": self.seed, "roots": self._roots}
        about["state"] = state
        if self.board is None or self._only is not None:
            return about, np.zeros(0, self.params.node_type), np.zeros(0, np.uint64)
        about["board"] = self.board.to_fen()
        about["player"] = self._player
        about["wins"] = self.searcher.short_wins()
        about["bounds"] = list(self.root_moves().bounds().items())
        table = np.frombuffer(b"" if self._solver is None else self._solver.words(), "<u8")
        return about, self.rows(0, self.node_count()), table.astype(np.uint64, copy=False)

    def restore(self, about: dict[str, Any], nodes: npt.NDArray[np.void], table: npt.NDArray[np.uint64]) -> None:
        """Restore an untrusted snapshot into this new tree; what could crash a search is refused.

        Raises ValueError, TypeError, KeyError or OverflowError for anything that `snapshot` does not make.
        """
        self.seed = checked_state(about["seed"])
        self._roots = between("roots", about["roots"], 0, _layout.UNLIMITED)
        if "board" not in about:
            self._state = checked_state(about["state"])
            return
        board = Board.from_fen(about["board"])
        moves = RootMoves(self._backend, board, checks=self.params.checks)
        most = _layout.win_score(board.rules.cells, board.ply + 1)
        for column, (lower, upper) in about["bounds"]:
            if column not in board.legal_columns:
                raise ValueError(must_be("bounds", f"of one of the columns {board.legal_columns}", column))
            moves.narrow(column, (between("bounds", lower, -most, most), between("bounds", upper, -most, most)))
        wins = [between("wins", plies, 0, _layout.DISTANCE_MASK) for plies in about["wins"]]
        player = about["player"]
        self._make_searcher(board.rules)
        self._restore_nodes(nodes, board, checked_state(about["state"]), wins)
        words = table.astype("<u8", copy=False).view(np.uint8)
        if self._solver is not None and not self._solver.set_words(words):
            raise ValueError("the solver's table has another size, or scores that no game has")
        self._player = player if player is None else between("player", player, 0, 1)
        self._begin_root(board, moves)

    def _restore_nodes(self, rows: npt.NDArray[np.void], board: Board, state: State, wins: list[int]) -> None:
        """Restore the tree below a board with its evaluations, the generator's state and the searcher's short_wins."""
        if fault := fault_of_counts(rows, self._settings.win):
            raise ValueError(fault)
        data = rows if rows.dtype == NODE else rows[list(NODE.names or ())].astype(NODE)
        code, node = self.searcher.restore(board.own, board.mask, state, data.view(np.uint8), wins)
        if not code and board.is_over() and self.node_count() > 1:
            code = _layout.Fault.AFTER_END
        if code:
            raise ValueError(f"node {node}: {_layout.FAULT_MESSAGES[code]}")
        if rows.dtype != NODE:
            values = rows["value"] if "value" in (rows.dtype.names or ()) else np.zeros(len(rows))
            self.searcher.set_estimates(np.column_stack([values, rows["prior"]]).tobytes())
