"""The CSV format of the results: a header line, floats with all digits, missing values as empty fields."""

import csv
from collections.abc import Iterable, Sequence

from .._files import StrPath, path_of


def write_csv(path: StrPath, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write the header and one line per row; floats with all digits, None and NaN as empty fields. OSError."""
    with open(path_of("path", path), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow(["" if cell is None or cell != cell else cell for cell in row])
