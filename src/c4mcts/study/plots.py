"""Helpers of all plots. matplotlib is imported inside the functions, so that experiments run without it."""

import html
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import an_instance, string
from ..board.board import Board

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

# Okabe and Ito's colours, safe for colour-blind readers; without their yellow, which is faint on white
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = "osD^vPX"
SIZE = (7.0, 4.5)  # of a figure, in inches
NO_MATPLOTLIB = "plots need matplotlib: pip install 'c4mcts[plot]'"


class ShownAsPlot(ABC):
    """What a notebook shows of a result: its plot, without matplotlib the table that `print` shows."""

    @property
    def _width(self) -> float:
        """The width of the figure in inches."""
        return SIZE[0]

    @abstractmethod
    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "Axes":
        """Draw the result."""

    def _repr_svg_(self) -> str | None:
        if find_spec("matplotlib") is None:
            return None
        from matplotlib.figure import Figure  # not pyplot, which would show the figure once more at the end of the cell

        figure = Figure(figsize=(self._width, SIZE[1]), layout="constrained")
        self.plot(figure.subplots())
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()

    def _repr_html_(self) -> str | None:
        return None if find_spec("matplotlib") else f"<pre>{html.escape(str(self))}</pre>"


def axes(given: "Axes | None", width: float = SIZE[0]) -> "Axes":
    """The given axes, or those of a new figure, `width` inches wide. ImportError without matplotlib."""
    try:
        from matplotlib.axes import Axes

        if given is not None:
            return an_instance("ax", given, Axes, "matplotlib Axes")
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(NO_MATPLOTLIB) from error
    return pyplot.subplots(figsize=(width, SIZE[1]), layout="constrained")[1]


def colours(number: int) -> list[Any]:
    """`number` colours: distinct ones if there are enough, else steps from dark blue to yellow."""
    if number <= len(COLOURS):
        return list(COLOURS[:number])
    from matplotlib import colormaps

    return list(colormaps["cividis"](np.linspace(0.0, 0.95, number)))


def label(ax: "Axes", title: str | None, own: str, note: str, x: str, y: str) -> None:
    """Set title, axis labels and grid; own: the default title; note: a smaller line below the title."""
    text = own if title is None else string("title", title) or own
    ax.set_title(f"{text}\n", loc="left", fontsize="medium", fontweight="bold")
    ax.text(0.0, 1.02, note, transform=ax.transAxes, fontsize="small", color="0.35")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(color="0.9")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def percents(ax: "Axes") -> None:
    """Show shares on the vertical axis as percentages."""
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")


def plain(axis: "Axis") -> None:
    """Write out the numbers on the axis: 5,000, not 5 x 10^3."""
    axis.set_major_formatter(lambda number, _: f"{number:,g}")


def place(board: Board) -> str:
    """The position, as a title names it."""
    return f"{board.rules}, {board.ply} discs" if board.ply else f"empty {board.rules}"


def column_legend(ax: "Axes", columns: Sequence[int], shades: Sequence[Any]) -> None:
    """Explain the colours of the columns: with a legend, or with a colour bar if there are too many."""
    if len(columns) <= len(COLOURS):
        ax.legend(title="column", ncols=2 if len(columns) > 4 else 1, fontsize="small", framealpha=0.8)
        return
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, ListedColormap

    edges = [columns[0] - 0.5, *(column + 0.5 for column in columns)]
    scale = ScalarMappable(BoundaryNorm(edges, len(columns)), ListedColormap(list(shades)))
    ax.get_figure().colorbar(scale, ax=ax, label="column", ticks=columns[:: len(columns) // 8])  # type: ignore[union-attr]
