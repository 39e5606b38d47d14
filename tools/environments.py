"""Shared by the scripts of this folder: commands, the files of a commit, interpreters and virtual environments."""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEEDS = (ROOT / "src/c4mcts/seeds.py").read_text(encoding="utf-8")
(SIGNATURE,) = re.findall('^SIGNATURE = "(.+?)"', SEEDS, re.MULTILINE)
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.14t", "3.15", "3.15t")  # of CPython, t: free-threaded
VERSION = (
    "import sys, sysconfig; free = sysconfig.get_config_var('Py_GIL_DISABLED');"
    "print('%d.%d' % sys.version_info[:2] + 't' * bool(free))"
)


def say(text: str) -> None:
    """One line of progress."""
    print(text, flush=True)


def run(*command: object, cwd: Path = ROOT, **changes: str | None) -> str:
    """Run a command and return its output. If it fails, end this program with that output.

    changes: to the environment variables; None removes one. PYTHONPATH is removed, so that installed packages are used.
    """
    environment: dict[str, str | None] = {**os.environ, "PYTHONPATH": None, **changes}
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=cwd,
        env={name: value for name, value in environment.items() if value is not None},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nFAILED ({done.returncode}): {' '.join(words)}")
    return done.stdout


@cache
def commit() -> str:
    """The last commit when this program started."""
    return git("rev-parse", "HEAD").decode().strip()


def git(*arguments: str) -> bytes:
    """The output of a git command."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def exported(folder: Path) -> Path:
    """The files of the commit, in a new folder."""
    archive = git("archive", commit())
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def pythons() -> dict[str, Path]:
    """The interpreters on PATH by version, python3.11 and so on."""
    found = {}
    for version in VERSIONS:
        python = shutil.which(f"python{version}")
        if python is not None:
            done = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=False)
            if done.stdout.strip() == version:
                found[version] = Path(python)
    return found


def environment(folder: Path, python: Path | str = sys.executable) -> Path:
    """A new virtual environment; the path of its interpreter."""
    run(python, "-m", "venv", "--clear", folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
