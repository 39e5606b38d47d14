import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Game } from "../../../src/c4mcts/web/static/js/game.js";
import { readGame, readTree, splitMoves, writeTree } from "../../../src/c4mcts/web/static/js/game-text.js";
import { NotationError } from "../../../src/c4mcts/web/static/js/notation.js";
import { LONG_GAME, countedLooks } from "./fakes.js";

/** @import { Node } from "../../../src/c4mcts/web/static/js/game-tree.js" */

const CASES = JSON.parse(readFileSync(new URL("../../data/game_texts.json", import.meta.url), "utf8"));

/** @param {string} rules */
function start(rules) {
  const [width, height, connect] = rules.split(/[x ]/).map(Number);
  return new Game({ width, height, connect, diagonals: !rules.includes("no-diagonals") });
}

/** @param {Node} node @returns {any} */ // `any`: lists in lists
const asLists = ({ comment, children }) => [comment, children.map(([column, child]) => [column, ...asLists(child)])];

for (const { text, rules, tree, written } of CASES.read) {
  test(`${JSON.stringify(text)} is the tree that Python reads`, () => {
    const found = readTree(text, start(rules));
    assert.deepEqual(asLists(found.root), tree);
    assert.equal(writeTree(found), written ?? text.trim());
  });
}

for (const { text, rules, character } of CASES.refused) {
  test(`${JSON.stringify(text)} is wrong at character ${character}`, () => {
    assert.throws(() => readTree(text, start(rules)), (error) => {
      assert.ok(error instanceof NotationError);
      assert.match(error.message, new RegExp(`^Character ${character}\\b.*\\.$`));
      return true;
    });
  });
}

test("a text looks for lines once for each of its moves", () => {
  const { looks, start: board } = countedLooks();
  const text = LONG_GAME.map((column) => `${column}(${(column + 1) % 20},0,1)`).slice(0, 200).join();
  readTree(text, board);
  assert.ok(looks.count <= 4 * 200, `${looks.count}`);
});

test("the moves of a line end at the first blank outside of comments, or where facts begin", () => {
  assert.deepEqual(splitMoves(' 4"a b"5(6) {"first": "x"}\n'), [' 4"a b"5(6)', '{"first": "x"}']);
  assert.deepEqual(splitMoves(' {"first": "x"}'), ["", '{"first": "x"}']);
  assert.deepEqual(splitMoves('4"open end'), ['4"open', "end"]);
  assert.deepEqual(splitMoves(""), ["", ""]);
});

test("a text in quotes is no game of nothing with a comment", async () => {
  const rules = { width: 7, height: 6, connect: 4, diagonals: true };
  for (const text of ['"4453"', '"4453" {"seed": 1}']) {
    await assert.rejects(readGame(text, rules, assert.fail), NotationError);
  }
});

test("a text with too many parentheses has an end", () => {
  assert.throws(() => readTree(`1${"(1".repeat(100_000)}`, new Game()), { message: /^Character 3: column 1 is there/ });
});
