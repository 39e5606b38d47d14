"""Exact scores for the positions of self-play, by the solver or from games that have them."""

import numpy as np
import pytest
from datasets import CALL, UCT, same

from c4mcts import Board, Rules, selfplay, solve
from c4mcts.selfplay import labels
from c4mcts.solver.book import NO_SCORE

DATA = CALL()
LATE = DATA.ply >= 9
LARGE = selfplay.generate(2, UCT, start=Board(Rules(11, 9, 4)), simulations=20, seed=3)  # two words


def test_labels_are_the_scores_of_the_solver():
    assert (DATA.score == NO_SCORE).all()
    labelled = selfplay.label(DATA, columns=True)
    for row in range(0, len(DATA), 5):
        solution = solve(DATA.board(row), columns=True)
        assert labelled.score[row] == solution.score
        assert labelled.scores[row].tolist() == [NO_SCORE if score is None else score for score in solution.columns]
    assert (DATA.score == NO_SCORE).all(), "the original stays"
    assert np.array_equal(labelled.visits, DATA.visits)


def test_labels_of_some_rows(tmp_path):
    late = DATA.ply > 7
    labelled = selfplay.label(DATA + DATA, np.tile(late, 2))
    assert np.array_equal(labelled.score != NO_SCORE, np.tile(late, 2))
    assert (labelled.scores == NO_SCORE).all()
    more = selfplay.label(labelled, labelled.ply == 7)
    assert np.array_equal(more.score != NO_SCORE, np.tile(DATA.ply >= 7, 2)), "labels of other rows stay"
    more.save(tmp_path / "labelled")
    assert same(selfplay.load(tmp_path / "labelled"), more)


def test_labels_of_boards_of_two_words(solved):
    last = LARGE.plies_left == 1
    labelled = selfplay.label(LARGE, last)
    assert np.array_equal(labelled.score != NO_SCORE, last)
    for row in np.flatnonzero(last):
        assert labelled.score[row] == solve(LARGE.board(row), columns=False).score > 0
    assert same(selfplay.label(LARGE, last, reuse=labelled), labelled)
    assert solved == [np.count_nonzero(last), 0]


@pytest.fixture
def solved(monkeypatch):
    """How many positions each call of `label` has had solved."""
    counts, solve_many = [], labels.solve_many

    def counted(boards, **options):
        counts.append(len(boards[0]))
        return solve_many(boards, **options)

    monkeypatch.setattr(labels, "solve_many", counted)
    return counts


@pytest.mark.parametrize("columns", [False, True], ids=["score", "columns"])
def test_known_positions_and_their_mirror_images_are_not_solved_again(solved, columns):
    whole = selfplay.label(DATA, LATE, columns=True)
    image = DATA.mirror()
    found = selfplay.label(image, LATE, columns=columns, reuse=whole)
    plain = selfplay.label(image, LATE, columns=columns)
    assert same(found, plain)
    assert solved == [LATE.sum(), 0, LATE.sum()]
    part = selfplay.label(DATA, DATA.ply >= 11, columns=columns)
    assert same(selfplay.label(image, LATE, columns=columns, reuse=part), plain)
    assert 0 < solved[-1] < LATE.sum(), "those that are not known"


def test_what_is_known_without_columns_is_solved_with_columns(solved):
    known = selfplay.label(DATA, LATE)
    assert same(selfplay.label(DATA, LATE, columns=True, reuse=known), selfplay.label(DATA, LATE, columns=True))
    assert solved == [LATE.sum()] * 3
    selfplay.label(DATA, LATE, reuse=DATA)
    assert solved[-1] == LATE.sum(), "games without scores"


def test_reuse_must_be_games_of_the_same_board():
    with pytest.raises(TypeError, match="reuse must be a SelfPlay"):
        selfplay.label(DATA, reuse=[])
    with pytest.raises(ValueError, match="reuse must be games with the rules"):
        selfplay.label(DATA, reuse=LARGE)
