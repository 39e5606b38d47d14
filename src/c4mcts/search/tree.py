"""EngineTree: one search tree with its root position, its solver, and the bounds of the root's columns; SearchRun: the
loop that grows it in short slices, with its limits and its reports; and pondering.
"""

import threading
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import starmap
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from .. import _layout, _platform
from .._backend import Backend
from .._timer import Timer
from ..board.board import Board
from ..executors.background import Background
from ..rules import Rules, fits_solver
from ..solver.book import Book, book_for
from ..solver.solver import new_solver
from .evaluators import Evaluate, Evaluator, checked
from .limits import Clock, Limits, TimeManager
from .network import network_for
from .params import SearchParams
from .refinement import Refinement
from .results import SearchResult
from .root_moves import RootMoves, best_first
from .serialization import (
    NODE,
    State,
    checked_state,
    facts_of_root,
    fault_of_estimates,
    narrow,
    row_type,
)
from .tree_reader import NodeCopy, TreeNode, TreeReader, line_between, node_at

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
        self.dtype = row_type(params)  # of a node in `rows`
        self._settings = params.settings()._replace(threads=threads, shared=threads > 1)
        self.seed = seed  # the state of the generator at the start
        self._state = seed  # its state when the first searcher is made
        # in place of rollouts: a network in the backend, or an evaluator, or neither
        self._network = network_for(params, evaluator)
        self._evaluator = None if self._network is not None else evaluator
        self._given_book = book
        self._book: Book | None = None  # for the rules of the tree
        self._evaluate: Evaluate | None = None  # the evaluator wrapped for the rules of the tree
        self._noise: list[float] = []  # of the root's children, in column order; empty for none
        self._roots = 0  # how many positions have been the root; each has its own noise
        self.searcher: Any = None  # the backend's part of the tree; None before the first search
        self._solver: Any = None  # for probes; its table is kept from move to move
        self.board: Board | None = None  # the root; None while there is no tree, or no valid one
        self._moves: RootMoves | None = None  # of the root, with what is known of them
        self._lines: dict[int, tuple[int, ...]] = {}  # of best play from the root, by the column that begins them
        self._excess = 0  # largest visit count of any node minus the root's (above 0 only with transpositions)
        self._player: int | None = None  # to move at the root of the last search; matters for random_opponent

    def set_position(self, board: Board) -> None:
        """Make the board the root: move there if the tree holds it and can grow on, else start a new tree."""
        if not self.params.keep_tree:
            self.forget()
        line = None
        if self.board is not None and not (self._settings.random_opponent and self._player != board.turn):
            line = line_between(self.nodes, self.board, board)
        if line != []:
            self.move(board, line)
        if self.remaining_visits() == 0:
            self.move(board, None)
        self._player = board.turn

    def forget(self) -> None:
        """Drop the tree and the solver's table, and free their memory; the generator keeps its state."""
        if self.searcher is not None:
            self._state = self.searcher.state()
        self.board = self.searcher = self._solver = None

    def move(self, board: Board, line: list[int] | None) -> None:
        """Move the root to the board, which a line of moves leads to; without a line, or memory for it, a new tree."""
        same_rules = self.board is not None and self.board.rules == board.rules
        self.board = None  # an exception on the way leaves no valid tree
        if not self._keep_subtree(line):
            if not same_rules:
                self._make_searcher(board.rules)
            self.searcher.set_root(board.own, board.mask)
        self._roots += 1
        self._begin_root(board, self._moves_of(board, self._book))

    def _moves_of(self, board: Board, book: Book | None = None) -> RootMoves:
        """The moves of a position, with what is known of them without a search."""
        return RootMoves(self._backend, board, checks=self.params.checks, book=book)

    def _keep_subtree(self, line: list[int] | None) -> bool:
        """Move the root along a line; False, with nothing changed, if the line leaves the tree or memory runs out."""
        if line is None:
            return False
        try:
            return bool(self.searcher.advance(line))
        except MemoryError:
            return False

    def _make_searcher(self, rules: Rules) -> None:
        """Make a searcher and a solver for other rules; the generator keeps its state."""
        state = self._state if self.searcher is None else self.searcher.state()
        probes = self.params.probes and fits_solver(rules)
        bits, threads = (_layout.PROBE_TABLE_BITS,) * 2, self._settings.threads
        self._solver = new_solver(self._backend, rules, threads, bits) if probes else None
        self._book = self._book_for(rules) if self.params.book else None
        if self._evaluator is None:
            book = None if self._book is None else self._book.twin(self._backend.name)
            network = None if self._network is None else self._network.twin(self._backend.name, rules)
            self.searcher = self._backend.search.Searcher(rules, self._settings, state, self._solver, book, network)
        else:
            self._evaluate = checked(self._evaluator, rules, self._settings.signed_planes)
            self.searcher = self._backend.puct.PuctSearcher(rules, self._settings, state, None)

    def _book_for(self, rules: Rules) -> Book | None:
        """The book that was given if it is for these rules, else that of the package if it is."""
        if self._given_book is not None and self._given_book.rules == rules:
            return self._given_book
        return book_for(True, rules)

    def _begin_root(self, board: Board, moves: RootMoves) -> None:
        """Set what belongs to a new root, once the searcher has its tree: from here on the tree is valid."""
        size, numbers = len(board.legal_columns), self._backend.numbers
        if self._settings.alpha:
            self._noise = numbers.root_noise(self.seed, self._roots, self._settings.alpha, size)
        elif self._settings.gumbel and self._settings.gumbel_scale:
            self._noise = numbers.root_gumbel(self.seed, self._roots, self._settings.gumbel_scale, size)
        if self._evaluator is not None:
            self.searcher.set_noise(self._noise)
        self._moves = moves
        self._lines = {}
        self._excess = self.searcher.most_visits() - self.visits()
        self.board = board

    def simulate(self, count: int, max_simulations: int, max_nodes: int, poll: Callable[[], object]) -> int:
        """Run about `count` simulations, at most `max_simulations`; returns how many (see Searcher.simulate)."""
        if self._evaluator is None:
            return int(self.searcher.simulate(count, max_nodes, poll))
        # batches are short and the evaluator is Python code, so signals are answered without a poll
        return int(self.searcher.simulate(count, max_simulations, max_nodes, self._evaluate))

    def refine_bounds(self, simulations: int, columns: bool, poll: Callable[[], object]) -> Generator[None, None, None]:
        """Look for exact scores at a proven root, in slices, in about the time of this number of simulations.

        columns: whether to look for those of all columns, and for lines of best play, not only for that of the best.
        """
        if self._solver is None:
            return
        assert self.board is not None
        moves, max_nodes = self.reader().moves(), simulations * _layout.NEAR_PROBE_NODES
        book = self._book_for(self.board.rules) if columns else None
        refinement = Refinement(moves, self.board, self._solver, max_nodes, poll, book)
        if not columns:
            yield from refinement.refine_best()
        elif (yield from refinement.refine_columns()):
            for row in best_first(moves.rows()):
                if len(self._lines.get(row.column, ())) != moves.proof_of(row).distance:
                    self._lines[row.column] = yield from refinement.line(row.column)

    def is_proven(self) -> bool:
        return bool(self.searcher.is_proven())

    def node_count(self) -> int:
        """Number of nodes; 0 before the first search."""
        return 0 if self.searcher is None else int(self.searcher.used())

    def visits(self) -> int:
        return self.nodes(_layout.ROOT, 1)[0].visits

    def remaining_visits(self) -> int:
        """Remaining simulations before a node's value_sum could overflow; each visits a node at most once."""
        return max(0, _layout.MAX_VALUE_SUM // self._settings.win - self._excess - self.visits())

    def nbytes(self) -> int:
        """Bytes of memory that the tree and the solver's table take."""
        return sum(part.nbytes() for part in (self.searcher, self._solver) if part is not None)

    def rows(self, first: int, count: int) -> npt.NDArray[np.void]:
        """Copies of `count` nodes."""
        nodes = np.frombuffer(self.searcher.rows(first, count), dtype=NODE)
        if self.dtype == NODE:
            return nodes
        estimates = np.frombuffer(self.searcher.estimates(first, count), dtype=ESTIMATE)
        both = np.empty(count, dtype=self.dtype)
        for name in self.dtype.names or ():
            both[name] = (nodes if name in _NODE_NAMES else estimates)[name]
        return both

    def nodes(self, first: int, count: int) -> list[NodeCopy]:
        """Copies of `count` nodes, one by one."""
        rows = _layout.PACKED_NODE.iter_unpack(self.searcher.rows(first, count))
        if self.dtype == NODE:
            return list(starmap(NodeCopy, rows))
        estimates = _layout.PACKED_ESTIMATE.iter_unpack(self.searcher.estimates(first, count))
        return [NodeCopy(*row, *estimate) for row, estimate in zip(rows, estimates, strict=True)]

    def reader(self) -> TreeReader:
        """A reader of the tree as it is; for a valid tree."""
        assert self.board is not None
        assert self._moves is not None
        return TreeReader(self.nodes, self.searcher, self.board, self._moves, self._settings, self._book, self._lines)

    def node(self, path: Iterable[SupportsIndex]) -> TreeNode:
        """The node that a path leads to from the root. ValueError without such a node, or without a tree."""
        if self.board is None:
            raise ValueError("there is no tree: search a position first")
        return node_at(self.nodes, self.board, self.params, path, self._noise, self.reader().moves())

    def next_random_bits(self) -> int:
        """The next 64 bits of the generator, which does not advance: reports must not change the search."""
        (random_bits,), _ = self._backend.numbers.stream(self.searcher.state(), 1)
        return int(random_bits)

    def fault(self) -> str:
        """What is wrong with the tree, and with which node; empty if it is sound."""
        if self.board is None:
            return ""
        fault, node = self.searcher.check()
        if fault:
            return f"node {node}: {_layout.FAULT_MESSAGES[fault]}"
        return "" if self.dtype == NODE else fault_of_estimates(self.rows(0, self.node_count()))

    def snapshot(self) -> tuple[dict[str, Any], npt.NDArray[np.void], npt.NDArray[np.uint64]]:
        """What a file needs: facts ready for JSON, the nodes and the solver's table."""
        state = self._state if self.searcher is None else self.searcher.state()
        facts: dict[str, Any] = {"seed": self.seed, "roots": self._roots, "state": state}
        if self.board is None:
            return facts, np.zeros(0, self.dtype), np.zeros(0, np.uint64)
        facts["board"] = self.board.to_fen()
        facts["player"] = self._player
        facts["wins"] = self.searcher.short_wins()
        facts["bounds"] = list(self.reader().moves().bounds().items())
        table = np.frombuffer(b"" if self._solver is None else self._solver.words(), "<u8")
        return facts, self.rows(0, self.node_count()), table.astype(np.uint64, copy=False)

    def restore(self, facts: dict[str, Any], nodes: npt.NDArray[np.void], table: npt.NDArray[np.uint64]) -> None:
        """Restore an untrusted snapshot into this new tree; every node is checked.

        Raises ValueError, TypeError, KeyError or OverflowError for anything that `snapshot` does not make.
        """
        self.seed = checked_state(facts["seed"])
        roots = facts["roots"]
        if type(roots) is not int or roots < 0:
            raise ValueError(f"the number of roots is {roots!r}")
        self._roots = roots
        if "board" not in facts:
            self._state = checked_state(facts["state"])
            return
        board = Board.from_fen(facts["board"])
        moves = self._moves_of(board)
        player, wins = facts_of_root(facts, moves, board)
        self._make_searcher(board.rules)
        self._restore_nodes(nodes, board, checked_state(facts["state"]), wins)
        if self.dtype != NODE:
            self._restore_estimates(nodes)
        words = table.astype("<u8", copy=False).view(np.uint8)
        if self._solver is not None and not self._solver.set_words(words):
            raise ValueError("the solver's table has another size, or scores that no game has")
        found = RootMoves(self._backend, board, checks=False)
        found.read_tree(self.searcher)
        for column, proven in found.bounds().items():
            narrow(moves, column, proven)
        self._player = player
        self._begin_root(board, moves)

    def _restore_nodes(self, rows: npt.NDArray[np.void], board: Board, state: State, wins: list[int]) -> None:
        """Restore the tree below a board, the generator's state and the searcher's short_wins."""
        if len(rows) and int(rows["visits"].max()) > _layout.MAX_VALUE_SUM // self._settings.win:
            raise ValueError("a node has more visits than a tree can count")
        data = rows if rows.dtype == NODE else rows[list(NODE.names or ())].astype(NODE)
        fault, node = self.searcher.restore(board.own, board.mask, state, data.view(np.uint8), wins)
        if not fault and board.is_over() and self.node_count() > 1:
            fault = _layout.Fault.CHILDREN_AFTER_END
        if fault:
            raise ValueError(f"node {node}: {_layout.FAULT_MESSAGES[fault]}")

    def _restore_estimates(self, rows: npt.NDArray[np.void]) -> None:
        """Restore the evaluator's part of the nodes."""
        fault = fault_of_estimates(rows)
        if fault:
            raise ValueError(fault)
        values = rows["value"] if "value" in (rows.dtype.names or ()) else np.zeros(len(rows))
        pairs = np.column_stack([values, rows["prior"]])
        self.searcher.set_estimates(pairs.tobytes())


def grow(
    tree: EngineTree, manager: TimeManager, poll: Callable[[], bool], columns: bool = False
) -> Generator[None, None, None]:
    """Grow a tree slice by slice; between two slices Python handles signals and other threads.

    poll: reports progress; true ends the search. columns: see EngineTree.refine_bounds.
    """
    while not tree.is_proven() and (count := min(manager.next_slice(), tree.remaining_visits())):
        max_simulations = min(manager.remaining(), tree.remaining_visits())
        manager.record(tree.simulate(count, max_simulations, manager.max_nodes, poll))
        if tree.node_count() >= manager.max_nodes or poll():
            return
        yield
    if tree.is_proven():
        yield from tree.refine_bounds(manager.remaining(), columns, poll)


class SearchRun:
    """One search in the calling thread. Its time starts when it is made, which also moves the tree to the board.

    columns: see EngineTree.refine_bounds. interval: seconds between two reports. sliced: see TimeManager.
    """

    def __init__(
        self,
        tree: EngineTree,
        board: Board,
        limits: Limits,
        clock: Clock | None,
        columns: bool,
        interval: float,
        sliced: bool,
    ) -> None:
        own_moves = (board.rules.cells - board.ply + 1) // 2
        self._share = None if clock is None else clock.share(own_moves, tree.params.proofs)
        seconds = limits.seconds if self._share is None else self._share.within(limits.seconds)
        self._timer = Timer(seconds, interval)
        self._manager = TimeManager(limits.on(board), self._timer, sliced)
        self._columns = columns and clock is None  # a player's time is for its moves
        self._tree = tree
        tree.set_position(board)
        self._visits_before = tree.visits()

    def slices(
        self, report: Callable[[SearchResult], object] | None, is_ended: Callable[[], bool]
    ) -> Generator[None, None, SearchResult]:
        """Search in slices, and report what is found so far. is_ended: polled during the search; true ends it."""
        due = None if report is None else lambda: report(self._result())
        poll = lambda: self._timer.poll(due) or is_ended() or self._is_enough()  # noqa: E731
        yield from grow(self._tree, self._manager, poll, self._columns)
        return self._result()

    def _is_enough(self) -> bool:
        """Whether the rest of the time is better kept for later moves."""
        if self._share is None:
            return False
        contenders = sorted((row.visits for row in self._tree.reader().moves().contenders()), reverse=True)
        return self._share.is_enough(self._timer.elapsed, self._simulations(), self._tree.is_proven(), contenders)

    def _simulations(self) -> int:
        return self._tree.visits() - self._visits_before

    def _result(self) -> SearchResult:
        return self._tree.reader().result(
            self._tree.next_random_bits(),
            simulations=self._simulations(),
            nodes=self._tree.node_count(),
            seconds=self._timer.elapsed,
        )


def background_growth(lock: threading.Lock, tree: EngineTree, board: Board, limits: Limits, sliced: bool) -> Background:
    """Growth in the background, not started yet, of a tree that is moved to the board now.

    It gives up if it finds the lock held, and holds it while it lasts. The thread refers to the tree, not to the
    engine, so that an engine that is no longer used is still collected.
    """
    tree.set_position(board)
    timer = Timer(limits.seconds)
    manager = TimeManager(limits.on(board), timer, sliced)
    return Background(partial(_grow_alone, lock, tree, manager, timer))


def _grow_alone(
    lock: threading.Lock, tree: EngineTree, manager: TimeManager, timer: Timer, is_closed: Callable[[], bool]
) -> None:
    if lock.acquire(blocking=False):
        try:
            _platform.to_the_end(grow, tree, manager, lambda: timer.is_over() or is_closed())
        finally:
            lock.release()
