"""Build with run-time checks and run the tests that need them (Linux, GCC).

    python tools/sanitize.py address    # memory errors and undefined behaviour: AddressSanitizer and UBSan
    python tools/sanitize.py thread     # data races between threads: ThreadSanitizer
    python tools/sanitize.py checks     # array indices, by Cython: nodes, tables, everything that is a memoryview
    python tools/sanitize.py checks -k rollout -x       # further arguments are passed to pytest

Each has a virtual environment, .venv-address and so on, and a folder below build/. The exit code is not 0 if a test
fails or a sanitizer reports anything.
"""

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from environments import ROOT, environment, run, say

BACKENDS = ("tests/both_backends", "tests/parity", "tests/fuzz")
THREADS = (
    *("tests/search/test_threads.py", "tests/solver/test_threads.py", "tests/search/test_pondering.py"),
    *("tests/search/test_random_games.py", "tests/selfplay/test_pool.py"),
)
NEEDS = ("pytest>=8", "hypothesis>=6.100", "jsonschema>=4.18")
REPORT = ROOT / "build" / "thread-sanitizer"  # the sanitizer adds a process id


@dataclass(frozen=True)
class Check:
    """A build, and the tests to run with it."""

    build: dict[str, str]  # variables for setup.py
    tests: tuple[str, ...]  # arguments for pytest
    library: str = ""  # loaded before the interpreter, which is not built with the sanitizer
    options: dict[str, str] = field(default_factory=dict)  # variables for the sanitizer
    prefix: tuple[str, ...] = ()  # of the command


CHECKS = {
    # Python does not free everything at exit, so tools/leaks.py looks for leaks instead.
    "address": Check(
        {"C4MCTS_SANITIZE": "address,undefined"},
        BACKENDS,
        "libasan.so",
        {"ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=3000"},
    ),
    "thread": Check(
        {"C4MCTS_SANITIZE": "thread"},
        # not those that start other interpreters, fork, or limit memory, of which the sanitizer reserves terabytes
        (*THREADS, "-k", "(thread or ponder or harm) and not interpreter and not fork and not without_more_threads"),
        "libtsan.so",
        {"TSAN_OPTIONS": f"log_path={REPORT}"},
        ("setarch", "--addr-no-randomize"),  # random addresses may fall where the sanitizer has its own data
    ),
    "checks": Check({"C4MCTS_CHECKS": "1"}, BACKENDS),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=CHECKS)
    options, more = parser.parse_known_args()
    check = CHECKS[options.check]
    folder = ROOT / f".venv-{options.check}"
    python = folder / "bin" / "python"
    if not python.exists():
        environment(folder)
        run(python, "-m", "pip", "install", "-q", *NEEDS)
    say(f"building for {options.check} ...")
    run(python, "-m", "pip", "install", "-q", ROOT, C4MCTS_BUILD="require", **check.build)
    for old in reports():
        old.unlink()
    variables = {**os.environ, **check.options, **({"LD_PRELOAD": path_of(check.library)} if check.library else {})}
    variables.pop("PYTHONPATH", None)  # tests the installed package
    command = [*check.prefix, python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *check.tests, *more]
    code = subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
    for report in reports():
        say(report.read_text(errors="replace"))
        code = code or 1
    return code


def reports() -> list[Path]:
    """The files that ThreadSanitizer has written."""
    return sorted(REPORT.parent.glob(f"{REPORT.name}.*"))


def path_of(library: str) -> str:
    """Where GCC has that library."""
    return run("gcc", f"-print-file-name={library}").strip()


if __name__ == "__main__":
    sys.exit(main())
