"""Checkpoints with right checksums and impossible results: refused by one clear line, and left as they are."""

import random
import tracemalloc
from functools import partial

import pytest
from counting import jobs_done
from experiments import CALLS, in_order
from forging import mutated_json, results_of, with_results

from c4mcts import CheckpointError, selfplay, study

GAME = {"moves": [0, 1, 0, 1, 0], "winner": 0, "end": "line", "reason": "", "seconds": [0.1, 0.2]}  # of the tournament
UNFINISHED = {**GAME, "moves": [0, 1, 2]}
FORFEIT = {**UNFINISHED, "end": "forfeit", "reason": "took too long"}
NINE = [0, 1, 1, 0, 2, 0, 3, 3, 3]  # moves after which the game continues


def grown(chosen=1, value=0.5, visits=1):
    """What a search has measured at two points, on a board with three open columns."""
    return [[chosen, [value, None, 0.25], [visits, 0, 2]]] * 2


FORGED = {
    "action_frequency": [
        (1, 3, "line 3: result must be a list, not 3"),
        (0, [1, 0.1], "line 2: result must be a list of 3"),
        (0, [4, 0.1, 0.1], "line 2: chosen must be one of 1, 2, 3, not 4"),
        (0, [0, 0.1, 0.1], "line 2: chosen must be one of 1, 2, 3, not 0"),
        (0, [2**31, 0.1, 0.1], "line 2: chosen must be one of 1, 2, 3, not 2147483648"),
        (0, [True, 0.1, 0.1], "chosen must be one of 1, 2, 3, not True"),
        (2, [1, float("nan"), 0.1], "line 4: cpu_seconds must be a number, not nan"),
        (0, [1, 0.1, float("inf")], r"wall_seconds must be 0 to 1e\+09, not inf"),
        (0, [1, -0.1, 0.1], r"cpu_seconds must be 0 to 1e\+09, not -0.1"),
    ],
    "convergence": [
        (0, grown()[:1], "line 2: result must be a list of 2, not"),
        (0, grown(chosen=-1), "line 2: chosen must be one of 1, 2, 3, not -1"),
        (1, grown(value=2), "line 3: value must be -1e-09 to 1, not 2"),
        (1, grown(value="x"), "line 3: value must be a number, not 'x'"),
        (1, grown(visits=-1), "visits must be 0 to"),
        (1, grown(visits=2**63), "visits must be 0 to"),
        (0, [[1, [0.5], [1]]] * 2, "values must be a list of 3"),
        (2, [1, 1, 1, 1], r"line 4: scores\[0\] must be null for a full column, not 1"),
        (2, [None, 1, 1, 10], r"line 4: scores\[3\] must be -9 to 9, not 10"),
    ],
    "convergence of a game": [(0, grown(), "values must be a list of 9")],
    "regret": [
        (0, None, "line 2: scores must be a list, not None"),
        (0, [None, None, 0, 0], r"line 2: scores\[1\] must be an integer, not None"),
        (1, grown(chosen=0), "line 3: chosen must be one of 1, 2, 3, not 0"),
    ],
    "win_rate": [
        (0, 2, "line 2: result must be -1 to 1, not 2"),
        (1, 0.5, "line 3: result must be an integer, not 0.5"),
    ],
    "head_to_head": [(0, [1], r"line 2: result must be an integer, not \[1\]"), (2, None, "line 4: result must be")],
    "optimality": [
        (0, None, "line 2: scores must be a list, not None"),
        (1, 0, "line 3: result must be one of 1, 2, 3, not 0"),
        (3, 2**40, "line 5: result must be one of 1, 2, 3, not 1099511627776"),
    ],
    "optimality of a game": [(0, [0] * 9, "line 2: scores must be null, as the optimal moves were given")],
    "rules_change": [
        (0, [9, 1, 1, 1], "line 2: branching must be 0 to 4, not 9"),
        (0, [1, 17, 1, 1], "line 2: depth must be 0 to 16, not 17"),
        (1, [1, 1, -1, 1], "line 3: plies must be 0 to 16, not -1"),
        (1, [1, 1, 1, 1e300], r"line 3: seconds must be 0 to 1e\+09, not 1e\+300"),
    ],
    "solve_many": [
        (0, [[[1], [300]], [1, 1]], r"line 2: scores\[1\] must be -9 to 9, not 300"),
        (0, [[[1]], [1, 1]], "line 2: scores must be a list of 2"),
        (0, [[[1], [1]], [1, 2**64]], "line 2: nodes must be 0 to 18446744073709551615"),
        (0, [[[1, 1], [1]], [1, 1]], r"scores\[0\] must be a list of 1"),
    ],
    "solve_many with columns": [
        (0, [[[1, 1, 1, 1, 1]] * 2, [1, 1]], r"scores\[1\], column 0, must be -128, as it is full, not 1"),
        (0, [[[1, 1, 1, 1, 1], [1, -128, 1, 1, 2]], [1, 1]], r"scores\[1\], column 3, must be -9 to 1, not 2"),
    ],
    "build_book": [(0, [[["x"]], [1]], "line 2: scores must be a list of")],
    "tournament": [
        (0, {key: value for key, value in GAME.items() if key != "end"}, "line 2: game must be an object with moves, "),
        (0, [], "line 2: game must be an object"),
        (1, {**GAME, "winner": 7}, "line 3: winner must be 0 to 1, not 7"),
        (0, {**GAME, "winner": True}, "winner must be an integer, not True"),
        (0, {**GAME, "winner": 1}, "winner must be 0, not 1"),
        (0, {**GAME, "winner": None}, "winner must be 0, not None"),
        (0, {**GAME, "moves": [99, -3]}, "moves must be 0 to 3, not 99"),
        (0, {**GAME, "moves": [0, 1, 0, 1, 0, 1]}, "the game is over"),
        (0, {**GAME, "moves": [0, 1, 1, 0, 0, 0, 0]}, "column 0 is full"),
        (0, {**GAME, "moves": [1, 0, 1, 0, 1]}, r"moves must be a game that begins with \[0, 1\]"),
        (0, {**GAME, "end": "full board"}, "end must be one of 'line', not 'full board'"),
        (0, {**GAME, "end": []}, r"end must be one of 'line', not \[\]"),
        (0, UNFINISHED, "end must be one of 'forfeit', not 'line'"),
        (0, {**UNFINISHED, "end": "adjudication"}, "end must be one of 'forfeit', not 'adjudication'"),
        (0, {**UNFINISHED, "moves": NINE, "end": "line"}, "end must be one of 'forfeit', 'adjudication', not 'line'"),
        (0, {**FORFEIT, "winner": None}, "winner must be 0 or 1, not None"),
        (0, {**FORFEIT, "reason": "a\x1b[2Jb"}, r"reason must be a line of at most 300 characters, not 'a\\x1b\[2Jb'"),
        (0, {**FORFEIT, "reason": "\ud800"}, "reason must be a line"),
        (0, {**FORFEIT, "reason": "x" * 301}, "reason must be a line"),
        (0, {**GAME, "reason": "x"}, "reason must be empty, as the game ended by line, not 'x'"),
        (0, {**GAME, "seconds": [1]}, "seconds must be a list of 2"),
        (0, {**GAME, "seconds": [1, "x"]}, "seconds must be a number, not 'x'"),
    ],
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "checkpoint.jsonl"


@pytest.mark.parametrize("name", CALLS)
def test_impossible_results_are_refused(name, path):
    whole = in_order(CALLS[name], path)
    for number, result, words in FORGED[name]:
        data = with_results(whole, {**results_of(whole), number: result})
        path.write_bytes(data)
        with pytest.raises(CheckpointError, match=words) as caught:
            CALLS[name](checkpoint=path)
        assert str(caught.value).startswith(f"checkpoint {path} is damaged: line {number + 2}: ")
        assert path.read_bytes() == data


@pytest.mark.parametrize("name", CALLS)
def test_what_was_kept_is_taken(name, path):
    path.write_bytes(in_order(CALLS[name], path))
    result, jobs = jobs_done(partial(CALLS[name], checkpoint=path))
    assert jobs == 0
    assert str(result)


@pytest.mark.parametrize("name", CALLS)
def test_any_other_result_is_refused_or_possible(name, path):
    whole, chance, accepted, refused = in_order(CALLS[name], path), random.Random(1), 0, 0
    for _ in range(60):
        results = results_of(whole)
        number = chance.choice(list(results))
        data = with_results(whole, {**results, number: mutated_json(results[number], chance)})
        path.write_bytes(data)
        try:
            accepted += bool(str(CALLS[name](checkpoint=path)))
        except CheckpointError as error:
            refused += "\n" not in str(error) and path.read_bytes() == data
    assert accepted + refused == 60
    assert refused > 10


def test_all_ends_of_a_game_are_possible(path):
    call, whole = CALLS["tournament"], in_order(CALLS["tournament"], path)
    adjudicated = {**UNFINISHED, "moves": NINE, "end": "adjudication", "winner": None}
    for number, game in enumerate((GAME, FORFEIT, adjudicated)):
        path.write_bytes(with_results(whole, {number % 2: game}))
        assert call(checkpoint=path).games[number % 2].end == game["end"]


def test_results_of_other_jobs_are_left_alone(path):
    """Of a tournament with more games, for example; they take no memory beyond that of the file."""
    call, whole = CALLS["action_frequency"], in_order(CALLS["action_frequency"], path)
    path.write_bytes(with_results(whole, {**results_of(whole), 2**70: "x"}))
    tracemalloc.start()
    try:
        result, jobs = jobs_done(partial(call, checkpoint=path))
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()
    assert (len(result.columns), jobs) == (3, 0)


def test_all_experiments_are_here():
    experiments = {name for name in study.__all__ if name.islower() and hasattr(getattr(study, name), "__code__")}
    wanted = {name for name in experiments if "options" in getattr(study, name).__code__.co_varnames}
    assert wanted
    assert wanted <= CALLS.keys() == FORGED.keys()
    assert callable(selfplay.generate), "see tests/selfplay/test_interrupted.py"
