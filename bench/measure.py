"""How the scripts of this folder measure, print and save."""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.table import Table

import c4mcts

EngineName = Literal["native", "pure"]
Job = Callable[[], object]
Spread = dict[str, float]  # median, min, max


def parser(doc: str | None, repeats: int) -> argparse.ArgumentParser:
    """The options that all scripts have; their docstring is the help text."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=count, default=repeats, help=f"measurements of each line (default {repeats})")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too; - is standard output, no table")
    return parser


def count(text: str) -> int:
    """A positive whole number for argparse; 10_000 and 1e6 pass."""
    number = float(text)
    if number != int(number) or number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return int(number)


def cpu_seconds(job: Job, at_least: float = 0.0) -> float:
    """CPU time of one run; a short job is run again until the sum is long enough to be measured."""
    runs = 0
    start = time.process_time()
    while not runs or time.process_time() - start < at_least:
        job()
        runs += 1
    return (time.process_time() - start) / runs


def interleave(jobs: Mapping[str, Job], repeats: int, at_least: float = 0.1) -> dict[str, list[float]]:
    """CPU times of every job: rounds over all of them, so that a slow spell of the machine hits all."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].append(cpu_seconds(job, at_least))
    return times


def spread(values: Iterable[float]) -> Spread:
    """Median, lowest and highest."""
    values = list(values)
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


@dataclass
class Report:
    """One table: printed for people, or written as JSON with what is needed to compare it later."""

    title: str
    columns: dict[str, str]  # key in a row: heading
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, **row: object) -> None:
        """One line; values are numbers, strings, spreads or None."""
        self.rows.append(row)

    def finish(self, options: argparse.Namespace) -> None:
        """Print, and save if asked to."""
        if options.json != "-":
            self.show()
        if options.json:
            figures = {"title": self.title, "machine": machine(), "repeats": options.repeats}
            text = json.dumps(figures | {"rows": self.rows, "notes": self.notes}, indent=1) + "\n"
            if options.json == "-":
                sys.stdout.write(text)
            else:
                Path(options.json).write_text(text, encoding="utf-8")

    def show(self) -> None:
        """The table on standard output; not cut to a terminal's width where there is none."""
        table = Table(title=self.title, caption="\n".join([*self.notes, described(machine())]), caption_justify="left")
        for number, heading in enumerate(self.columns.values()):
            table.add_column(heading, justify="right" if number else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*(cell(row.get(key)) for key in self.columns))
        Console(width=None if sys.stdout.isatty() else 120).print(table)


def cell(value: object) -> str:
    """A value with three digits that mean something; a spread as median (min - max)."""
    if value is None:
        return "-"
    if isinstance(value, dict):
        return f"{cell(value['median'])} ({cell(value['min'])} - {cell(value['max'])})"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        for unit, name in ((1e6, " M"), (1e3, " k"), (1, "")):
            if abs(value) >= unit:
                return f"{value / unit:.3g}{name}" if abs(value) < 1000 * unit else f"{value / unit:,.0f}{name}"
        return f"{value:.2g}"
    return str(value)


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    return {
        "c4mcts": c4mcts.__version__,
        "backend": c4mcts.backend(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
    }


def processor() -> str:
    """The processor's name, as far as the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def described(facts: Mapping[str, object]) -> str:
    """machine() in a line."""
    return (
        f"c4mcts {facts['c4mcts']} ({facts['backend']}), Python {facts['python']}, NumPy {facts['numpy']}, "
        f"{facts['system']}, {facts['processor']}, {facts['cores']} cores"
    )
