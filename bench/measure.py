"""Timing, tables and JSON output, shared by the scripts of this folder."""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.table import Table

import c4mcts
from c4mcts._platform import processors
from c4mcts.cli.bench import cpu_seconds
from c4mcts.study import wilson

__all__ = [
    "Job",
    "LoadedBackend",
    "Report",
    "Spread",
    "check_claims",
    "commit",
    "count",
    "cpu_seconds",
    "interleave",
    "interval",
    "markdown",
    "parser",
    "percent",
    "share",
    "spread",
]

Job = Callable[[], object]
LoadedBackend = Literal["native", "pure"]
Spread = dict[str, float]  # median, min and max; or median or share, low and high
COVERAGE = 0.95  # of intervals


def parser(doc: str | None, repeats: int) -> argparse.ArgumentParser:
    """A parser with the options that all scripts have. doc: the docstring of the script, used as help text."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=count, default=repeats, help=f"measurements per row (default {repeats})")
    parser.add_argument("--json", metavar="FILE", help="also write JSON to FILE; - prints it instead of the table")
    return parser


def count(text: str) -> int:
    """Parse a positive whole number, also in the forms 10_000 and 1e6."""
    number = float(text)
    if number != int(number) or number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return int(number)


def interleave(jobs: Mapping[str, Job], repeats: int, at_least: float = 0.1) -> dict[str, list[float]]:
    """CPU seconds of every job. Each repeat runs all jobs in turn, so that a slow moment of the machine affects all.

    Every other repeat runs them in the opposite order, so that a machine that gets slower or faster favours none.
    """
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(repeats):
        for name in list(jobs)[:: -1 if number % 2 else 1]:
            times[name].append(cpu_seconds(jobs[name], at_least))
    return times


def spread(values: Iterable[float]) -> Spread:
    """Median, minimum and maximum."""
    values = list(values)
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def interval(values: Iterable[float]) -> Spread:
    """Median, and the narrowest two measured values that enclose the true median with a probability of COVERAGE.

    For any distribution, the number of values above the true median is distributed as heads in n coin tosses (Conover,
    "Practical Nonparametric Statistics", 1999, section 3.2). Up to 5 values are too few: the lowest and the highest
    enclose it less often.
    """
    ordered = sorted(values)
    n, dropped = len(ordered), 0  # at either end
    outside = 2 / 2**n
    while outside + 2 * math.comb(n, dropped + 1) / 2**n <= 1 - COVERAGE:
        dropped += 1
        outside += 2 * math.comb(n, dropped) / 2**n
    return {"median": statistics.median(ordered), "low": ordered[dropped], "high": ordered[n - 1 - dropped]}


def share(hits: int, of: int) -> Spread:
    """A percentage with its interval."""
    low, high = 100 * wilson(hits, of)
    return {"share": 100 * hits / of, "low": float(low), "high": float(high)}


@dataclass
class Report:
    """A table that is printed, and can be written as JSON with the machine it was measured on."""

    title: str
    columns: dict[str, str]  # heading by key of the rows
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, **row: object) -> None:
        """Add a row; values are numbers, strings, spreads or None."""
        self.rows.append(row)

    def finish(self, options: argparse.Namespace) -> None:
        """Print the table and write the JSON, depending on the options."""
        if options.json != "-":
            self.show()
        if options.json:
            about = {"title": self.title, "machine": machine(), "repeats": options.repeats}
            table = {"columns": self.columns, "rows": self.rows, "notes": self.notes}
            text = json.dumps(about | table, indent=1) + "\n"
            if options.json == "-":
                sys.stdout.write(text)
            else:
                Path(options.json).write_text(text, encoding="utf-8")

    def show(self) -> None:
        """Print the table; it is 120 characters wide if standard output is not a terminal."""
        table = Table(title=self.title, caption="\n".join([*self.notes, described(machine())]), caption_justify="left")
        for number, heading in enumerate(self.columns.values()):
            table.add_column(heading, justify="right" if number else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*(cell(row.get(key)) for key in self.columns))
        Console(width=None if sys.stdout.isatty() else 120).print(table)


def check_claims(doc: str | None, title: str, parts: Mapping[str, Callable[[Report], None]]) -> None:
    """The main function of a script that checks claims: one part of them, which its first argument names."""
    options_parser = parser(doc, repeats=1)
    options_parser.add_argument("what", choices=list(parts))
    options_parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    options = options_parser.parse_args()
    report = Report(f"{title}: {options.what}", {"what": "", "found": "found (95 %)", "of": "of"})
    parts[options.what](report)
    if options.markdown:
        print("\n".join(markdown(report.columns, report.rows)))
    else:
        report.finish(options)


def markdown(columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The lines of a table in Markdown."""
    cells = [[cell(row.get(key)) if row.get(key) is not None else "" for key in columns] for row in rows]
    lines = [list(columns.values()), ["---", *["---:"] * (len(columns) - 1)], *cells]
    return [f"| {' | '.join(line)} |" for line in lines]


def percent(share: float) -> str:
    """Three digits: 93.5, 0.42; 100 and 0 are exact."""
    return f"{100 * share:.1f}" if 0 < share < 1 else f"{100 * share:.0f}"


def cell(value: object) -> str:
    """A value with three significant digits; a spread as median (min - max)."""
    if value is None:
        return "-"
    if isinstance(value, dict):
        middle, low, high = map(cell, value.values())
        return f"{middle} ({low} - {high})"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        for unit, name in ((1e6, " M"), (1e3, " k"), (1, "")):
            if abs(value) >= unit:
                return f"{value / unit:.3g}{name}" if abs(value) < 1000 * unit else f"{value / unit:,.0f}{name}"
        return f"{value:.2g}"
    return str(value)


def machine() -> dict[str, object]:
    """The versions and the machine of the measurement."""
    return {
        "c4mcts": c4mcts.__version__,
        "backend": c4mcts.backend(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.platform(),
        "processor": processor(),
        "cores": processors(),
    }


def processor() -> str:
    """The name of the processor, if the system provides it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def commit() -> str:
    """The commit of the folder that these scripts are in, if it is known."""
    folder = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return os.environ.get("GITHUB_SHA", "unknown")
    return found.stdout.strip()


def described(facts: Mapping[str, object]) -> str:
    """The facts of machine() in one line."""
    return (
        f"c4mcts {facts['c4mcts']} ({facts['backend']}), Python {facts['python']}, NumPy {facts['numpy']}, "
        f"{facts['system']}, {facts['processor']}, {facts['cores']} cores"
    )
