"""Engines in files and pickles: they continue as if nothing had happened, and nothing else is taken for one."""

import copy
import pickle
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from forging import FREE, forged, packed, repacked, scores, with_about
from trees import assert_same, require_whole

from c4mcts import Board, Engine, Rules, SaveError, SearchParams, UctParams
from c4mcts._layout import MAX_VALUE_SUM, NOT_LOST


def test_pickles_and_copies():
    engine = Engine(seed=5)
    engine.search(Board(), simulations=100)
    twins = [pickle.loads(pickle.dumps(engine)), copy.copy(engine), copy.deepcopy(engine)]
    assert [twin.backend for twin in twins] == [engine.backend] * 3
    for each in (engine, *twins):
        each.search(Board(), simulations=50)
    for twin in twins:
        assert_same(engine, twin)


def saved(simulations=200):
    engine = Engine(seed=1)
    engine.search(Board(Rules(5, 4)), simulations=simulations)
    return packed(engine)


def load(data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    return Engine.load(tmp_path / "file")


def test_truncated_and_damaged_files(tmp_path):
    data = saved()
    quarter = len(data) // 4
    for length in [*range(0, len(data), 601), len(data) - 1]:
        with pytest.raises(SaveError):
            load(data[:length], tmp_path)
    with pytest.raises(SaveError):
        load(data[:quarter] + bytes(255 - byte for byte in data[quarter : quarter + 8]) + data[quarter + 8 :], tmp_path)


def test_foreign_and_newer_files(tmp_path):
    for data in (b"", b"PK\x03\x04", b"hello" * 100, pickle.dumps([1, 2])):
        with pytest.raises(SaveError, match="file: this is not a saved"):
            load(data, tmp_path)
    newer = with_about(saved(), lambda about: {**about, "format": 4})
    with pytest.raises(SaveError, match=r"file: this is not a saved .*: its format is 4, this release reads 3"):
        load(newer, tmp_path)
    with pytest.raises(FileNotFoundError):
        Engine.load(tmp_path / "missing")


def fact(**values):
    return lambda parts: parts.facts.update(values)


def node(field, index, value):
    return lambda parts: parts.nodes[field].__setitem__(index, value)


SEVEN = [0] * 7  # what belongs to a board of seven columns
FORGERIES = {
    "children outside": (node("children", 0, 10**9), "node 0: its children lie outside the tree"),
    "children of its own": (node("children", 1, 1), "node 1: it shares children with another position"),
    "column": (node("column", 2, 63), "node 0: its children are not the open columns"),
    "size": (node("size", 0, 200), "node 0: its children are not the open columns"),
    "visits": (node("visits", 0, 2**32 - 1), "a node has more visits than a tree can count"),
    "rewards": (node("value_sum", 1, 10**9), "a node has more rewards than visits"),
    "a proof of no kind": (node("proof", 1, 7 << 13), "node 1: it has an impossible proof"),
    "a win after the end": (node("proof", 1, (1 << 13) + 20), "node 1: it has an impossible proof"),
    "no nodes": (lambda parts: parts.nodes.resize(0, refcheck=False), "node 0: "),
    "another board": (fact(board="7/7/7/7/7/x6 o 7x6x4", wins=SEVEN), "node 0: its children are not the open columns"),
    "no board": (fact(board="x"), "a FEN has rows, the side to move and rules"),
    "no state": (lambda parts: parts.facts.pop("state"), "there is no 'state'"),
    "a state of zeros": (fact(state=[0, 0]), "the state of the generator is"),
    "bad seed": (fact(seed=[-1, 2**70]), "the state of the generator must be 0 to"),
    "roots": (fact(roots=-1), "roots must be 0 to"),
    "player": (fact(player=2), "player must be 0 to 1, not 2"),
    "wins of another board": (fact(wins=SEVEN), "short_wins must be at most 5 numbers, not 7"),
    "wins after the end": (fact(wins=[2**13] * 5), "wins must be 0 to 8191, not 8192"),
    "bounds of no column": (fact(bounds=[[9, [0, 0]]]), "bounds must be of one of the columns [0, 1, 2, 3, 4], not 9"),
    "params": (lambda parts: parts.facts["params"].update(rollout="x"), "rollout must be one of"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_files(name, tmp_path):
    change, words = FORGERIES[name]
    with pytest.raises(SaveError, match=f"file: the saved engine is damaged: .*{re.escape(words)}"):
        load(repacked(saved(), change), tmp_path)


def test_scores_that_no_game_has(tmp_path):
    with pytest.raises(SaveError, match="the solver's table has another size, or scores that no game has"):
        load(repacked(saved(400), scores(-64, 0)), tmp_path)


@pytest.mark.parametrize("second", [(2, 8), (8, 1)], ids=["of a sibling", "of its parent"])
@pytest.mark.parametrize(
    ("transpositions", "words"), [(True, "shares children with another position"), (False, "overlap others")]
)
def test_a_block_of_children_has_one_owner(backend, transpositions, words, second):
    """What is below a block is looked at for one position; under another it would lead out of the board."""

    def change(parts):
        parts.nodes = np.resize(parts.nodes, 15)
        parts.nodes[8:] = 0
        for node, first in (second, (1, 8)):
            parts.nodes["children"][node], parts.nodes["size"][node] = first, 7
            parts.nodes["column"][first : first + 7] = range(7)
        parts.nodes["visits"], parts.nodes["value_sum"] = [10_000, *[1000] * 7, *[1] * 7], 0

    with pytest.raises(SaveError, match=rf"node {second[0]}: it.*{words}"):
        forged(SearchParams.preset("uct", transpositions=transpositions), Board(), change, backend)


END = Board.from_pons("121212")  # column 0 wins at once
LAST = Board.from_moves([0, 0, 1, 1, 0, 1, 1], Rules(2, 4, 5))  # one cell is left: a draw


@pytest.mark.parametrize("params", [UctParams(), SearchParams.preset("uct")], ids=["proofs", "counts"])
@pytest.mark.parametrize(("board", "proof"), [(END, 0), (LAST, NOT_LOST)], ids=["won", "drawn"])
def test_the_end_of_a_game_must_be_known_as_such(backend, params, board, proof):
    def change(parts):
        parts.nodes["proof"][:2] = 0, proof

    with pytest.raises(SaveError, match="node 1: the game is over there, but a search would continue"):
        forged(params, board, change, backend, simulations=30)


def test_no_children_follow_the_end_of_a_game(backend):
    """They would lie below a node that is known as won."""

    def change(parts):
        parts.nodes = np.resize(parts.nodes, 15)
        parts.nodes[8:] = 0
        parts.nodes["column"][8:] = range(7)
        parts.nodes["children"][1], parts.nodes["size"][1] = 8, 7

    with pytest.raises(SaveError, match="node 1: the game is over there, but a search would continue"):
        forged(FREE, END, change, backend)


@pytest.mark.parametrize("visits", [MAX_VALUE_SUM // 2 - 7, MAX_VALUE_SUM // 2])
def test_room_is_counted_from_the_node_with_the_most_visits(backend, visits):
    """A shared child may have more than the root, so that its sum would be the first to overflow."""

    def change(parts):
        parts.nodes["visits"][3], parts.nodes["value_sum"][3] = visits, 2 * visits

    engine = forged(FREE, Board(), change, backend)
    result = engine.search(Board(), simulations=100)
    assert result.simulations == (7 if visits < MAX_VALUE_SUM // 2 else 100)
    assert engine.search(Board(), simulations=100).simulations == 100, "a new tree"
    assert engine.tree()["visits"].max() <= 200


def test_a_save_that_is_killed_leaves_the_old_file(tmp_path):
    path = tmp_path / "engine"
    Engine(seed=1).save(path)
    code = (
        "import sys; from c4mcts import *; e = Engine(SearchParams.preset('uct'), seed=1);"
        "e.search(Board(), simulations=20_000)\n"
        f"while True: print(flush=True), e.save({str(path)!r})"
    )
    for saves in (1, 4):
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
            for _ in range(saves):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        engine = Engine.load(path)
        engine.search(Board(), simulations=1)
        require_whole(engine)
