"""The commands `info` and `bench`."""

import c4mcts
from c4mcts.seeds import SIGNATURE
from c4mcts.signature import signature


def test_info(printed, record):
    out, found = printed("info"), record("info")
    assert found["version"] == c4mcts.__version__
    assert found["backend"] == c4mcts.backend()
    for name, value in found.items():
        assert name in out
        assert str(value) in out


def test_info_says_why_the_backend_is_pure(record, monkeypatch):
    def missing(name):
        raise ImportError("wrong architecture")

    monkeypatch.setattr("c4mcts._backend.load", missing)
    found = record("info")
    assert found["backend"] == "pure"
    assert "wrong architecture" in found["because"]
    assert found["extension"] is None
    assert found["simd"] is None


def test_bench(printed, record, monkeypatch):
    monkeypatch.setattr("c4mcts.cli.bench.MIN_SECONDS", 1e-6)
    monkeypatch.setattr("c4mcts.cli.bench.REPEATS", {"full": 1, "quick": 1})
    monkeypatch.setattr("c4mcts.cli.bench.SEARCHES", {"uct": (10, 200, 200_000), "strong": (10,)})
    monkeypatch.setattr("c4mcts.cli.bench.MOST", {"native": 200_000, "pure": 100})
    monkeypatch.setattr("c4mcts.cli.bench.GAMES", {"native": 10, "pure": 1})
    out = printed("bench", "--quick")
    for words in ("20 x 14", "simulations, uct, 10", "simulations, strong, 10"):
        assert words in out
    assert "200,000" not in out, "the longest search"
    found = record("bench", "--backend", "pure")
    assert [row["preset"] for row in found["rates"]] == ["uct", "uct", "uct", "strong", None, None, None]
    assert [row["pure"] is None for row in found["rates"]] == [False, True, True, False, False, False, False]
    assert all(row["native"] is None for row in found["rates"])


def test_signature_is_that_of_the_backend(run, record):
    """tests/golden computes it with both."""
    assert run("info", "--signature") == (0, SIGNATURE + "\n", "")
    found = record("info", "--signature", schema="signature")
    assert (found["backend"], found["signature"]) == (c4mcts.backend(), SIGNATURE)
    assert signature(found["parts"]) == SIGNATURE
    assert run("info", "--backend", "pure")[0] == 2
