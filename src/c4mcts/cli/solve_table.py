"""The table that `solve --out` writes: a row for each position, as CSV, NumPy archive or Parquet."""

import argparse
import csv
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .. import _files
from ..errors import CheckpointError
from ..solver.book import NO_SCORE
from ..solver.bulk import Solutions, solve_many
from .arguments import CommandError, UsageError, usage_errors
from .executor import executor_of
from .position_lines import Given
from .streams import say

FORMATS = (".csv", ".npz", ".parquet")


def write_table(args: argparse.Namespace, given: list[Given]) -> int:
    """Solve all positions and write the table. Exit code 2 if one could not be read; it has its error in the table."""
    out = Path(args.out)
    if out.suffix not in FORMATS:
        raise UsageError(f"--out must end with {', '.join(FORMATS)}, not {out.name!r}")
    if not out.parent.is_dir():
        raise UsageError(f"--out {out}: there is no folder {out.parent}")
    if out.suffix == ".parquet":
        require_pyarrow()
    checkpoint = out.with_name(out.name + ".jsonl")
    good = [one for one in given if one.board is not None]
    options: dict[str, Any] = {"columns": args.all, "book": not args.no_book, "backend": args.backend}
    try:
        with executor_of(args) as executor, usage_errors():
            solutions = solve_many(
                [one.board for one in good],
                executor=executor,
                progress=sys.stderr.isatty(),
                checkpoint=checkpoint,
                **options,
            )
    except CheckpointError as error:
        raise UsageError(f"{error}") from None
    except KeyboardInterrupt:
        say(f"c4mcts solve: stopped; the same command continues from {checkpoint}")
        raise
    _files.write(str(out), content(out.suffix, columns_of(given, solutions)))
    checkpoint.unlink(missing_ok=True)
    wrong = [one for one in given if one.board is None]
    for one in wrong:
        say(f"c4mcts solve: {one.where}{one.error}")
    print(f"written: {out}, {len(good):,} positions solved, {len(wrong):,} with an error")
    return 2 if wrong else 0


def columns_of(given: list[Given], solutions: Solutions) -> dict[str, Any]:
    """The table by column: arrays with a row for each position; NO_SCORE where there is none."""
    rows = np.array([one.board is not None for one in given], bool)
    score, nodes = np.full(len(given), NO_SCORE, np.int8), np.zeros(len(given), np.uint64)
    score[rows], nodes[rows] = solutions.scores, solutions.nodes
    table = {"position": np.array([one.source.name for one in given], np.str_), "score": score}
    if solutions.columns is not None:
        for column in range(solutions.columns.shape[1]):
            table[f"column_{column}"] = np.full(len(given), NO_SCORE, np.int8)
            table[f"column_{column}"][rows] = solutions.columns[:, column]
    return {**table, "nodes": nodes, "error": np.array([one.error for one in given], np.str_)}


def content(suffix: str, table: dict[str, Any]) -> bytes:
    """The bytes of the file. In CSV and Parquet a missing score is empty."""
    if suffix == ".npz":
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **table)
        return buffer.getvalue()
    values = {name: [None if value == NO_SCORE else value for value in array.tolist()] for name, array in table.items()}
    if suffix == ".csv":
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(values)
        writer.writerows(zip(*values.values(), strict=True))
        return text.getvalue().encode()
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(values), buffer)
    return buffer.getvalue()


def require_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise CommandError("--out with .parquet needs pyarrow: pip install pyarrow") from None
