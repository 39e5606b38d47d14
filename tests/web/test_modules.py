"""Modules of the page that draw nothing: the rules of the game against Board, notations, clocks, numbers in words."""

import random

import pytest
from position_texts import FEN, READ, REFUSED

from c4mcts import Board, Rules
from c4mcts.solver.solution import plies_of

pytestmark = pytest.mark.native

RULES = [
    Rules(),
    Rules(5, 4, 3),
    Rules(4, 9, 4),
    Rules(9, 7, 4),
    Rules(6, 6, 3, diagonals=False),
    Rules(20, 14, 5),
    Rules(1, 5, 2),
]


def random_game(rules, generator):
    board = Board(rules)
    while not board.is_over() and generator.random() > 0.01:
        board.push(generator.choice(board.legal_columns))
    return board


def as_json(rules):
    return {"width": rules.width, "height": rules.height, "connect": rules.connect, "diagonals": rules.diagonals}


def test_the_rules_are_those_of_board(page):
    generator = random.Random(7)
    boards = [random_game(rules, generator) for rules in RULES for _ in range(20)]
    games = [{"rules": as_json(board.rules), "moves": list(board.moves)} for board in boards]
    body = """return a[0].map(({rules, moves}) => {
        const game = new m.Game(rules, moves);
        return {turn: game.turn, legal: game.legalColumns, outcome: game.outcome, last: game.last};
    });"""
    page.open()
    for board, found in zip(boards, page.run("game", body, games), strict=True):
        outcome = board.outcome()
        cells = None if outcome is None else sorted(map(list, outcome.cells))
        if found["outcome"] is not None:
            found["outcome"]["cells"].sort()
        expected = None if outcome is None else {"winner": outcome.winner, "cells": cells}
        assert found == {
            "turn": board.turn,
            "legal": board.legal_columns,
            "outcome": expected,
            "last": None if board.last_cell is None else list(board.last_cell),
        }


ADDRESSES = [
    "",
    "445",
    "20x14x5:9,10,19",
    "20x14x5:9,",
    "9x7x4:129",
    "7x6x4-no-diagonals:44",
    "7/7/7/7/7/2xo3_x_7x6x4:45",
    "10x10x5:",
]
ERRORS = {
    "44a4": "Character 3, “a”, is no column: without commas, moves are digits from 1.",
    "40": "Character 2, “0”, is no column: without commas, moves are digits from 1.",
    "48": "Move 2 (character 2): There is no column 8: the board has columns 1 to 7.",
    "44 4444 4": "Move 7 (character 9): Column 4 is full.",
    "12121211": "Move 8 (character 8): The game is over.",
    "3,a": "Entry 2, “a”, is no column: with commas, moves are numbers from 0.",
    "3,7": "Move 2 (entry 2): There is no column 7: the board has columns 0 to 6.",
    "3,3,3,3,3,3,3": "Move 7 (entry 7): Column 3 is full.",
    "20x14x5:12": "On more than 9 columns moves are a list with commas, columns from 0: 3,11,2.",
    "21x14x5:1": "The width must be 1 to 20 on this page, not 21.",
    "7x6x1:1": "The connect must be 2 to 20 on this page, not 1.",
    "1" * 20_001: "A text of 20,001 characters is too long for a position.",
    "http://x/#4%": "The part of the address after # can't be read.",
}
UNDERSTOOD = {
    "4453": "Read as the columns 4 4 5 3 of the board: digits count columns from 1.",
    "3,3,4,2": "Read as the columns 4 4 5 3 of the board: a list with commas counts columns from 0.",
    "#20x14x5:9,10": "Read as the columns 10 11 of the board: a list with commas counts columns from 0.",
    "7x6x4:": "Read as a position without moves.",
    "1234567" * 2: "Read as the columns 1 2 3 4 5 6 7 1 2 3 4 5 … of the board: digits count columns from 1.",
}
# How the server reads the FEN of position_texts.py; every other one is an error.
READ_FEN = f"""const rules = {{width: 7, height: 6, connect: 4, diagonals: true}};
    const start = {{fen: "{FEN}", columns: [[], [], [0], [1], [], [], []], turn: 0}};
    const readFen = async (fen) => {{
        if (fen.trim() !== "{FEN}") throw new Error("no FEN");
        return {{rules, start}};
    }};
    const read = (text) => m.readText(text, rules, readFen);"""


