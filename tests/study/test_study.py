"""Experiments: their counts are right and don't depend on the executor."""

import csv
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from refusals import refused

from c4mcts import Board, Engine, GameOverError, Rules, SearchParams, UctParams, rollouts, solve, study
from c4mcts.play import EnginePlayer, play_game
from c4mcts.study.rules_change import GAMES

UCT = SearchParams.preset("uct")
SMALL = Board(Rules(5, 4, 4))  # columns 1 to 3 hold the draw, 0 and 4 lose
CORNERS = Board(Rules(2, 2, 2))  # who has two discs has won: the first player
FULL_COLUMN = Board.from_moves([0] * 6)

CALLS = {
    "convergence": partial(study.convergence, Board.from_pons("44"), UCT, simulations=150, runs=4),
    "win_rate": partial(
        study.win_rate,
        {"empty": SMALL, "later": Board.from_moves([2, 2], SMALL.rules)},
        {"plain": UCT, "greedy": SearchParams.preset("uct", exploration=0.0)},
        budgets=(2, 30),
        games=4,
    ),
    "action_frequency": partial(study.action_frequency, Board.from_pons("44"), UCT, simulations=20, runs=12),
    "exploration": partial(study.optimality, SMALL, UCT, values=(-2.0, 0.0, 1.4), simulations=20, runs=5),
    "budget": partial(study.optimality, SMALL, UCT, sweep="simulations", values=(5, 40), runs=5),
    "regret": partial(study.regret, SMALL, UCT, simulations=(10, 60), runs=3),
    "head_to_head": partial(study.head_to_head, SMALL, {"a": UCT, "b": UctParams()}, budgets=(3, 30), games=4),
    "rules_change": partial(study.rules_change, (Rules(), Rules(5, 4)), UCT, simulations=60, runs=2),
}
SECONDS = {"cpu_seconds", "wall_seconds", "seconds"}  # no two searches take the same


def content(result):
    """All that a result knows as plain values, except times."""
    found = {name: value for name, value in (result.arrays | result.about).items() if name not in SECONDS}
    return {
        name: np.nan_to_num(value, nan=-9).tolist() if isinstance(value, np.ndarray) else value
        for name, value in found.items()
    }


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        yield processes


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_same_result_for_any_number_and_kind_of_workers(call, processes):
    expected = content(call(seed=7))
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as threads:
            assert content(call(seed=7, executor=threads)) == expected
    assert content(call(seed=7, executor=processes)) == expected
    drawn = call()
    assert content(drawn) != expected
    told = []
    again = call(seed=drawn.seed, progress=lambda done, total: told.append((done, total)))
    assert content(again) == content(drawn)
    assert told == [(done, told[0][1]) for done in range(told[0][1] + 1)], "each job is counted"


