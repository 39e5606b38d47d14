"""bench/all.py writes the page of figures, also if a script fails."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(monkeypatch):
    """bench/all.py as a module."""
    monkeypatch.syspath_prepend(ROOT / "bench")
    spec = importlib.util.spec_from_file_location("bench_all", ROOT / "bench/all.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bench_all", module)
    spec.loader.exec_module(module)
    return module


def test_scripts_that_fail_leave_the_others_on_the_page(script, monkeypatch, tmp_path):
    report = {"title": "T", "columns": {"a": "A", "b": "B"}, "rows": [{"a": "x", "b": 2.5}], "notes": ["n"]}

    def run(command, **options):
        if "memory.py" in command[1]:
            raise subprocess.CalledProcessError(1, command, stderr="Traceback\nOSError: no memory")
        return subprocess.CompletedProcess(command, 0, stdout=json.dumps(report))

    page = tmp_path / "page.md"
    monkeypatch.setattr(script.subprocess, "run", run)
    monkeypatch.setattr(script, "heading", lambda quick: ["# Performance"])
    monkeypatch.setattr("sys.argv", ["all.py", "--quick", str(page)])
    assert script.main() == 1
    text = page.read_text(encoding="utf-8")
    assert "failed: `OSError: no memory`" in text
    assert text.count("| x | 2.5 |") == sum(len(part.quick) for part in script.PARTS) - 1


@pytest.mark.parametrize(
    ("values", "low", "high"), [([3.0], 3.0, 3.0), (range(5), 0, 4), (range(6), 0, 5), (range(9), 1, 7)]
)
def test_intervals_of_medians(script, values, low, high):
    """From tables of the sign test: 6 values hold the median with 96.9 %, the inner 7 of 9 with 96.1 %."""
    import measure

    found = measure.interval(values)
    assert (found["low"], found["high"]) == (low, high)
