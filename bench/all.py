"""The page of figures, docs/guide/performance.md: the tables of the other scripts, measured in one run.

    pip install -r bench/requirements.txt && pip install --no-deps kaggle-environments
    python bench/all.py                     # 20 minutes, on an otherwise idle machine
    python bench/all.py --quick page.md     # a few minutes, to try it

Packages that are missing are named on the page, and the rest is measured. The exit code is 1 if a script has failed.
"""

import argparse
import importlib.metadata
import json
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from measure import commit, machine, markdown

from c4mcts.signature import parts, signature

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs/guide/performance.md"


ABOUT = """
    Absolute figures from another machine, or from a shared one on another day, can differ by a factor of 2; ratios
    differ less. They are taken within a round, in which everything compared runs in turn. A ratio is followed by a 95 %
    interval for its median, other medians by the lowest and the highest value. Times are CPU time unless said
    otherwise; M and k are millions and thousands.
    [How it is measured](https://github.com/c4mcts/c4mcts/blob/main/bench/README.md).
    """


@dataclass(frozen=True)
class Part:
    """A section of the page: its heading, the meaning of its tables, and the commands that print them."""

    heading: str
    text: str
    commands: tuple[str, ...]
    quick: tuple[str, ...]


PARTS = (
    Part(
        "Plain UCT compared with other packages",
        """
        The same position, the same number of simulations, one random game per simulation, a new tree for each search,
        one core. "c4mcts native, used pool" is the same search in the memory of an earlier one, as in every search
        of a game but the first. mctspy and mcts play on our fast board in plain Python. mcts takes all rewards from the
        first player's point of view, which is a different, wrong algorithm: its speed is listed, but do not trust
        its moves.
        """,
        (
            "compare.py --simulations 10000 --repeats 9",
            "compare.py --simulations 100000 --repeats 15 --only C++",
            "compare.py --simulations 1000000 --repeats 6 --only C++",
        ),
        ("compare.py --simulations 2000 --repeats 6", "compare.py --simulations 100000 --repeats 6 --only C++"),
    ),
    Part(
        "Cost by the number of simulations",
        """
        A simulation in a large tree is slower: the path to a leaf is longer, and its nodes are no longer in the
        cache.
        """,
        ("simulations.py --repeats 7",),
        ("simulations.py --repeats 3 --max 1000000",),
    ),
    Part(
        "Memory",
        "A node has 16 bytes, and a simulation makes about two of them.",
        ("memory.py --repeats 3",),
        ("memory.py --repeats 1",),
    ),
    Part(
        "Threads",
        """
        "by CPU time" is the speed-up on a machine with this many idle processors: the CPU time of one thread, divided
        by the time of all threads over their number. "by the clock" also depends on what else the machine was doing.
        One tree: `Engine(threads=2)`; 2 trees: `search_ensemble`, each with all the simulations; watched:
        `engine.analysis` with a result every 0.1 s. How much one plain tree gains from a second thread
        depends on the machine ([more](../internals/search.md#several-threads-on-one-tree)).
        """,
        ("scaling.py --repeats 9", "solver.py --threads 2 --positions 25"),
        ("scaling.py --repeats 6 --quick",),
    ),
    Part(
        "Single moves compared with Kaggle's negamax and OpenSpiel",
        """
        Time alone says little about a player. These positions have columns that differ in value, and no immediate
        win; a move is right if it keeps the value (win, draw or loss) of the position. `strong@1000` is the default
        search with 1,000 simulations. Kaggle's negamax lets
        [many forced wins go](https://github.com/c4mcts/c4mcts/blob/main/findings/README.md): at its horizon it values
        discs beside each other like a win.
        """,
        ("moves.py --positions 100",),
        ("moves.py --positions 15",),
    ),
    Part(
        "Exact scores compared with BitBully",
        """
        One thread, no book. Both solvers start each position with an empty table; clearing BitBully's is not counted.
        `solve_many` keeps one table for all positions.
        """,
        ("solver.py --positions 50",),
        ("solver.py --positions 8",),
    ),
    Part(
        "Exact scores of all columns, and reviews",
        """
        With the book of the package. Half of the positions are decided by a few forced moves; look at the high
        quantiles.
        """,
        ("columns.py --repeats 2", "columns.py --reviews --repeats 2"),
        ("columns.py --positions 2 --games 2", "columns.py --reviews --games 2"),
    ),
    Part(
        "Self-play compared with mctx and pgx",
        """
        Positions with a full search, with an evaluator that costs nothing, so that only the search and the play are
        measured. A pool of N searches N games at the same time; the alternative is an engine for each game.
        """,
        ("selfplay.py --repeats 6 --simulations 64", "selfplay.py --repeats 6 --simulations 400"),
        ("selfplay.py --repeats 3 --simulations 32 --mctx-batch 64",),
    ),
    Part(
        "Searches with an evaluator",
        """
        With batches of one, nearly all the time goes into calling the Python function and checking what it returns.
        """,
        ("evaluators.py --repeats 7",),
        ("evaluators.py --repeats 2",),
    ),
    Part(
        "Random games",
        """
        By `c4mcts.rollouts`, on one core; the native backend plays several side by side
        ([how](../internals/search.md#random-games-in-lanes)).
        """,
        ("rollouts.py --repeats 7",),
        ("rollouts.py --repeats 3",),
    ),
    Part(
        "Around a search",
        """
        The cost in addition to the simulations, and the cost of an import. A cold start is the first search of a
        process, compared with the same search later.
        """,
        ("overhead.py --repeats 7", "imports.py --repeats 15"),
        ("overhead.py --repeats 2", "imports.py --repeats 3"),
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=PAGE, help="the page (default: the guide's)")
    parser.add_argument("--quick", action="store_true", help="few and short measurements, to try it")
    options = parser.parse_args()
    lines, failed = heading(options.quick), 0
    for part in PARTS:
        lines += ["", f"## {part.heading}", "", filled(part.text)]
        for command in part.quick if options.quick else part.commands:
            start = time.monotonic()
            try:
                report = run(command)
                lines += ["", *table(report), "", *notes(report, command)]
            except subprocess.CalledProcessError as error:
                failed += 1
                lines += ["", f"`python bench/{command}` failed: `{error.stderr.strip().splitlines()[-1]}`"]
            print(f"{time.monotonic() - start:5.0f} s  {command}", file=sys.stderr, flush=True)
        options.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(failed > 0)


def heading(quick: bool) -> list[str]:
    """What was measured, when, and on which machine."""
    facts = machine()
    return [
        "# Performance",
        "",
        filled(f"Made by `python bench/all.py{' --quick' * quick}`, all in one run. {ABOUT}"),
        "",
        f"- {facts['processor']}, {facts['cores']} processors; {facts['system']}; {datetime.now(UTC):%Y-%m-%d}",
        f"- c4mcts {facts['c4mcts']}, {facts['backend']} backend, commit {commit()}",
        f"- `c4mcts info --signature`: {signature(parts('native'))}",
        f"- Python {facts['python']}, NumPy {facts['numpy']}",
        f"- {', '.join(versions())}",
    ]


def filled(text: str) -> str:
    """A paragraph, wrapped to the usual line length."""
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def versions() -> list[str]:
    """The other packages with their versions: the first paragraph of requirements.txt, and Kaggle's."""
    lines = (HERE / "requirements.txt").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    found = []
    for name in [*(line for line in lines if not line.startswith("#")), "kaggle-environments"]:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{name} not installed")
    return found


def run(command: str) -> dict[str, Any]:
    """The report of a script, run in its own process."""
    script, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, str(HERE / script), *arguments, "--json", "-"], check=True, capture_output=True, text=True
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def table(report: dict[str, Any]) -> list[str]:
    """The table of a report in Markdown."""
    return [f"**{report['title']}**", "", *markdown(report["columns"], report["rows"])]


def notes(report: dict[str, Any], command: str) -> list[str]:
    """The notes below a table."""
    return ["; ".join([f"`python bench/{command}`", *report["notes"]]) + "."]


if __name__ == "__main__":
    sys.exit(main())
