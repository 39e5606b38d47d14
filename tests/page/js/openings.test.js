import assert from "node:assert/strict";
import { test } from "node:test";

import { ranked, repliesOf, resultOf } from "../../../src/c4mcts/page/static/js/openings.js";

/** @import { OpeningMove } from "protocol" */

/**
 * @param {Partial<OpeningMove>} fields
 * @returns {OpeningMove}
 */
const move = (fields) => ({ move: 0, score: 0, distance: 42, replies: 7, holding: 4, name: null, ...fields });

test("what a move leads to", () => {
  assert.equal(resultOf(move({ score: 1, distance: 41 })), "win in 41");
  assert.equal(resultOf(move({})), "draw");
  assert.equal(resultOf(move({ score: -2, distance: 40 })), "loss in 40");
});

test("how many replies keep the result, from the opponent's point of view", () => {
  assert.equal(repliesOf(move({ score: -1, holding: 1 })), "1 of 7 wins");
  assert.equal(repliesOf(move({ score: -2, holding: 4 })), "4 of 7 win");
  assert.equal(repliesOf(move({ holding: 1, replies: 6 })), "1 of 6 draws");
  assert.equal(repliesOf(move({ score: 1, holding: 7 })), "all lose");
  assert.equal(repliesOf(move({ holding: null })), "–");
  assert.equal(repliesOf(move({ score: 18, replies: 0, holding: 0 })), "–");
});

test("the best moves come first, equal ones in column order", () => {
  const moves = [-2, 0, 1, 0].map((score, column) => move({ move: column, score }));
  assert.deepEqual(ranked(moves).map((each) => each.move), [2, 1, 3, 0]);
});
