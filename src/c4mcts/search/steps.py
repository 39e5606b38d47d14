"""simulation_steps: the first simulations of a search, one by one, with everything that happens in them.

The pure backend makes them, so they equal the engine's; what it does not keep is recorded while it works.
"""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import takewhile

from .. import _layout
from .._backend import load
from .._validation import positive
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..seeds import Seed, generator_state
from ..solver.verdict import Judged, Verdict
from .params import SearchParams, UctParams, uct_params
from .root_moves import MoveStats
from .tree import EngineTree
from .tree_reader import child_stats, move_verdict, outcome_of


@dataclass(frozen=True, slots=True)
class Selected:
    """One level of the way down: the node, its children, and the column that was selected."""

    node: int
    visits: int  # N in the UCB score
    column: int
    first_child: int  # the node of the first candidate; the nodes of the others follow it
    candidates: tuple[MoveStats, ...]  # in column order; as in TreeNode, but value and proof are the tree's


@dataclass(frozen=True, slots=True)
class Expanded:
    """A node that has got its children."""

    node: int
    children: tuple[tuple[int, int], ...]  # (node, column), in column order


@dataclass(frozen=True, slots=True)
class Backup:
    """A node of the path after the backup. Reward and value are for the player who moved into it."""

    node: int
    visits: int
    value: float  # mean reward in [0, 1]
    reward: float  # of this simulation, in [0, 1]


@dataclass(frozen=True, slots=True)
class ProofChange(Judged):
    """A change of a node's proof; without a proof only a bound, that it is at least, or at most, a draw."""

    node: int
    verdict: Verdict  # of the move into it, for the player who made it


@dataclass(frozen=True, slots=True)
class SimulationStep:
    """One simulation. Nodes are numbers: places in Engine.tree(); 0 is the root."""

    number: int  # from 1
    path: tuple[int, ...]  # the columns that were selected
    selected: tuple[Selected, ...]  # one for each column of the path
    expanded: tuple[Expanded, ...]  # at most one without transpositions
    leaf: int | None  # the column whose node was visited for the first time, the last of the path; None if none was
    is_proven: bool  # whether the outcome at the end of the path was certain, so that there was no rollout
    rollout: tuple[int, ...]  # the moves of the rollout
    winner: int | None  # of the simulation: 0, 1, or None for a draw
    reward: float  # of that result, in [0, 1], for the player to move at the root
    proofs: tuple[ProofChange, ...]
    backup: tuple[Backup, ...]  # the nodes of the path from the root on


def simulation_steps(
    board: AnyBoard,
    params: SearchParams | None = None,
    *,
    simulations: int | None = None,
    seed: Seed = None,
) -> Generator[SimulationStep, None, None]:
    """The simulations of a search one by one, from an empty tree: exactly what Engine(params, seed=seed) makes.

        for step in simulation_steps(Board(), UctParams.preset("uct"), simulations=50, seed=1):
            print(step.path, step.rollout, step.winner)

    simulations: how many at most; a proven outcome ends the search, as it does in the engine. The pure backend makes
    them, a few thousand a second.

    Raises GameOverError for a finished game; ValueError for parameters that need an evaluator.
    """
    board = unfinished(board)
    params = UctParams() if params is None else uct_params(params)
    count = _layout.UNLIMITED if simulations is None else positive("simulations", simulations)
    tree = EngineTree(load("pure"), params, 1, generator_state(seed))
    tree.set_position(board)
    recorder = _Recorder(tree, board, params)
    return (recorder.step(number) for number in takewhile(lambda _: not tree.is_proven(), range(1, count + 1)))


