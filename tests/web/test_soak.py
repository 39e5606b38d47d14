"""A short soak by bench/web.py, whose default is longer: many sockets, some of them hostile."""

import asyncio
import importlib
import sys
from pathlib import Path

import pytest

pytest.importorskip("websockets")
pytest.importorskip("uvicorn")
BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.native
def test_a_short_soak(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    found = asyncio.run(importlib.import_module("web").soak(sockets=20, hostiles=5, seconds=3.0))
    waits = sorted(found.waits)
    assert len(waits) > 15 * 10
    assert found.searches > 15
    assert found.garbage > 50
    assert waits[len(waits) // 2] < 5  # on a busy machine; bench/web.py measures
    assert found.errors == ""
    assert (found.freed < 2, found.ended < 5) == (True, True)
    if sys.platform == "linux":
        assert found.memory[-1] < 600e6
