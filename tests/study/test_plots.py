"""Plots show the values of the arrays. These are the only tests that need matplotlib."""

import csv
import sys
from functools import partial

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import rgb_to_hsv, to_hex, to_rgb
from matplotlib.figure import Figure

from c4mcts import Board, Rules, SearchParams, UctParams, study
from c4mcts.cli import main
from c4mcts.study import plots

UCT = SearchParams.preset("uct")
BOTH = {"uct": UCT, "strong": UctParams()}
SMALL = Board(Rules(5, 4, 4))


@pytest.fixture(autouse=True)
def off_screen():
    matplotlib.use("Agg")
    yield
    pyplot.close("all")


def curves(ax):
    """The lines of a plot by label."""
    return {curve.get_label(): curve[0] for curve in ax.containers}


def lines(ax):
    """The lines of a plot as lists of points, by label."""
    return {label: line.get_xydata().tolist() for label, line in curves(ax).items()}


def intervals(ax):
    """The heights of the points, and the ends of their error bars, by label."""
    return {
        bar.get_label(): (bar[0].get_ydata(), np.array([stem[:, 1] for stem in bar[2][0].get_segments()]))
        for bar in ax.containers
    }


def points(x, y):
    return [list(point) for point in zip(np.asarray(x, float).tolist(), np.asarray(y, float).tolist(), strict=True)]


def words(ax):
    texts = [text.get_text() for text in ax.texts]
    return " ".join(" ".join([ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel(), *texts]).split())


def thin(ax):
    """The single runs behind the means."""
    return [line for line in ax.get_lines() if line.get_linewidth() == plots.THIN]


