"""What modules of the page do as Python does: the rules of the game, distances. Their other tests are in js/."""

import itertools
import json
import os
import random
from dataclasses import asdict

import pytest
from fuzz import game_texts, page_texts
from position_texts import TEXTS
from random_boards import random_game

from c4mcts import Board, Rules
from c4mcts.play import LEVELS
from c4mcts.solver.verdict import plies_of

pytestmark = pytest.mark.native

GAMES = 600  # drawn
MUTATED = int(os.environ.get("C4MCTS_TEXTS", "300"))
SEED = os.environ.get("C4MCTS_SEED", "the page")
RULES = [
    Rules(),
    Rules(5, 4, 3),
    Rules(4, 9, 4),
    Rules(9, 7, 4),
    Rules(6, 6, 3, diagonals=False),
    Rules(20, 14, 5),
    Rules(1, 5, 2),
]


def test_the_rules_are_those_of_board(page):
    generator = random.Random(7)
    boards = [random_game(rules, generator, generator.randrange(200)) for rules in RULES for _ in range(20)]
    games = [{"rules": asdict(board.rules), "moves": list(board.moves)} for board in boards]
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


def test_levels_have_their_names(page):
    page.open()
    names = page.run("seats", "return a[0].map(m.levelName);", [one.number for one in LEVELS])
    assert names == [one.name for one in LEVELS]


def normal(read):
    """What the page read, with the FEN of the start as Python writes it, and none for the empty board."""
    if not isinstance(read, list) or read[1] is None:
        return read
    start = Board.from_fen(read[1])
    return [read[0], start.to_fen() if start.ply else None, read[2]]


LISTS = """const lists = ({comment, children}) =>
        [comment, children.map(([column, node]) => [column, ...lists(node)])];"""
READ_ANY = """const from = (name) => import(new URL(`static/js/${name}.js`, location.href).href);
    const [{Connection}, {webSocket}, {Game}, {writeRules}] = await Promise.all(
        ["connection", "transports", "game", "notation"].map(from));
    const address = new URL("socket", location.href).href.replace(/^http/, "ws");
    const connection = new Connection(webSocket(address), () => {});
    const app = {connection, store: {state: {game: new Game()}}};
    const read = (text) => m.readAny(app, text).then(({game}) => game);"""


def test_games_with_variations_are_read_alike(page):
    """Drawn texts: the same game in JavaScript as in Python, or an error that names the same character."""
    cases = [game_texts.make(random.Random(f"texts {number}")) for number in range(GAMES)]
    body = (
        LISTS
        + """const {Game} = await import(new URL("static/js/game.js", location.href).href);
        return JSON.stringify(a[0].map(([rules, text]) => {
            try {
                const tree = m.readTree(text, new Game(a[1][rules]));
                return [lists(tree.root), m.writeTree(tree)];
            } catch (error) {
                return Number(/^Character (\\d+)/.exec(error.message)?.[1] ?? NaN);
            }
        }));"""
    )  # as JSON, since the driver can't pass on half of a surrogate pair
    rules = [asdict(each) for each in game_texts.RULES]
    found = json.loads(page.open().run("tree-text", body, cases, rules))
    for (index, text), read in zip(cases, found, strict=True):
        expected = game_texts.read(index, text)
        if isinstance(read, int):
            assert read == expected, (text, rules[index])
        else:
            assert read[0] == expected, (text, rules[index])
            assert game_texts.read(index, read[1]) == expected, (text, read[1])
    kinds = [isinstance(read, int) for read in found]
    assert GAMES / 4 < sum(kinds) < 3 * GAMES / 4


def test_every_text_is_read_alike_or_refused_by_both(page):
    """Texts of the table, games and links, most of them with a few characters changed; the server answers the page."""
    texts = [*TEXTS, *(page_texts.make(random.Random(f"{SEED} {number}")) for number in range(MUTATED))]
    body = f"""{LISTS} {READ_ANY}
        const meaning = ({{start, root}}) =>
            [writeRules(start.rules).replace("-no", " no"), start.start?.fen ?? null, lists(root)];
        const found = await Promise.all(a[0].map((text) => m.readAny(app, text).then(meaning, (error) =>
            error.constructor.name === "NotationError" ? null : `${{error}}`)));
        connection.close();
        return JSON.stringify(found);"""
    page.open()
    found = [json.loads(page.run("positions", body, texts[first : first + 100])) for first in range(0, len(texts), 100)]
    pairs = list(zip(texts, map(normal, itertools.chain(*found)), strict=True))
    assert [(text, read, page_texts.meaning(text)) for text, read in pairs if read != page_texts.meaning(text)] == []
    assert len(texts) / 5 < sum(read is None for _, read in pairs) < 4 * len(texts) / 5


def test_short_addresses_are_those_of_board(page):
    boards = [Board(), Board.from_pons("4453"), *(Board.from_moves([0, 2, 0], rules) for rules in RULES[:6])]
    games = [{"rules": asdict(board.rules), "moves": list(board.moves)} for board in boards]
    body = """const {Game} = await import(new URL("static/js/game.js", location.href).href);
        return a[0].map(({rules, moves}) => m.writeText(new Game(rules, moves)));"""
    assert page.open().run("notation", body, games) == [board.format("address") for board in boards]


def test_plies_of_scores_are_those_of_the_solver(page):
    pairs = [(score, empty) for empty in range(2, 43) for score in range(-(empty // 2), empty // 2 + 1)]
    found = page.open().run("verdict", "return a[0].map(([score, empty]) => m.pliesOf(score, empty));", pairs)
    assert found == [plies_of(score, empty) for score, empty in pairs]
