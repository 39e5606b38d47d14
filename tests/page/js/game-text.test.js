import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { readGame, writeGame } from "../../../src/c4mcts/page/static/js/game-text.js";
import { NotationError, readTree, splitMoves, writeTree } from "../../../src/c4mcts/page/static/js/tree-text.js";
import { LONG_GAME, countedLooks } from "./fakes.js";

/** @import { Node } from "../../../src/c4mcts/page/static/js/game-tree.js" */

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

test("the moves of a line end where facts begin", () => {
  assert.deepEqual(splitMoves(' 4"a {b"5 (6) {"first": "x"}\n'), ['4"a {b"5 (6)', '{"first": "x"}']);
  assert.deepEqual(splitMoves(' {"first": "x"}'), ["", '{"first": "x"}']);
  assert.deepEqual(splitMoves('4"open end'), ['4"open end', ""]);
  assert.deepEqual(splitMoves(""), ["", ""]);
});

const FEN = "7/7/7/7/7/2xo3 x 7x6x4";
test("the opening is kept, as far as a line follows it", async () => {
  const found = await readGame('44(3)53 {"opening": 3}', STANDARD, readFen);
  assert.deepEqual([[], [3], [3, 3, 4, 2], [3, 2, 4]].map((moves) => found.openingOf(moves)), [0, 1, 3, 1]);
  const line = writeGame({ tree: found.with([3, 3, 0]), match: null });
  assert.match(line, /"opening":3/);
  assert.deepEqual((await readGame(line, STANDARD, readFen)).opening, [3, 3, 4]);
  assert.doesNotMatch(writeGame({ tree: found.promoted([3, 2]), match: null }), /"opening":[23]/);
});

/** @param {string} fen */
const readFen = async (fen) => {
  assert.equal(fen, FEN);
  return { rules: STANDARD, start: { fen, columns: [[], [], [0], [1], [], [], []], turn: /** @type {const} */ (0) } };
};

for (const { text, start: fen, tree, server } of CASES.lines) {
  if (server) continue; // which reads it for the page
  test(`the line ${JSON.stringify(text)} is the game that Python reads`, async () => {
    const found = await readGame(text, STANDARD, readFen);
    assert.equal(found.start.start?.fen ?? null, fen === FEN ? FEN : null);
    assert.equal(writeTree(found), tree);
  });
}

for (const { text } of CASES.refused_lines) {
  test(`the line ${JSON.stringify(text)} is refused as in Python`, async () => {
    await assert.rejects(readGame(text, STANDARD, readFen), NotationError);
  });
}

test("a start must have the rules that the game names", async () => {
  const readFen = async (/** @type {string} */ fen) => ({ rules: STANDARD, start: { fen, columns: [[0]], turn: 1 } });
  assert.equal((await readGame('4 {"rules": "7x6x4", "start": "a FEN"}', STANDARD, readFen)).start.discs, 1);
  await assert.rejects(readGame('4 {"rules": "8x7x4", "start": "a FEN"}', STANDARD, readFen),
    { message: "“rules” can't be \"8x7x4\" in what follows the moves." });
});

test("a text with too many parentheses has an end", () => {
  assert.throws(() => readTree(`1${"(1".repeat(100_000)}`, new Game()), { message: /^Character 3: column 1 is there/ });
});
