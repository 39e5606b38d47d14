"""The curve, from the CSV files: error rates by generation with intervals and the ceiling, and the matches."""

import csv
from pathlib import Path
from typing import Any

from .configuration import ConfigurationError
from .evaluation import ALL

Line = dict[str, str]


def plot(folder: Path, out: Path | None = None) -> None:
    """Draw the curve of a training run. out: by default curve.svg in the folder. ConfigurationError without figures."""
    try:
        import matplotlib
    except ImportError as error:
        raise ConfigurationError(f"plot needs matplotlib ({error}): pip install matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    # in SVG: the same names in the file each time; text as text, which is short
    pyplot.rcParams.update({"svg.hashsalt": "alphazero", "svg.fonttype": "none"})
    errors = [line for line in lines(folder / "errors.csv") if is_whole(line)]
    matches = lines(folder / "matches.csv")
    if not errors and not matches:
        raise ConfigurationError(f"{folder} has no figures yet")
    limits = [line for line in lines(folder / "ceiling" / "errors.csv") if is_whole(line)]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for number, (player, found) in enumerate(by(errors, "player").items()):
        _curve(left, found, player, f"C{number}")
        for limit in limits:
            if limit["player"] == player:
                left.axhline(float(limit["share"]), color=f"C{number}", linestyle="--", linewidth=1)
    for number, (opponent, found) in enumerate(by(matches, "opponent").items()):
        _curve(right, found, f"against {opponent}", f"C{number}")
    left.set(title="Moves that lose value", xlabel="generation", ylabel="share of the test positions")
    right.set(title="Matches", xlabel="generation", ylabel="score, a draw counts half", ylim=(0, 1))
    if errors:
        left.set_ylim(bottom=0)
    if limits:
        left.plot([], [], color="grey", linestyle="--", linewidth=1, label="trained on exact scores")
    right.axhline(0.5, color="grey", linewidth=0.5)
    for axes in (left, right):
        axes.xaxis.get_major_locator().set_params(integer=True)
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
    out = folder / "curve.svg" if out is None else out
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)
    pyplot.close(figure)


def lines(path: Path) -> list[Line]:
    """The rows of a CSV file; none if there is no file."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def is_whole(line: Line) -> bool:
    """Whether a row of errors.csv is for all positions."""
    return line["plies"] == ALL


def by(found: list[Line], name: str) -> dict[str, list[Line]]:
    """The rows by one of their columns, in order of appearance."""
    groups: dict[str, list[Line]] = {}
    for line in found:
        groups.setdefault(line[name], []).append(line)
    return groups


def _curve(axes: Any, found: list[Line], name: str, colour: str) -> None:
    """A line of shares by generation, in a band of their intervals."""
    generations = [int(line["generation"]) for line in found]
    share, low, high = ([float(line[column]) for line in found] for column in ("share", "low", "high"))
    axes.plot(generations, share, color=colour, label=name)
    axes.fill_between(generations, low, high, color=colour, alpha=0.15, linewidth=0)
