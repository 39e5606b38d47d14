"""Results as CSV files."""

import csv
import os
from collections.abc import Iterable, Sequence

from .._files import path_of


def write_csv(path: str | os.PathLike[str], header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """One line a row, after the header; floats with all their digits, None and NaN as nothing. OSError."""
    with open(path_of("path", path), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow(["" if cell is None or cell != cell else cell for cell in row])