def test_convergence():
    result = study.convergence(Board.from_moves([0] * 6), UCT, simulations=400, runs=3, seed=1)
    ax = result.plot()
    drawn = lines(ax)
    assert list(drawn) == ["2", "3", "4", "5", "6", "7"], "no line for the full column"
    np.testing.assert_allclose(drawn["4"], points(result.simulations, result.q[:, :, 3].mean(axis=0)))
    assert len(thin(ax)) == 3 * 6
    assert [*thin(ax)[6].get_ydata()] == [*result.q[0, :, 3]]
    assert "simulations" in ax.get_xlabel() + ax.figure.axes[1].get_xlabel()
    assert "mean reward Q (0 loss, 1 win)" in words(ax)
    assert "after 111111 on 7x6, uct" in words(ax)
    assert "seed 1" in words(ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(drawn)


def test_the_chosen_move_is_bold_and_the_exact_value_a_line():
    result = study.convergence(Board.from_pons("44444"), UCT, simulations=300, runs=4, seed=1)
    ax = result.plot()
    bold = [label for label, line in curves(ax).items() if line.get_linewidth() == plots.BOLD]
    places = np.bincount(result.chosen[:, -1], minlength=7)
    assert bold == [str(places.argmax() + 1)]
    assert "300 simulations, exact value 0, seed 1" in words(ax), "the player to move loses"
    assert f"thin: each search, bold: column {bold[0]}, chosen at the end, dotted: exact value" in words(ax)
    assert [[*line.get_ydata()] for line in ax.get_lines() if line.get_linestyle() == ":"] == [[0, 0]]
    for params in (SearchParams.preset("report-random"), UCT.changed(discount=0.9)):
        found = study.convergence(Board.from_pons("44444"), params, simulations=30, runs=1, seed=1)
        assert found.exact is None
        assert "exact" not in words(found.plot())


def test_visits_are_a_second_panel_or_a_plot_of_their_own():
    result = study.convergence(Board(), UCT, simulations=200, runs=2, seed=1)
    _, lower = result.plot().figure.axes
    alone = result.plot(panel=1, title="Visits")
    assert lines(lower) == lines(alone)
    share = result.visits / result.simulations[:, None]
    np.testing.assert_allclose(lines(alone)["4"], points(result.simulations, share[:, :, 3].mean(axis=0)))
    assert lower.get_ylabel() == alone.get_ylabel() == "share of visits"
    assert alone.get_title(loc="left").strip() == "Visits"
    given = Figure().subplots()
    result.plot(given)
    assert len(given.figure.axes) == 1, "given axes get the values alone"
    with pytest.raises(ValueError, match="panel must be 0 to 1, not 2"):
        result.plot(panel=2)


def test_mirrored_columns_have_related_colours():
    result = study.convergence(Board(), UCT, simulations=50, runs=1, seed=1)
    drawn = curves(result.plot())
    hues = {label: rgb_to_hsv(to_rgb(drawn[label].get_color()))[0] for label in "1234567"}
    for left, right in ("17", "26", "35"):
        assert hues[left] == pytest.approx(hues[right], abs=0.01)
        assert (drawn[left].get_linestyle(), drawn[right].get_linestyle()) == ("-", "--")
    assert len({round(hues[column], 2) for column in "1234"}) == 4


@pytest.mark.parametrize(("given", "scale"), [(range(50, 501, 50), "linear"), ([10, 30, 100], "log"), (300, "log")])
def test_the_axis_follows_the_points(given, scale):
    result = study.convergence(SMALL, UCT, simulations=given, runs=1, seed=1)
    assert result.plot().get_xscale() == scale
    assert study.regret(SMALL, UCT, simulations=given, runs=1, seed=1).plot().get_xscale() == scale


def test_many_columns_have_their_legend_beside_the_plot():
    result = study.convergence(Board(Rules(40, 7)), UCT, simulations=100, runs=2, seed=1)
    ax = result.plot()
    assert len(lines(ax)) == 40
    looks = {(to_hex(line.get_color(), keep_alpha=True), line.get_linestyle()) for line in ax.get_lines()}
    assert len(looks) == 40
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [str(i) for i in range(1, 41)]
    ax.figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().x0 > ax.get_window_extent().x1, "it hides no curve"
    assert "thin" not in words(ax)
    assert thin(ax) == []


def test_regret():
    result = study.regret(SMALL, UCT, simulations=[10, 100, 400], runs=3, seed=1)
    ax = result.plot()
    drawn = lines(ax)
    np.testing.assert_allclose(drawn["search"], points(result.simulations, result.cumulative.mean(axis=0)))
    assert drawn["all columns equally often"][-1] == pytest.approx([400, 400 * 0.2])  # two of five lose half
    assert len(thin(ax)) == 3
    lower = ax.figure.axes[1]
    np.testing.assert_allclose(lower.get_lines()[0].get_ydata(), result.simple.mean(axis=0))
    assert "5x4, uct" in words(ax)


def test_head_to_head():
    sets = {"plain": UCT, "greedy": SearchParams.preset("uct", exploration=0.0), "wild": UCT.changed(exploration=9)}
    result = study.head_to_head(SMALL, sets, budgets=[3, 30], games=4, seed=1)
    ax = result.plot()
    names = ["plain against greedy", "plain against wild", "greedy against wild"]
    expected = zip(result.score, np.moveaxis(result.interval, 0, -1), strict=True)
    assert intervals(ax) == {
        name: (pytest.approx(score), pytest.approx(ends)) for name, (score, ends) in zip(names, expected, strict=True)
    }
    assert ax.get_ylim() == (-0.02, 1.02)


def test_rules_change():
    rules = [Rules(), Rules(11, 6), Rules(4, 4, 3)]
    result = study.rules_change(rules, UCT, simulations=30, runs=2, seed=1)
    ax = result.plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["7x6x4", "11x6x4", "4x4x3"]
    for name, bars in zip(("branching", "depth", "plies", "seconds"), ax.containers, strict=True):
        means = getattr(result, name).mean(axis=1)
        assert [bar.get_width() for bar in bars] == pytest.approx(means / means[0])
    assert f"{result.branching[1].mean():.1f}" in words(ax)
    assert "compared with 7x6x4" in words(ax)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        (UCT, "uct"),
        (UctParams(), "strong"),
        (SearchParams.preset("notebook-uct", exploration=0.5), "notebook-uct, exploration=0.5"),
        (SearchParams.preset("uct", rewards=(1, 0, -1)), "uct, rewards=(1, 0, -1)"),
    ],
)
def test_parameters_in_words(params, words):
    assert plots.named(params) == words


