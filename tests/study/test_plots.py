"""Plots show the values of the arrays. These are the only tests that need matplotlib."""

import csv
import sys
from functools import partial

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from c4mcts import Board, Rules, SearchParams, study
from c4mcts.cli import main

UCT = SearchParams.preset("uct")
SMALL = Board(Rules(5, 4, 4))


@pytest.fixture(autouse=True)
def off_screen():
    matplotlib.use("Agg")
    yield
    pyplot.close("all")


def lines(ax):
    """The lines of a plot as lists of points, by label."""
    found = {line.get_label(): line.get_xydata().tolist() for line in ax.get_lines()}
    return {label: points for label, points in found.items() if not label.startswith("_")}


def bands(ax):
    """The corners of the filled areas, sorted."""
    return [area.get_paths()[0].vertices for area in ax.collections if hasattr(area, "get_paths")]


def has(vertices, x, y):
    """Whether an area has a corner there."""
    return bool(np.isclose(vertices, [x, y]).all(axis=1).any())


def points(x, y):
    return [list(point) for point in zip(np.asarray(x, float).tolist(), np.asarray(y, float).tolist(), strict=True)]


def words(ax):
    texts = [text.get_text() for text in ax.texts]
    return " ".join([ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel(), *texts])


def test_convergence():
    result = study.convergence(Board.from_moves([0] * 6), UCT, simulations=400, runs=3, seed=1)
    ax = result.plot()
    drawn = lines(ax)
    assert list(drawn) == ["1", "2", "3", "4", "5", "6"], "no line for the full column"
    assert len(bands(ax)) == 6
    low, high = np.percentile(result.q[:, -1, 3], (10, 90))
    assert has(bands(ax)[2], 400, low)
    assert has(bands(ax)[2], 400, high)
    np.testing.assert_allclose(drawn["3"], points(result.simulations, result.q[:, :, 3].mean(axis=0)))
    assert "simulations" in ax.get_xlabel()
    assert "mean reward Q (0 loss, 1 win)" in words(ax)
    assert "seed 1" in words(ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(drawn)


def test_convergence_leaves_out_what_was_not_tried():
    result = study.convergence(Board(), UCT, simulations=[3, 50], runs=2, seed=1)
    drawn = lines(result.plot())
    assert [x for x, _ in drawn["0"]] == [3, 50]
    assert [x for x, _ in drawn["6"]] == [50]


def test_many_columns_get_a_scale_instead_of_a_legend():
    result = study.convergence(Board(Rules(40, 7)), UCT, simulations=100, runs=2, seed=1)
    ax = result.plot()
    assert len(lines(ax)) == 40
    assert len({to_hex(line.get_color()) for line in ax.get_lines()}) == 40
    assert ax.get_legend() is None
    scale = next(other for other in ax.figure.axes if other is not ax)
    assert scale.get_ylabel() == "column"
    assert bands(ax) == []


def test_win_rate():
    sets = {"plain": UCT, "greedy": SearchParams.preset("uct", exploration=0.0)}
    result = study.win_rate({"a": SMALL, "b": Board()}, sets, budgets=[1, 5, 20], games=6, seed=1)
    ax = result.plot()
    bars = {bar.get_label(): bar for bar in ax.containers}
    assert list(bars) == ["a, plain", "a, greedy", "b, plain", "b, greedy"]
    low, high = result.interval
    for i, j in np.ndindex(2, 2):
        line, _, (stems,) = list(bars.values())[2 * i + j]
        np.testing.assert_allclose(line.get_ydata(), result.rate[i, j])
        np.testing.assert_allclose(line.get_xdata(), [1, 5, 20], rtol=0.05)
        ends = [segment[:, 1] for segment in stems.get_segments()]
        np.testing.assert_allclose(ends, np.stack([low[i, j], high[i, j]], axis=1))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "5", "20"]
    assert "6 games per point, 95 % intervals, first moves alternate" in words(ax)
    assert "against a random opponent" in words(ax)
    assert ax.get_ylim() == (-0.02, 1.02), "plots can be compared"
    ax.figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().x0 > ax.get_window_extent().x1, "the legend hides no curve"


def test_one_line_needs_no_legend():
    assert study.win_rate(SMALL, UCT, budgets=[1], games=2, seed=1).plot().get_legend() is None


def test_action_frequency():
    result = study.action_frequency(Board.from_moves([0] * 6, Rules(12, 6)), UCT, simulations=20, runs=30, seed=1)
    ax = result.plot()
    bars, stems = (container for container in ax.containers)
    if not hasattr(bars, "patches"):
        bars, stems = stems, bars
    assert [bar.get_height() for bar in bars] == pytest.approx(result.counts / 30)
    assert [bar.get_x() + bar.get_width() / 2 for bar in bars] == pytest.approx(range(12)), "one bin a column"
    ends = [segment[:, 1] for segment in stems[2][0].get_segments()]
    np.testing.assert_allclose(ends, result.interval.T, atol=1e-12)
    assert "20 simulations" in words(ax)
    assert "ms of CPU" in words(ax)


