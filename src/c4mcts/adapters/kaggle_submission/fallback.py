"""An agent that needs only the pure backend and the standard library, for machines without NumPy or the native core."""

import secrets
from collections.abc import Mapping
from time import monotonic
from typing import Any

from ... import _backend
from ..._layout import NO_COLUMN, PROBE_TABLE_BITS, ROOT, Settings
from ..._timer import Timer
from ...rules import Rules, fits_solver
from ...search.limits import Limits, TimeManager
from .turn import Turn, is_critical

MAX_NODES = 2_000_000  # 100 bytes each
POLL_EVERY = 64  # nodes of the solver between two looks at the clock

pure = _backend.load("pure")
bitboard = pure.bitboard


class FallbackAgent:
    """Plays like KaggleAgent with far fewer simulations, and does not look for the fastest win of a proven position.

    settings: the fields of _layout.Settings.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        limited = {**settings, "max_nodes": min(settings["max_nodes"], MAX_NODES)}
        self._settings = Settings(**limited)
        self._rules: Rules | None = None
        self._searcher: Any = None
        self._expected = 0  # all discs after this player's last move
        self._column = NO_COLUMN  # that move

    def __call__(self, observation: Any, configuration: Any, started: float | None = None) -> int:
        """The column to play. started: monotonic() at the beginning of the call. TypeError, ValueError."""
        turn = Turn.read(observation, configuration, monotonic() if started is None else started)
        rules = turn.rules()
        if rules is None:
            return turn.open_column()
        own, mask = discs_of(turn, rules)
        self._move_to(rules, own, mask)
        self._think(turn.seconds)
        if turn.extra and not self._searcher.is_proven() and is_critical([node.visits for node in self._children()]):
            self._think(turn.extra)
        column = self._column = self._choice()
        self._expected = mask | mask + (1 << column * (rules.height + 1))
        return column

    def _move_to(self, rules: Rules, own: int, mask: int) -> None:
        """Make the position the root: two moves later in the same game, or in a new tree."""
        if self._rules != rules:
            probes = self._settings.probes and fits_solver(rules)
            solver = pure.solver.AlphaBetaSolver(rules, PROBE_TABLE_BITS, POLL_EVERY) if probes else None
            state = secrets.randbits(64), secrets.randbits(63) + 1
            self._searcher = pure.search.Searcher(rules, self._settings, state, solver)
            self._rules, self._column = rules, NO_COLUMN
        reply = mask ^ self._expected
        root = self._searcher.root
        if self._column != NO_COLUMN and reply.bit_count() == 1:
            answer = (reply.bit_length() - 1) // (rules.height + 1)
            if self._searcher.advance([self._column, answer]) and (root.own, root.mask) == (own, mask):
                return
        self._searcher.set_root(own, mask)

    def _think(self, seconds: float) -> None:
        """Run simulations until time is up or the position is proven."""
        timer = Timer(seconds)
        manager = TimeManager(Limits(seconds=seconds), timer)
        while not self._searcher.is_proven() and (count := manager.next_slice()):
            manager.record(self._searcher.simulate(count, manager.max_nodes, timer.is_over))

    def _children(self) -> list[Any]:
        nodes = self._searcher.tree.pool.nodes
        root = nodes[ROOT]
        return list(nodes[root.children : root.children + root.size])

    def _choice(self) -> int:
        moves = [pure.moves.Move() for _ in range(self._searcher.tree.geometry.width)]
        size = pure.moves.list_moves(self._searcher, self._searcher.root, moves)
        chosen = pure.moves.choose(moves, size, self._settings, secrets.randbits(64))
        return int(moves[chosen].column)


def discs_of(turn: Turn, rules: Rules) -> tuple[int, int]:
    """The bitboards of a position: discs of the player to move, and all. ValueError for an impossible one."""
    own = mask = 0
    for index, cell in enumerate(turn.board):
        row, column = divmod(index, rules.width)
        if cell not in (0, 1, 2):
            raise ValueError(f"board: row {row} (0 = top), column {column} is {cell!r}, not one of 0, 1, 2")
        if cell:
            bit = 1 << column * (rules.height + 1) + rules.height - 1 - row
            mask |= bit
            own |= bit if cell == turn.mark else 0
    if mask.bit_count() - 2 * own.bit_count() != turn.mark - 1:
        raise ValueError(f"board has the wrong number of discs for mark {turn.mark}: {own.bit_count()} of its own")
    geometry = pure.cells.geometry_of(rules)
    bitboard.load(bitboard.Position(), geometry, own, mask)  # ValueError for floating discs
    is_full = mask.bit_count() == rules.cells
    if is_full or pure.cells.has_line(own, geometry) or pure.cells.has_line(own ^ mask, geometry):
        raise ValueError("board: the game is over")
    return own, mask
