"""Plots of results: panels of lines or bars, and how they are drawn.

matplotlib is imported inside the functions, so that experiments run without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._validation import string
from ..search.params import PRESETS, SearchParams
from .experiment import Start

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, safe for colour-blind readers; without their yellow, which is faint on white
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
RAMP = ((0.0, 0.13, 0.3), (0.49, 0.48, 0.47), (0.93, 0.85, 0.33))  # red, green, blue; like the scale "cividis"
PALE = 0.6  # opacity
MARKERS = "osD^vPX"
DASHES = ("-", "--", ":", "-.")
SIZE = (7.0, 4.5)  # of a figure, in inches
LOWER = 2.2  # height of a second panel, in inches
LEGEND, ROWS = 10, 14  # lines that a legend inside the axes can explain, and rows of one beside them
MAX_THIN = 30  # single runs that are drawn behind their mean
MAX_BARS = 12  # points with error bars and ticks of their own; more get a band around the line
THIN, USUAL, BOLD = 0.5, 1.3, 2.8  # widths of lines
LETTER, NOTE_LETTER = 5.9, 4.3  # mean widths of the letters of a title and of its note, in points
LAYOUT = 1.12  # how much wider axes become in a constrained layout
GREY = "0.35"
WHOLE = (-0.02, 1.02)  # limits of an axis from 0 to 100 %


@dataclass(frozen=True, eq=False)
class Series:
    """One line of a panel, or its bars of one colour; NaN where nothing is known."""

    label: str  # empty if there is nothing to tell apart
    y: npt.NDArray[np.float64]  # (points,)
    interval: npt.NDArray[np.float64] | None = None  # (2, points): lower and upper ends
    runs: npt.NDArray[np.float64] | None = None  # (runs, points): drawn thin behind the line
    texts: Sequence[str] | None = None  # (points,): what a table, or the end of a bar, says instead of y
    colour: Any = COLOURS[0]
    dashes: str = "-"
    marker: str = ""
    width: float = USUAL

    @property
    def ends(self) -> npt.NDArray[np.float64] | None:
        """How far the ends of the intervals are from y: (2, points)."""
        return None if self.interval is None else np.abs(self.interval - self.y)

    @classmethod
    def of_runs(cls, label: str, runs: npt.NDArray[Any], **look: Any) -> "Series":
        """The mean of several runs, where known, and the runs, unless they are too many. runs: (runs, points)."""
        with np.errstate(invalid="ignore"):
            mean = np.nansum(runs, axis=0) / np.count_nonzero(~np.isnan(runs), axis=0)
        return cls(label, mean, runs=runs if 1 < len(runs) <= MAX_THIN else None, **look)


class Panel(NamedTuple):
    """One plot: series over the same points. Texts as points make it a plot of bars."""

    title: str
    x: Sequence[Any] | npt.NDArray[Any]  # (points,): numbers or texts
    x_label: str
    y_label: str
    series: Sequence[Series]
    percent: bool = False  # whether y are shares
    limits: tuple[float | None, float | None] = (None, None)  # of y
    level: float | None = None  # of a dotted line
    legend: str = ""  # its title
    outside: bool = False  # whether the legend is at the right of the axes, where it hides nothing

    @property
    def is_bars(self) -> bool:
        return isinstance(self.x[0], str)

    @property
    def is_thin(self) -> bool:
        """Whether single runs are drawn."""
        return len(self.series) <= LEGEND and any(series.runs is not None for series in self.series)


class View(NamedTuple):
    """How a result is shown: as panels below each other."""

    panels: Sequence[Panel]
    note: str  # what was done: the number of searches or games, the seed
    looks: Sequence[str] = ()  # what bold or dotted means in the plot

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of a figure, in inches."""
        width, height = SIZE
        first, number = self.panels[0], len(self.panels[0].x)
        if first.is_bars and len(first.series) == 1:
            width = max(width, number / 4)
        elif first.is_bars:
            height = max(height, 0.75 * number + 1)
        return width, height + LOWER * (len(self.panels) - 1)


def draw(where: "Figure | Axes", view: View, title: str | None = None) -> "Axes":
    """Draw the panels on a new figure, or one panel on axes, with the title of the first; return the axes of that."""
    if hasattr(where, "subplots"):
        ratios = (SIZE[1], *[LOWER] * (len(view.panels) - 1))
        every = where.subplots(len(view.panels), sharex=True, height_ratios=ratios, squeeze=False)[:, 0]
    else:
        every = [where]
    for ax, panel in zip(every, view.panels, strict=True):
        ax.set_xlabel(panel.x_label if ax is every[-1] else "")
        ax.set_ylabel(panel.y_label)
        ax.grid(color="0.9")
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        if panel.percent:
            ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
        else:
            ax.yaxis.set_major_formatter("{x:,g}")
        kind = _draw_lines if not panel.is_bars else _draw_bars if len(panel.series) == 1 else _draw_groups
        kind(ax, panel)
    first: Axes = every[0]
    _add_title(first, view, title)
    if any(series.label for series in view.panels[0].series):
        _add_legend(first, view.panels[0])
    return first