class _Discs:
    """A position of the pure backend that keeps every state of the board: `copy` and each `drop` set the mask once."""

    def __init__(self) -> None:
        self.own = self.ply = 0
        self.threats: list[int] = []
        self.masks: list[int] = []

    @property
    def mask(self) -> int:
        return self.masks[-1]

    @mask.setter
    def mask(self, mask: int) -> None:
        self.masks.append(mask)

    def columns(self, stride: int) -> list[int]:
        """The columns of the discs since `copy`, in order; stride: bits of a column."""
        pairs = zip(self.masks, self.masks[1:], strict=False)
        return [((before ^ after).bit_length() - 1) // stride for before, after in pairs]


class _Recorder:
    """Makes one simulation at a time, and says what happened in it."""

    def __init__(self, tree: EngineTree, board: Board, params: UctParams) -> None:
        self.tree = tree
        self._board = board
        self._params = params
        self._settings = params.settings
        self._score_children = load("pure").selection.score_children
        self._discounted = load("pure").simulation.discounted
        self._worker = tree.searcher.worker
        self._nodes = tree.searcher.tree.pool.nodes
        self._discs = self._worker.position = _Discs()
        self._worker.watch = self._watch
        self._watched: list[tuple[int, int, tuple[MoveStats, ...]]] = []  # node, N, candidates: of this simulation
        self._before: dict[int, tuple[int, int, int]] = {}  # value_sum, proof, size by node, before this simulation

    def step(self, number: int) -> SimulationStep:
        self._watched = []
        self._discs.masks = []
        self.tree.grow(1, 1, _layout.UNLIMITED, bool, _layout.UNLIMITED)
        depth = len(self._watched)
        nodes = self._worker.path[: depth + 1]
        columns = self._discs.columns(self._board.rules.height + 1)
        path, rollout, winner = self._played(columns, depth, self._nodes[nodes[-1]].proof)
        expanded = [node for node in nodes if self._nodes[node].size > self._old(node)[2]]
        cells, ply = self._board.rules.cells, self._board.ply
        depths = {node: depth for depth, node in enumerate(nodes)}
        depths |= {child: depths[node] + 1 for node in expanded for child in self._children(node)}
        step = SimulationStep(
            number=number,
            path=tuple(path),
            selected=tuple(
                Selected(node, visits, column, self._nodes[node].children, candidates)
                for (node, visits, candidates), column in zip(self._watched, path, strict=True)
            ),
            expanded=tuple(
                Expanded(node, tuple((child, self._nodes[child].column) for child in self._children(node)))
                for node in expanded
            ),
            leaf=path[-1] if path and self._nodes[nodes[-1]].visits == 1 else None,
            is_proven=outcome_of(self._nodes[nodes[-1]].proof) is not None,
            rollout=tuple(rollout),
            winner=winner,
            reward=self._reward(winner, depth, self._nodes[nodes[-1]].proof),
            proofs=tuple(
                ProofChange(node, move_verdict(self._nodes[node].proof, cells, ply + depth))
                for node, depth in depths.items()
                if self._nodes[node].proof != self._old(node)[1]
            ),
            backup=tuple(self._backup(node) for node in nodes),
        )
        for node in depths:
            now = self._nodes[node]
            self._before[node] = now.value_sum, now.proof, now.size
        return step

    def _watch(self, node: int, visits: int) -> None:
        """Note the children of a node before one of them is selected; visits: of the node, before this simulation."""
        children = [self._nodes[child] for child in self._children(node)]
        scores: list[float] = []
        self._score_children(self._nodes, self._settings, node, visits, scores)
        is_random = self._settings.random_opponent and len(self._watched) % 2 == 1
        win, cells, ply = self._settings.win, self._board.rules.cells, self._board.ply + len(self._watched)
        ucbs = [None if is_random else score / win for score in scores]
        candidates = tuple(
            child_stats(child, ucb, move_verdict(child.proof, cells, ply + 1), self._params)
            for child, ucb in zip(children, ucbs, strict=True)
        )
        if self._settings.transpositions:
            visits = sum(child.visits for child in children)
        self._watched.append((node, visits, candidates))

    def _played(self, columns: list[int], depth: int, proof: int) -> tuple[list[int], list[int], int | None]:
        """Path, rollout and winner of a simulation. proof: of the last node of the path.

        Careful rollouts end when a player can win, without the winning disc: it is added here, the leftmost of several.
        """
        board = self._board.after(*columns)
        outcome = outcome_of(proof)
        if outcome is not None:
            mover = 1 - self._board.turn if depth % 2 == 0 else self._board.turn
            winner = None if outcome == "draw" else mover if outcome == "win" else 1 - mover
        else:
            if self._discs.ply > board.ply:
                columns.append(board.winning_columns()[0])
                board.push(columns[-1])
            end = board.outcome()
            winner = None if end is None else end.winner
        return columns[:depth], columns[depth:], winner

    def _children(self, node: int) -> range:
        first = self._nodes[node].children
        return range(first, first + self._nodes[node].size)

    def _old(self, node: int) -> tuple[int, int, int]:
        """value_sum, proof and size of a node before this simulation."""
        return self._before.get(node, (0, 0, 0))

    def _backup(self, node: int) -> Backup:
        now, win = self._nodes[node], self._settings.win
        reward = (now.value_sum - self._old(node)[0]) / win
        return Backup(node, now.visits, now.value_sum / now.visits / win, reward)

    def _reward(self, winner: int | None, depth: int, proof: int) -> float:
        """The reward of a result, for the player to move at the root. depth, proof: of the last node of the path."""
        plies = (
            self._discs.ply - self._board.ply if outcome_of(proof) is None else depth + (proof & _layout.DISTANCE_MASK)
        )
        outcome = _layout.DRAW if winner is None else _layout.WIN if winner == self._board.turn else _layout.LOSS
        reward: int = self._discounted(self.tree.searcher.tree, outcome, plies)
        return reward / self._settings.win
