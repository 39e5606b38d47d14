"""The five earlier systems: every preset against the description of its source, rendered naively."""

import random
import statistics
from collections import Counter
from itertools import repeat
from math import inf, log, sqrt

import pytest
from forging import generator_of
from oracles.board import Game
from oracles.evaluation import as_game
from oracles.prior_systems import Chance, Report, last_of_the_best, most_visits, no_diagonals, notebook_uct, uct_timed
from trees import children_of, require_same_tree, require_whole

from c4mcts import Board, Engine, Rules, SearchParams
from c4mcts._backend import load
from c4mcts.seeds import generator_state

POSITIONS = [
    (Rules(), [], 400),
    (Rules(), [3, 3, 3, 3, 3], 300),
    (Rules(5, 4, 3), [2], 500),
    (Rules(4, 4), [0, 1, 1, 0, 2], 600),
    (Rules(11, 6), [5, 4], 200),
    (Rules(6, 5, 4, diagonals=False), [], 300),
    (Rules(3, 3, 4), [], 400),
]
NOTEBOOK = SearchParams.preset("notebook-uct")
on_positions = pytest.mark.parametrize(("rules", "moves", "simulations"), POSITIONS, ids=str)


def start(params, rules, moves, simulations):
    """An engine that has searched, and for the naive system the game and the same random bits.

    Of one backend: tests/parity compares the trees of both.
    """
    engine = Engine(params, seed=11)
    random_bits, _ = load().numbers.stream(generator_state(11), 100_000)
    result = engine.search(Board.from_moves(moves, rules), simulations=simulations)
    return engine, result, as_game(rules, moves), Chance(random_bits, rules.width)


@on_positions
def test_uct_timed(rules, moves, simulations):
    engine, result, game, chance = start(SearchParams.preset("uct-timed"), rules, moves, simulations)
    root = uct_timed(game, simulations, chance)
    require_same_tree(engine.tree(), root)
    assert result.column == most_visits({column: child.visits for column, child in root.children.items()}, chance)


@pytest.mark.parametrize("preset", ["uct-timed", "report-random"])
def test_equal_visits_are_decided_by_chance_alone(backend, modules, preset):
    """When every column has the same visits, the mean of a column does not count."""
    simulations = 8 if preset == "uct-timed" else 7
    chosen, best = set(), 0
    for seed in range(40):
        engine = Engine(SearchParams.preset(preset), seed=seed, backend=backend)
        result = engine.search(Board(), simulations=simulations)
        assert {move.visits for move in result.moves} == {1}
        (random_bits,), _ = modules.numbers.stream(generator_of(engine), 1)
        assert result.column == Chance(iter([random_bits]), 7).pick(range(7))
        chosen.add(result.column)
        best += result.value == max(move.value for move in result.moves)
        by_mean = engine.params.changed(choice="visits", tie_break="first")
        again = Engine(by_mean, seed=seed, backend=backend).search(Board(), simulations=simulations)
        assert again.value == max(move.value for move in again.moves)
    assert len(chosen) == 7
    assert best < 35


def order_of_addition(engine):
    """The untried column that the engine visits next at the node of a path."""
    tree, salt = engine.tree(), load().numbers.root_salt(generator_state(11), 1)

    def pick(path, untried):
        node = 0
        for column in path:
            node = children_of(tree, node)[column]
        settings = engine.params.settings._replace(salt=salt)
        return min(untried, key=lambda column: load("pure").selection.added(settings, children_of(tree, node)[column]))

    return pick


@on_positions
def test_notebook_uct(rules, moves, simulations):
    engine, result, game, chance = start(NOTEBOOK, rules, moves, simulations)
    root = notebook_uct(game, simulations, chance, pick=order_of_addition(engine))
    require_same_tree(engine.tree(), root)
    means = {column: child.reward / child.visits for column, child in root.children.items()}
    assert result.column == last_of_the_best(means, means.get)


@pytest.mark.parametrize("c", [0.0, sqrt(2)])
def test_children_are_added_in_a_random_order(c):
    """Of equal children the last one added is taken, so without exploration the order decides who gets the visits."""
    searches, simulations = 300, 14
    source, ours = [], []
    for seed in range(searches):
        chance = Chance(map(random.Random(seed).getrandbits, repeat(64)), 7)
        root = notebook_uct(Game(7, 6, 4), simulations, chance, c=c)
        source.append(max(child.visits for child in root.children.values()))
        engine = Engine(NOTEBOOK.changed(exploration=c), seed=seed)
        ours.append(max(move.visits for move in engine.search(Board(), simulations=simulations).moves))
    error = sqrt((statistics.variance(ours) + statistics.variance(source)) / searches)
    assert abs(statistics.fmean(source) - statistics.fmean(ours)) < 2.6 * error


