"""Remake the plots of the pages in docs/img: python docs/figures.py

Runs each command `c4mcts study ... --out NAME` that the pages show, and keeps its plot as docs/img/NAME.png. Needs the
extra `plot`, and Pillow. Seeds are fixed, so only the times differ from run to run. docs/img/proof.svg shows the first
plies of proofs/7x6.c4p.
"""

import argparse
import contextlib
import io
import itertools
import os
import shlex
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from c4mcts.board.svg import FILLS
from c4mcts.cli import main as c4mcts
from c4mcts.play import proof_tree
from c4mcts.solver import Certificate

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs/guide/study.md", ROOT / "docs/prior_systems/sources.md"]
WIDTH, COLOURS = 760, 36  # pixels and colours of a picture: the files get small


def commands(page: Path) -> dict[str, list[str]]:
    """The arguments of the commands of a page that make pictures, by the name of the picture."""
    lines = page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    found = [shlex.split(line) for line in lines if line.startswith("c4mcts study ") and "--seed" in line]
    found = [argv for argv in found if "--out" in argv]
    return {argv[argv.index("--out") + 1]: argv[1:] for argv in found}


def draw(name: str, argv: list[str]) -> Path:
    """Run a command in a temporary folder, and keep its plot."""
    from PIL import Image

    path = ROOT / "docs/img" / f"{name}.png"
    with TemporaryDirectory() as folder:
        where = argv.index("--out") + 1
        with contextlib.redirect_stdout(io.StringIO()):
            status = c4mcts([*argv[:where], folder, *argv[where + 1 :]])
        assert status == 0, argv
        (plot,) = Path(folder).glob("*.png")
        whole = Image.open(plot).convert("RGB")
        smaller = whole.resize((WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.LANCZOS)
        method = Image.Quantize.MAXCOVERAGE
        smaller.quantize(COLOURS, method=method, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
    return path


def draw_proof() -> Path:
    """Draw what the first player answers in the proof, a row for each of the opponent's first moves in columns 1 to 4.

    At the left of a row is the position after the answer, then those after each further reply and its answer.
    """
    tree = proof_tree(Certificate.load(ROOT / "proofs/7x6.c4p"), 5)
    (start,) = tree.children
    rows = []
    for reply in start.children[:4]:
        (answer,) = reply.children
        rows.append([answer, *(node for next_reply in answer.children for node in next_reply.children)])
    width, height, cell = 96, 84, 12
    board = f'<g id="board"><rect width="{7 * cell}" height="{6 * cell}" rx="3" fill="#2a66b8"/>'
    holes = [f'<circle cx="{6 + cell * i}" cy="{6 + cell * j}" r="4.6"/>' for i in range(7) for j in range(6)]
    parts = [f'<defs>{board}<g fill="#12305c">{"".join(holes)}</g></g></defs>']
    for y, row in enumerate(rows):
        for x, node in enumerate(row):
            left, top = x * width + (8 if x else 0), y * height
            parts.append(f'<use href="#board" x="{left}" y="{top}"/>')
            shown = node.board
            for column, level in itertools.product(range(7), range(6)):
                player = shown[column, level]
                if player is not None:
                    edge = ' stroke="#ffffff" stroke-width="1.4"' if (column, level) == shown.last_cell else ""
                    place = f'cx="{left + 6 + cell * column}" cy="{top + 66 - cell * level}"'
                    parts.append(f'<circle {place} r="4.6" fill="{FILLS[player]}"{edge}/>')
    path = ROOT / "docs/img/proof.svg"
    size = f'viewBox="-1 -1 {8 * width + 2} {4 * height}"'
    title = "<title>The first moves of the proof</title>"
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}{"".join(parts)}</svg>\n')
    return path


def main() -> None:
    """Draw the figures, and print the size and the CPU time of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="TEXT", default="", help="figures whose name contains this")
    only = parser.parse_args().only
    os.chdir(ROOT)  # the commands name files of examples/
    begin = time.process_time()
    for page in PAGES:
        for name, argv in commands(page).items():
            if only in name:
                start = time.process_time()
                path = draw(name, argv)
                seconds = time.process_time() - start
                print(f"{path.name:28} {path.stat().st_size / 1000:5.0f} kB {seconds:7.1f} s of CPU")
    if only in "proof":
        draw_proof()
    print(f"{'all':28} {'':8} {time.process_time() - begin:7.1f} s of CPU")


if __name__ == "__main__":
    main()
