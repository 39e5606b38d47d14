"""A short attack on each target, always with the same cases, and all cases that were ever found."""

from pathlib import Path

import pytest

pytest.importorskip("resource", reason="Windows has no timers and limits that interrupt a call")


from . import failing, runner
from .target import SANITIZED, read
from .targets import TARGETS

CASES = sorted(path for path in Path(__file__).with_name("cases").iterdir() if path.suffix in (".bin", ".json"))

pytestmark = pytest.mark.native


@pytest.mark.parametrize("name", TARGETS)
def test_no_case_does_harm(name):
    tried, finding = runner.attack(name, 1, 0, TARGETS[name].quick, None)
    assert finding is None, f"case {finding.number}: {finding.words}"
    assert tried == TARGETS[name].quick


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_a_case_that_was_found(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, case = read(path)
    if name == "memory" and name not in TARGETS:
        pytest.skip("needs Linux, and no sanitizer")
    TARGETS[name].check(case)


@pytest.mark.skipif(SANITIZED or not failing.IS_POSSIBLE, reason="needs the GNU C library and a compiler")
@pytest.mark.parametrize("name", failing.OPERATIONS)
def test_after_a_failure_there_is_the_old_state_or_the_new_one(name):
    assert "write end" in failing.attack(name, 4)


SELF = """
import os, time
from fuzz import child
from fuzz.target import Target
def act(number):
    if number == 3:
        {deed}
child.TARGETS["self"] = Target(lambda chance: next(numbers), act, 9)
numbers = iter(range(9))
child.main()
"""


@pytest.mark.parametrize(
    ("deed", "words"),
    [("os.abort()", "exit code -6"), ("1 / 0", "ZeroDivisionError"), ("time.sleep(99)", "no end after 5 s")],
)
def test_a_crash_an_error_and_a_hang_are_found(monkeypatch, deed, words):
    monkeypatch.setattr(runner, "PATIENCE", 5)
    monkeypatch.setattr(runner, "PROGRAM", ["-c", SELF.format(deed=deed)])
    tried, finding = runner.attack("self", 1, 0, 9, None)
    assert (tried, finding.number) == (4, 3)
    assert words in finding.words