@pytest.mark.parametrize(("rules", "moves", "simulations"), POSITIONS[1:4], ids=str)
def test_near_wins_count_more_with_a_discount(rules, moves, simulations):
    """The same tree with rewards of discount ** n, n plies before the end; values are those means."""
    engine, result, game, chance = start(NOTEBOOK.changed(discount=0.9), rules, moves, simulations)
    root = notebook_uct(game, simulations, chance, discount=0.9, pick=order_of_addition(engine))
    require_same_tree(engine.tree(), root)
    for move in result.moves:
        child = root.children[move.column]
        assert move.value == pytest.approx(child.reward / child.visits / 100)
    require_whole(engine)


@on_positions
@pytest.mark.parametrize("opponent", ["minimax", "random"])
def test_report(rules, moves, simulations, opponent):
    engine, result, game, chance = start(SearchParams.preset(f"report-{opponent}"), rules, moves, simulations)
    report = Report(opponent)
    for _ in range(simulations):
        report.iterate(game, chance)
    agent = game.turn()
    tree = engine.tree()
    compared = set()

    def compare_actions(index):
        x = str(game.cells)
        for a, child in children_of(tree, index).items():
            n = report.n.get((x, a), 0)
            assert tree["visits"][child] == n
            # stored: 0, 1, 2 for the player who moves; in the report: -1, 0, 1 for the agent
            mine = int(tree["value_sum"][child]) - n
            assert (mine if game.turn() == agent else -mine) == report.q.get((x, a), 0)
            compared.add((x, a))
            if tree["size"][child]:
                game.drop(a)
                compare_actions(child)
                game.undo()

    compare_actions(0)
    assert {pair for pair, n in report.n.items() if n} <= compared
    assert result.simulations == simulations


def test_against_a_random_player_a_tree_is_kept_for_one_player():
    board, engine = Board.from_moves([3, 3]), Engine(SearchParams.preset("report-random"), seed=1)
    engine.search(board, simulations=300)
    board.push(3)
    engine.search(board, simulations=300)
    assert engine.tree()["visits"][0] == 300
    board.push(2)
    board.push(2)
    engine.search(board, simulations=10)
    assert engine.tree()["visits"][0] > 10


