"""The search as a Kaggle agent, and Kaggle agents as players, without kaggle-environments."""

import pickle
import random
from functools import partial
from itertools import count

import numpy as np
import pytest
from refusals import refused

from c4mcts import Board, Engine, IllegalMoveError, NotationError, PolicyValueNetwork, Rules, SearchParams
from c4mcts.adapters.kaggle import (
    LEAST,
    KaggleAgent,
    KagglePlayer,
    Struct,
    board_of,
    is_critical,
    observation_of,
    thinking_time,
)
from c4mcts.adapters.kaggle_submission.main import simple_agent
from c4mcts.play import RandomPlayer, play_game, play_match


def arguments(board, seconds=0.02, bank=0.0):
    """What Kaggle passes for a position."""
    sizes = {"columns": board.rules.width, "rows": board.rules.height, "inarow": board.rules.connect}
    return {**observation_of(board), "remainingOverageTime": bank}, {**sizes, "actTimeout": seconds}


def test_boards_of_observations():
    cells = [0] * 38 + [1, 0, 0, 0]
    wanted = Board.from_moves([3])
    for board in (cells, tuple(cells), np.array(cells)):
        assert board_of({"board": board, "mark": 2, "step": 1}) == wanted
        assert board_of(Struct(board=board, mark=np.int64(2))) == wanted
    board = board_of({"board": [0, 0, 0, 1, 2, 0], "mark": 1}, Rules(3, 2))
    assert board == Board.from_moves([0, 1], Rules(3, 2))


def test_observations_of_boards():
    board = Board.from_pons("4453")
    found = observation_of(board)
    assert found == {"board": board.to_array().ravel().tolist(), "mark": 1} == observation_of("4453")
    assert {type(cell) for cell in [*found["board"], found["mark"]]} == {int}
    assert board_of(found) == board
    assert board_of(found | {"mark": 2}) == board_of({"board": found["board"]}) == board_of(found)  # either player's


test_bad_observations = refused(
    (lambda: board_of({"mark": 1}), NotationError, "observation must be a mapping with board, .*, not {'mark': 1}"),
    (lambda: KaggleAgent()({"board": [0] * 42, "mark": 1}, {"columns": 7}), NotationError, "configuration .* rows,"),
    (lambda: KaggleAgent()({}, {"columns": 7, "rows": 6, "inarow": 4}), NotationError, "observation .* mark,"),
    (lambda: board_of({"board": [0] * 41}), NotationError, r"board must be 42 cells \(7 x 6\), not \[0, 0"),
    (lambda: board_of({"board": [0] * 40 + [3, 0]}), NotationError, r"row 5 \(0 = top\), column 5 is 3"),
)


@pytest.mark.parametrize(
    ("usual", "bank", "late", "seconds", "extra"),
    [
        (2, 60, 0, 1.9, 7.25),
        (2, 60, 0.5, 1.4, 7.25),
        (0.1, 60, 0, 0.05, 0.4),
        (2, 0, 0, 1.9, 0),
        (0, 62, 0, 7.5, 0),  # there is nothing but the bank
        (1, 62, 3, 7.5, 0),  # the file took longer to load
        (0, 0, 0, LEAST, 0),
    ],
)
def test_time_of_a_turn(usual, bank, late, seconds, extra):
    assert thinking_time(usual, bank, late) == pytest.approx((seconds, extra))


def test_a_turn_that_ended_late_shortens_the_next_ones(monkeypatch):
    planned = []
    monkeypatch.setattr("c4mcts.adapters.kaggle.monotonic", lambda: 0.0)  # nothing is late by its own clock
    agent = KaggleAgent(seed=1)
    search = Engine.search
    monkeypatch.setattr(
        Engine,
        "search",
        lambda engine, board, seconds, columns: planned.append(seconds) or search(engine, board, simulations=9),
    )
    configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 1.0}
    # discs, mark and bank: 2 s and less are never spent; the last two begin another game
    turns = [(0, 1, 1.0), (2, 1, 1.0), (3, 2, 0.5), (4, 1, 0.75), (5, 2, 0.5), (6, 1, 0.75), (0, 1, 0.1), (1, 2, 0.1)]
    for discs, mark, bank in turns:
        board = observation_of(Board.from_pons("444456"[:discs]))["board"]
        agent({"board": board, "mark": mark, "remainingOverageTime": bank}, configuration)
    assert planned == pytest.approx([0.9, 0.9, 0.9, 0.65, 0.65, 0.65, 0.65, 0.65])


@pytest.mark.parametrize(
    ("visits", "critical"), [([100, 49, 49], False), ([10, 100, 50], True), ([1], False), ([7, 7], True)]
)
def test_a_position_is_critical_if_two_columns_compete(visits, critical):
    assert is_critical(visits) == critical


