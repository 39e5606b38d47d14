"""Make a site in which the notebooks of the course run in the browser.

    python docs/lite.py OUT --wheel FILE --pyodide FOLDER

JupyterLite shows them, and Pyodide runs them. The site has all the files that they need, and loads nothing from other
hosts. FOLDER has the files of Pyodide; packages that are missing there are fetched, and checked by their hashes.
Needed: pip install jupyterlite-core jupyterlite-pyodide-kernel jupyter-server. A version of the kernel works with one
minor version of Pyodide: 0.6.1 with 0.27, 0.8 with 314.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlretrieve

import notebooks

# as far as the version has them
CORE = [f"pyodide.{ending}" for ending in ("js", "mjs", "asm.js", "asm.mjs", "asm.wasm")] + ["python_stdlib.zip"]
LOCK = "pyodide-lock.json"
# of Pyodide; in later versions ssl and sqlite3 are part of its standard library
PACKAGES = ["micropip", "packaging", "ssl", "sqlite3", "jedi", "ipython", "numpy", "matplotlib"]
WHEELS = ["comm", "rich", "markdown-it-py", "mdurl"]  # of the package index: what the kernel and c4mcts need besides
ADDRESS = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"
INSTALL = "%pip install -q c4mcts matplotlib"
KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}


def packages_of(lock: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The file names and SHA-256 of PACKAGES and of what these depend on, by the lock file of Pyodide."""
    packages = lock["packages"]
    found, missing = set(), [name for name in PACKAGES if name in packages]
    while missing:
        name = missing.pop().lower().replace("_", "-")  # as the keys are written
        if name not in found:
            found.add(name)
            missing += packages[name]["depends"]
    for name in sorted(found):
        yield packages[name]["file_name"], packages[name]["sha256"]


def copy_pyodide(source: Path, target: Path) -> None:
    """Copy what the notebooks need of Pyodide, and fetch what is missing. ValueError if a hash differs."""
    target.mkdir(parents=True)
    for name in [LOCK, *CORE]:
        if (source / name).exists():
            shutil.copy(source / name, target)
    lock = json.loads((source / LOCK).read_text(encoding="utf-8"))
    for name, wanted in packages_of(lock):
        if (source / name).exists():
            shutil.copy(source / name, target)
        else:
            version = json.loads((source / "package.json").read_text(encoding="utf-8"))["version"]
            urlretrieve(ADDRESS.format(version=version, name=name), target / name)
        if hashlib.sha256((target / name).read_bytes()).hexdigest() != wanted:
            raise ValueError(f"{name} has another SHA-256 than {LOCK} says, {wanted}")


def build(out: Path, wheel: Path, pyodide: Path) -> None:
    """Make the site. Its notebooks differ from the repository's in their kernel and their first cell."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        copy_pyodide(pyodide, folder / "static/pyodide")
        (folder / "files").mkdir()
        for chapter in notebooks.chapters():
            if "lite/notebooks" not in chapter.read_text(encoding="utf-8"):  # it needs files of a checkout
                continue
            made = json.dumps(notebooks.notebook(chapter, INSTALL, KERNEL))
            (folder / f"files/{chapter.stem}.ipynb").write_text(made, encoding="utf-8")
        python = Path(sys.executable)
        run(python, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder / "wheels", *WHEELS)
        options = [f"--piplite-wheels={file}" for file in (wheel.resolve(), *(folder / "wheels").iterdir())]
        options += [
            f"--contents={folder}/files",
            "--apps=notebooks",
            "--no-sourcemaps",
            f"--output-dir={out.resolve()}",
        ]
        run(python.parent / "jupyter-lite", "build", f"--lite-dir={folder}", *options)


def run(*command: str | Path) -> None:
    subprocess.run([*map(str, command)], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder of the site")
    parser.add_argument("--wheel", type=Path, required=True, help="of c4mcts for this Pyodide")
    parser.add_argument("--pyodide", type=Path, required=True, metavar="FOLDER", help="as of npm's package pyodide")
    arguments = parser.parse_args()
    build(arguments.out, arguments.wheel, arguments.pyodide)
