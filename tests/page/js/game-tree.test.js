import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { GameTree, isPrefix } from "../../../src/c4mcts/page/static/js/game-tree.js";
import { readTree, writeTree } from "../../../src/c4mcts/page/static/js/tree-text.js";

const read = (/** @type {string} */ text) => readTree(text, new Game());

test("another move is a side line, and the old tree stays as it was", () => {
  const tree = GameTree.of(new Game(STANDARD, [3, 3, 4, 2]));
  const other = tree.with([3, 3, 0]).with([3, 3, 0, 1]).with([3, 3, 0]);
  assert.equal(writeTree(other), "445(12)3");
  assert.equal(writeTree(tree), "4453");
  assert.equal(other.with([3, 3]), other);
  assert.deepEqual(other.line([3, 3, 0]).moves, [3, 3, 0, 1]);
  assert.deepEqual(other.line([3]).moves, [3, 3, 4, 2]);
  assert.equal(other.at([0]), null);
});

test("a line is promoted, removed, commented", () => {
  const tree = read("445(12)3");
  assert.ok(!tree.isMain([3, 3, 0]) && tree.isMain([3, 3, 4]));
  assert.equal(writeTree(tree.promoted([3, 3, 0])), "441(53)2");
  assert.equal(writeTree(tree.without([3, 3, 4])), "4412");
  assert.equal(writeTree(tree.without([3])), "");
  assert.equal(writeTree(tree.commented([3, 3, 0], "why?").commented([], "start")), '"start"445(1"why?"2)3');
  assert.equal(writeTree(tree.commented([3], "a").commented([3], "")), "445(12)3");
});

test("prefixes", () => {
  assert.ok(isPrefix([], [1]) && isPrefix([1], [1]) && isPrefix([1], [1, 2]));
  assert.ok(!isPrefix([1, 2], [1]) && !isPrefix([2], [1, 2]));
});
