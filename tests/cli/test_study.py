"""The command `study` without its plots."""

import csv
import sys

import pytest

from c4mcts import Board, Rules, SearchParams, study


def test_without_matplotlib_the_table_is_written_and_nothing_is_computed_again(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    argv = ["action-frequency", "--simulations", 20, "--runs", 5]
    status, out, err = run("study", *argv)
    assert status == 1
    assert "5 searches" in out
    assert err.count("\n") == 1
    assert "action-frequency.csv is written" in err
    assert "pip install 'c4mcts[plot]'" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["action-frequency.checkpoint", "action-frequency.csv"]
    table = (tmp_path / "action-frequency.csv").read_text()
    assert len(table.splitlines()) == 8
    assert run("study", *argv)[2].startswith("c4mcts study: 5 of 5 were there already\n")
    assert (tmp_path / "action-frequency.csv").read_text() == table, "with the same times, and the seed that was drawn"


def test_people_read_columns_from_1(run, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    _, out, _ = run("study", "action-frequency", "--simulations", 400, "--runs", 2, "--seed", 1, "44444")
    shown = [line.split()[:2] for line in out.splitlines() if line.endswith("%)")]
    rows = [line.split(",") for line in (tmp_path / "action-frequency.csv").read_text().splitlines()[1:]]
    assert [int(column) for column, _ in shown] == [int(row[0]) + 1 for row in rows]
    assert [share for _, share in shown] == [f"{float(row[2]):.1%}" for row in rows]
    _, out, _ = run("study", "budget", "--values", "5", "--runs", 1)
    assert "optimal: column 4\n" in out
    _, out, _ = run("study", "convergence", "--simulations", 20, "--runs", 1)
    assert out.splitlines()[4].split() == ["simulations", *"1234567"]


def test_win_rates_of_several_positions_in_one_table(printed, tmp_path):
    """They are those of the same call in Python."""
    file = tmp_path / "full.txt"
    file.write_text("xo...\nox...\nxo...\nox...\n")
    argv = ["--also", file, "--rules", "5x4", "--budgets", "5,20", "--runs", 10, "--seed", 1, "--executor", "threads:1"]
    out = printed("study", "win-rate", *argv)
    small = Rules(5, 4)
    boards = {"empty": Board(small), "full": Board.parse(file.read_text(), small)}
    found = study.win_rate(boards, SearchParams.preset("uct"), budgets=[5, 20], games=10, seed=1)
    shown = {int(words[0]): [word for word in words if "." in word] for words in map(str.split, out.splitlines()[5:7])}
    assert shown == {
        budget: [f"{rate:.1%}" for rate in found.rate[:, 0, i]] for i, budget in enumerate(found.budgets.tolist())
    }
    assert out.splitlines()[4].split()[-2:] == ["empty", "full"]


def test_several_presets_of_one_experiment_are_panels_side_by_side(printed, tmp_path, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    drawn = []
    monkeypatch.setattr(pyplot.Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))
    presets = ["report-random", "report-minimax"]
    argv = ["44", "--simulations", 60, "--points", 3, "--runs", 2, "--seed", 1]
    out = printed("study", "convergence", *argv, "--preset", presets[0], "--preset", presets[1])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["convergence.csv"], "and no checkpoints"
    titles = [" ".join(ax.get_title(loc="left").split()) for ax in drawn[0].axes]
    for title, preset in zip(titles, presets, strict=True):
        assert title == f"Value of every column: after 44 on 7x6, {preset}"
        assert title in out
    found = study.convergence("44", SearchParams.preset(presets[1]), simulations=[10, 24, 60], runs=2, seed=1)
    with (tmp_path / "convergence.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["preset"] == presets[1]]
    assert [float(row["q"] or "nan") for row in rows] == pytest.approx(found.q.ravel().tolist(), nan_ok=True)


@pytest.mark.parametrize(
    ("move", "reason"),
    [("1 / 0", "ZeroDivisionError: division by zero"), ("3", "chose 3: column 3 is full")],
)
def test_an_opponent_that_fails_is_named(run, tmp_path, move, reason):
    """At its first move, and at a later one."""
    (tmp_path / "agent.py").write_text(f"def agent(observation, configuration):\n    return {move}\n")
    argv = ["--opponent", "agent.py", "--budgets", 20, "--executor", "threads:1", "--seed", 1]
    status, _, err = run("study", "win-rate", *argv)
    assert (status, err.splitlines()[0]) == (1, f"c4mcts study: error: player agent.py fails: {reason}")