@pytest.mark.parametrize("size", [(7, 6, 4), (1, 1, 1), (64, 64, 4), (7, 6, 99), (65, 3, 4)], ids=str)
def test_any_configuration(size):
    columns, rows, inarow = size
    agent, cells = KaggleAgent(SearchParams.preset("network")), [0] * (columns * rows)
    configuration = Struct(columns=columns, rows=rows, inarow=inarow, actTimeout=0.02)
    for turn in range(min(6, columns * rows)):
        if inarow <= 2 and turn > 1:
            break  # somebody may have won
        column = agent(Struct(board=cells, mark=turn % 2 + 1, remainingOverageTime=0.0), configuration)
        assert type(column) is int
        row = max(row for row in range(rows) if cells[row * columns + column] == 0)
        cells[row * columns + column] = turn % 2 + 1


def test_a_network_alone_searches_every_board_that_it_is_for():
    agent = KaggleAgent(evaluator=PolicyValueNetwork.load())
    empty = Struct(board=[0] * 63, mark=1, remainingOverageTime=0.0)
    agent(empty, Struct(columns=9, rows=7, inarow=4, actTimeout=0.02))
    assert agent._engine.board == Board(width=9, height=7)


def test_boards_of_other_sizes_are_searched_without_the_network():
    seen = []

    def evaluator(planes, legal):
        seen.append(planes.shape[2:])
        return legal / legal.sum(axis=1, keepdims=True), np.zeros(len(legal))

    agent = KaggleAgent(SearchParams.preset("alphazero"), seed=1, evaluator=evaluator)
    for rules in (Rules(), Rules(6, 5, 4), Rules(7, 6, 5)):
        assert 0 <= agent(*arguments(Board(rules), seconds=0.05)) < rules.width
    assert set(seen) == {(6, 7)}


@pytest.fixture
def searches(monkeypatch):
    """The seconds and the results of the engines' searches, which take no longer than 0.1 s."""
    calls, search = [], Engine.search
    monkeypatch.setattr("c4mcts.adapters.kaggle.monotonic", lambda: 0.0)  # a busy machine makes no turn shorter

    def record(engine, board, seconds, columns):
        calls.append((seconds, search(engine, board, seconds=min(seconds, 0.1), columns=columns)))
        return calls[-1][1]

    monkeypatch.setattr(Engine, "search", record)
    return calls


@pytest.mark.parametrize(("moves", "bank"), [("4", 0), ("4", 60), ("121212", 60)])
def test_the_bank_is_spent_where_it_matters(searches, moves, bank):
    agent = KaggleAgent(seed=1)
    observation, configuration = arguments(Board.from_pons(moves), seconds=0.2, bank=bank)
    agent(observation, configuration)
    (usual, first), *extra = searches
    assert usual == pytest.approx(0.1, abs=0.05)
    spent = bank > 2 and first.proof is None and is_critical([move.visits for move in first.moves])
    assert [seconds for seconds, _ in extra] == [pytest.approx(min((bank - 2) / 8, 0.8))] * spent


def test_the_agent_keeps_its_tree(searches):
    agent = KaggleAgent(SearchParams.preset("uct"), seed=1)
    board = Board()
    board.push(agent(*arguments(board, seconds=1)))
    board.push(searches[-1][1].pv[1])
    agent(*arguments(board))
    _, result = searches[-1]
    assert sum(move.visits for move in result.moves) > result.simulations, "visits from the turn before"


@pytest.mark.parametrize(
    ("rows", "mark", "column"),
    [
        (["00000", "00000"], 1, 2),  # the middle
        (["00200", "00100"], 1, 1),  # or near it
        (["000000", "210000", "121000", "212100"], 1, 0),  # wins on a diagonal
        (["000000", "000012", "000121", "001212"], 1, 5),  # or on the other
        (["0000000", "2220000", "1120000"], 1, 2),  # above the middle the opponent would win
        (["1020", "2111", "2121"], 2, 1),  # unless there is no other move
    ],
)
def test_simple_moves(rows, mark, column):
    observation = {"board": [int(cell) for row in rows for cell in row], "mark": mark}
    assert simple_agent(observation, {"columns": len(rows[0]), "rows": len(rows), "inarow": 4}) == column


@pytest.mark.parametrize("rules", [Rules(), Rules(6, 5, 3)], ids=str)
def test_simple_moves_are_legal_and_miss_no_win(rules):
    for seed in range(3):
        board, generator = Board(rules), np.random.default_rng(seed)
        while not board.is_over():
            column = simple_agent(*arguments(board))
            assert type(column) is int
            assert column in (board.winning_columns() or board.threatened_columns() or board.legal_columns)
            board.push(generator.choice(board.legal_columns))


