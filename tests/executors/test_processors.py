"""The number of processors: those that this process may use, not those of the machine."""

import os
import subprocess
import sys

import pytest

from c4mcts import _platform

AT_ONCE = """
import os, threading
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # as taskset and SLURM do
from c4mcts import _platform
from c4mcts.executors.executor import as_done, worker_count
threads = {found for _, found in as_done([lambda check: threading.get_ident()] * 20, None)}
print(_platform.processors(), worker_count(None), len(threads))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="affinity")
def test_jobs_run_in_as_many_threads_as_the_process_may_use():
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, timeout=50)
    assert (done.stdout.split(), done.stderr) == (["1", "1", "1"], "")


@pytest.mark.parametrize(
    ("own", "limits", "processors"),
    [
        ("0::/job/step\n", {"job": "400000 100000", "job/step": "max 100000"}, 4),
        ("0::/job/step\n", {"job": "400000 100000", "job/step": "150000 100000"}, 1),
        ("0::/\n", {"": "250000 100000"}, 2),
        ("0::/\n", {"": "50000 100000"}, 1),
        ("0::/\n", {"": "90000000 100000"}, 64),
        ("0::/of/the/host\n", {"": "300000 100000"}, 3),  # a container that does not see its own folder
        ("3:cpu,cpuacct:/job\n0::/\n", {}, 64),  # version 1
        ("", {"": "300000 100000"}, 64),
        (None, {"": "300000 100000"}, 64),
    ],
)
def test_the_lowest_quota_of_the_cgroups_counts(own, limits, processors, monkeypatch, tmp_path):
    name = "process_cpu_count" if sys.version_info >= (3, 13) else "sched_getaffinity"
    monkeypatch.setattr(os, name, (lambda: 64) if sys.version_info >= (3, 13) else lambda _: range(64), raising=False)
    monkeypatch.setattr(_platform, "OWN_CGROUP", str(tmp_path / "own"))
    monkeypatch.setattr(_platform, "CGROUPS", str(tmp_path / "cgroup"))
    if own is not None:
        (tmp_path / "own").write_text(own)
    for folder, limit in limits.items():
        (tmp_path / "cgroup" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "cgroup" / folder / "cpu.max").write_text(f"{limit}\n")
    assert _platform.processors() == processors
