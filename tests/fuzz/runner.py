"""Attacks a target in a separate process, so that a crash or a hang of the interpreter is a finding like others."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
PROGRAM = ["-m", "fuzz.child"]
PATIENCE = 60  # seconds that one case may take
STARTING = 60  # seconds until the first one


class Finding(NamedTuple):
    """A case that did harm, by its number, and what was seen."""

    number: int
    words: str


def attack(name: str, seed: int, first: int, count: int | None, seconds: float | None) -> tuple[int, Finding | None]:
    """Try cases from number `first` on, a number of them or for a time, until one does harm; returns their number."""
    with tempfile.TemporaryDirectory() as folder:
        counter, said = Path(folder, "number"), Path(folder, "stderr")
        counter.touch()
        limits = [str(count) if count else "-", str(seconds) if seconds else "-"]
        command = [sys.executable, "-X", "faulthandler", *PROGRAM, name, str(seed), str(first), *limits]
        with said.open("wb") as stderr:
            child = subprocess.Popen(
                [*command, str(counter)], cwd=TESTS, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr
            )
            try:
                hangs = _outlasts(child, counter)
            finally:
                child.kill()
                child.wait()
        number = int(counter.read_text() or first)
        if not hangs and child.returncode == 0:
            return number - first, None
        end = f"no end after {PATIENCE} s" if hangs else f"exit code {child.returncode}"
        return number - first + 1, Finding(number, f"{end}\n{said.read_text(errors='replace')}")


def _outlasts(child: subprocess.Popen[bytes], counter: Path) -> bool:
    """Wait for the child's end; true if one case takes too long."""
    seen, since = "", time.monotonic()
    while child.poll() is None:
        time.sleep(0.02)
        now = counter.read_text()
        if now != seen:
            seen, since = now, time.monotonic()
        elif time.monotonic() - since > (PATIENCE if seen else STARTING):
            return True
    return False
