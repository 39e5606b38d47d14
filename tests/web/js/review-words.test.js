import assert from "node:assert/strict";
import { test } from "node:test";

import { Game } from "../../../src/c4mcts/web/static/js/game.js";
import { estimates, moveText } from "../../../src/c4mcts/web/static/js/review-words.js";

/** @import { Review, ReviewedMove } from "../../../src/c4mcts/web/static/js/protocol.js" */

/** @type {ReviewedMove} */
const FAULT = { ply: 14, player: 0, column: 0, best: [3], keeping: [3], score_before: -2, score_after: -14,
  value_before: 0, value_after: 0, kind: "blunder", line: [3], refutation: [3], oversight: "unblocked threat" };

for (const [oversight, words] of /** @type {const} */ ([
  ["overlooked win", "Yellow could have won at once with 4."],
  ["unblocked threat", "It does not stop red from winning with 4."],
  ["disc under a win", "It lets red win on top of it."],
])) {
  test(`what a coach says first: ${oversight}`, () => {
    const review = /** @type {Review} */ ({ moves: [{ ...FAULT, oversight }] });
    assert.equal(moveText(review, new Game(), 1, false),
      `Move 1, yellow 1: blunder, loss in 2. ${words} Best: 4, loss in 26.`);
  });
}

test("from which move on the scores are exact", () => {
  const review = (/** @type {number} */ first) => ({ exact_from: first, moves: [4, 5, 6].map((ply) => ({ ply })) });
  assert.match(estimates(review(6)), /exact from move 3 on/);
  assert.equal(estimates(review(7)), "All values are estimates by search.");
});
