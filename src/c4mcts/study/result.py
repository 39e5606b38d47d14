"""What the results of all experiments have in common: intervals, how they show themselves, and their CSV files."""

import csv
import html
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from io import StringIO
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._files import StrPath, path_of
from .._validation import refused
from ..search.params import SearchParams
from . import plots
from .starts import Position, Start, start_of

if TYPE_CHECKING:
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
    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        """Draw the result, or the first panel of it."""

    def plot(self, ax: "plots.Axes | None" = None, *, title: str | None = None) -> "plots.Axes":
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

    def _draw_all(self, figure: "Figure", title: str | None = None) -> "plots.Axes":
        """Draw all panels; return the axes of the first."""
        ax: plots.Axes = figure.subplots()
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

    NAMES: ClassVar[tuple[str, ...]]  # the columns of the CSV file that name a line, and its share

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

    @abstractmethod
    def _points(self) -> npt.NDArray[np.float64]:
        """What the games brought, in the shape of the result."""

    @abstractmethod
    def _names(self, at: tuple[int, ...]) -> tuple[str, ...]:
        """What names a line in the CSV file."""

    @abstractmethod
    def _label(self, at: tuple[int, ...]) -> str:
        """The label of a line."""

    @property
    def _share(self) -> npt.NDArray[np.float64]:
        return np.asarray(self._points() / self.games)

    @property
    def interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of the share of points, lower ends first: (2, ..., budgets).

        Where draws count as half a win, they are somewhat wide if there are many.
        """
        return wilson(self._points(), self.games)

    def _table(self) -> Iterator[tuple[Any, ...]]:
        *names, share = self.NAMES
        yield *names, "simulations", "games", "wins", "draws", "losses", share, "low", "high"
        shares = np.stack([self._share, *self.interval])
        for at in np.ndindex(self.wins.shape):
            counts = (int(counted[at]) for counted in self.ends)
            yield *self._names(at[:-1]), int(self.budgets[at[-1]]), self.games, *counts, *(float(s[at]) for s in shares)

    def _draw_lines(self, ax: "plots.Axes") -> None:
        """Draw a line for each label; the last index chooses its colour, the first its style."""
        shape, (low, high) = self.wins.shape[:-1], self.interval
        shades = plots.colours(shape[-1])
        lines = [
            plots.Rates(self._label(at), self._share[at], (low[at], high[at]), shades[at[-1]], style=at[0])
            for at in np.ndindex(shape)
        ]
        plots.rates(ax, self.budgets, lines)

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line in percent for each label."""
        labels = [self._label(at) for at in np.ndindex(self.wins.shape[:-1])]
        width = max(map(len, labels))
        lines = [self._head(), "", " " * width + "".join(f"{budget:9,}" for budget in self.budgets)]
        for label, row in zip(labels, self._share.reshape(len(labels), -1), strict=True):
            lines.append(label.ljust(width) + "".join(f"{share:9.1%}" for share in row))
        return "\n".join(lines)


def ends_of(results: Sequence[int], shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The field `ends` from the results of all games, 1, 0 or -1. shape: of the results; the last axis is counted."""
    found = np.reshape(results, shape)
    return np.stack([np.count_nonzero(found == end, axis=-1) for end in (1, 0, -1)])


class PositionResult(StudyResult):
    """A result of searches of one position."""

    board: Position
    params: SearchParams
    seed: int

    @abstractmethod
    def _searches(self) -> str:
        """What was searched, in a few words."""

    def _head(self) -> str:
        return f"{self._searches()} on {self._start.text}, {plots.named(self.params)}, seed {self.seed}"

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
    def _draw_more(self, ax: "plots.Axes") -> None:
        """Draw the second panel."""

    @property
    def _size(self) -> tuple[float, float]:
        return plots.SIZE[0], plots.SIZE[1] + plots.PANEL

    def _draw_all(self, figure: "Figure", title: str | None = None) -> "plots.Axes":
        ax: plots.Axes
        ax, lower = figure.subplots(2, sharex=True, height_ratios=(plots.SIZE[1], plots.PANEL))
        self._draw(ax, title)
        self._draw_more(lower)
        ax.set_xlabel("")
        return ax
