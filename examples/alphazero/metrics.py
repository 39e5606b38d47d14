"""The figures of a training run as CSV files, and for a function, by default TensorBoard's if it is installed."""

import csv
import io
from typing import Any

from . import files
from .folder import Folder

TABLES = {  # the columns of each CSV file after "generation"
    "training": (
        *("player", "games", "positions", "first_won", "drawn", "policy_loss", "value_loss"),
        *("play_seconds", "network_seconds", "network_share", "network_rows", "label_seconds", "learn_seconds"),
    ),
    "errors": ("player", "plies", "positions", "errors", "share", "low", "high", "score_loss"),
    "matches": ("opponent", "simulations", "won", "drawn", "lost", "share", "low", "high"),
}


def write_tables(folder: Folder) -> None:
    """Rewrite all CSV files from the figures of the generations."""
    evaluations = folder.read("evaluation")
    lines: dict[str, list[dict[str, Any]]] = {
        "training": [{"generation": number, **found} for number, found in folder.read("times").items()]
    }
    for name in ("errors", "matches"):
        lines[name] = [{"generation": number, **line} for number, found in evaluations.items() for line in found[name]]
    for name, columns in TABLES.items():
        files.write(folder.path / f"{name}.csv", table(("generation", *columns), lines[name]))


def table(columns: tuple[str, ...], lines: list[dict[str, Any]]) -> bytes:
    """A CSV file."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue().encode()


def tell(folder: Folder, generation: int) -> None:
    """Give the figures of a generation to the folder's function, or to TensorBoard's event files if it is installed."""
    found = {"generation": generation, **scalars(folder, generation)}
    if folder.on_metrics is not None:
        folder.on_metrics(found)
        return
    try:
        from tensorboard.summary import Writer
    except ImportError:
        return
    writer = Writer(str(folder.path / "tensorboard"))
    for name in found.keys() - {"generation"}:
        writer.add_scalar(name, found[name], step=generation)
    writer.close()


def scalars(folder: Folder, generation: int) -> dict[str, float]:
    """The figures of a generation, by name, such as "training/policy_loss"."""
    times = folder.read("times").get(generation, {})
    found = {f"training/{name}": value for name, value in times.items() if value is not None}
    evaluation = folder.read("evaluation").get(generation, {"errors": [], "matches": []})
    for line in evaluation["errors"]:
        found[f"errors/{line['player']}, {line['plies']} plies"] = line["share"]
    for line in evaluation["matches"]:
        found[f"matches/{line['opponent']}"] = line["share"]
    return found
