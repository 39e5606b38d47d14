"""Mutation testing: how many small changes to the code the tests find (Linux and macOS).

    python tools/mutation.py search                         # all of src/c4mcts/search: hours
    python tools/mutation.py _pure selection proofs         # two modules
    python tools/mutation.py play --minutes 60 --goal 90    # stop after an hour; exit code 1 below 90 %

Needs `pip install -e ".[test]" mutmut`. Each package is tested with the tests of its own folders (TESTS). Everything is
copied to build/mutation; to see a mutant that survived, change to the printed folder and run `python -m mutmut
show NAME`.

The pure backend is tested without the native one, so that no test can compare them: a mutant found here would also be
found if both were changed the same way. mutmut changes no decorated functions, such as properties, and nothing outside
functions, such as constants.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from environments import ROOT, say

from c4mcts._platform import processors

# The tests that must find the changes in a package.
TESTS = {
    "_pure": ("tests/both_backends", "tests/reference", "tests/solver", "tests/selfplay", "tests/board"),
    "search": ("tests/search", "tests/both_backends"),
    "solver": ("tests/solver", "tests/reference/test_solver.py"),
    "play": ("tests/play",),
    "protocol": ("tests/protocol",),
    "selfplay": ("tests/selfplay",),
    # not those that start other interpreters, in which there are no mutants
    "executors": tuple(f"tests/executors/test_{name}.py" for name in ("everywhere", "resume", "store")),
    "cli": (
        "tests/cli",
        "--ignore-glob=*/test_serve*.py",
        "--ignore-glob=*/test_web.py",
        "--ignore-glob=*/test_main.py",
    ),
    "http": ("tests/http",),
    "page": ("tests/page/test_export.py",),
}
NO_NATIVE = ("--pure-only", "-W", "ignore:c4mcts runs on its pure-Python")
FOUND = ("killed", "timeout", "segfault", "suspicious", "caught by type check")


def main() -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=TESTS)
    parser.add_argument("modules", nargs="*", help="default: the whole package")
    parser.add_argument("--tests", nargs="+", help="default: the package's")
    parser.add_argument(
        "--minutes", type=float, default=24 * 60, help="including the first run of the tests; default: a day"
    )
    parser.add_argument("--jobs", type=int, default=processors(), help="mutants at once; default: one per processor")
    parser.add_argument("--goal", type=float, default=0, help="per cent of mutants that must be found; default: 0")
    options = parser.parse_args()
    folder = ROOT / "build" / "mutation" / options.package
    modules = options.modules or ["*"]
    prepare(folder, options.package, modules, options.tests or TESTS[options.package])
    try_mutants(folder, options.minutes, options.jobs)
    return report(folder, options.goal)


def prepare(folder: Path, package: str, modules: list[str], tests: list[str]) -> None:
    """Copy the code and its tests, and write the configuration of mutmut."""
    shutil.rmtree(folder, ignore_errors=True)
    left_out = ["__pycache__", "*.pyx", "*.pxd", "*.h", "*.c", *(["*.so"] if package == "_pure" else [])]
    for name in ("src", "tests", "docs", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*left_out))
    config = {
        "source_paths": ["src"],
        "only_mutate": [f"src/c4mcts/{package}/{module}.py" for module in modules],
        "also_copy": ["docs", "examples"],
        "pytest_add_cli_args": ["-p", "no:cacheprovider", *(NO_NATIVE if package == "_pure" else ())],
        "pytest_add_cli_args_test_selection": list(tests),
    }
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in config.items()]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(project + "\n[tool.mutmut]\n" + "".join(lines), encoding="utf-8")


def mutmut(folder: Path, *arguments: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "mutmut", *arguments], cwd=folder, text=True, **options)  # type: ignore[call-overload]


def try_mutants(folder: Path, minutes: float, jobs: int) -> None:
    """Run mutmut for `minutes`; it begins with the mutants whose tests take the least time."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with mutmut(folder, "run", "--max-children", str(jobs), **pipes) as running:
        try:
            output, _ = running.communicate(timeout=60 * minutes)
        except subprocess.TimeoutExpired:
            running.send_signal(2)  # as Ctrl-C: results so far are kept
            output, _ = running.communicate()
        if running.returncode:
            sys.exit(f"{output[-5000:]}\nmutmut failed")


def report(folder: Path, goal: float) -> int:
    """Print the score of each module, in Markdown, and the mutants that survived; 1 if it is below the goal."""
    output, _ = mutmut(folder, "results", "--all", "true", stdout=subprocess.PIPE).communicate()
    found: dict[str, Counter[str]] = {}
    survivors = []
    for name, status in re.findall(r"^ *(\S+): (.+)$", output, re.MULTILINE):
        found.setdefault(name.rpartition(".")[0], Counter())[status] += 1
        if status in ("survived", "no tests"):
            survivors.append(f"{name}: {status}")
    say("| module | mutants | tried | found | score |\n|---|---:|---:|---:|---:|")
    for module, statuses in [*sorted(found.items()), ("all", sum(found.values(), Counter()))]:
        tried = statuses.total() - statuses["not checked"]
        killed = sum(statuses[status] for status in FOUND)
        score = 100 * killed / max(tried, 1)
        say(f"| {module} | {statuses.total()} | {tried} | {killed} | {score:.1f} % |")
    say("\n".join(["", f"Survivors, in {folder}:", "", *survivors]))
    return int(score < goal)


if __name__ == "__main__":
    sys.exit(main())
