"""Helpers of all plots. matplotlib is imported inside the functions, so that experiments run without it."""

from collections.abc import Sequence
from dataclasses import fields
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import an_instance, string
from ..search.params import PRESETS, SearchParams
from .starts import BoardStart, Start

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# Okabe and Ito's colours, safe for colour-blind readers; without their yellow, which is faint on white
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = "osD^vPX"
DASHES = ("-", "--", ":", "-.")
SIZE = (7.0, 4.5)  # of a figure, in inches
PANEL = 2.2  # height of a second panel, in inches
LEGEND = 10  # lines that a legend can explain
MAX_THIN = 30  # single runs that are drawn behind their mean
THIN, USUAL, BOLD = 0.5, 1.3, 2.8  # widths of lines
LETTER, NOTE_LETTER = 5.9, 4.3  # mean widths of the letters of a title and of its note, in points
LAYOUT = 1.12  # how much wider axes become in a constrained layout
GREY = "0.35"
NO_MATPLOTLIB = "plots need matplotlib: pip install 'c4mcts[plot]'"


class Line(NamedTuple):
    """The look of one line."""

    colour: Any
    dashes: str = "-"


def new_figure(size: tuple[float, float]) -> "Figure":
    """A new figure, `size` inches. ImportError without matplotlib."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(NO_MATPLOTLIB) from error
    return pyplot.figure(figsize=size, layout="constrained")


def axes(given: "Axes | None") -> "Axes":
    """The given axes, or those of a new figure. ImportError without matplotlib."""
    if given is None:
        return new_figure(SIZE).subplots()
    try:
        from matplotlib.axes import Axes
    except ImportError as error:
        raise ImportError(NO_MATPLOTLIB) from error
    return an_instance("ax", given, Axes, "matplotlib Axes")


def colours(number: int) -> list[Any]:
    """`number` colours: distinct ones if there are enough, else steps from dark blue to yellow."""
    if number <= len(COLOURS):
        return list(COLOURS[:number])
    from matplotlib import colormaps

    return list(colormaps["cividis"](np.linspace(0.0, 0.95, number)))


def lines(start: Start) -> list[Line]:
    """The lines of all moves, by place. Mirrored columns have one colour: solid at the left, paler and dashed right."""
    number = len(start.moves)
    if not isinstance(start, BoardStart):
        return [Line(colour) for colour in colours(number)]
    from matplotlib.colors import to_rgb

    shades = colours((number + 1) // 2)  # from the middle outwards
    found = []
    for column in range(number):
        shade = to_rgb(shades[abs(2 * column - (number - 1)) // 2])
        paler = tuple(0.6 * part + 0.4 for part in shade)
        found.append(Line(paler, "--") if 2 * column > number - 1 else Line(shade))
    return found


def runs(
    ax: "Axes",
    points: npt.NDArray[Any],
    values: npt.NDArray[np.float64],
    line: Line,
    *,
    label: str,
    bold: bool = False,
    thin: bool = True,
) -> None:
    """Draw the mean of several runs and, thin behind it, the runs. values: (runs, points); NaN for unknown ones."""
    seen = ~np.isnan(values).all(axis=0)
    points, values = points[seen], values[:, seen]
    if thin and 1 < len(values) <= MAX_THIN:
        for run in values:
            ax.plot(points, run, color=line.colour, alpha=0.35, linewidth=THIN, zorder=1.5)
    ax.plot(
        points,
        np.nanmean(values, axis=0),
        color=line.colour,
        linestyle=line.dashes,
        linewidth=BOLD if bold else USUAL,
        zorder=3 if bold else 2.5,
        label=label,
    )


class Rates(NamedTuple):
    """Shares by budget, and their look."""

    label: str
    share: npt.NDArray[np.float64]  # (budgets,)
    interval: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]  # lower and upper ends
    colour: Any
    style: int  # which marker and dashes


def rates(ax: "Axes", budgets: npt.NDArray[np.int64], lines: Sequence[Rates]) -> None:
    """Draw shares from 0 to 100 % over budgets, with their intervals, and a legend to the right of several lines."""
    for i, line in enumerate(lines):
        low, high = line.interval
        ax.errorbar(
            budgets * 1.03 ** (i - (len(lines) - 1) / 2),  # moved aside, so that lines with equal values stay visible
            line.share,
            yerr=[line.share - low, high - line.share],
            color=line.colour,
            marker=MARKERS[line.style % len(MARKERS)],
            linestyle=DASHES[line.style % len(DASHES)],
            markersize=4,
            linewidth=USUAL,
            elinewidth=0.8,
            capsize=2,
            label=line.label,
        )
    ax.set_xscale("log")
    ax.set_xticks(budgets, [f"{number:,}" for number in budgets], minor=False)
    ax.minorticks_off()
    percents(ax)
    ax.set_ylim(-0.02, 1.02)
    if len(lines) > 1:
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))


def number_of_searches(number: int) -> str:
    if number == 1:
        return "1 search"
    return f"{number} searches (thin) and their mean" if number <= MAX_THIN else f"mean of {number} searches"


def title(ax: "Axes", given: str | None, own: str, note: str) -> None:
    """Set the title; own: the default one; note: smaller lines below it."""
    figure: Any = ax.get_figure()
    width = 72 * LAYOUT * figure.get_figwidth() * ax.get_position().width
    text = fill(own, max(int(width / LETTER), 20)) if given is None else string("title", given) or own
    note = fill(note, max(int(width / NOTE_LETTER), 20))
    ax.set_title(text + "\n" * (note.count("\n") + 1), loc="left", fontsize="medium", fontweight="bold")
    ax.text(0.0, 1.02, note, transform=ax.transAxes, fontsize="small", color=GREY)


def frame(ax: "Axes", x: str, y: str) -> None:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(color="0.9")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def scale(ax: "Axes", values: npt.NDArray[Any]) -> None:
    """A horizontal axis for these points: linear if their distances are equal, else logarithmic if that is possible."""
    steps = np.diff(values)
    if len(values) > 2 and values.min() > 0 and not np.allclose(steps, steps[0]):
        ax.set_xscale("log")
    plain(ax.xaxis)


def percents(ax: "Axes") -> None:
    """Show shares on the vertical axis as percentages."""
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")


def plain(axis: "Axis") -> None:
    """Write out the numbers on the axis: 5,000, not 5 x 10^3."""
    axis.set_major_formatter(lambda number, _: f"{number:,g}")


def named(params: SearchParams, *, without: str = "") -> str:
    """Parameters in a few words: the preset that is most like them, and what differs; `without` one of them."""
    names = [field.name for field in fields(params) if field.name != without]
    changed = {
        preset: [name for name in names if getattr(params, name) != getattr(known, name)]
        for preset, known in PRESETS.items()
        if type(known) is type(params)
    }
    nearest = min(changed, key=lambda preset: len(changed[preset]))
    return ", ".join([nearest, *(f"{name}={_shown(getattr(params, name))}" for name in changed[nearest])])


def _shown(value: Any) -> str:
    """The value of a parameter, with few digits."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def legend(ax: "Axes", start: Start, looks: Sequence[Line]) -> None:
    """Explain the lines of the legal moves: with a legend, or with a colour bar if there are too many."""
    if len(start.legal) <= LEGEND:
        columns = 2 if len(start.legal) > 4 else 1
        ax.legend(title=start.noun, ncols=columns, fontsize="small", framealpha=0.8, handlelength=2.6)
        return
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, ListedColormap

    number, labels = len(start.legal), start.labels()
    shades = ListedColormap([looks[place].colour for place in start.legal])
    mappable = ScalarMappable(BoundaryNorm(np.arange(number + 1) - 0.5, number), shades)
    figure: Any = ax.get_figure()
    bar = figure.colorbar(mappable, ax=ax, label=start.noun)
    shown = range(0, number, max(number // 8, 1))
    bar.set_ticks(list(shown), labels=[labels[start.legal[i]] for i in shown])
    bar.minorticks_off()
