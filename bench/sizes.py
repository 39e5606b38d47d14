"""Whole boards of many sizes, solved from the empty one and compared with the values that others have published.

FOLDER receives the result of each step, and a checkpoint for each board that is not solved yet. So the same command
continues after an interruption, even by kill -9, and with more --nodes. The first step gives each board 5 million
nodes, each later one four times as many in all. --write puts the results into bench/sizes.csv and draws the picture;
without FOLDER, nothing is solved, and --markdown prints what bench/sizes.csv has.

One thread, a table of up to 256 MB, no book. Exit code 1 if a value is not the published one.
"""

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from measure import Report, count, markdown, parser

from c4mcts import Board, Rules, solve

HERE = Path(__file__).parent
PUBLISHED = HERE / "published_sizes.csv"  # by John Tromp and by Christophe Steininger; all that both have are equal
RECORD = HERE / "sizes.csv"
PICTURE = HERE.parent / "docs/img/sizes.svg"
UNPUBLISHED = ((4, 14), (4, 15), (4, 16), (4, 18), (4, 20), (5, 14), (12, 5), (13, 4), (14, 4))
FIRST, FACTOR = 5_000_000, 4  # nodes of the first step, and of each step compared with the one before
SIGNS = {1: "+", 0: "=", -1: "-"}
WORDS = {"+": "first player wins", "=": "draw", "-": "second player wins"}
TINTS = {"+": "#ffe08a", "=": "#e4e4e0", "-": "#f7b8c0"}
FIELDS = ("width", "height", "value", "last_move", "nodes", "cpu", "published")

Size = tuple[int, int]  # width and height


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("folder", metavar="FOLDER", type=Path, nargs="?")
    options_parser.add_argument("--nodes", type=count, default=80_000_000, help="for each board (default 80 million)")
    options_parser.add_argument("--minutes", type=float, default=float("inf"), help="of CPU time for this run")
    options_parser.add_argument("--only", metavar="TEXT", default="", help="sizes that contain this, as 5x12")
    options_parser.add_argument("--write", action="store_true", help="write bench/sizes.csv and docs/img/sizes.svg")
    options_parser.add_argument(
        "--markdown", action="store_true", help="print the boards of bench/sizes.csv that are solved"
    )
    options = options_parser.parse_args()
    if options.markdown:
        print("\n".join(recorded()))
        return
    if options.folder is None:
        options_parser.error("give a FOLDER, or --markdown")
    published = {(int(row["width"]), int(row["height"])): row for row in rows_of(PUBLISHED)}
    options.folder.mkdir(exist_ok=True)
    sizes = sorted({*published, *UNPUBLISHED}, key=lambda size: (bits(size) > 64, size[0] * size[1]))
    chosen = [size for size in sizes if options.only in "x".join(map(str, size))]
    for size, done in work(options, chosen):
        print(f"{size[0]}x{size[1]}: {done['value'] or '?'} {done['nodes']:,} nodes {done['cpu']:.1f} s", flush=True)
    results = [compared(size, row, published.get(size)) for size, row in results_of(options.folder).items()]
    report(results).finish(options)
    if options.write:
        write(results)
        draw(results, published)
    sys.exit(any(row["published"] == "differs" for row in results))


def bits(size: Size) -> int:
    return size[0] * (size[1] + 1)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def results_of(folder: Path) -> dict[Size, dict[str, Any]]:
    """The latest result of each size; a last line that a killed process left unfinished is skipped."""
    found: dict[Size, dict[str, Any]] = {}
    path = folder / "steps.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []:
        if line.endswith("\n"):
            row = json.loads(line)
            found[row["width"], row["height"]] = row
    return found


def work(options: argparse.Namespace, sizes: Iterable[Size]) -> Iterator[tuple[Size, dict[str, Any]]]:
    """Solve the boards step by step; yields the result of each step."""
    limit = min(FIRST, options.nodes)
    while True:
        for size in sizes:
            before = results_of(options.folder).get(size, {"value": None, "nodes": 0, "cpu": 0.0})
            if before["value"] is None and before["nodes"] < limit:
                if time.process_time() > 60 * options.minutes:
                    return
                yield size, step(options.folder, size, limit, before)
        if limit == options.nodes:
            return
        limit = min(FACTOR * limit, options.nodes)