def test_win_rate():
    sets = {"plain": UCT, "greedy": SearchParams.preset("uct", exploration=0.0)}
    result = study.win_rate({"a": SMALL, "b": Board()}, sets, budgets=[1, 5, 20], games=6, seed=1)
    ax = result.plot()
    drawn = intervals(ax)
    assert list(drawn) == ["a, plain", "a, greedy", "b, plain", "b, greedy"]
    for (rates, ends), (i, j) in zip(drawn.values(), np.ndindex(2, 2), strict=True):
        np.testing.assert_allclose(rates, result.rate[i, j])
        np.testing.assert_allclose(ends, result.interval[:, i, j].T)
    for bar in ax.containers:
        np.testing.assert_allclose(bar[0].get_xdata(), [1, 5, 20], rtol=0.05)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "5", "20"]
    assert "6 games per point, 95 % intervals, first moves alternate" in words(ax)
    assert "against a random opponent" in words(ax)
    assert ax.get_ylim() == (-0.02, 1.02), "plots can be compared"
    ax.figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().x0 > ax.get_window_extent().x1, "the legend hides no curve"
    assert study.win_rate(SMALL, UCT, budgets=[1], games=2, seed=1).plot().get_legend() is None, "one line"


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
    keeping = np.stack([result.keeping_low, result.keeping_high])
    assert intervals(ax) == {
        "optimal: columns 2, 3": (pytest.approx(result.frequency), pytest.approx(result.interval.T)),
        "keeps the outcome: columns 1, 2, 3, 4": (
            pytest.approx(result.keeping_frequency),
            pytest.approx(keeping.T),
        ),
    }
    ax.figure.canvas.draw()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "10", "30", "1,500"]
    assert "100 %" in [label.get_text() for label in ax.get_yticklabels()]


def test_many_points_have_a_band_for_their_intervals():
    result = study.optimality(SMALL, UCT, sweep="simulations", values=range(1, 21), optimal=[2], runs=5, seed=1)
    ax = result.plot()
    assert lines(ax) == {"optimal: column 3": points(result.values, result.frequency)}
    (area,) = (area.get_paths()[0].vertices for area in ax.collections)
    for value, *ends in zip(result.values, *result.interval, strict=True):
        assert all(np.isclose(area, [value, end]).all(axis=1).any() for end in ends)


def test_axes_and_a_title_that_are_given(monkeypatch):
    result = study.regret(SMALL, UCT, simulations=30, runs=2, seed=1)
    left, right = Figure().subplots(1, 2)
    assert result.plot(right) is right
    assert not left.get_lines()
    assert pyplot.get_fignums() == [], "no other figure is opened"
    ax = result.plot(title="My board")
    assert ax.figure in [pyplot.figure(number) for number in pyplot.get_fignums()]
    assert ax.get_title(loc="left").strip() == "My board"
    assert "seed 1" in words(ax), "the note stays"
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'c4mcts\[plot\]'"):
        result.plot()


@pytest.mark.parametrize(
    ("argv", "call"),
    [
        (
            "win-rate --budgets 2,1e1 --runs 4 --preset uct --preset strong",
            partial(study.win_rate, Board(), BOTH, budgets=[2, 10], games=4),
        ),
        (
            "action-frequency --rules 11x6 --simulations 30 --runs 4 --set choice=value --executor threads:3",
            partial(study.action_frequency, Board(Rules(11, 6)), UCT.changed(choice="value"), simulations=30, runs=4),
        ),
        (
            "exploration 2 --rules=4x4x3 --values=-1,0.5 --simulations=40",
            partial(study.optimality, Board.from_pons("2", Rules(4, 4, 3)), values=[-1, 0.5], simulations=40),
        ),
        (
            "budget --values 30,60 --optimal 3,2 --runs 3",
            partial(study.optimality, Board(), sweep="simulations", values=[30, 60], optimal=[3, 2], runs=3),
        ),
        (
            "convergence --simulations 60 --linear --points 6 --runs 1",
            partial(study.convergence, Board(), simulations=range(10, 61, 10), runs=1),
        ),
        (
            "regret 44 --simulations 60 --points 3 --runs 2",
            partial(study.regret, "44", simulations=[10, 24, 60], runs=2),
        ),
        (
            "head-to-head --preset uct --preset strong --budgets 5,20 --runs 2",
            partial(study.head_to_head, Board(), BOTH, budgets=[5, 20], games=2),
        ),
        (
            "rules-change --rules 7x6,4x4x3 --simulations 40 --runs 2",
            partial(study.rules_change, [Rules(), Rules(4, 4, 3)], simulations=40, runs=2),
        ),
    ],
    ids=lambda value: value.split()[0] if isinstance(value, str) else "",
)
def test_a_command_writes_what_the_call_finds(argv, call, tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["study", *argv.split(), "--seed", "7", "--out", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    name = argv.split()[0]
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.csv", f"{name}.png"], "the checkpoint is gone"
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    expected = call(seed=7)
    expected.to_csv(tmp_path / "expected.csv")
    assert table(folder / f"{name}.csv") == table(tmp_path / "expected.csv")
    assert "seed 7" in out
    if name not in ("action-frequency", "rules-change"):  # which tell times too
        assert expected.as_text(first=1) in out


def table(path):
    """The rows of a CSV file without times."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [{name: cell for name, cell in row.items() if not name.endswith("seconds")} for row in rows]