def _draw_lines(ax: "Axes", panel: Panel) -> None:
    """The first line is in front."""
    x, number = np.asarray(panel.x), len(panel.series)
    steps, few = np.diff(x), len(x) <= MAX_BARS
    # a linear axis for points at equal distances
    is_log = bool(x.min() > 0 and not (len(x) > 2 and np.allclose(steps, steps[0])))
    ax.set_xscale("log" if is_log else "linear")
    ax.xaxis.set_major_formatter("{x:,g}")
    if is_log and few:
        ax.set_xticks(x, [f"{number:,g}" for number in x])
        ax.minorticks_off()
    for i, series in enumerate(panel.series):
        if series.runs is not None and panel.is_thin:
            ax.plot(x, series.runs.T, color=series.colour, alpha=0.35, linewidth=THIN, zorder=1.5)
        seen, ends = ~np.isnan(series.y), series.ends if few else None
        # error bars are moved aside, so that they stay visible at equal values
        at = x * 1.03 ** (i - (number - 1) / 2) if ends is not None and is_log else x
        ax.errorbar(
            at[seen],
            series.y[seen],
            ends,
            color=series.colour,
            linestyle=series.dashes,
            marker=series.marker,
            markersize=4,
            linewidth=series.width,
            elinewidth=0.8,
            capsize=2,
            zorder=(3 if series.width == BOLD else 2.5) - i / 1000,
            label=series.label,
        )
        if series.interval is not None and not few:
            ax.fill_between(x, *series.interval, color=series.colour, alpha=0.15, linewidth=0)
    if panel.level is not None:
        ax.axhline(panel.level, color=GREY, linestyle=":", linewidth=USUAL)
    ax.set_ylim(*panel.limits)


def _draw_bars(ax: "Axes", panel: Panel) -> None:
    (series,), number = panel.series, len(panel.x)
    places = np.arange(number)
    ax.bar(places, series.y, width=0.8, color=series.colour)
    ax.errorbar(places, series.y, series.ends, fmt="none", ecolor="0.25", elinewidth=1, capsize=2)
    ax.set_xticks(places, panel.x, fontsize="medium" if number <= 20 else "small")
    ax.set_xlim(-0.6, number - 0.4)
    ax.grid(False, axis="x")


def _draw_groups(ax: "Axes", panel: Panel) -> None:
    """Draw a group of horizontal bars for each point, with their texts, and a line at 1, to which they are relative."""
    height, number = 0.8 / len(panel.series), len(panel.x)
    for k, series in enumerate(panel.series):
        places = np.arange(number) + (k - (len(panel.series) - 1) / 2) * height
        bars = ax.barh(places, series.y, height=0.9 * height, color=series.colour, label=series.label)
        ax.bar_label(bars, series.texts, padding=3, fontsize="x-small", color=GREY)
    ax.set_xlabel(panel.y_label)
    ax.set_ylabel("")
    ax.set_yticks(range(number), panel.x)
    ax.invert_yaxis()
    ax.grid(False, axis="y")
    ax.margins(x=0.12)
    ax.axvline(1, color=GREY, linewidth=0.8)


def _add_title(ax: "Axes", view: View, title: str | None) -> None:
    """Set the title, and the note in smaller lines below it."""
    figure: Any = ax.get_figure()
    width = 72 * LAYOUT * figure.get_figwidth() * ax.get_position().width
    own = fill(view.panels[0].title, max(int(width / LETTER), 20))
    text = own if title is None else string("title", title) or own
    looks = ", ".join([*(["thin: each search"] if view.panels[0].is_thin else []), *view.looks])
    note = fill(f"{view.note}; {looks}" if looks else view.note, max(int(width / NOTE_LETTER), 20))
    ax.set_title(text + "\n" * (note.count("\n") + 1), loc="left", fontsize="medium", fontweight="bold")
    below = ax.text(0.0, 1.02, note, transform=ax.transAxes, fontsize="small", color=GREY)
    below.set_in_layout(False)  # it may reach over a colour bar or a legend


def _add_legend(ax: "Axes", panel: Panel) -> None:
    """Explain the series: inside the axes, or at their right, where a legend hides nothing."""
    number = len(panel.series)
    place: dict[str, Any] = {"ncols": 2 if number > 4 else 1, "framealpha": 0.8}
    if panel.outside or number > LEGEND:
        place = {"ncols": -(-number // ROWS), "frameon": False, "loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    ax.legend(title=panel.legend, fontsize="small", handlelength=2.6, labelspacing=0.3, **place)


def colours(number: int) -> list[Any]:
    """`number` colours: distinct ones if there are enough, else steps from dark blue to yellow."""
    if number <= len(COLOURS):
        return list(COLOURS[:number])
    steps = np.linspace(0, len(RAMP) - 1, number)
    parts = [np.interp(steps, range(len(RAMP)), part) for part in zip(*RAMP, strict=True)]
    return [tuple(colour) for colour in np.transpose(parts).tolist()]


def move_looks(start: Start) -> list[dict[str, Any]]:
    """Colour and dashes of all moves. Mirrored columns have one colour: solid at the left, paler and dashed right."""
    number = len(start.moves)
    if not start.is_board:
        return [{"colour": colour} for colour in colours(number)]
    shades = colours((number + 1) // 2)  # from the middle outwards
    middle = (number - 1) / 2
    return [
        {"colour": (shade, PALE), "dashes": "--"} if column > middle else {"colour": shade}
        for column in range(number)
        for shade in [shades[int(abs(column - middle))]]
    ]


def named(params: SearchParams, *, without: str = "") -> str:
    """Parameters in a few words: the preset that is most like them, and what differs; `without` one of them."""
    names = [field.name for field in fields(params) if field.name != without]
    changed = {
        preset: [name for name in names if getattr(params, name) != getattr(params_of_preset, name)]
        for preset, params_of_preset in PRESETS.items()
        if type(params_of_preset) is type(params)
    }
    nearest = min(changed, key=lambda preset: len(changed[preset]))
    return ", ".join([nearest, *(f"{name}={_short(getattr(params, name))}" for name in changed[nearest])])


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_short, value))})"
    return f"{value:g}" if isinstance(value, float) else str(value)
