"""The limits of a call of the solver, its reports, and its checkpoint."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .._timer import Timer

if TYPE_CHECKING:
    from .checkpoint import SolveCheckpoint, Windows

SAVE_EVERY = 60.0  # seconds from one save of a checkpoint to the next


class CallLimits:
    """The limits of one call. The solver asks `poll` every few milliseconds."""

    def __init__(
        self,
        max_nodes: int,
        timer: Timer,
        on_progress: Callable[[int], object] | None,
        count: Callable[[], int],
    ) -> None:
        self.max_nodes = max_nodes
        self.timer = timer
        self.start = count()  # nodes before this call
        self._count = count
        self._on_progress = on_progress
        self.is_stopped = False  # by on_progress
        self.checkpoint: SolveCheckpoint | None = None
        self._save_timer = Timer(None, SAVE_EVERY)

    def keep(self, checkpoint: "SolveCheckpoint", table: Callable[[], bytes]) -> None:
        """Save what is found out, regularly. table: returns the solver's."""
        self.checkpoint, self._table = checkpoint, table

    def save(self) -> None:
        """Write the checkpoint. OSError."""
        assert self.checkpoint is not None
        self.checkpoint.save(self._table(), self.nodes(), self.timer.elapsed)

    def windows(self) -> "Windows":
        """How far the call has come."""
        assert self.checkpoint is not None
        return self.checkpoint.windows(self.nodes(), self.timer.elapsed)

    def nodes(self) -> int:
        return self._count() - self.start

    def poll(self) -> bool:
        """Report progress if a report is due; returns whether time is up, or the report has ended the search."""
        if self.checkpoint is not None:
            self._save_timer.poll(self.save)
        report = None if self._on_progress is None else self._report
        return self.is_stopped or self.timer.poll(report) or self.is_stopped

    def _report(self) -> None:
        assert self._on_progress is not None
        self.is_stopped = bool(self._on_progress(self.nodes()))