@pytest.mark.parametrize("name", CALLS)
def test_csv_holds_the_arrays(name, tmp_path):
    result = CALLS[name](seed=3)
    result.to_csv(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == [*result.axes, *result.arrays]
    shape = [len(places) for places in result.axes.values()]
    assert len(rows) == np.prod(shape)
    for at, row in zip(np.ndindex(*shape), rows, strict=True):
        places = [str(places[i]) for places, i in zip(result.axes.values(), at, strict=True)]
        cells = [np.broadcast_to(array, shape)[at].item() for array in result.arrays.values()]
        assert row == [*places, *("" if cell != cell else repr(cell) for cell in cells)]
    assert "seed 3" in str(result)
    assert repr(result).startswith(f"<c4mcts.study.Result of {CALLS[name].func.__name__}: ")
    assert "\n" not in repr(result)


def test_a_result_has_the_names_of_its_arrays_and_no_others():
    result = CALLS["regret"](seed=1)
    assert {"cumulative", "scores", "seed", "plot"} <= set(dir(result))
    with pytest.raises(AttributeError, match="'Result' object has no attribute 'simpel'"):
        _ = result.simpel
    again = pickle.loads(pickle.dumps(result))
    assert again.seed == 1
    assert str(again) == str(result)


def test_tables_leave_out_points_and_wrap_columns():
    result = study.convergence(Board(Rules(40, 7)), UCT, simulations=500, runs=1, seed=1)
    values = str(result).split("\n\n")[1:]
    assert len(values) > 2, "40 columns need several tables"
    assert max(len(line) for table in values for line in table.splitlines()) <= 120
    assert all(table.splitlines()[-1].split()[0] == "500" for table in values), "the last point is shown"
    assert sum(len(table.splitlines()) for table in values) < 50
    assert values[0].splitlines()[2].split()[-1] in ("0.000", "0.500", "1.000")
    assert " - " in values[2].replace("   -", " - "), "not tried yet"


# convergence


def test_convergence_ends_at_the_engines_own_statistics():
    result = study.convergence(FULL_COLUMN, UCT, simulations=300, runs=2, seed=5)
    for run, seed in enumerate(np.random.SeedSequence(5).spawn(2)):
        moves = Engine(UCT, seed=seed).search(FULL_COLUMN, simulations=300).moves
        assert result.visits[run, -1].tolist() == [0, *(move.visits for move in moves)]
        assert result.q[run, -1, 1:].tolist() == [move.value for move in moves]
    assert np.isnan(result.q[:, :, 0]).all(), "a full column has no value"
    assert result.simulations[0] == 10
    assert result.simulations[-1] == 300
    assert (result.visits.sum(axis=2) == result.simulations).all()


def test_convergence_at_chosen_moments_and_on_the_scale_of_the_rewards():
    points = [40, 3, 40, 100]
    plain = study.convergence(Board(), UCT, simulations=points, runs=2, seed=1)
    assert plain.simulations.tolist() == [3, 40, 100]
    assert np.isnan(plain.q[:, 0]).sum() == 2 * 4, "three simulations try three columns"
    signed = SearchParams.preset("uct", rewards=(1, 0, -1), exploration=2 * UCT.exploration)  # the same search
    found = study.convergence(Board(), signed, simulations=points, runs=2, seed=1)
    assert np.array_equal(found.visits, plain.visits)
    np.testing.assert_allclose(found.q, 2 * plain.q - 1, atol=1e-12)


def test_a_proven_outcome_ends_the_search_and_its_values_stay():
    board = Board.from_pons("112233")
    result = study.convergence(board, UctParams(), simulations=[10, 20, 400], runs=1, seed=1)
    assert result.q[0, :, 3].tolist() == [1.0, 1.0, 1.0]
    assert result.visits[0, -1].sum() < 400


# win rate


@pytest.mark.parametrize(("first", "wins"), [("search", 6), ("opponent", 0), ("alternate", 3)])
@pytest.mark.parametrize("ply", [0, 1])
def test_who_moves_first(first, wins, ply):
    """The first player wins on this board: the one who moves first from its start, or second after one disc."""
    board = Board.from_moves([0] * ply, CORNERS.rules)
    result = study.win_rate(board, UCT, budgets=[3], games=6, first=first, seed=1)
    assert result.wins.item() == (wins if ply == 0 else 6 - wins)
    assert result.wins.item() + result.losses.item() == 6


def test_draws_are_counted():
    result = study.win_rate({"draw": Board(Rules(2, 2, 4)), "won": CORNERS}, UCT, budgets=[1, 2], games=4, seed=1)
    assert result.draws.tolist() == [[[4, 4]], [[0, 0]]]
    assert result.losses.tolist() == [[[0, 0]], [[2, 2]]]


def test_the_opponent_is_any_named_player():
    won = study.win_rate(CORNERS, UCT, opponent="uct@200", budgets=[40], games=6, first="search", seed=1)
    assert (won.wins.item(), won.opponent) == (6, "uct@200")
    assert "won against uct@200: empty 2x2x2, uct\n6 games" in str(won)
    lost = study.win_rate(CORNERS, UCT, opponent="perfect", budgets=[40], games=4, first="opponent", seed=1)
    assert lost.losses.item() == 4


def test_the_tree_lives_as_long_as_the_game(monkeypatch):
    searches = []

    def search(engine, board, **limits):
        result = original(engine, board, **limits)
        searches.append((id(engine), board.ply, result.simulations, sum(move.visits for move in result.moves)))
        return result

    original = Engine.search
    monkeypatch.setattr(Engine, "search", search)
    study.win_rate(Board(), UCT, budgets=[300], games=1, seed=1)
    assert len({engine for engine, *_ in searches}) == 1
    assert all(simulations == 300 for _, _, simulations, _ in searches)
    assert all(visits > 300 for *_, visits in searches[1:]), "what was known of the position is kept"


# action frequency


def test_every_search_is_counted_in_its_own_bin():
    board = Board(Rules(12, 5))
    result = study.action_frequency(board, UCT, simulations=15, runs=40, seed=9)
    chosen = [
        Engine(UCT, seed=seed).search(board, simulations=15).column for seed in np.random.SeedSequence(9).spawn(40)
    ]
    assert result.columns.tolist() == chosen
    assert result.counts.tolist() == [chosen.count(column) for column in range(12)]
    assert result.counts.sum() == result.runs == 40
    assert (result.cpu_seconds >= 0).all()
    assert (result.wall_seconds > 0).all()


def test_full_columns_have_no_chance():
    result = study.action_frequency(FULL_COLUMN, UCT, simulations=10, runs=5, seed=1)
    assert result.interval.shape == (2, 7)
    assert result.interval[:, 0].tolist() == [0, 0]
    assert (result.interval[1, 1:] > 0).all()


def test_the_desktop_game_has_its_own_budget():
    """Its program makes one simulation for each open column."""
    params, board = SearchParams.preset("no-diagonals"), Board.from_moves([0] * 5, Rules(6, 5, 4, diagonals=False))
    assert study.action_frequency(board, params, runs=2, seed=1).simulations == 5
    assert study.action_frequency(board, params, simulations=30, runs=2, seed=1).simulations == 30
    assert study.action_frequency(board, UCT, runs=2, seed=1).simulations == 100


# optimality


def test_optimal_and_keeping_columns_come_from_the_exact_scores():
    board = Board(Rules(4, 4, 3))
    result = study.optimality(board, UCT, sweep="simulations", values=[1, 2000], runs=10, seed=1)
    assert result.scores == solve(board).columns == (1, 4, 4, 1)
    assert (result.optimal, result.keeping) == ((1, 2), (0, 1, 2, 3))
    assert result.counts.sum(axis=1).tolist() == [10, 10]
    assert result.frequency.tolist() == [0.0, 1.0], "one simulation tries column 0, 2000 are enough"
    assert result.keeping_frequency.tolist() == [1.0, 1.0], "every column wins"
    assert result.simulations is None


def test_exploration_matters():
    result = study.optimality(SMALL, UCT, values=[1.4, -2, 0.7], simulations=1500, runs=12, seed=1)
    assert result.values.tolist() == [-2.0, 0.7, 1.4]
    assert result.simulations == 1500
    assert result.optimal == result.keeping == (1, 2, 3)
    assert result.frequency[1:].min() > 0.9
    assert result.frequency[0] < 0.7, "a search that shuns what it has not seen stays with chance"


def test_given_columns_are_taken_for_optimal_and_change_nothing_else():
    solved = CALLS["budget"](seed=4)
    given = CALLS["budget"](seed=4, optimal=(2, 2))
    assert np.array_equal(given.counts, solved.counts)
    assert given.optimal == given.keeping == (2,)
    assert given.scores is None
    assert given.frequency.tolist() == (solved.counts[:, 2] / 5).tolist()


# regret


def test_regret_is_the_loss_of_each_column_times_its_visits():
    found = study.regret(SMALL, UCT, simulations=[20, 200, 900], runs=3, seed=5)
    assert found.scores == solve(SMALL).columns
    loss = np.array([0.5, 0, 0, 0, 0.5])  # a draw counts half
    for run, seed in enumerate(np.random.SeedSequence(5).spawn(4)[1:]):
        engine, done = Engine(UCT, seed=seed), 0
        for point, simulations in enumerate((20, 200, 900)):
            result = engine.search(SMALL, simulations=simulations - done)
            done = simulations
            assert found.cumulative[run, point] == loss @ [move.visits for move in result.moves]
            assert found.simple[run, point] == loss[result.column]


def test_it_is_on_the_scale_of_the_rewards():
    signed = SearchParams.preset("uct", rewards=(1, 0, -1), exploration=2 * UCT.exploration)  # the same search
    plain, twice = (study.regret(SMALL, params, simulations=100, runs=2, seed=1) for params in (UCT, signed))
    np.testing.assert_allclose(twice.cumulative, 2 * plain.cumulative)
    np.testing.assert_allclose(twice.simple, 2 * plain.simple)


def test_full_columns_have_no_part():
    found = study.regret(Board.from_pons("4444442", Rules(7, 6)), UCT, simulations=50, runs=1, seed=1)
    assert np.isfinite(found.cumulative).all()
    assert found.scores[3] is None


# head to head

SETS = {"uct": UCT, "greedy": SearchParams.preset("uct", exploration=0.0), "strong": UctParams()}


def test_every_pair_plays_and_the_first_counts():
    found = study.head_to_head(Board(Rules(5, 4)), SETS, budgets=[60, 10], games=10, seed=2)
    assert found.pairs == (("uct", "greedy"), ("uct", "strong"), ("greedy", "strong"))
    assert found.budgets.tolist() == [10, 60]
    assert (found.wins + found.draws + found.losses == 10).all()
    assert found.score.tolist() == ((found.wins + 0.5 * found.draws) / 10).tolist()
    assert found.score[2, 1] < 0.5, "strong beats greedy"
    low, high = found.interval
    assert ((low <= found.score) & (found.score <= high)).all()


def test_a_game_is_that_of_two_players():
    found = study.head_to_head(Board(), {"a": UCT, "b": SETS["greedy"]}, budgets=[20], games=2, seed=9)
    ends = []
    for game, child in enumerate(np.random.SeedSequence(9).spawn(2)):
        players = EnginePlayer(UCT, simulations=20), EnginePlayer(SETS["greedy"], simulations=20)
        pair = players if game == 0 else players[::-1]
        ends.append(play_game(*pair, seed=child).game.result(game))
    assert found.wins.item() == ends.count(1)
    assert found.losses.item() == ends.count(-1)


# rules change

RULES = [Rules(), Rules(7, 40), Rules(11, 6)]


def depth_of(engine, path=()):
    """By the engine's own view of its nodes."""
    below = [depth_of(engine, (*path, child.column)) for child in engine.node(path).children if child.visits]
    return 1 + max(below) if below else 0


def test_what_is_measured():
    found = study.rules_change(RULES, UCT, simulations=300, runs=2, seed=3)
    assert found.rules == tuple(RULES)
    assert found.branching.shape == found.depth.shape == found.plies.shape == found.seconds.shape == (3, 2)
    seeds = np.random.SeedSequence(3).spawn(6)
    for i, rules in enumerate(RULES):
        for run in range(2):
            search, play = seeds[2 * i + run].spawn(2)
            engine = Engine(UCT, seed=search)
            engine.search(Board(rules), simulations=300)
            sizes = engine.tree()["size"]
            assert found.branching[i, run] == sizes[sizes > 0].mean()
            assert found.depth[i, run] == depth_of(engine)
            assert found.plies[i, run] == rollouts(Board(rules), GAMES, seed=play).mean_plies
    assert (found.seconds > 0).all()
    assert "µs" in str(found)


def test_shared_blocks_are_counted_once():
    params = SearchParams.preset("uct", transpositions=True)
    found = study.rules_change([Rules(4, 4, 3)], params, simulations=500, runs=1, seed=2)
    search, _ = np.random.SeedSequence(2).spawn(1)[0].spawn(2)
    engine = Engine(params, seed=search)
    engine.search(Board(Rules(4, 4, 3)), simulations=500)
    assert found.depth.item() == depth_of(engine)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0)],
)
def test_wilson_intervals(successes, trials, low, high):
    """The first three are from Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I."""
    found = study.wilson(successes, trials)
    assert found.tolist() == pytest.approx([low, high], abs=5e-5)


