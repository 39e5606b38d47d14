"""The result of every experiment: a table of arrays, with what is known of their errors, as text, CSV and a plot."""

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._files import StrPath, path_of
from .._hints import no_attribute
from .._named import installed_by
from .._tables import write_table
from .._validation import between
from ..play.ratings import wilson
from . import plots
from .plots import Panel, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROWS = 30  # of a table that print shows, about; if there are more points, not all are shown
WIDTH = 110  # characters of a line there, about


def shares(name: str, hits: npt.NDArray[Any], of: int, prefix: str = "") -> dict[str, npt.NDArray[np.float64]]:
    """Arrays of a result: a share, and the ends of its interval. prefix: of all names."""
    low, high = wilson(hits, of)
    return {f"{prefix}{name}": hits / of, f"{prefix}low": low, f"{prefix}high": high}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The result of an experiment. Every experiment says which arrays its result has; each is an attribute.

    The arrays have an axis for each of the names in `axes`, in that order. `about` holds the arguments of the
    experiment, the seed, and its other values, also as attributes: result.board, result.params, result.seed.

    `print` shows a table; notebooks show the plot, or the table without matplotlib.
    """

    experiment: str
    axes: dict[str, Sequence[Any]]  # what the places along each axis stand for
    arrays: dict[str, npt.NDArray[Any]]  # by name; those that are the same along all axes may have fewer
    about: dict[str, Any]
    view: Callable[["Result", int], View]  # the second argument is the number of the first column

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            for values in (self.about, self.arrays):
                if name in values:
                    return values[name]
        raise no_attribute(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.arrays, *self.about]

    @property
    def interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of the share that was measured: `low` and `high` in one array, (2, ...)."""
        return np.stack([self.low, self.high])

    def rows(self) -> Iterator[dict[str, Any]]:
        """The table: a row for each place of the arrays, with all axes and arrays by name. Columns count from 0."""
        shape = tuple(len(places) for places in self.axes.values())
        full = [np.broadcast_to(array, shape).ravel().tolist() for array in self.arrays.values()]
        for places, *cells in zip(product(*self.axes.values()), *full, strict=True):
            yield dict(zip([*self.axes, *self.arrays], [*places, *cells], strict=True))

    def to_csv(self, path: StrPath) -> None:
        """Write `rows` as CSV, with all digits, or to a .parquet file; NaN is an empty field. OSError."""
        write_table(path_of("path", path), self.rows())

    def plot(self, ax: "Axes | None" = None, *, panel: int | None = None, title: str | None = None) -> "Axes":
        """Draw the result, and return the axes of the first panel.

        ax: the axes to draw one panel on, instead of a new figure. panel: which one to draw, from 0; by default all, or
        the first on given axes. title: replaces the default one. ImportError without matplotlib.
        """
        with installed_by("plot"):
            from matplotlib import pyplot
        view = self.view(self, 1)
        if panel is not None or ax is not None:
            only = 0 if panel is None else between("panel", panel, 0, len(view.panels) - 1)
            view = view._replace(panels=[view.panels[only]])
        where = pyplot.figure(figsize=view.size, layout="constrained") if ax is None else ax
        return plots.draw(where, view, title)

    def as_text(self, first: int = 0) -> str:
        """Tables for people. first: the number of the first column, 1 at the shell."""
        view = self.view(self, first)
        parts = [f"{view.panels[0].title}\n{view.note}"]
        for panel in view.panels:
            parts += tables(panel, ROWS // len(view.panels))
        return "\n\n".join(parts)

    def __str__(self) -> str:
        """Tables for people; columns count from 0."""
        return self.as_text()

    def __repr__(self) -> str:
        view = self.view(self, 0)
        return f"<c4mcts.study.Result of {self.experiment}: {view.panels[0].title}, {view.note}>"

    def _repr_svg_(self) -> str | None:
        if find_spec("matplotlib") is None:
            return None
        from matplotlib.figure import Figure  # not pyplot, which would show the figure a second time

        view, text = self.view(self, 1), StringIO()
        figure = Figure(figsize=view.size, layout="constrained")
        plots.draw(figure, view)
        figure.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()

    def _repr_html_(self) -> str | None:
        return None if find_spec("matplotlib") else f"<pre>{html.escape(str(self))}</pre>"


def tables(panel: Panel, rows: int) -> list[str]:
    """A panel as text: a line for each point, or for about `rows` of them; several tables if the lines are too long."""
    labels = [series.label or panel.y_label for series in panel.series]
    widest = max(*map(len, labels), *(len(_cell(panel, series, -1)) for series in panel.series))
    side_by_side = max(WIDTH // (widest + 2), 1)
    number, starts = len(panel.x), range(0, len(labels), side_by_side)
    step = 1 if panel.is_bars else -(-number // max(rows // len(starts), 1))
    points = range(number)[::-1][::step][::-1]  # with the last one
    names = [panel.x[i] if panel.is_bars else f"{panel.x[i]:,}" for i in points]
    head = [] if panel.series[0].texts or not panel.series[0].label else [panel.y_label]
    parts = []
    for start in starts:
        span = slice(start, start + side_by_side)
        cells = [[_cell(panel, series, i) for i in points] for series in panel.series[span]]
        columns = [[panel.x_label, *names], *([label, *each] for label, each in zip(labels[span], cells, strict=True))]
        widths = [max(map(len, column)) for column in columns]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in zip(*columns, strict=True)]
        parts.append("\n".join([*head, *lines]))
    return parts


def _cell(panel: Panel, series: plots.Series, i: int) -> str:
    if series.texts is not None:
        return series.texts[i]
    if np.isnan(series.y[i]):
        return "-"
    text = f"{series.y[i]:.1%}" if panel.percent else f"{series.y[i]:,.3f}"
    if series.interval is None:
        return text
    low, high = series.interval[:, i]
    return f"{text} ({low:4.0%} - {high:4.0%})"