def step(folder: Path, size: Size, limit: int, before: dict[str, Any]) -> dict[str, Any]:
    """Continue with a board until it is solved or has taken `limit` nodes; its result, which the folder has, too."""
    checkpoint, start = folder / "{}x{}.c4".format(*size), time.process_time()
    nodes = limit - before["nodes"]
    found = solve(Board(Rules(*size)), columns=False, book=False, max_nodes=nodes, checkpoint=checkpoint)
    row = {
        "width": size[0],
        "height": size[1],
        "value": None if found.score is None else SIGNS[(found.score > 0) - (found.score < 0)],
        "last_move": found.distance,
        "nodes": found.nodes,
        "cpu": before["cpu"] + time.process_time() - start,
    }
    path = folder / "steps.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    path.write_text(whole + json.dumps(row) + "\n", encoding="utf-8")
    if found.score is not None:
        checkpoint.unlink()
    return row


def compared(size: Size, row: dict[str, Any], published: dict[str, str] | None) -> dict[str, Any]:
    """A row of the record: a result, and whether it is the published one."""
    known = published or {"value": "", "last_move": ""}
    parts = [(str(row[name]), known[name]) for name in ("value", "last_move") if known[name]]
    if row["value"] is None or not parts:
        words = "yes" if parts else "no"
    else:
        words = "agrees" if all(mine == theirs for mine, theirs in parts) else "differs"
    return {**row, "cpu": round(row["cpu"], 2), "published": words}


def report(results: list[dict[str, Any]]) -> Report:
    headings = ("value", "last move", "nodes", "CPU seconds", "published")
    found = Report("Whole boards", {"size": "size", **dict(zip(FIELDS[2:], headings, strict=True))})
    for row in results:
        known = {"value": row["value"] or "?", **{name: row[name] for name in FIELDS[3:]}}
        found.add(size="{width}x{height}".format(**row), **known)
    solved = [row for row in results if row["value"] is not None]
    agree = sum(row["published"] == "agrees" for row in solved)
    wide = sum(bits((row["width"], row["height"])) > 64 for row in solved)
    found.notes.append(f"{len(solved)} solved, {agree} as published; {wide} of more than 64 bits")
    return found


def write(results: list[dict[str, Any]]) -> None:
    """Write the record: boards that are not solved have no value."""
    with RECORD.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(results)


def recorded() -> list[str]:
    """The lines of a table in Markdown with the recorded boards that are solved."""
    columns = {"size": "board", "value": "value", "last_move": "last move", "nodes": "nodes", "cpu": "CPU s"}
    rows = [
        {"size": "{width}x{height}".format(**row), **row, "nodes": f"{int(row['nodes']):,}", "cpu": float(row["cpu"])}
        for row in rows_of(RECORD)
        if row["value"]
    ]
    return markdown({**columns, "published": "published"}, rows)


def draw(results: list[dict[str, Any]], published: dict[Size, dict[str, str]]) -> None:
    """Draw the table of sizes: solved here, or only by others."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt
    from matplotlib.patches import Patch, Rectangle

    mpl.rcParams.update({"svg.hashsalt": "c4mcts", "svg.fonttype": "none", "font.family": "sans-serif"})
    solved = {(row["width"], row["height"]): row for row in results if row["value"] is not None}
    sizes = {*published, *solved}
    figure, axes = plt.subplots(figsize=(7.6, 6.8))
    for width, height in sorted(sizes):
        row = solved.get((width, height))
        value = str((row or published[width, height])["value"])
        style = {"facecolor": TINTS[value]} if row else {"facecolor": "none", "hatch": "////"}
        axes.add_patch(Rectangle((width - 0.46, height - 0.46), 0.92, 0.92, edgecolor=TINTS[value], **style))
        last = (row or published[width, height])["last_move"]
        axes.text(width, height, f"{value}{last}".replace("-", "−"), ha="center", va="center", fontsize=9)
    axes.set(xlabel="columns", ylabel="rows", aspect="equal")
    axes.set_xlim(min(width for width, _ in sizes) - 0.6, max(width for width, _ in sizes) + 0.6)
    axes.set_ylim(min(height for _, height in sizes) - 0.6, max(height for _, height in sizes) + 0.6)
    axes.set_xticks(sorted({width for width, _ in sizes}))
    axes.set_yticks(range(min(height for _, height in sizes), max(height for _, height in sizes) + 1))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    keys = [Patch(facecolor=TINTS[value], label=f"{value.replace('-', '−')} {WORDS[value]}") for value in "+=-"]
    keys.append(Patch(facecolor="none", edgecolor="#b0b0a8", hatch="////", label="not solved here, value of others"))
    axes.legend(handles=keys, loc="upper right", frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