@pytest.mark.parametrize("seed", range(16))
def test_no_diagonals(backend, modules, seed):
    rules = Rules(6, 5, 4, diagonals=False)
    moves = [2, 3, 2, 3, 4, 1, 0][: seed % 8]
    board = Board.from_moves(moves, rules)
    engine = Engine(SearchParams.preset("no-diagonals"), seed=seed, backend=backend)
    random_bits, _ = modules.numbers.stream(generator_state(seed), 1000)
    result = engine.search(board, simulations="columns")
    game = as_game(rules, moves)
    best = no_diagonals(game, Chance(random_bits, 6))
    if board.winning_columns():
        assert result.column in board.winning_columns()
    elif board.threatened_columns():
        assert result.column in board.threatened_columns()
    else:
        assert result.column in best
    for move in result.moves:
        assert move.visits == 1
        if move.column in best:
            assert (move.short_win and (move.short_win + 1) // 2) == best[move.column]


def test_no_diagonals_visits_each_open_column_once():
    """Two columns are full. The source iterates over them, too: each open one gets one visit, and moves are chosen as
    often. Six iterations of the open columns alone choose others."""
    rules, moves = Rules(6, 5, 4, diagonals=False), [2, 5, 1, 4, 0, 3, 4, 2, 2, 5, 2, 3, 2, 5, 3, 3, 3, 4, 5]
    board, searches, game = Board.from_moves(moves, rules), 1000, as_game(rules, moves)
    source = Counter()
    for seed in range(searches):
        chance = Chance(map(random.Random(seed).getrandbits, repeat(64)), 6)
        source[chance.pick(list(no_diagonals(game, chance)))] += 1
    ours = {}
    for simulations in ("columns", 6):
        engine = Engine(SearchParams.preset("no-diagonals"), seed=1)
        results = [engine.search(board, simulations=simulations) for _ in range(searches)]
        ours[simulations] = Counter(result.column for result in results)
        once = [{move.visits for move in result.moves} == {1} for result in results]
        assert all(once) if simulations == "columns" else not any(once)
    difference = {
        simulations: sum((counts[c] - source[c]) ** 2 / (counts[c] + source[c]) for c in board.legal_columns)
        for simulations, counts in ours.items()
    }
    assert difference["columns"] < 11.3, "chi-squared of three degrees of freedom, 1 %"
    assert difference[6] > 30


def shortest_wins(game):
    """By column: plies of the shortest game that begins there and is won by the player to move, with help."""
    winner = game.turn()

    def plies_to_win(depth):
        if game.winner() is not None:
            return 0 if game.winner() == winner else inf
        found = inf
        for column in game.legal_columns() if depth else []:
            game.drop(column)
            found = min(found, 1 + plies_to_win(depth - 1))
            game.undo()
        return found

    found = {}
    for column in game.legal_columns():
        game.drop(column)
        found[column] = 1 + plies_to_win(6)
        game.undo()
    return found


def test_the_soonest_win_of_a_column_is_the_shortest_that_was_seen():
    """It never grows, and after many rollouts on a small board it is that of the shortest game."""
    rules, moves = Rules(4, 4, 3), [0, 0]
    engine = Engine(SearchParams.preset("uct", choice="ucb_short_win", exploration=5.0), seed=2)
    soonest = dict.fromkeys(range(4), inf)
    for _ in range(20):
        for move in engine.search(Board.from_moves(moves, rules), simulations=100).moves:
            plies = inf if move.short_win is None else move.short_win
            assert plies <= soonest[move.column]
            soonest[move.column] = plies
    assert soonest == shortest_wins(as_game(rules, moves))
    assert len(set(soonest.values())) > 1


def test_soonest_wins_are_forgotten_when_the_tree_moves_and_kept_in_a_file(tmp_path):
    engine = Engine(SearchParams.preset("no-diagonals", keep_tree=True), seed=1)
    result = engine.search(Board(), simulations=500)
    soonest = [move.short_win for move in result.moves]
    assert all(plies >= 7 and plies % 2 == 1 for plies in soonest)
    engine.save(tmp_path / "e.c4")
    loaded = Engine.load(tmp_path / "e.c4")
    again = [move.short_win for move in loaded.search(Board(), simulations=1).moves]
    assert sum(now != before for now, before in zip(again, soonest, strict=True)) <= 1
    engine.advance(3)
    after = engine.search(Board.from_moves([3]), simulations=1)
    assert sum(move.short_win is not None for move in after.moves) <= 1


@pytest.mark.parametrize(
    ("moves", "rules", "simplified"),
    [
        ([0, 0], Rules(5, 4, 4), lambda mean, spread: min(0.25, sqrt(2 * spread))),
        ([3, 0, 3, 1, 3, 6], Rules(), lambda mean, spread: 0.25),
    ],
    ids=["means near a half", "a mean near 1"],
)
def test_tuned_selection_by_hand(moves, rules, simplified):
    """Every choice at the root has the highest score of Auer et al. (2002), section 4.

    simplified: a variance that leaves a part of theirs out, and with which other moves would be chosen.
    """

    def scores(moves, n, variance):
        spreads = [log(n) / move.visits for move in moves]
        variances = [variance(move.value, spread) for move, spread in zip(moves, spreads, strict=True)]
        return [moves[i].value + sqrt(spreads[i] * variances[i]) for i in range(len(moves))]

    def tuned(mean, spread):
        return min(0.25, mean * (1 - mean) + sqrt(2 * spread))

    board = Board.from_moves(moves, rules)
    engine = Engine(SearchParams.preset("uct", selection="ucb1_tuned", exploration=1.0), seed=3)
    before = engine.search(board, simulations=rules.width).moves
    chosen, others = set(), 0
    for n in range(rules.width, 700):
        after = engine.search(board, simulations=1).moves
        taken = next(i for i in range(rules.width) if after[i].visits > before[i].visits)
        expected, wrong = (scores(before, n, variance) for variance in (tuned, simplified))
        assert expected[taken] == pytest.approx(max(expected), abs=1e-9)
        others += wrong[taken] < max(wrong) - 1e-9
        chosen.add(taken)
        before = after
    assert len(chosen) > 2
    assert others > 10


def test_secure_prefers_what_is_known_well():
    """The highest lower bound: between a column of few visits with a high mean and one of many with nearly that."""
    for seed in range(20):
        params = SearchParams.preset("uct", choice="secure", exploration=0.6)
        result = Engine(params, seed=seed).search(Board.from_pons("3321"), simulations=300)
        total = sum(move.visits for move in result.moves)
        bounds = {m.column: m.value - 0.6 * sqrt(log(total) / m.visits) for m in result.moves}
        assert bounds[result.column] == max(bounds.values())
