"""What the results of all experiments have in common: intervals, how they show themselves, and their CSV files."""

import csv
import html
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from io import StringIO
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._files import StrPath, path_of
from .._validation import refused
from . import plots
from .starts import Position, Start, start_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Z = NormalDist().inv_cdf(0.975)  # quantile of the normal distribution for 95 %


def wilson(successes: npt.ArrayLike, trials: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Wilson's 95 % score intervals (1927) of proportions: float64, shape (2, *broadcast shape), lower ends first.

    Unlike the normal approximation they stay within [0, 1] and are accurate near 0 and 1. Raises TypeError or
    ValueError naming the argument.
    """
    hits, n = _numbers("successes", successes), _numbers("trials", trials)
    try:
        hits, n = np.broadcast_arrays(hits, n)
    except ValueError:
        raise ValueError(f"successes and trials don't broadcast: shapes {hits.shape}, {n.shape}") from None
    if not ((n > 0) & np.isfinite(n)).all():
        raise ValueError(refused("trials", "finite and above 0", trials))
    if not ((hits >= 0) & (hits <= n)).all():
        raise ValueError(refused("successes", "0 to the number of trials", successes))
    share = hits / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    # rounding errors must not put a share of 0 or 1 outside its interval
    return np.stack([np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0)])


def _numbers(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The numbers as a float64 array. TypeError."""
    try:
        array = np.asarray(values)
        if array.dtype.kind in "biuf":
            return array.astype(np.float64)
    except Exception as error:
        raise TypeError(refused(name, "numbers", values)) from error
    raise TypeError(refused(name, "numbers", values))


class StudyResult(ABC):
    """The result of an experiment. Notebooks show its plot; without matplotlib, the table that `print` shows."""

    @abstractmethod
    def as_text(self, first: int = 0) -> str:
        """A table for people. first: the number of the first column, 1 at the shell."""

    @abstractmethod
    def _head(self) -> str:
        """What was measured, in one line."""

    @abstractmethod
    def _table(self) -> Iterator[Sequence[object]]:
        """The header of the CSV file, then its rows."""

    @abstractmethod
    def _draw(self, ax: "Axes", title: str | None) -> None:
        """Draw the result, or the first panel of it."""

    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "Axes":
        """Draw the result; the class says what the plot shows. title: replaces the default one.

        ax: the axes to draw on, in place of a new figure. ImportError without matplotlib.
        """
        if ax is None:
            return self._draw_all(plots.new_figure(self._size), title)
        ax = plots.axes(ax)
        self._draw(ax, title)
        return ax

    def to_csv(self, path: StrPath) -> None:
        """Write the numbers as CSV, with all digits; the class says what a row is. Columns count from 0. OSError.

        None and NaN are empty fields.
        """
        with open(path_of("path", path), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            for row in self._table():
                writer.writerow(["" if cell is None or cell != cell else cell for cell in row])

    @property
    def _size(self) -> tuple[float, float]:
        """Of a new figure, in inches."""
        return plots.SIZE

    def _draw_all(self, figure: "Figure", title: str | None = None) -> "Axes":
        """Draw all panels; return the axes of the first."""
        ax: Axes = figure.subplots()
        self._draw(ax, title)
        return ax

    def __str__(self) -> str:
        """A table for people; columns count from 0."""
        return self.as_text()

    def __repr__(self) -> str:
        return f"<c4mcts.study.{type(self).__name__} {self._head()}>"

    def _repr_svg_(self) -> str | None:
        if find_spec("matplotlib") is None:
            return None
        from matplotlib.figure import Figure  # not pyplot, which would show the figure a second time

        figure = Figure(figsize=self._size, layout="constrained")
        self._draw_all(figure)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()

    def _repr_html_(self) -> str | None:
        return None if find_spec("matplotlib") else f"<pre>{html.escape(str(self))}</pre>"


class GamesResult(StudyResult):
    """A result that counts games, for several lines in a plot and several budgets."""

    ends: npt.NDArray[np.int64]  # wins, draws and losses: (3, ..., budgets)
    budgets: npt.NDArray[np.int64]  # (budgets,), ascending: simulations per move
    games: int  # at each point

    @property
    def wins(self) -> npt.NDArray[np.int64]:
        """How many games were won, in the shape of the result."""
        return np.asarray(self.ends[0])

    @property
    def draws(self) -> npt.NDArray[np.int64]:
        """How many were drawn."""
        return np.asarray(self.ends[1])

    @property
    def losses(self) -> npt.NDArray[np.int64]:
        """How many were lost."""
        return np.asarray(self.ends[2])

    def _counts(self, at: tuple[int, ...]) -> tuple[int, ...]:
        """Budget, games, wins, draws and losses of a point, for a row of the CSV file."""
        return int(self.budgets[at[-1]]), self.games, *(int(counted[at]) for counted in self.ends)

    def _rates_text(self, labels: Sequence[str], rates: npt.NDArray[np.float64]) -> str:
        """A summary, and a line in percent for each label. rates: (labels, budgets)."""
        width = max(map(len, labels))
        lines = [self._head(), "", " " * width + "".join(f"{budget:9,}" for budget in self.budgets)]
        for label, row in zip(labels, rates, strict=True):
            lines.append(label.ljust(width) + "".join(f"{rate:9.1%}" for rate in row))
        return "\n".join(lines)


def ends_of(results: Sequence[int], shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The field `ends` from the results of all games, 1, 0 or -1. shape: of the results; the last axis is counted."""
    found = np.reshape(results, shape)
    return np.stack([np.count_nonzero(found == end, axis=-1) for end in (1, 0, -1)])


class PositionResult(StudyResult):
    """A result of searches of one position."""

    board: Position

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves in the order of the arrays: all columns of a Board, the legal moves of another Game."""
        return self._start.moves

    @property
    def _start(self) -> Start:
        return start_of(self.board)


class TwoPanelResult(StudyResult):
    """A result whose figure has a second panel below the first."""

    @abstractmethod
    def _draw_more(self, ax: "Axes") -> None:
        """Draw the second panel."""

    @property
    def _size(self) -> tuple[float, float]:
        return plots.SIZE[0], plots.SIZE[1] + plots.PANEL

    def _draw_all(self, figure: "Figure", title: str | None = None) -> "Axes":
        ax: Axes
        ax, lower = figure.subplots(2, sharex=True, height_ratios=(plots.SIZE[1], plots.PANEL))
        self._draw(ax, title)
        self._draw_more(lower)
        ax.set_xlabel("")
        return ax