def test_addresses_come_back_as_they_were(page):
    body = f"{READ_FEN} return Promise.all(a[0].map(async (text) => m.writeHash(await m.readHash(text, readFen))));"
    assert page.open().run("notation", body, ADDRESSES) == ADDRESSES


def test_errors_of_texts_say_where(page):
    body = f"{READ_FEN} return Promise.all(a[0].map((text) => read(text).then(() => '', (error) => error.message)));"
    assert page.open().run("notation", body, list(ERRORS)) == list(ERRORS.values())


def test_texts_mean_what_they_mean_to_board(page):
    """The table of tests/position_texts.py, which tests/board/test_notation.py has for Board.parse."""
    body = f"""{READ_FEN} return Promise.all(a[0].map(async (text) => {{
        const game = await read(text);
        return [m.writeRules(game.rules).replace("-no", " no"), game.start && game.start.fen, [...game.moves]];
    }}));"""
    found = page.open().run("notation", body, [text for text, *_ in READ])
    assert [(text, *means) for (text, *_), means in zip(READ, found, strict=True)] == READ
    body = f"{READ_FEN} return Promise.all(a[0].map((text) => read(text).then(() => text, () => null)));"
    assert page.run("notation", body, REFUSED) == [None] * len(REFUSED)


def test_addresses_are_those_of_board(page):
    boards = [Board(), Board.from_pons("4453"), *(Board.from_moves([0, 2, 0], rules) for rules in RULES[:6])]
    games = [{"rules": as_json(board.rules), "moves": list(board.moves)} for board in boards]
    body = """const {Game} = await import(new URL("static/js/game.js", location.href).href);
        return a[0].map(({rules, moves}) => m.writeHash(new Game(rules, moves)));"""
    assert page.open().run("notation", body, games) == [board.format("address") for board in boards]


def test_the_page_says_how_it_read_a_text(page):
    body = f"{READ_FEN} return Promise.all(a[0].map(async (text) => m.understood(text, await read(text))));"
    assert page.open().run("notation", body, list(UNDERSTOOD)) == list(UNDERSTOOD.values())


def test_plies_of_scores_are_those_of_the_solver(page):
    pairs = [(score, empty) for empty in range(2, 43) for score in range(-(empty // 2), empty // 2 + 1)]
    found = page.open().run("format", "return a[0].map(([score, empty]) => m.pliesOf(score, empty));", pairs)
    assert found == [plies_of(score, empty) for score, empty in pairs]


def test_numbers_in_words(page):
    calls = "m.short(3140000), m.short(61200), m.short(999), m.whole(612000), m.score(-3), m.percent(0.414)"
    assert page.open().run("format", f"return [{calls}];") == ["3.1 M", "61 k", "999", "612,000", "−3", "41 %"]


def test_clocks(page):
    """One minute and a second for each move; the first player thinks 10 s, the second 5 s, then the first runs out."""
    body = """const {Game} = await import(new URL("static/js/game.js", location.href).href);
        let match = m.newMatch(new Game(), {number: 1, name: "Beginner"}, 0, 60, 0);
        match = m.played(match, 3, 10_000);
        const after = [m.clockOf(match, 0, 12_000), m.clockOf(match, 1, 12_000)];
        match = m.played(match, 3, 15_000);
        const over = {...match, timeout: 0};
        const later = [m.clockOf(match, 0, 66_000), m.clockOf(match, 1, 66_000)];
        const back = m.takenBack(match, 0);
        return {after, later, results: [m.resultOf(match), m.resultOf(over)], back: back.game.moves,
            again: m.takenBack(back, 0) === back, texts: [65.9, 9.44, -1].map(m.clockText)};"""
    assert page.open().run("match", body) == {
        "after": [51, 58],
        "later": [0, 56],
        "results": [None, {"winner": 1, "reason": "time"}],
        "back": [],
        "again": True,
        "texts": ["1:05", "9.4", "0.0"],
    }
