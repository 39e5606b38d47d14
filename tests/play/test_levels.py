"""Levels: what they overlook, how they choose, and that they are in order."""

import math
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from oracles.evaluation import as_game
from random_boards import random_board
from refusals import refused

from c4mcts import Board, Rules, solve
from c4mcts.play import LEVELS, Level, LevelPlayer, play_game
from c4mcts.play.levels import level_list, level_of, traps

WIN = Board.from_pons("414145")  # the middle column wins; the opponent threatens nothing
THREAT = Board.from_pons("41424")  # only the middle column stops the opponent
TRAPS = Board.from_pons("445")  # the opponent has two discs in the bottom row, and a third one makes two threats
CARELESS = Level(1, "Careless", 0.0, 0.0, 0.0, 10, math.inf, 0)  # sees nothing, and all columns are alike to it


def player_of(level, seed=1):
    player = LevelPlayer(1)
    player.level = level
    player.begin(np.random.SeedSequence(seed))
    return player


def shares(level, board, moves):
    """How often each column is chosen."""
    player = player_of(level)
    counts = [0] * board.rules.width
    for seed in range(moves):
        player.begin(np.random.SeedSequence(seed))
        counts[player.choose(board)] += 1
    return [count / moves for count in counts]


def spread(probability, moves):
    """Four standard deviations of a share."""
    return 4 * math.sqrt(probability * (1 - probability) / moves)


def test_the_levels_are_in_order():
    assert [level.number for level in LEVELS] == list(range(1, 11))
    assert len({level.name for level in LEVELS}) == 10
    for lower, higher in pairwise(LEVELS[:-1]):
        for name in ("sees_win", "sees_threat", "sees_traps", "simulations"):
            assert getattr(lower, name) <= getattr(higher, name)
        assert lower.temperature >= higher.temperature


def test_the_ratings_are_those_of_the_documentation_in_even_steps():
    page = (Path(__file__).parents[2] / "docs/guide/levels.md").read_text(encoding="utf-8")
    for level in LEVELS:
        assert f"| **{level.number} {level.name}** | {level.rating} |" in page
        assert f"{level.number} {level.name} ({level.rating:+})" in level_list()
    for lower, higher in pairwise(LEVELS[:-1]):
        assert 90 <= higher.rating - lower.rating <= 180
    assert LEVELS[-1].rating - LEVELS[-2].rating > 300, "nobody else plays without mistakes"
    assert abs(LEVELS[0].rating) <= 30, "about even with the reference that takes wins and stops threats"


@pytest.mark.parametrize("seen", [0.0, 0.6, 1.0])
@pytest.mark.parametrize(("what", "board"), [("sees_win", WIN), ("sees_threat", THREAT)])
def test_wins_and_threats_are_seen_as_often_as_the_level_says(what, board, seen):
    expected = seen + (1 - seen) / 7
    share = shares(replace(CARELESS, **{what: seen}), board, 100)[3]
    assert abs(share - expected) <= spread(expected, 100)


def test_what_is_not_seen_is_not_found_by_the_search_either():
    sharp = replace(CARELESS, simulations=200, temperature=0.05)
    for board in (WIN, THREAT):
        assert abs(shares(sharp, board, 100)[3] - 1 / 7) <= spread(1 / 7, 100)


def test_traps_are_avoided_when_they_are_seen_and_entered_when_not():
    assert traps(TRAPS) == [0, 1, 3, 4, 6], "only the ends of the two discs can be taken from the opponent"
    sharp = replace(CARELESS, simulations=100, temperature=0.3)
    careful = replace(sharp, sees_traps=1.0)
    assert sum(shares(sharp, TRAPS, 40)[column] for column in traps(TRAPS)) > 0.2
    assert sum(shares(careful, TRAPS, 40)[column] for column in traps(TRAPS)) == 0


@pytest.mark.parametrize("rules", [Rules(), Rules(5, 4, 3), Rules(6, 5, 4, diagonals=False), Rules(4, 4, 2)], ids=str)
def test_traps_are_those_of_the_definition(rules):
    generator = random.Random(1)
    for _ in range(15):
        board = random_board(rules, generator.randrange(rules.cells), generator)
        game = as_game(rules, board.moves)
        assert traps(board) == [column for column in game.legal_columns() if is_trap(game, column)]


def is_trap(game, column):
    """Whether the opponent, after that move, wins or has a reply that makes two threats and leaves no win."""
    me = game.turn()
    game.drop(column)
    found = bool(game.winning_columns(1 - me))
    for reply in [] if found else game.legal_columns():
        game.drop(reply)
        found = found or (len(game.winning_columns(1 - me)) >= 2 and not game.winning_columns(me))
        game.undo()
    game.undo()
    return found


def test_the_temperature_says_how_sharply_moves_are_told_apart():
    def centre(temperature):
        return shares(replace(CARELESS, sees_traps=1.0, simulations=200, temperature=temperature), Board(), 60)[3]

    assert abs(centre(math.inf) - 1 / 7) < spread(1 / 7, 60)
    assert centre(math.inf) < centre(0.3) < centre(0.05)


@pytest.mark.parametrize("number", [1, 4, 8])
def test_games_vary_and_can_be_had_again(number):
    players = LevelPlayer(number), LevelPlayer(number)
    first = play_game(*players, seed=1)
    assert first.game.is_over()
    assert play_game(*players, seed=1).moves == first.moves
    assert play_game(*players, seed=2).moves != first.moves


def test_the_highest_level_keeps_the_exact_score():
    board = Board.from_pons("44455554221")
    player = LevelPlayer("perfect")
    while not board.is_over():
        column = player.choose(board)
        assert column in solve(board).best
        board.push(column)


@pytest.mark.parametrize(
    "rules", [Rules(1, 5, 3), Rules(4, 4, 2), Rules(9, 9, 5), Rules(20, 14), Rules(8, 1, 3)], ids=str
)
def test_levels_play_on_any_board(rules):
    for number in (1, 4):
        player = LevelPlayer(number)
        assert LevelPlayer("perfect").choose(Board(rules)) in Board(rules).legal_columns
        assert play_game(player, player, start=Board(rules), seed=1).game.is_over()


def test_levels_have_names():
    assert level_of("grandMASTER") is level_of(9) is level_of(np.int64(9)) is LEVELS[8]
    assert repr(LevelPlayer("Club player")) == "LevelPlayer(4, 'Club player')"


test_other_levels_are_refused = refused(
    (lambda: LevelPlayer(0), ValueError, "level must be 1 to 10, not 0"),
    (lambda: LevelPlayer(99), ValueError, "level must be 1 to 10, not 99"),
    (lambda: LevelPlayer(""), ValueError, "level must be 1 to 10 or one of Beginner, Casual"),
    (lambda: LevelPlayer(2.5), TypeError, "level"),
)
