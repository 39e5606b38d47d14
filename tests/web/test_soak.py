"""A short soak by bench/web.py, whose default is longer: many sockets, some of them hostile."""

import asyncio
import importlib
import sys
from pathlib import Path

import pytest

pytest.importorskip("websockets")
pytest.importorskip("uvicorn")
PATIENCE = 10  # seconds that bench/web.py waits
BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.native
def test_a_short_soak(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    web = importlib.import_module("web")
    # short ones, so that the first ends in time on a busy machine
    monkeypatch.setattr(web, "SEARCH", {"maxVisits": 100, "reportDuringSearchEvery": 0.07, "reuseTree": True})
    found = asyncio.run(web.soak(sockets=10, hostiles=5, seconds=2.0))
    assert all((found.waits, found.searches, found.garbage))  # how many and how fast is for bench/web.py
    assert found.errors == ""
    assert found.freed < PATIENCE
    if sys.platform == "linux":
        assert found.memory[-1] < 600e6
