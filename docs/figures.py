"""Remake the plots of the pages in docs/img: python docs/figures.py

Runs each command `c4mcts study ... --out NAME` that the pages show, and keeps its plot as docs/img/NAME.png. Needs the
extra `plot`, and Pillow. Seeds are fixed, so only the times differ from run to run.
"""

import argparse
import contextlib
import io
import os
import shlex
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from c4mcts.cli import main as c4mcts

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs/guide/study.md", ROOT / "docs/prior_systems/sources.md"]
WIDTH, COLOURS = 760, 40  # pixels and colours of a picture: the files get small


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
    print(f"{'all':28} {'':8} {time.process_time() - begin:7.1f} s of CPU")


if __name__ == "__main__":
    main()