def leftmost(observation, configuration):
    assert observation.board == observation["board"]
    assert len(observation.board) == configuration.columns * configuration.rows
    assert configuration.inarow == 4
    return next(column for column in range(configuration.columns) if observation.board[column] == 0)


def test_a_function_is_a_player():
    end = play_game(KagglePlayer(leftmost), KagglePlayer(lambda observation: 6 - observation.step // 2))
    assert end.moves == (0, 6, 0, 5, 0, 4, 0)
    assert repr(KagglePlayer(leftmost)) == "KagglePlayer('leftmost')"


def test_a_file_is_a_player_that_starts_anew_for_every_game(counting_agent):
    file = counting_agent
    states = random.getstate(), repr(np.random.get_state())  # noqa: NPY002
    matches = [play_match(KagglePlayer(path), RandomPlayer(), games=2, seed=3) for path in (file, str(file))]
    assert matches[0].games == matches[1].games
    assert len({game.moves for game in matches[0].games}) == 2
    assert (random.getstate(), repr(np.random.get_state())) == states  # noqa: NPY002
    player = KagglePlayer(file)
    for each in (player, pickle.loads(pickle.dumps(player))):
        match = play_match(each, RandomPlayer(), games=1, seed=3)
        assert match.games[0].moves == matches[0].games[0].moves
        pickle.dumps(each)  # also after a game


def test_overage_time_runs_out(monkeypatch):
    def slow(observation):
        times.append(observation.remainingOverageTime)
        return 0

    times = []
    monkeypatch.setattr("c4mcts.adapters.kaggle.perf_counter", count().__next__)  # each move takes a second
    player = KagglePlayer(slow, act_timeout=0.5, overage=1.2)
    for _ in range(2):
        times.clear()
        with pytest.raises(TimeoutError, match=r"KagglePlayer\('slow'\) took .* no overage time is left"):
            play_game(player, KagglePlayer(lambda observation: 1))
        assert times == pytest.approx([1.2, 0.7, 0.2]), "a new game begins with a full bank"


def answered(answer, start=None):
    """Play against an agent that gives the same answer in each turn."""
    play_game(KagglePlayer(lambda observation: answer), RandomPlayer(), start=start)


test_an_agent_that_fails = refused(
    *((partial(answered, each), IllegalMoveError, r"an int, not .*\(\w+\)") for each in (np.int64(3), True, 3.0, "3")),
    (lambda: answered(9), IllegalMoveError, "chose 9"),
    (lambda: answered(None, "111111"), IllegalMoveError, "chose 0: column 0 is full"),
    (lambda: answered(0, Board(Rules(diagonals=False))), ValueError, "diagonals"),
    (lambda: play_game(KagglePlayer(lambda observation: 1 / 0), RandomPlayer()), ZeroDivisionError, "division by zero"),
)


def test_none_is_column_0_as_on_kaggle():
    assert KagglePlayer(lambda observation: None).choose(Board.from_pons("1")) == 0


def test_an_agent_is_told_the_limit_that_holds_less_a_margin(tmp_path, monkeypatch):
    told = []
    clock = iter([0, 0.5, 0.5])  # before and after a file is run, and after the move
    monkeypatch.setattr("c4mcts.adapters.kaggle.perf_counter", partial(next, clock))

    def agent(observation, configuration):
        told.append((observation.remainingOverageTime, configuration.actTimeout, configuration.runTimeout))

    player = KagglePlayer(agent)
    player.time_limit(1.0, 3.0)
    player.choose(Board())
    monkeypatch.undo()
    player.time_limit(0.1, 0.0)
    player.choose(Board())
    KagglePlayer(agent).choose(Board())
    assert told == [(3.0, 0.4, 1200), (0.0, 0.05, 1200), (60, 2.0, 1200)]
    (tmp_path / "agent.py").write_text("def agent(obs, config): return len(config['__raw_path__'])")
    with pytest.raises(IllegalMoveError, match=f"chose {len(str(tmp_path / 'agent.py'))}"):
        play_game(KagglePlayer(tmp_path / "agent.py"), RandomPlayer())


def test_no_agent(tmp_path):
    file = tmp_path / "agent.py"
    with pytest.raises(FileNotFoundError):
        play_game(KagglePlayer(file), RandomPlayer())
    for text, words in (
        (b"\x1f\x8b\x08\0", "must be a Python file, but: "),
        (b"x = 1", "agent.py must define choose"),
    ):
        file.write_bytes(text)
        with pytest.raises(ValueError, match=words):
            play_game(KagglePlayer(file), RandomPlayer())