def test_optimality():
    result = study.optimality(Board(Rules(4, 4, 3)), UCT, sweep="simulations", values=[1, 10, 30, 1500], runs=9, seed=1)
    ax = result.plot()
    drawn = lines(ax)
    assert drawn == {
        "keeps the outcome: columns 0, 1, 2, 3": points(result.values, result.keeping_frequency),
        "optimal: columns 1, 2": points(result.values, result.frequency),
    }
    for area, interval in zip(bands(ax), (result.keeping_interval, result.interval), strict=True):
        for value, low, high in zip(result.values, *interval, strict=True):
            assert has(area, value, low)
            assert has(area, value, high)
    ax.figure.canvas.draw()
    assert "1,000" in [label.get_text() for label in ax.get_xticklabels()]
    assert "100 %" in [label.get_text() for label in ax.get_yticklabels()]


def test_one_reading_is_drawn_once():
    result = study.optimality(SMALL, UCT, values=[-1, 1], simulations=10, runs=3, optimal=[2], seed=1)
    ax = result.plot()
    assert list(lines(ax)) == ["optimal: column 2"]
    assert ax.get_xlabel() == "exploration factor c"


CALLS = {
    "convergence": partial(study.convergence, SMALL, UCT, simulations=30, runs=2, seed=1),
    "win_rate": partial(study.win_rate, SMALL, UCT, budgets=[2, 4], games=2, seed=1),
    "action_frequency": partial(study.action_frequency, SMALL, UCT, simulations=5, runs=3, seed=1),
    "optimality": partial(study.optimality, SMALL, UCT, values=[0, 1], simulations=5, runs=2, seed=1),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_plot_is_drawn_on_the_axes_that_are_given(call):
    left, right = Figure().subplots(1, 2)
    result = call()
    assert result.plot(right) is right
    assert not left.get_lines()
    assert pyplot.get_fignums() == [], "no other figure is opened"
    assert result.plot().figure in [pyplot.figure(number) for number in pyplot.get_fignums()]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_title_takes_the_place_of_the_plots_own(call):
    ax = call().plot(title="My board")
    assert ax.get_title(loc="left").strip() == "My board"
    assert ax.get_title() == ""
    assert "seed 1" in words(ax), "the note stays"


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_without_matplotlib_the_error_says_what_to_do(call, monkeypatch):
    result = call()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'c4mcts\[plot\]'"):
        result.plot()


# the command


@pytest.mark.parametrize(
    ("argv", "call"),
    [
        (
            ["convergence", "44", "--simulations", 50, "--runs", 2, "--exploration", 0.5],
            partial(
                study.convergence,
                Board.from_pons("44"),
                SearchParams.preset("uct", exploration=0.5),
                simulations=50,
                runs=2,
            ),
        ),
        (
            [
                "win-rate",
                "--budgets",
                "2,1e1",
                "--runs",
                4,
                "--preset",
                "uct",
                "--preset",
                "strong",
                "--first",
                "search",
            ],
            partial(
                study.win_rate,
                Board(),
                {"uct": UCT, "strong": SearchParams()},
                budgets=[2, 10],
                games=4,
                first="search",
            ),
        ),
        (
            ["action-frequency", "--width", 11, "--simulations", 30, "--runs", 4, "--choice", "value", "--workers", 3],
            partial(
                study.action_frequency,
                Board(Rules(11, 6)),
                SearchParams.preset("uct", choice="value"),
                simulations=30,
                runs=4,
            ),
        ),
        (
            ["exploration", "2", "--width=4", "--height=4", "--connect=3", "--values=-1,0.5", "--simulations=40"],
            partial(
                study.optimality,
                Board.from_pons("2", Rules(4, 4, 3)),
                UCT,
                values=[-1, 0.5],
                simulations=40,
            ),
        ),
        (
            ["budget", "--values", "30,60", "--optimal", "3,2", "--runs", 3],
            partial(study.optimality, Board(), UCT, sweep="simulations", values=[30, 60], optimal=[2, 3], runs=3),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_writes_what_the_call_finds(argv, call, tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["study", *map(str, argv), "--seed", "7", "--out", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    name = argv[0]
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.csv", f"{name}.png"], "the checkpoint is gone"
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    expected = call(seed=7)
    expected.to_csv(tmp_path / "expected.csv")
    assert table(folder / f"{name}.csv") == table(tmp_path / "expected.csv")
    assert "seed 7" in out
    if name != "action-frequency":  # which tells times too
        assert str(expected) in out


def table(path):
    """The rows of a CSV file without times."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [{name: cell for name, cell in row.items() if not name.endswith("seconds")} for row in rows]