def test_a_progress_bar(capsys):
    CALLS["action_frequency"](seed=1, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "action_frequency" in err
    assert "12/12" in err


test_bad_input_is_named = refused(
    (lambda: study.convergence(Board.from_pons("4142434")), GameOverError, "board: the game is over"),
    (lambda: study.win_rate(Board(), opponent="me"), ValueError, "opponent: player 'me': must be a preset as"),
    (lambda: study.regret(SMALL, rnus=3), TypeError, r"regret\(\) got an unexpected keyword argument 'rnus'"),
    (lambda: study.optimality(Board(), sweep="first_play"), ValueError, "values must be given .* 'first_play'"),
    (
        lambda: study.optimality(Board(), sweep="first_play", values=[1, np.inf]),
        ValueError,
        "values must be finite",
    ),
    (
        lambda: study.optimality(Board(), sweep="simulations", simulations=5),
        ValueError,
        "simulations are swept: .* simulations=5",
    ),
    (lambda: study.optimality(Board(Rules(11, 6))), ValueError, "optimal must be given: a board of 11x6x4"),
    (lambda: study.optimality(FULL_COLUMN, optimal=[3, 0]), ValueError, "optimal: column 0 can't be played"),
    (lambda: study.regret(Board(Rules(11, 6))), ValueError, "board must have at most 64 bits: a board of 11x6x4"),
)
